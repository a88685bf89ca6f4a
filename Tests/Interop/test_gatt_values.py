# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern gatt read`, `write` and `watch`: values, ways to name an attribute, errors, exit status."""

from __future__ import annotations

import re

import pytest

import contract
from contract import parse_time
from lantern import DONE, FAILED, NOTHING_FOUND, WRONG_USAGE, Event, Lantern
from peers import awkward_gadget as awkward
from peers.awkward_gadget import AwkwardGadget
from peers.bench import Bench


@pytest.fixture
async def gadget(bench: Bench) -> AwkwardGadget:
    gadget = AwkwardGadget(bench)
    await gadget.start()
    return gadget


async def read(lantern: Lantern, gadget: AwkwardGadget, what: str) -> Event:
    result = await lantern.run("gatt", "read", gadget.address, what, "--json")
    assert result.status == DONE, result
    contract.assert_read(result.line)
    return result.line


# Reading


@pytest.mark.parametrize(
    ("uuid", "value", "text"),
    [
        (awkward.FIRMWARE_REVISION, b"1.2.3", "1.2.3"),
        (awkward.MANUFACTURER_NAME.upper(), awkward.MAKER.encode(), awkward.MAKER),
        (awkward.LONG_VALUE, awkward.LONG, None),
        (awkward.EMPTY_VALUE.upper(), b"", ...),
        (awkward.BINARY_VALUE, b"\xff\xfe\x00\x80", None),
        (awkward.THIRTY_TWO_BITS, b"\x01", ...),
        ("0000" + awkward.BATTERY_LEVEL + "-0000-1000-8000-00805f9b34fb", b"\x5f", ...),
    ],
)
async def test_read_by_uuid(
    uuid: str, value: bytes, text: str | None, gadget: AwkwardGadget, lantern: Lantern
) -> None:
    line = await read(lantern, gadget, uuid)
    assert line["octets"] == value.hex()
    if text is not ...:
        assert line["text"] == text
    assert [line["handle"]] == gadget.value_handles(line["uuid"])


async def test_read_by_handle(gadget: AwkwardGadget, lantern: Lantern) -> None:
    first, second = gadget.value_handles(awkward.TWICE)
    line = await read(lantern, gadget, f"0x{second:04X}")
    assert (line["uuid"], line["handle"], line["text"]) == (awkward.TWICE, second, "second")
    assert (await read(lantern, gadget, f"0x{first:x}"))["text"] == "first"


async def test_read_without_json_shows_the_value(gadget: AwkwardGadget, lantern: Lantern) -> None:
    result = await lantern.run("gatt", "read", gadget.address, awkward.FIRMWARE_REVISION)
    assert result.status == DONE
    assert "1.2.3" in result.stdout or "312e322e33" in result.stdout.replace(" ", "").lower()


@pytest.mark.parametrize("command", ["read", "write", "watch"])
async def test_a_uuid_that_occurs_twice_lists_the_handles(
    command: str, gadget: AwkwardGadget, lantern: Lantern
) -> None:
    value = ["00"] if command == "write" else []
    result = await lantern.run("gatt", command, gadget.address, awkward.TWICE, *value)
    assert (result.status, result.stdout) == (WRONG_USAGE, "")
    numbers = {int(text, 0) for text in re.findall(r"0x[0-9A-Fa-f]+|\b\d+\b", result.stderr)}
    assert set(gadget.value_handles(awkward.TWICE)) <= numbers


@pytest.mark.parametrize("uuid", [awkward.REFUSED, awkward.APPLICATION_ERROR])
async def test_a_refused_read_exits_with_1(uuid: str, gadget: AwkwardGadget, lantern: Lantern) -> None:
    result = await lantern.run("gatt", "read", gadget.address, uuid, "--json")
    assert (result.status, result.stdout) == (FAILED, "")
    assert result.stderr.strip()


async def test_an_unknown_address_exits_with_2(lantern: Lantern) -> None:
    result = await lantern.run("gatt", "read", "D0:00:00:00:00:99", "2a19", "--json", timeout=45)
    assert (result.status, result.stdout) == (NOTHING_FOUND, "")


async def test_a_characteristic_that_is_not_there(gadget: AwkwardGadget, lantern: Lantern) -> None:
    result = await lantern.run("gatt", "read", gadget.address, "2a6e", "--json")
    assert result.status in (FAILED, NOTHING_FOUND) and result.stdout == ""
    assert "2a6e" in result.stderr.lower()


# Writing


def opcodes(gadget: AwkwardGadget) -> list[str]:
    return [request.name for request in gadget.att_requests]


async def test_write_with_response(gadget: AwkwardGadget, lantern: Lantern) -> None:
    result = await lantern.run("gatt", "write", gadget.address, awkward.WRITTEN, "01ffA0")
    assert result.status == DONE, result
    assert gadget.written == b"\x01\xff\xa0"
    assert "ATT_WRITE_REQUEST" in opcodes(gadget) and "ATT_WRITE_COMMAND" not in opcodes(gadget)


