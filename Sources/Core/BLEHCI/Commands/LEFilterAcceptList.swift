// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Asks how many entries the filter accept list can have.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.14.
    public struct LEReadFilterAcceptListSize: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadFilterAcceptListSize }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// The number of entries; at least 1.
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

    /// Empties the filter accept list; only while nobody uses it.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.15.
    public struct LEClearFilterAcceptList: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leClearFilterAcceptList }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Makes the command.
        public init() {}
    }

    /// Puts a device on the filter accept list.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.16.
    public struct LEAddDeviceToFilterAcceptList: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leAddDeviceToFilterAcceptList }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// The device; an anonymous address stands for all anonymous advertisers.
        public var address: BluetoothAddress

        /// Makes the command.
        public init(address: BluetoothAddress) {
            self.address = address
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            address = try HCI.readAddress(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writeAddress(address, into: &writer)
        }
    }

    /// Takes a device off the filter accept list.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.17.
    public struct LERemoveDeviceFromFilterAcceptList: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leRemoveDeviceFromFilterAcceptList }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// The device; an anonymous address stands for all anonymous advertisers.
        public var address: BluetoothAddress

        /// Makes the command.
        public init(address: BluetoothAddress) {
            self.address = address
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            address = try HCI.readAddress(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writeAddress(address, into: &writer)
        }
    }
}
