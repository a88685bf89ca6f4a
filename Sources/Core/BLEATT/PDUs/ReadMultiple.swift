// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_READ_MULTIPLE_REQ: several values of known length.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x0E |
    /// | 1 | 2n | handles | at least two |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.7.
    public struct ReadMultipleRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readMultipleRequest
        /// At least two handles.
        public var handles: [AttributeHandle]

        /// Makes the PDU.
        public init(handles: [AttributeHandle]) {
            self.handles = handles
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            guard reader.remaining >= 4, reader.remaining.isMultiple(of: 2) else {
                throw DecodeError(.badLength(reader.remaining), at: reader.offset)
            }
            handles = []
            while !reader.isAtEnd { handles.append(try AttributeHandle(decoding: &reader)) }
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            for handle in handles { writer.write(handle.rawValue) }
        }
    }

    /// ATT_READ_MULTIPLE_RSP: the values one after the other, cut at MTU - 1 octets.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x0F |
    /// | 1 | n | values |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.8.
    public struct ReadMultipleResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readMultipleResponse
        /// The values one after the other.
        public var value: [UInt8]

        /// Makes the PDU.
        public init(value: [UInt8]) {
            self.value = value
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            value = reader.readRemaining()
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(value)
        }
    }

    /// ATT_READ_MULTIPLE_VARIABLE_REQ: several values of any length.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x20 |
    /// | 1 | 2n | handles | at least two |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.11.
    public struct ReadMultipleVariableRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readMultipleVariableRequest
        /// At least two handles.
        public var handles: [AttributeHandle]

        /// Makes the PDU.
        public init(handles: [AttributeHandle]) {
            self.handles = handles
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            guard reader.remaining >= 4, reader.remaining.isMultiple(of: 2) else {
                throw DecodeError(.badLength(reader.remaining), at: reader.offset)
            }
            handles = []
            while !reader.isAtEnd { handles.append(try AttributeHandle(decoding: &reader)) }
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            for handle in handles { writer.write(handle.rawValue) }
        }
    }

    /// ATT_READ_MULTIPLE_VARIABLE_RSP: values with their lengths; the last may be cut.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x21 |
    /// | 1 | n | list | length (2), value |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.12.
    public struct ReadMultipleVariableResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readMultipleVariableResponse
        /// The values in the order of the request; the last may be cut at the MTU.
        public var values: [[UInt8]]

        /// Makes the PDU.
        public init(values: [[UInt8]]) {
            self.values = values
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            guard reader.remaining >= 4 else { throw DecodeError(.badLength(reader.remaining), at: 1) }
            values = []
            // One octet that is left is half a length that the MTU has cut off.
            while reader.remaining >= 2 {
                let length = Int(try reader.readUInt16())
                // The last value may be cut off by the MTU: its length says what it would have been.
                values.append(try reader.readOctets(min(length, reader.remaining)))
            }
            try reader.skip(reader.remaining)
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            for value in values {
                writer.write(UInt16(truncatingIfNeeded: value.count))
                writer.write(value)
            }
        }
    }
}
