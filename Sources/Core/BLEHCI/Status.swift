// SPDX-License-Identifier: Apache-2.0

extension HCI {
    /// How a command, a link or a procedure fared.
    ///
    /// Spec: Core v5.4, Vol 1, Part F, 1.3.
    public struct Status: RawRepresentable, Error, Hashable, Sendable {
        /// The code on the wire.
        public let rawValue: UInt8

        /// Wraps a code.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It worked.
        public static let success = Status(rawValue: 0x00)
        /// The controller does not know the command.
        public static let unknownCommand = Status(rawValue: 0x01)
        /// There is no such link or attempt.
        public static let unknownConnectionIdentifier = Status(rawValue: 0x02)
        /// The controller has failed.
        public static let hardwareFailure = Status(rawValue: 0x03)
        /// Nobody answered the page.
        public static let pageTimeout = Status(rawValue: 0x04)
        /// The peer is not who it should be.
        public static let authenticationFailure = Status(rawValue: 0x05)
        /// The key of the peer is not there.
        public static let pinOrKeyMissing = Status(rawValue: 0x06)
        /// The controller has no room.
        public static let memoryCapacityExceeded = Status(rawValue: 0x07)
        /// The peer was silent for longer than the supervision timeout.
        public static let connectionTimeout = Status(rawValue: 0x08)
        /// The controller has all the links it can have.
        public static let connectionLimitExceeded = Status(rawValue: 0x09)
        /// The peer has all the synchronous links it can have.
        public static let synchronousConnectionLimitExceeded = Status(rawValue: 0x0A)
        /// There already is a link to that peer.
        public static let connectionAlreadyExists = Status(rawValue: 0x0B)
        /// The command is not allowed in this state.
        public static let commandDisallowed = Status(rawValue: 0x0C)
        /// The peer has no room for a link.
        public static let connectionRejectedLimitedResources = Status(rawValue: 0x0D)
        /// The peer wants no link that is not secure.
        public static let connectionRejectedSecurityReasons = Status(rawValue: 0x0E)
        /// The peer wants no link with this address.
        public static let connectionRejectedUnacceptableAddress = Status(rawValue: 0x0F)
        /// The host did not accept the link in time.
        public static let connectionAcceptTimeoutExceeded = Status(rawValue: 0x10)
        /// The feature or the value is not supported.
        public static let unsupportedFeatureOrParameterValue = Status(rawValue: 0x11)
        /// A parameter of the command is wrong.
        public static let invalidHCICommandParameters = Status(rawValue: 0x12)
        /// The peer's user ended the link.
        public static let remoteUserTerminatedConnection = Status(rawValue: 0x13)
        /// The peer ended the link for lack of resources.
        public static let remoteDeviceTerminatedLowResources = Status(rawValue: 0x14)
        /// The peer is being switched off.
        public static let remoteDeviceTerminatedPowerOff = Status(rawValue: 0x15)
        /// This side ended the link.
        public static let connectionTerminatedByLocalHost = Status(rawValue: 0x16)
        /// Too many attempts in too short a time.
        public static let repeatedAttempts = Status(rawValue: 0x17)
        /// The peer does not pair.
        public static let pairingNotAllowed = Status(rawValue: 0x18)
        /// The peer does not know the link manager's packet.
        public static let unknownLMPPDU = Status(rawValue: 0x19)
        /// The peer does not support the feature.
        public static let unsupportedRemoteFeature = Status(rawValue: 0x1A)
        /// The offset of a synchronous link was refused.
        public static let scoOffsetRejected = Status(rawValue: 0x1B)
        /// The interval of a synchronous link was refused.
        public static let scoIntervalRejected = Status(rawValue: 0x1C)
        /// The air mode of a synchronous link was refused.
        public static let scoAirModeRejected = Status(rawValue: 0x1D)
        /// A parameter of a link-layer packet is wrong.
        public static let invalidLMPOrLLParameters = Status(rawValue: 0x1E)
        /// Something went wrong that has no code of its own.
        public static let unspecifiedError = Status(rawValue: 0x1F)
        /// A parameter of a link-layer packet is not supported.
        public static let unsupportedLMPOrLLParameterValue = Status(rawValue: 0x20)
        /// The roles cannot be changed now.
        public static let roleChangeNotAllowed = Status(rawValue: 0x21)
        /// The peer's link layer did not answer in time.
        public static let lmpOrLLResponseTimeout = Status(rawValue: 0x22)
        /// Both sides began the same procedure.
        public static let lmpOrLLProcedureCollision = Status(rawValue: 0x23)
        /// The packet is not allowed in this state.
        public static let lmpPDUNotAllowed = Status(rawValue: 0x24)
        /// The encryption mode was refused.
        public static let encryptionModeNotAcceptable = Status(rawValue: 0x25)
        /// The link key is fixed.
        public static let linkKeyCannotBeChanged = Status(rawValue: 0x26)
        /// The quality of service cannot be given.
        public static let requestedQoSNotSupported = Status(rawValue: 0x27)
        /// The moment that was agreed upon has passed.
        public static let instantPassed = Status(rawValue: 0x28)
        /// Pairing with a unit key is not supported.
        public static let pairingWithUnitKeyNotSupported = Status(rawValue: 0x29)
        /// Another procedure is running that excludes this one.
        public static let differentTransactionCollision = Status(rawValue: 0x2A)
        /// A parameter of the quality of service is refused.
        public static let qosUnacceptableParameter = Status(rawValue: 0x2C)
        /// The quality of service is refused.
        public static let qosRejected = Status(rawValue: 0x2D)
        /// Channels cannot be classified.
        public static let channelClassificationNotSupported = Status(rawValue: 0x2E)
        /// The link is not secure enough.
        public static let insufficientSecurity = Status(rawValue: 0x2F)
        /// A parameter lies outside its mandatory range.
        public static let parameterOutOfMandatoryRange = Status(rawValue: 0x30)
        /// A change of roles is under way.
        public static let roleSwitchPending = Status(rawValue: 0x32)
        /// A reserved slot was used.
        public static let reservedSlotViolation = Status(rawValue: 0x34)
        /// The change of roles failed.
        public static let roleSwitchFailed = Status(rawValue: 0x35)
        /// The extended inquiry response does not fit.
        public static let extendedInquiryResponseTooLarge = Status(rawValue: 0x36)
        /// The host does not support secure simple pairing.
        public static let secureSimplePairingNotSupportedByHost = Status(rawValue: 0x37)
        /// The host is busy with another pairing.
        public static let hostBusyPairing = Status(rawValue: 0x38)
        /// No channel was found for the link.
        public static let connectionRejectedNoSuitableChannel = Status(rawValue: 0x39)
        /// The controller is busy.
        public static let controllerBusy = Status(rawValue: 0x3A)
        /// The connection parameters are refused.
        public static let unacceptableConnectionParameters = Status(rawValue: 0x3B)
        /// Advertising ended without a link.
        public static let advertisingTimeout = Status(rawValue: 0x3C)
        /// A packet failed its integrity check.
        public static let connectionTerminatedMICFailure = Status(rawValue: 0x3D)
        /// The link was made but nothing was ever heard on it.
        public static let connectionFailedToBeEstablished = Status(rawValue: 0x3E)
        /// The clock cannot be adjusted so far.
        public static let coarseClockAdjustmentRejected = Status(rawValue: 0x40)
        /// There is no such slot map.
        public static let type0SubmapNotDefined = Status(rawValue: 0x41)
        /// There is no such advertising set or train.
        public static let unknownAdvertisingIdentifier = Status(rawValue: 0x42)
        /// The number of events that was asked for has been sent.
        public static let limitReached = Status(rawValue: 0x43)
        /// The host gave up.
        public static let operationCancelledByHost = Status(rawValue: 0x44)
        /// The packet is longer than allowed.
        public static let packetTooLong = Status(rawValue: 0x45)
        /// The moment for it has passed.
        public static let tooLate = Status(rawValue: 0x46)
        /// The moment for it has not come.
        public static let tooEarly = Status(rawValue: 0x47)

        /// Whether a host may give it as the reason of a Disconnect.
        ///
        /// Spec: Core v5.4, Vol 4, Part E, 7.1.6.
        public var isDisconnectReason: Bool {
            switch self {
            case .authenticationFailure, .remoteUserTerminatedConnection, .remoteDeviceTerminatedLowResources,
                .remoteDeviceTerminatedPowerOff, .unsupportedRemoteFeature, .pairingWithUnitKeyNotSupported,
                .unacceptableConnectionParameters:
                true
            default: false
            }
        }
    }
}
