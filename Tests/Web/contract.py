# SPDX-License-Identifier: Apache-2.0
"""A hub and an engine are asked the same, step by step; everything in what they differ is collected."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from contract_differences import OWN
from contract_requests import NONE
from contract_sides import EngineSide, HubSide, Side, both

# What a value is of, by one of its parts that nothing else has: so it is called in paths, wherever it stands.
KINDS = {
    "tree_revision": "explorer", "viewers": "dashboard", "protocol": "setup", "dialect_chosen": "bulb", "lease": "job",
    "device_name": "save",
}  # fmt: skip
# What is another one on each side by its nature: whether it is there is compared, what it is is not. By the ends of paths.
COUNTED = {
    "job.id": "it begins with the time at which its side began",
    "job.device": "the device that is heard first by one side is third for the other",
    "job": "where that is a number, in events: see job.id",
    "save.id": "it goes on behind those that other tests have saved and deleted",
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
    "clock.device": "see now",
    "clock.host": "see now",
    "next_change_minutes": "see now: it may be a minute further",
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
    "clock.difference_seconds": "a lamp may be set a second before or after the machine goes on",
    "explorer.changes": "a hub notes packets and modulation of its link",
}

# How a step begins that is asked once more: when the log has values, when the job has ended, and of a job that never was.
AFTERWARDS = ("ended", "unknown", "logged")


def parts(value: Any, path: str = "") -> dict[str, Any]:
    """All values of an answer by their paths; of a list its length, too."""
    if isinstance(value, dict):
        kind = next((KINDS[key] for key in value if key in KINDS), "")
        if kind and path.split(".")[-1] != kind:
            path = f"{path}.{kind}".lstrip(".")
        found = {}
        for key, one in value.items():
            found |= parts(one, f"{path}.{key}".lstrip("."))
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


def mentions(event: dict[str, Any], job: int | None) -> bool:
    """Whether an event is about a job."""
    jobs = [one["job"]["id"] for one in event.values() if isinstance(one, dict) and isinstance(one.get("job"), dict)]
    return job is not None and job in [event.get("job"), *jobs]


class Script:
    """What both are asked of one kind; collects in what they differ."""

    def __init__(self, kind: str, hub: HubSide, engine: EngineSide, known: dict[str, tuple[str, str]]) -> None:
        self.kind = kind
        self.sides = (hub, engine)
        # How much is compared.
        self.requests = self.refusals = self.values = self.events = 0
        self.known = known
        # What more is not compared, and why.
        self.aside: dict[str, str] = {}
        self.steps: set[str] = set()
        self.found: dict[str, tuple[str, str]] = {}
        self.said: dict[str, list[str]] = {}
        for side in self.sides:
            side.names.pop("job", None)
            side.hear_all()
        self.since = [len(side.events) for side in self.sides]

    def comparable(self, value: Any) -> dict[str, Any]:
        return {path: one for path, one in comparable(value).items() if not is_named(path, self.aside)}

    def same(self, hub: Any, engine: Any) -> bool:
        return self.comparable(hub) == self.comparable(engine)

    def note(self, step: str, hub: str, engine: str) -> None:
        assert step not in self.steps, f"{step} is there twice"
        self.steps.add(step)
        if hub != engine:
            self.found[step] = (hub, engine)

    def compare(self, step: str, hub: Any, engine: Any) -> None:
        """Notes in what two values differ."""
        theirs, ours = self.comparable(hub), self.comparable(engine)
        self.values += len(theirs)
        others = [path for path in theirs | ours if theirs.get(path, "nothing") != ours.get(path, "nothing")]

        def said(values: dict[str, Any]) -> str:
            shown = [f"{path} {json.dumps(values.get(path, 'nothing'), ensure_ascii=False)}" for path in others[:4]]
            return ", ".join(shown + ["…"] * (len(others) > 4))

        self.note(step, said(theirs), said(ours))

    def ask(
        self, step: str, method: str, path: str, body: Any = None, filter: dict[str, Any] | None = None,
        takes: dict[str, Callable[[Any], Any]] | None = None, settled: str = "", by: Callable[[Any], Any] | None = None,
        moves: bool = False,
    ) -> None:  # fmt: skip
        """Asks both the same and compares what they answer.

        What asks something of a device is answered before that is done: `settled` is then looked at until `by` is true of it,
        and compared in place of the answer. Of what `moves` and is not waited for, it is compared which values there are."""
        hub, engine = answers = [side.ask(method, path, body, filter) for side in self.sides]
        self.requests += 1
        self.refusals += hub.status >= 400
        texts = [f"{one.status} {one.detail or ''}".strip() for one in answers]
        self.said[step] = texts
        if texts[0] != texts[1]:
            return self.note(step, *texts)
        if hub.status >= 400:
            return self.note(step, "", "")
        for side, answer in zip(self.sides, answers):
            side.names |= {name: take(answer.value) for name, take in (takes or {}).items()}
        if settled:
            self.until(step, settled, by)
        elif moves:
            self.compare(step, [*hub.value], [*engine.value])
        else:
            self.compare(step, hub.value, engine.value)

    def alone(self, step: str, method: str, path: str, body: Any = None) -> None:
        """Asks the engine alone for what it has to refuse, and a hub would do."""
        answer = self.sides[1].ask(method, path, body)
        self.requests += 1
        self.note(step, "not asked", f"{answer.status} {answer.detail or answer.value['error']}")

    def each(self, before: str, asked: dict[str, tuple]) -> None:
        """Asks many things of which none changes anything that is to be waited for."""
        for step, (method, path, *rest) in asked.items():
            self.ask(f"{before}{step}", method, path, *rest)

    def until(self, step: str, path: str, by: Callable[[Any], Any] | None) -> None:
        """Waits until both have come to something, and compares it."""

        def seen(side: Side) -> Any:
            value = side.get(path)
            return value if by is None or by(value) else None

        for side in self.sides:
            side.until(lambda side=side: seen(side))
        # What a device says by itself may come a little later.
        hub, engine = self.sides
        engine.advance(engine.milliseconds + 500)
        ours = engine.get(path)
        with suppress(AssertionError):
            hub.until(lambda: self.same(hub.get(path), ours), 2)
        self.requests += 1
        self.compare(step, hub.get(path), ours)

    def told(self, step: str, *names: str, chance: tuple[str, ...] = ()) -> None:
        """Compares what was told of the job, and all events of these names: which there were, which values they have, and the
        last of each unless that is chance."""
        hub, engine = kinds = [defaultdict(list), defaultdict(list)]

        def is_told() -> bool:
            """Whether both have told the same in the end; what a hub does beside the job takes a moment."""
            for side, since, found in zip(self.sides, self.since, kinds):
                side.hear_all()
                found.clear()
                for event in side.events[since:]:
                    if event["event"] in names or mentions(event, side.names.get("job")):
                        found[event["event"]].append(event)
                # How many come at once is chance.
                if values := found.get("explorer_values"):
                    values[-1] = values[-1] | {"values": [one for event in values for one in event["values"]]}
            compared = hub.keys() - {*chance}
            return hub.keys() == engine.keys() and all(self.same(hub[one][-1], engine[one][-1]) for one in compared)

        with suppress(AssertionError):
            self.sides[0].until(is_told, 3)
        self.events += sum(len(many) for one in kinds for many in one.values())
        assert hub and engine
        self.note(step, *("told are " + ", ".join(sorted(one)) for one in kinds))
        for name in sorted(hub.keys() & engine.keys()):
            theirs, ours = (set().union(*map(keys, one[name])) for one in kinds)
            self.note(f"{step}: {name} has", *(", ".join(sorted(one)) for one in (theirs - ours, ours - theirs)))
            if name not in chance:
                self.compare(f"{step}: the last {name}", hub[name][-1], engine[name][-1])

    def folded(self) -> dict[str, tuple[str, str]]:
        """In what they differ, with one row for all that a hub answers as before, whatever has become of the job meanwhile."""
        rows, many = {}, defaultdict(list)
        for step, (hub, engine) in self.found.items():
            before, _, rest = step.partition(": ")
            first = self.said.get(rest, [""])
            if before in AFTERWARDS and first[0] == hub:
                many[before].append("as before" if first[1] == engine else engine)
            else:
                rows[step] = (hub, engine)
        for before, said in many.items():
            texts = sorted(set(said), key=said.index)
            rows[f"{before}: *"] = (f"{len(said)} as before", "; ".join(f"{said.count(one)} {one}" for one in texts))
        return rows

    def end(self) -> None:
        """Says all in what they differ that is not known, and what is known and no longer so."""
        rows, wrong = self.folded(), []
        for step in rows | self.known:
            found, known = rows.get(step, ("", "")), self.known.get(step)
            if found != known:
                lines = [f"    {side:8}{said or 'nothing else'}" for side, said in zip(("hub", "engine"), found)]
                wrong.append("\n".join([step, *lines, *([f"    known is {known}"] if known else [])]))
        print(f"{self.kind}: {self.requests} requests ({self.refusals} refused), {self.values} values, {self.events} events")
        assert self.requests > 0 and self.values > 0
        assert not wrong, f"{self.kind}: {len(wrong)} of {len(self.steps)} steps differ:\n" + "\n".join(wrong)


def is_open(value: Any) -> bool:
    return value["job"]["phase"] == "open"


def is_ended(value: Any) -> bool:
    return value["job"]["phase"] == "ended"


job = {"job": lambda value: value["job"]["id"]}


def lose(script: Script) -> None:
    """Has both speak of a job that never was."""
    for side in script.sides:
        side.names["job"] = NONE


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    with both(tmp_path_factory.mktemp("contract")) as pair:
        yield pair


@pytest.fixture
def script(sides, request):
    """The script of one kind, by the name of the test. No job goes on when it has ended."""
    kind = request.node.name.removeprefix("test_")
    yield Script(kind, *sides, OWN.get(kind, {}))
    for side in sides:
        for one in side.get("/jobs")["items"]:
            side.ask("DELETE", f"/jobs/{one['id']}")
