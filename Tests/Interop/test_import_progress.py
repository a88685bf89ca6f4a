# SPDX-License-Identifier: Apache-2.0
"""An import of a large file, as a person sees it on a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
from pathlib import Path

from lantern import DONE, Lantern
from terminal import Terminal


def address(row: int) -> str:
    return f"58:8E:81:00:{row >> 8 & 255:02X}:{row & 255:02X}"


async def test_an_import_says_how_far_it_is_on_a_terminal(lantern: Lantern, tmp_path: Path) -> None:
    file, count = tmp_path / "rows.csv", 40_000
    times = [f"2024-01-01T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}Z" for second in range(count)]
    lines = [f"Ring,{address(row)},-60,1,{time}" for row, time in enumerate(times)]
    file.write_text("device_type,mac_address,rssi,confidence,timestamp\n" + "\n".join(lines) + "\n")
    arguments = ["detections", "import", str(file), "--database", str(tmp_path / "none.sqlite"), "--dry-run"]
    terminal = await Terminal.open(lantern.binary, arguments, lantern.environment(LANG="C.UTF-8"), tmp_path)
    await terminal.wait_for(r"\d+ rows, \d+% …", 2)
    assert await terminal.finish(60) == DONE
    shown = [(int(rows), int(part)) for rows, part in re.findall(r"(\d+) rows, (\d+)% …", terminal.text)]
    assert shown == sorted(shown) and all(0 < rows <= count and 0 <= part <= 100 for rows, part in shown)
    assert shown[-1][1] > shown[0][1]
    # It goes away again, and the result stands alone in its line.
    parts = terminal.octets.decode().replace("\r\n", "\n").split("\x1b[K")
    last = [part for part in parts if part.strip()][-1]
    assert "would be imported" in last and "%" not in last and last.count("\n") == 1
    piped = await lantern.run_offline(*arguments, timeout=60)
    assert "%" not in piped.stderr and "rows" not in piped.stderr


async def test_the_log_of_an_import_stays_small(lantern: Lantern, tmp_path: Path) -> None:
    """Rows from all over the world write the most: each touches squares of its own at all levels of the map."""
    file, database, count = tmp_path / "rows.csv", tmp_path / "far.sqlite", 40_000
    chance = random.Random(16)
    lines = [
        f"Ring,{address(row)},-60,1,2024-01-01T{row // 3600:02d}:{row // 60 % 60:02d}:{row % 60:02d}Z,"
        f"{chance.uniform(-60, 60):.6f},{chance.uniform(-180, 180):.6f}"
        for row in range(count)
    ]
    heading = "device_type,mac_address,rssi,confidence,timestamp,latitude,longitude\n"
    file.write_text(heading + "\n".join(lines) + "\n")
    arguments = ["detections", "import", str(file), "--database", str(database)]
    reading = asyncio.ensure_future(lantern.run_offline(*arguments, timeout=300))
    log, largest = Path(f"{database}-wal"), 0
    while not reading.done():
        await asyncio.wait([reading], timeout=0.02)
        with contextlib.suppress(FileNotFoundError):
            largest = max(largest, log.stat().st_size)
    done = reading.result()
    assert done.status == DONE and "40000" in done.stdout.replace(" ", ""), done
    # Not moved along it takes 300 MB (seen); 32 MB and what one piece writes are meant to be there.
    assert 0 < largest < 120_000_000, largest
