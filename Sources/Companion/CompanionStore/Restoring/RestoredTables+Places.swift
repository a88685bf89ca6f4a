// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB

/// Drives, what others know, saved devices and bonds.
extension RestoredTables {
    private static let latitudes = -90.0...90.0
    private static let longitudes = -180.0...180.0
    /// Octets of a name or a reference.
    private static let longestName = 2000
    /// Rows that are shown all at once, or kept in memory: far more than anybody has.
    private static let mostBonds = 1000
    private static let mostSets = 1000
    private static let mostDrives = 100_000
    /// Seconds of a drive apart, eleven days and a half of them.
    static let mostPointsOfDrive = 1_000_000
    /// Days of a drive: what lies in it is counted whenever drives are listed.
    private static let longestDrive = 31

    func readDrives() throws {
        let insert = try target.makeStatement(
            sql: """
                INSERT INTO drive (id, "begin", "end", metres, fix_source, south, north, west, east)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let columns = [
            "id", #""begin""#, #""end""#, "metres", "fix_source", "south", "north", "west", "east",
        ]
        try each("drive", columns, atMost: Self.mostDrives) { row in
            let (begin, end) = (try row.time(1).milliseconds, try row.time(2).milliseconds)
            guard (0...Int64(Self.longestDrive) * 86_400_000).contains(end - begin) else {
                throw BadValue("a drive of more than \(Self.longestDrive) days")
            }
            try insert.execute(arguments: [
                try row.integer(0, in: UntrustedRow.numbers), begin, end,
                try row.real(3, in: 0...1e12), try row.text(4, atMost: 100),
                try row.real(5, in: Self.latitudes),
                try row.real(6, in: Self.latitudes), try row.real(7, in: Self.longitudes),
                try row.real(8, in: Self.longitudes),
            ])
        }
        let point = try target.makeStatement(
            sql: """
                INSERT INTO drive_point (drive, time, latitude, longitude, altitude, accuracy, speed)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM drive WHERE id = ?1)
                """)
        var points: [Int64: Int] = [:]
        let columnsOfPoint = ["drive", "time", "latitude", "longitude", "altitude", "accuracy", "speed"]
        try each("drive_point", columnsOfPoint) { row in
            let drive = try row.integer(0, in: UntrustedRow.numbers)
            try point.execute(arguments: [
                drive, try row.time(1).milliseconds, try row.real(2, in: Self.latitudes),
                try row.real(3, in: Self.longitudes), try row.realIfAny(4), try row.realIfAny(5),
                try row.realIfAny(6),
            ])
            guard target.changesCount > 0 else { return }
            points[drive, default: 0] += 1
            guard points[drive, default: 0] <= Self.mostPointsOfDrive else {
                throw BadValue("a drive of more than \(Self.mostPointsOfDrive) points")
            }
        }
    }

    func readKnown() throws {
        let set = try target.makeStatement(
            sql: "INSERT INTO known_set (id, name, origin, version, imported) VALUES (?, ?, ?, ?, ?)")
        try each("known_set", ["id", "name", "origin", "version", "imported"], atMost: Self.mostSets) { row in
            try set.execute(arguments: [
                try row.integer(0, in: UntrustedRow.numbers), try row.text(1, atMost: Self.longestName),
                try row.text(2, atMost: Self.longestName),
                try row.text(3, atMost: Self.longestName), try row.time(4).milliseconds,
            ])
        }
        let camera = try target.makeStatement(
            sql: """
                INSERT INTO known_camera (id, known_set, reference, name, latitude, longitude, direction, tags)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE EXISTS (SELECT 1 FROM known_set WHERE id = ?2)
                """)
        let area = try target.makeStatement(
            sql: "INSERT INTO known_camera_area (id, south, north, west, east) VALUES (?1, ?2, ?2, ?3, ?3)")
        let columns = ["id", "known_set", "reference", "name", "latitude", "longitude", "direction", "tags"]
        var cameras: [Int64: Int] = [:]
        try each("known_camera", columns) { row in
            let (latitude, longitude) = (
                try row.real(4, in: Self.latitudes), try row.real(5, in: Self.longitudes)
            )
            let id = try row.integer(0, in: UntrustedRow.numbers)
            let set = try row.integer(1, in: UntrustedRow.numbers)
            try camera.execute(arguments: [
                id, set, try row.text(2, atMost: Self.longestName),
                try row.text(3, atMost: Self.longestName), latitude, longitude,
                try row.realIfAny(6, in: 0...360),
                try row.json(7, atMost: Self.longestText),
            ])
            guard target.changesCount > 0 else { return }
            cameras[set, default: 0] += 1
            guard cameras[set, default: 0] <= KnownCameraFile.limit else {
                throw BadValue("a set of more than \(KnownCameraFile.limit) cameras")
            }
            try area.execute(arguments: [id, latitude, longitude])
        }
    }

    func readSavedDevices() throws {
        let insert = try target.makeStatement(
            sql: """
                INSERT INTO saved_device (id, name, saved, address, address_kind, device_name, services, characteristics,
                    readings, file) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let columns = [
            "id", "name", "saved", "address", "address_kind", "device_name", "services", "characteristics",
            "readings",
            "file",
        ]
        try each("saved_device", columns, atMost: SavedDeviceEntry.limit) { row in
            try insert.execute(arguments: [
                try row.integer(0, in: UntrustedRow.numbers), try row.text(1, atMost: Self.longestName),
                try row.time(2).milliseconds,
                try row.textIfAny(3, atMost: 100), try row.textIfAny(4, atMost: 100),
                try row.textIfAny(5, atMost: Self.longestName), try row.integer(6), try row.integer(7),
                try row.integer(8), try row.json(9, atMost: SavedDeviceEntry.longestFile),
            ])
        }
    }

    func readBonds() throws {
        try each("bond", ["adapter", "identity", "sealed"], atMost: Self.mostBonds) { row in
            let bond = SealedBond(
                adapter: try row.text(0, atMost: 100), identity: try row.text(1, atMost: 100),
                octets: try row.octets(2, atMost: 4096))
            try DetectionDatabase.keep(bond, target)
        }
    }
}
