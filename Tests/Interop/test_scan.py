# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern scan`: what it says of each device, when it says it, its filters and its exit status.

Bumble's controller reports every advertisement twice, the second time as a scan response with the same
data, and always at -50 dBm. Tests therefore accept that data as `scan_response`, and ask no other RSSI.
Known differences: reported-twice, radio-constants.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from contract import parse_time
from lantern import DONE, NOTHING_FOUND, Event, Lantern, Run
from peers.bench import Bench
from peers.flockfinder_device import ADDRESS, SERVICE, FlockFinderDevice
from peers.gadget import FLAGS, Gadget, ad_name, ad_structure, ad_uuid128

HEART_RATE = ad_structure(0x03, bytes.fromhex("0d18"))


async def beacon(bench: Bench, address: str, data: bytes, public: bool = False) -> Gadget:
    """A device that advertises these AD structures."""
    gadget = Gadget(bench, "beacon", address, [], data)
    await gadget.start(public=public)
    return gadget


async def first_seen(run: Run, address: str) -> Event:
    """The first line about a device."""

    def find() -> Event | None:
        return next((line for line in run.events("advertisement") if line["address"] == address), None)

    line = await run.wait_until(find, f"an advertisement of {address}")
    assert line is not None
    return line


def addresses(lines: list[Event]) -> set[str]:
    return {line["address"] for line in lines}


ADVERTISEMENTS: dict[str, tuple[bytes, dict[str, Any]]] = {
    "everything common": (
        FLAGS
        + ad_name("Thermo")
        + HEART_RATE
        + ad_structure(0x0A, b"\xf4")
        + ad_structure(0x19, b"\x00\x03"),
        {"name": "Thermo", "services": ["180d"], "tx_power": -12, "appearance": 0x0300},
    ),
    "manufacturer and service data": (
        FLAGS + ad_structure(0xFF, bytes.fromhex("4c000215ab")) + ad_structure(0x16, bytes.fromhex("0f1864")),
        {
            "name": None,
            "services": [],
            "manufacturer_data": [{"company": "004c", "name": "Apple, Inc.", "octets": "0215ab"}],
            "service_data": [{"uuid": "180f", "name": "Battery", "octets": "64"}],
        },
    ),
    "manufacturer data twice, one empty": (
        ad_structure(0xFF, bytes.fromhex("c809")) + ad_structure(0xFF, bytes.fromhex("e50201")),
        {
            "manufacturer_data": [
                {"company": "09c8", "name": "XUNTONG", "octets": ""},
                {"company": "02e5", "name": "Espressif Systems (Shanghai) Co., Ltd.", "octets": "01"},
            ]
        },
    ),
    "a 128-bit service": (FLAGS + ad_uuid128(SERVICE), {"services": [SERVICE]}),
    "a 128-bit service on the Bluetooth base": (
        FLAGS + ad_uuid128("0000180d-0000-1000-8000-00805f9b34fb"),
        {"services": ["180d"]},
    ),
    "16- and 32-bit services": (
        ad_structure(0x02, bytes.fromhex("0d180f18")) + ad_structure(0x05, bytes.fromhex("78563412")),
        {
            "services": ["180d", "180f", "12345678"],
            "service_names": ["Heart Rate", "Battery", "12345678"],
        },
    ),
    "service data of a 128-bit service": (
        ad_structure(0x21, bytes.fromhex(SERVICE.replace("-", ""))[::-1] + b"\x01\x02"),
        {"service_data": [{"uuid": SERVICE, "name": "FlockFinder or WiFiSet", "octets": "0102"}]},
    ),
    "a name of several alphabets": (ad_name("Lampe dŽ 灯"), {"name": "Lampe dŽ 灯"}),
    "a shortened name": (ad_structure(0x08, b"Short"), {"name": "Short"}),
    "nothing": (b"", {"name": None, "services": [], "manufacturer_data": [], "service_data": [], "octets": ""}),
}


@pytest.mark.parametrize("name", ADVERTISEMENTS)
async def test_what_an_advertisement_says(name: str, bench: Bench, lantern: Lantern) -> None:
    data, wanted = ADVERTISEMENTS[name]
    await beacon(bench, "C3:00:00:00:00:07", data)
    run = await lantern.start("scan", "--duration", "10", "--json")
    line = await first_seen(run, "C3:00:00:00:00:07")
    assert (await run.interrupt()).status == DONE
    whole: dict[str, Any] = {
        "address_kind": "random",
        "rssi": -50,
        "connectable": True,
        "appearance": None,
        "octets": data.hex(),
    }
    whole.update(wanted)
    assert {key: line[key] for key in whole} == whole
    assert line["scan_response_octets"] in (None, data.hex())


async def test_a_public_address_is_called_public(bench: Bench, lantern: Lantern) -> None:
    gadget = await beacon(bench, "C3:00:00:00:00:08", ad_name("Public"), public=True)
    public_address = str(gadget.device.public_address).removesuffix("/P")
    run = await lantern.start("scan", "--duration", "10", "--json")
    assert (await first_seen(run, public_address))["address_kind"] == "public"
    await run.interrupt()


async def test_a_line_when_first_seen_and_when_something_changes(bench: Bench, lantern: Lantern) -> None:
    gadget = await beacon(bench, "C3:00:00:00:00:09", ad_name("Before"))
    other = await beacon(bench, "C3:00:00:00:00:0A", ad_name("Other"))
    run = await lantern.start("scan", "--duration", "20", "--json")
    await first_seen(run, gadget.address)
    await first_seen(run, other.address)
    await gadget.advertise(ad_name("After"))
    await run.wait_until(
        lambda: [line for line in run.events("advertisement") if line["name"] == "After"], "the new name"
    )
    result = await run.interrupt()
    # Two lines for each thing said: Bumble's second report is a scan response, which is news once.
    names = [line["name"] for line in result.lines]
    assert all(1 <= names.count(name) <= 2 for name in ("Before", "After", "Other")), names
    assert names.index("After") > names.index("Before")


