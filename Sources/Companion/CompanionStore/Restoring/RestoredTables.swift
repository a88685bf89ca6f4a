// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import GRDB

/// Reads the tables of a copy of any version, and writes each row that may be into a new database.
///
/// Nothing is taken that follows from something else: sums, indexes, the map and what is searched are made anew.
struct RestoredTables {
    let source: UntrustedDatabase
    let target: Database
    let watch: ReadingWatch
    /// The version of the copy: the number of its last step, as in ``DatabaseMigrator/detections``.
    let version: Int
    /// Settings that are not taken.
    let settingsLeftOut: Set<String>
    /// Told of what is left out.
    let unusable: UnusableRows

    /// Octets of the longest text of a row.
    static let longestText = Sighting.longestText
    /// Rows between two looks whether to go on.
    private static let rowsOfLook = 500

    /// Reads all there is.
    ///
    /// - Throws: ``StoreError``.
    func read() throws {
        try withoutIndexes {
            if version >= 3 { try readSources() }
            try readDetections()
        }
        if version >= 3 {
            try readDeleted()
            try readSourcesAgain()
            try readSettings()
            try readRevisions()
        }
        try readFailures()
        if version >= 4 {
            try readDrives()
            try readKnown()
        }
        if version >= 7 { try readSavedDevices() }
        if version >= 8 { try readBonds() }
        try readSequences()
    }

    // MARK: Tables

    private func readSources() throws {
        let insert = try target.makeStatement(
            sql: """
                INSERT INTO source (id, key, mac, ssid, type, label, first_seen, last_seen, count, strongest, mark, note,
                    revision) VALUES (?, ?, ?, ?, ?, ?, \(Int64.max), \(Int64.min), 0, -127, ?, ?, ?)
                """)
        try each("source", ["id", "mac", "ssid", "type", "label", "mark", "note", "revision"]) { row in
            let type = try Self.type(row, 3)
            let label = try row.storedText(4, atMost: Self.longestText)
            let mac = try Self.mac(row, 1)
            let ssid = try row.storedTextIfAny(2, atMost: Self.longestText)
            guard let mark = SourceMark(rawValue: try row.text(5, atMost: 20)) else {
                throw BadValue("its mark is unknown")
            }
            let key = DetectionSource.key(type: type.keywordString, label: label, mac: mac, ssid: ssid)
            try insert.execute(arguments: [
                try row.integer(0, in: UntrustedRow.numbers), StoredText(key), mac, ssid.map(StoredText.init),
                type.keywordString,
                StoredText(label), mark.rawValue, try row.text(6, atMost: SourceMark.longestNote),
                try row.integer(7, in: UntrustedRow.counted),
            ])
        }
    }

    /// Sources without a detection keep what the copy says of them; those with one have it from these.
    private func readSourcesAgain() throws {
        let update = try target.makeStatement(
            sql:
                "UPDATE source SET first_seen = ?, last_seen = ?, strongest = ? WHERE id = ? AND first_seen > last_seen"
        )
        try each("source", ["id", "first_seen", "last_seen", "strongest"]) { row in
            let (first, last) = (try row.time(1), try row.time(2))
            guard first <= last else { throw BadValue("it was seen last before it was seen first") }
            try update.execute(arguments: [
                first.milliseconds, last.milliseconds, try row.integer(3, in: -127...20),
                try row.integer(0, in: UntrustedRow.numbers),
            ])
        }
    }

    private func readDetections() throws {
        var columns = [
            "id", "received", "type", "label", "mac", "ssid", "rssi", "confidence", "device_time",
            "device_uptime",
            "latitude", "longitude", "speed", "heading", "activity", "extra", "raw", "device",
        ]
        columns += version >= 3 ? ["key"] : ["NULL AS key"]
        columns += ["fix_source", "fix_age", "accuracy", "altitude"].map {
            version >= 4 ? $0 : "NULL AS \($0)"
        }
        try each("detection", columns) { row in
            let sighting = try sighting(row)
            var key: DetectionKey?
            if !row.isNull(18) {
                key = DetectionKey(octets: try row.octets(18, atMost: 16))
                guard key != nil else { throw BadValue("its key has not 16 octets") }
            }
            if let fault = sighting.fault { throw BadValue(fault) }
            _ = try DetectionRow.insert(
                sighting, key: key, id: try row.integer(0, in: UntrustedRow.numbers), into: target)
        }
    }

