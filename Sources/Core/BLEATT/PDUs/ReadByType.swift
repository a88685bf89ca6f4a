// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_READ_BY_TYPE_REQ: the values of all attributes of a type in a range.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x08 |
    /// | 1 | 2 | starting handle |  |
    /// | 3 | 2 | ending handle |  |
    /// | 5 | 2 or 16 | type | UUID |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.1.
    public struct ReadByTypeRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readByTypeRequest
        /// The first handle of the range.
        public var start: AttributeHandle
        /// The last handle of the range.
        public var end: AttributeHandle
        /// The type.
        public var type: BluetoothUUID

        /// Makes the PDU.
        public init(start: AttributeHandle, end: AttributeHandle, type: BluetoothUUID) {
            self.start = start
            self.end = end
            self.type = type
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            start = try AttributeHandle(decoding: &reader)
            end = try AttributeHandle(decoding: &reader)
            type = try BluetoothUUID(decodingAttributeType: &reader)
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(start.rawValue)
            writer.write(end.rawValue)
            type.encodeAttributeType(into: &writer)
        }
    }

    /// ATT_READ_BY_TYPE_RSP: handles and values, all of one length.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x09 |
    /// | 1 | 1 | length | octets of each item, 2 to 255 |
    /// | 2 | n | items | handle, value |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.2.
    public struct ReadByTypeResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readByTypeResponse
        /// At least one handle with its value, in handle order; all values of one length.
        public var items: [Item]

        /// Makes the PDU.
        public init(items: [Item]) {
            self.items = items
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            let length = Int(try reader.readUInt8())
            guard length >= 2, reader.remaining > 0, reader.remaining.isMultiple(of: length) else {
                throw DecodeError(.badLength(length), at: 1)
            }
            items = []
            while !reader.isAtEnd {
                let handle = try AttributeHandle(decoding: &reader)
                items.append(Item(handle: handle, value: try reader.readOctets(length - 2)))
            }
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(UInt8(truncatingIfNeeded: 2 + (items.first?.value.count ?? 0)))
            for item in items {
                writer.write(item.handle.rawValue)
                writer.write(item.value)
            }
        }

        /// A handle with its value.
        public struct Item: Hashable, Sendable {
            /// The attribute's handle.
            public var handle: AttributeHandle
            /// The value, or its first 253 octets.
            public var value: [UInt8]

            /// Makes an item.
            public init(handle: AttributeHandle, value: [UInt8]) {
                self.handle = handle
                self.value = value
            }
        }
    }
}
