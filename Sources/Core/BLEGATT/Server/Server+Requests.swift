// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

extension GATT.Server {
    /// Answers a request, or passes it on to the session.
    mutating func request(_ octets: RawSpan, _ opcode: ATT.Opcode, database: inout GATT.Database) {
        requestArrived()
        let pdu: ATT.PDU
        do throws(DecodeError) {
            pdu = try ATT.PDU(decoding: octets)
        } catch {
            refuse(opcode, 0, .invalidPDU)
            return
        }
        if refusesUnaware(pdu, opcode) { return }
        defer { requestServed(pdu, database) }
        switch pdu {
        case .exchangeMTURequest(let pdu): exchangeMTU(pdu)
        case .findInformationRequest(let pdu): findInformation(pdu, database)
        case .findByTypeValueRequest(let pdu): findByTypeValue(pdu, database)
        case .readByTypeRequest(let pdu): readByType(pdu, database)
        case .readByGroupTypeRequest(let pdu): readByGroupType(pdu, database)
        case .readRequest(let pdu): read(pdu.handle, opcode, .read(pdu.handle), &database)
        case .readBlobRequest(let pdu):
            read(pdu.handle, opcode, .readBlob(pdu.handle, offset: Int(pdu.offset)), &database)
        case .readMultipleRequest(let pdu):
            readMultiple(MultipleRead(pdu.handles[...], isVariable: false), database)
        case .readMultipleVariableRequest(let pdu):
            readMultiple(MultipleRead(pdu.handles[...], isVariable: true), database)
        case .writeRequest(let pdu): write(pdu, database: &database)
        case .prepareWriteRequest(let pdu): prepareWrite(pdu, database)
        case .executeWriteRequest(let pdu): executeWrite(pdu, database: &database)
        default: refuse(opcode, 0, .requestNotSupported)
        }
    }

    /// Takes a command; one that makes no sense, or of a client that does not know of a change, is ignored.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.5.3; Part G, 2.5.2.1.
    mutating func command(_ octets: RawSpan, database: inout GATT.Database) {
        guard !withholdsValues, let command = Self.writeCommand(octets),
            let attribute = database.attribute(command.handle),
            case .value(let properties, let source) = attribute.content,
            properties.contains(.writeWithoutResponse), refusal(for: attribute.access.write) == nil,
            command.value.count <= ATT.maximumValueLength
        else {
            ignored += 1
            return
        }
        switch source {
        case .delegated: outputs.append(.write(command.handle, command.value, answered: false))
        case .stored:
            // The handle and the length have just been checked.
            _ = store(command.value, at: command.handle, &database)
        }
    }

    private static func writeCommand(_ octets: RawSpan) -> ATT.WriteCommand? {
        do throws(DecodeError) { return try ATT.WriteCommand(octets: octets) } catch { return nil }
    }

    /// Keeps a value and reports it.
    mutating func store(
        _ value: [UInt8], at handle: AttributeHandle, _ database: inout GATT.Database
    ) -> ATT.ErrorCode? {
        do throws(ATT.ErrorCode) {
            try database.store(value, at: handle)
            outputs.append(.stored(handle, value))
            return nil
        } catch {
            return error
        }
    }

    /// Answers what the session was asked.
    mutating func finish(
        _ pending: Pending, _ result: Result<[UInt8], ATT.ErrorCode>, database: inout GATT.Database
    ) {
        switch (pending, result) {
        case (.read(let handle), .success(let value)): respond(value, handle, .readRequest, from: 0)
        case (.readBlob(let handle, let offset), .success(let value)):
            respond(value, handle, .readBlobRequest, from: offset)
        case (.readByType(let handle), .success(let value)):
            let item = ATT.ReadByTypeResponse.Item(
                handle: handle, value: Array(value.prefix(min(mtu - 4, 253))))
            send(ATT.ReadByTypeResponse(items: [item]))
        case (.readMultiple(var read, _), .success(let value)):
            read.append(value, limit: mtu - 1)
            readMultiple(read, database)
        case (.readMultiple(let read, let handle), .failure(let code)): refuse(read.opcode, handle, code)
        case (.write, .success): send(ATT.WriteResponse())
        case (.executeWrite(_, let rest), .success): apply(rest, database: &database)
        case (.removed(let opcode, let handle), _): refuse(opcode, handle, .invalidHandle)
        case (.read(let handle), .failure(let code)): refuse(.readRequest, handle, code)
        case (.readBlob(let handle, _), .failure(let code)): refuse(.readBlobRequest, handle, code)
        case (.readByType(let handle), .failure(let code)): refuse(.readByTypeRequest, handle, code)
        case (.write(let handle), .failure(let code)): refuse(.writeRequest, handle, code)
        case (.executeWrite(let handle, _), .failure(let code)): refuse(.executeWriteRequest, handle, code)
        }
    }

    mutating func send(_ response: some ATTPDU) { outputs.append(.send(response.octets)) }

    mutating func refuse(_ request: ATT.Opcode, _ handle: AttributeHandle, _ code: ATT.ErrorCode) {
        send(ATT.ErrorResponse(request: request, handle: handle, code: code))
    }