    private func sighting(_ row: borrowing UntrustedRow) throws -> Sighting {
        var position: Position?
        if !row.isNull(10) || !row.isNull(11) {
            position = Position(latitude: try row.real(10), longitude: try row.real(11))
            guard position != nil else { throw BadValue("its place is none on Earth") }
        }
        let unix = try row.integerIfAny(8, in: -UntrustedRow.usual.upperBound...UntrustedRow.usual.upperBound)
        let uptime = try row.integerIfAny(
            9, in: -UntrustedRow.usual.upperBound...UntrustedRow.usual.upperBound)
        let fixSource = try row.textIfAny(19, atMost: 100).flatMap(Fix.Source.init(keyword:))
        let fix = FixDetails(
            source: fixSource,
            age: try row.integerIfAny(20, in: -UntrustedRow.usual.upperBound...UntrustedRow.usual.upperBound),
            accuracy: try row.realIfAny(21), altitude: try row.realIfAny(22))
        return Sighting(
            type: try Self.type(row, 2), label: try row.storedText(3, atMost: Self.longestText),
            mac: try Self.mac(row, 4), ssid: try row.storedTextIfAny(5, atMost: Self.longestText),
            rssi: Int(try row.integer(6, in: -127...20)), confidence: try row.real(7, in: 0...1),
            deviceTime: unix.map { .unix(seconds: $0) } ?? uptime.map { .uptime(milliseconds: $0) },
            received: try row.time(1), position: position,
            motion: Sighting.Motion(
                speed: try row.realIfAny(12), heading: try row.realIfAny(13),
                activity: try row.storedTextIfAny(14, atMost: 1000)),
            fix: position == nil ? nil : fix, extra: try row.text(15, atMost: Self.longestText),
            raw: try row.octets(16, atMost: Self.longestText),
            device: try row.textIfAny(17, atMost: 100).flatMap(DetectionRow.address))
    }

    private static func type(_ row: borrowing UntrustedRow, _ index: CInt) throws -> DetectionType {
        DetectionType(keyword: try row.text(index, atMost: 100)) ?? .unknown
    }

    private static func mac(_ row: borrowing UntrustedRow, _ index: CInt) throws -> String? {
        let mac = try row.textIfAny(index, atMost: 17)
        if let mac, !Sighting.isAddress(mac) { throw BadValue("its address is none") }
        return mac
    }

    private func readDeleted() throws {
        let insert = try target.makeStatement(
            sql: """
                INSERT INTO deleted (id, deletion, at) SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM detection WHERE id = ?1)
                """)
        var piece: [Int64] = []
        let take = { (target: Database) in
            try SourceRow.count(piece, by: -1, target)
            piece = []
        }
        try each("deleted", ["id", "deletion", "at"]) { row in
            let id = try row.integer(0, in: UntrustedRow.numbers)
            try insert.execute(arguments: [
                id, try row.integer(1, in: UntrustedRow.counted), try row.integer(2, in: Timestamp.storable),
            ])
            if target.changesCount > 0 { piece.append(id) }
            if piece.count == 2000 { try take(target) }
        }
        if !piece.isEmpty { try take(target) }
        while try SourceRow.refresh(target) { try watch.check() }
    }

