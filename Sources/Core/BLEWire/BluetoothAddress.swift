// SPDX-License-Identifier: Apache-2.0

/// A Bluetooth device address with its kind.
///
/// Spec: Core v5.4, Vol 6, Part B, 1.3.
@frozen
public struct BluetoothAddress: Hashable, Sendable {
    /// Where the 48 bits come from.
    @frozen
    public enum Kind: UInt8, Hashable, Sendable {
        /// Assigned by the IEEE.
        case `public` = 0
        /// Chosen by the device: static or private.
        case random = 1
        /// The advertiser did not give one.
        case anonymous = 0xFF
    }

    /// The 48 bits; the octet that is written first is the most significant.
    public let value: UInt64
    /// Where the 48 bits come from.
    public let kind: Kind

    /// Makes an address.
    ///
    /// - Parameters:
    ///   - value: The 48 bits; higher bits are dropped.
    ///   - kind: Where they come from.
    @inlinable
    public init(_ value: UInt64, kind: Kind) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.kind = kind
    }

    /// Reads six octets, least significant first.
    ///
    /// - Parameters:
    ///   - reader: Where to read.
    ///   - kind: Where the address comes from.
    /// - Throws: ``DecodeError`` when fewer than six octets are left.
    @inlinable
    public init(decoding reader: inout ByteReader, kind: Kind) throws(DecodeError) {
        let low = UInt64(try reader.readUInt32())
        self.init(low | UInt64(try reader.readUInt16()) &<< 32, kind: kind)
    }

    /// Appends six octets, least significant first.
    ///
    /// - Parameter writer: Where to append.
    @inlinable
    public func encode(into writer: inout ByteWriter) {
        writer.write(UInt32(truncatingIfNeeded: value))
        writer.write(UInt16(truncatingIfNeeded: value &>> 32))
    }
}

extension BluetoothAddress {
    /// What kind an address is of that somebody has written down without it.
    ///
    /// Random when its two highest bits are set: so are all random addresses that stay the same, and most devices that take
    /// links have one. Every other address that is worth noting is public. A maker's number may begin so, too (a Raspberry Pi's
    /// `DC:A6:32`): then `/P` at the end says that it is public.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 1.3.2.1.
    ///
    /// - Parameter value: The 48 bits.
    /// - Returns: ``Kind/random`` or ``Kind/public``.
    public static func likelyKind(of value: UInt64) -> Kind {
        value >> 46 & 3 == 3 ? .random : .public
    }
}
