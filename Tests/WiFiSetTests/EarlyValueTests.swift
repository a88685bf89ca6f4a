// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import SessionTesting
import Testing
import WiFiSet
import WiFiSetSimulated

@Suite("A WiFiSet device that keeps what a bonded client subscribed to")
struct EarlyValueTests {
    /// Asking again for what is on already asks for nothing: the list must be switched off and on.
    @Test(arguments: [false, true])
    func `a list that begins before the services are known is asked for anew`(_ comesEarly: Bool) {
        let pair = SessionPair(
            WiFiSetClient(options: .init()), WiFiSetDevice(station: SimulatedWiFiStation()), mtu: 247)
        pair.discoveryMilliseconds = 50
        pair.update { client, now in client.listNetworks(at: now) }
        pair.start()
        pair.run(milliseconds: 20)
        #expect(pair.client.state == .discovering)
        if comesEarly {
            pair.update { client, now in client.receive(.value(3, [0x01, 0x00], .notify), at: now) }
        }
        pair.run(seconds: 20)
        let switches = pair.requests.compactMap { _, request -> GATT.Subscription? in
            guard case .subscribe(let characteristic, let how) = request else { return nil }
            return characteristic.uuid == WiFiSetUUID.wifiList ? how : nil
        }
        #expect(switches == (comesEarly ? [[], .notify] : [.notify]))
        #expect(pair.events.contains { if case .list = $0 { true } else { false } })
    }
}
