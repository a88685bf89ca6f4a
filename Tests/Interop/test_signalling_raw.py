# SPDX-License-Identifier: Apache-2.0
"""Proves L2CAP's LE signalling and the channels nobody has, by PDUs put together by hand, in both roles.

As a peripheral we are compared with Bumble. Spec: Core v5.4, Vol 3, Part A, 4.
"""

from __future__ import annotations

import struct

import pytest

from lantern import DONE, Lantern
from peers.bench import Bench
from peers.database import Database
from peers.databases import begun
from peers.raw import SMP_CID, RawBearer, RawChannel, find_information
from peers.signalling import (
    MTU_EXCEEDED,
    NOT_UNDERSTOOD,
    PARAMETER_UPDATE_REQUEST,
    PARAMETER_UPDATE_RESPONSE,
    UNKNOWN_CODE,
    Signalling,
    command,
    reject,
)
from peers.tree_gadget import TreeGadget

PAIRING_REQUEST = bytes.fromhex("01 03 00 01 10 01 01")
PAIRING_NOT_SUPPORTED = bytes.fromhex("05 05")


@pytest.fixture
def database() -> Database:
    return begun()


@pytest.fixture
def signalling(bearer: RawBearer) -> Signalling:
    channel = Signalling(bearer.connection)
    channel.patience = bearer.patience
    return channel


async def assert_att_works(bearer: RawBearer) -> None:
    assert (await bearer.ask(find_information(1, 1))).hex() == "050101000028"


# As a peripheral


async def test_unknown_commands_are_rejected(signalling: Signalling, bearer: RawBearer) -> None:
    for code in (0x00, 0x1B, 0x30, 0x7F, 0xFF):
        for data in (b"", b"\x01", bytes(19)):
            assert await signalling.ask(command(code, 0x21, data)) == reject(0x21, NOT_UNDERSTOOD), hex(code)
    await assert_att_works(bearer)


@pytest.mark.known_difference("classic-signalling")
async def test_commands_of_the_other_transport_are_rejected(signalling: Signalling) -> None:
    """Connection, configuration, echo and information are none of an LE link. Spec: 4, table 4.2."""
    for code, data in ((0x02, "01004000"), (0x04, "40000000"), (0x08, ""), (0x0A, "0200")):
        assert await signalling.ask(command(code, 0x22, bytes.fromhex(data))) == reject(
            0x22, NOT_UNDERSTOOD
        ), hex(code)


async def test_a_command_beyond_the_mtu_is_rejected(signalling: Signalling) -> None:
    """Either for its length, with the MTU of the channel, or because it is unknown, if that MTU is greater."""
    answer = await signalling.ask(command(UNKNOWN_CODE, 0x23, bytes(100)))
    too_long = reject(0x23, MTU_EXCEEDED)[:6]
    if answer[4:6] == too_long[4:6]:
        assert answer[:2] == too_long[:2] and int.from_bytes(answer[6:], "little") >= 23, answer.hex()
    else:
        assert answer == reject(0x23, NOT_UNDERSTOOD), answer.hex()


async def test_lengths_that_lie_do_no_harm(signalling: Signalling, bearer: RawBearer) -> None:
    """They may be dropped or rejected; what follows is understood."""
    for pdu in ("", "ee", "ee 24", "ee 24 00", "ee 24 05 00", "ee 24 ff ff 00", "ee 24 00 00 00"):
        for answer in await signalling.settle(bytes.fromhex(pdu)):
            assert answer[:2] == b"\x01\x24", (pdu, answer.hex())
    await assert_att_works(bearer)


async def test_an_identifier_of_zero_does_no_harm(signalling: Signalling, bearer: RawBearer) -> None:
    """It is never to be used. Spec: 4."""
    for answer in await signalling.settle(command(UNKNOWN_CODE, 0)):
        assert answer[:2] == b"\x01\x00", answer.hex()
    await assert_att_works(bearer)


async def test_responses_that_nobody_asked_for_are_ignored(signalling: Signalling) -> None:
    for code, data in (
        (0x01, "0000"),
        (0x07, "40004100"),
        (0x13, "0000"),
        (0x15, "40000001000101000000"),
        (0x18, "0001000101000000"),
    ):
        assert await signalling.is_silent_after(command(code, 0x25, bytes.fromhex(data))), hex(code)


@pytest.mark.known_difference("parameter-update-by-a-central")
async def test_a_central_does_not_ask_for_parameters(signalling: Signalling) -> None:
    """It has no need to; a peripheral rejects the command. Spec: 4.20."""
    request = command(PARAMETER_UPDATE_REQUEST, 0x26, struct.pack("<HHHH", 24, 40, 0, 100))
    assert await signalling.ask(request) == reject(0x26, NOT_UNDERSTOOD)


