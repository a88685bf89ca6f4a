// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLEWire
import BluetoothLE
import Testing

@Suite("The code of the articles", .timeLimit(.minutes(2)))
struct SnippetTests {
    @Test func findsExploresAndWatchesAThermometerOnTheVirtualAir() async throws {
        let radio = try await PeripheralSnippets.virtualAir()
        let address = BluetoothAddress(0xC000_0000_0001, .random)
        #expect(try await CentralSnippets.explore(radio, address) >= 3)
        let connection = try await radio.connect(to: address, ConnectOptions())
        let services = try await connection.discover()
        let temperature = try #require(services.characteristic(BluetoothUUID(0x2A6E)))
        let values = try await CentralSnippets.subscribe(connection, temperature, count: 1)
        #expect(values == [[0x67, 0x08]])
        try await CentralSnippets.errors(connection, 0xFFFF)
        await connection.disconnect()
        await radio.close()
    }
}
