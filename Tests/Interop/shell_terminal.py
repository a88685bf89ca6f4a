# SPDX-License-Identifier: Apache-2.0
"""`lantern gatt shell` on a terminal whose screen is looked at as a person sees it."""

from __future__ import annotations

import asyncio
import codecs
import fcntl
import struct
import termios
from collections.abc import Callable
from typing import Any

from lantern import Lantern
from peers.screen import Screen
from terminal import Terminal

CONTROL_C, CONTROL_D, CONTROL_R, TAB, ENTER, UP, LEFT = "\x03", "\x04", "\x12", "\t", "\r", "\x1b[A", "\x1b[D"
ROWS, COLUMNS = 24, 80


class ShellTerminal(Terminal):
    """A running shell."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.screen = Screen(COLUMNS, ROWS)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._shown = 0

    @classmethod
    async def start(cls, lantern: Lantern, address: str) -> ShellTerminal:
        """Starts a shell."""
        terminal = await cls.open(
            lantern.binary,
            ["gatt", "shell", address, "--radio", lantern.radio],
            lantern.environment(LANG="C.UTF-8", NO_COLOR="1"),
            lantern.home,
            (ROWS, COLUMNS),
        )
        assert isinstance(terminal, ShellTerminal)
        lantern.terminals.append(terminal)
        return terminal

    def _on_readable(self) -> None:
        super()._on_readable()
        self.screen.feed(self._decoder.decode(bytes(self.octets[self._shown :])))
        self._shown = len(self.octets)

    def resize(self, rows: int, columns: int) -> None:
        """Makes the window another size; lines that are there already stay as they are."""
        self.screen.height, self.screen.columns = rows, columns
        fcntl.ioctl(self._controller, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def modes(self) -> list[Any]:
        """The settings of the terminal."""
        return termios.tcgetattr(self._controller)

    async def wait_until_shown(self, condition: Callable[[Screen], object], what: str) -> None:
        """Waits until the screen shows something."""
        await self.wait_until(lambda: bool(condition(self.screen)), what)

    async def wait_until_line(self, part: str) -> None:
        """Waits until any line has this in it."""
        await self.wait_until_shown(lambda screen: any(part in line for line in screen.text), repr(part))

    async def wait_for_lines(self, *lines: str) -> None:
        """Waits until these are the last lines, the last of them as far as the cursor."""

        def are_there(screen: Screen) -> bool:
            above = [line.rstrip() for line in screen.lines[: screen.row]]
            return screen.line == lines[-1] and above[len(above) - len(lines) + 1 :] == list(lines[:-1])

        await self.wait_until_shown(are_there, f"the last lines to be {lines}")

    async def wait_for_command(self) -> None:
        """Waits until a command is carried out, when Control-C is a signal and no key."""
        while not self.modes[3] & termios.ISIG:
            await asyncio.sleep(0.01)
