// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEWire
import Testing

/// Input that no good controller or peer sends: it does no harm, and what follows counts.
@Suite struct RobustTests {
    private static func h4(_ hex: String) -> [UInt8] { octets(hex) }

    /// An ACL packet on link 1 with an L2CAP frame whose length field may lie.
    private static func acl(_ length: Int, _ channel: Int, _ payload: [UInt8], flags: Int = 0x2000) -> [UInt8]
    {
        [2] + two(1 | flags) + two(payload.count + 4) + two(length) + two(channel) + payload
    }

    /// Packets of the controller that lie about a length or a count, or are as short or long as can be.
    static let lies: [(String, [UInt8])] = [
        ("five completed packets of which none follows", h4("04 13 01 05")),
        ("two entries of which one follows", h4("04 13 05 02 0100 0100")),
        ("255 entries", [4, 0x13, 255, 255] + [UInt8](repeating: 0, count: 254)),
        ("completed packets that nobody sent", h4("04 13 05 01 0100 FFFF")),
        ("no reports", h4("04 3E 02 02 00")), ("25 reports of which none follows", h4("04 3E 02 02 19")),
        ("26 reports", [4, 0x3E, 252, 2, 26] + [UInt8](repeating: 0, count: 250)),
        ("two reports of which one follows", h4("04 3E 0C 02 02 00 00 F5F4F3F2F1F0 00 C0")),
        ("a report of 255 octets that has none", h4("04 3E 0C 02 01 00 00 F5F4F3F2F1F0 FF C0")),
        ("a report whose data is one octet short", h4("04 3E 0D 02 01 00 00 F5F4F3F2F1F0 02 01 C0")),
        ("an extended report that is not there", h4("04 3E 02 0D 01")),
        (
            "an extended report with less data than it says",
            h4("04 3E 1A 0D 01 1300 00 F5F4F3F2F1F0 01 00 00 7F C0 0000 00 000000000000 01")
        ),
        ("events of no octets", h4("04 3E 00 04 0E 00 04 0F 00 04 05 00 04 13 00 04 10 00")),
        ("an event of 255 octets", [4, 0xFF, 255] + [UInt8](repeating: 0xFF, count: 255)),
        ("an LE event of 255 octets", [4, 0x3E, 255, 0x7F] + [UInt8](repeating: 0xFF, count: 254)),
        ("half a disconnection", h4("04 05 03 00 0100")), ("half a link", h4("04 3E 01 01")),
        ("an answer to nothing", h4("04 0E 03 01 FFFF")),
        ("an answer without a status", h4("04 0E 03 01 0000")),
        ("data of no octets", h4("02 0120 0000")), ("more of no octets", h4("02 0110 0000")),
        ("data of 65535 octets", acl(65_531, 4, [UInt8](repeating: 0x1B, count: 65_531))),
        ("65535 octets that say they are one", acl(1, 4, [UInt8](repeating: 0x1B, count: 65_531))),
        ("a frame that is shorter than it says, then the next", acl(9, 4, [0x0B])),
        ("a frame that is longer than it says", acl(1, 4, [0x0B, 1, 2])),
        ("a frame of 65535 octets, begun", acl(65_535, 4, [0x0B])),
        ("a frame on channel 0", acl(1, 0, [1])), ("a frame on channel 65535", acl(1, 65_535, [1])),
        ("a frame on a channel that is not open", acl(1, 0x40, [1])),
        ("empty frames on every channel", (0...0x41).flatMap { acl(0, $0, []) }),
        ("a signal that is longer than it says", acl(6, 5, h4("12 07 0100 0102"))),
        ("a signal that is shorter than it says", acl(6, 5, h4("12 07 FFFF 0102"))),
        ("a signal without a length", acl(3, 5, h4("12 07 00"))),
        ("a signal with nothing in it", acl(4, 5, h4("12 07 0000"))),
        ("a list whose items have no octets", acl(4, 4, h4("09 00 01 00"))),
        ("an answer to a request that nobody made", acl(3, 4, h4("07 01 00"))),
        ("a request of no octets but its code", acl(1, 4, [0x0A])),
        ("a request to handle 0", acl(3, 4, h4("0A 0000"))),
        ("a request to the last handle", acl(3, 4, h4("0A FFFF"))),
        ("a request whose start is above its end", acl(7, 4, h4("08 FFFF 0100 0328"))),
        ("synchronous data", h4("03 0100 02 0102")), ("isochronous data", h4("05 0100 0200 0102")),
        ("a command from the controller", h4("01 030C 00")),
    ]

    @Test(arguments: lies.indices) func `what lies about its lengths does the host no harm`(_ index: Int) {
        let bench = HostBench.ready()
        bench.open(1)
        bench.receive(Self.lies[index].1)
        let known = bench.events.filter { $0.hasPrefix("advertisement") || $0.hasPrefix("malformed") }
        #expect(known == bench.events)
        bench.forget()
        bench.update { stack, now in _ = stack.perform(.read(3), on: LinkID(rawValue: 1), at: now) }
        bench.att(1, "0B 05")
        #expect(bench.events == ["completed 1 2 value 05"])
    }

