// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// An encrypted link is encrypted with another key from now on.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.39.
    public struct EncryptionKeyRefreshComplete: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Which link.
        public var handle: ConnectionHandle

        /// Makes the event.
        public init(status: Status, handle: ConnectionHandle) {
            self.status = status
            self.handle = handle
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(handle.rawValue)
        }
    }

    /// The central encrypts the link: the peripheral's controller asks for the key.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.5.
    public struct LELongTermKeyRequest: Parameters, Hashable {
        /// Which link.
        public var handle: ConnectionHandle
        /// By which the key is found; 0 with Secure Connections.
        public var random: UInt64
        /// By which the key is found; 0 with Secure Connections.
        public var diversifier: UInt16

        /// Makes the event.
        public init(handle: ConnectionHandle, random: UInt64, diversifier: UInt16) {
            self.handle = handle
            self.random = random
            self.diversifier = diversifier
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            random = try reader.readUInt64()
            diversifier = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(random)
            writer.write(diversifier)
        }
    }
}
