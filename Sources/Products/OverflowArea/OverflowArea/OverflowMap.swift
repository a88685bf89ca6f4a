// SPDX-License-Identifier: Apache-2.0

public import BLEAdvertising
public import BLEWire

/// The 128 bits that an iPhone advertises for the services of its apps in the background.
///
/// | offset | size | field | notes |
/// |---|---|---|---|
/// | 0 | 1 | length | 0x14 |
/// | 1 | 1 | type | 0xFF: manufacturer specific |
/// | 2 | 2 | company | 0x004C: Apple |
/// | 4 | 1 | Apple type | 0x01, with no length octet |
/// | 5 | 16 | map | bit h is octet h >> 3, mask 1 << (h & 7) |
///
/// Several services may set the same bit, so a map says what may be there, not what is.
///
/// Spec: Documentation/Protocols/overflow-area.md, Advertisement.
@frozen
public struct OverflowMap: Hashable, Sendable, Sequence {
    /// The first eight octets, the first one least significant.
    public var low: UInt64
    /// The last eight octets, the first of them least significant.
    public var high: UInt64

    /// Octets of a map.
    public static let octetCount = 16

    /// Makes a map of its halves.
    @inlinable
    public init(low: UInt64 = 0, high: UInt64 = 0) {
        self.low = low
        self.high = high
    }

    /// The map of these services.
    ///
    /// - Parameter services: The services; none gives a map that no iPhone sends.
    public init(services: [BluetoothUUID]) {
        self.init()
        for service in services { insert(OverflowBit(of: service)) }
    }

    /// Reads 16 octets.
    ///
    /// - Parameter reader: Where to read.
    /// - Throws: ``DecodeError`` when fewer are left.
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        guard reader.remaining >= Self.octetCount else {
            throw DecodeError(.truncated(needed: Self.octetCount - reader.remaining), at: reader.offset)
        }
        low = try reader.readUInt64()
        high = try reader.readUInt64()
    }

    /// Makes a map of its 16 octets.
    ///
    /// - Parameter octets: The octets; `nil` comes of any other count.
    public init?(octets: [UInt8]) {
        guard octets.count == Self.octetCount else { return nil }
        self.init()
        for index in 0..<8 {
            low |= UInt64(octets[index]) &<< UInt64(8 &* index)
            high |= UInt64(octets[8 &+ index]) &<< UInt64(8 &* index)
        }
    }

    /// Appends 16 octets.
    ///
    /// - Parameter writer: Where to append.
    public func encode(into writer: inout ByteWriter) {
        writer.write(low)
        writer.write(high)
    }

    /// The 16 octets as they stand on the air.
    public var octets: [UInt8] {
        var writer = ByteWriter(capacity: Self.octetCount)
        encode(into: &writer)
        return writer.octets
    }

    /// Whether no bit is set.
    @inlinable
    public var isEmpty: Bool { low == 0 && high == 0 }

    /// How many bits are set.
    @inlinable
    public var count: Int { low.nonzeroBitCount &+ high.nonzeroBitCount }

    /// Whether a bit is set.
    ///
    /// - Parameter bit: The bit.
    /// - Returns: Whether it is set.
    @inlinable
    public func contains(_ bit: OverflowBit) -> Bool {
        (bit.number < 64 ? low : high) &>> UInt64(bit.number & 63) & 1 == 1
    }

    /// Sets a bit.
    ///
    /// - Parameter bit: The bit.
    public mutating func insert(_ bit: OverflowBit) {
        let mask: UInt64 = 1 &<< UInt64(bit.number & 63)
        if bit.number < 64 { low |= mask } else { high |= mask }
    }

    /// Clears a bit.
    ///
    /// - Parameter bit: The bit.
    public mutating func remove(_ bit: OverflowBit) {
        let mask: UInt64 = 1 &<< UInt64(bit.number & 63)
        if bit.number < 64 { low &= ~mask } else { high &= ~mask }
    }

    /// All bits of two maps together.
    ///
    /// - Parameter other: Another map.
    /// - Returns: The bits that are set in either.
    @inlinable
    public func union(_ other: OverflowMap) -> OverflowMap {
        OverflowMap(low: low | other.low, high: high | other.high)
    }

    /// The bits that another map does not have.
    ///
    /// - Parameter other: Another map.
    /// - Returns: The bits that are set here only.
    @inlinable
    public func subtracting(_ other: OverflowMap) -> OverflowMap {
        OverflowMap(low: low & ~other.low, high: high & ~other.high)
    }

    /// Gives the bits that are set, in ascending order.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline var rest: OverflowMap

        @inlinable
        init(_ map: OverflowMap) { rest = map }

        /// The next bit that is set.
        ///
        /// - Returns: The bit; `nil` when there are no more.
        @inlinable
        public mutating func next() -> OverflowBit? {
            if rest.low != 0 {
                defer { rest.low &= rest.low &- 1 }
                return OverflowBit(number: rest.low.trailingZeroBitCount)
            }
            guard rest.high != 0 else { return nil }
            defer { rest.high &= rest.high &- 1 }
            return OverflowBit(number: 64 &+ rest.high.trailingZeroBitCount)
        }
    }

    /// Starts at the lowest bit.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(self) }

    /// The map as Apple's manufacturer data.
    public var manufacturerData: ManufacturerData {
        ManufacturerData(
            company: AppleMessage.company, data: [AppleMessage.Kind.overflowArea.rawValue] + octets)
    }

    /// The whole AD structure with its length and type, 21 octets, as an iPhone sends it.
    public var structure: [UInt8] { [0x14, 0xFF, 0x4C, 0x00, 0x01] + octets }

    /// What a phone with this map advertises: the flags of an iPhone, then ``structure``; 24 octets.
    ///
    /// General discoverable; LE and BR/EDR at once in controller and host.
    public var advertisingData: [UInt8] { [0x02, 0x01, 0x1A] + structure }

    /// The UUIDs of the published table that set these bits, in the order of the table.
    public var tableUUIDs: [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        for index in 0..<128 {
            guard let bit = OverflowBit(tableIndex: index), contains(bit) else { continue }
            uuids.append(bit.tableUUID)
        }
        return uuids
    }

    /// Half of the map as the demo app counts bits, the most significant bit of each octet on the air lowest.
    func bank(_ position: OverflowPosition) -> UInt64 {
        Self.mirrored(position == .first ? low : high)
    }

    /// Sets half of the map as the demo app counts bits.
    mutating func setBank(_ position: OverflowPosition, to bits: UInt64) {
        switch position {
        case .first: low = Self.mirrored(bits)
        case .second: high = Self.mirrored(bits)
        }
    }

    /// Turns the bits of each octet round.
    private static func mirrored(_ bits: UInt64) -> UInt64 {
        var bits = bits
        bits = bits &>> 1 & 0x5555_5555_5555_5555 | (bits & 0x5555_5555_5555_5555) &<< 1
        bits = bits &>> 2 & 0x3333_3333_3333_3333 | (bits & 0x3333_3333_3333_3333) &<< 2
        return bits &>> 4 & 0x0F0F_0F0F_0F0F_0F0F | (bits & 0x0F0F_0F0F_0F0F_0F0F) &<< 4
    }
}
