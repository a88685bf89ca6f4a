// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_READ_REQ: the start of a value.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x0A |
    /// | 1 | 2 | handle |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.3.
    public struct ReadRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readRequest
        /// The attribute.
        public var handle: AttributeHandle

        /// Makes the PDU.
        public init(handle: AttributeHandle) {
            self.handle = handle
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = try AttributeHandle(decoding: &reader)
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
        }
    }

    /// ATT_READ_RSP: the value, or its first MTU - 1 octets.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x0B |
    /// | 1 | n | value |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.4.
    public struct ReadResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readResponse
        /// The value, or its first MTU - 1 octets.
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

    /// ATT_READ_BLOB_REQ: a value from an offset on.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x0C |
    /// | 1 | 2 | handle |  |
    /// | 3 | 2 | offset | octets from the start |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.5.
    public struct ReadBlobRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readBlobRequest
        /// The attribute.
        public var handle: AttributeHandle
        /// Octets from the start of the value.
        public var offset: UInt16

        /// Makes the PDU.
        public init(handle: AttributeHandle, offset: UInt16) {
            self.handle = handle
            self.offset = offset
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = try AttributeHandle(decoding: &reader)
            offset = try reader.readUInt16()
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(offset)
        }
    }

    /// ATT_READ_BLOB_RSP: the rest of the value, or its first MTU - 1 octets.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x0D |
    /// | 1 | n | part of the value |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.4.6.
    public struct ReadBlobResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.readBlobResponse
        /// The rest of the value, or its first MTU - 1 octets.
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
}
