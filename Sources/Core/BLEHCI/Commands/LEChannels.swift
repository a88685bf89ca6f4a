// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Says which data channels are bad, for all links and connectable advertising.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.19.
    public struct LESetHostChannelClassification: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetHostChannelClassification }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Channels that may be used; the others are bad.
        public var channels: ChannelMap

        /// Makes the command.
        public init(channels: ChannelMap) {
            self.channels = channels
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            channels = try ChannelMap(decoding: &reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            channels.encode(into: &writer)
        }
    }

    /// Asks which data channels a link uses.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.20.
    public struct LEReadChannelMap: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadChannelMap }

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

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Which link.
            public var handle: ConnectionHandle
            /// Channels in use.
            public var channels: ChannelMap

            /// Makes the return parameters.
            public init(handle: ConnectionHandle, channels: ChannelMap) {
                self.handle = handle
                self.channels = channels
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                handle = ConnectionHandle(rawValue: try reader.readUInt16())
                channels = try ChannelMap(decoding: &reader)
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(handle.rawValue)
                channels.encode(into: &writer)
            }
        }
    }
}
