// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The Host Controller Interface: what a host and its controller say to each other.
///
/// Everything here can be read and written from either side.
///
/// Spec: Core v5.4, Vol 4, Part E.
public enum HCI {
    /// The parameters of a command or event, or what a command returns.
    public protocol Parameters: Sendable {
        /// Reads the parameters; whoever calls it checks that nothing is left.
        init(decoding reader: inout ByteReader) throws(DecodeError)
        /// Appends the parameters.
        func encode(into writer: inout ByteWriter)
    }

    /// Parameters that are no octets at all.
    public protocol Empty: Parameters {
        /// Makes them.
        init()
    }

    /// A command with its parameters.
    public protocol Command: Parameters {
        /// What follows a status of success in Command Complete.
        associatedtype ReturnParameters: Parameters
        /// The command's code.
        static var opcode: Opcode { get }
        /// Whether Command Status, not Command Complete, answers it.
        static var completesWithStatus: Bool { get }
    }

    /// Nothing follows the status.
    public struct StatusOnly: Empty, Hashable {
        /// Makes nothing.
        public init() {}
    }

    /// Which link a command was about follows its status.
    public struct HandleOnly: Parameters, Hashable {
        /// Which link.
        public var handle: ConnectionHandle

        /// Makes the return parameters.
        public init(handle: ConnectionHandle) { self.handle = handle }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) { writer.write(handle.rawValue) }
    }

    /// Why a command has no return parameters.
    public enum ReplyError: Error, Hashable {
        /// The controller refused the command.
        case refused(Status)
        /// The controller's answer makes no sense.
        case malformed(DecodeError)
    }
}

extension HCI.Parameters {
    /// Reads parameters that fill all the octets.
    ///
    /// - Parameter octets: The parameters.
    /// - Throws: ``DecodeError`` when they are malformed or too long.
    public init(octets: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        try self.init(decoding: &reader)
        try reader.finish()
    }

    /// The parameters as they travel.
    public var octets: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.octets
    }
}

extension HCI.Empty {
    /// Reads nothing.
    public init(decoding reader: inout ByteReader) throws(DecodeError) { self.init() }

    /// Appends nothing.
    public func encode(into writer: inout ByteWriter) {}
}

extension HCI.Command {
    /// Answered with Command Complete.
    public static var completesWithStatus: Bool { false }

    /// Reads what Command Complete brought back.
    ///
    /// A controller may leave out everything after a status other than success.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 4.5.
    ///
    /// - Parameter octets: ``HCI/CommandComplete/returnParameters``.
    /// - Returns: What follows the status.
    /// - Throws: ``HCI/ReplyError`` when the status is not success or the octets are malformed.
    public static func decodeReturn(_ octets: [UInt8]) throws(HCI.ReplyError) -> ReturnParameters {
        var reader = ByteReader(octets.octetSpan.bytes)
        let status: HCI.Status
        do throws(DecodeError) {
            status = HCI.Status(rawValue: try reader.readUInt8())
        } catch {
            throw .malformed(error)
        }
        guard status == .success else { throw .refused(status) }
        do throws(DecodeError) {
            let parameters = try ReturnParameters(decoding: &reader)
            try reader.finish()
            return parameters
        } catch {
            throw .malformed(error)
        }
    }

    /// What Command Complete brings back after success.
    ///
    /// - Parameter parameters: What follows the status.
    /// - Returns: ``HCI/CommandComplete/returnParameters``.
    public static func encodeReturn(_ parameters: ReturnParameters) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(HCI.Status.success.rawValue)
        parameters.encode(into: &writer)
        return writer.octets
    }
}
