// SPDX-License-Identifier: Apache-2.0

import Companion

/// Judges fixes one by one, and says from them where one is, how fast, whereto and how.
///
/// A fix is refused with its reason, ``FixError``. What is refused three times in a row for its time or its place, while
/// the three agree with each other, is the truth, and what was before it was wrong: a clock that was set, a flight, a
/// receiver that began with a wrong week.
///
/// Times by the source's clock and by that of this side are never compared but with those of other fixes, so it does not
/// matter when either is wrong.
public struct MotionTracker: Sendable {
    /// The fix that counts, without what cannot be in it.
    public private(set) var fix: Fix?
    /// When it came, in milliseconds of a clock that nobody sets.
    private var arrival: UInt64 = 0
    /// The shortest time from a fix's own time until it came, whatever the two clocks show.
    private var shortestDelay: Int64 = 0
    /// The fixes of the last seconds, oldest first.
    private var recent: [Fix] = []
    private var judge = ActivityJudge()
    private var speed: Double?
    private var course: Double?
    /// What was refused last, and how many in a row agree with it.
    private var refused: (fix: Fix, delay: Int64, count: Int)?

    /// How much later than others a fix may come, in milliseconds.
    static let greatestDelay: Int64 = 10_000
    /// After how long without a fix nothing is known of the motion, in milliseconds.
    static let silence: UInt64 = 30_000
    /// The fastest that anybody moves who looks for cameras, in metres a second: an airliner is faster and is believed
    /// at its third fix.
    static let fastest = 150.0
    /// How many that agree are believed.
    private static let agreement = 3
    /// From fixes how far apart a speed is calculated, in milliseconds, where the source tells none.
    private static let window: Int64 = 6000
    /// The end of the year 9999.
    private static let latest: Int64 = 253_402_300_799_999
    /// Below this speed there is no course, in metres a second.
    private static let slowest = 0.5

    /// Starts without a fix.
    public init() {}

    /// Handles a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix as it came.
    ///   - instant: When it came, in milliseconds of a clock that nobody sets.
    /// - Throws: ``FixError`` when it is not used.
    public mutating func receive(_ fix: Fix, at instant: UInt64) throws(FixError) {
        guard (-90...90).contains(fix.latitude), (-180...180).contains(fix.longitude) else {
            throw .outOfRange
        }
        guard (0...Self.latest).contains(fix.time) else { throw .noTime }
        guard abs(fix.latitude) > 0.0001 || abs(fix.longitude) > 0.0001 else { throw .nowhere }
        let fix = fix.cleaned
        if let last = self.fix, fix.completes(last) { return complete(with: fix) }
        let delay = Int64(clamping: instant) &- fix.time
        if let last = self.fix, let refusal = fault(of: fix, delay: delay, after: last, at: instant) {
            guard agrees(fix, delay: delay) else { throw refusal }
            // The third: begin anew with it.
            self = MotionTracker()
        }
        accept(fix, delay: delay, at: instant)
    }

    /// How old the fix that counts is, in milliseconds.
    ///
    /// - Parameter instant: Now, by the clock of ``receive(_:at:)``.
    /// - Returns: `nil` without a fix.
    public func age(at instant: UInt64) -> UInt64? {
        fix.map { _ in passed(at: instant) }
    }

    /// How one moves; nothing is known when no fix has come for 30 s.
    ///
    /// - Parameter instant: Now, by the clock of ``receive(_:at:)``.
    /// - Returns: What is known.
    public func motion(at instant: UInt64) -> Motion {
        guard let age = age(at: instant), age <= Self.silence else { return Motion() }
        return Motion(speed: speed, course: course, activity: judge.activity)
    }

    /// How one moves.
    public struct Motion: Hashable, Sendable {
        /// Metres a second over ground.
        public var speed: Double?
        /// Degrees from north, clockwise; none when one hardly moves.
        public var course: Double?
        /// How one is under way.
        public var activity: Activity?

        /// Makes a motion; without arguments nothing is known.
        public init(speed: Double? = nil, course: Double? = nil, activity: Activity? = nil) {
            self.speed = speed
            self.course = course
            self.activity = activity
        }
    }
}

