// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What an app wants to do with notifications.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Takes the bits as they are.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A number at its icon.
    public static let badge = Self(rawValue: 1 << 0)
    /// To be heard.
    public static let sound = Self(rawValue: 1 << 1)
    /// To come into view.
    public static let alert = Self(rawValue: 1 << 2)
    /// To come into view in a car.
    public static let carPlay = Self(rawValue: 1 << 3)
    /// To be heard of a phone that is mute.
    public static let criticalAlert = Self(rawValue: 1 << 4)
    /// A button in Settings that opens the app.
    public static let providesAppNotificationSettings = Self(rawValue: 1 << 5)
    /// Quietly, without asking anybody.
    public static let provisional = Self(rawValue: 1 << 6)
}

/// Whether an app may show notifications.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum UNAuthorizationStatus: Int, Sendable {
    /// Nobody was asked yet.
    case notDetermined = 0
    /// Somebody said no.
    case denied = 1
    /// Somebody said yes.
    case authorized = 2
    /// Quietly.
    case provisional = 3
    /// For a while, as of an App Clip.
    case ephemeral = 4
}

/// Whether something of notifications is switched on.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum UNNotificationSetting: Int, Sendable {
    /// The app has not asked for it.
    case notSupported = 0
    /// It is off.
    case disabled = 1
    /// It is on.
    case enabled = 2
}

/// How notifications come into view.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum UNAlertStyle: Int, Sendable {
    /// Not at all.
    case none = 0
    /// For a moment.
    case banner = 1
    /// Until somebody does something.
    case alert = 2
}

/// What an app shows of a notification while it is on the screen itself.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Takes the bits as they are.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The number at its icon.
    public static let badge = Self(rawValue: 1 << 0)
    /// It is heard.
    public static let sound = Self(rawValue: 1 << 1)
    /// It is on the list, and comes into view.
    @available(*, deprecated, message: "Use list and banner")
    public static var alert: Self { Self(rawValue: 1 << 2) }
    /// It is on the list.
    public static let list = Self(rawValue: 1 << 3)
    /// It comes into view.
    public static let banner = Self(rawValue: 1 << 4)
}

/// What a person has set for the notifications of an app.
open class UNNotificationSettings: NSObject, NSCopying {
    /// Whether the app may show notifications.
    public let authorizationStatus: UNAuthorizationStatus
    /// Whether they are heard.
    public let soundSetting: UNNotificationSetting
    /// Whether there is a number at its icon.
    public let badgeSetting: UNNotificationSetting
    /// Whether they come into view.
    public let alertSetting: UNNotificationSetting
    /// Whether they are on the list.
    public let notificationCenterSetting: UNNotificationSetting
    /// Whether they are on the screen that is locked.
    public let lockScreenSetting: UNNotificationSetting
    /// Whether they come into a car.
    public let carPlaySetting: UNNotificationSetting
    /// Whether they are heard of a phone that is mute.
    public let criticalAlertSetting: UNNotificationSetting
    /// Whether they may come at once where others wait.
    public let timeSensitiveSetting: UNNotificationSetting
    /// Whether they come in a summary.
    public let scheduledDeliverySetting: UNNotificationSetting
    /// How they come into view.
    public let alertStyle: UNAlertStyle
    /// Whether Settings have a button that opens the app.
    public let providesAppNotificationSettings: Bool

    init(_ status: UNAuthorizationStatus, _ options: UNAuthorizationOptions) {
        let isLoud = status == .authorized
        let setting = { (option: UNAuthorizationOptions) -> UNNotificationSetting in
            guard options.contains(option) else { return .notSupported }
            return isLoud ? .enabled : .disabled
        }
        authorizationStatus = status
        (soundSetting, badgeSetting) = (setting(.sound), setting(.badge))
        (alertSetting, carPlaySetting) = (setting(.alert), setting(.carPlay))
        criticalAlertSetting = setting(.criticalAlert)
        lockScreenSetting = setting(.alert)
        notificationCenterSetting =
            status == .provisional ? .enabled : options.isEmpty ? .notSupported : setting(.alert)
        (timeSensitiveSetting, scheduledDeliverySetting) = (.notSupported, .disabled)
        alertStyle = alertSetting == .enabled ? .banner : .none
        providesAppNotificationSettings = options.contains(.providesAppNotificationSettings)
    }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
