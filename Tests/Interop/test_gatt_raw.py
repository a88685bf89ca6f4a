# SPDX-License-Identifier: Apache-2.0
"""Proves our central against a device that sends by hand what Bumble's server never does.

Its requests are still answered by Bumble. Spec: Core v5.4, Vol 3, Part F, 3.4.
"""

from __future__ import annotations

import struct

import pytest

from lantern import DONE, Lantern, Run
from peers.bench import Bench
from peers.databases import begun, custom
from peers.raw import (
    ATT_CID,
    ERROR,
    INVALID_PDU,
    NOT_SUPPORTED,
    RawChannel,
    by_type,
    error,
    find_information,
    handle_request,
)
from peers.tree_gadget import TreeGadget

NOTIFY, INDICATE, CONFIRM, MULTIPLE = 0x1B, 0x1D, b"\x1e", 0x23
WATCHED, OTHER, BOTH = "fff1", custom(1), "fff2"


def is_from_a_server(pdu: bytes) -> bool:
    """Responses are odd; so is whatever else a server sends. A confirmation is a client's, and is kept too."""
    return pdu[:1] == CONFIRM or bool(pdu and pdu[0] & 1)


class Watched:
    """A device that our `gatt watch` is connected to, and what it gets to hear."""

    def __init__(self, gadget: TreeGadget, run: Run, handle: int) -> None:
        self.gadget = gadget
        self.run = run
        self.handle = handle
        self.channel = RawChannel(gadget.connection, ATT_CID, is_from_a_server)

    def send(self, pdu: bytes) -> None:
        self.channel.send(pdu)

    async def ask(self, pdu: bytes) -> bytes:
        return await self.channel.ask(pdu)

    async def assert_shows(self, *values: bytes) -> None:
        """Nothing else has been shown, and what is notified next still is."""
        self.send(handle_request(NOTIFY, self.handle, b"alive"))
        expected = [*values, b"alive"]
        await self.run.wait_for("value_received", len(expected))
        assert [bytes.fromhex(line["octets"]) for line in self.run.events("value_received")] == expected
        assert {line["handle"] for line in self.run.events("value_received")} == {self.handle}
        assert (await self.run.interrupt()).status == DONE


async def watch(bench: Bench, lantern: Lantern, uuid: str = WATCHED) -> Watched:
    database = begun()
    database.service("fff0")
    handles = {
        WATCHED: database.characteristic(WATCHED, "read notify", b"x"),
        OTHER: database.characteristic(OTHER, "notify indicate"),
        BOTH: database.characteristic(BOTH, "notify indicate"),
    }
    gadget = TreeGadget(bench, database)
    await gadget.start()
    run = await lantern.start("gatt", "watch", gadget.address, uuid, "--json")
    await gadget.wait_for("subscribe", f"0x{handles[uuid]:04x}")
    return Watched(gadget, run, handles[uuid])


async def test_what_was_not_asked_for_is_not_shown(bench: Bench, lantern: Lantern) -> None:
    watched = await watch(bench, lantern)
    for handle in (0x0000, watched.handle - 1, watched.handle + 1, watched.handle + 3, 0xFFFF):
        watched.send(handle_request(NOTIFY, handle, b"no"))
    await watched.assert_shows()


async def test_every_indication_is_confirmed(bench: Bench, lantern: Lantern) -> None:
    """Wanted or not, and once each. Spec: 3.4.7.3."""
    watched = await watch(bench, lantern)
    for handle in (watched.handle + 3, 0x0000, 0xFFFF):
        assert await watched.ask(handle_request(INDICATE, handle, b"no")) == CONFIRM
        assert await watched.ask(handle_request(INDICATE, handle)) == CONFIRM
    await watched.assert_shows()


