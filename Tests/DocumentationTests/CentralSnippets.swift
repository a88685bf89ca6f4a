// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver

// The code of README and of the articles in Sources/Edges/BluetoothLE/Documentation.docc, between `snippet` and `end`;
// Scripts/check-documentation holds one against the other. A block that is shown has exactly the imports of the file here.
enum CentralSnippets {
    static func openRadio() async throws -> Radio {
        // snippet: open
        let radio = try await Radio.open("tcp:127.0.0.1:9000")
        // end
        return radio
    }

    static func scan(_ radio: Radio) async throws {
        // snippet: scan
        for try await advertisement in try await radio.scan(for: .seconds(10)) {
            print(
                advertisement.peer, advertisement.rssi ?? 0, advertisement.name ?? "", advertisement.services)
        }
        // end
    }

    static func discover(_ radio: Radio, offering service: BluetoothUUID) async throws -> Advertisement? {
        // snippet: discover
        for try await device in try await radio.discover(for: .seconds(10)) {
            print(device.peer, device.rssi ?? 0, device.name ?? "", device.services)
            if device.services.contains(service) { return device }
        }
        return nil
        // end
    }

    static func find(_ radio: Radio, offering service: BluetoothUUID) async throws -> Peer {
        // snippet: find
        let found = try await radio.find(
            ScanOptions(services: [service], minimumRSSI: -80), within: .seconds(5))
        print(found.peer, found.name ?? "", found.rssi ?? 0)
        // end
        return found.peer
    }

    static func first(_ radio: Radio) async throws -> Peer? {
        // snippet: first
        let strong = try await radio.scan().first { $0.rssi ?? -127 > -50 && $0.isConnectable == true }
        // end
        return strong?.peer
    }

    static func subscribe(
        _ connection: Connection, _ characteristic: GATT.Characteristic, count: Int
    ) async throws -> [[UInt8]] {
        var received: [[UInt8]] = []
        // snippet: subscribe
        for try await value in try await connection.notifications(of: characteristic) {
            received.append(value)
            if received.count == count { break }
        }
        // end
        return received
    }

    static func errors(_ connection: Connection, _ characteristic: GATT.Characteristic) async throws {
        // snippet: errors
        do throws(BluetoothError) {
            _ = try await connection.read(characteristic)
        } catch {
            switch error {
            case .refused(.insufficientAuthentication), .refused(.insufficientEncryption):
                print("This device has to be paired first.")
            case .refused(let code): print("It refused: \(code).")
            case .disconnected(let reason): print("The link is gone: \(reason).")
            default: print(error)
            }
        }
        // end
    }

    static func severalLinks(_ radio: Radio, _ peers: [Peer]) async throws {
        // snippet: several
        await withTaskGroup(of: Void.self) { group in
            for peer in peers {
                group.addTask {
                    do {
                        try await radio.withConnection(to: peer) { connection in
                            print(peer, connection.mtu)
                            print(peer, try await connection.waitUntilDisconnected())
                        }
                    } catch {
                        print(peer, error)
                    }
                }
            }
        }
        // end
    }

    static func tune(_ connection: Connection) async throws {
        // snippet: parameters
        print(try await connection.readRSSI(), "dBm")
        let agreed = try await connection.updateParameters(
            ConnectionParameterRange(
                intervalMin: ConnectionInterval(milliseconds: 15),
                intervalMax: ConnectionInterval(milliseconds: 30),
                supervisionTimeout: SupervisionTimeout(milliseconds: 4000)))
        print(agreed)  // every 30 ms, lost after 4000 ms of silence
        print(try await connection.setPHY(tx: [.le2M], rx: [.le2M]))  // LE 2M
        // end
    }

    static func capture() async throws -> HostRadio {
        // snippet: capture
        let file = try CaptureFile("traffic.btsnoop")
        let host = HostRadio(loop: try TransportLoop()) { (loop) async throws(TransportError) in
            CapturedTransport(try await TransportAddress("serial:/dev/ttyACM0").open(on: loop), into: file)
        }
        try await host.start()
        let radio = host.radio
        // end
        _ = radio
        return host
    }

    static func listener() async throws {
        // snippet: listener
        do {
            try await Radio.open("tcp:127.0.0.1:9000").executeThenClose { radio in
                let found = try await radio.find(ScanOptions(name: "FlockFinder-S3"))
                try await radio.withConnection(to: found.peer) { connection in
                    for service in try await connection.discoverServices() { print(service.uuid) }
                }
            }
        } catch {
            print(error)  // a sentence that says what to do
        }
        // end
    }
}
