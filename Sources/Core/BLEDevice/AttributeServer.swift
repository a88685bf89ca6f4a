// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire

/// The ATT server of one link: what a client has set there, and the answers to its requests.
///
/// It answers as ``GATT/Server`` does, octet by octet; the session answers for its values at once.
struct AttributeServer: Sendable {
    let link: LinkID
    let limits: DeviceLimits
    /// The longest PDU on the link, in octets.
    private(set) var mtu = ATT.defaultMTU
    /// How well the link is protected.
    var security = GATT.LinkSecurity.plain(hasKey: false)
    /// What the client wants of each value that can notify or indicate.
    var subscriptions: [UInt8]
    var features: GATT.ClientFeatures = []
    /// Parts of a prepared write: handle, offset, length, octets.
    var prepared: [UInt8] = []
    /// When the client has to have confirmed an indication; `nil` when there is none.
    private(set) var confirmation: HostInstant?
    /// Indications that wait for that: handle and value.
    private var indications: [[UInt8]] = []

    init(_ link: LinkID, _ limits: DeviceLimits, configurations: Int) {
        self.link = link
        self.limits = limits
        subscriptions = [UInt8](repeating: 0, count: configurations)
    }

    /// Takes a PDU of a client.
    ///
    /// - Returns: What to send: the answer, or the next indication; none where there is none.
    @inline(never)
    mutating func receive<Session: DeviceSession & ~Copyable>(
        _ pdu: [UInt8], _ table: inout AttributeTable, _ session: inout Session, at now: HostInstant
    ) -> [UInt8] {
        guard let first = pdu.first else { return [] }
        let opcode = ATT.Opcode(rawValue: first)
        switch opcode.role {
        case .confirmation where pdu.count == 1 && confirmation != nil:
            confirmation = nil
            return nextIndication(table, at: now)
        case .command where opcode == .writeCommand && pdu.count >= 3:
            command(pdu, &table, &session, at: now)
        case .request:
            do throws(ATT.ErrorCode) {
                return try respond(pdu, opcode, &table, &session, at: now)
            } catch {
                return refusal(opcode, error)
            }
        default: break
        }
        return []
    }

    /// Which attribute the request that is answered is refused for.
    private var blamed = 0

    private func refusal(_ opcode: ATT.Opcode, _ code: ATT.ErrorCode) -> [UInt8] {
        [
            ATT.Opcode.errorResponse.rawValue, opcode.rawValue, UInt8(blamed & 0xFF),
            UInt8(blamed >> 8 & 0xFF),
            code.rawValue,
        ]
    }

    private mutating func respond<Session: DeviceSession & ~Copyable>(
        _ pdu: [UInt8], _ opcode: ATT.Opcode, _ table: inout AttributeTable, _ session: inout Session,
        at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        blamed = 0
        switch opcode {
        case .exchangeMTURequest where pdu.count == 3: return exchangeMTU(pdu, &session, at: now)
        case .findInformationRequest where pdu.count == 5: return try findInformation(pdu, table)
        case .findByTypeValueRequest where pdu.count >= 7:
            return try findByTypeValue(pdu, table, &session, at: now)
        case .readByTypeRequest where pdu.count == 7 || pdu.count == 21:
            return try readByType(pdu, table, &session, at: now)
        case .readByGroupTypeRequest where pdu.count == 7 || pdu.count == 21:
            return try readByGroupType(pdu, table)
        case .readRequest where pdu.count == 3:
            return try read(pdu, offset: 0, table, &session, at: now)
        case .readBlobRequest where pdu.count == 5:
            return try read(pdu, offset: pdu.number(at: 3), table, &session, at: now)
        case .readMultipleRequest where pdu.count >= 5 && pdu.count & 1 == 1,
            .readMultipleVariableRequest where pdu.count >= 5 && pdu.count & 1 == 1:
            return try readMultiple(pdu, table, &session, at: now)
        case .writeRequest where pdu.count >= 3:
            try write(pdu, &table, &session, at: now)
            return [ATT.Opcode.writeResponse.rawValue]
        case .prepareWriteRequest where pdu.count >= 5: return try prepare(pdu, table)
        case .executeWriteRequest where pdu.count == 2 && pdu[1] <= 1:
            try execute(isWanted: pdu[1] == 1, &table, &session, at: now)
            return [ATT.Opcode.executeWriteResponse.rawValue]
        case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest,
            .readByGroupTypeRequest, .readRequest, .readBlobRequest, .readMultipleRequest,
            .readMultipleVariableRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest:
            throw .invalidPDU
        default: throw .requestNotSupported
        }
    }

