// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion

/// The identifier of a detection, the same in every file that it is exported to or imported from: 16 octets.
///
/// The first six are its receive time in milliseconds, the others are random; so keys are in order of time, and an index
/// of them grows at its end.
public struct DetectionKey: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
    /// The first eight octets, the first one highest.
    let high: UInt64
    /// The last eight octets, the first one highest.
    let low: UInt64

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - received: When the detection was received.
    ///   - generator: Where the random octets come from.
    public init(received: Timestamp, using generator: inout some RandomNumberGenerator) {
        // The clock may have stood before 1970.
        let time = UInt64(clamping: received.milliseconds) & 0xFFFF_FFFF_FFFF
        high = time << 16 | generator.next() & 0xFFFF
        low = generator.next()
    }

    /// Reads 16 octets.
    ///
    /// - Parameter octets: The octets; `nil` comes out when there are not 16.
    public init?(octets: some Collection<UInt8>) {
        guard octets.count == 16 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for octet in octets {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64(octet)
        }
        (self.high, self.low) = (high, low)
    }

    /// Reads 32 hex digits.
    ///
    /// - Parameter description: The digits.
    public init?(_ description: String) {
        guard let octets = [UInt8](hexadecimal: description) else { return nil }
        self.init(octets: octets)
    }

    /// The 16 octets.
    public var octets: [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(16)
        for half in [high, low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                octets.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        return octets
    }

    /// 32 hex digits.
    public var description: String { octets.hexadecimal }

    /// Appends the ``description`` to octets.
    func write(to text: inout [UInt8]) {
        for half in [high, low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                text.append(hexadecimal: UInt8(truncatingIfNeeded: half >> shift))
            }
        }
    }
}

extension JSONWriter {
    /// Writes a key in 32 hex digits, or null.
    mutating func value(_ value: DetectionKey?) {
        if let value { self.value(writing: { value.write(to: &$0) }) } else { null() }
    }
}
