// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The connection intervals that a peripheral would like.
///
/// | offset | size | field   | notes                          |
/// |--------|------|---------|--------------------------------|
/// | 0      | 2    | minimum | 1.25 ms; 0xFFFF: nothing preferred |
/// | 2      | 2    | maximum | the same                       |
///
/// Spec: CSS v11, Part A, 1.9.
public struct ConnectionIntervalRange: Hashable, Sendable {
    /// The shortest; `nil` when any will do.
    public var minimum: ConnectionInterval?
    /// The longest; `nil` when any will do.
    public var maximum: ConnectionInterval?

    /// Makes a range.
    public init(minimum: ConnectionInterval?, maximum: ConnectionInterval?) {
        self.minimum = minimum
        self.maximum = maximum
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        func interval(_ value: UInt16) -> ConnectionInterval? {
            value == 0xFFFF ? nil : ConnectionInterval(rawValue: value)
        }
        minimum = interval(try reader.readUInt16())
        maximum = interval(try reader.readUInt16())
    }

    func encode(into writer: inout ByteWriter) {
        writer.write(minimum?.rawValue ?? 0xFFFF)
        writer.write(maximum?.rawValue ?? 0xFFFF)
    }
}

/// Time between advertising events, in units of 0.625 ms; two, three or four octets on the wire.
///
/// Spec: CSS v11, Part A, 1.15.
@frozen
public struct LongAdvertisingInterval: RawRepresentable, Hashable, Sendable {
    /// Units of 0.625 ms.
    public let rawValue: UInt32

    /// Wraps a count of units.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The interval in microseconds.
    @inlinable
    public var microseconds: UInt64 { UInt64(rawValue) &* 625 }

    init(decodingLong reader: inout ByteReader) throws(DecodeError) {
        rawValue = reader.remaining == 3 ? try reader.readUInt24() : try reader.readUInt32()
    }

    func encode(into writer: inout ByteWriter) {
        switch rawValue {
        case ...0xFFFF: writer.write(UInt16(rawValue))
        case ...0xFF_FFFF: writer.writeUInt24(rawValue)
        default: writer.write(rawValue)
        }
    }
}

/// A URI whose scheme is one character.
///
/// The names of the schemes are assigned numbers; U+0001 means that the text has its own scheme.
///
/// Spec: CSS v11, Part A, 1.18.
public struct AdvertisedURI: Hashable, Sendable {
    /// The scheme: a code point of Unicode.
    public var scheme: Unicode.Scalar
    /// What follows the scheme's name, UTF-8.
    public var rest: WireText

    /// Makes a URI.
    public init(scheme: Unicode.Scalar, rest: WireText) {
        self.scheme = scheme
        self.rest = rest
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        let start = reader.offset
        let first = try reader.readUInt8()
        // Bits of the lead, the least value that needs so many octets, octets that follow.
        let (bits, least, count): (UInt8, UInt32, Int) =
            switch first {
            case 0..<0x80: (0x7F, 0, 0)
            case 0xC0..<0xE0: (0x1F, 0x80, 1)
            case 0xE0..<0xF0: (0x0F, 0x800, 2)
            case 0xF0..<0xF8: (0x07, 0x10000, 3)
            default: throw DecodeError(.badText, at: start)
            }
        var value = UInt32(first & bits)
        for _ in 0..<count {
            let next = try reader.readUInt8()
            guard next & 0xC0 == 0x80 else { throw DecodeError(.badText, at: start) }
            value = value &<< 6 | UInt32(next & 0x3F)
        }
        guard value >= least, let scheme = Unicode.Scalar(value) else {
            throw DecodeError(.badText, at: start)
        }
        self.scheme = scheme
        rest = WireText(reader.readRemaining())
    }

