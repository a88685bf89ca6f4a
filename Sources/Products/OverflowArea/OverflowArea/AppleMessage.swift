// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
public import BLEWire

/// One of the messages that Apple puts into its manufacturer data, one after the other.
///
/// | offset | size | field | notes |
/// |---|---|---|---|
/// | 0 | 1 | type | |
/// | 1 | 1 | length | octets that follow; missing where the type is 0x01 |
/// | 2 | n | data | always 16 octets where the type is 0x01 |
///
/// Spec: Documentation/Protocols/overflow-area.md, Advertisement.
public struct AppleMessage: Hashable, Sendable {
    /// What a message is about.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The octet on the wire.
        public var rawValue: UInt8

        /// Wraps an octet.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The overflow area: 16 octets with no length before them.
        public static let overflowArea = Kind(rawValue: 0x01)
        /// An iBeacon.
        public static let beacon = Kind(rawValue: 0x02)
        /// What a phone does and which others it may talk to.
        public static let nearbyInfo = Kind(rawValue: 0x10)
    }

    /// Apple's company number.
    public static let company: UInt16 = 0x004C

    /// What it is about.
    public var kind: Kind
    /// What it says.
    public var data: [UInt8]

    /// Makes a message.
    public init(kind: Kind, data: [UInt8]) {
        self.kind = kind
        self.data = data
    }

    /// Reads one message.
    ///
    /// - Parameter reader: Where to read; at least one octet is left.
    /// - Throws: ``DecodeError`` when the octets end before the message does.
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        kind = Kind(rawValue: try reader.readUInt8())
        let count = kind == .overflowArea ? OverflowMap.octetCount : Int(try reader.readUInt8())
        data = try reader.readOctets(count)
    }
}

/// What an advertisement says of the overflow area.
public struct OverflowAdvertisement: Hashable, Sendable {
    /// The bits that are set, of all maps in it; `nil` when there is no map.
    public private(set) var map: OverflowMap?
    /// What was wrong with the first of Apple's data that could not be read to its end, if any.
    ///
    /// The offset counts from the start of the advertisement. Maps that stand before it count all the same.
    public private(set) var fault: DecodeError?
    /// How many of a map's 16 octets there are, where one is cut off; `nil` when none is.
    public private(set) var octetsOfCutMap: Int?

    /// Looks through the AD structures of an advertisement or scan response.
    ///
    /// - Parameter advertisingData: The octets, up to 1650.
    public init(advertisingData: [UInt8]) {
        let data = AdvertisingData(advertisingData)
        for structure in data where structure.type == .manufacturerSpecific {
            let range = structure.range
            guard range.count >= 2, advertisingData[range.lowerBound] == 0x4C,
                advertisingData[range.lowerBound + 1] == 0
            else { continue }
            read(advertisingData, (range.lowerBound + 2)..<range.upperBound)
        }
        // A structure that is cut off: only where it can still be seen to be Apple's.
        if let start = data.fault,
            advertisingData[(start + 1)...].prefix(3).elementsEqual([0xFF, 0x4C, 0x00])
        {
            let missing = Int(advertisingData[start]) + 1 - (advertisingData.count - start)
            note(DecodeError(.truncated(needed: missing), at: advertisingData.count))
            noteCutMap(advertisingData[(start + 4)...])
        }
    }

    /// Looks through Apple's manufacturer data.
    ///
    /// - Parameter appleData: The octets after the company.
    public init(appleData: [UInt8]) { read(appleData, 0..<appleData.count) }

    private mutating func read(_ octets: [UInt8], _ range: Range<Int>) {
        var reader = ByteReader(octets.octetSpan.bytes.extracting(range))
        while !reader.isAtEnd {
            let rest = octets[(range.upperBound - reader.remaining)..<range.upperBound]
            do throws(DecodeError) {
                let message = try AppleMessage(decoding: &reader)
                guard message.kind == .overflowArea, let found = OverflowMap(octets: message.data) else {
                    continue
                }
                map = map?.union(found) ?? found
            } catch {
                note(DecodeError(error.reason, at: range.lowerBound + error.offset))
                noteCutMap(rest)
                return
            }
        }
    }

    private mutating func note(_ error: DecodeError) { if fault == nil { fault = error } }

    /// Takes what is left of Apple's data from a message on that is cut off.
    private mutating func noteCutMap(_ rest: ArraySlice<UInt8>) {
        guard rest.first == AppleMessage.Kind.overflowArea.rawValue, rest.count <= OverflowMap.octetCount
        else {
            return
        }
        octetsOfCutMap = rest.count - 1
    }
}
