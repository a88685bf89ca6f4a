// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion

/// A device whose keys a hub keeps.
public struct HubBond: EventPart, Hashable, Sendable {
    /// The device, by the address that stays.
    public let peer: Peer
    /// What it is called, as far as that is known.
    public let name: String?
    /// The number of the device, where the hub lists it.
    public let device: Int?
    /// The adapter that the device knows; `nil` when the radio does not tell.
    public let adapter: Peer?
    /// How well the keys protect.
    public let protection: ProtectionJSON
    /// Whether it may hide behind changing addresses; `nil` when the radio does not tell.
    public let hasChangingAddress: Bool?

    /// Describes a bond.
    public init(
        _ peer: Peer, name: String?, device: Int?, of adapter: Peer?, _ protection: ProtectionJSON,
        hasChangingAddress: Bool?
    ) {
        self.peer = peer
        self.name = name
        self.device = device
        self.adapter = adapter
        self.protection = protection
        self.hasChangingAddress = hasChangingAddress
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { Optional($0.peer) }
        schema.text("name", "What it is called, if that is known.") { $0.name }
        schema.integer("device", "The number of the device; null where the hub does not list it.") {
            $0.device
        }
        schema.text("adapter", "The address of the adapter that the device knows; null where it is not told.")
        {
            $0.adapter?.plain
        }
        schema.include { $0.protection }
        schema.flag("changing_address", "Whether it may hide behind changing addresses; BlueZ does not tell.")
        {
            $0.hasChangingAddress
        }
    }
}
