# SPDX-License-Identifier: Apache-2.0
"""Proves what our ATT server does with writes, prepared writes and subscriptions, by PDUs put together by hand.

Like `test_server_raw.py` against Bumble's server as well. Spec: Core v5.4, Vol 3, Part F, 3.4.5 to 3.4.7.
"""

from __future__ import annotations

import struct

import pytest

from peers.central import Central
from peers.database import Database
from peers.databases import LONGEST_VALUE, begun, custom, octets
from peers.raw import (
    INVALID_HANDLE,
    INVALID_LENGTH,
    INVALID_OFFSET,
    QUEUE_FULL,
    WRITE_NOT_PERMITTED,
    RawBearer,
    error,
    execute_write,
    handle_request,
    prepare_write,
)

NOTHING, NOTIFY, INDICATE = b"\x00\x00", b"\x01\x00", b"\x02\x00"
CANCEL, WRITE = 0, 1


class Handles:
    """The database of these tests, and where things are in it."""

    def __init__(self) -> None:
        self.database: Database = begun()
        database = self.database
        self.name = 3
        database.service("fff0")
        self.value = database.characteristic("fff1", "read write", b"before")
        self.other = database.characteristic(custom(1), "read write", octets(40))
        self.read_only = database.characteristic("fff2", "read", b"fixed")
        self.command = database.characteristic("fff3", "read write_without_response", b"before")
        self.notified = database.characteristic("fff4", "read notify", b"n")
        self.notify_cccd = self.notified + 1
        self.indicated = database.characteristic(custom(2), "read indicate", b"i")
        self.indicate_cccd = self.indicated + 1
        self.description = database.descriptor("2901", b"fixed")


HANDLES = Handles()


@pytest.fixture
def database() -> Database:
    return HANDLES.database


# Writing at once


async def test_a_write_replaces_the_whole_value(bearer: RawBearer) -> None:
    for value in (b"longer than before", b"x", b"", octets(20)):
        await bearer.write(HANDLES.value, value)
        assert await bearer.read(HANDLES.value) == value


async def test_a_write_as_long_as_the_mtu_allows(bearer: RawBearer) -> None:
    mtu = await bearer.exchange_mtu(515)
    value = octets(min(mtu - 3, LONGEST_VALUE))
    await bearer.write(HANDLES.value, value)
    assert await bearer.read(HANDLES.value) == value


async def test_a_write_command_is_never_answered(bearer: RawBearer) -> None:
    assert await bearer.is_silent_after(handle_request(0x52, HANDLES.command, b"after"))
    assert await bearer.read(HANDLES.command) == b"after"
    assert await bearer.is_silent_after(handle_request(0x52, HANDLES.read_only, b"after"))
    assert await bearer.read(HANDLES.read_only) == b"fixed"


async def test_commands_are_carried_out_in_order(bearer: RawBearer) -> None:
    for number in range(300):
        bearer.send(handle_request(0x52, HANDLES.command, struct.pack("<H", number)))
    assert await bearer.read(HANDLES.command) == struct.pack("<H", 299)


async def test_what_may_not_be_written(bearer: RawBearer) -> None:
    for handle in (HANDLES.read_only, HANDLES.description, HANDLES.name):
        assert await bearer.ask(handle_request(0x12, handle, b"x")) == error(
            0x12, handle, WRITE_NOT_PERMITTED
        )


@pytest.mark.known_difference("declarations-writable")
async def test_declarations_may_not_be_written(bearer: RawBearer) -> None:
    for handle in (1, 2, HANDLES.value - 1):
        assert await bearer.ask(handle_request(0x12, handle, b"x")) == error(
            0x12, handle, WRITE_NOT_PERMITTED
        )


async def test_a_signed_write_without_a_key_is_ignored(bearer: RawBearer) -> None:
    """There is no pairing, so no signature can be right. Spec: Vol 3, Part F, 3.4.5.4."""
    pdu = handle_request(0xD2, HANDLES.command, b"after") + bytes(12)
    assert await bearer.is_silent_after(pdu)
    assert await bearer.read(HANDLES.command) == b"before"


