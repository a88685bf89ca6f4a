// SPDX-License-Identifier: Apache-2.0

import BLEWire

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

extension HCI.Status: CustomStringConvertible {
    /// The specification's name and the code, for example `connection timeout (0x08)`.
    public var description: String {
        let code = "0x" + (rawValue < 16 ? "0" : "") + String(rawValue, radix: 16, uppercase: true)
        return name.map { "\($0) (\(code))" } ?? "status \(code)"
    }

    /// The name in the specification, when it has one.
    private var name: String? {
        switch self {
        case .success: "success"
        case .unknownCommand: "unknown HCI command"
        case .unknownConnectionIdentifier: "unknown connection identifier"
        case .hardwareFailure: "hardware failure"
        case .pageTimeout: "page timeout"
        case .authenticationFailure: "authentication failure"
        case .pinOrKeyMissing: "PIN or key missing"
        case .memoryCapacityExceeded: "memory capacity exceeded"
        case .connectionTimeout: "connection timeout"
        case .connectionLimitExceeded: "connection limit exceeded"
        case .synchronousConnectionLimitExceeded: "synchronous connection limit exceeded"
        case .connectionAlreadyExists: "connection already exists"
        case .commandDisallowed: "command disallowed"
        case .connectionRejectedLimitedResources: "connection rejected for lack of resources"
        case .connectionRejectedSecurityReasons: "connection rejected for security reasons"
        case .connectionRejectedUnacceptableAddress: "connection rejected because of the address"
        case .connectionAcceptTimeoutExceeded: "connection accept timeout exceeded"
        case .unsupportedFeatureOrParameterValue: "unsupported feature or parameter value"
        case .invalidHCICommandParameters: "invalid HCI command parameters"
        case .remoteUserTerminatedConnection: "remote user terminated connection"
        case .remoteDeviceTerminatedLowResources: "remote device terminated connection for lack of resources"
        case .remoteDeviceTerminatedPowerOff: "remote device terminated connection because it powers off"
        case .connectionTerminatedByLocalHost: "connection terminated by local host"
        case .repeatedAttempts: "repeated attempts"
        case .pairingNotAllowed: "pairing not allowed"
        case .unknownLMPPDU: "unknown LMP PDU"
        case .unsupportedRemoteFeature: "unsupported remote feature"
        case .scoOffsetRejected: "SCO offset rejected"
        case .scoIntervalRejected: "SCO interval rejected"
        case .scoAirModeRejected: "SCO air mode rejected"
        case .invalidLMPOrLLParameters: "invalid LL parameters"
        case .unspecifiedError: "unspecified error"
        case .unsupportedLMPOrLLParameterValue: "unsupported LL parameter value"
        case .roleChangeNotAllowed: "role change not allowed"
        case .lmpOrLLResponseTimeout: "LL response timeout"
        case .lmpOrLLProcedureCollision: "LL procedure collision"
        case .lmpPDUNotAllowed: "LMP PDU not allowed"
        case .encryptionModeNotAcceptable: "encryption mode not acceptable"
        case .linkKeyCannotBeChanged: "link key cannot be changed"
        case .requestedQoSNotSupported: "requested QoS not supported"
        case .instantPassed: "instant passed"
        case .pairingWithUnitKeyNotSupported: "pairing with unit key not supported"
        case .differentTransactionCollision: "different transaction collision"
        case .qosUnacceptableParameter: "QoS unacceptable parameter"
        case .qosRejected: "QoS rejected"
        case .channelClassificationNotSupported: "channel classification not supported"
        case .insufficientSecurity: "insufficient security"
        case .parameterOutOfMandatoryRange: "parameter out of mandatory range"
        case .roleSwitchPending: "role switch pending"
        case .reservedSlotViolation: "reserved slot violation"
        case .roleSwitchFailed: "role switch failed"
        case .extendedInquiryResponseTooLarge: "extended inquiry response too large"
        case .secureSimplePairingNotSupportedByHost: "secure simple pairing not supported by host"
        case .hostBusyPairing: "host busy with pairing"
        case .connectionRejectedNoSuitableChannel: "connection rejected because no suitable channel was found"
        case .controllerBusy: "controller busy"
        case .unacceptableConnectionParameters: "unacceptable connection parameters"
        case .advertisingTimeout: "advertising timeout"
        case .connectionTerminatedMICFailure: "connection terminated because of a MIC failure"
        case .connectionFailedToBeEstablished: "connection failed to be established"
        case .coarseClockAdjustmentRejected: "coarse clock adjustment rejected"
        case .type0SubmapNotDefined: "type 0 submap not defined"
        case .unknownAdvertisingIdentifier: "unknown advertising identifier"
        case .limitReached: "limit reached"
        case .operationCancelledByHost: "operation cancelled by host"
        case .packetTooLong: "packet too long"
        case .tooLate: "too late"
        case .tooEarly: "too early"
        default: nil
        }
    }
}

