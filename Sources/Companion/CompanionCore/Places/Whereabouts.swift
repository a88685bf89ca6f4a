// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
package import Detections
package import HubModel

/// Where we are, by one source of places: what is known, what to tell of it, and which fixes are used.
///
/// ```
/// fixes, what gpsd says, that nothing comes ─► this ─► what to tell, fixes that are used (for PlaceRecording)
///                                   a moment ─► this ─► where we were then, and how pages show it
/// ```
///
/// Another source has another one of these: nothing is known of the place then. Nothing is due by time alone.
package struct Whereabouts: Sendable {
    /// What comes of it.
    package enum Output: Sendable {
        /// Something to tell.
        case changed(LocationChanged)
        /// A fix that is used.
        case used(UsedFix)
    }

    /// How far back one may ask where something was, in milliseconds.
    private static var memory: Int64 { 60_000 }

    /// What says where we are.
    package let source: PlaceSource
    private var tracker = LocationTracker()
    private var outputs = FIFO<Output>()

    /// Starts without a fix.
    package init(_ source: PlaceSource) { self.source = source }

    /// The next thing that comes of it.
    package mutating func nextOutput() -> Output? { outputs.popFirst() }

    // MARK: What comes

    /// Takes a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix as it came.
    ///   - isTimed: Whether its time is the source's; otherwise that of its arrival counts.
    ///   - moment: When it came.
    package mutating func receive(_ fix: Fix, isTimed: Bool = true, at moment: Moment) {
        var fix = fix
        if !isTimed { fix.time = moment.time.milliseconds }
        tell(tracker.receive(fix, at: instant(moment), isTimed: isTimed))
        guard tracker.refusal == nil, let last = tracker.last else { return }
        outputs.append(.used(UsedFix(last.fix, motion: last.motion, pace: source.pace)))
    }

    /// Takes what gpsd says of its receivers.
    package mutating func receive(_ state: GPSDSession.State) { tell(tracker.receive(state)) }

    /// Handles that the source cannot be reached.
    ///
    /// - Parameter reason: Why, as a phrase.
    package mutating func lose(_ reason: String) { tell(tracker.lose(reason)) }

    /// Handles that a track is at its end.
    package mutating func end() { tell(tracker.end()) }

    private mutating func tell(_ change: LocationChanged?) {
        if let change { outputs.append(.changed(change)) }
    }

    /// The clock of the tracker, in milliseconds; while a track is played, it is that of the track.
    private func instant(_ moment: Moment) -> UInt64 {
        let passed = moment.now.microseconds
        return source.pace == 1 ? passed / 1000 : UInt64(min(1e18, Double(passed) * source.pace / 1000))
    }

    // MARK: Asking

    /// Where something was that was received.
    ///
    /// - Parameters:
    ///   - time: When, by the clock on the wall; at most a minute ago.
    ///   - moment: Now.
    /// - Returns: `nil` when nobody knows.
    package func sample(of time: Timestamp, at moment: Moment) -> LocationSample? {
        if case .fixed(let position) = source { return .fixed(position) }
        let delay = min(Self.memory, max(0, moment.time.milliseconds - time.milliseconds))
        let (now, passed) = (instant(moment), UInt64(min(1e18, Double(delay) * source.pace)))
        return tracker.whereabouts(at: now - min(now, passed))
    }

    /// Where we are, as pages show it.
    package func location(at moment: Moment) -> HubLocation {
        switch source {
        case .none: return HubLocation()
        case .fixed(let position):
            return HubLocation(
                source: .fixed, condition: .fix, position: position, activity: "stationary", time: moment.time
            )
        case .gpsd, .browser, .track, .route: break
        }
        guard let place = tracker.whereabouts(at: instant(moment)) else {
            return HubLocation(
                source: source.name, condition: .noFix, satellites: tracker.satellites, time: moment.time,
                reason: trouble ?? silence)
        }
        let (motion, fix) = (place.motion, place.fix)
        return HubLocation(
            source: source.name, condition: .fix, satellites: tracker.satellites, accuracy: fix?.accuracy,
            position: place.position, altitude: fix?.altitude, speed: motion.speed, heading: motion.heading,
            activity: motion.activity,
            time: Timestamp(milliseconds: moment.time.milliseconds - (fix?.age ?? 0)), reason: trouble)
    }

    /// Why the last fix is not used, as a sentence for whoever has brought it; `nil` when it is.
    package var refusal: String? { tracker.refusal.map { "This place is not used: it \($0.text)." } }

    /// What is wrong, as a sentence; `nil` when nothing is.
    private var trouble: String? {
        if let reason = tracker.trouble {
            return "No place from gpsd: \(reason). It is tried again by itself."
        }
        if tracker.lacksReceiver { return "\(LocationChanged.lacksReceiver)." }
        return tracker.refusal.map { "The last fix is not used: it \($0.text)." }
    }

    /// Why there is no place where nothing else is wrong.
    private var silence: String? {
        switch source {
        case .gpsd: "The receiver does not know yet where it is."
        case .browser: "No browser has said in the last ten seconds where it is."
        case .track: "The track is at its end."
        case .none, .fixed, .route: nil
        }
    }
}
