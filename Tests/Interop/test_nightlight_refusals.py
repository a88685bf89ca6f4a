# SPDX-License-Identifier: Apache-2.0
"""Proves what our lamp refuses, with which code, in which order, and that it keeps the old value."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import datetime

import pytest

from lantern import Run
from peers.bench import Bench
from peers.lamp_values import (
    BAD_DAYS,
    BAD_LENGTH,
    BAD_VERSION,
    ORANGE,
    OUT_OF_RANGE,
    OVERLAP,
    SCHOOL,
    THREE_NIGHTS,
    WRONG_SIZE,
    Clock,
    Group,
    Period,
    Tonight,
    Week,
    longest_week,
    time_with_dst,
)
from peers.nightlight import LEDS, LampReader
from peers.raw import WRITE_NOT_PERMITTED, RawBearer, error, execute_write, handle_request, prepare_write

CANCEL, WRITE = 0, 1
NIGHT = Period(1170, 420, ORANGE)


def week_of(*groups: Group, name: bytes = b"", version: int = 1, count: int | None = None) -> bytes:
    """A week, however wrong."""
    body = b"".join(group.encode() for group in groups)
    return bytes([version, len(name)]) + name + bytes([len(groups) if count is None else count]) + body


def night_of(*periods: bytes | Period, days: int = 1, version: int = 1, count: int | None = None) -> bytes:
    body = b"".join(each.encode() if isinstance(each, Period) else each for each in periods)
    return bytes([version, days, len(periods) if count is None else count]) + body


def raw_period(on: int, off: int, flags: int = 0, timeout: int = 0) -> bytes:
    return struct.pack("<HH", on, off) + ORANGE + bytes([flags, timeout])


@dataclass(frozen=True)
class RawPeriod(Period):
    """A period with any flags."""

    flags: int = 0

    def encode(self) -> bytes:
        return raw_period(self.on, self.off, self.flags, self.timeout or 0)


BAD_PERIODS = {
    "on after the day": raw_period(1440, 420),
    "off after the day": raw_period(420, 1440),
    "65535": raw_period(0xFFFF, 0xFFFF),
    "equal": raw_period(600, 600),
    "flag 2": raw_period(600, 700, 2, 0),
    "flag 128": raw_period(600, 700, 0x81, 5),
    "time-out 0": raw_period(600, 700, 1, 0),
    "time-out without its flag": raw_period(600, 700, 0, 5),
}
WORKING, WEEKEND = 0x1F, 0x60
WEEKS = {
    "version 0": (week_of(Group(0x7F), version=0), BAD_VERSION),
    "version 2": (week_of(Group(0x7F), version=2), BAD_VERSION),
    "one octet short": (SCHOOL.encode()[:-1], BAD_LENGTH),
    "one octet long": (SCHOOL.encode() + b"\x00", BAD_LENGTH),
    "version alone": (b"\x01", BAD_LENGTH),
    "name beyond the end": (b"\x01\x18abc", BAD_LENGTH),
    "a group too few": (week_of(Group(0x7F), count=2), BAD_LENGTH),
    "a group too many": (week_of(Group(WORKING), Group(WEEKEND), count=1), BAD_LENGTH),
    "no group": (week_of(), OUT_OF_RANGE),
    "eight groups": (week_of(*[Group(1 << day) for day in range(7)], Group(0)), OUT_OF_RANGE),
    "seven periods": (
        week_of(Group(0x7F, tuple(Period(hour * 60, hour * 60 + 30, ORANGE) for hour in range(7)))),
        OUT_OF_RANGE,
    ),
    "a name that is no text": (week_of(Group(0x7F), name=b"\xff\xfe"), OUT_OF_RANGE),
    "a day missing": (week_of(Group(0x1F), Group(0x40)), BAD_DAYS),
    "no day": (week_of(Group(0)), BAD_DAYS),
    "a day twice": (week_of(Group(0x3F), Group(0x60)), BAD_DAYS),
    "overlap in a day": (
        week_of(Group(0x7F, (Period(600, 700, ORANGE), Period(699, 800, ORANGE)))), OVERLAP
    ),
    "overlap across midnight": (week_of(Group(0x7F, (NIGHT, Period(419, 500, ORANGE)))), OVERLAP),
    "overlap from sunday to monday": (
        week_of(Group(0x40, (NIGHT,)), Group(1, (Period(0, 1, ORANGE),)), Group(0x3E)), OVERLAP
    ),
    "a whole day but a minute, and the next": (
        week_of(Group(1, (Period(600, 599, ORANGE),)), Group(2, (Period(598, 700, ORANGE),)), Group(0x7C)),
        OVERLAP,
    ),
    # Several things are wrong: which is judged first.
    "version before length": (b"\x02" + SCHOOL.encode()[1:-1], BAD_VERSION),
    "length before range": (week_of(Group(0x7F, (RawPeriod(1440, 0, ORANGE),))) + b"\x00", BAD_LENGTH),
    "range before days": (week_of(Group(0x1F, (RawPeriod(600, 600, ORANGE),))), OUT_OF_RANGE),
    "days before overlap": (week_of(Group(0x3F, (NIGHT, NIGHT))), BAD_DAYS),
    "range in the last group before days": (
        week_of(Group(0x7F), Group(0x01, (RawPeriod(1, 2, ORANGE, flags=3),))), OUT_OF_RANGE
    ),
}
WEEKS |= {f"period: {name}": (b"\x01\x00\x01\x7f\x01" + octets, OUT_OF_RANGE) for name, octets in BAD_PERIODS.items()}
NIGHTS = {
    "version 0": (night_of(NIGHT, version=0), BAD_VERSION),
    "version alone": (b"\x01", BAD_LENGTH),
    "one octet short": (night_of(NIGHT)[:-1], BAD_LENGTH),
    "one octet long": (night_of(NIGHT) + b"\x00", BAD_LENGTH),
    "a period too few": (night_of(NIGHT, count=2), BAD_LENGTH),
    "no days": (night_of(NIGHT, days=0), OUT_OF_RANGE),
    "31 days": (night_of(NIGHT, days=31), OUT_OF_RANGE),
    "seven periods": (night_of(*[Period(hour * 60, hour * 60 + 30, ORANGE) for hour in range(7)]), OUT_OF_RANGE),
    "overlap": (night_of(Period(600, 700, ORANGE), Period(650, 660, ORANGE)), OVERLAP),
    "overlap with the second night": (night_of(NIGHT, Period(300, 400, ORANGE), days=2), OVERLAP),
    "version before everything": (night_of(raw_period(1, 1), days=0, version=9) + b"\x00", BAD_VERSION),
    "length before range": (night_of(raw_period(1, 1), days=0) + b"\x00", BAD_LENGTH),
    "range before overlap": (night_of(NIGHT, NIGHT, days=31), OUT_OF_RANGE),
}
NIGHTS |= {f"period: {name}": (night_of(octets), OUT_OF_RANGE) for name, octets in BAD_PERIODS.items()}


async def test_weeks_that_are_refused(reader: LampReader) -> None:
    await reader.set("week", SCHOOL.encode())
    found = {name: await reader.refusal("week", value) for name, (value, _) in WEEKS.items()}
    assert found == {name: code for name, (_, code) in WEEKS.items()}
    assert await reader.read("week") == SCHOOL.encode()


async def test_nights_that_are_refused(reader: LampReader) -> None:
    await reader.set("day", THREE_NIGHTS.encode())
    found = {name: await reader.refusal("day", value) for name, (value, _) in NIGHTS.items()}
    assert found == {name: code for name, (_, code) in NIGHTS.items()}
    assert await reader.read("day") == THREE_NIGHTS.encode()


GOOD_WEEKS = [
    week_of(Group(0x7F)),
    week_of(*[Group(1 << day) for day in range(7)]),
    week_of(Group(0x7F, (NIGHT, Period(420, 1170, ORANGE)))),
    week_of(Group(0x7F, (Period(0, 1439, ORANGE, 255),))),
    week_of(Group(0x7F, (Period(1439, 1438, ORANGE, 1),)), name=b"x" * 24),
    week_of(Group(0x40, (Period(1200, 10, ORANGE),)), Group(1, (Period(10, 20, ORANGE),)), Group(0x3E)),
]


async def test_borders_that_are_no_overlap(reader: LampReader) -> None:
    for week in GOOD_WEEKS:
        assert await reader.refusal("week", week) == 0, week.hex()
        assert await reader.read("week") == week
    for night in (night_of(), night_of(NIGHT, Period(420, 1170, ORANGE), days=30)):
        assert await reader.refusal("day", night) == 0, night.hex()
        assert await reader.read("day") == night


MOMENT = Clock(datetime(2026, 11, 21, 20)).current_time()
SMALL = {
    **{name: {b"": WRONG_SIZE, b"\x00\x00": WRONG_SIZE, b"\x02": OUT_OF_RANGE, b"\xff": OUT_OF_RANGE}
       for name in ("power", "link", "proof", "shake", "enabled")},
    **{name: {b"": WRONG_SIZE, b"ab": WRONG_SIZE, b"abcd": WRONG_SIZE} for name in (*LEDS, "button_color")},
    "on_time": {b"": WRONG_SIZE, b"\x01": WRONG_SIZE, b"\x01\x00\x00": WRONG_SIZE},
    "daily": {b"": WRONG_SIZE, b"\x01\x00": WRONG_SIZE},
    "deactivation": {
        b"": WRONG_SIZE,
        bytes(2): WRONG_SIZE,
        bytes(5): WRONG_SIZE,
        struct.pack("<HH", 1440, 0): OUT_OF_RANGE,
        struct.pack("<HH", 0, 1440): OUT_OF_RANGE,
        struct.pack("<HH", 0xFFFF, 0xFFFF): OUT_OF_RANGE,
    },
    "name": {b"x" * 33: BAD_LENGTH, b"\xff": OUT_OF_RANGE, b"\xc3": OUT_OF_RANGE},
    "current_time": {
        b"": WRONG_SIZE,
        MOMENT[:9]: WRONG_SIZE,
        MOMENT + b"\x00": WRONG_SIZE,
        MOMENT[:2] + b"\x0d" + MOMENT[3:]: OUT_OF_RANGE,
        MOMENT[:3] + b"\x1f" + MOMENT[4:]: OUT_OF_RANGE,
        MOMENT[:4] + b"\x18" + MOMENT[5:]: OUT_OF_RANGE,
        MOMENT[:5] + b"\x3c" + MOMENT[6:]: OUT_OF_RANGE,
        MOMENT[:6] + b"\x3c" + MOMENT[7:]: OUT_OF_RANGE,
    },
    "local_time": {
        b"": WRONG_SIZE, b"\x04": WRONG_SIZE, bytes(3): WRONG_SIZE,
        b"\x39\x00": OUT_OF_RANGE, b"\xcf\x00": OUT_OF_RANGE, b"\x04\x03": OUT_OF_RANGE,
    },
    "next_dst": {
        b"": WRONG_SIZE, bytes(9): WRONG_SIZE,
        time_with_dst(datetime(2027, 3, 28, 2), 3): OUT_OF_RANGE,
        bytes.fromhex("eb070d1c02000004"): OUT_OF_RANGE,
    },
}


@pytest.mark.parametrize("name", SMALL)
async def test_small_values_that_are_refused(name: str, reader: LampReader) -> None:
    before = await reader.read(name)
    found = {value.hex(): await reader.refusal(name, value) for value in SMALL[name]}
    assert found == {value.hex(): code for value, code in SMALL[name].items()}
    if name != "current_time":
        assert await reader.read(name) == before


async def test_what_may_not_be_written(reader: LampReader) -> None:
    for name in ("source", "battery", "charge", "model_number", "system_id"):
        assert await reader.refusal(name, b"\x01") == WRITE_NOT_PERMITTED


# Long writes


async def bearer_of(bench: Bench) -> tuple[RawBearer, LampReader, int]:
    """A raw bearer to our lamp at MTU 23, and the handle of the week."""
    reader = LampReader(bench)
    await reader.start()
    await reader.find_lamp(None)
    assert reader.connection is not None
    return RawBearer(reader.connection), reader, reader.proxy("week").handle


async def prepare(bearer: RawBearer, handle: int, value: bytes) -> None:
    for offset in range(0, len(value), 18):
        request = prepare_write(handle, offset, value[offset : offset + 18])
        assert await bearer.ask(request) == b"\x17" + request[1:]


async def test_a_long_write_is_refused_when_executed(our_lamp: Run, bench: Bench) -> None:
    bearer, _, handle = await bearer_of(bench)
    await prepare(bearer, handle, SCHOOL.encode())
    assert await bearer.ask(execute_write(WRITE)) == b"\x19"
    cases = [
        (b"\x02" + longest_week().encode()[1:], BAD_VERSION),
        (longest_week().encode()[:-1], BAD_LENGTH),
        (longest_week().encode() + bytes(93), BAD_LENGTH),
        (Week("Long name", (Group(0x3F, SCHOOL.groups[0].periods),)).encode(), BAD_DAYS),
        (Week("Long name", (Group(0x7F, (NIGHT, NIGHT)),)).encode(), OVERLAP),
        (Week("Long name", (Group(0x7F, (Period(5, 5, ORANGE),)),)).encode(), OUT_OF_RANGE),
    ]
    for value, code in cases:
        await prepare(bearer, handle, value)
        assert await bearer.ask(execute_write(WRITE)) == error(0x18, handle, code)
        assert await bearer.read(handle) == SCHOOL.encode()
    await prepare(bearer, handle, longest_week().encode())
    assert await bearer.ask(execute_write(CANCEL)) == b"\x19"
    assert await bearer.read(handle) == SCHOOL.encode()


async def test_a_short_write_of_a_bad_week_is_refused_at_once(our_lamp: Run, bench: Bench) -> None:
    bearer, _, handle = await bearer_of(bench)
    assert await bearer.ask(handle_request(0x12, handle, b"\x02")) == error(0x12, handle, BAD_VERSION)
    assert await bearer.ask(handle_request(0x12, handle, b"\x01\x00\x01\x7f\x00")) == b"\x13"


async def test_two_values_in_one_execute_are_both_written_or_none(our_lamp: Run, bench: Bench) -> None:
    bearer, reader, week = await bearer_of(bench)
    day = reader.proxy("day").handle
    await prepare(bearer, week, SCHOOL.encode())
    await prepare(bearer, day, THREE_NIGHTS.encode())
    assert await bearer.ask(execute_write(WRITE)) == b"\x19"
    assert (await bearer.read(week), await bearer.read(day)) == (SCHOOL.encode(), THREE_NIGHTS.encode())
    await prepare(bearer, week, longest_week().encode()[:54])
    await prepare(bearer, day, Tonight(31, THREE_NIGHTS.periods).encode())
    answer = await bearer.ask(execute_write(WRITE))
    assert answer in (error(0x18, week, BAD_LENGTH), error(0x18, day, OUT_OF_RANGE))
    assert (await bearer.read(week), await bearer.read(day)) == (SCHOOL.encode(), THREE_NIGHTS.encode())
