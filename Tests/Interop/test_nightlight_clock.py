# SPDX-License-Identifier: Apache-2.0
"""Proves the clock policy of `lantern nightlight`: set silently, set and tell, ask; and what is written then.

A lamp's clock goes on while a test runs, so the borders are tried a little inside and a little outside of them.
"""

from __future__ import annotations

import struct
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from lamp_commands import done, show
from lantern import DONE, Lantern
from peers.lamp_values import Clock, decode_current_time, decode_date_time, time_with_dst
from peers.nightlight import ADDRESS, Lamp

ZURICH = "Europe/Zurich"
MINUTE = 60
CLOCK_VALUES = {"current_time", "local_time", "next_dst"}


def offsets(zone: str, moment: datetime) -> tuple[int, int]:
    """Standard time's offset and the offset of DST, in quarters of an hour.

    Standard is what is behind, in January or in July: so for Ireland too, which calls its summer standard.
    """
    place = ZoneInfo(zone)
    year = moment.astimezone(place).year
    halves = [datetime(year, month, 1, 12, tzinfo=place).utcoffset() for month in (1, 7)]
    total = moment.astimezone(place).utcoffset()
    standard = min(half for half in halves if half is not None)
    assert total is not None
    quarter = timedelta(minutes=15)
    return standard // quarter, (total - standard) // quarter


def next_change(zone: str, moment: datetime) -> bytes | None:
    """The next change of DST: the local time that the clock shows when it is turned, and the offset then."""
    start = moment.astimezone(timezone.utc).replace(minute=0, second=0, microsecond=0)
    before = offsets(zone, start)
    for number in range(1, 366 * 24 * 2):
        later = start + number * timedelta(minutes=30)
        after = offsets(zone, later)
        if after != before:
            local = later.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
            return time_with_dst(local - timedelta(minutes=15 * (sum(after) - sum(before))), after[1])
    return None


def host_clock(zone: str, seconds: float = 0) -> Clock:
    """A clock like the host's in a zone, put forward by some seconds."""
    now = datetime.now(ZoneInfo(zone))
    standard, dst = offsets(zone, now)
    return Clock(now.replace(tzinfo=None) + timedelta(seconds=seconds), standard, dst)


def run_with(lamp: Lamp, zone: str, seconds: float, standard: int | None = None, dst: int | None = None) -> None:
    """From now on the lamp's clock differs so much from a host's in a zone."""

    def read_clock() -> Clock:
        clock = host_clock(zone, seconds)
        return Clock(
            clock.local, clock.zone if standard is None else standard, clock.dst if dst is None else dst
        )

    lamp.read_clock = read_clock
    lamp.values["next_dst"] = next_change(zone, datetime.now(timezone.utc)) or bytes(8)


def assert_set(lamp: Lamp, zone: str) -> None:
    """The last values written are those of the host."""
    [*_, current_time] = lamp.written("current_time")
    difference = decode_current_time(current_time) - host_clock(zone).local
    assert abs(difference) < timedelta(seconds=3), difference


