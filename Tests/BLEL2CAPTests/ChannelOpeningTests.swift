// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import Testing

@Suite struct ChannelOpeningTests {
    @Test func `a server answers with its own end, MTU, MPS and credits`() {
        let bench = ChannelBench.listening(.init(mtu: 0x1234, mps: 0x0456, credits: 7))
        #expect(bench.signal("14 03 0A00 8000 5500 0002 F700 0A00"))
        let (signals, events) = bench.outputs()
        #expect(signals == ["15030a0040003412560407000000"])
        #expect(events == ["1 opened psm 128 in 64 85 mtu 512 mps 247 credits 10"])
        #expect(bench.nextDeadline == nil)
    }

    /// Spec: Core v5.4, Vol 3, Part A, 4.23.
    @Test(arguments: [
        // PSM, source, MTU, MPS -> result
        (0x81, 0x42, 100, 23, 2), (0, 0x42, 100, 23, 2), (0xFFFF, 0x42, 100, 23, 2),
        (0x80, 0x3F, 100, 23, 9), (0x80, 0x80, 100, 23, 9), (0x80, 0, 100, 23, 9),
        (0x80, 0xFFFF, 100, 23, 9), (0x80, 4, 100, 23, 9), (0x80, 0x41, 100, 23, 10),
        (0x80, 0x42, 22, 23, 11), (0x80, 0x42, 23, 22, 11), (0x80, 0x42, 0, 0, 11),
        (0x80, 0x42, 65535, 65534, 11), (0x80, 0x42, 65535, 65535, 11),
        (0x80, 0x40, 23, 23, 0), (0x80, 0x7F, 65535, 65533, 0),
    ]) func `requests get the result that they deserve`(
        _ psm: Int, _ source: Int, _ mtu: Int, _ mps: Int, _ result: UInt8
    ) {
        // The peer has a channel at its 0x0041 already.
        let bench = ChannelBench.open()
        bench.ask(3, psm: psm, source: source, mtu: mtu, mps: mps)
        let (signals, events) = bench.outputs()
        let refusal = "15030a000000000000000000" + [result, 0].hexadecimal
        #expect(signals == [result == 0 ? "15030a0041006400170002000000" : refusal])
        #expect(events.count == (result == 0 ? 1 : 0))
    }

    @Test(arguments: ["", "80", "8000 4200 6400 1700 02", "8000 4200 6400 1700 0200 00"])
    func `requests of another length are not understood`(_ data: String) {
        let bench = ChannelBench.listening()
        let octets = [UInt8](hexadecimal: data) ?? []
        #expect(bench.signal(([0x14, 3, UInt8(octets.count), 0] + octets).hexadecimal))
        #expect(bench.outputs() == (["010302000000"], []))
    }

    @Test func `identifier 0 gets no answer and opens nothing`() {
        let bench = ChannelBench.listening()
        bench.ask(0, psm: 0x80, source: 0x41)
        #expect(bench.outputs() == ([], []))
        #expect(bench.count == 0)
    }

    @Test func `what is not about channels is left to others`() {
        let bench = ChannelBench.open()
        for code in [0x12, 0x13, 0x17, 0x18, 0x19, 0x1A, 0x02, 0x00, 0xFF, 0x01] as [UInt8] {
            #expect(!bench.signal([code, 3, 2, 0, 0, 0].hexadecimal), "\(code)")
        }
        #expect(bench.outputs() == ([], []))
    }

