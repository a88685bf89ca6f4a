# SPDX-License-Identifier: Apache-2.0
"""Proves that every ATT error code is told in words, or as its number where it has none.

Spec: Core v5.4, Vol 3, Part F, 3.4.1.1, and Core Specification Supplement, Part B.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bumble.att import ATT_PDU, ATT_Error_Response, ATT_Read_Blob_Request

from lantern import DONE, FAILED, Lantern, Result
from peers.bench import Bench
from peers.database import Database, uuid_octets
from peers.databases import begun, custom, octets
from peers.faulty import FaultyGadget
from peers.raw import error
from peers.tree_gadget import TreeGadget

# What the words must speak of.
NAMED = {
    0x01: "handle",
    0x02: "read",
    0x03: "writ",
    0x04: "malformed|invalid",
    0x05: "authenticat",
    0x06: "not supported",
    0x07: "offset",
    0x08: "authoriz",
    0x09: "prepare",
    0x0A: "found",
    0x0B: "long|parts",
    0x0C: "key",
    0x0D: "length",
    0x0E: "unlikely",
    0x0F: "encrypt",
    0x10: "group",
    0x11: "resource|room",
    0x12: "database|services have changed",
    0x13: "not allowed",
    0xFC: "reject",
    0xFD: "configur",
    0xFE: "progress",
    0xFF: "range",
}
APPLICATION = range(0x80, 0xA0)
RESERVED = [0x14, 0x7F, 0xA0, 0xDF, 0xE0, 0xFB]
CODES = [*NAMED, *APPLICATION, *RESERVED]
# Of those that differ by their number alone, a few are enough for a run of their own.
RUN_CODES = [*NAMED, 0x80, 0x9F, 0x14, 0xE0]


def value_uuid(code: int) -> str:
    return custom(0xE000 + code)


def says(text: str, code: int) -> bool:
    """Whether a sentence is about this error."""
    words = NAMED.get(code, f"0x{code:02x}").split("|")
    return any(word in text.lower() for word in words)


@pytest.fixture
async def refusing(bench: Bench) -> TreeGadget:
    """A device that refuses to read and write one characteristic for each code."""
    database = begun()
    database.service("fff0")
    for code in CODES:
        database.characteristic(value_uuid(code), "read write", error_code=code, write_error=code)
    gadget = TreeGadget(bench, database)
    await gadget.start()
    return gadget


async def errors_of(lantern: Lantern, gadget: TreeGadget) -> dict[str, str | None]:
    """The error of each characteristic in a tree."""
    result = await lantern.run("gatt", "tree", gadget.address, "--json")
    assert result.status == DONE, "what cannot be read is part of a tree"
    return {
        entry["uuid"]: entry["error"]
        for service in result.line["services"]
        for entry in service["characteristics"]
    }


async def test_a_tree_shows_each_error(refusing: TreeGadget, lantern: Lantern) -> None:
    errors = await errors_of(lantern, refusing)
    shown = {code: errors[value_uuid(code)] or "" for code in CODES}
    assert {code: text for code, text in shown.items() if not says(text, code)} == {}
    assert len(set(shown.values())) == len(CODES), "no two codes look the same"


def assert_refused(result: Result, code: int) -> None:
    assert (result.status, result.stdout) == (FAILED, ""), (hex(code), result)
    assert says(result.stderr, code), (hex(code), result.stderr)
    assert result.stderr.count("\n") == 1, "one sentence"


async def test_each_refused_read_exits_with_1(refusing: TreeGadget, lantern: Lantern) -> None:
    for code in RUN_CODES:
        assert_refused(await lantern.run("gatt", "read", refusing.address, value_uuid(code), "--json"), code)


async def test_each_refused_write_exits_with_1(refusing: TreeGadget, lantern: Lantern) -> None:
    for code in RUN_CODES:
        assert_refused(await lantern.run("gatt", "write", refusing.address, value_uuid(code), "00"), code)
    assert refusing.server.written == []


# Errors in the middle of a procedure


def answer(gadget: TreeGadget, which: Callable[[ATT_PDU], bool], code: int, handle: int) -> Callable[[], int]:
    """Answers some requests with an error; returns how to ask how many."""
    serve = gadget.device.gatt_server.on_gatt_pdu
    count = 0

    def on_pdu(bearer: object, pdu: ATT_PDU) -> None:
        nonlocal count
        if not which(pdu):
            return serve(bearer, pdu)
        count += 1
        error = ATT_Error_Response(
            request_opcode_in_error=pdu.op_code, attribute_handle_in_error=handle, error_code=code
        )
        gadget.device.gatt_server.send_response(bearer, error)

    gadget.device.gatt_server.on_gatt_pdu = on_pdu
    return lambda: count


async def long_gadget(bench: Bench) -> tuple[TreeGadget, int]:
    database = begun()
    database.service("fff0")
    handle = database.characteristic(custom(1), "read write", octets(100))
    gadget = TreeGadget(bench, database)
    gadget.device.gatt_server.max_mtu = 23
    await gadget.start()
    return gadget, handle


@pytest.mark.parametrize("code", [0x05, 0x08, 0x0E, 0x0F, 0x81])
async def test_an_error_in_the_middle_of_a_long_read(code: int, bench: Bench, lantern: Lantern) -> None:
    """The value is what came before; where the rest may be granted later, the command says so with 1."""
    gadget, handle = await long_gadget(bench)
    count = answer(
        gadget, lambda pdu: isinstance(pdu, ATT_Read_Blob_Request) and pdu.value_offset > 22, code, handle
    )
    result = await lantern.run("gatt", "read", gadget.address, custom(1), "--json")
    assert result.line["octets"] == octets(100)[:44].hex(), result
    assert says(result.line["incomplete"], code), result
    if code in (0x0E, 0x81):
        assert (result.status, result.stderr) == (DONE, ""), result
    else:
        assert result.status == FAILED and says(result.stderr, code), result
        assert result.stderr.count("\n") == 1, "one sentence"
    assert count() == 1, "it is not asked again"


@pytest.mark.parametrize("code", [0x0B, 0x06])
async def test_a_server_without_long_reads_ends_them(code: int, bench: Bench, lantern: Lantern) -> None:
    """Attribute Not Long is an end; Request Not Supported may be taken for one, or for a refusal."""
    gadget, handle = await long_gadget(bench)
    answer(gadget, lambda pdu: isinstance(pdu, ATT_Read_Blob_Request), code, handle)
    result = await lantern.run("gatt", "read", gadget.address, custom(1), "--json")
    if code == 0x0B or result.status == DONE:
        assert bytes.fromhex(result.line["octets"]) == octets(100)[:22]
    else:
        assert_refused(result, code)


async def test_a_server_that_does_not_mind_the_offset_gives_its_first_part(bench: Bench, lantern: Lantern) -> None:
    """apache/mynewt-core#75: each continuation is the first part again. That is kept once, and marked."""
    database = begun()
    database.service("fff0")
    database.characteristic(custom(1), "read", octets(100))
    again = bytes([0x0D]) + octets(100)[:22]
    gadget = FaultyGadget(bench, database, on_request=lambda pdu: [again] if pdu[0] == 0x0C else None, mtu=23)
    await gadget.start()
    result = await lantern.run("gatt", "tree", gadget.address, "--json")
    value = result.line["services"][-1]["characteristics"][0]
    assert (result.status, value["octets"]) == (DONE, octets(100)[:22].hex()), result
    assert value["incomplete"] == "the answer makes no sense" and result.line["ended"] is None


