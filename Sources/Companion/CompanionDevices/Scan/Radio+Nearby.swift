// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
import HubModel

extension Radio {
    /// Devices of a kind that are near, by what they say of themselves.
    ///
    /// It listens until one was heard, for ten seconds at most, and for two more, in which others come as well: what does not
    /// advertise that often is not found.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - phys: The PHYs to scan on.
    /// - Returns: Those that accept links, strongest first.
    /// - Throws: ``BluetoothError``, `CancellationError`.
    package func nearby(_ kind: HubDevice.Kind, phys: Set<PHY>) async throws -> [SeenDevice] {
        let first = try await heard(kind, phys, for: .seconds(10), atMost: 1)
        guard !first.isEmpty else { return [] }
        return try await heard(kind, phys, for: .seconds(2), atMost: .max, with: first)
    }

    private func heard(
        _ kind: HubDevice.Kind, _ phys: Set<PHY>, for duration: Duration, atMost limit: Int,
        with known: [SeenDevice] = []
    ) async throws -> [SeenDevice] {
        let stream = try await scan(ScanOptions(phys: phys))
        let found = try await TimeLimit.run(duration, on: self) {
            var board = ScanResults()
            var found = Dictionary(uniqueKeysWithValues: known.map { ($0.peer, $0) })
            for try await report in stream {
                guard let device = board.receive(report, at: .now()), device.isConnectable != false,
                    HubDevice.Kind(device.advertised) == kind
                else { continue }
                found[device.peer] = device
                if found.count >= limit { break }
            }
            return found
        }
        try Task.checkCancellation()
        return found.values.sorted {
            ($0.strength ?? -.infinity, $1.peer.title) > ($1.strength ?? -.infinity, $0.peer.title)
        }
    }
}
