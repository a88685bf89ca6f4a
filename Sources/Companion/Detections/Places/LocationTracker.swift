// SPDX-License-Identifier: Apache-2.0

/// Follows one source of fixes: what is known of the place, and when that has changed so that people should hear of it.
///
/// It says when a place is found, when it becomes known how exact it is, when the activity changes, when a fix is refused for
/// another reason than the one before, and when there is no place any more.
public struct LocationTracker: Sendable {
    /// So old a fix may be to say where something was received, in milliseconds.
    public static let freshness: UInt64 = 10_000

    /// How far back one may ask where something was, in milliseconds.
    private static let memory: UInt64 = 60_000

    /// Satellites that are used, where that is known.
    public private(set) var satellites: Int?
    /// Why the last fix is not used; `nil` when it is.
    public private(set) var refusal: FixError?
    /// Why the source cannot be reached, as a phrase; `nil` when it can.
    public private(set) var trouble: String?
    /// Whether gpsd has no receiver.
    public var lacksReceiver: Bool { lastCondition == .noReceiver }
    private var tracker = MotionTracker()
    /// What was known in the last minute, and since when, oldest first; at least the last.
    private var known: [(instant: UInt64, fix: Fix, motion: Sighting.Motion)] = []
    private var lastCondition: LocationChanged.Condition?
    private var lastActivity: Activity?
    private var wasExact = false
    private var wasTimed = true
    private var lastReason: String?

    /// Starts without a fix.
    public init() {}

    /// Handles a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix as it came.
    ///   - instant: When it came, in milliseconds of a clock that nobody sets.
    ///   - isTimed: Whether its time is the source's, not that of its arrival.
    /// - Returns: What people should hear of it.
    public mutating func receive(
        _ fix: Fix, at instant: UInt64, isTimed: Bool = true
    ) -> LocationChanged? {
        (refusal, trouble) = (nil, nil)
        do throws(FixError) {
            try tracker.receive(fix, at: instant)
        } catch {
            refusal = error
            return changed(.refused, fix: fix, reason: "\(error.text)")
        }
        let motion = tracker.motion(at: instant)
        remember(motion, at: instant)
        let isExact = tracker.fix?.accuracy != nil
        if lastCondition == .found, motion.activity == lastActivity, wasExact || !isExact, wasTimed == isTimed
        {
            return nil
        }
        (lastActivity, wasExact, wasTimed) = (motion.activity, isExact, isTimed)
        (lastCondition, lastReason) = (.found, nil)
        return LocationChanged(
            .found, satellites: satellites, fix: tracker.fix, motion: Sighting.Motion(motion),
            reason: isTimed ? nil : "the receiver tells no time, so that of its arrival counts")
    }

    /// Handles what gpsd says of its receivers.
    ///
    /// - Parameter state: What is known.
    /// - Returns: What people should hear of it.
    public mutating func receive(_ state: GPSDSession.State) -> LocationChanged? {
        (satellites, trouble) = (nil, nil)
        switch state {
        case .greeting, .listening: return nil
        case .noReceiver: return changed(.noReceiver)
        case .noPlace(let satellites):
            self.satellites = satellites
            return changed(.searching, reason: "the receiver tells no place yet")
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
        trouble = reason
        return changed(.unreachable, reason: reason)
    }

    /// Handles that a track is at its end.
    ///
    /// - Returns: What people should hear of it.
    public mutating func end() -> LocationChanged? { changed(.ended) }

    /// Where something was that was received.
    ///
    /// - Parameter instant: When, by the clock of ``receive(_:at:)``: now, or up to a minute ago.
    /// - Returns: `nil` when there was no fix in the ten seconds before.
    public func whereabouts(at instant: UInt64) -> LocationSample? {
        guard let last = known.last(where: { $0.instant <= instant }),
            case let age = instant - last.instant, age <= Self.freshness
        else { return nil }
        return LocationSample(last.fix, motion: last.motion, age: Int64(age))
    }

    /// The last fix that was used, and how we move.
    public var last: (fix: Fix, motion: Sighting.Motion)? { known.last.map { ($0.fix, $0.motion) } }

    private mutating func remember(_ motion: MotionTracker.Motion, at instant: UInt64) {
        guard let fix = tracker.fix else { return }
        known.removeAll { $0.instant > instant || instant - $0.instant > Self.memory }
        // What completes a fix is of the same moment.
        if let last = known.last, last.fix.time == fix.time {
            known[known.count - 1].fix = fix
        } else {
            known.append((instant, fix, Sighting.Motion(motion)))
        }
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
