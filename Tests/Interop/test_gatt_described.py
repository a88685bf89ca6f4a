# SPDX-License-Identifier: Apache-2.0
"""Proves what is shown of a device that says things in its own way: descriptions, formats, names, what it has twice."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from lantern import DONE, FAILED, WRONG_USAGE, Lantern
from peers.bench import Bench
from peers.database import Database, uuid_octets
from peers.databases import begun
from peers.faulty import FaultyGadget
from peers.gadget import FLAGS, Gadget, ad_name
from peers.tree_gadget import TreeGadget

BY_TYPE, READ, WRITE, NOTIFY = 0x08, 0x0A, 0x12, 0x1B
FILLED = "BDM" + "\0" * 9
OTHER = "C2:00:00:00:00:03"


# Descriptions


async def test_what_describes_a_value_is_shown(bench: Bench, lantern: Lantern) -> None:
    """Its User Description stands for the name that nobody has assigned, its Presentation Format says what it is."""
    database = begun()
    database.service("fff0")
    database.characteristic("fff1", "read", struct.pack("<H", 1234))
    database.descriptor("2901", b"Voltage\0\0")
    database.descriptor("2904", bytes.fromhex("06fd2827010000"))
    database.characteristic("fff2", "read", b"\x07")
    database.descriptor("2901", bytes(4))
    gadget = TreeGadget(bench, database)
    await gadget.start()
    tree = await lantern.run("gatt", "tree", gadget.address)
    assert tree.status == DONE and "Voltage  fff1" in tree.stdout and "1.234 V" in tree.stdout, tree
    assert "─ fff2" in tree.stdout, "NULs alone are no name"
    read = await lantern.run("gatt", "read", gadget.address, "fff1")
    assert read.status == DONE and read.stdout.startswith("1.234 V"), read
    line = (await lantern.run("gatt", "read", gadget.address, "fff1", "--json")).line
    assert [field["value"] for field in line["fields"]] == ["1.234 V"]


# Names


async def test_a_name_that_is_filled_up(bench: Bench, lantern: Lantern) -> None:
    """A name of a fixed length, with NULs behind it."""
    database = Database("BDM")
    database.service("1800")
    database.characteristic("2a00", "read", FILLED.encode())
    gadget = TreeGadget(bench, database)
    await gadget.start()
    result = await lantern.run("gatt", "read", gadget.address, "2a00")
    assert result.stdout.startswith('"BDM"'), result
    assert "\\0" not in result.stdout and "\0" not in result.stdout


async def test_a_filled_name_is_kept_without_its_filling(bench: Bench, lantern: Lantern, tmp_path: Path) -> None:
    database = Database(FILLED)
    database.service("1800")
    database.characteristic("2a00", "read", bytes(12))
    gadget = TreeGadget(bench, database)
    await gadget.start()
    seen = await lantern.run("scan", "--json", "--duration", "1", "--name", "bdm")
    assert seen.status == DONE and {line["name"] for line in seen.events("advertisement")} == {"BDM"}, seen
    saved = tmp_path / "saved.json"
    tree = await lantern.run("gatt", "tree", "BDM", "--output", str(saved))
    assert tree.status == DONE, tree
    assert json.loads(saved.read_text())["name"] == "BDM", "the one of NULs alone is none"


async def test_two_devices_of_one_name(bench: Bench, lantern: Lantern) -> None:
    first = TreeGadget(bench, begun("Lamp"))
    second = Gadget(bench, "Lamp", OTHER, [], FLAGS + ad_name("Lamp \0\0"))
    for gadget in (first, second):
        await gadget.start()
    assert (await lantern.run("scan", "--duration", "1")).status == DONE
    for command in (["gatt", "read", "lamp", "2a00"], ["wifi", "show", "Lamp"]):
        result = await lantern.run(*command)
        assert result.status == WRONG_USAGE and "Two devices are called" in result.stderr, result
        assert first.address in result.stderr and OTHER in result.stderr, result
    assert first.entries("connected") == second.entries("connected") == []


# What it has twice


async def test_of_two_the_one_that_notifies_is_watched(bench: Bench, lantern: Lantern) -> None:
    """As the reports of a keyboard."""
    database = begun()
    database.service("1812")
    database.characteristic("2a4d", "read", b"\x01")
    database.descriptor("2908", b"\x02\x03")
    watched = database.characteristic("2a4d", "notify")

    def notified(pdu: bytes) -> list[bytes]:
        return [pdu, struct.pack("<BH", NOTIFY, watched) + b"\x05"] if pdu[0] == WRITE + 1 else [pdu]

    gadget = FaultyGadget(bench, database, on_response=notified)
    await gadget.start()
    result = await lantern.run("gatt", "watch", gadget.address, "2a4d", "--count", "1", "--json")
    assert result.status == DONE, result
    assert [(line["handle"], line["octets"]) for line in result.events("value_received")] == [(watched, "05")]


# What it says wrongly


@pytest.mark.parametrize("where", ["before", "elsewhere"])
async def test_a_value_where_it_cannot_be(where: str, bench: Bench, lantern: Lantern) -> None:
    """Before its declaration, and in another service: that is told, and what is there is read all the same."""
    database = begun()
    database.service("180f")
    named = database.characteristic("2a19", "read", b"\x5a") if where == "elsewhere" else 0
    database.service("fff0")
    handle = database.characteristic("fff1", "read", b"\x01\x02")
    database.characteristic("fff2", "read", b"\x03")
    named = named or handle - 2

    def moved(pdu: bytes) -> list[bytes]:
        declared = uuid_octets("fff1")
        return [pdu.replace(struct.pack("<H", handle) + declared, struct.pack("<H", named) + declared)]

    gadget = FaultyGadget(bench, database, on_response=lambda pdu: moved(pdu) if pdu[0] == BY_TYPE + 1 else [pdu])
    await gadget.start()
    result = await lantern.run("gatt", "tree", gadget.address, "--json")
    values = {
        entry["uuid"]: (entry["value_handle"], entry["octets"])
        for service in result.line["services"]
        for entry in service["characteristics"]
    }
    assert result.status == DONE and values["fff2"] == (handle + 2, "03"), result
    assert values["fff1"][0] == named, result
    (fault,) = result.line["faults"]
    assert fault["handle"] == handle - 1 and f"0x{named:04x}" in fault["text"], fault


async def test_what_was_read_before_the_link_broke_is_saved(bench: Bench, lantern: Lantern, tmp_path: Path) -> None:
    database = begun()
    database.service("fff0")
    database.characteristic("fff1", "read", b"\x01")
    fatal = database.characteristic("fff2", "read", b"\x02")
    database.characteristic("fff3", "read", b"\x03")

    def drops(pdu: bytes) -> list[bytes] | None:
        if pdu[0] != READ or struct.unpack_from("<H", pdu, 1)[0] != fatal:
            return None
        gadget.hang_up()
        return []

    gadget = FaultyGadget(bench, database, on_request=drops)
    await gadget.start()
    saved = tmp_path / "saved.json"
    result = await lantern.run("gatt", "tree", gadget.address, "--output", str(saved))
    assert result.status == FAILED and f"at 0x{fatal:04x} the link was lost" in result.stderr, result
    kept = json.loads(saved.read_text())["services"][-1]["characteristics"]
    assert [entry["octets"] for entry in kept] == ["01", None, None]
    assert kept[1]["error"] and kept[2]["error"]


# What people type


async def test_octets_and_addresses_as_they_are_typed(bench: Bench, lantern: Lantern) -> None:
    database = begun()
    database.service("fff0")
    handle = database.characteristic("fff1", "write")
    gadget = TreeGadget(bench, database)
    await gadget.start()
    digits = gadget.address.replace(":", "")
    typed = ["01ff", "01:ff", "0x01ff", "01-FF", "0x01, 0xff"]
    addresses = [gadget.address, gadget.address.replace(":", "-"), digits.lower(), f"0x{digits}", f"{digits}/R"]
    for octets, address in zip(typed, addresses):
        result = await lantern.run("gatt", "write", address, "fff1", octets)
        assert result.status == DONE, (octets, address, result)
    assert gadget.server.written == [(handle, b"\x01\xff")] * len(typed)
