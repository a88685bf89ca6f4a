# SPDX-License-Identifier: Apache-2.0
"""Copies that a stranger has made, put into a running hub: they bring rows, and nothing else; nobody is let in by them."""

import hashlib
import os
import random
import re
import socket
import sqlite3
import subprocess
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from conftest import NO_RADIO, AttackedHub, changed, fill, unchecked
from hub_under_attack import AttackedHub as HubWithLogin
from real_hub import binary

SCHEMAS = [
    # Each comment made an earlier check of the schema look away.
    "CREATE TRIGGER evil AFTER UPDATE ON revision BEGIN DELETE FROM detection; /* sqlite_ */ END",
    "CREATE TRIGGER evil AFTER INSERT ON setting BEGIN UPDATE setting SET value = '{}' WHERE name = 'access'; /* sqlite_ */ END",
    """CREATE TRIGGER evil AFTER INSERT ON detection BEGIN /* sqlite_ */
       INSERT INTO revision SELECT 'x' || n, 1 FROM (WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r); END""",
    "CREATE VIEW evil AS SELECT 1 /* sqlite_ */",
    "CREATE INDEX evil ON detection (hex(zeroblob(1000000))) /* sqlite_ */",
]

VALUES = [
    ("setting", "INSERT INTO setting VALUES ('caf' || char(233), '1'), ('cafe' || char(769), '2')"),
    ("source", "UPDATE source SET shown_latitude = 9223372036854775807, shown_longitude = -9223372036854775808"),
    ("source", "UPDATE source SET first_seen = -9223372036854775808"),
    ("source", "UPDATE source SET last_seen = 9223372036854775807"),
    ("source", "UPDATE source SET last_confidence = 9e999"),
    ("source", "UPDATE source SET count = 9223372036854775807"),
    ("source", "UPDATE source SET id = 9223372036854775807 WHERE id = 1"),
    ("cell", "UPDATE cell SET latitudes = 9223372036854775807, numbers = 9223372036854775807, sources = 9223372036854775807"),
    ("cell", "UPDATE cell SET newest = -9223372036854775808, sightings = 9223372036854775807"),
    ("detection", "UPDATE detection SET received = 9223372036854775807"),
    ("detection", "UPDATE detection SET received = -9223372036854775808 WHERE id = 1"),
    ("detection", "UPDATE detection SET confidence = 9e999"),
    ("detection", "UPDATE detection SET raw = 5, extra = x'00', mac = 7"),
    ("detection", "UPDATE detection SET id = -5 WHERE id = 2"),
    ("detection", "UPDATE detection SET key = x'00' WHERE id = 1"),
    ("detection", "UPDATE detection SET label = CAST(x'C328' AS TEXT)"),
    ("drive", "INSERT INTO drive VALUES (1, -9223372036854775808, 9223372036854775807, 9e999, 'gpsd', 0, 0, 0, 0)"),
    ("drive_point", "INSERT INTO drive_point VALUES (1, 9223372036854775807, 9e999, 0, 0, 0, 0)"),
    ("saved_device", "INSERT INTO saved_device VALUES (1, 'a', -9223372036854775808, NULL, NULL, NULL, -1, -1, -1, 'no json')"),
    ("known_set", "INSERT INTO known_set VALUES (1, 'a', 'b', 'c', -9223372036854775808)"),
    (None, "UPDATE sqlite_sequence SET seq = 9223372036854775807"),
    (None, "UPDATE sqlite_sequence SET seq = -9223372036854775808"),
    (None, "UPDATE derived SET up_to = 9223372036854775807"),
    (None, "UPDATE map_progress SET up_to = -9223372036854775808"),
    (None, "UPDATE revision SET number = 9223372036854775807"),
]


def put(hub, octets: bytes) -> None:
    """The copy is taken or refused in words; the hub works afterwards, with tables of its own."""
    status, body = hub.restore(octets)
    assert status in (204, 422), (status, body)
    if status == 422:
        assert b"This file cannot be restored." in body
    hub.works()
    with closing(sqlite3.connect(hub.database)) as connection:
        assert not connection.execute("SELECT name FROM sqlite_schema WHERE name IN ('evil', 'loose')").fetchall()
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert not [path.name for path in hub.folder.iterdir() if path.name.startswith(".lantern")]


@pytest.mark.parametrize("statement", SCHEMAS)
def test_no_schema_is_taken(hub, tmp_path, statement):
    put(hub, changed(hub.copy(), tmp_path, statement))
    assert hub.get("/detections")["total"] == 3