extension HCI.Opcode: CustomStringConvertible {
    /// The specification's name and the code, for example `LE Rand (0x2018)`.
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        let code = "0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        return name.map { "\($0) (\(code))" } ?? "command \(code)"
    }

    /// The name in the specification, when it is known here.
    private var name: String? {
        switch self {
        case .disconnect: "Disconnect"
        case .readRemoteVersionInformation: "Read Remote Version Information"
        case .setEventMask: "Set Event Mask"
        case .reset: "Reset"
        case .readLocalVersionInformation: "Read Local Version Information"
        case .readLocalSupportedCommands: "Read Local Supported Commands"
        case .readLocalSupportedFeatures: "Read Local Supported Features"
        case .readBufferSize: "Read Buffer Size"
        case .readBDADDR: "Read BD_ADDR"
        case .readRSSI: "Read RSSI"
        case .setControllerToHostFlowControl: "Set Controller To Host Flow Control"
        case .hostBufferSize: "Host Buffer Size"
        case .hostNumberOfCompletedPackets: "Host Number Of Completed Packets"
        case .leSetEventMask: "LE Set Event Mask"
        case .leReadBufferSize: "LE Read Buffer Size"
        case .leReadLocalSupportedFeatures: "LE Read Local Supported Features"
        case .leSetRandomAddress: "LE Set Random Address"
        case .leSetAdvertisingParameters: "LE Set Advertising Parameters"
        case .leReadAdvertisingPhysicalChannelTxPower: "LE Read Advertising Physical Channel Tx Power"
        case .leSetAdvertisingData: "LE Set Advertising Data"
        case .leSetScanResponseData: "LE Set Scan Response Data"
        case .leSetAdvertisingEnable: "LE Set Advertising Enable"
        case .leSetScanParameters: "LE Set Scan Parameters"
        case .leSetScanEnable: "LE Set Scan Enable"
        case .leCreateConnection: "LE Create Connection"
        case .leCreateConnectionCancel: "LE Create Connection Cancel"
        case .leReadFilterAcceptListSize: "LE Read Filter Accept List Size"
        case .leClearFilterAcceptList: "LE Clear Filter Accept List"
        case .leAddDeviceToFilterAcceptList: "LE Add Device To Filter Accept List"
        case .leRemoveDeviceFromFilterAcceptList: "LE Remove Device From Filter Accept List"
        case .leConnectionUpdate: "LE Connection Update"
        case .leReadRemoteFeatures: "LE Read Remote Features"
        case .leRand: "LE Rand"
        case .leRemoteConnectionParameterRequestReply: "LE Remote Connection Parameter Request Reply"
        case .leRemoteConnectionParameterRequestNegativeReply:
            "LE Remote Connection Parameter Request Negative Reply"
        case .leSetDataLength: "LE Set Data Length"
        case .leReadSuggestedDefaultDataLength: "LE Read Suggested Default Data Length"
        case .leWriteSuggestedDefaultDataLength: "LE Write Suggested Default Data Length"
        case .leAddDeviceToResolvingList: "LE Add Device To Resolving List"
        case .leRemoveDeviceFromResolvingList: "LE Remove Device From Resolving List"
        case .leClearResolvingList: "LE Clear Resolving List"
        case .leReadResolvingListSize: "LE Read Resolving List Size"
        case .leReadPeerResolvableAddress: "LE Read Peer Resolvable Address"
        case .leReadLocalResolvableAddress: "LE Read Local Resolvable Address"
        case .leSetAddressResolutionEnable: "LE Set Address Resolution Enable"
        case .leSetResolvablePrivateAddressTimeout: "LE Set Resolvable Private Address Timeout"
        case .leSetPrivacyMode: "LE Set Privacy Mode"
        case .leReadMaximumDataLength: "LE Read Maximum Data Length"
        case .readTransmitPowerLevel: "Read Transmit Power Level"
        case .readLEHostSupport: "Read LE Host Support"
        case .writeLEHostSupport: "Write LE Host Support"
        case .leSetHostChannelClassification: "LE Set Host Channel Classification"
        case .leReadChannelMap: "LE Read Channel Map"
        case .leEncrypt: "LE Encrypt"
        case .leEnableEncryption: "LE Enable Encryption"
        case .leLongTermKeyRequestReply: "LE Long Term Key Request Reply"
        case .leLongTermKeyRequestNegativeReply: "LE Long Term Key Request Negative Reply"
        case .leReadSupportedStates: "LE Read Supported States"
        case .leReadPHY: "LE Read PHY"
        case .leSetDefaultPHY: "LE Set Default PHY"
        case .leSetPHY: "LE Set PHY"
        case .leSetAdvertisingSetRandomAddress: "LE Set Advertising Set Random Address"
        case .leSetExtendedAdvertisingParameters: "LE Set Extended Advertising Parameters"
        case .leSetExtendedAdvertisingData: "LE Set Extended Advertising Data"
        case .leSetExtendedScanResponseData: "LE Set Extended Scan Response Data"
        case .leSetExtendedAdvertisingEnable: "LE Set Extended Advertising Enable"
        case .leReadMaximumAdvertisingDataLength: "LE Read Maximum Advertising Data Length"
        case .leReadNumberOfSupportedAdvertisingSets: "LE Read Number of Supported Advertising Sets"
        case .leRemoveAdvertisingSet: "LE Remove Advertising Set"
        case .leClearAdvertisingSets: "LE Clear Advertising Sets"
        case .leSetExtendedScanParameters: "LE Set Extended Scan Parameters"
        case .leSetExtendedScanEnable: "LE Set Extended Scan Enable"
        case .leExtendedCreateConnection: "LE Extended Create Connection"
        case .leReadTransmitPower: "LE Read Transmit Power"
        default: nil
        }
    }
}

extension HCI.LEEncrypt: CustomStringConvertible {
    /// The command without its key.
    public var description: String { "LE Encrypt" }
}

extension HCI.LEEnableEncryption: CustomStringConvertible {
    /// The command without its key.
    public var description: String { "LE Enable Encryption, link \(handle.rawValue)" }
}

extension HCI.LEAddDeviceToResolvingList: CustomStringConvertible {
    /// The command without its keys.
    public var description: String { "LE Add Device To Resolving List" }
}

extension HCI.LELongTermKeyRequestReply: CustomStringConvertible {
    /// The command without its key.
    public var description: String { "LE Long Term Key Request Reply, link \(handle.rawValue)" }
}

extension HCI.AdvertisingHandle: CustomStringConvertible {
    /// Two hex digits, as in `0x00`.
    public var description: String { "0x" + [rawValue].hexadecimal }
}

#endif
