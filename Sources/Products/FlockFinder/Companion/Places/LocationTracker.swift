// SPDX-License-Identifier: Apache-2.0

public import FlockFinder

/// Follows one source of fixes: what is known of the place, and when that has changed so that people should hear of it.
///
/// It says when a place is found, when the activity changes, when a fix is refused for another reason than the one before, and
/// when there is no place any more.
public struct LocationTracker: Sendable {
    /// So old a fix may be to say where something was received, in milliseconds.
    public static let freshness: UInt64 = 10_000

    private var tracker = MotionTracker()
    private var satellites: Int?
    private var lastCondition: LocationChanged.Condition?
    private var lastActivity: Activity?
    private var lastReason: String?

    /// Starts without a fix.
    public init() {}

    /// Handles a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix as it came.
    ///   - instant: When it came, in milliseconds of a clock that nobody sets.
    /// - Returns: What people should hear of it.
    public mutating func receive(_ fix: Fix, at instant: UInt64) -> LocationChanged? {
        do throws(FixRefusal) {
            try tracker.receive(fix, at: instant)
        } catch {
            return changed(.refused, fix: fix, reason: "\(error.text)")
        }
        let motion = tracker.motion(at: instant)
        if lastCondition == .found, motion.activity == lastActivity { return nil }
        lastActivity = motion.activity
        (lastCondition, lastReason) = (.found, nil)
        return LocationChanged(
            .found, satellites: satellites, fix: tracker.fix, motion: Sighting.Motion(motion))
    }

    /// Handles what gpsd says of its receivers.
    ///
    /// - Parameter state: What is known.
    /// - Returns: What people should hear of it.
    public mutating func receive(_ state: GPSDSession.State) -> LocationChanged? {
        satellites = nil
        switch state {
        case .greeting: return nil
        case .noReceiver: return changed(.noReceiver)
        case .searching(let satellites):
            self.satellites = satellites
            return changed(.searching)
        case .fix(let satellites):
            // The fix itself says whether it is one.
            self.satellites = satellites
            return nil
        }
    }

    /// Handles that the source cannot be reached.
    ///
    /// - Parameter reason: Why, as a phrase.
    /// - Returns: What people should hear of it.
    public mutating func lose(_ reason: String) -> LocationChanged? {
        satellites = nil
        return changed(.unreachable, reason: reason)
    }

    /// Handles that a track is at its end.
    ///
    /// - Returns: What people should hear of it.
    public mutating func end() -> LocationChanged? { changed(.ended) }

    /// Where something was that is received now.
    ///
    /// - Parameter instant: Now, by the clock of ``receive(_:at:)``.
    /// - Returns: `nil` when there is no fix of the last ten seconds.
    public func whereabouts(at instant: UInt64) -> Whereabouts? {
        guard let fix = tracker.fix, let age = tracker.age(at: instant), age <= Self.freshness,
            let position = Position(latitude: fix.latitude, longitude: fix.longitude)
        else { return nil }
        return Whereabouts(position, motion: Sighting.Motion(tracker.motion(at: instant)))
    }

    private mutating func changed(
        _ condition: LocationChanged.Condition, fix: Fix? = nil, reason: String? = nil
    ) -> LocationChanged? {
        guard condition != lastCondition || reason != lastReason else { return nil }
        (lastCondition, lastReason) = (condition, reason)
        return LocationChanged(condition, satellites: satellites, fix: fix, reason: reason)
    }
}

extension Sighting.Motion {
    /// A motion as it is stored.
    ///
    /// - Parameter motion: What is known of it.
    init(_ motion: MotionTracker.Motion) {
        self.init(
            speed: motion.speed, heading: motion.course,
            activity: motion.activity.map { "\($0.keyword)" })
    }
}
