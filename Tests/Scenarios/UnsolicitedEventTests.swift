// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLEWire
import Testing

/// Events of a link that belong to nobody here, or to somebody else, while this side is at a procedure.
@Suite struct UnsolicitedEventTests {
    private static let requested = ConnectionParameterRange(
        intervalMin: ConnectionInterval(rawValue: 80), intervalMax: ConnectionInterval(rawValue: 160),
        latency: 2, supervisionTimeout: SupervisionTimeout(rawValue: 600))
    private static let wanted = "04 3E 0A 03 00 0100 8000 0200 5802"
    private static let other = "04 3E 0A 03 00 0100 1000 0000 6400"

    private static func linked(role: UInt8 = 0) -> HostBench {
        let bench = HostBench.ready(features: 0x0020)
        bench.open(1, role: role)
        return bench
    }

    private static func perform(_ procedure: LinkProcedure, _ bench: HostBench) {
        bench.update { stack, now in _ = stack.perform(procedure, on: LinkID(rawValue: 1), at: now) }
    }

    private static func results(_ bench: HostBench) -> [String] {
        bench.events.filter { $0.hasPrefix("procedure") }
    }

    @Test(arguments: 0..<4)
    func `an event before the controller has accepted the command does not end the procedure`(_ index: Int) {
        let (procedure, opcode, event, words) = LinkProcedureTests.reported[index]
        let bench = Self.linked()
        bench.replies[opcode] = .silence
        Self.perform(procedure, bench)
        bench.receive(event)
        #expect(Self.results(bench) == [])
        bench.receive("04 0F 04 00 01" + two(Int(opcode)).hexadecimal)
        #expect(Self.results(bench) == [])
        bench.receive(event)
        #expect(Self.results(bench) == ["procedure 1 1 \(words)"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test(arguments: 0..<4) func `the late event of one that has timed out does not end the next`(
        _ index: Int
    ) {
        let (procedure, opcode, event, words) = LinkProcedureTests.reported[index]
        let bench = Self.linked()
        Self.perform(procedure, bench)
        bench.advance(milliseconds: 40_000)
        bench.replies[opcode] = .silence
        Self.perform(procedure, bench)
        bench.receive(event)
        #expect(Self.results(bench) == ["procedure 1 1 timeout"])
        // A refusal is the controller's last word.
        bench.receive("04 0F 04 0C 01" + two(Int(opcode)).hexadecimal)
        bench.receive(event)
        #expect(Self.results(bench) == ["procedure 1 1 timeout", "procedure 1 2 refused 12"])
        bench.replies = [:]
        Self.perform(procedure, bench)
        bench.receive(event)
        #expect(Self.results(bench).last == "procedure 1 3 \(words)")
    }

    @Test(arguments: 0..<4) func `events of other kinds end nothing`(_ index: Int) {
        let (procedure, _, own, words) = LinkProcedureTests.reported[index]
        let bench = Self.linked()
        Self.perform(procedure, bench)
        for (_, _, event, _) in LinkProcedureTests.reported where event != own { bench.receive(event) }
        // Data Length Change, too.
        bench.receive("04 3E 0B 07 0100 FB00 4808 1B00 4801")
        #expect(Self.results(bench) == [])
        bench.receive(own)
        #expect(Self.results(bench) == ["procedure 1 1 \(words)"])
    }

    @Test func `other timing does not end what the central's host was asked for`() {
        let bench = Self.linked(role: 1)
        Self.perform(.updateParameters(Self.requested), bench)
        bench.receive(Self.other)
        bench.receive("04 3E 0A 03 3B 0100 0000 0000 0000")
        #expect(bench.events == ["parameters 1 16 0 100"])
        #expect(bench.frames(1).count == 1)
        bench.frame(1, 5, octets("13 F0 0200 0000"))
        bench.receive(Self.wanted)
        #expect(Self.results(bench) == ["procedure 1 1 parameters 128 2 600"])
    }

    @Test func `but the timing itself does, before the answer or without it`() {
        let bench = Self.linked(role: 1)
        Self.perform(.updateParameters(Self.requested), bench)
        bench.receive(Self.wanted)
        #expect(Self.results(bench) == ["procedure 1 1 parameters 128 2 600"])
        bench.frame(1, 5, octets("13 F0 0200 0100"))
        #expect(Self.results(bench).count == 1)
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `the timing that the peer's link layer wanted does not end ours`() {
        let bench = Self.linked()
        bench.receive("04 3E 0B 06 0100 1000 1000 0000 6400")
        Self.perform(.updateParameters(Self.requested), bench)
        #expect(bench.commands.map(\.opcode) == [0x2020, 0x2013])
        bench.receive(Self.other)
        #expect(bench.events == ["parameters 1 16 0 100"])
        bench.receive(Self.wanted)
        #expect(Self.results(bench) == ["procedure 1 1 parameters 128 2 600"])
    }

    @Test func `nor does ours wait for a peer's that changes nothing`() {
        let bench = Self.linked()
        bench.receive("04 3E 0B 06 0100 1000 1000 0000 6400")
        Self.perform(.updateParameters(Self.requested), bench)
        bench.receive(Self.wanted)
        #expect(Self.results(bench) == ["procedure 1 1 parameters 128 2 600"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `what the peer's host has asked for is not over before the controller has begun`() {
        let bench = Self.linked()
        bench.replies[0x2013] = .silence
        bench.frame(1, 5, octets("12 07 0800 1000 1000 0000 6400"))
        Self.perform(.updateParameters(Self.requested), bench)
        bench.receive("04 3E 0A 03 00 0100 2000 0000 6400")
        #expect(bench.commands.map(\.opcode) == [0x2013])
        bench.replies = [:]
        bench.receive("04 0F 04 00 01 1320")
        #expect(bench.commands.map(\.opcode) == [0x2013])
        bench.receive(Self.other)
        #expect(bench.commands.map(\.opcode) == [0x2013, 0x2013])
        bench.receive(Self.wanted)
        #expect(Self.results(bench) == ["procedure 1 1 parameters 128 2 600"])
    }
}
