// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_WRITE_REQ: a new value, to be acknowledged.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x12 |
    /// | 1 | 2 | handle |  |
    /// | 3 | n | value |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.5.1.
    public struct WriteRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.writeRequest
        /// The attribute.
        public var handle: AttributeHandle
        /// The value.
        public var value: [UInt8]

        /// Makes the PDU.
        public init(handle: AttributeHandle, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = try AttributeHandle(decoding: &reader)
            value = reader.readRemaining()
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(value)
        }
    }

    /// ATT_WRITE_RSP: the value was written.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x13 |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.5.2.
    public struct WriteResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.writeResponse

        /// Makes the PDU.
        public init() {}

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {}

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {}
    }

    /// ATT_WRITE_CMD: a new value, not acknowledged.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x52 |
    /// | 1 | 2 | handle |  |
    /// | 3 | n | value |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.5.3.
    public struct WriteCommand: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.writeCommand
        /// The attribute.
        public var handle: AttributeHandle
        /// The value.
        public var value: [UInt8]

        /// Makes the PDU.
        public init(handle: AttributeHandle, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = try AttributeHandle(decoding: &reader)
            value = reader.readRemaining()
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(value)
        }
    }
}