    func encode(into writer: inout ByteWriter) {
        let value = scheme.value
        func follow(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value &>> shift) & 0x3F | 0x80 }
        switch value {
        case 0..<0x80: writer.write(UInt8(truncatingIfNeeded: value))
        case 0x80..<0x800:
            writer.write([0xC0 | UInt8(truncatingIfNeeded: value &>> 6), follow(0)])
        case 0x800..<0x10000:
            writer.write([0xE0 | UInt8(truncatingIfNeeded: value &>> 12), follow(6), follow(0)])
        default:
            writer.write([0xF0 | UInt8(truncatingIfNeeded: value &>> 18), follow(12), follow(6), follow(0)])
        }
        writer.write(rest.octets)
    }
}

/// Who made a device, and which one it is: four times two octets.
///
/// Spec: Device Identification Profile v1.3, 2.
public struct DeviceID: Hashable, Sendable {
    /// Who assigned the vendor: 1 Bluetooth SIG, 2 USB Implementers Forum.
    public var vendorSource: UInt16
    /// The vendor.
    public var vendor: UInt16
    /// The vendor's number of the product.
    public var product: UInt16
    /// The version, 0xJJMN for JJ.M.N.
    public var version: UInt16

    /// Makes an identification.
    public init(vendorSource: UInt16, vendor: UInt16, product: UInt16, version: UInt16) {
        self.vendorSource = vendorSource
        self.vendor = vendor
        self.product = product
        self.version = version
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        vendorSource = try reader.readUInt16()
        vendor = try reader.readUInt16()
        product = try reader.readUInt16()
        version = try reader.readUInt16()
    }

    func encode(into writer: inout ByteWriter) {
        for value in [vendorSource, vendor, product, version] { writer.write(value) }
    }
}

/// A transport on which a device can be reached.
///
/// | offset | size | field        |
/// |--------|------|--------------|
/// | 0      | 1    | organization |
/// | 1      | 1    | flags        |
/// | 2      | 1    | length       |
/// | 3      | n    | data         |
///
/// Spec: Transport Discovery Service v1.1, 2.
public struct TransportBlock: Hashable, Sendable {
    /// Who defines the data: 1 is the Bluetooth SIG.
    public var organization: UInt8
    /// Role, state and whether there is more.
    public var flags: UInt8
    /// What the organization defines, at most 255 octets.
    public var data: [UInt8]

    /// Makes a block.
    ///
    /// - Parameters:
    ///   - organization: Who defines the data.
    ///   - flags: Role, state and whether there is more.
    ///   - data: What the organization defines; what exceeds 255 octets is cut off.
    public init(organization: UInt8, flags: UInt8, data: [UInt8]) {
        self.organization = organization
        self.flags = flags
        self.data = Array(data.prefix(255))
    }

    static func all(_ reader: inout ByteReader) throws(DecodeError) -> [TransportBlock] {
        var blocks: [TransportBlock] = []
        repeat {
            let organization = try reader.readUInt8()
            let flags = try reader.readUInt8()
            let count = Int(try reader.readUInt8())
            blocks.append(
                TransportBlock(organization: organization, flags: flags, data: try reader.readOctets(count)))
        } while !reader.isAtEnd
        return blocks
    }

    func encode(into writer: inout ByteWriter) {
        writer.write([organization, flags, UInt8(truncatingIfNeeded: data.count)])
        writer.write(data)
    }
}

/// A 3D display, for glasses.
///
/// Spec: 3D Synchronization Profile v1.0, table 5.1.
public struct ThreeDInformation: Hashable, Sendable {
    /// Bit 0 association is told, 1 battery is reported, 2 battery is sent at the start, 7 factory test.
    public var flags: UInt8
    /// The path loss above which no association is made, in dB.
    public var pathLossThreshold: UInt8

    /// Makes it.
    public init(flags: UInt8, pathLossThreshold: UInt8) {
        self.flags = flags
        self.pathLossThreshold = pathLossThreshold
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        flags = try reader.readUInt8()
        pathLossThreshold = try reader.readUInt8()
    }

    func encode(into writer: inout ByteWriter) { writer.write([flags, pathLossThreshold]) }
}
