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

/// Reads the first octets of the file that a connection has open, through the connection: to open the file and to close it again
/// would give up all locks of this process.
///
/// Returns what SQLite does; a file that is shorter is an error.
int lantern_sqlite_head(sqlite3 *connection, unsigned char *head, int count);

/// Reads the 48 octets with which the index of the log of a connection begins, which others may change meanwhile.
///
/// Returns `SQLITE_OK` where they are of one moment.
///
/// Spec: SQLite, "WAL-mode File Format", 2.1.
int lantern_sqlite_log_index(sqlite3 *connection, unsigned char *index);
