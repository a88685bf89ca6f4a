// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire
import Testing

/// The octets of one PDU, laid out by hand from the specification, and its value.
struct PDUCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let golden: [UInt8]
    let value: ATT.PDU
    /// What our encoder makes of the value.
    let encoded: [UInt8]
    let role: ATT.Role
    /// Octets of the shortest PDU of this kind; `nil` when any length is possible from the opcode on.
    let shortest: Int
    /// Whether octets may follow without end.
    let isOpenEnded: Bool

    init(
        _ hex: String, _ role: ATT.Role, _ value: ATT.PDU, shortest: Int? = nil, open: Bool = false,
        _ pdu: some ATTPDU
    ) {
        testDescription = "\(type(of: pdu)) \(hex)"
        golden = [UInt8](hexadecimal: hex) ?? []
        self.value = value
        encoded = pdu.octets
        self.role = role
        self.shortest = shortest ?? golden.count
        isOpenEnded = open
    }
}

private let long = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)
private let longHex = "4B9131C3C9C5CC8F9E45B51F01C2AF4F"

extension PDUCase {
    static let all: [PDUCase] = requests + responses + unasked

    private static func request<P: ATTPDU>(
        _ hex: String, _ wrap: (P) -> ATT.PDU, _ pdu: P, shortest: Int? = nil, open: Bool = false
    ) -> PDUCase {
        PDUCase(hex, .request, wrap(pdu), shortest: shortest, open: open, pdu)
    }

    private static func response<P: ATTPDU>(
        _ hex: String, _ wrap: (P) -> ATT.PDU, _ pdu: P, shortest: Int? = nil, open: Bool = false
    ) -> PDUCase {
        PDUCase(hex, .response, wrap(pdu), shortest: shortest, open: open, pdu)
    }

    private static let requests: [PDUCase] = [
        // client MTU 517
        request("02 0502", ATT.PDU.exchangeMTURequest, .init(clientMTU: 517)),
        // from 0x0001 to 0xFFFF
        request("04 0100 FFFF", ATT.PDU.findInformationRequest, .init(start: .first, end: .last)),
        // from, to, type «Primary Service», value 180F
        request(
            "06 0100 FFFF 0028 0F18", ATT.PDU.findByTypeValueRequest,
            .init(start: .first, end: .last, type: 0x2800, value: [0x0F, 0x18]), shortest: 7, open: true),
        request(
            "06 0100 FFFF 0028", ATT.PDU.findByTypeValueRequest,
            .init(start: .first, end: .last, type: 0x2800, value: []), open: true),
        // from, to, type «Characteristic»
        request(
            "08 0300 1000 0328", ATT.PDU.readByTypeRequest,
            .init(start: 3, end: 0x10, type: BluetoothUUID(0x2803))),
        request(
            "08 0300 1000 \(longHex)", ATT.PDU.readByTypeRequest, .init(start: 3, end: 0x10, type: long)),
        request("0A 3412", ATT.PDU.readRequest, .init(handle: 0x1234)),
        // handle, offset
        request("0C 3412 1600", ATT.PDU.readBlobRequest, .init(handle: 0x1234, offset: 22)),
        request("0E 0300 0500", ATT.PDU.readMultipleRequest, .init(handles: [3, 5])),
        request("0E 0300 0500 0300", ATT.PDU.readMultipleRequest, .init(handles: [3, 5, 3])),
        request(
            "10 0100 FFFF 0028", ATT.PDU.readByGroupTypeRequest,
            .init(start: .first, end: .last, type: BluetoothUUID(0x2800))),
        request(
            "10 0100 FFFF \(longHex)", ATT.PDU.readByGroupTypeRequest,
            .init(start: .first, end: .last, type: long)),
        // handle, value
        request(
            "12 0300 0100", ATT.PDU.writeRequest, .init(handle: 3, value: [1, 0]), shortest: 3, open: true),
        request("12 0300", ATT.PDU.writeRequest, .init(handle: 3, value: []), open: true),
        // handle, offset, part
        request(
            "16 0300 1200 AABB", ATT.PDU.prepareWriteRequest,
            .init(handle: 3, offset: 18, value: [0xAA, 0xBB]), shortest: 5, open: true),
        request("18 00", ATT.PDU.executeWriteRequest, .init(commit: false)),
        request("18 01", ATT.PDU.executeWriteRequest, .init(commit: true)),
        request("20 0300 0500", ATT.PDU.readMultipleVariableRequest, .init(handles: [3, 5])),
    ]

