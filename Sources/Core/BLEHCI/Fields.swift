// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension HCI {
    /// Reads an octet that must be one of a type's cases.
    static func readCase<Choice: RawRepresentable>(
        _ reader: inout ByteReader
    ) throws(DecodeError) -> Choice where Choice.RawValue == UInt8 {
        let offset = reader.offset
        let octet = try reader.readUInt8()
        guard let choice = Choice(rawValue: octet) else {
            throw DecodeError(.outOfRange(UInt64(octet)), at: offset)
        }
        return choice
    }

    /// Reads a role; after a failure a controller may leave anything there.
    static func readRole(_ reader: inout ByteReader, after status: Status) throws(DecodeError) -> Role {
        guard status != .success else { return try readCase(&reader) }
        return Role(rawValue: try reader.readUInt8()) ?? .central
    }

    /// Reads an octet that must be 0 or 1.
    static func readFlag(_ reader: inout ByteReader) throws(DecodeError) -> Bool {
        let offset = reader.offset
        let octet = try reader.readUInt8()
        guard octet <= 1 else { throw DecodeError(.outOfRange(UInt64(octet)), at: offset) }
        return octet == 1
    }

    /// Reads a strength in dBm, of which 127 means that there is none.
    static func readRSSI(_ reader: inout ByteReader) throws(DecodeError) -> Int8? {
        let value = try reader.readInt8()
        return value == 127 ? nil : value
    }

    /// Appends a strength in dBm.
    static func writeRSSI(_ rssi: Int8?, into writer: inout ByteWriter) { writer.write(rssi ?? 127) }

    /// Reads the kind of an address and the address.
    static func readAddress(_ reader: inout ByteReader) throws(DecodeError) -> BluetoothAddress {
        try readPeer(&reader).address
    }

    /// Reads the kind of an address and the address, and whether it is an identity that was resolved.
    static func readPeer(
        _ reader: inout ByteReader
    ) throws(DecodeError) -> (address: BluetoothAddress, isIdentity: Bool) {
        let offset = reader.offset
        let octet = try reader.readUInt8()
        let kind: BluetoothAddress.Kind
        switch octet {
        case 0, 2: kind = .public
        case 1, 3: kind = .random
        case 0xFF: kind = .anonymous
        default: throw DecodeError(.outOfRange(UInt64(octet)), at: offset)
        }
        return (try BluetoothAddress(decoding: &reader, kind: kind), octet == 2 || octet == 3)
    }

    /// Appends the kind of an address and the address.
    static func writeAddress(
        _ address: BluetoothAddress, isIdentity: Bool = false, into writer: inout ByteWriter
    ) {
        writer.write(
            isIdentity && address.kind != .anonymous ? address.kind.rawValue | 2 : address.kind.rawValue)
        address.encode(into: &writer)
    }

    /// Reads a set of PHYs, all of which must be known, because parameters follow for each of them.
    static func readPHYs(_ reader: inout ByteReader, of known: PHYs) throws(DecodeError) -> PHYs {
        let offset = reader.offset
        let phys = PHYs(rawValue: try reader.readUInt8())
        guard phys.isSubset(of: known) else {
            throw DecodeError(.outOfRange(UInt64(phys.rawValue)), at: offset)
        }
        return phys
    }
}
