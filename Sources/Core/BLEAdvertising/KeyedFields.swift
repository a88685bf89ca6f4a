// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Who belongs to a set of devices, for those who know the set's key.
///
/// Spec: Coordinated Set Identification Service v1.0, 4.8.
public struct ResolvableSetIdentifier: Hashable, Sendable {
    /// What the key makes of ``random``: 24 bits.
    public var hash: UInt32
    /// 24 bits that change, of which the two most significant are 01.
    public var random: UInt32

    /// Makes an identifier.
    ///
    /// - Parameters:
    ///   - hash: What the key makes of the random part; bits above 24 are dropped.
    ///   - random: 24 bits; bits above are dropped.
    public init(hash: UInt32, random: UInt32) {
        self.hash = hash & 0xFF_FFFF
        self.random = random & 0xFF_FFFF
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        hash = try reader.readUInt24()
        random = try reader.readUInt24()
    }

    func encode(into writer: inout ByteWriter) {
        writer.writeUInt24(hash)
        writer.writeUInt24(random)
    }
}

/// Structures that only those with the key can read.
///
/// | offset | size | field      |
/// |--------|------|------------|
/// | 0      | 5    | randomizer |
/// | 5      | n    | payload    |
/// | 5 + n  | 4    | MIC        |
///
/// Spec: CSS v11, Part A, 1.23.
public struct EncryptedAdvertisingData: Hashable, Sendable {
    /// Five octets that are never used twice with a key.
    public var randomizer: [UInt8]
    /// AD structures, encrypted.
    public var payload: [UInt8]
    /// Four octets that show that nothing was changed.
    public var mic: [UInt8]

    /// Makes encrypted data.
    public init(randomizer: [UInt8], payload: [UInt8], mic: [UInt8]) {
        self.randomizer = randomizer
        self.payload = payload
        self.mic = mic
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        randomizer = try reader.readOctets(5)
        // With fewer than four octets left the MIC is what is missing.
        payload = try reader.readOctets(max(0, reader.remaining &- 4))
        mic = try reader.readOctets(4)
    }

    func encode(into writer: inout ByteWriter) {
        writer.write(randomizer)
        writer.write(payload)
        writer.write(mic)
    }
}
