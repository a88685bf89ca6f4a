# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern gatt shell` on a terminal: typing, news meanwhile, history, completion, Control-C and Control-D."""

from __future__ import annotations

import asyncio
import stat
import termios
from collections.abc import AsyncIterator

import pytest

from lantern import DONE, Lantern
from peers import awkward_gadget as awkward
from peers.awkward_gadget import AwkwardGadget
from peers.bench import Bench
from shell_terminal import COLUMNS, CONTROL_C, CONTROL_D, CONTROL_R, ENTER, LEFT, TAB, UP, ShellTerminal

PROMPT = f"[{awkward.ADDRESS}]> "
OFFLINE = f"[{awkward.ADDRESS} not connected]> "


@pytest.fixture
async def gadget(bench: Bench) -> AwkwardGadget:
    gadget = AwkwardGadget(bench)
    await gadget.start()
    return gadget


@pytest.fixture
async def shell(gadget: AwkwardGadget, lantern: Lantern) -> AsyncIterator[ShellTerminal]:
    """A shell that is connected to the gadget."""
    shell = await ShellTerminal.start(lantern, gadget.address)
    await shell.wait_for_lines(f"Connected to {gadget.address}/R, MTU 517.", PROMPT)
    yield shell
    assert shell.screen.unknown == []


async def watch(shell: ShellTerminal, uuid: str = awkward.NOTIFIED) -> None:
    shell.type(f"watch {uuid}{ENTER}")
    await shell.wait_for_lines(f"Watching {uuid}: values appear as they come.", PROMPT)


async def test_an_answer_has_the_meaning_of_a_value(shell: ShellTerminal) -> None:
    shell.type(f"read battery-level{ENTER}")
    await shell.wait_for_lines(f"{PROMPT}read battery-level", "95%  5f", PROMPT)


async def test_a_long_line_of_an_answer_is_broken_between_words(shell: ShellTerminal) -> None:
    shell.type(f"help{ENTER}")
    await shell.wait_for_lines("  START and END are in hex.", PROMPT)


