# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern nightlight simulate` and `week check` against schedules that Python works out instant by instant."""

from __future__ import annotations

import asyncio
import json
import random
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lamp_commands import save
from lantern import DONE, FAILED, WRONG_USAGE, Lantern
from peers.lamp_nights import Stretch, any_tonight, any_week, has_a_double, timeline
from peers.lamp_values import (
    BLACK,
    OFF,
    ORANGE,
    SCHOOL,
    SOURCES,
    THREE_NIGHTS,
    Group,
    Period,
    Tonight,
    Week,
    color_of,
    color_text,
    longest_week,
)

ZONES = ["Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland", "Asia/Kathmandu", "UTC"]
DST_DAYS = [date(2026, 10, 25), date(2027, 3, 28), date(2026, 11, 1), date(2027, 3, 14), date(2026, 10, 4),
            date(2027, 4, 4), date(2026, 9, 27), date(2026, 3, 29)]
SCHEDULES_A_ZONE = 12
HORIZON = 45
"""Days: a temporary schedule may be dark for thirty."""


@dataclass
class Case:
    """A schedule, and what the lamp shall do with it on a date."""

    zone: str
    day: date
    week: Week
    tonight: Tonight | None = None
    since: date | None = None

    def timeline(self, day: date | None = None) -> list[Stretch]:
        return timeline(day or self.day, self.week, self.tonight, self.since, ZoneInfo(self.zone))

    def is_settled(self, days: int = 1) -> bool:
        """Whether the documents say what happens on this date and some after it."""
        return not any(
            has_a_double(self.day + timedelta(days=number), self.week, self.tonight, self.since, ZoneInfo(self.zone))
            for number in range(days)
        )

    def arguments(self, folder: Path, name: str) -> list[str]:
        week = folder / f"{name}-week.json"
        week.write_text(json.dumps(self.week.json()))
        found = ["--week", str(week), "--time-zone", self.zone]
        if self.tonight is not None and self.since is not None:
            tonight = folder / f"{name}-tonight.json"
            tonight.write_text(json.dumps(self.tonight.json()))
            days = str(self.tonight.days_left)
            found += ["--tonight", str(tonight), "--days", days, "--from", self.since.isoformat()]
        return found

    def next_change(self, moment: datetime) -> tuple[Stretch, datetime | None]:
        """What shines at an instant, and when that ends."""
        now: Stretch | None = None
        for number in range(-1, HORIZON):
            for each in self.timeline(self.day + timedelta(days=number)):
                if each.start <= moment < each.end:
                    now = each
                elif now is not None and (each.source, each.color) != (now.source, now.color):
                    return now, each.start
        assert now is not None
        return now, None


def any_case(rng: random.Random, zone: str) -> Case:
    day = rng.choice(DST_DAYS) + timedelta(days=rng.choice([-1, 0, 0, 0, 1]))
    tonight = any_tonight(rng) if rng.random() < 0.4 else None
    since = day - timedelta(days=rng.randint(-1, 3)) if tonight else None
    return Case(zone, day, any_week(rng), tonight, since)


def settled_cases(zone: str, days: int = 1) -> list[Case]:
    rng = random.Random(f"nights of {zone}, {days}")
    found: list[Case] = []
    while len(found) < SCHEDULES_A_ZONE:
        case = any_case(rng, zone)
        if case.is_settled(days):
            found.append(case)
    return found


async def simulate(lantern: Lantern, *arguments: str) -> list[dict[str, Any]]:
    result = await lantern.run_offline("nightlight", "simulate", *arguments, "--json")
    assert result.status == DONE, result
    return [json.loads(line) for line in result.stdout.splitlines()]


def instant(text: str) -> datetime:
    """An ISO 8601 time with its offset."""
    moment = datetime.fromisoformat(text)
    assert moment.tzinfo is not None, text
    return moment.astimezone(timezone.utc)


def stretches_of(lines: list[dict[str, Any]]) -> list[Stretch]:
    """The stretches of the lines; the ones of the same light are put together."""
    found: list[Stretch] = []
    for line in lines:
        assert line.keys() == {"event", "time", "from", "to", "source", "color"}, line
        one = Stretch(
            instant(line["from"]), instant(line["to"]), SOURCES.index(line["source"]), color_of(line["color"])
        )
        if found:
            assert found[-1].end == one.start, "one after the other"
        if found and (found[-1].source, found[-1].color) == (one.source, one.color):
            one = Stretch(found.pop().start, one.end, one.source, one.color)
        found.append(one)
    return found


