// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import CompanionStore
import Detections
import FlockFinder
import FlockFinderCompanion
import FlockFinderDevices

// snippet: companion-flock
/// Stores what a FlockFinder notices and then shows it, until the task is cancelled.
///
/// - Returns: How many detections there were.
func listen(
    on radio: Radio, into database: DetectionDatabase, show: @escaping @Sendable (DetectionEvent) -> Void
) async throws -> Int {
    let run = FlockFinderRecorder(show: { reports in
        for case .detection(let detection) in reports.map(\.content) { show(detection) }
    })
    let recorder = FlockRecorder(into: database.save(each:failures:))
    return try await run.run(FlockFinderClient(options: .init()), on: radio, recorder: recorder).detections
}
// end
