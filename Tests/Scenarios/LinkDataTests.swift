// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEWire
import Testing

private let link = LinkID(rawValue: 1)

/// A service whose value, handle 16, notifies and indicates, and takes writes that the session answers.
private let lamp = HostConfiguration(services: [
    .init(
        BluetoothUUID(0xFF00),
        characteristics: [
            .init(BluetoothUUID(0xFF01), [.read, .write, .notify, .indicate], value: .delegated)
        ])
])

extension HostBench {
    @discardableResult
    fileprivate func perform(_ operation: GATT.Operation, on link: LinkID = link) -> UInt32? {
        update { stack, now in stack.perform(operation, on: link, at: now)?.rawValue }
    }

    fileprivate func notify(_ value: [UInt8], on link: LinkID = link) -> Bool {
        update { stack, now in stack.send(value, of: 16, as: .notify, on: link, at: now) }
    }
}

@Suite struct FragmentationTests {
    /// Frames are cut at what the controller takes; only the first piece says that a frame begins.
    @Test(arguments: [(27, 23, 1), (27, 24, 2), (27, 247, 10), (251, 247, 1), (251, 517, 3), (1021, 517, 1)])
    func `frames are cut at the controller's length`(_ length: Int, _ mtu: Int, _ pieces: Int) {
        let bench = HostBench.ready(length: length, count: 20)
        bench.open(1, mtu: mtu)
        let value = [UInt8](repeating: 7, count: min(mtu - 3, 512))
        bench.perform(.write(3, value))
        #expect(bench.data.count == pieces)
        #expect(bench.data.allSatisfy { $0.count <= 4 + length })
        #expect(bench.data.map { $0[1] & 0x30 } == [0] + [UInt8](repeating: 0x10, count: pieces - 1))
        #expect(bench.data.allSatisfy { Int($0[2]) | Int($0[3]) << 8 == $0.count - 4 })
        #expect(bench.frames(1) == ["4 120300" + value.hexadecimal])
    }

    @Test func `a controller that says too small a length gets the smallest there is`() {
        let bench = HostBench.ready(length: 5, count: 1)
        bench.open(1, mtu: 23)
        bench.perform(.write(3, [UInt8](repeating: 7, count: 20)))
        #expect(bench.data.map(\.count) == [31])
    }

    @Test func `no more packets than the controller holds`() {
        let bench = HostBench.ready(length: 27, count: 3)
        bench.completesData = false
        bench.open(1, mtu: 517)
        bench.completed(1, 9)
        bench.run()
        bench.forget()
        bench.perform(.write(3, [UInt8](repeating: 7, count: 200)))
        #expect(bench.data.count == 3)
        bench.completed(1, 1)
        bench.run()
        #expect(bench.data.count == 4)
        // More than it ever held, links that do not exist, nothing: no room comes of lies.
        bench.completed(1, 200)
        bench.completed(9, 50)
        bench.completed(1, 0)
        bench.run()
        #expect(bench.data.count == 7)
        for _ in 0..<3 {
            bench.completed(1, 1)
            bench.run()
        }
        // 200 octets, 3 of ATT and 4 of L2CAP in pieces of 27.
        #expect(bench.data.count == 8)
        #expect(bench.frames(1).count == 1)
    }

    @Test func `room of a link that is lost comes back`() {
        let bench = HostBench.ready(lamp, length: 27, count: 2)
        bench.completesData = false
        bench.open(1, role: 1)
        bench.open(2, role: 1)
        bench.att(1, "0A 0300")
        bench.att(1, "0A 0300")
        bench.att(2, "0A 0300")
        bench.att(2, "0A 0300")
        #expect(bench.data.count == 2)
        bench.linkClosed(1)
        #expect(bench.data.count == 3)
        #expect(bench.data.last?[0] == 2)
        bench.completed(1, 2)
        bench.att(2, "0A 0300")
        bench.att(2, "0A 0300")
        #expect(bench.data.count == 3)
    }

