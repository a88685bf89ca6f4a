# SPDX-License-Identifier: Apache-2.0
"""Databases that are full, read-only, older, newer or damaged: the hub says so, and loses or replaces nothing."""

import hashlib
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect
from real_hub import RealHub, binary
from small_disk import remount, small_disk
from test_real_hub import connect, detection

HERE = Path(__file__).parent
# The hub stands without a radio.
NO_RADIO = ("--radio", "tcp:127.0.0.1:1")


@pytest.fixture
def hub(tmp_path):
    one = RealHub(tmp_path, *NO_RADIO)
    yield one
    if one.process:
        one.stop()


@pytest.fixture
def disk(tmp_path):
    """A disk of 4 MB."""
    with small_disk(tmp_path / "disk", "4m") as disk:
        yield disk


def fill(disk, leave: int = 0) -> Path:
    filler = disk / "filler"
    space = os.statvfs(disk)
    with open(filler, "wb") as file:
        file.write(b"x" * (space.f_bavail * space.f_frsize - leave))
    return filler


def refused(hub, *words: str, **options) -> None:
    """The hub does not start and says why: one line, status 1."""
    run = subprocess.run(
        [*hub.command, "--database", hub.database, "--listen", f"127.0.0.1:{hub.port}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        env={**os.environ, "HOME": str(hub.folder)},
        **options,
    )
    assert run.returncode == 1, run.stderr
    for word in words:
        assert word in run.stderr, run.stderr
    assert len(run.stderr.strip().splitlines()) == 1, run.stderr


def rows(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT COUNT(*) FROM detection").fetchone()[0]


def fill_database(hub, count: int) -> None:
    """Stores so many detections, by import."""
    lines = ["timestamp,device_type,mac_address,ssid,rssi,confidence"]
    for index in range(count):
        mac = f"3C:71:BF:00:{index >> 8:02X}:{index & 255:02X}"
        moment = f"2026-01-01T{index // 3600:02}:{index // 60 % 60:02}:{index % 60:02}Z"
        lines.append(f"{moment},Flock Safety,{mac},net-{index},-60,0.9")
    subprocess.run(
        [binary(), "detections", "import", "--database", hub.database, "-"],
        input="\n".join(lines) + "\n",
        text=True,
        check=True,
        capture_output=True,
    )


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# MARK: Disks


def test_a_disk_that_fills_loses_nothing(hub, air, disk, open_page):
    hub.command[2:] = ["--radio", air.radio]
    hub.database = disk / "hub.sqlite"
    hub.start()
    try:
        connect(hub, air)
        air.send(detection(0))
        hub.detections()
        filler = fill(disk)
        sent = 1
        while hub.get("/hub")["storage"]["trouble"] is None:
            for _ in range(50):
                air.send(detection(sent, note="x" * 400))
                sent += 1
            assert sent < 5000, "the disk does not fill"
        trouble = hub.get("/hub")["storage"]["trouble"]
        assert "no room left on the disk" in trouble and "Free some" in trouble
        page = open_page("settings")
        expect(page.locator("body")).to_contain_text("no room left on the disk", timeout=20000)
        expect(page.locator(".status")).to_contain_text("Not storing")
        page.goto(f"{hub.address}/#/scanner")
        expect(page.locator(".storing")).to_contain_text("Detections are not stored. There is no room left")
        known = hub.get("/detections")["total"]
        filler.unlink()
        hub.until(lambda: hub.get("/hub")["storage"]["trouble"] is None, 60)
        expect(page.locator(".storing")).to_be_hidden(timeout=10000)
        expect(page.locator(".status")).to_contain_text("Live")
        hub.detections(60, count=sent)
        assert known < sent and hub.get("/detections")["total"] == sent
    finally:
        status = hub.stop()
    assert status == 0 and rows(hub.database) == sent


def test_a_full_disk_is_said_at_the_start(hub, disk):
    hub.database = disk / "hub.sqlite"
    fill(disk)
    refused(hub, "no room left on the disk", "Free some")


def test_a_read_only_disk_is_said_at_the_start(hub, disk):
    hub.database = disk / "hub.sqlite"
    fill_database(hub, 10)
    before = digest(hub.database)
    remount(disk, "ro")
    refused(hub, "Read-only file system", "Name another file with --database")
    assert digest(hub.database) == before


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_file_or_folder_that_may_not_be_written_is_said(hub, tmp_path, what):
    fill_database(hub, 10)
    before = digest(hub.database)
    nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    try:
        for part in [tmp_path, *tmp_path.parents]:
            if nobody and not part.stat().st_mode & 1:
                part.chmod(part.stat().st_mode | 0o11)
        hub.database.chmod(0o444)
        tmp_path.chmod(0o777 if what == "file" else 0o555)
        words = {
            "file": ["may not be written", "Check the permissions"],
            "folder": ["Permission denied", "Name another file with --database"],
        }
        refused(hub, *words[what], **nobody)
    finally:
        tmp_path.chmod(0o755)
        hub.database.chmod(0o600)
    assert digest(hub.database) == before


# MARK: Versions


@pytest.mark.parametrize("version", ["001", "002"])
def test_an_older_version_is_taken_over(hub, version):
    with closing(sqlite3.connect(hub.database)) as connection:
        connection.executescript((HERE / f"older/{version}.sql").read_text())
    hub.start()
    page = hub.get("/detections")
    assert [(one["id"], one["ssid"]) for one in page["items"]] == [(2, "second"), (1, "first")]
    assert hub.get("/sources")["total"] == 2
    assert hub.get("/detections?text=irs")["total"] == 1


def test_a_newer_version_is_left_alone(hub):
    fill_database(hub, 10)
    with closing(sqlite3.connect(hub.database)) as connection:
        connection.execute("INSERT INTO grdb_migrations VALUES ('999 of another time')")
        connection.commit()
        before = list(connection.iterdump())
    refused(hub, "newer version", "Update Lantern")
    with closing(sqlite3.connect(hub.database)) as connection:
        assert list(connection.iterdump()) == before


def test_a_version_that_becomes_newer_under_the_hub_is_left_alone(hub, air):
    hub.command[2:] = ["--radio", air.radio]
    hub.start()
    try:
        connect(hub, air)
        air.send(detection(0))
        hub.detections()
        with closing(sqlite3.connect(hub.database, timeout=20)) as connection:
            connection.execute("INSERT INTO grdb_migrations VALUES ('999 of another time')")
            connection.commit()
        air.send(detection(1))
        assert "newer version" in hub.until(lambda: hub.get("/hub")["storage"]["trouble"])
    finally:
        hub.stop()
    assert rows(hub.database) == 1


def test_another_programs_database_is_left_alone(hub):
    with closing(sqlite3.connect(hub.database)) as connection:
        connection.execute("CREATE TABLE detection (id INTEGER)")
        connection.commit()
    before = digest(hub.database)
    refused(hub, "another program", "Choose another file")
    assert digest(hub.database) == before


# MARK: Damage


def damage(path: Path, at: int, octets: bytes) -> None:
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(octets)


def test_a_broken_header_is_said(hub):
    fill_database(hub, 500)
    damage(hub.database, 0, b"\xa5" * 100)
    before = digest(hub.database)
    refused(hub, "is not a database", "Choose another file")
    assert digest(hub.database) == before


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_a_truncated_file_is_said(hub, part):
    fill_database(hub, 2000)
    os.truncate(hub.database, int(hub.database.stat().st_size * part))
    before = digest(hub.database)
    refused(hub, "is damaged", "backup")
    assert digest(hub.database) == before


def test_a_damaged_page_is_said_by_what_needs_it(hub, open_page):
    fill_database(hub, 2000)
    with closing(sqlite3.connect(hub.database)) as connection:
        # The pages of the rows themselves, without the root that names them.
        pages = [
            row[0]
            for row in connection.execute("SELECT pageno FROM dbstat WHERE name = 'detection' AND pagetype = 'leaf'")
        ]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    for number in pages[:-1]:
        damage(hub.database, (number - 1) * size, b"\xa5" * size)
    hub.start()
    status, problem, _ = hub.request("GET", "/api/v1/detections?limit=1000")
    assert status == 503 and "is damaged" in problem["detail"] and "backup" in problem["detail"], problem
    page = open_page("history")
    expect(page.locator("body")).to_contain_text("is damaged", timeout=20000)


def test_a_lost_log_leaves_what_was_in_the_file(hub):
    fill_database(hub, 100)
    hub.start()
    hub.kill()
    for end in ("-wal", "-shm"):
        Path(f"{hub.database}{end}").unlink(missing_ok=True)
    hub.start()
    assert hub.get("/detections")["total"] == 100
