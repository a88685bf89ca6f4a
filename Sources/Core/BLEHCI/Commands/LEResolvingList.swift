// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Puts a device on the resolving list, so that its private addresses are told from strangers'.
    ///
    /// Its description does not show the keys. Only while no address is resolved that matters: not while advertising, scanning or
    /// opening a link with address resolution on.
    ///
    /// | offset | size | field                                                        |
    /// |--------|------|--------------------------------------------------------------|
    /// | 0      | 7    | kind of the identity address, and the address                |
    /// | 7      | 16   | the device's key, least significant first; 0 when it has none |
    /// | 23     | 16   | ours, likewise                                               |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.38.
    public struct LEAddDeviceToResolvingList: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leAddDeviceToResolvingList }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// The address that stays.
        public var identity: BluetoothAddress
        /// The device's identity resolving key as it travels: 16 octets, the least significant first.
        public let peerKey: [UInt8]
        /// Ours, likewise.
        public let localKey: [UInt8]

        /// Makes the command.
        ///
        /// - Parameters:
        ///   - identity: The address that stays.
        ///   - peerKey: The device's key; `nil` comes back unless it has 16 octets.
        ///   - localKey: Our key; `nil` comes back unless it has 16 octets.
        public init?(identity: BluetoothAddress, peerKey: [UInt8], localKey: [UInt8]) {
            guard peerKey.count == 16, localKey.count == 16 else { return nil }
            self.identity = identity
            self.peerKey = peerKey
            self.localKey = localKey
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            identity = try HCI.readAddress(&reader)
            peerKey = try reader.readOctets(16)
            localKey = try reader.readOctets(16)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writeAddress(identity, into: &writer)
            writer.write(peerKey)
            writer.write(localKey)
        }
    }

    /// Takes a device off the resolving list.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.39.
    public struct LERemoveDeviceFromResolvingList: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leRemoveDeviceFromResolvingList }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// The address that stays.
        public var identity: BluetoothAddress

        /// Makes the command.
        public init(identity: BluetoothAddress) {
            self.identity = identity
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            identity = try HCI.readAddress(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writeAddress(identity, into: &writer)
        }
    }

    /// Empties the resolving list.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.40.
    public struct LEClearResolvingList: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leClearResolvingList }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Makes the command.
        public init() {}
    }

    /// Asks how many entries the resolving list can have.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.41.
    public struct LEReadResolvingListSize: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadResolvingListSize }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// The number of entries.
            public var size: UInt8

            /// Makes the return parameters.
            public init(size: UInt8) {
                self.size = size
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                size = try reader.readUInt8()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(size)
            }
        }
    }

    /// Asks for the private address that a device of the resolving list uses now.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.42.
    public struct LEReadPeerResolvableAddress: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadPeerResolvableAddress }
        /// The address follows the status.
        public typealias ReturnParameters = ResolvableAddress

        /// The address that stays.
        public var identity: BluetoothAddress

        /// Makes the command.
        public init(identity: BluetoothAddress) {
            self.identity = identity
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            identity = try HCI.readAddress(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writeAddress(identity, into: &writer)
        }
    }

    /// Asks for the private address that we use towards a device of the resolving list.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.43.
    public struct LEReadLocalResolvableAddress: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadLocalResolvableAddress }
        /// The address follows the status.
        public typealias ReturnParameters = ResolvableAddress

        /// The address that stays.
        public var identity: BluetoothAddress

        /// Makes the command.
        public init(identity: BluetoothAddress) {
            self.identity = identity
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            identity = try HCI.readAddress(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writeAddress(identity, into: &writer)
        }
    }

    /// A private address, after a status of success.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.42 and 7.8.43.
    public struct ResolvableAddress: Parameters, Hashable {
        /// The address.
        public var address: BluetoothAddress

        /// Makes the return parameters.
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

    /// Switches the resolving list on or off.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.44.
    public struct LESetAddressResolutionEnable: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetAddressResolutionEnable }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Whether addresses are resolved.
        public var enable: Bool

        /// Makes the command.
        public init(enable: Bool) {
            self.enable = enable
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            enable = try HCI.readFlag(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(enable ? 1 : 0 as UInt8)
        }
    }

    /// Says for how long the controller uses one private address.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.45.
    public struct LESetResolvablePrivateAddressTimeout: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetResolvablePrivateAddressTimeout }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Seconds, 1 to 3600.
        public var seconds: UInt16

        /// Makes the command.
        public init(seconds: UInt16) {
            self.seconds = seconds
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            seconds = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(seconds)
        }
    }

    /// How strictly a device of the resolving list is believed.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.77.
    public enum PrivacyMode: UInt8, Hashable, Sendable {
        /// It is heard only by its private addresses, when it has a key.
        case network = 0
        /// It is heard by its identity address, too.
        case device = 1
    }

    /// Says how strictly a device of the resolving list is believed.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.77.
    public struct LESetPrivacyMode: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetPrivacyMode }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// The address that stays.
        public var identity: BluetoothAddress
        /// How strictly it is believed.
        public var mode: PrivacyMode

        /// Makes the command.
        public init(identity: BluetoothAddress, mode: PrivacyMode) {
            self.identity = identity
            self.mode = mode
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            identity = try HCI.readAddress(&reader)
            mode = try HCI.readCase(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writeAddress(identity, into: &writer)
            writer.write(mode.rawValue)
        }
    }
}
