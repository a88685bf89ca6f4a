# SPDX-License-Identifier: Apache-2.0
"""Proves what our lamp does while a midnight or a change of DST passes, in real seconds."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from peers.lamp_values import (
    BLACK,
    DAY,
    OFF,
    ORANGE,
    SCHOOL,
    THREE_NIGHTS,
    WEEK,
    ActiveSource,
    Clock,
    Group,
    Period,
    Tonight,
    Week,
    decode_current_time,
    time_with_dst,
)
from peers.nightlight import LampReader, source_becomes

VIOLET = bytes.fromhex("8000ff")
STANDARD, SUMMER = 0, 4
ZURICH, NEW_YORK = 4, -20


async def let_pass(reader: LampReader, moment: datetime, zone: int = 0, dst: int = 0) -> datetime:
    """Sets the clock to two seconds before a moment, waits until it has passed, and returns the time then."""
    before = moment - timedelta(seconds=2)
    await reader.set_clock(before, zone, dst)
    await asyncio.sleep(2.3)
    return decode_current_time(await reader.read("current_time"))


async def days_left(reader: LampReader) -> int:
    value = await reader.read("day")
    return value[1] if value else 0


@pytest.mark.parametrize(
    "midnight", [datetime(2026, 11, 22), datetime(2028, 2, 29), datetime(2028, 3, 1), datetime(2027, 1, 1)]
)
async def test_a_midnight(midnight: datetime, reader: LampReader) -> None:
    """Leap days and the new year among them: one day less is left, whatever shines."""
    await reader.set_clock(midnight - timedelta(hours=3))
    await reader.set("day", THREE_NIGHTS.encode())
    later = await let_pass(reader, midnight)
    assert timedelta(0) <= later - midnight < timedelta(seconds=2), later
    assert await reader.read("day") == replace(THREE_NIGHTS, days_left=2).encode()
    source = await reader.source()
    assert (source.source, source.color) == (DAY, THREE_NIGHTS.periods[0].color)
    assert source.minutes in (389, 390), "half past six"


async def test_the_last_night_runs_out_after_its_schedule_is_gone(reader: LampReader) -> None:
    midnight = datetime(2026, 11, 22)
    await reader.set_clock(midnight - timedelta(hours=3))
    await reader.set("week", SCHOOL.encode())
    await reader.set("day", replace(THREE_NIGHTS, days_left=1).encode())
    told = await reader.listen("day") if int(reader.proxy("day").properties) & 0x10 else None
    await let_pass(reader, midnight)
    assert await reader.read("day") == b""
    source = await reader.source()
    assert (source.source, source.color) == (DAY, THREE_NIGHTS.periods[0].color)
    assert source.minutes in (389, 390)
    assert told is None


async def test_a_day_of_darkness_ends_at_midnight(reader: LampReader) -> None:
    """Tonight without periods: dark, and the week begins again with the next day."""
    midnight = datetime(2026, 11, 22)
    morning = Week("", (Group(0x7F, (Period(0, 60, VIOLET), Period(1200, 1439, ORANGE))),))
    await reader.set_clock(midnight - timedelta(hours=3))
    await reader.set("week", morning.encode())
    assert (await reader.source()).source == WEEK
    await reader.set("day", Tonight(1, ()).encode())
    told = await reader.listen()
    assert (await reader.source()).source == OFF
    await let_pass(reader, midnight)
    await source_becomes(told, lambda source: (source.source, source.color) == (WEEK, VIOLET), "the week")
    assert await days_left(reader) == 0


async def test_a_week_s_night_runs_on_into_a_dark_day(reader: LampReader) -> None:
    """A period runs to its off marker under whichever schedule it began, whatever starts at midnight."""
    midnight = datetime(2026, 11, 22)
    saturday = Week("", (Group(0x20, (Period(1200, 420, ORANGE),)), Group(0x5F)))
    await reader.set_clock(midnight - timedelta(hours=3))
    await reader.set("week", saturday.encode())
    await let_pass(reader, midnight)
    source = await reader.source()
    assert (source.source, source.color) == (WEEK, ORANGE)
    assert source.minutes in (419, 420)


async def test_markers_are_told_as_they_pass(reader: LampReader) -> None:
    evening = datetime(2026, 11, 21, 20, 30)
    await reader.set("week", SCHOOL.encode())
    told = await reader.listen()
    await let_pass(reader, evening)
    await source_becomes(told, lambda source: source.source == WEEK, "the on marker")
    told.notifications.clear()
    await let_pass(reader, evening + timedelta(minutes=90))
    await source_becomes(told, lambda source: source.source == OFF and source.color == BLACK, "the time-out")


# Changes of DST

SPRINGS = {
    "Zurich": (ZURICH, datetime(2027, 3, 28, 2), SUMMER, timedelta(hours=1)),
    "New York": (NEW_YORK, datetime(2027, 3, 14, 2), SUMMER, timedelta(hours=1)),
    "Lord Howe": (42, datetime(2026, 10, 4, 2), 2, timedelta(minutes=30)),
}
AUTUMNS = {
    "Zurich": (ZURICH, SUMMER, datetime(2026, 10, 25, 3), timedelta(hours=1)),
    "New York": (NEW_YORK, SUMMER, datetime(2026, 11, 1, 2), timedelta(hours=1)),
    "Lord Howe": (42, 2, datetime(2027, 4, 4, 2), timedelta(minutes=30)),
}
EVERY_DAY = 0x7F


@pytest.mark.parametrize(("zone", "change", "dst", "by"), SPRINGS.values(), ids=SPRINGS)
async def test_a_night_in_spring(
    zone: int, change: datetime, dst: int, by: timedelta, reader: LampReader
) -> None:
    """The hour is skipped, and what should begin in it begins at once after it."""
    skipped = change.hour * 60 + 15
    await reader.set("week", Week("", (Group(EVERY_DAY, (Period(skipped, 300, ORANGE),)),)).encode())
    await reader.set_clock(change - timedelta(hours=1), zone, STANDARD)
    await reader.set("next_dst", time_with_dst(change, dst))
    later = await let_pass(reader, change, zone, STANDARD)
    assert timedelta(0) <= later - (change + by) < timedelta(seconds=2), later
    assert await reader.read("local_time") == Clock(later, zone, dst).local_time_information()
    source = await reader.source()
    assert (source.source, source.color) == (WEEK, ORANGE)
    until_five = change.replace(hour=5) - (change + by)
    assert source.minutes - until_five // timedelta(minutes=1) in (0, -1), source


@pytest.mark.parametrize(("zone", "dst", "change", "by"), AUTUMNS.values(), ids=AUTUMNS)
async def test_a_night_in_autumn(
    zone: int, dst: int, change: datetime, by: timedelta, reader: LampReader
) -> None:
    """The hour comes twice, and its markers act the first time only."""
    first = change - by
    on, off = first.hour * 60 + first.minute + 5, first.hour * 60 + first.minute + 20
    sunday = Week("", (Group(0x40, (Period(on, off, ORANGE),)), Group(0x3F)))
    await reader.set("week", sunday.encode())
    await reader.set_clock(change - timedelta(hours=2), zone, dst)
    await reader.set("next_dst", time_with_dst(change, STANDARD))
    later = await let_pass(reader, change, zone, dst)
    assert timedelta(0) <= later - first < timedelta(seconds=2), later
    assert await reader.read("local_time") == Clock(later, zone, STANDARD).local_time_information()
    source = await reader.source()
    assert source.source == OFF
    assert source.minutes > 60, "the next one is a week away"


async def test_before_a_change_the_minutes_are_real_ones(reader: LampReader) -> None:
    """At one o'clock of the night in spring, three o'clock is an hour away."""
    change = datetime(2027, 3, 28, 2)
    await reader.set("week", Week("", (Group(EVERY_DAY, (Period(0, 240, ORANGE),)),)).encode())
    await reader.set("next_dst", time_with_dst(change, SUMMER))
    await reader.set_clock(change.replace(hour=1), ZURICH, STANDARD)
    source = await reader.source()
    assert source.source == WEEK and source.minutes in (119, 120), source
    assert source == ActiveSource(WEEK, ORANGE, source.minutes)


async def test_a_change_of_dst_may_be_written_before_the_clock(reader: LampReader) -> None:
    """Three values are written one after the other, and nobody says in which order."""
    change = datetime(2026, 10, 25, 3)
    await reader.set_clock(datetime(2026, 11, 21), ZURICH, STANDARD)
    await reader.set("next_dst", time_with_dst(change, STANDARD))
    later = await let_pass(reader, change, ZURICH, SUMMER)
    assert timedelta(0) <= later - change.replace(hour=2) < timedelta(seconds=2), later
