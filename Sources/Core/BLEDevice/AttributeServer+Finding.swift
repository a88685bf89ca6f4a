// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire

// Requests by range and type.
extension AttributeServer {
    /// The handles of a range that there may be, the first and the last.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.3.2.
    private mutating func range(
        _ pdu: [UInt8], _ table: AttributeTable
    ) throws(ATT.ErrorCode) -> ClosedRange<Int> {
        let start = pdu.number(at: 1), end = min(pdu.number(at: 3), table.rows.count)
        blame(start)
        guard start != 0, start <= pdu.number(at: 3) else { throw .invalidHandle }
        guard start <= end, (start...end).contains(where: { table[$0] != nil }) else {
            throw .attributeNotFound
        }
        return start...end
    }

    private func uuid(_ pdu: [UInt8], at index: Int) -> BluetoothUUID? {
        if pdu.count == index + 2 { return BluetoothUUID(UInt16(truncatingIfNeeded: pdu.number(at: index))) }
        guard pdu.count == index + 16 else { return nil }
        var low: UInt64 = 0
        var high: UInt64 = 0
        for place in (0..<8).reversed() {
            low = low << 8 | UInt64(pdu[index + place])
            high = high << 8 | UInt64(pdu[index + 8 + place])
        }
        return BluetoothUUID(high: high, low: low)
    }

    @inline(never)
    mutating func findInformation(_ pdu: [UInt8], _ table: AttributeTable) throws(ATT.ErrorCode) -> [UInt8] {
        var answer = ByteWriter(capacity: mtu)
        var width = 0
        for handle in try range(pdu, table) {
            guard let row = table[handle] else { continue }
            let type = table.type(of: row)
            if width == 0 {
                width = type.short == nil ? 16 : 2
                answer.write(ATT.Opcode.findInformationResponse.rawValue)
                answer.write(UInt8(width == 2 ? 1 : 2))
            }
            guard width == (type.short == nil ? 16 : 2), answer.octets.count + 2 + width <= mtu else { break }
            answer.write(UInt16(truncatingIfNeeded: handle))
            type.encodeAttributeType(into: &answer)
        }
        return answer.octets
    }

    @inline(never)
    mutating func findByTypeValue<Session: DeviceSession & ~Copyable>(
        _ pdu: [UInt8], _ table: AttributeTable, _ session: inout Session, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        let range = try range(pdu, table)
        let type = BluetoothUUID(UInt16(truncatingIfNeeded: pdu.number(at: 5)))
        var answer = [ATT.Opcode.findByTypeValueResponse.rawValue]
        for handle in range where answer.count + 4 <= mtu {
            guard let row = table[handle], table.type(of: row) == type, isReadable(row),
                let value = own(handle, row, table), value[...] == pdu[7...]
            else { continue }
            answer.append(number: handle)
            answer.append(number: row.isService ? table.groupEnd(of: handle) : handle)
        }
        guard answer.count > 1 else { throw .attributeNotFound }
        return answer
    }

    @inline(never)
    mutating func readByType<Session: DeviceSession & ~Copyable>(
        _ pdu: [UInt8], _ table: AttributeTable, _ session: inout Session, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        let range = try range(pdu, table)
        let type = uuid(pdu, at: 5)
        var answer: [UInt8] = []
        for handle in range {
            guard let row = table[handle], table.type(of: row) == type else { continue }
            let isFirst = answer.isEmpty
            // What the host cannot answer for itself stands in an answer of its own.
            guard isFirst || isReadable(row) && row.kind != .delegated else { break }
            blame(handle)
            var value = try value(of: handle, row, table, &session, at: now)
            value.removeLast(max(0, value.count - min(mtu - 4, 253)))
            if isFirst {
                answer = [ATT.Opcode.readByTypeResponse.rawValue, UInt8(value.count + 2)]
            } else if Int(answer[1]) != value.count + 2 || answer.count + value.count + 2 > mtu {
                break
            }
            answer.append(number: handle)
            answer.append(contentsOf: value)
            if row.kind == .delegated { break }
        }
        guard !answer.isEmpty else { throw .attributeNotFound }
        return answer
    }

    @inline(never)
    mutating func readByGroupType(_ pdu: [UInt8], _ table: AttributeTable) throws(ATT.ErrorCode) -> [UInt8] {
        let type = uuid(pdu, at: 5)
        let isGroup = type == GATT.AttributeType.primaryService || type == GATT.AttributeType.secondaryService
        // A range that cannot be goes first, one that holds nothing comes last.
        if !isGroup, pdu.number(at: 1) != 0, pdu.number(at: 1) <= pdu.number(at: 3) {
            blame(pdu.number(at: 1))
            throw .unsupportedGroupType
        }
        var answer: [UInt8] = []
        for handle in try range(pdu, table) {
            guard let row = table[handle], table.type(of: row) == type,
                let value = table.octets(of: handle, row)
            else { continue }
            if answer.isEmpty {
                answer = [ATT.Opcode.readByGroupTypeResponse.rawValue, UInt8(value.count + 4)]
            }
            guard Int(answer[1]) == value.count + 4, answer.count + value.count + 4 <= mtu else { break }
            answer.append(number: handle)
            answer.append(number: table.groupEnd(of: handle))
            answer.append(contentsOf: value)
        }
        guard !answer.isEmpty else { throw .attributeNotFound }
        return answer
    }
}
