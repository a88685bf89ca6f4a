# SPDX-License-Identifier: Apache-2.0
"""Proves that nothing which was shown is lost: 200 SIGKILLs at random moments of an ingest.

After every kill each detection line that had been printed is in the database, and the database opens and is
whole. Ten databases take twenty kills each, so that most kills meet a database that was killed before.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from pathlib import Path

import pytest

from lantern import Lantern, Run
from peers.bench import Bench
from peers.flockfinder_device import FlockFinderDevice
from peers.samples import numbered

DATABASES = 10
KILLS_PER_DATABASE = 20
LONGEST_INGEST = 0.25


class Feeder:
    """Sends numbered detections as fast as the link takes them, on whichever link is subscribed."""

    def __init__(self, device: FlockFinderDevice) -> None:
        self.device = device
        self.sent = 0
        self.task: asyncio.Task[None] | None = None
        device.on_subscribed = self._on_subscribed

    def _on_subscribed(self, name: str) -> None:
        if name == "detection":
            self.task = asyncio.ensure_future(self._feed())

    async def _feed(self) -> None:
        while self.device.connected:
            await self.device.send(numbered(self.sent))
            self.sent += 1
            await self.device.let_flow(most_pending=8)
            await asyncio.sleep(0)


def assert_whole(database: Path) -> None:
    """SQLite finds nothing wrong with the file."""
    connection = sqlite3.connect(database)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    finally:
        connection.close()


def stored(database: Path) -> dict[int, str]:
    """The names of all rows, by their ids."""
    connection = sqlite3.connect(database)
    try:
        return dict(connection.execute("SELECT id, ssid FROM detection"))
    finally:
        connection.close()


async def ingest_and_kill(lantern: Lantern, device: FlockFinderDevice, database: Path, delay: float) -> Run:
    """Starts an ingest and kills it `delay` seconds after the first detection was shown."""
    run = await lantern.watch(database, "--address", device.address, "--no-ping")
    await run.wait_for("detection")
    await asyncio.sleep(delay)  # The experiment itself, not synchronisation.
    await run.kill()
    assert not run.problems, run.problems[:5]
    return run


@pytest.mark.parametrize("round_number", range(DATABASES))
async def test_twenty_kills(
    round_number: int, bench: Bench, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    seed = int(os.environ.get("LANTERN_KILL_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"LANTERN_KILL_SEED={seed}")
    generator = random.Random(seed + round_number)
    feeder = Feeder(flockfinder)
    shown: dict[int, str] = {}
    for turn in range(KILLS_PER_DATABASE):
        delay = generator.uniform(0, LONGEST_INGEST)
        run = await ingest_and_kill(lantern, flockfinder, database, delay)
        for event in run.detections:
            assert event["id"] not in shown, "an id is given twice"
            shown[event["id"]] = event["ssid"]
        # Ours opens it first, and lists what is new; in the end it lists everything. To list all after each kill takes longer
        # than to ingest it.
        is_last = turn == KILLS_PER_DATABASE - 1
        new = [] if is_last else ["--since", run.detections[0]["received"]]
        rows = {row["id"]: row["ssid"] for row in await lantern.list_detections(database, *new)}
        for source, due in ((rows, shown if is_last else {event["id"] for event in run.detections}), (stored(database), shown)):
            missing = {key: shown[key] for key in due if source.get(key) != shown[key]}
            assert not missing, f"shown but not stored after a kill {delay:.4f} s into the ingest: {missing}"
        assert_whole(database)
        await bench.port.wait_until_free()
    assert feeder.sent >= len(shown) >= KILLS_PER_DATABASE


async def test_kills_while_the_database_is_made(
    bench: Bench, flockfinder: FlockFinderDevice, lantern: Lantern, tmp_path: Path
) -> None:
    """Killed at any moment of start-up, a database is absent, or opens."""
    generator = random.Random(20261121)
    for number in range(20):
        database = tmp_path / f"new-{number}.sqlite"
        run = await lantern.watch(database, "--address", flockfinder.address)
        await asyncio.sleep(generator.uniform(0, 0.15))  # The experiment itself.
        await run.kill()
        await bench.port.wait_until_free()
        if database.exists():
            await lantern.list_detections(database)
            assert_whole(database)