@pytest.fixture
def zurich(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TZ", ZURICH)
    return ZURICH


BANDS = {
    "equal": (0.05, "none"),
    "a minute": (60, "set"),
    "4:59 ahead": (4 * MINUTE + 59, "set"),
    "4:59 behind": (-4 * MINUTE - 59.2, "set"),
    "5:00 ahead": (5 * MINUTE + 0.4, "set_and_report"),
    "5:00 behind": (-5 * MINUTE - 0.1, "set_and_report"),
    "30:00 ahead": (30 * MINUTE - 0.1, "set_and_report"),
    "30:00 behind": (-30 * MINUTE + 0.4, "set_and_report"),
    "30:01 ahead": (30 * MINUTE + 1.6, "ask"),
    "30:01 behind": (-30 * MINUTE - 1.2, "ask"),
    "a year": (-365 * 24 * 60 * MINUTE, "ask"),
}


@pytest.mark.parametrize(("seconds", "action"), BANDS.values(), ids=BANDS)
async def test_what_show_says_of_the_clock(
    seconds: float, action: str, zurich: str, lamp: Lamp, lantern: Lantern
) -> None:
    run_with(lamp, zurich, seconds)
    clock = (await show(lantern))["clock"]
    assert clock.keys() == {"device", "host", "difference_seconds", "action"}
    assert clock["action"] == action, clock
    assert abs(clock["difference_seconds"] - seconds) <= 1, clock
    assert isinstance(clock["difference_seconds"], int)


ANSWERS = [
    *((name, None) for name in BANDS),
    *((name, "--yes") for name in ("equal", "a minute", "30:01 ahead", "30:01 behind", "a year")),
    *((name, "--no") for name in ("30:01 ahead", "a year")),
]


@pytest.mark.parametrize(("band", "answer"), ANSWERS, ids=lambda value: str(value))
async def test_clock(band: str, answer: str | None, zurich: str, lamp: Lamp, lantern: Lantern) -> None:
    """Without an answer and with nobody to ask, a big difference stays."""
    seconds, action = BANDS[band]
    run_with(lamp, zurich, seconds)
    result = await lantern.run("nightlight", "clock", ADDRESS, *filter(None, [answer]))
    assert set(lamp.all_written) <= CLOCK_VALUES
    if action == "none":
        assert result.status == DONE and lamp.all_written == [], result
    elif action == "ask" and answer != "--yes":
        assert lamp.all_written == [], result
        assert (result.stdout + result.stderr).strip()
    else:
        assert result.status == DONE, result
        assert_set(lamp, zurich)
    if action == "set_and_report" and answer is None:
        assert result.stdout.strip(), "a bigger difference is told"


@pytest.mark.parametrize(("keys", "is_set"), [("y\r", True), ("n\r", False), ("\r", False)])
async def test_a_person_is_asked(keys: str, is_set: bool, zurich: str, lamp: Lamp, lantern: Lantern) -> None:
    """Nothing is written before the answer."""
    run_with(lamp, zurich, 31 * MINUTE)
    terminal = await lantern.start_on_terminal("nightlight", "clock", ADDRESS)
    await terminal.wait_for(r"\?")
    assert lamp.all_written == []
    terminal.type(keys)
    await terminal.finish()
    assert bool(lamp.written("current_time")) == is_set
    if is_set:
        assert_set(lamp, zurich)


async def test_a_time_zone_alone_is_set_and_told(zurich: str, lamp: Lamp, lantern: Lantern) -> None:
    """The lamp came from Helsinki: an hour ahead on the wall, and at the same instant."""
    run_with(lamp, zurich, 3600, standard=8)
    assert (await show(lantern))["clock"]["action"] == "set_and_report"
    result = await done(lantern, "clock", ADDRESS)
    assert result.stdout.strip()
    assert lamp.written("local_time") == [struct.pack("<bB", 4, 0)]
    assert_set(lamp, zurich)


async def test_dst_alone_is_set_and_told(zurich: str, lamp: Lamp, lantern: Lantern) -> None:
    """The lamp still has summer time: an hour ahead on the wall, and at the same instant."""
    run_with(lamp, zurich, 3600, dst=4)
    assert (await show(lantern))["clock"]["action"] == "set_and_report"
    result = await done(lantern, "clock", ADDRESS)
    assert result.stdout.strip()
    assert lamp.written("local_time") == [struct.pack("<bB", 4, 0)]
    assert_set(lamp, zurich)


async def test_a_zone_that_explains_only_a_part_is_asked_about(zurich: str, lamp: Lamp, lantern: Lantern) -> None:
    run_with(lamp, zurich, 3600 + 31 * MINUTE, standard=8)
    assert (await show(lantern))["clock"]["action"] == "ask"
    await lantern.run("nightlight", "clock", ADDRESS, "--no")
    assert lamp.all_written == []


ZONES = {
    ZURICH: (4, 0),
    "Europe/Dublin": (0, 0),
    "America/New_York": (-20, 0),
    "America/St_Johns": (-14, 0),
    "Pacific/Auckland": (48, 4),
    "Australia/Lord_Howe": (42, 2),
    "Asia/Kathmandu": (23, 0),
    "Asia/Tokyo": (36, 0),
    "UTC": (0, 0),
}


@pytest.mark.parametrize("zone", ZONES)
async def test_what_a_lamp_is_told_about_zones(
    zone: str, monkeypatch: pytest.MonkeyPatch, lamp: Lamp, lantern: Lantern
) -> None:
    """The offset of standard time, that of DST, and the next change, whatever the lamp had before."""
    monkeypatch.setenv("TZ", zone)
    run_with(lamp, "Asia/Kolkata", 0)
    await done(lantern, "clock", ADDRESS, "--yes")
    now = datetime.now(timezone.utc)
    assert lamp.values["local_time"] == struct.pack("<bB", *offsets(zone, now))
    assert_set(lamp, zone)
    change = next_change(zone, now)
    if change is not None:
        assert lamp.values["next_dst"] == change, decode_date_time(lamp.values["next_dst"])
    else:
        assert lamp.values["next_dst"] in (bytes(8), bytes(7) + b"\xff"), "not known"


def test_the_zones_by_hand() -> None:
    """What the functions above make of a day that was worked out by hand."""
    winter = datetime(2026, 11, 21, 12, tzinfo=timezone.utc)
    assert {zone: offsets(zone, winter) for zone in ZONES} == ZONES
    assert next_change(ZURICH, winter) == time_with_dst(datetime(2027, 3, 28, 2), 4)
    assert next_change("Europe/Dublin", winter) == time_with_dst(datetime(2027, 3, 28, 1), 4)
    assert next_change("America/New_York", winter) == time_with_dst(datetime(2027, 3, 14, 2), 4)
    assert next_change("America/St_Johns", winter) == time_with_dst(datetime(2027, 3, 14, 2), 4)
    assert next_change("Pacific/Auckland", winter) == time_with_dst(datetime(2027, 4, 4, 3), 0)
    assert next_change("Australia/Lord_Howe", winter) == time_with_dst(datetime(2027, 4, 4, 2), 0)
    assert next_change("Asia/Tokyo", winter) is None
    summer = datetime(2026, 7, 1, tzinfo=timezone.utc)
    assert offsets("Europe/Dublin", summer) == (0, 4)
    assert next_change(ZURICH, summer) == time_with_dst(datetime(2026, 10, 25, 3), 0)
