# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern device run nightlight` with a Bumble central: the profile, proof, schedules."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from bumble.gatt import Characteristic

from lantern import DONE, Lantern, Run
from peers.bench import Bench
from peers.lamp_values import (
    BLACK,
    DAY,
    FACTORY_WEEK,
    NO_CHANGE,
    OFF,
    ORANGE,
    PROOF,
    SCHOOL,
    WEEK,
    ActiveSource,
    Period,
    Tonight,
    decode_current_time,
    longest_week,
)
from peers.nightlight import LEDS, NOTIFY, PROFILE, LampReader, own_uuid, source_becomes, source_stays

VIOLET = bytes.fromhex("8000ff")
SATURDAY = datetime(2026, 11, 21)


def at(hour: int, minute: int = 0, second: int = 0) -> datetime:
    """A wall-clock time of a Saturday."""
    return SATURDAY.replace(hour=hour, minute=minute, second=second)


# What it is


async def test_the_whole_profile(reader: LampReader) -> None:
    assert reader.peer is not None
    for name, row in PROFILE.items():
        [service] = [found for found in reader.peer.services if found.uuid == own_uuid(row.service)]
        [found] = [each for each in service.characteristics if each.uuid == own_uuid(row.uuid)]
        properties = Characteristic.Properties(int(found.properties))
        if name == "current_time":
            properties &= ~NOTIFY  # The Current Time Service asks for it; the profile is silent.
        assert properties == row.properties, name


async def test_a_plain_lamp(reader: LampReader) -> None:
    assert await reader.read("week") == FACTORY_WEEK.encode()
    for name in ("day", "name"):
        assert await reader.read(name) == b""
    assert await reader.source() == ActiveSource(OFF, BLACK, NO_CHANGE)
    for name in LEDS:
        assert await reader.read(name) == BLACK
    assert await reader.read("proof") == b"\x00"
    assert len(await reader.read("system_id")) == 8
    assert (await reader.read("model_number")).decode()
    decode_current_time(await reader.read("current_time"))


SMALL_VALUES = {
    "power": ["00", "01"],
    "link": ["01", "00"],
    "on_time": ["0100", "ffff", "2c01"],
    "daily": ["00", "ff", "03"],
    "deactivation": ["b004a401", "00009f05", "05000500"],
    "shake": ["01", "00"],
    "button_color": ["ffffff", "010203"],
    "enabled": ["00", "01"],
    "name": ["c3a4" * 16, "4d6961", ""],
    "local_time": ["d000", "3804", "0402"],
    "next_dst": ["3308031c02000004", "33080a1903000000"],
}
"""The changes of DST are of the year 2099: a lamp's clock is before them."""


@pytest.mark.parametrize("name", SMALL_VALUES)
async def test_small_values_are_kept(name: str, reader: LampReader) -> None:
    for value in map(bytes.fromhex, SMALL_VALUES[name]):
        await reader.set(name, value)
        assert await reader.read(name) == value


@pytest.mark.parametrize("mtu", [23, 60, 517])
async def test_a_week_of_419_octets_at_any_mtu(mtu: int, our_lamp: Run, bench: Bench) -> None:
    reader = LampReader(bench)
    await reader.start()
    await reader.find_lamp(None if mtu == 23 else mtu)
    assert reader.peer is not None and reader.peer.gatt_client.mtu == mtu
    for week in (longest_week(), SCHOOL, longest_week(), FACTORY_WEEK):
        await reader.set("week", week.encode())
        assert await reader.read("week") == week.encode()
    tonight = Tonight(30, longest_week().groups[3].periods)
    await reader.set("day", tonight.encode())
    assert await reader.read("day") == tonight.encode()
    await reader.set("day", b"")
    assert await reader.read("day") == b""


async def test_what_was_written_outlives_the_link(reader: LampReader) -> None:
    await reader.set("week", SCHOOL.encode())
    await reader.set("name", b"Mia")
    await reader.disconnect()
    await reader.find_lamp()
    assert (await reader.read("week"), await reader.read("name")) == (SCHOOL.encode(), b"Mia")


async def test_the_clock_goes_on_from_what_was_written(reader: LampReader) -> None:
    for moment in (at(20, 15, 7), datetime(2028, 2, 29, 23, 58, 0), datetime(2024, 12, 31, 12)):
        await reader.set_clock(moment, 4, 0)
        later = decode_current_time(await reader.read("current_time"))
        assert timedelta(0) <= later - moment < timedelta(seconds=3), later


# Proof


async def test_a_colour_begins_a_proof_and_0_ends_it(reader: LampReader) -> None:
    told = await reader.listen()
    await reader.set("led1", VIOLET)
    source = await source_becomes(told, lambda source: source.source == PROOF, "a proof")
    assert source.color == VIOLET
    assert await reader.read("proof") == b"\x01"
    assert [await reader.read(led) for led in LEDS] == [VIOLET, BLACK, BLACK, BLACK]
    for led, color in zip(LEDS, (b"abc", b"\x00\x00\x01", b"\xff\xff\xff", ORANGE)):
        await reader.set(led, color)
    assert [await reader.read(led) for led in LEDS] == [b"abc", b"\x00\x00\x01", b"\xff\xff\xff", ORANGE]
    await reader.set("proof", b"\x00")
    await source_becomes(told, lambda source: source.source == OFF, "the end of the proof")
    assert await reader.read("proof") == b"\x00"
    assert await reader.source() == ActiveSource(OFF, BLACK, NO_CHANGE)
    assert [await reader.read(led) for led in LEDS] == [BLACK] * 4


