// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEWire
import Testing

/// Controller To Host flow control, between our host and virtual controllers.
@Suite struct FlowAirTests {
    private static let services: [GATT.ServiceDefinition] = [
        .init(
            BluetoothUUID(0xFF00),
            characteristics: [.init(BluetoothUUID(0xFF01), [.read, .notify], value: .stored([1]))])
    ]

    @Test func `the air waits for a slow consumer, and nothing is lost`() throws {
        let bench = AirBench()
        let central = bench.add(0xC, HostConfiguration(limits: HostLimits(unconsumedEvents: 1000)))
        let peripheral = bench.add(0xD, HostConfiguration(services: Self.services))
        let (up, down) = try #require(bench.connect(central, peripheral, Weather().parameters))
        bench.perform(.write(17, [1, 0]), central, on: up)
        bench.run { central.open.isEmpty }
        var next = 0
        var consumed = 0
        func pour() {
            while next < 500, peripheral.stack.hasRoom(down) {
                let value = two(next)
                let isAccepted = bench.update(peripheral) { stack, now in
                    stack.send(value, of: 16, as: .notify, on: down, at: now)
                }
                guard isAccepted else { break }
                next += 1
            }
        }
        bench.run(seconds: 60) {
            pour()
            return bench.now.microseconds(since: .zero) > 20_000_000
        }
        // Nothing is consumed: what the host has room for has come, and the peer waits.
        #expect(central.values.count < 200 && next < 400, "\(central.values.count) \(next)")
        // An operation gets through all the same.
        bench.perform(.read(16), central, on: up)
        bench.run(seconds: 10) { central.open.isEmpty }
        bench.run(seconds: 120) {
            let count = central.values.count - consumed
            consumed += count
            if count > 0 { bench.update(central) { $0.consumed(count, on: up, at: $1) } }
            pour()
            return central.values.count >= 500
        }
        #expect(central.values == (0..<500).map { two($0) })
    }
}
