# SPDX-License-Identifier: Apache-2.0
"""Proves WiFiSet's long time limits: the list 30 s and three times, the ACK 5 s and three times, the join 30 s.

All cases wait side by side, on benches of their own.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lantern import DONE, NOTHING_FOUND, Lantern, Result
from patience import within
from peers.bench import Bench
from peers.wifiset import (
    CONNECTED,
    CONNECTING,
    CONNECTION_TIMEOUT,
    FAILED_TO_CONNECT,
    STORED,
    Ack,
    Error,
    ListEnd,
    ListStart,
    Status,
)
from peers.wifiset_client import WiFiSetClient
from peers.wifiset_device import ADDRESS, HOME, Step, WiFiSetDevice

pytestmark = pytest.mark.slow

PROVISION = ["provision", ADDRESS, "--ssid", "Home", "--open", "--yes"]
PASSWORD = "correct horse battery"


async def run_against(
    lantern: Lantern, device: WiFiSetDevice, command: list[str], longest: float
) -> tuple[Result, float]:
    """Runs a command to its end, and measures it."""
    await device.start()
    clock = asyncio.get_running_loop().time
    begin = clock()
    run = await lantern.start("wifi", *command, "--json", radio=device.bench.radio)
    result = await run.finish(timeout=longest)
    return result, clock() - begin


async def test_time_limits_of_the_client_and_the_device(lantern: Lantern, tmp_path: Path) -> None:
    benches = [Bench() for _ in range(7)]
    for bench in benches:
        await bench.open()
    endless, late, deaf, real, stuck, silent, ours = benches

    async def a_list_that_never_ends() -> None:
        device = WiFiSetDevice(endless)
        device.lists = [[ListStart(), HOME]]
        result, seconds = await run_against(lantern, device, ["networks", ADDRESS], 110)
        assert result.status == NOTHING_FOUND
        assert result.events("wifi_list_end") == [] and result.stderr.strip()
        assert len(device.entries("subscribe", "list")) == 3, "asked for three times"
        assert 88 < seconds < within(100)

    async def a_list_that_ends_the_second_time() -> None:
        device = WiFiSetDevice(late)
        device.lists = [[ListStart(), HOME], [ListStart(), HOME, ListEnd(1)]]
        result, seconds = await run_against(lantern, device, ["networks", ADDRESS], 50)
        assert result.status == DONE
        (end,) = result.events("wifi_list_end")
        assert end["count"] == end["received"] == 1, "each list is counted by itself"
        assert 29 < seconds < within(36)
        of_list = [entry.what for entry in device.log if entry.where == "list"]
        assert of_list[:3] == ["subscribe", "unsubscribe", "subscribe"]

    async def an_ack_that_never_comes() -> None:
        device = WiFiSetDevice(deaf, answers=[[]])
        result, seconds = await run_against(lantern, device, PROVISION, 30)
        assert result.status == NOTHING_FOUND
        assert result.events("wifi_acknowledgment") == [] and result.stderr.strip()
        first, second, third = device.tries
        assert first.message == second.message == third.message
        assert [second.sequence - first.sequence, third.sequence - second.sequence] == [1, 1]
        assert 4.8 < second.at - first.at < within(6.5) and 4.8 < third.at - second.at < within(6.5)
        assert 14.5 < seconds < within(19)

    async def an_ack_that_never_comes_and_a_join_that_works() -> None:
        """The firmware that exists sends its ACK where nobody can hear it (Documentation/Protocols/wifiset.md, Joining), and joins."""
        device = WiFiSetDevice(real, answers=[[1.0, Status(CONNECTED, -50, "10.0.0.1", b"Home")]])
        result, _ = await run_against(lantern, device, PROVISION, 30)
        assert result.status == DONE
        assert result.events("wifi_status")[-1]["state"] == "connected"

    async def a_join_that_never_ends() -> None:
        steps: list[Step] = [Ack(STORED), Status(CONNECTING, 0, "0.0.0.0", b"Home")]
        device = WiFiSetDevice(stuck, answers=[steps])
        result, seconds = await run_against(lantern, device, PROVISION, 50)
        assert result.status == NOTHING_FOUND
        assert result.stderr.strip() and len(device.tries) == 1
        assert 29 < seconds < within(40)

    async def a_join_of_which_nothing_is_told() -> None:
        """The status is not told, but it can be asked for; whoever does not ask ends with 2."""
        device = WiFiSetDevice(silent, answers=[[Ack(STORED)]])
        device.status = Status(CONNECTED, -50, "10.0.0.1", b"Home")
        result, _ = await run_against(lantern, device, PROVISION, 50)
        asked = any(event["state"] == "connected" for event in result.events("wifi_status"))
        assert result.status == (DONE if asked else NOTHING_FOUND)

    async def our_device_whose_access_point_is_silent() -> None:
        file = tmp_path / "networks.json"
        members = {"security": "wpa2", "rssi": -50, "channel": 1, "join_seconds": 1, "password": PASSWORD}
        file.write_text(json.dumps({"networks": [{"ssid": "Home", "fault": "no_answer", **members}]}))
        run = await lantern.start(
            "device", "run", "wifiset", "--networks", str(file), "--json", radio=ours.radio
        )
        client = WiFiSetClient(ours)
        await client.start()
        await client.join()
        await client.give(b"Home", PASSWORD.encode())
        await client.wait_for_state(FAILED_TO_CONNECT, timeout=45)
        begun, ended = [arrival for arrival in client.arrivals if isinstance(arrival.message, Status)]
        assert begun.message == Status(CONNECTING, 0, "0.0.0.0", b"Home")
        assert 29 < ended.at - begun.at < 33
        assert set(client.errors) <= {CONNECTION_TIMEOUT} and client.of(Error) is not None
        assert (await run.interrupt()).status == DONE

    cases: list[Callable[[], object]] = [
        a_list_that_never_ends,
        a_list_that_ends_the_second_time,
        an_ack_that_never_comes,
        an_ack_that_never_comes_and_a_join_that_works,
        a_join_that_never_ends,
        a_join_of_which_nothing_is_told,
        our_device_whose_access_point_is_silent,
    ]
    outcomes = await asyncio.gather(*(case() for case in cases), return_exceptions=True)
    for bench in benches:
        await bench.close()
    problems = {case.__name__: outcome for case, outcome in zip(cases, outcomes) if outcome is not None}
    assert not problems, problems
