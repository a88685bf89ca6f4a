// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB
import Testing

@testable import CompanionStore

@Suite("Places that become known later")
struct PlaceTests {
    private func place(
        _ id: Int64, _ latitude: Double = 52.5, received: Int64? = nil, age: Int64 = -12_000
    ) throws -> LatePlace {
        LatePlace(
            id: id, received: Timestamp(milliseconds: received ?? 1000 + id),
            position: try #require(Position(latitude: latitude, longitude: 13.4)),
            fix: try #require(FixDetails(source: .receiver, age: age, accuracy: 4, altitude: 30)))
    }

    @Test func aPlaceIsFilledInAndMarkedSo() async throws {
        let store = try DetectionDatabase()
        let saved = try await store.save([
            .sample(1, rssi: -70), .sample(2, rssi: -50), .sample(3, at: (1, 2)),
        ])
        let source = try #require(saved[0].source)
        let before = try await store.state()
        let placed = try await store.fill([place(2, 52.6), place(1)])
        #expect(placed.map(\.place.id) == [1, 2] && placed.allSatisfy { $0.source == source })
        let record = try #require(try await store.record(id: 1))
        #expect(record.sighting.position == Position(latitude: 52.5, longitude: 13.4))
        #expect(
            record.sighting.fix == FixDetails(source: .receiver, age: -12_000, accuracy: 4, altitude: 30))
        #expect(record.sighting.fix?.wasFilledIn == true)
        // Where it was strongest, which is the second one now.
        let known = try #require(try await store.source(id: source))
        #expect(known.strongestPlace?.position.latitude == 52.6 && known.strongestPlace?.rssi == -50)
        #expect(known.count == 3)
        let after = try await store.state()
        #expect(after.places == before.places + 1 && after.lastDetection == before.lastDetection)
        // Where it stands is judged again.
        try await store.mapAll()
        let standing = try await store.connections.read {
            try Int64.fetchAll($0, sql: "SELECT id FROM source WHERE square IS NOT NULL")
        }
        #expect(standing == [source])
    }

    @Test(arguments: [false, true])
    func itIsFoundOnTheMapWhetherDerivedBeforeOrAfter(isDerived: Bool) async throws {
        let store = try DetectionDatabase()
        _ = try await store.save([.sample(1), .sample(2, at: (1, 2))])
        if isDerived { try await store.deriveAll() }
        _ = try await store.fill([place(1)])
        var box = DetectionFilter()
        box.box = MapBox(west: 13, south: 52, east: 14, north: 53)
        #expect(try await store.records(matching: box).map(\.id) == [1])
        try await store.deriveAll()
        #expect(try await store.records(matching: box).map(\.id) == [1])
        #expect(try await store.derivedTablesFit())
        let sightings = try await store.connections.read {
            try Int.fetchOne($0, sql: "SELECT SUM(sightings) FROM cell WHERE level = 0")
        }
        #expect(sightings == 2)
    }

    @Test func whatHasAPlaceOrIsGoneStaysAsItIs() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save([.sample(1, at: (1, 2)), .sample(2), .sample(3)])
        _ = try await store.discard(ids: [2], at: Timestamp(milliseconds: 0))
        let before = try await store.state()
        // The last is another detection with its number, as after a restored copy.
        let places = [try place(1), try place(2), try place(3, received: 7), try place(99)]
        #expect(try await store.fill(places).isEmpty)
        #expect(try await store.state() == before)
        #expect(try await store.record(id: 1)?.sighting.position?.latitude == 1)
        #expect(try await store.record(id: 3)?.sighting.position == nil)
    }
}

@Suite("Drives that are kept")
struct DriveTests {
    private func points(_ range: Range<Int>, longitude: Double = 13) -> [DrivePoint] {
        range.map { number in
            DrivePoint(
                time: Int64(number) * 1000, latitude: Double(number) * 0.0001, longitude: longitude,
                altitude: 30, accuracy: 4, speed: number == 0 ? nil : 11)
        }
    }

    private func piece(
        _ range: Range<Int>, of drive: Int64? = nil, longitude: Double = 13
    ) -> DrivePiece {
        DrivePiece(
            drive: drive, source: .receiver, points: points(range, longitude: longitude),
            metres: Double(range.upperBound) * 11.1)
    }

    @Test func aDriveIsStoredWhileItGoesOn() async throws {
        let store = try DetectionDatabase()
        let first = try await store.save(piece(0..<10))
        #expect((first.begin.milliseconds, first.end.milliseconds, first.source) == (0, 9000, .receiver))
        let again = try await store.save(piece(10..<20, of: first.id))
        #expect(again.id == first.id && again.end.milliseconds == 19_000 && again.metres == 222)
        let (drive, stored) = try #require(try await store.drive(id: first.id))
        #expect(drive == again && stored == points(0..<20))
        #expect(try await store.state().drives == 1)
        // One that was deleted meanwhile begins anew.
        #expect(try await store.deleteDrives([first.id, 99]) == [first.id])
        let other = try await store.save(piece(20..<30, of: first.id))
        #expect(other.id != first.id && other.begin.milliseconds == 20_000)
        #expect(try await store.drive(id: first.id) == nil)
    }

