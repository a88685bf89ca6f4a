// SPDX-License-Identifier: Apache-2.0

import BLEHCI

/// Commands by their codes, each with what carries it out: types as values are nothing that Embedded Swift has.
struct CommandTable {
    /// Reads the parameters of a command and carries it out.
    typealias Run = @Sendable (VirtualAir, [UInt8], Controller) -> Void

    private(set) var runs: [HCI.Opcode: Run] = [:]

    mutating func add<Command: SimulatedCommand>(_ type: Command.Type) {
        runs[Command.opcode] = { air, octets, controller in air.run(Command.self, octets, on: controller) }
    }
}

extension VirtualAir {
    /// What controllers know that advertise in the legacy way.
    static let legacyCommands = {
        var table = CommandTable()
        table.add(HCI.Disconnect.self)
        table.add(HCI.ReadRemoteVersionInformation.self)
        table.add(HCI.SetEventMask.self)
        table.add(HCI.Reset.self)
        table.add(HCI.ReadTransmitPowerLevel.self)
        table.add(HCI.ReadLocalVersionInformation.self)
        table.add(HCI.ReadLocalSupportedCommands.self)
        table.add(HCI.ReadLocalSupportedFeatures.self)
        table.add(HCI.ReadBufferSize.self)
        table.add(HCI.ReadBDADDR.self)
        table.add(HCI.ReadRSSI.self)
        table.add(HCI.LESetEventMask.self)
        table.add(HCI.LEReadBufferSize.self)
        table.add(HCI.LEReadLocalSupportedFeatures.self)
        table.add(HCI.LESetRandomAddress.self)
        table.add(HCI.LERand.self)
        table.add(HCI.LEEncrypt.self)
        table.add(HCI.LEEnableEncryption.self)
        table.add(HCI.LELongTermKeyRequestReply.self)
        table.add(HCI.LELongTermKeyRequestNegativeReply.self)
        table.add(HCI.LEReadSupportedStates.self)
        table.add(HCI.LESetAdvertisingParameters.self)
        table.add(HCI.LEReadAdvertisingPhysicalChannelTxPower.self)
        table.add(HCI.LESetAdvertisingData.self)
        table.add(HCI.LESetScanResponseData.self)
        table.add(HCI.LESetAdvertisingEnable.self)
        table.add(HCI.LESetScanParameters.self)
        table.add(HCI.LESetScanEnable.self)
        table.add(HCI.LECreateConnection.self)
        table.add(HCI.LECreateConnectionCancel.self)
        table.add(HCI.LEReadFilterAcceptListSize.self)
        table.add(HCI.LEClearFilterAcceptList.self)
        table.add(HCI.LEAddDeviceToFilterAcceptList.self)
        table.add(HCI.LERemoveDeviceFromFilterAcceptList.self)
        table.add(HCI.LEConnectionUpdate.self)
        table.add(HCI.LESetHostChannelClassification.self)
        table.add(HCI.LEReadChannelMap.self)
        table.add(HCI.LEReadRemoteFeatures.self)
        table.add(HCI.LERemoteConnectionParameterRequestReply.self)
        table.add(HCI.LERemoteConnectionParameterRequestNegativeReply.self)
        table.add(HCI.LESetDataLength.self)
        table.add(HCI.LEReadSuggestedDefaultDataLength.self)
        table.add(HCI.LEWriteSuggestedDefaultDataLength.self)
        table.add(HCI.LEReadMaximumDataLength.self)
        table.add(HCI.SetControllerToHostFlowControl.self)
        table.add(HCI.HostBufferSize.self)
        table.add(HCI.HostNumberOfCompletedPackets.self)
        return table
    }()

    /// What those know that have extended advertising, too.
    static let extendedCommands = {
        var table = legacyCommands
        table.add(HCI.LEReadPHY.self)
        table.add(HCI.LESetDefaultPHY.self)
        table.add(HCI.LESetPHY.self)
        table.add(HCI.LESetAdvertisingSetRandomAddress.self)
        table.add(HCI.LESetExtendedAdvertisingParameters.self)
        table.add(HCI.LESetExtendedAdvertisingData.self)
        table.add(HCI.LESetExtendedScanResponseData.self)
        table.add(HCI.LESetExtendedAdvertisingEnable.self)
        table.add(HCI.LEReadMaximumAdvertisingDataLength.self)
        table.add(HCI.LEReadNumberOfSupportedAdvertisingSets.self)
        table.add(HCI.LERemoveAdvertisingSet.self)
        table.add(HCI.LEClearAdvertisingSets.self)
        table.add(HCI.LESetExtendedScanParameters.self)
        table.add(HCI.LESetExtendedScanEnable.self)
        table.add(HCI.LEExtendedCreateConnection.self)
        table.add(HCI.LEReadTransmitPower.self)
        table.add(HCI.LEAddDeviceToResolvingList.self)
        table.add(HCI.LERemoveDeviceFromResolvingList.self)
        table.add(HCI.LEClearResolvingList.self)
        table.add(HCI.LEReadResolvingListSize.self)
        table.add(HCI.LEReadPeerResolvableAddress.self)
        table.add(HCI.LEReadLocalResolvableAddress.self)
        table.add(HCI.LESetAddressResolutionEnable.self)
        table.add(HCI.LESetResolvablePrivateAddressTimeout.self)
        table.add(HCI.LESetPrivacyMode.self)
        return table
    }()
}