async def test_write_without_response(gadget: AwkwardGadget, lantern: Lantern) -> None:
    """The last thing a command does must still reach the device before the link ends."""
    result = await lantern.run("gatt", "write", gadget.address, awkward.WRITTEN, "c0ffee", "--no-response")
    assert result.status == DONE, result
    await gadget.wait_for("write", "written")
    assert gadget.written == b"\xc0\xff\xee"
    assert "ATT_WRITE_COMMAND" in opcodes(gadget) and not gadget.own_write_requests


async def test_write_by_handle(gadget: AwkwardGadget, lantern: Lantern) -> None:
    (handle,) = gadget.value_handles(awkward.WRITTEN)
    result = await lantern.run("gatt", "write", gadget.address, f"0x{handle:04x}", "2a")
    assert (result.status, gadget.written) == (DONE, b"*")


async def test_a_refused_write_exits_with_1(gadget: AwkwardGadget, lantern: Lantern) -> None:
    result = await lantern.run("gatt", "write", gadget.address, awkward.WRITE_REFUSED, "00")
    assert result.status == FAILED
    assert result.stderr.strip()


@pytest.mark.parametrize("value", ["0", "0g", "hello"])
async def test_a_value_that_is_not_hex_exits_with_64(
    value: str, gadget: AwkwardGadget, lantern: Lantern
) -> None:
    result = await lantern.run("gatt", "write", gadget.address, awkward.WRITTEN, value)
    assert result.status == WRONG_USAGE
    assert not gadget.entries("write")


# Watching


async def test_watch_notifications(gadget: AwkwardGadget, lantern: Lantern) -> None:
    run = await lantern.start("gatt", "watch", gadget.address, awkward.NOTIFIED, "--count", "3", "--json")
    await gadget.wait_for("subscribe", "notified")
    for value in (b"", b"\x00\xff", bytes(range(200))):
        await gadget.notify(gadget.notified, value)
    result = await run.finish()
    assert result.status == DONE
    assert [line["octets"] for line in result.lines] == ["", "00ff", bytes(range(200)).hex()]
    assert {(line["uuid"], line["kind"]) for line in result.lines} == {(awkward.NOTIFIED, "notify")}
    assert [line["handle"] for line in result.lines] == gadget.value_handles(awkward.NOTIFIED) * 3
    times = [parse_time(line["time"]) for line in result.lines]
    assert times == sorted(times)


async def test_watch_indications_confirms_each(gadget: AwkwardGadget, lantern: Lantern) -> None:
    run = await lantern.start("gatt", "watch", gadget.address, awkward.INDICATED, "--count", "2", "--json")
    await gadget.wait_for("subscribe", "indicated")
    await gadget.indicate(gadget.indicated, b"one")  # Returns with the confirmation.
    await gadget.indicate(gadget.indicated, b"two")
    result = await run.finish()
    assert result.status == DONE
    assert [(line["octets"], line["kind"]) for line in result.lines] == [
        (b"one".hex(), "indicate"),
        (b"two".hex(), "indicate"),
    ]


async def test_watch_by_handle_for_a_duration(gadget: AwkwardGadget, lantern: Lantern) -> None:
    (handle,) = gadget.value_handles(awkward.NOTIFIED)
    run = await lantern.start(
        "gatt", "watch", gadget.address, f"0x{handle:04X}", "--duration", "4", "--json"
    )
    await gadget.wait_for("subscribe", "notified")
    await gadget.notify(gadget.notified, b"hello")
    result = await run.finish()
    assert result.status == DONE
    assert [line["octets"] for line in result.lines] == [b"hello".hex()]


async def test_watch_ends_well_with_sigint(gadget: AwkwardGadget, lantern: Lantern) -> None:
    run = await lantern.start("gatt", "watch", gadget.address, awkward.NOTIFIED, "--json")
    await gadget.wait_for("subscribe", "notified")
    await gadget.notify(gadget.notified, b"x")
    await run.wait_for("value_received")
    assert (await run.interrupt()).status == DONE
    await gadget.wait_for("disconnected")


async def test_watch_on_a_lost_link_exits_with_1(gadget: AwkwardGadget, lantern: Lantern) -> None:
    run = await lantern.start("gatt", "watch", gadget.address, awkward.NOTIFIED, "--json")
    await gadget.wait_for("subscribe", "notified")
    await gadget.drop()
    result = await run.finish()
    assert result.status == FAILED
    assert result.stderr.strip()


async def test_watch_what_cannot_be_watched(gadget: AwkwardGadget, lantern: Lantern) -> None:
    result = await lantern.run(
        "gatt", "watch", gadget.address, awkward.FIRMWARE_REVISION, "--duration", "5", "--json"
    )
    assert result.status in (FAILED, WRONG_USAGE)
    assert result.stderr.strip()
