// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

extension ATT.HandleRange {
    /// The value of Service Changed.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 7.1.
    var octets: [UInt8] {
        var writer = ByteWriter(capacity: 4)
        writer.write(start.rawValue)
        writer.write(end.rawValue)
        return writer.octets
    }

    /// Reads the value of Service Changed; `nil` when it is none.
    init?(octets: [UInt8]) {
        guard octets.count == 4 else { return nil }
        self.init(
            start: AttributeHandle(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8),
            end: AttributeHandle(rawValue: UInt16(octets[2]) | UInt16(octets[3]) << 8))
        guard start <= end else { return nil }
    }

    func contains(_ handle: AttributeHandle) -> Bool { start <= handle && handle <= end }

    /// The smallest range that holds both.
    func united(with other: ATT.HandleRange) -> ATT.HandleRange {
        ATT.HandleRange(start: min(start, other.start), end: max(end, other.end))
    }
}
