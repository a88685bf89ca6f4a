// SPDX-License-Identifier: Apache-2.0

// GATT's API speaks of ATT's errors and limits, so whoever imports GATT has them.
@_exported public import BLEATT
public import BLEWire

/// The Generic Attribute Profile.
///
/// Spec: Core v5.4, Vol 3, Part G.
public enum GATT {
    /// The types of the attributes that make up a database.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 3.
    public enum AttributeType {
        /// «Primary Service».
        public static let primaryService = BluetoothUUID(0x2800)
        /// «Secondary Service».
        public static let secondaryService = BluetoothUUID(0x2801)
        /// «Include».
        public static let include = BluetoothUUID(0x2802)
        /// «Characteristic».
        public static let characteristic = BluetoothUUID(0x2803)
        /// «Characteristic Extended Properties».
        public static let extendedProperties = BluetoothUUID(0x2900)
        /// «Characteristic User Description».
        public static let userDescription = BluetoothUUID(0x2901)
        /// «Client Characteristic Configuration».
        public static let clientConfiguration = BluetoothUUID(0x2902)
        /// «Server Characteristic Configuration».
        public static let serverConfiguration = BluetoothUUID(0x2903)
        /// «Characteristic Presentation Format».
        public static let presentationFormat = BluetoothUUID(0x2904)
        /// «Characteristic Aggregate Format».
        public static let aggregateFormat = BluetoothUUID(0x2905)
    }

    /// What may be done with a characteristic's value.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 3.3.1.1.
    @frozen
    public struct Properties: OptionSet, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Stands in advertisements when so configured.
        public static let broadcast = Properties(rawValue: 0x01)
        /// May be read.
        public static let read = Properties(rawValue: 0x02)
        /// May be written without an answer.
        public static let writeWithoutResponse = Properties(rawValue: 0x04)
        /// May be written with an answer.
        public static let write = Properties(rawValue: 0x08)
        /// May be notified.
        public static let notify = Properties(rawValue: 0x10)
        /// May be indicated.
        public static let indicate = Properties(rawValue: 0x20)
        /// May be written with a signature.
        public static let authenticatedSignedWrites = Properties(rawValue: 0x40)
        /// More properties stand in a descriptor.
        public static let extendedProperties = Properties(rawValue: 0x80)
    }

    /// How a server sends values on its own.
    @frozen
    public enum ValueKind: Hashable, Sendable {
        /// Handle Value Notification: not acknowledged.
        case notify
        /// Handle Value Indication: confirmed by the client.
        case indicate
    }

    /// What a client has switched on for a characteristic.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 3.3.3.3.
    @frozen
    public struct Subscription: OptionSet, Hashable, Sendable {
        /// The two octets of the client characteristic configuration.
        public let rawValue: UInt16

        /// Wraps the two octets.
        @inlinable
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Values are notified.
        public static let notify = Subscription(rawValue: 0x0001)
        /// Values are indicated.
        public static let indicate = Subscription(rawValue: 0x0002)
    }
}
