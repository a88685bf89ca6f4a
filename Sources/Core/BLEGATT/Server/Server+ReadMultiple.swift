// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// A request for several values that is being answered.
///
/// Spec: Core v5.4, Vol 3, Part F, 3.4.4.7 to 3.4.4.12.
struct MultipleRead {
    /// The handles whose values are still to be read.
    var rest: ArraySlice<AttributeHandle>
    /// Whether each value goes with its length.
    let isVariable: Bool
    /// What follows the response's opcode, as far as it fits.
    private(set) var octets: [UInt8] = []

    init(_ handles: ArraySlice<AttributeHandle>, isVariable: Bool) {
        rest = handles
        self.isVariable = isVariable
    }

    var opcode: ATT.Opcode { isVariable ? .readMultipleVariableRequest : .readMultipleRequest }

    /// Adds a value; the whole is cut where the response is full.
    ///
    /// - Parameters:
    ///   - value: The value; a longer one than an attribute holds is cut.
    ///   - limit: Octets that the response holds after its opcode.
    mutating func append(_ value: [UInt8], limit: Int) {
        let value = value.prefix(ATT.maximumValueLength)
        if isVariable { octets += [UInt8(value.count & 0xFF), UInt8(value.count >> 8)] }
        octets += value
        if octets.count > limit { octets.removeLast(octets.count - limit) }
    }
}

extension GATT.Server {
    /// Reads values as far as the next that the session must be asked for, and answers after the last.
    ///
    /// Values beyond what the response holds are read, too: each may be one that refuses the request.
    mutating func readMultiple(_ read: MultipleRead, _ database: GATT.Database) {
        var read = read
        while let handle = read.rest.popFirst() {
            guard let attribute = database.attribute(handle) else {
                refuse(read.opcode, handle, .invalidHandle)
                return
            }
            switch readable(attribute) {
            case .failure(let code):
                refuse(read.opcode, handle, code)
                return
            case .success(nil):
                state = .waiting(.readMultiple(read, handle))
                outputs.append(.read(handle))
                return
            case .success(let value?): read.append(value, limit: mtu - 1)
            }
        }
        let opcode = read.isVariable ? ATT.Opcode.readMultipleVariableResponse : .readMultipleResponse
        outputs.append(.send([opcode.rawValue] + read.octets))
    }
}
