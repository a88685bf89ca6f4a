# SPDX-License-Identifier: Apache-2.0
"""`lantern hub` and `lantern demo` as processes, and a Bluetooth air of Bumble peers in front of them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Interop"))

from peers.bench import Bench  # noqa: E402
from peers.flockfinder_device import FlockFinderDevice  # noqa: E402


def binary() -> Path:
    """The binary under test: $LANTERN, else the release build, else the debug build."""
    choices = [os.environ.get("LANTERN"), ROOT / ".build/release/lantern", ROOT / ".build/debug/lantern"]
    for choice in filter(None, choices):
        if os.access(choice, os.X_OK):
            return Path(choice)
    raise AssertionError("no lantern to test: build it with `swift build -c release`, or set LANTERN")


def free_port(count: int = 1) -> int:
    """The first of so many ports, one after the other, that nobody has."""
    while True:
        with ExitStack() as stack:
            probes = [stack.enter_context(socket.socket()) for _ in range(count)]
            probes[0].bind(("127.0.0.1", 0))
            first = probes[0].getsockname()[1]
            try:
                for step, probe in enumerate(probes[1:], 1):
                    probe.bind(("127.0.0.1", first + step))
            except (OSError, OverflowError):
                continue
            return first


class RealHub:
    """One hub with a folder of its own; `kill` and `start` may follow each other, the port stays."""

    def __init__(self, folder: Path, *arguments: str, command: str = "hub") -> None:
        self.folder = folder
        self.database = folder / "hub.sqlite"
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.command = [str(binary()), command, *arguments]
        self.process: subprocess.Popen | None = None
        self.user: int | None = None
        """The user who runs it; by default the one who runs the tests."""

    def start(self, seconds: float = 30) -> None:
        arguments = ["--database", str(self.database), "--listen", f"127.0.0.1:{self.port}"]
        with open(self.folder / "log.txt", "ab") as log:
            self.process = subprocess.Popen(
                [*self.command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "HOME": str(self.folder)},
                user=self.user,
            )
        end = time.monotonic() + seconds
        while True:
            assert self.process.poll() is None, self.log
            try:
                return self.get("/hub")
            except (OSError, AssertionError):
                assert time.monotonic() < end, self.log
                time.sleep(0.1)

    @property
    def log(self) -> str:
        return (self.folder / "log.txt").read_text(errors="replace")

    def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, dict[str, str]]:
        """Status, JSON (or octets) and headers of an answer."""
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data, dict(headers or {}), method=method)
        if data is not None:
            asked.add_header("Content-Type", "application/json")
        try:
            answer = urllib.request.urlopen(asked, timeout=20)
        except urllib.error.HTTPError as error:
            answer = error
        except OSError as error:
            status = self.process.poll() if self.process else None
            assert status is None, f"the hub has ended with {status}\n{self.log[-2000:]}"
            raise error
        octets = answer.read()
        kind = answer.headers.get("Content-Type", "")
        value = json.loads(octets) if "json" in kind and octets else octets
        return answer.status, value, dict(answer.headers)

    def get(self, path: str) -> Any:
        status, value, _ = self.request("GET", "/api/v1" + path)
        assert status == 200, (status, value)
        return value

    def until(self, wanted, seconds: float = 30) -> Any:
        """Asks until the answer of a function is true."""
        end = time.monotonic() + seconds
        while not (value := wanted()):
            assert time.monotonic() < end, f"it did not come to it\n{self.log}"
            time.sleep(0.1)
        return value

    def detections(self, seconds: float = 30, count: int = 1) -> dict:
        """The newest detections, as soon as there are so many."""
        return self.until(lambda: (page := self.get("/detections")) and page["total"] >= count and page, seconds)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ends it as a service manager does; it has 5 s."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        return self.process.returncode


class Air:
    """Bumble's controllers and a FlockFinder device, in a thread of their own; real HCI over TCP."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.do(self._open())

    async def _open(self) -> None:
        # Bumble's objects belong to the loop that they are made in.
        self.bench = Bench()
        await self.bench.open()
        self.device = FlockFinderDevice(self.bench)
        await self.device.start()

    def do(self, work, seconds: float = 30):
        """Runs a coroutine on the air's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)

    @property
    def radio(self) -> str:
        return self.bench.radio

    def send(self, value: dict | bytes) -> None:
        self.do(self.device.send(value))

    def ready(self, count: int = 1) -> None:
        self.do(self.device.ready(count))

    def lose_radio(self, returns: bool) -> None:
        self.loop.call_soon_threadsafe(self.bench.port.lose, returns)

    def close(self) -> None:
        self.do(self.bench.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
