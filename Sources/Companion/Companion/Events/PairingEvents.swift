// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// How well the keys of a device protect.
public struct ProtectionJSON: EventPart, Hashable, Sendable {
    /// How well: `encrypted`, `authenticated` or `secure_connections`.
    public let level: Level
    /// What the key has, in octets; `nil` when the radio does not tell.
    public let keySize: Int?
    /// Whether both sides keep the keys.
    public let isBonded: Bool

    /// How well a link is protected.
    public enum Level: String, CaseIterable, Hashable, Sendable {
        /// Nobody can read along, but somebody may stand in the middle.
        case encrypted
        /// Nobody stands in the middle.
        case authenticated
        /// The same, with keys of 128 bits made by LE Secure Connections.
        case secureConnections = "secure_connections"
    }

    /// Describes a protection.
    public init(_ level: Level, keySize: Int?, isBonded: Bool) {
        self.level = level
        self.keySize = keySize
        self.isBonded = isBonded
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word(
            "level",
            "How well: encrypted, authenticated (nobody in between) or the same by LE Secure Connections.",
            of: Level.allCases.map { $0.rawValue }
        ) { $0.level.rawValue }
        schema.integer("key_size", "The length of the key, in octets; BlueZ does not tell it.") { $0.keySize }
        schema.flag("bonded", "Whether both sides keep the keys.") { $0.isBonded }
    }
}

/// A link is encrypted now.
public struct LinkSecured: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "link_secured"
    /// When it happens.
    public static let summary: StaticString = "A link was paired, or encrypted with keys that were kept."

    /// The link's number; `nil` where there is only one.
    public let link: LinkID?
    /// The other end of the link.
    public let peer: Peer
    /// How well it is protected.
    public let protection: ProtectionJSON

    /// Makes the event.
    public init(link: LinkID? = nil, _ peer: Peer, _ protection: ProtectionJSON) {
        self.link = link
        self.peer = peer
        self.protection = protection
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.link { $0.link }
        schema.include { $0.protection }
    }
}

/// A device was not paired, or its link not encrypted.
public struct PairingFailed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "pairing_failed"
    /// When it happens.
    public static let summary: StaticString =
        "Pairing, or encryption with keys that were kept, came to nothing."

    /// The link's number; `nil` where there is only one.
    public let link: LinkID?
    /// The other end of the link.
    public let peer: Peer
    /// Why, and what to do.
    public let reason: String

    /// Makes the event.
    public init(link: LinkID? = nil, _ peer: Peer, reason: String) {
        self.link = link
        self.peer = peer
        self.reason = reason
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.link { $0.link }
        schema.text("reason", "Why, and what to do.") { $0.reason }
    }
}

/// Something is shown or asked while a device pairs.
public struct PairingAsked: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "pairing_question"
    /// When it happens.
    public static let summary: StaticString =
        "Six digits are to be shown while a device pairs, or a person is asked something."

    /// What is to be done.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Show the digits.
        case show
        /// Enter the digits that the device shows.
        case enter
        /// Say whether the device shows the same digits.
        case compare
        /// Say whether the device may pair.
        case consent
    }

    /// The device.
    public let peer: Peer
    /// What is to be done.
    public let kind: Kind
    /// The six digits; `nil` where they are to be entered, or there are none.
    public let digits: String?

    /// Makes the event.
    public init(_ peer: Peer, _ kind: Kind, digits: String?) {
        self.peer = peer
        self.kind = kind
        self.digits = digits
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.word(
            "kind",
            "Show these digits, enter those of the device, compare them (y or n), or consent (y or n).",
            of: Kind.allCases.map { $0.rawValue }
        ) { $0.kind.rawValue }
        schema.text("digits", "The six digits; null where they are to be entered, or there are none.") {
            $0.digits
        }
    }
}

/// What the other device has to get another way than by radio before it pairs.
public struct OutOfBandShown: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "out_of_band_data"
    /// When it happens.
    public static let summary: StaticString =
        "Before pairing: what the other device has to get another way than by radio, and nobody else."

    /// Advertising data, as an NFC tag has it.
    public let octets: [UInt8]

    /// Makes the event.
    public init(_ octets: [UInt8]) { self.octets = octets }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.octets(
            "octets",
            "Advertising data, as an NFC tag has it: confirmation value (0x22), random value (0x23), TK (0x10)."
        ) { $0.octets }
    }
}

/// A device that keys are kept of.
public struct BondKept: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "bond"
    /// When it happens.
    public static let summary: StaticString = "Keys of this device are kept."

    /// The device, by the address that stays.
    public let peer: Peer
    /// The adapter that the device knows.
    public let adapter: Peer
    /// How well the keys protect.
    public let protection: ProtectionJSON
    /// Whether it may hide behind changing addresses; `nil` when the radio does not tell.
    public let hasChangingAddress: Bool?
    /// Who keeps the keys.
    public let keeper: Keeper

    /// Who keeps keys.
    public enum Keeper: String, CaseIterable, Hashable, Sendable {
        /// This program.
        case lantern
        /// The system, for all programs.
        case bluez
    }

    /// Makes the event.
    public init(
        _ peer: Peer, of adapter: Peer, _ protection: ProtectionJSON, hasChangingAddress: Bool?,
        keptBy keeper: Keeper = .lantern
    ) {
        self.peer = peer
        self.adapter = adapter
        self.protection = protection
        self.hasChangingAddress = hasChangingAddress
        self.keeper = keeper
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.text("adapter", "The address of the adapter that the device knows.") { $0.adapter.plain }
        schema.include { $0.protection }
        schema.flag(
            "changing_address", "Whether the device may hide behind changing addresses; BlueZ does not tell."
        ) {
            $0.hasChangingAddress
        }
        schema.word(
            "keeper", "Who keeps the keys: this program, or BlueZ.", of: Keeper.allCases.map { $0.rawValue }
        ) {
            $0.keeper.rawValue
        }
    }
}

/// The keys of a device were forgotten.
public struct BondRemoved: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "bond_removed"
    /// When it happens.
    public static let summary: StaticString = "The keys of this device were forgotten."

    /// The device, by the address that stays.
    public let peer: Peer
    /// The adapter that the device knows.
    public let adapter: Peer

    /// Makes the event.
    public init(_ peer: Peer, of adapter: Peer) {
        self.peer = peer
        self.adapter = adapter
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.text("adapter", "The address of the adapter that the device knows.") { $0.adapter.plain }
    }
}