    private static let responses: [PDUCase] = [
        // to Read, handle 0x1234, Invalid Handle
        response(
            "01 0A 3412 01", ATT.PDU.errorResponse,
            .init(request: .readRequest, handle: 0x1234, code: .invalidHandle)),
        response(
            "01 77 0000 FE", ATT.PDU.errorResponse,
            .init(request: .init(rawValue: 0x77), handle: 0, code: .procedureAlreadyInProgress)),
        response("03 1700", ATT.PDU.exchangeMTUResponse, .init(serverMTU: 23)),
        // format 1: handle and 16-bit type
        response(
            "05 01 0300 0229 0400 0129", ATT.PDU.findInformationResponse,
            .init(pairs: [
                .init(handle: 3, type: BluetoothUUID(0x2902)), .init(handle: 4, type: BluetoothUUID(0x2901)),
            ])),
        // format 2: handle and 128-bit type
        response(
            "05 02 0300 \(longHex)", ATT.PDU.findInformationResponse,
            .init(pairs: [.init(handle: 3, type: long)])),
        response(
            "07 0100 0700 0900 FFFF", ATT.PDU.findByTypeValueResponse,
            .init(ranges: [.init(start: 1, end: 7), .init(start: 9, end: .last)])),
        // items of 7: handle; properties, value handle, UUID
        response(
            "09 07 0200 02 0300 002A 0400 02 0500 012A", ATT.PDU.readByTypeResponse,
            .init(items: [
                .init(handle: 2, value: [0x02, 0x03, 0x00, 0x00, 0x2A]),
                .init(handle: 4, value: [0x02, 0x05, 0x00, 0x01, 0x2A]),
            ])),
        // items of 2: values of no octets
        response(
            "09 02 0200 0400", ATT.PDU.readByTypeResponse,
            .init(items: [.init(handle: 2, value: []), .init(handle: 4, value: [])])),
        response("0B 0102", ATT.PDU.readResponse, .init(value: [1, 2]), shortest: 1, open: true),
        response("0B", ATT.PDU.readResponse, .init(value: []), open: true),
        response("0D 0102", ATT.PDU.readBlobResponse, .init(value: [1, 2]), shortest: 1, open: true),
        response("0F 0102", ATT.PDU.readMultipleResponse, .init(value: [1, 2]), shortest: 1, open: true),
        // items of 6: first and last handle; UUID
        response(
            "11 06 0100 0500 0018 0600 0600 0118", ATT.PDU.readByGroupTypeResponse,
            .init(items: [
                .init(start: 1, end: 5, value: [0x00, 0x18]), .init(start: 6, end: 6, value: [0x01, 0x18]),
            ])),
        response("13", ATT.PDU.writeResponse, .init()),
        response(
            "17 0300 1200 AABB", ATT.PDU.prepareWriteResponse,
            .init(handle: 3, offset: 18, value: [0xAA, 0xBB]), shortest: 5, open: true),
        response("19", ATT.PDU.executeWriteResponse, .init()),
        // length, value; length, value
        response(
            "21 0200 AABB 0000", ATT.PDU.readMultipleVariableResponse, .init(values: [[0xAA, 0xBB], []]),
            shortest: 5, open: true),
    ]

    private static let unasked: [PDUCase] = [
        PDUCase(
            "52 0300 01", .command, .writeCommand(.init(handle: 3, value: [1])), shortest: 3, open: true,
            ATT.WriteCommand(handle: 3, value: [1])),
        PDUCase(
            "1B 0300 01", .notification, .handleValueNotification(.init(handle: 3, value: [1])),
            shortest: 3, open: true, ATT.HandleValueNotification(handle: 3, value: [1])),
        PDUCase(
            "1D 0300", .indication, .handleValueIndication(.init(handle: 3, value: [])), open: true,
            ATT.HandleValueIndication(handle: 3, value: [])),
        PDUCase(
            "1E", .confirmation, .handleValueConfirmation(.init()), ATT.HandleValueConfirmation()),
        // handle, length, value; twice
        PDUCase(
            "23 0300 0100 AA 0500 0000", .notification,
            .multipleHandleValueNotification(
                .init(items: [.init(handle: 3, value: [0xAA]), .init(handle: 5, value: [])])),
            ATT.MultipleHandleValueNotification(
                items: [.init(handle: 3, value: [0xAA]), .init(handle: 5, value: [])])),
        // one handle, length, value: what bluetoothd sends
        PDUCase(
            "23 0300 0200 AABB", .notification,
            .multipleHandleValueNotification(.init(items: [.init(handle: 3, value: [0xAA, 0xBB])])),
            ATT.MultipleHandleValueNotification(items: [.init(handle: 3, value: [0xAA, 0xBB])])),
    ]
}

func decode(_ octets: [UInt8]) -> Result<ATT.PDU, DecodeError> {
    do throws(DecodeError) {
        return .success(try ATT.PDU(decoding: octets.span.bytes))
    } catch {
        return .failure(error)
    }
}

extension ATT.PDU {
    /// The PDU's octets; nothing for one that is not known.
    var octets: [UInt8]? {
        let pdu: any ATTPDU
        switch self {
        case .errorResponse(let value): pdu = value
        case .exchangeMTURequest(let value): pdu = value
        case .exchangeMTUResponse(let value): pdu = value
        case .findInformationRequest(let value): pdu = value
        case .findInformationResponse(let value): pdu = value
        case .findByTypeValueRequest(let value): pdu = value
        case .findByTypeValueResponse(let value): pdu = value
        case .readByTypeRequest(let value): pdu = value
        case .readByTypeResponse(let value): pdu = value
        case .readRequest(let value): pdu = value
        case .readResponse(let value): pdu = value
        case .readBlobRequest(let value): pdu = value
        case .readBlobResponse(let value): pdu = value
        case .readMultipleRequest(let value): pdu = value
        case .readMultipleResponse(let value): pdu = value
        case .readMultipleVariableRequest(let value): pdu = value
        case .readMultipleVariableResponse(let value): pdu = value
        case .readByGroupTypeRequest(let value): pdu = value
        case .readByGroupTypeResponse(let value): pdu = value
        case .writeRequest(let value): pdu = value
        case .writeResponse(let value): pdu = value
        case .writeCommand(let value): pdu = value
        case .prepareWriteRequest(let value): pdu = value
        case .prepareWriteResponse(let value): pdu = value
        case .executeWriteRequest(let value): pdu = value
        case .executeWriteResponse(let value): pdu = value
        case .handleValueNotification(let value): pdu = value
        case .handleValueIndication(let value): pdu = value
        case .handleValueConfirmation(let value): pdu = value
        case .multipleHandleValueNotification(let value): pdu = value
        case .unknown: return nil
        }
        return pdu.octets
    }
}
