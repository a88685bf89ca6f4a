// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Ends a link.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.1.6.
    public struct Disconnect: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .disconnect }
        /// Answered with Command Status; an event follows when the work is done.
        public static var completesWithStatus: Bool { true }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which link.
        public var handle: ConnectionHandle
        /// What the peer is told; see ``Status/isDisconnectReason``.
        public var reason: Status

        /// Makes the command.
        public init(handle: ConnectionHandle, reason: Status) {
            self.handle = handle
            self.reason = reason
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            reason = Status(rawValue: try reader.readUInt8())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(reason.rawValue)
        }
    }

    /// Asks which controller the peer has.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.1.23.
    public struct ReadRemoteVersionInformation: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .readRemoteVersionInformation }
        /// Answered with Command Status; an event follows when the work is done.
        public static var completesWithStatus: Bool { true }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which link.
        public var handle: ConnectionHandle

        /// Makes the command.
        public init(handle: ConnectionHandle) {
            self.handle = handle
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
        }
    }
}
