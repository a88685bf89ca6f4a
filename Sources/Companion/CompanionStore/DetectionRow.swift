// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import GRDB

/// The table of detections: which column holds what.
enum DetectionRow {
    /// The columns of a query, in the order that ``record(_:)`` reads; it joins the source, also where there is none.
    static let columns = columns(
        ofSource: "IIF(source.id IS NULL, \(withoutSource), mark), note, first_seen")
    /// The same with nothing of the source, which need not be looked up then.
    static let ownColumns = columns(ofSource: "NULL, NULL, NULL")

    /// What stands for the mark of a source that is missing.
    private static let withoutSource = "missing"

    private static func columns(ofSource three: SQL) -> SQL {
        """
        detection.id, received, detection.type, detection.label, detection.mac, detection.ssid, rssi, confidence, \
        device_time, device_uptime, detection.latitude, detection.longitude, speed, heading, activity, extra, raw, \
        device, source_id, detection.key, \(three), fix_source, fix_age, accuracy, altitude
        """
    }

    /// Reads a row that has the ``columns``.
    ///
    /// - Throws: ``BadValue`` where a value is none that ``insert(_:key:id:into:)`` would have written.
    static func record(_ row: Row) throws -> DetectionRecord { try row.named("detection", checkedRecord) }

    private static func checkedRecord(_ row: Row) throws -> DetectionRecord {
        let text = { (index: Int) in (row.stored(index) as StoredText?)?.text }
        let position = row.position(10)
        let unix = (row.stored(8) as Int64?).map { Detection.DeviceTime.unix(seconds: $0) }
        let uptime = (row.stored(9) as Int64?).map { Detection.DeviceTime.uptime(milliseconds: $0) }
        let sighting = Sighting(
            type: DetectionType(keyword: try row.needed(2, "type")) ?? .unknown, label: text(3) ?? "",
            mac: row.stored(4), ssid: text(5), rssi: Int(try row.number(6, "rssi", in: -127...20)),
            confidence: try row.needed(7, "confidence"), deviceTime: unix ?? uptime,
            received: try row.time(1, "time"), position: position,
            motion: Sighting.Motion(speed: row.stored(12), heading: row.stored(13), activity: text(14)),
            fix: position.flatMap { _ in
                FixDetails(
                    source: (row.stored(23) as String?).flatMap(Fix.Source.init(keyword:)),
                    age: row.stored(24),
                    accuracy: row.stored(25), altitude: row.stored(26))
            },
            extra: try row.needed(15, "extra"), raw: octets(row, 16),
            device: (row.stored(17) as String?).flatMap(address))
        if let fault = sighting.fault { throw BadValue(fault) }
        let mark: String? = row.stored(20)
        guard mark != withoutSource else {
            let number = (row.stored(18) as Int64?).map { " \($0)" } ?? ""
            throw BadValue("its source\(number) is missing")
        }
        return DetectionRecord(
            id: try row.number(0, "number"), sighting: sighting, key: DetectionKey(octets: octets(row, 19)),
            source: row.stored(18),
            // Without a time of its own, its source was seen first now.
            sourceFirstSeen: try? row.time(22, "first time"),
            mark: mark.flatMap(SourceMark.init(rawValue:)) ?? .none, note: row.stored(21) ?? "")
    }

    /// The octets of a column, copied once.
    private static func octets(_ row: Row, _ index: Int) -> [UInt8] {
        // It throws only what the function throws, and the columns are blobs.
        (try? row.withUnsafeData(atIndex: index) { data in data.map { [UInt8]($0) } ?? [] }) ?? []
    }

