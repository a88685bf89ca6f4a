# SPDX-License-Identifier: Apache-2.0
"""Asks `lantern nightlight simulate` what stands in the table of schedule cases that were worked out by hand."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lantern import DONE, Lantern

TABLE = Path(__file__).resolve().parents[1] / "NightlightTests/Fixtures/schedule-cases.txt"
DEFINITION = re.compile(r"^(week|tonight) (\S.*?)(?:  +(.*))?$")
USE = re.compile(r"^week (.+?) in (\S+?)(?:, tonight (\w+) for (\d+) days? from (\S+))?$")
CASE = re.compile(
    r"^(\S+) (\d\d:\d\d)(\S*) +(?:(off)|(week|day) (#\w{6})) +(?:until (\S+) (\d\d:\d\d)(\S*)|for ever)"
)


@dataclass
class Section:
    """Cases with the same schedules."""

    title: str
    use: re.Match[str] | None = None
    cases: list[re.Match[str]] = field(default_factory=list)
    is_asked_without_steps: bool = True


def periods(text: str) -> list[dict[str, Any]]:
    found = []
    for one in text.split(","):
        match = re.fullmatch(r"\s*(\S+)-(\S+) (#\w{6})(?: at most (\d+) minutes)?\s*", one)
        assert match, one
        on, off, color, timeout = match.groups()
        found.append({"on": on, "off": off, "color": color, "timeout_minutes": timeout and int(timeout)})
    return found


def read() -> tuple[dict[tuple[str, str], dict[str, Any]], list[Section]]:
    schedules: dict[tuple[str, str], dict[str, Any]] = {}
    sections: list[Section] = []
    groups: list[dict[str, Any]] | None = None
    for line in TABLE.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("== "):
            sections.append(Section(line[3:]))
        elif sections:
            section = sections[-1]
            if use := USE.match(line):
                section.use = use
            elif case := CASE.match(line):
                section.cases.append(case)
            else:
                assert line.startswith(("at ", "the clock ")), line
                section.is_asked_without_steps = False
        elif match := DEFINITION.match(line):
            kind, name, rest = match.groups()
            groups = [] if kind == "week" else None
            schedules[kind, name] = {"name": name, "groups": groups} if kind == "week" else {
                "periods": periods(rest) if rest else []
            }
        elif line.startswith("zone"):
            groups = None
        elif groups is not None:
            days, _, rest = re.sub(r"(?<=[a-z])  +", "|", line.strip()).partition("|")
            groups.append({"days": days.lower().split(), "periods": periods(rest) if rest else []})
    return schedules, sections


SCHEDULES, SECTIONS = read()
ASKED = [section for section in SECTIONS if section.is_asked_without_steps]


def test_most_of_the_table_is_asked() -> None:
    assert sum(len(section.cases) for section in ASKED) >= 90
    assert sum(len(section.cases) for section in SECTIONS) >= 120


def instant(zone: str, day: str, clock: str, offset: str) -> datetime:
    """What is meant: where a clock shows a time twice and no offset is there, the first."""
    if offset:
        return datetime.fromisoformat(f"{day}T{clock}{offset}")
    return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=ZoneInfo(zone))


@pytest.mark.parametrize("section", ASKED, ids=lambda section: section.title)
async def test_the_table(section: Section, lantern: Lantern, tmp_path: Path) -> None:
    assert section.use and section.cases
    week, zone, tonight, days, since = section.use.groups()
    (tmp_path / "week.json").write_text(json.dumps(SCHEDULES["week", week]))
    arguments = ["--week", str(tmp_path / "week.json"), "--time-zone", zone]
    if tonight:
        (tmp_path / "tonight.json").write_text(json.dumps(SCHEDULES["tonight", tonight]))
        arguments += ["--tonight", str(tmp_path / "tonight.json"), "--days", days, "--from", since]
    for case in section.cases:
        day, clock, offset, off, source, color, until_day, until_clock, until_offset = case.groups()
        asked = ["nightlight", "simulate", *arguments, "--at", f"{day}T{clock}{offset}", "--json"]
        result = await lantern.run_offline(*asked)
        assert result.status == DONE, result
        answer = json.loads(result.stdout)
        assert (answer["source"], answer["color"]) == ((source, color) if not off else ("off", "#000000")), case[0]
        until = answer["until"] and datetime.fromisoformat(answer["until"])
        wanted = instant(zone, until_day, until_clock, until_offset) if until_day else None
        assert (until and until.timestamp()) == (wanted and wanted.timestamp()), case[0]
        if until and not until_offset and until_clock:
            assert answer["until"].startswith(f"{until_day}T{until_clock}:00"), case[0]
