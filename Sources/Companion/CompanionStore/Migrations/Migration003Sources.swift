// SPDX-License-Identifier: Apache-2.0

import Detections
import GRDB

extension DatabaseMigrator {
    /// Sources, keys, the text that is searched, deletions that can be taken back, and settings.
    ///
    /// `detection` is written anew with three columns more: `source_id`, `key` (16 octets, ``DetectionKey``) and `search`
    /// (``SearchText``), of which alone `detection_text` is an index now; MAC addresses are found through `source`. The
    /// index holds which row has which three characters and nothing more (`detail`): where they stand is looked up in
    /// the row.
    ///
    /// A source's `count`, times and strengths follow its rows; where `stale` is set, all but the count are to be read
    /// from them again. A row in `deleted` is gone for all who ask, until its deletion is undone or purged.
    mutating func registerSources(progress: @escaping @Sendable (MigrationProgress) -> Void) {
        registerMigration("003 sources") { database in
            try database.execute(sql: Self.newTables)
            let total = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM detection") ?? 0
            try database.execute(sql: Self.sourcesOfRows)
            try Self.copyRows(database, total, progress)
            try database.execute(sql: Self.exchange)
            // Parts of the text index are merged when there are eight of a size; with four, the default, each row is
            // rewritten more often.
            try database.execute(
                sql: "INSERT INTO detection_text (detection_text, rank) VALUES ('automerge', 8)")
            try Self.derive(database, total, progress)
        }
    }

    private static let newTables = """
        CREATE TABLE source (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            key ANY NOT NULL UNIQUE CHECK (typeof(key) IN ('text', 'blob')),
            mac TEXT,
            ssid ANY CHECK (typeof(ssid) IN ('text', 'blob', 'null')),
            type TEXT NOT NULL CHECK (type <> ''),
            label ANY NOT NULL CHECK (typeof(label) IN ('text', 'blob')),
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL,
            count INTEGER NOT NULL CHECK (count >= 0),
            strongest INTEGER NOT NULL,
            place_rssi INTEGER,
            latitude REAL,
            longitude REAL,
            stale INTEGER NOT NULL DEFAULT 0,
            mark TEXT NOT NULL DEFAULT 'none' CHECK (mark IN ('none', 'mine', 'muted', 'false_alarm')),
            note TEXT NOT NULL DEFAULT '',
            revision INTEGER NOT NULL DEFAULT 0,
            CHECK ((place_rssi IS NULL) = (latitude IS NULL) AND (latitude IS NULL) = (longitude IS NULL))
        ) STRICT;
        CREATE INDEX source_by_mac ON source (mac) WHERE mac IS NOT NULL;
        CREATE INDEX source_by_time ON source (last_seen);
        CREATE INDEX source_by_mark ON source (mark) WHERE mark <> 'none';
        CREATE INDEX source_that_is_stale ON source (id) WHERE stale;
        CREATE TABLE deleted (
            id INTEGER PRIMARY KEY,
            deletion INTEGER NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX deleted_by_deletion ON deleted (deletion);
        CREATE INDEX deleted_by_time ON deleted (at);
        CREATE TABLE setting (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL CHECK (json_valid(value))
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE revision (name TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO revision VALUES ('deletions', 0), ('marks', 0), ('settings', 0);
        CREATE TABLE detection_with_source (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            received INTEGER NOT NULL,
            type TEXT NOT NULL CHECK (type <> ''),
            label ANY NOT NULL CHECK (typeof(label) IN ('text', 'blob')),
            mac TEXT CHECK (length(mac) = 17 AND mac NOT GLOB '*[^0-9A-F:]*'),
            ssid ANY CHECK (typeof(ssid) IN ('text', 'blob', 'null')),
            rssi INTEGER NOT NULL CHECK (rssi BETWEEN -127 AND 20),
            confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
            device_time INTEGER,
            device_uptime INTEGER,
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            speed REAL CHECK (speed >= 0),
            heading REAL CHECK (heading BETWEEN 0 AND 360),
            activity ANY CHECK (typeof(activity) IN ('text', 'blob', 'null')),
            extra TEXT NOT NULL CHECK (CASE WHEN json_valid(extra) THEN json_type(extra) = 'object' ELSE FALSE END),
            raw BLOB NOT NULL,
            device TEXT,
            source_id INTEGER NOT NULL,
            key BLOB NOT NULL CHECK (length(key) = 16),
            search TEXT NOT NULL,
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK (device_time IS NULL OR device_uptime IS NULL)
        ) STRICT;
        """

