-- What Lantern wrote when its schema was 001 detections.
PRAGMA application_id = 0x4C54524E;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES ('001 detections');
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
) STRICT;
CREATE INDEX detection_by_time ON detection (received);
CREATE INDEX detection_by_type ON detection (type, received);
CREATE TABLE parse_error (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    received INTEGER NOT NULL,
    reason TEXT NOT NULL,
    raw BLOB NOT NULL
) STRICT;
INSERT INTO detection (received, type, label, mac, ssid, rssi, confidence, latitude, longitude, extra, raw)
VALUES (1700000000000, 'ring', 'Ring', 'A4:83:E7:00:00:01', 'first', -60, 0.8, 52.5, 13.4, '{}', x'7B7D'),
(1700000001000, 'flock_safety', 'Flock Safety', '3C:71:BF:00:00:02', 'second', -70, 0.9, NULL, NULL, '{}', x'7B7D');
