// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// When an app in the background should light up the screen with a notification.
///
/// iOS gives overflow areas to a backgrounded app only while the screen is lit. The demo app therefore notifies
/// every 60 s; its README suggests to do so only when no result has come for a while, because then the screen
/// was lit by somebody anyway.
///
/// Spec: Documentation/Protocols/overflow-area.md, Receiving.
public struct OverflowWakePolicy: Hashable, Sendable {
    /// When to notify.
    public enum Rule: Hashable, Sendable {
        /// At each interval.
        case always
        /// When no result has come for an interval.
        case whenSilent
    }

    /// The rule.
    public let rule: Rule
    /// The interval, in seconds.
    public let intervalSeconds: UInt64

    /// When to call ``deadlineReached(at:)`` at the latest; `nil` while stopped.
    public private(set) var nextDeadline: HostInstant?

    /// Makes a policy that is stopped.
    ///
    /// - Parameters:
    ///   - rule: When to notify.
    ///   - intervalSeconds: The interval, in seconds, at least 1.
    public init(_ rule: Rule = .whenSilent, intervalSeconds: UInt64 = 60) {
        self.rule = rule
        self.intervalSeconds = max(1, intervalSeconds)
    }

    /// The app has gone to the background: the first interval begins.
    ///
    /// - Parameter now: The moment.
    public mutating func start(at now: HostInstant) {
        nextDeadline = now.advanced(bySeconds: intervalSeconds)
    }

    /// The app has come to the foreground: no more notifications.
    public mutating func stop() { nextDeadline = nil }

    /// Notes a scan result, by which the screen is lit.
    ///
    /// - Parameter now: The moment.
    public mutating func resultReceived(at now: HostInstant) {
        guard nextDeadline != nil, rule == .whenSilent else { return }
        nextDeadline = now.advanced(bySeconds: intervalSeconds)
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    /// - Returns: Whether to post the notification; not when the deadline has moved away meanwhile.
    public mutating func deadlineReached(at now: HostInstant) -> Bool {
        guard let due = nextDeadline, due <= now else { return false }
        nextDeadline = now.advanced(bySeconds: intervalSeconds)
        return true
    }
}
