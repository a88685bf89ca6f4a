// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// What one packet on an H4 transport is: its first octet.
    ///
    /// Spec: Core v5.4, Vol 4, Part A, 2.
    public enum PacketIndicator: UInt8, Hashable, Sendable {
        /// Host to controller.
        case command = 1
        /// Both ways.
        case acl = 2
        /// Both ways; never on LE.
        case synchronous = 3
        /// Controller to host.
        case event = 4
        /// Both ways.
        case isochronous = 5

        /// Octets between the indicator and the payload.
        var headerLength: Int {
            switch self {
            case .command, .synchronous: 3
            case .acl, .isochronous: 4
            case .event: 2
            }
        }

        /// Where in the header the length of the payload stands, and in how many bits.
        var lengthField: (offset: Int, mask: UInt16) {
            switch self {
            case .command, .synchronous: (2, 0x00FF)
            case .acl: (2, 0xFFFF)
            case .isochronous: (2, 0x3FFF)
            case .event: (1, 0x00FF)
            }
        }
    }

    /// One packet between host and controller.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 5.4.
    public enum Packet: Hashable, Sendable {
        /// A command and its parameters, at most 255 octets.
        case command(Opcode, [UInt8])
        /// Data on a link.
        case acl(ACLData)
        /// Synchronous data as it travels; LE has none.
        case synchronous([UInt8])
        /// An event and its parameters, at most 255 octets.
        case event(EventCode, [UInt8])
        /// Isochronous data as it travels.
        case isochronous([UInt8])

        /// Wraps a command.
        public init<C: Command>(_ command: C) { self = .command(C.opcode, command.octets) }

        /// Wraps an event.
        public init(_ event: Event) { self = .event(event.code, event.parameters) }

        /// Reads one packet with its indicator, as it travels on H4.
        ///
        /// - Parameter reader: Where to read; a packet that fills all that is left.
        /// - Throws: ``DecodeError`` for an unknown indicator or a length that is not what is left.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            let octet = try reader.readUInt8()
            guard let indicator = PacketIndicator(rawValue: octet) else {
                throw DecodeError(.unknownCode(UInt64(octet)), at: reader.offset - 1)
            }
            try self.init(indicator, decoding: &reader)
        }

        /// Reads what follows the indicator.
        init(_ indicator: PacketIndicator, decoding reader: inout ByteReader) throws(DecodeError) {
            switch indicator {
            case .command:
                let opcode = Opcode(rawValue: try reader.readUInt16())
                self = .command(opcode, try Self.readCounted(&reader))
            case .acl: self = .acl(try ACLData(decoding: &reader))
            case .event:
                let code = EventCode(rawValue: try reader.readUInt8())
                self = .event(code, try Self.readCounted(&reader))
            case .synchronous: self = .synchronous(reader.readRemaining())
            case .isochronous: self = .isochronous(reader.readRemaining())
            }
        }

        /// Reads octets behind a count that must be all that is left.
        private static func readCounted(_ reader: inout ByteReader) throws(DecodeError) -> [UInt8] {
            let offset = reader.offset
            let count = Int(try reader.readUInt8())
            guard count == reader.remaining else { throw DecodeError(.badLength(count), at: offset) }
            return reader.readRemaining()
        }

        /// What the packet is.
        public var indicator: PacketIndicator {
            switch self {
            case .command: .command
            case .acl: .acl
            case .synchronous: .synchronous
            case .event: .event
            case .isochronous: .isochronous
            }
        }

        /// Appends the packet with its indicator, as it travels on H4.
        ///
        /// - Parameter writer: Where to append; the payload must fit its length field.
        public func encode(into writer: inout ByteWriter) {
            writer.write(indicator.rawValue)
            switch self {
            case .command(let opcode, let parameters):
                writer.write(opcode.rawValue)
                Self.writeCounted(parameters, into: &writer)
            case .acl(let data): data.encode(into: &writer)
            case .event(let code, let parameters):
                writer.write(code.rawValue)
                Self.writeCounted(parameters, into: &writer)
            case .synchronous(let octets), .isochronous(let octets): writer.write(octets)
            }
        }

        private static func writeCounted(_ parameters: [UInt8], into writer: inout ByteWriter) {
            precondition(
                parameters.count <= 0xFF, "commands and events have at most 255 octets of parameters")
            writer.write(UInt8(truncatingIfNeeded: parameters.count))
            writer.write(parameters)
        }

        /// The packet with its indicator, as it travels on H4.
        public var octets: [UInt8] {
            let payload =
                switch self {
                case .command(_, let octets), .event(_, let octets): octets.count
                case .synchronous(let octets), .isochronous(let octets): octets.count
                case .acl(let data): data.payload.count
                }
            var writer = ByteWriter(capacity: payload + 5)
            encode(into: &writer)
            return writer.octets
        }
    }
}
