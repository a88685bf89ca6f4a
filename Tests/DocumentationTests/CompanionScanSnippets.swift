// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion
import CompanionDevices
import CompanionText
import ProductRegistry

// snippet: companion-scan
/// The devices around, for a list on the screen.
@MainActor final class Surroundings {
    private(set) var devices: [SeenDevice] = []

    /// Scans until the task is cancelled.
    func scan(on radio: Radio) async throws {
        var board = ScanResults(filter: ScanFilter(rssi: -80))
        for try await report in try await radio.scan() where board.receive(report, at: .now()) != nil {
            devices = board.shown
        }
    }
}

/// What a device has: each characteristic with its value in words.
func values(of peer: Peer, on radio: Radio) async throws -> [String] {
    let tree = try await radio.withConnection(to: peer) { try await GATTTree(over: $0) }
    return tree.services.flatMap(\.characteristics).map { characteristic in
        let name = UUIDNames.name(ofCharacteristic: characteristic.uuid) ?? "\(characteristic.uuid)"
        let value = tree[characteristic.valueHandle].octets.map {
            ValueText.words(for: $0, characteristic.uuid)
        }
        return "\(name): \(value ?? "cannot be read")"
    }
}
// end
