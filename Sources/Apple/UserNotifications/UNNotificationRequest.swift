// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A notification that an app wants to be shown.
open class UNNotificationRequest: NSObject, NSCopying {
    /// How the app calls it; another of the same name takes its place.
    public let identifier: String
    /// What is on it.
    public let content: UNNotificationContent
    /// When it is shown; `nil` is at once.
    public let trigger: UNNotificationTrigger?

    /// Makes one.
    ///
    /// - Parameters:
    ///   - identifier: How the app calls it.
    ///   - content: What is on it.
    ///   - trigger: When it is shown; `nil` is at once.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        // What is changed after that does not count. A copy is always of this class.
        self.content = content.copy() as? UNNotificationContent ?? content
        self.trigger = trigger
    }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A notification that was shown.
open class UNNotification: NSObject, NSCopying {
    /// When.
    public let date: Date
    /// What the app had asked for.
    public let request: UNNotificationRequest

    init(_ request: UNNotificationRequest, _ date: Date) { (self.request, self.date) = (request, date) }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The action of who presses the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action of who wipes the notification away.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// What a person has done with a notification.
open class UNNotificationResponse: NSObject, NSCopying {
    /// The notification.
    public let notification: UNNotification
    /// Which action was pressed.
    public let actionIdentifier: String

    init(_ notification: UNNotification, _ action: String) {
        (self.notification, actionIdentifier) = (notification, action)
    }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// What a person has typed below a notification.
open class UNTextInputNotificationResponse: UNNotificationResponse {
    /// The text.
    public let userText: String

    init(_ notification: UNNotification, _ action: String, text: String) {
        userText = text
        super.init(notification, action)
    }
}
