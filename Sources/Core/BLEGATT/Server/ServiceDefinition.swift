// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension GATT {
    /// A service that a server offers.
    public struct ServiceDefinition: Sendable {
        /// What the service is.
        public var uuid: BluetoothUUID
        /// Whether it is a primary service.
        public var isPrimary: Bool
        /// Its characteristics, in the order of their handles.
        public var characteristics: [CharacteristicDefinition]

        /// Makes a service.
        ///
        /// - Parameters:
        ///   - uuid: What the service is.
        ///   - isPrimary: Whether it is a primary service.
        ///   - characteristics: Its characteristics.
        public init(
            _ uuid: BluetoothUUID, isPrimary: Bool = true, characteristics: [CharacteristicDefinition]
        ) {
            self.uuid = uuid
            self.isPrimary = isPrimary
            self.characteristics = characteristics
        }
    }

    /// A characteristic that a server offers.
    ///
    /// One with notify or indicate gets a client characteristic configuration by itself.
    public struct CharacteristicDefinition: Sendable {
        /// What the value is.
        public var uuid: BluetoothUUID
        /// What may be done with the value; reading and writing are allowed by this alone.
        public var properties: Properties
        /// Where the value is.
        public var value: ValueSource
        /// More descriptors, in the order of their handles.
        public var descriptors: [DescriptorDefinition]

        /// Makes a characteristic.
        ///
        /// - Parameters:
        ///   - uuid: What the value is.
        ///   - properties: What may be done with the value.
        ///   - value: Where the value is.
        ///   - descriptors: More descriptors.
        public init(
            _ uuid: BluetoothUUID,
            _ properties: Properties,
            value: ValueSource,
            descriptors: [DescriptorDefinition] = []
        ) {
            self.uuid = uuid
            self.properties = properties
            self.value = value
            self.descriptors = descriptors
        }
    }

    /// A descriptor that a server offers; it can be read.
    public struct DescriptorDefinition: Sendable {
        /// What the descriptor says.
        public var uuid: BluetoothUUID
        /// Its value.
        public var value: [UInt8]

        /// Makes a descriptor.
        ///
        /// - Parameters:
        ///   - uuid: What the descriptor says.
        ///   - value: Its value.
        public init(_ uuid: BluetoothUUID, value: [UInt8]) {
            self.uuid = uuid
            self.value = value
        }
    }

    /// Where the value of a server's attribute is.
    public enum ValueSource: Hashable, Sendable {
        /// In the server, which answers reads and keeps writes by itself.
        case stored([UInt8])
        /// With the session: each read and write is passed on, and answered when the session has answered.
        case delegated
    }
}
