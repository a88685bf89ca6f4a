// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Nightlight
import SessionTesting
import Testing

@Suite("A lamp whose services change")
struct ServiceChangeTests {
    private func pair() -> SessionPair<NightlightClient, NightlightDevice> {
        let pair = SessionPair(
            NightlightClient(options: .init()),
            NightlightDevice(settings: NightlightSettings(childName: "Mia")), mtu: 185)
        pair.discoveryMilliseconds = 10
        pair.fate = { _ in .carriedOut(afterMilliseconds: 10) }
        pair.start()
        return pair
    }

    /// Everything takes 10 ms, and there are 32 requests: this is each of the steps, and some of what follows.
    @Test("A change at any moment leads to a lamp that is read anew", arguments: 0..<37)
    func change(step: UInt64) {
        let pair = pair()
        pair.run(milliseconds: 5 + 10 * step)
        pair.changeServices()
        pair.run(seconds: 5)
        #expect(pair.client.state == .connected)
        let last = pair.events.last { if case .ready = $0 { true } else { false } }
        guard case .ready(pair.peer, mtu: 185, let values)? = last else {
            Issue.record("never ready")
            return
        }
        #expect(values.childName == "Mia")
        pair.events = []
        pair.update { client, now in client.set(.childName("Ida"), at: now) }
        pair.updateDevice { device, now in device.press(at: now) }
        pair.run(seconds: 1)
        #expect(pair.events.contains(.written(.childName)))
        #expect(pair.client.values.source?.source == .button)
    }

    @Test("A change while something is written ends it once", arguments: [5, 15] as [UInt64])
    func changeWhileWriting(milliseconds: UInt64) {
        let pair = pair()
        pair.run(seconds: 1)
        pair.update { client, now in client.set(.childName("Ida"), at: now) }
        pair.run(milliseconds: milliseconds)
        pair.changeServices()
        pair.run(seconds: 5)
        let ends = pair.events.filter { event in
            switch event {
            case .written(.childName), .refused(.childName, _), .notKept(.childName): true
            default: false
            }
        }
        #expect(ends == [.refused(.childName, .disconnected)])
        #expect(pair.client.state == .connected && pair.client.values.childName == "Ida")
    }
}
