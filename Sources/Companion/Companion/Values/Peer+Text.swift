// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension Peer {
    /// The address without its kind, else what the platform calls the device.
    public var plain: String { address?.description ?? identifier?.description ?? "" }

    /// As commands take it, with its kind.
    public var title: String { isAnonymous ? "anonymous" : description }

    /// Whether it is an advertiser that does not say who it is.
    public var isAnonymous: Bool { address?.kind == .anonymous }

    /// What kind of name it is, as JSON spells it.
    public var kindWord: String {
        switch address?.kind {
        case .public: "public"
        case .random: "random"
        case .anonymous: "anonymous"
        case nil: "identifier"
        }
    }

    /// All that ``kindWord`` may be.
    public static var kindWords: [String] { ["public", "random", "anonymous", "identifier"] }
}

extension EventSchema {
    /// A device: the values `address` and `address_kind`, as every event about a device has them.
    public mutating func device(_ value: (Part) -> Peer) {
        text("address", "The device's address, or what the platform calls it.") { value($0).plain }
        word("address_kind", "What kind of address that is.", of: Peer.kindWords) { value($0).kindWord }
    }

    /// A device that may be unknown: the values `address` and `address_kind`, or null.
    ///
    /// An advertiser that does not say who it is has no address, and is of the kind `anonymous`.
    public mutating func device(_ value: (Part) -> Peer?) {
        text("address", "The device's address, or what the platform calls it; null when it is not known.") {
            value($0).flatMap { $0.isAnonymous ? nil : $0.plain }
        }
        word("address_kind", "What kind of address that is.", of: Peer.kindWords) { value($0)?.kindWord }
    }
}
