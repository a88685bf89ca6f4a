// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLEWire
import Testing

private let link = LinkID(rawValue: 1)
private let slow = ConnectionParameterRange(
    intervalMin: ConnectionInterval(rawValue: 80), intervalMax: ConnectionInterval(rawValue: 160), latency: 2,
    supervisionTimeout: SupervisionTimeout(rawValue: 600))
/// The same as it travels.
private let slowOctets = "5000 A000 0200 5802"

extension HostBench {
    fileprivate var opcodes: [UInt16] { commands.map(\.opcode) }

    @discardableResult
    fileprivate func perform(_ procedure: LinkProcedure) -> LinkProcedure.ID? {
        update { stack, now in stack.perform(procedure, on: link, at: now) }
    }

    /// A bench with one link of handle 1.
    fileprivate static func linked(role: UInt8 = 0, features: Int = 0x0020) -> HostBench {
        let bench = HostBench.ready(features: features)
        bench.open(1, role: role)
        return bench
    }
}

@Suite struct LinkProcedureTests {
    static let asked: [(LinkProcedure, command: UInt16, parameters: String, reply: String, words: String)] = [
        (.readRSSI, 0x1405, "0100", "00 0100 C4", "rssi -60"),
        (.readRSSI, 0x1405, "0100", "00 0100 7F", "rssi none"),
        (.readPHY, 0x2030, "0100", "00 0100 02 03", "phy 2 3"),
        (.readChannelMap, 0x2015, "0100", "00 0100 FEFFFFFF1F", "channels 36"),
        (.readTransmitPower, 0x0C2D, "0100 00", "00 0100 F8", "power -8"),
    ]

