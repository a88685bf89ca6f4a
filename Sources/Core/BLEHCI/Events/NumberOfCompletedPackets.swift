// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Data packets have left the controller, so that the host may send as many more.
    ///
    /// On the wire: a count, then handle and number of packets for each link.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.19.
    public struct NumberOfCompletedPackets: Parameters, Hashable {
        /// The packets of one link.
        public struct Entry: Hashable, Sendable {
            /// Which link.
            public var handle: ConnectionHandle
            /// How many packets have left.
            public var packets: UInt16

            /// Makes an entry.
            public init(handle: ConnectionHandle, packets: UInt16) {
                self.handle = handle
                self.packets = packets
            }
        }

        /// The links; at most 63.
        public var entries: [Entry]

        /// Makes the event.
        public init(entries: [Entry]) { self.entries = entries }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            let offset = reader.offset
            let count = Int(try reader.readUInt8())
            guard count * 4 <= reader.remaining else { throw DecodeError(.badLength(count), at: offset) }
            entries = []
            entries.reserveCapacity(count)
            for _ in 0..<count {
                let handle = ConnectionHandle(rawValue: try reader.readUInt16())
                entries.append(Entry(handle: handle, packets: try reader.readUInt16()))
            }
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            precondition(entries.count <= 63, "an event has room for 63 links")
            writer.write(UInt8(truncatingIfNeeded: entries.count))
            for entry in entries {
                writer.write(entry.handle.rawValue)
                writer.write(entry.packets)
            }
        }
    }
}
