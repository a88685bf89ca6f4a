# SPDX-License-Identifier: Apache-2.0
"""A real hub for each attack: `$LANTERN` names its binary. `-m long` runs what takes minutes."""

import csv
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
for folder in ("Tests/Web", "Tests/Interop"):
    sys.path.append(str(ROOT / folder))

from real_hub import RealHub, binary  # noqa: E402

# The hub stands without a radio.
NO_RADIO = ("--radio", "tcp:127.0.0.1:1")


def table(names, path: Path) -> Path:
    """A file of detections to import."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["timestamp", "device_type", "mac_address", "ssid", "rssi", "confidence", "latitude", "longitude"])
        for index, name in enumerate(names):
            mac = f"00:11:22:33:{index >> 8 & 255:02X}:{index & 255:02X}"
            moment = f"2026-11-21T{index // 3600 % 24:02}:{index // 60 % 60:02}:{index % 60:02}Z"
            writer.writerow([moment, "Flock Safety", mac, name, -60, 0.9, 52 + index % 7 / 10, 13])
    return path


def fill(database: Path, names) -> None:
    """Stores detections with these names."""
    file = table(names, database.with_name(database.name + "-rows.csv"))
    done = subprocess.run(
        [binary(), "detections", "import", str(file), "--database", str(database)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    file.unlink()


class AttackedHub(RealHub):
    """A hub with what an attacker needs."""

    def send(self, method: str, path: str, octets: bytes, kind: str, seconds: float = 120) -> tuple[int, bytes]:
        asked = urllib.request.Request(self.address + "/api/v1" + path, octets, method=method)
        asked.add_header("Content-Type", kind)
        try:
            answer = urllib.request.urlopen(asked, timeout=seconds)
        except urllib.error.HTTPError as error:
            answer = error
        return answer.status, answer.read()

    def restore(self, octets: bytes, seconds: float = 120) -> tuple[int, bytes]:
        return self.send("PUT", "/database", octets, "application/vnd.sqlite3", seconds)

    def copy(self) -> bytes:
        status, octets, _ = self.request("GET", "/api/v1/database")
        assert status == 200
        return octets

    def bring(self, names) -> tuple[int, bytes]:
        """Imports detections through the hub."""
        octets = table(names, self.folder / "rows.csv").read_bytes()
        return self.send("POST", "/imports/detections", octets, "application/octet-stream")

    def works(self) -> None:
        """It answers, stores and deletes, now and after a restart."""
        for again in (False, True):
            if again:
                assert self.stop() == 0, self.log
                self.start()
            state = self.get("/hub")
            assert state["storage"]["trouble"] is None, state
            before = self.get("/detections")["total"]
            status, answer = self.bring([f"works-{time.monotonic_ns()}"])
            assert status == 200, answer
            page = self.get("/detections?limit=100")
            assert page["total"] == before + 1
            for path in ("/sources", "/settings", "/drives", "/map/known/sets", "/saves", "/map?box=-180,-85,180,85&zoom=3", "/openapi.json"):
                status, value, _ = self.request("GET", "/api/v1" + path)
                assert status in (200, 400, 404), (path, status, value)
            newest = max(one["id"] for one in page["items"])
            status, value, _ = self.request(
                "POST", "/api/v1/detections/bulk", {"action": "delete", "detections": [newest]})
            assert status == 200, value
            assert self.get("/detections")["total"] == before
            status, value, headers = self.request("GET", "/api/v1/settings")
            theme = "light" if value["theme"] == "dark" else "dark"
            status, value, _ = self.request(
                "PATCH", "/api/v1/settings", {"theme": theme}, {"If-Match": headers["ETag"]})
            assert status == 200, value
            assert self.get("/detections")["total"] == before, "a change of theme has deleted something"


def changed(octets: bytes, folder: Path, *statements: str, loose: str | None = None) -> bytes:
    """A copy after some statements, with all that SQLite lets its owner do; `loose` names a table that then takes any value."""
    path = folder / "hub.sqlite-made"
    path.write_bytes(octets)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute("PRAGMA writable_schema = ON")
            connection.create_function("detection_key", 1, lambda _: b"0" * 16)
            if loose:
                connection.execute(f"CREATE TABLE loose AS SELECT * FROM {loose}")
                connection.execute(f"DROP TABLE {loose}")
                connection.execute(f"ALTER TABLE loose RENAME TO {loose}")
            for statement in statements:
                connection.execute(statement)
        return path.read_bytes()
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)


def unchecked(octets: bytes, folder: Path, table: str, statement: str) -> bytes:
    """A database after a statement that its table would refuse; the table is as it was afterwards."""
    path = folder / "hub.sqlite-made"
    path.write_bytes(octets)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            before = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
            loose = before.replace("STRICT, WITHOUT ROWID", "WITHOUT ROWID").replace(" STRICT", "").replace("NOT NULL", "")
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (loose, table))
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.executescript(statement)
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (before, table))
        return path.read_bytes()
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)


@pytest.fixture
def hub(tmp_path):
    """A hub with three detections, ended when the test has not done so."""
    one = AttackedHub(tmp_path, *NO_RADIO)
    fill(one.database, ["a", "b", "c"])
    one.start()
    yield one
    if one.process and one.process.poll() is None:
        assert one.stop() == 0, one.log
