// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import FlockFinder
import HubModel
import Testing

@testable import Detections

@Suite("Which detections raise an alert")
final class AlertChoiceTests {
    /// Noon in UTC.
    private static let noon: Int64 = 1_800_014_400_000

    private var choice = AlertChoice()
    private var settings = AlertSettings()
    /// How far the clock of the place is ahead of UTC, in hours.
    private var ahead: Int32 = 0
    /// Seconds since noon, by both clocks.
    private var seconds: Int64 = 0
    /// How far the clock on the wall was set, in seconds.
    private var set: Int64 = 0

    private func raises(
        _ source: Int64?, confidence: Double = 0.9, mark: SourceMark = .none, secondsAgo: Int64 = 0
    ) -> Bool {
        let time = Timestamp(milliseconds: Self.noon + (seconds + set) * 1000)
        let record = DetectionRecord(
            id: 1,
            sighting: Sighting(
                type: .ring, label: "Ring", rssi: -50, confidence: confidence,
                received: Timestamp(milliseconds: time.milliseconds - secondsAgo * 1000)),
            source: source, mark: mark)
        let now = HostInstant.zero.advanced(bySeconds: UInt64(seconds))
        return choice.raises(
            DetectionEvent(record), by: settings, offset: ahead * 3600, at: Moment(now, time))
    }

    @Test func aSourceRaisesOneInEachInterval() {
        #expect(raises(1) && raises(2))
        seconds = 30 * 60 - 1
        #expect(!raises(1) && !raises(2))
        seconds += 1
        #expect(raises(2) && raises(1) && !raises(1))
        // What was changed counts for those before, too.
        settings.intervalMinutes = 5
        seconds += 5 * 60
        #expect(raises(1))
        settings.intervalMinutes = 0
        #expect(raises(1) && raises(1))
    }

    @Test func nobodyEndsAnIntervalBySettingTheClock() {
        #expect(raises(1))
        set = 86_400
        #expect(!raises(1))
        set = -86_400
        #expect(!raises(1) && raises(2))
    }

    @Test func whatIsUnsureRaisesNone() {
        #expect(!raises(1, confidence: 0.49) && raises(1, confidence: 0.5))
        settings.minimumConfidence = 0
        #expect(raises(2, confidence: 0))
    }

    @Test(arguments: SourceMark.allCases) func whatIsMarkedRaisesNone(mark: SourceMark) {
        #expect(raises(1, mark: mark) == (mark == .none))
        // It has begun no interval.
        #expect(raises(1) == (mark != .none))
    }

    @Test func whatIsImportedOrNotStoredRaisesNone() {
        #expect(!raises(1, secondsAgo: 60) && !raises(1, secondsAgo: -60) && !raises(nil))
        #expect(raises(1, secondsAgo: 59))
    }

    /// From and to; when it is quiet, and when it is not, in hours.
    private static let nights: [(Int, Int, [Int32], [Int32])] = [
        (22, 7, [22, 23, 0, 3, 6], [7, 12, 21]), (9, 17, [9, 12, 16], [17, 20, 0, 8]), (5, 5, [], [4, 5, 6]),
    ]

    @Test(arguments: nights) func quietHoursRaiseNoneAndBeginNoInterval(
        from: Int, to: Int, quiet: [Int32], loud: [Int32]
    ) {
        (settings.quiet.isOn, settings.quiet.from, settings.quiet.to) = (true, from * 60, to * 60)
        for (hours, isQuiet) in [(quiet, true), (loud, false)] {
            for hour in hours {
                ahead = hour - 12
                #expect(raises(Int64(hour)) == !isQuiet, "\(hour)")
                seconds = 60 * 60 - 60
                // The last minute of the hour.
                #expect(raises(Int64(hour) + 100) == !isQuiet, "\(hour)")
                seconds = 0
                settings.quiet.isOn = false
                #expect(raises(Int64(hour)) == isQuiet, "\(hour)")
                settings.quiet.isOn = true
            }
        }
    }

    @Test func moreSourcesThanAreRememberedForgetWhoWasSilentForTheLongestTime() {
        let last = Int64(AlertChoice.capacity)
        for source in 1...last {
            // The second has raised the first of all.
            seconds = source == 2 ? 0 : 1
            #expect(raises(source))
        }
        #expect(raises(last + 1) && !raises(1) && !raises(last) && raises(2))
    }
}
