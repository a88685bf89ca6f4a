// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Which channels are to be used from some moment on.
///
/// | offset | size | field   | notes                  |
/// |--------|------|---------|------------------------|
/// | 0      | 5    | map     | a bit for each channel |
/// | 5      | 2    | instant | an event counter       |
///
/// Spec: CSS v11, Part A, 1.20.
public struct ChannelMapUpdate: Hashable, Sendable {
    /// A bit for each of the channels 0 to 36; the bits above are dropped.
    public var channels: UInt64
    /// The event from which on they are used.
    public var instant: UInt16

    /// Makes an update.
    ///
    /// - Parameters:
    ///   - channels: A bit for each of the channels 0 to 36.
    ///   - instant: The event from which on they are used.
    public init(channels: UInt64, instant: UInt16) {
        self.channels = channels & 0x1F_FFFF_FFFF
        self.instant = instant
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        let low = UInt64(try reader.readUInt32())
        let high = UInt64(try reader.readUInt8())
        self.init(channels: low | high &<< 32, instant: try reader.readUInt16())
    }

    func encode(into writer: inout ByteWriter) {
        writer.write(UInt32(truncatingIfNeeded: channels))
        writer.write(UInt8(truncatingIfNeeded: channels &>> 32))
        writer.write(instant)
    }
}

/// When and how to answer periodic advertising.
///
/// Spec: CSS v11, Part A, 1.24.
public struct PeriodicResponseTiming: Hashable, Sendable {
    /// The access address of the answers.
    public var accessAddress: UInt32
    /// How many subevents there are.
    public var subeventCount: UInt8
    /// From one subevent to the next, in units of 1.25 ms.
    public var subeventInterval: UInt8
    /// From a subevent to the first answer, in units of 1.25 ms.
    public var responseSlotDelay: UInt8
    /// From one answer to the next, in units of 0.125 ms.
    public var responseSlotSpacing: UInt8

    /// Makes timing.
    public init(
        accessAddress: UInt32, subeventCount: UInt8, subeventInterval: UInt8, responseSlotDelay: UInt8,
        responseSlotSpacing: UInt8
    ) {
        self.accessAddress = accessAddress
        self.subeventCount = subeventCount
        self.subeventInterval = subeventInterval
        self.responseSlotDelay = responseSlotDelay
        self.responseSlotSpacing = responseSlotSpacing
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        accessAddress = try reader.readUInt32()
        subeventCount = try reader.readUInt8()
        subeventInterval = try reader.readUInt8()
        responseSlotDelay = try reader.readUInt8()
        responseSlotSpacing = try reader.readUInt8()
    }

    func encode(into writer: inout ByteWriter) {
        writer.write(accessAddress)
        writer.write([subeventCount, subeventInterval, responseSlotDelay, responseSlotSpacing])
    }
}

/// How to receive a broadcast isochronous group: 33 octets, 57 when it is encrypted.
///
/// | bits          | fields, from the least significant bit on                     |
/// |---------------|---------------------------------------------------------------|
/// | 14, 1, 12, 5  | offset, its unit, interval, streams                           |
/// | 5, 3          | subevents, burst                                              |
/// | 20, 4         | subevent interval, pre-transmission offset                    |
/// | 20, 4         | stream spacing, repetitions                                   |
/// | 8, 8          | largest PDU, framing mode                                     |
/// | 32            | seed access address                                           |
/// | 20, 12        | SDU interval, largest SDU                                     |
/// | 16            | CRC base                                                      |
/// | 37, 3         | channels, PHY                                                 |
/// | 39, 1         | payload counter, framing                                      |
/// | 64, 128       | initialization vector, session key diversifier; if encrypted  |
///
/// Spec: Core v5.4, Vol 6, Part B, 4.4.6.11; CSS v11, Part A, 1.21.
public struct BIGInfo: Hashable, Sendable {
    /// The octets as they travel: 33 or 57.
    public let octets: [UInt8]

    /// Wraps octets; `nil` when they are neither 33 nor 57.
    ///
    /// - Parameter octets: The octets as they travel.
    public init?(_ octets: [UInt8]) {
        guard octets.count == 33 || octets.count == 57 else { return nil }
        self.octets = octets
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        octets = try reader.readOctets(reader.remaining > 33 ? 57 : 33)
    }

    func encode(into writer: inout ByteWriter) { writer.write(octets) }

    /// Bits from an octet on, the least significant first; at most 40 of them lie in five octets.
    private func bits(_ first: Int, _ count: Int, at offset: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<5 { value |= UInt64(octets[offset &+ index]) &<< UInt64(index &* 8) }
        return value &>> UInt64(first) & (1 &<< UInt64(count) &- 1)
    }

    /// Whether a key is needed to receive it.
    public var isEncrypted: Bool { octets.count == 57 }
    /// From the packet that holds this to the next event of the group, in microseconds.
    public var offsetMicroseconds: UInt32 {
        UInt32(truncatingIfNeeded: bits(0, 14, at: 0) &* (bits(14, 1, at: 0) == 0 ? 30 : 300))
    }
    /// From one event of the group to the next, in units of 1.25 ms.
    public var interval: UInt16 { UInt16(truncatingIfNeeded: bits(15, 12, at: 0)) }
    /// How many streams the group has.
    public var streamCount: UInt8 { UInt8(truncatingIfNeeded: bits(27, 5, at: 0)) }
    /// How many subevents a stream has in each event.
    public var subeventCount: UInt8 { UInt8(truncatingIfNeeded: bits(0, 5, at: 4)) }
    /// How many new payloads a stream has in each event.
    public var burstNumber: UInt8 { UInt8(truncatingIfNeeded: bits(5, 3, at: 4)) }
    /// From one subevent of a stream to the next, in microseconds.
    public var subeventIntervalMicroseconds: UInt32 { UInt32(truncatingIfNeeded: bits(0, 20, at: 5)) }
    /// How many events ahead payloads are sent once more.
    public var pretransmissionOffset: UInt8 { UInt8(truncatingIfNeeded: bits(20, 4, at: 5)) }
    /// From one stream to the next, in microseconds.
    public var streamSpacingMicroseconds: UInt32 { UInt32(truncatingIfNeeded: bits(0, 20, at: 8)) }
    /// How often each payload is sent in its event.
    public var repetitionCount: UInt8 { UInt8(truncatingIfNeeded: bits(20, 4, at: 8)) }
    /// The longest payload, in octets.
    public var largestPDU: UInt8 { octets[11] }
    /// From which the access addresses of the streams are made.
    public var seedAccessAddress: UInt32 { UInt32(truncatingIfNeeded: bits(0, 32, at: 13)) }
    /// From one SDU to the next, in microseconds.
    public var sduIntervalMicroseconds: UInt32 { UInt32(truncatingIfNeeded: bits(0, 20, at: 17)) }
    /// The longest SDU, in octets.
    public var largestSDU: UInt16 { UInt16(truncatingIfNeeded: bits(20, 12, at: 17)) }
    /// A bit for each of the channels 0 to 36.
    public var channels: UInt64 { bits(0, 37, at: 23) }
    /// The PHY: 0 LE 1M, 1 LE 2M, 2 LE Coded.
    public var phy: UInt8 { UInt8(truncatingIfNeeded: bits(37, 3, at: 23)) }
    /// The number of the payload of the first subevent that follows.
    public var payloadCount: UInt64 { bits(0, 39, at: 28) }
    /// Whether SDUs are cut and joined without regard to events.
    public var isFramed: Bool { bits(39, 1, at: 28) == 1 }
}
