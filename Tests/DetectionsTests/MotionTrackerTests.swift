// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Detections
import Testing

/// A receiver that goes north.
private struct Walk {
    static let start: Int64 = 1_795_000_000_000

    var tracker = MotionTracker()
    /// Seconds since the beginning.
    var second = 0
    var latitude = 52.5

    /// Goes on for a time at a speed, with a fix each second.
    mutating func go(_ speed: Double, for seconds: Int) throws {
        for _ in 0..<seconds {
            second += 1
            latitude += speed / 111_195.08
            try receive()
        }
    }

    mutating func receive(speed: Double? = nil) throws {
        let fix = Fix(
            time: Self.start + Int64(second) * 1000, latitude: latitude, longitude: 13.4, accuracy: 3,
            speed: speed, source: .receiver)
        try tracker.receive(fix, at: UInt64(second) * 1000 + 200)
    }

    var now: UInt64 { UInt64(second) * 1000 + 200 }
    var activity: Activity? { tracker.motion(at: now).activity }
}

private func fix(
    _ second: Int64, _ latitude: Double = 52.5, _ longitude: Double = 13.4, speed: Double? = nil,
    course: Double? = nil, accuracy: Double? = 3
) -> Fix {
    Fix(
        time: Walk.start + second * 1000, latitude: latitude, longitude: longitude, accuracy: accuracy,
        speed: speed,
        course: course, source: .receiver)
}

@Suite("Where and how somebody moves")
struct MotionTrackerTests {
    @Test func speedAndCourseComeFromPlaces() throws {
        var walk = Walk()
        try walk.go(14, for: 10)
        var motion = walk.tracker.motion(at: walk.now)
        #expect(abs((motion.speed ?? 0) - 14) < 0.1)
        #expect(motion.course == 0)
        #expect(motion.activity == .driving)
        try walk.go(0, for: 8)
        motion = walk.tracker.motion(at: walk.now)
        #expect(motion.speed == 0 && motion.course == nil)
    }

    @Test func whatTheSourceSaysCounts() throws {
        var tracker = MotionTracker()
        try tracker.receive(fix(0, speed: 3.2, course: 271), at: 0)
        #expect(tracker.motion(at: 0) == .init(speed: 3.2, course: 271, activity: .running))
        // What cannot be is left out.
        try tracker.receive(fix(1, speed: -1, course: 400, accuracy: .nan), at: 1000)
        #expect(tracker.fix?.speed == nil && tracker.fix?.course == nil && tracker.fix?.accuracy == nil)
    }

    @Test func anActivityBeginsAfterThreeSecondsAndLasts() throws {
        var walk = Walk()
        try walk.go(0, for: 5)
        #expect(walk.activity == .stationary)
        try walk.receiveSaid(14, for: 3)
        #expect(walk.activity == .stationary)
        try walk.receiveSaid(14, for: 1)
        #expect(walk.activity == .driving)
        // A traffic light.
        try walk.receiveSaid(0, for: 90)
        #expect(walk.activity == .driving)
        try walk.receiveSaid(0, for: 1)
        #expect(walk.activity == .stationary)
        try walk.receiveSaid(1.3, for: 4)
        #expect(walk.activity == .walking)
        // Between the two thresholds nothing changes.
        try walk.receiveSaid(0.5, for: 60)
        #expect(walk.activity == .walking)
        try walk.receiveSaid(0.2, for: 7)
        #expect(walk.activity == .stationary)
    }

    @Test(arguments: Activity.allCases)
    func eachActivityBeginsAtItsSpeed(_ activity: Activity) throws {
        var walk = Walk()
        try walk.receiveSaid(activity.threshold.lowest, for: 1)
        #expect(walk.activity == activity)
        #expect(activity.threshold.lasting <= activity.threshold.lowest)
        var slower = Walk()
        guard activity != .stationary else { return }
        try slower.receiveSaid(activity.threshold.lowest - 0.01, for: 10)
        #expect(slower.activity == Activity(rawValue: activity.rawValue - 1))
    }

