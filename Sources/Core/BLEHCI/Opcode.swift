// SPDX-License-Identifier: Apache-2.0

extension HCI {
    /// Which command: a group of six bits and a number of ten.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 5.4.1.
    public struct Opcode: RawRepresentable, Hashable, Sendable {
        /// The code on the wire.
        public let rawValue: UInt16

        /// Wraps a code.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Joins a group and a number.
        ///
        /// - Parameters:
        ///   - group: The command's group, OGF; only the low six bits count.
        ///   - command: The command in its group, OCF; only the low ten bits count.
        public init(group: UInt8, command: UInt16) {
            rawValue = UInt16(group & 0x3F) &<< 10 | command & 0x03FF
        }

        /// The command's group, OGF; 0x3F is the maker's own.
        public var group: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 10) }

        /// The command in its group, OCF.
        public var command: UInt16 { rawValue & 0x03FF }

        /// No command at all; in an event, only credits are meant.
        public static let none = Opcode(rawValue: 0x0000)
        /// Disconnect.
        public static let disconnect = Opcode(group: 0x01, command: 0x006)
        /// Read Remote Version Information.
        public static let readRemoteVersionInformation = Opcode(group: 0x01, command: 0x01D)
        /// Set Event Mask.
        public static let setEventMask = Opcode(group: 0x03, command: 0x001)
        /// Set Controller To Host Flow Control.
        public static let setControllerToHostFlowControl = Opcode(group: 0x03, command: 0x031)
        /// Host Buffer Size.
        public static let hostBufferSize = Opcode(group: 0x03, command: 0x033)
        /// Host Number Of Completed Packets.
        public static let hostNumberOfCompletedPackets = Opcode(group: 0x03, command: 0x035)
        /// Reset.
        public static let reset = Opcode(group: 0x03, command: 0x003)
        /// Read Local Version Information.
        public static let readLocalVersionInformation = Opcode(group: 0x04, command: 0x001)
        /// Read Local Supported Commands.
        public static let readLocalSupportedCommands = Opcode(group: 0x04, command: 0x002)
        /// Read Local Supported Features.
        public static let readLocalSupportedFeatures = Opcode(group: 0x04, command: 0x003)
        /// Read Buffer Size.
        public static let readBufferSize = Opcode(group: 0x04, command: 0x005)
        /// Read BD_ADDR.
        public static let readBDADDR = Opcode(group: 0x04, command: 0x009)
        /// Read RSSI.
        public static let readRSSI = Opcode(group: 0x05, command: 0x005)
        /// LE Set Event Mask.
        public static let leSetEventMask = Opcode(group: 0x08, command: 0x001)
        /// LE Read Buffer Size [v1].
        public static let leReadBufferSize = Opcode(group: 0x08, command: 0x002)
        /// LE Read Local Supported Features.
        public static let leReadLocalSupportedFeatures = Opcode(group: 0x08, command: 0x003)
        /// LE Set Random Address.
        public static let leSetRandomAddress = Opcode(group: 0x08, command: 0x005)
        /// LE Set Advertising Parameters.
        public static let leSetAdvertisingParameters = Opcode(group: 0x08, command: 0x006)
        /// LE Read Advertising Physical Channel Tx Power.
        public static let leReadAdvertisingPhysicalChannelTxPower = Opcode(group: 0x08, command: 0x007)
        /// LE Set Advertising Data.
        public static let leSetAdvertisingData = Opcode(group: 0x08, command: 0x008)
        /// LE Set Scan Response Data.
        public static let leSetScanResponseData = Opcode(group: 0x08, command: 0x009)
        /// LE Set Advertising Enable.
        public static let leSetAdvertisingEnable = Opcode(group: 0x08, command: 0x00A)
        /// LE Set Scan Parameters.
        public static let leSetScanParameters = Opcode(group: 0x08, command: 0x00B)
        /// LE Set Scan Enable.
        public static let leSetScanEnable = Opcode(group: 0x08, command: 0x00C)
        /// LE Create Connection.
        public static let leCreateConnection = Opcode(group: 0x08, command: 0x00D)
        /// LE Create Connection Cancel.
        public static let leCreateConnectionCancel = Opcode(group: 0x08, command: 0x00E)
        /// LE Read Filter Accept List Size.
        public static let leReadFilterAcceptListSize = Opcode(group: 0x08, command: 0x00F)
        /// LE Clear Filter Accept List.
        public static let leClearFilterAcceptList = Opcode(group: 0x08, command: 0x010)
        /// LE Add Device To Filter Accept List.
        public static let leAddDeviceToFilterAcceptList = Opcode(group: 0x08, command: 0x011)
        /// LE Remove Device From Filter Accept List.
        public static let leRemoveDeviceFromFilterAcceptList = Opcode(group: 0x08, command: 0x012)
        /// LE Connection Update.
        public static let leConnectionUpdate = Opcode(group: 0x08, command: 0x013)
        /// LE Read Remote Features.
        public static let leReadRemoteFeatures = Opcode(group: 0x08, command: 0x016)
        /// LE Rand.
        public static let leRand = Opcode(group: 0x08, command: 0x018)
        /// LE Enable Encryption.
        public static let leEnableEncryption = Opcode(group: 0x08, command: 0x019)
        /// LE Long Term Key Request Reply.
        public static let leLongTermKeyRequestReply = Opcode(group: 0x08, command: 0x01A)
        /// LE Long Term Key Request Negative Reply.
        public static let leLongTermKeyRequestNegativeReply = Opcode(group: 0x08, command: 0x01B)
        /// LE Remote Connection Parameter Request Reply.
        public static let leRemoteConnectionParameterRequestReply = Opcode(group: 0x08, command: 0x020)
        /// LE Remote Connection Parameter Request Negative Reply.
        public static let leRemoteConnectionParameterRequestNegativeReply = Opcode(
            group: 0x08, command: 0x021)
        /// LE Set Data Length.
        public static let leSetDataLength = Opcode(group: 0x08, command: 0x022)
        /// LE Read Suggested Default Data Length.
        public static let leReadSuggestedDefaultDataLength = Opcode(group: 0x08, command: 0x023)
        /// LE Write Suggested Default Data Length.
        public static let leWriteSuggestedDefaultDataLength = Opcode(group: 0x08, command: 0x024)
        /// LE Add Device To Resolving List.
        public static let leAddDeviceToResolvingList = Opcode(group: 0x08, command: 0x027)
        /// LE Remove Device From Resolving List.
        public static let leRemoveDeviceFromResolvingList = Opcode(group: 0x08, command: 0x028)
        /// LE Clear Resolving List.
        public static let leClearResolvingList = Opcode(group: 0x08, command: 0x029)
        /// LE Read Resolving List Size.
        public static let leReadResolvingListSize = Opcode(group: 0x08, command: 0x02A)
        /// LE Read Peer Resolvable Address.
        public static let leReadPeerResolvableAddress = Opcode(group: 0x08, command: 0x02B)
        /// LE Read Local Resolvable Address.
        public static let leReadLocalResolvableAddress = Opcode(group: 0x08, command: 0x02C)
        /// LE Set Address Resolution Enable.
        public static let leSetAddressResolutionEnable = Opcode(group: 0x08, command: 0x02D)
        /// LE Set Resolvable Private Address Timeout.
        public static let leSetResolvablePrivateAddressTimeout = Opcode(group: 0x08, command: 0x02E)
        /// LE Set Privacy Mode.
        public static let leSetPrivacyMode = Opcode(group: 0x08, command: 0x04E)
        /// LE Read Maximum Data Length.
        public static let leReadMaximumDataLength = Opcode(group: 0x08, command: 0x02F)
        /// Read Transmit Power Level.
        public static let readTransmitPowerLevel = Opcode(group: 0x03, command: 0x02D)
        /// Read LE Host Support.
        public static let readLEHostSupport = Opcode(group: 0x03, command: 0x06C)
        /// Write LE Host Support.
        public static let writeLEHostSupport = Opcode(group: 0x03, command: 0x06D)
        /// LE Set Host Channel Classification.
        public static let leSetHostChannelClassification = Opcode(group: 0x08, command: 0x014)
        /// LE Read Channel Map.
        public static let leReadChannelMap = Opcode(group: 0x08, command: 0x015)
        /// LE Encrypt.
        public static let leEncrypt = Opcode(group: 0x08, command: 0x017)
        /// LE Read Supported States.
        public static let leReadSupportedStates = Opcode(group: 0x08, command: 0x01C)
        /// LE Read PHY.
        public static let leReadPHY = Opcode(group: 0x08, command: 0x030)
        /// LE Set Default PHY.
        public static let leSetDefaultPHY = Opcode(group: 0x08, command: 0x031)
        /// LE Set PHY.
        public static let leSetPHY = Opcode(group: 0x08, command: 0x032)
        /// LE Set Advertising Set Random Address.
        public static let leSetAdvertisingSetRandomAddress = Opcode(group: 0x08, command: 0x035)
        /// LE Set Extended Advertising Parameters.
        public static let leSetExtendedAdvertisingParameters = Opcode(group: 0x08, command: 0x036)
        /// LE Set Extended Advertising Data.
        public static let leSetExtendedAdvertisingData = Opcode(group: 0x08, command: 0x037)
        /// LE Set Extended Scan Response Data.
        public static let leSetExtendedScanResponseData = Opcode(group: 0x08, command: 0x038)
        /// LE Set Extended Advertising Enable.
        public static let leSetExtendedAdvertisingEnable = Opcode(group: 0x08, command: 0x039)
        /// LE Read Maximum Advertising Data Length.
        public static let leReadMaximumAdvertisingDataLength = Opcode(group: 0x08, command: 0x03A)
        /// LE Read Number of Supported Advertising Sets.
        public static let leReadNumberOfSupportedAdvertisingSets = Opcode(group: 0x08, command: 0x03B)
        /// LE Remove Advertising Set.
        public static let leRemoveAdvertisingSet = Opcode(group: 0x08, command: 0x03C)
        /// LE Clear Advertising Sets.
        public static let leClearAdvertisingSets = Opcode(group: 0x08, command: 0x03D)
        /// LE Set Extended Scan Parameters.
        public static let leSetExtendedScanParameters = Opcode(group: 0x08, command: 0x041)
        /// LE Set Extended Scan Enable.
        public static let leSetExtendedScanEnable = Opcode(group: 0x08, command: 0x042)
        /// LE Extended Create Connection.
        public static let leExtendedCreateConnection = Opcode(group: 0x08, command: 0x043)
        /// LE Read Transmit Power.
        public static let leReadTransmitPower = Opcode(group: 0x08, command: 0x04B)
    }
}
