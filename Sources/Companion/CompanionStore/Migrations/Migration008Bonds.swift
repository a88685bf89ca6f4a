// SPDX-License-Identifier: Apache-2.0

import GRDB

extension DatabaseMigrator {
    /// Keys of devices that a hub has paired with, sealed by whoever keeps them; an `identity` of no text is the adapter itself.
    mutating func registerBonds() {
        registerMigration("008 bonds") { database in
            try database.execute(
                sql: """
                    CREATE TABLE bond (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        adapter TEXT NOT NULL,
                        identity TEXT NOT NULL,
                        sealed BLOB NOT NULL,
                        UNIQUE (adapter, identity)
                    ) STRICT;
                    """)
        }
    }
}
