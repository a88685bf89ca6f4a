// SPDX-License-Identifier: Apache-2.0

/// Four octets that one app sends to others through the overflow area.
@frozen
public struct OverflowPayload: Hashable, Sendable {
    /// The octets, the first one most significant.
    public let value: UInt32

    /// Makes a payload of a number.
    @inlinable
    public init(_ value: UInt32) { self.value = value }

    /// Makes a payload of four octets.
    ///
    /// - Parameter octets: The octets; `nil` comes of any other count.
    public init?(octets: [UInt8]) {
        guard octets.count == 4 else { return nil }
        var value: UInt32 = 0
        for octet in octets { value = value &<< 8 | UInt32(octet) }
        self.value = value
    }

    /// The four octets.
    public var octets: [UInt8] {
        [
            UInt8(truncatingIfNeeded: value &>> 24), UInt8(truncatingIfNeeded: value &>> 16),
            UInt8(truncatingIfNeeded: value &>> 8), UInt8(truncatingIfNeeded: value),
        ]
    }

    /// The match octet and the payload as the demo app packs them, the first octet least significant.
    var packed: UInt64 { UInt64(value.byteSwapped) &<< 8 | UInt64(Self.matchOctet) }

    /// Reads the payload that the demo app packs, if the match octet is there.
    init?(packed: UInt64) {
        guard UInt8(truncatingIfNeeded: packed) == Self.matchOctet else { return nil }
        value = UInt32(truncatingIfNeeded: packed &>> 8).byteSwapped
    }

    /// The octet that distinguishes a message from other bits.
    ///
    /// Spec: Documentation/Protocols/overflow-area.md, Codec v1.
    public static let matchOctet: UInt8 = 0xAA
}

/// How a payload is put into the map.
public enum OverflowCodec: Hashable, Sendable, CaseIterable {
    /// In one of two positions, in turn; the demo's.
    case v1
    /// With an error-correcting code in one place; for phones that cannot change what they advertise.
    case v2
}

/// Where a message of codec `v1` stands: in which half of the map.
@frozen
public enum OverflowPosition: Int, Hashable, Sendable, CaseIterable {
    /// At octet 0.
    case first = 0
    /// At octet 8. Its match octet always sets ``OverflowBit/watchSetup``.
    case second = 1

    /// The octet of the map that it starts at.
    public var octet: Int { rawValue * 8 }

    /// The other position.
    public var other: OverflowPosition { self == .first ? .second : .first }
}

/// A message that was found in a map.
public struct OverflowMessage: Hashable, Sendable {
    /// How it was put there.
    public var codec: OverflowCodec
    /// Where it stands; `v2` has one place only, at octet 8.
    public var position: OverflowPosition
    /// What it says.
    public var payload: OverflowPayload
    /// How many bits had to be corrected to read it.
    public var correctedBits: Int

    /// Makes a message.
    public init(
        codec: OverflowCodec, position: OverflowPosition, payload: OverflowPayload, correctedBits: Int = 0
    ) {
        self.codec = codec
        self.position = position
        self.payload = payload
        self.correctedBits = correctedBits
    }
}