@pytest.mark.parametrize("zone", ZONES)
async def test_the_timelines_of_days(zone: str, lantern: Lantern, tmp_path: Path) -> None:
    """Nights of DST changes and the days around them, with and without a temporary schedule."""
    for number, case in enumerate(settled_cases(zone)):
        arguments = case.arguments(tmp_path, str(number))
        found = stretches_of(await simulate(lantern, *arguments, "--date", case.day.isoformat()))
        assert found == case.timeline(), case


@pytest.mark.parametrize("zone", ZONES)
async def test_what_shines_at_a_moment_and_until_when(zone: str, lantern: Lantern, tmp_path: Path) -> None:
    rng = random.Random(zone)

    async def ask(number: int, case: Case) -> None:
        hour, minute = rng.randrange(5, 24), rng.randrange(60)  # Hours that come once.
        local = datetime(case.day.year, case.day.month, case.day.day, hour, minute)
        moment = local.replace(tzinfo=ZoneInfo(zone)).astimezone(timezone.utc)
        now, end = case.next_change(moment)
        [line] = await simulate(lantern, *case.arguments(tmp_path, str(number)), "--at", local.isoformat())
        assert line.keys() == {"event", "time", "at", "source", "color", "until"}
        assert instant(line["at"]) == moment
        assert (line["source"], line["color"]) == (SOURCES[now.source], color_text(now.color)), (case, local)
        assert (line["until"] and instant(line["until"])) == end, (case, local)

    cases = settled_cases(zone, days=HORIZON)
    for first in range(0, len(cases), 4):
        await asyncio.gather(*(ask(first + number, case) for number, case in enumerate(cases[first : first + 4])))


async def test_the_school_week_as_a_parent_reads_it(lantern: Lantern, tmp_path: Path) -> None:
    case = Case("Europe/Zurich", date(2026, 11, 21), SCHOOL, THREE_NIGHTS, date(2026, 11, 21))
    [line] = await simulate(lantern, *case.arguments(tmp_path, "school"), "--at", "2026-11-21T20:30:00")
    assert (line["source"], line["color"]) == ("day", "#102030")
    assert line["until"] == "2026-11-22T06:30:00+01:00"
    [line] = await simulate(lantern, *case.arguments(tmp_path, "school"), "--at", "2026-11-21T12:00")
    assert (line["source"], line["color"], line["until"]) == ("off", "#000000", "2026-11-21T19:00:00+01:00")


async def test_a_week_without_light_never_changes(lantern: Lantern, tmp_path: Path) -> None:
    case = Case("UTC", date(2026, 11, 21), Week("Dark", (Group(0x7F),)))
    [line] = await simulate(lantern, *case.arguments(tmp_path, "dark"), "--at", "2026-11-21T20:00")
    assert (line["source"], line["until"]) == ("off", None)
    found = stretches_of(await simulate(lantern, *case.arguments(tmp_path, "dark"), "--date", "2026-11-21"))
    assert [(each.source, each.color) for each in found] == [(OFF, BLACK)]


# Files


def with_groups(*groups: dict[str, Any], **others: Any) -> dict[str, Any]:
    return {"name": "Test", "groups": list(groups)} | others


WORKING = {"days": ["mon", "tue", "wed", "thu", "fri"], "periods": []}
WEEKEND = {"days": ["sat", "sun"], "periods": []}


def period(on: str = "19:30", off: str = "07:00", color: Any = "#ff8800", timeout: Any = None) -> dict[str, Any]:
    return {"on": on, "off": off, "color": color, "timeout_minutes": timeout}


def weekend(*periods: dict[str, Any]) -> dict[str, Any]:
    return with_groups(WORKING, dict(WEEKEND, periods=list(periods)))


