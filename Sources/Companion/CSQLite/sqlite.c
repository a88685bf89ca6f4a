// SPDX-License-Identifier: Apache-2.0
#include "CSQLite.h"

static int set(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}

int lantern_sqlite_defend(sqlite3 *connection) {
    int failed = set(connection, SQLITE_DBCONFIG_DEFENSIVE, 1)
        | set(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        | set(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        | set(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        | set(connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0)
        | set(connection, SQLITE_DBCONFIG_DQS_DDL, 0)
        | set(connection, SQLITE_DBCONFIG_DQS_DML, 0);
    if (failed != SQLITE_OK) return SQLITE_ERROR;
    return sqlite3_drop_modules(connection, (const char **)0);
}
