# SPDX-License-Identifier: Apache-2.0
"""Proves what the `wifi` commands do when the link ends at any step, and with devices that are no WiFiSet."""

from __future__ import annotations

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, Lantern
from peers.bench import Bench
from peers.flockfinder_device import FlockFinderDevice
from peers.wifiset import (
    CONNECTED,
    CREDENTIAL_WRITE,
    STATUS,
    STORED,
    WIFI_LIST,
    Ack,
    ListStart,
    Message,
    Status,
)
from peers.wifiset_device import ADDRESS, HOME, Step, WiFiSetDevice, wifiset_on

PASSWORD = "correct horse battery"
JOINED = WiFiSetDevice.joined(HOME)


@pytest.mark.parametrize("how", ["dropped", "lost"])
@pytest.mark.parametrize("after", ["connecting", "subscribing", "the start", "an entry", "half an entry"])
async def test_the_link_ends_during_the_list(after: str, how: str, bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)

    async def end() -> None:
        if how == "dropped":
            await device.drop()
        else:
            device.lose_link()

    sent: list[Message | bytes] = {
        "connecting": [],
        "subscribing": [],
        "the start": [ListStart()],
        "an entry": [ListStart(), HOME],
        "half an entry": [ListStart()],
    }[after]

    async def play() -> None:
        await device.play(sent)
        if after == "half an entry":
            await device.notify(device.wifi_list, HOME.encode(device.next_sequence())[:6])
        await end()

    device.lists = [[play]]
    if after == "connecting":
        device.device.on("connection", lambda _connection: bench.spawn(end()))
    result = await lantern.run("wifi", "networks", ADDRESS, "--json", timeout=45)
    assert result.status == FAILED, result
    assert result.events("wifi_list_end") == []
    assert result.stderr.strip()


BEFORE_THE_END: dict[str, list[Step]] = {
    "the write": [],
    "the ack": [Ack(STORED)],
    "connecting": JOINED[:2],
    "half a status": [Ack(STORED), Status(CONNECTED, -48, "10.0.0.1", b"Home").encode(1)[:7]],
}


@pytest.mark.parametrize("how", ["dropped", "lost"])
@pytest.mark.parametrize("after", ["connecting to it", "subscribing", *BEFORE_THE_END])
async def test_the_link_ends_while_provisioning(after: str, how: str, bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)

    async def end() -> None:
        if how == "dropped":
            await device.drop()
        else:
            device.lose_link()

    if after == "connecting to it":
        device.device.on("connection", lambda _connection: bench.spawn(end()))
    elif after == "subscribing":
        device.on_subscribed = lambda _name: bench.spawn(end())
    else:
        pause = 0.3  # What was sent has to arrive before the link is lost.
        device.answers = [[*BEFORE_THE_END[after], pause, end]]
    result = await lantern.provision(ADDRESS, password=PASSWORD, timeout=45)
    assert result.status == FAILED, result
    assert result.stderr.strip()
    assert "connected" not in [event["state"] for event in result.events("wifi_status")]
    assert len(result.events("wifi_acknowledgment")) == (after in ("the ack", "connecting", "half a status"))


async def test_a_device_that_leaves_once_it_is_connected(bench: Bench, lantern: Lantern) -> None:
    """Many devices restart when they have joined; what was told counts."""
    device = await wifiset_on(bench)
    device.answers = [[*JOINED, device.drop]]
    result = await lantern.provision(ADDRESS, password=PASSWORD)
    assert result.status == DONE


# Other devices


COMMANDS = {
    "networks": ["networks"],
    "show": ["show"],
    "provision": ["provision", "--ssid", "Home", "--open", "--yes"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
async def test_a_flockfinder_is_told_apart(command: list[str], bench: Bench, lantern: Lantern) -> None:
    """The same service UUID and no WiFiSet: nothing is written to it, not even a subscription."""
    flockfinder = FlockFinderDevice(bench)
    await flockfinder.start()
    result = await lantern.run("wifi", *command, flockfinder.address, "--json")
    assert result.status == FAILED
    assert "FlockFinder" in result.stderr
    assert flockfinder.commands == [] and flockfinder.own_write_requests == []


@pytest.mark.parametrize("missing", [WIFI_LIST, CREDENTIAL_WRITE, STATUS])
async def test_a_device_without_one_characteristic(missing: str, bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench, without=missing)
    result = await lantern.run("wifi", *COMMANDS["provision"], ADDRESS)
    assert result.status == FAILED
    assert result.stderr.strip()
    assert device.writes == [] and device.own_write_requests == []


async def test_an_address_that_nobody_has_exits_with_2(bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)
    result = await lantern.run("wifi", "networks", "D0:00:00:00:00:99", "--json", timeout=45)
    assert result.status == NOTHING_FOUND
    assert not device.entries("connected")