    private func readSettings() throws {
        let insert = try target.makeStatement(sql: "INSERT INTO setting (name, value) VALUES (?, ?)")
        let limit = DetectionDatabase.settingLimits.octets
        var settings = RestoredSettings()
        try each("setting", ["name", "value"]) { row in
            let name = try row.text(0, atMost: limit)
            let value = try row.text(1, atMost: limit)
            guard !settingsLeftOut.contains(name), let taken = try settings.take(name, value) else { return }
            try insert.execute(arguments: [name, taken])
        }
        guard settings.leftOut > 0 else { return }
        unusable.say(
            "\(settings.leftOut) settings of the copy are none that a hub has, or more of a kind than it keeps, and were left out."
        )
    }

    private func readRevisions() throws {
        let update = try target.makeStatement(sql: "UPDATE revision SET number = ? WHERE name = ?")
        try each("revision", ["name", "number"]) { row in
            let number = try row.integer(1, in: UntrustedRow.counted)
            try update.execute(arguments: [number, try row.text(0, atMost: 100)])
        }
    }

    private func readFailures() throws {
        try each("parse_error", ["received", "reason", "raw"]) { row in
            let failure = ParseFailure(
                received: try row.time(0), reason: try row.text(1, atMost: Self.longestText),
                raw: try row.octets(2, atMost: Self.longestText))
            try DetectionRow.insert(failure, into: target)
        }
    }

    private func readSequences() throws {
        let update = try target.makeStatement(
            sql: "UPDATE sqlite_sequence SET seq = MAX(seq, ?1) WHERE name = ?2")
        let insert = try target.makeStatement(
            sql: """
                INSERT INTO sqlite_sequence (name, seq) SELECT ?2, ?1
                WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?2)
                """)
        let tables = [
            "detection", "source", "parse_error", "drive", "known_set", "known_camera", "saved_device",
            "bond",
        ]
        try each("sqlite_sequence", ["name", "seq"]) { row in
            let name = try row.text(0, atMost: 100)
            guard tables.contains(name) else { return }
            // Beyond that there would soon be no number left.
            let last = try row.integer(1, in: UntrustedRow.counted)
            for statement in [update, insert] { try statement.execute(arguments: [last, name]) }
        }
    }

    // MARK: Parts

    /// Writes rows while the tables have only those indexes that this needs: to make the others once costs less.
    private func withoutIndexes(_ body: () throws -> Void) throws {
        let names = [
            "detection_by_time", "detection_by_type", "detection_by_source", "detection_by_key",
            "source_by_time",
        ]
        var statements: [String] = []
        for name in names {
            statements += try String.fetchAll(
                target, sql: "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?",
                arguments: [name])
            // The names are those above.
            try target.execute(sql: "DROP INDEX \(name)")
        }
        try body()
        do {
            for statement in statements { try target.execute(sql: statement) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw StoreError.unfit(reason: "two of its detections have the same key")
        }
    }

    /// Reads a table row by row; one that may not be ends all with what is wrong with it.
    func each(
        _ table: String, _ columns: [String], atMost limit: Int = .max,
        _ body: (borrowing UntrustedRow) throws -> Void
    ) throws {
        let known = try source.columns(of: table)
        let wanted = columns.filter { !$0.contains(" ") }
        guard known.isSuperset(of: wanted.map { $0.replacing("\"", with: "") }) else {
            throw StoreError.unfit(reason: "it has no table \(table) as Lantern has made it")
        }
        if table != "sqlite_sequence" { try source.check(table) }
        var number = 0
        let rows = try source.rows(of: table)
        try source.each("SELECT \(columns.joined(separator: ", ")) FROM \(rows)") { row in
            number += 1
            if number % Self.rowsOfLook == 0 { try watch.check() }
            guard number <= limit else {
                throw StoreError.unfit(reason: "its table \(table) has more than \(limit) rows")
            }
            do {
                try body(row)
            } catch let bad as BadValue {
                throw StoreError.unfit(reason: "row \(number) of its table \(table) cannot be: \(bad.reason)")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw StoreError.unfit(
                    reason:
                        "row \(number) of its table \(table) breaks a rule: \(error.message ?? "\(error)")")
            }
        }
    }
}
