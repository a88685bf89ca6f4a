// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Encrypts a link, or encrypts it with another key; as the central.
    ///
    /// Its description does not show the key. An event follows: Encryption Change, or Encryption Key Refresh Complete on
    /// a link that was encrypted before.
    ///
    /// | offset | size | field                                   |
    /// |--------|------|-----------------------------------------|
    /// | 0      | 2    | handle                                  |
    /// | 2      | 8    | random number; 0 with Secure Connections |
    /// | 10     | 2    | encrypted diversifier; 0 as well         |
    /// | 12     | 16   | long-term key, least significant first  |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.24.
    public struct LEEnableEncryption: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leEnableEncryption }
        /// Answered with Command Status; an event follows when the work is done.
        public static var completesWithStatus: Bool { true }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which link.
        public var handle: ConnectionHandle
        /// By which the peripheral finds the key.
        public var random: UInt64
        /// By which the peripheral finds the key.
        public var diversifier: UInt16
        /// The key as it travels: 16 octets, the least significant first.
        public let key: [UInt8]

        /// Makes the command.
        ///
        /// - Parameters:
        ///   - handle: Which link.
        ///   - random: By which the peripheral finds the key.
        ///   - diversifier: By which the peripheral finds the key.
        ///   - key: The key; `nil` comes back unless it has 16 octets.
        public init?(handle: ConnectionHandle, random: UInt64, diversifier: UInt16, key: [UInt8]) {
            guard key.count == 16 else { return nil }
            self.handle = handle
            self.random = random
            self.diversifier = diversifier
            self.key = key
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            random = try reader.readUInt64()
            diversifier = try reader.readUInt16()
            key = try reader.readOctets(16)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(random)
            writer.write(diversifier)
            writer.write(key)
        }
    }

    /// Answers ``LELongTermKeyRequest``: with this key the link is encrypted.
    ///
    /// Its description does not show the key.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.25.
    public struct LELongTermKeyRequestReply: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leLongTermKeyRequestReply }
        /// Which link.
        public typealias ReturnParameters = HandleOnly

        /// Which link.
        public var handle: ConnectionHandle
        /// The key as it travels: 16 octets, the least significant first.
        public let key: [UInt8]

        /// Makes the command.
        ///
        /// - Parameters:
        ///   - handle: Which link.
        ///   - key: The key; `nil` comes back unless it has 16 octets.
        public init?(handle: ConnectionHandle, key: [UInt8]) {
            guard key.count == 16 else { return nil }
            self.handle = handle
            self.key = key
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            key = try reader.readOctets(16)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(key)
        }
    }

    /// Answers ``LELongTermKeyRequest``: there is no such key.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.26.
    public struct LELongTermKeyRequestNegativeReply: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leLongTermKeyRequestNegativeReply }
        /// Which link.
        public typealias ReturnParameters = HandleOnly

        /// Which link.
        public var handle: ConnectionHandle

        /// Makes the command.
        public init(handle: ConnectionHandle) { self.handle = handle }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) { writer.write(handle.rawValue) }
    }
}
