// SPDX-License-Identifier: Apache-2.0

import BLECapture
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

@Suite("Captures of a transport")
struct CapturedTransportTests {
    private static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
    private static let done: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

    /// The packets of a capture, each with an arrow.
    private func packets(of path: String) throws -> [String] {
        let descriptor = open(path, O_RDONLY)
        var octets: [UInt8] = []
        while true {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            octets += buffer.prefix(count)
        }
        close(descriptor)
        var reader = try BTSnoop.Reader(octets)
        var packets: [String] = []
        while let record = try reader.next() {
            packets.append((record.direction == .toHost ? "<" : ">") + "\(record.packet.count)")
        }
        return packets
    }

    @Test func aCaptureBeginsAndEndsWhileTheTransportRuns() async throws {
        let path = "/tmp/lantern-capture-\(getpid())-switch"
        defer { unlink(path) }
        let manual = ManualLoop()
        let (host, controller) = TransportPair.make(manual.loop, manual.loop, isPacketBased: false)
        let capture = CaptureSwitch()
        let captured = CapturedTransport(host, through: capture)
        captured.start { _ in }
        controller.start { _ in }
        captured.send(Self.reset)
        // The first half of a packet comes before the capture begins: it is in it as a whole.
        controller.send(Array(Self.done.prefix(3)))
        manual.runUntilIdle()
        let file = try CaptureFile(path, limit: 120)
        capture.file = file
        controller.send(Array(Self.done.dropFirst(3)))
        manual.runUntilIdle()
        captured.send(Self.reset)
        await file.flush()
        #expect(file.size.packets == 2)
        capture.file = nil
        captured.send(Self.reset)
        #expect(try packets(of: path) == ["<7", ">4"])
        #expect(file.size.octets == 16 + 24 + 7 + 24 + 4)
        capture.file = file
        captured.send(Self.reset)
        captured.send(Self.reset)
        await file.flush()
        #expect(file.size.packets == 3 && file.failure?.contains("limit") == true)
        captured.close()
        controller.close()
    }

    @Test(arguments: [true, false])
    func packetsAreInTheFileInTheOrderInWhichTheyPassed(isPacketBased: Bool) async throws {
        let path = "/tmp/lantern-capture-\(getpid())-\(isPacketBased)"
        defer { unlink(path) }
        let manual = ManualLoop()
        let (host, controller) = TransportPair.make(manual.loop, manual.loop, isPacketBased: isPacketBased)
        let file = try CaptureFile(path)
        let captured = CapturedTransport(host, into: file)
        controller.start { input in if case .octets = input { controller.send(Self.done) } }
        captured.start { _ in }
        for _ in 0..<2 {
            captured.send(Self.reset)
            manual.runUntilIdle()
        }
        await file.flush()
        #expect(try packets(of: path) == [">4", "<7", ">4", "<7"])
        // Those that come in one piece are one each.
        if !isPacketBased {
            captured.send(Self.reset + Self.reset)
            controller.send(Self.done + Self.done)
            manual.runUntilIdle()
            await file.flush()
            #expect(try packets(of: path).suffix(5) == [">4", ">4", "<7", "<7", "<7"])
        }
    }

    /// A pipe that nobody reads stands for a disk that does not answer.
    @Test func aDiskThatDoesNotAnswerHoldsUpNobody() async throws {
        let path = "/tmp/lantern-capture-\(getpid())-stalled"
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        let manual = ManualLoop()
        let (host, controller) = TransportPair.make(manual.loop, manual.loop, isPacketBased: true)
        let file = try CaptureFile(path)
        let captured = CapturedTransport(host, into: file)
        let received = Log<Int>()
        captured.start { input in if case .octets(let octets) = input { received.add(octets.count) } }
        controller.start { _ in }
        let large = [UInt8]([0x02, 0x01, 0x00, 0x00, 0x40]) + [UInt8](repeating: 7, count: 0x4000)
        let count = Int(CaptureFile.room) / large.count + 20
        for _ in 0..<count {
            controller.send(large)
            manual.runUntilIdle()
        }
        // All of it has arrived; what the disk was too slow for is counted, and nobody waits for it without end.
        #expect(received.all.count == count)
        await file.flush(within: .milliseconds(10))
        let lost = file.lost
        #expect(lost > 0 && file.size.packets < count - lost && file.failure == nil)
        #expect(file.fault == "lacks \(lost) packets, because the disk was too slow")
        let drained = Task.detached {
            var total = 0
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while file.size.packets < count - lost {
                let octets = read(reader, &buffer, buffer.count)
                if octets > 0 { total += octets } else { usleep(1000) }
            }
            return total
        }
        let total = await drained.value
        // The next says how many are missing before it.
        controller.send(large)
        manual.runUntilIdle()
        let next = Task.detached { () -> [UInt8] in
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while file.size.packets < count - lost + 1 || total + all.count < Int(file.size.octets) {
                let octets = read(reader, &buffer, buffer.count)
                if octets > 0 { all += buffer.prefix(octets) } else { usleep(1000) }
            }
            return all
        }
        let record = Array(await next.value.suffix(24 + large.count))
        let drops = record[12..<16].reduce(0) { $0 << 8 | Int($1) }
        #expect(drops == lost)
        close(reader)
    }

