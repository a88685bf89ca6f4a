# SPDX-License-Identifier: Apache-2.0
"""Proves our ATT server with PDUs put together by hand: what Bumble's client never sends.

Every test runs against Bumble's server as well, so that a misreading here would show; where that one
differs, a known difference says why. Spec: Core v5.4, Vol 3, Part F, 3.4.
"""

from __future__ import annotations

import struct

import pytest

from peers.database import PRIMARY_SERVICE, SECONDARY_SERVICE, Database, uuid_octets
from peers.databases import begun, custom, octets
from peers.raw import (
    INVALID_HANDLE,
    INVALID_PDU,
    NOT_FOUND,
    NOT_LONG,
    NOT_SUPPORTED,
    READ_NOT_PERMITTED,
    UNSUPPORTED_GROUP,
    RawBearer,
    by_type,
    error,
    find_by_type_value,
    find_information,
    handle_request,
    read_blob,
    read_multiple,
)

SHORT, LONG, LONGEST = b"short", octets(300), octets(512)
WIDE = custom(0xA0)


class Handles:
    """The database of these tests, and where things are in it."""

    def __init__(self) -> None:
        self.database: Database = begun()
        database = self.database
        self.name = 3
        self.service = database.service("fff0")["handle"]
        self.short = database.characteristic("fff1", "read", SHORT)
        self.other = database.characteristic("fff1", "read", b"other")
        self.longer = database.characteristic("fff1", "read", b"longer")
        self.write_only = database.characteristic("fff2", "write")
        self.after_write_only = database.characteristic("fff2", "read", b"x")
        self.long = database.characteristic("fff3", "read", LONG)
        self.wide = database.characteristic(custom(1), "read", LONGEST)
        self.wide_service = database.service(WIDE)["handle"]
        self.empty = database.characteristic("fff4", "read", b"")
        self.secondary = database.service("fff8", primary=False)["handle"]
        self.again = database.service("fff0")["handle"]
        self.last = database.characteristic("fff5", "read", b"last")


HANDLES = Handles()


@pytest.fixture
def database() -> Database:
    return HANDLES.database


# MTU


async def test_the_mtu_is_the_smaller_of_both_and_holds_for_what_follows(bearer: RawBearer) -> None:
    assert len(await bearer.ask(handle_request(0x0A, HANDLES.long))) == 23
    assert await bearer.exchange_mtu(100) == 100
    assert await bearer.ask(handle_request(0x0A, HANDLES.long)) == b"\x0b" + LONG[:99]
    assert await bearer.read(HANDLES.wide) == LONGEST


@pytest.mark.parametrize("mtu", [0, 1, 22])
async def test_an_mtu_below_23_is_none(mtu: int, bearer: RawBearer) -> None:
    """It may be refused or answered; 23 goes on. Spec: Vol 3, Part F, 3.4.2.1."""
    answer = await bearer.ask(struct.pack("<BH", 0x02, mtu))
    assert answer[0] == 0x03 or answer[:4] == bytes.fromhex("01020000"), answer.hex()
    assert len(await bearer.ask(handle_request(0x0A, HANDLES.long))) == 23


async def test_the_greatest_mtu(bearer: RawBearer) -> None:
    mtu = await bearer.exchange_mtu(0xFFFF)
    assert 23 <= mtu <= 0xFFFF
    assert await bearer.ask(handle_request(0x0A, HANDLES.wide)) == b"\x0b" + LONGEST[: mtu - 1]


async def test_a_second_exchange_leaves_a_bearer_that_works(bearer: RawBearer) -> None:
    """A client sends one only; whatever the answer to another, both sides must go on."""
    await bearer.exchange_mtu(100)
    answer = await bearer.ask(struct.pack("<BH", 0x02, 200))
    assert answer[0] in (0x01, 0x03), answer.hex()
    read = await bearer.ask(handle_request(0x0A, HANDLES.short))
    assert read == b"\x0b" + SHORT


# Finding


async def test_find_information_lists_one_size_of_uuid_at_a_time(bearer: RawBearer) -> None:
    wanted = [(entry.handle, uuid_octets(entry.type)) for entry in HANDLES.database.attributes()]
    assert await bearer.types() == wanted
    await bearer.exchange_mtu(247)
    assert await bearer.types() == wanted


NO_RANGES = [(0, 0), (0, 0xFFFF), (2, 1), (0xFFFF, 1)]


