// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire
import FlockFinder

/// FlockFinder, as the list of products knows it.
public final class FlockFinderProduct: Product {
    /// Its device's name on the command line.
    public let name = "flockfinder"
    /// How its devices are recognized.
    public let recognition: DeviceRecognition? = .flockFinder
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
