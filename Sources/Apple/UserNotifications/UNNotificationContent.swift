// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How much a notification may disturb.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// It comes onto the list only.
    case passive = 0
    /// It comes into view, and is heard.
    case active = 1
    /// It comes into view at once, where others wait.
    case timeSensitive = 2
    /// It is heard even of a phone that is mute.
    case critical = 3
}

/// The name of a sound of the app.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Takes a name.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes a name.
    ///
    /// - Parameter rawValue: The name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// What is heard with a notification.
open class UNNotificationSound: NSObject, NSCopying {
    private let name: UNNotificationSoundName?

    private init(_ name: UNNotificationSoundName?) { self.name = name }

    /// Takes a sound of the app.
    ///
    /// - Parameter name: Its name.
    public convenience init(named name: UNNotificationSoundName) { self.init(name) }

    /// The sound of the system.
    open class var `default`: UNNotificationSound { UNNotificationSound(nil) }
    /// The sound of the system for what is critical.
    open class var defaultCritical: UNNotificationSound { UNNotificationSound(nil) }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Says whether it is the same sound.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSound).map { $0.name == name } ?? false
    }

    /// A number that the same sounds share.
    open override var hash: Int { name.hashValue }
}

/// What is written on a notification, and what comes with it.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    struct Fields {
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var (title, subtitle, body) = ("", "", "")
        var (category, thread, image) = ("", "", "")
        var target: String?
        var userInfo: [AnyHashable: Any] = [:]
        var level = UNNotificationInterruptionLevel.active
        var relevance = 0.0
        var filter: String?
    }

    var fields = Fields()

    /// Makes an empty one.
    public override init() {}

    /// The number at the app's icon; 0 takes it away, `nil` leaves it.
    open var badge: NSNumber? { fields.badge }
    /// What is heard.
    open var sound: UNNotificationSound? { fields.sound }
    /// The first line.
    open var title: String { fields.title }
    /// The second line.
    open var subtitle: String { fields.subtitle }
    /// The text.
    open var body: String { fields.body }
    /// What kind it is of, which has its actions.
    open var categoryIdentifier: String { fields.category }
    /// Which notifications lie on one pile.
    open var threadIdentifier: String { fields.thread }
    /// What is shown while the app starts.
    open var launchImageName: String { fields.image }
    /// Which window it is for.
    open var targetContentIdentifier: String? { fields.target }
    /// What the app keeps with it.
    open var userInfo: [AnyHashable: Any] { fields.userInfo }
    /// How much it may disturb.
    open var interruptionLevel: UNNotificationInterruptionLevel { fields.level }
    /// How far up in a summary, 0 to 1.
    open var relevanceScore: Double { fields.relevance }
    /// By what a Focus filters it.
    open var filterCriteria: String? { fields.filter }

    /// One with the same, which does not change.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UNNotificationContent()
        copy.fields = fields
        return copy
    }

    /// One with the same, which can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UNMutableNotificationContent()
        copy.fields = fields
        return copy
    }
}

/// What is to be written on a notification.
open class UNMutableNotificationContent: UNNotificationContent {
    /// The number at the app's icon; 0 takes it away, `nil` leaves it.
    open override var badge: NSNumber? {
        get { fields.badge }
        set { fields.badge = newValue }
    }
    /// What is heard.
    open override var sound: UNNotificationSound? {
        get { fields.sound }
        set { fields.sound = newValue }
    }
    /// The first line.
    open override var title: String {
        get { fields.title }
        set { fields.title = newValue }
    }
    /// The second line.
    open override var subtitle: String {
        get { fields.subtitle }
        set { fields.subtitle = newValue }
    }
    /// The text.
    open override var body: String {
        get { fields.body }
        set { fields.body = newValue }
    }
    /// What kind it is of, which has its actions.
    open override var categoryIdentifier: String {
        get { fields.category }
        set { fields.category = newValue }
    }
    /// Which notifications lie on one pile.
    open override var threadIdentifier: String {
        get { fields.thread }
        set { fields.thread = newValue }
    }
    /// What is shown while the app starts.
    open override var launchImageName: String {
        get { fields.image }
        set { fields.image = newValue }
    }
    /// Which window it is for.
    open override var targetContentIdentifier: String? {
        get { fields.target }
        set { fields.target = newValue }
    }
    /// What the app keeps with it.
    open override var userInfo: [AnyHashable: Any] {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }
    /// How much it may disturb.
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { fields.level }
        set { fields.level = newValue }
    }
    /// How far up in a summary, 0 to 1.
    open override var relevanceScore: Double {
        get { fields.relevance }
        set { fields.relevance = newValue }
    }
    /// By what a Focus filters it.
    open override var filterCriteria: String? {
        get { fields.filter }
        set { fields.filter = newValue }
    }
}
