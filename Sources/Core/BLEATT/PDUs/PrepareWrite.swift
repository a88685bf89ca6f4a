// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_PREPARE_WRITE_REQ: a part of a value, to be written later.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x16 |
    /// | 1 | 2 | handle |  |
    /// | 3 | 2 | offset | octets from the start |
    /// | 5 | n | part of the value |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.6.1.
    public struct PrepareWriteRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.prepareWriteRequest
        /// The attribute.
        public var handle: AttributeHandle
        /// Octets from the start of the value.
        public var offset: UInt16
        /// The part.
        public var value: [UInt8]

        /// Makes the PDU.
        public init(handle: AttributeHandle, offset: UInt16, value: [UInt8]) {
            self.handle = handle
            self.offset = offset
            self.value = value
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = try AttributeHandle(decoding: &reader)
            offset = try reader.readUInt16()
            value = reader.readRemaining()
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(offset)
            writer.write(value)
        }
    }

    /// ATT_PREPARE_WRITE_RSP: the part as the server understood it.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x17 |
    /// | 1 | 2 | handle |  |
    /// | 3 | 2 | offset | octets from the start |
    /// | 5 | n | part of the value |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.6.2.
    public struct PrepareWriteResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.prepareWriteResponse
        /// The attribute.
        public var handle: AttributeHandle
        /// Octets from the start of the value.
        public var offset: UInt16
        /// The part.
        public var value: [UInt8]

        /// Makes the PDU.
        public init(handle: AttributeHandle, offset: UInt16, value: [UInt8]) {
            self.handle = handle
            self.offset = offset
            self.value = value
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = try AttributeHandle(decoding: &reader)
            offset = try reader.readUInt16()
            value = reader.readRemaining()
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(offset)
            writer.write(value)
        }
    }

    /// ATT_EXECUTE_WRITE_REQ: write or forget what was prepared.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x18 |
    /// | 1 | 1 | flags | 0 cancel, 1 write |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.6.3.
    public struct ExecuteWriteRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.executeWriteRequest
        /// Whether to write; otherwise everything prepared is forgotten.
        public var commit: Bool

        /// Makes the PDU.
        public init(commit: Bool) {
            self.commit = commit
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            switch try reader.readUInt8() {
            case 0: commit = false
            case 1: commit = true
            case let flags: throw DecodeError(.outOfRange(UInt64(flags)), at: reader.offset - 1)
            }
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(UInt8(commit ? 1 : 0))
        }
    }

    /// ATT_EXECUTE_WRITE_RSP: done.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x19 |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.6.4.
    public struct ExecuteWriteResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.executeWriteResponse

        /// Makes the PDU.
        public init() {}

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {}

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {}
    }
}
