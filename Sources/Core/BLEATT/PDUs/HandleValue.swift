// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_HANDLE_VALUE_NTF: a value that the server sends by itself.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x1B |
    /// | 1 | 2 | handle |  |
    /// | 3 | n | value |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.7.1.
    public struct HandleValueNotification: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.handleValueNotification
        /// The attribute.
        public var handle: AttributeHandle
        /// The value, or its first MTU - 3 octets.
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

    /// ATT_HANDLE_VALUE_IND: a value that the server sends by itself and wants confirmed.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x1D |
    /// | 1 | 2 | handle |  |
    /// | 3 | n | value |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.7.2.
    public struct HandleValueIndication: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.handleValueIndication
        /// The attribute.
        public var handle: AttributeHandle
        /// The value, or its first MTU - 3 octets.
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

    /// ATT_HANDLE_VALUE_CFM: the indication has arrived.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x1E |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.7.3.
    public struct HandleValueConfirmation: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.handleValueConfirmation

        /// Makes the PDU.
        public init() {}

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {}

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {}
    }

    /// ATT_MULTIPLE_HANDLE_VALUE_NTF: several values in one PDU.
    ///
    /// The specification wants two values at least; bluetoothd sends one, so one is read.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x23 |
    /// | 1 | n | list | handle (2), length (2), value |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.7.4.
    public struct MultipleHandleValueNotification: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.multipleHandleValueNotification
        /// Handles with their values; two at least in what is sent, one in what is read.
        public var items: [ReadByTypeResponse.Item]

        /// Makes the PDU.
        public init(items: [ReadByTypeResponse.Item]) {
            self.items = items
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            items = []
            repeat {
                let handle = try AttributeHandle(decoding: &reader)
                let length = Int(try reader.readUInt16())
                items.append(.init(handle: handle, value: try reader.readOctets(length)))
            } while !reader.isAtEnd
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            for item in items {
                writer.write(item.handle.rawValue)
                writer.write(UInt16(truncatingIfNeeded: item.value.count))
                writer.write(item.value)
            }
        }
    }
}
