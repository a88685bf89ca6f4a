// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder

/// FlockFinder, as the list of products knows it.
public final class FlockFinderProduct: Product {
    /// Its device's name on the command line.
    public let name = "flockfinder"
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.flockFinder

    /// Describes the product.
    public init() {}
}

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
