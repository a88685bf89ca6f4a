# SPDX-License-Identifier: Apache-2.0
"""The engine twice, as a program of this machine and in WebAssembly: what one tells the other must tell, octet by octet."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from collections.abc import Iterable
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SITE = ROOT / ".build-web/site"
NATIVE = pathlib.Path(os.environ.get("LANTERN_ENGINE", ROOT / ".build/release/lantern-engine"))
DEVICE = "01234567-89ab-cdef-0123-456789abcdef"
WALL = 1_795_269_800_000
WORD = {"broadcast": 1, "read": 2, "write_without_response": 4, "write": 8, "notify": 16, "indicate": 32}


class Program:
    """An engine that takes a line and answers with lines."""

    def __init__(self, *command: str | pathlib.Path) -> None:
        # Natively the order of what a set or a dictionary has would be another one in each run.
        environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=environment
        )

    def send(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def told(self) -> list[str]:
        lines: list[str] = []
        while (line := self.process.stdout.readline()) != ".\n":
            assert line, f"the engine has ended: {self.process.wait()}"
            lines.append(line.rstrip("\n"))
        return lines

    def tell(self, line: str) -> list[str]:
        self.send(line)
        return self.told()

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


def native() -> Program:
    return Program(NATIVE)


def in_node() -> Program:
    return Program("node", "--single-threaded", pathlib.Path(__file__).with_name("engine_lines.mjs"), SITE)


class Pair:
    """Both engines, with the same inputs; and what they have told, read."""

    def __init__(self) -> None:
        self.programs = [native(), in_node()]
        self.milliseconds = 0
        self.last_request = 0
        self.octets = 0
        self.lines = 0
        self.told: list[dict[str, Any]] = []

    def tell(self, line: str) -> list[dict[str, Any]]:
        for program in self.programs:
            program.send(line)
        ours, theirs = (program.told() for program in self.programs)
        for number, (one, other) in enumerate(zip(ours, theirs)):
            assert one == other, f"after {line[:200]}\nline {number}, native: {one}\nWebAssembly:    {other}"
        assert len(ours) == len(theirs), f"after {line[:200]}: {ours[len(theirs):]} {theirs[len(ours):]}"
        self.lines += len(ours)
        self.octets += sum(len(one) for one in ours)
        found = [json.loads(one) for one in ours]
        self.told += found
        return found

    def wait(self, seconds: float, step: float = 1) -> list[dict[str, Any]]:
        found = []
        end = self.milliseconds + round(seconds * 1000)
        while self.milliseconds < end:
            self.milliseconds = min(end, self.milliseconds + round(step * 1000))
            found += self.tell(f"advance {self.milliseconds} {WALL + self.milliseconds}")
        return found

    def ask(self, method: str, path: str, **rest: Any) -> dict[str, Any]:
        self.last_request += 1
        request = {"id": self.last_request, "method": method, "path": path, **rest}
        found = self.tell("request " + json.dumps(request, ensure_ascii=False))
        answers = [one for one in found if one.get("answer") == self.last_request]
        return answers[0] if answers else {}

    def device(self, kind: str) -> int:
        return next(one["id"] for one in self.ask("GET", "/devices")["value"]["items"] if one["kind"] == kind)

    def close(self) -> None:
        for program in self.programs:
            program.close()


class Air(Pair):
    """Both on an air of their own."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.tell(f"begin {seed} {WALL}")
        # It has gone on for a while.
        self.milliseconds = 10_000
        self.wait(5)


class Browser(Pair):
    """Both on the Bluetooth of a browser, with one device: what it has is a saved device, as `gatt tree --output` writes it."""

    def __init__(self, seed: int, saved: dict[str, Any]) -> None:
        super().__init__()
        self.values: dict[int, str] = {}
        self.handles: dict[str, int] = {}
        self.services = [self.service(one) for one in saved["services"]]
        self.link = 0
        self.name = saved["name"] or ""
        self.tell(f"browser {seed} {WALL}")

    def service(self, one: dict[str, Any]) -> dict[str, Any]:
        characteristics = []
        for found in one["characteristics"]:
            handle = found["value_handle"]
            self.values[handle] = found["octets"] or ""
            self.handles[found["uuid"].lower()] = handle
            properties = sum(WORD.get(word, 0) for word in found["properties"])
            descriptors = [{"uuid": two["uuid"], "handle": two["handle"]} for two in found["descriptors"]]
            characteristics.append(
                {"uuid": found["uuid"], "handle": handle, "properties": properties, "descriptors": descriptors}
            )
        return {"uuid": one["uuid"], "handle": one["handle"], "characteristics": characteristics}

    def radio(self, word: str, **rest: Any) -> None:
        self.serve(self.tell("radio " + json.dumps({"radio": word, **rest})))

    def choose(self) -> None:
        self.radio("state", state="ready")
        uuids = [one["uuid"] for one in self.services]
        self.radio("chosen", device=DEVICE, name=self.name, services=uuids)

    def serve(self, told: Iterable[dict[str, Any]]) -> None:
        """Does what is asked of the radio, as a device would that takes all that is written."""
        for one in told:
            word, link, number = one.get("radio"), one.get("link"), one.get("id")
            if word == "look":
                self.radio("present", device=DEVICE)
            elif word == "connect":
                self.link = link
                self.radio("connected", link=link)
            elif word == "discover":
                self.radio("found", link=link, services=self.services)
            elif word == "read":
                self.radio("done", link=link, id=number, value=self.values.get(one["handle"], ""))
            elif word in ("write", "command"):
                if self.values.get(one["handle"]):
                    self.values[one["handle"]] = one["value"]
                self.radio("done", link=link, id=number, value="")
            elif word == "subscribe":
                self.radio("done", link=link, id=number, value="")

    def wait(self, seconds: float, step: float = 1) -> list[dict[str, Any]]:
        found = []
        for _ in range(round(seconds / step)):
            new = super().wait(step, step)
            self.serve(new)
            found += new
        return found

    def ask(self, method: str, path: str, **rest: Any) -> dict[str, Any]:
        before = len(self.told)
        answer = super().ask(method, path, **rest)
        self.serve(self.told[before:])
        return answer

    def send(self, handle: int, octets: bytes, size: int = 512) -> None:
        """The device sends a value by itself, in notifications of so many octets."""
        for start in range(0, max(1, len(octets)), size):
            self.radio("value", link=self.link, handle=handle, value=octets[start : start + size].hex())
