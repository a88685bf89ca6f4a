// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEL2CAP
import BLEWire
import Testing

private let link = LinkID(rawValue: 1)
private let other = BluetoothAddress(0xC1C2_C3C4_C5C6, kind: .random)
private let hub = HostConfiguration(limits: .hub)
private let notification = "1B 0300 AA"

/// Packets that the controller may send ahead.
private let window = 128

extension HostBench {
    fileprivate func consume(_ count: Int) {
        update { stack, now in stack.consumed(count, on: link, at: now) }
    }

    /// Notifies as a controller does that counts: no more packets than were acknowledged.
    fileprivate func flood(_ count: Int, of buffers: Int = window, sent: inout Int) -> Int {
        var passed = 0
        while passed < count, sent - acknowledged < buffers {
            att(1, notification)
            sent += 1
            passed += 1
        }
        return passed
    }
}

@Suite struct FlowControlTests {
    @Test func `it is asked for where consumption is reported and the controller can`() {
        let bench = HostBench(hub)
        bench.start()
        let asked = bench.commands.filter { [0x0C33, 0x0C31].contains($0.opcode) }
        // 1024 octets of data, none synchronous, 128 packets; then data only
        #expect(asked.map(\.parameters) == [octets("0004 00 8000 0000"), [1]])
        #expect(asked.map(\.opcode) == [0x0C33, 0x0C31])
        let plain = HostBench()
        plain.start()
        #expect(!plain.commands.contains { [0x0C33, 0x0C31].contains($0.opcode) })
    }

    @Test(arguments: [0x0C33, 0x0C31] as [UInt16]) func `a controller that refuses it has none`(
        _ opcode: UInt16
    ) {
        let bench = HostBench(hub)
        bench.replies[opcode] = .complete([0x01])
        bench.start()
        #expect(bench.events == ["ready"])
        bench.open(1)
        for _ in 0..<100 { bench.att(1, notification) }
        #expect(bench.acknowledged == 0)
    }

    @Test(arguments: [5, 6, 7] as [UInt8]) func `nor has one that does not say that it can`(_ bit: UInt8) {
        var known = [UInt8](repeating: 0xFF, count: 64)
        known[10] &= ~(1 << bit)
        let bench = HostBench(hub)
        bench.replies[0x1002] = .complete([0] + known)
        bench.start()
        #expect(!bench.commands.contains { $0.opcode == 0x0C31 })
    }

    @Test func `the air waits for a consumer that is slow, and goes on with it`() {
        let bench = HostBench.ready(hub)
        bench.open(1)
        // The answer to the exchange of the MTU.
        var sent = 1
        #expect(bench.flood(500, sent: &sent) == window - 1)
        #expect(bench.events.count == window - 1)
        bench.consume(40)
        let more = bench.flood(500, sent: &sent)
        #expect(32...41 ~= more)
        // Whatever is consumed at once, all of them come in the end.
        var consumed = 40
        var total = window - 1 + more
        for step in 0..<400 {
            let count = min(step % 7, total - consumed)
            bench.consume(count)
            consumed += count
            total += bench.flood(5, sent: &sent)
        }
        #expect(total > 500)
        bench.consume(.max)
        #expect(bench.flood(30, sent: &sent) == 30)
        #expect(!bench.commands.contains { $0.opcode == 0x0406 })
    }

    @Test func `nothing is withheld while this side awaits an answer`() {
        for begin in ["read", "rssi", "channel"] {
            let bench = HostBench.ready(hub)
            bench.open(1)
            var sent = 1
            #expect(bench.flood(500, sent: &sent) == window - 1)
            bench.replies[0x1405] = .silence
            bench.update { stack, now in
                switch begin {
                case "read": _ = stack.perform(.read(3), on: link, at: now)
                case "rssi": _ = stack.perform(.readRSSI, on: link, at: now)
                default: _ = stack.openChannel(.init(rawValue: 0x80), on: link, at: now)
                }
            }
            #expect(bench.acknowledged == window)
            #expect(bench.flood(500, sent: &sent) == 500)
            guard begin == "read" else { continue }
            bench.att(1, "0B 00")
            sent += 1
            // Answered: what is unconsumed is withheld again.
            #expect(bench.flood(500, sent: &sent) <= window)
        }
    }

    @Test func `beside another link nothing is withheld, so that it notices nothing`() {
        let bench = HostBench.ready(hub)
        bench.open(1)
        var sent = 1
        #expect(bench.flood(500, sent: &sent) == window - 1)
        bench.open(2, role: 1, peer: other)
        #expect(bench.acknowledged == window)
        #expect(bench.flood(1000, sent: &sent) == 1000)
        bench.linkClosed(2)
        #expect(bench.flood(500, sent: &sent) <= window)
    }

    @Test func `a link that is gone owes nothing`() {
        let bench = HostBench.ready(hub)
        for handle in 1...20 {
            bench.open(1)
            var sent = 1
            let before = bench.acknowledged
            bench.acknowledged = 0
            #expect(bench.flood(500, sent: &sent) == window - 1, "\(handle) \(before)")
            bench.linkClosed(1)
            bench.acknowledged = 0
        }
    }

    @Test func `long frames are acknowledged piece by piece, strays at once`() {
        let bench = HostBench.ready(hub)
        bench.open(1)
        bench.receive(
            [2] + two(1 | 0x2000) + two(27) + two(400) + two(4) + [UInt8](repeating: 0x0B, count: 23))
        for _ in 0..<200 { bench.receive([2] + two(1 | 0x1000) + two(1) + [0]) }
        #expect(bench.acknowledged > 150)
        bench.acknowledged = 0
        bench.receive([2] + two(9 | 0x2000) + two(4) + two(0) + two(4))
        #expect(bench.acknowledged == 1)
        bench.update { stack, now in stack.disconnect(link, at: now) }
        for _ in 0..<100 { bench.att(1, notification) }
        #expect(bench.acknowledged > 80)
    }
}
