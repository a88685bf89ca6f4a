// SPDX-License-Identifier: Apache-2.0

/// The btsnoop capture format, as Wireshark, tshark and Android know it.
///
/// A file is one header and any number of records; all numbers are big-endian. Packets are HCI packets
/// with their H4 type octet in front (data link 1002). Nothing here touches a file: octets in, octets out.
///
/// Header, 16 octets:
///
/// | offset | size | field     | notes            |
/// |--------|------|-----------|------------------|
/// | 0      | 8    | magic     | "btsnoop" and 0  |
/// | 8      | 4    | version   | 1                |
/// | 12     | 4    | data link | 1002, HCI UART   |
///
/// Record, 24 octets and the packet:
///
/// | offset | size | field           | notes                                       |
/// |--------|------|-----------------|---------------------------------------------|
/// | 0      | 4    | original length | octets that travelled                       |
/// | 4      | 4    | included length | octets that follow this record header       |
/// | 8      | 4    | flags           | bit 0 from the controller, bit 1 no data    |
/// | 12     | 4    | drops           | packets lost since the capture began        |
/// | 16     | 8    | time            | microseconds since the start of year 0      |
///
/// Vendor: RFC 1761 (snoop), with the Bluetooth data links, flags and epoch of Symbian's btsnoop.
public enum BTSnoop {
    /// The first eight octets of every file.
    static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]

    /// The only version there is.
    static let version: UInt32 = 1

    /// HCI packets with their H4 type octet.
    static let dataLink: UInt32 = 1002

    /// The longest packet that a reader accepts, in octets.
    ///
    /// An ACL packet has at most 65535 octets of data behind five octets of headers; a larger length can
    /// only come from a damaged file.
    public static let maximumPacketLength = 65_540

    /// Octets before each packet.
    public static let recordHeaderLength = 24

    /// The start of 1970 on the clock of the format, in microseconds.
    static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

    /// Which way a packet went.
    public enum Direction: Hashable, Sendable {
        /// From the host to the controller.
        case toController
        /// From the controller to the host.
        case toHost
    }

    /// One packet of a capture.
    public struct Record: Hashable, Sendable {
        /// Which way it went.
        public var direction: Direction
        /// When, in microseconds since the start of 1970, UTC.
        public var unixMicroseconds: Int64
        /// The packet, its H4 type octet first.
        public var packet: [UInt8]
        /// Octets that travelled; more than `packet` has when the capture cut it.
        public var originalLength: Int
        /// Packets lost since the capture began.
        public var drops: UInt32

        /// Makes a record of a whole packet.
        ///
        /// - Parameters:
        ///   - direction: Which way it went.
        ///   - unixMicroseconds: When, in microseconds since the start of 1970, UTC.
        ///   - packet: The packet, its H4 type octet first.
        ///   - drops: Packets lost since the capture began.
        public init(direction: Direction, unixMicroseconds: Int64, packet: [UInt8], drops: UInt32 = 0) {
            self.direction = direction
            self.unixMicroseconds = unixMicroseconds
            self.packet = packet
            self.originalLength = packet.count
            self.drops = drops
        }
    }
}
