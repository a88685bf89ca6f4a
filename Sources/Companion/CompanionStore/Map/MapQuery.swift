// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import GRDB

/// Finds what a part of the map shows.
///
/// A few sources are read one by one. Of many, squares say how many there are: those of the table `cell` where only kinds are
/// asked for, else squares that are counted on the way. ``MapFrame`` puts together what is near each other.
struct MapQuery {
    /// The part of the map, and how much of it is on the screen.
    private let frame: MapFrame
    /// Which sources; a box of its own is not looked at.
    var filter = DetectionFilter()
    /// Whether sightings are wanted, too.
    var withHeat = false

    init(box: MapBox, zoom: Int, filter: DetectionFilter = DetectionFilter(), withHeat: Bool = false) {
        (frame, self.filter, self.withHeat) = (MapFrame(box: box, zoom: zoom), filter, withHeat)
    }

    private var box: MapBox { frame.box }

    func view(_ database: Database) throws -> MapView {
        try frame.view(
            of: groups(database), spots: withHeat ? spots(database) : [:], progress: Self.progress(database)
        ) { ids in try listed(ids, database) }
    }

    // MARK: Sources

    private func groups(_ database: Database) throws -> [MapGroup] {
        let isPlain = filter == DetectionFilter(types: filter.types)
        guard try fewAreInside(database) else { return isPlain ? try cells(database) : try counted(database) }
        let condition = filter == DetectionFilter() ? "TRUE" : try fitting(database)
        let rows = try SQLRequest<Row>(literal: "\(sources(Self.columns)) AND \(condition)").fetchCursor(
            database)
        var groups: [MapGroup] = []
        while let row = try rows.next() { if let group = Self.group(row) { groups.append(group) } }
        return groups
    }

    /// Whether no more sources are in the box than can be read one by one.
    private func fewAreInside(_ database: Database) throws -> Bool {
        let found = try SQLRequest<Int>(
            literal: "SELECT COUNT(*) FROM (\(sources("1")) LIMIT \(MapFrame.few + 1))"
        ).fetchOne(database)
        return found ?? 0 <= MapFrame.few
    }

    /// A query for the sources that are shown in the box, which may go on with further conditions.
    private func sources(_ columns: SQL) -> SQL {
        let ranges = ZOrder.ranges(box).map { SQL("(\($0.lowerBound), \($0.upperBound))") }
        return """
            WITH area (low, high) AS (VALUES \(ranges.joined(separator: ", ")))
            SELECT \(columns) FROM area CROSS JOIN source INDEXED BY source_on_map
                ON square BETWEEN area.low AND area.high
            WHERE square IS NOT NULL AND \(box.shownSources)
            """
    }

    private static let columns: SQL = "source.id, shown_type, shown_latitude, shown_longitude"

    /// A condition on the sources that fit the filter.
    private func fitting(_ database: Database) throws -> SQL {
        var plain = filter
        plain.box = nil
        return try SourceQuery(plain, database).condition
    }

    private static func group(_ row: Row) -> MapGroup? {
        guard let id: Int64 = row.stored(0), SourcePlace.shown(row, 2) != nil,
            let latitude: Int64 = row.stored(2),
            let longitude: Int64 = row.stored(3)
        else { return nil }
        return MapGroup(source: id, type: Self.type(row), latitude: latitude, longitude: longitude)
    }

    private func cells(_ database: Database) throws -> [MapGroup] {
        let level = frame.squareLevel
        let kinds: SQL =
            filter.types.isEmpty ? "TRUE" : "type IN \(filter.types.map(\.keywordString).sorted())"
        let rows = try SQLRequest<Row>(
            literal: """
                SELECT y, x, type, sources, numbers, latitudes, longitudes FROM cell
                WHERE \(CellRange(box, level: level).condition) AND sources > 0 AND \(kinds)
                """
        ).fetchCursor(database)
        var sums = SquareSums(level: level)
        while let row = try rows.next() {
            guard let cell = Self.cell(row, level),
                let count = try? row.number(3, "count", in: 1...Self.mostInSquare),
                let latitudes = try? row.number(5, "latitudes", in: Self.mostDegrees(count)),
                let longitudes = try? row.number(6, "longitudes", in: Self.mostDegrees(count))
            else { continue }
            sums.add(
                cell, type: Self.type(row, at: 2), count: Int(count), number: row.stored(4) ?? 0,
                latitudes: latitudes,
                longitudes: longitudes)
        }
        return sums.groups
    }

    private static func type(_ row: Row, at index: Int = 1) -> DetectionType {
        (row.stored(index) as String?).flatMap(DetectionType.init(keyword:)) ?? .unknown
    }

    /// Sources or sightings that a square may have; more cannot be added up for all.
    private static let mostInSquare: Int64 = 100_000_000

    /// What the degrees of so many sources add up to, at most.
    private static func mostDegrees(_ count: Int64) -> ClosedRange<Int64> {
        let most = count * WholeDegrees.whole(180)
        return -most...most
    }

    /// The square that a row begins with: its line and column.
    private static func cell(_ row: Row, _ level: Int) -> MapCell? {
        let side = Int64(1) << level
        guard let y = try? row.number(0, "line", in: 0...(side - 1)),
            let x = try? row.number(1, "column", in: 0...(side - 1))
        else { return nil }
        return MapCell(level: level, y: Int(y), x: Int(x))
    }

