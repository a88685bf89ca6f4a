// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_FIND_BY_TYPE_VALUE_REQ: which attributes have a type and a value.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x06 |
    /// | 1 | 2 | starting handle |  |
    /// | 3 | 2 | ending handle |  |
    /// | 5 | 2 | attribute type | 16-bit UUID |
    /// | 7 | n | attribute value |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.3.3.
    public struct FindByTypeValueRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.findByTypeValueRequest
        /// The first handle of the range.
        public var start: AttributeHandle
        /// The last handle of the range.
        public var end: AttributeHandle
        /// The 16-bit type.
        public var type: UInt16
        /// The value.
        public var value: [UInt8]

        /// Makes the PDU.
        public init(start: AttributeHandle, end: AttributeHandle, type: UInt16, value: [UInt8]) {
            self.start = start
            self.end = end
            self.type = type
            self.value = value
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            start = try AttributeHandle(decoding: &reader)
            end = try AttributeHandle(decoding: &reader)
            type = try reader.readUInt16()
            value = reader.readRemaining()
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(start.rawValue)
            writer.write(end.rawValue)
            writer.write(type)
            writer.write(value)
        }
    }

    /// ATT_FIND_BY_TYPE_VALUE_RSP: the attributes and the ends of their groups.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x07 |
    /// | 1 | 4n | ranges | found handle, group end handle |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.3.4.
    public struct FindByTypeValueResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.findByTypeValueResponse
        /// At least one found attribute with the end of its group, in handle order.
        public var ranges: [HandleRange]

        /// Makes the PDU.
        public init(ranges: [HandleRange]) {
            self.ranges = ranges
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            guard reader.remaining > 0, reader.remaining.isMultiple(of: 4) else {
                throw DecodeError(.badLength(reader.remaining), at: reader.offset)
            }
            ranges = []
            while !reader.isAtEnd {
                let start = try AttributeHandle(decoding: &reader)
                ranges.append(HandleRange(start: start, end: try AttributeHandle(decoding: &reader)))
            }
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            for range in ranges {
                writer.write(range.start.rawValue)
                writer.write(range.end.rawValue)
            }
        }
    }

    /// An attribute with the last handle of its group.
    public struct HandleRange: Hashable, Sendable {
        /// The attribute's handle.
        public var start: AttributeHandle
        /// The last handle of its group.
        public var end: AttributeHandle

        /// Makes a range.
        public init(start: AttributeHandle, end: AttributeHandle) {
            self.start = start
            self.end = end
        }
    }
}