    @Test func sourcesOfADriveAreNewOrKnown() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save([
            .sample(ssid: "old", received: 4000), .sample(ssid: "old", received: 11_000),
            .sample(ssid: "new", received: 12_000), .sample(ssid: "new", received: 13_000),
            .sample(ssid: "gone", received: 14_000), .sample(ssid: "later", received: 90_000),
        ])
        _ = try await store.discard(ids: [5], at: Timestamp(milliseconds: 0))
        let drive = try await store.save(piece(10..<20))
        #expect((drive.newSources, drive.knownSources) == (1, 1))
    }

    @Test func drivesAreListedByTimeAndDeletedByAge() async throws {
        let store = try DetectionDatabase()
        for begin in [30, 10, 50, 20, 40] { _ = try await store.save(piece(begin..<begin + 5)) }
        let all = try await store.drives()
        #expect(all.map { $0.begin.milliseconds } == [50_000, 40_000, 30_000, 20_000, 10_000])
        #expect(try await store.drives(after: all[1], limit: 2) == Array(all[2...3]))
        let gone = try await store.deleteDrives(endedBefore: Timestamp(milliseconds: 34_001))
        #expect(gone == [1, 2, 4])
        #expect(try await store.drives().count == 2)
        let left = try await store.connections.read {
            try Int.fetchOne($0, sql: "SELECT COUNT(DISTINCT drive) FROM drive_point")
        }
        #expect(left == 2)
    }

    private let world = MapBox(west: -180, south: -90, east: 180, north: 90)

    @Test func waysAreAsFineAsTheyCanBeSeen() async throws {
        let store = try DetectionDatabase()
        // North, then a step of some metres to the east, then on.
        let straight = points(0..<500) + points(500..<1000, longitude: 13.0003)
        let older = try await store.save(DrivePiece(source: .track, points: straight, metres: 11_000))
        let newer = try await store.save(piece(2000..<2010))
        var routes = try await store.routes(in: world, zoom: 10)
        #expect(routes.map(\.drive.id) == [older.id, newer.id])
        #expect(routes[0].points.count == 2)
        routes = try await store.routes(in: world, zoom: 19)
        #expect(routes[0].points.count == 4)
        #expect(routes[0].points.first == Position(latitude: 0, longitude: 13))
    }

    @Test func onlyWhatIsInThePartIsThere() async throws {
        let store = try DetectionDatabase()
        // Out of the part and back into it.
        let back = points(100..<200).enumerated().map { index, point in
            var point = point
            point.latitude = Double(99 - index) * 0.0001
            return point
        }
        _ = try await store.save(DrivePiece(source: .receiver, points: points(0..<100) + back, metres: 1))
        let part = MapBox(west: 12.9, south: -1, east: 13.1, north: 0.00205)
        let routes = try await store.routes(in: part, zoom: 20)
        #expect(routes.count == 2)
        #expect(routes.allSatisfy { $0.points.allSatisfy { $0.latitude < 0.0023 } })
        let elsewhere = MapBox(west: 14, south: -1, east: 15, north: 1)
        #expect(try await store.routes(in: elsewhere, zoom: 20).isEmpty)
    }

    @Test func theDateLineIsNoEdge() async throws {
        let store = try DetectionDatabase()
        let across = [179.99, 179.995, -179.999, -179.99].enumerated().map { index, longitude in
            DrivePoint(time: Int64(index), latitude: 0.01 * Double(index * index), longitude: longitude)
        }
        _ = try await store.save(DrivePiece(source: .receiver, points: across, metres: 1))
        let part = MapBox(west: 179, south: -1, east: -179, north: 1)
        let routes = try await store.routes(in: part, zoom: 20)
        #expect(routes.count == 1 && routes[0].points.count == 4)
        let east = MapBox(west: 178, south: -1, east: 179, north: 1)
        #expect(try await store.routes(in: east, zoom: 20).isEmpty)
    }

    @Test func aDriveThatIsSmallOnTheMapIsNotReadPointByPoint() async throws {
        let store = try DetectionDatabase()
        // 44 km to the north.
        let long = try await store.save(
            DrivePiece(source: .receiver, points: points(0..<4000), metres: 44_000))
        let read = { (zoom: Double) in
            try await store.read { database in
                var unread = 100_000
                let points = try DetectionDatabase.points(
                    of: long, in: self.world, zoom: zoom, &unread, database, UnusableRows())
                return (points, unread)
            }
        }
        let (few, left) = try await read(8)
        #expect(few.count < 200 && left > 99_000)
        #expect(few.first?.time == 0 && few.last?.time == points(0..<4000).last?.time)
        #expect(few.map(\.time) == few.map(\.time).sorted())
        let (all, rest) = try await read(16)
        #expect(all == points(0..<4000) && rest == 96_000)
        // Nobody can tell the one from the other.
        let routes = try await store.routes(in: world, zoom: 8)
        #expect(routes.map(\.points.count) == [2])
    }

    @Test func thereAreNeverTooManyPoints() async throws {
        let store = try DetectionDatabase()
        let zigzag = (0..<1000).map { number in
            DrivePoint(
                time: Int64(number), latitude: Double(number) * 0.0001,
                longitude: 13 + (number.isMultiple(of: 2) ? 0 : 0.001))
        }
        for _ in 0..<3 { _ = try await store.save(DrivePiece(source: .receiver, points: zigzag, metres: 1)) }
        let two = try await store.routes(in: world, zoom: 18, limit: 2500)
        #expect(two.map(\.drive.id) == [2, 3] && two.allSatisfy { $0.points.count == 1000 })
        let coarse = try await store.routes(in: world, zoom: 18, limit: 100)
        #expect(coarse.map(\.drive.id) == [3] && (2...100).contains(coarse[0].points.count))
    }
}
