// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Sets the random address of an advertising set.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.52.
    public struct LESetAdvertisingSetRandomAddress: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetAdvertisingSetRandomAddress }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which set.
        public var advertisingHandle: AdvertisingHandle
        /// The address.
        public var address: BluetoothAddress

        /// Makes the command.
        public init(advertisingHandle: AdvertisingHandle, address: BluetoothAddress) {
            self.advertisingHandle = advertisingHandle
            self.address = address
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            advertisingHandle = AdvertisingHandle(rawValue: try reader.readUInt8())
            address = try BluetoothAddress(decoding: &reader, kind: .random)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(advertisingHandle.rawValue)
            address.encode(into: &writer)
        }
    }

    /// Asks how much data an advertising set can have.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.57.
    public struct LEReadMaximumAdvertisingDataLength: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadMaximumAdvertisingDataLength }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Octets; 31 to 1650.
            public var length: UInt16

            /// Makes the return parameters.
            public init(length: UInt16) {
                self.length = length
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                length = try reader.readUInt16()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(length)
            }
        }
    }

    /// Asks how many advertising sets there can be at once.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.58.
    public struct LEReadNumberOfSupportedAdvertisingSets: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadNumberOfSupportedAdvertisingSets }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// The number of sets; at least 1, and it may change.
            public var count: UInt8

            /// Makes the return parameters.
            public init(count: UInt8) {
                self.count = count
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                count = try reader.readUInt8()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(count)
            }
        }
    }

    /// Forgets an advertising set; only while it is not enabled.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.59.
    public struct LERemoveAdvertisingSet: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leRemoveAdvertisingSet }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which set.
        public var advertisingHandle: AdvertisingHandle

        /// Makes the command.
        public init(advertisingHandle: AdvertisingHandle) {
            self.advertisingHandle = advertisingHandle
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            advertisingHandle = AdvertisingHandle(rawValue: try reader.readUInt8())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(advertisingHandle.rawValue)
        }
    }

    /// Forgets all advertising sets; only while none is enabled.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.60.
    public struct LEClearAdvertisingSets: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leClearAdvertisingSets }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Makes the command.
        public init() {}
    }
}
