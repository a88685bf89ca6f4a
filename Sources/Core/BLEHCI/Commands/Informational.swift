// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Asks for the versions of the controller.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.4.1.
    public struct ReadLocalVersionInformation: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .readLocalVersionInformation }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Version of the interface, as in the assigned numbers; 0x0D is 5.4.
            public var hciVersion: UInt8
            /// The maker's own revision of it.
            public var hciSubversion: UInt16
            /// Version of the link layer.
            public var lmpVersion: UInt8
            /// The maker of the controller.
            public var companyIdentifier: UInt16
            /// The maker's own revision of the link layer.
            public var lmpSubversion: UInt16

            /// Makes the return parameters.
            public init(
                hciVersion: UInt8, hciSubversion: UInt16, lmpVersion: UInt8, companyIdentifier: UInt16,
                lmpSubversion: UInt16
            ) {
                self.hciVersion = hciVersion
                self.hciSubversion = hciSubversion
                self.lmpVersion = lmpVersion
                self.companyIdentifier = companyIdentifier
                self.lmpSubversion = lmpSubversion
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                hciVersion = try reader.readUInt8()
                hciSubversion = try reader.readUInt16()
                lmpVersion = try reader.readUInt8()
                companyIdentifier = try reader.readUInt16()
                lmpSubversion = try reader.readUInt16()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(hciVersion)
                writer.write(hciSubversion)
                writer.write(lmpVersion)
                writer.write(companyIdentifier)
                writer.write(lmpSubversion)
            }
        }
    }

    /// Asks which commands the controller knows.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.4.2.
    public struct ReadLocalSupportedCommands: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .readLocalSupportedCommands }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// The commands it knows.
            public var commands: SupportedCommands

            /// Makes the return parameters.
            public init(commands: SupportedCommands) {
                self.commands = commands
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                commands = try SupportedCommands(decoding: &reader)
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                commands.encode(into: &writer)
            }
        }
    }

    /// Asks for the controller's BR/EDR features and whether it has LE at all.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.4.3.
    public struct ReadLocalSupportedFeatures: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .readLocalSupportedFeatures }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// The features.
            public var features: LMPFeatures

            /// Makes the return parameters.
            public init(features: LMPFeatures) {
                self.features = features
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                features = LMPFeatures(rawValue: try reader.readUInt64())
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(features.rawValue)
            }
        }
    }

    /// Asks for the buffers that BR/EDR has, and LE shares when it has none of its own.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.4.5.
    public struct ReadBufferSize: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .readBufferSize }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Octets of payload that one ACL data packet may have.
            public var aclDataPacketLength: UInt16
            /// The same for synchronous packets.
            public var synchronousDataPacketLength: UInt8
            /// ACL data packets that the controller can hold.
            public var totalACLDataPackets: UInt16
            /// The same for synchronous packets.
            public var totalSynchronousDataPackets: UInt16

            /// Makes the return parameters.
            public init(
                aclDataPacketLength: UInt16, synchronousDataPacketLength: UInt8, totalACLDataPackets: UInt16,
                totalSynchronousDataPackets: UInt16
            ) {
                self.aclDataPacketLength = aclDataPacketLength
                self.synchronousDataPacketLength = synchronousDataPacketLength
                self.totalACLDataPackets = totalACLDataPackets
                self.totalSynchronousDataPackets = totalSynchronousDataPackets
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                aclDataPacketLength = try reader.readUInt16()
                synchronousDataPacketLength = try reader.readUInt8()
                totalACLDataPackets = try reader.readUInt16()
                totalSynchronousDataPackets = try reader.readUInt16()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(aclDataPacketLength)
                writer.write(synchronousDataPacketLength)
                writer.write(totalACLDataPackets)
                writer.write(totalSynchronousDataPackets)
            }
        }
    }

    /// Asks for the controller's public address.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.4.6.
    public struct ReadBDADDR: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .readBDADDR }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// The address.
            public var address: BluetoothAddress

            /// Makes the return parameters.
            public init(address: BluetoothAddress) {
                self.address = address
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                address = try BluetoothAddress(decoding: &reader, kind: .public)
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                address.encode(into: &writer)
            }
        }
    }

    /// Asks how strong the peer is received.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.5.4.
    public struct ReadRSSI: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .readRSSI }

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
            /// Strength in dBm; `nil` when it is not available.
            public var rssi: Int8?

            /// Makes the return parameters.
            public init(handle: ConnectionHandle, rssi: Int8?) {
                self.handle = handle
                self.rssi = rssi
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                handle = ConnectionHandle(rawValue: try reader.readUInt16())
                rssi = try HCI.readRSSI(&reader)
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(handle.rawValue)
                HCI.writeRSSI(rssi, into: &writer)
            }
        }
    }
}
