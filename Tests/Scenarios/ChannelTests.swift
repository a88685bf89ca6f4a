// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEL2CAP
import BLESimulation
import BLEWire
import Testing

// Octet by octet, with a peer that does anything.
@Suite struct ChannelWireTests {
    private static let small = L2CAP.ChannelParameters(mtu: 100, mps: 50, credits: 4)

    /// A host with a link at handle 0x0040 on which the peer has opened a channel.
    private static func open(credits: UInt8 = 4, length: Int = 27, count: Int = 4) -> HostBench {
        let bench = HostBench.ready(length: length, count: count)
        bench.update { stack, _ in stack.listen(at: .init(rawValue: 0x80), small) }
        bench.open(0x40, role: 1)
        bench.frame(0x40, 5, octets("14 01 0A00 8000 4500 6400 1700") + [credits, 0])
        #expect(bench.frames(0x40) == ["5 15010a0040006400320004000000"])
        #expect(bench.events == ["channel 1 1 opened 128 in 64 69 100 23 \(credits)"])
        bench.forget()
        return bench
    }

    private static let link = LinkID(rawValue: 1)
    private static let token = L2CAP.ChannelToken(rawValue: 1)

    @Test func `a channel carries SDUs both ways`() {
        let bench = Self.open()
        bench.frame(0x40, 0x40, octets("0300 010203"))
        #expect(bench.events == ["channel 1 1 received 010203"])
        let outcome = bench.update { stack, now in
            stack.send([UInt8](repeating: 7, count: 30), through: Self.token, on: Self.link, at: now)
        }
        #expect(outcome == .accepted)
        #expect(
            bench.frames(0x40) == [
                "69 1e00" + String(repeating: "07", count: 21), "69 " + String(repeating: "07", count: 9),
            ])
    }

    @Test func `consumed SDUs give credits back`() {
        let bench = Self.open()
        for _ in 0..<4 { bench.frame(0x40, 0x40, [48, 0] + [UInt8](repeating: 1, count: 48)) }
        let before = bench.frames(0x40)
        bench.update { stack, now in stack.consumed(4, through: Self.token, on: Self.link, at: now) }
        let granted = (before + bench.frames(0x40)).compactMap { frame in
            frame.hasPrefix("5 16") ? Int(frame.suffix(4).prefix(2), radix: 16) : nil
        }
        #expect(granted.reduce(0, +) == 4)
    }

    @Test func `a frame longer than any MPS closes the channel, and only that`() {
        let bench = Self.open()
        bench.frame(0x40, 0x40, [UInt8](repeating: 0, count: 518))
        #expect(bench.frames(0x40) == ["5 0601040045004000"])
        #expect(
            bench.events == ["channel 1 1 closed violation(BLEL2CAP.L2CAP.ChannelViolation.frameTooLong)"])
        bench.forget()
        bench.att(0x40, "0A 0300")
        #expect(bench.frames(0x40).count == 1)
    }

    @Test func `frames for no channel are counted and ignored`() {
        let bench = Self.open()
        for channel in [0x41, 0x7F, 0x80, 0, 0xFFFF] { bench.frame(0x40, channel, [1, 0, 1]) }
        #expect(bench.stack.counters.l2capFaults == 5)
        #expect(bench.frames(0x40) == [] && bench.events == [])
    }

    @Test func `attributes are served while a channel has as much as it likes to send`() {
        let bench = Self.open(credits: 255, length: 27, count: 1)
        bench.completesData = false
        bench.update { stack, now in
            for _ in 0..<200 { _ = stack.send([1, 2, 3], through: Self.token, on: Self.link, at: now) }
        }
        bench.att(0x40, "0A 0300")
        var frames: [String] = []
        for _ in 0..<20 {
            frames += bench.frames(0x40)
            bench.completed(0x40, 1)
            bench.run()
        }
        // Four frames of the channel were in line before the response, and it was not forgotten.
        #expect(frames.firstIndex { $0.hasPrefix("4 0b") }.map { $0 <= 5 } == true)
        #expect(frames.count { $0.hasPrefix("69") } >= 15)
    }

    @Test func `a channel gets through although notifications never end`() throws {
        let uuid = BluetoothUUID(0xFF01)
        let bench = HostBench.ready(
            HostConfiguration(services: [
                .init(BluetoothUUID(0xFF00), characteristics: [.init(uuid, .notify, value: .delegated)])
            ]), count: 1)
        bench.update { stack, _ in stack.listen(at: .init(rawValue: 0x80), Self.small) }
        bench.open(0x40, role: 1)
        let handle = try #require(bench.stack.database.valueHandle(of: uuid))
        bench.frame(0x40, 4, [0x12] + two(Int(handle.rawValue) + 1) + [1, 0])
        bench.frame(0x40, 5, octets("14 01 0A00 8000 4500 6400 1700 FF00"))
        bench.forget()
        bench.completesData = false
        bench.update { stack, now in
            for _ in 0..<50 { _ = stack.send([1], through: Self.token, on: Self.link, at: now) }
        }
        var frames: [String] = []
        for _ in 0..<100 {
            bench.update { stack, now in
                while stack.hasRoom(Self.link),
                    stack.send([9], of: handle, as: .notify, on: Self.link, at: now)
                {}
            }
            frames += bench.frames(0x40)
            bench.completed(0x40, 1)
            bench.run()
        }
        #expect(frames.count { $0.hasPrefix("69") } > 5)
    }

    @Test func `channels end before their link is told to be gone`() {
        let bench = Self.open()
        bench.update { stack, now in
            _ = stack.openChannel(.init(rawValue: 0x90), Self.small, on: Self.link, at: now)
        }
        bench.forget()
        bench.linkClosed(0x40)
        #expect(
            bench.events == [
                "channel 1 1 closed linkLost", "channel 1 2 closed linkLost", "disconnected 1 closedByPeer",
            ])
        let late = bench.update { stack, now in
            stack.closeChannel(Self.token, on: Self.link, at: now)
            stack.consumed(1, through: Self.token, on: Self.link, at: now)
            return (
                stack.send([1], through: Self.token, on: Self.link, at: now),
                stack.openChannel(.init(rawValue: 0x80), on: Self.link, at: now)
            )
        }
        #expect(late.0 == .notOpen && late.1 == nil)
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `a peer that does not answer a request has 30 s`() {
        let bench = HostBench.ready()
        bench.open(0x40)
        bench.update { stack, now in
            _ = stack.openChannel(.init(rawValue: 0x80), Self.small, on: Self.link, at: now)
        }
        #expect(bench.frames(0x40) == ["5 14010a0080004000640032000400"])
        bench.advance(milliseconds: 29_999)
        #expect(bench.events == [])
        bench.advance(milliseconds: 1)
        #expect(bench.events == ["channel 1 1 closed timeout"])
    }

    @Test func `who listens no more is found no more`() {
        let bench = Self.open()
        bench.update { stack, _ in stack.stopListening(at: .init(rawValue: 0x80)) }
        bench.frame(0x40, 5, octets("14 02 0A00 8000 4600 6400 1700 0400"))
        #expect(bench.frames(0x40) == ["5 15020a0000000000000000000200"])
        bench.frame(0x40, 0x40, octets("0100 07"))
        #expect(bench.events == ["channel 1 1 received 07"])
    }
}
