# SPDX-License-Identifier: Apache-2.0
"""Proves that what README and the guides show is what is printed: each sample that needs no hardware is run once.

Of lines of JSON the keys are compared, event by event; of others the words, apart from those that have a digit.
`…` stands for what is left out. TranscriptTests knows that all other commands shown are understood.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern import DONE, FAILED, WRONG_USAGE, Lantern
from patience import within

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "Documentation" / "Guides"
NIGHTLIGHTS = GUIDES / "nightlights.md"
NAMES = ("exploring", "shell", "devices", "bulbs", "nightlights", "overflow-area")
PAGES = [ROOT / "README.md", *(GUIDES / f"{name}.md" for name in NAMES)]
LEFT_OUT = "…"

SHELL = "gatt shell C0:FF:EE:F1:0C:01 --radio sim"
SHOW = "nightlight show C0:FF:EE:F1:1A:4B --radio sim"
DEMO = "demo --terminal --duration 5"
NOT_RUN = {
    SHELL: "somebody types; test_shell_terminal does",
    "device run flockfinder --radio serial:/dev/ttyACM0": "wants hardware",
    "device run replay --tree gadget.json --recording gadget.jsonl --radio tcp:127.0.0.1:9000": "has clients",
    "device run nightlight --radio tcp:127.0.0.1:9000": "somebody presses its button",
    "radio serve --port 9000 --devices flockfinder": "has hosts; test_radio_serve does",
    "overflow beacon 01020304 --radio tcp:127.0.0.1:9001 --duration 6": "has a neighbour; test_overflow_serve does",
}


def blocks(page: Path, language: str) -> list[str]:
    """What stands between fences of a language."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.M | re.S)
    return [block for name, block in fences if name == language]


def samples() -> dict[str, list[list[str]]]:
    """Each command, and what the pages say that it prints."""
    found: dict[str, list[list[str]]] = {}
    parts = [part for page in PAGES for block in blocks(page, "") for part in re.split(r"^(?=\$ )", block, flags=re.M)]
    for part in parts:
        command, *lines = part.splitlines() or [""]
        if command.startswith("$ lantern "):
            found.setdefault(command.removeprefix("$ lantern "), []).append(lines)
    return found


SAMPLES = samples()


def verb(command: str) -> str:
    return command.split()[0]


@pytest.fixture
def place(serving: Lantern) -> Lantern:
    """Where the files are that the pages tell to write."""
    school, wrong = blocks(NIGHTLIGHTS, "json")
    (serving.home / "school.json").write_text(school)
    (serving.home / "wrong.json").write_text(wrong)
    for text, name in re.findall(r"^\$ echo '(.*)' >(\S+)$", PAGES[0].read_text(), re.M):
        (serving.home / name).write_text(text)
    return serving


def masked(line: str) -> str:
    """A line without what is another one each time, or in another folder."""
    line = re.sub(r"█+", "█", re.sub(r"~/\S+", "~", line))
    words = ["#" if re.search(r"\d", word) else word for word in line.split()]
    return " ".join(word for index, word in enumerate(words) if word != "#" or words[index - 1 : index] != ["#"])


def text(lines: list[str]) -> list[str]:
    return [masked(line) for line in lines if line.strip() and not line.startswith("{")]


def fits(shown: list[str], printed: list[str]) -> bool:
    """Whether lines are those that are shown, apart from what is left out."""
    if not shown:
        return not printed
    if shown[0] == LEFT_OUT:
        return any(fits(shown[1:], printed[index:]) for index in range(len(printed) + 1))
    return printed[:1] == shown[:1] and fits(shown[1:], printed[1:])


def paths(value: Any, place: str = "") -> Iterator[str]:
    """The keys of a value, with those of the objects in it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield place + key
            yield from paths(part, f"{place}{key}.")
    elif isinstance(value, list):
        for part in value:
            yield from paths(part, place)


def keys(lines: list[str]) -> dict[str, set[str]]:
    """The keys of each event."""
    found: dict[str, set[str]] = {}
    for line in lines:
        if line.startswith("{") and line.endswith("}"):
            event = json.loads(line)
            found.setdefault(event["event"], set()).update(paths(event))
    return found


def cut_keys(lines: list[str]) -> dict[str, set[str]]:
    """The keys of events that are shown up to a place only."""
    cut = [re.findall(r'"(\w+)":', line) for line in lines if line.startswith("{") and line.endswith(LEFT_OUT)]
    events = [re.match(r'{"event":"(\w+)"', line) for line in lines if line.endswith(LEFT_OUT)]
    return {event[1]: set(names) for event, names in zip([one for one in events if one], cut, strict=True)}


def rows(lines: list[str]) -> list[str]:
    """What the rows of a table without a head are called."""
    return [line.split()[0] for line in lines if re.match(r"  \w", line)]


def differs(command: str, shown: list[str], printed: list[str]) -> str | None:
    """What is not as it is shown."""
    if command == SHOW:
        # What a lamp does depends on the day.
        return None if rows(shown) == rows(printed) else f"{rows(printed)}"
    if command == DEMO:
        # How many cameras it passes depends on how busy the machine is.
        missing = set(text(shown)) - set(text(printed)) - {LEFT_OUT}
        return f"not printed: {missing}" if missing else None
    whole, cut, events = keys(shown), cut_keys(shown), keys(printed)
    if whole.keys() | cut.keys() != events.keys():
        return f"events: {sorted(events)}"
    for event, names in whole.items():
        if names != events[event]:
            return f"{event}: {sorted(names ^ events[event])}"
    for event, names in cut.items():
        if not names <= events[event]:
            return f"{event}: {sorted(names - events[event])}"
    return None if fits(text(shown), text(printed)) else "\n".join(text(printed))


@pytest.mark.parametrize("name", sorted({verb(command) for command in SAMPLES.keys() - NOT_RUN.keys()}))
async def test_what_is_shown_is_printed(name: str, place: Lantern) -> None:
    problems = []
    for command in SAMPLES:
        if verb(command) != name or command in NOT_RUN:
            continue
        result = await place.run_offline(*shlex.split(command), timeout=within(60))
        assert result.status in (DONE, FAILED, WRONG_USAGE), result
        printed = (result.stdout + result.stderr).splitlines()
        for shown in SAMPLES[command]:
            if problem := differs(command, shown, printed):
                problems.append(f"$ lantern {command}\n{problem}")
    assert not problems, "\n\n".join(problems)


def test_what_is_not_run_is_shown() -> None:
    assert NOT_RUN.keys() <= SAMPLES.keys()
    assert len(SAMPLES.keys() - NOT_RUN.keys()) >= 35


def test_what_is_wrong_is_noticed() -> None:
    command = "bulb dialects"
    shown = ["DIALECT  ON", "a1  yes", "…"]
    assert differs(command, shown, ["DIALECT  ON", "b2 yes", "c3  no"]) is None
    assert differs(command, shown, ["DIALECT  OFF", "b2 yes"])
    assert differs(command, shown[:2], ["DIALECT  ON", "b2 yes", "c3  no"])
    line = '{"event":"a","part":{"b":1}}'
    assert differs(command, [line], [line.replace("1", "null")]) is None
    assert differs(command, [line], ['{"event":"a","part":{"c":1}}'])
    assert differs(command, [line], [line, '{"event":"d"}'])
    assert differs(command, ['{"event":"a","part…'], [line]) is None
    assert differs(command, ['{"event":"a","b":"…'], [line])
