// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension GATT {
    /// A service as a client found it.
    public struct Service: Hashable, Sendable {
        /// What the service is.
        public var uuid: BluetoothUUID
        /// The handle of its declaration.
        public var handle: AttributeHandle
        /// The last handle that belongs to it.
        public var endHandle: AttributeHandle
        /// Whether it is a primary service.
        public var isPrimary: Bool
        /// The services that it includes, in handle order.
        public var includes: [Include]
        /// Its characteristics, in handle order.
        public var characteristics: [Characteristic]

        /// Makes a service.
        public init(
            uuid: BluetoothUUID,
            handle: AttributeHandle,
            endHandle: AttributeHandle,
            isPrimary: Bool = true,
            includes: [Include] = [],
            characteristics: [Characteristic] = []
        ) {
            self.uuid = uuid
            self.handle = handle
            self.endHandle = endHandle
            self.isPrimary = isPrimary
            self.includes = includes
            self.characteristics = characteristics
        }
    }

    /// A service that stands inside another one.
    public struct Include: Hashable, Sendable {
        /// The handle of the include declaration.
        public var handle: AttributeHandle
        /// What the included service is.
        public var uuid: BluetoothUUID
        /// The handle of the included service's declaration.
        public var startHandle: AttributeHandle
        /// The last handle of the included service.
        public var endHandle: AttributeHandle

        /// Makes an include.
        public init(
            handle: AttributeHandle, uuid: BluetoothUUID, startHandle: AttributeHandle,
            endHandle: AttributeHandle
        ) {
            self.handle = handle
            self.uuid = uuid
            self.startHandle = startHandle
            self.endHandle = endHandle
        }
    }

    /// A characteristic as a client found it.
    public struct Characteristic: Hashable, Sendable {
        /// What the value is.
        public var uuid: BluetoothUUID
        /// The handle of its declaration.
        public var handle: AttributeHandle
        /// The handle of its value.
        public var valueHandle: AttributeHandle
        /// The last handle that belongs to it.
        public var endHandle: AttributeHandle
        /// What may be done with the value.
        public var properties: Properties
        /// Its descriptors, in handle order.
        public var descriptors: [Descriptor]

        /// Makes a characteristic.
        public init(
            uuid: BluetoothUUID,
            handle: AttributeHandle,
            valueHandle: AttributeHandle,
            endHandle: AttributeHandle,
            properties: Properties,
            descriptors: [Descriptor] = []
        ) {
            self.uuid = uuid
            self.handle = handle
            self.valueHandle = valueHandle
            self.endHandle = endHandle
            self.properties = properties
            self.descriptors = descriptors
        }

        /// Whether the value lies where it has to: after the declaration, and before the next one.
        public var hasValueWithin: Bool { handle < valueHandle && valueHandle <= endHandle }

        /// The handle of the descriptor that switches notifications and indications, if there is one.
        public var clientConfigurationHandle: AttributeHandle? {
            descriptors.first { $0.uuid == AttributeType.clientConfiguration }?.handle
        }
    }

    /// A descriptor as a client found it.
    public struct Descriptor: Hashable, Sendable {
        /// What the descriptor says.
        public var uuid: BluetoothUUID
        /// Its handle.
        public var handle: AttributeHandle

        /// Makes a descriptor.
        public init(uuid: BluetoothUUID, handle: AttributeHandle) {
            self.uuid = uuid
            self.handle = handle
        }
    }
}

extension [GATT.Service] {
    /// The first characteristic with a UUID, in whatever service it stands.
    ///
    /// - Parameter uuid: What the value is.
    /// - Returns: The characteristic, if there is one.
    public func characteristic(_ uuid: BluetoothUUID) -> GATT.Characteristic? {
        for service in self {
            if let found = service.characteristics.first(where: { $0.uuid == uuid }) { return found }
        }
        return nil
    }
}
