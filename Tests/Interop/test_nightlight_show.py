# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern nightlight show` against Bumble lamps, whole ones and such as lack parts."""

from __future__ import annotations

import asyncio
import re
import struct

import pytest

from lamp_commands import done, show
from lantern import DONE, FAILED, NOTHING_FOUND, Lantern
from peers.bench import Bench
from peers.lamp_values import (
    BLACK,
    BUTTON,
    DAY,
    DISCHARGING,
    FACTORY_WEEK,
    IDLE,
    OFF,
    ORANGE,
    SCHOOL,
    SOURCES,
    THREE_NIGHTS,
    UNKNOWN_CHARGE,
    ActiveSource,
    level_status,
    longest_week,
)
from peers.nightlight import ADDRESS, ANOTHER_SERVICE, INFORMATION, LED_SERVICE, PROFILE, Lamp


async def test_show_tells_everything(lamp: Lamp, lantern: Lantern) -> None:
    lamp.values |= {
        "name": "Zoë".encode(),
        "week": SCHOOL.encode(),
        "day": THREE_NIGHTS.encode(),
        "deactivation": struct.pack("<HH", 20 * 60, 7 * 60),
    }
    await lamp.shine(ActiveSource(DAY, bytes.fromhex("102030"), 630))
    shown = await show(lantern)
    # A whole day, without a gap.
    today = shown.pop("today")
    assert (today[0]["from"][10:16], today[-1]["to"][10:16]) == ("T00:00", "T00:00")
    assert [part["to"] for part in today[:-1]] == [part["from"] for part in today[1:]]
    for key in ("clock", "time", "address_kind", "planned", "differs"):
        del shown[key]
    information = shown.pop("device_information")
    assert shown == {
        "event": "lamp_state",
        "address": ADDRESS,
        "name": "Zoë",
        "week": SCHOOL.json(),
        "tonight": THREE_NIGHTS.json(),
        "tonight_days_left": 3,
        "source": "day",
        "color": "#102030",
        "next_change_minutes": 630,
        "button": {
            "enabled": True,
            "on_seconds": 300,
            "daily_presses": 3,
            "deactivation": {"from": "20:00", "to": "07:00"},
            "shake": False,
            "color": "#ffd0a0",
            "color_name": "Warm white",
        },
        "leds": {"power": True, "linked": False, "colors": ["#102030"] * 4},
        "battery_percent": 87,
        "charging": True,
    }
    system_id = information.pop("system_id")
    assert re.sub("[^0-9a-f]", "", system_id.lower()) == lamp.values["system_id"].hex()
    assert information == {name: lamp.values[name].decode() for name in INFORMATION}
    assert lamp.all_written == [], "to look is not to change"


async def test_show_of_a_lamp_from_the_factory(lamp: Lamp, lantern: Lantern) -> None:
    shown = await show(lantern)
    assert shown["name"] is None
    assert shown["week"] == FACTORY_WEEK.json()
    assert (shown["tonight"], shown["source"], shown["color"]) == (None, "off", "#000000")
    assert shown["tonight_days_left"] in (None, 0)
    assert shown["next_change_minutes"] is None
    assert shown["button"]["deactivation"] is None


@pytest.mark.parametrize("mtu", [23, 24, 158, 517])
async def test_a_week_of_419_octets_is_read_whole(mtu: int, lamp: Lamp, lantern: Lantern) -> None:
    lamp.device.gatt_server.max_mtu = mtu
    lamp.values["week"] = longest_week().encode()
    assert len(lamp.values["week"]) == 419
    assert (await show(lantern))["week"] == longest_week().json()


@pytest.mark.parametrize("source", range(5))
async def test_every_source_and_power_without_light(source: int, lamp: Lamp, lantern: Lantern) -> None:
    color = BLACK if source == OFF else ORANGE
    lamp.values["power"] = b"\x00" if source == BUTTON else b"\x01"
    lamp.values["link"] = b"\x01"
    lamp.values["source"] = ActiveSource(source, BLACK if source == BUTTON else color, 0).encode()
    lamp.values["charge"] = level_status(source % 4)
    shown = await show(lantern)
    assert (shown["source"], shown["next_change_minutes"]) == (SOURCES[source], 0)
    assert shown["color"] == ("#000000" if source in (OFF, BUTTON) else "#ff8800")
    assert (shown["leds"]["power"], shown["leds"]["linked"]) == (source != BUTTON, True)
    assert shown["charging"] == {UNKNOWN_CHARGE: None, DISCHARGING: False, IDLE: False}.get(source % 4, True)


