// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import SimulatedDevices
import Testing
import WiFiSet

private let home: WireText = "Lantern Home"

@Suite("A client and a device together")
struct BackToBackTests {
    @Test("The list comes whole, in order and counted, whatever the MTU", arguments: [23, 64, 247, 517])
    func list(mtu: Int) {
        let pair = Pair(mtu: mtu)
        pair.client.listNetworks(at: pair.now)
        pair.run(seconds: 3)
        let expected = SimulatedWiFiStation.neighbourhood.map(\.network)
        let heard = pair.events.compactMap { if case .network(let network) = $0 { network } else { nil } }
        #expect(heard == expected)
        #expect(pair.events.contains(.list(WiFiNetworkList(networks: expected, count: expected.count))))
    }

    @Test("Credentials lead into the network, and only then are they stored", arguments: [23, 247])
    func provision(mtu: Int) throws {
        let pair = Pair(mtu: mtu)
        try pair.provision(home, "lantern-home")
        #expect(pair.events.contains(.acknowledged(.stored, attempt: 1)))
        #expect(pair.storedSSID == nil)
        pair.run(seconds: 3)
        guard case .connected(let status)? = pair.outcomes.first else {
            Issue.record("not connected: \(pair.outcomes)")
            return
        }
        #expect(status.ssid == home)
        #expect(status.address >> 16 == 0xC0A8)
        #expect(pair.states == [.connecting, .connected])
        #expect(pair.storedSSID == home)
        #expect(pair.outcomes.count == 1)
    }

    @Test("After a wrong password another try on the same link is possible")
    func secondTry() throws {
        let pair = Pair()
        try pair.provision(home, "wrong-password")
        pair.run(seconds: 3)
        #expect(pair.outcomes == [.failed(nil)])
        #expect(pair.storedSSID == nil)
        #expect(pair.status == WiFiStatus(.failed))
        try pair.provision(home, "lantern-home")
        pair.run(seconds: 3)
        #expect(pair.outcomes.count == 2)
        #expect(pair.storedSSID == home)
        #expect(pair.isConnected)
    }

    @Test("After a failure the device returns to the network that worked, and says failed until it is there")
    func returns() throws {
        let pair = Pair()
        try pair.provision(home, "lantern-home")
        pair.run(seconds: 3)
        try pair.provision("Attic", "not-this-one")
        pair.run(seconds: 9)
        #expect(pair.outcomes.last == .failed(nil))
        #expect(pair.status == WiFiStatus(.failed, ssid: home))
        pair.run(seconds: 3)
        #expect(pair.status.state == .connected)
        #expect(pair.status.ssid == home)
        #expect(pair.storedSSID == home)
    }

    @Test("A network that never answers is given up after 30 s with the reason")
    func noAnswer() throws {
        let pair = Pair()
        try pair.provision("Far Away", "nobody-answers")
        pair.run(seconds: 29)
        #expect(pair.outcomes.isEmpty)
        pair.run(seconds: 2)
        guard case .failed(let report?)? = pair.outcomes.first else {
            Issue.record("no reason: \(pair.outcomes)")
            return
        }
        #expect(report.code == .connectionTimeout)
    }

    @Test("What the device cannot keep is refused at once, and the network in use stays")
    func storage() throws {
        var networks = SimulatedWiFiStation.neighbourhood
        networks[2].fault = .storage
        let pair = Pair(networks)
        try pair.provision(home, "lantern-home")
        pair.run(seconds: 3)
        try pair.provision("Corner Café", "")
        #expect(pair.outcomes.last == .refused(.storageFailure))
        #expect(pair.status.ssid == home)
        #expect(pair.status.state == .connected)
    }

    @Test("A lost acknowledgment is asked for again with the next sequence number, three times")
    func lostAcknowledgment() throws {
        let pair = Pair()
        pair.filter = { $0.first == 0x11 ? nil : $0 }
        try pair.provision("Far Away", "nobody-answers")
        pair.run(seconds: 14)
        #expect(pair.written.map { $0[1] } == [0, 1, 2])
        #expect(pair.outcomes.isEmpty)
        pair.run(seconds: 2)
        #expect(pair.outcomes == [.notAcknowledged(nil)])
        // The same credentials during the join are acknowledged without another join.
        #expect(pair.told.filter { if case .status = $0 { true } else { false } }.count == 1)
    }

    @Test("An acknowledgment that is lost once costs five seconds and nothing else")
    func lostOnce() throws {
        let pair = Pair()
        var isLost = false
        pair.filter = { octets in
            if octets.first == 0x11, !isLost {
                isLost = true
                return nil
            }
            return octets
        }
        try pair.provision("Attic", "under-the-roof")
        pair.run(seconds: 10)
        #expect(pair.events.contains(.acknowledged(.stored, attempt: 2)))
        guard case .connected? = pair.outcomes.first else {
            Issue.record("not connected: \(pair.outcomes)")
            return
        }
    }

    @Test("A list whose end is lost is asked for again, three times")
    func lostEnd() {
        let pair = Pair()
        pair.filter = { $0.first == 0x03 ? nil : $0 }
        pair.client.listNetworks(at: pair.now)
        pair.run(seconds: 89)
        #expect(!pair.events.contains { if case .listFailed = $0 { true } else { false } })
        pair.run(seconds: 2)
        let count = SimulatedWiFiStation.neighbourhood.count
        #expect(pair.events.contains(.listFailed(.timeout(received: count))))
        let attempts: [Int] = pair.events.compactMap {
            if case .listRequested(let attempt) = $0 { attempt } else { nil }
        }
        #expect(attempts == [1, 2, 3])
    }

    @Test("A link that is lost during the join is taken up again, and the result is still told")
    func lostLink() throws {
        let pair = Pair(retries: true)
        try pair.provision("Attic", "under-the-roof")
        pair.run(seconds: 1)
        pair.loseLink()
        pair.run(seconds: 12)
        guard case .connected? = pair.outcomes.first else {
            Issue.record("not connected: \(pair.outcomes)")
            return
        }
        #expect(pair.written.count == 1)
    }

    @Test("Without retries a lost link ends everything, each waiter once")
    func lostForGood() throws {
        let pair = Pair()
        pair.client.listNetworks(at: pair.now)
        try pair.provision("Attic", "under-the-roof")
        pair.loseLink()
        #expect(pair.isFinished)
        #expect(pair.outcomes == [.disconnected])
        #expect(pair.events.filter { $0 == .listFailed(.disconnected) }.count == 1)
    }

    @Test("The state can be asked for")
    func status() {
        let pair = Pair()
        pair.client.requestStatus(at: pair.now)
        pair.exchange()
        #expect(pair.states == [.notConfigured])
    }
}
