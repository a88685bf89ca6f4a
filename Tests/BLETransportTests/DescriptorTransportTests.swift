// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import BLETransport

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

private let closedByPeer = TransportError.lost("the other side has closed it")

/// Both ends of a TCP connection; what comes first is the client.
private func connection(
    _ loop: TransportLoop? = nil
) async throws -> (any Transport, any Transport) {
    let (first, second) = (try loop ?? TransportLoop(), try TransportLoop())
    let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0, on: second)
    let here = try await TransportAddress.tcp(host: "127.0.0.1", port: listener.port).open(on: first)
    let there = try #require(await listener.next()).transport
    await listener.close()
    return (here, there)
}

/// Two connected descriptors that keep the borders of what is written.
func packetSockets() throws -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    #expect(socketpair(AF_UNIX, packetType, 0, &ends) == 0)
    return (ends[0], ends[1])
}

/// Octets no two neighbours of which are alike, 256 KiB.
private let part = Array(repeatElement(0..<UInt8(251), count: 1 << 10).joined()) + [UInt8](251...255)

/// Compares what comes with a part again and again.
private final class Checker: Sendable {
    private let state = Mutex((count: 0, isRight: true))
    let finished: AsyncStream<Void>
    private let finish: AsyncStream<Void>.Continuation
    private let total: Int

    init(_ total: Int) {
        self.total = total
        (finished, finish) = AsyncStream.makeStream()
    }

    func receive(_ octets: [UInt8]) {
        let isDone = state.withLock { state in
            var start = 0
            while start < octets.count {
                let from = (state.count + start) % part.count
                let length = min(part.count - from, octets.count - start)
                if !Self.isEqual(octets, start, part, from, length) { state.isRight = false }
                start += length
            }
            state.count += octets.count
            return state.count == total
        }
        if isDone { finish.finish() }
    }

    /// Comparing slices takes seconds in a debug build.
    private static func isEqual(_ a: [UInt8], _ at: Int, _ b: [UInt8], _ from: Int, _ length: Int) -> Bool {
        a.withUnsafeBytes { a in
            b.withUnsafeBytes { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return false }
                return memcmp(a + at, b + from, length) == 0
            }
        }
    }

    var isRight: Bool { state.withLock { $0.isRight } }
}

