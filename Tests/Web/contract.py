# SPDX-License-Identifier: Apache-2.0
"""A hub and an engine that are asked the same, step by step, and everything in what they differ."""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from engine_and_hub import query
from engine_pair import native
from real_hub import RealHub

# What an answer is of, by a value that only it has: the paths of its values begin so.
ROOTS = {"tree_revision": "explorer", "viewers": "dashboard", "protocol": "setup", "dialect_chosen": "bulb"}
# What is another one on each side by its nature: whether it is there is compared, what it is is not. By the ends of paths.
COUNTED = {
    "id": "each side numbers its devices, jobs and saves by itself",
    "device": "the number of a device: the one that is first here is third there",
    "job": "in events that is the number of the job",
    "revision": "a hub follows its link, too, and each of its words counts",
    "time": "each side does it a little earlier or later, here and in what follows",
    "begun": "see time",
    "ended": "see time",
    "sent": "see time",
    "accepted": "see time",
    "joining": "see time",
    "identified": "see time",
    "seen": "see time",
    "made": "see time",
    "kept": "see time",
    "asked_time": "see time",
    "said_time": "see time",
    "proof_end": "see time",
    "dashboard.read": "see time; of an explorer it is a count, which is compared",
    "dashboard.now": "the clock of the lamp",
    "next_change_minutes": "the clock of the lamp, which may be a minute further",
}
# What is not compared at all.
UNCOMPARED = {
    "explorer.rssi": "a page does not measure its links",
    "explorer.phy_tx": "a page cannot ask how a link is modulated",
    "explorer.phy_rx": "see phy_tx",
    "explorer.interval": "a page is not told the timing of a link",
    "explorer.latency": "see interval",
    "explorer.supervision_timeout": "see interval",
    "explorer.security": "a page cannot tell whether a link is encrypted",
    "explorer.can_pair": "a page cannot pair",
    "explorer.changes": "a hub notes packets and modulation of its link",
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
        self.reader = threading.Thread(target=self.follow, daemon=True)
        self.reader.start()

    def follow(self) -> None:
        # It ends with the hub.
        with suppress(OSError, ValueError):
            for line in self.stream:
                if line.startswith(b"data: {"):
                    self.events.append(json.loads(line[6:]))

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
    """The native engine on the air of pages without a hub. Its time goes on as it is waited for, and is never behind that of the hub."""

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


def parts(value: Any, path: str = "") -> dict[str, Any]:
    """All values of an answer by their paths; of a list its length, too."""
    if isinstance(value, dict):
        root = path or next((ROOTS[key] for key in value if key in ROOTS), "")
        found = {}
        for key, one in value.items():
            found |= parts(one, f"{root}.{key}" if root else key)
        return found
    if isinstance(value, list):
        found = {f"{path}.count": len(value)}
        for index, one in enumerate(value):
            found |= parts(one, f"{path}[{index}]")
        return found
    return {path: value}


def is_named(path: str, table: dict[str, str]) -> bool:
    """Whether a table has the end of a path."""
    names = re.sub(r"\[\d+\]", "", path).split(".")
    return any(".".join(names[-count:]) in table for count in (1, 2))


def comparable(value: Any) -> dict[str, Any]:
    """The parts of a value, without what is another one on each side."""
    found = {}
    for path, one in parts(value).items():
        above = path.split("[")[0].removesuffix(".count")
        if is_named(path, UNCOMPARED) or is_named(above, UNCOMPARED):
            continue
        found[path] = "…" if one is not None and is_named(path, COUNTED) else one
    return found


def keys(value: Any) -> set[str]:
    """The names of all values of an event, however many there are of each."""
    return {re.sub(r"\[\d+\]", "[]", path) for path in parts(value) if not path.endswith(".count")}


def mentions(event: dict[str, Any], job: int) -> bool:
    """Whether an event is about a job."""
    if event.get("job") == job:
        return True
    return any(isinstance(one, dict) and isinstance(one.get("job"), dict) and one["job"]["id"] == job for one in event.values())


class Counts:
    """How much was compared."""

    def __init__(self) -> None:
        self.requests = 0
        self.refusals = 0
        self.values = 0
        self.events = 0

    def __str__(self) -> str:
        return f"{self.requests} requests ({self.refusals} refused), {self.values} values, {self.events} events"


class Script:
    """What both are asked of one kind; collects in what they differ."""

    def __init__(self, kind: str, hub: HubSide, engine: EngineSide, counts: Counts, known: dict[str, tuple[str, str]]) -> None:
        self.kind = kind
        self.sides = (hub, engine)
        self.counts = counts
        self.known = {step: both for step, both in known.items() if step.startswith(f"{kind}: ")}
        self.steps: set[str] = set()
        self.found: dict[str, tuple[str, str]] = {}
        self.since = [len(side.events) for side in self.sides]

    def note(self, step: str, hub: str, engine: str) -> None:
        step = f"{self.kind}: {step}"
        assert step not in self.steps, f"{step} is there twice"
        self.steps.add(step)
        if hub != engine:
            self.found[step] = (hub, engine)

    def compare(self, step: str, hub: Any, engine: Any) -> None:
        """Notes in what two values differ."""
        theirs, ours = comparable(hub), comparable(engine)
        self.counts.values += len(theirs)
        others = [path for path in theirs | ours if theirs.get(path, "nothing") != ours.get(path, "nothing")]

        def said(values: dict[str, Any]) -> str:
            shown = [f"{path} {json.dumps(values.get(path, 'nothing'), ensure_ascii=False)}" for path in others[:4]]
            return ", ".join(shown + ["…"] * (len(others) > 4))

        self.note(step, said(theirs), said(ours))

    def ask(
        self, step: str, method: str, path: str, body: Any = None, filter: dict[str, Any] | None = None,
        takes: dict[str, Callable[[Any], Any]] | None = None, settled: str = "", by: Callable[[Any], Any] | None = None,
    ) -> None:  # fmt: skip
        """Asks both the same and compares what they answer.

        What asks something of a device is answered before that is done: `settled` is then looked at until `by` is true of it,
        and compared in place of the answer."""
        T0=time.monotonic()
        hub, engine = answers = [side.ask(method, path, body, filter) for side in self.sides]
        print("T",step,round(time.monotonic()-T0,2))
        self.counts.requests += 1
        self.counts.refusals += hub.status >= 400
        if (hub.status, hub.detail) != (engine.status, engine.detail):
            return self.note(step, *(f"{one.status} {one.detail or ''}".strip() for one in answers))
        if hub.status >= 400:
            return self.note(step, "", "")
        for side, answer in zip(self.sides, answers):
            side.names |= {name: take(answer.value) for name, take in (takes or {}).items()}
        if settled:
            self.until(step, settled, by)
        else:
            self.compare(step, hub.value, engine.value)

    def each(self, before: str, asked: dict[str, tuple]) -> None:
        """Asks many things of which none changes anything that is to be waited for."""
        for step, (method, path, *rest) in asked.items():
            self.ask(f"{before}{step}", method, path, *rest)

    def until(self, step: str, path: str, by: Callable[[Any], Any] | None) -> None:
        """Waits until both have come to something, and compares it."""

        def seen(side: Side) -> Any:
            value = side.get(path)
            return value if by is None or by(value) else None

        T0=time.monotonic()
        hub=self.sides[0].until(lambda side=self.sides[0]: seen(side))
        T1=time.monotonic()
        engine=self.sides[1].until(lambda side=self.sides[1]: seen(side))
        print("T",step,round(T1-T0,2),round(time.monotonic()-T1,2))
        self.counts.requests += 1
        self.compare(step, hub, engine)

    def told(self, step: str, *names: str, job: str = "job") -> None:
        """Compares what was told of a job, and all events of these names: which there were, what they have, and the last of each."""
        kinds: list[dict[str, list[dict[str, Any]]]] = []
        for side, since in zip(self.sides, self.since):
            found = defaultdict(list)
            for event in side.events[since:]:
                if event["event"] in names or (job in side.names and mentions(event, side.names[job])):
                    found[event["event"]].append(event)
            kinds.append(found)
        hub, engine = kinds
        self.counts.events += sum(len(many) for many in hub.values())
        self.note(step, *("told are " + ", ".join(sorted(one)) for one in kinds))
        for name in sorted(hub.keys() & engine.keys()):
            theirs, ours = (set().union(*map(keys, one[name])) for one in kinds)
            self.note(f"{step}: {name} has", *(", ".join(sorted(one)) for one in (theirs - ours, ours - theirs)))
            self.compare(f"{step}: the last {name}", hub[name][-1], engine[name][-1])

    def end(self) -> None:
        """Says all in what they differ that is not known, and what is known and no longer so."""
        wrong = []
        for step in self.found | self.known:
            found, known = self.found.get(step, ("", "")), self.known.get(step)
            if found != known:
                lines = [f"    {side:8}{said or 'nothing else'}" for side, said in zip(("hub", "engine"), found)]
                wrong.append("\n".join([step, *lines, *([f"    known is {known}"] if known else [])]))
        print(f"{self.kind}: {len(self.steps)} steps; so far {self.counts}")
        assert not wrong, f"{len(wrong)} of {len(self.steps)} steps differ:\n" + "\n".join(wrong)
