# SPDX-License-Identifier: Apache-2.0
"""Files that go, disks that fill, two hubs at once: nothing is lost without a word."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from conftest import NO_RADIO, AttackedHub, fill
from patience import within
from real_hub import Air, binary
from small_disk import small_disk


def rows(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("SELECT ssid FROM detection ORDER BY id")]


def trouble(hub):
    return hub.get("/hub")["storage"]["trouble"]


# MARK: The file


@pytest.mark.parametrize("ends", [[""], ["", "-wal", "-shm"]])
def test_a_file_that_is_deleted_is_written_anew(hub, ends):
    for end in ends:
        Path(f"{hub.database}{end}").unlink(missing_ok=True)
    assert "deleted or replaced" in hub.until(lambda: trouble(hub))
    status, answer = hub.bring(["later"])
    assert status == 200, answer
    hub.until(lambda: trouble(hub) is None)
    assert hub.get("/detections")["total"] == 4
    assert hub.stop() == 0
    assert rows(hub.database) == ["a", "b", "c", "later"]
    assert "deleted or replaced" in hub.log
    hub.start()
    hub.works()


def test_a_log_that_is_deleted_is_begun_anew(hub):
    hub.bring(["in the log"])
    Path(f"{hub.database}-wal").unlink()
    hub.until(lambda: "deleted or replaced" in hub.log)
    status, answer = hub.bring(["later"])
    assert status == 200, answer
    hub.until(lambda: trouble(hub) is None)
    hub.process.kill()
    hub.process.wait()
    assert rows(hub.database) == ["a", "b", "c", "in the log", "later"]
    hub.start()
    hub.works()


def test_a_file_that_is_replaced_is_opened(hub, tmp_path):
    other = tmp_path / "hub.sqlite-other"
    fill(other, ["x", "y"])
    os.replace(other, hub.database)
    assert "deleted or replaced" in hub.until(lambda: trouble(hub))
    status, answer = hub.bring(["later"])
    assert status == 200, answer
    hub.until(lambda: trouble(hub) is None)
    assert hub.get("/detections")["total"] == 3
    assert hub.stop() == 0
    assert rows(hub.database) == ["x", "y", "later"]
    hub.start()
    hub.works()


def test_a_file_that_comes_back_is_gone_on_with(hub):
    away = hub.database.with_name("hub.sqlite-away")
    hub.database.rename(away)
    hub.until(lambda: trouble(hub))
    away.rename(hub.database)
    hub.until(lambda: trouble(hub) is None)
    status, answer = hub.bring(["later"])
    assert status == 200, answer
    hub.stop()
    assert rows(hub.database) == ["a", "b", "c", "later"]


def test_what_is_no_database_in_its_place_is_waited_out(hub):
    hub.database.with_name("hub.sqlite-copy").write_bytes(hub.copy())
    hub.database.unlink()
    hub.database.write_bytes(b"nonsense" * 1000)
    hub.until(lambda: trouble(hub))
    status, _ = hub.bring(["later"])
    assert status == 503
    os.replace(hub.database.with_name("hub.sqlite-copy"), hub.database)
    hub.until(lambda: trouble(hub) is None)
    status, answer = hub.bring(["later"])
    assert status == 200, answer
    hub.stop()
    assert rows(hub.database) == ["a", "b", "c", "later"]


@pytest.mark.parametrize("what", ["the log is cut", "a copy is written over it"])
def test_a_file_that_is_written_over_is_said(hub, what):
    copy = hub.copy()
    assert hub.bring(["after the copy"])[0] == 200
    if what == "the log is cut":
        os.truncate(f"{hub.database}-wal", 0)
    else:
        hub.database.write_bytes(copy)
    assert "written over" in hub.until(lambda: trouble(hub))
    status, answer = hub.bring(["later"])
    assert status == 200, answer
    hub.until(lambda: trouble(hub) is None)
    assert hub.stop() == 1 and "written over" in hub.log, hub.log
    # What was told stored is missing, and nothing else.
    assert rows(hub.database) == ["a", "b", "c", "later"]
    hub.start()
    hub.works()


def test_what_is_written_over_at_the_end_is_not_made_worse(hub):
    assert hub.bring(["in the log"])[0] == 200
    hub.process.send_signal(signal.SIGSTOP)
    os.truncate(f"{hub.database}-wal", 0)
    hub.process.send_signal(signal.SIGTERM)
    hub.process.send_signal(signal.SIGCONT)
    assert hub.process.wait(within(30)) == 1, hub.log
    hub.start()
    assert rows(hub.database)[:3] == ["a", "b", "c"]
    hub.works()


def test_what_is_refused_is_not_said_to_wait(hub):
    hub.database.unlink()
    hub.database.mkdir()
    hub.until(lambda: trouble(hub))
    assert hub.bring(["never"])[0] == 503
    assert "waits and will be stored" not in hub.log, hub.log
    hub.database.rmdir()
    hub.until(lambda: trouble(hub) is None)


# MARK: Disks


def connect(hub, air) -> None:
    """Has the hub connect to the FlockFinder."""

    def finder():
        return next((one for one in hub.get("/devices")["items"] if one["kind"] == "flockfinder"), None)

    number = hub.until(finder)["id"]
    if finder()["state"] == "none":
        hub.request("POST", f"/api/v1/devices/{number}/connect")
    hub.until(lambda: finder()["state"] == "connected")
    air.ready()


def detection(index: int, **more) -> dict:
    return {"type": "Flock Safety", "ssid": f"net-{index}", "rssi": -60, "confidence": 0.9, "t": 1000 + index, **more}


def test_what_comes_from_the_air_while_the_file_is_gone_is_kept(tmp_path):
    air = Air()
    hub = AttackedHub(tmp_path, "--radio", air.radio)
    try:
        hub.start()
        connect(hub, air)
        air.send(detection(0))
        hub.detections()
        for end in ("", "-wal", "-shm"):
            Path(f"{hub.database}{end}").unlink(missing_ok=True)
        for index in range(1, 101):
            air.send(detection(index))
        assert "deleted or replaced" in hub.until(lambda: trouble(hub))
        for index in range(101, 201):
            air.send(detection(index))
        hub.until(lambda: trouble(hub) is None)
        for index in range(201, 211):
            air.send(detection(index))
        hub.detections(count=211)
        assert hub.stop() == 0, hub.log
        assert rows(hub.database) == [f"net-{index}" for index in range(211)]
    finally:
        hub.stop()
        air.close()


def fill_disk(disk: Path) -> Path:
    filler = disk / "filler"
    space = os.statvfs(disk)
    filler.write_bytes(b"x" * (space.f_bavail * space.f_frsize))
    return filler


def test_what_a_full_disk_has_not_taken_at_the_end_is_said(tmp_path):
    air = Air()
    try:
        with small_disk(tmp_path / "disk", "4m") as disk:
            hub = AttackedHub(tmp_path, "--radio", air.radio)
            hub.database = disk / "hub.sqlite"
            hub.start()
            connect(hub, air)
            air.send(detection(0))
            hub.detections()
            fill_disk(disk)
            sent = 1
            while trouble(hub) is None:
                for _ in range(50):
                    air.send(detection(sent, note="x" * 400))
                    sent += 1
                assert sent < 5000, "the disk does not fill"
            for _ in range(20):
                air.send(detection(sent, note="x" * 400))
                sent += 1
            status = hub.stop()
            kept = len(rows(hub.database))
            assert status == 1 and f"{sent - kept} rows were not stored" in hub.log, (status, sent, kept, hub.log)
    finally:
        air.close()


def test_a_capture_on_a_full_disk_says_so_and_keeps_the_last_one(tmp_path):
    with small_disk(tmp_path / "disk", "4m") as disk:
        hub = AttackedHub(tmp_path, "--radio", "sim")
        hub.database = disk / "hub.sqlite"
        hub.start()
        try:
            status, value, _ = hub.request("POST", "/api/v1/capture")
            assert status == 200, value
            hub.until(lambda: hub.get("/capture")["packets"] > 3)
            hub.request("DELETE", "/api/v1/capture")
            last = hub.request("GET", "/api/v1/capture/file")[1]
            filler = fill_disk(disk)
            status, value, _ = hub.request("POST", "/api/v1/capture")
            assert status == 409 and "No space left on device" in value["detail"], (status, value)
            assert hub.request("GET", "/api/v1/capture/file")[1] == last
            filler.unlink()
            # Something else is in the way; that is no lack of room.
            (disk / "capture.btsnoop.partial").mkdir()
            status, value, _ = hub.request("POST", "/api/v1/capture")
            assert status == 409 and "Is a directory" in value["detail"], (status, value)
            assert hub.request("GET", "/api/v1/capture/file")[1] == last
            (disk / "capture.btsnoop.partial").rmdir()
            assert hub.request("POST", "/api/v1/capture")[0] == 200
            assert sorted(path.name for path in disk.iterdir() if "btsnoop" in path.name) == ["capture.btsnoop"]
        finally:
            hub.stop()


def test_a_capture_without_permission_says_so_and_keeps_the_last_one(tmp_path):
    """In other words than those of a full disk."""
    folder = tmp_path / "data"
    folder.mkdir()
    hub = AttackedHub(tmp_path, "--radio", "sim")
    hub.database = folder / "hub.sqlite"
    if os.geteuid() == 0:
        # Who may do everything is to be stopped by permissions, too.
        setpriv = shutil.which("setpriv") or pytest.skip("there is no setpriv here")
        hub.command = [setpriv, "--bounding-set=-dac_override,-dac_read_search", *hub.command]
    hub.start()
    try:
        assert hub.request("POST", "/api/v1/capture")[0] == 200
        hub.until(lambda: hub.get("/capture")["packets"] > 3)
        hub.request("DELETE", "/api/v1/capture")
        last = hub.request("GET", "/api/v1/capture/file")[1]
        folder.chmod(0o500)
        status, value, _ = hub.request("POST", "/api/v1/capture")
        assert status == 409 and "Permission denied" in value["detail"] and "space" not in value["detail"], (status, value)
        assert hub.request("GET", "/api/v1/capture/file")[1] == last
        folder.chmod(0o700)
        assert hub.request("POST", "/api/v1/capture")[0] == 200
        assert [path.name for path in folder.iterdir() if "btsnoop" in path.name] == ["capture.btsnoop"]
    finally:
        folder.chmod(0o700)
        hub.stop()


def put(hub, octets: int, first: bytes, then=lambda: None) -> bytes:
    """Brings a database of so many octets, of which the first are these; what is answered while the rest is on its way."""
    head = f"PUT /api/v1/database HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nContent-Type: application/vnd.sqlite3\r\n"
    with socket.create_connection(("127.0.0.1", hub.port), timeout=20) as connection:
        connection.sendall(f"{head}Content-Length: {octets}\r\nConnection: close\r\n\r\n".encode() + first)
        then()
        answer = b""
        connection.settimeout(0.05)
        left, end = octets - len(first), time.monotonic() + 20
        while b"\r\n\r\n{" not in answer or not answer.endswith(b"}"):
            assert time.monotonic() < end, f"nothing is answered: {answer}"
            with suppress(TimeoutError):
                left -= connection.send(bytes(min(left, 65536))) if left else 0
            with suppress(TimeoutError):
                answer += connection.recv(65536)
        return answer


def test_a_copy_that_finds_no_room_is_refused_at_once_or_when_there_is_none_left(tmp_path):
    with small_disk(tmp_path / "disk", "8m") as disk:
        hub = AttackedHub(tmp_path, *NO_RADIO)
        hub.database = disk / "hub.sqlite"
        hub.start()
        try:
            copy = hub.copy()
            # More than a third of what is free is refused before it is taken.
            answer = put(hub, len(copy) + (4 << 20), copy)
            assert b" 503 " in answer and b"no room" in answer, answer

            def fill():
                hub.until(lambda: list(disk.glob(".lantern-*")))
                fill_disk(disk)

            # There was room when it began.
            answer = put(hub, 1 << 20, copy[:4096], fill)
            assert b" 503 " in answer and b"no room" in answer, answer
            hub.until(lambda: not list(disk.glob(".lantern-*")))
            (disk / "filler").unlink()
            hub.until(lambda: trouble(hub) is None)
            assert hub.restore(copy)[0] == 204
        finally:
            assert hub.stop() == 0


def test_a_copy_that_cannot_be_written_is_refused_in_other_words(tmp_path):
    folder, away = tmp_path / "data", tmp_path / "away"
    folder.mkdir()
    hub = AttackedHub(tmp_path, *NO_RADIO)
    hub.database = folder / "hub.sqlite"
    hub.start()
    try:
        copy = hub.copy()
        folder.rename(away)
        answer = put(hub, 64 << 20, copy)
        assert b" 503 " in answer and b"permissions of the folder" in answer, answer
        away.rename(folder)
        hub.until(lambda: trouble(hub) is None)
        assert hub.restore(copy)[0] == 204
    finally:
        assert hub.stop() == 0


# MARK: Two hubs


@pytest.mark.parametrize("kind", ["symbolic", "hard", "folder"])
def test_two_hubs_on_one_file_are_one_too_many(hub, tmp_path, kind):
    folder = tmp_path / "elsewhere"
    name = folder / "other.sqlite"
    if kind == "folder":
        folder.symlink_to(tmp_path)
        name = folder / "hub.sqlite"
    else:
        folder.mkdir()
        name.symlink_to(hub.database) if kind == "symbolic" else os.link(hub.database, name)
    done = subprocess.run(
        [binary(), "hub", *NO_RADIO, "--database", name, "--listen", "127.0.0.1:0"],
        capture_output=True, text=True, timeout=60, env={**os.environ, "HOME": str(tmp_path)},
    )
    assert done.returncode == 1 and "Another hub" in done.stderr, done.stderr
    hub.works()
    if kind == "folder":
        folder.unlink()
    else:
        shutil.rmtree(folder)