# Writing in parts


async def prepare(bearer: RawBearer, handle: int, offset: int, part: bytes) -> None:
    request = prepare_write(handle, offset, part)
    answer = await bearer.ask(request)
    assert answer == b"\x17" + request[1:], "what was prepared comes back: " + answer.hex()


async def test_prepared_parts_are_written_when_executed_and_not_before(bearer: RawBearer) -> None:
    value = octets(LONGEST_VALUE)
    for offset in range(0, LONGEST_VALUE, 18):
        await prepare(bearer, HANDLES.value, offset, value[offset : offset + 18])
    assert await bearer.read(HANDLES.value) == b"before"
    assert await bearer.ask(execute_write(WRITE)) == b"\x19"
    assert await bearer.read(HANDLES.value) == value
    assert await bearer.ask(execute_write(WRITE)) == b"\x19", "nothing is left to write"
    assert await bearer.read(HANDLES.value) == value


async def test_several_values_in_one_go(bearer: RawBearer) -> None:
    await prepare(bearer, HANDLES.value, 0, b"one ")
    await prepare(bearer, HANDLES.other, 0, b"other")
    await prepare(bearer, HANDLES.value, 4, b"more")
    assert await bearer.ask(execute_write(WRITE)) == b"\x19"
    assert await bearer.read(HANDLES.value) == b"one more"
    assert (await bearer.read(HANDLES.other))[:5] == b"other"


async def test_cancelled_parts_are_gone(bearer: RawBearer) -> None:
    await prepare(bearer, HANDLES.value, 0, b"never")
    assert await bearer.ask(execute_write(CANCEL)) == b"\x19"
    assert await bearer.ask(execute_write(WRITE)) == b"\x19"
    assert await bearer.read(HANDLES.value) == b"before"


async def test_what_may_not_be_prepared(bearer: RawBearer) -> None:
    for handle, code in ((0, INVALID_HANDLE), (0xFFFF, INVALID_HANDLE)):
        assert await bearer.ask(prepare_write(handle, 0, b"x")) == error(0x16, handle, code)


@pytest.mark.known_difference("prepare-unchecked")
async def test_what_may_not_be_written_may_not_be_prepared(bearer: RawBearer) -> None:
    """The permissions are those of a Write Request, checked at once. Spec: 3.4.6.1."""
    answer = await bearer.ask(prepare_write(HANDLES.read_only, 0, b"x"))
    assert answer == error(0x16, HANDLES.read_only, WRITE_NOT_PERMITTED)


async def test_offsets_and_lengths_are_judged_when_executed(bearer: RawBearer) -> None:
    """And what was prepared is gone then, whatever the outcome. Spec: 3.4.6.3."""
    for offset, part, code in ((0xFFFF, b"x", INVALID_OFFSET), (600, b"x", INVALID_OFFSET)):
        await prepare(bearer, HANDLES.value, offset, part)
        assert await bearer.ask(execute_write(WRITE)) == error(0x18, HANDLES.value, code)
    for offset in range(0, LONGEST_VALUE + 18, 18):
        await prepare(bearer, HANDLES.value, offset, bytes(18))
    assert await bearer.ask(execute_write(WRITE)) == error(0x18, HANDLES.value, INVALID_LENGTH)
    assert await bearer.ask(execute_write(WRITE)) == b"\x19"
    assert await bearer.read(HANDLES.value) == b"before"


async def test_one_bad_part_spoils_the_rest(bearer: RawBearer) -> None:
    """All are judged before the first is written, so that a reliable write is whole or none."""
    await prepare(bearer, HANDLES.value, 0, b"half")
    await prepare(bearer, HANDLES.other, 600, b"bad")
    assert await bearer.ask(execute_write(WRITE)) == error(0x18, HANDLES.other, INVALID_OFFSET)
    assert await bearer.read(HANDLES.value) == b"before"


