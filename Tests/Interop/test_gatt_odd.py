# SPDX-License-Identifier: Apache-2.0
"""Proves that devices which break the rules are shown as far as they go, and that what is wrong with them is told.

Each is a device that people have met; the issues in which they have written of it stand beside it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, PATIENCE, Lantern
from peers.bench import Bench
from peers.database import Database, uuid_octets
from peers.databases import begun
from peers.faulty import FaultyGadget
from peers.raw import ERROR, error

MTU, FIND_INFORMATION, BY_TYPE, READ, READ_BLOB, BY_GROUP, WRITE, NOT_FOUND = 0x02, 0x04, 0x08, 0x0A, 0x0C, 0x10, 0x12, 0x0A
DECLARATION = uuid_octets("2803")
# How long an answer may take, in seconds. Spec: Core v5.4, Vol 3, Part F, 3.3.3.
TRANSACTION = 30.0
ALL = ["1800", "1801", "180f", "fff0"]


def usual() -> tuple[Database, int]:
    """A database, and the handle of the value fff1."""
    database = begun("Oddity")
    database.service("180f")
    database.characteristic("2a19", "read notify", b"\x5a")
    database.service("fff0")
    handle = database.characteristic("fff1", "read write", b"\x01\x02")
    return database, handle


def services(tree: dict) -> list[str]:
    return [service["uuid"] for service in tree["services"]]


def values(tree: dict) -> dict[str, str | None]:
    return {
        entry["uuid"]: entry["octets"]
        for service in tree["services"]
        for entry in service["characteristics"]
    }


async def tree_of(
    lantern: Lantern, gadget: FaultyGadget, *more: str, status: int = DONE, timeout: float = PATIENCE
) -> dict:
    result = await lantern.run("gatt", "tree", gadget.address, "--json", *more, timeout=timeout)
    assert result.status == status, result
    trees = [line for line in result.lines if line["event"] == "gatt_tree"]
    assert len(trees) == 1, result
    return trees[0]


# Discovery


@pytest.mark.parametrize("code", [0x00, 0x01, 0x02, 0x06, 0x0E, 0x80])
async def test_lists_that_end_with_another_error(code: int, bench: Bench, lantern: Lantern) -> None:
    """bluez/bluez#2486 and others: some end their lists with Invalid Handle, Unlikely Error or a number of their own."""
    database, _ = usual()

    def ended(pdu: bytes) -> list[bytes]:
        return [pdu[:4] + bytes([code])] if pdu[0] == ERROR and pdu[4] == NOT_FOUND else [pdu]

    gadget = FaultyGadget(bench, database, on_response=ended)
    await gadget.start()
    tree = await tree_of(lantern, gadget)
    assert services(tree) == ALL
    assert values(tree)["fff1"] == "0102"
    assert tree["ended"] is None


@pytest.mark.parametrize("code", [0x01, 0x02, 0x0E])
async def test_find_information_that_is_refused(code: int, bench: Bench, lantern: Lantern) -> None:
    """h2zero/NimBLE-Arduino#170."""
    database, _ = usual()

    def refused(pdu: bytes) -> list[bytes] | None:
        if pdu[0] != FIND_INFORMATION:
            return None
        return [error(FIND_INFORMATION, struct.unpack_from("<H", pdu, 1)[0], code)]

    gadget = FaultyGadget(bench, database, on_request=refused)
    await gadget.start()
    tree = await tree_of(lantern, gadget)
    assert services(tree) == ALL and values(tree)["fff1"] == "0102"
    # Invalid Handle says no more than that there is nothing behind.
    assert tree["faults"] or code == 0x01, "that it was refused is told"
    assert [entry["uuid"] for entry in found(tree, "2a19")["descriptors"]] == ["2902"], "it is looked for by its kind"


async def test_an_attribute_out_of_the_range_that_was_asked_for(bench: Bench, lantern: Lantern) -> None:
    """zephyrproject-rtos/zephyr#50686: a list of declarations that does not end."""
    database, handle = usual()
    last = struct.pack("<HBH", handle - 1, 0x0A, handle) + uuid_octets("fff1")

    def beyond(pdu: bytes) -> list[bytes] | None:
        if pdu[0] != BY_TYPE or pdu[5:] != DECLARATION or struct.unpack_from("<H", pdu, 1)[0] < handle:
            return None
        return [bytes([0x09, len(last)]) + last]

    gadget = FaultyGadget(bench, database, on_request=beyond)
    await gadget.start()
    tree = await tree_of(lantern, gadget)
    assert services(tree) == ALL and values(tree)["fff1"] == "0102"
    assert len(tree["services"][-1]["characteristics"]) == 1


