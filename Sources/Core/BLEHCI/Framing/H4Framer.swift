// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension HCI {
    /// Why a stream of H4 octets can no longer be understood.
    ///
    /// H4 has no way back: the transport must be closed or the controller reset.
    public enum FramingError: Error, Hashable {
        /// A packet began with an octet that is no indicator.
        case lostSync(indicator: UInt8)
        /// A packet announced more octets of payload than are allowed.
        case tooLong(Int)
    }

    /// Cuts a stream of octets into packets.
    ///
    /// ```
    ///  receive(octets) ─▶ [ queue of packets ] ─▶ nextPacket()
    ///                     [ begun packet     ]
    /// ```
    ///
    /// The work is linear in the octets however they are cut. A packet that lies in one piece is copied
    /// once, any other twice. It holds at most one begun packet and the packets of the octets received
    /// since `nextPacket()` last gave `nil`.
    ///
    /// Spec: Core v5.4, Vol 4, Part A, 2.
    public struct H4Framer: ~Copyable {
        /// Octets of payload that a packet may have.
        public let maximumPayload: Int
        private var begun: [UInt8] = []
        private var packets: [Packet] = []
        private var consumed = 0
        private var failure: FramingError?

        /// Starts at the beginning of a packet.
        public init(maximumPayload: Int = 0xFFFF) { self.maximumPayload = maximumPayload }

        /// Takes octets from the transport.
        ///
        /// - Parameter octets: What came, cut in any way; none after an error are looked at.
        public mutating func receive(_ octets: [UInt8]) { receive(octets.octetSpan.bytes) }

        /// Takes octets from the transport.
        ///
        /// - Parameter octets: What came, cut in any way; none after an error are looked at.
        public mutating func receive(_ octets: RawSpan) {
            guard failure == nil else { return }
            var position = 0
            do throws(FramingError) {
                while position < octets.byteCount {
                    if begun.isEmpty, try readWhole(octets, at: &position) { continue }
                    try readPiece(octets, at: &position)
                }
            } catch {
                failure = error
                begun = []
            }
        }

        /// The length of the packet that octets begin with, if that lies in them wholly and none is begun.
        ///
        /// Whoever reads it where it lies saves its copy; all else is for ``receivePiece(_:)``.
        ///
        /// - Parameter octets: What came and was not taken yet.
        /// - Returns: Octets of the packet, indicator included; `nil` when there is no such packet.
        public func wholePacket(_ octets: RawSpan) -> Int? {
            guard failure == nil, begun.isEmpty, packets.isEmpty else { return nil }
            do throws(FramingError) {
                guard let length = try packetLength(octets), length <= octets.byteCount else { return nil }
                return length
            } catch {
                return nil
            }
        }

        /// Takes a piece of a packet that lies in several reads; ``nextPacket()`` has it once it is whole.
        ///
        /// - Parameter octets: What came and was not taken yet, at least one octet.
        /// - Returns: How many octets were taken; all after an error.
        public mutating func receivePiece(_ octets: RawSpan) -> Int {
            guard failure == nil else { return octets.byteCount }
            var position = 0
            do throws(FramingError) {
                try readPiece(octets, at: &position)
                return position
            } catch {
                failure = error
                begun = []
                return octets.byteCount
            }
        }

        /// Takes the next packet out.
        ///
        /// - Returns: The packet; `nil` when more octets are needed.
        /// - Throws: ``FramingError`` once all packets before the fault are out, and ever after.
        public mutating func nextPacket() throws(FramingError) -> Packet? {
            guard consumed < packets.count else {
                packets.removeAll(keepingCapacity: packets.count <= 64)
                consumed = 0
                if let failure { throw failure }
                return nil
            }
            defer { consumed += 1 }
            return packets[consumed]
        }

        /// Reads a packet that lies wholly in the octets; `false` when it does not.
        private mutating func readWhole(_ octets: RawSpan, at position: inout Int) throws(FramingError)
            -> Bool
        {
            let rest = octets.extracting(position..<octets.byteCount)
            guard let length = try packetLength(rest), length <= rest.byteCount else { return false }
            if let packet = Self.decode(rest.extracting(0..<length)) { packets.append(packet) }
            position += length
            return true
        }

        /// Moves as much of the begun packet as is known to be needed and is there.
        private mutating func readPiece(_ octets: RawSpan, at position: inout Int) throws(FramingError) {
            let known = try packetLength(begun.octetSpan.bytes)
            // Without a length yet, one octet at a time brings it: at most five times a packet.
            let wanted = (known ?? begun.count + 1) - begun.count
            let count = min(wanted, octets.byteCount - position)
            if let known, begun.isEmpty { begun.reserveCapacity(known) }
            let piece = octets.extracting(position..<(position + count))
            piece.withUnsafeBytes { unsafe begun.append(contentsOf: $0) }
            position += count
            guard let length = try packetLength(begun.octetSpan.bytes), begun.count == length else { return }
            if let packet = Self.decode(begun.octetSpan.bytes) { packets.append(packet) }
            begun.removeAll(keepingCapacity: begun.capacity <= 4096)
        }

        /// Octets of the packet that starts here, indicator included; `nil` when its header is incomplete.
        private func packetLength(_ octets: RawSpan) throws(FramingError) -> Int? {
            guard octets.byteCount > 0 else { return nil }
            let first = octets.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
            guard let indicator = PacketIndicator(rawValue: first) else { throw .lostSync(indicator: first) }
            let header = 1 + indicator.headerLength
            guard octets.byteCount >= header else { return nil }
            let field = indicator.lengthField
            let low = octets.unsafeLoad(fromByteOffset: 1 + field.offset, as: UInt8.self)
            let high =
                field.mask > 0xFF ? octets.unsafeLoad(fromByteOffset: 2 + field.offset, as: UInt8.self) : 0
            let payload = Int((UInt16(low) | UInt16(high) &<< 8) & field.mask)
            guard payload <= maximumPayload else { throw .tooLong(payload) }
            return header + payload
        }

        /// Decodes a whole packet; it cannot fail, because its length has been checked.
        private static func decode(_ octets: RawSpan) -> Packet? {
            var reader = ByteReader(octets)
            return try? Packet(decoding: &reader)
        }
    }
}
