// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEWire

extension GATT {
    /// The attributes of a server, in handle order.
    public struct Database: Sendable {
        /// One attribute.
        public struct Attribute: Sendable {
            /// The attribute's handle.
            public let handle: AttributeHandle
            /// What the attribute is.
            public let type: BluetoothUUID
            /// What stands behind it.
            public internal(set) var content: Content
            /// What a link must be before the attribute may be read or written.
            public let access: Access
            /// For a service declaration the last handle of the service, else the attribute's own.
            public internal(set) var groupEnd: AttributeHandle

            /// Makes an attribute.
            ///
            /// - Parameters:
            ///   - handle: The attribute's handle.
            ///   - type: What the attribute is.
            ///   - content: What stands behind it.
            ///   - access: What a link must be before the attribute may be read or written.
            ///   - groupEnd: For a service declaration the last handle of the service.
            public init(
                handle: AttributeHandle, type: BluetoothUUID, content: Content, access: Access = Access(),
                groupEnd: AttributeHandle? = nil
            ) {
                self.handle = handle
                self.type = type
                self.content = content
                self.access = access
                self.groupEnd = groupEnd ?? handle
            }
        }

        /// What stands behind an attribute.
        public enum Content: Hashable, Sendable {
            /// A value that everyone may read and nobody may write.
            case constant([UInt8])
            /// The value of a characteristic, or of a descriptor that can do more than a constant.
            case value(Properties, ValueSource)
            /// The switch for the values of the characteristic whose value has this handle.
            case clientConfiguration(AttributeHandle, Properties)
        }

        /// The attributes; their handles rise.
        public private(set) var attributes: [Attribute] = []

        /// Lays out services one after the other.
        ///
        /// Each characteristic with notify or indicate gets a client characteristic configuration right
        /// after its value. An included service is the first of its kind, wherever it stands; one that is not
        /// offered is left out.
        ///
        /// - Parameter services: What to offer, in handle order.
        /// - Precondition: All handles lie within 1…65535, a handle that was asked for is not below the next
        ///   free one, and stored values have at most 512 octets.
        public init(_ services: [ServiceDefinition]) {
            var includes: [(index: Int, uuid: BluetoothUUID)] = []
            for service in services { append(service, offered: services, &includes) }
            for include in includes { fill(include.index, with: include.uuid) }
        }

        /// Takes attributes that were laid out elsewhere, as when a saved device is served again.
        ///
        /// - Parameter attributes: The attributes.
        /// - Precondition: Their handles rise and begin above 0.
        public init(attributes: [Attribute]) {
            var last: AttributeHandle = 0
            for attribute in attributes {
                precondition(attribute.handle > last, "handles must rise, from 1 on")
                last = attribute.handle
            }
            self.attributes = attributes
        }

        /// The attribute with a handle.
        ///
        /// - Parameter handle: The handle.
        /// - Returns: The attribute; `nil` when no attribute has it.
        public func attribute(_ handle: AttributeHandle) -> Attribute? {
            let index = index(notBefore: handle)
            return index < attributes.count && attributes[index].handle == handle ? attributes[index] : nil
        }

        /// The index of the first attribute whose handle is not below this one.
        func index(notBefore handle: AttributeHandle) -> Int {
            // Without gaps before it an attribute stands at its handle less one, and never after that.
            var high = min(Int(handle.rawValue), attributes.count)
            if high > 0, attributes[high - 1].handle == handle { return high - 1 }
            var low = 0
            while low < high {
                let middle = (low + high) / 2
                if attributes[middle].handle < handle { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// The handle of the first characteristic value of a kind.
        ///
        /// - Parameter uuid: What the value is.
        /// - Returns: The handle, if there is such a value.
        public func valueHandle(of uuid: BluetoothUUID) -> AttributeHandle? {
            for attribute in attributes where attribute.type == uuid {
                if case .value = attribute.content { return attribute.handle }
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
            attributes[index(notBefore: handle)].content = .value(properties, .stored(value))
        }

        private mutating func append(
            _ service: ServiceDefinition, offered: [ServiceDefinition],
            _ includes: inout [(index: Int, uuid: BluetoothUUID)]
        ) {
            var declaration = ByteWriter(capacity: 16)
            service.uuid.encodeAttributeType(into: &declaration)
            let start = attributes.count
            append(
                service.isPrimary ? AttributeType.primaryService : AttributeType.secondaryService,
                .constant(declaration.octets), at: service.handle)
            for uuid in service.includes where offered.contains(where: { $0.uuid == uuid }) {
                includes.append((attributes.count, uuid))
                append(AttributeType.include, .constant([]))
            }
            for characteristic in service.characteristics { append(characteristic) }
            attributes[start].groupEnd = attributes[attributes.count - 1].handle
        }

        private mutating func append(_ characteristic: CharacteristicDefinition) {
            let valueHandle = handle(characteristic.handle).next ?? .last
            var declaration = ByteWriter(capacity: 19)
            declaration.write(characteristic.properties.rawValue)
            declaration.write(valueHandle.rawValue)
            characteristic.uuid.encodeAttributeType(into: &declaration)
            append(AttributeType.characteristic, .constant(declaration.octets), at: characteristic.handle)
            append(
                characteristic.uuid, .value(characteristic.properties, characteristic.value),
                characteristic.access)
            if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
                append(
                    AttributeType.clientConfiguration,
                    .clientConfiguration(valueHandle, characteristic.properties),
                    Access(write: characteristic.access.subscribe))
            }
            for descriptor in characteristic.descriptors {
                append(descriptor.uuid, .constant(descriptor.value), Access(read: descriptor.security))
            }
        }

        private mutating func append(
            _ type: BluetoothUUID, _ content: Content, _ access: Access = Access(),
            at wanted: AttributeHandle? = nil
        ) {
            let handle = handle(wanted)
            attributes.append(
                Attribute(handle: handle, type: type, content: content, access: access, groupEnd: handle))
        }

        /// The handle for the next attribute: the wanted one, else the next free one.
        private func handle(_ wanted: AttributeHandle?) -> AttributeHandle {
            guard let last = attributes.last else { return wanted ?? .first }
            precondition(last.handle != .last, "a database has no handle after 65535")
            let free = last.handle.next ?? .last
            precondition(wanted ?? free >= free, "a handle was asked for twice, or out of order")
            return wanted ?? free
        }

        /// Says in an include declaration which service it means.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 3.2.
        private mutating func fill(_ index: Int, with uuid: BluetoothUUID) {
            var wanted = ByteWriter(capacity: 16)
            uuid.encodeAttributeType(into: &wanted)
            let service = attributes.first { attribute in
                (attribute.type == AttributeType.primaryService
                    || attribute.type == AttributeType.secondaryService)
                    && attribute.content == .constant(wanted.octets)
            }
            guard let service else { return }
            var declaration = ByteWriter(capacity: 6)
            declaration.write(service.handle.rawValue)
            declaration.write(service.groupEnd.rawValue)
            // A long UUID is left out; the service's own declaration has it.
            if wanted.octets.count == 2 { declaration.write(wanted.octets) }
            attributes[index].content = .constant(declaration.octets)
        }
    }
}
