// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import GRDB

@testable import CompanionStore

/// A folder of its own that goes when the test ends.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/lantern-store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String = "lantern.sqlite") -> String { path + "/" + name }
}

extension Sighting {
    /// A sighting with what a test cares about.
    static func sample(
        _ number: Int = 0,
        type: DetectionType = .flockSafety,
        ssid: String? = "FLOCK-1",
        mac: String? = nil,
        rssi: Int = -60,
        confidence: Double = 0.9,
        received: Int64? = nil,
        at position: (Double, Double)? = nil,
        extra: String = "{}"
    ) -> Sighting {
        Sighting(
            type: type, label: type.labelString, mac: mac, ssid: ssid, rssi: rssi, confidence: confidence,
            received: Timestamp(milliseconds: received ?? Int64(1000 + number)),
            position: position.flatMap { Position(latitude: $0.0, longitude: $0.1) }, extra: extra,
            raw: Array("{\(number)}".utf8))
    }
}

extension DetectionDatabase {
    /// Brings what is derived up to date, to the last row.
    func deriveAll() async throws {
        try await connections.write { while try DerivedTables.advance($0) > 0 {} }
        try await mapAll()
    }

    /// Brings the map up to date.
    func mapAll() async throws {
        try await connections.write { database in
            while try MapUpkeep.advance(database) > 0 {}
            var lone = LoneSightings()
            while case let judged = try MapUpkeep.judge(database, &lone, until: .now + .seconds(9)).judged,
                !judged.isEmpty
            {
                try MapUpkeep.move(judged, database)
            }
        }
    }

    /// Forgets that anything was derived.
    func underive() async throws {
        try await connections.write { try $0.execute(sql: "UPDATE derived SET up_to = 0") }
    }

    /// Holds what is derived against the rows; what is derived must be up to date.
    func derivedTablesFit() async throws -> Bool {
        try await connections.write { database in
            // Fails when the index does not fit the rows.
            try database.execute(
                sql: "INSERT INTO detection_text (detection_text, rank) VALUES ('integrity-check', 1)")
            let places = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM detection_place")
            let rows = try Int.fetchOne(database, sql: "SELECT COUNT(latitude) FROM detection")
            return places == rows
        }
    }
}

/// Another program that has a file open.
final class OtherProgram: Sendable {
    private let connection: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        // It keeps what it has begun.
        configuration.allowsUnsafeTransactions = true
        // The store may be at the file just now.
        configuration.busyMode = .timeout(5)
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    func execute(_ sql: String) throws {
        try connection.writeWithoutTransaction { try $0.execute(sql: sql) }
    }
}