async def test_a_value_at_handle_0(bench: Bench, lantern: Lantern) -> None:
    """A declaration that names handle 0 as its value's: the rest is there all the same."""
    database, handle = usual()

    def zero(pdu: bytes) -> list[bytes]:
        declared = struct.pack("<H", handle) + uuid_octets("fff1")
        return [pdu.replace(declared, b"\0\0" + uuid_octets("fff1"))] if pdu[0] == BY_TYPE + 1 else [pdu]

    gadget = FaultyGadget(bench, database, on_response=zero)
    await gadget.start()
    tree = await tree_of(lantern, gadget)
    assert services(tree) == ALL
    assert values(tree)["2a19"] == "5a"
    assert tree["faults"]


async def test_services_out_of_order(bench: Bench, lantern: Lantern) -> None:
    database, _ = usual()

    def shuffled(pdu: bytes) -> list[bytes]:
        if pdu[0] != BY_GROUP + 1:
            return [pdu]
        size = pdu[1]
        entries = [pdu[index : index + size] for index in range(2, len(pdu), size)]
        return [pdu[:2] + b"".join(sorted(entries, reverse=True))]

    gadget = FaultyGadget(bench, database, on_response=shuffled)
    await gadget.start()
    tree = await tree_of(lantern, gadget)
    assert sorted(services(tree)) == ALL and values(tree)["fff1"] == "0102"


# Answers that nobody asked for


async def test_an_answer_that_comes_twice(bench: Bench, lantern: Lantern) -> None:
    """bluez/bluez#2486: answers come once more, also late."""
    database, handle = usual()
    gadget = FaultyGadget(bench, database, on_response=lambda pdu: [pdu, pdu])
    await gadget.start()
    tree = await tree_of(lantern, gadget)
    assert services(tree) == ALL and tree["faults"] == [] and tree["ended"] is None
    wanted = {"2a00": b"Oddity".hex(), "2a19": "5a", "fff1": "0102"}
    assert values(tree).items() >= wanted.items()
    assert [entry["uuid"] for entry in found(tree, "2a19")["descriptors"]] == ["2902"]
    written = await lantern.run("gatt", "write", gadget.address, f"0x{handle:04x}", "aabb")
    assert written.status == DONE, written
    assert gadget.server.written == [(handle, b"\xaa\xbb")]


@pytest.mark.parametrize("opcode", [0x00, 0x7F])
async def test_an_error_that_names_another_request(opcode: int, bench: Bench, lantern: Lantern) -> None:
    """The one that belongs to the request comes behind it: the first is none of ours."""
    database, _ = usual()

    def doubled(pdu: bytes) -> list[bytes]:
        return [bytes([ERROR, opcode]) + pdu[2:], pdu] if pdu[0] == ERROR else [pdu]

    gadget = FaultyGadget(bench, database, on_response=doubled)
    await gadget.start()
    assert services(await tree_of(lantern, gadget)) == ALL


# The MTU


async def test_no_answer_to_exchange_mtu(bench: Bench, lantern: Lantern) -> None:
    """The link is opened once more, without it, and that is said."""
    database, _ = usual()
    gadget = FaultyGadget(bench, database, on_request=lambda pdu: [] if pdu[0] == MTU else None)
    await gadget.start()
    result = await lantern.run("gatt", "tree", gadget.address, timeout=2 * TRANSACTION)
    assert result.status == DONE and "MTU 23" in result.stdout, result
    assert all(uuid in result.stdout for uuid in ALL), result
    assert "asked for its MTU" in result.stderr and "--no-mtu" in result.stderr, result
    assert [pdu[0] for pdu in gadget.requests].count(MTU) == 1


async def test_no_mtu_is_asked_for_when_nobody_wants_that(bench: Bench, lantern: Lantern) -> None:
    database, _ = usual()
    gadget = FaultyGadget(bench, database, on_request=lambda pdu: [] if pdu[0] == MTU else None)
    await gadget.start()
    tree = await tree_of(lantern, gadget, "--no-mtu")
    assert services(tree) == ALL and tree["mtu"] == 23
    assert MTU not in [pdu[0] for pdu in gadget.requests]


