// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

// snippet: app
@MainActor final class LampList {
    private let radio: Radio
    private(set) var levels: [String: UInt8] = [:]

    init(_ radio: Radio) { self.radio = radio }

    func refresh() async throws {
        let lamp = try await radio.find(ScanOptions(services: [.batteryService]), within: .seconds(5))
        try await radio.withConnection(to: lamp.peer) { connection in
            let name = String(decoding: try await connection.read(.deviceName), as: UTF8.self)
            levels[name] = try await connection.read(.batteryLevel).first
        }
    }
}
// end
