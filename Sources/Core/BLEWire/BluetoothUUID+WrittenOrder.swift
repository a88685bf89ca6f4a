// SPDX-License-Identifier: Apache-2.0

// The order in which people write a UUID, and Foundation and Core Bluetooth have it: the reverse of that on the air.
extension BluetoothUUID {
    /// All 16 octets, the most significant first.
    package var writtenOctets: [UInt8] {
        var octets: [UInt8] = []
        for half in [high, low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                octets.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        return octets
    }

    /// Takes 2, 4 or 16 octets, the most significant first.
    ///
    /// - Parameter octets: The octets; another count gives `nil`.
    package init?(writtenOctets octets: [UInt8]) {
        func number(_ octets: ArraySlice<UInt8>) -> UInt64 { octets.reduce(0) { $0 << 8 | UInt64($1) } }
        switch octets.count {
        case 2, 4: self.init(short32: UInt32(truncatingIfNeeded: number(octets[...])))
        case 16: self.init(high: number(octets[..<8]), low: number(octets[8...]))
        default: return nil
        }
    }
}
