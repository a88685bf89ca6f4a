# SPDX-License-Identifier: Apache-2.0
"""Proves what the `lantern nightlight …` commands write to a Bumble lamp, and what they say of its refusals."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from lamp_commands import done, save
from lantern import FAILED, WRONG_USAGE, Lantern
from peers.lamp_values import BLACK, FACTORY_WEEK, ORANGE, SCHOOL, THREE_NIGHTS, longest_week
from peers.nightlight import ADDRESS, LEDS, PROFILE, Lamp


# Name


@pytest.mark.parametrize("name", ["Mia", "ä" * 16, "x" * 32, "🌙 Ole"])
async def test_a_name_arrives(name: str, lamp: Lamp, lantern: Lantern) -> None:
    await done(lantern, "name", ADDRESS, name)
    assert lamp.written("name") == [name.encode()]


@pytest.mark.parametrize("name", ["x" * 33, "ä" * 17])
async def test_a_name_that_is_too_long_is_not_sent(name: str, lamp: Lamp, lantern: Lantern) -> None:
    result = await lantern.run("nightlight", "name", ADDRESS, name)
    assert result.status in (FAILED, WRONG_USAGE) and "32" in result.stderr
    assert lamp.all_written == []


# Colours


def proofs(lamp: Lamp) -> list[list[bytes]]:
    """What the LEDs showed, without repeats."""
    shown = lamp.shown_colors
    return [colors for number, colors in enumerate(shown) if number == 0 or colors != shown[number - 1]]


@pytest.mark.parametrize("led", [1, 2, 3, 4])
async def test_the_colour_of_one_led(led: int, lamp: Lamp, lantern: Lantern) -> None:
    await done(lantern, "color", ADDRESS, str(led), "#FF8800", "--for", "1")
    expected = [BLACK] * 4
    expected[led - 1] = ORANGE
    assert expected in proofs(lamp)
    assert lamp.written(LEDS[led - 1])[0] == ORANGE
    await lamp.changes.wait_until(lambda: proofs(lamp)[-1] == [BLACK] * 4, 5, "the end of the proof")


async def test_all_leds_dimmed(lamp: Lamp, lantern: Lantern) -> None:
    await done(lantern, "color", ADDRESS, "all", "#c86400", "--brightness", "50", "--for", "1")
    assert [bytes.fromhex("643200")] * 4 in proofs(lamp)
    await lamp.changes.wait_until(lambda: proofs(lamp)[-1] == [BLACK] * 4, 5, "the end of the proof")


async def test_all_leds_are_told_although_they_are_linked(lamp: Lamp, lantern: Lantern) -> None:
    lamp.values["link"] = b"\x01"
    await done(lantern, "color", ADDRESS, "all", "#ff8800", "--for", "1")
    assert [ORANGE] * 4 in proofs(lamp)


@pytest.mark.parametrize("arguments", [["5", "#ff8800"], ["0", "#ff8800"], ["1", "#ff88"], ["1", "#gg8800"]])
async def test_bad_colours_are_not_sent(arguments: list[str], lamp: Lamp, lantern: Lantern) -> None:
    result = await lantern.run("nightlight", "color", ADDRESS, *arguments)
    assert result.status == WRONG_USAGE, result
    assert lamp.all_written == []


@pytest.mark.parametrize("what", ["power", "link"])
async def test_power_and_link(what: str, lamp: Lamp, lantern: Lantern) -> None:
    for word, value in (("off", b"\x00"), ("on", b"\x01"), ("off", b"\x00")):
        await done(lantern, what, ADDRESS, word)
        assert lamp.values[what] == value
    assert set(lamp.all_written) <= {what}


# The child's button


BUTTON_OPTIONS = [
    ("enabled", ["--enabled", "off"], b"\x00"),
    ("on_time", ["--on-seconds", "65535"], b"\xff\xff"),
    ("on_time", ["--on-seconds", "258"], b"\x02\x01"),
    ("daily", ["--daily", "5"], b"\x05"),
    ("daily", ["--daily", "off"], b"\x00"),
    ("daily", ["--daily", "unlimited"], b"\xff"),
    ("deactivation", ["--deactivate", "20:15-07:00"], struct.pack("<HH", 1215, 420)),
    ("deactivation", ["--deactivate", "00:00-23:59"], struct.pack("<HH", 0, 1439)),
    ("shake", ["--shake", "on"], b"\x01"),
    ("button_color", ["--color", "#0a0b0c"], bytes.fromhex("0a0b0c")),
]


@pytest.mark.parametrize(("what", "options", "value"), BUTTON_OPTIONS, ids=lambda value: str(value))
async def test_button_set(what: str, options: list[str], value: bytes, lamp: Lamp, lantern: Lantern) -> None:
    before = {name: lamp.value(name) for name in PROFILE if name not in ("current_time", "source")}
    await done(lantern, "button", "set", ADDRESS, *options)
    assert lamp.values[what] == value
    after = {name: lamp.value(name) for name in before}
    assert after == before | {what: value}, "nothing else has changed"


async def test_button_set_of_everything_and_get(lamp: Lamp, lantern: Lantern) -> None:
    options = "--enabled off --on-seconds 90 --daily 7 --deactivate none --shake on --color #112233".split()
    lamp.values["deactivation"] = struct.pack("<HH", 1, 2)
    await done(lantern, "button", "set", ADDRESS, *options)
    start, end = struct.unpack("<HH", lamp.values["deactivation"])
    assert start == end, "equal is none"
    found = (await done(lantern, "button", "show", ADDRESS, "--json")).line
    assert found["event"] == "lamp_button" and found["address"] == ADDRESS
    assert {key: found[key] for key in found if key not in ("event", "time", "address", "address_kind")} == {
        "enabled": False,
        "on_seconds": 90,
        "daily_presses": 7,
        "deactivation": None,
        "shake": True,
        "color": "#112233",
        "color_name": "Sky blue",
    }


BAD_BUTTON = ["--on-seconds 65536", "--on-seconds -1", "--daily 256", "--deactivate 24:00-07:00", "--deactivate 7-8",
              "--color red1", "--shake maybe", ""]


@pytest.mark.parametrize("options", BAD_BUTTON)
async def test_bad_button_settings_are_not_sent(options: str, lamp: Lamp, lantern: Lantern) -> None:
    result = await lantern.run("nightlight", "button", "set", ADDRESS, *options.split())
    assert result.status == WRONG_USAGE, result
    assert lamp.all_written == []


# Schedules


@pytest.mark.parametrize("mtu", [23, 517])
async def test_week_set_and_get(mtu: int, lamp: Lamp, lantern: Lantern, tmp_path: Path) -> None:
    lamp.device.gatt_server.max_mtu = mtu
    for week in (SCHOOL, longest_week()):
        await done(lantern, "week", "set", ADDRESS, save(tmp_path, week.json()))
        assert lamp.values["week"] == week.encode()
        assert (await done(lantern, "week", "show", ADDRESS, "--json")).line["week"] == week.json()


async def test_a_week_that_was_got_can_be_set(lamp: Lamp, lantern: Lantern, tmp_path: Path) -> None:
    lamp.values["week"] = SCHOOL.encode()
    got = (await done(lantern, "week", "show", ADDRESS, "--json")).stdout
    lamp.values["week"] = FACTORY_WEEK.encode()
    await done(lantern, "week", "set", ADDRESS, save(tmp_path, got))
    assert lamp.values["week"] == SCHOOL.encode()


REFUSED = {0x80: "version", 0x81: "length|long|short|size", 0x82: "day", 0x83: "overlap|same time", 0x84: "range"}


@pytest.mark.parametrize(("code", "words"), REFUSED.items(), ids=[f"0x{code:02x}" for code in REFUSED])
async def test_what_the_lamp_refuses_is_told_in_words(
    code: int, words: str, lamp: Lamp, lantern: Lantern, tmp_path: Path
) -> None:
    lamp.refusals = {"week": code, "day": code}
    week = await lantern.run("nightlight", "week", "set", ADDRESS, save(tmp_path, SCHOOL.json()))
    tonight = await lantern.run(
        "nightlight", "tonight", "set", ADDRESS, save(tmp_path, THREE_NIGHTS.json()), "--days", "3"
    )
    for result in (week, tonight):
        assert result.status == FAILED, result
        assert re.search(words, result.stderr, re.IGNORECASE), result.stderr
    assert lamp.written("week") == [SCHOOL.encode()]
    assert lamp.written("day") == [THREE_NIGHTS.encode()]


async def test_what_the_lamp_accepts_and_does_not_keep(lamp: Lamp, lantern: Lantern, tmp_path: Path) -> None:
    """What was written is read back."""
    lamp.forgetful = {"week", "day", "name", "on_time"}
    tries = [
        ["week", "set", ADDRESS, save(tmp_path, SCHOOL.json())],
        ["name", ADDRESS, "Mia"],
        ["button", "set", ADDRESS, "--on-seconds", "12"],
    ]
    for arguments in tries:
        result = await lantern.run("nightlight", *arguments)
        assert result.status == FAILED, result
        assert result.stderr.strip()


async def test_tonight_set_and_clear(lamp: Lamp, lantern: Lantern, tmp_path: Path) -> None:
    for days in (1, 30):
        await done(lantern, "tonight", "set", ADDRESS, save(tmp_path, THREE_NIGHTS.json()), "--days", str(days))
        assert lamp.values["day"] == replace(THREE_NIGHTS, days_left=days).encode()
    await done(lantern, "tonight", "clear", ADDRESS)
    assert lamp.values["day"] == b""


@pytest.mark.parametrize("days", ["0", "31", "-1", "many"])
async def test_bad_numbers_of_nights_are_not_sent(days: str, lamp: Lamp, lantern: Lantern, tmp_path: Path) -> None:
    path = save(tmp_path, THREE_NIGHTS.json())
    result = await lantern.run("nightlight", "tonight", "set", ADDRESS, path, "--days", days)
    assert result.status in (FAILED, WRONG_USAGE), result
    assert lamp.all_written == []
