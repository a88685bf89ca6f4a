// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

let advertisingSet = HCI.AdvertisingHandle(rawValue: 0x07)

/// The commands of Bluetooth 5 and those about links, power and channels, in wire order.
let extendedCommandCases: [GoldenCase] = [
    .command("01 2D0C 03 4200 01", HCI.ReadTransmitPowerLevel(handle: link, type: .maximum)),
    .command("01 6C0C 00", HCI.ReadLEHostSupport()),
    .command("01 6D0C 02 01 00", HCI.WriteLEHostSupport(isSupported: true, simultaneous: 0)),
    .command("01 1420 05 FEFFFFFF1F", HCI.LESetHostChannelClassification(channels: noChannel0)),
    .command("01 1520 02 4200", HCI.LEReadChannelMap(handle: link)),
    .command("01 1C20 00", HCI.LEReadSupportedStates()),
    .command("01 3020 02 4200", HCI.LEReadPHY(handle: link)),
    .command("01 3120 03 00 03 01", HCI.LESetDefaultPHY(tx: [.le1M, .le2M], rx: .le1M)),
    .command("01 3120 03 03 00 00", HCI.LESetDefaultPHY(tx: nil, rx: nil)),
    .command("01 3220 07 4200 02 04 00 0200", HCI.LESetPHY(handle: link, tx: .leCoded, rx: nil, coding: .s8)),
    .command("01 3220 07 4200 01 00 02 0000", HCI.LESetPHY(handle: link, tx: nil, rx: .le2M)),
    .command(
        "01 3520 07 07 C6C5C4C3C2C1",
        HCI.LESetAdvertisingSetRandomAddress(advertisingHandle: advertisingSet, address: randomPeer)),
    .command(
        // set, properties, min, max, channels, own, peer type, peer, policy, power, PHY, skip, PHY, SID, notify
        "01 3620 19 07 1300 A00000 F00001 07 01 00 F5F4F3F2F1F0 03 7F 01 00 02 0F 01",
        HCI.LESetExtendedAdvertisingParameters(
            advertisingHandle: advertisingSet, properties: [.connectable, .scannable, .legacy],
            primaryIntervalMin: 0x0000A0, primaryIntervalMax: 0x0100F0, channelMap: .all,
            ownAddressType: .random, peerAddress: publicPeer, filterPolicy: .filterBoth, txPower: nil,
            primaryPHY: .le1M, secondaryMaxSkip: 0, secondaryPHY: .le2M, setID: 15, notifiesScanRequests: true
        )),
    .command("01 3A20 00", HCI.LEReadMaximumAdvertisingDataLength()),
    .command("01 3B20 00", HCI.LEReadNumberOfSupportedAdvertisingSets()),
    .command("01 3C20 01 07", HCI.LERemoveAdvertisingSet(advertisingHandle: advertisingSet)),
    .command("01 3D20 00", HCI.LEClearAdvertisingSets()),
    .command("01 3920 02 00 00", HCI.LESetExtendedAdvertisingEnable(enable: false, sets: [])),
    .command(
        // enable, count; handle, duration, events; handle, duration, events
        "01 3920 0A 01 02 07 0A00 05 08 0000 00",
        HCI.LESetExtendedAdvertisingEnable(
            enable: true,
            sets: [
                .init(advertisingHandle: advertisingSet, duration: 10, maxEvents: 5),
                .init(advertisingHandle: .init(rawValue: 8)),
            ])),
    .command(
        "01 4120 08 01 01 01 01 6000 3000",
        HCI.LESetExtendedScanParameters(
            ownAddressType: .random, filterPolicy: .acceptList,
            le1M: .init(type: .active, interval: .init(rawValue: 0x60), window: .init(rawValue: 0x30)))),
    .command(
        "01 4120 0D 00 00 05 01 6000 3000 00 2001 1000",
        HCI.LESetExtendedScanParameters(
            ownAddressType: .public, filterPolicy: .all,
            le1M: .init(type: .active, interval: .init(rawValue: 0x60), window: .init(rawValue: 0x30)),
            leCoded: .init(type: .passive, interval: .init(rawValue: 0x120), window: .init(rawValue: 0x10)))),
    .command(
        "01 4220 06 01 02 E803 0100",
        HCI.LESetExtendedScanEnable(enable: true, duplicates: .eachPeriod, duration: 1000, period: 1)),
    .command(
        // policy, own, peer type, peer, PHYs; interval, window, min, max, latency, timeout, min CE, max CE
        "01 4320 1A 00 00 01 C6C5C4C3C2C1 01 6000 3000 1800 2800 0400 2A00 0100 0200",
        HCI.LEExtendedCreateConnection(
            filterPolicy: .peerAddress, ownAddressType: .public, peerAddress: randomPeer,
            le1M: connecting(0x60))),
    .command(
        "01 4320 3A 01 01 00 F5F4F3F2F1F0 07"
            + "6100 3000 1800 2800 0400 2A00 0100 0200"
            + "6200 3000 1800 2800 0400 2A00 0100 0200"
            + "6300 3000 1800 2800 0400 2A00 0100 0200",
        HCI.LEExtendedCreateConnection(
            filterPolicy: .acceptList, ownAddressType: .random, peerAddress: publicPeer,
            le1M: connecting(0x61), le2M: connecting(0x62), leCoded: connecting(0x63))),
    .command("01 4B20 00", HCI.LEReadTransmitPower()),
    .command("01 2820 07 01 C6C5C4C3C2C1", HCI.LERemoveDeviceFromResolvingList(identity: randomPeer)),
    .command("01 2920 00", HCI.LEClearResolvingList()),
    .command("01 2A20 00", HCI.LEReadResolvingListSize()),
    .command("01 2B20 07 00 F5F4F3F2F1F0", HCI.LEReadPeerResolvableAddress(identity: publicPeer)),
    .command("01 2C20 07 01 C6C5C4C3C2C1", HCI.LEReadLocalResolvableAddress(identity: randomPeer)),
    .command("01 2D20 01 01", HCI.LESetAddressResolutionEnable(enable: true)),
    .command("01 2E20 02 8403", HCI.LESetResolvablePrivateAddressTimeout(seconds: 900)),
    .command("01 4E20 08 00 F5F4F3F2F1F0 01", HCI.LESetPrivacyMode(identity: publicPeer, mode: .device)),
]