async def test_a_battery_level_status_with_all_its_fields(lamp: Lamp, lantern: Lantern) -> None:
    lamp.values["charge"] = bytes.fromhex("07" "2300" "0601" "32" "00")
    lamp.values["battery"] = b"\x64"
    shown = await show(lantern)
    assert (shown["charging"], shown["battery_percent"]) == (True, 100)


LACKS = {
    "battery": ["battery", "charge"],
    "charging": ["charge"],
    "clock": ["current_time", "local_time", "next_dst"],
    "time zone": ["local_time", "next_dst"],
    "information": [*INFORMATION, "system_id"],
    "button": ["on_time", "daily", "deactivation", "shake", "button_color", "enabled"],
    "our part of the button": ["button_color", "enabled"],
    "schedule": ["week", "day", "source", "name"],
    "all that is ours": ["proof", "button_color", "enabled", "week", "day", "source", "name", "current_time"],
}


@pytest.mark.parametrize("without", LACKS.values(), ids=LACKS)
async def test_a_lamp_that_lacks_parts(without: list[str], bench: Bench, lantern: Lantern) -> None:
    lamp = Lamp(bench, without=without)
    await lamp.start()
    shown = await show(lantern)
    if "battery" in without:
        assert shown["battery_percent"] is None
    if "charge" in without:
        assert shown["charging"] is None
    if "week" in without:
        assert (shown["week"], shown["tonight"], shown["name"]) == (None, None, None)
    if "led1" not in without:
        assert shown["leds"]["colors"] == ["#000000"] * 4
    readable = await lantern.run("nightlight", "show", ADDRESS)
    assert readable.status == DONE and readable.stdout.strip()


async def test_a_device_without_the_led_service_is_no_lamp(bench: Bench, lantern: Lantern) -> None:
    without = [name for name, row in PROFILE.items() if row.service == LED_SERVICE]
    lamp = Lamp(bench, without=without)
    await lamp.start()
    result = await lantern.run("nightlight", "show", ADDRESS)
    assert (result.status, result.stdout) == (FAILED, "")
    assert re.search("nightlight", result.stderr, re.IGNORECASE)


async def test_nobody_at_the_address(lamp: Lamp, lantern: Lantern) -> None:
    result = await lantern.run("nightlight", "show", "D0:00:00:00:00:99", timeout=45)
    assert (result.status, result.stdout) == (NOTHING_FOUND, "")


async def test_the_button_in_another_service(bench: Bench, lantern: Lantern) -> None:
    """The document gives four UUIDs, and no service that they belong to."""
    lamp = Lamp(bench, button_service=ANOTHER_SERVICE)
    lamp.values |= {"on_time": struct.pack("<H", 77), "shake": b"\x01"}
    await lamp.start()
    button = (await show(lantern))["button"]
    assert (button["on_seconds"], button["shake"], button["color"]) == (77, True, "#ffd0a0")
    await done(lantern, "button", "set", ADDRESS, "--on-seconds", "78", "--color", "#010203")
    assert lamp.values["on_time"] == struct.pack("<H", 78)
    assert lamp.values["button_color"] == b"\x01\x02\x03"


async def test_two_lamps_at_once(bench: Bench, lantern: Lantern) -> None:
    addresses = ["D1:5A:00:00:00:01", "D1:5A:00:00:00:02"]
    lamps = [Lamp(bench, address=address, name=f"Lamp {address[-1]}") for address in addresses]
    for lamp, week in zip(lamps, (SCHOOL, longest_week())):
        lamp.values["week"] = week.encode()
        await lamp.start()
    port = await bench.add_port()
    one, two = await asyncio.gather(
        show(lantern, addresses[0]), show(lantern, addresses[1], radio=port.radio)
    )
    assert (one["week"], two["week"]) == (SCHOOL.json(), longest_week().json())
    await bench.port.wait_until_free()
    await done(lantern, "name", addresses[1], "Two")
    assert [lamp.values["name"] for lamp in lamps] == [b"", b"Two"]
