// SPDX-License-Identifier: Apache-2.0

public import Companion
import LEDBulbCompanion
import OverflowAreaCompanion

extension HubSettings {
    /// How many filters may be saved.
    public static let filterLimit = 100
    /// How many octets of JSON a saved filter may have.
    public static let filterOctets = 4096

    /// The names under which the parts are stored.
    public static let names = [
        "min_confidence", "theme", "units", "retention_days", "size_limit_mb", "this_radio", "location",
        "map", "alerts", "saved_filters",
        "bulbs",
        "overflow", "encryption",
    ]

    /// Takes what a database has; a value that makes no sense any more is the one that a new hub has.
    ///
    /// - Parameter stored: The settings by name, each the text of one JSON value.
    public init(stored: [String: String]) {
        for name in Self.names {
            guard let text = stored[name], let node = try? JSONReader.read(Array(text.utf8)),
                let merged = try? merging(
                    JSONNode(line: 1, value: .object([JSONNode.Member(key: name, node: node)])))
            else { continue }
            self = merged
        }
    }

    /// The settings by name, each the text of one JSON value.
    public var stored: [String: String] {
        var json = JSONWriter()
        write(into: &json)
        var values: [String: String] = [:]
        // What was just written can be read.
        if let node = try? JSONReader.read(json.octets), case .object(let members) = node.value {
            for member in members { values[member.key] = member.node.json.text }
        }
        return values
    }

    /// Changes some of the settings.
    ///
    /// Spec: RFC 7396; null is what a new hub has.
    ///
    /// - Parameter patch: The changes: an object with the values that are to be others.
    /// - Returns: The settings with the changes.
    /// - Throws: ``BadInput`` with a sentence that says what a value may be.
    public func merging(_ patch: JSONNode) throws(BadInput) -> HubSettings {
        do throws(JSONDecodingError) {
            var settings = self
            try settings.merge(patch)
            return settings
        } catch {
            throw BadInput(error.reason + ".")
        }
    }

    /// The same settings, where each value is one that people can set.
    ///
    /// - Returns: The settings, as they are read again once they are stored.
    /// - Throws: ``BadInput`` with a sentence that says what a value may be.
    package func checked() throws(BadInput) -> HubSettings {
        var json = JSONWriter()
        write(into: &json)
        guard let node = try? JSONReader.read(json.octets) else {
            throw BadInput("The filter of a saved filter must be one JSON object.")
        }
        return try HubSettings().merging(node)
    }

    private mutating func merge(_ patch: JSONNode) throws(JSONDecodingError) {
        let new = HubSettings()
        try patch.allow(only: Self.names)
        guard case .object(let members) = patch.value else { return }
        for member in members {
            let node = member.node
            let isReset = node.value == .null
            switch member.key {
            case "min_confidence":
                minimumConfidence =
                    isReset ? new.minimumConfidence : try node.number("The minimum confidence", in: 0.0...1)
            case "theme": theme = try node.choice("The theme", new.theme, of: Theme.allCases)
            case "units": units = try node.choice("The units", new.units, of: Units.allCases)
            case "retention_days":
                retentionDays =
                    isReset ? nil : try node.number("The days that detections are kept", in: 1...36_500)
            case "size_limit_mb":
                sizeLimit =
                    isReset ? nil : try node.number("The size of the database in MB", in: 10...10_000_000)
            case "this_radio":
                detectsItself =
                    isReset ? new.detectsItself : try node.flag("Whether this radio notices cameras")
            case "location": if isReset { location = new.location } else { try location.merge(node) }
            case "map": if isReset { map = new.map } else { try map.merge(node) }
            case "alerts": if isReset { alerts = new.alerts } else { try alerts.merge(node) }
            case "bulbs": if isReset { bulbs = new.bulbs } else { try bulbs.merge(node) }
            case "overflow": if isReset { overflow = new.overflow } else { try overflow.merge(node) }
            case "encryption":
                if isReset { encryption = new.encryption } else { try encryption.merge(node) }
            default: savedFilters = isReset ? [] : try Self.filters(node)
            }
        }
    }

