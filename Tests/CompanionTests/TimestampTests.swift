// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Foundation
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_704_067_199_999, "2023-12-31T23:59:59.999Z"),
            (1_732_197_812_123, "2024-11-21T14:03:32.123Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func isWrittenAndReadAsISO8601(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test func agreesWithFoundationOverManyYears() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let milliseconds = Int64.random(in: -10_000_000_000_000...100_000_000_000_000, using: &random)
            let seconds = milliseconds / 1000 * 1000
            let text = Timestamp(milliseconds: seconds).description
            #expect(try style.parse(text) == Date(timeIntervalSince1970: Double(seconds / 1000)))
        }
    }

    @Test(arguments: [
        ("2024-11-21", "2024-11-21T00:00:00.000Z"),
        ("2024-11-21T14:03", "2024-11-21T14:03:00.000Z"),
        ("2024-11-21 14:03:32", "2024-11-21T14:03:32.000Z"),
        ("2024-11-21T14:03:32.5z", "2024-11-21T14:03:32.500Z"),
        ("2024-11-21T14:03:32.123999Z", "2024-11-21T14:03:32.123Z"),
        ("2024-11-21T00:30+01:00", "2024-11-20T23:30:00.000Z"),
        ("2024-11-21T23:30:00-0130", "2024-11-22T01:00:00.000Z"),
    ])
    func readsShorterForms(text: String, full: String) {
        #expect(Timestamp(text)?.description == full)
    }

    @Test(arguments: [
        "", "2024", "2024-11", "2024-11-2", "2024-13-01", "2024-00-01", "2023-02-29", "2024-11-31",
        "2024-11-00",
        "2024-11-21T", "2024-11-21T24:00", "2024-11-21T14:60", "2024-11-21T14:03:60", "2024-11-21T14:03:32.",
        "2024-11-21T14:03Zx", "2024-11-21T14:03+1", "2024-11-21T14:03+24:00", "yesterday", "２０２４-11-21",
    ])
    func refusesWhatIsNoTime(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func takesDatesWithoutTrapping() {
        #expect(Timestamp(Date(timeIntervalSince1970: 1.9996)).milliseconds == 1999)
        #expect(Timestamp(Date(timeIntervalSince1970: -0.0001)).milliseconds == -1)
        #expect(Timestamp(Date(timeIntervalSince1970: 1e300)).milliseconds == .max)
        #expect(Timestamp(Date(timeIntervalSince1970: -1e300)).milliseconds == .min)
        #expect(!Timestamp(milliseconds: .min).description.isEmpty)
        #expect(!Timestamp(milliseconds: .max).description.isEmpty)
    }
}
