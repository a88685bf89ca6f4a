// SPDX-License-Identifier: Apache-2.0

import GRDB

extension DatabaseMigrator {
    /// Detections, and octets that were none.
    ///
    /// `label`, `ssid` and `activity` are text, or the same as a blob where it holds U+0000, at which
    /// SQLite's functions for text end. `received` is in milliseconds, `device_time` in seconds since 1970,
    /// `device_uptime` in milliseconds since boot; `raw` is what came over the air.
    mutating func registerDetections() {
        registerMigration("001 detections") { database in
            try database.execute(sql: "PRAGMA application_id = \(DatabaseOpening.applicationID)")
            try database.execute(
                sql: """
                    CREATE TABLE detection (
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
                        CHECK ((latitude IS NULL) = (longitude IS NULL)),
                        CHECK (device_time IS NULL OR device_uptime IS NULL)
                    ) STRICT
                    """)
            try database.execute(sql: "CREATE INDEX detection_by_time ON detection (received)")
            try database.execute(sql: "CREATE INDEX detection_by_type ON detection (type, received)")
            try database.execute(
                sql: """
                    CREATE TABLE parse_error (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        received INTEGER NOT NULL,
                        reason TEXT NOT NULL,
                        raw BLOB NOT NULL
                    ) STRICT
                    """)
        }
    }
}
