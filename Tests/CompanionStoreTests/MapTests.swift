// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import GRDB
import Testing

@testable import CompanionStore

@Suite struct MapTests {
    private static let world = MapBox(west: -180, south: -85, east: 180, north: 85)

    /// A sighting of one source of many, the same each time.
    private static func sighting(
        _ source: Int, latitude: Double, longitude: Double, type: DetectionType = .ring, rssi: Int = -60,
        time: Int64 = 1000
    ) -> Sighting {
        let digits = Array("0123456789ABCDEF")
        let mac =
            "02:00:00"
            + (0..<3).map { ":\(digits[source >> (8 * $0 + 4) & 15])\(digits[source >> (8 * $0) & 15])" }
            .joined()
        return Sighting(
            type: type, label: "x", mac: mac, rssi: rssi, confidence: 0.5,
            received: Timestamp(milliseconds: time),
            position: Position(latitude: latitude, longitude: longitude))
    }

    /// Numbers that look like chance and are the same in each run.
    private static func noise(_ count: Int) -> [Double] {
        var state: UInt64 = 88_172_645_463_325_252
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Double(state >> 11) / Double(1 << 53)
        }
    }

    /// Many sources all over a country, in two kinds, each seen once or twice.
    private static func country(_ count: Int) -> [Sighting] {
        let chance = noise(3 * count)
        return (0..<count).flatMap { number -> [Sighting] in
            let (latitude, longitude) = (48 + 6 * chance[3 * number], 7 + 7 * chance[3 * number + 1])
            let type: DetectionType = number % 3 == 0 ? .flockSafety : .ring
            let one = sighting(number, latitude: latitude, longitude: longitude, type: type)
            return chance[3 * number + 2] < 0.995 ? [one] : [one, one]
        }
    }

    private static func total(_ view: MapView) -> Int {
        view.pins.count + view.clusters.reduce(0) { $0 + $1.count }
    }

    private static let placesOfSources = """
        SELECT id, shown_type, shown_latitude, shown_longitude, radius, spots, square FROM source ORDER BY id
        """

    /// What the squares hold must be what the rows and places say.
    private static func cellsFit(_ store: DetectionDatabase) async throws -> Bool {
        try await store.connections.write { database in
            let kept = try Row.fetchAll(
                database, sql: "SELECT * FROM cell ORDER BY level, y, x, type")
            let places = try Row.fetchAll(database, sql: placesOfSources)
            try MapUpkeep.beginAnew(database)
            while try MapUpkeep.advance(database) > 0 {}
            var lone = LoneSightings()
            while case let judged = try MapUpkeep.judge(database, &lone, until: .now + .seconds(9)).judged,
                !judged.isEmpty
            {
                try MapUpkeep.move(judged, database)
            }
            let newest = Set(["newest"])
            let drop = { (row: Row) in row.filter { !newest.contains($0.0) }.map { "\($0.0)=\($0.1)" } }
            let anew = try Row.fetchAll(
                database, sql: "SELECT * FROM cell ORDER BY level, y, x, type")
            let placesAnew = try Row.fetchAll(database, sql: placesOfSources)
            return kept.map(drop) == anew.map(drop) && places == placesAnew
        }
    }

    @Test func everySourceIsOnTheMapOnce() async throws {
        let store = try DetectionDatabase()
        let rows = Self.country(1500)
        for piece in stride(from: 0, to: rows.count, by: 1000) {
            _ = try await store.save(Array(rows[piece..<min(rows.count, piece + 1000)]))
        }
        try await store.mapAll()
        for zoom in 0...18 {
            let view = try await store.map(Self.world, zoom: zoom)
            #expect(view.sources == 1500)
            #expect(Self.total(view) == 1500)
            #expect(view.pins.count + view.clusters.count <= MapView.mostFeatures)
            #expect(view.progress == nil)
            let ids = Set(view.pins.map(\.source.id))
            #expect(ids.count == view.pins.count)
        }
        let flock = try await store.map(
            Self.world, zoom: 6, matching: DetectionFilter(types: [.flockSafety]), withHeat: true)
        #expect(flock.sources == 500)
        #expect(flock.clusters.allSatisfy { $0.types.map(\.type) == [.flockSafety] })
        let sightings = rows.count { $0.type == .flockSafety }
        #expect(flock.heat.reduce(0) { $0 + $1.count } == sightings)
        #expect(flock.heat.count + flock.pins.count + flock.clusters.count <= MapView.mostFeatures)
        #expect(try await Self.cellsFit(store))
    }

    @Test func aFilterCountsWhatFits() async throws {
        let store = try DetectionDatabase()
        let rows = Self.country(1500)
        _ = try await store.save(rows)
        try await store.mapAll()
        let listed = try await store.sources(SourcePage(limit: 700))
        _ = try await store.mark(sources: listed.map(\.id), as: .mine, true)
        // Squares that are counted, and sources one by one.
        for zoom in [3, 6, 9] {
            let view = try await store.map(
                Self.world, zoom: zoom, matching: DetectionFilter(marks: [.mine]))
            #expect(view.sources == 700)
            #expect(Self.total(view) == 700)
        }
        let corner = MapBox(west: 7, south: 48, east: 8, north: 49)
        let wanted = try await store.sourceCount(
            matching: {
                var filter = DetectionFilter(marks: [.mine])
                filter.box = corner
                return filter
            }())
        let view = try await store.map(corner, zoom: 9, matching: DetectionFilter(marks: [.mine]))
        #expect(view.sources == wanted)
    }

    /// Heat fits each sighting by itself, where clusters fit sources; in a wide box and in a small one, counted or not yet.
    @Test func heatCountsWhatFits() async throws {
        let store = try DetectionDatabase()
        let corner = MapBox(west: 7, south: 48, east: 9, north: 50)
        let rows = Self.country(1500).enumerated().map { number, row in
            var row = row
            row.received = Timestamp(milliseconds: Int64(1000 + number))
            row.label = number % 5 == 0 ? "gate five" : "x"
            row.confidence = number % 2 == 0 ? 0.9 : 0.3
            return row
        }
        _ = try await store.save(Array(rows.prefix(1000)))
        try await store.deriveAll()
        _ = try await store.save(Array(rows.dropFirst(1000)))
        let listed = try await store.sources(SourcePage(limit: 700))
        _ = try await store.mark(sources: listed.map(\.id), as: .mine, true)
        let deleted = try await store.records(page: DetectionPage(limit: 40)).map(\.id)
        _ = try await store.discard(ids: deleted, at: Timestamp(milliseconds: 9000))
        var filters = [
            DetectionFilter(since: Timestamp(milliseconds: 1900), until: Timestamp(milliseconds: 2100)),
            DetectionFilter(text: "gate"), DetectionFilter(types: [.ring], text: "gate"),
            DetectionFilter(marks: [.mine]), DetectionFilter(minimumConfidence: 0.6),
        ]
        let center = try #require(Position(latitude: 49, longitude: 8))
        let circle = try #require(Vicinity(center: center, metres: 30_000))
        filters.append(DetectionFilter(near: circle))
        for filter in filters {
            for box in [Self.world, corner] {
                var wanted = filter
                wanted.box = box
                let count = try await store.count(matching: wanted)
                for zoom in [1, 7, 12] {
                    let view = try await store.map(box, zoom: zoom, matching: filter, withHeat: true)
                    #expect(view.heat.reduce(0) { $0 + $1.count } == count, "\(filter) \(zoom)")
                    #expect(view.heat.count + view.pins.count + view.clusters.count <= MapView.mostFeatures)
                }
            }
        }
        // Numbers are those of sources, and what has no place is nowhere.
        var one = DetectionFilter()
        one.ids = [listed[600].id]
        let alone = try await store.map(Self.world, zoom: 3, matching: one, withHeat: true)
        #expect(alone.heat.reduce(0) { $0 + $1.count } == listed[600].count)
        var placeless = DetectionFilter()
        placeless.hasPosition = false
        let nowhere = try await store.map(Self.world, zoom: 3, matching: placeless, withHeat: true)
        #expect(nowhere.heat.isEmpty)
    }

    @Test func aFewSourcesStandByThemselvesUnlessTheyOverlap() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save([
            Self.sighting(1, latitude: 52, longitude: 8), Self.sighting(2, latitude: 52.01, longitude: 8),
            Self.sighting(3, latitude: -10, longitude: 179.99),
            Self.sighting(4, latitude: -10, longitude: -179.99),
        ])
        try await store.mapAll()
        let near = try await store.map(
            MapBox(west: 7.9, south: 51.9, east: 8.1, north: 52.1), zoom: 16)
        #expect(near.pins.count == 2)
        #expect(near.clusters.isEmpty)
        let estimate = try #require(near.pins[0].source.estimate)
        #expect(estimate.spots == 1)
        #expect(try #require(estimate.radius) > 5)
        let far = try await store.map(Self.world, zoom: 2)
        #expect(far.clusters.map(\.count) == [2])
        #expect(far.pins.count == 2)
        // Across the date line, and beyond it nothing.
        let across = try await store.map(
            MapBox(west: 179, south: -11, east: -179, north: -9), zoom: 8)
        #expect(across.pins.count == 2)
        let none = try await store.map(MapBox(west: 0, south: 0, east: 1, north: 1), zoom: 8)
        #expect(none.sources == 0)
        #expect(none.pins.isEmpty && none.clusters.isEmpty)
    }

    @Test func pinsStandBesideEachOtherAsLongAsTheyDoNotTouch() async throws {
        let store = try DetectionDatabase()
        let pixel = 360 / (256 * Double(1 << 16))
        _ = try await store.save(
            [0, 34, 500, 530, 570, 1000, 1030, 1070].enumerated().map { number, x in
                Self.sighting(number, latitude: 0, longitude: 1 + Double(x) * pixel)
            })
        try await store.mapAll()
        let box = MapBox(west: 0.9, south: -0.1, east: 1.1, north: 0.1)
        let view = try await store.map(box, zoom: 16)
        // Two that fit side by side, two that do not, and a third that stands too near to these two's middle or not.
        #expect(view.pins.count == 4 && view.clusters.map(\.count) == [2, 2])
        #expect(try await store.map(box, zoom: 15).clusters.map(\.count).reduce(0, +) == 8)
    }

    @Test func whatIsDeletedLeavesTheMapAndComesBack() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save(Self.country(800))
        try await store.mapAll()
        let deletion = try await store.discard(
            matching: DetectionFilter(types: [.flockSafety]), at: Timestamp(milliseconds: 5000))
        // Some before they were counted.
        _ = try await store.save((1000..<1010).map { Self.sighting($0, latitude: 50, longitude: 9) })
        let late = try await store.records(page: DetectionPage(limit: 4)).map(\.id)
        _ = try await store.discard(ids: late, at: Timestamp(milliseconds: 5000))
        try await store.mapAll()
        var view = try await store.map(Self.world, zoom: 3)
        #expect(view.sources == 800 - 267 + 6)
        #expect(try await Self.cellsFit(store))
        _ = try await store.restore(deletion: deletion.id)
        try await store.mapAll()
        view = try await store.map(Self.world, zoom: 3)
        #expect(view.sources == 800 + 6)
        #expect(try await Self.cellsFit(store))
        _ = try await store.discard(matching: DetectionFilter(), at: Timestamp(milliseconds: 6000))
        try await store.purge(deletedBefore: Timestamp(milliseconds: 7000))
        try await store.mapAll()
        let left = try await store.connections.read { database in
            try ["cell", "source"].map {
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \($0)")
            }
        }
        #expect(left == [0, 0])
    }

    @Test func aSourceMovesAsItIsSeenAndTakesItsKindAlong() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save([Self.sighting(1, latitude: 52, longitude: 8, rssi: -80)])
        try await store.mapAll()
        _ = try await store.save([
            Self.sighting(1, latitude: 52.0004, longitude: 8, type: .flockSafety, rssi: -50, time: 2000)
        ])
        try await store.mapAll()
        let view = try await store.map(Self.world, zoom: 4)
        let source = try #require(view.pins.first?.source)
        #expect(source.type == .flockSafety)
        #expect(try #require(source.estimate).spots == 2)
        #expect(try #require(source.estimate).position.latitude > 52.0002)
        #expect(try await Self.cellsFit(store))
    }

    @Test func placesComeByThemselves() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save([Self.sighting(1, latitude: 52, longitude: 8)])
        while try await store.source(id: 1)?.estimate == nil { await Task.yield() }
        // The next one waits a moment, and comes, too.
        _ = try await store.save([Self.sighting(2, latitude: 53, longitude: 8)])
        while try await store.source(id: 2)?.estimate == nil { await Task.yield() }
        try await store.close()
    }

    @Test func anOldFileGetsItsMapWhileItIsRead() async throws {
        let folder = try Folder()
        let path = folder.file()
        let first = try DetectionDatabase(path: path, createIfMissing: true)
        _ = try await first.save(Self.country(2500))
        try await first.close()
        let other = try OtherProgram(path: path)
        try other.execute(
            """
            DELETE FROM cell; UPDATE map_progress SET up_to = 0; UPDATE source SET unplaced = 1, square = NULL
            """)
        let store = try DetectionDatabase(path: path, createIfMissing: false)
        var steps: Set<Double> = []
        while case let view = try await store.map(Self.world, zoom: 4), view.sources < 2500 {
            if let progress = view.progress { steps.insert(progress) }
            await Task.yield()
        }
        #expect(steps.allSatisfy { (0...1).contains($0) })
        try await store.mapAll()
        #expect(try await Self.cellsFit(store))
        try await store.close()
    }

    /// Sightings all over the world are counted in pieces that do not swell the log.
    @Test func aPieceHasOnlySoManySquares() async throws {
        let store = try DetectionDatabase()
        let chance = Self.noise(4000)
        let rows = (0..<2000).map { number in
            Self.sighting(
                number, latitude: -80 + 160 * chance[2 * number],
                longitude: -180 + 360 * chance[2 * number + 1])
        }
        // The writer would be at them at once.
        try await store.connections.write { database in
            for row in rows { _ = try DetectionRow.insert(row, into: database) }
            var pieces: [Int] = []
            var before = 0
            while case let count = try MapUpkeep.advance(database), count > 0 {
                pieces.append(count)
                let squares = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM cell") ?? 0
                #expect(squares - before < MapUpkeep.squaresAtOnce + MapCell.deepestLevel + 1)
                before = squares
            }
            #expect(pieces.reduce(0, +) == 2000 && pieces.count > 2, "\(pieces)")
        }
        try await store.mapAll()
        #expect(try await Self.cellsFit(store))
        // As many in one place are one piece.
        try await store.connections.write { database in
            for _ in 0..<2000 {
                _ = try DetectionRow.insert(Self.sighting(1, latitude: 5, longitude: 5), into: database)
            }
            #expect(try MapUpkeep.advance(database) == 2000)
        }
    }

    /// Every place of a box lies in a range, and few beside it: at the poles, over the date line, in small boxes and in large ones.
    @Test func aBoxIsAFewRangesOfSquares() {
        let chance = Self.noise(4000)
        for number in 0..<200 {
            let (west, south) = (-180 + 360 * chance[number], -90 + 180 * chance[number + 200])
            let breadth = 360 * chance[number + 400] * (number % 3 == 0 ? 1 : 0.001)
            let height = (90 - south) * chance[number + 600] * (number % 2 == 0 ? 1 : 0.001)
            let over = west + breadth > 180
            let box = MapBox(
                west: west, south: south, east: west + breadth - (over ? 360 : 0), north: south + height)
            let ranges = ZOrder.ranges(box)
            #expect(!ranges.isEmpty && ranges.count <= 4 * ZOrder.mostRanges)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            for point in 0..<20 {
                let (x, y) = (chance[1000 + number * 10 + point], chance[1010 + number * 10 + point])
                var longitude = west + breadth * x
                if longitude > 180 { longitude -= 360 }
                let square = ZOrder.number(latitude: south + height * y, longitude: longitude)
                #expect(ranges.contains { $0.contains(square) }, "\(box)")
            }
        }
        let world = ZOrder.ranges(Self.world)
        #expect(world.first?.lowerBound == 0 && world.last?.upperBound == 1 << 40 - 1)
        // A street in a town: what is read beside it is about as large as it is.
        let street = MapBox(west: 8.70, south: 52.10, east: 8.72, north: 52.11)
        let read = ZOrder.ranges(street).reduce(0) { $0 + $1.upperBound - $1.lowerBound + 1 }
        let corners = [(street.north, street.west), (street.south, street.east)].map {
            MapCell(latitude: $0.0, longitude: $0.1, level: ZOrder.level)
        }
        let wanted = (corners[1].y - corners[0].y + 1) * (corners[1].x - corners[0].x + 1)
        #expect(Int(read) >= wanted && Int(read) < 2 * wanted)
    }

    @Test func placesAndSquaresFitEachOther() {
        for (latitude, longitude) in [
            (0.0, 0.0), (52.1, 8.7), (-33.9, 151.2), (84.9, -179.9), (-84.9, 179.9),
        ] {
            let point = Mercator.point(latitude: latitude, longitude: longitude)
            #expect(abs(Mercator.latitude(y: point.y) - latitude) < 1e-9)
            #expect(abs(Mercator.longitude(x: point.x) - longitude) < 1e-9)
            for level in 0...MapCell.deepestLevel {
                let cell = MapCell(latitude: latitude, longitude: longitude).at(level)
                let box = MapBox(west: longitude, south: latitude, east: longitude, north: latitude)
                #expect(CellRange(box, level: level).contains(cell))
                #expect(CellRange(box, level: level).count == 1)
            }
        }
        // Beyond the map, and where it begins and ends.
        #expect(MapCell(latitude: 90, longitude: 180) == MapCell(level: 16, y: 0, x: 65_535))
        #expect(MapCell(latitude: -90, longitude: -180) == MapCell(level: 16, y: 65_535, x: 0))
    }
}