    /// Adds a row, and counts it for its source.
    ///
    /// - Parameters:
    ///   - sighting: What was seen.
    ///   - key: What names it in every file, where it has come from one; else it gets a new one.
    ///   - id: Its number; `nil` for the next one.
    ///   - database: The database, in a transaction.
    /// - Returns: The record.
    /// - Throws: What GRDB throws.
    static func insert(
        _ sighting: Sighting, key: DetectionKey? = nil, id: Int64? = nil, into database: Database
    ) throws -> DetectionRecord {
        var random = SystemRandomNumberGenerator()
        let key = key ?? DetectionKey(received: sighting.received, using: &random)
        let (source, firstSeen, mark, note) = try SourceRow.count(sighting, database)
        var (unix, uptime): (Int64?, Int64?)
        switch sighting.deviceTime {
        case .unix(let seconds): unix = seconds
        case .uptime(let milliseconds): uptime = milliseconds
        case nil: break
        }
        let fix = sighting.position == nil ? nil : sighting.fix
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO detection (
                    id, received, type, label, mac, ssid, rssi, confidence, device_time, device_uptime, latitude, longitude,
                    speed, heading, activity, extra, raw, device, source_id, key, search, fix_source, fix_age, accuracy, altitude
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            id, sighting.received.milliseconds, sighting.type.keywordString, StoredText(sighting.label),
            sighting.mac,
            sighting.ssid.map(StoredText.init), sighting.rssi, sighting.confidence, unix, uptime,
            sighting.position?.latitude, sighting.position?.longitude, sighting.motion.speed,
            sighting.motion.heading,
            sighting.motion.activity.map(StoredText.init), sighting.extra, Data(sighting.raw),
            sighting.device.map(text), source, Data(key.octets),
            SearchText.make(label: sighting.label, ssid: sighting.ssid, extra: sighting.extra),
            fix?.source?.keyword.description, fix?.age, fix?.accuracy, fix?.altitude,
        ])
        return DetectionRecord(
            id: database.lastInsertedRowID, sighting: sighting, key: key, source: source,
            sourceFirstSeen: firstSeen, mark: mark, note: note)
    }

    /// Adds octets that could not be understood, and drops the oldest beyond ten thousand.
    static func insert(_ failure: ParseFailure, into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO parse_error (received, reason, raw) VALUES (?, ?, ?)")
        try statement.execute(arguments: [
            failure.received.milliseconds, failure.reason.replacing("\u{0}", with: "\\u{0}"),
            Data(failure.raw),
        ])
        let excess = database.lastInsertedRowID - keptFailures
        let cleanUp = try database.cachedStatement(sql: "DELETE FROM parse_error WHERE id <= ?")
        try cleanUp.execute(arguments: [excess])
    }

    static let keptFailures: Int64 = 10_000

    /// An address with its kind: `F0:F1:F2:F3:F4:F5/R`.
    private static func text(_ address: BluetoothAddress) -> String {
        switch address.kind {
        case .public: "\(address)/P"
        case .random: "\(address)/R"
        case .anonymous: "\(address)"
        }
    }

    /// Reads what ``text(_:)`` wrote; this is done for each row, so it takes no detours.
    static func address(_ text: String) -> BluetoothAddress? {
        var value: UInt64 = 0
        for octet in text.utf8.prefix(17) where octet != UInt8(ascii: ":") {
            guard let digit = Character(Unicode.Scalar(octet)).hexDigitValue else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return switch text.utf8.last {
        case UInt8(ascii: "P"): BluetoothAddress(value, kind: .public)
        case UInt8(ascii: "R"): BluetoothAddress(value, kind: .random)
        default: BluetoothAddress(value, kind: .anonymous)
        }
    }
}

/// Text of which every character comes back; GRDB alone ends it at U+0000.
struct StoredText: DatabaseValueConvertible {
    let text: String

    init(_ text: String) { self.text = text }

    var databaseValue: DatabaseValue {
        text.utf8.contains(0) ? Data(text.utf8).databaseValue : text.databaseValue
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> StoredText? {
        switch value.storage {
        case .string(let text): StoredText(text)
        case .blob(let data): StoredText(String(decoding: data, as: UTF8.self))
        default: nil
        }
    }
}
