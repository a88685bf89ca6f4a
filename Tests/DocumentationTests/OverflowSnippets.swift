// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import OverflowArea

// The code of the article on the overflow area; see CentralSnippets.swift.
enum OverflowSnippets {
    static func bits() -> (BluetoothUUID?, OverflowBit) {
        // snippet: overflow-bit
        let service = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)
        let bit = OverflowBit(of: service)
        print(bit.number, bit.octet, bit.mask, bit.tableIndex)  // 63 7 128 56
        // A UUID of one's own that collides with no known service.
        let free = OverflowCatalogue.freeBits.first { _ in true }
        let own = free.flatMap { OverflowUUIDs(setting: $0, base: service, freeBits: 16).first { _ in true } }
        // end
        return (own, bit)
    }

    static func explain(_ advertisement: Advertisement) -> [Int] {
        var named: [Int] = []
        // snippet: overflow-explain
        if let map = OverflowAdvertisement(advertisingData: advertisement.data.octets).map {
            for candidate in OverflowCatalogue.candidates(for: map) {
                named.append(candidate.bit.number)
                print("bit \(candidate.bit.number):", candidate.services.map(\.name))
            }
        }
        // end
        return named
    }

    static func listen(_ radio: Radio) async throws -> OverflowPayload? {
        // snippet: overflow-listen
        var receiver = OverflowReceiver()
        for try await advertisement in try await radio.scan() {
            guard let address = advertisement.peer.address else { continue }
            receiver.receive(
                advertisement.data.octets, from: address, rssi: advertisement.rssi, at: radio.now)
            while let output = receiver.nextOutput() {
                switch output.event {
                case .map(let map): print(output.address, map)
                case .payload(let message): return message.payload
                case .ignored(let reason): print(output.address, reason)
                case .gone: print(output.address, "is silent")
                }
            }
        }
        // end
        return nil
    }

    static func advertise(_ radio: Radio, _ payload: OverflowPayload) async throws -> Server {
        // snippet: overflow-advertise
        let map = OverflowHamming.map(of: payload)
        let server = try await radio.serve(
            ServerDescription(
                name: "iPhone", services: [],
                advertisement: DeviceAdvertisement(data: map.advertisingData, scanResponse: []),
                advertisesName: false))
        // end
        return server
    }
}
