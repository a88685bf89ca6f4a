// SPDX-License-Identifier: Apache-2.0

/// A 128-bit UUID; 16- and 32-bit ones stand in the Bluetooth base.
///
/// Two UUIDs are equal when their 128 bits are, in whatever width they travelled.
///
/// Spec: Core v5.4, Vol 3, Part B, 2.5.1.
@frozen
public struct BluetoothUUID: Hashable, Comparable, Sendable {
    /// The first eight octets in written order.
    public let high: UInt64
    /// The last eight octets in written order.
    public let low: UInt64

    /// Makes a UUID from its halves in written order.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Expands a 16-bit UUID with the Bluetooth base.
    ///
    /// - Parameter short: The assigned number.
    @inlinable
    public init(_ short: UInt16) { self.init(short32: UInt32(short)) }

    /// Expands a 32-bit UUID with the Bluetooth base.
    ///
    /// - Parameter short32: The assigned number.
    @inlinable
    public init(short32: UInt32) {
        high = UInt64(short32) &<< 32 | 0x1000
        low = 0x8000_0080_5F9B_34FB
    }

    /// The 32-bit form, when the UUID lies in the Bluetooth base.
    @inlinable
    public var short32: UInt32? {
        low == 0x8000_0080_5F9B_34FB && UInt32(truncatingIfNeeded: high) == 0x1000
            ? UInt32(truncatingIfNeeded: high &>> 32) : nil
    }

    /// The 16-bit form, when the UUID has one.
    @inlinable
    public var short: UInt16? {
        guard let short32, short32 <= 0xFFFF else { return nil }
        return UInt16(truncatingIfNeeded: short32)
    }

    /// Orders by the 128 bits in written order.
    @inlinable
    public static func < (a: BluetoothUUID, b: BluetoothUUID) -> Bool {
        a.high == b.high ? a.low < b.low : a.high < b.high
    }

    /// Reads 2, 4 or 16 octets, least significant first.
    ///
    /// - Parameters:
    ///   - reader: Where to read.
    ///   - width: Octets of the UUID on the wire: 2, 4 or 16.
    /// - Throws: ``DecodeError`` when the octets end early or the width is none of the three.
    public init(decoding reader: inout ByteReader, width: Int) throws(DecodeError) {
        switch width {
        case 2: self.init(try reader.readUInt16())
        case 4: self.init(short32: try reader.readUInt32())
        case 16:
            let low = try reader.readUInt64()
            self.init(high: try reader.readUInt64(), low: low)
        default: throw DecodeError(.badLength(width), at: reader.offset)
        }
    }

    /// Reads a UUID that fills the rest of the octets, in the forms that ATT knows.
    ///
    /// - Parameter reader: Where to read; 2 or 16 octets must be left.
    /// - Throws: ``DecodeError`` for any other count.
    public init(decodingAttributeType reader: inout ByteReader) throws(DecodeError) {
        let width = reader.remaining
        guard width == 2 || width == 16 else { throw DecodeError(.badLength(width), at: reader.offset) }
        try self.init(decoding: &reader, width: width)
    }

    /// Octets of the shortest form that ATT knows: 2 or 16.
    @inlinable
    public var attributeTypeWidth: Int { short == nil ? 16 : 2 }

    /// Appends the shortest form that ATT knows, 2 or 16 octets, least significant first.
    ///
    /// - Parameter writer: Where to append.
    @inlinable
    public func encodeAttributeType(into writer: inout ByteWriter) {
        if let short {
            writer.write(short)
        } else {
            encode128(into: &writer)
        }
    }

    /// Appends all 16 octets, least significant first.
    ///
    /// - Parameter writer: Where to append.
    @inlinable
    public func encode128(into writer: inout ByteWriter) {
        writer.write(low)
        writer.write(high)
    }
}
