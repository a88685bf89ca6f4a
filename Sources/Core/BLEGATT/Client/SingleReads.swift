// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// Several values that are read one by one, because the server knows no request for several.
///
/// Each is read whole. What one of them is refused with, all are refused with, as with one request.
///
/// Spec: Core v5.4, Vol 3, Part G, 4.8.1 and 4.8.3.
struct SingleReads {
    let handles: [AttributeHandle]
    /// Whether each value is reported by itself, or all as one.
    private let isVariable: Bool
    private var values: [GATT.AttributeValue] = []
    /// What has come of the value that is being read.
    private var soFar: [UInt8] = []
    /// The MTU under which the last request was sent.
    private var asked: Int

    init(_ handles: [AttributeHandle], isVariable: Bool, mtu: Int) {
        self.handles = handles
        self.isVariable = isVariable
        asked = mtu
    }

    /// Asks for the next value, or ends with all of them.
    var next: Procedure.Step {
        if values.count < handles.count {
            return .proceed(.readEach(self), ATT.ReadRequest(handle: handles[values.count]).octets)
        }
        guard !isVariable else { return .finish(.success(.values(values))) }
        var all: [UInt8] = []
        for value in values { all += value.value }
        // As the response would have been.
        if all.count > asked - 1 { all.removeLast(all.count - asked + 1) }
        return .finish(.success(.value(all)))
    }

    func receive(_ pdu: ATT.PDU, mtu: Int) -> Procedure.Step {
        var following = self
        following.asked = mtu
        let step = Procedure.read(pdu, handles[values.count], soFar, asked: asked, mtu: mtu)
        switch step {
        case .proceed(.read(_, let soFar, _), let request):
            following.soFar = soFar
            return .proceed(.readEach(following), request)
        case .finish(.success(let answer)):
            switch answer.readValue {
            case .success(let value)?:
                following.soFar = []
                following.values.append(GATT.AttributeValue(handle: handles[values.count], value: value))
                return following.next
            case .failure(let failure)?: return .finish(.failure(failure))
            case nil: return step
            }
        default: return step
        }
    }
}
