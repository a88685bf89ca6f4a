# SPDX-License-Identifier: Apache-2.0
"""Runs the `lantern` binary as its users do: arguments in, lines of JSON and an exit status out."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import contract
from patience import within
from peers.changes import Changes
from peers.database import Database
from terminal import Terminal

Event = dict[str, Any]
T = TypeVar("T")

DONE = 0
FAILED = 1
NOTHING_FOUND = 2
WRONG_USAGE = 64

PATIENCE = 20.0
_LONGEST_LINE = 1 << 24


@dataclass
class Result:
    """What a finished run left behind."""

    status: int
    stdout: str
    stderr: str
    lines: list[Event] = field(default_factory=list)

    @property
    def line(self) -> Event:
        """The only line of JSON."""
        assert len(self.lines) == 1, f"{len(self.lines)} lines of JSON\n{self.stdout}\n{self.stderr}"
        return self.lines[0]

    def events(self, kind: str) -> list[Event]:
        """All events of one kind, in order."""
        return [line for line in self.lines if line.get("event") == kind]

    @property
    def timeless(self) -> list[Event]:
        """All lines without their times, which stand behind the names of the events."""
        assert all(list(line)[:2] == ["event", "time"] for line in self.lines), self.lines
        return [{key: value for key, value in line.items() if key != "time"} for line in self.lines]


def bare(lines: list[Event]) -> list[Event]:
    """Lines about a device without the times and addresses that all of them must have."""
    assert all({"time", "address", "address_kind"} <= line.keys() for line in lines), lines
    return [
        {key: value for key, value in line.items() if key not in ("time", "address", "address_kind")}
        for line in lines
    ]


class Run:
    """A running `lantern` whose lines are collected as they come."""

    def __init__(self, process: asyncio.subprocess.Process, arguments: list[str], is_json: bool) -> None:
        self.process = process
        self.arguments = arguments
        self.is_json = is_json
        self.lines: list[Event] = []
        self.problems: list[str] = []
        self.changes = Changes()
        self._stdout = bytearray()
        self._stderr = bytearray()
        self._ended = asyncio.create_task(self._read_to_the_end())
        self._ended.add_done_callback(lambda _task: self.changes.notify())

    # Reading

    async def _read_to_the_end(self) -> None:
        await asyncio.gather(self._read_stdout(), self._read_stderr(), self.process.wait())

    async def _read_stdout(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self._stdout += line
            if self.is_json and line.endswith(b"\n"):
                self._take(line)
            self.changes.notify()

    async def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        while data := await self.process.stderr.read(4096):
            self._stderr += data
            self.changes.notify()

    def _take(self, line: bytes) -> None:
        try:
            value = json.loads(line)
        except ValueError as error:
            self.problems.append(f"not JSON: {line!r} ({error})")
            return
        if not isinstance(value, dict):
            self.problems.append(f"not an object: {line!r}")
            return
        self.lines.append(value)
        self.problems += contract.problems_of(value)

    @property
    def stdout(self) -> str:
        return self._stdout.decode("utf-8", errors="replace")

    @property
    def stderr(self) -> str:
        return self._stderr.decode("utf-8", errors="replace")

    def __str__(self) -> str:
        kept = self.lines[-12:] if self.is_json else self.stdout[-3000:]
        return (
            f"lantern {' '.join(self.arguments)}\nstatus: {self.process.returncode}\n"
            f"last of {len(self.lines)} lines: {kept}\nstderr: {self.stderr[-3000:]}"
        )

    # Looking and waiting

    def events(self, kind: str) -> list[Event]:
        """All events of one kind so far, in order."""
        return [line for line in self.lines if line.get("event") == kind]

    @property
    def detections(self) -> list[Event]:
        return self.events("detection")

    @property
    def parse_errors(self) -> list[Event]:
        return self.events("flock_parse_error")

    @property
    def states(self) -> list[str]:
        return [line["state"] for line in self.events("link_state")]

    async def wait_until(self, condition: Callable[[], T], what: str, timeout: float = PATIENCE) -> T:
        """Waits for a condition on what was printed; a run that ends before is an error at once."""

        def look() -> tuple[T] | None:
            if value := condition():
                return (value,)
            if self._ended.done():
                raise AssertionError(f"the run ended before {what}\n{self}")
            return None

        found = await self.changes.wait_until(look, timeout, what, lambda: str(self))
        assert found is not None
        return found[0]

    async def wait_for(self, kind: str, count: int = 1, timeout: float = PATIENCE) -> list[Event]:
        """Waits until `count` events of a kind have come, and returns them all."""
        await self.wait_until(lambda: len(self.events(kind)) >= count, f"{count} × {kind}", timeout)
        return self.events(kind)

    async def wait_for_state(self, state: str, count: int = 1, timeout: float = PATIENCE) -> None:
        """Waits until a state has been reported `count` times."""
        await self.wait_until(lambda: self.states.count(state) >= count, f"{count} × state {state}", timeout)

    # Writing

    async def feed(self, data: bytes) -> None:
        """Writes to stdin, at the pace at which it is read."""
        assert self.process.stdin is not None, "start it with stdin=True"
        self.process.stdin.write(data)
        await self.process.stdin.drain()

    def end_input(self) -> None:
        assert self.process.stdin is not None, "start it with stdin=True"
        self.process.stdin.close()

    # Ending

    async def finish(self, timeout: float = PATIENCE) -> Result:
        """Waits for the run to end by itself."""
        await asyncio.wait({self._ended}, timeout=within(timeout))
        assert self._ended.done(), f"still running after {timeout} s\n{self}"
        self._ended.result()
        assert not self.problems, "\n".join(self.problems[:20]) + f"\n{self}"
        assert self.process.returncode is not None
        return Result(self.process.returncode, self.stdout, self.stderr, self.lines)

    async def interrupt(self, timeout: float = PATIENCE) -> Result:
        """Sends SIGINT, as Control-C does, and waits for the end."""
        self.process.send_signal(signal.SIGINT)
        return await self.finish(timeout)

    async def kill(self) -> None:
        """Sends SIGKILL and reads what was printed before it."""
        if self.process.returncode is None:
            self.process.kill()
        await asyncio.wait({self._ended}, timeout=PATIENCE)


class Lantern:
    """The binary with one radio and a home of its own."""

    def __init__(self, binary: Path, radio: str, home: Path) -> None:
        self.binary = binary
        self.radio = radio
        self.home = home
        self.runs: list[Run] = []
        self.terminals: list[Terminal] = []

    def environment(self, **others: str) -> dict[str, str]:
        """The environment of every run: a home of its own, and what else is wanted."""
        environment = dict(os.environ, HOME=str(self.home), XDG_DATA_HOME=str(self.home / "data"))
        environment.pop("NO_COLOR", None)
        environment["XDG_STATE_HOME"] = str(self.home / "state")
        return environment | others

    async def start(self, *arguments: str, radio: str | None = None, stdin: bool = False) -> Run:
        """Starts a command that uses the radio; with `stdin` it is fed through `Run.feed`."""
        source = asyncio.subprocess.PIPE if stdin else asyncio.subprocess.DEVNULL
        return await self._start([*arguments, "--radio", radio or self.radio], source)

    async def _start(self, arguments: list[str], stdin: int = asyncio.subprocess.DEVNULL) -> Run:
        process = await asyncio.create_subprocess_exec(
            str(self.binary),
            *arguments,
            stdin=stdin,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self.environment(),
            cwd=self.home,
            limit=_LONGEST_LINE,
        )
        run = Run(process, arguments, is_json="--json" in arguments)
        self.runs.append(run)
        return run

    async def run(self, *arguments: str, timeout: float = PATIENCE, radio: str | None = None) -> Result:
        """Runs a command that uses the radio to its end."""
        return await (await self.start(*arguments, radio=radio)).finish(timeout)

    async def start_offline(self, *arguments: str, stdin: int = asyncio.subprocess.DEVNULL) -> Run:
        """Starts a command that needs no radio."""
        return await self._start(list(arguments), stdin)

    async def run_offline(self, *arguments: str, timeout: float = PATIENCE) -> Result:
        """Runs a command that needs no radio to its end."""
        return await (await self.start_offline(*arguments)).finish(timeout)

    async def start_on_terminal(self, *arguments: str, radio: str | None = None) -> Terminal:
        """Starts a radio command on a terminal."""
        terminal = await Terminal.open(
            self.binary, [*arguments, "--radio", radio or self.radio], self.environment(), self.home
        )
        self.terminals.append(terminal)
        return terminal

    async def run_on_terminal(self, *arguments: str, until: Callable[[bytes], bool]) -> bytes:
        """Runs a radio command on a terminal until its output satisfies `until`; returns that output."""
        terminal = await self.start_on_terminal(*arguments)
        await terminal.wait_until(lambda: until(bytes(terminal.octets)), "the expected output")
        await terminal.interrupt()
        return bytes(terminal.octets)

    # Commands that many tests use

    async def watch(self, database: Path, *arguments: str, radio: str | None = None) -> Run:
        """Starts `flock watch --json`."""
        return await self.start(
            "flock", "watch", "--database", str(database), "--json", *arguments, radio=radio
        )

    async def replay(self, database: Database, *arguments: str, radio: str | None = None) -> Run:
        """Starts `device run replay --json` with a saved tree, and waits until it advertises."""
        tree = database.save(self.home / f"tree-{len(self.runs)}.json")
        run = await self.start(
            "device", "run", "replay", "--tree", str(tree), "--json", *arguments, radio=radio
        )
        await run.wait_for("device_advertising")
        return run

    async def provision(
        self,
        address: str,
        *arguments: str,
        ssid: str | None = "Home",
        password: str | bytes | None = None,
        timeout: float = 30,
        radio: str | None = None,
    ) -> Result:
        """Runs `wifi provision --json --yes`; a password goes in by stdin, text with an end of line."""
        command = ["wifi", "provision", address, "--json", "--yes", *arguments]
        if ssid is not None:
            command += ["--ssid", ssid]
        if password is None:
            return await self.run(*command, timeout=timeout, radio=radio)
        run = await self.start(*command, "--password-stdin", stdin=True, radio=radio)
        await run.feed(password if isinstance(password, bytes) else password.encode() + b"\n")
        run.end_input()
        return await run.finish(timeout)

    async def list_detections(self, database: Path, *filters: str) -> list[Event]:
        """All rows of `detections list --json` with these filters; none is not an error."""
        result = await self.run_offline(
            "detections", "list", "--database", str(database), "--json", *filters, timeout=60
        )
        assert result.status in (DONE, NOTHING_FOUND), result
        assert (result.status == NOTHING_FOUND) == (result.lines == []), result
        return result.lines

    async def close(self) -> None:
        """Ends what a test left running; what it has printed is held to the schema, too."""
        for terminal in self.terminals:
            await terminal.close()
        for run in self.runs:
            await run.kill()
        problems = [problem for run in self.runs for problem in run.problems]
        assert not problems, "\n".join(problems[:20])
