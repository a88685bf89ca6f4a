// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

enum ServerSnippets {
    static func serve(_ radio: Radio) async throws {
        // snippet: serve
        let level = GATT.CharacteristicDefinition(
            .batteryLevel, [.read, .notify], value: .stored([95]))
        let note = GATT.CharacteristicDefinition("FFF1", .write, value: .delegated)
        let minutes = GATT.CharacteristicDefinition("FFF2", .read, value: .delegated)
        let server = try await radio.serve(
            ServerDescription(
                name: "Kitchen",
                services: [
                    GATT.ServiceDefinition(.batteryService, characteristics: [level]),
                    GATT.ServiceDefinition("FFF0", characteristics: [note, minutes]),
                ]))
        // end
        // snippet: events
        for try await event in server.events() {
            switch event {
            case .connected(let client): print("\(client.peer) has connected")
            case .disconnected(let client, let reason): print("\(client.peer) has gone: \(reason)")
            case .subscribed: try await server.update([94], of: .batteryLevel)
            case .readRequest(let request):
                await server.respond(to: request, with: [20])
            case .writeRequest(let request) where request.uuid == "FFF1" && request.value.count <= 20:
                print(request.client.peer, String(decoding: request.value, as: UTF8.self))
                await server.respond(to: request)
            case .writeRequest(let request): await server.refuse(request, with: .invalidAttributeValueLength)
            default: continue
            }
        }
        // end
    }

    static func advertise(_ radio: Radio) async throws -> Server {
        // snippet: own-advertisement
        let temperature = GATT.CharacteristicDefinition(
            "2A1F", [.read, .notify], value: .stored([0xE1, 0x00]), descriptors: [.userDescription("Shelf")])
        var advertisement = AdvertisingDataBuilder()
        try advertisement.appendFlags()
        try advertisement.appendServices(["1809"])
        try advertisement.append(ManufacturerData(company: 0xFFFF, data: [1, 2, 3]))
        let server = try await radio.serve(
            ServerDescription(
                name: "Fridge", services: [GATT.ServiceDefinition("1809", characteristics: [temperature])],
                advertisement: DeviceAdvertisement(data: advertisement.octets, scanResponse: [])))
        // end
        return server
    }

    static func drain(_ server: Server, _ radio: Radio) async throws {
        // snippet: server-change
        for level in stride(from: 100 as UInt8, to: 0, by: -1) {
            try await server.update([level], of: .batteryLevel)
            try await radio.sleep(for: .seconds(10))
        }
        // end
    }

    static func askBack(_ server: Server, _ client: Server.Client) async throws {
        // snippet: ask-back
        let connection = try await server.connection(to: client)
        for service in try await connection.discoverServices() { print(service.uuid) }
        // end
    }
}
