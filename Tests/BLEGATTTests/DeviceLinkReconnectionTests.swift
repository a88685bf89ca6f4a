// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private typealias F = LinkFixture
private let (a, b, c) = (F.a, F.b, F.c)
private let at = F.at

@Suite struct DeviceLinkReconnectionTests {
    // MARK: Failing and coming back

    /// Milliseconds that a report gives for the next try.
    private func retryTime(_ outputs: [DeviceLink.Output]) -> UInt64? {
        for case .report(let report) in outputs { return report.retryMilliseconds }
        return nil
    }

    @Test func waitsLongerAfterEachFailure() throws {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        var time: UInt64 = 0
        for seconds in [1, 2, 4, 8, 16, 30, 30, 30] as [UInt64] {
            #expect(link.receive(F.heard(a, offers: true), time + 3_000).last == .action(.connect(a)))
            let outputs = link.receive(.connectFailed(a, .controller(status: 0x3E)), time + 3_000)
            let wait = try #require(retryTime(outputs))
            #expect((seconds * 800...seconds * 1_200).contains(wait))
            #expect(
                outputs == [
                    .report(
                        .init(
                            .disconnected, peer: a, reason: .connectFailed(.controller(status: 0x3E)),
                            retryMilliseconds: wait))
                ])
            time += 3_000 + wait
            #expect(link.nextDeadline == at(time))
            #expect(link.reach(time) == [.report(.init(.scanning)), .action(.startScan)])
        }
    }

    @Test func waitingTimesDependOnTheSeed() {
        var waits: Set<UInt64> = []
        for seed in 0..<20 as Range<UInt64> {
            var configuration = F.configuration()
            configuration.seed = seed
            var link = DeviceLink(configuration)
            link.bringUp()
            waits.insert(retryTime(link.receive(.disconnected(.closedByPeer), 1)) ?? 0)
        }
        #expect(waits.count > 15)
    }

    @Test func anAttemptThatTakesTooLongIsGivenUp() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        _ = link.receive(F.heard(a, offers: true), 0)
        #expect(link.reach(9_999).isEmpty)
        #expect(link.reach(10_000) == [.action(.disconnect)])
        #expect(link.state == .disconnected)
        #expect(link.receive(.connected(a, mtu: 23), 10_001).isEmpty, "opened too late; it is being closed")
        let outputs = link.receive(.connectFailed(a, .closedByUs), 10_002)
        guard case .report(let report)? = outputs.first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(report.reason == .connectFailed(.connectTimeout))
    }

    @Test func aDeviceThatFailedLetsOthersGoFirst() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        _ = link.receive(F.heard(a, offers: true), 0)
        let wait = retryTime(link.receive(.connectFailed(a, .connectTimeout), 0)) ?? 0
        _ = link.reach(wait)
        #expect(link.receive(F.heard(a, offers: true), wait).isEmpty)
        #expect(link.receive(F.heard(b, offers: true), wait + 1).last == .action(.connect(b)))
    }

    @Test func theKnownDeviceGoesFirst() {
        var link = DeviceLink(F.configuration())
        link.bringUp()
        let wait = retryTime(link.receive(.disconnected(.supervisionTimeout), 0)) ?? 0
        _ = link.reach(wait)
        #expect(link.receive(F.heard(b, offers: true, rssi: -10), wait).isEmpty)
        #expect(link.receive(F.heard(a), wait + 1).last == .action(.connect(a)))
    }

    @Test func anotherDeviceIsTakenWhenTheKnownOneStaysAway() {
        var link = DeviceLink(F.configuration())
        link.bringUp()
        let wait = retryTime(link.receive(.disconnected(.supervisionTimeout), 0)) ?? 0
        _ = link.reach(wait)
        _ = link.receive(F.heard(b, offers: true), wait)
        #expect(link.reach(wait + 3_000).last == .action(.connect(b)))
    }

    @Test func aLostLinkIsToldOnce() {
        var link = DeviceLink(F.configuration())
        link.bringUp()
        let outputs = link.receive(.disconnected(.closedByPeer), 100)
        #expect(outputs.first == .lost)
        #expect(outputs.count == 2)
        #expect(link.receive(.disconnected(.closedByPeer), 101).isEmpty)
    }

    @Test(
        "Waiting starts from a second again after a link that lasted",
        arguments: [(29_999 as UInt64, false), (30_000, true)])
    func settled(lasted: UInt64, startsAgain: Bool) throws {
        var link = DeviceLink(F.configuration())
        link.bringUp()
        let first = try #require(retryTime(link.receive(.disconnected(.closedByPeer), 0)))
        _ = link.reach(first)
        _ = link.receive(F.heard(a), first)
        _ = link.receive(.connected(a, mtu: 23), first)
        _ = link.receive(.discovered(F.fitting), first)
        link.ready(at: at(first))
        _ = link.drain()
        let second = try #require(retryTime(link.receive(.disconnected(.closedByPeer), first + lasted)))
        #expect((second <= 1_200) == startsAgain)
    }

    @Test func aFailedDiscoveryClosesTheLinkAndIsTriedAgain() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        _ = link.receive(F.heard(a, offers: true), 0)
        _ = link.receive(.connected(a, mtu: 23), 0)
        #expect(link.receive(.discoveryFailed(.timeout), 0) == [.action(.disconnect)])
        let outputs = link.receive(.disconnected(.closedByUs), 0)
        #expect(retryTime(outputs) != nil)
        guard case .report(let report)? = outputs.first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(report.reason == .discoveryFailed(.timeout))
    }

    @Test func aLinkLostDuringDiscoveryIsTriedAgain() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        _ = link.receive(F.heard(a, offers: true), 0)
        _ = link.receive(.connected(a, mtu: 23), 0)
        let outputs = link.receive(.disconnected(.protocolFailure), 0)
        #expect(outputs.count == 1, "it never fitted, so it is not told as lost")
        #expect(retryTime(outputs) != nil)
    }

    @Test func aSetUpThatFailsClosesTheLinkAndIsTriedAgain() {
        var link = DeviceLink(F.configuration())
        link.bringUp()
        link.fail(.refused(.insufficientAuthentication), at: at(5))
        #expect(link.drain() == [.lost, .action(.disconnect)])
        #expect(retryTime(link.receive(.disconnected(.closedByUs), 6)) != nil)
    }

    @Test func withoutRetriesTheFirstFailureIsTheEnd() {
        var link = DeviceLink(F.configuration(reconnects: false))
        link.bringUp()
        let reason = DeviceLink.Reason.lost(.supervisionTimeout)
        #expect(
            link.receive(.disconnected(.supervisionTimeout), 5) == [
                .lost, .report(.init(.disconnected, peer: a, reason: reason)), .finished(reason),
            ])
    }

    // MARK: The radio

    @Test(
        "A radio that cannot be used is told, and used when it comes back",
        arguments: [(RadioState.off, DeviceLink.State.bluetoothOff), (.unauthorized, .unauthorized)])
    func radio(radio: RadioState, state: DeviceLink.State) {
        var link = DeviceLink(F.configuration())
        #expect(link.receive(.radio(radio), 0) == [.report(.init(state))])
        #expect(link.state == state)
        #expect(link.receive(.radio(radio), 1).isEmpty)
        #expect(link.receive(.radio(.ready), 2).last == .action(.startScan))
        #expect(link.receive(.radio(.ready), 3).isEmpty)
    }

    @Test func aRadioThatGoesOffStopsEverything() {
        let steps = [
            .radio(.ready), F.heard(a, offers: true), .connected(a, mtu: 23), .discovered(F.fitting),
        ]
        for count in 1...4 {
            var link = DeviceLink(F.configuration())
            for step in steps[..<count] { _ = link.receive(step, 0) }
            let outputs = link.receive(.radio(.off), 1)
            #expect(outputs.last == .report(.init(.bluetoothOff)))
            #expect(outputs.contains(.lost) == (count == 4))
            #expect(outputs.contains(.action(.stopScan)) == (count == 1))
            #expect(link.nextDeadline == nil)
            #expect(link.receive(.disconnected(.radioLost), 2).isEmpty)
            #expect(link.receive(.radio(.ready), 3).first == .report(.init(.scanning)))
        }
    }

    @Test func aRadioThatIsLostBeforeItSaysSo() {
        var link = DeviceLink(F.configuration())
        link.bringUp()
        #expect(link.receive(.disconnected(.radioLost), 1).first == .lost)
        #expect(link.receive(.radio(.off), 2) == [.report(.init(.bluetoothOff))])
    }

    // MARK: Closing

    @Test func closingEndsEveryState() {
        let steps = [
            .radio(.ready), F.heard(a, offers: true), .connected(a, mtu: 23), .discovered(F.fitting),
            .disconnected(.closedByPeer),
        ]
        for count in 0...5 {
            var link = DeviceLink(F.configuration())
            for step in steps[..<count] { _ = link.receive(step, 0) }
            link.close(at: at(1))
            var outputs = link.drain()
            if outputs.last == .action(.disconnect) { outputs += link.receive(.disconnected(.closedByUs), 2) }
            #expect(outputs.last == .finished(nil))
            #expect(outputs.contains(.action(.stopScan)) == (count == 1))
            #expect(outputs.contains(.action(.disconnect)) == (2...4).contains(count))
            #expect(outputs.contains(.lost) == (count == 4))
            #expect(link.state == .disconnected)
            #expect(link.nextDeadline == nil)
        }
    }

    @Test func closingWhileARejectedDeviceLeavesEndsThere() {
        var link = DeviceLink(F.configuration())
        _ = link.receive(.radio(.ready), 0)
        _ = link.receive(F.heard(a, offers: true), 0)
        _ = link.receive(.connected(a, mtu: 23), 0)
        _ = link.receive(.discovered([]), 0)
        link.close(at: at(1))
        #expect(link.drain().isEmpty)
        #expect(link.receive(.disconnected(.closedByUs), 2).last == .finished(nil))
    }

    @Test func aRadioThatGoesOffWhileClosingEndsThere() {
        var link = DeviceLink(F.configuration())
        link.bringUp()
        link.close(at: at(1))
        _ = link.drain()
        #expect(link.receive(.radio(.off), 2).last == .finished(nil))
    }
}