@pytest.mark.parametrize("case", range(len(VALUES)))
def test_no_value_does_harm(hub, tmp_path, case):
    """In a table that says it checks them, and in one that takes anything."""
    table, statement = VALUES[case]
    copy = hub.copy()
    if table:
        put(hub, unchecked(copy, tmp_path, table, statement))
    put(hub, changed(copy, tmp_path, statement, loose=table))


@pytest.mark.parametrize("version", ["001", "002"])
def test_an_older_copy_with_an_endless_view_ends(hub, tmp_path, version):
    path = tmp_path / "hub.sqlite-older"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((Path(__file__).parents[1] / f"Web/older/{version}.sql").read_text())
        connection.executescript(
            """
            ALTER TABLE detection RENAME TO rows;
            CREATE VIEW detection AS SELECT rows.* FROM rows,
                (WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r);
            """
        )
    octets = path.read_bytes()
    path.unlink()
    begin = time.monotonic()
    put(hub, octets)
    assert time.monotonic() - begin < 60
    assert hub.get("/detections")["total"] == 3


def test_only_one_is_restored_and_few_are_downloaded(hub):
    names = [f"n{index}" for index in range(20_000)]
    hub.stop()
    fill(hub.database, names)
    hub.start()
    sockets = []
    for _ in range(6):
        # Asks and takes nothing of the answer.
        one = socket.create_connection(("127.0.0.1", hub.port), timeout=60)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.sendall(b"GET /api/v1/database HTTP/1.1\r\nHost: localhost\r\n\r\n")
        sockets.append(one)
    statuses = [one.recv(12).split()[-1] for one in sockets]
    assert statuses.count(b"200") == 2 and statuses.count(b"429") == 4, statuses
    for one in sockets:
        one.close()
    hub.until(lambda: hub.request("GET", "/api/v1/database")[0] == 200)


def test_what_a_client_has_left_is_not_read_on(hub, tmp_path):
    """The work for a restore ends when the client goes; nothing is left, and the next one is taken."""
    other = AttackedHub(tmp_path / "other", *NO_RADIO)
    (tmp_path / "other").mkdir()
    fill(other.database, [f"n{index}" for index in range(30_000)])
    octets = other.database.read_bytes()
    with socket.create_connection(("127.0.0.1", hub.port), timeout=60) as one:
        head = f"PUT /api/v1/database HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/vnd.sqlite3\r\nContent-Length: {len(octets)}\r\n\r\n"
        one.sendall(head.encode() + octets)
        hub.until(lambda: [path for path in hub.folder.iterdir() if path.name.endswith("-restored")])
    hub.until(lambda: not [path for path in hub.folder.iterdir() if path.name.startswith(".lantern")], 20)
    assert hub.get("/detections")["total"] == 3
    status, body = hub.restore(octets)
    assert status == 204, body
    assert hub.get("/detections")["total"] == 30_000


def test_who_may_use_the_hub_is_no_matter_of_a_copy(tmp_path):
    """A copy with a token of the attacker's: that of the owner stays in power, whenever the hub is killed."""
    hub = AttackedHub(tmp_path, *NO_RADIO)
    fill(hub.database, ["a"])
    hub.start()
    mine = '{"token":"' + hashlib.sha256(b"mine").hexdigest() + '","made":null,"sessions":[]}'
    theirs = mine.replace(hashlib.sha256(b"mine").hexdigest(), hashlib.sha256(b"theirs").hexdigest())
    copy = hub.copy()
    hub.stop()
    with closing(sqlite3.connect(hub.database)) as connection:
        connection.execute("INSERT OR REPLACE INTO setting VALUES ('access', ?)", (mine,))
        connection.commit()
    evil = changed(copy, tmp_path, f"INSERT OR REPLACE INTO setting VALUES ('access', '{theirs}')")
    hub.start()
    assert hub.restore(evil)[0] == 204
    hub.kill()
    with closing(sqlite3.connect(hub.database)) as connection:
        kept = connection.execute("SELECT value FROM setting WHERE name = 'access'").fetchone()[0]
    assert hashlib.sha256(b"theirs").hexdigest() not in kept and hashlib.sha256(b"mine").hexdigest() in kept