BAD_WEEKS: dict[str, tuple[Any, str]] = {
    "tuesday twice": (with_groups(WORKING, dict(WEEKEND, days=["sat", "sun", "tue"])), "tuesday"),
    "sunday missing": (with_groups(WORKING, dict(WEEKEND, days=["sat"])), "sunday"),
    "a day of another tongue": (with_groups(WORKING, dict(WEEKEND, days=["sat", "dimanche"])), "dimanche"),
    "overlap": (weekend(period("19:00", "20:00"), period("19:59", "21:00")), "19:59|20:00|overlap"),
    "overlap across midnight": (weekend(period("19:00", "07:00"), period("06:00", "07:30")), "06:00|overlap"),
    "equal markers": (weekend(period("19:00", "19:00")), "19:00"),
    "no such time": (weekend(period("24:00", "07:00")), "time of day|24:00"),
    "no time at all": (weekend(period("seven", "07:00")), "time of day|seven"),
    "no colour": (weekend(period(color="orange-ish")), "orange-ish|colo"),
    "time-out 0": (weekend(period(timeout=0)), "time-?out"),
    "time-out 256": (weekend(period(timeout=256)), "256|time-?out"),
    "a name of 25 octets": (with_groups(WORKING, WEEKEND, name="ä" * 12 + "x"), "24|name"),
    "no groups": (with_groups(), "group|monday|day"),
    "seven periods": (weekend(*[period(f"{hour:02}:00", f"{hour:02}:30") for hour in range(7)]), "6|six|period"),
    "an array": ([], ""),
    "no JSON": ("{", ""),
    "a number for a name": (with_groups(WORKING, WEEKEND, name=5), "name"),
}


@pytest.mark.parametrize(("value", "words"), BAD_WEEKS.values(), ids=BAD_WEEKS)
async def test_week_check_says_what_is_wrong(value: Any, words: str, lantern: Lantern, tmp_path: Path) -> None:
    result = await lantern.run_offline("nightlight", "week", "check", save(tmp_path, value))
    assert result.status == FAILED, result
    assert re.search(words, result.stdout + result.stderr, re.IGNORECASE), result
    assert (result.stdout + result.stderr).strip()


@pytest.mark.parametrize("week", [SCHOOL, longest_week(), Week("", (Group(0x7F, (Period(0, 1439, ORANGE, 255),)),))])
async def test_week_check_of_a_good_week(week: Week, lantern: Lantern, tmp_path: Path) -> None:
    result = await lantern.run_offline("nightlight", "week", "check", save(tmp_path, week.json()))
    assert result.status == DONE and result.stderr == "", result


async def test_a_missing_file(lantern: Lantern, tmp_path: Path) -> None:
    result = await lantern.run_offline("nightlight", "week", "check", str(tmp_path / "missing.json"))
    assert result.status in (FAILED, WRONG_USAGE) and "missing.json" in result.stderr


async def test_a_bad_file_ends_check_and_simulate_alike(lantern: Lantern, tmp_path: Path) -> None:
    """A file that cannot be read is wrong usage, one with faults is a failure; both quickly, however large it is."""
    missing, huge, nothing = (str(tmp_path / name) for name in ("missing", "huge", "nothing"))
    Path(huge).write_bytes(b" " * 100_000_000)
    Path(nothing).write_bytes(b"\0" * 65_000)
    faulty = save(tmp_path, "[]")
    for path, status in ((missing, WRONG_USAGE), (huge, WRONG_USAGE), (nothing, FAILED), (faulty, FAILED)):
        for arguments in (
            ["week", "check", path],
            ["tonight", "check", path],
            ["simulate", "--week", path, "--at", "20:00"],
            ["week", "set", "C0:00:00:00:00:01", path, "--radio", "sim"],
            ["tonight", "set", "C0:00:00:00:00:01", path, "--radio", "sim"],
        ):
            result = await lantern.run_offline("nightlight", *arguments, timeout=10)
            assert result.status == status, (arguments, result)
            assert len(result.stderr) < 500


async def test_tonight_check(lantern: Lantern, tmp_path: Path) -> None:
    good = save(tmp_path, {"periods": [period("19:00", "06:30")]})
    result = await lantern.run_offline("nightlight", "tonight", "check", good)
    assert result.status == DONE and "19:00–06:30" in result.stdout, result
    bad = save(tmp_path, {"periods": [period("19:00", "06:30"), period("06:00", "07:00")]})
    assert (await lantern.run_offline("nightlight", "tonight", "check", bad)).status == DONE, "on one day they do not meet"
    result = await lantern.run_offline("nightlight", "tonight", "check", bad, "--days", "2")
    assert result.status == FAILED and re.search("line 1, column \\d+", result.stderr, re.IGNORECASE), result


async def test_a_time_without_a_date_is_today(lantern: Lantern, tmp_path: Path) -> None:
    week = save(tmp_path, SCHOOL.json())
    before = datetime.now().astimezone().date()
    [line] = await simulate(lantern, "--week", week, "--at", "20:00")
    assert before <= datetime.fromisoformat(line["at"]).date() <= datetime.now().astimezone().date()
    assert line["at"][11:16] == "20:00"
