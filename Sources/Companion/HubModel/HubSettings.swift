// SPDX-License-Identifier: Apache-2.0

public import Companion
public import LEDBulbCompanion
public import OverflowAreaCompanion

/// What people have set on a hub; it is kept in its database and so the same in every browser.
public struct HubSettings: EventPart, Hashable, Sendable {
    /// How pages look.
    public enum Theme: String, Hashable, Sendable, CaseIterable {
        /// As the system wants it.
        case system
        /// Dark on light.
        case light
        /// Light on dark.
        case dark
    }

    /// How lengths and speeds are written.
    public enum Units: String, Hashable, Sendable, CaseIterable {
        /// Metres and kilometres an hour.
        case metric
        /// Feet and miles an hour.
        case imperial
    }

    /// How sure a device must be for a detection to be kept, 0 to 1; what is below is dropped.
    public var minimumConfidence = 0.0
    /// How pages look.
    public var theme = Theme.system
    /// How lengths and speeds are written.
    public var units = Units.metric
    /// After how many days detections are deleted; `nil` for never.
    public var retentionDays: Int?
    /// How large the database may get, in millions of octets, before the oldest detections are deleted; `nil` for as
    /// large as it likes.
    public var sizeLimit: Int?
    /// Whether the hub notices cameras with its own radio, too; that hears Bluetooth only.
    public var detectsItself = false
    /// Where the hub is.
    public var location = Location()
    /// What lies under the detections on a map.
    public var map = MapSettings()
    /// How people are alerted.
    public var alerts = AlertSettings()
    /// Filters with names.
    public var savedFilters: [SavedFilter] = []
    /// Bulbs.
    public var bulbs = BulbSettings()
    /// The overflow area.
    public var overflow = OverflowSettings()
    /// Which links are encrypted.
    public var encryption = EncryptionSettings()

    /// Makes the settings that a new hub has.
    public init() {}

    /// Where a hub takes its position from.
    public struct Location: EventPart, Hashable, Sendable {
        /// Where it comes from.
        public var source = HubLocation.Source.none
        /// Where the hub stands, when a person has said so.
        public var position: Position?

        /// Takes it from nowhere.
        public init() {}

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.word("source", "Where the position comes from.", of: choices.map { $0.rawValue }) {
                $0.source.rawValue
            }
            schema.number("latitude", "Where the hub stands, in degrees north.") { $0.position?.latitude }
            schema.number("longitude", "Where the hub stands, in degrees east.") { $0.position?.longitude }
        }

        /// What a person can choose.
        static var choices: [HubLocation.Source] { [.none, .gpsd, .fixed, .browser] }
    }

    /// A filter with a name.
    public struct SavedFilter: EventPart, Hashable, Sendable {
        /// Its name.
        public var name: String
        /// The filter: the text of one JSON object.
        public var filter: [UInt8]

        /// Makes a filter.
        public init(name: String, filter: [UInt8]) {
            self.name = name
            self.filter = filter
        }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.text("name", "Its name.") { $0.name }
            schema.anything("filter", "The filter, as one object.") { $0.filter }
        }
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.number(
            "min_confidence",
            "How sure a device must be for a detection to be kept, 0 to 1."
        ) {
            $0.minimumConfidence
        }
        schema.word("theme", "How pages look.", of: Theme.allCases.map { $0.rawValue }) { $0.theme.rawValue }
        schema.word("units", "How lengths and speeds are written.", of: Units.allCases.map { $0.rawValue }) {
            $0.units.rawValue
        }
        schema.integer("retention_days", "After how many days detections are deleted; null for never.") {
            $0.retentionDays
        }
        schema.integer(
            "size_limit_mb",
            "How large the database may get, in millions of octets, before the oldest detections are deleted."
        ) { $0.sizeLimit }
        schema.flag(
            "this_radio",
            "Whether the hub notices cameras with its own radio, too; that hears Bluetooth only."
        ) { $0.detectsItself }
        schema.object("location", "Where the hub is.") { $0.location }
        schema.object("map", "What lies under the detections on a map.") { $0.map }
        schema.object("alerts", "How people are alerted.") { $0.alerts }
        schema.list("saved_filters", "Filters with names.") { $0.savedFilters }
        schema.object("bulbs", "Bulbs.") { $0.bulbs }
        schema.object("overflow", "The overflow area.") { $0.overflow }
        schema.object("encryption", "Which links are encrypted.") { $0.encryption }
    }
}

/// How people are alerted to detections.
public struct AlertSettings: EventPart, Hashable, Sendable {
    /// What is heard.
    public enum Sound: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case off
        /// One of six sounds.
        case chime, drop, knock, bell, sonar, alarm
    }

    /// What is heard.
    public var sound = Sound.chime
    /// How loud, 0 to 1.
    public var volume = 0.7
    /// How sure a device must be, 0 to 1.
    public var minimumConfidence = 0.5
    /// How long a source raises no other alert, in minutes.
    public var intervalMinutes = 30
    /// When nothing is heard.
    public var quiet = QuietHours()

    /// Makes the settings that a new hub has.
    public init() {}

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("sound", "What is heard.", of: Sound.allCases.map { $0.rawValue }) { $0.sound.rawValue }
        schema.number("volume", "How loud, 0 to 1.") { $0.volume }
        schema.number("min_confidence", "How sure a device must be, 0 to 1.") { $0.minimumConfidence }
        schema.integer("interval_minutes", "How long a source raises no other alert, in minutes.") {
            $0.intervalMinutes
        }
        schema.object("quiet", "When nothing is heard.") { $0.quiet }
    }
}

/// Hours of each day in which nothing is heard.
public struct QuietHours: EventPart, Hashable, Sendable {
    /// Whether there are any.
    public var isOn = false
    /// The minute of the day at which they begin.
    public var from = 22 * 60
    /// The minute of the day at which they end; before ``from`` it is one of the next day.
    public var to = 7 * 60

    /// Makes the hours that a new hub has: none.
    public init() {}

    /// Whether a minute of the day is one of them.
    ///
    /// - Parameter minute: The minute, 0 to 1439.
    /// - Returns: Whether nothing is heard then.
    public func contains(_ minute: Int) -> Bool {
        guard isOn else { return false }
        return from <= to ? (from..<to).contains(minute) : minute >= from || minute < to
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.flag("on", "Whether there are any.") { $0.isOn }
        schema.text("from", "When they begin, HH:MM.") { ClockMinute.text($0.from) }
        schema.text("to", "When they end, HH:MM.") { ClockMinute.text($0.to) }
    }
}

/// Minutes of the day as `HH:MM`.
enum ClockMinute {
    static func text(_ minute: Int) -> String {
        let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(digits(minute / 60)):\(digits(minute % 60))"
    }

    static func minute(_ text: String) -> Int? {
        let octets = Array(text.utf8)
        guard octets.count == 5, octets[2] == UInt8(ascii: ":") else { return nil }
        var numbers: [Int] = []
        for index in [0, 1, 3, 4] {
            guard (0x30...0x39).contains(octets[index]) else { return nil }
            numbers.append(Int(octets[index]) - 0x30)
        }
        let (hour, minute) = (numbers[0] * 10 + numbers[1], numbers[2] * 10 + numbers[3])
        return hour < 24 && minute < 60 ? hour * 60 + minute : nil
    }
}