async def test_all_prints_every_report(bench: Bench, lantern: Lantern) -> None:
    await beacon(bench, "C3:00:00:00:00:0B", ad_name("Steady"))
    run = await lantern.start("scan", "--all", "--duration", "20", "--json")
    lines = await run.wait_for("advertisement", count=10)
    assert addresses(lines) == {"C3:00:00:00:00:0B"}
    times = [parse_time(line["time"]) for line in lines]
    assert times == sorted(times) and times[0] < times[-1]
    await run.interrupt()


@pytest.fixture
async def three_devices(bench: Bench) -> None:
    await beacon(bench, "C3:00:00:00:00:01", FLAGS + ad_name("Kitchen Thermometer"))
    await beacon(bench, "C3:00:00:00:00:02", FLAGS + HEART_RATE)
    await beacon(bench, "C3:00:00:00:00:03", FLAGS + ad_uuid128(SERVICE))


FILTERS: dict[str, tuple[list[str], set[str]]] = {
    "none": ([], {"01", "02", "03"}),
    "a 16-bit service": (["--service", "180d"], {"02"}),
    "a 16-bit service in capitals": (["--service", "180D"], {"02"}),
    "a 16-bit service in full": (["--service", "0000180d-0000-1000-8000-00805f9b34fb"], {"02"}),
    "a 128-bit service": (["--service", SERVICE.upper()], {"03"}),
    "any of two services": (["--service", "180d", "--service", SERVICE], {"02", "03"}),
    "part of a name without case": (["--name", "THERMO"], {"01"}),
    "a weaker limit": (["--rssi", "-60"], {"01", "02", "03"}),
    "a limit that is just met": (["--rssi", "-50"], {"01", "02", "03"}),
}


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.usefixtures("three_devices")
async def test_filters(name: str, lantern: Lantern) -> None:
    arguments, wanted = FILTERS[name]
    result = await lantern.run("scan", "--duration", "1", "--json", *arguments)
    assert result.status == DONE
    assert addresses(result.lines) == {f"C3:00:00:00:00:{end}" for end in wanted}


NOTHING: dict[str, list[str]] = {
    "a service that nobody has": ["--service", "1234"],
    "a name that nobody has": ["--name", "Bathroom"],
    "a limit above the reported strength": ["--rssi", "-49"],
    "two filters that no device meets at once": ["--service", "180d", "--name", "Kitchen"],
}


@pytest.mark.parametrize("name", NOTHING)
@pytest.mark.usefixtures("three_devices")
async def test_a_scan_that_finds_nothing_exits_with_2(name: str, lantern: Lantern) -> None:
    result = await lantern.run("scan", "--duration", "1", "--json", *NOTHING[name])
    assert (result.status, result.lines) == (NOTHING_FOUND, [])


async def test_an_empty_air_exits_with_2(lantern: Lantern) -> None:
    result = await lantern.run("scan", "--duration", "1", "--json")
    assert (result.status, result.lines) == (NOTHING_FOUND, [])


async def test_duration_ends_the_scan(bench: Bench, lantern: Lantern) -> None:
    await beacon(bench, "C3:00:00:00:00:0C", ad_name("Here"))
    clock = asyncio.get_running_loop().time
    begin = clock()
    result = await lantern.run("scan", "--duration", "2", "--json")
    assert result.status == DONE
    assert 2 <= clock() - begin < 8


async def test_an_advertisement_that_lies_about_its_lengths(bench: Bench, lantern: Lantern) -> None:
    lying = ad_name("Liar") + bytes([0x1F, 0xFF, 0x4C])
    await beacon(bench, "C3:00:00:00:00:0D", lying)
    run = await lantern.start("scan", "--duration", "10", "--json")
    line = await first_seen(run, "C3:00:00:00:00:0D")
    assert (line["name"], line["octets"], line["manufacturer_data"]) == ("Liar", lying.hex(), [])
    await run.interrupt()


async def test_a_hostile_name_is_escaped_on_a_terminal(bench: Bench, lantern: Lantern) -> None:
    hostile = b"Evil\x1b[2J\x07\xc2\x9b31m"
    await beacon(bench, "C3:00:00:00:00:0E", ad_structure(0x09, hostile))
    output = await lantern.run_on_terminal("scan", "--duration", "10", until=lambda seen: b"Evil" in seen)
    assert b"Evil\x1b" not in output
    assert b"\x07" not in output and b"\xc2\x9b" not in output


async def test_a_radio_that_is_not_there(lantern: Lantern) -> None:
    result = await lantern.run("scan", "--duration", "1", "--json", radio="tcp:127.0.0.1:1")
    assert result.status == 1
    assert result.stderr.strip() != "" and result.stdout == ""


async def test_a_controller_with_extended_features(lantern: Lantern, bench: Bench) -> None:
    """Bumble's controller as it comes: extended advertising in its features, extended reports.

    Known difference: extended-reports-for-legacy.
    """
    bench.extended = True
    await FlockFinderDevice(bench).start()
    run = await lantern.start("scan", "--duration", "10", "--json")
    line = await first_seen(run, ADDRESS)
    assert (line["services"], line["address_kind"], line["connectable"]) == ([SERVICE], "random", True)
    assert (await run.interrupt()).status == DONE
