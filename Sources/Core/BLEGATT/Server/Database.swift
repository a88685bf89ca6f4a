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
            /// What a client says it can do; each has its own.
            case clientFeatures
        }

        /// The attributes; their handles rise.
        public internal(set) var attributes: [Attribute] = []
        /// The highest handle that was ever given away.
        var highest: AttributeHandle = 0

        /// Lays out services one after the other.
        ///
        /// Each characteristic with notify or indicate gets a client characteristic configuration right
        /// after its value; one with extended properties gets the descriptor that says them. A Database Hash
        /// gets its value, and each client has its own Client Supported Features. An included service is the
        /// first of its kind, wherever it stands; one that is not offered is left out.
        ///
        /// - Parameter services: What to offer, in handle order.
        /// - Precondition: All handles lie within 1…65535, a handle that was asked for is not below the next
        ///   free one, and stored values have at most 512 octets.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public init(_ services: [ServiceDefinition]) {
            var layout = ServiceLayout(from: .first, offered: services.map { $0.uuid })
            for service in services { layout.append(service) }
            precondition(!layout.hasFailed, "handles were asked for twice or out of order, or are used up")
            attributes = layout.attributes
            highest = attributes.last?.handle ?? 0
            resolveIncludes(layout.includes)
            updateHash()
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
            highest = last
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
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func store(_ value: [UInt8], at handle: AttributeHandle) throws(ATT.ErrorCode) {
            guard let attribute = attribute(handle), case .value(let properties, .stored) = attribute.content
            else { throw .invalidHandle }
            guard value.count <= ATT.maximumValueLength else { throw .invalidAttributeValueLength }
            attributes[index(notBefore: handle)].content = .value(properties, .stored(value))
        }

        /// Says in include declarations which service they mean.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 3.2.
        mutating func resolveIncludes(_ includes: [ServiceLayout.Include]) {
            for include in includes {
                var wanted = ByteWriter(capacity: 16)
                include.uuid.encodeAttributeType(into: &wanted)
                let service = attributes.first { $0.isService && $0.content == .constant(wanted.octets) }
                guard let service else { continue }
                var declaration = ByteWriter(capacity: 6)
                declaration.write(service.handle.rawValue)
                declaration.write(service.groupEnd.rawValue)
                // A long UUID is left out; the service's own declaration has it.
                if wanted.octets.count == 2 { declaration.write(wanted.octets) }
                attributes[index(notBefore: include.handle)].content = .constant(declaration.octets)
            }
        }
    }
}

extension GATT.Database.Attribute {
    /// Whether it declares a service.
    var isService: Bool {
        type == GATT.AttributeType.primaryService || type == GATT.AttributeType.secondaryService
    }
}
