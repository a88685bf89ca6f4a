// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Says how an advertising set advertises, and makes it if need be: version 1.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.53.
    public struct LESetExtendedAdvertisingParameters: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetExtendedAdvertisingParameters }

        /// Which set.
        public var advertisingHandle: AdvertisingHandle
        /// What kind of advertising.
        public var properties: AdvertisingEventProperties
        /// Shortest time between advertising events, in units of 0.625 ms; 0x20 to 0xFFFFFF.
        public var primaryIntervalMin: UInt32
        /// Longest time between advertising events, in units of 0.625 ms; 0x20 to 0xFFFFFF.
        public var primaryIntervalMax: UInt32
        /// Primary channels to use.
        public var channelMap: AdvertisingChannels
        /// Which address to advertise with.
        public var ownAddressType: OwnAddressType
        /// Whom directed advertising is for.
        public var peerAddress: BluetoothAddress
        /// Whose requests are answered.
        public var filterPolicy: AdvertisingFilterPolicy
        /// Power wanted in dBm, -127 to 20; `nil` leaves it to the controller.
        public var txPower: Int8?
        /// How the announcement is sent: LE 1M or LE Coded.
        public var primaryPHY: PHY
        /// Advertising events that the packet with the data may be late by.
        public var secondaryMaxSkip: UInt8
        /// How the packet with the data is sent.
        public var secondaryPHY: PHY
        /// The set's number on the air, SID; 0 to 15.
        public var setID: UInt8
        /// Whether scan requests are reported.
        public var notifiesScanRequests: Bool

        /// Makes the command.
        public init(
            advertisingHandle: AdvertisingHandle, properties: AdvertisingEventProperties,
            primaryIntervalMin: UInt32, primaryIntervalMax: UInt32, channelMap: AdvertisingChannels,
            ownAddressType: OwnAddressType, peerAddress: BluetoothAddress,
            filterPolicy: AdvertisingFilterPolicy, txPower: Int8?, primaryPHY: PHY, secondaryMaxSkip: UInt8,
            secondaryPHY: PHY, setID: UInt8, notifiesScanRequests: Bool
        ) {
            self.advertisingHandle = advertisingHandle
            self.properties = properties
            self.primaryIntervalMin = primaryIntervalMin
            self.primaryIntervalMax = primaryIntervalMax
            self.channelMap = channelMap
            self.ownAddressType = ownAddressType
            self.peerAddress = peerAddress
            self.filterPolicy = filterPolicy
            self.txPower = txPower
            self.primaryPHY = primaryPHY
            self.secondaryMaxSkip = secondaryMaxSkip
            self.secondaryPHY = secondaryPHY
            self.setID = setID
            self.notifiesScanRequests = notifiesScanRequests
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            advertisingHandle = AdvertisingHandle(rawValue: try reader.readUInt8())
            properties = AdvertisingEventProperties(rawValue: try reader.readUInt16())
            primaryIntervalMin = try reader.readUInt24()
            primaryIntervalMax = try reader.readUInt24()
            channelMap = AdvertisingChannels(rawValue: try reader.readUInt8())
            ownAddressType = try HCI.readCase(&reader)
            peerAddress = try HCI.readAddress(&reader)
            filterPolicy = try HCI.readCase(&reader)
            txPower = try HCI.readRSSI(&reader)
            primaryPHY = PHY(rawValue: try reader.readUInt8())
            secondaryMaxSkip = try reader.readUInt8()
            secondaryPHY = PHY(rawValue: try reader.readUInt8())
            setID = try reader.readUInt8()
            notifiesScanRequests = try HCI.readFlag(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(advertisingHandle.rawValue)
            writer.write(properties.rawValue)
            writer.writeUInt24(primaryIntervalMin)
            writer.writeUInt24(primaryIntervalMax)
            writer.write(channelMap.rawValue)
            writer.write(ownAddressType.rawValue)
            HCI.writeAddress(peerAddress, into: &writer)
            writer.write(filterPolicy.rawValue)
            HCI.writeRSSI(txPower, into: &writer)
            writer.write(primaryPHY.rawValue)
            writer.write(secondaryMaxSkip)
            writer.write(secondaryPHY.rawValue)
            writer.write(setID)
            writer.write(notifiesScanRequests ? 1 : 0 as UInt8)
        }

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Power chosen in dBm; -127 to 20.
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

}
