// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// Finds everything of one kind over the whole handle range.
///
/// It goes on after the last handle it was told of; a server whose answers do not advance is caught by that.
///
/// Spec: Core v5.4, Vol 3, Part G, 4.4.2 and 4.8.2.
struct Listing {
    enum Kind {
        /// Primary services with a UUID.
        case services(BluetoothUUID)
        /// Values whose type is a UUID.
        case values(BluetoothUUID)
    }

    private let kind: Kind
    /// Where to go on; `nil` when the last handle was told.
    private var start: AttributeHandle? = .first
    private var services: [GATT.Service] = []
    private var values: [GATT.AttributeValue] = []

    /// The procedure with its first request.
    static func start(_ kind: Kind) -> (Procedure, [UInt8]) {
        let listing = Listing(kind: kind)
        return (.list(listing), listing.request(from: .first))
    }

    private init(kind: Kind) { self.kind = kind }

    func receive(_ pdu: ATT.PDU) -> Procedure.Step {
        var next = self
        switch (kind, pdu) {
        case (.services(let uuid), .findByTypeValueResponse(let response)):
            for range in response.ranges {
                guard next.advance(from: range.start, past: range.end) else { return next.end(.badResponse) }
                next.services.append(
                    GATT.Service(uuid: uuid, handle: range.start, endHandle: range.end, isPrimary: true))
            }
        case (.values, .readByTypeResponse(let response)):
            for item in response.items {
                guard next.advance(from: item.handle, past: item.handle) else {
                    return next.end(.badResponse)
                }
                next.values.append(GATT.AttributeValue(handle: item.handle, value: item.value))
            }
        case (_, .errorResponse(let error)) where error.request == opcode:
            return error.code == .attributeNotFound || !error.code.mayBeGrantedLater && !isEmpty
                ? end : .finish(.failure(.refused(error.code)))
        default: return .unrelated
        }
        guard let start = next.start else { return next.end }
        return .proceed(.list(next), next.request(from: start))
    }

    private var isEmpty: Bool { services.isEmpty && values.isEmpty }

    /// Ends for another reason than that there is nothing more: what was found before is good all the same.
    private func end(_ failure: GATTRequestError) -> Procedure.Step {
        isEmpty ? .finish(.failure(failure)) : end
    }

    private var end: Procedure.Step {
        switch kind {
        case .services: .finish(.success(.services(services)))
        case .values: .finish(.success(.values(values)))
        }
    }

    private var opcode: ATT.Opcode {
        switch kind {
        case .services: .findByTypeValueRequest
        case .values: .readByTypeRequest
        }
    }

    private func request(from start: AttributeHandle) -> [UInt8] {
        switch kind {
        case .services(let uuid):
            var value = ByteWriter(capacity: 16)
            uuid.encodeAttributeType(into: &value)
            // «Primary Service» has 16 bits.
            return ATT.FindByTypeValueRequest(start: start, end: .last, type: 0x2800, value: value.octets)
                .octets
        case .values(let uuid): return ATT.ReadByTypeRequest(start: start, end: .last, type: uuid).octets
        }
    }

    /// Goes on after a range.
    ///
    /// - Returns: Whether the range lies after all that were told before.
    private mutating func advance(from first: AttributeHandle, past last: AttributeHandle) -> Bool {
        guard let start, first >= start, last >= first else { return false }
        self.start = last.next
        return true
    }
}
