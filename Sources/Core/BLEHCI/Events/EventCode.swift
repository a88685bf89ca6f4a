// SPDX-License-Identifier: Apache-2.0

extension HCI {
    /// Which event.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.
    public struct EventCode: RawRepresentable, Hashable, Sendable {
        /// The code on the wire.
        public let rawValue: UInt8

        /// Wraps a code.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A link has ended.
        public static let disconnectionComplete = EventCode(rawValue: 0x05)
        /// A link is now encrypted or no longer so.
        public static let encryptionChange = EventCode(rawValue: 0x08)
        /// Which controller the peer has.
        public static let readRemoteVersionInformationComplete = EventCode(rawValue: 0x0C)
        /// A command is done.
        public static let commandComplete = EventCode(rawValue: 0x0E)
        /// A command was taken up or refused.
        public static let commandStatus = EventCode(rawValue: 0x0F)
        /// The controller has failed.
        public static let hardwareError = EventCode(rawValue: 0x10)
        /// Data packets have left the controller.
        public static let numberOfCompletedPackets = EventCode(rawValue: 0x13)
        /// The host sent more than the controller can hold.
        public static let dataBufferOverflow = EventCode(rawValue: 0x1A)
        /// An encrypted link has another key.
        public static let encryptionKeyRefreshComplete = EventCode(rawValue: 0x30)
        /// An LE event; the first parameter says which.
        public static let leMeta = EventCode(rawValue: 0x3E)
        /// The maker's own.
        public static let vendor = EventCode(rawValue: 0xFF)
    }

    /// Which LE event.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.
    public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
        /// The code on the wire.
        public let rawValue: UInt8

        /// Wraps a code.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A link was made, or an attempt has ended.
        public static let connectionComplete = LESubeventCode(rawValue: 0x01)
        /// Advertisers were heard.
        public static let advertisingReport = LESubeventCode(rawValue: 0x02)
        /// The parameters of a link have changed.
        public static let connectionUpdateComplete = LESubeventCode(rawValue: 0x03)
        /// The LE features of the peer.
        public static let readRemoteFeaturesComplete = LESubeventCode(rawValue: 0x04)
        /// The central encrypts the link, and the key is asked for.
        public static let longTermKeyRequest = LESubeventCode(rawValue: 0x05)
        /// The peer asks for other connection parameters.
        public static let remoteConnectionParameterRequest = LESubeventCode(rawValue: 0x06)
        /// The packet length of a link has changed.
        public static let dataLengthChange = LESubeventCode(rawValue: 0x07)
        /// A link was made; with the private addresses.
        public static let enhancedConnectionComplete = LESubeventCode(rawValue: 0x0A)
        /// The modulation of a link has changed.
        public static let phyUpdateComplete = LESubeventCode(rawValue: 0x0C)
        /// LE Extended Advertising Report.
        public static let extendedAdvertisingReport = LESubeventCode(rawValue: 0x0D)
        /// The time that scanning was given is over.
        public static let scanTimeout = LESubeventCode(rawValue: 0x11)
        /// An advertising set has ended.
        public static let advertisingSetTerminated = LESubeventCode(rawValue: 0x12)
        /// Somebody has asked an advertising set for its scan response.
        public static let scanRequestReceived = LESubeventCode(rawValue: 0x13)
        /// How the channels of a new link are chosen.
        public static let channelSelectionAlgorithm = LESubeventCode(rawValue: 0x14)
    }
}
