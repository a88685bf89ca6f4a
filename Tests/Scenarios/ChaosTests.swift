// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLESimulation
import BLEWire
import Testing

/// Hosts that do anything at any time, on an air that fails at any time.
@Suite struct ChaosTests {
    private static let services: [GATT.ServiceDefinition] = [
        .init(
            BluetoothUUID(0xFF00),
            characteristics: [
                .init(BluetoothUUID(0xFF01), [.notify, .indicate, .writeWithoutResponse], value: .delegated),
                .init(BluetoothUUID(0xFF02), [.read, .write], value: .delegated),
                .init(BluetoothUUID(0xFF03), .read, value: .stored([UInt8](repeating: 7, count: 400))),
            ])
    ]

    /// Does one thing that an application may do.
    private static func act(_ bench: AirBench, _ station: Station, _ random: inout SplitMix64) {
        let other = bench.stations[random.number(0...2)].stack.controller.ownAddress ?? HostBench.peer
        let link = station.links.isEmpty ? nil : station.links[random.number(0...(station.links.count - 1))]
        switch random.number(0...19) {
        case 0...2:
            let parameters = ConnectParameters(timeoutMilliseconds: UInt64(random.number(1...3_000)))
            bench.update(station) { stack, now in stack.connect(to: other, parameters, at: now) }
        case 3: bench.update(station) { stack, now in stack.cancelConnect(to: other, at: now) }
        case 4...5:
            bench.update(station) { stack, now in
                stack.startAdvertising(AdvertisingParameters(data: [2, 1, 6]), at: now)
            }
        case 6: bench.update(station) { stack, now in stack.stopAdvertising(at: now) }
        case 7: bench.update(station) { stack, now in stack.startScanning(ScanParameters(), at: now) }
        case 8: bench.update(station) { stack, now in stack.stopScanning(at: now) }
        case 9:
            if let link { bench.update(station) { stack, now in stack.disconnect(link, at: now) } }
        default:
            guard let link else { return }
            let operations: [GATT.Operation] = [
                .discover, .read(19), .read(21), .write(19, [1]), .write(17, [3, 0]),
                .writeWithoutResponse(16, [2]),
                .exchangeMTU(100), .read(99),
            ]
            bench.perform(operations[random.number(0...7)], station, on: link)
            bench.update(station) { stack, now in
                _ = stack.send(
                    [9], of: 16, as: random.number(0...1) == 0 ? .notify : .indicate, on: link, at: now)
            }
        }
    }

    /// Does one thing that an air may do.
    private static func weather(_ bench: AirBench, _ random: inout SplitMix64) {
        let stations = bench.stations.map(\.controller)
        switch random.number(0...3) {
        case 0: bench.world.air.loss = [0, 0, 0.2, 0.6][random.number(0...3)]
        case 1...2:
            let pair = (stations[random.number(0...2)], stations[random.number(0...2)])
            bench.world.air.setReachable(pair.0, pair.1, random.number(0...1) == 0)
        default:
            // A transport is pulled out and put in again.
            let station = bench.stations[random.number(0...2)]
            bench.world.hostDetached(station.controller, at: bench.now)
            bench.update(station) { stack, now in stack.transportClosed(at: now) }
            bench.update(station) { stack, now in stack.start(at: now) }
        }
    }

    @Test(arguments: 0..<12) func `whatever happens, everything ends once and nothing is left over`(
        _ seed: Int
    ) {
        var random = SplitMix64(seed: UInt64(seed))
        let bench = AirBench(VirtualAir.Configuration(seed: UInt64(seed)))
        for address in 1...3 as ClosedRange<UInt64> {
            _ = bench.add(
                address, HostConfiguration(services: Self.services), bufferLength: address == 2 ? 27 : 251,
                buffers: 2)
        }
        for _ in 0..<600 {
            let station = bench.stations[random.number(0...2)]
            Self.act(bench, station, &random)
            if random.number(0...19) == 0 { Self.weather(bench, &random) }
            bench.run(milliseconds: UInt64(random.number(0...200)))
        }
        // Calm again: everybody stops and hangs up.
        bench.world.air.loss = 0
        for station in bench.stations {
            for other in bench.stations {
                bench.world.air.setReachable(station.controller, other.controller, true)
            }
            bench.update(station) { stack, now in stack.stopScanning(at: now) }
            bench.update(station) { stack, now in stack.stopAdvertising(at: now) }
        }
        bench.run(seconds: 40)
        for station in bench.stations {
            for link in station.links {
                bench.update(station) { stack, now in stack.disconnect(link, at: now) }
            }
        }
        bench.settle(strict: false)
        for station in bench.stations {
            #expect(station.stack.isReady && station.links.isEmpty && station.stack.nextDeadline == nil)
        }
        #expect(bench.stations.reduce(0) { $0 + check($1.events) } > 10)
    }

    /// Each link begins and ends once, each operation ends once; how many operations there were.
    private func check(_ events: [String]) -> Int {
        var open: Set<Substring> = []
        var done: Set<String> = []
        for event in events {
            let words = event.split(separator: " ")
            switch words[0] {
            case "connected": #expect(open.insert(words[1]).inserted)
            case "disconnected": #expect(open.remove(words[1]) != nil)
            case "completed":
                #expect(open.contains(words[1]), "\(event)")
                #expect(done.insert("\(words[1]) \(words[2])").inserted, "\(event)")
            case "mtu", "subscribed", "confirmed", "read": #expect(open.contains(words[1]), "\(event)")
            case "failed": #expect(event == "failed transportClosed")
            default: break
            }
        }
        #expect(open.isEmpty)
        return done.count
    }
}
