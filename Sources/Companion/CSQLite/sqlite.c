// SPDX-License-Identifier: Apache-2.0
#include "CSQLite.h"
#include <string.h>

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

static sqlite3_file *file_of(sqlite3 *connection) {
    sqlite3_file *file = 0;
    if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    return file && file->pMethods ? file : 0;
}

int lantern_sqlite_head(sqlite3 *connection, unsigned char *head, int count) {
    sqlite3_file *file = file_of(connection);
    return file ? file->pMethods->xRead(file, head, count, 0) : SQLITE_ERROR;
}

int lantern_sqlite_log_index(sqlite3 *connection, unsigned char *index) {
    enum { count = 48, region_size = 32768 };
    sqlite3_file *file = file_of(connection);
    void volatile *region = 0;
    unsigned char again[count];
    if (!file || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return SQLITE_ERROR;
    int code = file->pMethods->xShmMap(file, 0, region_size, 0, &region);
    if (code != SQLITE_OK) return code;
    if (!region) return SQLITE_ERROR;
    // It is there twice, and is written in the other order.
    memcpy(index, (const void *)region, count);
    file->pMethods->xShmBarrier(file);
    memcpy(again, (const unsigned char *)region + count, count);
    return memcmp(index, again, count) == 0 ? SQLITE_OK : SQLITE_BUSY;
}
