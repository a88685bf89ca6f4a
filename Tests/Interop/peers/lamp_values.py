# SPDX-License-Identifier: Apache-2.0
"""The values of a Smart Nightlight, octet by octet, and why a lamp refuses them.

Written from the document that Documentation/Protocols/nightlight.md names, from the profile that settles what it leaves out, and from the
SIG's formats of the time and battery characteristics.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
DAY_MINUTES = 24 * 60
ALL_DAYS = 0x7F

OFF, WEEK, DAY, BUTTON, PROOF = range(5)
SOURCES = ["off", "week", "day", "button", "proof"]
NO_CHANGE = 0xFFFF
BLACK = bytes(3)

BAD_VERSION, BAD_LENGTH, BAD_DAYS, OVERLAP, OUT_OF_RANGE = 0x80, 0x81, 0x82, 0x83, 0x84
WRONG_SIZE = 0x0D
"""ATT: Invalid Attribute Value Length."""


# Schedules


@dataclass(frozen=True)
class Period:
    """A light from one wall-clock marker to the next; `off` before `on` is on the day after."""

    on: int
    off: int
    color: bytes
    timeout: int | None = None

    def encode(self) -> bytes:
        flags = 0 if self.timeout is None else 1
        return struct.pack("<HH", self.on, self.off) + self.color + bytes([flags, self.timeout or 0])

    @property
    def length(self) -> int:
        """Minutes from marker to marker."""
        return (self.off - self.on) % DAY_MINUTES

    def json(self) -> dict[str, Any]:
        return {
            "on": clock_text(self.on),
            "off": clock_text(self.off),
            "color": color_text(self.color),
            "timeout_minutes": self.timeout,
        }


@dataclass(frozen=True)
class Group:
    """Days that have the same periods; bit 0 of the mask is Monday."""

    days: int
    periods: tuple[Period, ...] = ()

    def encode(self) -> bytes:
        return bytes([self.days, len(self.periods)]) + b"".join(period.encode() for period in self.periods)

    def json(self) -> dict[str, Any]:
        days = [name for number, name in enumerate(DAYS) if self.days >> number & 1]
        return {"days": days, "periods": [period.json() for period in self.periods]}


@dataclass(frozen=True)
class Week:
    """The permanent schedule."""

    name: str
    groups: tuple[Group, ...]

    def encode(self) -> bytes:
        name = self.name.encode()
        groups = b"".join(group.encode() for group in self.groups)
        return bytes([1, len(name)]) + name + bytes([len(self.groups)]) + groups

    def json(self) -> dict[str, Any]:
        return {"name": self.name, "groups": [group.json() for group in self.groups]}

    def periods_of(self, weekday: int) -> tuple[Period, ...]:
        """The periods that start on a day, Monday being 0."""
        return next((group.periods for group in self.groups if group.days >> weekday & 1), ())


@dataclass(frozen=True)
class Tonight:
    """The temporary day schedule."""

    days_left: int
    periods: tuple[Period, ...]

    def encode(self) -> bytes:
        periods = b"".join(period.encode() for period in self.periods)
        return bytes([1, self.days_left, len(self.periods)]) + periods

    def json(self) -> dict[str, Any]:
        """As in a file: how long it holds is said apart."""
        return {"periods": [period.json() for period in self.periods]}


def decode_periods(data: bytes) -> tuple[Period, ...]:
    """Periods of nine octets each."""
    found = []
    for start in range(0, len(data), 9):
        on, off = struct.unpack_from("<HH", data, start)
        flags, timeout = data[start + 7 : start + 9]
        found.append(Period(on, off, data[start + 4 : start + 7], timeout if flags & 1 else None))
    return tuple(found)


def decode_week(data: bytes) -> Week:
    """A week that `judge_week` finds nothing wrong with."""
    name_end = 2 + data[1]
    position = name_end + 1
    groups = []
    for _ in range(data[name_end]):
        end = position + 2 + 9 * data[position + 1]
        groups.append(Group(data[position], decode_periods(data[position + 2 : end])))
        position = end
    return Week(data[2:name_end].decode(), tuple(groups))


def decode_tonight(data: bytes) -> Tonight | None:
    return Tonight(data[1], decode_periods(data[3:])) if data else None


FACTORY_WEEK = Week("", (Group(0x1F), Group(0x60)))
ORANGE = bytes.fromhex("ff8800")
SCHOOL = Week(
    "School",
    (
        Group(0x1F, (Period(19 * 60 + 30, 7 * 60, ORANGE),)),
        Group(0x60, (Period(20 * 60 + 30, 8 * 60, bytes.fromhex("201040"), 90),)),
    ),
)
THREE_NIGHTS = Tonight(3, (Period(19 * 60, 6 * 60 + 30, bytes.fromhex("102030")),))


def longest_week() -> Week:
    """A name of 24 octets and seven days of six periods: 419 octets."""
    groups = []
    for day in range(7):
        periods = [
            Period(period * 240 + day, period * 240 + 100 + day, bytes([day, period, 255]), 255 if period % 2 else None)
            for period in range(6)
        ]
        groups.append(Group(1 << day, tuple(periods)))
    return Week("Ferien, Zürich & Malmö", tuple(groups))


# What a lamp says to a value: 0, or the code of the error, judged in the order of the profile.


def judge_week(data: bytes) -> int:
    if data[:1] != b"\x01":
        return BAD_VERSION if data else BAD_LENGTH
    try:
        name_end = 2 + data[1]
        position = name_end + 1
        groups = []
        for _ in range(data[name_end]):
            end = position + 2 + 9 * data[position + 1]
            groups.append((data[position], data[position + 2 : end]))
            position = end
    except IndexError:
        return BAD_LENGTH
    if position != len(data):
        return BAD_LENGTH
    if data[1] > 24 or not 1 <= len(groups) <= 7 or not is_text(data[2:name_end]):
        return OUT_OF_RANGE
    if any(not _are_periods(periods) for _, periods in groups):
        return OUT_OF_RANGE
    masks = [mask for mask, _ in groups]
    together = 0
    for mask in masks:
        if mask & together or mask & ~ALL_DAYS:
            return BAD_DAYS
        together |= mask
    if together != ALL_DAYS:
        return BAD_DAYS
    week = decode_week(data)
    nights = [period for day in range(7) for period in _placed(week.periods_of(day), day)]
    return OVERLAP if _overlap(nights, 7 * DAY_MINUTES) else 0


def judge_tonight(data: bytes) -> int:
    if not data:
        return 0
    if data[0] != 1:
        return BAD_VERSION
    if len(data) < 3 or len(data) != 3 + 9 * data[2]:
        return BAD_LENGTH
    if not 1 <= data[1] <= 30 or not _are_periods(data[3:]):
        return OUT_OF_RANGE
    tonight = Tonight(data[1], decode_periods(data[3:]))
    nights = [period for day in range(tonight.days_left) for period in _placed(tonight.periods, day)]
    return OVERLAP if _overlap(nights, (tonight.days_left + 1) * DAY_MINUTES) else 0


def _are_periods(data: bytes) -> bool:
    if len(data) > 6 * 9:
        return False
    for start in range(0, len(data), 9):
        on, off = struct.unpack_from("<HH", data, start)
        flags, timeout = data[start + 7 : start + 9]
        if on >= DAY_MINUTES or off >= DAY_MINUTES or on == off or flags > 1 or (flags == 1) != (timeout > 0):
            return False
    return True


def _placed(periods: tuple[Period, ...], day: int) -> list[tuple[int, int]]:
    """Start and length in minutes, counted from the first midnight."""
    return [(day * DAY_MINUTES + period.on, period.length) for period in periods]


def _overlap(nights: list[tuple[int, int]], minutes: int) -> bool:
    """Whether a minute of the ring is lit twice. Every minute is looked at: slow, and beyond doubt."""
    lit = bytearray(minutes)
    for start, length in nights:
        for minute in range(start, start + length):
            if lit[minute % minutes]:
                return True
            lit[minute % minutes] = 1
    return False


def is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


# Small values


@dataclass(frozen=True)
class ActiveSource:
    """What shines, why, and for how long."""

    source: int
    color: bytes
    minutes: int = NO_CHANGE

    def encode(self) -> bytes:
        return bytes([self.source]) + self.color + struct.pack("<H", self.minutes)

    @classmethod
    def decode(cls, data: bytes) -> ActiveSource:
        assert len(data) == 6, data.hex()
        return cls(data[0], data[1:4], struct.unpack_from("<H", data, 4)[0])

    @property
    def name(self) -> str:
        return SOURCES[self.source]


@dataclass(frozen=True)
class Clock:
    """Local Time Information and Current Time: local standard time's offset, and what DST adds to it."""

    local: datetime
    zone: int = 0
    """In quarters of an hour."""
    dst: int = 0
    """In quarters of an hour: 0, 2, 4 or 8."""

    def current_time(self, reason: int = 0) -> bytes:
        """Exact Time 256 and Adjust Reason."""
        fraction = self.local.microsecond * 256 // 1_000_000
        return encode_date_time(self.local) + bytes([self.local.isoweekday(), fraction, reason])

    def local_time_information(self) -> bytes:
        return struct.pack("<bB", self.zone, self.dst)

    def shifted(self, seconds: float) -> Clock:
        return replace(self, local=self.local + timedelta(seconds=seconds))