async def test_a_link_that_is_dropped_for_the_mtu(bench: Bench, lantern: Lantern) -> None:
    database, _ = usual()

    def drops(pdu: bytes) -> list[bytes] | None:
        if pdu[0] != MTU:
            return None
        gadget.hang_up()
        return []

    gadget = FaultyGadget(bench, database, on_request=drops)
    await gadget.start()
    result = await lantern.run("gatt", "tree", gadget.address)
    assert result.status == FAILED and "try again with --no-mtu" in result.stderr, result
    tree = await tree_of(lantern, gadget, "--no-mtu")
    assert services(tree) == ALL


# Reading


async def test_a_link_that_ends_while_the_tree_is_read(bench: Bench, lantern: Lantern) -> None:
    """IanHarvey/bluepy#56 and many others: the device ends the link when a certain value is read."""
    database, handle = usual()

    def drops(pdu: bytes) -> list[bytes] | None:
        if pdu[0] != READ or struct.unpack_from("<H", pdu, 1)[0] != handle:
            return None
        gadget.hang_up()
        return []

    gadget = FaultyGadget(bench, database, on_request=drops)
    await gadget.start()
    tree = await tree_of(lantern, gadget, status=FAILED)
    assert services(tree) == ALL and values(tree)["2a19"] == "5a"
    assert tree["ended"]


async def test_a_value_that_is_never_answered(bench: Bench, lantern: Lantern) -> None:
    """After 30 s the bearer is of no use any more: what was read before is shown, and the command says so with 2."""
    database, handle = usual()

    def silent(pdu: bytes) -> list[bytes] | None:
        return [] if pdu[0] == READ and struct.unpack_from("<H", pdu, 1)[0] == handle else None

    gadget = FaultyGadget(bench, database, on_request=silent)
    await gadget.start()
    tree = await tree_of(lantern, gadget, status=NOTHING_FOUND, timeout=2 * TRANSACTION)
    assert services(tree) == ALL and values(tree)["2a19"] == "5a"
    assert tree["ended"]


async def test_a_handle_is_read_and_written_without_discovery(bench: Bench, lantern: Lantern) -> None:
    database, handle = usual()
    silent = {BY_GROUP, BY_TYPE}
    gadget = FaultyGadget(bench, database, on_request=lambda pdu: [] if pdu[0] in silent else None)
    await gadget.start()
    result = await lantern.run("gatt", "read", gadget.address, f"0x{handle:04x}", "--json")
    assert (result.status, result.line["octets"]) == (DONE, "0102"), result
    result = await lantern.run("gatt", "write", gadget.address, f"0x{handle:04x}", "0304", "--json")
    assert result.status == DONE, result
    assert gadget.server.written == [(handle, b"\x03\x04")]


@pytest.mark.parametrize("code", [0x01, 0x0E, 0x80])
async def test_a_value_that_fills_its_answer_and_whose_rest_is_refused(
    code: int, bench: Bench, lantern: Lantern
) -> None:
    database, _ = usual()
    value = b"Invented Lamps and Son"
    database.characteristic("2a29", "read", value)

    def refused(pdu: bytes) -> list[bytes] | None:
        if pdu[0] != READ_BLOB:
            return None
        return [error(READ_BLOB, struct.unpack_from("<H", pdu, 1)[0], code)]

    gadget = FaultyGadget(bench, database, on_request=refused, mtu=23)
    await gadget.start()
    result = await lantern.run("gatt", "read", gadget.address, "2a29", "--json")
    assert (result.status, result.line["octets"]) == (DONE, value.hex()), result
    assert result.line["incomplete"], "it need not be all"


def long_value() -> tuple[Database, bytes]:
    """A database with a value that takes more than two answers, and one behind it."""
    database, _ = usual()
    value = bytes(range(60))
    database.characteristic("fff2", "read", value)
    database.characteristic("fff3", "read", b"\x07")
    return database, value


def at_second_blob(answer: Callable[[bytes], list[bytes]]) -> Callable[[bytes], list[bytes] | None]:
    """Answers the second continuation of a read so, and leaves all else to the server."""
    return lambda pdu: answer(pdu) if pdu[0] == READ_BLOB and struct.unpack_from("<H", pdu, 3)[0] > 22 else None


def found(tree: dict, uuid: str) -> dict:
    return next(entry for service in tree["services"] for entry in service["characteristics"] if entry["uuid"] == uuid)


