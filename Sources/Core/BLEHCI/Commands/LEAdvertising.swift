// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Says how to advertise; only while not advertising.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.5.
    public struct LESetAdvertisingParameters: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetAdvertisingParameters }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Shortest time between advertising events; 0x0020 to 0x4000.
        public var intervalMin: AdvertisingInterval
        /// Longest time between advertising events; 0x0020 to 0x4000.
        public var intervalMax: AdvertisingInterval
        /// What kind of advertising.
        public var type: AdvertisingType
        /// Which address to advertise with.
        public var ownAddressType: OwnAddressType
        /// Whom directed advertising is for.
        public var peerAddress: BluetoothAddress
        /// Channels to use.
        public var channelMap: AdvertisingChannels
        /// Whose requests are answered.
        public var filterPolicy: AdvertisingFilterPolicy

        /// Makes the command.
        public init(
            intervalMin: AdvertisingInterval, intervalMax: AdvertisingInterval, type: AdvertisingType,
            ownAddressType: OwnAddressType, peerAddress: BluetoothAddress, channelMap: AdvertisingChannels,
            filterPolicy: AdvertisingFilterPolicy
        ) {
            self.intervalMin = intervalMin
            self.intervalMax = intervalMax
            self.type = type
            self.ownAddressType = ownAddressType
            self.peerAddress = peerAddress
            self.channelMap = channelMap
            self.filterPolicy = filterPolicy
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            intervalMin = AdvertisingInterval(rawValue: try reader.readUInt16())
            intervalMax = AdvertisingInterval(rawValue: try reader.readUInt16())
            type = try HCI.readCase(&reader)
            ownAddressType = try HCI.readCase(&reader)
            peerAddress = try HCI.readAddress(&reader)
            channelMap = AdvertisingChannels(rawValue: try reader.readUInt8())
            filterPolicy = try HCI.readCase(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(intervalMin.rawValue)
            writer.write(intervalMax.rawValue)
            writer.write(type.rawValue)
            writer.write(ownAddressType.rawValue)
            HCI.writeAddress(peerAddress, into: &writer)
            writer.write(channelMap.rawValue)
            writer.write(filterPolicy.rawValue)
        }
    }

    /// Asks how strongly the controller advertises.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.6.
    public struct LEReadAdvertisingPhysicalChannelTxPower: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadAdvertisingPhysicalChannelTxPower }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Power in dBm; -127 to 20.
            public var txPower: Int8

            /// Makes the return parameters.
            public init(txPower: Int8) {
                self.txPower = txPower
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                txPower = try reader.readInt8()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(txPower)
            }
        }
    }

    /// Starts or stops advertising.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.9.
    public struct LESetAdvertisingEnable: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetAdvertisingEnable }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Whether to advertise.
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
}
