# SPDX-License-Identifier: Apache-2.0
"""Our `lantern nightlight …` with our `lantern device run nightlight`: on two radios of one link, and on our air."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lamp_commands import save, show
from lantern import DONE, Lantern, Run
from peers.bench import Bench, HCIPort
from peers.central import Central
from peers.lamp_values import SCHOOL, THREE_NIGHTS, longest_week


@pytest.fixture
async def address(our_lamp: Run, bench: Bench) -> str:
    """Where our lamp is."""
    central = Central(bench)
    await central.start()
    return str((await central.find()).address).split("/")[0]


@pytest.fixture
async def port(bench: Bench) -> HCIPort:
    """Another radio, for our client."""
    return await bench.add_port()


async def told(lantern: Lantern, port: HCIPort, *arguments: str) -> str:
    result = await lantern.run("nightlight", *arguments, radio=port.radio)
    assert result.status == DONE, result
    return result.stdout


async def test_everything_that_is_set_is_shown(
    address: str, our_lamp: Run, port: HCIPort, lantern: Lantern, tmp_path: Path
) -> None:
    await told(lantern, port, "clock", address, "--yes")
    await told(lantern, port, "name", address, "Zoë")
    await told(lantern, port, "link", address, "off")
    await told(lantern, port, "week", "set", address, save(tmp_path, longest_week().json()))
    await told(lantern, port, "week", "set", address, save(tmp_path, SCHOOL.json()))
    await told(lantern, port, "tonight", "set", address, save(tmp_path, THREE_NIGHTS.json()), "--days", "3")
    options = "--enabled on --on-seconds 77 --daily unlimited --deactivate 20:00-07:00 --shake off --color #010203"
    await told(lantern, port, "button", "set", address, *options.split())
    shown = await show(lantern, address, port.radio)
    assert (shown["name"], shown["week"], shown["tonight"]) == ("Zoë", SCHOOL.json(), THREE_NIGHTS.json())
    assert (shown["tonight_days_left"], shown["leds"]["linked"]) == (3, False)
    assert shown["clock"]["action"] in ("none", "set") and abs(shown["clock"]["difference_seconds"]) <= 2
    button = shown["button"]
    assert (button["on_seconds"], button["shake"], button["color"]) == (77, False, "#010203")
    assert button["deactivation"] == {"from": "20:00", "to": "07:00"}
    await told(lantern, port, "tonight", "clear", address)
    shown = await show(lantern, address, port.radio)
    assert (shown["tonight"], shown["week"]) == (None, SCHOOL.json())
    again = replace(SCHOOL, name="Holidays")
    await told(lantern, port, "week", "set", address, save(tmp_path, again.json()))
    assert (await show(lantern, address, port.radio))["week"] == again.json()


async def test_a_proof_is_seen_and_ends(address: str, our_lamp: Run, port: HCIPort, lantern: Lantern) -> None:
    await told(lantern, port, "link", address, "off")
    before = our_lamp.events("lamp_shows")[-1]
    await told(lantern, port, "color", address, "2", "#ff8800", "--for", "1")
    proofs = [line for line in our_lamp.events("lamp_shows") if line["source"] == "proof"]
    assert proofs and proofs[-1]["colors"][1] == "#ff8800"
    await our_lamp.wait_until(lambda: our_lamp.events("lamp_shows")[-1]["source"] == before["source"], "its end")


async def test_a_clock_that_is_far_off_is_set_with_its_zone(
    address: str, our_lamp: Run, port: HCIPort, lantern: Lantern, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ahead and behind: the next change of DST arrives either way."""
    monkeypatch.setenv("TZ", "Europe/Zurich")
    for moment in ("2099-01-01T00:00", "2020-01-01T00:00"):
        await our_lamp.feed(f"time {moment}\n".encode())
        await told(lantern, port, "clock", address, "--yes")
        result = await lantern.run("gatt", "read", address, "2a11", "--json", radio=port.radio)
        assert result.status == DONE, result
        assert result.line["octets"] not in ("00" * 7 + "ff", "00" * 8), moment
