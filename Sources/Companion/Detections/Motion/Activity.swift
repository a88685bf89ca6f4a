// SPDX-License-Identifier: Apache-2.0

/// How somebody is under way, judged by speed.
public enum Activity: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    /// Not at all.
    case stationary
    /// On foot.
    case walking
    /// On foot, fast.
    case running
    /// By bicycle, or as fast as one.
    case cycling
    /// By car, or as fast as one.
    case driving

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .stationary: "stationary"
        case .walking: "walking"
        case .running: "running"
        case .cycling: "cycling"
        case .driving: "driving"
        }
    }

    /// The slower one is less.
    public static func < (left: Activity, right: Activity) -> Bool { left.rawValue < right.rawValue }

    /// When an activity begins and ends.
    ///
    /// | activity | from, m/s | until below, m/s | for, s |
    /// |---|---|---|---|
    /// | stationary | 0 | 0 | 0 |
    /// | walking | 0.7 | 0.4 | 6 |
    /// | running | 2.5 | 2.0 | 8 |
    /// | cycling | 4.5 | 3.0 | 30 |
    /// | driving | 9.0 | 5.0 | 90 |
    ///
    /// It begins when the speed has been high enough for 3 s. It ends when the speed has been too low for the time of
    /// the last column: who waits at a traffic light still drives.
    public struct Threshold: Hashable, Sendable {
        /// Begins from this speed on, in metres a second.
        public let lowest: Double
        /// Goes on while the speed is at least this, in metres a second.
        public let lasting: Double
        /// Goes on for so many milliseconds below that.
        public let patience: Int64
    }

    /// When it begins and ends.
    public var threshold: Threshold {
        switch self {
        case .stationary: Threshold(lowest: 0, lasting: 0, patience: 0)
        case .walking: Threshold(lowest: 0.7, lasting: 0.4, patience: 6000)
        case .running: Threshold(lowest: 2.5, lasting: 2, patience: 8000)
        case .cycling: Threshold(lowest: 4.5, lasting: 3, patience: 30_000)
        case .driving: Threshold(lowest: 9, lasting: 5, patience: 90_000)
        }
    }

    /// What a speed alone looks like.
    ///
    /// - Parameter speed: Metres a second.
    public init(speed: Double) {
        var found = Activity.stationary
        for activity in Self.allCases where speed >= activity.threshold.lowest { found = activity }
        self = found
    }
}

/// Judges by a row of speeds, so that one of them alone changes nothing.
struct ActivityJudge {
    /// For how long the speed must be high enough, in milliseconds.
    private static let rise: Int64 = 3000

    private(set) var activity: Activity?
    /// Since when the speed has been too high for the activity.
    private var tooFastSince: Int64?
    /// Since when it has been too low.
    private var tooSlowSince: Int64?

    /// Handles the speed at a time.
    ///
    /// - Parameters:
    ///   - speed: Metres a second.
    ///   - time: Milliseconds; never less than before.
    mutating func receive(speed: Double, at time: Int64) {
        let looksLike = Activity(speed: speed)
        guard let activity else { return change(to: looksLike) }
        if looksLike > activity {
            tooSlowSince = nil
            let since = tooFastSince ?? time
            tooFastSince = since
            if time - since >= Self.rise { change(to: looksLike) }
        } else if speed < activity.threshold.lasting {
            tooFastSince = nil
            let since = tooSlowSince ?? time
            tooSlowSince = since
            if time - since >= activity.threshold.patience { change(to: looksLike) }
        } else {
            tooFastSince = nil
            tooSlowSince = nil
        }
    }

    private mutating func change(to activity: Activity) {
        self.activity = activity
        tooFastSince = nil
        tooSlowSince = nil
    }
}