async def test_ranges_that_are_none(bearer: RawBearer) -> None:
    for start, end in NO_RANGES:
        for request in (find_information(start, end), by_type(0x08, start, end, "2803")):
            assert await bearer.ask(request) == error(request[0], start, INVALID_HANDLE)


@pytest.mark.known_difference("ranges-unchecked")
@pytest.mark.parametrize("opcode", [0x06, 0x10])
async def test_ranges_that_are_none_for_groups_and_values(opcode: int, bearer: RawBearer) -> None:
    for start, end in NO_RANGES:
        request = by_type(0x10, start, end, "2800")
        if opcode == 0x06:
            request = find_by_type_value(start, end, PRIMARY_SERVICE, uuid_octets("1800"))
        assert await bearer.ask(request) == error(opcode, start, INVALID_HANDLE)


async def test_ranges_with_nothing_in_them(bearer: RawBearer) -> None:
    start = HANDLES.last + 1
    for request in (
        find_information(start, 0xFFFF),
        find_information(0xFFFF, 0xFFFF),
        by_type(0x08, start, 0xFFFF, "2803"),
        by_type(0x10, start, 0xFFFF, "2800"),
        find_by_type_value(start, 0xFFFF, PRIMARY_SERVICE, uuid_octets("1800")),
        by_type(0x08, 1, 0xFFFF, "2aff"),
        by_type(0x08, 1, 0xFFFF, custom(0xFFFF)),
    ):
        first = int.from_bytes(request[1:3], "little")
        assert await bearer.ask(request) == error(request[0], first, NOT_FOUND)


async def test_find_by_type_value(bearer: RawBearer) -> None:
    """Services with their ends; other attributes end where they are. Spec: 3.4.3.3."""
    services = {service["handle"]: service["end_handle"] for service in HANDLES.database.services}
    for value, kind, found in (
        (uuid_octets("fff0"), PRIMARY_SERVICE, [HANDLES.service, HANDLES.again]),
        (uuid_octets(WIDE), PRIMARY_SERVICE, [HANDLES.wide_service]),
        (uuid_octets("fff8"), SECONDARY_SERVICE, [HANDLES.secondary]),
        (b"other", 0xFFF1, [HANDLES.other]),
        (b"", 0xFFF4, [HANDLES.empty]),
    ):
        answer = await bearer.ask(find_by_type_value(1, 0xFFFF, kind, value))
        listed = [struct.pack("<HH", handle, services.get(handle, handle)) for handle in found]
        assert answer == b"\x07" + b"".join(listed), answer.hex()
    for value, kind in (
        (b"othe", 0xFFF1),
        (b"other.", 0xFFF1),
        (uuid_octets("fff0"), SECONDARY_SERVICE),
        (uuid_octets("000018aa"), PRIMARY_SERVICE),
    ):
        answer = await bearer.ask(find_by_type_value(1, 0xFFFF, kind, value))
        assert answer == error(0x06, 1, NOT_FOUND), answer.hex()


@pytest.mark.known_difference("find-by-type-value-unreadable")
async def test_a_value_that_may_not_be_read_is_not_found(bearer: RawBearer) -> None:
    answer = await bearer.ask(find_by_type_value(1, 0xFFFF, 0xFFF2, b"x"))
    place = struct.pack("<HH", HANDLES.after_write_only, HANDLES.after_write_only)
    assert answer == b"\x07" + place, answer.hex()


# Reading by type


async def test_read_by_type_lists_values_of_one_length(bearer: RawBearer) -> None:
    """Those that follow are asked for from the next handle on. Spec: 3.4.4.1."""
    answer = await bearer.ask(by_type(0x08, 1, 0xFFFF, "fff1"))
    pairs = [struct.pack("<H", HANDLES.short) + SHORT, struct.pack("<H", HANDLES.other) + b"other"]
    assert answer == bytes([0x09, 7]) + b"".join(pairs)
    answer = await bearer.ask(by_type(0x08, HANDLES.other + 1, 0xFFFF, "fff1"))
    assert answer == bytes([0x09, 8]) + struct.pack("<H", HANDLES.longer) + b"longer"


@pytest.mark.parametrize("mtu", [23, 100, 517])
async def test_read_by_type_cuts_a_long_value(mtu: int, bearer: RawBearer) -> None:
    """At MTU - 4, and at 253, because its length must fit into an octet."""
    await bearer.exchange_mtu(mtu)
    for uuid, handle, value in (("fff3", HANDLES.long, LONG), (custom(1), HANDLES.wide, LONGEST)):
        answer = await bearer.ask(by_type(0x08, 1, 0xFFFF, uuid))
        part = value[: min(bearer.mtu - 4, 253)]
        assert answer == bytes([0x09, len(part) + 2]) + struct.pack("<H", handle) + part


