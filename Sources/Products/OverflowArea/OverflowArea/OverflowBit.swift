// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// One of the 128 bits of the overflow area, which stand for service UUIDs.
///
/// An app in the background has each of its services advertised as one bit:
///
/// ```
/// h = CRC-8 of the UUID's 16 octets in written order, and 0x7F
///     (polynomial 0x09, initial value 0, not reflected, nothing added at the end)
/// on air: octet h >> 3, mask 1 << (h & 7)
/// ```
///
/// The published table of the mapping numbers the bits of each octet the other way round: its index is `h ^ 7`.
///
/// Spec: Documentation/Protocols/overflow-area.md, Bits.
@frozen
public struct OverflowBit: Hashable, Comparable, Sendable {
    /// The bit as it stands on the air, 0 to 127: octet times 8, and the place in the octet.
    public let number: Int

    /// Makes a bit of its number on the air.
    ///
    /// - Parameter number: 0 to 127; `nil` comes of any other.
    @inlinable
    public init?(number: Int) {
        guard (0..<128).contains(number) else { return nil }
        self.number = number
    }

    /// Makes a bit of a number of which only the lowest seven bits count.
    init(wrapping number: Int) { self.number = number & 127 }

    /// Makes a bit of its index in the published table.
    ///
    /// - Parameter tableIndex: 0 to 127; `nil` comes of any other.
    @inlinable
    public init?(tableIndex: Int) {
        guard (0..<128).contains(tableIndex) else { return nil }
        number = tableIndex ^ 7
    }

    /// The bit that a service sets.
    ///
    /// - Parameter uuid: The service; short forms stand in the Bluetooth base.
    public init(of uuid: BluetoothUUID) {
        number = Int(Self.crc(uuid.low, after: Self.crc(uuid.high, after: 0)) & 0x7F)
    }

    /// The octet of the map that it stands in, 0 to 15.
    @inlinable
    public var octet: Int { number &>> 3 }

    /// Its place in the octet.
    @inlinable
    public var mask: UInt8 { 1 &<< UInt8(truncatingIfNeeded: number & 7) }

    /// Its index in the published table, which counts from the most significant bit of each octet.
    @inlinable
    public var tableIndex: Int { number ^ 7 }

    /// The UUID of the published table that sets it: `00000000-0000-0000-0000-0000000000nn`, nn at most 7F.
    public var tableUUID: BluetoothUUID { BluetoothUUID(high: 0, low: lowBits) }

    /// Orders by the number on the air.
    @inlinable
    public static func < (a: OverflowBit, b: OverflowBit) -> Bool { a.number < b.number }

    /// The bit of the service that Apple Watches are set up with; phones nearby may show a card for it.
    ///
    /// Spec: Documentation/Protocols/overflow-area.md, Bits; the service is 9AA4730F-B25C-4CC3-B821-C931559FC196.
    public static let watchSetup = OverflowBit(wrapping: 66)

    /// The seven low bits that turn a UUID of bit 0 into one of this bit.
    ///
    /// The CRC is linear, and the last seven bits reach every value once.
    var lowBits: UInt64 {
        var bits: UInt64 = 0
        var rest = number
        for column in Self.inverse {
            if rest & 1 == 1 { bits ^= column }
            rest &>>= 1
        }
        return bits
    }

    /// The low seven bits whose CRC is 1, 2, 4, … 64.
    private static let inverse: [UInt64] = [0x4B, 0x12, 0x25, 0x4A, 0x10, 0x21, 0x42]

    /// Feeds eight octets into the CRC, the most significant first.
    private static func crc(_ octets: UInt64, after start: UInt8) -> UInt8 {
        var crc = start
        var shift: UInt64 = 64
        while shift > 0 {
            shift &-= 8
            crc ^= UInt8(truncatingIfNeeded: octets &>> shift)
            for _ in 0..<8 { crc = crc &<< 1 ^ (crc & 0x80 == 0 ? 0 : 0x09) }
        }
        return crc
    }
}

/// UUIDs that set a wanted bit and differ from a given one in its lowest bits only.
///
/// Of all UUIDs with the same upper bits, one in 128 sets the bit. They come in ascending order.
public struct OverflowUUIDs: Sequence, Sendable {
    /// The bit that all of them set.
    public let bit: OverflowBit
    /// The UUID whose upper bits they share.
    public let base: BluetoothUUID
    /// How many of the lowest bits may differ, 0 to 64.
    public let freeBits: Int

    /// Looks for UUIDs.
    ///
    /// - Parameters:
    ///   - bit: The bit that they set.
    ///   - base: The UUID whose upper bits they share.
    ///   - freeBits: How many of the lowest bits may differ; at most 64 do.
    public init(setting bit: OverflowBit, base: BluetoothUUID, freeBits: Int = 8) {
        self.bit = bit
        self.base = base
        self.freeBits = Swift.min(Swift.max(freeBits, 0), 64)
    }

    /// Gives one UUID after the other.
    public struct Iterator: IteratorProtocol {
        private let bit: OverflowBit
        private let base: BluetoothUUID
        /// The bits that may differ.
        private let free: UInt64
        /// The bits from the eighth on; `nil` when all were used.
        private var upper: UInt64?

        init(_ uuids: OverflowUUIDs) {
            bit = uuids.bit
            base = uuids.base
            free = uuids.freeBits == 64 ? .max : 1 &<< UInt64(uuids.freeBits) &- 1
            upper = 0
        }

        /// The next UUID.
        ///
        /// - Returns: The UUID; `nil` when there are no more.
        public mutating func next() -> BluetoothUUID? {
            while let upper {
                self.upper = upper < free &>> 7 ? upper &+ 1 : nil
                let head = base.low & ~(free | 0x7F) | (upper &<< 7) & free
                let start = OverflowBit(of: BluetoothUUID(high: base.high, low: head))
                let tail = OverflowBit(wrapping: start.number ^ bit.number).lowBits
                // With fewer than seven bits free, the others of the seven must be those of the base.
                if (tail ^ base.low) & 0x7F & ~free == 0 {
                    return BluetoothUUID(high: base.high, low: head | tail)
                }
            }
            return nil
        }
    }

    /// Starts with the smallest.
    public func makeIterator() -> Iterator { Iterator(self) }
}
