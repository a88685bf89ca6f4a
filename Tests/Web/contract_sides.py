# SPDX-License-Identifier: Apache-2.0
"""A hub and an engine, each on a simulated air with the same devices, to be asked the same."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from engine_and_hub import query
from engine_pair import native
from real_hub import RealHub

DEVICES = {
    "C0:FF:EE:F1:5E:71": "wifiset",
    "C0:FF:EE:46:77:68": "improv",
    "C0:FF:EE:F1:B0:1B": "bulb",
    "C0:FF:EE:F1:1A:4B": "lamp",
    "C0:FF:EE:9A:3C:2B": "strap",
}


class Answer(NamedTuple):
    """What came of a request."""

    status: int
    detail: str | None
    value: Any


class Side:
    """One of the two: what it is asked, what it has told, and how it calls things."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, path: str, body: Any, filter: dict[str, Any]) -> Answer:
        raise NotImplementedError

    def until(self, wanted: Callable[[], Any], seconds: float = 60) -> Any:
        """Lets time go by until the answer of a function is true."""
        raise NotImplementedError

    def hear_all(self) -> None:
        """Lets all come that was told until now."""

    def ask(self, method: str, path: str, body: Any = None, filter: dict[str, Any] | None = None) -> Answer:
        filter = {key: one.format(**self.names) if isinstance(one, str) else one for key, one in (filter or {}).items()}
        return self.send(method, path.format(**self.names), body, filter)

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.status == 200, (path, answer)
        return answer.value


class HubSide(Side):
    """`lantern hub` on a simulated air, in real time."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.hub = RealHub(folder, "--radio", "sim")
        self.hub.start()
        self.stream = urllib.request.urlopen(f"{self.hub.address}/api/v1/events", timeout=60)
        self.last_event = 0
        self.reader = threading.Thread(target=self.follow, daemon=True)
        self.reader.start()

    def follow(self) -> None:
        # It ends with the hub.
        with suppress(OSError, ValueError):
            number = 0
            for line in self.stream:
                if line.startswith(b"id: "):
                    number = int(line[4:])
                elif line.startswith(b"data: {"):
                    self.events.append(json.loads(line[6:]))
                    self.last_event = number

    def hear_all(self) -> None:
        last = self.get("/hub")["last_event_id"]
        self.until(lambda: self.last_event >= last)

    def send(self, method, path, body, filter) -> Answer:
        end = f"?{query(filter)}" if filter else ""
        status, value, _ = self.hub.request(method, f"/api/v1{path}{end}", body)
        return Answer(status, value["detail"], None) if status >= 400 else Answer(status, None, value or None)

    def until(self, wanted, seconds: float = 60) -> Any:
        end = time.monotonic() + seconds
        while not (value := wanted()):
            assert time.monotonic() < end, f"the hub did not come to it\n{self.hub.log}"
            time.sleep(0.02)
        return value

    def close(self) -> None:
        self.hub.stop()
        self.reader.join(10)


class EngineSide(Side):
    """The native engine on the air of pages without a hub. Its time goes on as it is waited for, and never behind the hub's."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.program = native()
        # Its air has gone on for ten seconds when it begins.
        self.milliseconds = 10_000
        self.began = time.monotonic() - 10
        self.wall = round(time.time() * 1000) - 10_000
        self.last = 0
        self.answers: dict[int, dict[str, Any]] = {}
        self.tell(f"begin {seed} {self.wall + self.milliseconds}")

    def tell(self, line: str) -> None:
        for one in map(json.loads, self.program.tell(line)):
            if "event" in one:
                self.events.append(one)
            elif "answer" in one:
                self.answers[one["answer"]] = one

    def advance(self, milliseconds: int) -> None:
        self.milliseconds = max(self.milliseconds, milliseconds)
        self.tell(f"advance {self.milliseconds} {self.wall + self.milliseconds}")

    def send(self, method, path, body, filter) -> Answer:
        self.advance(round((time.monotonic() - self.began) * 1000))
        self.last += 1
        number = self.last
        request = {"id": number, "method": method, "path": path, "filter": filter}
        if body is not None:
            request["body"] = body
        self.tell("request " + json.dumps(request, ensure_ascii=False))
        # Some are answered when the device has answered.
        answer = self.until(lambda: self.answers.get(number))
        return Answer(answer["status"], answer.get("detail"), answer.get("value"))

    def until(self, wanted, seconds: float = 60) -> Any:
        end = self.milliseconds + seconds * 1000
        while not (value := wanted()):
            assert self.milliseconds < end, f"the engine did not come to it: {self.events[-1:]}"
            self.advance(self.milliseconds + 100)
        return value

    def close(self) -> None:
        self.program.close()


@contextmanager
def both(folder: Path) -> Iterator[tuple[HubSide, EngineSide]]:
    """A hub and an engine that have heard their devices. For the lamp it is noon, so that no light comes on or goes off while
    the test runs."""
    ahead = time.gmtime().tm_hour - 12
    zone, offset = f"Etc/GMT{ahead:+}", -3600 * ahead
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", zone)
        hub = HubSide(folder)
    engine = EngineSide(7)
    try:
        engine.ask("POST", "/zone", {"name": zone, "offset": offset, "standard_offset": offset, "changes": []})
        for side in (hub, engine):
            side.until(lambda side=side: has_heard(side))
            side.names["zone"] = zone
        yield hub, engine
    finally:
        hub.close()
        engine.close()


def has_heard(side: Side) -> bool:
    for one in side.get("/devices")["items"]:
        if one["name"] and one["address"] in DEVICES:
            side.names[DEVICES[one["address"]]] = one["id"]
    return len(side.names) == len(DEVICES)
