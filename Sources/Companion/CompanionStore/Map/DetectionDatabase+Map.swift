// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections

extension DetectionDatabase {
    /// What a part of the map shows.
    ///
    /// - Parameters:
    ///   - box: The part of the map.
    ///   - zoom: 0 has the world on 256 pixels, each further one doubles that; 0 to 24.
    ///   - filter: Which sources; it fits them as ``sources(matching:page:)`` does, but for the box.
    ///   - withHeat: Whether sightings are wanted, too. They fit the filter as ``records(matching:page:)`` does, one by one.
    /// - Returns: At most ``MapView/mostFeatures`` things to draw.
    /// - Throws: ``StoreError``.
    public func map(
        _ box: MapBox, zoom: Int, matching filter: DetectionFilter = DetectionFilter(),
        withHeat: Bool = false
    ) async throws(StoreError) -> MapView {
        var filter = filter
        filter.box = nil
        try DetectionQuery(filter: filter).check()
        let query = MapQuery(box: box, zoom: zoom, filter: filter, withHeat: withHeat)
        return try await read { try query.view($0) }
    }
}
