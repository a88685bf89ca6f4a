# SPDX-License-Identifier: Apache-2.0
"""A command on a terminal: what it shows, and keys pressed."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import signal
import struct
import termios
import time
from collections.abc import Callable
from pathlib import Path

from patience import within
from peers.changes import Changes

PATIENCE = 20.0
_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])")


class Terminal:
    """A process whose controlling terminal we hold the other end of."""

    def __init__(self, process: asyncio.subprocess.Process, controller: int, arguments: list[str]) -> None:
        self.process = process
        self.arguments = arguments
        self.octets = bytearray()
        self.changes = Changes()
        self.has_ended = False
        self._controller = controller
        self._is_open = True
        asyncio.get_running_loop().add_reader(controller, self._on_readable)

    @classmethod
    async def open(
        cls,
        binary: Path,
        arguments: list[str],
        environment: dict[str, str],
        folder: Path,
        size: tuple[int, int] = (24, 80),
    ) -> Terminal:
        """Starts a program on a terminal of rows and columns."""
        controller, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        process = await asyncio.create_subprocess_exec(
            str(binary),
            *arguments,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=dict(environment, TERM="xterm-256color"),
            cwd=folder,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(terminal)
        return cls(process, controller, arguments)

    def _on_readable(self) -> None:
        try:
            data = os.read(self._controller, 65536)
        except OSError:
            data = b""  # The other end is closed: Linux says EIO.
        if not data:
            self.has_ended = True
            asyncio.get_running_loop().remove_reader(self._controller)
        self.octets.extend(data)
        self.changes.notify()

    @property
    def text(self) -> str:
        """Everything shown so far, without escape sequences."""
        return _ESCAPES.sub("", self.octets.decode("utf-8", errors="replace"))

    async def wait_until(self, condition: Callable[[], bool], what: str, timeout: float = PATIENCE) -> None:
        await self.changes.wait_until(
            condition, timeout, f"{what}: lantern {' '.join(self.arguments)} on a terminal", lambda: self.text
        )

    async def wait_for(self, pattern: str, count: int = 1, timeout: float = PATIENCE) -> None:
        """Waits until the pattern has been shown `count` times, whatever the case of letters."""
        expression = re.compile(pattern, re.IGNORECASE)
        await self.wait_until(
            lambda: len(expression.findall(self.text)) >= count, f"{count} × {pattern!r}", timeout
        )

    def type(self, keys: str) -> None:
        os.write(self._controller, keys.encode())

    @property
    def echoes(self) -> bool:
        """Whether what is typed is shown."""
        return bool(termios.tcgetattr(self._controller)[3] & termios.ECHO)

    async def type_hidden(self, keys: str) -> None:
        """Types as soon as echo is off."""
        deadline = time.monotonic() + within(PATIENCE)
        while self.echoes:
            assert time.monotonic() < deadline, f"echo is still on: {self.text}"
            await asyncio.sleep(0.005)
        self.type(keys)

    async def finish(self, timeout: float = PATIENCE) -> int:
        """Waits for the end, and returns the exit status."""
        try:
            return await asyncio.wait_for(self.process.wait(), within(timeout))
        except asyncio.TimeoutError:
            raise AssertionError(f"still running after {timeout} s: {self.text}") from None
        finally:
            await self.close()

    async def interrupt(self) -> int:
        """Sends SIGINT, and returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        return await self.finish()

    async def hang_up(self) -> int:
        """Takes the terminal away, as closing its window does, and returns the exit status."""
        self._close_controller()
        return await self.finish()

    async def close(self) -> None:
        """Kills what still runs."""
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        self._close_controller()

    def _close_controller(self) -> None:
        if not self._is_open:
            return
        self._is_open = False
        asyncio.get_running_loop().remove_reader(self._controller)
        os.close(self._controller)