async def test_read_by_type_of_an_empty_value(bearer: RawBearer) -> None:
    answer = await bearer.ask(by_type(0x08, 1, 0xFFFF, "fff4"))
    assert answer == bytes([0x09, 2]) + struct.pack("<H", HANDLES.empty)


async def test_read_by_type_names_the_first_that_may_not_be_read(bearer: RawBearer) -> None:
    answer = await bearer.ask(by_type(0x08, 1, 0xFFFF, "fff2"))
    assert answer == error(0x08, HANDLES.write_only, READ_NOT_PERMITTED)
    answer = await bearer.ask(by_type(0x08, HANDLES.write_only + 1, 0xFFFF, "fff2"))
    assert answer == bytes([0x09, 3]) + struct.pack("<H", HANDLES.after_write_only) + b"x"


async def test_groups(bearer: RawBearer) -> None:
    for kind, primary in ((PRIMARY_SERVICE, True), (SECONDARY_SERVICE, False)):
        assert await bearer.groups(kind) == [
            (service["handle"], service["end_handle"], uuid_octets(service["uuid"]))
            for service in HANDLES.database.services
            if service["primary"] == primary
        ]
    for uuid in ("2803", "2802", "2a00", custom(1)):
        answer = await bearer.ask(by_type(0x10, 1, 0xFFFF, uuid))
        assert answer == error(0x10, 1, UNSUPPORTED_GROUP), uuid


# Reading


async def test_handles_with_nothing_behind_them(bearer: RawBearer) -> None:
    for handle in (0x0000, HANDLES.last + 1, 0xFFFF):
        for request in (
            handle_request(0x0A, handle),
            read_blob(handle, 0),
            handle_request(0x12, handle, b"x"),
            struct.pack("<BHH", 0x16, handle, 0) + b"x",
        ):
            assert await bearer.ask(request) == error(request[0], handle, INVALID_HANDLE)
        assert await bearer.is_silent_after(handle_request(0x52, handle, b"x"))


async def test_what_may_not_be_read(bearer: RawBearer) -> None:
    for request in (handle_request(0x0A, HANDLES.write_only), read_blob(HANDLES.write_only, 0)):
        assert await bearer.ask(request) == error(request[0], HANDLES.write_only, READ_NOT_PERMITTED)


async def test_declarations_are_values_like_others(bearer: RawBearer) -> None:
    for entry in HANDLES.database.attributes():
        if entry.type in ("2800", "2801", "2803"):
            assert await bearer.ask(handle_request(0x0A, entry.handle)) == b"\x0b" + entry.value


async def test_read_blob_at_every_kind_of_offset(bearer: RawBearer) -> None:
    assert await bearer.ask(read_blob(HANDLES.long, 0)) == b"\x0d" + LONG[:22]
    assert await bearer.ask(read_blob(HANDLES.long, 22)) == b"\x0d" + LONG[22:44]
    assert await bearer.ask(read_blob(HANDLES.long, 299)) == b"\x0d" + LONG[299:]
    assert await bearer.ask(read_blob(HANDLES.long, 300)) == b"\x0d", "the end is no error"
    for offset in (301, 0xFFFF):
        assert await bearer.ask(read_blob(HANDLES.long, offset)) == error(0x0C, HANDLES.long, 0x07)


async def test_read_blob_of_a_short_value(bearer: RawBearer) -> None:
    """Attribute Not Long may be said of a value of fixed length, or it is read like others. Spec: 3.4.4.5."""
    answer = await bearer.ask(read_blob(HANDLES.short, 2))
    assert answer in (b"\x0d" + SHORT[2:], error(0x0C, HANDLES.short, NOT_LONG)), answer.hex()


async def test_read_multiple(bearer: RawBearer) -> None:
    answer = await bearer.ask(read_multiple(0x0E, [HANDLES.short, HANDLES.empty, HANDLES.longer]))
    assert answer == b"\x0f" + SHORT + b"longer"
    both = await bearer.ask(read_multiple(0x0E, [HANDLES.short] * 2))
    assert both == b"\x0f" + SHORT * 2


@pytest.mark.known_difference("read-multiple-cut")
async def test_read_multiple_fills_the_mtu(bearer: RawBearer) -> None:
    answer = await bearer.ask(read_multiple(0x0E, [HANDLES.short, HANDLES.long]))
    assert answer == b"\x0f" + (SHORT + LONG)[:22]


