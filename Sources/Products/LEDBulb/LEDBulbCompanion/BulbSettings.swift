// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import LEDBulb

/// What people have set about bulbs on a hub.
public struct BulbSettings: EventPart, Hashable, Sendable {
    /// How many favourites there may be, and how many bulbs whose dialect somebody has chosen.
    public static let limits = (favourites: 24, dialects: 100)

    /// A bulb whose dialect somebody has chosen.
    public struct Choice: EventPart, Hashable, Sendable {
        /// The bulb, as the interface writes addresses.
        public var address: String
        /// What it speaks.
        public var dialect: BulbDialect

        /// Makes a choice.
        public init(address: String, dialect: BulbDialect) {
            self.address = address
            self.dialect = dialect
        }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.text("address", "The bulb.") { $0.address }
            schema.word("dialect", "What it speaks.", of: BulbDialect.all.map { $0.keyword.string }) {
                $0.dialect.keyword.string
            }
        }
    }

    /// Colours that are kept at hand.
    public var favourites = [0x7C6BFF, 0xFF5C9E, 0xFF9B2F, 0x3CC98A, 0x2FA8FF, 0xFFE2B8].map {
        RGBColor(rgb: $0)
    }
    /// Bulbs whose dialect somebody has chosen.
    public var dialects: [Choice] = []

    /// Makes the settings that a new hub has.
    public init() {}

    /// What somebody has chosen for a bulb.
    ///
    /// - Parameter address: The bulb, as the interface writes addresses.
    /// - Returns: The dialect; `nil` when nobody has.
    public func dialect(of address: String) -> BulbDialect? {
        dialects.last { $0.address == address }?.dialect
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.list("favourites", "Colours that are kept at hand.") { $0.favourites.map { $0.description } }
        schema.list("dialects", "Bulbs whose dialect somebody has chosen.") { $0.dialects }
    }

    package mutating func merge(_ node: JSONNode) throws(JSONDecodingError) {
        let new = BulbSettings()
        try node.allow(only: ["favourites", "dialects"])
        guard case .object(let members) = node.value else { return }
        for member in members {
            let isReset = member.node.value == .null
            switch member.key {
            case "favourites": favourites = isReset ? new.favourites : try Self.colors(member.node)
            default: dialects = isReset ? [] : try Self.choices(member.node)
            }
        }
    }

    private static func colors(_ node: JSONNode) throws(JSONDecodingError) -> [RGBColor] {
        var colors: [RGBColor] = []
        for element in try node.elements("The favourites", atMost: limits.favourites) {
            let text = try element.text("A favourite")
            guard let color = RGBColor(text) else {
                throw element.fault("A favourite must be a colour such as #ff8800")
            }
            if !colors.contains(color) { colors.append(color) }
        }
        return colors
    }

    private static func choices(_ node: JSONNode) throws(JSONDecodingError) -> [Choice] {
        var choices: [Choice] = []
        for element in try node.elements("The dialects", atMost: limits.dialects) {
            try element.allow(only: ["address", "dialect"])
            let address = try element.needed("address").text("The address of a bulb")
            guard !address.isEmpty, address.utf8.count <= 64 else {
                throw element.fault("The address of a bulb must have 1 to 64 octets")
            }
            let keyword = try element.needed("dialect").text("The dialect")
            guard let dialect = BulbDialect.named(WireText(keyword)) else {
                let words = BulbDialect.all.map { $0.keyword.string }.joined(separator: ", ")
                throw element.fault("The dialect must be one of \(words)")
            }
            choices.removeAll { $0.address == address }
            choices.append(Choice(address: address, dialect: dialect))
        }
        return choices
    }
}
