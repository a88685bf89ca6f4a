# SPDX-License-Identifier: Apache-2.0
"""A command on a terminal whose screen is looked at as a person sees it."""

from __future__ import annotations

import codecs
import fcntl
import struct
import termios
from collections.abc import Callable
from typing import Any

from peers.screen import Screen
from terminal import Terminal

ROWS, COLUMNS = 24, 80


class ScreenTerminal(Terminal):
    """A command on a terminal with a screen."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.screen = Screen(COLUMNS, ROWS)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._shown = 0

    def _on_readable(self) -> None:
        super()._on_readable()
        self.screen.feed(self._decoder.decode(bytes(self.octets[self._shown :])))
        self._shown = len(self.octets)

    def resize(self, rows: int, columns: int, breaks_lines: bool = True) -> None:
        """Makes the window another size."""
        self.screen.resize(columns, rows, breaks_lines)
        fcntl.ioctl(self._controller, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    async def wait_until_shown(self, condition: Callable[[Screen], object], what: str) -> None:
        """Waits until the screen shows something."""
        await self.wait_until(lambda: bool(condition(self.screen)), what)

    async def wait_until_line(self, part: str) -> None:
        """Waits until any line has this in it."""
        await self.wait_until_shown(lambda screen: any(part in line for line in screen.text), repr(part))
