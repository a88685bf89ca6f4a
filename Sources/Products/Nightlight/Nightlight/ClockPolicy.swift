// SPDX-License-Identifier: Apache-2.0

/// What an app does about a lamp's clock that differs from its own.
///
/// Spec: Documentation/Protocols/nightlight.md, Clock.
public enum ClockAction: Hashable, Sendable, CaseIterable {
    /// The clock is right.
    case none
    /// Sets it without a word.
    case set
    /// Sets it and says so.
    case setAndReport
    /// Asks first.
    case ask

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .none: "none"
        case .set: "set"
        case .setAndReport: "set_and_report"
        case .ask: "ask"
        }
    }
}

/// What a clock shows, and what it knows about its time zone.
public struct ClockReading: Hashable, Sendable {
    /// What it shows.
    public var time: LocalTime
    /// Its time zone and DST.
    public var zone: LocalTimeInformation
    /// When DST begins or ends next.
    public var next: TimeWithDST

    /// Makes a reading.
    public init(time: LocalTime, zone: LocalTimeInformation, next: TimeWithDST = .none) {
        self.time = time
        self.zone = zone
        self.next = next
    }

    /// Below this many seconds apart a clock is set without a word.
    public static let silentLimit: Int64 = 5 * 60
    /// Above this many seconds apart the person is asked.
    public static let askLimit: Int64 = 30 * 60
    /// Two clocks of whole seconds cannot be held against each other more closely.
    public static let tolerance: Int64 = 1

    /// What is to be done about a lamp's clock.
    ///
    /// Below 5 minutes apart it is set, from 5 to 30 minutes it is set and the person is informed, above the person is
    /// asked. A difference that time zone and DST alone explain is set and reported, however great it is.
    ///
    /// - Parameter host: What the app's own clock shows.
    /// - Returns: What to do.
    public func action(against host: ClockReading) -> ClockAction {
        let apart = abs(time.seconds(since: host.time))
        if let own = zone.offset, let theirs = host.zone.offset, zone != host.zone {
            // How far apart they would be if both showed UTC.
            let rest = abs(time.seconds(since: host.time) - Int64(own) + Int64(theirs))
            return apart <= Self.askLimit || rest < Self.silentLimit ? .setAndReport : .ask
        }
        guard apart <= Self.askLimit else { return .ask }
        guard apart < Self.silentLimit else { return .setAndReport }
        return apart <= Self.tolerance && zone == host.zone && next == host.next ? .none : .set
    }
}