    private mutating func exchangeMTU(_ pdu: ATT.ExchangeMTURequest) {
        send(ATT.ExchangeMTUResponse(serverMTU: UInt16(clamping: receiveMTU)))
        mtu = max(ATT.defaultMTU, min(receiveMTU, Int(pdu.clientMTU)))
        outputs.append(.mtu(mtu))
    }

    private mutating func read(
        _ handle: AttributeHandle, _ opcode: ATT.Opcode, _ pending: Pending,
        _ database: inout GATT.Database
    ) {
        guard let attribute = database.attribute(handle) else {
            refuse(opcode, handle, .invalidHandle)
            return
        }
        switch readable(attribute) {
        case .failure(let code): refuse(opcode, handle, code)
        case .success(nil):
            state = .waiting(pending)
            outputs.append(.read(handle))
        case .success(let value?): finish(pending, .success(value), database: &database)
        }
    }

    /// The value of an attribute: known, with the session, or not to be read.
    func readable(_ attribute: GATT.Database.Attribute) -> Result<[UInt8]?, ATT.ErrorCode> {
        if case .value(let properties, _) = attribute.content, !properties.contains(.read) {
            return .failure(.readNotPermitted)
        }
        if let code = refusal(for: attribute.access.read) { return .failure(code) }
        switch attribute.content {
        case .constant(let value), .value(_, .stored(let value)): return .success(value)
        case .clientConfiguration(let handle, _):
            let octets = subscription(handle).rawValue
            return .success([UInt8(octets & 0xFF), UInt8(octets >> 8)])
        case .clientFeatures: return .success([clientFeatures.rawValue])
        case .value(_, .delegated): return .success(nil)
        }
    }

    private mutating func respond(
        _ value: [UInt8], _ handle: AttributeHandle, _ request: ATT.Opcode, from offset: Int
    ) {
        let count = min(value.count, ATT.maximumValueLength)
        guard offset <= count else {
            refuse(request, handle, .invalidOffset)
            return
        }
        let part = Array(value[offset..<min(offset + mtu - 1, count)])
        if request == .readRequest {
            send(ATT.ReadResponse(value: part))
        } else {
            send(ATT.ReadBlobResponse(value: part))
        }
    }

    private mutating func write(_ pdu: ATT.WriteRequest, database: inout GATT.Database) {
        guard let attribute = database.attribute(pdu.handle) else {
            refuse(.writeRequest, pdu.handle, .invalidHandle)
            return
        }
        if let code = unwritable(attribute) {
            refuse(.writeRequest, pdu.handle, code)
            return
        }
        switch attribute.content {
        case .clientConfiguration(let handle, let properties):
            if let code = unfit(pdu.value, properties) {
                refuse(.writeRequest, pdu.handle, code)
            } else {
                send(ATT.WriteResponse())
                configure(handle, pdu.value)
            }
        case .clientFeatures:
            if let code = unfitFeatures(pdu.value) {
                refuse(.writeRequest, pdu.handle, code)
            } else {
                send(ATT.WriteResponse())
                setFeatures(pdu.value)
            }
        case .value(_, let source):
            guard pdu.value.count <= ATT.maximumValueLength else {
                refuse(.writeRequest, pdu.handle, .invalidAttributeValueLength)
                return
            }
            switch source {
            case .delegated:
                state = .waiting(.write(pdu.handle))
                outputs.append(.write(pdu.handle, pdu.value, answered: true))
            case .stored:
                send(ATT.WriteResponse())
                // The handle and the length have just been checked.
                _ = store(pdu.value, at: pdu.handle, &database)
            }
        case .constant: break
        }
    }

    /// Why an attribute may not be written with an answer.
    func unwritable(_ attribute: GATT.Database.Attribute) -> ATT.ErrorCode? {
        switch attribute.content {
        case .clientConfiguration, .clientFeatures: break
        case .value(let properties, _) where properties.contains(.write): break
        case .constant, .value: return .writeNotPermitted
        }
        return refusal(for: attribute.access.write)
    }

    /// Why a value cannot be that of a switch: its length, or kinds that the characteristic lacks.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 3.3.3.3.
    func unfit(_ value: [UInt8], _ properties: GATT.Properties) -> ATT.ErrorCode? {
        guard value.count == 2 else { return .invalidAttributeValueLength }
        var possible: GATT.Subscription = []
        if properties.contains(.notify) { possible.insert(.notify) }
        if properties.contains(.indicate) { possible.insert(.indicate) }
        return possible.isSuperset(of: GATT.Subscription(octets: value)) ? nil : .valueNotAllowed
    }

    /// Switches notifications and indications; the value fits.
    mutating func configure(_ handle: AttributeHandle, _ value: [UInt8]) {
        let wanted = GATT.Subscription(octets: value)
        guard subscription(handle) != wanted else { return }
        subscriptions[handle] = wanted.isEmpty ? nil : wanted
        outputs.append(.subscribed(handle, wanted))
    }
}

extension GATT.Subscription {
    /// Two octets as they are written; the caller has counted them.
    fileprivate init(octets: [UInt8]) { self.init(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8) }
}