    // Where a query has one MAX and no MIN, SQLite takes the other columns from the row that has it.
    private static let sourcesOfRows = """
        INSERT INTO source (key, mac, ssid, type, label, first_seen, last_seen, count, strongest)
        SELECT source_key(type, label, mac, ssid) AS told_by, mac, CASE WHEN mac IS NULL THEN ssid END, type, label,
            received, MAX(received), COUNT(*), -127
        FROM detection GROUP BY told_by;
        UPDATE source SET first_seen = found.first, strongest = found.strongest FROM (
            SELECT source_key(type, label, mac, ssid) AS told_by, MIN(received) AS first, MAX(rssi) AS strongest
            FROM detection GROUP BY told_by
        ) AS found WHERE source.key = found.told_by;
        UPDATE source SET place_rssi = found.rssi, latitude = found.latitude, longitude = found.longitude FROM (
            SELECT source_key(type, label, mac, ssid) AS told_by, MAX(rssi) AS rssi, latitude, longitude
            FROM detection WHERE latitude IS NOT NULL GROUP BY told_by
        ) AS found WHERE source.key = found.told_by;
        """

    private static let exchange = """
        INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq)
            SELECT (SELECT rowid FROM sqlite_sequence WHERE name = 'detection_with_source'), 'detection_with_source', seq
            FROM sqlite_sequence WHERE name = 'detection';
        DROP TABLE detection_text;
        DROP TABLE detection;
        ALTER TABLE detection_with_source RENAME TO detection;
        CREATE INDEX detection_by_time ON detection (received);
        CREATE INDEX detection_by_type ON detection (type);
        CREATE INDEX detection_by_source ON detection (source_id, id);
        CREATE UNIQUE INDEX detection_by_key ON detection (key);
        CREATE VIRTUAL TABLE detection_text USING fts5 (
            search, content = 'detection', content_rowid = 'id', tokenize = 'trigram case_sensitive 1',
            detail = 'none', columnsize = 0
        );
        CREATE TRIGGER detection_deleted AFTER DELETE ON detection BEGIN
            INSERT INTO detection_text (detection_text, rowid, search)
                SELECT 'delete', old.id, old.search WHERE old.id <= (SELECT up_to FROM derived);
            DELETE FROM detection_place WHERE id = old.id;
            DELETE FROM deleted WHERE id = old.id;
        END;
        """

    private static func copyRows(
        _ database: Database, _ total: Int, _ progress: (MigrationProgress) -> Void
    ) throws {
        let copy = try database.makeStatement(
            sql: """
                INSERT INTO detection_with_source
                SELECT old.*, source.id, detection_key(old.received), search_text(old.label, old.ssid, old.extra)
                FROM detection AS old CROSS JOIN source
                    ON source.key = source_key(old.type, old.label, old.mac, old.ssid)
                WHERE old.id > ? ORDER BY old.id LIMIT \(pieceOfProgress)
                """)
        var (last, done): (Int64, Int) = (.min, 0)
        while done < total {
            progress(MigrationProgress(step: "rewriting the detections", done: done, total: total))
            try copy.execute(arguments: [last])
            guard database.changesCount > 0 else { break }
            done += database.changesCount
            last = database.lastInsertedRowID
        }
    }

    private static func derive(
        _ database: Database, _ total: Int, _ progress: (MigrationProgress) -> Void
    ) throws {
        // Places keep their numbers; only the texts are all to be done again.
        let places = try Int64.fetchOne(database, sql: "SELECT up_to FROM derived") ?? 0
        try database.execute(sql: "DELETE FROM detection_place WHERE id <= ?", arguments: [places])
        try database.execute(sql: "UPDATE derived SET up_to = 0")
        var done = 0
        while case let count = try DerivedTables.advance(database, atMost: pieceOfProgress), count > 0 {
            done += count
            progress(MigrationProgress(step: "building the index", done: done, total: total))
        }
    }

    /// Rows between two reports of progress.
    private static let pieceOfProgress = 10_000
}
