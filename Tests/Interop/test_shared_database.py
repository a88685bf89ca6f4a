# SPDX-License-Identifier: Apache-2.0
"""Proves that several programs may use one database: what one holds up is late for the others, and not lost."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from pathlib import Path

from lantern import DONE, Lantern
from peers.flockfinder_device import FlockFinderDevice
from peers.samples import numbered

PROGRAMS = 24


async def test_many_programs_make_one_database(lantern: Lantern, tmp_path: Path) -> None:
    database = tmp_path / "new.sqlite"
    files = []
    for number in range(PROGRAMS):
        files.append(tmp_path / f"{number}.csv")
        files[-1].write_text(f"device_type,rssi,confidence,timestamp,ssid\nRing,-61,0.9,2026-11-21,n{number}\n")
    results = await asyncio.gather(
        *(
            lantern.run_offline("detections", "import", str(file), "--database", str(database), timeout=60)
            for file in files
        )
    )
    assert [result.status for result in results] == [DONE] * PROGRAMS, results
    rows = await lantern.list_detections(database)
    assert {row["ssid"] for row in rows} == {f"n{number}" for number in range(PROGRAMS)}
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    assert not list(tmp_path.glob("new.sqlite-opening"))


async def test_who_holds_the_database_is_told_and_nothing_is_lost(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--count", "20")
    await flockfinder.ready()
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for number in range(20):
        await flockfinder.send(numbered(number))
    # Longer than SQLite itself waits for a lock.
    await run.wait_until(lambda: "has locked the database" in run.stderr, "who holds it", timeout=30)
    assert f"It is process {os.getpid()} (" in run.stderr
    assert run.detections == [], "what is not stored is not shown"
    other.execute("COMMIT")
    other.close()
    assert (await run.finish(timeout=30)).status == DONE
    assert len(run.detections) == 20
    assert "everything is stored" in run.stderr
    assert len(await lantern.list_detections(database)) == 20


async def test_an_interrupt_ends_a_watch_whose_database_stays_locked(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database)
    await flockfinder.ready()
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    await flockfinder.send(numbered(1))
    await run.wait_until(lambda: "has locked the database" in run.stderr, "who holds it", timeout=30)
    result = await run.interrupt(timeout=40)
    assert result.status == 1
    assert "has locked the database" in result.stderr
    other.close()
