# SPDX-License-Identifier: Apache-2.0
"""Databases with values that cannot be, opened by hand: commands and the hub say what is wrong, and go on without the row."""

import subprocess

import pytest

from conftest import NO_RADIO, AttackedHub, changed, fill, unchecked
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
    hub.works()
    # What comes afterwards is seen: in the list, in the search, and on the map.
    status, value = hub.bring(["a", "b", "c", "d", "e", "after"])
    assert status == 200, value
    assert [one["ssid"] for one in hub.get("/detections?limit=1")["items"]] == ["after"]
    hub.until(lambda: hub.get("/sources?text=after")["total"] == 1)
    hub.until(lambda: shown(hub)["progress"] is None and shown(hub)["sources"] >= 3)
    assert hub.stop() == 0, hub.log


def shown(hub) -> dict:
    return hub.get("/map?box=-180,-85,180,85&zoom=3")