@Suite("Octets over a descriptor", .timeLimit(.minutes(5)))
struct DescriptorTransportTests {
    @Test func whatIsSentFromAnyThreadArrivesInOrder() async throws {
        let (here, there) = try await connection()
        let receiver = TestEnd(there)
        var expected: [UInt8] = []
        for index in 0..<4000 {
            let octets = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: index % 300)
            expected += octets
            if index % 3 == 0 {
                await Task(executorPreference: here.loop) { here.send(octets) }.value
            } else {
                here.send(octets)
            }
        }
        #expect(await receiver.read(expected.count) == expected)
        here.close()
        #expect(await receiver.end() == [closedByPeer])
    }

    @Test func aHundredMegabytesArrive() async throws {
        let (here, there) = try await connection()
        let count = 400
        let checker = Checker(count * part.count)
        there.start { input in
            if case .octets(let octets) = input { checker.receive(octets) }
        }
        for _ in 0..<count { here.send(part) }
        for await _ in checker.finished {}
        #expect(checker.isRight)
    }

    @Test func oneOctetAtATimeArrives() async throws {
        let (here, there) = try await connection()
        let receiver = TestEnd(there)
        for index in 0..<2000 {
            let octet = UInt8(truncatingIfNeeded: index)
            here.send([octet])
            #expect(await receiver.read(1) == [octet])
        }
    }

    @Test func allThatIsSentInATurnLeavesInOneWrite() async throws {
        // On a socket of packets each write arrives alone.
        let (here, there) = try packetSockets()
        let loop = try TransportLoop()
        let sender = DescriptorTransport(here, on: loop)
        let receiver = try TestEnd(DescriptorTransport(there, on: TransportLoop(), isPacketBased: true))
        for _ in 0..<100 {
            loop.execute {
                for number in 0..<10 as Range<UInt8> { sender.send([number]) }
                loop.execute { sender.send([10]) }
            }
            #expect(await receiver.next() == Array(0...10))
        }
    }

    @Test func aPacketThatIsCutOffIsNotTakenForAWholeOne() async throws {
        let (here, there) = try packetSockets()
        let receiver = try TestEnd(DescriptorTransport(there, on: TransportLoop(), isPacketBased: true))
        // The longest packet of HCI, and one that is longer.
        for count in [65_540, 65_541] {
            let octets = [UInt8](repeating: 2, count: count)
            #expect(octets.withUnsafeBytes { write(here, $0.baseAddress, $0.count) } == count)
        }
        #expect(await receiver.next()?.count == 65_540)
        #expect(await receiver.next() == nil)
        #expect(await receiver.end() == [.lost("it sends packets that are too long")])
        close(here)
    }

    @Test func aPeerThatDoesNotReadIsNotListenedTo() async throws {
        let (here, there) = try await connection()
        let sender = TestEnd(here)
        // More than a TCP connection keeps by itself.
        let count = 64
        for _ in 0..<count { sender.send(part) }
        for index in 0..<100 { there.send([UInt8(index)]) }
        let link = try #require(here as? DescriptorTransport)
        while await Task(executorPreference: here.loop, operation: { link.waitingCount }).value == 0 {
            await Task.yield()
        }
        // Reading, it gets all, and is heard.
        let checker = Checker(count * part.count)
        there.start { input in
            if case .octets(let octets) = input { checker.receive(octets) }
        }
        #expect(await sender.read(100) == Array(0..<100))
        for await _ in checker.finished {}
        #expect(checker.isRight)
    }

    /// What is answered with more than was asked must not be read on while the answers wait.
    @Test func nothingIsReadWhileMuchWaits() async throws {
        let (here, there) = try sockets()
        let transport = try DescriptorTransport(here, on: TransportLoop())
        let waiting = Log<Int>()
        let (answers, answered) = AsyncStream.makeStream(of: Void.self)
        @Sendable func ask() {
            var octet: UInt8 = 1
            #expect(write(there, &octet, 1) == 1)
        }
        transport.start { [weak transport] _ in
            guard let transport else { return }
            waiting.add(transport.waitingCount)
            guard waiting.all.count == 1 else { return answered.finish() }
            // The rest of the old answer can leave now, the new one only in the next turn, when there is more to read.
            Self.takeOut(.max, of: there)
            transport.send(part)
            ask()
        }
        // Until some waits, little enough for reading to go on; what is sent leaves at the end of a turn.
        var left = 0
        while left == 0 {
            transport.send([UInt8](repeating: 0, count: 1 << 14))
            for _ in 0..<2 {
                left = await Task(executorPreference: transport.loop) { transport.waitingCount }.value
            }
        }
        ask()
        let reader = Task {
            while !Task.isCancelled {
                Self.takeOut(1, of: there)
                await Task.yield()
            }
        }
        for await _ in answers {}
        reader.cancel()
        await reader.value
        #expect(waiting.all.allSatisfy { $0 <= DescriptorLink.holdBackLimit }, "\(waiting.all)")
        close(there)
    }

    /// Takes out what has come, some thousand octets at a time.
    private static func takeOut(_ times: Int, of descriptor: CInt) {
        var octets = [UInt8](repeating: 0, count: 4096)
        var left = times
        while left > 0, recv(descriptor, &octets, octets.count, CInt(MSG_DONTWAIT)) > 0 { left -= 1 }
    }

    @Test func aPeerThatHalfClosesHasClosed() async throws {
        let (here, there) = try sockets()
        let end = try TestEnd(DescriptorTransport(here, on: TransportLoop()))
        var octets: [UInt8] = [1, 2, 3]
        #expect(write(there, &octets, 3) == 3)
        shutdown(there, CInt(SHUT_WR))
        #expect(await end.end() == [closedByPeer])
        // What is sent after the end is dropped.
        end.send([1])
        #expect(read(there, &octets, 3) == 0)
        close(there)
    }

    @Test(arguments: [true, false])
    func aPeerThatVanishesIsLost(isHeldBack: Bool) async throws {
        let (here, there) = try sockets()
        let end = try TestEnd(DescriptorTransport(here, on: TransportLoop()))
        if isHeldBack { for _ in 0..<8 { end.send(part) } }
        let link = try #require(end.transport as? DescriptorTransport)
        while isHeldBack {
            let waiting = await Task(executorPreference: link.loop, operation: { link.waitingCount }).value
            // Some of it is out: the rest has to wait.
            if waiting > DescriptorLink.holdBackLimit, waiting < 8 * part.count { break }
            await Task.yield()
        }
        close(there)
        let ends = await end.end()
        #expect(ends.count == 1 && ends.first != .some(nil))
    }

    @Test func anEndThatCameBeforeTheStartIsTold() async throws {
        let (here, there) = try sockets()
        let transport = try DescriptorTransport(here, on: TransportLoop())
        transport.send([1])
        close(there)
        let end = TestEnd(transport)
        // Which end it is depends on whether the octet left before the other side closed.
        let ends = await end.end()
        #expect(ends.count == 1 && ends.first != .some(nil))
        let (again, other) = try sockets()
        let closed = try DescriptorTransport(again, on: TransportLoop())
        closed.close()
        closed.close()
        #expect(await TestEnd(closed).end() == [nil])
        close(other)
    }

    @Test func closingWhileMuchWaitsToGoOutEndsBothSides() async throws {
        for _ in 0..<20 {
            let (here, there) = try await connection()
            let (end, other) = (TestEnd(here), TestEnd(there))
            // From another thread, in the midst of its writes.
            for _ in 0..<16 { end.send(part) }
            end.close()
            end.close()
            #expect(await end.end() == [nil])
            #expect(await other.end().count == 1)
            end.send([1])
        }
    }

    @Test func whatWasSentBeforeClosingLeavesIfItCan() async throws {
        let (here, there) = try sockets()
        let loop = try TransportLoop()
        let transport = DescriptorTransport(here, on: loop)
        loop.execute {
            transport.send([1, 2])
            transport.close()
            transport.send([3])
        }
        let other = try TestEnd(DescriptorTransport(there, on: TransportLoop()))
        #expect(await other.read(5) == [1, 2])
    }

    @Test func lettingItGoClosesItAndLosesNothing() async throws {
        // Its loop goes with it; whether that sees the octet or its own end first is a matter of moments.
        for _ in 0..<100 {
            let (here, there) = try sockets()
            let other = try TestEnd(DescriptorTransport(there, on: TransportLoop()))
            do {
                let transport = try DescriptorTransport(here, on: TransportLoop())
                transport.start { _ in }
                transport.send([1])
            }
            #expect(await other.read(2) == [1])
            #expect(await other.end() == [closedByPeer])
        }
    }

    @Test func aSignalInterruptsNothing() async throws {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGUSR2, &action, nil)
        let loop = try TransportLoop()
        let (here, there) = try await connection(loop)
        let receiver = TestEnd(there)
        let thread = await Task(executorPreference: loop) { UInt(pthread_self()) }.value
        for index in 0..<500 {
            pthread_kill(pthread_t(thread), SIGUSR2)
            here.send([UInt8(truncatingIfNeeded: index)])
            pthread_kill(pthread_t(thread), SIGUSR2)
            #expect(await receiver.read(1) == [UInt8(truncatingIfNeeded: index)])
        }
    }

    @Test func aDescriptorThatIsNoneIsLost() async throws {
        let end = try TestEnd(DescriptorTransport(1 << 20, on: TransportLoop()))
        let ends = await end.end()
        #expect(ends.count == 1 && ends.first != .some(nil))
    }

    @Test func jobsWithoutEndDoNotStarveOctetsNorOctetsJobs() async throws {
        let loop = try TransportLoop()
        let (here, there) = try await connection(loop)
        let other = TestEnd(there)
        // Comes back each time, so that something can always be read.
        here.start { [weak here] input in
            if case .octets(let octets) = input { here?.send(octets) }
        }
        let spinner = Task(executorPreference: loop) {
            var turns = 0
            while !Task.isCancelled {
                await Task.yield()
                turns += 1
            }
            return turns
        }
        for index in 0..<500 {
            other.send([UInt8(truncatingIfNeeded: index)])
            #expect(await other.read(1) == [UInt8(truncatingIfNeeded: index)])
        }
        let flood = Task {
            for _ in 0..<100 {
                other.send(part)
                _ = await other.read(part.count)
            }
        }
        for _ in 0..<100 { #expect(await Task(executorPreference: loop) { loop.isCurrent }.value) }
        spinner.cancel()
        #expect(await spinner.value > 0)
        await flood.value
    }

    @Test func packetsStayWhole() async throws {
        let (here, there) = try packetSockets()
        let near = try TestEnd(DescriptorTransport(here, on: TransportLoop(), isPacketBased: true))
        let far = try TestEnd(DescriptorTransport(there, on: TransportLoop(), isPacketBased: true))
        #expect(near.transport.isPacketBased)
        var random: UInt64 = 1
        let packets = (0..<2000).map { [UInt8](repeating: UInt8($0 & 0xFF), count: 1 + step(&random) % 1100) }
        // More than the socket takes at once.
        for packet in packets { near.send(packet) }
        for packet in packets { #expect(await far.next() == packet) }
        near.close()
        #expect(await far.end() == [closedByPeer])
    }

    private func sockets() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, streamType, 0, &ends) == 0)
        return (ends[0], ends[1])
    }
}

#if canImport(Glibc)
private let packetType = CInt(SOCK_SEQPACKET.rawValue)
private let streamType = CInt(SOCK_STREAM.rawValue)
#else
private let packetType = SOCK_SEQPACKET
private let streamType = SOCK_STREAM
#endif