    private static func filters(_ node: JSONNode) throws(JSONDecodingError) -> [SavedFilter] {
        let elements = try node.elements("The saved filters")
        guard elements.count <= filterLimit else {
            throw node.fault("There may be \(filterLimit) saved filters at most")
        }
        var filters: [SavedFilter] = []
        for element in elements {
            try element.allow(only: ["name", "filter"])
            let name = try element.needed("name").text("The name of a filter")
            guard !name.isEmpty, name.utf8.count <= 200 else {
                throw element.fault("The name of a filter must have 1 to 200 octets")
            }
            let filter = try element.needed("filter")
            guard case .object = filter.value else { throw filter.fault("A filter must be an object") }
            let json = filter.json.octets
            guard json.count <= filterOctets else {
                throw filter.fault("A filter may have \(filterOctets) octets at most")
            }
            filters.append(SavedFilter(name: name, filter: json))
        }
        return filters
    }
}

extension HubSettings.Location {
    fileprivate mutating func merge(_ node: JSONNode) throws(JSONDecodingError) {
        try node.allow(only: ["source", "latitude", "longitude"])
        guard case .object(let members) = node.value else { return }
        var (latitude, longitude) = (position?.latitude, position?.longitude)
        for member in members {
            let isReset = member.node.value == .null
            switch member.key {
            case "source": source = try member.node.choice("The location", .none, of: Self.choices)
            case "latitude":
                latitude = isReset ? nil : try member.node.number("The latitude", in: -90.0...90)
            default: longitude = isReset ? nil : try member.node.number("The longitude", in: -180.0...180)
            }
        }
        if let latitude, let longitude {
            position = Position(latitude: latitude, longitude: longitude)
        } else if latitude == nil, longitude == nil {
            position = nil
        } else {
            throw node.fault("A place needs both a latitude and a longitude")
        }
        guard source == .fixed else { return }
        guard let position else { throw node.fault("A fixed place needs a latitude and a longitude") }
        if Position.isNowhere(position.latitude, position.longitude) {
            throw node.fault(
                "0,0 is not a place: programs write it when they know none. Give the latitude and the longitude of where the hub stands"
            )
        }
    }
}

extension AlertSettings {
    fileprivate mutating func merge(_ node: JSONNode) throws(JSONDecodingError) {
        let new = AlertSettings()
        try node.allow(only: ["sound", "volume", "min_confidence", "interval_minutes", "quiet"])
        guard case .object(let members) = node.value else { return }
        for member in members {
            let node = member.node
            let isReset = node.value == .null
            switch member.key {
            case "sound": sound = try node.choice("The sound", new.sound, of: Sound.allCases)
            case "volume": volume = isReset ? new.volume : try node.number("The volume", in: 0.0...1)
            case "min_confidence":
                minimumConfidence =
                    isReset
                    ? new.minimumConfidence
                    : try node.number("The minimum confidence of alerts", in: 0.0...1)
            case "interval_minutes":
                intervalMinutes =
                    isReset
                    ? new.intervalMinutes : try node.number("The minutes between alerts", in: 0...10_080)
            default: if isReset { quiet = new.quiet } else { try quiet.merge(node) }
            }
        }
    }
}

extension QuietHours {
    fileprivate mutating func merge(_ node: JSONNode) throws(JSONDecodingError) {
        let new = QuietHours()
        try node.allow(only: ["on", "from", "to"])
        guard case .object(let members) = node.value else { return }
        for member in members {
            let isReset = member.node.value == .null
            switch member.key {
            case "on": isOn = isReset ? new.isOn : try member.node.flag("Whether quiet hours are on")
            case "from": from = isReset ? new.from : try Self.minute(member.node)
            default: to = isReset ? new.to : try Self.minute(member.node)
            }
        }
    }

    private static func minute(_ node: JSONNode) throws(JSONDecodingError) -> Int {
        guard let minute = ClockMinute.minute(try node.text("A quiet hour")) else {
            throw node.fault("A quiet hour must be a time from 00:00 to 23:59")
        }
        return minute
    }
}
