// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@Suite struct HostInstantTests {
    @Test func `goes forward in every unit`() {
        #expect(HostInstant.zero.advanced(byMicroseconds: 7).microseconds == 7)
        #expect(HostInstant.zero.advanced(byMilliseconds: 7).microseconds == 7_000)
        #expect(HostInstant.zero.advanced(bySeconds: 7).microseconds == 7_000_000)
    }

    @Test(arguments: [1, 0x41_8937_4BC6_A7EF, 0x41_8937_4BC6_A7F0, 0x10C6_F7A0_B5EE, .max] as [UInt64])
    func `stops at the end of time`(_ step: UInt64) {
        let late = HostInstant(microseconds: .max - 1)
        #expect(late.advanced(byMicroseconds: step).microseconds == .max)
        #expect(late.advanced(byMilliseconds: step).microseconds == .max)
        #expect(late.advanced(bySeconds: step).microseconds == .max)
    }

    @Test func `distances are never negative`() {
        let early = HostInstant(microseconds: 5)
        let late = HostInstant(microseconds: 12)
        #expect(late.microseconds(since: early) == 7)
        #expect(early.microseconds(since: late) == 0)
        #expect(HostInstant(microseconds: .max).microseconds(since: .zero) == .max)
    }

    @Test func `goes forward and back by durations`() {
        let moment = HostInstant(microseconds: 2_500_000)
        #expect(moment + .milliseconds(1500) == HostInstant(microseconds: 4_000_000))
        #expect(moment - .microseconds(1) == HostInstant(microseconds: 2_499_999))
        #expect(moment + .seconds(-2) == HostInstant(microseconds: 500_000))
        #expect(moment - .seconds(3) == .zero && moment + .seconds(-3) == .zero)
        #expect(moment + .seconds(Int64.max) == HostInstant(microseconds: .max))
        #expect(moment - .seconds(Int64.max) == .zero)
        #expect(HostInstant(microseconds: 4_000_000) - moment == .milliseconds(1500))
        #expect(moment - HostInstant(microseconds: 4_000_000) == .milliseconds(-1500))
    }

    @Test func `the earlier of two deadlines wins, a missing one loses`() {
        let early = HostInstant(microseconds: 5)
        let late = HostInstant(microseconds: 12)
        #expect(HostInstant.earliest(early, late) == early)
        #expect(HostInstant.earliest(late, early) == early)
        #expect(HostInstant.earliest(nil, late) == late)
        #expect(HostInstant.earliest(late, nil) == late)
        #expect(HostInstant.earliest(nil, nil) == nil)
    }
}

@Suite struct IntervalTests {
    @Test(arguments: [(UInt32(0), UInt16(0)), (1, 1), (20, 32), (60, 96), (40_959, 65_534), (.max, .max)])
    func `advertising counts 0,625 ms`(_ milliseconds: UInt32, _ units: UInt16) {
        #expect(AdvertisingInterval(milliseconds: milliseconds).rawValue == units)
        #expect(AdvertisingInterval(rawValue: units).microseconds == UInt64(units) * 625)
    }

    @Test(arguments: [(UInt32(0), UInt16(0)), (8, 6), (15, 12), (30, 24), (4_000, 3_200), (.max, .max)])
    func `connections count 1,25 ms`(_ milliseconds: UInt32, _ units: UInt16) {
        #expect(ConnectionInterval(milliseconds: milliseconds).rawValue == units)
        #expect(ConnectionInterval(rawValue: units).microseconds == UInt64(units) * 1_250)
    }

    @Test(arguments: [(UInt32(0), UInt16(0)), (100, 10), (5_009, 500), (32_000, 3_200), (.max, .max)])
    func `supervision counts 10 ms`(_ milliseconds: UInt32, _ units: UInt16) {
        #expect(SupervisionTimeout(milliseconds: milliseconds).rawValue == units)
        #expect(SupervisionTimeout(rawValue: units).microseconds == UInt64(units) * 10_000)
    }
}

@Suite struct HandleTests {
    @Test func `the last handle has no next`() {
        #expect(AttributeHandle(rawValue: 0).next == .first)
        #expect(AttributeHandle(rawValue: 0xFFFE).next == .last)
        #expect(AttributeHandle.last.next == nil)
        #expect(AttributeHandle.first < .last)
    }

    @Test func `a connection handle has 12 bits`() {
        #expect(ConnectionHandle(rawValue: 0xFFFF).rawValue == 0x0FFF)
        #expect(ConnectionHandle(rawValue: 0x2042) == ConnectionHandle(rawValue: 0x0042))
    }
}

@Suite struct WireTextTests {
    @Test func `keeps octets that are no UTF-8 and shows them as U+FFFD`() {
        let text = WireText([0x41, 0xFF, 0x42])
        #expect(text.octets == [0x41, 0xFF, 0x42])
        #expect(text.string == "A\u{FFFD}B")
        #expect(text.validString == nil)
        #expect(WireText("né").validString == "né")
        #expect(WireText([]).validString == "")
    }

    @Test func `a literal may be anything, one character too`() {
        let one: WireText = "é"
        let none: WireText = ""
        #expect(one.octets == [0xC3, 0xA9])
        #expect(none.isEmpty)
        #expect(WireText("String \(1)").octets == Array("String 1".utf8))
    }

