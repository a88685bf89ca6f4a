# SPDX-License-Identifier: Apache-2.0
"""`lantern gatt shell` on a terminal."""

from __future__ import annotations

import asyncio
import termios
from typing import Any

from lantern import Lantern
from peers.screen import Screen
from screen_terminal import COLUMNS, ROWS, ScreenTerminal

CONTROL_C, CONTROL_D, CONTROL_R, TAB, ENTER, UP, LEFT = "\x03", "\x04", "\x12", "\t", "\r", "\x1b[A", "\x1b[D"


class ShellTerminal(ScreenTerminal):
    """A running shell."""

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

    @property
    def modes(self) -> list[Any]:
        """The settings of the terminal."""
        return termios.tcgetattr(self._controller)

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
