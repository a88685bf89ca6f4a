// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

/// Makes a connection run nothing of what the file that it has open brings along: no views and triggers, no virtual tables,
/// no functions that are not harmless, no double-quoted texts, and no direct way to the schema.
///
/// `sqlite3_db_config` takes what Swift cannot pass.
///
/// Spec: SQLite, "Defense Against The Dark Arts", 1.1 and 1.2.
int lantern_sqlite_defend(sqlite3 *connection);