def test_a_copy_full_of_settings_keeps_no_stolen_token_in_power(tmp_path):
    """What no hub has is left out, so that there is room to revoke a token, to sign in and to change settings."""
    hub = HubWithLogin(tmp_path, "--require-login", login=True)
    fill(hub.database, ["a", "b", "c"])
    hub.start()
    status, copy, _ = hub.request("GET", "/api/v1/database")
    assert status == 200
    status, stolen, _ = hub.request("POST", "/api/v1/tokens", {"name": "stolen", "role": "admin"})
    assert status == 200, stolen
    thief = {"Authorization": f"Bearer {stolen['token']}"}
    evil = changed(
        copy, tmp_path, "DELETE FROM detection", "DELETE FROM setting",
        "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000) INSERT INTO setting SELECT 'junk' || n, '1' FROM r",
    )
    status, body, _ = hub.request("PUT", "/api/v1/database", evil, {"Content-Type": "application/vnd.sqlite3"})
    assert status == 204, body
    assert hub.get("/detections")["total"] == 0
    hub.until(lambda: "1000 settings of the copy" in hub.log)
    number = next(one["id"] for one in hub.request("GET", "/api/v1/tokens")[1]["items"] if one["name"] == "stolen")
    status, body, _ = hub.request("DELETE", f"/api/v1/tokens/{number}")
    assert status == 204, body
    assert hub.ask("GET", "/api/v1/hub", headers=thief)[0] == 401
    status, body, _ = hub.request("PATCH", "/api/v1/settings", {"theme": "dark", "units": "imperial"}, {"If-Match": "*"})
    assert status == 200, body
    status, body, _ = hub.request("POST", "/api/v1/nightlights/wishes?address=C0:DE:FF:00:00:01/R", {"power": True})
    assert status == 200, body
    assert hub.stop() == 0, hub.log
    with closing(sqlite3.connect(hub.database)) as connection:
        assert not connection.execute("SELECT name FROM setting WHERE name LIKE 'junk%'").fetchall()
    hub.start()
    assert hub.ask("GET", "/api/v1/hub", headers=thief)[0] == 401
    assert hub.stop() == 0, hub.log


def test_what_is_older_than_a_day_goes_at_the_start(hub):
    hub.stop()
    folder = hub.folder
    old = [
        ".lantern-6F9619FF-8B86-D011-B42D-00CF4FC964FF", ".lantern-6F9619FF-8B86-D011-B42D-00CF4FC964FF-restored",
        ".lantern-6F9619FF-8B86-D011-B42D-00CF4FC964FF.before-008", "hub.sqlite.before-008.partial", "hub.sqlite-opening",
        "hub.sqlite.unsaved-1-abcdef01.sqlite.partial", "capture.btsnoop.partial",
    ]
    kept = ["capture.btsnoop", "hub.sqlite.before-008", "hub.sqlite.notes", ".lantern-notes", "other.sqlite.before-008.partial"]
    young = ".lantern-7F9619FF-8B86-D011-B42D-00CF4FC964FF"
    for name in [*old, *kept, young]:
        (folder / name).write_bytes(b"x")
        if name != young:
            os.utime(folder / name, (1, 1))
    hub.start()
    names = {path.name for path in folder.iterdir()}
    assert not names & set(old)
    assert names >= {*kept, young}


@pytest.mark.parametrize("view", ["tiles", "metadata"])
def test_a_map_without_end_is_said(tmp_path, view):
    tiles = tmp_path / "map.mbtiles"
    with closing(sqlite3.connect(tiles)) as connection:
        connection.executescript(
            """
            CREATE TABLE metadata (name, value);
            CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
            INSERT INTO tiles VALUES (0, 0, 0, 'x');
            INSERT INTO metadata VALUES (x'FF', 7), (5, 'x'), ('name', NULL);
            """
        )
        columns = {"tiles": "n AS zoom_level, 0 AS tile_column, 0 AS tile_row, 'x' AS tile_data", "metadata": "'name' AS name, n AS value"}
        connection.executescript(
            f"DROP TABLE {view}; CREATE VIEW {view} AS WITH RECURSIVE r (n) AS (SELECT 0 UNION ALL SELECT n % 2 FROM r) "
            f"SELECT {columns[view]} FROM r{' WHERE n > 2' if view == 'metadata' else ''}"
        )
    done = subprocess.run(
        [binary(), "hub", *NO_RADIO, "--map-file", tiles, "--database", tmp_path / "hub.sqlite", "--listen", "127.0.0.1:0"],
        capture_output=True, text=True, timeout=60,
    )
    assert done.returncode == 1 and "takes too long" in done.stderr, done.stderr


