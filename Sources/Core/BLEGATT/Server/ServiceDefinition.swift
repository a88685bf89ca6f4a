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
        /// More of what may be done, which a descriptor says.
        ///
        /// Writable auxiliaries follow from the other descriptors.
        public var extendedProperties: ExtendedProperties

        /// Makes a characteristic.
        public init(
            _ uuid: BluetoothUUID,
            _ properties: Properties,
            handle: AttributeHandle? = nil,
            access: Access = Access(),
            value: ValueSource,
            extendedProperties: ExtendedProperties = [],
            descriptors: [DescriptorDefinition] = []
        ) {
            self.uuid = uuid
            self.properties = properties
            self.handle = handle
            self.access = access
            self.value = value
            self.extendedProperties = extendedProperties
            self.descriptors = descriptors
        }

        /// What may be done, with the sign that there is more.
        package var allProperties: Properties {
            allExtendedProperties.isEmpty ? properties : properties.union(.extendedProperties)
        }

        /// More of what may be done, with what the descriptors let a client write.
        package var allExtendedProperties: ExtendedProperties {
            let isWritable = descriptors.contains { descriptor in
                descriptor.uuid == AttributeType.userDescription && descriptor.isWritable
            }
            return isWritable ? extendedProperties.union(.writableAuxiliaries) : extendedProperties
        }

        /// Whether the descriptor that says the extended properties is among those given.
        package var hasExtendedProperties: Bool {
            descriptors.contains { $0.uuid == AttributeType.extendedProperties }
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
