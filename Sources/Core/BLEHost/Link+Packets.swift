// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEL2CAP
import BLEWire

// What waits on a link is written once, as the packet that leaves if the controller takes frames of its length.
//
// | offset | size | field                              |
// |--------|------|------------------------------------|
// | 0      | 1    | indicator of ACL data              |
// | 1      | 2    | handle; it begins a frame          |
// | 3      | 2    | length of the frame                |
// | 5      | 4    | header of the frame                |
// | 9      | n    | payload                            |
//
// Spec: Core v5.4, Vol 4, Part E, 5.4.2; Vol 3, Part A, 3.1.
extension Link {
    /// Octets before the frame.
    static let packetHeaderLength = 5

    /// Begins the packet of a frame.
    ///
    /// - Parameters:
    ///   - count: Octets of payload that follow.
    ///   - channel: The channel.
    /// - Returns: All that stands before the payload.
    func packet(of count: Int, on channel: L2CAP.ChannelID) -> ByteWriter {
        var writer = header(.firstNonFlushable, count + L2CAP.headerLength)
        writer.write(UInt16(truncatingIfNeeded: count))
        writer.write(channel.rawValue)
        return writer
    }

    /// Queues a frame that is written already.
    func enqueue(frame: [UInt8]) {
        var writer = header(.firstNonFlushable, frame.count)
        writer.write(frame)
        outgoing.append(writer.octets)
    }

    /// The packet with the next part of a frame that has to be cut.
    func fragment(of packet: [UInt8], _ count: Int) -> [UInt8] {
        let start = Self.packetHeaderLength + sent
        var writer = header(sent == 0 ? .firstNonFlushable : .continuing, count)
        writer.write(packet[start..<(start + count)])
        return writer.octets
    }

    /// The channel of a packet's frame.
    static func channel(of packet: [UInt8]) -> L2CAP.ChannelID {
        let field = packetHeaderLength + 2
        return L2CAP.ChannelID(rawValue: UInt16(packet[field]) | UInt16(packet[field + 1]) << 8)
    }

    private func header(_ boundary: HCI.PacketBoundary, _ count: Int) -> ByteWriter {
        var writer = ByteWriter(capacity: Self.packetHeaderLength + count)
        writer.write(HCI.PacketIndicator.acl.rawValue)
        writer.write(handle.rawValue | UInt16(boundary.rawValue) &<< 12)
        writer.write(UInt16(truncatingIfNeeded: count))
        return writer
    }
}
