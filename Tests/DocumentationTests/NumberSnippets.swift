// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BluetoothLE

enum NumberSnippets {
    static func elements(_ advertisement: Advertisement) {
        // snippet: elements
        for element in advertisement.data.elements {
            switch element {
            case .uri(let uri): print(AssignedNumbers.name(ofURIScheme: uri.scheme) ?? "", uri.rest)
            case .manufacturerData(let data):
                print(AssignedNumbers.name(ofCompany: data.company) ?? "", data.data)
            default: continue
            }
        }
        for fault in advertisement.data.faults { print("octet \(fault.offset): \(fault.error)") }
        // end
    }

    static func explore(_ radio: Radio, _ peer: Peer) async throws {
        // snippet: explore
        try await radio.withConnection(to: peer, ConnectOptions(timeout: .seconds(5))) { connection in
            for service in try await connection.discoverServices() {
                print(AssignedNumbers.name(ofService: service.uuid) ?? "\(service.uuid)")
                for characteristic in service.characteristics {
                    let name = AssignedNumbers.name(ofCharacteristic: characteristic.uuid)
                    print("  \(name ?? "\(characteristic.uuid)"): \(characteristic.properties)")
                    if characteristic.properties.contains(.read) {
                        let value = try? await connection.read(characteristic)
                        print("    \(value.map { "\($0)" } ?? "it refuses")")
                    }
                    for descriptor in characteristic.descriptors {
                        let name = AssignedNumbers.name(ofDescriptor: descriptor.uuid)
                        let text = (try? await connection.read(descriptor)).map { "\($0)" } ?? "it refuses"
                        print("    \(name ?? "\(descriptor.uuid)"): \(text)")
                    }
                }
            }
        }
        // end
    }

    static func readAndWrite(_ connection: Connection) async throws {
        // snippet: read-write
        let level = try await connection.read(.batteryLevel)
        if let value = StandardValue.decode(level, of: .batteryLevel) {
            print(value)  // Battery Level: 95%
            print(value["Battery Level"]?.integer ?? 0)
            if let reason = value.misfit { print("not all of it fits: \(reason)") }
        }
        try await connection.write(Array("Back at six".utf8), to: "FFF1")
        // end
    }
}
