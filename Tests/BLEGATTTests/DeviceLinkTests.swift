// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private typealias F = LinkFixture
private let (a, b, c) = (F.a, F.b, F.c)
private let at = F.at

@Suite struct DeviceLinkTests {
    @Test func goesTheWholeWayToConnected() {
        var link = DeviceLink(F.configuration())
        #expect(link.state == .bluetoothOff)
        #expect(link.receive(.radio(.ready), 0) == [.report(.init(.scanning)), .action(.startScan)])
        #expect(link.nextDeadline == nil)
        #expect(
            link.receive(F.heard(a, offers: true), 1) == [
                .action(.stopScan), .report(.init(.connecting, peer: a)), .action(.connect(a)),
            ])
        #expect(link.nextDeadline == at(10_001))
        #expect(
            link.receive(.connected(a, mtu: 23), 2) == [
                .report(.init(.discovering, peer: a)), .action(.discover),
            ])
        #expect(link.nextDeadline == at(180_002))
        #expect(link.peer == a)
        #expect(link.receive(.discovered(F.fitting), 3) == [.fits(F.found)])
        #expect(link.state == .discovering)
        #expect(link.nextDeadline == at(180_002))
        link.ready(at: at(4))
        #expect(link.nextDeadline == nil)
        #expect(link.drain() == [.report(.init(.connected, peer: a))])
        #expect(link.state == .connected)
    }

    // MARK: Finding

    @Test func ignoresWhatIsNoCandidate() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        for advertisement in [
            F.heard(a), F.heard(a, name: "Kettle"), F.heard(a, offers: true, isConnectable: false),
            F.heard(Peer(BluetoothAddress(0, kind: .anonymous)), offers: true),
        ] {
            #expect(link.receive(advertisement, 4_000).isEmpty)
        }
        #expect(link.nextDeadline == nil)
        #expect(link.state == .scanning)
    }

    @Test func afterThreeSecondsTheStrongestName() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 1_000)
        #expect(link.receive(F.heard(a, name: "My LAMP", rssi: -80), 1_100).isEmpty)
        #expect(link.nextDeadline == at(4_000))
        #expect(link.receive(F.heard(b, name: "UM_FeatherS3", rssi: -50), 1_200).isEmpty)
        #expect(link.receive(F.heard(c, name: "lamp", rssi: nil), 1_300).isEmpty)
        #expect(link.reach(3_999).isEmpty)
        #expect(link.reach(4_000).last == .action(.connect(b)))
    }

    @Test func aServiceBeatsAStrongerName() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        #expect(link.receive(F.heard(b, name: "lamp", rssi: -20), 100).isEmpty)
        #expect(link.receive(F.heard(a, offers: true, rssi: -90), 2_999).last == .action(.connect(a)))
    }

    @Test func aNameHeardLaterIsConnectedAtOnce() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        #expect(link.receive(F.heard(b, name: "lamp"), 3_000).last == .action(.connect(b)))
    }

    @Test(
        "An address is waited for, whatever it says of itself",
        arguments: [
            (DeviceLink.Target.address(0xA), true), (.peer(a), true),
            (.peer(Peer(BluetoothAddress(0xA, kind: .public))), false), (.address(0xB), false),
        ])
    func address(target: DeviceLink.Target, isHeard: Bool) {
        var link = DeviceLink(F.configuration(target))
        _ = link.receive(.radio(.ready), 0)
        #expect((link.receive(F.heard(a), 1).last == .action(.connect(a))) == isHeard)
    }

    // MARK: What does not fit

    @Test func aDeviceThatDoesNotFitIsLetGoForAMinute() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        _ = link.receive(F.heard(a, offers: true), 0)
        _ = link.receive(.connected(a, mtu: 23), 0)
        #expect(link.receive(.discovered([F.fitting[0]]), 0) == [.action(.disconnect)])
        let reason = DeviceLink.Reason.wrongDevice(missing: [F.wanted, F.alsoWanted])
        #expect(
            link.receive(.disconnected(.closedByUs), 1_000) == [
                .report(.init(.disconnected, peer: a, reason: reason)),
                .report(.init(.scanning)), .action(.startScan),
            ])
        #expect(link.receive(F.heard(a, offers: true), 60_999).isEmpty)
        #expect(link.receive(F.heard(a, offers: true), 61_000).last == .action(.connect(a)))
    }

    @Test func afterAWrongDeviceTheNextIsTried() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        _ = link.receive(F.heard(a, offers: true), 0)
        _ = link.receive(.connected(a, mtu: 23), 0)
        _ = link.receive(.discovered([]), 0)
        _ = link.receive(.disconnected(.closedByUs), 0)
        #expect(link.receive(F.heard(b, offers: true), 1).last == .action(.connect(b)))
    }

    @Test func aWrongDeviceWithTheRightAddressIsTheEnd() {
        var link = DeviceLink(F.configuration(.address(0xA)))
        _ = link.receive(.radio(.ready), 0)
        _ = link.receive(F.heard(a), 0)
        _ = link.receive(.connected(a, mtu: 23), 0)
        _ = link.receive(
            .discovered([
                GATT.Service(uuid: F.service, handle: 1, endHandle: 9, characteristics: [F.found[0]])
            ]),
            0)
        let reason = DeviceLink.Reason.wrongDevice(missing: [F.alsoWanted])
        #expect(
            link.receive(.disconnected(.closedByUs), 1) == [
                .report(.init(.disconnected, peer: a, reason: reason)), .finished(reason),
            ])
        #expect(link.receive(.radio(.off), 2).isEmpty)
        link.close(at: at(3))
        #expect(link.drain().isEmpty)
    }

    @Test func rejectedDevicesAreForgottenWhenThereAreTooMany() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        for value in 1...33 as ClosedRange<UInt64> {
            let peer = Peer(BluetoothAddress(value, kind: .random))
            #expect(link.receive(F.heard(peer, offers: true), value).last == .action(.connect(peer)))
            _ = link.receive(.connected(peer, mtu: 23), value)
            _ = link.receive(.discovered([]), value)
            _ = link.receive(.disconnected(.closedByUs), value)
        }
        #expect(link.receive(F.heard(Peer(BluetoothAddress(2, kind: .random)), offers: true), 40).isEmpty)
        let first = Peer(BluetoothAddress(1, kind: .random))
        #expect(link.receive(F.heard(first, offers: true), 40).last == .action(.connect(first)))
    }
}