def encode_date_time(moment: datetime) -> bytes:
    year, *others = moment.timetuple()[:6]
    return struct.pack("<H5B", year, *others)


def decode_date_time(data: bytes) -> datetime:
    return datetime(*struct.unpack("<H5B", data[:7]))


def decode_current_time(data: bytes) -> datetime:
    """The local time; the day of the week must be right."""
    assert len(data) == 10, data.hex()
    moment = decode_date_time(data)
    assert data[7] == moment.isoweekday(), f"{moment} is not day {data[7]} of a week"
    return moment + timedelta(microseconds=data[8] * 1_000_000 / 256)


def time_with_dst(change: datetime, offset: int) -> bytes:
    """The local time at which the clock changes, and the DST offset after it."""
    return encode_date_time(change) + bytes([offset])


UNKNOWN_CHARGE, CHARGING, DISCHARGING, IDLE = range(4)


def level_status(charge: int) -> bytes:
    """Battery Level Status: no further fields, a battery is there; bits 5 and 6 of the power state are the charge."""
    return struct.pack("<BH", 0, 1 | (charge == CHARGING) << 1 | charge << 5)


def charge_of(data: bytes) -> int:
    """The charge state in a Battery Level Status."""
    flags, state = struct.unpack_from("<BH", data)
    assert len(data) == 3 + 2 * (flags & 1) + (flags >> 1 & 1) + (flags >> 2 & 1), data.hex()
    return state >> 5 & 3


# Text


def clock_text(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def minute_of(text: str) -> int:
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)


def color_text(color: bytes) -> str:
    return "#" + color.hex()


def color_of(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("#"))
