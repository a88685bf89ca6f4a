# SPDX-License-Identifier: Apache-2.0
"""Proves what happens when a timer of half a minute runs out: a silent ATT server, a silent FlockFinder.

Each test lets its cases wait side by side, on benches of their own.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lantern import NOTHING_FOUND, Lantern, Run
from peers.bench import Bench
from peers.flockfinder_device import ADDRESS, FlockFinderDevice
from peers.samples import numbered

pytestmark = pytest.mark.slow

ATT_TIMEOUT = 30


async def flockfinder_on(bench: Bench) -> FlockFinderDevice:
    await bench.open()
    device = FlockFinderDevice(bench)
    await device.start()
    return device


async def test_a_device_that_never_answers(lantern: Lantern, database: Path) -> None:
    """A transaction times out after 30 s (Core v5.4, Vol 3, Part F, 3.3.3); the commands end or try again."""
    benches = [Bench(), Bench()]
    devices = [await flockfinder_on(bench) for bench in benches]
    for device in devices:
        device.fall_silent()
    clock = asyncio.get_running_loop().time
    begin = clock()
    tree = await lantern.start("gatt", "tree", ADDRESS, "--json", "--no-mtu", radio=benches[0].radio)
    watch = await lantern.watch(database, radio=benches[1].radio)

    async def tree_gives_up() -> None:
        result = await tree.finish(timeout=ATT_TIMEOUT + 20)
        assert (result.status, result.stdout) == (NOTHING_FOUND, "")
        assert clock() - begin >= ATT_TIMEOUT - 1
        assert result.stderr.strip()

    async def watch_tries_again() -> None:
        await devices[1].wait_for("disconnected", timeout=ATT_TIMEOUT + 20)
        devices[1].answer_again()
        await devices[1].ready(timeout=30)
        await devices[1].send(numbered(1))
        await watch.wait_for("detection")
        assert watch.states.count("connected") == 1

    await asyncio.gather(tree_gives_up(), watch_tries_again())
    await watch.interrupt()
    for bench in benches:
        await bench.close()


async def test_ping_after_half_a_minute_of_silence(lantern: Lantern, tmp_path: Path) -> None:
    benches = [Bench(), Bench(), Bench()]
    pinged, left_alone, talkative = [await flockfinder_on(bench) for bench in benches]
    runs: list[Run] = []
    for number, (bench, arguments) in enumerate(zip(benches, ([], ["--no-ping"], []))):
        runs.append(await lantern.watch(tmp_path / f"{number}.sqlite", *arguments, radio=bench.radio))
    for device in (pinged, left_alone, talkative):
        await device.ready()
    clock = asyncio.get_running_loop().time
    begin = clock()

    async def keep_talking() -> None:
        while True:
            await talkative.send(numbered(1))
            await asyncio.sleep(5)

    talk = asyncio.create_task(keep_talking())
    await pinged.wait_for("write", "command", timeout=40)
    silence = clock() - begin
    talk.cancel()
    assert 28 < silence < 36
    assert pinged.commands == [b"PING"]
    assert left_alone.commands == []
    assert talkative.commands == [], "who talks is not asked whether he is there"
    assert left_alone.connected
    for run in runs:
        await run.interrupt()
    for bench in benches:
        await bench.close()
