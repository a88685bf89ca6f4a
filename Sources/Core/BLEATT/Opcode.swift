// SPDX-License-Identifier: Apache-2.0

extension ATT {
    /// What an ATT PDU is: its first octet.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.3.1 and 3.4.8.
    @frozen
    public struct Opcode: RawRepresentable, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// ATT_ERROR_RSP.
        public static let errorResponse = Opcode(rawValue: 0x01)
        /// ATT_EXCHANGE_MTU_REQ.
        public static let exchangeMTURequest = Opcode(rawValue: 0x02)
        /// ATT_EXCHANGE_MTU_RSP.
        public static let exchangeMTUResponse = Opcode(rawValue: 0x03)
        /// ATT_FIND_INFORMATION_REQ.
        public static let findInformationRequest = Opcode(rawValue: 0x04)
        /// ATT_FIND_INFORMATION_RSP.
        public static let findInformationResponse = Opcode(rawValue: 0x05)
        /// ATT_FIND_BY_TYPE_VALUE_REQ.
        public static let findByTypeValueRequest = Opcode(rawValue: 0x06)
        /// ATT_FIND_BY_TYPE_VALUE_RSP.
        public static let findByTypeValueResponse = Opcode(rawValue: 0x07)
        /// ATT_READ_BY_TYPE_REQ.
        public static let readByTypeRequest = Opcode(rawValue: 0x08)
        /// ATT_READ_BY_TYPE_RSP.
        public static let readByTypeResponse = Opcode(rawValue: 0x09)
        /// ATT_READ_REQ.
        public static let readRequest = Opcode(rawValue: 0x0A)
        /// ATT_READ_RSP.
        public static let readResponse = Opcode(rawValue: 0x0B)
        /// ATT_READ_BLOB_REQ.
        public static let readBlobRequest = Opcode(rawValue: 0x0C)
        /// ATT_READ_BLOB_RSP.
        public static let readBlobResponse = Opcode(rawValue: 0x0D)
        /// ATT_READ_MULTIPLE_REQ.
        public static let readMultipleRequest = Opcode(rawValue: 0x0E)
        /// ATT_READ_MULTIPLE_RSP.
        public static let readMultipleResponse = Opcode(rawValue: 0x0F)
        /// ATT_READ_BY_GROUP_TYPE_REQ.
        public static let readByGroupTypeRequest = Opcode(rawValue: 0x10)
        /// ATT_READ_BY_GROUP_TYPE_RSP.
        public static let readByGroupTypeResponse = Opcode(rawValue: 0x11)
        /// ATT_WRITE_REQ.
        public static let writeRequest = Opcode(rawValue: 0x12)
        /// ATT_WRITE_RSP.
        public static let writeResponse = Opcode(rawValue: 0x13)
        /// ATT_PREPARE_WRITE_REQ.
        public static let prepareWriteRequest = Opcode(rawValue: 0x16)
        /// ATT_PREPARE_WRITE_RSP.
        public static let prepareWriteResponse = Opcode(rawValue: 0x17)
        /// ATT_EXECUTE_WRITE_REQ.
        public static let executeWriteRequest = Opcode(rawValue: 0x18)
        /// ATT_EXECUTE_WRITE_RSP.
        public static let executeWriteResponse = Opcode(rawValue: 0x19)
        /// ATT_HANDLE_VALUE_NTF.
        public static let handleValueNotification = Opcode(rawValue: 0x1B)
        /// ATT_HANDLE_VALUE_IND.
        public static let handleValueIndication = Opcode(rawValue: 0x1D)
        /// ATT_HANDLE_VALUE_CFM.
        public static let handleValueConfirmation = Opcode(rawValue: 0x1E)
        /// ATT_READ_MULTIPLE_VARIABLE_REQ.
        public static let readMultipleVariableRequest = Opcode(rawValue: 0x20)
        /// ATT_READ_MULTIPLE_VARIABLE_RSP.
        public static let readMultipleVariableResponse = Opcode(rawValue: 0x21)
        /// ATT_MULTIPLE_HANDLE_VALUE_NTF.
        public static let multipleHandleValueNotification = Opcode(rawValue: 0x23)
        /// ATT_WRITE_CMD.
        public static let writeCommand = Opcode(rawValue: 0x52)
        /// ATT_SIGNED_WRITE_CMD.
        public static let signedWriteCommand = Opcode(rawValue: 0xD2)

        /// Whether the PDU is a command: a server that does not know it ignores it.
        @inlinable
        public var isCommand: Bool { rawValue & 0x40 != 0 }

        /// What kind of PDU this is, for routing.
        public var role: Role {
            switch self {
            case .errorResponse, .exchangeMTUResponse, .findInformationResponse, .findByTypeValueResponse,
                .readByTypeResponse, .readResponse, .readBlobResponse, .readMultipleResponse,
                .readByGroupTypeResponse, .writeResponse, .prepareWriteResponse, .executeWriteResponse,
                .readMultipleVariableResponse:
                .response
            case .handleValueNotification, .multipleHandleValueNotification: .notification
            case .handleValueIndication: .indication
            case .handleValueConfirmation: .confirmation
            default: isCommand ? .command : .request
            }
        }
    }

    /// Who sends a PDU, and what it asks for.
    public enum Role: Hashable, Sendable {
        /// From client to server, answered with a response; unknown opcodes count as requests.
        case request
        /// From server to client, the answer to a request.
        case response
        /// From client to server, not answered.
        case command
        /// From server to client, not answered.
        case notification
        /// From server to client, answered with a confirmation.
        case indication
        /// From client to server, the answer to an indication.
        case confirmation
    }
}
