// SPDX-License-Identifier: Apache-2.0

import GRDB

extension DatabaseMigrator {
    /// How the place of a detection is known, where sources stand, what the map shows, drives, and cameras that others know.
    ///
    /// `detection.fix_age` is in milliseconds, negative where the fix came after the detection; `accuracy` and `altitude` are
    /// in metres; `fix_source` says who knew the place.
    ///
    /// `source_place` is where a source is shown: its estimate with a `radius` in metres, from `places` spots. Its latitude and
    /// longitude are in ten-millionths of a degree, whole numbers, so that sums of them can be taken apart again.
    /// `source_area` is an R*Tree of them; `cell` counts them, and sightings, in squares of the Mercator map (``MapCell``): a
    /// level has four times as many as the one above it. `numbers` is the sum of the sources' numbers, which is the number
    /// itself where there is one alone. All three follow, as ``MapUpkeep`` says: `source.unplaced` marks the sources that are
    /// to be placed anew, `map_progress` up to which row sightings are counted.
    ///
    /// `drive_point` is the way of a drive; `known_camera` what users have brought of other people's knowledge.
    mutating func registerPlaces() {
        registerMigration("004 places") { database in
            try database.execute(sql: Self.fixColumns)
            try database.execute(sql: Self.mapTables)
            try database.execute(sql: Self.driveTables)
            try database.execute(sql: Self.knownTables)
        }
    }

    private static let fixColumns = """
        ALTER TABLE detection ADD COLUMN fix_source TEXT;
        ALTER TABLE detection ADD COLUMN fix_age INTEGER;
        ALTER TABLE detection ADD COLUMN accuracy REAL CHECK (accuracy >= 0);
        ALTER TABLE detection ADD COLUMN altitude REAL;
        """

    private static let mapTables = """
        ALTER TABLE source ADD COLUMN unplaced INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX source_to_place ON source (id) WHERE unplaced;
        UPDATE source SET unplaced = 1 WHERE latitude IS NOT NULL;
        CREATE TABLE source_place (
            id INTEGER PRIMARY KEY,
            type TEXT NOT NULL,
            latitude INTEGER NOT NULL,
            longitude INTEGER NOT NULL,
            radius REAL,
            places INTEGER NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE source_area USING rtree (id, south, north, west, east);
        CREATE TABLE cell (
            level INTEGER NOT NULL,
            y INTEGER NOT NULL,
            x INTEGER NOT NULL,
            type TEXT NOT NULL,
            sources INTEGER NOT NULL DEFAULT 0,
            numbers INTEGER NOT NULL DEFAULT 0,
            latitudes INTEGER NOT NULL DEFAULT 0,
            longitudes INTEGER NOT NULL DEFAULT 0,
            sightings INTEGER NOT NULL DEFAULT 0,
            newest INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (level, y, x, type)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE map_progress (id INTEGER PRIMARY KEY CHECK (id = 1), up_to INTEGER NOT NULL) STRICT;
        INSERT INTO map_progress (id, up_to) VALUES (1, 0);
        """

    private static let driveTables = """
        CREATE TABLE drive (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            begin INTEGER NOT NULL,
            end INTEGER NOT NULL CHECK (end >= begin),
            metres REAL NOT NULL CHECK (metres >= 0),
            fix_source TEXT NOT NULL,
            south REAL NOT NULL,
            north REAL NOT NULL,
            west REAL NOT NULL,
            east REAL NOT NULL
        ) STRICT;
        CREATE INDEX drive_by_time ON drive (begin);
        CREATE TABLE drive_point (
            drive INTEGER NOT NULL,
            time INTEGER NOT NULL,
            latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            altitude REAL,
            accuracy REAL,
            speed REAL,
            PRIMARY KEY (drive, time)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO revision VALUES ('drives', 0), ('places', 0);
        CREATE TRIGGER drive_deleted AFTER DELETE ON drive BEGIN
            DELETE FROM drive_point WHERE drive = old.id;
        END;
        """

    private static let knownTables = """
        CREATE TABLE known_set (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            origin TEXT NOT NULL,
            version TEXT NOT NULL,
            imported INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE known_camera (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            known_set INTEGER NOT NULL,
            reference TEXT NOT NULL,
            name TEXT NOT NULL,
            latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            direction REAL CHECK (direction BETWEEN 0 AND 360),
            tags TEXT NOT NULL CHECK (json_valid(tags)),
            UNIQUE (known_set, reference)
        ) STRICT;
        CREATE VIRTUAL TABLE known_camera_area USING rtree (id, south, north, west, east);
        CREATE TRIGGER known_camera_deleted AFTER DELETE ON known_camera BEGIN
            DELETE FROM known_camera_area WHERE id = old.id;
        END;
        CREATE TRIGGER known_set_deleted AFTER DELETE ON known_set BEGIN
            DELETE FROM known_camera WHERE known_set = old.id;
        END;
        """
}