    @Test(arguments: 0..<5) func `what the controller knows is told`(_ index: Int) {
        let (procedure, opcode, parameters, reply, words) = Self.asked[index]
        let bench = HostBench.linked()
        bench.replies[opcode] = .complete(octets(reply))
        bench.perform(procedure)
        #expect(bench.opcodes == [opcode])
        #expect(bench.commands[0].parameters == octets(parameters))
        #expect(bench.events == ["procedure 1 1 \(words)"])
        // Refused, and nonsense.
        bench.forget()
        bench.replies[opcode] = .complete([0x02, 1, 0])
        bench.perform(procedure)
        bench.replies[opcode] = .status(0x0C)
        bench.perform(procedure)
        bench.replies[opcode] = .complete([0, 1])
        bench.perform(procedure)
        #expect(
            bench.events == [
                "procedure 1 2 refused 2", "procedure 1 3 refused 12", "procedure 1 4 badAnswer",
            ])
        #expect(bench.stack.nextDeadline == nil)
    }

    static let reported: [(LinkProcedure, command: UInt16, event: String, words: String)] = [
        (.readRemoteVersion, 0x041D, "04 0C 08 00 0100 0D 5900 3412", "version 13 89 4660"),
        (.readRemoteFeatures, 0x2016, "04 3E 0C 04 00 0100 2000000000000000", "features 32"),
        (.setPHY(tx: .le2M, rx: nil, coding: .none), 0x2032, "04 3E 06 0C 00 0100 02 01", "phy 2 1"),
        (.updateParameters(slow), 0x2013, "04 3E 0A 03 00 0100 8000 0200 5802", "parameters 128 2 600"),
    ]

    @Test(arguments: 0..<4) func `what the link layers work out is told`(_ index: Int) {
        let (procedure, opcode, event, words) = Self.reported[index]
        let bench = HostBench.linked()
        bench.perform(procedure)
        #expect(bench.opcodes == [opcode])
        #expect(bench.events == [])
        bench.receive(event)
        #expect(bench.events.last == "procedure 1 1 \(words)")
        #expect(bench.stack.nextDeadline == nil)
        // The event again: nobody waits.
        bench.forget()
        bench.receive(event)
        #expect(!bench.events.contains { $0.hasPrefix("procedure") })
        // Refused at once, at the end, never answered.
        bench.forget()
        bench.replies[opcode] = .status(0x1A)
        bench.perform(procedure)
        #expect(bench.events == ["procedure 1 2 refused 26"])
        bench.replies = [:]
        bench.perform(procedure)
        var failed = octets(event)
        failed[failed[1] == 0x3E ? 4 : 3] = 0x22
        bench.receive(failed)
        #expect(bench.events.last == "procedure 1 3 refused 34")
        bench.perform(procedure)
        bench.advance(milliseconds: 39_999)
        #expect(bench.events.count == 2)
        bench.advance(milliseconds: 1)
        #expect(bench.events.last == "procedure 1 4 timeout")
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `a Command Complete where a Command Status belongs is no success`() {
        let bench = HostBench.linked()
        bench.replies[0x2016] = .complete([0])
        bench.perform(.readRemoteFeatures)
        bench.replies[0x2016] = .complete([0x01])
        bench.perform(.readRemoteFeatures)
        #expect(bench.events == ["procedure 1 1 badAnswer", "procedure 1 2 refused 1"])
    }

    @Test func `one after the other on a link, and no more than may wait`() {
        let bench = HostBench.linked()
        for _ in 0..<18 { bench.perform(.readRemoteFeatures) }
        #expect(bench.opcodes == [0x2016])
        #expect(bench.events == ["procedure 1 17 queueFull", "procedure 1 18 queueFull"])
        bench.forget()
        for _ in 0..<16 { bench.receive("04 3E 0C 04 00 0100 0000000000000000") }
        #expect(bench.opcodes == [UInt16](repeating: 0x2016, count: 15))
        #expect(bench.events == (1...16).map { "procedure 1 \($0) features 0" })
    }

    @Test func `links do not wait for each other`() {
        let bench = HostBench.linked()
        bench.open(2, peer: BluetoothAddress(2, kind: .public))
        bench.perform(.readRemoteFeatures)
        bench.update { stack, now in
            _ = stack.perform(.readRemoteFeatures, on: LinkID(rawValue: 2), at: now)
        }
        bench.receive("04 3E 0C 04 00 0200 0100000000000000")
        bench.receive("04 3E 0C 04 00 0300 0100000000000000")
        bench.receive("04 3E 0C 04 00 0100 0200000000000000")
        #expect(bench.events == ["procedure 2 1 features 1", "procedure 1 1 features 2"])
    }

    @Test func `a link that dies takes its procedures with it`() {
        let bench = HostBench.linked()
        bench.perform(.readRemoteVersion)
        bench.perform(.readRSSI)
        bench.linkClosed(1)
        #expect(
            bench.events == [
                "procedure 1 1 disconnected", "procedure 1 2 disconnected", "disconnected 1 closedByPeer",
            ])
        #expect(bench.stack.nextDeadline == nil)
        #expect(bench.perform(.readRSSI) == nil)
    }

    @Test func `what the controller does not know is not asked of it`() {
        let bench = HostBench()
        bench.replies[0x1002] = .complete([0] + [UInt8](repeating: 0, count: 64))
        bench.start()
        bench.open(1)
        for (procedure, _, _, _) in Self.reported { bench.perform(procedure) }
        #expect(bench.events == (1...4).map { "procedure 1 \($0) unsupported" })
        #expect(bench.commands.isEmpty)
    }

    @Test func `changes that the peer has made are told`() {
        let bench = HostBench.linked()
        bench.receive("04 3E 0A 03 00 0100 1000 0100 6400")
        bench.receive("04 3E 06 0C 00 0100 02 03")
        bench.receive("04 3E 0B 07 0100 FB00 4808 1B00 4801")
        bench.receive("04 3E 0A 03 3B 0100 0000 0000 0000")
        bench.receive("04 3E 06 0C 1A 0100 01 01")
        #expect(bench.events == ["parameters 1 16 1 100", "phy 1 2 3", "length 1 251 27"])
    }

    @Test func `channels are chosen for all links`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.useChannels([.channel(0), .channel(36)], at: now) }
        #expect(bench.opcodes == [0x2014])
        #expect(bench.commands[0].parameters == octets("0100000010"))
        bench.replies[0x2014] = .complete([0x12])
        bench.update { stack, now in
            stack.useChannels(.all, at: now)
            stack.useChannels([], at: now)
        }
        #expect(bench.events == ["channels 0", "channels 18", "channels 18"].sorted())
        #expect(bench.opcodes == [0x2014, 0x2014])
    }

    @Test func `unknown events are counted and do no harm`() {
        let bench = HostBench.linked()
        bench.perform(.readRemoteVersion)
        for hex in ["04 FF 03 010203", "04 3E 02 7F 00", "04 02 01 00"] { bench.receive(hex) }
        #expect(bench.stack.counters.unknownEvents == 3)
        #expect(bench.events == [])
    }
}