@pytest.mark.parametrize(("code", "asked"), [(0x03, 1), (0x09, 2), (0x0D, 3)])
async def test_an_error_in_the_middle_of_a_long_write_cancels_what_was_prepared(
    code: int, asked: int, bench: Bench, lantern: Lantern
) -> None:
    gadget, handle = await long_gadget(bench)
    seen = 0

    def is_the_one(pdu: ATT_PDU) -> bool:
        nonlocal seen
        seen += pdu.name == "ATT_PREPARE_WRITE_REQUEST"
        return pdu.name == "ATT_PREPARE_WRITE_REQUEST" and seen == asked

    answer(gadget, is_the_one, code, handle)
    assert_refused(await lantern.run("gatt", "write", gadget.address, custom(1), octets(90).hex()), code)
    executed = [pdu.flags for pdu in gadget.att_requests if pdu.name == "ATT_EXECUTE_WRITE_REQUEST"]
    assert executed in ([0], [] if asked == 1 else [0])
    assert gadget.server.written == []


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("ATT_READ_BY_GROUP_TYPE_REQUEST", None),
        ("ATT_READ_BY_TYPE_REQUEST", 0),
        ("ATT_FIND_INFORMATION_REQUEST", 1),
    ],
)
async def test_an_error_in_discovery_is_no_empty_device(
    name: str, found: int | None, bench: Bench, lantern: Lantern
) -> None:
    """Only Attribute Not Found ends a discovery well. Spec: Core v5.4, Vol 3, Part G, 4.4.1.

    Where nothing was found it fails; what was found is shown, with what was wrong.
    """
    database: Database = begun()
    database.service("fff0")
    database.characteristic(custom(1), "read notify", b"x")
    gadget = TreeGadget(bench, database)
    count = answer(gadget, lambda pdu: pdu.name == name, 0x0E, 1)
    await gadget.start()
    result = await lantern.run("gatt", "tree", gadget.address, "--json")
    if found is None:
        assert_refused(result, 0x0E)
    else:
        assert result.status == DONE and len(result.line["services"][-1]["characteristics"]) == found
        assert result.line["faults"], "it is told"
    assert count() >= 1


@pytest.mark.parametrize(("uuid", "opcode", "word"), [("2801", 0x10, "secondary"), ("2802", 0x08, "included")])
async def test_refused_lists_of_other_services_are_told(
    uuid: str, opcode: int, word: str, bench: Bench, lantern: Lantern
) -> None:
    database: Database = begun()
    database.service("fff0")
    database.characteristic(custom(1), "read", b"x")

    def refused(pdu: bytes) -> list[bytes] | None:
        return [error(opcode, 1, 0x0E)] if pdu[0] == opcode and pdu[5:] == uuid_octets(uuid) else None

    gadget = FaultyGadget(bench, database, on_request=refused)
    await gadget.start()
    result = await lantern.run("gatt", "tree", gadget.address, "--json")
    assert result.status == DONE and len(result.line["services"][-1]["characteristics"]) == 1, result
    (fault,) = result.line["faults"]
    assert fault["handle"] == 1 and word in fault["text"] and says(fault["text"], 0x0E), fault


@pytest.mark.parametrize("code", [0x06, 0x0E])
async def test_a_server_that_refuses_the_mtu_is_used_with_23(
    code: int, bench: Bench, lantern: Lantern
) -> None:
    """Spec: Core v5.4, Vol 3, Part G, 4.3.1: without an agreement the default goes on."""
    gadget, handle = await long_gadget(bench)
    answer(gadget, lambda pdu: pdu.name == "ATT_EXCHANGE_MTU_REQUEST", code, 0)
    result = await lantern.run("gatt", "tree", gadget.address, "--json")
    assert (result.status, result.line["mtu"]) == (DONE, 23)
