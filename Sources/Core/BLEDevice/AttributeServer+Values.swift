// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire

// Reading and writing one value.
extension AttributeServer {
    /// Whether the link may read an attribute.
    func isReadable(_ row: AttributeTable.Row) -> Bool {
        !(lacksRead(row) || security.level < row.access(.read))
    }

    private func lacksRead(_ row: AttributeTable.Row) -> Bool {
        (row.kind == .delegated || row.kind == .stored || row.kind == .clientFeatures)
            && !row.properties.contains(.read)
    }

    /// The octets for which the host answers; `nil` for those of the session.
    func own(_ handle: Int, _ row: AttributeTable.Row, _ table: AttributeTable) -> [UInt8]? {
        switch row.kind {
        case .clientConfiguration: [subscriptions[table.configuration(at: handle)], 0]
        case .clientFeatures: [features.rawValue]
        default: table.octets(of: handle, row)
        }
    }

    /// The whole value of an attribute.
    @inline(never)
    func value<Session: DeviceSession & ~Copyable>(
        of handle: Int, _ row: AttributeTable.Row, _ table: AttributeTable, _ session: inout Session,
        at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        if lacksRead(row) { throw .readNotPermitted }
        try check(row, .read)
        if let value = own(handle, row, table) { return value }
        var value = try session.read(AttributeHandle(rawValue: UInt16(handle)), on: link, at: now)
        value.removeLast(max(0, value.count - ATT.maximumValueLength))
        return value
    }

    /// Read and Read Blob.
    @inline(never)
    mutating func read<Session: DeviceSession & ~Copyable>(
        _ pdu: [UInt8], offset: Int, _ table: AttributeTable, _ session: inout Session, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        let handle = pdu.number(at: 1)
        let row = try attribute(handle, table)
        let value = try value(of: handle, row, table, &session, at: now)
        guard offset <= value.count else { throw .invalidOffset }
        return [pdu[0] + 1] + value[offset..<min(offset + mtu - 1, value.count)]
    }

    /// Read Multiple, and the same for values of any length.
    @inline(never)
    mutating func readMultiple<Session: DeviceSession & ~Copyable>(
        _ pdu: [UInt8], _ table: AttributeTable, _ session: inout Session, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        var answer = [pdu[0] + 1]
        for index in stride(from: 1, to: pdu.count, by: 2) {
            let handle = pdu.number(at: index)
            let row = try attribute(handle, table)
            let value = try value(of: handle, row, table, &session, at: now)
            if pdu[0] == ATT.Opcode.readMultipleVariableRequest.rawValue {
                answer.append(number: value.count)
            }
            answer.append(contentsOf: value)
            answer.removeLast(max(0, answer.count - mtu))
        }
        return answer
    }

    /// Throws why an attribute cannot be written with an answer.
    func checkIsWritable(_ row: AttributeTable.Row) throws(ATT.ErrorCode) {
        switch row.kind {
        case .clientConfiguration, .clientFeatures: break
        case .delegated where row.properties.contains(.write), .stored where row.properties.contains(.write):
            break
        default: throw .writeNotPermitted
        }
        try check(row, .write)
    }

    /// Throws why an attribute of the host's own cannot have a value.
    func checkFits(_ value: [UInt8], _ row: AttributeTable.Row) throws(ATT.ErrorCode) {
        switch row.kind {
        case .clientConfiguration:
            guard value.count == 2 else { throw .invalidAttributeValueLength }
            let possible: UInt8 =
                (row.properties.contains(.notify) ? 1 : 0) | (row.properties.contains(.indicate) ? 2 : 0)
            guard value[0] & ~possible == 0, value[1] == 0 else { throw .valueNotAllowed }
        case .clientFeatures:
            guard !value.isEmpty, value.count <= ATT.maximumValueLength else {
                throw .invalidAttributeValueLength
            }
            guard features.isSubset(of: GATT.ClientFeatures(rawValue: value[0])) else {
                throw .valueNotAllowed
            }
        default:
            guard value.count <= ATT.maximumValueLength else { throw .invalidAttributeValueLength }
        }
    }

