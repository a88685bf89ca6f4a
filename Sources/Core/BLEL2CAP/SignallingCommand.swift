// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension L2CAP {
    /// The data of one kind of signalling packet.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.
    public protocol SignallingCommand: Hashable, Sendable {
        /// What it is.
        static var code: SignallingCode { get }

        /// Reads the data.
        ///
        /// - Parameter reader: Where to read; the caller checks that nothing is left.
        /// - Throws: ``DecodeError`` when the octets do not make such data.
        init(decoding reader: inout ByteReader) throws(DecodeError)

        /// Appends the data.
        ///
        /// - Parameter writer: Where to append.
        func encode(into writer: inout ByteWriter)
    }
}

extension L2CAP.SignallingCommand {
    /// Reads the data of a packet.
    ///
    /// - Parameter data: What follows the packet's header.
    /// - Throws: ``DecodeError`` when the octets are anything but exactly such data.
    public init(data: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(data.octetSpan.bytes)
        try self.init(decoding: &reader)
        try reader.finish()
    }

    /// The data's octets.
    public var data: [UInt8] {
        var writer = ByteWriter(capacity: 10)
        encode(into: &writer)
        return writer.octets
    }
}

extension L2CAP.SignallingPacket {
    /// Makes the packet of a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - identifier: What pairs an answer with its request.
    public init(_ command: some L2CAP.SignallingCommand, identifier: UInt8) {
        self.init(code: Self.code(of: command), identifier: identifier, data: command.data)
    }

    private static func code<C: L2CAP.SignallingCommand>(of command: C) -> L2CAP.SignallingCode { C.code }
}

extension L2CAP {
    /// Why a signalling packet is not acted on.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.1, table 4.4.
    @frozen
    public struct RejectReason: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: UInt16

        /// Wraps a number.
        @inlinable
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The receiver does not know such packets.
        public static let notUnderstood = RejectReason(rawValue: 0x0000)
        /// The packet was too long.
        public static let signallingMTUExceeded = RejectReason(rawValue: 0x0001)
        /// The packet is about a channel that does not exist.
        public static let invalidChannel = RejectReason(rawValue: 0x0002)
    }

    /// L2CAP_COMMAND_REJECT_RSP.
    ///
    /// | offset | size | field  | notes |
    /// |--------|------|--------|-------|
    /// | 0      | 2    | reason |       |
    /// | 2      | n    | data   | reason 1: the MTU; reason 2: local and remote channel, seen from who rejects |
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.1.
    public struct CommandReject: SignallingCommand {
        /// What it is.
        public static let code = SignallingCode.commandReject
        /// Why.
        public var reason: RejectReason
        /// More about it.
        public var details: [UInt8]

        /// Makes a rejection.
        public init(reason: RejectReason, details: [UInt8] = []) {
            self.reason = reason
            self.details = details
        }

        /// Reads the data.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            reason = RejectReason(rawValue: try reader.readUInt16())
            details = reader.readRemaining()
        }

        /// Appends the data.
        public func encode(into writer: inout ByteWriter) {
            writer.write(reason.rawValue)
            writer.write(details)
        }
    }
}
