# SPDX-License-Identifier: Apache-2.0
"""Proves that of 10 000 notifications and indications none is lost, doubled or out of order."""

from __future__ import annotations

import pytest

from lantern import DONE, Lantern, Run
from peers.bench import Bench
from peers.databases import begun, custom
from peers.tree_gadget import TreeGadget

COUNT = 10_000
NOTIFIED, INDICATED = custom(1), custom(2)


def numbered(number: int, longest: int) -> bytes:
    """Octets of all lengths up to the longest, that begin with a number."""
    return number.to_bytes(4, "big") + bytes([number % 251]) * (number * 37 % (longest - 3))


async def bursting(bench: Bench, mtu: int) -> tuple[TreeGadget, dict[str, int]]:
    database = begun()
    database.service("fff0")
    handles = {
        NOTIFIED: database.characteristic(NOTIFIED, "notify"),
        INDICATED: database.characteristic(INDICATED, "indicate"),
    }
    gadget = TreeGadget(bench, database)
    gadget.device.gatt_server.max_mtu = mtu
    await gadget.start()
    return gadget, handles


async def watch(lantern: Lantern, gadget: TreeGadget, uuid: str, handle: int, count: int) -> Run:
    run = await lantern.start("gatt", "watch", gadget.address, uuid, "--count", str(count), "--json")
    await gadget.wait_for("subscribe", f"0x{handle:04x}")
    return run


async def assert_came(run: Run, sent: list[bytes], kind: str) -> None:
    result = await run.finish(timeout=90)
    assert result.status == DONE, result
    values = [line["octets"] for line in result.lines]
    assert len(values) == len(sent)
    wrong = next((place for place, value in enumerate(values) if value != sent[place].hex()), None)
    assert wrong is None, f"the first that differs is number {wrong}"
    assert {line["kind"] for line in result.lines} == {kind}


@pytest.mark.parametrize(("mtu", "acl"), [(23, 27), (185, 27), (517, 251)])
async def test_notifications(mtu: int, acl: int, bench: Bench, lantern: Lantern) -> None:
    bench.acl_data_length = acl
    gadget, handles = await bursting(bench, mtu)
    run = await watch(lantern, gadget, NOTIFIED, handles[NOTIFIED], COUNT)
    characteristic = gadget.server.characteristics[handles[NOTIFIED]]
    sent = [numbered(number, mtu - 3) for number in range(COUNT)]
    for value in sent:
        await gadget.notify(characteristic, value)
        await gadget.let_flow(most_pending=500)
    await assert_came(run, sent, "notify")


async def test_indications(bench: Bench, lantern: Lantern) -> None:
    """Each is sent when the one before has been confirmed."""
    gadget, handles = await bursting(bench, 247)
    run = await watch(lantern, gadget, INDICATED, handles[INDICATED], COUNT)
    characteristic = gadget.server.characteristics[handles[INDICATED]]
    sent = [numbered(number, 20) for number in range(COUNT)]
    for value in sent:
        await gadget.indicate(characteristic, value)
    await assert_came(run, sent, "indicate")
    confirmations = sum(pdu.name == "ATT_HANDLE_VALUE_CONFIRMATION" for pdu in gadget.att_requests)
    assert confirmations == COUNT
