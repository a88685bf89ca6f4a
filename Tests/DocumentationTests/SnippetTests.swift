// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import OverflowArea
import Testing

@Suite("The code of the articles", .timeLimit(.minutes(5)))
struct SnippetTests {
    @Test func findsExploresAndWatchesAThermometerOnTheVirtualAir() async throws {
        let radio = try await LiveAirSnippets.virtualAir()
        let peer = try await CentralSnippets.find(radio, offering: .environmentalSensingService)
        #expect(try await CentralSnippets.first(radio) == peer)
        let found = try await CentralSnippets.discover(radio, offering: .environmentalSensingService)
        #expect(found?.peer == peer && found?.name != nil)
        try await NumberSnippets.explore(radio, peer)
        let connection = try await radio.connect(to: peer)
        let services = try await connection.discoverServices()
        let temperature = try #require(services.characteristic(.temperature))
        let values = try await CentralSnippets.subscribe(connection, temperature, count: 1)
        #expect(values == [[0x67, 0x08]])
        try await CentralSnippets.errors(connection, temperature)
        await connection.disconnect()
        await radio.close()
    }

    @Test func putsTheAirOnAPortUntilItIsCancelled() async throws {
        let serving = Task { try await PortSnippets.serve(on: 0) }
        serving.cancel()
        try await serving.value
    }

    @Test func listensToAHeartRateSensorForTenSeconds() async throws {
        let rates = try await TestAir.run { air in
            let measurement = GATT.CharacteristicDefinition(
                .heartRateMeasurement, .notify, value: .stored([]))
            let service = GATT.ServiceDefinition(.heartRateService, characteristics: [measurement])
            let server = try await air.radio("C0:00:00:00:00:01").serve(
                ServerDescription(name: "Strap", services: [service]))
            async let _: Void = {
                while true {
                    try await air.advance(by: .seconds(1))
                    try await server.update([0, 72], of: .heartRateMeasurement)
                }
            }()
            return try await HeartRateSnippets.listen(air.radio("C0:00:00:00:00:02"))
        }
        #expect((9...11).contains(rates.count) && rates.allSatisfy { $0 == 72 })
    }

    @Test(.manualTime) func saysFourOctetsThroughTheOverflowArea() async throws {
        let radios = try await twoRadios()
        let payload = OverflowPayload(0x0102_0304)
        let server = try await OverflowSnippets.advertise(radios[0], payload)
        #expect(try await OverflowSnippets.listen(radios[1]) == payload)
        await server.stop()
        for radio in radios { await radio.close() }
        let (own, bit) = OverflowSnippets.bits()
        #expect(bit.number == 63)
        #expect(own.map { OverflowCatalogue.services(setting: OverflowBit(of: $0)).isEmpty } == true)
        let heard = Advertisement(
            peer: Peer(BluetoothAddress(1, kind: .public)), rssi: nil, isConnectable: true,
            isScanResponse: false,
            data: AdvertisingData(OverflowMap(services: [BluetoothUUID(0xFD6F)]).advertisingData))
        #expect(OverflowSnippets.explain(heard) == [89])
    }

    /// Two radios on the air of one loop.
    private func twoRadios() async throws -> [Radio] {
        let air = VirtualRadio(on: ManualTime.loop)
        var radios: [Radio] = []
        for number in 1...2 as ClosedRange<UInt64> {
            let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
                await air.attach(.init(address: BluetoothAddress(number, kind: .public)), on: loop)
            }
            try await host.start()
            radios.append(host.radio)
        }
        return radios
    }

    @Test(.manualTime) func readsOneNumberOfAThermometerThatIsServed() async throws {
        let radios = try await twoRadios()
        let device = begin { try await RunnerSnippets.run(radios[0]) }
        await RunnerSnippets.read(radios[1])
        device.cancel()
        _ = await device.result
        for radio in radios { await radio.close() }
    }

    @Test(.manualTime) func servesValuesAndTalksBack() async throws {
        let radios = try await twoRadios()
        let server = begin { try await ServerSnippets.serve(radios[0]) }
        let peer = try await CentralSnippets.find(radios[1], offering: .batteryService)
        let connection = try await radios[1].connect(to: peer)
        let services = try await connection.discoverServices()
        let level = try #require(services.characteristic(.batteryLevel))
        let note = try #require(services.characteristic("FFF1"))
        try await NumberSnippets.readAndWrite(connection)
        #expect(try await connection.read(level) == [95])
        #expect(try await CentralSnippets.subscribe(connection, level, count: 1) == [[94]])
        try await connection.write(Array("hello".utf8), to: note)
        await #expect(throws: BluetoothError.refused(.invalidAttributeValueLength)) {
            try await connection.write([UInt8](repeating: 0, count: 21), to: note)
        }
        try await CentralSnippets.tune(connection)
        try await CentralSnippets.scan(radios[1])
        await connection.disconnect()
        server.cancel()
        _ = await server.result
        for radio in radios { await radio.close() }
    }

    @Test func drainsABattery() async throws {
        try await TestAir.run { air in
            let level = GATT.CharacteristicDefinition(.batteryLevel, [.read, .notify], value: .stored([100]))
            let lamp = try await air.radio("C0:00:00:00:00:01")
            let server = try await lamp.serve(
                ServerDescription(
                    name: "Kitchen",
                    services: [GATT.ServiceDefinition(.batteryService, characteristics: [level])]))
            try await ServerSnippets.drain(server, lamp)
            let radio = try await air.radio("C0:00:00:00:00:02")
            try await radio.withConnection(to: "C0:00:00:00:00:01") { connection in
                let level = try await connection.read(.batteryLevel)
                #expect(level == [1])
            }
        }
    }

    @Test func printsInWords() {
        #expect("\(LinkPHY(tx: .le2M, rx: .le2M))" == "LE 2M")
        #expect("\(LinkPHY(tx: .le2M, rx: .leCoded))" == "LE 2M out, LE Coded in")
        #expect("\(ConnectionInterval(rawValue: 6)), \(ConnectionInterval(rawValue: 7))" == "7.5 ms, 8.75 ms")
        let parameters = ConnectionParameters(
            interval: ConnectionInterval(milliseconds: 30), latency: 2,
            supervisionTimeout: SupervisionTimeout(milliseconds: 4000))
        #expect("\(parameters)" == "every 30 ms, of which 2 may be left out, lost after 4000 ms of silence")
        let peer: Peer = "C0:FF:EE:00:00:01"
        #expect(peer == Peer(BluetoothAddress("C0:FF:EE:00:00:01")))
    }

    @Test func decodesADetectionAlone() throws {
        #expect(try KitSnippets.decode() == ["Ring at -71 dBm, medium"])
        let object = Array(#"{"type":"Ring","rssi":-71,"confidence":0.9}"#.utf8)
        #expect(KitSnippets.stream([Array(object.prefix(20)), Array(object.dropFirst(20)) + object]) == 2)
    }
}
