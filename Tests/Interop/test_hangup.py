# SPDX-License-Identifier: Apache-2.0
"""Proves that a terminal that goes away (SIGHUP) ends commands as Control-C does, unless they were told to stay."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bumble.hci import HCI_ErrorCode

from lantern import DONE, Lantern
from peers import awkward_gadget as awkward
from peers.awkward_gadget import AwkwardGadget
from peers.bench import Bench
from peers.central import Central
from peers.flockfinder_device import FlockFinderDevice
from peers.gadget import Gadget
from peers.samples import numbered
from shell_terminal import ShellTerminal

# What ends a link politely; radio silence would be a supervision timeout.
CLOSED_BY_PEER = bytes([HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR])


async def assert_let_go(gadget: Gadget) -> None:
    """The link was closed, not left to die."""
    await gadget.wait_for("disconnected")
    assert gadget.entries("disconnected")[0].data == CLOSED_BY_PEER


@pytest.fixture
async def gadget(bench: Bench) -> AwkwardGadget:
    gadget = AwkwardGadget(bench)
    await gadget.start()
    return gadget


# The signal by itself


@pytest.mark.parametrize(
    ("command", "event"),
    [
        ("scan --json --radio sim", "advertisement"),
        ("flock watch --json --radio sim", "detection"),
        ("bulb cycle C0:FF:EE:F1:B0:1B --json --radio sim", "bulb_hue"),
        ("radio serve --json --port 0 --controllers 1", "radio_ready"),
    ],
)
async def test_a_command_on_the_virtual_air(command: str, event: str, serving: Lantern) -> None:
    run = await serving.start_offline(*command.split())
    await run.wait_for(event)
    run.process.send_signal(signal.SIGHUP)
    result = await run.finish()
    assert (result.status, result.stderr) == (DONE, "")
    assert result.stdout.endswith("\n")


async def test_a_watch_stores_what_has_come_and_lets_the_device_go(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database)
    await flockfinder.ready()
    for number in range(20):
        await flockfinder.send(numbered(number))
    await run.wait_for("detection")
    run.process.send_signal(signal.SIGHUP)
    result = await run.finish()
    assert (result.status, result.stderr) == (DONE, "")
    assert len(await lantern.list_detections(database)) == len(result.events("detection")) > 0
    await assert_let_go(flockfinder)


async def test_a_watch_of_values_lets_the_device_go(gadget: AwkwardGadget, lantern: Lantern) -> None:
    run = await lantern.start("gatt", "watch", gadget.address, awkward.NOTIFIED, "--json")
    await gadget.wait_for("subscribe")
    await gadget.notify(gadget.notified, b"value")
    await run.wait_for("value_received")
    run.process.send_signal(signal.SIGHUP)
    result = await run.finish()
    assert (result.status, result.stderr) == (DONE, "")
    await assert_let_go(gadget)


async def test_a_device_lets_its_central_go(bench: Bench, lantern: Lantern) -> None:
    run = await lantern.start("device", "run", "flockfinder", "--json")
    central = Central(bench)
    await central.start()
    await central.connect((await central.find()).address)
    reasons: asyncio.Queue[int] = asyncio.Queue()
    connection = next(iter(central.device.connections.values()))
    connection.on("disconnection", reasons.put_nowait)
    run.process.send_signal(signal.SIGHUP)
    result = await run.finish()
    assert (result.status, result.stderr) == (DONE, "")
    assert bytes([await asyncio.wait_for(reasons.get(), 5)]) == CLOSED_BY_PEER


async def test_a_signal_that_comes_twice_does_not_hurry(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    """A closed window sends it from the kernel and from the shell; `timeout` sends its own twice, too."""
    run = await lantern.watch(database)
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    await run.wait_for("detection")
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGHUP, signal.SIGTERM):
        run.process.send_signal(number)
    result = await run.finish()
    assert (result.status, result.stderr) == (DONE, "")
    await assert_let_go(flockfinder)


# A terminal that is closed


@pytest.fixture
async def shell(gadget: AwkwardGadget, lantern: Lantern) -> AsyncIterator[ShellTerminal]:
    shell = await ShellTerminal.start(lantern, gadget.address)
    await shell.wait_until_line("Connected to")
    yield shell


async def test_a_closed_window_ends_the_shell(
    shell: ShellTerminal, gadget: AwkwardGadget, lantern: Lantern
) -> None:
    shell.type("read 2a19\r")
    await shell.wait_until_line("95%")
    assert await shell.hang_up() == DONE
    await assert_let_go(gadget)
    assert (lantern.home / "state/lantern/gatt-shell-history").read_text() == "read 2a19\n"


async def test_a_closed_window_ends_a_table(gadget: AwkwardGadget, lantern: Lantern) -> None:
    terminal = await lantern.start_on_terminal("scan")
    await terminal.wait_for(gadget.address)
    assert await terminal.hang_up() == DONE
    await gadget.bench.port.wait_until_free()


async def test_a_closed_window_ends_a_watch(gadget: AwkwardGadget, lantern: Lantern) -> None:
    terminal = await lantern.start_on_terminal("gatt", "watch", gadget.address, awkward.NOTIFIED)
    await gadget.wait_for("subscribe")
    # So that it prints while the terminal goes away.
    for number in range(50):
        await gadget.notify(gadget.notified, number.to_bytes(4, "big"))
    assert await terminal.hang_up() == DONE
    await assert_let_go(gadget)


# A command that stays


async def test_nohup_lets_a_command_go_on(gadget: AwkwardGadget, lantern: Lantern) -> None:
    """As `nohup` starts it: the signal is ignored from the beginning."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        run = await lantern.start("gatt", "watch", gadget.address, awkward.NOTIFIED, "--json")
    finally:
        signal.signal(signal.SIGHUP, before)
    await gadget.wait_for("subscribe")
    run.process.send_signal(signal.SIGHUP)
    await gadget.notify(gadget.notified, b"value")
    await run.wait_for("value_received")
    assert (await run.interrupt()).status == DONE
