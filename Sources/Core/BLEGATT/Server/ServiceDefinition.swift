// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension GATT {
    /// A service that a server offers.
    public struct ServiceDefinition: Sendable {
        /// What the service is.
        public var uuid: BluetoothUUID
        /// Whether it is a primary service.
        public var isPrimary: Bool
        /// The kinds of the services that it includes, in the order of their handles.
        public var includes: [BluetoothUUID]
        /// Its characteristics, in the order of their handles.
        public var characteristics: [CharacteristicDefinition]
        /// The handle of its declaration; `nil` takes the next free one.
        public var handle: AttributeHandle?

        /// Makes a service.
        ///
        /// - Parameters:
        ///   - uuid: What the service is.
        ///   - isPrimary: Whether it is a primary service.
        ///   - handle: The handle of its declaration; `nil` takes the next free one.
        ///   - includes: The kinds of the services that it includes.
        ///   - characteristics: Its characteristics.
        public init(
            _ uuid: BluetoothUUID,
            isPrimary: Bool = true,
            handle: AttributeHandle? = nil,
            includes: [BluetoothUUID] = [],
            characteristics: [CharacteristicDefinition]
        ) {
            self.uuid = uuid
            self.isPrimary = isPrimary
            self.handle = handle
            self.includes = includes
            self.characteristics = characteristics
        }
    }

    /// A characteristic that a server offers.
    ///
    /// One with notify or indicate gets a client characteristic configuration by itself.
    public struct CharacteristicDefinition: Sendable {
        /// What the value is.
        public var uuid: BluetoothUUID
        /// What may be done with the value.
        public var properties: Properties
        /// What a link must be before that.
        public var access: Access
        /// Where the value is.
        public var value: ValueSource
        /// More descriptors, in the order of their handles.
        public var descriptors: [DescriptorDefinition]
        /// The handle of its declaration, before that of the value; `nil` takes the next free one.
        public var handle: AttributeHandle?

        /// Makes a characteristic.
        ///
        /// - Parameters:
        ///   - uuid: What the value is.
        ///   - properties: What may be done with the value.
        ///   - handle: The handle of its declaration; `nil` takes the next free one.
        ///   - access: What a link must be before the value may be read, written or subscribed to.
        ///   - value: Where the value is.
        ///   - descriptors: More descriptors.
        public init(
            _ uuid: BluetoothUUID,
            _ properties: Properties,
            handle: AttributeHandle? = nil,
            access: Access = Access(),
            value: ValueSource,
            descriptors: [DescriptorDefinition] = []
        ) {
            self.uuid = uuid
            self.properties = properties
            self.handle = handle
            self.access = access
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
        /// What a link must be before it may be read.
        public var security: Security

        /// Makes a descriptor.
        ///
        /// - Parameters:
        ///   - uuid: What the descriptor says.
        ///   - value: Its value.
        ///   - security: What a link must be before it may be read.
        public init(_ uuid: BluetoothUUID, value: [UInt8], security: Security = .none) {
            self.security = security
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
