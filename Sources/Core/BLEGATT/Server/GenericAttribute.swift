// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension GATT {
    /// The characteristics of the Generic Attribute service.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 7.
    public enum CharacteristicType {
        /// «Service Changed»: which handles mean something else now.
        public static let serviceChanged = BluetoothUUID(0x2A05)
        /// «Client Supported Features»: what a client can do; each has its own.
        public static let clientSupportedFeatures = BluetoothUUID(0x2B29)
        /// «Database Hash»: changes when what discovery finds changes.
        public static let databaseHash = BluetoothUUID(0x2B2A)
        /// «Server Supported Features».
        public static let serverSupportedFeatures = BluetoothUUID(0x2B3A)
    }

    /// What a client says it can do.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 7.2.
    @frozen
    public struct ClientFeatures: OptionSet, Hashable, Sendable {
        /// The first octet of the characteristic.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It wants Database Out Of Sync for requests made before it knows of a change.
        public static let robustCaching = ClientFeatures(rawValue: 0x01)
        /// It can take ATT over several L2CAP channels.
        public static let enhancedBearer = ClientFeatures(rawValue: 0x02)
        /// It can take several values in one notification.
        public static let multipleNotifications = ClientFeatures(rawValue: 0x04)
        /// All that have a meaning.
        public static let all: ClientFeatures = [.robustCaching, .enhancedBearer, .multipleNotifications]
    }
}

extension GATT.ServiceDefinition {
    /// The Generic Attribute service of a server whose services may change.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 7.
    public static let genericAttribute = GATT.ServiceDefinition(
        BluetoothUUID(0x1801),
        characteristics: [
            .init(GATT.CharacteristicType.serviceChanged, .indicate, value: .stored([])),
            .init(GATT.CharacteristicType.clientSupportedFeatures, [.read, .write], value: .stored([])),
            .init(GATT.CharacteristicType.databaseHash, .read, value: .stored([])),
        ])
}
