# SPDX-License-Identifier: Apache-2.0
"""Proves how commands end: with Control-C while something goes wrong, without a radio, and when nobody reads them."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, Lantern, Run
from peers.bench import Bench
from peers.bulbs import ADDRESS as BULB
from peers.bulbs import TRIONES, Bulb
from peers.flockfinder_device import FlockFinderDevice
from peers.nightlight import ADDRESS as LAMP
from peers.nightlight import Lamp
from peers.samples import numbered

RESET = bytes.fromhex("01030c00")

# Control-C


async def watch_with_a_locked_database(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> tuple[Run, sqlite3.Connection]:
    """A watch that cannot store the detection that has come."""
    run = await lantern.watch(database)
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    await run.wait_for("detection")
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    await flockfinder.send(numbered(2))
    # A commit waits 5 s for the lock.
    await asyncio.sleep(1)
    return run, holder


async def test_a_last_commit_that_fails_is_a_failure(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run, holder = await watch_with_a_locked_database(flockfinder, lantern, database)
    result = await run.interrupt()
    holder.close()
    assert (result.status, len(result.events("detection"))) == (FAILED, 1)
    assert "another program has locked it. 1 row is kept beside it" in result.stderr
    # Whoever opens the database next finds it there.
    assert [row["ssid"] for row in await lantern.list_detections(database)] == ["n2", "n1"]
    assert not list(database.parent.glob("*.unsaved-*"))


async def test_a_last_commit_that_succeeds_is_none(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run, holder = await watch_with_a_locked_database(flockfinder, lantern, database)
    run.process.send_signal(signal.SIGINT)
    # Nothing shows that it waits for the lock now.
    await asyncio.sleep(1)
    holder.execute("ROLLBACK")
    result = await run.finish()
    assert (result.status, len(result.events("detection"))) == (DONE, 2)


async def test_a_second_signal_ends_it_at_once_and_as_a_failure(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run, holder = await watch_with_a_locked_database(flockfinder, lantern, database)
    run.process.send_signal(signal.SIGINT)
    # Two signals at once would be one.
    await asyncio.sleep(0.5)
    result = await run.interrupt(timeout=2)
    holder.close()
    assert result.status == FAILED
    assert "Ended at once" in result.stderr


async def test_the_first_signal_is_never_lost(serving: Lantern) -> None:
    """It comes at every moment of the start; before that of the program, the system ends it."""

    def start_and_interrupt(delay: float) -> tuple[int, bytes]:
        process = subprocess.Popen(
            [str(serving.binary), "scan", "--radio", "sim", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=serving.environment(),
        )
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=15)
        finally:
            process.kill()
        return process.returncode, errors

    for number in range(100):
        status, errors = await asyncio.to_thread(start_and_interrupt, number * 0.0007)
        assert (status, errors) in ((DONE, b""), (-signal.SIGINT, b"")), number


# Too few


async def test_fewer_detections_than_wanted(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--count", "5", "--duration", "6")
    await flockfinder.ready()
    for number in range(3):
        await flockfinder.send(numbered(number))
    result = await run.finish()
    assert (result.status, len(result.events("detection"))) == (NOTHING_FOUND, 3)
    assert "Only 3 detections of 5 came" in result.stderr


# A radio that is gone, a device that dies


async def trying_a_colour(lantern: Lantern) -> Run:
    run = await lantern.start("nightlight", "color", LAMP, "1", "#ff8800", "--for", "60")
    await run.wait_until(lambda: "#ff8800" in run.stdout, "the colour")
    return run


async def tell_at_once(run: Run, words: str) -> None:
    result = await run.finish(timeout=5)
    assert result.status == FAILED, result
    assert words in result.stderr


@pytest.mark.parametrize("returns", [False, True])
async def test_a_colour_on_a_radio_that_is_gone(
    returns: bool, bench: Bench, lamp: Lamp, lantern: Lantern
) -> None:
    run = await trying_a_colour(lantern)
    bench.port.lose(returns)
    await tell_at_once(run, "radio is gone")


@pytest.mark.parametrize("returns", [False, True])
async def test_a_cycle_on_a_radio_that_is_gone(returns: bool, bench: Bench, lantern: Lantern) -> None:
    await Bulb(bench, TRIONES).start()
    run = await lantern.start("bulb", "cycle", BULB, "--json")
    await run.wait_for("bulb_hue")
    bench.port.lose(returns)
    await tell_at_once(run, "radio is gone")


async def test_a_colour_on_a_lamp_that_dies(bench: Bench, lamp: Lamp, lantern: Lantern) -> None:
    run = await trying_a_colour(lantern)
    bench.lose_links(lamp.device)
    await tell_at_once(run, "It did not work")


async def test_a_cycle_on_a_bulb_that_dies(bench: Bench, lantern: Lantern) -> None:
    bulb = Bulb(bench, TRIONES)
    await bulb.start()
    run = await lantern.start("bulb", "cycle", BULB, "--json")
    await run.wait_for("bulb_hue")
    bench.lose_links(bulb.device)
    await tell_at_once(run, "It did not work")


# Nobody reads


async def test_a_radio_whose_output_nobody_reads_goes_on(serving: Lantern) -> None:
    # With asyncio's own processes something would read.
    process = subprocess.Popen(
        [str(serving.binary), *"radio serve --port 0 --controllers 1 --json".split()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=serving.environment(),
        bufsize=0,
    )
    assert process.stdout is not None
    try:
        port = json.loads(await asyncio.to_thread(process.stdout.readline))["port"]

        async def reset() -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(RESET)
            answer = await asyncio.wait_for(reader.readexactly(7), 5)
            writer.close()
            return answer

        # Two lines for each host: more than a pipe holds.
        for _ in range(2000):
            assert (await reset()).startswith(b"\x04\x0e")
    finally:
        process.kill()
        process.communicate()
