// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BluetoothLE

enum NumberSnippets {
    static func elements(_ data: AdvertisingData) {
        // snippet: elements
        for element in data.elements {
            switch element {
            case .uri(let uri): print(AssignedNumbers.name(ofURIScheme: uri.scheme) ?? "", uri.rest)
            case .manufacturerData(let data):
                print(AssignedNumbers.name(ofCompany: data.company) ?? "", data.data)
            default: continue
            }
        }
        for fault in data.faults { print("octet \(fault.offset): \(fault.error)") }
        // end
    }

    static func explore(_ radio: Radio, _ peer: Peer) async throws -> Int {
        var found = 0
        // snippet: explore
        let connection = try await radio.connect(to: peer, ConnectOptions(timeout: .seconds(5)))
        for service in try await connection.discoverServices() {
            print(AssignedNumbers.name(ofService: service.uuid) ?? service.uuid.description)
            for characteristic in service.characteristics {
                print("  \(ValueHandle(characteristic))  \(characteristic.uuid)")
                found += 1
            }
        }
        await connection.disconnect()
        // end
        return found
    }

    static func readAndWrite(_ connection: Connection) async throws {
        // snippet: read-write
        let services = try await connection.discoverServices()
        if let level = services.characteristic(BluetoothUUID(0x2A19)) {
            let value = StandardValue.decode(try await connection.read(level), of: level.uuid)
            for field in value?.fields ?? [] { print(field.name, field.text) }
            if let reason = value?.misfit { print("not all of it fits: \(reason)") }
        }
        if let note = services.characteristic(BluetoothUUID(0xFFF1)) {
            try await connection.write(Array("Back at six".utf8), to: note)
        }
        // end
    }
}
