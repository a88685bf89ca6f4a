// SPDX-License-Identifier: Apache-2.0

/// What is known of a source that was received once: it stands around there, the nearer the stronger it was.
///
/// Of many sources nothing more is known, and of each strength it need be judged only once.
package struct LoneSightings: Sendable {
    private struct Key: Hashable {
        let rssi: Int
        let accuracy: Double?
    }

    private var radii: [Key: Double] = [:]

    package init() {}

    /// How far the source may be away, in metres; `nil` where the place is none.
    package mutating func radius(of sighting: CameraEstimate.Sighting) -> Double? {
        let key = Key(rssi: sighting.rssi, accuracy: sighting.accuracy?.rounded())
        if let radius = radii[key] { return radius }
        let same = CameraEstimate.Sighting(
            latitude: 0, longitude: 0, accuracy: key.accuracy, rssi: sighting.rssi)
        guard (-90...90).contains(sighting.latitude), (-180...180).contains(sighting.longitude),
            let radius = CameraEstimate([same])?.radius
        else { return nil }
        if radii.count == Self.most { radii = [:] }
        radii[key] = radius
        return radius
    }

    private static let most = 1000
}
