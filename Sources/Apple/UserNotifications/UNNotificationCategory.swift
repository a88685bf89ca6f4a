// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How an action behaves.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Takes the bits as they are.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Only where the phone is unlocked.
    public static let authenticationRequired = Self(rawValue: 1 << 0)
    /// It is shown as one that takes something away.
    public static let destructive = Self(rawValue: 1 << 1)
    /// It opens the app.
    public static let foreground = Self(rawValue: 1 << 2)
}

/// The picture of an action.
open class UNNotificationActionIcon: NSObject, NSCopying {
    let name: String

    private init(_ name: String) { self.name = name }

    /// Takes a picture of the system.
    ///
    /// - Parameter systemImageName: Its name.
    public convenience init(systemImageName: String) { self.init(systemImageName) }

    /// Takes a picture of the app.
    ///
    /// - Parameter templateImageName: Its name.
    public convenience init(templateImageName: String) { self.init(templateImageName) }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A button below a notification.
open class UNNotificationAction: NSObject, NSCopying {
    /// How the app calls it.
    public let identifier: String
    /// What is on it.
    public let title: String
    /// How it behaves.
    public let options: UNNotificationActionOptions
    /// Its picture.
    public let icon: UNNotificationActionIcon?

    /// Makes one.
    ///
    /// - Parameters:
    ///   - identifier: How the app calls it.
    ///   - title: What is on it.
    ///   - options: How it behaves.
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = []
    ) {
        self.init(identifier: identifier, title: title, options: options, icon: nil)
    }

    /// Makes one with a picture.
    ///
    /// - Parameters:
    ///   - identifier: How the app calls it.
    ///   - title: What is on it.
    ///   - options: How it behaves.
    ///   - icon: The picture.
    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?
    ) {
        (self.identifier, self.title, self.options, self.icon) = (identifier, title, options, icon)
    }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A button below a notification that asks for a text.
open class UNTextInputNotificationAction: UNNotificationAction {
    /// What is on the button that sends it.
    public let textInputButtonTitle: String
    /// What stands in the field while it is empty.
    public let textInputPlaceholder: String

    /// Makes one.
    ///
    /// - Parameters:
    ///   - identifier: How the app calls it.
    ///   - title: What is on it.
    ///   - options: How it behaves.
    ///   - textInputButtonTitle: What is on the button that sends the text.
    ///   - textInputPlaceholder: What stands in the field while it is empty.
    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        self.textInputButtonTitle = textInputButtonTitle
        self.textInputPlaceholder = textInputPlaceholder
        super.init(identifier: identifier, title: title, options: options, icon: nil)
    }
}

/// How notifications of a kind behave.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Takes the bits as they are.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The app is told when one is wiped away.
    public static let customDismissAction = Self(rawValue: 1 << 0)
    /// They come into a car, too.
    public static let allowInCarPlay = Self(rawValue: 1 << 1)
    /// The title is shown even where the text is hidden.
    public static let hiddenPreviewsShowTitle = Self(rawValue: 1 << 2)
    /// The second line is shown even where the text is hidden.
    public static let hiddenPreviewsShowSubtitle = Self(rawValue: 1 << 3)
}

/// A kind of notification, and its buttons.
open class UNNotificationCategory: NSObject, NSCopying {
    /// How the app calls it.
    public let identifier: String
    /// The buttons.
    public let actions: [UNNotificationAction]
    /// The intents that it belongs to.
    public let intentIdentifiers: [String]
    /// How they behave.
    public let options: UNNotificationCategoryOptions
    /// What stands there where the text is hidden.
    public let hiddenPreviewsBodyPlaceholder: String

    /// Makes one.
    ///
    /// - Parameters:
    ///   - identifier: How the app calls it.
    ///   - actions: The buttons.
    ///   - intentIdentifiers: The intents that it belongs to.
    ///   - options: How they behave.
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: "", options: options)
    }

    /// Makes one that says something where the text is hidden.
    ///
    /// - Parameters:
    ///   - identifier: How the app calls it.
    ///   - actions: The buttons.
    ///   - intentIdentifiers: The intents that it belongs to.
    ///   - hiddenPreviewsBodyPlaceholder: What stands there where the text is hidden.
    ///   - options: How they behave.
    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
    ) {
        (self.identifier, self.actions, self.intentIdentifiers) = (identifier, actions, intentIdentifiers)
        (self.hiddenPreviewsBodyPlaceholder, self.options) = (hiddenPreviewsBodyPlaceholder, options)
    }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Says whether it is of the same name.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationCategory)?.identifier == identifier
    }

    /// A number that those of one name share.
    open override var hash: Int { identifier.hashValue }
}
