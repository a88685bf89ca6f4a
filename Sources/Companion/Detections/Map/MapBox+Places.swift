// SPDX-License-Identifier: Apache-2.0

package import Companion

extension MapBox {
    /// All of the map.
    package static let world = MapBox(west: -180, south: -90, east: 180, north: 90)

    /// Whether a place is within it.
    package func contains(_ position: Position) -> Bool {
        guard position.latitude >= south, position.latitude <= north else { return false }
        let (isEast, isWest) = (position.longitude >= west, position.longitude <= east)
        return west <= east ? isEast && isWest : isEast || isWest
    }
}
