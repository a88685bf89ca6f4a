// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import Testing

@Suite struct ChannelSendingTests {
    @Test func `an SDU is cut to the peer's MPS, its length in the first frame`() {
        let bench = ChannelBench.open(mps: 23, credits: 10)
        #expect(bench.send((0..<50).map { UInt8($0) }) == .accepted)
        // 21 octets beside the length, then 23, then the rest.
        let first = "17004100" + "3200" + (0..<21).map { UInt8($0) }.hexadecimal
        let second = "17004100" + (21..<44).map { UInt8($0) }.hexadecimal
        let third = "06004100" + (44..<50).map { UInt8($0) }.hexadecimal
        #expect(bench.frames() == [first, second, third])
    }

    @Test(arguments: [(0, 2), (1, 3), (20, 22), (21, 23)]) func `a short SDU is one frame`(
        _ count: Int, _ length: UInt8
    ) {
        let bench = ChannelBench.open(mps: 23, credits: 2)
        #expect(bench.send([UInt8](repeating: 7, count: count)) == .accepted)
        #expect(
            bench.frames()
                == [
                    ([length, 0, 0x41, 0, UInt8(count), 0] + [UInt8](repeating: 7, count: count)).hexadecimal
                ])
    }

    @Test func `an SDU that just exceeds a frame takes two`() {
        let bench = ChannelBench.open(mps: 23, credits: 2)
        #expect(bench.send([UInt8](repeating: 7, count: 22)) == .accepted)
        #expect(bench.frames().map(\.count) == [(4 + 23) * 2, (4 + 1) * 2])
    }

    @Test func `frames go out one a credit`() {
        let bench = ChannelBench.open(mps: 23, credits: 0)
        for number in 1...5 as ClosedRange<UInt8> { #expect(bench.send([number]) == .accepted) }
        #expect(bench.frames() == [])
        #expect(!bench.hasFrames)
        bench.signal("16 05 0400 4100 0200")
        #expect(bench.hasFrames)
        #expect(bench.frames() == ["03004100010001", "03004100010002"])
        bench.signal("16 06 0400 4100 0100")
        #expect(bench.frames() == ["03004100010003"])
        bench.signal("16 07 0400 4100 FFFF")
        #expect(bench.frames() == ["03004100010004", "03004100010005"])
        #expect(bench.outputs() == ([], []))
    }

    @Test(arguments: [
        "16 05 0400 4100 0000", "16 05 0400 4000 0500", "16 05 0400 0000 0500", "16 05 0300 4100 05",
    ])
    func `credits of zero, for no channel or malformed change nothing`(_ hex: String) {
        let bench = ChannelBench.open(credits: 0)
        #expect(bench.send([1]) == .accepted)
        #expect(bench.signal(hex))
        #expect(bench.frames() == [])
        #expect(bench.outputs() == ([], []))
    }

    @Test func `65535 credits are kept, one more closes the channel`() {
        let bench = ChannelBench.open(credits: 0xFFFE)
        bench.signal("16 05 0400 4100 0100")
        #expect(bench.outputs() == ([], []))
        bench.signal("16 06 0400 4100 0100")
        #expect(bench.outputs() == (["0601040041004000"], ["1 closed creditOverflow"]))
        #expect(bench.send([1]) == .notOpen)
    }

    @Test func `an SDU may be as long as the peer's MTU, and no longer`() {
        let bench = ChannelBench.open(mtu: 30, credits: 9)
        #expect(bench.send([UInt8](repeating: 1, count: 31)) == .tooLong)
        #expect(bench.frames() == [])
        #expect(bench.send([UInt8](repeating: 1, count: 30)) == .accepted)
        #expect(bench.frames().count == 2)
    }

    @Test func `a peer's largest frames are cut, so that other traffic does not wait long`() {
        let bench = ChannelBench.open(mtu: 65535, mps: 65533, credits: 100)
        #expect(bench.send([UInt8](repeating: 1, count: 65535)) == .accepted)
        let lengths = bench.frames().map { $0.count / 2 - 4 }
        #expect(lengths.reduce(0, +) == 65535 + 2)
        #expect(lengths.allSatisfy { $0 <= 2048 })
    }

    @Test func `what waits is bounded, and when half is gone more is taken`() {
        let bench = ChannelBench.open(mtu: 1000, mps: 1000, credits: 0)
        let sdu = [UInt8](repeating: 1, count: 900)
        var accepted = 0
        while bench.send(sdu) == .accepted { accepted += 1 }
        #expect(accepted == 34)
        #expect(bench.send([]) == .full)
        bench.signal("16 05 0400 4100 0F00")
        #expect(bench.frames().count == 15)
        #expect(bench.outputs().events == [])
        bench.signal("16 05 0400 4100 FF00")
        #expect(bench.frames().count == 19)
        // Told once, in the middle.
        #expect(bench.outputs().events == ["1 writable"])
        #expect(bench.send(sdu) == .accepted)
    }

    @Test func `empty SDUs fill the queue, too`() {
        let bench = ChannelBench.open(credits: 0)
        var accepted = 0
        while accepted < 100_000, bench.send([]) == .accepted { accepted += 1 }
        #expect(accepted == 512)
    }

    @Test func `channels take turns`() {
        let bench = ChannelBench.open(credits: 100)
        bench.ask(10, psm: 0x80, source: 0x42, credits: 100)
        bench.ask(11, psm: 0x80, source: 0x43, credits: 100)
        for token in 1...3 as ClosedRange<UInt32> {
            for _ in 0..<3 { #expect(bench.send([UInt8(token)], token) == .accepted) }
        }
        let order = bench.frames().map { $0.suffix(1) }
        #expect(order.count == 9)
        for start in [0, 3, 6] { #expect(Set(order[start..<(start + 3)]) == ["1", "2", "3"]) }
    }
}

@Suite struct ChannelReceivingTests {
    @Test func `frames are put together, and more than one SDU in a row comes`() {
        let bench = ChannelBench.open(.init(mtu: 100, mps: 23, credits: 100))
        #expect(bench.frame("0500 0102"))
        #expect(bench.frame("03"))
        #expect(bench.outputs().events == [])
        #expect(bench.frame("0405"))
        #expect(bench.frame("0100 06"))
        #expect(bench.frame("0000"))
        #expect(bench.frame("0200"))
        #expect(bench.frame(""))
        #expect(bench.frame("0708"))
        #expect(
            bench.outputs().events == [
                "1 received 0102030405", "1 received 06", "1 received ", "1 received 0708",
            ])
    }

    @Test(arguments: [
        ("one octet", ["01"], "badLength"), ("nothing", [""], "badLength"),
        ("more than the length says", ["0100 0102"], "badLength"),
        ("more than no octets", ["0000 01"], "badLength"),
        ("more later", ["0300 0102", "0304"], "badLength"),
        ("longer than the MTU", ["6500 01"], "sduTooLong"),
        ("as long as can be said", ["FFFF"], "sduTooLong"),
        ("longer than the MPS", ["6400" + String(repeating: "AA", count: 22)], "frameTooLong"),
        ("longer than the MPS later", ["6400 01", String(repeating: "AA", count: 24)], "frameTooLong"),
    ]) func `a frame that breaks the rules closes the channel`(
        _ name: String, _ frames: [String], _ violation: String
    ) {
        let bench = ChannelBench.open(.init(mtu: 100, mps: 23, credits: 100))
        for frame in frames { #expect(bench.frame(frame)) }
        #expect(bench.outputs() == (["0601040041004000"], ["1 closed \(violation)"]))
        // What is still on its way is passed over, credits too.
        #expect(bench.frame("0100 06"))
        bench.signal("16 05 0400 4100 0100")
        #expect(bench.outputs() == ([], []))
        bench.signal("07 01 0400 4100 4000")
        #expect(bench.outputs() == ([], []))
        #expect(bench.count == 0)
    }

    @Test func `an SDU of the MTU in frames of the MPS is taken`() {
        let bench = ChannelBench.open(.init(mtu: 67, mps: 23, credits: 3))
        #expect(bench.frame([67, 0] + [UInt8](repeating: 1, count: 21)))
        #expect(bench.frame([UInt8](repeating: 2, count: 23)))
        #expect(bench.frame([UInt8](repeating: 3, count: 23)))
        #expect(bench.outputs().events.count == 1)
    }

    @Test func `a frame without credit closes the channel`() {
        let bench = ChannelBench.open(.init(mtu: 23, mps: 23, credits: 2))
        // Each is as large as can be, and none is consumed: the room is used up after the window.
        var frames = 0
        while bench.count > 0, frames < 100,
            bench.events.isEmpty || !bench.events.contains("1 closed noCredit")
        {
            #expect(bench.frame([21, 0] + [UInt8](repeating: 1, count: 21)))
            frames += 1
        }
        #expect(frames < 10)
        #expect(bench.signals.last?.hasPrefix("06") == true)
    }

    @Test func `a frame that could not be put together closes the channel`() {
        let bench = ChannelBench.open()
        let now = bench.now
        bench.update { $0.receivedTooLong(on: .init(rawValue: 0x7F), at: now) }
        bench.update { $0.receivedTooLong(on: .att, at: now) }
        #expect(bench.outputs() == ([], []))
        bench.update { $0.receivedTooLong(on: .init(rawValue: 0x40), at: now) }
        #expect(bench.outputs() == (["0601040041004000"], ["1 closed frameTooLong"]))
    }

    @Test(arguments: [0x00, 0x3F, 0x41, 0x7F, 0x80, 0xFFFF] as [UInt16])
    func `frames for no channel are left to others`(_ cid: UInt16) {
        let bench = ChannelBench.open()
        #expect(!bench.frame("0100 01", on: cid))
        #expect(bench.outputs() == ([], []))
    }

    @Test func `frames before the channel is open are left to others`() {
        let bench = ChannelBench()
        _ = bench.open()
        bench.forget()
        #expect(!bench.frame("0100 01"))
        #expect(bench.outputs() == ([], []))
    }
}

@Suite struct ChannelCreditTests {
    @Test func `credits come back as SDUs are consumed, many at once`() {
        let bench = ChannelBench.open(.init(mtu: 23, mps: 23, credits: 8))
        let frame = [21, 0] + [UInt8](repeating: 1, count: 21)
        // Room is for the largest SDU beside the window, counted with what each SDU costs: 23 + 64 + 8 * 23.
        for _ in 0..<4 { #expect(bench.frame(frame)) }
        #expect(bench.signals == [])
        bench.consume(4)
        // Half of the window is used up: it is filled again.
        #expect(bench.outputs().signals == ["1601040040000400"])
        bench.frame(frame)
        bench.consume(1)
        bench.frame(frame)
        bench.consume(1)
        #expect(bench.outputs().signals == [])
        bench.consume(100)
        bench.consume(0)
        bench.consume(-1)
        #expect(bench.outputs().signals == [])
    }

    @Test func `what has come of an SDU takes room, too`() {
        let bench = ChannelBench.open(.init(mtu: 100, mps: 23, credits: 8))
        let piece = [UInt8](repeating: 1, count: 23)
        let first = [100, 0] + piece.dropLast(2)
        // One SDU that nobody consumes.
        for frame in [first, piece, piece, piece, Array(piece.prefix(10))] { bench.frame(frame) }
        #expect(bench.outputs().signals == ["1601040040000400"])
        // And most of another: the room, 100 + 64 + 8 * 23, has five frames left, four of which are granted.
        for frame in [first, piece, piece] { bench.frame(frame) }
        #expect(bench.outputs().signals == ["1602040040000100"])
    }

    @Test func `a window of one frame goes round with each`() {
        let bench = ChannelBench.open(.init(mtu: 100, mps: 23, credits: 1))
        bench.frame("6400" + String(repeating: "AA", count: 21))
        #expect(bench.outputs().signals == ["1601040040000100"])
        bench.frame(String(repeating: "AA", count: 23))
        #expect(bench.outputs().signals == ["1602040040000100"])
    }

    @Test(arguments: [1, 2, 5, 16]) func `a reader that consumes nothing costs a bounded number of octets`(
        _ credits: Int
    ) {
        let parameters = L2CAP.ChannelParameters(mtu: 1000, mps: 100, credits: credits)
        let bench = ChannelBench.open(parameters)
        var allowed = credits
        var held = 0
        var random = SplitMix64(seed: UInt64(credits))
        while allowed > 0 {
            // A peer that uses each credit as well as it can, or badly.
            let count = random.number(0...98)
            #expect(bench.frame([UInt8(count), 0] + random.octets(count)))
            allowed -= 1
            held += count
            for signal in bench.outputs().signals {
                let octets = [UInt8](hexadecimal: signal) ?? []
                #expect(octets.count == 8 && octets[0] == 0x16)
                if octets.count == 8 { allowed += Int(octets[6]) + Int(octets[7]) << 8 }
            }
            #expect(held <= 1000 + 64 + credits * 100)
        }
        // Once the reader goes on, so does the peer.
        bench.consume(.max)
        #expect(bench.outputs().signals.count == 1)
    }

    @Test func `an SDU that has begun can always be finished`() {
        // In frames of one octet, of which each takes a credit.
        let bench = ChannelBench.open(.init(mtu: 65535, mps: 23, credits: 2))
        var allowed = 2
        var octets = 0
        bench.frame("FFFF")
        allowed -= 1
        while octets < 65535, allowed > 0 {
            bench.frame("AA")
            octets += 1
            allowed -= 1
            for signal in bench.signals {
                allowed += signal.hasSuffix("0100") ? 1 : signal.hasSuffix("0200") ? 2 : 0
            }
            bench.signals = []
        }
        #expect(octets == 65535)
        #expect(bench.events.count == 1)
    }
}
