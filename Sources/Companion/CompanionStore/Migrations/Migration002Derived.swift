// SPDX-License-Identifier: Apache-2.0

import GRDB

extension DatabaseMigrator {
    /// What is derived from the rows for quick answers; ``DerivedTables`` brings it up to date.
    ///
    /// `detection_text` is an index of every three characters in a row, for text anywhere in a word. It keeps
    /// no copy of the text (`content`) nor lengths of it (`columnsize`), which only ranking would need.
    /// `detection_place` is an R*Tree of the rows with a position; its 32-bit coordinates are rounded
    /// outwards. Both hold the rows up to `derived.up_to`; the triggers take deleted ones out.
    mutating func registerDerivedTables() {
        registerMigration("002 derived tables") { database in
            try database.execute(
                sql: """
                    CREATE TABLE derived (id INTEGER PRIMARY KEY CHECK (id = 1), up_to INTEGER NOT NULL) STRICT;
                    INSERT INTO derived (id, up_to) VALUES (1, 0);
                    CREATE VIRTUAL TABLE detection_text USING fts5 (
                        label, ssid, mac, extra,
                        content = 'detection', content_rowid = 'id', tokenize = 'trigram', columnsize = 0
                    );
                    CREATE VIRTUAL TABLE detection_place USING rtree (id, south, north, west, east);
                    """)
            // Parts of the text index are merged when there are eight of a size; with four, the default, each
            // row is rewritten more often.
            try database.execute(
                sql: "INSERT INTO detection_text (detection_text, rank) VALUES ('automerge', 8)")
            try database.execute(
                sql: """
                    CREATE TRIGGER detection_deleted AFTER DELETE ON detection
                    WHEN old.id <= (SELECT up_to FROM derived) BEGIN
                        INSERT INTO detection_text (detection_text, rowid, label, ssid, mac, extra)
                        VALUES ('delete', old.id, old.label, old.ssid, old.mac, old.extra);
                        DELETE FROM detection_place WHERE id = old.id;
                    END
                    """)
        }
    }
}
