// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import FlockFinder
import SessionTesting
import Testing

@Suite("A FlockFinder whose services change")
struct ServiceChangeTests {
    @Test("A change at any moment is survived, and each command ends once", arguments: 0..<8)
    func change(step: UInt64) {
        let pair = SessionPair(
            FlockFinderClient(options: .init(switchesStreamOn: true)),
            FlockFinderDevice(seed: 1), mtu: 185)
        pair.discoveryMilliseconds = 10
        pair.fate = { _ in .carriedOut(afterMilliseconds: 10) }
        pair.start()
        for command: WireText in ["STATUS", "RESET"] {
            pair.update { client, now in client.send(command, at: now) }
        }
        pair.run(milliseconds: 5 + 10 * step)
        pair.changeServices()
        pair.run(seconds: 30)
        #expect(pair.client.state == .connected)
        for command: WireText in ["STATUS", "RESET"] {
            let ends = pair.events.filter { if case .command(command, _) = $0 { true } else { false } }
            #expect(ends.count == 1, "\(command)")
        }
        let before = pair.events.count { if case .detection = $0 { true } else { false } }
        pair.run(seconds: 30)
        #expect(pair.events.count { if case .detection = $0 { true } else { false } } > before)
        pair.update { client, now in client.close(at: now) }
        pair.run(milliseconds: 15)
        pair.changeServices()
        pair.run(seconds: 3)
        #expect(pair.isFinished && !pair.isConnected)
    }
}
