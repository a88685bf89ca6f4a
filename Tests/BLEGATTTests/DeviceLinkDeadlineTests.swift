// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private typealias F = LinkFixture
private let a = F.a
private let at = F.at

@Suite("A link that waits for something that never comes")
struct DeviceLinkDeadlineTests {
    private static let up: [ClientInput] = [
        .radio(.ready), F.heard(a, offers: true), .connected(a, mtu: 23), .discovered(F.fitting),
    ]

    /// A link after so many steps of the way up.
    private func link(steps: Int, reconnects: Bool = true) -> DeviceLink {
        var link = DeviceLink(F.configuration(reconnects: reconnects))
        for input in Self.up[..<steps] { _ = link.receive(input, 0) }
        return link
    }

    @Test("A disconnection that nobody confirms ends all the same", arguments: 2...4)
    func unconfirmed(steps: Int) {
        var link = link(steps: steps)
        link.close(at: at(1_000))
        #expect(link.drain().last == .action(.disconnect))
        #expect(link.nextDeadline == at(41_000))
        let outputs = link.reach(41_000)
        #expect(
            outputs == [
                .report(.init(.disconnected, peer: a, reason: .closed)), .finished(nil),
            ])
        #expect(link.receive(.disconnected(.closedByUs), 50_000).isEmpty)
        #expect(link.nextDeadline == nil)
    }

    @Test("After a failure that nobody confirms the device is tried again")
    func unconfirmedFailure() {
        var link = link(steps: 4)
        link.fail(.refused(.insufficientAuthentication), at: at(0))
        _ = link.drain()
        guard case .report(let report)? = link.reach(40_000).first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(report.reason == .setUpFailed(.refused(.insufficientAuthentication)))
        #expect(report.retryMilliseconds != nil)
        // The old link's end comes when nobody waits for it.
        #expect(link.receive(.disconnected(.supervisionTimeout), 40_100).isEmpty)
        #expect(link.receive(.connectFailed(a, .closedByUs), 40_200).isEmpty)
        #expect(link.reach(42_000).last == .action(.startScan))
        #expect(link.receive(F.heard(a), 43_000).last == .action(.connect(a)))
        #expect(link.receive(.disconnected(.supervisionTimeout), 43_001).isEmpty)
    }

    @Test("A user who closes meanwhile waits no longer for it")
    func closedWhileLeaving() {
        var link = link(steps: 4)
        link.fail(.timeout, at: at(0))
        link.close(at: at(30_000))
        _ = link.drain()
        #expect(link.reach(40_000).last == .finished(nil))
    }

    @Test("A wrong device that nobody closes is left alone")
    func unconfirmedRejection() {
        var link = link(steps: 3)
        #expect(link.receive(.discovered([]), 0) == [.action(.disconnect)])
        #expect(link.reach(40_000).last == .action(.startScan))
        #expect(link.receive(F.heard(a, offers: true), 40_001).isEmpty)
    }

    @Test("A device that says what it has too slowly is let go")
    func slowDiscovery() {
        var link = link(steps: 3)
        #expect(link.reach(179_999).isEmpty)
        #expect(link.reach(180_000) == [.action(.disconnect)])
        guard case .report(let report)? = link.receive(.disconnected(.closedByUs), 180_100).first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(report.reason == .discoveryFailed(.timeout))
    }

    @Test("A device whose services change all the time while it is set up is let go")
    func restless() {
        var link = link(steps: 4)
        for moment in stride(from: UInt64(0), to: 180_000, by: 1_000) {
            let range = ATT.HandleRange(start: .first, end: .last)
            #expect(link.receive(.servicesChanged(range), moment).last == .action(.discover))
            #expect(link.receive(.discovered(F.fitting), moment) == [.fits(F.found)])
        }
        #expect(link.reach(180_000) == [.lost, .action(.disconnect)])
        #expect(link.nextDeadline == at(220_000))
    }

    @Test("A ready device has as much time again when its services change")
    func changesLater() {
        var link = link(steps: 4)
        link.ready(at: at(0))
        _ = link.drain()
        _ = link.receive(.servicesChanged(ATT.HandleRange(start: .first, end: .last)), 500_000)
        #expect(link.nextDeadline == at(680_000))
    }
}
