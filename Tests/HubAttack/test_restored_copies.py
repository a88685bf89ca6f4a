# SPDX-License-Identifier: Apache-2.0
"""Copies that a stranger has made, put into a running hub: they bring rows, and nothing else; nobody is let in by them."""

import hashlib
import os
import random
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from patience import within

from conftest import NO_RADIO, AttackedHub, changed, fill, unchecked
from hub_under_attack import AttackedHub as HubWithLogin

ENDLESS = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"

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
    assert time.monotonic() - begin < within(60)
    assert hub.get("/detections")["total"] == 3


OLDER = {
    "deletes": "AFTER INSERT ON detection BEGIN DELETE FROM detection; END",
    "refuses": "BEFORE INSERT ON detection BEGIN SELECT RAISE(ABORT, 'evil'); END",
    "deletes at a step of the migration": "AFTER INSERT ON grdb_migrations BEGIN DELETE FROM detection; /* sqlite_ */ END",
    "has no end": f"AFTER UPDATE ON detection BEGIN INSERT INTO parse_error {ENDLESS} SELECT n, 1, 'x', x'00' FROM r; END",
}


@pytest.mark.parametrize("what", OLDER)
def test_a_trigger_of_an_older_copy_does_not_run(hub, tmp_path, what):
    version = "001" if what in ("deletes", "has no end") else "002"
    path = tmp_path / "hub.sqlite-older"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((Path(__file__).parents[1] / f"Web/older/{version}.sql").read_text())
        rows = connection.execute("SELECT ssid FROM detection ORDER BY id").fetchall()
        connection.executescript(f"CREATE TRIGGER evil {OLDER[what]}")
    octets = path.read_bytes()
    path.unlink()
    assert len(rows) >= 2
    put(hub, octets)
    assert [one["ssid"] for one in hub.get("/detections")["items"]] == [ssid for ssid, in reversed(rows)]


INDEXES = {
    # Each covers what is read of its table, and has as many entries as that has rows.
    "setting": ("name, value", "upper(name), value"),
    "revision": ("name, number", "name, number + 1000"),
    "grdb_migrations": ("identifier", "upper(identifier)"),
    "detection": ("key", "zeroblob(16)"),
    "deleted": ("id, deletion, at", "id + 1, deletion, at"),
}


@pytest.mark.parametrize(
    "tables, where", [(list(INDEXES), ""), (["setting", "revision"], "WHERE 0"), (["detection"], "WHERE 0")],
    ids=["wrong entries", "no entries", "no entries of a table of numbered rows"],
)
def test_an_index_that_does_not_fit_its_rows_is_not_read(hub, tmp_path, tables, where):
    newest = max(one["id"] for one in hub.get("/detections")["items"])
    assert hub.request("POST", "/api/v1/detections/bulk", {"action": "delete", "detections": [newest]})[0] == 200
    assert hub.request("PATCH", "/api/v1/settings", {"theme": "dark"}, {"If-Match": "*"})[0] == 200
    statements = [f"CREATE INDEX evil_{table} ON {table} ({INDEXES[table][1]}) {where}" for table in tables]
    statements += [
        f"UPDATE sqlite_schema SET sql = 'CREATE INDEX evil_{table} ON {table} ({INDEXES[table][0]})' WHERE name = 'evil_{table}'"
        for table in tables
    ]
    evil = changed(hub.copy(), tmp_path, *statements)
    path = tmp_path / "hub.sqlite-evil"
    path.write_bytes(evil)
    with closing(sqlite3.connect(path)) as connection:
        assert len(connection.execute("PRAGMA integrity_check").fetchall()) >= len(tables), "an index fits"
    path.unlink()
    assert hub.request("PATCH", "/api/v1/settings", {"theme": "light"}, {"If-Match": "*"})[0] == 200
    status, body = hub.restore(evil)
    assert status == 204 or where and b"It is damaged." in body, (status, body)
    assert hub.get("/settings")["theme"] == ("dark" if status == 204 else "light")
    assert sorted(one["ssid"] for one in hub.get("/detections")["items"]) == ["a", "b"]
    hub.works()
    with closing(sqlite3.connect(hub.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert not connection.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'evil%'").fetchall()
        assert connection.execute("SELECT MAX(number) FROM revision").fetchone()[0] < 1000


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
    status, body, _ = hub.request("POST", "/api/v1/nightlights/pending?address=C0:DE:FF:00:00:01/R", {"power": True})
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
