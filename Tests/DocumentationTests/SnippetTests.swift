// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import OverflowArea
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

    @Test func saysFourOctetsThroughTheOverflowArea() async throws {
        let air = VirtualRadio()
        var radios: [HostRadio] = []
        for number in 1...2 as ClosedRange<UInt64> {
            let radio = HostRadio { () async throws(TransportError) in
                await air.attach(
                    VirtualAir.ControllerConfiguration(address: BluetoothAddress(number, .public)))
            }
            try await radio.start()
            radios.append(radio)
        }
        let payload = OverflowPayload(0x0102_0304)
        let server = try await OverflowSnippets.advertise(radios[0], payload)
        #expect(try await OverflowSnippets.listen(radios[1]) == payload)
        await server.stop()
        for radio in radios { await radio.close() }
        let (own, bit) = OverflowSnippets.bits()
        #expect(bit.number == 63)
        #expect(own.map { OverflowCatalogue.services(setting: OverflowBit(of: $0)).isEmpty } == true)
        let heard = Advertisement(
            address: BluetoothAddress(1, .public), rssi: nil, isConnectable: true, isScanResponse: false,
            data: OverflowMap(services: [BluetoothUUID(0xFD6F)]).advertisingData)
        #expect(OverflowSnippets.explain(heard) == [89])
    }
}
