# SPDX-License-Identifier: Apache-2.0
"""Proves what a child and a hand do to `lantern device run nightlight`: its button, shaking, and its input."""

from __future__ import annotations

import struct
from datetime import datetime, timedelta

import pytest

from lantern import Run
from peers.central import Subscription
from peers.lamp_values import (
    BUTTON,
    CHARGING,
    OFF,
    ORANGE,
    PROOF,
    SCHOOL,
    WEEK,
    ActiveSource,
    charge_of,
    decode_current_time,
)
from peers.nightlight import LEDS, LampReader, source_becomes, source_stays

VIOLET = bytes.fromhex("8000ff")
SATURDAY = datetime(2026, 11, 21)
A_SECOND = 1.5
"""Long enough for what a second ends."""


def at(hour: int, minute: int = 0, second: int = 0) -> datetime:
    """A wall-clock time of a Saturday."""
    return SATURDAY.replace(hour=hour, minute=minute, second=second)


# The child's button


async def prepare_button(reader: LampReader, seconds: int = 1, presses: int = 255) -> None:
    await reader.set_clock(at(12))
    await reader.set("on_time", struct.pack("<H", seconds))
    await reader.set("daily", bytes([presses]))
    await reader.set("enabled", b"\x01")
    await reader.set("button_color", VIOLET)


async def light_of_a_press(our_lamp: Run, reader: LampReader) -> ActiveSource:
    """What shines once a press has been taken in; a battery level that follows it says that it has."""
    levels = await reader.listen("battery")
    level = (int.from_bytes(await reader.read("battery"), "little") + 7) % 100
    await our_lamp.feed(b"press\n" + f"battery {level}\n".encode())
    await levels.changes.wait_until(lambda: bytes([level]) in levels.octets, 10, "the battery level")
    return await reader.source()


async def test_a_press_shines_for_its_time(our_lamp: Run, reader: LampReader) -> None:
    await prepare_button(reader)
    told = await reader.listen()
    await our_lamp.feed(b"press\n")
    await source_becomes(told, lambda source: (source.source, source.color) == (BUTTON, VIOLET), "the button")
    assert [await reader.read(led) for led in LEDS] == [VIOLET] * 4
    await source_becomes(told, lambda source: source.source == OFF, "the end of its time", timeout=A_SECOND + 1)


async def test_a_day_has_only_so_many_presses(our_lamp: Run, reader: LampReader) -> None:
    await prepare_button(reader, presses=2)
    told = await reader.listen()
    for _ in range(2):
        told.notifications.clear()
        assert (await light_of_a_press(our_lamp, reader)).source == BUTTON
        await source_becomes(told, lambda source: source.source == OFF, "the end of its time")
    assert (await light_of_a_press(our_lamp, reader)).source == OFF
    await reader.set_clock(at(23, 59, 59))
    while decode_current_time(await reader.read("current_time")).day == SATURDAY.day:
        pass
    assert (await light_of_a_press(our_lamp, reader)).source == BUTTON, "a new day has new ones"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("daily", b"\x00"),
        ("enabled", b"\x00"),
        ("deactivation", struct.pack("<HH", 12 * 60, 13 * 60)),
        ("deactivation", struct.pack("<HH", 20 * 60, 12 * 60 + 1)),
    ],
)
async def test_a_press_that_does_nothing(name: str, value: bytes, our_lamp: Run, reader: LampReader) -> None:
    await prepare_button(reader)
    await reader.set(name, value)
    assert (await light_of_a_press(our_lamp, reader)).source == OFF


@pytest.mark.parametrize(("start", "end"), [(13 * 60, 12 * 60), (12 * 60 + 1, 11 * 60), (720, 720), (600, 720)])
async def test_a_press_outside_of_the_deactivation(
    start: int, end: int, our_lamp: Run, reader: LampReader
) -> None:
    await prepare_button(reader)
    await reader.set("deactivation", struct.pack("<HH", start, end))
    assert (await light_of_a_press(our_lamp, reader)).source == BUTTON