    @Test(arguments: lies.indices) func `what lies about its lengths does a request that waits no harm`(
        _ index: Int
    ) {
        let bench = HostBench.ready()
        bench.open(1)
        bench.update { stack, now in _ = stack.perform(.read(3), on: LinkID(rawValue: 1), at: now) }
        bench.receive(Self.lies[index].1)
        bench.att(1, "0B 05")
        bench.linkClosed(1)
        #expect(bench.events.count { $0.hasPrefix("completed 1 2 ") } == 1, "\(bench.events)")
        #expect(bench.events.last?.hasPrefix("disconnected 1") == true)
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `two requests without waiting are both answered, in order`() {
        let bench = HostBench.ready()
        bench.open(1, role: 1)
        bench.receive(Self.acl(3, 4, Self.h4("0A 0300")) + Self.acl(3, 4, Self.h4("0A 0500")))
        #expect(bench.frames(1) == ["4 0b4c616e7465726e", "4 0b0000"])
    }

    @Test func `of ten links one dies and the others go on`() {
        let bench = HostBench.ready(length: 27, count: 4)
        for handle in 1...10 {
            bench.open(handle, peer: BluetoothAddress(0xC000_0000_0000 + UInt64(handle), kind: .random))
        }
        bench.completesData = false
        for link in 1...10 {
            bench.update { stack, now in
                _ = stack.perform(.read(3), on: LinkID(rawValue: UInt32(link)), at: now)
            }
        }
        // Four requests are with the controller; one of them is of the link that dies.
        #expect(bench.data.count == 4)
        let dying = Int(bench.data[1][0])
        bench.linkClosed(dying, reason: 0x08)
        #expect(
            bench.events == ["completed \(dying) 2 disconnected", "disconnected \(dying) supervisionTimeout"])
        #expect(bench.data.count == 5)
        bench.completesData = true
        for packet in bench.data where Int(packet[0]) != dying {
            bench.completed(Int(packet[0]), 1)
            bench.run()
        }
        #expect(bench.data.count == 10)
        bench.forget()
        let others = (1...10).filter { $0 != dying }
        for link in others { bench.att(link, "0B 05") }
        #expect(bench.events == others.map { "completed \($0) 2 value 05" })
        // All the room that there was is there again.
        bench.completesData = false
        bench.forget()
        for link in others.prefix(5) {
            bench.update { stack, now in
                _ = stack.perform(.read(3), on: LinkID(rawValue: UInt32(link)), at: now)
            }
        }
        #expect(bench.data.count == 4)
    }

    /// Starts, opens a link, finds a service and reads a value; ends where the transport is cut.
    private func session(_ bench: HostBench) {
        bench.start()
        bench.update { stack, now in stack.connect(to: HostBench.peer, at: now) }
        bench.linkOpened(1)
        guard let link = bench.link else { return }
        bench.update { stack, now in _ = stack.perform(.discover, on: link, at: now) }
        bench.update { stack, now in _ = stack.perform(.read(3), on: link, at: now) }
        for answer in LinkEndTests.steps { bench.att(1, answer) }
    }

    @Test func `a transport that is cut at any octet ends everything once, and starts again`() {
        let whole = HostBench()
        session(whole)
        #expect(whole.events.count { $0.hasPrefix("completed") } == 3)
        #expect(whole.received > 400)
        for cut in 0..<whole.received {
            let bench = HostBench()
            bench.octetsUntilCut = cut
            session(bench)
            let wasCut = "after \(cut) octets: \(bench.events)"
            #expect(bench.events.count { $0.hasPrefix("failed") } == 1, "\(wasCut)")
            #expect(!bench.stack.isReady && bench.stack.nextDeadline == nil, "\(wasCut)")
            for (began, ended) in [("connected", "disconnected")] {
                #expect(
                    bench.events.count { $0.hasPrefix("\(began) ") }
                        == bench.events.count { $0.hasPrefix("\(ended) ") },
                    "\(wasCut)")
            }
            let ids = bench.events.filter { $0.hasPrefix("completed") }.map { $0.split(separator: " ")[2] }
            #expect(Set(ids).count == ids.count, "\(wasCut)")
            #expect(ids.isEmpty || ids.count == bench.begun, "\(wasCut)")
            // The next transport brings it all.
            bench.octetsUntilCut = nil
            bench.events = []
            session(bench)
            #expect(
                bench.events.count { $0.hasPrefix("completed") && !$0.hasSuffix("disconnected") } == 3,
                "\(wasCut)")
        }
    }
}

extension HostBench {
    /// The link that has opened last, if it is still open.
    fileprivate var link: LinkID? {
        guard let opened = events.last(where: { $0.hasPrefix("connected ") }) else { return nil }
        let id = LinkID(rawValue: UInt32(opened.split(separator: " ")[1]) ?? 0)
        return stack.mtu(of: id) == nil ? nil : id
    }

    /// Operations on the last link: the exchange of the MTU and those that the link was there for.
    fileprivate var begun: Int {
        let ids = events.filter { $0.hasPrefix("completed") }.compactMap { Int($0.split(separator: " ")[2]) }
        return ids.max() ?? 0
    }
}
