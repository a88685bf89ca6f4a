// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// Any PDU of the Attribute Protocol, decoded.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.
    public enum PDU: Hashable, Sendable {
        /// ATT_ERROR_RSP.
        case errorResponse(ErrorResponse)
        /// ATT_EXCHANGE_MTU_REQ.
        case exchangeMTURequest(ExchangeMTURequest)
        /// ATT_EXCHANGE_MTU_RSP.
        case exchangeMTUResponse(ExchangeMTUResponse)
        /// ATT_FIND_INFORMATION_REQ.
        case findInformationRequest(FindInformationRequest)
        /// ATT_FIND_INFORMATION_RSP.
        case findInformationResponse(FindInformationResponse)
        /// ATT_FIND_BY_TYPE_VALUE_REQ.
        case findByTypeValueRequest(FindByTypeValueRequest)
        /// ATT_FIND_BY_TYPE_VALUE_RSP.
        case findByTypeValueResponse(FindByTypeValueResponse)
        /// ATT_READ_BY_TYPE_REQ.
        case readByTypeRequest(ReadByTypeRequest)
        /// ATT_READ_BY_TYPE_RSP.
        case readByTypeResponse(ReadByTypeResponse)
        /// ATT_READ_REQ.
        case readRequest(ReadRequest)
        /// ATT_READ_RSP.
        case readResponse(ReadResponse)
        /// ATT_READ_BLOB_REQ.
        case readBlobRequest(ReadBlobRequest)
        /// ATT_READ_BLOB_RSP.
        case readBlobResponse(ReadBlobResponse)
        /// ATT_READ_MULTIPLE_REQ.
        case readMultipleRequest(ReadMultipleRequest)
        /// ATT_READ_MULTIPLE_RSP.
        case readMultipleResponse(ReadMultipleResponse)
        /// ATT_READ_MULTIPLE_VARIABLE_REQ.
        case readMultipleVariableRequest(ReadMultipleVariableRequest)
        /// ATT_READ_MULTIPLE_VARIABLE_RSP.
        case readMultipleVariableResponse(ReadMultipleVariableResponse)
        /// ATT_READ_BY_GROUP_TYPE_REQ.
        case readByGroupTypeRequest(ReadByGroupTypeRequest)
        /// ATT_READ_BY_GROUP_TYPE_RSP.
        case readByGroupTypeResponse(ReadByGroupTypeResponse)
        /// ATT_WRITE_REQ.
        case writeRequest(WriteRequest)
        /// ATT_WRITE_RSP.
        case writeResponse(WriteResponse)
        /// ATT_WRITE_CMD.
        case writeCommand(WriteCommand)
        /// ATT_PREPARE_WRITE_REQ.
        case prepareWriteRequest(PrepareWriteRequest)
        /// ATT_PREPARE_WRITE_RSP.
        case prepareWriteResponse(PrepareWriteResponse)
        /// ATT_EXECUTE_WRITE_REQ.
        case executeWriteRequest(ExecuteWriteRequest)
        /// ATT_EXECUTE_WRITE_RSP.
        case executeWriteResponse(ExecuteWriteResponse)
        /// ATT_HANDLE_VALUE_NTF.
        case handleValueNotification(HandleValueNotification)
        /// ATT_HANDLE_VALUE_IND.
        case handleValueIndication(HandleValueIndication)
        /// ATT_HANDLE_VALUE_CFM.
        case handleValueConfirmation(HandleValueConfirmation)
        /// ATT_MULTIPLE_HANDLE_VALUE_NTF.
        case multipleHandleValueNotification(MultipleHandleValueNotification)
        /// A PDU that this version does not know, signed writes among them.
        case unknown(Opcode)

        /// Reads a whole PDU.
        ///
        /// - Parameter octets: The PDU, opcode included.
        /// - Throws: ``DecodeError`` when the opcode is known and the rest does not fit it, or nothing is there.
        public init(decoding octets: RawSpan) throws(DecodeError) {
            var reader = ByteReader(octets)
            let opcode = Opcode(rawValue: try reader.readUInt8())
            switch opcode {
            case .errorResponse: self = .errorResponse(try .init(decoding: &reader))
            case .exchangeMTURequest: self = .exchangeMTURequest(try .init(decoding: &reader))
            case .exchangeMTUResponse: self = .exchangeMTUResponse(try .init(decoding: &reader))
            case .findInformationRequest: self = .findInformationRequest(try .init(decoding: &reader))
            case .findInformationResponse: self = .findInformationResponse(try .init(decoding: &reader))
            case .findByTypeValueRequest: self = .findByTypeValueRequest(try .init(decoding: &reader))
            case .findByTypeValueResponse: self = .findByTypeValueResponse(try .init(decoding: &reader))
            case .readByTypeRequest: self = .readByTypeRequest(try .init(decoding: &reader))
            case .readByTypeResponse: self = .readByTypeResponse(try .init(decoding: &reader))
            case .readRequest: self = .readRequest(try .init(decoding: &reader))
            case .readResponse: self = .readResponse(try .init(decoding: &reader))
            case .readBlobRequest: self = .readBlobRequest(try .init(decoding: &reader))
            case .readBlobResponse: self = .readBlobResponse(try .init(decoding: &reader))
            case .readMultipleRequest: self = .readMultipleRequest(try .init(decoding: &reader))
            case .readMultipleResponse: self = .readMultipleResponse(try .init(decoding: &reader))
            case .readMultipleVariableRequest:
                self = .readMultipleVariableRequest(try .init(decoding: &reader))
            case .readMultipleVariableResponse:
                self = .readMultipleVariableResponse(try .init(decoding: &reader))
            case .readByGroupTypeRequest: self = .readByGroupTypeRequest(try .init(decoding: &reader))
            case .readByGroupTypeResponse: self = .readByGroupTypeResponse(try .init(decoding: &reader))
            case .writeRequest: self = .writeRequest(try .init(decoding: &reader))
            case .writeResponse: self = .writeResponse(try .init(decoding: &reader))
            case .writeCommand: self = .writeCommand(try .init(decoding: &reader))
            case .prepareWriteRequest: self = .prepareWriteRequest(try .init(decoding: &reader))
            case .prepareWriteResponse: self = .prepareWriteResponse(try .init(decoding: &reader))
            case .executeWriteRequest: self = .executeWriteRequest(try .init(decoding: &reader))
            case .executeWriteResponse: self = .executeWriteResponse(try .init(decoding: &reader))
            case .handleValueNotification: self = .handleValueNotification(try .init(decoding: &reader))
            case .handleValueIndication: self = .handleValueIndication(try .init(decoding: &reader))
            case .handleValueConfirmation: self = .handleValueConfirmation(try .init(decoding: &reader))
            case .multipleHandleValueNotification:
                self = .multipleHandleValueNotification(try .init(decoding: &reader))
            default:
                self = .unknown(opcode)
                return
            }
            try reader.finish()
        }
    }
}