    private func counted(_ database: Database) throws -> [MapGroup] {
        let level = frame.squareLevel
        let rows = try SQLRequest<Row>(
            literal: """
                SELECT \(Self.columns) FROM source WHERE \(box.shownSources) AND \(try fitting(database))
                """
        ).fetchCursor(database)
        var sums = SquareSums(level: level)
        while let row = try rows.next() {
            guard let id: Int64 = row.stored(0), SourcePlace.shown(row, 2) != nil,
                let latitude: Int64 = row.stored(2),
                let longitude: Int64 = row.stored(3)
            else { continue }
            let cell = MapCell(
                latitude: WholeDegrees.degrees(latitude), longitude: WholeDegrees.degrees(longitude))
            sums.add(
                cell.at(level), type: Self.type(row), count: 1, number: id, latitudes: latitude,
                longitudes: longitude)
        }
        return sums.groups
    }

    private func listed(_ ids: [Int64], _ database: Database) throws -> [ListedSource] {
        guard !ids.isEmpty else { return [] }
        var wanted = DetectionFilter()
        wanted.ids = Set(ids)
        let query = try SourceQuery(wanted, database)
        let request = SQLRequest<Row>(literal: query.rows(SourcePage(limit: ids.count)))
        return try UnusableRows().usable(request.fetchCursor(database), ListedSource.init)
    }

    // MARK: Sightings

    private func spots(_ database: Database) throws -> [MapCell: Int] {
        let isPlain = filter == DetectionFilter(types: filter.types)
        return try isPlain
            ? keptSightings(frame.spotRange, database) : fittingSightings(frame.spotRange, database)
    }

    /// Sightings as the squares have them.
    private func keptSightings(_ range: CellRange, _ database: Database) throws -> [MapCell: Int] {
        var counts: [MapCell: Int] = [:]
        let kinds: SQL =
            filter.types.isEmpty ? "TRUE" : "type IN \(filter.types.map(\.keywordString).sorted())"
        let rows = try SQLRequest<Row>(
            literal: """
                SELECT y, x, sightings FROM cell WHERE \(range.condition) AND sightings > 0 AND \(kinds)
                """
        ).fetchCursor(database)
        while let row = try rows.next() {
            guard let cell = Self.cell(row, range.level),
                let count = try? row.number(2, "count", in: 1...Self.mostInSquare)
            else { continue }
            counts[cell, default: 0] += Int(count)
        }
        // The few that are not counted yet.
        let tail: SQL = """
            SELECT latitude, longitude FROM detection WHERE id > \(try MapUpkeep.upTo(database))
                AND latitude IS NOT NULL AND \(kinds) AND \(DetectionQuery.isKept)
            ORDER BY id DESC LIMIT \(MapUpkeep.pieceSize)
            """
        try Self.count(tail, range, into: &counts, database)
        return counts
    }

    /// Sightings that fit the filter, counted one by one.
    private func fittingSightings(_ range: CellRange, _ database: Database) throws -> [MapCell: Int] {
        var counts: [MapCell: Int] = [:]
        guard filter.hasPosition != false else { return counts }
        var rows = filter
        rows.box = box
        // The numbers of a filter of the map are those of sources.
        (rows.sources, rows.ids) = (rows.sources.union(rows.ids), [])
        try Self.count(try DetectionQuery(filter: rows).places(database), range, into: &counts, database)
        return counts
    }

    private static func count(
        _ places: SQL, _ range: CellRange, into counts: inout [MapCell: Int], _ database: Database
    ) throws {
        let rows = try SQLRequest<Row>(literal: places).fetchCursor(database)
        while let row = try rows.next() {
            guard let place = row.position(0) else { continue }
            let cell = MapCell(latitude: place.latitude, longitude: place.longitude).at(range.level)
            if range.contains(cell) { counts[cell, default: 0] += 1 }
        }
    }

    // MARK: Progress

    /// So much may be missing before it is said that the map is built.
    private static let littleWork = 2000

    /// How much of the map is there; `nil` when it is complete, but for what has only just come.
    static func progress(_ database: Database) throws -> Double? {
        let unplaced = try Int.fetchOne(
            database,
            sql: "SELECT COUNT(*) FROM (SELECT 1 FROM source WHERE unplaced LIMIT \(littleWork))")
        let upTo = try MapUpkeep.upTo(database).usual
        let last = (try Int64.fetchOne(database, sql: "SELECT MAX(id) FROM detection") ?? 0).usual
        guard unplaced ?? 0 >= littleWork || last - upTo >= Int64(littleWork) else { return nil }
        let sources = try Row.fetchOne(
            database,
            sql: """
                SELECT (SELECT COUNT(*) FROM source WHERE unplaced), (SELECT COUNT(*) FROM source WHERE square IS NOT NULL)
                """)
        let (left, placed) = (sources?.finite(0) ?? 0, sources?.finite(1) ?? 0)
        let ofSources = left + placed > 0 ? placed / (left + placed) : 1
        return (Double(upTo) / Double(max(last, 1)) + ofSources) / 2
    }
}
