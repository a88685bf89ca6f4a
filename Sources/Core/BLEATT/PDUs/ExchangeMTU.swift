// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_EXCHANGE_MTU_REQ: the client says how much it can receive.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x02 |
    /// | 1 | 2 | client RX MTU | octets |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.2.1.
    public struct ExchangeMTURequest: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.exchangeMTURequest
        /// The largest PDU that the client can receive, in octets.
        public var clientMTU: UInt16

        /// Makes the PDU.
        public init(clientMTU: UInt16) {
            self.clientMTU = clientMTU
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            clientMTU = try reader.readUInt16()
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(clientMTU)
        }
    }

    /// ATT_EXCHANGE_MTU_RSP: the server says how much it can receive.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | opcode | 0x03 |
    /// | 1 | 2 | server RX MTU | octets |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.2.2.
    public struct ExchangeMTUResponse: ATTPDU {
        /// The PDU's first octet.
        public static let opcode = Opcode.exchangeMTUResponse
        /// The largest PDU that the server can receive, in octets.
        public var serverMTU: UInt16

        /// Makes the PDU.
        public init(serverMTU: UInt16) {
            self.serverMTU = serverMTU
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            serverMTU = try reader.readUInt16()
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(serverMTU)
        }
    }
}
