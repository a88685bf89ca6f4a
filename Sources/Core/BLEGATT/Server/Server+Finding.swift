// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

extension GATT.Server {
    /// The attributes of a range with their handles, or why the range is refused.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.3.1.
    private mutating func range(
        _ start: AttributeHandle, _ end: AttributeHandle, _ request: ATT.Opcode, _ database: GATT.Database
    ) -> Range<Int>? {
        guard start != 0, start <= end else {
            refuse(request, start, .invalidHandle)
            return nil
        }
        let first = database.index(notBefore: start)
        let past = end.next.map { database.index(notBefore: $0) } ?? database.attributes.count
        guard first < past else {
            refuse(request, start, .attributeNotFound)
            return nil
        }
        return first..<past
    }

    mutating func findInformation(_ pdu: ATT.FindInformationRequest, _ database: GATT.Database) {
        guard let range = range(pdu.start, pdu.end, .findInformationRequest, database) else { return }
        let width = database.attributes[range.lowerBound].type.attributeTypeWidth
        let room = (mtu - 2) / (2 + width)
        var pairs: [ATT.FindInformationResponse.Pair] = []
        for index in range.prefix(room) {
            let attribute = database.attributes[index]
            guard attribute.type.attributeTypeWidth == width else { break }
            pairs.append(.init(handle: attribute.handle, type: attribute.type))
        }
        send(ATT.FindInformationResponse(pairs: pairs))
    }

    mutating func findByTypeValue(_ pdu: ATT.FindByTypeValueRequest, _ database: GATT.Database) {
        guard let range = range(pdu.start, pdu.end, .findByTypeValueRequest, database) else { return }
        let type = BluetoothUUID(pdu.type)
        var ranges: [ATT.HandleRange] = []
        for index in range where ranges.count < (mtu - 1) / 4 {
            let attribute = database.attributes[index]
            guard attribute.type == type, case .success(let value?) = readable(attribute), value == pdu.value
            else { continue }
            ranges.append(.init(start: attribute.handle, end: attribute.groupEnd))
        }
        if ranges.isEmpty {
            refuse(.findByTypeValueRequest, pdu.start, .attributeNotFound)
        } else {
            send(ATT.FindByTypeValueResponse(ranges: ranges))
        }
    }

    /// Answers with as many values of one length as fit.
    ///
    /// A delegated value is answered alone, because the session is asked for one value at a time.
    mutating func readByType(_ pdu: ATT.ReadByTypeRequest, _ database: GATT.Database) {
        guard let range = range(pdu.start, pdu.end, .readByTypeRequest, database) else { return }
        let longest = min(mtu - 4, 253)
        var items: [ATT.ReadByTypeResponse.Item] = []
        for index in range where database.attributes[index].type == pdu.type {
            let handle = database.attributes[index].handle
            switch readable(database.attributes[index]) {
            case .success(let value?):
                let part = Array(value.prefix(longest))
                if let first = items.first {
                    let fits = 2 + (items.count + 1) * (2 + part.count) <= mtu
                    guard part.count == first.value.count, fits else {
                        send(ATT.ReadByTypeResponse(items: items))
                        return
                    }
                }
                items.append(.init(handle: handle, value: part))
            case .success(nil) where items.isEmpty:
                state = .waiting(.readByType(handle))
                outputs.append(.read(handle))
                return
            case .failure(let code) where items.isEmpty:
                refuse(.readByTypeRequest, handle, code)
                return
            case .success(nil), .failure:
                send(ATT.ReadByTypeResponse(items: items))
                return
            }
        }
        if items.isEmpty {
            refuse(.readByTypeRequest, pdu.start, .attributeNotFound)
        } else {
            send(ATT.ReadByTypeResponse(items: items))
        }
    }

    mutating func readByGroupType(_ pdu: ATT.ReadByGroupTypeRequest, _ database: GATT.Database) {
        let isGroup =
            pdu.type == GATT.AttributeType.primaryService || pdu.type == GATT.AttributeType.secondaryService
        // A range that cannot be goes first, one that holds nothing comes last.
        if !isGroup, pdu.start != 0, pdu.start <= pdu.end {
            refuse(.readByGroupTypeRequest, pdu.start, .unsupportedGroupType)
            return
        }
        guard let range = range(pdu.start, pdu.end, .readByGroupTypeRequest, database) else { return }
        let longest = min(mtu - 6, 251)
        var items: [ATT.ReadByGroupTypeResponse.Item] = []
        for index in range {
            let attribute = database.attributes[index]
            guard attribute.type == pdu.type, case .constant(let whole) = attribute.content else { continue }
            let value = Array(whole.prefix(longest))
            let length = items.first?.value.count ?? value.count
            guard value.count == length, 2 + (items.count + 1) * (4 + length) <= mtu else { break }
            items.append(.init(start: attribute.handle, end: attribute.groupEnd, value: value))
        }
        if items.isEmpty {
            refuse(.readByGroupTypeRequest, pdu.start, .attributeNotFound)
        } else {
            send(ATT.ReadByGroupTypeResponse(items: items))
        }
    }
}
