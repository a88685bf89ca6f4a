// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BluetoothLE

extension Radio {
    /// Listens to advertisers until the task is cancelled.
    ///
    /// - Parameters:
    ///   - options: How to listen.
    ///   - take: Called for each advertisement, in order.
    /// - Throws: ``BluetoothError`` when the radio refuses or is lost, and what `take` throws.
    func hear(
        _ options: ScanOptions = ScanOptions(),
        _ take: @escaping @Sendable (Advertisement) async throws -> Void
    ) async throws {
        let stream = try await scan(options)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await report in stream { try await take(report) }
                if !Task.isCancelled { throw BluetoothError.link(.radioLost) }
            }
            group.addTask { try await self.lost() }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Waits until the radio is lost or the task is cancelled.
    ///
    /// - Throws: ``BluetoothError`` when it is lost.
    private func lost() async throws {
        for await state in await states() where state != .ready { throw BluetoothError.link(.radioLost) }
        // The states end with the radio, of which the scan tells.
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
    }
}
