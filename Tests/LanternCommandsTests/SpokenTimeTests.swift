// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import Foundation
import Testing

@testable import FlockFinderCommands

/// Times as people say them, and the hours in which clocks change.
@Suite struct SpokenTimeTests {
    @Test func `an hour that comes twice is whole`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let moment = { (text: String) in try #require(WrittenTime(text)) }
        #expect(try moment("2026-10-25T02:30").start(in: zone) == Timestamp("2026-10-25T00:30Z"))
        #expect(try moment("2026-10-25T02:30").end(in: zone) == Timestamp("2026-10-25T01:31Z"))
        #expect(try moment("2026-10-25T01:59").end(in: zone) == Timestamp("2026-10-25T00:00Z"))
        #expect(try moment("2026-10-25T02:59").end(in: zone) == Timestamp("2026-10-25T02:00Z"))
        #expect(try moment("2026-10-25").start(in: zone) == Timestamp("2026-10-24T22:00Z"))
        #expect(try moment("2026-10-25").end(in: zone) == Timestamp("2026-10-25T23:00Z"))
    }

    @Test func `an hour that is skipped is the moment of the change`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let moment = { (text: String) in try #require(WrittenTime(text)) }
        let change = Timestamp("2026-03-29T01:00Z")
        for text in ["2026-03-29T02:00", "2026-03-29T02:30", "2026-03-29T02:59:59"] {
            #expect(try moment(text).start(in: zone) == change, "\(text)")
            #expect(try moment(text).end(in: zone) == change, "\(text)")
        }
        #expect(try moment("2026-03-29T03:00").start(in: zone) == change)
        #expect(try moment("2026-03-29T01:59").end(in: zone) == change)
        // Where midnight itself is skipped.
        let havana = try #require(TimeZone(identifier: "America/Havana"))
        #expect(try moment("2026-03-08").start(in: havana) == Timestamp("2026-03-08T05:00Z"))
    }

    @Test(arguments: [
        ("2h", "2026-10-25T10:00:00.000Z"), ("90m", "2026-10-25T10:30:00.000Z"),
        ("0s", "2026-10-25T12:00:00.000Z"),
        ("3d", "2026-10-22T12:00:00.000Z"), ("2 h", "2026-10-25T10:00:00.000Z"),
        ("2h ago", "2026-10-25T10:00:00.000Z"), ("2 Hours ago", "2026-10-25T10:00:00.000Z"),
        ("1w", "2026-10-18T12:00:00.000Z"),
        ("now", "2026-10-25T12:00:00.000Z"),
    ])
    func `how long ago is a moment`(text: String, moment: String) throws {
        let now = try #require(Timestamp("2026-10-25T12:00Z"))
        let time = try #require(WrittenTime(spoken: text, at: now))
        #expect(time.start(in: .current).description == moment)
    }

    @Test func `days have names`() throws {
        let now = Timestamp.now()
        for (name, days) in [("today", 0), ("Yesterday", -1)] {
            let day = try #require(
                Calendar(identifier: .gregorian).date(byAdding: .day, value: days, to: Date()))
            let begin = Calendar(identifier: .gregorian).startOfDay(for: day)
            let time = try #require(WrittenTime(spoken: name, at: now))
            #expect(time.start(in: .current) == Timestamp(begin))
        }
    }

    @Test(arguments: [
        "h", "-2h", "2x", "2 x", "2h soon", "ago", "99999999999999999999h", "tomorrow", "9000000000w", "",
    ])
    func `what says nothing is refused`(text: String) {
        #expect(WrittenTime(spoken: text, at: .now()) == nil)
    }
}
