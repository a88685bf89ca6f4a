// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections

/// Sets of cameras that others know, in memory.
struct InMemoryReferenceCameras {
    /// The most cameras of all sets.
    static let limit = 50_000
    /// How many come at once.
    private static let atOnce = 500

    /// A set with its cameras.
    struct Kept {
        var set: ReferenceCameras
        var cameras: [KnownCamera]
    }

    /// By name.
    private(set) var sets: [Kept] = []
    private var lastCamera: Int64 = 0

    /// How many cameras there are, but for the set of a name.
    func count(without name: String) -> Int {
        sets.filter { $0.set.name != name }.reduce(0) { $0 + $1.cameras.count }
    }

    /// Takes a set in the place of the one of its name.
    ///
    /// - Returns: How many cameras that had; `nil` when there was none.
    mutating func replace(_ set: ReferenceCameras, with cameras: [ListedCamera]) -> Int? {
        let before = remove(set.name)
        let numbered = cameras.map { camera in
            lastCamera += 1
            return KnownCamera(
                id: lastCamera, set: set.name, name: camera.name, position: camera.position,
                directions: camera.directions, reference: camera.reference)
        }
        sets.append(Kept(set: set, cameras: numbered))
        sets.order { $0.set.name.utf8.lexicographicallyPrecedes($1.set.name.utf8) }
        return before
    }

    /// Removes a set.
    ///
    /// - Returns: How many cameras it had; `nil` when there is none of this name.
    mutating func remove(_ name: String) -> Int? {
        guard let index = sets.firstIndex(where: { $0.set.name == name }) else { return nil }
        return sets.remove(at: index).cameras.count
    }

    /// The cameras in a part of the map, and whether there are more than are told.
    func cameras(in box: MapBox) -> (cameras: [KnownCamera], more: Bool) {
        var found: [KnownCamera] = []
        for kept in sets {
            for camera in kept.cameras where box.contains(camera.position) { found.append(camera) }
        }
        found.order { $0.id < $1.id }
        return (Array(found.prefix(Self.atOnce)), found.count > Self.atOnce)
    }

    /// The camera that is nearest to a place, if one is near.
    func camera(near position: Position) -> KnownNearby? {
        var nearest: KnownNearby?
        for kept in sets {
            // A degree of latitude has 111 km: what is farther away is not measured.
            for camera in kept.cameras
            where abs(camera.position.latitude - position.latitude) < KnownNearby.reach / 100_000 {
                let metres = position.distance(to: camera.position)
                if metres <= min(KnownNearby.reach, nearest?.metres ?? .infinity) {
                    nearest = KnownNearby(camera, metres: metres)
                }
            }
        }
        return nearest
    }
}
