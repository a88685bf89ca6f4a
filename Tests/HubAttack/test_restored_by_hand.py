# SPDX-License-Identifier: Apache-2.0
"""Databases with values that cannot be, opened by hand: commands and the hub say what is wrong, and go on without the row."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest

from conftest import NO_RADIO, ROOT, AttackedHub, changed, fill, unchecked
from patience import within
from real_hub import binary

BAD = [
    ("detection", "UPDATE detection SET received = 9223372036854775807 WHERE id = 2"),
    ("detection", "UPDATE detection SET received = NULL WHERE id = 2"),
    ("detection", "UPDATE detection SET confidence = 9e999, rssi = 'words' WHERE id = 2"),
    ("detection", "UPDATE detection SET extra = NULL, raw = 7, mac = x'FF', label = 3.5 WHERE id = 2"),
    ("detection", "UPDATE detection SET id = 9223372036854775807 WHERE id = 2"),
    ("source", "UPDATE source SET first_seen = -9223372036854775808, last_seen = 9223372036854775807 WHERE id = 2"),
    ("source", "UPDATE source SET shown_latitude = 9223372036854775807, shown_longitude = -9223372036854775808, square = 5"),
    ("source", "UPDATE source SET count = 9223372036854775807, strongest = NULL, mark = 7, note = x'00' WHERE id = 2"),
    ("cell", "UPDATE cell SET sources = 9223372036854775807, numbers = 9223372036854775807, latitudes = -9223372036854775808"),
    ("cell", "UPDATE cell SET x = 'words' || type || level || y || x, sightings = 9223372036854775807"),
    ("drive", "INSERT INTO drive VALUES (1, -9223372036854775808, 9223372036854775807, 9e999, 7, -90, 90, -180, 180)"),
    ("saved_device", "INSERT INTO saved_device VALUES (1, NULL, NULL, 1, 2, 3, 'a', 'b', 'c', x'00')"),
    ("known_set", "INSERT INTO known_set VALUES (1, NULL, 7, 8, -9223372036854775808)"),
    (
        "known_camera",
        "INSERT INTO known_set VALUES (1, 'a', 'b', 'c', 4); INSERT INTO known_camera_area VALUES (7, 1, 1, 2, 2), (8, 1, 1, 2, 2);"
        "INSERT INTO known_camera VALUES (7, 1, 7, NULL, 9e999, 'x', -9e999, x'00'), (8, 1, 'r', 'n', 1, 2, 3, 'no json')",
    ),
    (
        "drive_point",
        "INSERT INTO drive VALUES (1, 1, 2, 3, 'gpsd', 50, 53, 12, 14);"
        "INSERT INTO drive_point VALUES (1, 9223372036854775807, 9e999, 'x', 0, 0, 0), (1, -9223372036854775808, 0, 0, 0, 0, 0)",
    ),
    ("deleted", "INSERT INTO deleted VALUES (2, 9223372036854775807, -9223372036854775808), (-9223372036854775808, -1, 9223372036854775807)"),
    ("bond", "INSERT INTO bond VALUES (9223372036854775807, 7, NULL, 'x')"),
    ("parse_error", "INSERT INTO parse_error VALUES (9223372036854775807, -9223372036854775808, NULL, 'x')"),
    ("setting", "INSERT INTO setting VALUES ('caf' || char(233), '1'), ('cafe' || char(769), '2')"),
    ("cell", "UPDATE cell SET sources = 100000000, latitudes = 0, longitudes = 0"),
    (None, "UPDATE sqlite_sequence SET seq = 9223372036854775807"),
    (None, "UPDATE sqlite_sequence SET seq = -9223372036854775808"),
    (None, "UPDATE revision SET number = 9223372036854775807"),
    (None, "UPDATE derived SET up_to = 9223372036854775807"),
    (None, "UPDATE map_progress SET up_to = -9223372036854775808"),
]


@pytest.mark.parametrize("case", range(len(BAD)))
def test_a_database_with_values_that_cannot_be_is_used(tmp_path, case):
    loose, statement = BAD[case]
    hub = AttackedHub(tmp_path, *NO_RADIO)
    fill(hub.database, ["a", "b", "c"])
    hub.start()
    hub.until(lambda: hub.get("/map?box=-180,-85,180,85&zoom=3")["sources"] == 3)
    hub.stop()
    before = hub.database.read_bytes()
    hub.database.write_bytes(
        unchecked(before, tmp_path, loose, statement) if loose else changed(before, tmp_path, statement))
    for command in ("list", "export --format json", "export --format gpx", "show 1"):
        done = subprocess.run(
            [binary(), "detections", *command.split(), "--database", hub.database], capture_output=True, text=True, timeout=60)
        assert done.returncode >= 0, (command, done.returncode, done.stderr)
        # What leaves no number for others is mended by the first of them.
        if loose == "detection" and ("id = 9" not in statement or command == "list"):
            assert done.returncode == 0 and ("left out" in done.stderr or "show" in command), (command, done.stderr)
    hub.start()
    for path in ("/detections", "/sources", "/settings", "/drives", "/map/known/sets", "/saves", "/hub", "/map?box=-180,-85,180,85&zoom=3&heat=true",
                 "/map/routes?box=-180,-85,180,85&zoom=3"):
        status, value, _ = hub.request("GET", "/api/v1" + path)
        assert status == 200, (path, status, value)
    for path in ("/map/known?box=-180,-85,180,85", "/drives/1", "/drives/1/gpx", "/detections?deleted=true"):
        assert hub.request("GET", "/api/v1" + path)[0] in (200, 400, 404), path
    hub.works()
    # What comes afterwards is seen: in the list, in the search, and on the map.
    status, value = hub.bring(["a", "b", "c", "d", "e", "after"])
    assert status == 200, value
    assert [one["ssid"] for one in hub.get("/detections?limit=1")["items"]] == ["after"]
    hub.until(lambda: hub.get("/sources?text=after")["total"] == 1)
    hub.until(lambda: shown(hub)["progress"] is None and shown(hub)["sources"] >= 3)
    assert hub.stop() == 0, hub.log


ENDLESS = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"


def ended(*arguments, seconds: float = 30) -> tuple[int, str]:
    """What a command says, which has to end."""
    done = subprocess.run([binary(), *map(str, arguments)], capture_output=True, text=True, timeout=within(seconds))
    return done.returncode, done.stderr


@pytest.mark.parametrize("version", ["now", "001"])
def test_a_view_in_the_place_of_a_table_is_refused(tmp_path, version):
    database = tmp_path / "hub.sqlite"
    if version == "now":
        fill(database, ["a", "b", "c"])
    else:
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript((ROOT / f"Tests/Web/older/{version}.sql").read_text())
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(
            f"ALTER TABLE detection RENAME TO rows; CREATE VIEW detection AS {ENDLESS} SELECT rows.* FROM rows, r")
    for command in (
        ["detections", "list"], ["detections", "export", "--format", "csv", "--output", tmp_path / "out.csv"],
        ["hub", "backup", tmp_path / "copy.sqlite"], ["hub", *NO_RADIO, "--listen", "127.0.0.1:0"],
    ):
        status, said = ended(*command, "--database", database)
        assert status == 1 and "detection is not a table" in said and "report" not in said, (command, status, said)
    left = {path.name for path in tmp_path.iterdir()}
    assert not left & {"out.csv", "copy.sqlite"} and not [name for name in left if "partial" in name or name[0] == "."], left


def test_a_file_set_aside_without_an_end_holds_up_nobody(tmp_path):
    database, aside = tmp_path / "hub.sqlite", tmp_path / "hub.sqlite.unsaved-1700000000000-abcdef01.sqlite"
    fill(database, ["a", "b", "c"])
    shutil.copy(database, aside)
    with closing(sqlite3.connect(aside)) as connection:
        connection.executescript(
            f"ALTER TABLE parse_error RENAME TO other; CREATE VIEW parse_error AS {ENDLESS} "
            "SELECT n AS id, 1 AS received, 'x' AS reason, x'00' AS raw FROM r")
    os.mkfifo(tmp_path / "hub.sqlite.unsaved-1700000000001-abcdef01.sqlite")
    status, said = ended("detections", "list", "--database", database)
    assert status == 0 and aside.exists(), said


def test_what_is_no_copy_is_said_of_the_file_that_was_named(tmp_path):
    database, pipe, begun = tmp_path / "hub.sqlite", tmp_path / "pipe.sqlite", tmp_path / "begun.sqlite"
    fill(database, ["a"])
    os.mkfifo(pipe)
    status, said = ended("hub", "restore", pipe, "--yes", "--database", database)
    assert status == 1 and "is not a file" in said, said
    begun.write_bytes(database.read_bytes()[:100])
    status, said = ended("hub", "restore", begun, "--yes", "--database", database)
    assert status == 1 and "begun.sqlite" in said and ".lantern-" not in said, said


def shown(hub) -> dict:
    return hub.get("/map?box=-180,-85,180,85&zoom=3")