    /// Puts a value that fits where it belongs.
    @inline(never)
    mutating func put<Session: DeviceSession & ~Copyable>(
        _ value: [UInt8], _ handle: Int, _ row: AttributeTable.Row, _ table: inout AttributeTable,
        _ session: inout Session, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        switch row.kind {
        case .clientConfiguration:
            let number = table.configuration(at: handle)
            guard subscriptions[number] != value[0] else { return }
            subscriptions[number] = value[0]
            session.receive(
                .subscribed(
                    link, AttributeHandle(rawValue: UInt16(handle - 1)),
                    GATT.Subscription(rawValue: UInt16(value[0]))), at: now)
        case .clientFeatures:
            features = GATT.ClientFeatures(rawValue: value[0]).intersection(.all)
        case .delegated:
            try session.write(AttributeHandle(rawValue: UInt16(handle)), value, on: link, at: now)
        default: table.store(value, at: handle)
        }
    }

    @inline(never)
    mutating func write<Session: DeviceSession & ~Copyable>(
        _ pdu: [UInt8], _ table: inout AttributeTable, _ session: inout Session, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        let handle = pdu.number(at: 1)
        let row = try attribute(handle, table)
        try checkIsWritable(row)
        let value = [UInt8](pdu[3...])
        try checkFits(value, row)
        try put(value, handle, row, &table, &session, at: now)
    }

    /// Write Command: what cannot be is dropped.
    @inline(never)
    mutating func command<Session: DeviceSession & ~Copyable>(
        _ pdu: [UInt8], _ table: inout AttributeTable, _ session: inout Session, at now: HostInstant
    ) {
        let handle = pdu.number(at: 1)
        guard let row = table[handle], row.kind == .delegated || row.kind == .stored,
            row.properties.contains(.writeWithoutResponse), security.level >= row.access(.write),
            pdu.count - 3 <= ATT.maximumValueLength
        else { return }
        do throws(ATT.ErrorCode) {
            try put([UInt8](pdu[3...]), handle, row, &table, &session, at: now)
        } catch {
            // Nobody is told.
        }
    }

    // MARK: Prepared writes

    @inline(never)
    mutating func prepare(_ pdu: [UInt8], _ table: AttributeTable) throws(ATT.ErrorCode) -> [UInt8] {
        let row = try attribute(pdu.number(at: 1), table)
        try checkIsWritable(row)
        // What could not be echoed whole was no request of this bearer.
        guard pdu.count <= mtu else { throw .invalidPDU }
        guard prepared.count + pdu.count + 1 <= limits.preparedOctets else { throw .prepareQueueFull }
        prepared.append(contentsOf: pdu[1..<5])
        prepared.append(number: pdu.count - 5)
        prepared.append(contentsOf: pdu[5...])
        return [ATT.Opcode.prepareWriteResponse.rawValue] + pdu[1...]
    }

    /// Execute Write: all values are put together before the first is written.
    @inline(never)
    mutating func execute<Session: DeviceSession & ~Copyable>(
        isWanted: Bool, _ table: inout AttributeTable, _ session: inout Session, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        let parts = prepared
        prepared = []
        guard isWanted else { return }
        var handles: [Int] = []
        var position = 0
        while position < parts.count {
            let handle = parts.number(at: position)
            if !handles.contains(handle) { handles.append(handle) }
            position += 6 + parts.number(at: position + 4)
        }
        for handle in handles {
            let row = try attribute(handle, table)
            try checkFits(try value(of: handle, row, parts, table), row)
        }
        for handle in handles {
            let row = try attribute(handle, table)
            try put(try value(of: handle, row, parts, table), handle, row, &table, &session, at: now)
        }
    }

    /// A value of its parts; those that begin later change what a stored value is.
    private func value(
        of handle: Int, _ row: AttributeTable.Row, _ parts: [UInt8], _ table: AttributeTable
    ) throws(ATT.ErrorCode) -> [UInt8] {
        var value: [UInt8]?
        var position = 0
        while position < parts.count {
            let (offset, count) = (parts.number(at: position + 2), parts.number(at: position + 4))
            defer { position += 6 + count }
            guard parts.number(at: position) == handle else { continue }
            let current = row.kind == .stored && offset != 0 ? table.octets(of: handle, row) ?? [] : []
            var octets = value ?? current
            guard offset <= octets.count else { throw .invalidOffset }
            octets.replaceSubrange(
                offset..<min(offset + count, octets.count),
                with: parts[(position + 6)..<(position + 6 + count)])
            guard octets.count <= ATT.maximumValueLength else { throw .invalidAttributeValueLength }
            value = octets
        }
        return value ?? []
    }
}