async def test_a_proof_comes_before_the_button_and_that_before_the_week(our_lamp: Run, reader: LampReader) -> None:
    await prepare_button(reader, seconds=60)
    await reader.set("week", SCHOOL.encode())
    await reader.set_clock(at(20, 45))
    assert (await reader.source()).source == WEEK
    assert (await light_of_a_press(our_lamp, reader)).source == BUTTON
    await reader.set("led1", ORANGE)
    assert (await reader.source()).source == PROOF
    await reader.set("proof", b"\x00")
    assert (await reader.source()).source == BUTTON


@pytest.mark.parametrize("enabled", [True, False])
async def test_shaking_changes_the_colour_if_it_may(enabled: bool, our_lamp: Run, reader: LampReader) -> None:
    await prepare_button(reader, seconds=60)
    await reader.set("shake", bytes([enabled]))
    assert (await light_of_a_press(our_lamp, reader)).color == VIOLET
    told = await reader.listen()
    for _ in range(5):
        await our_lamp.feed(b"shake\n")
    if enabled:
        await source_becomes(told, lambda source: source.source == BUTTON and source.color != VIOLET, "a change")
    else:
        await source_stays(told, lambda source: source.color == VIOLET, 1)


# Battery


async def test_battery_and_charging_are_told(our_lamp: Run, reader: LampReader) -> None:
    levels, charges = await reader.listen("battery"), await reader.listen("charge")
    for level in (42, 0, 100):
        await our_lamp.feed(f"battery {level}\n".encode())
        await levels.changes.wait_until(lambda: levels.octets.endswith(bytes([level])), 10, f"{level} %")
        assert await reader.read("battery") == bytes([level])
    for word, is_charging in (("off", False), ("on", True), ("off", False)):
        await our_lamp.feed(f"charge {word}\n".encode())

        def is_told() -> bool:
            return bool(charges.notifications) and (
                (charge_of(charges.notifications[-1].value) == CHARGING) == is_charging
            )

        await charges.changes.wait_until(is_told, 10, f"charge {word}", lambda: charges.octets.hex())
        assert (charge_of(await reader.read("charge")) == CHARGING) == is_charging


async def test_a_subscription_is_in_force_at_once(our_lamp: Run, reader: LampReader) -> None:
    """With its write response, not some time later: no change between the two is lost."""
    levels = Subscription(reader.proxy("battery"))
    for level in range(1, 41):
        await levels.characteristic.subscribe(levels.on_notification)
        await our_lamp.feed(f"battery {level}\n".encode())
        await levels.changes.wait_until(lambda: levels.octets.endswith(bytes([level])), 1, f"{level} %")
        await levels.characteristic.unsubscribe(levels.on_notification)


# Its standard input


async def test_a_time_in_its_input_sets_its_clock(our_lamp: Run, reader: LampReader) -> None:
    await reader.set("week", SCHOOL.encode())
    told = await reader.listen()
    await our_lamp.feed(b"time 2026-11-21T20:45\n")
    await source_becomes(told, lambda source: source.source == WEEK, "the week")
    assert decode_current_time(await reader.read("current_time")) - at(20, 45) < timedelta(seconds=3)
    told.notifications.clear()
    await our_lamp.feed(b"time 22:00:30\n")
    await source_becomes(told, lambda source: source.source == OFF, "the time-out")
    later = decode_current_time(await reader.read("current_time"))
    assert timedelta(0) <= later - at(22, 0, 30) < timedelta(seconds=3)


async def test_what_it_does_not_understand_is_told(our_lamp: Run, reader: LampReader) -> None:
    before = await reader.read("battery")
    for line in (b"dance", b"battery 101", b"battery", b"charge maybe", b"time 25:00", b"\xff\xfe", b"x" * 500):
        await our_lamp.feed(line + b"\n")
    await our_lamp.feed(b"battery 33\n")
    levels = await reader.listen("battery")
    await our_lamp.feed(b"battery 34\n")
    await levels.changes.wait_until(lambda: levels.octets.endswith(b"\x22"), 10, "34 %", lambda: str(our_lamp))
    assert before != b"\x22"
    assert our_lamp.stderr.count("Not understood") == 7


async def test_the_end_of_its_input_does_not_end_it(our_lamp: Run, reader: LampReader) -> None:
    our_lamp.end_input()
    await reader.set("led1", VIOLET)
    assert await reader.read("led1") == VIOLET
