// SPDX-License-Identifier: Apache-2.0

public import Foundation
import PhoneSurroundings
import VirtualPhone

/// When a notification is shown.
open class UNNotificationTrigger: NSObject, NSCopying {
    /// Whether it is shown again and again.
    public let repeats: Bool

    init(repeats: Bool) { self.repeats = repeats }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// When that is next, seen from a moment.
    func next(after date: Date) -> Date? { nil }
}

/// After a time.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    /// How long, in seconds.
    public let timeInterval: TimeInterval

    /// Makes one.
    ///
    /// - Parameters:
    ///   - timeInterval: How long, in seconds; above 0, and 60 at least of what repeats.
    ///   - repeats: Whether again and again.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        precondition(timeInterval > 0, "time interval must be greater than 0")
        precondition(!repeats || timeInterval >= 60, "time interval must be at least 60 if repeating")
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }

    /// When that is, if it were asked for now.
    open func nextTriggerDate() -> Date? { next(after: phoneDate) }

    override func next(after date: Date) -> Date? { date.addingTimeInterval(timeInterval) }
}

/// At a time of the calendar.
open class UNCalendarNotificationTrigger: UNNotificationTrigger {
    /// The parts of the time that are asked for.
    public let dateComponents: DateComponents

    /// Makes one.
    ///
    /// - Parameters:
    ///   - dateComponents: The parts of the time; the others may be anything.
    ///   - repeats: Whether again and again.
    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }

    /// When that is next; `nil` when never.
    open func nextTriggerDate() -> Date? { next(after: phoneDate) }

    override func next(after date: Date) -> Date? {
        let calendar = dateComponents.calendar ?? .current
        return calendar.nextDate(after: date, matching: dateComponents, matchingPolicy: .nextTime)
    }
}

extension UNNotificationTrigger {
    /// What the phone's clock shows.
    var phoneDate: Date { VirtualPhone.App.current?.phone.surroundings.date ?? Date() }
}
