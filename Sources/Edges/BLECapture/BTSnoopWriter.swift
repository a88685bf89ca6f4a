// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension BTSnoop {
    /// Turns packets into the octets of a capture file.
    ///
    /// Append records, then write what ``nextOctets()`` gives; the first are the file header.
    public struct Writer: Sendable {
        var writer: ByteWriter

        /// Starts a file.
        public init() {
            writer = ByteWriter()
            writer.write(BTSnoop.magic)
            writer.write(BTSnoop.version.byteSwapped)
            writer.write(BTSnoop.dataLink.byteSwapped)
        }

        /// Adds a packet.
        ///
        /// - Parameter record: The packet, its direction and its time.
        public mutating func append(_ record: Record) {
            writer.write(UInt32(clamping: record.originalLength).byteSwapped)
            writer.write(UInt32(clamping: record.packet.count).byteSwapped)
            writer.write(flags(of: record).byteSwapped)
            writer.write(record.drops.byteSwapped)
            writer.write(UInt64(bitPattern: record.unixMicroseconds &+ BTSnoop.unixEpoch).byteSwapped)
            writer.write(record.packet)
        }

        /// Hands out what was made since the last time.
        ///
        /// - Returns: Octets to write behind those of the last time.
        public mutating func nextOctets() -> [UInt8] {
            let octets = writer.octets
            writer = ByteWriter()
            return octets
        }

        /// Bit 0: towards the host; bit 1: a command or an event, by its H4 type 1 or 4.
        func flags(of record: Record) -> UInt32 {
            let direction: UInt32 = record.direction == .toHost ? 1 : 0
            let type = record.packet.first
            return direction | (type == 0x01 || type == 0x04 ? 2 : 0)
        }
    }
}
