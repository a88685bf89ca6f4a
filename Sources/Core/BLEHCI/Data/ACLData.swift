// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Where in an L2CAP PDU an ACL packet lies.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 5.4.2.
    public enum PacketBoundary: UInt8, Hashable, Sendable {
        /// It begins one; from host to controller on LE.
        case firstNonFlushable = 0
        /// It goes on with one.
        case continuing = 1
        /// It begins one; from controller to host.
        case firstFlushable = 2
        /// It is a whole one; never on LE.
        case complete = 3
    }

    /// A packet of data on a link.
    ///
    /// | offset | size | field                                                |
    /// |--------|------|------------------------------------------------------|
    /// | 0      | 2    | handle (bits 0–11), boundary (12–13), broadcast (14–15) |
    /// | 2      | 2    | length of the payload                                |
    /// | 4      | n    | payload                                              |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 5.4.2.
    public struct ACLData: Parameters, Hashable {
        /// Which link.
        public var handle: ConnectionHandle
        /// Where in an L2CAP PDU the payload lies.
        public var boundary: PacketBoundary
        /// The broadcast flag; 0 on LE.
        public var broadcast: UInt8
        /// A piece of an L2CAP PDU; at most 65535 octets.
        public var payload: [UInt8]

        /// Makes a packet.
        public init(
            handle: ConnectionHandle, boundary: PacketBoundary, broadcast: UInt8 = 0, payload: [UInt8]
        ) {
            self.handle = handle
            self.boundary = boundary
            self.broadcast = broadcast & 3
            self.payload = payload
        }

        /// Reads a packet; the length must be that of what follows.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            try self.init(decodingHeader: &reader)
            payload = reader.readRemaining()
        }

        /// Reads a packet up to its payload, which is left out; the length must be that of what follows.
        public init(decodingHeader reader: inout ByteReader) throws(DecodeError) {
            let flags = try reader.readUInt16()
            handle = ConnectionHandle(rawValue: flags)
            boundary = PacketBoundary(rawValue: UInt8(truncatingIfNeeded: flags &>> 12) & 3) ?? .complete
            broadcast = UInt8(truncatingIfNeeded: flags &>> 14)
            let offset = reader.offset
            let count = Int(try reader.readUInt16())
            guard count == reader.remaining else { throw DecodeError(.badLength(count), at: offset) }
            payload = []
        }

        /// Appends the packet.
        public func encode(into writer: inout ByteWriter) {
            precondition(payload.count <= 0xFFFF, "an ACL packet has at most 65535 octets of payload")
            let flags = UInt16(boundary.rawValue) &<< 12 | UInt16(broadcast) &<< 14
            writer.write(handle.rawValue | flags)
            writer.write(UInt16(truncatingIfNeeded: payload.count))
            writer.write(payload)
        }
    }
}
