// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Which events the host wants.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.1.
    public struct EventMask: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt64

        /// Wraps bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// Disconnection Complete.
        public static let disconnectionComplete = EventMask(rawValue: 1 << 4)
        /// Encryption Change.
        public static let encryptionChange = EventMask(rawValue: 1 << 7)
        /// Read Remote Version Information Complete.
        public static let readRemoteVersionInformationComplete = EventMask(rawValue: 1 << 11)
        /// Hardware Error.
        public static let hardwareError = EventMask(rawValue: 1 << 15)
        /// Data Buffer Overflow.
        public static let dataBufferOverflow = EventMask(rawValue: 1 << 25)
        /// Encryption Key Refresh Complete.
        public static let encryptionKeyRefreshComplete = EventMask(rawValue: 1 << 47)
        /// LE events.
        public static let leMeta = EventMask(rawValue: 1 << 61)

        /// What a controller sends after a reset: no LE events.
        public static let initial = EventMask(rawValue: 0x0000_1FFF_FFFF_FFFF)
    }

    /// Which LE events the host wants.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.1.
    public struct LEEventMask: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt64

        /// Wraps bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// LE Connection Complete.
        public static let connectionComplete = LEEventMask(rawValue: 1 << 0)
        /// LE Advertising Report.
        public static let advertisingReport = LEEventMask(rawValue: 1 << 1)
        /// LE Connection Update Complete.
        public static let connectionUpdateComplete = LEEventMask(rawValue: 1 << 2)
        /// LE Read Remote Features Complete.
        public static let readRemoteFeaturesComplete = LEEventMask(rawValue: 1 << 3)
        /// LE Long Term Key Request.
        public static let longTermKeyRequest = LEEventMask(rawValue: 1 << 4)
        /// LE Remote Connection Parameter Request.
        public static let remoteConnectionParameterRequest = LEEventMask(rawValue: 1 << 5)
        /// LE Data Length Change.
        public static let dataLengthChange = LEEventMask(rawValue: 1 << 6)
        /// LE Enhanced Connection Complete.
        public static let enhancedConnectionComplete = LEEventMask(rawValue: 1 << 9)
        /// LE PHY Update Complete.
        public static let phyUpdateComplete = LEEventMask(rawValue: 1 << 11)
        /// Advertisers were heard by a controller with extended advertising.
        public static let extendedAdvertisingReport = LEEventMask(rawValue: 1 << 12)
        /// LE Scan Timeout.
        public static let scanTimeout = LEEventMask(rawValue: 1 << 16)
        /// LE Advertising Set Terminated.
        public static let advertisingSetTerminated = LEEventMask(rawValue: 1 << 17)
        /// LE Scan Request Received.
        public static let scanRequestReceived = LEEventMask(rawValue: 1 << 18)
        /// LE Channel Selection Algorithm.
        public static let channelSelectionAlgorithm = LEEventMask(rawValue: 1 << 19)

        /// What a controller sends after a reset.
        public static let initial = LEEventMask(rawValue: 0x1F)
    }

    /// What a link layer can do.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.6.
    public struct LEFeatures: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt64

        /// Wraps bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// LE Encryption.
        public static let encryption = LEFeatures(rawValue: 1 << 0)
        /// Connection Parameters Request procedure.
        public static let connectionParametersRequest = LEFeatures(rawValue: 1 << 1)
        /// Extended Reject Indication.
        public static let extendedRejectIndication = LEFeatures(rawValue: 1 << 2)
        /// Peripheral-initiated Features Exchange.
        public static let peripheralInitiatedFeaturesExchange = LEFeatures(rawValue: 1 << 3)
        /// LE Ping.
        public static let ping = LEFeatures(rawValue: 1 << 4)
        /// LE Data Packet Length Extension.
        public static let dataPacketLengthExtension = LEFeatures(rawValue: 1 << 5)
        /// LL Privacy.
        public static let privacy = LEFeatures(rawValue: 1 << 6)
        /// Extended Scanning Filter Policies.
        public static let extendedScanningFilterPolicies = LEFeatures(rawValue: 1 << 7)
        /// LE 2M PHY.
        public static let phy2M = LEFeatures(rawValue: 1 << 8)
        /// LE Coded PHY.
        public static let phyCoded = LEFeatures(rawValue: 1 << 11)
        /// LE Extended Advertising.
        public static let extendedAdvertising = LEFeatures(rawValue: 1 << 12)
        /// LE Periodic Advertising.
        public static let periodicAdvertising = LEFeatures(rawValue: 1 << 13)
        /// Channel Selection Algorithm #2.
        public static let channelSelectionAlgorithm2 = LEFeatures(rawValue: 1 << 14)
    }

    /// What a BR/EDR controller can do, and whether it has LE.
    ///
    /// Spec: Core v5.4, Vol 2, Part C, 3.3.
    public struct LMPFeatures: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt64

        /// Wraps bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// BR/EDR is not supported.
        public static let bredrNotSupported = LMPFeatures(rawValue: 1 << 37)
        /// LE is supported.
        public static let leSupported = LMPFeatures(rawValue: 1 << 38)
    }

    /// The channels to advertise on.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.5.
    public struct AdvertisingChannels: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Wraps bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Channel 37.
        public static let channel37 = AdvertisingChannels(rawValue: 1 << 0)
        /// Channel 38.
        public static let channel38 = AdvertisingChannels(rawValue: 1 << 1)
        /// Channel 39.
        public static let channel39 = AdvertisingChannels(rawValue: 1 << 2)

        /// All three.
        public static let all: AdvertisingChannels = [.channel37, .channel38, .channel39]
    }

    /// Several modulations.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.48.
    public struct PHYs: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Wraps bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// LE 1M.
        public static let le1M = PHYs(rawValue: 1 << 0)
        /// LE 2M.
        public static let le2M = PHYs(rawValue: 1 << 1)
        /// LE Coded.
        public static let leCoded = PHYs(rawValue: 1 << 2)
    }

    /// What kind of advertising a set does.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.53.
    public struct AdvertisingEventProperties: OptionSet, Hashable, Sendable {
        /// The two octets on the wire.
        public let rawValue: UInt16

        /// Wraps the octets.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Links are accepted.
        public static let connectable = AdvertisingEventProperties(rawValue: 1 << 0)
        /// Scan requests are answered.
        public static let scannable = AdvertisingEventProperties(rawValue: 1 << 1)
        /// It is meant for one receiver.
        public static let directed = AdvertisingEventProperties(rawValue: 1 << 2)
        /// Directed, and every 3.75 ms; only with legacy PDUs.
        public static let highDuty = AdvertisingEventProperties(rawValue: 1 << 3)
        /// It travels in legacy PDUs, which every scanner understands.
        public static let legacy = AdvertisingEventProperties(rawValue: 1 << 4)
        /// Without the advertiser's address.
        public static let anonymous = AdvertisingEventProperties(rawValue: 1 << 5)
        /// With the power that it is sent with.
        public static let includesTxPower = AdvertisingEventProperties(rawValue: 1 << 6)
    }

    /// Which of the 37 data channels are meant, one bit each.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.19.
    public struct ChannelMap: Parameters, OptionSet, Hashable {
        /// The bits; channel 0 is the lowest.
        public let rawValue: UInt64

        /// Wraps bits; those beyond channel 36 are dropped.
        public init(rawValue: UInt64) { self.rawValue = rawValue & 0x1F_FFFF_FFFF }

        /// Reads five octets.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            let low = UInt64(try reader.readUInt32())
            self.init(rawValue: low | UInt64(try reader.readUInt8()) &<< 32)
        }

        /// Appends five octets.
        public func encode(into writer: inout ByteWriter) {
            writer.write(UInt32(truncatingIfNeeded: rawValue))
            writer.write(UInt8(truncatingIfNeeded: rawValue &>> 32))
        }

        /// One channel.
        ///
        /// - Parameter index: The channel, 0 to 36; any other gives the empty set.
        /// - Returns: The set of this channel.
        public static func channel(_ index: Int) -> ChannelMap {
            (0...36).contains(index) ? ChannelMap(rawValue: 1 << UInt64(index)) : []
        }

        /// All 37 channels.
        public static let all = ChannelMap(rawValue: .max)
        /// How many channels are in it.
        public var count: Int { rawValue.nonzeroBitCount }
    }
}