/// What these commands return: status and parameters in wire order.
let extendedReplyCases: [GoldenCase] = [
    .reply(HCI.ReadTransmitPowerLevel.self, "00 4200 F8", .init(handle: link, txPower: -8)),
    .reply(HCI.ReadLEHostSupport.self, "00 01 00", .init(isSupported: true, simultaneous: 0)),
    .reply(
        HCI.LEReadChannelMap.self, "00 4200 FEFFFFFF1F", .init(handle: link, channels: noChannel0)),
    .reply(
        HCI.LEReadSupportedStates.self, "00 0807060504030201", .init(states: 0x0102_0304_0506_0708)),
    .reply(HCI.LEReadPHY.self, "00 4200 02 03", .init(handle: link, txPHY: .le2M, rxPHY: .leCoded)),
    .reply(HCI.LESetExtendedAdvertisingParameters.self, "00 F8", .init(txPower: -8)),
    .reply(HCI.LEReadMaximumAdvertisingDataLength.self, "00 7206", .init(length: 1650)),
    .reply(HCI.LEReadNumberOfSupportedAdvertisingSets.self, "00 0A", .init(count: 10)),
    .reply(HCI.LEReadTransmitPower.self, "00 EC 14", .init(minTxPower: -20, maxTxPower: 20)),
    .reply(HCI.LEReadResolvingListSize.self, "00 08", .init(size: 8)),
    .reply(HCI.LEReadPeerResolvableAddress.self, "00 C6C5C4C3C2C1", .init(address: randomPeer)),
    .reply(HCI.LEReadLocalResolvableAddress.self, "00 C6C5C4C3C2C1", .init(address: randomPeer)),
]

/// The events of Bluetooth 5: indicator, code, length and parameters in wire order.
let extendedEventCases: [GoldenCase] = [
    .event("04 3E 01 11", .scanTimeout(.init())),
    .event(
        // status, set, link, events
        "04 3E 06 12 43 07 4200 05",
        .advertisingSetTerminated(
            .init(status: .limitReached, advertisingHandle: advertisingSet, handle: link, completedEvents: 5))
    ),
    .event(
        "04 3E 09 13 07 01 C6C5C4C3C2C1",
        .scanRequestReceived(.init(advertisingHandle: advertisingSet, scannerAddress: randomPeer))),
    .event("04 3E 04 14 4200 01", .channelSelectionAlgorithm(.init(handle: link, algorithm: 1))),
]

private let noChannel0 = HCI.ChannelMap.all.subtracting(.channel(0))

private func connecting(_ interval: UInt16) -> HCI.LEExtendedCreateConnection.PHYParameters {
    .init(
        scanInterval: .init(rawValue: interval), scanWindow: .init(rawValue: 0x30),
        intervalMin: .init(milliseconds: 30), intervalMax: .init(milliseconds: 50), maxLatency: 4,
        supervisionTimeout: .init(milliseconds: 420), minCELength: 1, maxCELength: 2)
}
