// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import FlockFinderSimulated
import Testing

@Suite("Our host on a served radio", .timeLimit(.minutes(5)))
struct ServedAirTests {
    @Test func ourOwnHostFindsADeviceThroughTCP() async throws {
        let air = try VirtualRadio()
        await air.add { [SimulatedFlockFinder.make()] }
        let id = await air.addController(.init(address: BluetoothAddress(0x00AA_0300_0001, kind: .public)))
        let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0, on: air.loop)
        let server = Task { await ControllerServer(id, of: air, on: listener).run { _ in } }
        let radio = try await Radio.open(.tcp(host: "127.0.0.1", port: listener.port))
        let connection = try await radio.connect(to: SimulatedFlockFinder.peer)
        #expect(try await connection.discoverServices().isEmpty == false)
        await radio.close()
        await listener.close()
        await server.value
    }
}
