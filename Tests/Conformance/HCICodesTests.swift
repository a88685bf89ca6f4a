// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import Testing

// Typed from the specification, not from the sources that these tables judge.

@Suite("codes of HCI")
struct HCICodesTests {
    /// Group and command fields of each opcode.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.1, 7.3, 7.4, 7.5 and 7.8.
    static let opcodes: [(HCI.Opcode, group: UInt16, command: UInt16)] = [
        (.none, 0x00, 0x0000),
        (.disconnect, 0x01, 0x0006),
        (.readRemoteVersionInformation, 0x01, 0x001D),
        (.setEventMask, 0x03, 0x0001),
        (.reset, 0x03, 0x0003),
        (.setControllerToHostFlowControl, 0x03, 0x0031),
        (.hostBufferSize, 0x03, 0x0033),
        (.hostNumberOfCompletedPackets, 0x03, 0x0035),
        (.readLocalVersionInformation, 0x04, 0x0001),
        (.readLocalSupportedCommands, 0x04, 0x0002),
        (.readLocalSupportedFeatures, 0x04, 0x0003),
        (.readBufferSize, 0x04, 0x0005),
        (.readBDADDR, 0x04, 0x0009),
        (.readRSSI, 0x05, 0x0005),
        (.leSetEventMask, 0x08, 0x0001),
        (.leReadBufferSize, 0x08, 0x0002),
        (.leReadLocalSupportedFeatures, 0x08, 0x0003),
        (.leSetRandomAddress, 0x08, 0x0005),
        (.leSetAdvertisingParameters, 0x08, 0x0006),
        (.leReadAdvertisingPhysicalChannelTxPower, 0x08, 0x0007),
        (.leSetAdvertisingData, 0x08, 0x0008),
        (.leSetScanResponseData, 0x08, 0x0009),
        (.leSetAdvertisingEnable, 0x08, 0x000A),
        (.leSetScanParameters, 0x08, 0x000B),
        (.leSetScanEnable, 0x08, 0x000C),
        (.leCreateConnection, 0x08, 0x000D),
        (.leCreateConnectionCancel, 0x08, 0x000E),
        (.leReadFilterAcceptListSize, 0x08, 0x000F),
        (.leClearFilterAcceptList, 0x08, 0x0010),
        (.leAddDeviceToFilterAcceptList, 0x08, 0x0011),
        (.leRemoveDeviceFromFilterAcceptList, 0x08, 0x0012),
        (.leConnectionUpdate, 0x08, 0x0013),
        (.leReadRemoteFeatures, 0x08, 0x0016),
        (.leRand, 0x08, 0x0018),
        (.leRemoteConnectionParameterRequestReply, 0x08, 0x0020),
        (.leRemoteConnectionParameterRequestNegativeReply, 0x08, 0x0021),
        (.leSetDataLength, 0x08, 0x0022),
        (.leReadSuggestedDefaultDataLength, 0x08, 0x0023),
        (.leWriteSuggestedDefaultDataLength, 0x08, 0x0024),
        (.leAddDeviceToResolvingList, 0x08, 0x0027),
        (.leRemoveDeviceFromResolvingList, 0x08, 0x0028),
        (.leClearResolvingList, 0x08, 0x0029),
        (.leReadResolvingListSize, 0x08, 0x002A),
        (.leReadPeerResolvableAddress, 0x08, 0x002B),
        (.leReadLocalResolvableAddress, 0x08, 0x002C),
        (.leSetAddressResolutionEnable, 0x08, 0x002D),
        (.leSetResolvablePrivateAddressTimeout, 0x08, 0x002E),
        (.leSetPrivacyMode, 0x08, 0x004E),
        (.leReadMaximumDataLength, 0x08, 0x002F),
        (.readTransmitPowerLevel, 0x03, 0x002D),
        (.readLEHostSupport, 0x03, 0x006C),
        (.writeLEHostSupport, 0x03, 0x006D),
        (.leSetHostChannelClassification, 0x08, 0x0014),
        (.leReadChannelMap, 0x08, 0x0015),
        (.leEncrypt, 0x08, 0x0017),
        (.leEnableEncryption, 0x08, 0x0019),
        (.leLongTermKeyRequestReply, 0x08, 0x001A),
        (.leLongTermKeyRequestNegativeReply, 0x08, 0x001B),
        (.leReadSupportedStates, 0x08, 0x001C),
        (.leReadPHY, 0x08, 0x0030),
        (.leSetDefaultPHY, 0x08, 0x0031),
        (.leSetPHY, 0x08, 0x0032),
        (.leSetAdvertisingSetRandomAddress, 0x08, 0x0035),
        (.leSetExtendedAdvertisingParameters, 0x08, 0x0036),
        (.leSetExtendedAdvertisingData, 0x08, 0x0037),
        (.leSetExtendedScanResponseData, 0x08, 0x0038),
        (.leSetExtendedAdvertisingEnable, 0x08, 0x0039),
        (.leReadMaximumAdvertisingDataLength, 0x08, 0x003A),
        (.leReadNumberOfSupportedAdvertisingSets, 0x08, 0x003B),
        (.leRemoveAdvertisingSet, 0x08, 0x003C),
        (.leClearAdvertisingSets, 0x08, 0x003D),
        (.leSetExtendedScanParameters, 0x08, 0x0041),
        (.leSetExtendedScanEnable, 0x08, 0x0042),
        (.leExtendedCreateConnection, 0x08, 0x0043),
        (.leReadTransmitPower, 0x08, 0x004B),
    ]

