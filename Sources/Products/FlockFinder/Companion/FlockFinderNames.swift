// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder

extension UUIDNames {
    /// A FlockFinder's.
    static let flockFinder = UUIDNames(
        services: [(FlockFinderUUID.service, "FlockFinder")],
        characteristics: [
            (FlockFinderUUID.detection, "FlockFinder Detection"),
            (FlockFinderUUID.command, "FlockFinder Command"),
            (FlockFinderUUID.stream, "FlockFinder Stream"),
        ])
}
