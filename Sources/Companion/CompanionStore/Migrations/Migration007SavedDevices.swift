// SPDX-License-Identifier: Apache-2.0

import GRDB

extension DatabaseMigrator {
    /// What devices had when somebody saved that: `file` is what `gatt tree --output` writes; what a list shows of it
    /// stands beside it, so that no list reads files.
    mutating func registerSavedDevices() {
        registerMigration("007 saved devices") { database in
            try database.execute(
                sql: """
                    CREATE TABLE saved_device (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        name TEXT NOT NULL,
                        saved INTEGER NOT NULL,
                        address TEXT,
                        address_kind TEXT,
                        device_name TEXT,
                        services INTEGER NOT NULL,
                        characteristics INTEGER NOT NULL,
                        readings INTEGER NOT NULL,
                        file TEXT NOT NULL CHECK (json_valid(file))
                    ) STRICT;
                    """)
        }
    }
}