    @Test func `links take turns`() {
        let bench = HostBench.ready(lamp, length: 27, count: 1)
        bench.completesData = false
        for handle in 1...3 {
            bench.open(handle, role: 1, mtu: 100)
            bench.completed(handle, 9)
            bench.run()
            bench.att(handle, "12 1100 0100")
            bench.completed(handle, 9)
            bench.run()
        }
        bench.forget()
        for handle in 1...3 {
            for _ in 0..<4 { #expect(bench.notify([1, 2, 3], on: LinkID(rawValue: UInt32(handle)))) }
        }
        for _ in 0..<12 {
            guard let last = bench.data.last else { break }
            bench.completed(Int(last[0]), 1)
            bench.run()
        }
        let order = bench.data.map { $0[0] }
        #expect(order.count == 12)
        // After the first, nobody comes twice before all have come.
        for start in 0..<9 { #expect(Set(order[start..<start + 3]).count == 3, "\(order)") }
    }
}

@Suite struct ReceptionTests {
    @Test(arguments: [1, 2, 3, 5, 9, 27]) func `frames are put together however they are cut`(_ size: Int) {
        let bench = HostBench.ready()
        bench.open(1, mtu: 100)
        bench.perform(.read(3))
        bench.forget()
        let value = [UInt8](0..<90)
        let frame = two(91) + two(4) + [0x0B] + value
        var rest = frame[...]
        var isFirst = true
        while !rest.isEmpty {
            let piece = rest.prefix(isFirst ? max(4, size) : size)
            rest = rest.dropFirst(piece.count)
            let packet = [2] + two(isFirst ? 0x2001 : 0x1001) + two(piece.count) + piece
            // The transport cuts, too.
            for octet in packet { bench.receive([octet]) }
            isFirst = false
        }
        #expect(bench.events == ["completed 1 2 value \(value.hexadecimal)"])
    }

    @Test(arguments: [
        // Half a header, too much, a piece of nothing, longer than our MTU, a channel that nobody serves,
        // an empty frame, broken off by the next.
        "02 0120 0200 0100", "02 0120 0600 0100 0400 0B01", "02 0110 0100 0B", "02 0120 0500 0602 0400 0B",
        "02 0120 0500 0100 4000 0B", "02 0120 0400 0000 0400", "02 0120 0500 0500 0400 0B",
    ]) func `what cannot be put together is counted, and the next frame counts`(_ packet: String) {
        let bench = HostBench.ready()
        bench.open(1)
        bench.perform(.read(3))
        bench.forget()
        bench.receive(packet)
        #expect(bench.events == [])
        bench.att(1, "0B 05")
        #expect(bench.events == ["completed 1 2 value 05"])
        let counters = bench.stack.counters
        #expect(counters.l2capFaults == 1 || packet.hasSuffix("0500 0400 0B"))
    }

    @Test func `data of links that are not there is counted`() {
        let bench = HostBench.ready()
        bench.att(7, "0A 0300")
        #expect(bench.data.isEmpty)
        #expect(bench.stack.counters.strayACL == 1)
    }

    @Test func `pairing is refused, and nothing else of it answered`() {
        let bench = HostBench.ready()
        bench.open(1, role: 1)
        bench.frame(1, 6, octets("01 03 00 01 10 00 00"))
        #expect(bench.frames(1) == ["6 0505"])
        for pdu in ["", "05 05", "03 00", "0B 01", "FF"] { bench.frame(1, 6, octets(pdu)) }
        #expect(bench.frames(1) == ["6 0505"])
    }
}

@Suite struct SignallingTests {
    private static let request = "12 07 0800 0C00 1800 0000 F401"

    @Test func `timing that can be is accepted and handed on`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.frame(1, 5, octets(Self.request))
        #expect(bench.frames(1) == ["5 130702000000"])
        #expect(bench.commands.last?.opcode == 0x2013)
        #expect(bench.commands.last?.parameters == octets("0100 0C00 1800 0000 F401 0000 0000"))
    }

    @Test(arguments: ["12 07 0800 0500 1800 0000 F401", "12 07 0700 0C00 1800 0000 F4", "12 07 0000"])
    func `timing that cannot be is refused`(_ request: String) {
        let bench = HostBench.ready()
        bench.open(1)
        bench.frame(1, 5, octets(request))
        #expect(bench.frames(1) == ["5 130702000100"])
        #expect(bench.commands.isEmpty)
    }

    @Test func `a central's request is not understood, for only peripherals make any`() {
        let bench = HostBench.ready()
        bench.open(1, role: 1)
        bench.frame(1, 5, octets(Self.request))
        #expect(bench.frames(1) == ["5 010702000000"])
    }

    @Test(arguments: ["", "12 07 0900 00", "01 07 0200 0000", "12 00 0800 0C00 1800 0000 F401"])
    func `what needs no answer gets none`(_ packet: String) {
        let bench = HostBench.ready()
        bench.open(1)
        bench.frame(1, 5, octets(packet))
        #expect(bench.data.isEmpty)
    }

    @Test func `one change of timing at a time, and a peer that asks on and on does no harm`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.replies[0x2013] = .silence
        for _ in 0..<40 { bench.frame(1, 5, octets(Self.request)) }
        #expect(bench.commands.count == 1)
        #expect(bench.frames(1) == ["5 130702000000"] + [String](repeating: "5 130702000100", count: 39))
        // Once the controller refuses, or reports that it is done, the next may come.
        bench.replies = [:]
        bench.receive("04 0F 04 12 01 1320")
        bench.frame(1, 5, octets(Self.request))
        bench.frame(1, 5, octets(Self.request))
        bench.receive("04 3E 0A 03 00 0100 1800 0000 F401")
        bench.frame(1, 5, octets(Self.request))
        #expect(bench.commands.count == 3)
        #expect(bench.events == ["parameters 1 24 0 500"])
    }