async def test_a_long_value_whose_rest_is_refused(bench: Bench, lantern: Lantern) -> None:
    """Its first part is kept and marked, in what is printed and in what is saved, and what is behind it is read."""
    database, value = long_value()
    refused = at_second_blob(lambda pdu: [error(READ_BLOB, struct.unpack_from("<H", pdu, 1)[0], 0x80)])
    gadget = FaultyGadget(bench, database, on_request=refused, mtu=23)
    await gadget.start()
    tree = await tree_of(lantern, gadget)
    assert values(tree)["fff2"] == value[:44].hex() and values(tree)["fff3"] == "07"
    assert "0x80" in found(tree, "fff2")["incomplete"] and found(tree, "fff2")["error"] is None
    assert found(tree, "fff3")["incomplete"] is None and tree["ended"] is None
    result = await lantern.run("gatt", "read", gadget.address, "fff2")
    assert result.status == DONE and "the first 44 octets; there may be more: " in result.stdout, result
    result = await lantern.run("gatt", "tree", gadget.address)
    assert result.status == DONE and "the first 44 octets; there may be more: " in result.stdout, result


@pytest.mark.parametrize("is_lost", [True, False], ids=["lost", "silent"])
async def test_a_long_value_that_ends_with_its_link(is_lost: bool, bench: Bench, lantern: Lantern) -> None:
    """What came before is kept, by `gatt tree` and `gatt read`. Silence waits for the 30 s of the specification."""
    database, value = long_value()

    def ends(_pdu: bytes) -> list[bytes]:
        if is_lost:
            gadget.hang_up()
        return []

    gadget = FaultyGadget(bench, database, on_request=at_second_blob(ends), mtu=23)
    await gadget.start()
    status = FAILED if is_lost else NOTHING_FOUND
    tree = await tree_of(lantern, gadget, status=status, timeout=2 * TRANSACTION)
    assert values(tree)["fff2"] == value[:44].hex() and values(tree)["fff3"] is None
    assert found(tree, "fff2")["incomplete"] and found(tree, "fff3")["error"] and tree["ended"]
    result = await lantern.run("gatt", "read", gadget.address, "fff2", "--json", timeout=2 * TRANSACTION)
    assert (result.status, result.line["octets"]) == (status, value[:44].hex()), result
    assert result.line["incomplete"] and "44 octets" in result.stderr, result


# Notifications


async def test_a_characteristic_that_notifies_without_2902(bench: Bench, lantern: Lantern) -> None:
    """WebBluetoothCG/web-bluetooth#391, hbldh/bleak#828."""
    database = begun("iTAG")
    database.service("ffe0")
    handle = database.characteristic("ffe1", "read", b"\x01")
    characteristic = database.services[-1]["characteristics"][-1]
    characteristic["properties"].append("notify")

    def pressed(pdu: bytes) -> list[bytes] | None:
        if pdu[0] == READ and struct.unpack_from("<H", pdu, 1)[0] == handle:
            return None
        if pdu[0] == BY_TYPE:
            for later in range(1, 40):
                gadget.later(0.1 * later, struct.pack("<BH", 0x1B, handle) + bytes([later]))
        return None

    gadget = FaultyGadget(bench, database, on_request=pressed)
    await gadget.start()
    result = await lantern.run("gatt", "watch", gadget.address, "ffe1", "--count", "1", "--json")
    assert result.status == DONE, result
    assert [line["event"] for line in result.lines if line["event"] != "value_received"] == ["configuration_missing"]


# Handles and UUIDs


@pytest.mark.parametrize("number", ["fff1", "180f", "2a19"])
async def test_a_uuid_that_is_written_as_a_handle(number: str, bench: Bench, lantern: Lantern) -> None:
    database, _ = usual()
    gadget = FaultyGadget(bench, database)
    await gadget.start()
    for words in (["read"], ["write"]):
        result = await lantern.run("gatt", *words, gadget.address, "0x" + number, *(["01"] if words == ["write"] else []))
        assert result.status == NOTHING_FOUND and f"write {number}." in result.stderr, result


# Twice the same


async def test_what_occurs_twice_is_taken_where_only_one_fits(bench: Bench, lantern: Lantern) -> None:
    database = begun("Twice")
    database.service("1803")
    readable = database.characteristic("2a06", "read", b"\x07")
    database.service("1802")
    writable = database.characteristic("2a06", "write", b"")
    gadget = FaultyGadget(bench, database)
    await gadget.start()
    read = await lantern.run("gatt", "read", gadget.address, "2a06", "--json")
    assert (read.status, read.line["handle"], read.line["octets"]) == (DONE, readable, "07"), read
    written = await lantern.run("gatt", "write", gadget.address, "2a06", "01")
    assert written.status == DONE and gadget.server.written == [(writable, b"\x01")], written