    @Test func placesThatCannotBeAreRefused() {
        var tracker = MotionTracker()
        for (latitude, longitude) in [(91, 0), (0, 181), (.nan, 0), (5, .infinity)] as [(Double, Double)] {
            #expect(throws: FixError.outOfRange) { try tracker.receive(fix(0, latitude, longitude), at: 0) }
        }
        #expect(throws: FixError.nowhere) { try tracker.receive(fix(0, 0, 0), at: 0) }
        #expect(throws: FixError.nowhere) { try tracker.receive(fix(0, 0.0001, -0.0001), at: 0) }
        for time in [Int64.min, -1, 253_402_300_800_000, .max] {
            #expect(throws: FixError.noTime) {
                try tracker.receive(Fix(time: time, latitude: 5, longitude: 5, source: .track), at: 0)
            }
        }
        #expect(tracker.fix == nil && tracker.age(at: 5) == nil && tracker.motion(at: 5) == .init())
    }

    @Test func timesThatDoNotGoOnAreRefusedUntilThreeAgree() throws {
        var tracker = MotionTracker()
        try tracker.receive(fix(1000), at: 0)
        #expect(throws: FixError.notNewer) { try tracker.receive(fix(1000), at: 1000) }
        // The same one repeated is never believed.
        for second in 2..<10 as Range<UInt64> {
            #expect(throws: FixError.notNewer) { try tracker.receive(fix(1000), at: second * 1000) }
        }
        // The clock was an hour ahead.
        #expect(throws: FixError.notNewer) { try tracker.receive(fix(-2600), at: 10_000) }
        #expect(throws: FixError.notNewer) { try tracker.receive(fix(-2599), at: 11_000) }
        try tracker.receive(fix(-2598), at: 12_000)
        #expect(tracker.fix == fix(-2598))
        try tracker.receive(fix(-2597), at: 13_000)
    }

    @Test func aFixThatComesLateIsStale() throws {
        var tracker = MotionTracker()
        try tracker.receive(fix(0), at: 5_000_000)
        try tracker.receive(fix(1), at: 5_001_000)
        #expect(throws: FixError.stale) { try tracker.receive(fix(2), at: 5_013_000) }
        try tracker.receive(fix(13), at: 5_013_100)
        // Clocks that drift apart by a thousandth are no fault, for days.
        for hour in 1...50 as ClosedRange<Int64> {
            let second = 13 + hour * 3600
            try tracker.receive(fix(second), at: 5_000_000 + UInt64(second) * 1000 + UInt64(hour) * 3600)
        }
    }

    @Test func aJumpIsRefusedUntilThreeAgree() throws {
        var tracker = MotionTracker()
        try tracker.receive(fix(0), at: 0)
        #expect(throws: FixError.jump) { try tracker.receive(fix(1, 52.6), at: 1000) }
        try tracker.receive(fix(2, 52.5001), at: 2000)
        // What is doubted is as wide as the fixes are wrong.
        try tracker.receive(fix(3, 52.51, accuracy: 500), at: 3000)
        #expect(throws: FixError.jump) { try tracker.receive(fix(4, 48.1, 11.5), at: 4000) }
        #expect(throws: FixError.jump) { try tracker.receive(fix(5, 48.1, 11.5001), at: 5000) }
        try tracker.receive(fix(6, 48.1, 11.5002), at: 6000)
        #expect(tracker.fix?.latitude == 48.1)
        // Places that jump about are never believed.
        for second in 7..<30 as Range<Int64> {
            #expect(throws: FixError.jump) {
                try tracker.receive(fix(second, 40 + Double(second % 2)), at: UInt64(second) * 1000)
            }
        }
    }

    @Test func theDateLineIsNoJump() throws {
        var tracker = MotionTracker()
        try tracker.receive(fix(0, -17, 179.9999), at: 0)
        try tracker.receive(fix(1, -17, -179.9999), at: 1000)
        #expect(abs((tracker.motion(at: 1000).course ?? 0) - 90) < 0.01)
        #expect(abs((tracker.motion(at: 1000).speed ?? 0) - 21.3) < 0.1)
    }

    @Test func whatIsOldIsNotKnown() throws {
        var walk = Walk()
        try walk.go(14, for: 10)
        #expect(walk.tracker.age(at: walk.now + 5000) == 5000)
        #expect(walk.tracker.motion(at: walk.now + 30_000).activity == .driving)
        #expect(walk.tracker.motion(at: walk.now + 30_001) == .init())
        // After a tunnel everything begins anew.
        walk.second += 60
        try walk.receive()
        #expect(walk.tracker.motion(at: walk.now).activity == nil)
    }

    @Test func noOrderOfFixesDoesHarm() {
        var random = SplitMix64(seed: 7)
        var tracker = MotionTracker()
        for _ in 0..<20_000 {
            let values: [Double] = [
                0, -1, 1, 89.9999, 180, -180, .nan, .infinity, 52.5, 13.4, 1e300, -1e-300,
            ]
            let pick = { values[Int(random.next() % UInt64(values.count))] }
            let times: [Int64] = [
                0, 1, .max, .min, Walk.start, 253_402_300_799_999, Int64(random.next() % 10_000),
            ]
            let fix = Fix(
                time: times[Int(random.next() % 7)], latitude: pick(), longitude: pick(), altitude: pick(),
                accuracy: pick(), speed: pick(), course: pick(), source: .browser)
            let instant = [0, .max, random.next()][Int(random.next() % 3)]
            do { try tracker.receive(fix, at: instant) } catch {}
            let motion = tracker.motion(at: random.next())
            #expect(motion.speed.map { $0 >= 0 && $0.isFinite } ?? true)
            #expect(motion.course.map { (0...360).contains($0) } ?? true)
        }
    }
}

extension Walk {
    /// Stays where it is and says a speed.
    fileprivate mutating func receiveSaid(_ speed: Double, for seconds: Int) throws {
        for _ in 0..<seconds {
            second += 1
            try receive(speed: speed)
        }
    }
}
