// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension GATT {
    /// A descriptor that a server offers; it can be read, and written if so made.
    public struct DescriptorDefinition: Sendable {
        /// What the descriptor says.
        public var uuid: BluetoothUUID
        /// Where its value is.
        public var value: ValueSource
        /// Whether clients may write it.
        public var isWritable: Bool
        /// What a link must be before it may be read or written.
        public var access: Access

        /// Makes a descriptor that can only be read.
        ///
        /// - Parameters:
        ///   - uuid: What the descriptor says.
        ///   - value: Its value.
        ///   - security: What a link must be before it may be read.
        public init(_ uuid: BluetoothUUID, value: [UInt8], security: SecurityLevel = .none) {
            self.init(uuid, .stored(value), isWritable: false, access: Access(read: security))
        }

        /// Makes a descriptor.
        public init(
            _ uuid: BluetoothUUID, _ value: ValueSource, isWritable: Bool, access: Access = Access()
        ) {
            self.uuid = uuid
            self.value = value
            self.isWritable = isWritable
            self.access = access
        }

        /// Says in words what the characteristic is.
        ///
        /// A writable one gives its characteristic the property Writable Auxiliaries.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 3.3.3.2.
        ///
        /// - Parameters:
        ///   - text: The words, in UTF-8.
        ///   - isWritable: Whether clients may change them.
        /// - Returns: The descriptor.
        public static func userDescription(
            _ text: WireText, isWritable: Bool = false
        ) -> DescriptorDefinition {
            .init(AttributeType.userDescription, .stored(text.octets), isWritable: isWritable)
        }

        /// Lets clients switch that the value stands in advertisements; all clients share the switch.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 3.3.3.4.
        public static let serverConfiguration = DescriptorDefinition(
            AttributeType.serverConfiguration, .stored([0, 0]), isWritable: true)

        /// Says how the value is to be read.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 3.3.3.5.
        ///
        /// - Parameters:
        ///   - format: The type of the number, for example 0x04 for an octet.
        ///   - exponent: The power of ten that the number is to be multiplied with.
        ///   - unit: The UUID of the unit.
        ///   - namespace: Who describes; 1 is the Bluetooth SIG.
        ///   - description: What the namespace calls this value.
        /// - Returns: The descriptor.
        public static func presentationFormat(
            _ format: UInt8, exponent: Int8 = 0, unit: UInt16, namespace: UInt8 = 1, description: UInt16 = 0
        ) -> DescriptorDefinition {
            var writer = ByteWriter(capacity: 7)
            writer.write(format)
            writer.write(exponent)
            writer.write(unit)
            writer.write(namespace)
            writer.write(description)
            return .init(AttributeType.presentationFormat, value: writer.octets)
        }

        /// Says which presentation formats make up those of a value that has several parts.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 3.3.3.6.
        ///
        /// - Parameter handles: The handles of the presentation formats, in the order of the parts.
        /// - Returns: The descriptor.
        public static func aggregateFormat(_ handles: [AttributeHandle]) -> DescriptorDefinition {
            var writer = ByteWriter(capacity: handles.count * 2)
            for handle in handles { writer.write(handle.rawValue) }
            return .init(AttributeType.aggregateFormat, value: writer.octets)
        }

        /// What stands behind it in a database.
        var content: Database.Content {
            if !isWritable, case .stored(let octets) = value { return .constant(octets) }
            return .value(isWritable ? [.read, .write] : .read, value)
        }
    }

    /// What else may be done with a characteristic.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 3.3.3.1.
    @frozen
    public struct ExtendedProperties: OptionSet, Hashable, Sendable {
        /// The first octet of the descriptor.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The value may be written reliably, together with others.
        public static let reliableWrite = ExtendedProperties(rawValue: 0x01)
        /// The User Description may be written.
        public static let writableAuxiliaries = ExtendedProperties(rawValue: 0x02)
    }
}