async def test_a_value_that_comes_meanwhile_leaves_what_is_typed(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    await watch(shell)
    shell.type("read 2a")
    await shell.wait_for_lines(PROMPT + "read 2a")
    await gadget.notify(gadget.notified, b"\x01\x02\xff")
    await shell.wait_until_line("01 02 ff")
    await shell.wait_for_lines(PROMPT + "read 2a")
    assert sum(line.startswith(PROMPT + "read") for line in shell.screen.text) == 1
    shell.type(f"19{ENTER}")
    await shell.wait_for_lines(PROMPT + "read 2a19", "95%  5f", PROMPT)


@pytest.mark.parametrize("length", [0, 1, 2, 60])
async def test_a_line_of_several_rows_survives_values(
    length: int, shell: ShellTerminal, gadget: AwkwardGadget
) -> None:
    await watch(shell)
    # To the last column of the second row, one to each side of it, and into the middle of the third.
    command = f"write {awkward.WRITTEN} ".ljust(2 * COLUMNS - len(PROMPT) - 1 + length, "a")
    command += "b" * (command.count("a", command.rindex(" ")) % 2)
    shell.type(command)
    rows, column = divmod(len(PROMPT + command), COLUMNS)
    typed = PROMPT + command

    def is_whole(count: int) -> bool:
        """Whether the line stands there once, whole, with so many values above it."""
        screen = shell.screen
        first = screen.row - rows
        return (
            screen.column % COLUMNS == column
            and "".join(screen.lines[first : screen.row + 1]).rstrip() == typed
            and sum(PROMPT in line for line in screen.lines) == 2
            and sum("value " in line for line in screen.lines) == count
        )

    await shell.wait_until_shown(lambda _screen: is_whole(0), "the line")
    for number in range(3):
        await gadget.notify(gadget.notified, b"value %d" % number)
        await shell.wait_until_shown(lambda _screen: is_whole(number + 1), f"the line and {number + 1} values")
    shell.type(ENTER)
    await gadget.wait_for("write")
    assert gadget.entries("write")[0].data.hex() == command.split()[-1]


async def test_a_flood_of_values_leaves_what_is_typed(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    await watch(shell)
    shell.type("read 2a")
    await shell.wait_for_lines(PROMPT + "read 2a")
    for number in range(2000):
        await gadget.notify(gadget.notified, number.to_bytes(4, "big"))
        await gadget.let_flow()
    await shell.wait_until_line("00 00 07 cf")
    await shell.wait_for_lines(PROMPT + "read 2a")
    shell.type(f"19{ENTER}")
    await shell.wait_for_lines(PROMPT + "read 2a19", "95%  5f", PROMPT)


async def test_values_above_a_line_whose_cursor_is_not_at_its_end(
    shell: ShellTerminal, gadget: AwkwardGadget
) -> None:
    await watch(shell)
    shell.type("read 9" + LEFT)
    await shell.wait_for_lines(PROMPT + "read ")
    await gadget.notify(gadget.notified, b"value")
    await shell.wait_until_line('"value"')
    await shell.wait_for_lines(PROMPT + "read ")
    shell.type(f"2a1{ENTER}")
    await shell.wait_for_lines(PROMPT + "read 2a19", "95%  5f", PROMPT)


async def test_values_that_would_steer_the_terminal_do_not(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    await watch(shell)
    await gadget.notify(gadget.notified, b"\x1b]0;a\x07\x1b[2J")
    shown = "1b 5d 30 3b 61 07 1b 5b 32 4a"
    await shell.wait_until_line(shown)
    assert b"\x1b]" not in shell.octets and b"\x1b[2J" not in shell.octets


async def test_words_are_completed(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    shell.type("char-wr" + TAB)
    await shell.wait_for_lines(PROMPT + "char-write-")
    shell.type(TAB)
    await shell.wait_for_lines("char-write-cmd  char-write-req", PROMPT + "char-write-")
    shell.type(CONTROL_C)
    await shell.wait_for_lines(PROMPT + "char-write-^C", PROMPT)
    shell.type("read bat" + TAB)
    await shell.wait_for_lines(PROMPT + "read battery-level ")
    shell.type(ENTER)
    await shell.wait_for_lines("95%  5f", PROMPT)
    shell.type("connect c" + TAB)
    await shell.wait_for_lines(PROMPT + "connect c" + gadget.address[1:] + " ")


async def test_history_is_kept_but_nothing_from_the_air(
    shell: ShellTerminal, gadget: AwkwardGadget, lantern: Lantern
) -> None:
    await watch(shell)
    shell.type(f"read 2a19{ENTER}")
    await shell.wait_for_lines("95%  5f", PROMPT)
    shell.type(f"  write {awkward.WRITTEN} 7365637265 74{ENTER}")
    await gadget.wait_for("write")
    await gadget.notify(gadget.notified, b"from the air")
    await shell.wait_until_line('"from the air"')
    shell.type(f"exit{ENTER}")
    assert await shell.finish() == DONE
    file = lantern.home / "state/lantern/gatt-shell-history"
    assert file.read_text() == f"watch {awkward.NOTIFIED}\nread 2a19\nexit\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700

    again = await ShellTerminal.start(lantern, gadget.address)
    await again.wait_for_lines(PROMPT)
    again.type(UP + UP)
    await again.wait_for_lines(PROMPT + "read 2a19")
    again.type(ENTER)
    await again.wait_for_lines("95%  5f", PROMPT)
    again.type(CONTROL_R + "wat")
    await again.wait_until_line(f"watch {awkward.NOTIFIED}")


async def test_control_c_gives_a_line_up(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    shell.type(f"write {awkward.WRITTEN} 00")
    await shell.wait_until_shown(lambda screen: screen.line.endswith(" 00"), "the line")
    shell.type(CONTROL_C)
    await shell.wait_for_lines(PROMPT)
    shell.type(f"mtu{ENTER}")
    await shell.wait_for_lines(PROMPT + "mtu", "MTU 517", PROMPT)
    assert gadget.entries("write") == []


async def test_control_c_ends_a_command(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    shell.type(f"wait 60{ENTER}")
    await shell.wait_for_command()
    shell.type(CONTROL_C)
    await shell.wait_for_lines("Stopped.", PROMPT)


async def test_control_c_ends_a_request_to_a_silent_device(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    gadget.fall_silent()
    requests = len(gadget.att_requests)
    shell.type(f"read 2a19{ENTER}")
    while len(gadget.att_requests) == requests:
        await asyncio.sleep(0.01)
    shell.type(CONTROL_C)
    await shell.wait_for_lines("Stopped.", PROMPT)
    shell.type(f"disconnect{ENTER}")
    await shell.wait_for_lines("There is no link now.", OFFLINE)
    gadget.answer_again()
    shell.type(f"connect{ENTER}")
    await shell.wait_for_lines(f"Connected to {gadget.address}/R, MTU 517.", PROMPT)


async def test_control_d_leaves_and_gives_the_terminal_back(gadget: AwkwardGadget, lantern: Lantern) -> None:
    terminal = await ShellTerminal.start(lantern, gadget.address)
    before = terminal.modes
    await terminal.wait_for_lines(PROMPT)
    assert terminal.modes != before
    terminal.type("mtu")
    await terminal.wait_for_lines(PROMPT + "mtu")
    terminal.type(CONTROL_D)  # Not on a line that has something.
    terminal.type(ENTER)
    await terminal.wait_for_lines("MTU 517", PROMPT)
    terminal.type(CONTROL_D)
    assert await terminal.process.wait() == DONE
    assert terminal.modes == before
    await gadget.wait_for("disconnected")


async def test_a_link_lost_while_typing_is_told(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    shell.type("read 2a")
    await shell.wait_for_lines(PROMPT + "read 2a")
    gadget.lose_link()
    await shell.wait_for_lines(OFFLINE + "read 2a")
    told = f"The link to {gadget.address} is gone: The device fell silent"
    assert any(told[:60] in line for line in shell.screen.text)
    shell.type(f"19{ENTER}")
    await shell.wait_for_lines(
        f"There is no link to {gadget.address}: type connect to open it again.", OFFLINE
    )
    shell.type(f"connect{ENTER}")
    await shell.wait_for_lines(f"Connected to {gadget.address}/R, MTU 517.", PROMPT)
    shell.type(f"read 2a19{ENTER}")
    await shell.wait_for_lines("95%  5f", PROMPT)


async def test_a_window_that_gets_narrower(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    await watch(shell)
    shell.resize(24, 50)
    typed = f"write {awkward.WRITTEN} 0102"
    shell.type(typed)
    await shell.wait_until_shown(lambda screen: screen.line.endswith("0102"), "the line")
    await gadget.notify(gadget.notified, b"value")
    await shell.wait_until_line('"value"')
    await shell.wait_until_shown(lambda screen: screen.line.endswith("0102"), "the line again")
    screen = shell.screen
    assert (screen.lines[screen.row - 1] + screen.lines[screen.row]).rstrip() == PROMPT + typed
    shell.type(ENTER)
    await gadget.wait_for("write")


async def test_a_device_that_is_not_there(gadget: AwkwardGadget, lantern: Lantern) -> None:
    absent = "C2:00:00:00:00:99"
    terminal = await ShellTerminal.start(lantern, absent)
    await terminal.wait_until_shown(lambda screen: "Looking for" in screen.lines[screen.row], "the search")
    terminal.type(CONTROL_C)
    await terminal.wait_for_lines("Stopped.", f"[{absent} not connected]> ")
    terminal.type(f"connect {gadget.address}{ENTER}")
    await terminal.wait_for_lines(f"Connected to {gadget.address}/R, MTU 517.", PROMPT)


async def test_sigterm_ends_it_well(shell: ShellTerminal, gadget: AwkwardGadget) -> None:
    shell.type("mtu")
    await shell.wait_for_lines(PROMPT + "mtu")
    shell.process.terminate()
    assert await shell.process.wait() == DONE
    assert shell.modes[3] & termios.ECHO and shell.modes[3] & termios.ICANON
    await gadget.wait_for("disconnected")