    @Test("gives every command its opcode", arguments: opcodes)
    func opcode(constant: HCI.Opcode, group: UInt16, command: UInt16) {
        #expect(constant.rawValue == group << 10 | command)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.7.
    static let events: [(HCI.EventCode, UInt8)] = [
        (.disconnectionComplete, 0x05),
        (.encryptionChange, 0x08),
        (.readRemoteVersionInformationComplete, 0x0C),
        (.commandComplete, 0x0E),
        (.commandStatus, 0x0F),
        (.hardwareError, 0x10),
        (.numberOfCompletedPackets, 0x13),
        (.dataBufferOverflow, 0x1A),
        (.encryptionKeyRefreshComplete, 0x30),
        (.leMeta, 0x3E),
        (.vendor, 0xFF),
    ]

    @Test("gives every event its code", arguments: events)
    func event(constant: HCI.EventCode, octet: UInt8) {
        #expect(constant.rawValue == octet)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.
    static let subevents: [(HCI.LESubeventCode, UInt8)] = [
        (.connectionComplete, 0x01),
        (.advertisingReport, 0x02),
        (.connectionUpdateComplete, 0x03),
        (.readRemoteFeaturesComplete, 0x04),
        (.longTermKeyRequest, 0x05),
        (.remoteConnectionParameterRequest, 0x06),
        (.dataLengthChange, 0x07),
        (.enhancedConnectionComplete, 0x0A),
        (.extendedAdvertisingReport, 0x0D),
        (.phyUpdateComplete, 0x0C),
        (.scanTimeout, 0x11),
        (.advertisingSetTerminated, 0x12),
        (.scanRequestReceived, 0x13),
        (.channelSelectionAlgorithm, 0x14),
    ]

    @Test("gives every LE subevent its code", arguments: subevents)
    func subevent(constant: HCI.LESubeventCode, octet: UInt8) {
        #expect(constant.rawValue == octet)
    }

    /// Spec: Core v5.4, Vol 1, Part F, 1.3, table 1.1.
    static let statuses: [(HCI.Status, UInt8)] = [
        (.success, 0x00),
        (.unknownCommand, 0x01),
        (.unknownConnectionIdentifier, 0x02),
        (.hardwareFailure, 0x03),
        (.pageTimeout, 0x04),
        (.authenticationFailure, 0x05),
        (.pinOrKeyMissing, 0x06),
        (.memoryCapacityExceeded, 0x07),
        (.connectionTimeout, 0x08),
        (.connectionLimitExceeded, 0x09),
        (.synchronousConnectionLimitExceeded, 0x0A),
        (.connectionAlreadyExists, 0x0B),
        (.commandDisallowed, 0x0C),
        (.connectionRejectedLimitedResources, 0x0D),
        (.connectionRejectedSecurityReasons, 0x0E),
        (.connectionRejectedUnacceptableAddress, 0x0F),
        (.connectionAcceptTimeoutExceeded, 0x10),
        (.unsupportedFeatureOrParameterValue, 0x11),
        (.invalidHCICommandParameters, 0x12),
        (.remoteUserTerminatedConnection, 0x13),
        (.remoteDeviceTerminatedLowResources, 0x14),
        (.remoteDeviceTerminatedPowerOff, 0x15),
        (.connectionTerminatedByLocalHost, 0x16),
        (.repeatedAttempts, 0x17),
        (.pairingNotAllowed, 0x18),
        (.unknownLMPPDU, 0x19),
        (.unsupportedRemoteFeature, 0x1A),
        (.scoOffsetRejected, 0x1B),
        (.scoIntervalRejected, 0x1C),
        (.scoAirModeRejected, 0x1D),
        (.invalidLMPOrLLParameters, 0x1E),
        (.unspecifiedError, 0x1F),
        (.unsupportedLMPOrLLParameterValue, 0x20),
        (.roleChangeNotAllowed, 0x21),
        (.lmpOrLLResponseTimeout, 0x22),
        (.lmpOrLLProcedureCollision, 0x23),
        (.lmpPDUNotAllowed, 0x24),
        (.encryptionModeNotAcceptable, 0x25),
        (.linkKeyCannotBeChanged, 0x26),
        (.requestedQoSNotSupported, 0x27),
        (.instantPassed, 0x28),
        (.pairingWithUnitKeyNotSupported, 0x29),
        (.differentTransactionCollision, 0x2A),
        (.qosUnacceptableParameter, 0x2C),
        (.qosRejected, 0x2D),
        (.channelClassificationNotSupported, 0x2E),
        (.insufficientSecurity, 0x2F),
        (.parameterOutOfMandatoryRange, 0x30),
        (.roleSwitchPending, 0x32),
        (.reservedSlotViolation, 0x34),
        (.roleSwitchFailed, 0x35),
        (.extendedInquiryResponseTooLarge, 0x36),
        (.secureSimplePairingNotSupportedByHost, 0x37),
        (.hostBusyPairing, 0x38),
        (.connectionRejectedNoSuitableChannel, 0x39),
        (.controllerBusy, 0x3A),
        (.unacceptableConnectionParameters, 0x3B),
        (.advertisingTimeout, 0x3C),
        (.connectionTerminatedMICFailure, 0x3D),
        (.connectionFailedToBeEstablished, 0x3E),
        (.coarseClockAdjustmentRejected, 0x40),
        (.type0SubmapNotDefined, 0x41),
        (.unknownAdvertisingIdentifier, 0x42),
        (.limitReached, 0x43),
        (.operationCancelledByHost, 0x44),
        (.packetTooLong, 0x45),
        (.tooLate, 0x46),
        (.tooEarly, 0x47),
    ]

    @Test("gives every status its octet", arguments: statuses)
    func status(constant: HCI.Status, octet: UInt8) {
        #expect(constant.rawValue == octet)
    }
}
