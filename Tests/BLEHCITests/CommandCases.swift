// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// Every command once: indicator, opcode, length and parameters in wire order.
let commandCases: [GoldenCase] =
    [
        .command("01 0604 03 4200 13", HCI.Disconnect(handle: link, reason: .remoteUserTerminatedConnection)),
        .command("01 1D04 02 4200", HCI.ReadRemoteVersionInformation(handle: link)),
        .command(
            "01 010C 08 FFFFFFFFFFFFFF3F", HCI.SetEventMask(mask: .init(rawValue: 0x3FFF_FFFF_FFFF_FFFF))),
        .command("01 030C 00", HCI.Reset()),
        .command("01 310C 01 01", HCI.SetControllerToHostFlowControl(.acl)),
        .command(
            // ACL length, synchronous length, ACL packets, synchronous packets
            "01 330C 07 FB00 40 2000 0800",
            HCI.HostBufferSize(
                aclDataPacketLength: 251, synchronousDataPacketLength: 64, totalACLDataPackets: 32,
                totalSynchronousDataPackets: 8)),
        .command(
            "01 350C 09 02 4200 0300 4300 0100",
            HCI.HostNumberOfCompletedPackets(entries: [
                .init(handle: link, packets: 3), .init(handle: .init(rawValue: 0x43), packets: 1),
            ])),
        .command("01 0110 00", HCI.ReadLocalVersionInformation()),
        .command("01 0210 00", HCI.ReadLocalSupportedCommands()),
        .command("01 0310 00", HCI.ReadLocalSupportedFeatures()),
        .command("01 0510 00", HCI.ReadBufferSize()),
        .command("01 0910 00", HCI.ReadBDADDR()),
        .command("01 0514 02 4200", HCI.ReadRSSI(handle: link)),
        .command("01 0120 08 1F00000000000000", HCI.LESetEventMask(mask: .initial)),
        .command("01 0220 00", HCI.LEReadBufferSize()),
        .command("01 0320 00", HCI.LEReadLocalSupportedFeatures()),
        .command("01 0520 06 C6C5C4C3C2C1", HCI.LESetRandomAddress(address: randomPeer)),
        .command("01 1820 00", HCI.LERand()),
    ] + leCommandCases

private let leCommandCases: [GoldenCase] = [
    .command(
        // min, max, type, own, peer type, peer, channels, policy
        "01 0620 0F A000 F000 01 01 00 F5F4F3F2F1F0 07 03",
        HCI.LESetAdvertisingParameters(
            intervalMin: .init(milliseconds: 100), intervalMax: .init(milliseconds: 150),
            type: .connectableDirectedHighDuty, ownAddressType: .random, peerAddress: publicPeer,
            channelMap: .all, filterPolicy: .filterBoth)),
    .command("01 0720 00", HCI.LEReadAdvertisingPhysicalChannelTxPower()),
    .command("01 0A20 01 01", HCI.LESetAdvertisingEnable(enable: true)),
    .command(
        "01 0B20 07 01 6000 3000 00 01",
        HCI.LESetScanParameters(
            type: .active, interval: .init(milliseconds: 60), window: .init(milliseconds: 30),
            ownAddressType: .public, filterPolicy: .acceptList)),
    .command("01 0C20 02 01 00", HCI.LESetScanEnable(enable: true, filterDuplicates: false)),
    .command(
        // interval, window, policy, peer type, peer, own, min, max, latency, timeout, min CE, max CE
        "01 0D20 19 6000 3000 00 01 C6C5C4C3C2C1 00 1800 2800 0000 2A00 0100 0200",
        HCI.LECreateConnection(
            scanInterval: .init(milliseconds: 60), scanWindow: .init(milliseconds: 30),
            filterPolicy: .peerAddress, peerAddress: randomPeer, ownAddressType: .public,
            intervalMin: .init(milliseconds: 30), intervalMax: .init(milliseconds: 50), maxLatency: 0,
            supervisionTimeout: .init(milliseconds: 420), minCELength: 1, maxCELength: 2)),
    .command("01 0E20 00", HCI.LECreateConnectionCancel()),
    .command("01 0F20 00", HCI.LEReadFilterAcceptListSize()),
    .command("01 1020 00", HCI.LEClearFilterAcceptList()),
    .command("01 1120 07 01 C6C5C4C3C2C1", HCI.LEAddDeviceToFilterAcceptList(address: randomPeer)),
    .command("01 1220 07 00 F5F4F3F2F1F0", HCI.LERemoveDeviceFromFilterAcceptList(address: publicPeer)),
    .command(
        "01 1320 0E 4200 1800 2800 0400 2A00 0100 0200",
        HCI.LEConnectionUpdate(
            handle: link, intervalMin: .init(milliseconds: 30), intervalMax: .init(milliseconds: 50),
            maxLatency: 4, supervisionTimeout: .init(milliseconds: 420), minCELength: 1, maxCELength: 2)),
    .command("01 1620 02 4200", HCI.LEReadRemoteFeatures(handle: link)),
    .command(
        "01 2020 0E 4200 1800 2800 0400 2A00 0100 0200",
        HCI.LERemoteConnectionParameterRequestReply(
            handle: link, intervalMin: .init(milliseconds: 30), intervalMax: .init(milliseconds: 50),
            maxLatency: 4, supervisionTimeout: .init(milliseconds: 420), minCELength: 1, maxCELength: 2)),
    .command(
        "01 2120 03 4200 3B",
        HCI.LERemoteConnectionParameterRequestNegativeReply(
            handle: link, reason: .unacceptableConnectionParameters)),
    .command("01 2220 06 4200 FB00 4808", HCI.LESetDataLength(handle: link, txOctets: 251, txTime: 2120)),
    .command("01 2320 00", HCI.LEReadSuggestedDefaultDataLength()),
    .command(
        "01 2420 04 FB00 4808", HCI.LEWriteSuggestedDefaultDataLength(maxTxOctets: 251, maxTxTime: 2120)),
    .command("01 2F20 00", HCI.LEReadMaximumDataLength()),
]