@Suite struct LinkTimingTests {
    static let impossible: [ConnectionParameterRange] = [
        range(5, 10, 0, 600), range(20, 10, 0, 600), range(10, 3201, 0, 3200), range(10, 10, 500, 3200),
        range(10, 10, 0, 9), range(10, 10, 0, 3201), range(3200, 3200, 0, 800), range(80, 80, 499, 3200),
        range(0, 0, 0, 0), range(0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF),
    ]

    static func range(
        _ min: UInt16, _ max: UInt16, _ latency: UInt16, _ timeout: UInt16
    ) -> ConnectionParameterRange {
        ConnectionParameterRange(
            intervalMin: ConnectionInterval(rawValue: min), intervalMax: ConnectionInterval(rawValue: max),
            latency: latency, supervisionTimeout: SupervisionTimeout(rawValue: timeout))
    }

    @Test(arguments: impossible) func `timing that no controller could keep is not asked for`(
        _ range: ConnectionParameterRange
    ) {
        let bench = HostBench.linked()
        bench.perform(.updateParameters(range))
        #expect(bench.events == ["procedure 1 1 invalid"])
        #expect(bench.commands.isEmpty)
        // Nor accepted.
        let hex = [
            range.intervalMin.rawValue, range.intervalMax.rawValue, range.latency,
            range.supervisionTimeout.rawValue,
        ].map { two(Int($0)).hexadecimal }.joined()
        bench.receive("04 3E 0B 06 0100 " + hex)
        #expect(bench.opcodes == [0x2021])
        #expect(bench.commands[0].parameters == octets("0100 3B"))
        bench.forget()
        bench.frame(1, 5, octets("12 07 0800" + hex))
        #expect(bench.frames(1) == ["5 130702000100"])
        #expect(bench.commands.isEmpty)
    }

    @Test func `the shortest and the longest timing can be asked for`() {
        let bench = HostBench.linked()
        for range in [Self.range(6, 6, 0, 10), Self.range(6, 3200, 0, 3200), Self.range(8, 8, 499, 1001)] {
            bench.forget()
            bench.perform(.updateParameters(range))
            #expect(bench.opcodes == [0x2013])
            bench.receive("04 3E 0A 03 3B 0100 0000 0000 0000")
        }
    }

    @Test func `a peripheral asks through its controller, if that can`() {
        let bench = HostBench.linked(role: 1, features: 0x0022)
        bench.perform(.updateParameters(slow))
        #expect(bench.opcodes == [0x2013])
        #expect(bench.commands[0].parameters == octets("0100" + slowOctets + "0000 0000"))
        bench.receive("04 3E 0A 03 00 0100 8000 0200 5802")
        #expect(bench.events == ["parameters 1 128 2 600", "procedure 1 1 parameters 128 2 600"])
    }