    @Test func `a controller that asks about timing is answered`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.receive("04 3E 0B 06 0100 0C00 1800 0000 F401")
        #expect(bench.commands.last?.opcode == 0x2020)
        #expect(bench.commands.last?.parameters == octets("0100 0C00 1800 0000 F401 0000 0000"))
    }
}

@Suite struct FlowTests {
    private static func stuck() -> HostBench {
        let bench = HostBench.ready(lamp, length: 27, count: 2)
        bench.open(1, role: 1)
        bench.att(1, "12 1100 0300")
        bench.completesData = false
        bench.forget()
        return bench
    }

    @Test func `a sender is told when there is no room and when there is again`() {
        let bench = Self.stuck()
        var sent: [UInt8] = []
        for number in 0..<100 as Range<UInt8> where bench.notify([number]) { sent.append(number) }
        // Two with the controller, 32 that wait.
        #expect(sent == Array(0..<34))
        #expect(!bench.hasRoom(link))
        for _ in 0..<16 {
            #expect(bench.events == [])
            bench.completed(1, 1)
            bench.run()
        }
        #expect(bench.events == ["writable 1"])
        #expect(bench.hasRoom(link))
        #expect(bench.notify([34]))
        bench.completesData = true
        bench.completed(1, 2)
        bench.run()
        #expect(bench.frames(1) == (0...34).map { "4 1b1000" + [UInt8($0)].hexadecimal })
        #expect(bench.events == ["writable 1"])
    }

    @Test func `write commands have the same bound, and their sender is told, too`() {
        let bench = Self.stuck()
        for number in 0..<34 as Range<UInt8> { bench.perform(.writeWithoutResponse(3, [number])) }
        #expect(bench.events.allSatisfy { $0.hasSuffix("done") })
        bench.forget()
        bench.perform(.writeWithoutResponse(3, [34]))
        #expect(bench.events == ["completed 1 35 queueFull"])
        bench.completesData = true
        bench.completed(1, 2)
        bench.run()
        #expect(bench.events.last == "writable 1")
        #expect(bench.frames(1).count == 34 - 2)
    }

    @Test func `a link with as many indications as may wait is full until one is confirmed`() {
        let bench = Self.stuck()
        bench.completesData = true
        var sent = 0
        while bench.hasRoom(link), sent < 100 {
            let isAccepted = bench.update { stack, now in
                stack.send([1], of: 16, as: .indicate, on: link, at: now)
            }
            #expect(isAccepted)
            sent += 1
        }
        #expect(sent == 1 + GATT.Limits().indications)
        bench.att(1, "0A 0300")
        #expect(bench.events == [])
        bench.att(1, "1E")
        #expect(bench.events == ["confirmed 1 16", "writable 1"])
        #expect(bench.hasRoom(link))
    }

    @Test func `a peer that asks and takes no answers is cut off, and nobody else`() {
        let bench = Self.stuck()
        bench.open(2, role: 1)
        bench.forget()
        for _ in 0..<200 { bench.att(1, "0A 0300") }
        #expect(bench.commands.map(\.opcode) == [0x0406])
        #expect(bench.commands.first?.parameters == [1, 0, 0x13])
        bench.linkClosed(1, reason: 0x16)
        #expect(bench.events == ["disconnected 1 protocolFailure"])
        bench.completesData = true
        bench.att(2, "0A 0300")
        #expect(bench.frames(2) == ["4 0b4c616e7465726e"])
    }

    @Test func `a link that is gone has room, so that nobody waits`() {
        let bench = Self.stuck()
        while bench.notify([1]) {}
        #expect(!bench.hasRoom(link))
        bench.linkClosed(1)
        #expect(bench.hasRoom(link))
        #expect(!bench.notify([1]))
        #expect(bench.events == ["disconnected 1 closedByPeer"])
    }
}
