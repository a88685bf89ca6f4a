// SPDX-License-Identifier: Apache-2.0

import BLESessions
import BLETransport
import BLEVirtualRadio
import BluetoothLE
import FlockFinder
import FlockFinderSimulated
import Testing

@Suite("Runners of sessions", .timeLimit(.minutes(5)))
struct RunnerTests {
    @Test(arguments: [false, true])
    func aClientsHandlerRunsWhereOctetsArriveOrWhereItIsToldTo(isElsewhere: Bool) async throws {
        let air = try VirtualRadio()
        await air.add { [SimulatedFlockFinder.make()] }
        let radio = try await AirRadio.start(air).radio
        let (places, seen) = AsyncStream.makeStream(of: Bool.self)
        let runner = ClientRunner(FlockFinderClient(options: .init()), on: radio)
        let running = Task {
            await runner.run(handlingOn: isElsewhere ? globalConcurrentExecutor : nil) { _ in
                await Task.yield()
                seen.yield(air.loop.isCurrent)
            }
        }
        var count = 0
        for await isOnLoop in places {
            #expect(isOnLoop != isElsewhere)
            count += 1
            if count == 3 { break }
        }
        running.cancel()
        await running.value
        await radio.close()
    }

    @Test(arguments: [false, true])
    func aDevicesHandlersRunWhereOctetsArriveOrWhereTheyAreToldTo(isElsewhere: Bool) async throws {
        let air = try VirtualRadio()
        let host = try await AirRadio.start(air)
        let (radio, peer) = (host.radio, try await host.peer)
        let central = try await AirRadio.start(air, 2).radio
        let (places, seen) = AsyncStream.makeStream(of: (String, Bool).self)
        let runner = DeviceRunner(FlockFinderDevice(), on: radio)
        let running = Task {
            try await runner.run(
                handlingOn: isElsewhere ? globalConcurrentExecutor : nil,
                advertising: { seen.yield(("advertising", air.loop.isCurrent)) },
                watcher: { _ in seen.yield(("watcher", air.loop.isCurrent)) }
            ) { _ in seen.yield(("handler", air.loop.isCurrent)) }
        }
        var kinds: Set<String> = []
        for await (kind, isOnLoop) in places {
            #expect(isOnLoop != isElsewhere, "\(kind)")
            kinds.insert(kind)
            if kind == "advertising" {
                _ = try await central.connect(to: peer)
            }
            if kinds.count == 3 { break }
        }
        running.cancel()
        try await running.value
        await central.close()
        await radio.close()
    }
}