    @Test func `lowers ASCII and nothing else`() {
        #expect(
            WireText([0x40, 0x41, 0x5A, 0x5B, 0xC0]).asciiLowercased.octets == [0x40, 0x61, 0x7A, 0x5B, 0xC0])
    }

    @Test(arguments: [
        ("", "", true), ("a", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "abcd", false),
        ("xxabc", "abc", true), ("aab", "ab", true), ("abab", "aba", true), ("abc", "ac", false),
    ]) func `finds text in text`(_ text: String, _ part: String, _ isFound: Bool) {
        #expect(WireText(text).contains(WireText(part)) == isFound)
    }
}

@Suite struct FIFOTests {
    @Test func `gives out in the order of coming in, whatever the pattern`() {
        var fifo = FIFO<Int>()
        var next = 0
        var expected = 0
        // Bursts of every size from 0 to 200, drained to every depth.
        for burst in 0..<200 {
            for _ in 0..<burst {
                fifo.append(next)
                next += 1
            }
            #expect(fifo.count == next - expected)
            for _ in 0..<(burst * 7 % 11 + burst / 2) {
                guard let element = fifo.popFirst() else { break }
                #expect(element == expected)
                expected += 1
            }
            #expect(fifo.first == (expected < next ? expected : nil))
            #expect(fifo.isEmpty == (expected == next))
        }
        #expect(fifo.removeAll() == Array(expected..<next))
        #expect(fifo.isEmpty)
        #expect(fifo.popFirst() == nil)
    }

    @Test(arguments: [0, 1, 2, 9, 100]) func `what a condition holds for is taken out`(_ count: Int) {
        var fifo = FIFO<Int>()
        // It does not begin where its room does.
        for element in -3..<count { fifo.append(element) }
        for _ in 0..<3 { _ = fifo.popFirst() }
        fifo.removeAll { $0 % 3 == 0 }
        #expect(fifo.removeAll() == (0..<count).filter { $0 % 3 != 0 })
    }

    @Test func `what was taken out does not live on`() {
        final class Probe {}
        var fifo = FIFO<Probe>()
        weak var first: Probe?
        for index in 0..<200 {
            let probe = Probe()
            if index == 0 { first = probe }
            fifo.append(probe)
        }
        #expect(first != nil)
        _ = fifo.popFirst()
        #expect(first == nil)
        #expect(fifo.count == 199)
        fifo.clear()
        #expect(fifo.isEmpty && fifo.first == nil && fifo.last == nil && fifo.popLast() == nil)
    }

    @Test(arguments: [0, 1, 5, 2000], [0, 1, 5, 2000]) func `a queue is put behind another`(
        _ own: Int, _ others: Int
    ) {
        var fifo = FIFO<Int>()
        var other = FIFO<Int>()
        for element in 0..<(own + 2) { fifo.append(element) }
        for element in 0..<(others + 2) { other.append(own + element) }
        // Neither begins where its room does.
        for _ in 0..<2 {
            _ = fifo.popFirst()
            _ = other.popFirst()
        }
        fifo.append(contentsOf: &other)
        #expect(other.isEmpty && fifo.count == own + others)
        other.append(-1)
        #expect(other.popLast() == -1 && other.isEmpty)
        #expect(fifo.last == (own + others > 0 ? own + others + 1 : nil))
        #expect(fifo.removeAll() == Array(2..<(own + others + 2)))
    }
}

@Suite struct HexadecimalTests {
    @Test(
        arguments: [
            ("", []), ("00", [0]), ("0aFF", [0x0A, 0xFF]), (" 0a ff ", [0x0A, 0xFF]),
        ] as [(String, [UInt8])]) func `pairs of digits are octets`(_ text: String, _ octets: [UInt8])
    {
        #expect([UInt8](hexadecimal: text) == octets)
        #expect(octets.hexadecimal == text.filter { $0 != " " }.lowercased())
    }

    @Test(arguments: ["0", "000", "0g", "zz", "0x00", "é0", "-1", "0\n0"])
    func `anything else is refused`(_ text: String) {
        #expect([UInt8](hexadecimal: text) == nil)
    }
}

@Suite struct DecodeErrorTests {
    @Test func `every reason has a phrase of its own`() {
        let reasons: [DecodeError.Reason] = [
            .truncated(needed: 1), .trailing(count: 1), .badLength(1), .outOfRange(1), .unknownCode(1),
            .badText,
        ]
        let phrases = reasons.map { DecodeError($0, at: 9).description }
        #expect(Set(phrases).count == reasons.count)
        #expect(phrases.allSatisfy { $0.contains("9") })
    }
}

@Suite struct HandleTextTests {
    @Test func `handles are written as the specification writes them`() {
        #expect("\(AttributeHandle(rawValue: 20))" == "0x0014")
        #expect("\(AttributeHandle.last)" == "0xffff")
        #expect("\(ConnectionHandle(rawValue: 0x0EFF))" == "0x0eff")
        #expect("\(LinkID(rawValue: 12))" == "12")
    }
}
