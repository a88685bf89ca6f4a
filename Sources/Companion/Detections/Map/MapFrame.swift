// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// A part of the map on a screen: how large its squares are, and what becomes of the sources and sightings in it.
///
/// A few sources are taken one by one; of many, squares say how many there are. What lies within ``nearest`` pixels becomes one
/// cluster then; two sources that stand alone are let stand as long as their pins do not touch, ``nearestPins``.
package struct MapFrame: Sendable {
    /// The part of the map.
    package var box: MapBox
    /// The zoom: 0 has the world on 256 pixels, each further one doubles that.
    package var zoom: Int

    /// Up to so many sources are taken one by one.
    package static let few = 500
    /// Squares that are put together have so many pixels at least.
    private static let squarePixels = 64.0
    /// What is nearer than so many pixels becomes one.
    package static let nearest = 44.0
    /// Two pins that are nearer than so many pixels become one; they are 30 wide.
    package static let nearestPins = 33.0
    private static let mostCells = 1000
    private static let mostSpots = 900

    package init(box: MapBox, zoom: Int) { (self.box, self.zoom) = (box, zoom) }

    private var worldPixels: Double { Mercator.pixels(zoom: Double(zoom)) }

    /// The level whose squares are large enough on the screen, and not too many in the box.
    package func level(pixels: Double, atMost most: Int) -> Int {
        var level = 0
        for next in 1...MapCell.deepestLevel {
            guard worldPixels / Double(1 << next) >= pixels, CellRange(box, level: next).count <= most else {
                break
            }
            level = next
        }
        return level
    }

    /// The level of the squares of which many sources are told.
    package var squareLevel: Int { level(pixels: Self.squarePixels, atMost: Self.mostCells) }

    /// The squares of which sightings are told.
    package var spotRange: CellRange { CellRange(box, level: level(pixels: 24, atMost: Self.mostSpots)) }

    /// Puts together what would be drawn over each other.
    ///
    /// - Parameters:
    ///   - groups: What there is.
    ///   - spots: How many sightings there are in squares, where that was asked for.
    ///   - progress: How much of the map is there.
    ///   - listed: Finds the sources of some numbers, the one seen last first.
    /// - Returns: What the part of the map shows.
    /// - Throws: What `listed` throws.
    package func view<Failure: Error>(
        of groups: [MapGroup], spots: [MapCell: Int] = [:], progress: Double? = nil,
        listed: ([Int64]) throws(Failure) -> [ListedSource]
    ) throws(Failure) -> MapView {
        let merged = MapMerging.merge(
            groups, within: Self.nearest / worldPixels, sources: Self.nearestPins / worldPixels)
        return MapView(
            sources: groups.reduce(0) { $0 + $1.count }, pins: try listed(merged.compactMap { $0.source }),
            clusters: merged.filter { $0.source == nil }.compactMap(Self.cluster),
            heat: spots.ordered { ($0.key.y, $0.key.x) < ($1.key.y, $1.key.x) }.compactMap(Self.spot),
            progress: progress)
    }

    private static func cluster(_ group: MapGroup) -> MapView.Cluster? {
        let position = Position(
            latitude: Mercator.latitude(y: group.y), longitude: Mercator.longitude(x: group.x))
        guard let position else { return nil }
        return MapView.Cluster(
            position: position, count: group.count, types: group.kinds.shares, box: group.box)
    }

    private static func spot(_ cell: MapCell, _ count: Int) -> MapView.Spot? {
        let side = Double(1 << cell.level)
        return Position(
            latitude: Mercator.latitude(y: (Double(cell.y) + 0.5) / side),
            longitude: Mercator.longitude(x: (Double(cell.x) + 0.5) / side)
        ).map { MapView.Spot(position: $0, count: count) }
    }
}
