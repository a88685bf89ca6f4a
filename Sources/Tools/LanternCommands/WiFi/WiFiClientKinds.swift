// SPDX-License-Identifier: Apache-2.0

import BLEWire
import CommandOptions
import Companion
import CompanionDevices
import CompanionText
import FlockFinder
import ProductRegistry

/// The protocols that `lantern wifi` speaks.
enum WiFiClientKinds {
    /// All of them; the first is tried first.
    static let all: [any WiFiClientKind] = Products.withCommands.compactMap(\.wifi)

    /// What to say of a device that speaks none of them.
    ///
    /// - Parameters:
    ///   - target: The device as the person has named it.
    ///   - missing: What it lacks.
    ///   - having: What it has.
    /// - Returns: A sentence.
    static func wrongDevice(_ target: String, missing: [BluetoothUUID], having: [BluetoothUUID]) -> String {
        let flock = [FlockFinderUUID.detection, FlockFinderUUID.command, FlockFinderUUID.stream]
        if having.contains(where: flock.contains) {
            return
                "\(target) is a FlockFinder device, not a WiFiSet device: the two share a service, but it has the "
                + "characteristics of a FlockFinder. Nothing was written to it. Listen to it with "
                + "`lantern flock watch --address \(target)`."
        }
        let kinds = all.map(\.kind)
        // The one of which it has most, in case its firmware is old.
        let nearest = kinds.first { kind in kind.characteristics.contains { having.contains($0.uuid) } }
        guard let kind = nearest else { return WiFiText.wrongDevice(target, kinds) }
        return WiFiText.wrongDevice(target, kind, missing: missing, having: having)
    }
}