async def test_a_proof_ends_with_the_link(reader: LampReader) -> None:
    await reader.set("led3", VIOLET)
    assert (await reader.source()).source == PROOF
    await reader.disconnect()
    await reader.find_lamp()
    assert await reader.source() == ActiveSource(OFF, BLACK, NO_CHANGE)
    assert await reader.read("proof") == b"\x00"


async def test_power_makes_dark_and_leaves_the_source(reader: LampReader) -> None:
    told = await reader.listen()
    await reader.set("led1", VIOLET)
    await reader.set("power", b"\x00")
    await source_becomes(told, lambda source: (source.source, source.color) == (PROOF, BLACK), "darkness")
    assert [await reader.read(led) for led in LEDS] == [BLACK] * 4
    assert (await reader.source()).color == BLACK
    told.notifications.clear()
    await reader.set("power", b"\x01")
    await source_becomes(told, lambda source: (source.source, source.color) == (PROOF, VIOLET), "light")
    assert await reader.read("led1") == VIOLET


async def test_the_link_makes_all_follow_the_first(reader: LampReader) -> None:
    await reader.set("led1", VIOLET)
    await reader.set("led2", ORANGE)
    await reader.set("link", b"\x01")
    assert [await reader.read(led) for led in LEDS] == [VIOLET] * 4
    await reader.set("led1", ORANGE)
    assert [await reader.read(led) for led in LEDS] == [ORANGE] * 4


@pytest.mark.slow
async def test_a_proof_ends_after_a_minute_without_a_write(reader: LampReader) -> None:
    told = await reader.listen()
    await reader.set("led1", VIOLET)
    await source_becomes(told, lambda source: source.source == PROOF, "a proof")
    await source_stays(told, lambda source: source.source == PROOF, 6)
    await reader.set("led2", ORANGE)
    await source_stays(told, lambda source: source.source == PROOF, 58)
    await source_becomes(told, lambda source: source.source == OFF, "the end of the proof", timeout=5)
    assert await reader.read("proof") == b"\x00"


# Schedules


async def source_at(reader: LampReader, moment: datetime) -> tuple[int, bytes, int]:
    await reader.set_clock(moment)
    source = await reader.source()
    return source.source, source.color, source.minutes


def minutes_about(minutes: int) -> range:
    """A few seconds after the full minute, rounded down or up."""
    return range(minutes - 1, minutes + 1)


async def test_the_week_by_the_clock(reader: LampReader) -> None:
    await reader.set("week", SCHOOL.encode())
    purple = bytes.fromhex("201040")
    monday = SATURDAY + timedelta(days=2)
    cases = [
        (at(20, 0), OFF, BLACK, 30),
        (at(20, 30), WEEK, purple, 90),
        (at(21, 59), WEEK, purple, 1),
        (at(22, 0), OFF, BLACK, 22 * 60 + 30),
        (at(6, 0), WEEK, ORANGE, 60),
        (monday.replace(hour=3), OFF, BLACK, 16 * 60 + 30),
        (monday.replace(hour=19, minute=30), WEEK, ORANGE, 690),
    ]
    for moment, source, color, minutes in cases:
        found = await source_at(reader, moment)
        assert found[:2] == (source, color) and found[2] in minutes_about(minutes), (moment, found)


async def test_tonight_comes_before_the_week(reader: LampReader) -> None:
    await reader.set_clock(at(12))
    await reader.set("week", SCHOOL.encode())
    await reader.set("day", Tonight(1, (Period(21 * 60, 22 * 60, VIOLET),)).encode())
    assert (await source_at(reader, at(20, 45)))[0] == OFF, "where tonight is dark the week does not shine"
    assert (await source_at(reader, at(21, 15)))[:2] == (DAY, VIOLET)
    await reader.set("day", b"")
    assert (await reader.source()).source == WEEK


async def test_a_schedule_that_is_replaced_while_it_shines(reader: LampReader) -> None:
    await reader.set_clock(at(21))
    told = await reader.listen()
    await reader.set("week", SCHOOL.encode())
    await source_becomes(told, lambda source: source.source == WEEK, "the week")
    told.notifications.clear()
    await reader.set("week", FACTORY_WEEK.encode())
    await source_becomes(told, lambda source: source == ActiveSource(OFF, BLACK, NO_CHANGE), "darkness")


# Two of them


async def test_two_of_ours_at_once(our_lamp: Run, reader: LampReader, bench: Bench, lantern: Lantern) -> None:
    first = reader.connection
    assert first is not None
    port = await bench.add_port()
    other = await lantern.start("device", "run", "nightlight", radio=port.radio)
    second = LampReader(bench, address="E0:00:00:00:00:02")
    await second.start()
    while (found := await second.find()).address == first.peer_address:
        pass
    await second.connect(found.address)
    await reader.set("name", b"One")
    await second.set("name", b"Two")
    assert (await reader.read("name"), await second.read("name")) == (b"One", b"Two")
    assert (await other.interrupt()).status == DONE