async def test_several_values_in_one_notification(bench: Bench, lantern: Lantern) -> None:
    """Spec: 3.4.7.4."""
    watched = await watch(bench, lantern)
    pairs = (
        (watched.handle, b"one"),
        (watched.handle + 3, b"no"),
        (watched.handle, b""),
        (watched.handle, b"two"),
    )
    watched.send(
        bytes([MULTIPLE])
        + b"".join(struct.pack("<HH", handle, len(value)) + value for handle, value in pairs)
    )
    await watched.assert_shows(b"one", b"", b"two")


async def test_malformed_and_unknown_pdus_do_no_harm(bench: Bench, lantern: Lantern) -> None:
    """Only an unknown opcode without the command bit may be taken for a request, and refused. Spec: 3.3."""
    watched = await watch(bench, lantern)
    low, high = struct.pack("<H", watched.handle)
    for pdu in (
        "",
        "1b",
        f"1b {low:02x}",
        "23",
        f"23 {low:02x} {high:02x}",
        "01",
        "01 0a 03 00",
        "0b",
        "13",
        "1f",
        "25 00",
        "3f 00",
        "41",
        "7f 00",
        "52 03 00 78",
        "d2 03 00 78",
        "ff",
    ):
        watched.send(bytes.fromhex(pdu))
    await watched.assert_shows()
    may_come = {error(opcode, 0, NOT_SUPPORTED) for opcode in (0x1F, 0x25, 0x3F)}
    assert set(watched.channel.received) <= may_come


async def test_a_central_is_a_server_too(bench: Bench, lantern: Lantern) -> None:
    """Requests of the device are answered, if only with an error. Spec: Vol 3, Part G, 2.1, and Part C, 12."""
    watched = await watch(bench, lantern)
    mtu = await watched.ask(struct.pack("<BH", 0x02, 100))
    assert mtu[0] == 0x03 and len(mtu) == 3 or mtu == error(0x02, 0, NOT_SUPPORTED), mtu.hex()
    for request in (
        by_type(0x10, 1, 0xFFFF, "2800"),
        by_type(0x08, 1, 0xFFFF, "2803"),
        find_information(1, 0xFFFF),
        handle_request(0x0A, 0x0003),
        handle_request(0x12, 0xFFFF, b"x"),
    ):
        answer = await watched.ask(request)
        assert answer[0] == request[0] + 1 or answer[:2] == bytes([ERROR, request[0]]), answer.hex()
    assert await watched.ask(bytes([0x2A])) == error(0x2A, 0, NOT_SUPPORTED)
    assert await watched.ask(bytes([0x0A])) == error(0x0A, 0, INVALID_PDU)
    await watched.assert_shows()


@pytest.mark.parametrize("kind", ["notify", "indicate"])
async def test_a_characteristic_that_does_both(kind: str, bench: Bench, lantern: Lantern) -> None:
    """The client asks for one of the two or both; what it asked for, it shows by its kind."""
    watched = await watch(bench, lantern, BOTH)
    [subscribers] = watched.gadget.device.gatt_server.subscribers.values()
    bits = subscribers[watched.handle][0]
    assert bits in (1, 2, 3)
    if bits & (1 if kind == "notify" else 2):
        if kind == "notify":
            watched.send(handle_request(NOTIFY, watched.handle, b"value"))
        else:
            assert await watched.ask(handle_request(INDICATE, watched.handle, b"value")) == CONFIRM
        [line] = await watched.run.wait_for("value_received")
        assert (line["octets"], line["kind"]) == (b"value".hex(), kind)
    assert (await watched.run.interrupt()).status == DONE


async def test_one_mtu_exchange_in_a_connection(bench: Bench, lantern: Lantern) -> None:
    """Spec: 3.4.2.1."""
    gadget = TreeGadget(bench, begun())
    await gadget.start()
    for count in (1, 2):
        assert (await lantern.run("gatt", "tree", gadget.address, "--json")).status == DONE
        asked = [pdu for pdu in gadget.att_requests if pdu.name == "ATT_EXCHANGE_MTU_REQUEST"]
        assert len(asked) == count and all(pdu.client_rx_mtu == 517 for pdu in asked)
