// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEAssignedNumbers
import BLEGATT
import BLEHostDriver
import BLETransport
import BLEWire
import BluetoothLE

// The code of the articles in Sources/Edges/BluetoothLE/Documentation.docc, between `snippet` and `end`;
// Scripts/check-documentation holds one against the other.
enum CentralSnippets {
    static func openRadio() async throws -> HostRadio {
        // snippet: open
        let radio = HostRadio { () async throws(TransportError) in
            try await TransportAddress("tcp:127.0.0.1:9000").open()
        }
        try await radio.start()
        // end
        return radio
    }

    static func scan(_ radio: any Radio) async throws {
        // snippet: scan
        for await advertisement in try await radio.scan(ScanOptions()) {
            let data = AdvertisingData(advertisement.data)
            print(advertisement.address, advertisement.rssi ?? 0, data.localName ?? "", data.services)
        }
        // end
    }

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

    static func explore(_ radio: any Radio, _ address: BluetoothAddress) async throws -> Int {
        var found = 0
        // snippet: explore
        let connection = try await radio.connect(to: address, ConnectOptions(timeout: .seconds(10)))
        for service in try await connection.discover() {
            print(AssignedNumbers.name(ofService: service.uuid) ?? service.uuid.description)
            for characteristic in service.characteristics {
                print("  \(characteristic.valueHandle.rawValue)  \(characteristic.uuid)")
                found += 1
            }
        }
        await connection.disconnect()
        // end
        return found
    }

    static func addressOf(_ radio: any Radio, name: WireText) async throws -> BluetoothAddress? {
        // snippet: find
        for await advertisement in try await radio.scan(ScanOptions())
        where AdvertisingData(advertisement.data).localName == name {
            return advertisement.address
        }
        // end
        return nil
    }

    static func readAndWrite(_ connection: any Connection) async throws {
        // snippet: read-write
        let services = try await connection.discover()
        if let level = services.characteristic(BluetoothUUID(0x2A19)) {
            let octets = try await connection.read(level.valueHandle)
            print(StandardValue.decode(octets, of: level.uuid) ?? .misfit("no standard value"))
        }
        if let name = services.characteristic(BluetoothUUID(0x2A00)) {
            try await connection.write(Array("Kitchen".utf8), to: name.valueHandle)
        }
        // end
    }

    static func subscribe(
        _ connection: any Connection, _ characteristic: GATT.Characteristic, count: Int
    ) async throws -> [[UInt8]] {
        var received: [[UInt8]] = []
        // snippet: subscribe
        let values = await connection.values()
        try await connection.subscribe(.notify, to: characteristic)
        for await value in values where value.handle == characteristic.valueHandle {
            received.append(value.value)
            if received.count == count { break }
        }
        try await connection.subscribe([], to: characteristic)
        // end
        return received
    }

    static func errors(_ connection: any Connection, _ handle: AttributeHandle) async throws {
        // snippet: errors
        do {
            _ = try await connection.read(handle)
        } catch .request(.refused(.insufficientEncryption)) {
            print("This device has to be paired first.")
        } catch .request(.refused(let code)) {
            print("It refused: \(code.words).")
        } catch .link(let failure) {
            print(failure.sentence)
        }
        // end
    }

    static func severalLinks(_ radio: any Radio, _ addresses: [BluetoothAddress]) async throws {
        // snippet: several
        await withTaskGroup(of: Void.self) { group in
            for address in addresses {
                group.addTask {
                    do {
                        let connection = try await radio.connect(to: address, ConnectOptions())
                        print(address, await connection.mtu)
                        print(address, await connection.disconnected().sentence)
                    } catch {
                        print(address, error)
                    }
                }
            }
        }
        // end
    }

    static func tune(_ connection: any Connection) async throws {
        // snippet: parameters
        print(try await connection.rssi(), "dBm")
        let agreed = try await connection.updateParameters(
            ConnectionParameterRange(
                intervalMin: ConnectionInterval(milliseconds: 15),
                intervalMax: ConnectionInterval(milliseconds: 30),
                supervisionTimeout: SupervisionTimeout(milliseconds: 4000)))
        print(agreed.interval.microseconds, "µs between connection events")
        let phy = try await connection.setPHY(tx: [.le2M], rx: [.le2M])
        print(phy.tx == .le2M ? "twice as fast" : "as before")
        // end
    }

    static func capture() async throws -> HostRadio {
        // snippet: capture
        let file = try CaptureFile("traffic.btsnoop")
        let radio = HostRadio { () async throws(TransportError) in
            CapturingTransport(try await TransportAddress("serial:/dev/ttyACM0").open(), into: file)
        }
        // end
        return radio
    }
}
