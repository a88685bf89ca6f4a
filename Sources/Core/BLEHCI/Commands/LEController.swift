// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Chooses the LE events that the controller may send.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.1.
    public struct LESetEventMask: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetEventMask }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// The events wanted.
        public var mask: LEEventMask

        /// Makes the command.
        public init(mask: LEEventMask) {
            self.mask = mask
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            mask = LEEventMask(rawValue: try reader.readUInt64())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(mask.rawValue)
        }
    }

    /// Asks for the buffers that LE has for itself.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.2.
    public struct LEReadBufferSize: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadBufferSize }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Octets of payload that one packet may have; 0 when LE shares the buffers of BR/EDR.
            public var aclDataPacketLength: UInt16
            /// Packets that the controller can hold; 0 when LE shares the buffers of BR/EDR.
            public var totalACLDataPackets: UInt8

            /// Makes the return parameters.
            public init(aclDataPacketLength: UInt16, totalACLDataPackets: UInt8) {
                self.aclDataPacketLength = aclDataPacketLength
                self.totalACLDataPackets = totalACLDataPackets
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                aclDataPacketLength = try reader.readUInt16()
                totalACLDataPackets = try reader.readUInt8()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(aclDataPacketLength)
                writer.write(totalACLDataPackets)
            }
        }
    }

    /// Asks for the LE features of the controller.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.3.
    public struct LEReadLocalSupportedFeatures: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadLocalSupportedFeatures }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// The features.
            public var features: LEFeatures

            /// Makes the return parameters.
            public init(features: LEFeatures) {
                self.features = features
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                features = LEFeatures(rawValue: try reader.readUInt64())
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(features.rawValue)
            }
        }
    }

    /// Sets the random address to advertise, scan and connect with.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.4.
    public struct LESetRandomAddress: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetRandomAddress }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// The address.
        public var address: BluetoothAddress

        /// Makes the command.
        public init(address: BluetoothAddress) {
            self.address = address
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            address = try BluetoothAddress(decoding: &reader, kind: .random)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            address.encode(into: &writer)
        }
    }

    /// Asks for eight random octets.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.23.
    public struct LERand: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leRand }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// The random number.
            public var random: UInt64

            /// Makes the return parameters.
            public init(random: UInt64) {
                self.random = random
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                random = try reader.readUInt64()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(random)
            }
        }
    }
}