async def test_the_queue_has_an_end_and_can_be_emptied(bearer: RawBearer) -> None:
    for count in range(10_000):
        answer = await bearer.ask(prepare_write(HANDLES.value, 0, bytes(18)))
        if answer[0] != 0x17:
            break
    assert answer == error(0x16, HANDLES.value, QUEUE_FULL)
    assert count >= LONGEST_VALUE // 18, "one longest value fits at the smallest MTU"
    again = await bearer.ask(prepare_write(HANDLES.other, 0, bytes(18)))
    assert again == error(0x16, HANDLES.other, QUEUE_FULL), "for every value"
    assert await bearer.ask(execute_write(CANCEL)) == b"\x19"
    await prepare(bearer, HANDLES.value, 0, b"after")
    assert await bearer.ask(execute_write(WRITE)) == b"\x19"
    assert (await bearer.read(HANDLES.value))[:5] == b"after"


async def reconnected(bearer: RawBearer, central: Central) -> RawBearer:
    """A new link between the same two."""
    address = bearer.connection.peer_address
    await bearer.connection.disconnect()
    await central.find()
    return RawBearer(await central.device.connect(address, timeout=10))


async def test_what_was_prepared_ends_with_the_link(bearer: RawBearer, raw_central: Central) -> None:
    await prepare(bearer, HANDLES.value, 0, b"never")
    bearer = await reconnected(bearer, raw_central)
    assert await bearer.ask(execute_write(WRITE)) == b"\x19"
    assert await bearer.read(HANDLES.value) == b"before"


# Subscribing


async def test_a_subscription_is_what_was_written(bearer: RawBearer) -> None:
    for cccd, bits in ((HANDLES.notify_cccd, NOTIFY), (HANDLES.indicate_cccd, INDICATE)):
        assert await bearer.read(cccd) == NOTHING
        await bearer.write(cccd, bits)
        assert await bearer.read(cccd) == bits
        await bearer.write(cccd, NOTHING)
        assert await bearer.read(cccd) == NOTHING


async def test_a_subscription_ends_with_the_link(bearer: RawBearer, raw_central: Central) -> None:
    """Without a bond there is nothing to remember it by. Spec: Vol 3, Part G, 3.3.3.3."""
    await bearer.write(HANDLES.notify_cccd, NOTIFY)
    bearer = await reconnected(bearer, raw_central)
    assert await bearer.read(HANDLES.notify_cccd) == NOTHING


@pytest.mark.known_difference("cccd-length-unchecked")
async def test_a_subscription_is_two_octets(bearer: RawBearer) -> None:
    await bearer.write(HANDLES.notify_cccd, NOTIFY)
    for value in (b"", b"\x00", b"\x00\x00\x00"):
        request = handle_request(0x12, HANDLES.notify_cccd, value)
        assert await bearer.ask(request) == error(0x12, HANDLES.notify_cccd, INVALID_LENGTH), value
        assert await bearer.read(HANDLES.notify_cccd) == NOTIFY


async def test_a_subscription_that_the_characteristic_does_not_have(bearer: RawBearer) -> None:
    """To refuse it (0xFD, or 0x13) or to take it is right; what is refused is not kept."""
    answer = await bearer.ask(handle_request(0x12, HANDLES.notify_cccd, INDICATE))
    assert answer == b"\x13" or answer[:4] == error(0x12, HANDLES.notify_cccd, 0)[:4], answer.hex()
    assert (await bearer.read(HANDLES.notify_cccd) == INDICATE) == (answer == b"\x13")


async def test_a_subscription_in_parts(bearer: RawBearer) -> None:
    """A descriptor may be written the long way too. Spec: Vol 3, Part G, 4.12.4."""
    await prepare(bearer, HANDLES.notify_cccd, 0, NOTIFY[:1])
    await prepare(bearer, HANDLES.notify_cccd, 1, NOTIFY[1:])
    assert await bearer.ask(execute_write(WRITE)) == b"\x19"
    assert await bearer.read(HANDLES.notify_cccd) == NOTIFY


async def test_an_indication_to_a_server_is_confirmed_too(bearer: RawBearer) -> None:
    """Whoever gets one confirms it, whether it is of use or not. Spec: 3.4.7.3."""
    assert await bearer.ask(handle_request(0x1D, 0x0003, b"x")) == b"\x1e"