    @Test(arguments: [true, false]) func `and asks the central's host when the central's controller cannot`(
        _ isRefusedAtOnce: Bool
    ) {
        let bench = HostBench.linked(role: 1, features: 0x0022)
        if isRefusedAtOnce { bench.replies[0x2013] = .status(0x1A) }
        bench.perform(.updateParameters(slow))
        if !isRefusedAtOnce { bench.receive("04 3E 0A 03 1A 0100 0000 0000 0000") }
        #expect(bench.events == [])
        #expect(bench.frames(1) == ["5 12f00800" + slowOctets.lowercased().filter { $0 != " " }])
        bench.frame(1, 5, octets("13 F0 0200 0000"))
        #expect(bench.events == [])
        bench.receive("04 3E 0A 03 00 0100 8000 0200 5802")
        #expect(bench.events == ["parameters 1 128 2 600", "procedure 1 1 parameters 128 2 600"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test(
        arguments: [("13 F0 0200 0100", "refusedByPeer"), ("01 F0 0200 0000", "refusedByPeer")])
    func `a central's refusal is told`(_ answer: String, _ words: String) {
        let bench = HostBench.linked(role: 1)
        bench.perform(.updateParameters(slow))
        #expect(bench.commands.isEmpty)
        #expect(bench.frames(1).count == 1)
        // An answer to somebody else is none.
        bench.frame(1, 5, octets("13 01 0200 0000"))
        #expect(bench.events == [])
        bench.frame(1, 5, octets(answer))
        #expect(bench.events == ["procedure 1 1 \(words)"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test(arguments: [nil, "13 F0 0200 0000", "13 F0 0000", "13 F0 0100 00"])
    func `a central that never does what it was asked is given up`(_ answer: String?) {
        let bench = HostBench.linked(role: 1)
        bench.perform(.updateParameters(slow))
        if let answer { bench.frame(1, 5, octets(answer)) }
        bench.advance(milliseconds: 60_000)
        #expect(bench.events.count == 1)
        #expect(bench.events.first?.hasPrefix("procedure 1 1 ") == true)
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `a late answer to one request does not end the next`() {
        let bench = HostBench.linked(role: 1)
        bench.perform(.updateParameters(slow))
        bench.advance(milliseconds: 60_000)
        #expect(bench.events == ["procedure 1 1 timeout"])
        bench.perform(.updateParameters(slow))
        bench.frame(1, 5, octets("13 F0 0200 0100"))
        #expect(bench.events.count == 1)
        bench.frame(1, 5, octets("13 F1 0200 0100"))
        #expect(bench.events.last == "procedure 1 2 refusedByPeer")
    }

    @Test func `our change waits for one that the peer has begun, and the peer's for ours`() {
        let bench = HostBench.linked()
        bench.frame(1, 5, octets("12 07 0800 1000 1000 0000 6400"))
        #expect(bench.opcodes == [0x2013])
        bench.perform(.updateParameters(slow))
        #expect(bench.opcodes == [0x2013])
        bench.receive("04 3E 0A 03 00 0100 1000 0000 6400")
        #expect(bench.opcodes == [0x2013, 0x2013])
        #expect(bench.events == ["parameters 1 16 0 100"])
        _ = bench.frames(1)
        bench.frame(1, 5, octets("12 08 0800 1000 1000 0000 6400"))
        #expect(bench.frames(1) == ["5 130802000100"])
        bench.receive("04 3E 0A 03 00 0100 8000 0200 5802")
        #expect(bench.events.last == "procedure 1 1 parameters 128 2 600")
    }

    @Test func `only timing within the limits is accepted, cut to them`() {
        let limits = ConnectionParameterRange(
            intervalMin: ConnectionInterval(rawValue: 12), intervalMax: ConnectionInterval(rawValue: 100),
            latency: 2, supervisionTimeout: SupervisionTimeout(rawValue: 600))
        let bench = HostBench(HostConfiguration(acceptedParameters: limits))
        bench.start()
        bench.open(1)
        bench.receive("04 3E 0B 06 0100 0600 C800 0200 5802")
        #expect(bench.opcodes == [0x2020])
        #expect(bench.commands[0].parameters == octets("0100 0C00 6400 0200 5802 0000 0000"))
        for beyond in ["6500 C800 0200 5802", "0600 C800 0300 5802", "0600 C800 0200 5902"] {
            bench.forget()
            bench.receive("04 3E 0B 06 0100 " + beyond)
            #expect(bench.opcodes == [0x2021])
        }
        bench.forget()
        bench.frame(1, 5, octets("12 07 0800 0600 C800 0000 5802"))
        #expect(bench.commands[0].parameters == octets("0100 0C00 6400 0000 5802 0000 0000"))
    }

    @Test func `a request on a link that is not known is refused`() {
        let bench = HostBench.ready()
        bench.receive("04 3E 0B 06 0700 0600 0600 0000 6400")
        #expect(bench.opcodes == [0x2021])
    }
}
