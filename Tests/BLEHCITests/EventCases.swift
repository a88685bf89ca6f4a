// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// Every event once: indicator, code, length and parameters in wire order.
let eventCases: [GoldenCase] = [
    .event(
        "04 05 04 00 4200 08",
        .disconnectionComplete(.init(status: .success, handle: link, reason: .connectionTimeout))),
    .event("04 08 04 00 4200 01", .encryptionChange(.init(status: .success, handle: link, encryption: 1))),
    .event(
        "04 30 03 06 4200",
        .encryptionKeyRefreshComplete(.init(status: .pinOrKeyMissing, handle: link))),
    .event(
        // handle, random number, diversifier
        "04 3E 0D 05 4200 8877665544332211 7424",
        .longTermKeyRequest(
            .init(handle: link, random: 0x1122_3344_5566_7788, diversifier: 0x2474))),
    .event(
        "04 0C 08 00 4200 0D 5900 3412",
        .readRemoteVersionInformationComplete(
            .init(status: .success, handle: link, version: 13, companyIdentifier: 0x59, subversion: 0x1234))),
    .event(
        "04 0E 0A 01 0910 00 F5F4F3F2F1F0",
        .commandComplete(
            .init(
                commandPackets: 1, opcode: .readBDADDR,
                returnParameters: HCI.ReadBDADDR.encodeReturn(.init(address: publicPeer))))),
    .event(
        "04 0E 03 02 0000", .commandComplete(.init(commandPackets: 2, opcode: .none, returnParameters: []))),
    .event(
        "04 0F 04 0C 01 0D20",
        .commandStatus(.init(status: .commandDisallowed, commandPackets: 1, opcode: .leCreateConnection))),
    .event("04 10 01 42", .hardwareError(.init(code: 0x42))),
    .event(
        "04 13 09 02 4200 0300 4300 0100",
        .numberOfCompletedPackets(
            .init(entries: [
                .init(handle: link, packets: 3), .init(handle: .init(rawValue: 0x43), packets: 1),
            ]))),
    .event("04 13 01 00", .numberOfCompletedPackets(.init(entries: []))),
    .event("04 1A 01 01", .dataBufferOverflow(.init(linkType: 1))),
    .event("04 FF 03 010203", .unknown(.vendor, [1, 2, 3])),
    .event("04 02 01 00", .unknown(.init(rawValue: 0x02), [0])),
    .event("04 3E 03 7F 0102", .unknownLE(.init(rawValue: 0x7F), [1, 2])),
    .event(
        // status, handle, role, peer type, peer, interval, latency, timeout, accuracy
        "04 3E 13 01 00 4200 01 01 C6C5C4C3C2C1 1800 0400 2A00 05",
        .connectionComplete(
            .init(
                status: .success, handle: link, role: .peripheral, peerAddress: randomPeer,
                interval: .init(milliseconds: 30), latency: 4,
                supervisionTimeout: .init(milliseconds: 420), centralClockAccuracy: 5))),
    .event(
        // connectable and scan response; type, address type, address, length, data, RSSI
        "04 3E 19 02 02 00 01 C6C5C4C3C2C1 03 020106 C4 04 01 C6C5C4C3C2C1 00 7F",
        .advertisingReport(
            .init(reports: [
                .init(eventType: .connectableUndirected, address: randomPeer, data: [2, 1, 6], rssi: -60),
                .init(eventType: .scanResponse, address: randomPeer, data: [], rssi: nil),
            ]))),
    .event(
        "04 3E 0C 02 01 03 02 F5F4F3F2F1F0 00 81",
        .advertisingReport(
            .init(reports: [
                .init(
                    eventType: .nonConnectableUndirected, address: publicPeer, isIdentity: true, data: [],
                    rssi: -127)
            ]))),
    .event(
        // type, peer type, peer, PHYs, set, power, RSSI, periodic, target, length, data
        "04 3E 1D 0D 01 1300 01 C6C5C4C3C2C1 01 00 FF 7F C4 0000 00 000000000000 03 020106",
        .extendedAdvertisingReport(
            .init(reports: [
                .init(
                    type: [.connectable, .scannable, .legacy], address: randomPeer, data: [2, 1, 6],
                    rssi: -60)
            ]))),
    .event(
        "04 3E 0A 03 00 4200 1800 0400 2A00",
        .connectionUpdateComplete(
            .init(
                status: .success, handle: link, interval: .init(milliseconds: 30), latency: 4,
                supervisionTimeout: .init(milliseconds: 420)))),
    .event(
        "04 3E 0C 04 00 4200 2000000000000000",
        .readRemoteFeaturesComplete(
            .init(status: .success, handle: link, features: .dataPacketLengthExtension))),
    .event(
        "04 3E 0B 06 4200 1800 2800 0400 2A00",
        .remoteConnectionParameterRequest(
            .init(
                handle: link, intervalMin: .init(milliseconds: 30), intervalMax: .init(milliseconds: 50),
                maxLatency: 4, supervisionTimeout: .init(milliseconds: 420)))),
    .event(
        "04 3E 0B 07 4200 FB00 4808 1B00 4801",
        .dataLengthChange(
            .init(handle: link, maxTxOctets: 251, maxTxTime: 2120, maxRxOctets: 27, maxRxTime: 328))),
    .event(
        // … peer type (2: resolved public), peer, local private, peer private, interval …
        "04 3E 1F 0A 00 4200 00 02 F5F4F3F2F1F0 010203040506 C6C5C4C3C2C1 1800 0400 2A00 00",
        .enhancedConnectionComplete(
            .init(
                status: .success, handle: link, role: .central, peerAddress: publicPeer, isPeerIdentity: true,
                localResolvablePrivateAddress: .init(0x0605_0403_0201, kind: .random),
                peerResolvablePrivateAddress: randomPeer, interval: .init(milliseconds: 30), latency: 4,
                supervisionTimeout: .init(milliseconds: 420), centralClockAccuracy: 0))),
    .event(
        "04 3E 06 0C 00 4200 02 03",
        .phyUpdateComplete(.init(status: .success, handle: link, txPHY: .le2M, rxPHY: .leCoded))),
]
