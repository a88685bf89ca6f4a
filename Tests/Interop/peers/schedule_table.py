# SPDX-License-Identifier: Apache-2.0
"""The table of schedule cases that were worked out by hand, as Python reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

TABLE = Path(__file__).resolve().parents[2] / "NightlightTests/Fixtures/schedule-cases.txt"
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


def instant(zone: str, day: str, clock: str, offset: str) -> datetime:
    """What is meant: where a clock shows a time twice and no offset is there, the first."""
    if offset:
        return datetime.fromisoformat(f"{day}T{clock}{offset}")
    return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=ZoneInfo(zone))
