// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

@Suite("Time values of the SIG")
struct TimeValueTests {
    /// Saturday 21 November 2026, 20:15:30 and a half, set by hand.
    private let current = hex("EA07 0B 15 14 0F 1E 06 80 01")

    @Test("Current Time")
    func currentTime() throws {
        let value = CurrentTime(LocalTime("2026-11-21T20:15:30"), fractions: 128, adjustReason: 1)
        #expect(value.encoded() == current)
        #expect(try CurrentTime(decoding: current) == value)
        #expect(CurrentTime(nil).encoded() == [UInt8](repeating: 0, count: 10))
        #expect(try CurrentTime(decoding: [UInt8](repeating: 0, count: 10)).time == nil)
        #expect(try CurrentTime(decoding: hex("0000 0B 15 14 0F 1E 00 00 00")).time == nil)
        #expect(
            try CurrentTime(decoding: hex("EC07 02 1D 00 00 00 02 00 00")).time
                == LocalTime("2028-02-29T00:00"))
    }

    @Test(
        "Local Time Information",
        arguments: [(-48, 0, "D0 00"), (4, 4, "04 04"), (56, 8, "38 08"), (-20, 2, "EC 02")])
    func localTimeInformation(zone: Int8, dst: UInt8, octets: String) throws {
        let value = LocalTimeInformation(zone: zone, dst: DSTOffset(rawValue: dst))
        #expect(value.encoded() == hex(octets))
        #expect(try LocalTimeInformation(decoding: hex(octets)) == value)
        #expect(value.offset == Int32(zone) * 900 + Int32(dst) * 900)
    }

    @Test("An unknown zone or DST")
    func unknown() throws {
        #expect(LocalTimeInformation.unknown.encoded() == hex("80 FF"))
        #expect(try LocalTimeInformation(decoding: hex("80 FF")) == .unknown)
        #expect(try LocalTimeInformation(decoding: hex("80 04")).offset == nil)
        #expect(try LocalTimeInformation(decoding: hex("04 FF")).offset == nil)
    }

    @Test("Time with DST")
    func timeWithDST() throws {
        let octets = hex("EB07 03 1C 02 00 00 04")
        let value = TimeWithDST(LocalTime("2027-03-28T02:00"), dst: .daylight)
        #expect(value.encoded() == octets)
        #expect(try TimeWithDST(decoding: octets) == value)
        #expect(TimeWithDST.none.encoded() == hex("0000 00 00 00 00 00 FF"))
        #expect(try TimeWithDST(decoding: hex("0000 00 00 00 00 00 FF")) == .none)
    }

    static let badTimes: [String] = [
        "EA07 0D 15 14 0F 1E", "EA07 0B 20 14 0F 1E", "EA07 0B 1F 14 0F 1E", "EA07 02 1D 14 0F 1E",
        "EA07 0B 15 18 0F 1E", "EA07 0B 15 14 3C 1E", "EA07 0B 15 14 0F 3C", "2D06 0B 15 14 0F 1E",
        "1027 0B 15 14 0F 1E", "FFFF 0B 15 14 0F 1E", "0000 FF 15 14 0F 1E", "0000 00 00 FF 0F 1E",
    ]

    @Test("A time that there is not is out of range", arguments: badTimes)
    func badTime(octets: String) {
        for (bad, decode) in [
            (
                hex(octets) + hex("06 00 00"),
                { (octets: [UInt8]) throws(DecodeError) in _ = try CurrentTime(decoding: octets) }
            ),
            (
                hex(octets) + hex("04"),
                { octets throws(DecodeError) in _ = try TimeWithDST(decoding: octets) }
            ),
        ] {
            let error = #expect(throws: DecodeError.self) { try decode(bad) }
            #expect(error.map { NightlightErrorCode($0) } == .outOfRange)
        }
    }

    @Test(
        "Other codes are out of range",
        arguments: ["39 00", "CF 00", "7F 00", "04 01", "04 03", "04 05", "04 FE"])
    func badZone(octets: String) {
        let error = #expect(throws: DecodeError.self) { try LocalTimeInformation(decoding: hex(octets)) }
        #expect(error.map { NightlightErrorCode($0) } == .outOfRange)
    }

    @Test("A day of the week or a DST offset that there is not")
    func badCodes() {
        #expect(throws: DecodeError(.outOfRange(8), at: 7)) {
            try CurrentTime(decoding: hex("EA07 0B 15 14 0F 1E 08 00 00"))
        }
        #expect(throws: DecodeError(.outOfRange(1), at: 7)) {
            try TimeWithDST(decoding: hex("EB07 03 1C 02 00 00 01"))
        }
    }

    @Test("Another number of octets is ATT's wrong size, whatever they are", arguments: 0..<20)
    func sizes(count: Int) {
        for filler in [UInt8(0), 1, 255] {
            let octets = [UInt8](repeating: filler, count: count)
            func refusal(_ decode: () throws(DecodeError) -> Void) -> NightlightErrorCode? {
                do throws(DecodeError) {
                    try decode()
                    return nil
                } catch {
                    return NightlightErrorCode(error)
                }
            }
            if count != 10 {
                #expect(
                    refusal { () throws(DecodeError) in _ = try CurrentTime(decoding: octets) } == .wrongSize)
            }
            if count != 2 {
                #expect(
                    refusal { () throws(DecodeError) in _ = try LocalTimeInformation(decoding: octets) }
                        == .wrongSize)
            }
            if count != 8 {
                #expect(
                    refusal { () throws(DecodeError) in _ = try TimeWithDST(decoding: octets) } == .wrongSize)
            }
            if count != 6 {
                #expect(
                    refusal { () throws(DecodeError) in _ = try ActiveSource(decoding: octets) } == .wrongSize
                )
            }
        }
    }

    @Test("What was read is what was written", arguments: 0..<300)
    func roundTrip(seed: Int) throws {
        var dice = SplitMix64(seed: UInt64(seed))
        let date = CalendarDate(dayNumber: .random(in: -141_714...2_932_896, using: &dice))
        let time = try #require(
            LocalTime(
                date, hour: .random(in: 0...23, using: &dice), minute: .random(in: 0...59, using: &dice),
                second: .random(in: 0...59, using: &dice)))
        let now = CurrentTime(
            time, fractions: .random(in: 0...255, using: &dice),
            adjustReason: .random(in: 0...15, using: &dice))
        #expect(try CurrentTime(decoding: now.encoded()) == now)
        let next = TimeWithDST(
            time, dst: [.standard, .halfHour, .daylight, .doubleDaylight, .unknown][seed % 5])
        #expect(try TimeWithDST(decoding: next.encoded()) == next)
        let octets = (0..<10).map { _ in UInt8.random(in: 0...255, using: &dice) }
        if let value = try? CurrentTime(decoding: octets), value.time != nil {
            #expect(value.encoded().prefix(7) == octets.prefix(7))
        }
    }
}
