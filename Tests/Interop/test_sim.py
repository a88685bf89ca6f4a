# SPDX-License-Identifier: Apache-2.0
"""Proves what README lets a user try first: every simulated device on `--radio sim`, by the command made for it."""

from __future__ import annotations

import pytest

from lantern import DONE, Lantern

FLOCKFINDER = "C0:FF:EE:F1:0C:01"
WIFISET = "C0:FF:EE:F1:5E:71"
IMPROV = "C0:FF:EE:46:77:68"
NIGHTLIGHT = "C0:FF:EE:F1:1A:4B"
BULB = "C0:FF:EE:F1:B0:1B"
IPHONE = "C0:FF:EE:F1:0F:0E"
STRAP = "C0:FF:EE:9A:3C:2B"
BATTERY, PACK, RAVEN, THERMOMETER, MOUSE = (f"CA:3E:4A:00:00:0{number}" for number in range(1, 6))


@pytest.fixture
def sim(serving: Lantern) -> Lantern:
    serving.radio = "sim"
    return serving


async def test_a_scan_finds_one_of_each_and_the_street(sim: Lantern) -> None:
    result = await sim.run("scan", "--duration", "2", "--json")
    assert result.status == DONE, result
    street = {BATTERY, PACK, RAVEN, THERMOMETER, MOUSE}
    assert {line["address"] for line in result.lines} == {
        FLOCKFINDER, WIFISET, IMPROV, NIGHTLIGHT, BULB, IPHONE, STRAP, *street
    }  # fmt: skip


async def test_the_cameras_of_the_street_are_noticed_and_nothing_else(sim: Lantern) -> None:
    result = await sim.run("flock", "detect", "--duration", "4", "--json")
    assert result.status == DONE, result
    noticed = {(line["mac"], line["type"], line["ssid"]) for line in result.events("detection")}
    assert noticed == {
        (BATTERY, "flock_safety", "FS Ext Battery"), (PACK, "penguin", "Penguin-2231907001"), (RAVEN, "raven", "RVN")
    }  # fmt: skip


async def test_a_shell_scans_connects_reads_and_watches(sim: Lantern) -> None:
    typed = [
        "scan 0.5", "connect", "primary 1800", "char-read-uuid 2a00", "read device-name",
        "watch flockfinder-detection", "wait 20 1", "unwatch", "disconnect",
    ]  # fmt: skip
    commands = [part for line in typed for part in ("--command", line)]
    result = await sim.run("gatt", "shell", FLOCKFINDER, "--json", *commands, timeout=60)
    assert result.status == DONE, result
    answers = [line for line in result.lines if "command" in line]
    assert [(line["command"], line["ok"]) for line in answers] == [(line, True) for line in typed]
    assert FLOCKFINDER in str(answers[0]["result"]) and answers[1]["result"]["mtu"] == 517
    assert "FlockFinder-S3" in str(answers[3]["result"]) and answers[4]["result"]["text"] == "FlockFinder-S3"
    assert any(line["uuid"].startswith("beb5483e") for line in result.events("value_received"))


async def test_a_flockfinder_is_heard(sim: Lantern) -> None:
    result = await sim.run("flock", "watch", "--count", "1", "--json")
    assert result.status == DONE and len(result.events("detection")) == 1, result


async def test_a_device_gets_its_wifi(sim: Lantern) -> None:
    password = sim.home / "password"
    password.write_text("lantern-home\n")
    options = ("--ssid", "Lantern Home", "--password-file", str(password), "--yes", "--json")
    result = await sim.run("wifi", "provision", WIFISET, *options)
    assert result.status == DONE, result
    assert result.events("wifi_status")[-1]["state"] == "connected"


async def test_a_nightlight_shows_its_week(sim: Lantern) -> None:
    result = await sim.run("nightlight", "show", NIGHTLIGHT, "--json")
    assert result.status == DONE and result.line["week"]["name"] == "School", result


async def test_a_bulb_takes_a_colour(sim: Lantern) -> None:
    result = await sim.run("bulb", "color", BULB, "orange", "--json")
    assert result.status == DONE and result.line["color"] == "#ffa500", result


async def test_a_phone_says_its_payload(sim: Lantern) -> None:
    result = await sim.run("overflow", "scan", "--duration", "12", "--json")
    assert result.status == DONE, result
    assert {(line["codec"], line["octets"]) for line in result.events("overflow_payload")} == {("v1", "01020304")}
