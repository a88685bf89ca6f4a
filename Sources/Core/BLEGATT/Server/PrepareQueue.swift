// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// The parts of values that a client has prepared on one bearer, in the order in which they came.
///
/// Spec: Core v5.4, Vol 3, Part F, 3.4.6.
struct PrepareQueue {
    private let limits: GATT.Limits
    private(set) var parts: [ATT.PrepareWriteRequest] = []
    private var octetCount = 0
    /// A handle of a part whose attribute is gone: nothing can be written any more.
    private(set) var removed: AttributeHandle?

    init(_ limits: GATT.Limits) { self.limits = limits }

    /// Takes a part.
    ///
    /// - Returns: Whether there was room.
    mutating func append(_ part: ATT.PrepareWriteRequest) -> Bool {
        guard parts.count < limits.preparedParts, part.value.count <= limits.preparedOctets - octetCount
        else {
            return false
        }
        parts.append(part)
        octetCount += part.value.count
        return true
    }

    /// Takes in that attributes are gone.
    mutating func remove(_ range: ATT.HandleRange) {
        removed = removed ?? parts.first { range.contains($0.handle) }?.handle
    }

    /// The handles of the parts, each once, in the order of their first part.
    var handles: [AttributeHandle] {
        var handles: [AttributeHandle] = []
        for part in parts where !handles.contains(part.handle) { handles.append(part.handle) }
        return handles
    }

    /// The whole new value that the parts of a handle make.
    ///
    /// A first part at offset 0 begins a new value, any other changes the value that is there. A part may
    /// write over what is there, but not leave a gap.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - current: The value that is there, as far as known.
    /// - Returns: The value, or why there is none.
    func value(of handle: AttributeHandle, over current: [UInt8]) -> Result<[UInt8], ATT.ErrorCode> {
        var value: [UInt8]?
        for part in parts where part.handle == handle {
            let offset = Int(part.offset)
            var octets = value ?? (offset == 0 ? [] : current)
            guard offset <= octets.count else { return .failure(.invalidOffset) }
            let end = min(offset + part.value.count, octets.count)
            octets.replaceSubrange(offset..<end, with: part.value)
            guard octets.count <= ATT.maximumValueLength else {
                return .failure(.invalidAttributeValueLength)
            }
            value = octets
        }
        return .success(value ?? current)
    }
}