    private mutating func exchangeMTU<Session: DeviceSession & ~Copyable>(
        _ pdu: [UInt8], _ session: inout Session, at now: HostInstant
    ) -> [UInt8] {
        mtu = max(ATT.defaultMTU, min(limits.maximumMTU, pdu.number(at: 1)))
        session.receive(.mtuChanged(link, mtu), at: now)
        return [
            ATT.Opcode.exchangeMTUResponse.rawValue, UInt8(limits.maximumMTU & 0xFF),
            UInt8(limits.maximumMTU >> 8),
        ]
    }

    /// The attribute with a handle that a request names.
    mutating func attribute(
        _ handle: Int, _ table: AttributeTable
    ) throws(ATT.ErrorCode) -> AttributeTable.Row {
        blamed = handle
        guard let row = table[handle] else { throw .invalidHandle }
        return row
    }

    /// Names the attribute for which a request is refused.
    mutating func blame(_ handle: Int) { blamed = handle }

    /// Throws why a link may not do something with an attribute.
    func check(_ row: AttributeTable.Row, _ use: AttributeTable.Use) throws(ATT.ErrorCode) {
        guard security.level < row.access(use) else { return }
        throw security == .plain(hasKey: true) ? .insufficientEncryption : .insufficientAuthentication
    }

    // MARK: Values that the device sends

    /// Whether one more indication may wait.
    var hasRoomForIndication: Bool { waitingOctets <= limits.waitingOctets }

    private var waitingOctets: Int {
        var octets = 0
        for indication in indications { octets += indication.count }
        return octets
    }

    /// Octets that are kept for the client now.
    var octets: Int { prepared.count + waitingOctets }

    /// Takes a value that the session wants sent.
    ///
    /// - Returns: What to send now; none where the client does not want it or has to confirm another first.
    @inline(never)
    mutating func update(
        _ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, _ table: AttributeTable,
        at now: HostInstant
    ) -> [UInt8] {
        let number = Int(handle.rawValue)
        guard subscription(of: number, table).contains(kind == .notify ? .notify : .indicate) else {
            return []
        }
        var pdu: [UInt8] = []
        pdu.append(number: number)
        pdu.append(contentsOf: value.prefix(min(limits.maximumMTU - 3, ATT.maximumValueLength)))
        if kind == .notify { return self.pdu(.handleValueNotification, pdu) }
        indications.append(pdu)
        return confirmation == nil ? nextIndication(table, at: now) : []
    }

    private func subscription(of handle: Int, _ table: AttributeTable) -> GATT.Subscription {
        guard let row = table[handle + 1], row.kind == .clientConfiguration else { return [] }
        return GATT.Subscription(rawValue: UInt16(subscriptions[table.configuration(at: handle + 1)]))
    }

    private func pdu(_ opcode: ATT.Opcode, _ value: [UInt8]) -> [UInt8] {
        [opcode.rawValue] + value.prefix(mtu - 1)
    }

    private mutating func nextIndication(_ table: AttributeTable, at now: HostInstant) -> [UInt8] {
        while !indications.isEmpty {
            let next = indications.removeFirst()
            // The client may have switched it off meanwhile.
            guard subscription(of: next.number(at: 0), table).contains(.indicate) else { continue }
            confirmation = now.advanced(bySeconds: 30)
            return pdu(.handleValueIndication, next)
        }
        return []
    }
}

extension [UInt8] {
    /// The number at a place, the least significant octet first.
    func number(at index: Int) -> Int { Int(self[index]) | Int(self[index + 1]) << 8 }

    /// Appends 16 bits, the least significant octet first.
    mutating func append(number: Int) {
        append(UInt8(truncatingIfNeeded: number))
        append(UInt8(truncatingIfNeeded: number >> 8))
    }
}
