// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB
import Testing

@testable import CompanionStore

extension RestoredCopyTests {
    /// A database with something in each table.
    static func filled(_ path: String, rows: Int = 7) async throws -> DetectionDatabase {
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        let sightings = (0..<rows).map { number in
            let name = "net-\(number % 5)" + (number == 2 ? "\u{0}x" : "")
            let place: (Double, Double)? = number % 2 == 0 ? (52, 13 + Double(number) / 100) : nil
            return Sighting.sample(number, ssid: name, at: place)
        }
        // Together: 5 000 commits would take a disk minutes.
        _ = try await store.save(sightings)
        try await store.save(ParseFailure(received: Timestamp(milliseconds: 1), reason: "none", raw: [1]))
        _ = try await store.mark(source: 1, as: .muted, note: "the neighbour's")
        _ = try await store.discard(ids: [Int64(rows)], at: Timestamp(milliseconds: 9))
        _ = try await store.change(settings: ["theme": "\"dark\"", "units": "\"imperial\""])
        let points = (0..<3).map { DrivePoint(time: Int64(1000 + $0), latitude: 52, longitude: 13) }
        _ = try await store.save(DrivePiece(drive: nil, source: .receiver, points: points, metres: 5))
        let camera = ListedCamera(
            reference: "r", name: "n", position: try #require(Position(latitude: 1, longitude: 2)),
            directions: [],
            tags: "{}")
        let set = ReferenceCameras(
            name: "set", cameras: 1, origin: "o", version: "1", imported: Timestamp(milliseconds: 4))
        _ = try await store.replace(known: set, with: [camera])
        let entry = SavedDeviceEntry(
            id: 0, name: "saved", time: Timestamp(milliseconds: 5), address: nil, addressKind: nil,
            deviceName: nil,
            services: 1, characteristics: 2, values: 3, octets: 2)
        _ = try await store.store(device: entry, file: Array("{}".utf8), limit: 10)
        try await store.keep(SealedBond(adapter: "adapter", identity: "identity", octets: [1, 2]))
        return store
    }

    /// A copy of such a database.
    func copied(rows: Int = 7) async throws -> String {
        let copy = folder.file("copy-\(UUID().uuidString).sqlite")
        let other = try await Self.filled(folder.file("other-\(UUID().uuidString).sqlite"), rows: rows)
        try await other.deriveAll()
        try await other.copy(to: copy)
        try await other.close()
        return copy
    }

    /// Changes a copy as its owner can.
    static func change(_ path: String, _ statements: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.acceptsDoubleQuotedStringLiterals = true
        configuration.prepareDatabase { database in
            for function in [SearchText.function, SourceRow.keyFunction, ZOrder.function] {
                database.add(function: function)
            }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql:
                    """
                    PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
                    PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON
                    """
            )
            // Some are refused by SQLite itself, which is as good.
            try? database.execute(sql: statements)
        }
        try? queue.close()
    }

    static func root(of table: String, in path: String) throws -> Int {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
                ?? 0
        }
    }

    static func edit(_ path: String, _ body: (inout [UInt8], _ pageSize: Int) -> Void) throws {
        var octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        body(&octets, 4096)
        try Data(octets).write(to: URL(fileURLWithPath: path))
    }

    /// Files beside the database that are none of its own.
    static func leftovers(_ folder: Folder) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
            $0.contains("-restored")
        }
    }

    /// Puts a copy back, or not; the store works in any case, with tables of our own.
    func restore(_ copy: String, _ attack: String = "") async throws {
        let before = try await store.count()
        do throws(StoreError) {
            try await store.replaceContent(with: try await store.readCopy(copy))
        } catch {
            // What is refused has changed nothing.
            #expect(!error.description.isEmpty)
            #expect(try await store.count() == before, "\(attack)")
            return
        }
        try await works(attack)
    }

    private static let schema =
        "SELECT group_concat(name || ifnull(sql, ''), char(10)) FROM (SELECT * FROM sqlite_schema ORDER BY name)"
    /// The schema of a database that nobody else has touched.
    private static let ownSchema = Result {
        let own = try DatabaseQueue(
            configuration: DatabaseOpening(path: ":memory:", busyTimeout: 1).configuration)
        try DatabaseMigrator.detections.migrate(own)
        return try own.read { try String.fetchOne($0, sql: schema) }
    }

    /// Uses the store as a hub does.
    func works(_ attack: String = "") async throws {
        let schema = try await store.read { try String.fetchOne($0, sql: Self.schema) }
        #expect(try schema == Self.ownSchema.get(), "\(attack)")
        let count = try await store.count()
        let record = try await store.save(.sample(50, ssid: "after", at: (1, 1)))
        #expect(try await store.count() == count + 1, "\(attack)")
        #expect(try await store.record(id: record.id)?.sighting == record.sighting, "\(attack)")
        #expect(
            try await DetectionDatabase(path: folder.file(), createIfMissing: false).record(id: record.id)
                != nil, "\(attack)")
        _ = try await store.records()
        _ = try await store.sources().map { "\($0)" }
        _ = try await store.sources(matching: DetectionFilter(text: "net"), page: SourcePage())
        _ = try await store.figures()
        _ = try await store.state()
        _ = try await store.change(settings: ["theme": "\"light\""])
        for drive in try await store.drives() { _ = try await store.drive(id: drive.id) }
        _ = try await store.knownSets()
        _ = try await store.savedDevices()
        let box = MapBox(west: -180, south: -90, east: 180, north: 90)
        _ = try await store.map(box, zoom: 3, withHeat: true)
        _ = try await store.routes(in: box, zoom: 3)
        _ = try await store.knownCameras(in: box)
        try await store.deriveAll()
        #expect(try await store.derivedTablesFit(), "\(attack)")
        _ = try await store.delete(ids: [record.id])
        #expect(try await store.count() == count, "\(attack)")
        #expect(
            try await store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"],
            "\(attack)")
    }
}

/// Numbers that are the same in each run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