@pytest.mark.parametrize("opcode", [0x0E, 0x20])
@pytest.mark.known_difference("read-multiple-errors")
async def test_read_multiple_names_the_handle_that_fails(opcode: int, bearer: RawBearer) -> None:
    for handle, code in ((0, INVALID_HANDLE), (0xFFFF, INVALID_HANDLE), (HANDLES.write_only, 0x02)):
        answer = await bearer.ask(read_multiple(opcode, [HANDLES.short, handle, HANDLES.other]))
        assert answer == error(opcode, handle, code), answer.hex()


async def test_read_multiple_variable(bearer: RawBearer) -> None:
    answer = await bearer.ask(read_multiple(0x20, [HANDLES.short, HANDLES.empty, HANDLES.longer]))
    assert answer == b"\x21\x05\x00" + SHORT + b"\x00\x00" + b"\x06\x00longer"


@pytest.mark.known_difference("read-multiple-variable-cut")
async def test_read_multiple_variable_tells_the_length_of_what_it_cuts(bearer: RawBearer) -> None:
    """Spec: 3.4.4.12: the length is that of the whole value, of which what fits is sent."""
    answer = await bearer.ask(read_multiple(0x20, [HANDLES.short, HANDLES.long]))
    assert answer == (b"\x21\x05\x00" + SHORT + struct.pack("<H", 300) + LONG)[:23], answer.hex()


# What is no request


MALFORMED = """
    02 00               one octet short
    02 17 00 00         one too many
    04 01 00 ff
    04 01 00 ff ff 00
    06 01 00 ff ff 00
    08 01 00 ff ff
    08 01 00 ff ff 03
    08 01 00 ff ff 03 28 00
    08 01 00 ff ff 03 28 00 00      4 octets are no UUID on this wire
    0a
    0a 03
    0a 03 00 00
    0c 03 00 00
    0c 03 00 00 00 00
    0e
    0e 03
    0e 03 00 05
    10 01 00 ff ff 00 28 00
    12
    12 03
    16 03 00 00
    18
    18 00 00
    18 02               only 0 and 1 are flags
    20 03 00 05
"""


@pytest.mark.known_difference("malformed-requests")
async def test_malformed_requests_are_invalid_pdus(bearer: RawBearer) -> None:
    wrong: dict[str, str] = {}
    for line in MALFORMED.strip().splitlines():
        pdu = bytes.fromhex(line.strip().split("  ")[0])
        answer = await bearer.ask(pdu)
        if answer != error(pdu[0], 0, INVALID_PDU):
            wrong[pdu.hex(" ")] = answer.hex(" ")
    assert wrong == {}
    assert await bearer.ask(handle_request(0x0A, HANDLES.short)) == b"\x0b" + SHORT


@pytest.mark.known_difference("unknown-requests")
async def test_unknown_requests_are_not_supported(bearer: RawBearer) -> None:
    for opcode in (0x00, 0x1A, 0x24, 0x2A, 0x3E):
        for payload in (b"", b"\x01\x00", bytes(22)):
            assert await bearer.ask(bytes([opcode]) + payload) == error(opcode, 0, NOT_SUPPORTED)


async def test_unknown_commands_are_ignored(bearer: RawBearer) -> None:
    """The command bit says that nobody waits for an answer. Spec: 3.3.1."""
    for opcode in (0x40, 0x4A, 0x7E, 0xC0, 0xD2, 0xFE):
        for payload in (b"", b"\x01\x00", bytes(22)):
            assert await bearer.is_silent_after(bytes([opcode]) + payload), hex(opcode)


async def test_responses_that_nobody_asked_for_are_ignored(bearer: RawBearer) -> None:
    for pdu in ("01 0a 03 00 01", "03 17 00", "0b", "13", "19", "1e", "1b 03 00 78"):
        assert await bearer.is_silent_after(bytes.fromhex(pdu)), pdu


async def test_a_pdu_without_an_opcode_is_ignored(bearer: RawBearer) -> None:
    assert await bearer.is_silent_after(b"")


async def test_requests_that_do_not_wait_are_answered_in_order(bearer: RawBearer) -> None:
    """Against the specification, and many a client does it."""
    requests = [handle_request(0x0A, handle) for handle in (HANDLES.short, HANDLES.other, HANDLES.last)]
    for request in requests:
        bearer.send(request)
    assert [await bearer.next() for _ in requests] == [
        b"\x0b" + value for value in (SHORT, b"other", b"last")
    ]