async def test_credits_for_nothing_do_no_harm(signalling: Signalling, bearer: RawBearer) -> None:
    for cid, credits in ((0, 1), (0x0004, 1), (0x0041, 0), (0x0041, 0xFFFF), (0xFFFF, 1)):
        for answer in await signalling.settle(command(0x16, 0x28, struct.pack("<HH", cid, credits))):
            assert answer[:2] == b"\x01\x28", answer.hex()
    await assert_att_works(bearer)


async def test_channels_that_nobody_has_are_deaf(bearer: RawBearer) -> None:
    for cid in (0x0000, 0x0001, 0x0002, 0x0003, 0x0007, 0x003F, 0x0040, 0x1234, 0xFFFF):
        for payload in (b"", b"\x0a\x03\x00", bytes(64)):
            bearer.connection.send_l2cap_pdu(cid, payload)
    await assert_att_works(bearer)


@pytest.mark.known_difference("bumble-pairs")
async def test_pairing_is_not_supported(bearer: RawBearer) -> None:
    """Spec: Vol 3, Part H, 3.5.5."""
    smp = RawChannel(bearer.connection, SMP_CID)
    smp.patience = bearer.patience
    for _ in range(3):
        assert await smp.ask(PAIRING_REQUEST) == PAIRING_NOT_SUPPORTED
    await assert_att_works(bearer)


# As a central


async def watched(bench: Bench, lantern: Lantern) -> TreeGadget:
    """A Bumble device that our central is connected to."""
    database = begun()
    database.service("fff0")
    database.characteristic("fff1", "notify")
    gadget = TreeGadget(bench, database)
    await gadget.start()
    await lantern.start("gatt", "watch", gadget.address, "fff1", "--count", "1", "--json")
    await gadget.wait_for("subscribe")
    return gadget


async def assert_watch_goes_on(gadget: TreeGadget, lantern: Lantern) -> None:
    [characteristic] = gadget.server.characteristics.values()
    await gadget.notify(characteristic, b"alive")
    result = await lantern.runs[-1].finish()
    values = [line["octets"] for line in result.lines if line.get("event") not in ("security_refused", "malformed_pdu")]
    assert (result.status, values) == (DONE, [b"alive".hex()])


@pytest.mark.parametrize(
    ("parameters", "result"),
    [
        ((24, 40, 0, 100), 0),
        ((6, 6, 0, 10), 0),
        ((3200, 3200, 0, 3200), 0),
        ((24, 40, 499, 3200), 1),  # The link would be lost before the device has to answer.
        ((40, 24, 0, 100), 1),
        ((5, 40, 0, 100), 1),
        ((24, 3201, 0, 3200), 1),
        ((24, 40, 500, 3200), 1),
        ((24, 40, 0, 9), 1),
        ((24, 40, 0, 3201), 1),
        ((800, 800, 0, 100), 1),
        ((0, 0, 0, 0), 1),
        ((0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF), 1),
    ],
)
async def test_a_peripheral_may_ask_for_parameters(
    parameters: tuple[int, int, int, int], result: int, bench: Bench, lantern: Lantern
) -> None:
    """Intervals of 6 to 3200, latency below 500, time-out of 10 to 3200 and long enough. Spec: 4.20."""
    gadget = await watched(bench, lantern)
    signalling = Signalling(gadget.connection)
    request = command(PARAMETER_UPDATE_REQUEST, 0x31, struct.pack("<HHHH", *parameters))
    answer = await signalling.ask(request)
    assert answer == command(PARAMETER_UPDATE_RESPONSE, 0x31, struct.pack("<H", result))
    await assert_watch_goes_on(gadget, lantern)


async def test_what_a_peripheral_may_not_ask(bench: Bench, lantern: Lantern) -> None:
    gadget = await watched(bench, lantern)
    signalling = Signalling(gadget.connection)
    refused = command(PARAMETER_UPDATE_RESPONSE, 0x32, b"\x01\x00")
    for length in (0, 7, 9):
        request = command(PARAMETER_UPDATE_REQUEST, 0x32, bytes(length))
        for answer in await signalling.settle(request):
            assert answer == reject(0x32, NOT_UNDERSTOOD) or answer == refused, answer.hex()
    assert await signalling.ask(command(UNKNOWN_CODE, 0x33)) == reject(0x33, NOT_UNDERSTOOD)
    await assert_watch_goes_on(gadget, lantern)


async def test_a_peripheral_that_asks_for_security_is_told_that_there_is_none(
    bench: Bench, lantern: Lantern
) -> None:
    """Security Request: a central without security answers Pairing Not Supported. Spec: Vol 3, Part H, 3.6.7."""
    gadget = await watched(bench, lantern)
    smp = RawChannel(gadget.connection, SMP_CID)
    assert await smp.ask(bytes.fromhex("0b 01")) == PAIRING_NOT_SUPPORTED
    await assert_watch_goes_on(gadget, lantern)
    assert [line.get("event") for line in lantern.runs[-1].lines].count("security_refused") == 1
