// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_FIND_INFORMATION_REQ: which attributes are in a range.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x04 |
    /// | 1 | 2 | starting handle |  |
    /// | 3 | 2 | ending handle |  |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.3.1.
    public struct FindInformationRequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.findInformationRequest
        /// The first handle of the range.
        public var start: AttributeHandle
        /// The last handle of the range.
        public var end: AttributeHandle

        /// Makes the PDU.
        public init(start: AttributeHandle, end: AttributeHandle) {
            self.start = start
            self.end = end
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            start = try AttributeHandle(decoding: &reader)
            end = try AttributeHandle(decoding: &reader)
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(start.rawValue)
            writer.write(end.rawValue)
        }
    }

    /// ATT_FIND_INFORMATION_RSP: handles and types, all types of one width.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x05 |
    /// | 1 | 1 | format | 1: 16-bit UUIDs, 2: 128-bit |
    /// | 2 | n | pairs | handle, UUID |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.3.2.
    public struct FindInformationResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.findInformationResponse
        /// At least one handle with its type, in handle order; all types of one width.
        public var pairs: [Pair]

        /// Makes the PDU.
        public init(pairs: [Pair]) {
            self.pairs = pairs
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            let width =
                switch try reader.readUInt8() {
                case 1: 2
                case 2: 16
                case let format: throw DecodeError(.outOfRange(UInt64(format)), at: reader.offset - 1)
                }
            guard reader.remaining > 0, reader.remaining.isMultiple(of: 2 + width) else {
                throw DecodeError(.badLength(reader.remaining), at: reader.offset)
            }
            pairs = []
            while !reader.isAtEnd {
                let handle = try AttributeHandle(decoding: &reader)
                pairs.append(Pair(handle: handle, type: try BluetoothUUID(decoding: &reader, width: width)))
            }
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            // One format stands for all pairs, so a short type travels long beside a long one.
            let isShort = pairs.allSatisfy { $0.type.short != nil }
            writer.write(UInt8(isShort ? 1 : 2))
            for pair in pairs {
                writer.write(pair.handle.rawValue)
                if isShort {
                    pair.type.encodeAttributeType(into: &writer)
                } else {
                    pair.type.encode128(into: &writer)
                }
            }
        }

        /// A handle with its type.
        public struct Pair: Hashable, Sendable {
            /// The attribute's handle.
            public var handle: AttributeHandle
            /// The attribute's type.
            public var type: BluetoothUUID

            /// Makes a pair.
            public init(handle: AttributeHandle, type: BluetoothUUID) {
                self.handle = handle
                self.type = type
            }
        }
    }
}
