// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections

extension InMemoryDetectionStore {
    /// What a part of the map shows, as a hub says it.
    ///
    /// - Parameters:
    ///   - frame: The part of the map.
    ///   - filter: Which sources; a box of its own is not looked at.
    ///   - withHeat: Whether sightings are wanted, too.
    /// - Returns: The view.
    func map(_ frame: MapFrame, matching filter: DetectionFilter, withHeat: Bool) -> MapView {
        var filter = filter
        filter.box = nil
        let isPlain = filter == DetectionFilter(types: filter.types)
        func isInside(_ listed: ListedSource) -> Bool {
            listed.source.estimate.map { frame.box.contains($0.position) } ?? false
        }
        let placed = sources(matching: filter).filter { $0.source.estimate != nil }
        let inside = placed.filter(isInside)
        var groups: [MapGroup]
        // Whether they are told one by one does not hang on the filter: clusters would jump.
        if listed.values.count(where: { $0.source.count > 0 && isInside($0) }) <= MapFrame.few {
            groups = inside.compactMap { Self.group($0.source) }
        } else {
            let level = frame.squareLevel
            let range = CellRange(frame.box, level: level)
            var sums = SquareSums(level: level)
            // A hub tells whole squares where only kinds are asked for.
            for listed in isPlain ? placed : inside {
                guard let position = listed.source.estimate?.position else { continue }
                let cell = MapCell(latitude: position.latitude, longitude: position.longitude).at(level)
                guard range.contains(cell) else { continue }
                sums.add(
                    cell, type: listed.source.type, count: 1, number: listed.source.id,
                    latitudes: WholeDegrees.whole(position.latitude),
                    longitudes: WholeDegrees.whole(position.longitude))
            }
            groups = sums.groups
        }
        let spots = withHeat ? spots(frame, matching: filter, isPlain: isPlain) : [:]
        return frame.view(of: groups, spots: spots, progress: progress) { ids in
            let wanted = Set(ids)
            return placed.filter { wanted.contains($0.source.id) }
        }
    }

    private static func group(_ source: DetectionSource) -> MapGroup? {
        source.estimate.map { estimate in
            MapGroup(
                source: source.id, type: source.type,
                latitude: WholeDegrees.whole(estimate.position.latitude),
                longitude: WholeDegrees.whole(estimate.position.longitude))
        }
    }

    /// How many sightings lie in each square.
    private func spots(
        _ frame: MapFrame, matching filter: DetectionFilter, isPlain: Bool
    ) -> [MapCell: Int] {
        var filter = filter
        (filter.sources, filter.ids) = (filter.sources.union(filter.ids), [])
        if !isPlain { filter.box = frame.box }
        let range = frame.spotRange
        var counts: [MapCell: Int] = [:]
        for row in rows where row.deletion == nil {
            guard let position = row.sighting.position, let source = source(row.source)?.source,
                filter.admits(row.sighting, row.id, source)
            else { continue }
            let cell = MapCell(latitude: position.latitude, longitude: position.longitude).at(range.level)
            if range.contains(cell) { counts[cell, default: 0] += 1 }
        }
        return counts
    }
}