def test_a_map_of_large_values_takes_little_memory(tmp_path):
    tiles = tmp_path / "map.mbtiles"
    with closing(sqlite3.connect(tiles)) as connection:
        connection.executescript(
            """
            CREATE VIEW metadata AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 100)
                SELECT CASE n % 2 WHEN 0 THEN 'name' ELSE 'k' || n END AS name, printf('%.*c', 4000000, 'a') AS value FROM r;
            CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
            INSERT INTO tiles VALUES (0, 0, 0, x'89504E470D0A1A0A00');
            """
        )
    peaks = []
    for options in ([], ["--map-file", str(tiles)]):
        hub = AttackedHub(tmp_path, *NO_RADIO, *options)
        hub.start()
        peaks.append(int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{hub.process.pid}/status").read_text())[1]) / 1024)
        if options:
            assert hub.request("GET", "/api/v1/tiles/0/0/0")[0] == 200
        assert hub.stop() == 0, hub.log
    assert peaks[1] < peaks[0] + 40, peaks


@pytest.mark.long
@pytest.mark.parametrize("points", [1_000_000, 1_000_001])
def test_a_drive_has_so_many_points(hub, tmp_path, points):
    many = f"WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < {points})"
    evil = changed(
        hub.copy(), tmp_path, "INSERT INTO drive VALUES (1, 1000, 2000000000, 1, 'gpsd', 52, 53, 13, 14)",
        f"INSERT INTO drive_point {many} SELECT 1, 1000 + n, 52.5, 13.5, NULL, NULL, NULL FROM r")
    status, body = hub.restore(evil)
    assert status == (204 if points == 1_000_000 else 422), body
    assert status == 204 or b"point" in body, body
    assert hub.get("/detections")["total"] == 3


# MARK: By hand


@pytest.mark.long
def test_no_damage_does_harm(hub, tmp_path):
    """260 copies with a page, some octets or the end spoiled."""
    hub.stop()
    fill(hub.database, [f"n{index}" for index in range(500)])
    hub.start()
    good = hub.copy()
    chance = random.Random(33)
    for number in range(260):
        octets = bytearray(good)
        page = chance.randrange(len(octets) // 4096) * 4096
        match number % 4:
            case 0: octets[page:page + 4096] = chance.randbytes(4096)
            case 1: octets = octets[: chance.randrange(len(octets))]
            case 2: octets[page:page + 4096] = octets[:4096]
            case 3:
                for _ in range(30):
                    octets[chance.randrange(100, len(octets))] = chance.randrange(256)
        status, body = hub.restore(bytes(octets))
        assert status in (204, 422), (number, status, body)
        for path in ("/detections", "/sources", "/detections?text=n1", "/sources?text=n1", "/map?box=-180,-85,180,85&zoom=3"):
            status, value, _ = hub.request("GET", "/api/v1" + path)
            assert status in (200, 400), (number, path, status, value)
    hub.works()


@pytest.mark.long
def test_killed_at_any_moment_of_a_restore(tmp_path):
    """The hub is killed while it restores a copy with another token: afterwards there is the old or the new, whole, and ours is in power."""
    hub = AttackedHub(tmp_path, *NO_RADIO)
    fill(hub.database, [f"n{index}" for index in range(3000)])
    hub.start()
    copy = hub.copy()
    hub.stop()
    with closing(sqlite3.connect(hub.database)) as connection:
        connection.execute("INSERT OR REPLACE INTO setting VALUES ('access', '{\"token\":\"00\",\"sessions\":[]}')")
        connection.execute("DELETE FROM detection WHERE id > 1000")
        connection.commit()
    evil = changed(copy, tmp_path, "INSERT OR REPLACE INTO setting VALUES ('access', '{\"token\":\"66\",\"sessions\":[]}')")
    chance = random.Random(33)
    seconds = 2.0
    for _ in range(90):
        hub.start()
        begin = time.monotonic()
        work = threading.Thread(target=lambda: _ignoring(lambda: hub.restore(evil)))
        work.start()
        work.join(chance.random() * seconds)
        hub.kill()
        work.join()
        seconds = max(0.2, min(seconds, time.monotonic() - begin + 0.2))
        with closing(sqlite3.connect(hub.database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("SELECT COUNT(*) FROM detection").fetchone()[0] in (1000, 3000)
            kept = connection.execute("SELECT value FROM setting WHERE name = 'access'").fetchone()
            assert kept and '"66"' not in kept[0]


def _ignoring(body) -> None:
    try:
        body()
    except OSError:
        pass
