# SPDX-License-Identifier: Apache-2.0
"""Proves that a table that is drawn in place leaves nothing behind when the window gets another size."""

from __future__ import annotations

import re

import pytest

from lantern import DONE, Lantern
from peers.screen import Screen
from screen_terminal import COLUMNS, ROWS, ScreenTerminal

DEVICES = 12  # On the virtual air: one of each, and what stands along the street.
STATUS = "Scanning: "
ADDRESS = re.compile("([0-9A-F]{2}:){5}[0-9A-F]{2}")


def rows(lines: list[str]) -> int:
    """How many lines name a device."""
    return sum(bool(ADDRESS.search(line)) for line in lines)


async def scanning(lantern: Lantern) -> ScreenTerminal:
    """A scan whose table shows all devices."""
    terminal = await ScreenTerminal.open(
        lantern.binary,
        ["scan", "--radio", "sim"],
        lantern.environment(LANG="C.UTF-8"),
        lantern.home,
        (ROWS, COLUMNS),
    )
    assert isinstance(terminal, ScreenTerminal)
    lantern.terminals.append(terminal)
    await terminal.wait_until_shown(lambda screen: is_whole(screen, COLUMNS, DEVICES), "the table")
    return terminal


def is_whole(screen: Screen, columns: int, devices: int) -> bool:
    """Whether the window shows one table, and nothing else but what stood above it."""
    lines = screen.visible
    return (
        len(lines) == devices + 2
        and sum("ADDRESS" in line for line in lines) == 1
        and "ADDRESS" in lines[0]
        and rows(lines) == devices
        and lines[-1].startswith(STATUS)
        and all(len(line) <= columns for line in lines)
    )


@pytest.mark.parametrize("breaks_lines", [True, False])
async def test_a_window_that_gets_narrower(breaks_lines: bool, serving: Lantern) -> None:
    terminal = await scanning(serving)
    for columns in (60, 45, 44, 100, 50):
        # One drawing may have begun before the window changed.
        drawings = terminal.text.count(STATUS) + 2
        terminal.resize(ROWS, columns, breaks_lines)
        await terminal.wait_until_shown(
            lambda screen: terminal.text.count(STATUS) >= drawings and is_whole(screen, columns, DEVICES),
            f"{columns} columns",
        )
    assert await terminal.interrupt() == DONE
    assert not terminal.screen.unknown


async def test_a_window_that_gets_lower(serving: Lantern) -> None:
    terminal = await scanning(serving)
    terminal.resize(6, COLUMNS)
    await terminal.wait_until_shown(
        lambda screen: f"{DEVICES - 3} weaker ones below" in screen.visible[-1] and "ADDRESS" in screen.visible[0], "less"
    )
    assert rows(terminal.screen.visible) == 3
    terminal.resize(ROWS, COLUMNS)
    await terminal.wait_until_shown(
        lambda screen: rows(screen.visible[-DEVICES - 2 :]) == DEVICES, "all devices again"
    )
    assert await terminal.interrupt() == DONE


async def test_the_table_that_stays_is_whole(serving: Lantern) -> None:
    """Control-C between a resize and the next drawing."""
    terminal = await scanning(serving)
    terminal.resize(ROWS, 50)
    assert await terminal.interrupt() == DONE
    lines = terminal.screen.visible
    assert sum("ADDRESS" in line for line in lines) == 1
    assert rows(lines) == DEVICES
    assert not any(line.startswith(STATUS) for line in lines)
