// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire

extension DeviceRecognition {
    /// How FlockFinders are recognized.
    ///
    /// Spec: Documentation/Protocols/flockfinder.md, Finding a device.
    public static let flockFinder = DeviceRecognition(
        services: [FlockFinderUUID.service], names: ["flockfinder", "flock-finder"],
        possibleNames: ["flock", "feather", "esp32", "s3"], foreignNames: ["wifiset"],
        beginnings: ["FlockFinder", "Flock"])
}
