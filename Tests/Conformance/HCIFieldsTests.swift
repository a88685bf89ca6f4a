// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import Testing

// Typed from the specification, not from the sources that these tables judge.

@Suite("fields of HCI")
struct HCIFieldsTests {
    /// Bit numbers.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.1.
    static let events: [(HCI.EventMask, Int)] = [
        (.disconnectionComplete, 4),
        (.encryptionChange, 7),
        (.readRemoteVersionInformationComplete, 11),
        (.hardwareError, 15),
        (.dataBufferOverflow, 25),
        (.encryptionKeyRefreshComplete, 47),
        (.leMeta, 61),
    ]

    @Test("gives every event its bit", arguments: events)
    func eventMask(constant: HCI.EventMask, bit: Int) {
        #expect(constant.rawValue == 1 << bit)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.8.1.
    static let leEvents: [(HCI.LEEventMask, Int)] = [
        (.connectionComplete, 0),
        (.advertisingReport, 1),
        (.connectionUpdateComplete, 2),
        (.readRemoteFeaturesComplete, 3),
        (.longTermKeyRequest, 4),
        (.remoteConnectionParameterRequest, 5),
        (.dataLengthChange, 6),
        (.enhancedConnectionComplete, 9),
        (.phyUpdateComplete, 11),
        (.extendedAdvertisingReport, 12),
        (.scanTimeout, 16),
        (.advertisingSetTerminated, 17),
        (.scanRequestReceived, 18),
        (.channelSelectionAlgorithm, 19),
    ]

    @Test("gives every LE event its bit", arguments: leEvents)
    func leEventMask(constant: HCI.LEEventMask, bit: Int) {
        #expect(constant.rawValue == 1 << bit)
    }

    @Test("knows the masks after a reset")
    func initialMasks() {
        #expect(HCI.EventMask.initial.rawValue == 0x0000_1FFF_FFFF_FFFF)
        #expect(HCI.LEEventMask.initial.rawValue == 0x0000_0000_0000_001F)
    }

    /// Spec: Core v5.4, Vol 6, Part B, 4.6.
    static let features: [(HCI.LEFeatures, Int)] = [
        (.encryption, 0),
        (.connectionParametersRequest, 1),
        (.extendedRejectIndication, 2),
        (.peripheralInitiatedFeaturesExchange, 3),
        (.ping, 4),
        (.dataPacketLengthExtension, 5),
        (.privacy, 6),
        (.extendedScanningFilterPolicies, 7),
        (.phy2M, 8),
        (.phyCoded, 11),
        (.extendedAdvertising, 12),
        (.periodicAdvertising, 13),
        (.channelSelectionAlgorithm2, 14),
    ]

    @Test("gives every LE feature its bit", arguments: features)
    func feature(constant: HCI.LEFeatures, bit: Int) {
        #expect(constant.rawValue == 1 << bit)
    }

    /// Spec: Core v5.4, Vol 2, Part C, 3.3, table 3.2.
    @Test("gives every LMP feature its bit")
    func lmpFeatures() {
        #expect(HCI.LMPFeatures.bredrNotSupported.rawValue == 1 << 37)
        #expect(HCI.LMPFeatures.leSupported.rawValue == 1 << 38)
    }

    /// Spec: Core v5.4, Vol 4, Part A, 2.
    @Test("gives every kind of packet its H4 octet")
    func packetIndicators() {
        #expect(HCI.PacketIndicator.command.rawValue == 1)
        #expect(HCI.PacketIndicator.acl.rawValue == 2)
        #expect(HCI.PacketIndicator.synchronous.rawValue == 3)
        #expect(HCI.PacketIndicator.event.rawValue == 4)
        #expect(HCI.PacketIndicator.isochronous.rawValue == 5)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 5.4.2.
    @Test("gives every packet boundary its bits")
    func packetBoundaries() {
        #expect(HCI.PacketBoundary.firstNonFlushable.rawValue == 0b00)
        #expect(HCI.PacketBoundary.continuing.rawValue == 0b01)
        #expect(HCI.PacketBoundary.firstFlushable.rawValue == 0b10)
        #expect(HCI.PacketBoundary.complete.rawValue == 0b11)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.8.5.
    @Test("gives the choices of advertising their octets")
    func advertising() {
        #expect(HCI.AdvertisingType.connectableUndirected.rawValue == 0x00)
        #expect(HCI.AdvertisingType.connectableDirectedHighDuty.rawValue == 0x01)
        #expect(HCI.AdvertisingType.scannableUndirected.rawValue == 0x02)
        #expect(HCI.AdvertisingType.nonConnectableUndirected.rawValue == 0x03)
        #expect(HCI.AdvertisingType.connectableDirectedLowDuty.rawValue == 0x04)
        #expect(HCI.OwnAddressType.public.rawValue == 0x00)
        #expect(HCI.OwnAddressType.random.rawValue == 0x01)
        #expect(HCI.OwnAddressType.resolvableOrPublic.rawValue == 0x02)
        #expect(HCI.OwnAddressType.resolvableOrRandom.rawValue == 0x03)
        #expect(HCI.AdvertisingFilterPolicy.all.rawValue == 0x00)
        #expect(HCI.AdvertisingFilterPolicy.filterScan.rawValue == 0x01)
        #expect(HCI.AdvertisingFilterPolicy.filterConnect.rawValue == 0x02)
        #expect(HCI.AdvertisingFilterPolicy.filterBoth.rawValue == 0x03)
        #expect(HCI.AdvertisingChannels.channel37.rawValue == 0b001)
        #expect(HCI.AdvertisingChannels.channel38.rawValue == 0b010)
        #expect(HCI.AdvertisingChannels.channel39.rawValue == 0b100)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.8.10, 7.8.12 and 7.7.65.1.
    @Test("gives the choices of scanning and connecting their octets")
    func scanning() {
        #expect(HCI.ScanType.passive.rawValue == 0x00)
        #expect(HCI.ScanType.active.rawValue == 0x01)
        #expect(HCI.ScanFilterPolicy.all.rawValue == 0x00)
        #expect(HCI.ScanFilterPolicy.acceptList.rawValue == 0x01)
        #expect(HCI.ScanFilterPolicy.allAndUnresolved.rawValue == 0x02)
        #expect(HCI.ScanFilterPolicy.acceptListAndUnresolved.rawValue == 0x03)
        #expect(HCI.InitiatorFilterPolicy.peerAddress.rawValue == 0x00)
        #expect(HCI.InitiatorFilterPolicy.acceptList.rawValue == 0x01)
        #expect(HCI.Role.central.rawValue == 0x00)
        #expect(HCI.Role.peripheral.rawValue == 0x01)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.12.
    @Test("gives reports and PHYs their octets")
    func reports() {
        #expect(HCI.AdvertisingReportType.connectableUndirected.rawValue == 0x00)
        #expect(HCI.AdvertisingReportType.connectableDirected.rawValue == 0x01)
        #expect(HCI.AdvertisingReportType.scannableUndirected.rawValue == 0x02)
        #expect(HCI.AdvertisingReportType.nonConnectableUndirected.rawValue == 0x03)
        #expect(HCI.AdvertisingReportType.scanResponse.rawValue == 0x04)
        #expect(HCI.PHY.le1M.rawValue == 0x01)
        #expect(HCI.PHY.le2M.rawValue == 0x02)
        #expect(HCI.PHY.leCoded.rawValue == 0x03)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.13.
    @Test("gives every kind of extended report its bit")
    func extendedReports() {
        #expect(HCI.ExtendedReportType.connectable.rawValue == 1 << 0)
        #expect(HCI.ExtendedReportType.scannable.rawValue == 1 << 1)
        #expect(HCI.ExtendedReportType.directed.rawValue == 1 << 2)
        #expect(HCI.ExtendedReportType.scanResponse.rawValue == 1 << 3)
        #expect(HCI.ExtendedReportType.legacy.rawValue == 1 << 4)
        #expect(HCI.ExtendedReportType.moreToCome.rawValue == 0b01 << 5)
        #expect(HCI.ExtendedReportType.truncated.rawValue == 0b10 << 5)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.8.53, 7.8.54 and 7.8.65.
    @Test("gives the choices of extended advertising and scanning their codes")
    func extendedAdvertising() {
        #expect(HCI.AdvertisingEventProperties.connectable.rawValue == 0x0001)
        #expect(HCI.AdvertisingEventProperties.scannable.rawValue == 0x0002)
        #expect(HCI.AdvertisingEventProperties.directed.rawValue == 0x0004)
        #expect(HCI.AdvertisingEventProperties.highDuty.rawValue == 0x0008)
        #expect(HCI.AdvertisingEventProperties.legacy.rawValue == 0x0010)
        #expect(HCI.AdvertisingEventProperties.anonymous.rawValue == 0x0020)
        #expect(HCI.AdvertisingEventProperties.includesTxPower.rawValue == 0x0040)
        #expect(HCI.AdvertisingDataOperation.intermediate.rawValue == 0)
        #expect(HCI.AdvertisingDataOperation.first.rawValue == 1)
        #expect(HCI.AdvertisingDataOperation.last.rawValue == 2)
        #expect(HCI.AdvertisingDataOperation.complete.rawValue == 3)
        #expect(HCI.AdvertisingDataOperation.unchanged.rawValue == 4)
        #expect(HCI.DuplicateFilter.off.rawValue == 0)
        #expect(HCI.DuplicateFilter.on.rawValue == 1)
        #expect(HCI.DuplicateFilter.eachPeriod.rawValue == 2)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.8.48, 7.8.49 and 7.3.35.
    @Test("gives the preferences about PHY and power their codes")
    func preferences() {
        #expect(HCI.PHYs.le1M.rawValue == 1)
        #expect(HCI.PHYs.le2M.rawValue == 2)
        #expect(HCI.PHYs.leCoded.rawValue == 4)
        #expect(HCI.CodedPHYPreference.none.rawValue == 0)
        #expect(HCI.CodedPHYPreference.s2.rawValue == 1)
        #expect(HCI.CodedPHYPreference.s8.rawValue == 2)
        #expect(HCI.TransmitPowerLevelType.current.rawValue == 0)
        #expect(HCI.TransmitPowerLevelType.maximum.rawValue == 1)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.3.38.
    @Test("gives the choices of flow control their octets")
    func flowControl() {
        #expect(HCI.HostFlowControl.off.rawValue == 0)
        #expect(HCI.HostFlowControl.acl.rawValue == 1)
        #expect(HCI.HostFlowControl.synchronous.rawValue == 2)
        #expect(HCI.HostFlowControl.both.rawValue == 3)
    }

    /// Octet and bit.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 6.27.
    static let commandBits: [(HCI.Opcode, octet: Int, bit: Int)] = [
        (.readTransmitPowerLevel, 10, 2), (.setControllerToHostFlowControl, 10, 5), (.hostBufferSize, 10, 6),
        (.hostNumberOfCompletedPackets, 10, 7), (.readLEHostSupport, 24, 5), (.writeLEHostSupport, 24, 6),
        (.leSetHostChannelClassification, 27, 3), (.leReadChannelMap, 27, 4), (.leEncrypt, 27, 6),
        (.leEnableEncryption, 28, 0), (.leLongTermKeyRequestReply, 28, 1),
        (.leLongTermKeyRequestNegativeReply, 28, 2), (.leReadSupportedStates, 28, 3), (.leReadPHY, 35, 4),
        (.leSetDefaultPHY, 35, 5), (.leSetPHY, 35, 6),
        (.leSetAdvertisingSetRandomAddress, 36, 1), (.leSetExtendedAdvertisingParameters, 36, 2),
        (.leSetExtendedAdvertisingData, 36, 3), (.leSetExtendedScanResponseData, 36, 4),
        (.leSetExtendedAdvertisingEnable, 36, 5), (.leReadMaximumAdvertisingDataLength, 36, 6),
        (.leReadNumberOfSupportedAdvertisingSets, 36, 7), (.leRemoveAdvertisingSet, 37, 0),
        (.leClearAdvertisingSets, 37, 1), (.leSetExtendedScanParameters, 37, 5),
        (.leSetExtendedScanEnable, 37, 6), (.leExtendedCreateConnection, 37, 7),
        (.leReadTransmitPower, 38, 7),
        (.leAddDeviceToResolvingList, 34, 3),
        (.leRemoveDeviceFromResolvingList, 34, 4),
        (.leClearResolvingList, 34, 5),
        (.leReadResolvingListSize, 34, 6),
        (.leReadPeerResolvableAddress, 34, 7),
        (.leReadLocalResolvableAddress, 35, 0),
        (.leSetAddressResolutionEnable, 35, 1),
        (.leSetResolvablePrivateAddressTimeout, 35, 2),
        (.leSetPrivacyMode, 39, 2),
    ]

    @Test("gives every newer command its bit", arguments: commandBits)
    func commandBit(opcode: HCI.Opcode, octet: Int, bit: Int) {
        var commands = HCI.SupportedCommands()
        commands.insert(opcode)
        var expected = [UInt8](repeating: 0, count: 64)
        expected[octet] = 1 << UInt8(bit)
        #expect(commands.bits == expected)
    }
}
