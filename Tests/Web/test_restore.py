# SPDX-License-Identifier: Apache-2.0
"""Databases that are put back into a running hub: the hub's own copies, older and newer ones, and what is none."""

import csv
import sqlite3
import subprocess
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from real_hub import RealHub, binary

HERE = Path(__file__).parent


@pytest.fixture
def hub(tmp_path):
    """A hub with three detections of its own, one of them marked."""
    one = RealHub(tmp_path, "--radio", "tcp:127.0.0.1:1")
    one.start()
    one.stop()
    fill(one.database, ["a", "b", "c"])
    one.start()
    yield one
    assert one.stop() == 0, one.log
    assert all(path.name.startswith(("hub.sqlite", "log.txt")) for path in tmp_path.iterdir()), list(tmp_path.iterdir())


def fill(path, names) -> None:
    table = path.with_suffix(".csv")
    with open(table, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["timestamp", "device_type", "mac_address", "ssid", "rssi", "confidence"])
        for index, name in enumerate(names):
            writer.writerow(["2026-11-21T10:00:00Z", "Flock Safety", f"00:11:22:33:44:{index:02X}", name, -60, 0.9])
    done = subprocess.run(
        [binary(), "detections", "import", str(table), "--database", str(path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    table.unlink()


def names(hub) -> list[str]:
    return [one["ssid"] for one in reversed(hub.get("/detections")["items"])]


def put(hub, octets: bytes) -> tuple[int, bytes]:
    asked = urllib.request.Request(hub.address + "/api/v1/database", octets, method="PUT")
    asked.add_header("Content-Type", "application/vnd.sqlite3")
    try:
        answer = urllib.request.urlopen(asked, timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    return answer.status, answer.read()


def refused(hub, octets: bytes, *words: str) -> None:
    status, body = put(hub, octets)
    assert status == 422, (status, body)
    for word in ("This file cannot be restored.", *words):
        assert word in body.decode(), body
    assert names(hub) == ["a", "b", "c"]
    assert hub.get("/hub")["storage"]["trouble"] is None


def copy(hub) -> bytes:
    status, octets, _ = hub.request("GET", "/api/v1/database")
    assert status == 200
    return octets


def changed(octets: bytes, folder: Path, *statements: str) -> bytes:
    """A database after some statements."""
    path = folder / "hub.sqlite-made"
    path.write_bytes(octets)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    made = path.read_bytes()
    path.unlink()
    return made


def test_a_copy_put_back_is_what_it_was(hub):
    before = copy(hub)
    status, settings, headers = hub.request("GET", "/api/v1/settings")
    theme = settings["theme"]
    status, answer, _ = hub.request("PATCH", "/api/v1/settings", {"theme": "dark"}, {"If-Match": headers["ETag"]})
    assert status == 200, answer
    ids = [one["id"] for one in hub.get("/detections")["items"]]
    status, answer, _ = hub.request("POST", "/api/v1/detections/bulk", {"action": "delete", "detections": ids[:2]})
    assert status == 200, answer
    assert names(hub) == ["a"]
    assert put(hub, before)[0] == 204
    assert names(hub) == ["a", "b", "c"]
    assert hub.get("/settings")["theme"] == theme != "dark"
    # It is there after a restart, too, and what comes then goes on from it.
    hub.stop()
    hub.start()
    assert names(hub) == ["a", "b", "c"]
    assert put(hub, copy(hub))[0] == 204
    assert names(hub) == ["a", "b", "c"]


@pytest.mark.parametrize("version", ["001", "002"])
def test_an_older_version_is_brought_up_to_date(hub, tmp_path, version):
    path = tmp_path / "hub.sqlite-older"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / f"older/{version}.sql").read_text())
    octets = path.read_bytes()
    path.unlink()
    assert put(hub, octets)[0] == 204
    assert names(hub) == ["first", "second"]
    assert hub.get("/sources")["total"] == 2


def test_a_newer_version_is_refused(hub, tmp_path):
    newer = changed(copy(hub), tmp_path, "INSERT INTO grdb_migrations VALUES ('999 of another time')")
    refused(hub, newer, "newer version", "Update the hub first.")


@pytest.mark.parametrize("length", [0, 1, 99, 100, 4096, 40000])
def test_the_beginning_of_a_copy_is_refused(hub, length):
    whole = copy(hub)
    assert len(whole) > length
    refused(hub, whole[:length])


def test_databases_of_other_programs_are_refused(hub, tmp_path):
    made = tmp_path / "hub.sqlite-other"
    with closing(sqlite3.connect(made)) as connection:
        connection.execute("CREATE TABLE detection (id INTEGER)")
        connection.commit()
    other = made.read_bytes()
    made.unlink()
    refused(hub, other, "It is not a database of Lantern.")
    # One that only says that it is ours.
    refused(hub, other[:68] + b"LTRN" + other[72:])


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER evil AFTER INSERT ON detection BEGIN DELETE FROM detection; END",
        "CREATE VIEW evil AS SELECT * FROM detection",
        "CREATE TABLE evil (a)",
        "DROP TABLE setting",
        "ALTER TABLE detection RENAME TO elsewhere",
    ],
)
def test_what_a_strange_copy_brings_along_does_no_harm(hub, tmp_path, statement):
    strange = changed(copy(hub), tmp_path, "PRAGMA writable_schema = ON", statement)
    status, body = put(hub, strange)
    assert status in (204, 422), (status, body)
    assert hub.get("/hub")["storage"]["trouble"] is None
    assert names(hub) == ["a", "b", "c"]
    with closing(sqlite3.connect(hub.database)) as connection:
        assert not connection.execute("SELECT name FROM sqlite_schema WHERE name = 'evil'").fetchall()
    # It goes on working.
    hub.stop()
    fill(hub.database, ["d"])
    hub.start()
    assert "d" in names(hub)


def test_rows_that_cannot_be_are_refused(hub, tmp_path):
    for statement in (
        "UPDATE detection SET rssi = 4000",
        "UPDATE detection SET confidence = 'much'",
        "UPDATE detection SET received = -1",
    ):
        strange = changed(
            copy(hub), tmp_path, "PRAGMA ignore_check_constraints = ON", "PRAGMA writable_schema = ON",
            "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'detection'",
            "PRAGMA schema_version = 4711",
        )
        path = tmp_path / "hub.sqlite-made"
        path.write_bytes(strange)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            try:
                connection.execute(statement)
            except sqlite3.Error:
                continue
        strange = path.read_bytes()
        path.unlink()
        refused(hub, strange)
