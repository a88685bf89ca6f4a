// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import LEDBulb
import SessionTesting
import Testing

@Suite("A bulb whose services change")
struct ServiceChangeTests {
    @Test("A change at any moment is survived, and the colour arrives", arguments: BulbDialect.all)
    func change(dialect: BulbDialect) {
        let red = RGBColor(rgb: 0xFF0000)
        for step in UInt64(0)..<9 {
            let pair = SessionPair(
                LEDBulbClient(options: .init(target: .address(0xC0FF_EE00_0001), dialect: dialect)),
                LEDBulbDevice(dialect))
            pair.discoveryMilliseconds = 10
            pair.fate = { _ in .carriedOut(afterMilliseconds: 10) }
            pair.update { client, now in client.perform(.color(red), at: now) }
            pair.start()
            pair.run(milliseconds: 5 + 10 * step)
            pair.changeServices()
            pair.run(seconds: 10)
            #expect(pair.client.state == .connected)
            #expect(pair.device.state.shown == red)
            #expect(pair.events.contains { if case .written(.color(red), _) = $0 { true } else { false } })
            #expect(pair.events.contains(.settled), "\(dialect) \(step)")
            pair.update { client, now in client.perform(.white(percent: 100), at: now) }
            pair.run(seconds: 10)
            #expect(pair.device.state.shown == .white)
            #expect(pair.client.state == .connected)
        }
    }
}
