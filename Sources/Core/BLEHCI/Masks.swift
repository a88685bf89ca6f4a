// SPDX-License-Identifier: Apache-2.0

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
}
