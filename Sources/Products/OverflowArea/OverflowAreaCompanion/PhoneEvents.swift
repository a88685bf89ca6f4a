// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import OverflowArea

/// The simulated iPhone's app is in the background.
public struct PhoneInBackground: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "phone_background"
    /// When it happens.
    public static let summary: StaticString = "The app of a simulated iPhone is in the background."

    /// Its map.
    public let map: OverflowMap

    /// Makes the event.
    public init(_ map: OverflowMap) { self.map = map }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.octets("octets", "The map of its services.") { $0.map.octets }
    }
}

/// The simulated iPhone's app is in the foreground.
public struct PhoneInForeground: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "phone_foreground"
    /// When it happens.
    public static let summary: StaticString = "The app of a simulated iPhone is in the foreground."

    /// The service that is named.
    public let uuid: BluetoothUUID?
    /// The map of the others, if there are others.
    public let map: OverflowMap?

    /// Makes the event.
    public init(_ uuid: BluetoothUUID?, _ map: OverflowMap?) {
        self.uuid = uuid
        self.map = map
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "The service that is named.") { $0.uuid?.description }
        schema.octets("octets", "The map of the others; null when there are none.") { $0.map?.octets }
    }
}
