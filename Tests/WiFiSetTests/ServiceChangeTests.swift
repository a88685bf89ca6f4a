// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import SessionTesting
import Testing
import WiFiSet
import WiFiSetSimulated

@Suite("A WiFiSet device whose services change")
struct ServiceChangeTests {
    @Test("A change at any moment is survived, and everything that was asked ends once", arguments: 0..<24)
    func change(step: UInt64) throws {
        let pair = SessionPair(
            WiFiSetClient(options: .init()), WiFiSetDevice(station: SimulatedWiFiStation()), mtu: 64)
        pair.discoveryMilliseconds = 10
        pair.fate = { _ in .carriedOut(afterMilliseconds: 10) }
        let credentials = try WiFiCredentials(ssid: "Lantern Home", password: Array("lantern-home".utf8))
        pair.update { client, now in
            client.listNetworks(at: now)
            client.provision(credentials, at: now)
        }
        pair.start()
        pair.run(milliseconds: 5 + 10 * step)
        pair.changeServices()
        pair.run(seconds: 60)
        #expect(pair.client.state == .connected)
        #expect(pair.events.count { if case .list = $0 { true } else { false } } == 1)
        let outcomes = pair.events.compactMap { event -> WiFiOutcome? in
            if case .provisioned(let outcome) = event { outcome } else { nil }
        }
        guard case .connected? = outcomes.first, outcomes.count == 1 else {
            Issue.record("\(outcomes)")
            return
        }
        pair.events = []
        pair.update { client, now in client.requestStatus(at: now) }
        pair.run(seconds: 1)
        #expect(pair.events.count { if case .status = $0 { true } else { false } } == 1)
    }
}