// MARK: Judging

extension MotionTracker {
    /// Milliseconds since the fix that counts came.
    private func passed(at instant: UInt64) -> UInt64 { instant > arrival ? instant - arrival : 0 }

    /// By how much two clocks may have drifted apart since then: a thousandth at most.
    private func drift(at instant: UInt64) -> Int64 { Int64(clamping: passed(at: instant) / 1000) }

    private func fault(of fix: Fix, delay: Int64, after last: Fix, at instant: UInt64) -> FixError? {
        guard fix.time > last.time else { return .notNewer }
        let drift = drift(at: instant)
        if Double(delay) - Double(shortestDelay) - Double(drift) > Double(Self.greatestDelay) {
            return .stale
        }
        return Self.isReachable(fix, from: last) ? nil : .jump
    }

    private static func isReachable(_ fix: Fix, from last: Fix) -> Bool {
        let seconds = Double(fix.time &- last.time) / 1000
        // What the two may be wrong by, in nearly every case.
        let error = 50 + 3 * ((fix.accuracy ?? 0) + (last.accuracy ?? 0))
        return distance(from: last, to: fix).length <= fastest * max(seconds, 0) + error
    }

    /// Whether a fix that would be refused is the third of a row in which each goes on from the one before.
    private mutating func agrees(_ fix: Fix, delay: Int64) -> Bool {
        var count = 1
        if let refused {
            // The same again is one source that repeats itself.
            guard fix != refused.fix else { return false }
            let isNext =
                fix.time > refused.fix.time
                && abs(Double(delay) - Double(refused.delay)) <= Double(Self.greatestDelay)
                && Self.isReachable(fix, from: refused.fix)
            if isNext { count = refused.count + 1 }
        }
        refused = (fix, delay, count)
        return count >= Self.agreement
    }

    /// Adds to the fix that counts what another sentence of the receiver says about the same moment.
    private mutating func complete(with fix: Fix) {
        let whole = self.fix?.completed(by: fix) ?? fix
        if recent.last == self.fix { recent[recent.count - 1] = whole }
        self.fix = whole
    }

    private mutating func accept(_ fix: Fix, delay: Int64, at instant: UInt64) {
        let isFirst = self.fix == nil
        if !isFirst,
            instant &- arrival > Self.silence || fix.time &- (self.fix?.time ?? 0) > Int64(Self.silence)
        {
            (recent, judge, speed, course) = ([], ActivityJudge(), nil, nil)
        }
        let drift = drift(at: instant)
        shortestDelay =
            isFirst ? delay : min(delay, shortestDelay.addingReportingOverflow(drift).partialValue)
        arrival = instant
        refused = nil
        self.fix = fix
        recent.removeAll { fix.time - $0.time > Self.window }
        recent.append(fix)
        measure(fix)
    }

    private mutating func measure(_ fix: Fix) {
        let way = recent.count > 1 ? Self.distance(from: recent[0], to: fix) : nil
        if let stated = fix.speed {
            speed = stated
        } else if let way {
            // A receiver at rest wanders by about half of its accuracy.
            let noise = max(3, (fix.accuracy ?? 5) / 2)
            speed = way.length < noise ? 0 : way.length / (Double(fix.time - recent[0].time) / 1000)
        }
        guard let speed else { return }
        judge.receive(speed: speed, at: fix.time)
        if speed < Self.slowest {
            course = nil
        } else if let stated = fix.course {
            course = stated
        } else if let way, way.length >= max(5, fix.accuracy ?? 0) {
            course = way.bearing
        }
    }

    private static func distance(from start: Fix, to end: Fix) -> (length: Double, bearing: Double) {
        let plane = LocalPlane(latitude: (start.latitude + end.latitude) / 2, longitude: start.longitude)
        let from = plane.point(latitude: start.latitude, longitude: start.longitude)
        let to = plane.point(latitude: end.latitude, longitude: end.longitude)
        return (
            from.squaredDistance(to: to).squareRoot(),
            Trigonometry.bearing(east: to.east - from.east, north: to.north - from.north)
        )
    }
}
