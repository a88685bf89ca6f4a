# SPDX-License-Identifier: Apache-2.0
"""Proves that a disk which is full, or may only be read, is said in words, and that what can be done there is done."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern import DONE, FAILED, Lantern
from small_disk import remount, small_disk

CATALOGUE_HEAD = "device_type,rssi,confidence,timestamp,ssid\n"
FULL = "There is no room left on the disk of"
READ_ONLY = "may not be written. Check the permissions"


def catalogue(path: Path, rows: int) -> Path:
    lines = (f"Ring,-61,0.9,2026-11-21T10:{i // 60 % 60:02}:{i % 60:02}Z,n{i}\n" for i in range(rows))
    path.write_text(CATALOGUE_HEAD + "".join(lines))
    return path


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 600 kB: an empty database with its log takes 400."""
    with small_disk(tmp_path / "disk", "600k") as disk:
        yield disk


@pytest.fixture
async def read_only(serving: Lantern, disk: Path, tmp_path: Path) -> Path:
    """A database of three detections on a disk that may only be read."""
    database = disk / "kept.sqlite"
    await serving.run_offline(
        "detections", "import", str(catalogue(tmp_path / "three.csv", 3)), "--database", str(database)
    )
    remount(disk, "ro")
    return database


async def test_an_import_fills_the_disk(serving: Lantern, disk: Path, tmp_path: Path) -> None:
    file = catalogue(tmp_path / "many.csv", 5000)
    result = await serving.run_offline("detections", "import", str(file), "--database", str(disk / "a.sqlite"))
    assert (result.status, result.stdout) == (FAILED, "")
    assert FULL in result.stderr


async def test_an_export_fills_the_disk(serving: Lantern, disk: Path, tmp_path: Path) -> None:
    database = tmp_path / "many.sqlite"
    file = catalogue(tmp_path / "many.csv", 5000)
    await serving.run_offline("detections", "import", str(file), "--database", str(database))
    output = disk / "out.json"
    result = await serving.run_offline(
        "detections", "export", "--format", "json", "--output", str(output), "--database", str(database)
    )
    assert result.status == FAILED
    assert f"{output} cannot be written: No space left on device" in result.stderr
    assert list(disk.iterdir()) == [], "half a file is none"


async def test_a_capture_fills_the_disk(serving: Lantern, disk: Path) -> None:
    (disk / "filler").write_bytes(bytes(os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize - 4096))
    capture = disk / "all.btsnoop"
    result = await serving.run("scan", "--json", "--duration", "8", "--capture", str(capture), radio="sim", timeout=30)
    assert result.status == FAILED
    assert f"{capture}" in result.stderr and "No space left on device" in result.stderr


async def test_a_database_that_may_only_be_read_is_read(serving: Lantern, read_only: Path) -> None:
    assert len(await serving.list_detections(read_only)) == 3
    shown = await serving.run_offline("detections", "show", "2", "--database", str(read_only))
    assert shown.status == DONE and "n1" in shown.stdout
    exported = await serving.run_offline("detections", "export", "--format", "csv", "--database", str(read_only))
    assert exported.status == DONE and len(exported.stdout.splitlines()) == 4


@pytest.mark.parametrize(
    "command", ["flock watch --count 1", "detections delete 1 --yes", "detections import"], ids=lambda c: c.split()[1]
)
async def test_a_database_that_may_only_be_read_is_not_written(
    command: str, serving: Lantern, read_only: Path, tmp_path: Path
) -> None:
    arguments = command.split() + ([str(tmp_path / "three.csv")] if command.endswith("import") else [])
    arguments += ["--database", str(read_only)]
    start = serving.run if command.startswith("flock") else serving.run_offline
    result = await start(*arguments, **({"radio": "sim"} if start == serving.run else {}))
    assert (result.status, result.stdout) == (FAILED, "")
    assert READ_ONLY in result.stderr


async def test_a_capture_where_nothing_may_be_written(serving: Lantern, read_only: Path) -> None:
    capture = read_only.parent / "all.btsnoop"
    result = await serving.run("scan", "--duration", "1", "--capture", str(capture), radio="sim")
    assert result.status == FAILED
    assert f"The capture cannot be written to {capture}: Read-only file system" in result.stderr


async def test_a_home_where_nothing_may_be_written(serving: Lantern, read_only: Path) -> None:
    home = str(read_only.parent / "home")
    process = subprocess.run(
        [serving.binary, "flock", "watch", "--radio", "sim", "--count", "1"],
        env={**{k: v for k, v in os.environ.items() if not k.startswith("XDG_")}, "HOME": home},
        capture_output=True, text=True, timeout=20,
    )
    assert process.returncode == FAILED
    assert f"The folder {home} cannot be made: Read-only file system. Name a file with --database." in process.stderr
