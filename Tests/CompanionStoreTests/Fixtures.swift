// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionStore
import FlockFinder
import Foundation

/// A folder of its own that goes when the test ends.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/lantern-store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String = "lantern.sqlite") -> String { path + "/" + name }
}

extension Sighting {
    /// A sighting with what a test cares about.
    static func sample(
        _ number: Int = 0,
        type: DetectionType = .flockSafety,
        ssid: String? = "FLOCK-1",
        mac: String? = nil,
        rssi: Int = -60,
        confidence: Double = 0.9,
        received: Int64? = nil,
        at position: (Double, Double)? = nil,
        extra: String = "{}"
    ) -> Sighting {
        Sighting(
            type: type, label: type.labelString, mac: mac, ssid: ssid, rssi: rssi, confidence: confidence,
            received: Timestamp(milliseconds: received ?? Int64(1000 + number)),
            position: position.flatMap { Position(latitude: $0.0, longitude: $0.1) }, extra: extra,
            raw: Array("{\(number)}".utf8))
    }
}
