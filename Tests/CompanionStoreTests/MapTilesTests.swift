// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import GRDB
import HubModel
import Testing

@testable import CompanionStore

@Suite struct MapTilesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    /// A file with one picture at zoom 1 in the north-west, and what else a test wants.
    private func file(_ sql: String = "") throws -> String {
        let path = folder.file("map.mbtiles")
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    INSERT INTO metadata VALUES ('name', 'Town'), ('format', 'png'), ('attribution', '© <b>E</b>'),
                        ('bounds', '8.5, 52, 9,52.5');
                    """)
            try database.execute(
                sql: "INSERT INTO tiles VALUES (1, 0, 1, ?)", arguments: [Data(Self.png)])
            if !sql.isEmpty { try database.execute(sql: sql) }
        }
        try queue.close()
        return path
    }

    @Test func picturesComeByRowsFromTheNorth() async throws {
        let tiles = try await MapTiles.open(
            file("INSERT INTO tiles VALUES (3, 0, 0, x'FFD8FF00'), (3, 1, 0, x'524946460000000057454250')"))
        #expect(
            tiles.description
                == MapFile(
                    name: "Town", minimumZoom: 1, maximumZoom: 3, attribution: "© <b>E</b>",
                    box: .init(west: 8.5, south: 52, east: 9, north: 52.5)))
        let picture = try #require(try await tiles.picture(zoom: 1, x: 0, y: 0))
        #expect(Array(picture.octets) == Self.png && picture.type == "image/png")
        #expect(try await tiles.picture(zoom: 3, x: 0, y: 7)?.type == "image/jpeg")
        #expect(try await tiles.picture(zoom: 3, x: 1, y: 7)?.type == "image/webp")
        for (zoom, x, y) in [(1, 0, 1), (1, 1, 0), (2, 0, 0), (-1, 0, 0), (25, 0, 0), (1, 2, 0), (1, 0, -1)] {
            #expect(try await tiles.picture(zoom: zoom, x: x, y: y) == nil)
        }
    }

    @Test func whatIsNoPictureIsNotServed() async throws {
        let tiles = try await MapTiles.open(
            file(
                """
                INSERT INTO tiles VALUES (2, 0, 3, '<script>'), (2, 1, 3, x''), (2, 2, 3, NULL), (2, 3, 3, 7),
                    (2, 0, 0, zeroblob(3000000))
                """))
        for (x, y) in [(0, 0), (1, 0), (2, 0), (3, 0), (0, 3)] {
            #expect(try await tiles.picture(zoom: 2, x: x, y: y) == nil)
        }
    }

    @Test(arguments: [
        ("UPDATE metadata SET value = 'pbf' WHERE name = 'format'", "only pictures"),
        ("DELETE FROM tiles", "no pictures"), ("UPDATE tiles SET zoom_level = 99", "no pictures"),
        ("UPDATE tiles SET zoom_level = -3", "no pictures"), ("DROP TABLE tiles", "not an MBTiles file"),
        ("DROP TABLE metadata", "not an MBTiles file"),
    ])
    func whatIsNoMapIsRefusedWithAReason(sql: String, reason: String) async throws {
        let path = try file(sql)
        let error = await #expect(throws: StoreError.self) { try await MapTiles.open(path) }
        #expect(error?.description.contains(reason) ?? false, "\(error?.description ?? "")")
        // It is no database that Lantern could have made.
        #expect(error?.description.contains("folder") == false)
        #expect(error?.description.hasSuffix("Choose another MBTiles file.") ?? false)
    }

    /// Finds no end of what stands behind each picture, but for the one of its description.
    private static let endless = """
        ALTER TABLE tiles RENAME TO kept;
        CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row,
            (WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
                SELECT MAX(n) FROM r WHERE n <> zoom_level) AS tile_data FROM kept
        """

    @Test(.timeLimit(.minutes(1))) func aPictureWithoutEndTakesTooLong() async throws {
        let path = try file(Self.endless)
        let patience = Duration.seconds(1)
        let tiles = try await MapTiles.open(path, patience: patience)
        let begin = ContinuousClock.now
        await #expect(throws: StoreError.unfitMap(path: path, reason: "reading it takes too long")) {
            try await tiles.picture(zoom: 1, x: 0, y: 0)
        }
        #expect(ContinuousClock.now - begin >= patience)
    }

    @Test(.timeLimit(.minutes(1))) func whatIsReadEndsAtTheStop() async throws {
        // Nothing but the stop ends it within the time of this test.
        let tiles = try await MapTiles.open(file(Self.endless), patience: .seconds(3600))
        // More than are read at once.
        let asking = (0..<8).map { _ in Task { try await tiles.picture(zoom: 1, x: 0, y: 0) } }
        try await Task.sleep(for: .milliseconds(200))
        tiles.stop()
        for one in asking {
            await #expect(throws: StoreError.cancelled) { try await one.value }
        }
        await #expect(throws: StoreError.cancelled) { try await tiles.picture(zoom: 1, x: 0, y: 0) }
    }

    @Test func metadataThatMakesNoSenseIsPassedOver() async throws {
        let path = try file(
            """
            UPDATE metadata SET value = 'everywhere' WHERE name = 'bounds';
            UPDATE metadata SET value = NULL WHERE name = 'name'; INSERT INTO metadata VALUES (NULL, NULL), (7, x'FF')
            """)
        let tiles = try await MapTiles.open(path)
        #expect(tiles.description.box == nil)
        #expect(tiles.description.name == "map.mbtiles")
    }

    @Test func ofLargeValuesOnlyTheBeginningIsTaken() async throws {
        let path = try file(
            """
            DROP TABLE metadata;
            CREATE VIEW metadata AS
                WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 100)
                SELECT 'attribution' AS name, printf('%.*c', 1000000, 'a') AS value FROM r
            """)
        let tiles = try await MapTiles.open(path)
        #expect(tiles.description.attribution == String(repeating: "a", count: 500))
        #expect(tiles.description.name == "map.mbtiles")
    }

    @Test(.timeLimit(.minutes(1))) func aPipeIsRefused() async throws {
        let path = folder.file("pipe.mbtiles")
        #expect(mkfifo(path, 0o600) == 0)
        await #expect(throws: StoreError.unfitMap(path: path, reason: "it is not a file")) {
            try await MapTiles.open(path)
        }
    }

    @Test func noFileOrAnotherOneIsRefused() async throws {
        let none = folder.file("none")
        await #expect(throws: StoreError.unfitMap(path: none, reason: "there is no such file")) {
            try await MapTiles.open(none)
        }
        let text = folder.file("text")
        try Data("no database, but long enough to be one if anybody looked at its size only".utf8)
            .write(to: URL(fileURLWithPath: text))
        await #expect(throws: StoreError.self) { try await MapTiles.open(text) }
    }
}