    @Test func `a link has as many channels as are allowed, and then there is no room`() {
        let bench = ChannelBench.listening()
        let limit = L2CAP.Channels.maximumChannels
        for number in 0..<limit { bench.ask(1, psm: 0x80, source: 0x40 + number) }
        #expect(bench.outputs().events.count == limit)
        bench.ask(2, psm: 0x80, source: 0x7F)
        #expect(bench.outputs() == (["15020a0000000000000000000400"], []))
        let token = bench.open()
        #expect(bench.outputs() == ([], ["\(token) closed too many"]))
        // One that is closed makes room.
        bench.signal("06 03 0400 4000 4000")
        bench.ask(4, psm: 0x80, source: 0x7F)
        #expect(
            bench.outputs().events == [
                "1 closed by peer", "34 opened psm 128 in 96 127 mtu 100 mps 23 credits 2",
            ])
    }

    @Test func `a client asks and is answered`() {
        let bench = ChannelBench()
        #expect(bench.open(0x25, .init(mtu: 512, mps: 247, credits: 10)) == 1)
        #expect(bench.outputs() == (["14010a00250040000002f7000a00"], []))
        #expect(bench.send([1]) == .notOpen)
        #expect(bench.signal("15 01 0A00 5100 FFFF FDFF FFFF 0000"))
        #expect(bench.outputs() == ([], ["1 opened psm 37 out 64 81 mtu 65535 mps 65533 credits 65535"]))
        #expect(bench.nextDeadline == nil)
        #expect(bench.send([1]) == .accepted)
    }

    @Test(arguments: [2, 4, 5, 6, 7, 8, 9, 10, 11, 1, 3, 12, 0xFF] as [UInt8])
    func `a refusal ends the request, and what else it says means nothing`(_ result: UInt8) {
        let bench = ChannelBench()
        _ = bench.open()
        bench.forget()
        bench.signal(([0x15, 1, 10, 0, 0x51, 0, 1, 0, 1, 0, 1, 0] + [result, 0]).hexadecimal)
        #expect(bench.outputs() == ([], ["1 closed refused \(result)"]))
        #expect(bench.count == 0)
    }

    /// Answers that say success and cannot be true.
    @Test(arguments: [
        // destination, MTU, MPS, credits, result; and whether the peer is asked to close it
        ("3F00 6400 1700 0200 0000", false), ("8000 6400 1700 0200 0000", false),
        ("0000 6400 1700 0200 0000", false), ("5100 1600 1700 0200 0000", true),
        ("5100 1700 1600 0200 0000", true), ("5100 FFFF FEFF 0200 0000", true),
        ("5100 0000 0000 0000 0000", true), ("", false), ("5100 6400 1700 0200 00", false),
        ("5100 6400 1700 0200 0000 00", false),
    ]) func `a response that makes no sense ends the request`(_ data: String, _ isClosed: Bool) {
        let bench = ChannelBench()
        _ = bench.open()
        bench.forget()
        let octets = [UInt8](hexadecimal: data) ?? []
        bench.signal(([0x15, 1, UInt8(octets.count), 0] + octets).hexadecimal)
        #expect(bench.outputs() == (isClosed ? ["0602040051004000"] : [], ["1 closed bad response"]))
        #expect(bench.count == (isClosed ? 1 : 0))
    }

    @Test func `a peer's end that it uses already is no answer, and the other channel stays`() {
        let bench = ChannelBench.open()
        #expect(bench.open() == 2)
        bench.forget()
        bench.signal("15 01 0A00 4100 6400 1700 0200 0000")
        #expect(bench.outputs() == ([], ["2 closed bad response"]))
        #expect(bench.send([1]) == .accepted)
    }

    @Test func `a response to nothing, or to another request, is ignored`() {
        let bench = ChannelBench()
        _ = bench.open()
        bench.forget()
        for identifier in [2, 255] as [UInt8] {
            #expect(bench.signal([0x15, identifier, 10, 0, 0x51, 0, 100, 0, 23, 0, 1, 0, 0, 0].hexadecimal))
        }
        #expect(bench.outputs() == ([], []))
        bench.signal("15 01 0A00 5100 6400 1700 0200 0000")
        #expect(bench.outputs().events.count == 1)
        // Once more, although it is answered.
        bench.signal("15 01 0A00 5200 6400 1700 0200 0000")
        #expect(bench.outputs() == ([], []))
    }

    @Test(arguments: [("0000", "rejected 0"), ("0200 4000 0000", "rejected 2"), ("", "bad response")])
    func `a rejection ends the request`(_ data: String, _ end: String) {
        let bench = ChannelBench()
        _ = bench.open()
        bench.forget()
        let octets = [UInt8](hexadecimal: data) ?? []
        #expect(bench.signal(([0x01, 1, UInt8(octets.count), 0] + octets).hexadecimal))
        #expect(bench.outputs() == ([], ["1 closed \(end)"]))
        #expect(bench.count == 0)
    }

    @Test func `a peer that does not answer within 30 s ends the request`() {
        let bench = ChannelBench()
        _ = bench.open()
        bench.advance(milliseconds: 29_999)
        #expect(bench.outputs().events == [])
        bench.advance(milliseconds: 1)
        #expect(bench.outputs() == ([], ["1 closed timeout"]))
        // An answer may still come, but not for ever.
        #expect(bench.count == 1)
        bench.advance(milliseconds: 60_000)
        #expect(bench.count == 0 && bench.nextDeadline == nil)
        #expect(bench.outputs() == ([], []))
    }

    @Test func `a peer that never answers does not use the channels up`() {
        let bench = ChannelBench()
        for round in 0..<100 {
            _ = bench.open()
            if round.isMultiple(of: 2) { bench.close(UInt32(round + 1)) }
            bench.advance(milliseconds: 30_000)
            #expect(bench.count <= 4)
        }
        #expect(!bench.outputs().events.contains { $0.contains("too many") })
    }

    /// Answers to what was asked before, of every kind: success, refusal, rejection.
    @Test(arguments: [
        "15 01 0A00 5100 6400 1700 0200 0000", "15 01 0A00 0000 0000 0000 0000 0200", "01 01 0200 0000",
    ])
    func `a late answer does not end another request`(_ late: String) {
        let bench = ChannelBench()
        #expect(bench.open() == 1)
        // It is forgotten, and others have been asked since.
        bench.advance(milliseconds: 90_000)
        #expect(bench.count == 0)
        bench.forget()
        #expect(bench.open() == 2)
        #expect(bench.outputs().signals == ["14020a0080004100640017000200"])
        bench.signal(late)
        #expect(bench.outputs() == ([], []))
        bench.signal("15 02 0A00 5200 6400 1700 0200 0000")
        #expect(bench.outputs().events == ["2 opened psm 128 out 65 82 mtu 100 mps 23 credits 2"])
    }

    @Test(arguments: [true, false]) func `a channel that comes too late is closed again`(_ byTime: Bool) {
        let bench = ChannelBench()
        _ = bench.open()
        if byTime { bench.advance(milliseconds: 30_000) } else { bench.close() }
        #expect(bench.outputs().events == ["1 closed \(byTime ? "timeout" : "by us")"])
        // Until the answer comes the number stays taken.
        #expect(bench.open() == 2)
        #expect(bench.outputs().signals == ["14020a0080004100640017000200"])
        bench.signal("15 01 0A00 5100 6400 1700 0200 0000")
        #expect(bench.outputs() == (["0603040051004000"], []))
        bench.signal("07 03 0400 5100 4000")
        #expect(bench.outputs() == ([], []))
        #expect(bench.count == 1)
    }

    @Test func `a refusal that comes too late is told to nobody`() {
        let bench = ChannelBench()
        _ = bench.open()
        bench.close()
        bench.forget()
        bench.signal("15 01 0A00 0000 0000 0000 0000 0200")
        #expect(bench.outputs() == ([], []))
        #expect(bench.count == 0)
    }

    @Test func `identifiers go round, leave out 0, those that wait and those of others`() {
        let bench = ChannelBench()
        _ = bench.open()
        let identifiers = (0..<600).map { _ in bench.channels.nextIdentifier() }
        #expect(!identifiers.contains(0) && !identifiers.contains(1))
        #expect(identifiers.prefix(239) == (2...0xEF).map { UInt8($0) }[...] + [2])
    }

    @Test func `channel numbers are used again only after all others`() {
        let bench = ChannelBench.listening()
        var seen: [UInt8] = []
        for _ in 0..<65 {
            bench.ask(1, psm: 0x80, source: 0x41)
            let answer = [UInt8](hexadecimal: bench.outputs().signals.first ?? "") ?? []
            seen.append(answer.count > 4 ? answer[4] : 0)
            bench.signal([0x06, 2, 4, 0, seen.last ?? 0, 0, 0x41, 0].hexadecimal)
            bench.forget()
        }
        #expect(seen == (0x40...0x7F).map { UInt8($0) } + [0x40])
    }
}
