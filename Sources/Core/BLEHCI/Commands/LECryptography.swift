// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Has the controller encrypt one block with AES-128.
    ///
    /// Its description does not show the key.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.22.
    public struct LEEncrypt: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leEncrypt }

        /// The key as it travels: 16 octets, the least significant first.
        public let key: [UInt8]
        /// The block as it travels: 16 octets, the least significant first.
        public let plaintext: [UInt8]

        /// Makes the command.
        ///
        /// - Parameters:
        ///   - key: The key; `nil` comes back unless it has 16 octets.
        ///   - plaintext: The block; `nil` comes back unless it has 16 octets.
        public init?(key: [UInt8], plaintext: [UInt8]) {
            guard key.count == 16, plaintext.count == 16 else { return nil }
            self.key = key
            self.plaintext = plaintext
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            key = try reader.readOctets(16)
            plaintext = try reader.readOctets(16)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(key)
            writer.write(plaintext)
        }

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// The encrypted block as it travels: 16 octets, the least significant first.
            public let encrypted: [UInt8]

            /// Makes the return parameters.
            ///
            /// - Parameter encrypted: The block; `nil` comes back unless it has 16 octets.
            public init?(encrypted: [UInt8]) {
                guard encrypted.count == 16 else { return nil }
                self.encrypted = encrypted
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                encrypted = try reader.readOctets(16)
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(encrypted)
            }
        }
    }

    /// Asks which states and roles the controller can be in at once.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.27.
    public struct LEReadSupportedStates: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadSupportedStates }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// A bit for each state or pair of states.
            public var states: UInt64

            /// Makes the return parameters.
            public init(states: UInt64) {
                self.states = states
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                states = try reader.readUInt64()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(states)
            }
        }
    }
}