    @Test func packetsThatAreCutAreWhole() async throws {
        let path = "/tmp/lantern-capture-cut-\(getpid())"
        defer { unlink(path) }
        let manual = ManualLoop()
        let (host, controller) = TransportPair.make(manual.loop, manual.loop)
        let file = try CaptureFile(path)
        let captured = CapturedTransport(host, into: file)
        let count = Log<UInt8>()
        captured.start { input in
            if case .octets(let octets) = input { for octet in octets { count.add(octet) } }
        }
        controller.start { _ in }
        for octet in Self.done + Self.done {
            controller.send([octet])
            manual.runUntilIdle()
        }
        #expect(count.all == Self.done + Self.done)
        await file.flush()
        #expect(try packets(of: path) == ["<7", "<7"])
    }

    #if os(Linux)
    @Test func aFullDiskIsKnownBeforeThereIsAnyTraffic() throws {
        #expect(try CaptureFile("/dev/full").failure == systemReason(ENOSPC))
    }
    #endif

    /// A pipe that nobody reads any more stands for the disk: it takes the header and nothing after it.
    @Test func aCaptureThatCannotGoOnEndsAndNotTheConnection() async throws {
        signal(SIGPIPE, SIG_IGN)
        let path = "/tmp/lantern-capture-pipe-\(getpid())"
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        let manual = ManualLoop()
        let (host, controller) = TransportPair.make(manual.loop, manual.loop)
        let file = try CaptureFile(path)
        close(reader)
        let captured = CapturedTransport(host, into: file)
        let received = Log<UInt8>()
        controller.start { input in if case .octets = input { controller.send(Self.done) } }
        captured.start { input in
            if case .octets(let octets) = input { for octet in octets { received.add(octet) } }
        }
        captured.send(Self.reset)
        manual.runUntilIdle()
        #expect(received.all == Self.done)
        await file.flush()
        #expect(file.failure == systemReason(EPIPE))
    }
}

@Suite("Two transports of this process")
struct TransportPairTests {
    @Test func whatIsSentInATurnArrivesTogetherAndInOrder() {
        let manual = ManualLoop()
        let (near, far) = TransportPair.make(manual.loop, manual.loop)
        let received = Log<[UInt8]>()
        far.start { input in if case .octets(let octets) = input { received.add([UInt8](octets[...])) } }
        manual.loop.execute {
            near.send([1])
            near.send([2, 3])
        }
        manual.runUntilIdle()
        #expect(received.all == [[1, 2, 3]])
    }

    @Test func packetsArriveAsTheyWereSent() {
        let manual = ManualLoop()
        let (near, far) = TransportPair.make(manual.loop, manual.loop, isPacketBased: true)
        let received = Log<[UInt8]>()
        far.start { input in if case .octets(let octets) = input { received.add(octets) } }
        near.send([1])
        near.send([2, 3])
        manual.runUntilIdle()
        #expect(received.all == [[1], [2, 3]])
    }

    @Test func closingEndsBothAndWhatWasSentBeforeArrives() {
        let manual = ManualLoop()
        let (near, far) = TransportPair.make(manual.loop, manual.loop)
        let (nearEnds, farEnds, received) = (Log<TransportError?>(), Log<TransportError?>(), Log<[UInt8]>())
        near.start { input in if case .ended(let why) = input { nearEnds.add(why) } }
        far.start { input in
            switch input {
            case .octets(let octets): received.add(octets)
            case .ended(let why): farEnds.add(why)
            }
        }
        near.send([1])
        near.close()
        near.send([2])
        near.close()
        far.close()
        manual.runUntilIdle()
        #expect(received.all == [[1]])
        #expect(nearEnds.all == [nil])
        #expect(farEnds.all == [.lost("the other side has closed it")])
    }

    @Test func lettingOneEndGoClosesTheOther() {
        let manual = ManualLoop()
        let ends = Log<TransportError?>()
        weak var gone: (any Transport)?
        let far: any Transport
        do {
            let near: any Transport
            (near, far) = TransportPair.make(manual.loop, manual.loop)
            gone = near
        }
        far.start { input in if case .ended(let why) = input { ends.add(why) } }
        manual.runUntilIdle()
        #expect(gone == nil && ends.all == [.lost("the other side has closed it")])
    }

    @Test func whoTakesNothingIsNotListenedTo() {
        let manual = ManualLoop()
        let (near, far) = TransportPair.make(manual.loop, manual.loop)
        let (received, gone) = (Log<Int>(), Log<Void>())
        near.whenGone { gone.add(()) }
        near.start { input in if case .octets(let octets) = input { received.add(octets.count) } }
        near.send([UInt8](repeating: 0, count: 100_000))
        far.send([1])
        manual.runUntilIdle()
        #expect(near.waitingCount == 100_000 && received.all.isEmpty)
        far.start { _ in }
        manual.runUntilIdle()
        #expect(near.waitingCount == 0 && received.all == [1] && gone.all.count == 1)
    }

    @Test func twoThreadsLoseNothing() async throws {
        let (near, far) = try TransportPair.make(TransportLoop(), TransportLoop())
        let (sender, receiver) = (TestEnd(near), TestEnd(far))
        for number in 0..<20_000 { sender.send([UInt8(truncatingIfNeeded: number)]) }
        #expect(await receiver.read(20_000) == (0..<20_000).map { UInt8(truncatingIfNeeded: $0) })
    }
}
