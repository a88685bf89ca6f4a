# SPDX-License-Identifier: Apache-2.0
"""Imports that a person ends with Control-C: soon, whatever is in the file, and with what was imported said."""

from __future__ import annotations

import asyncio
import gzip
import time
from pathlib import Path

from patience import within

from lantern import DONE, Lantern

HEADING = b"device_type,rssi,confidence,timestamp\n"


def much(begin: bytes) -> bytes:
    """Three hundred megabytes behind a beginning, none of which can be used, in some two."""
    rows = b"".join(b"\n" * 1000 + b"Ring,x,%d,2024-01-01\n" % (row * 7919 % 100_000) for row in range(1000))
    return gzip.compress(begin) + gzip.compress(rows) * 300


async def test_an_import_ends_soon_after_control_c_and_what_was_imported_stays(lantern: Lantern, tmp_path: Path) -> None:
    file, database = tmp_path / "much.csv.gz", tmp_path / "a.sqlite"
    file.write_bytes(much(HEADING + b"Ring,-60,1,2024-01-01\n" * 600))
    run = await lantern.start_offline("detections", "import", str(file), "--database", str(database))
    while not database.exists():
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)
    begin = time.monotonic()
    result = await run.interrupt()
    assert time.monotonic() - begin < within(1)
    assert result.status == DONE and result.stdout.startswith("500 detections imported"), result
    assert "was not read to its end. What was imported stays" in result.stderr, result
    listed = await lantern.list_detections(database, "--limit", "0")
    assert len(listed) == 500


async def test_a_set_of_cameras_ends_soon_after_control_c(lantern: Lantern, tmp_path: Path) -> None:
    file, database = tmp_path / "much.osm.gz", tmp_path / "a.sqlite"
    nodes = b"".join(b"<!--" + b" " * 1000 + b"--><node id='%d' lat='1' lon='1'/>\n" % number for number in range(1000))
    file.write_bytes(gzip.compress(b"<osm>") + gzip.compress(nodes) * 300)
    run = await lantern.start_offline("detections", "known", "import", str(file), "--database", str(database))
    await asyncio.sleep(1)
    begin = time.monotonic()
    result = await run.interrupt()
    assert time.monotonic() - begin < within(1)
    assert result.status == DONE and "Nothing was changed" in result.stderr, result
    assert not database.exists()
