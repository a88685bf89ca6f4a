// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEWire

extension GATT {
    /// The attributes of a server, in handle order and without gaps.
    public struct Database: Sendable {
        /// One attribute.
        public struct Attribute: Sendable {
            /// What the attribute is.
            public let type: BluetoothUUID
            /// What stands behind it.
            public internal(set) var content: Content
            /// For a service declaration the last handle of the service, else the attribute's own.
            public internal(set) var groupEnd: AttributeHandle
        }

        /// What stands behind an attribute.
        public enum Content: Hashable, Sendable {
            /// A value that everyone may read and nobody may write.
            case constant([UInt8])
            /// The value of a characteristic.
            case value(Properties, ValueSource)
            /// The switch for the values of the characteristic whose value has this handle.
            case clientConfiguration(AttributeHandle, Properties)
        }

        /// The attributes; the first has handle 1.
        public private(set) var attributes: [Attribute] = []

        /// Lays out services one after the other.
        ///
        /// Each characteristic with notify or indicate gets a client characteristic configuration right
        /// after its value.
        ///
        /// - Parameter services: What to offer, in handle order.
        /// - Precondition: At most 65535 attributes come out, and stored values have at most 512 octets.
        public init(_ services: [ServiceDefinition]) {
            for service in services { append(service) }
        }

        /// The attribute with a handle.
        ///
        /// - Parameter handle: The handle.
        /// - Returns: The attribute; `nil` when the handle is 0 or past the last.
        public func attribute(_ handle: AttributeHandle) -> Attribute? {
            let index = Int(handle.rawValue) - 1
            return attributes.indices.contains(index) ? attributes[index] : nil
        }

        /// The handle of the first characteristic value of a kind.
        ///
        /// - Parameter uuid: What the value is.
        /// - Returns: The handle, if there is such a value.
        public func valueHandle(of uuid: BluetoothUUID) -> AttributeHandle? {
            for (index, attribute) in attributes.enumerated() where attribute.type == uuid {
                if case .value = attribute.content { return Self.handle(index) }
            }
            return nil
        }

        /// Replaces a stored value.
        ///
        /// - Parameters:
        ///   - value: The new value, at most 512 octets.
        ///   - handle: The handle of a characteristic value that is stored.
        /// - Throws: ``ATT/ErrorCode`` when there is no such value or it is too long.
        public mutating func store(_ value: [UInt8], at handle: AttributeHandle) throws(ATT.ErrorCode) {
            guard let attribute = attribute(handle), case .value(let properties, .stored) = attribute.content
            else { throw .invalidHandle }
            guard value.count <= ATT.maximumValueLength else { throw .invalidAttributeValueLength }
            attributes[Int(handle.rawValue) - 1].content = .value(properties, .stored(value))
        }

        static func handle(_ index: Int) -> AttributeHandle {
            AttributeHandle(rawValue: UInt16(index + 1))
        }

        private mutating func append(_ service: ServiceDefinition) {
            var declaration = ByteWriter(capacity: 16)
            service.uuid.encodeAttributeType(into: &declaration)
            let start = attributes.count
            append(
                service.isPrimary ? AttributeType.primaryService : AttributeType.secondaryService,
                .constant(declaration.octets))
            for characteristic in service.characteristics { append(characteristic) }
            attributes[start].groupEnd = Self.handle(attributes.count - 1)
        }

        private mutating func append(_ characteristic: CharacteristicDefinition) {
            // The declaration is at the current end, so the value comes one after it.
            let valueHandle = Self.handle(attributes.count + 1)
            var declaration = ByteWriter(capacity: 19)
            declaration.write(characteristic.properties.rawValue)
            declaration.write(valueHandle.rawValue)
            characteristic.uuid.encodeAttributeType(into: &declaration)
            append(AttributeType.characteristic, .constant(declaration.octets))
            append(characteristic.uuid, .value(characteristic.properties, characteristic.value))
            if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
                append(
                    AttributeType.clientConfiguration,
                    .clientConfiguration(valueHandle, characteristic.properties))
            }
            for descriptor in characteristic.descriptors {
                append(descriptor.uuid, .constant(descriptor.value))
            }
        }

        private mutating func append(_ type: BluetoothUUID, _ content: Content) {
            precondition(attributes.count < 0xFFFF, "a database has at most 65535 attributes")
            attributes.append(
                Attribute(type: type, content: content, groupEnd: Self.handle(attributes.count)))
        }
    }
}
