// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import BLETransport

/// Both ends of a TCP connection.
private func pair() async throws -> (here: any OctetTransport, there: any OctetTransport) {
    let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0)
    let here = try await TransportAddress.tcp(host: "127.0.0.1", port: listener.port).open()
    let there = try #require(await listener.next()).transport
    await listener.close()
    return (here, there)
}

/// Reads to the end.
private func all(of transport: any OctetTransport) async -> [UInt8] {
    var octets: [UInt8] = []
    while let more = try? await transport.receive() { octets += more }
    return octets
}

/// Octets no two neighbours of which are alike, 256 KiB.
private let part = Array(repeatElement(0..<UInt8(251), count: 1 << 10).joined()) + [UInt8](251...255)
/// How many parts are more than a TCP connection keeps by itself.
private let many = 48

@Suite("Octets over a channel", .timeLimit(.minutes(2)))
struct ChannelTransportTests {
    @Test func postedAndSentOctetsArriveInOrder() async throws {
        let (here, there) = try await pair()
        async let received = all(of: there)
        var expected: [UInt8] = []
        for index in 0..<4000 {
            let octets = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: index % 300)
            expected += octets
            if index % 100 == 0 {
                try await here.send(octets)
            } else {
                #expect(here.post(octets))
            }
        }
        // Comes after all that was posted.
        try await here.send([])
        await here.close()
        #expect(await received == expected)
        await there.close()
    }

    @Test func whatIsPostedToAPeerThatReadsLateIsKept() async throws {
        let (here, there) = try await pair()
        var expected: [UInt8] = []
        for _ in 0..<many {
            #expect(here.post(part))
            expected += part
        }
        try await there.send([1])
        var received: [UInt8] = []
        while received.count < expected.count, let octets = try await there.receive() { received += octets }
        #expect(received == expected)
        #expect(try await here.receive() == [1])
        await here.close()
        await there.close()
    }

    @Test func closingWhileMuchWaitsToGoOutEndsBothSides() async throws {
        let (here, there) = try await pair()
        async let ending = all(of: here)
        var expected: [UInt8] = []
        for _ in 0..<many {
            _ = here.post(part)
            expected += part
        }
        await here.close()
        #expect(await ending.isEmpty)
        let received = await all(of: there)
        #expect(received.count < expected.count)
        #expect(received[...] == expected.prefix(received.count))
        // Nothing is taken any more, and nothing breaks.
        _ = here.post([1])
        await #expect(throws: TransportError.self) { try await here.send([1]) }
        await there.close()
    }

    @Test func theReaderHearsThatNobodyTakesWhatIsPosted() async throws {
        let (here, there) = try await pair()
        await there.close()
        for _ in 0..<many { _ = here.post(part) }
        #expect(await all(of: here).isEmpty)
        await here.close()
    }

    @Test func aTaskThatPrefersItRunsWhereOctetsArrive() async throws {
        let (here, there) = try await pair()
        let answerer = Task(executorPreference: here.executor) {
            let octets = try await here.receive() ?? []
            let isOnLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
            return here.post(octets) && isOnLoop
        }
        try await there.send([1, 2, 3])
        #expect(try await there.receive() == [1, 2, 3])
        #expect(try await answerer.value)
        await here.close()
        await there.close()
    }
}

/// Counts how often a channel is asked to read.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = Never
    var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

@Suite("When a channel is read")
struct InboxTests {
    private let channel = EmbeddedChannel()
    private let counter = ReadCounter()
    private let inbox = Inbox()

    init() throws {
        try channel.pipeline.syncOperations.addHandlers([counter, inbox])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    @Test func nobodyWhoAsksNothingThatIsRead() {
        #expect(counter.count == 0)
    }

    @Test func whoKeepsUpHasOneReadAheadAndWhoDoesNotHasNoMore() throws {
        var pieces: [[UInt8]?] = []
        func ask() { inbox.next(on: channel) { pieces.append(try? $0.get()) } }
        ask()
        #expect(counter.count == 1)
        try channel.writeInbound(ByteBuffer(bytes: [1]))
        #expect(pieces == [[1]] && counter.count == 2)
        try channel.writeInbound(ByteBuffer(bytes: [2, 3]))
        #expect(pieces == [[1]] && counter.count == 2)
        ask()
        #expect(pieces == [[1], [2, 3]] && counter.count == 2)
        ask()
        #expect(counter.count == 3)
        channel.pipeline.fireChannelInactive()
        #expect(pieces == [[1], [2, 3], nil])
        ask()
        #expect(pieces.count == 4 && pieces[3] == nil)
    }

    @Test func aPeerThatTakesNothingIsNotRead() {
        channel.isWritable = false
        inbox.next(on: channel) { _ in }
        #expect(counter.count == 0)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(counter.count == 1)
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(counter.count == 1)
    }
}