/// Everything that a command returns once: status and parameters in wire order.
let replyCases: [GoldenCase] = [
    .reply(HCI.Reset.self, "00", HCI.StatusOnly()),
    .reply(
        HCI.ReadLocalVersionInformation.self, "00 0D 3412 0C F105 7856",
        .init(
            hciVersion: 13, hciSubversion: 0x1234, lmpVersion: 12, companyIdentifier: 0x05F1,
            lmpSubversion: 0x5678)),
    .reply(
        HCI.ReadLocalSupportedCommands.self,
        "00 20" + String(repeating: "00", count: 25) + "12" + String(repeating: "00", count: 37),
        .init(
            commands: commands([.disconnect, .leSetAdvertisingEnable, .leCreateConnection]))),
    .reply(
        HCI.ReadLocalSupportedFeatures.self, "00 0000000060000000",
        .init(features: [.bredrNotSupported, .leSupported])),
    .reply(
        HCI.ReadBufferSize.self, "00 FD03 40 0800 0300",
        .init(
            aclDataPacketLength: 1021, synchronousDataPacketLength: 64, totalACLDataPackets: 8,
            totalSynchronousDataPackets: 3)),
    .reply(HCI.ReadBDADDR.self, "00 F5F4F3F2F1F0", .init(address: publicPeer)),
    .reply(HCI.ReadRSSI.self, "00 4200 C4", .init(handle: link, rssi: -60)),
    .reply(HCI.LEReadBufferSize.self, "00 FB00 08", .init(aclDataPacketLength: 251, totalACLDataPackets: 8)),
    .reply(
        HCI.LEReadLocalSupportedFeatures.self, "00 2200000000000000",
        .init(features: [.connectionParametersRequest, .dataPacketLengthExtension])),
    .reply(HCI.LERand.self, "00 0807060504030201", .init(random: 0x0102_0304_0506_0708)),
    .reply(HCI.LEReadAdvertisingPhysicalChannelTxPower.self, "00 F8", .init(txPower: -8)),
    .reply(HCI.LEReadFilterAcceptListSize.self, "00 10", .init(size: 16)),
    .reply(HCI.LERemoteConnectionParameterRequestReply.self, "00 4200", .init(handle: link)),
    .reply(HCI.LERemoteConnectionParameterRequestNegativeReply.self, "00 4200", .init(handle: link)),
    .reply(HCI.LESetDataLength.self, "00 4200", .init(handle: link)),
    .reply(
        HCI.LEReadSuggestedDefaultDataLength.self, "00 1B00 4801", .init(maxTxOctets: 27, maxTxTime: 328)),
    .reply(
        HCI.LEReadMaximumDataLength.self, "00 FB00 4808 FA00 4708",
        .init(maxTxOctets: 251, maxTxTime: 2120, maxRxOctets: 250, maxRxTime: 2119)),
]

func commands(_ opcodes: [HCI.Opcode]) -> HCI.SupportedCommands {
    var commands = HCI.SupportedCommands()
    for opcode in opcodes { commands.insert(opcode) }
    return commands
}
