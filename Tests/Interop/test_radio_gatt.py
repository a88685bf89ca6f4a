# SPDX-License-Identifier: Apache-2.0
"""Proves GATT over our virtual air: Bumble's hosts on our controllers, with each other and with our host."""

from __future__ import annotations

import asyncio

import pytest
from bumble.device import Peer
from bumble.hci import HCI_ErrorCode

import contract
from lantern import DONE, Lantern
from peers.air import Air, Host, serve
from peers.central import Subscription
from peers.database import Database, bare
from peers.databases import AWKWARD, LONGEST_VALUE, begun, custom, octets
from peers.explorer import assert_seen, assert_serves
from peers.raw import RawBearer
from peers.tree_gadget import TreeServer

GADGET, CENTRAL = "C1:00:00:00:00:01", "C2:00:00:00:00:02"
BURST = 2_000


def limit_fragments(host: Host, length: int) -> None:
    """From now on this host sends ACL packets of at most so many octets."""
    queue = host.device.host.le_acl_packet_queue
    assert queue is not None and queue.max_packet_size >= length
    queue.max_packet_size = length


async def be_gadget(air: Air, database: Database) -> tuple[Host, TreeServer]:
    """A Bumble host on the first controller that serves a database."""
    gadget = await Host.attach(air.ports[0], database.name, GADGET)
    await gadget.device.power_on()
    server = TreeServer(gadget.device, database)
    await gadget.advertise()
    return gadget, server


async def be_central(air: Air) -> Host:
    central = await Host.attach(air.ports[1], "central", CENTRAL)
    await central.device.power_on()
    return central


@pytest.mark.parametrize(
    ("name", "mtu", "acl"),
    [
        ("duplicates", 185, 27),
        ("includes", 23, 27),
        ("descriptors", 247, 27),
        ("gaps", 23, 27),
        ("value_at_the_end", 517, 251),
        ("sizes", 517, 251),
        ("sizes", 185, 27),
    ],
)
async def test_two_bumble_hosts(name: str, mtu: int, acl: int, air: Air) -> None:
    database = AWKWARD[name]()
    gadget, _ = await be_gadget(air, database)
    central = await be_central(air)
    for host in (gadget, central):
        limit_fragments(host, acl)
    peer = await central.connect(GADGET, mtu)
    assert_seen(peer, database)
    bearer = RawBearer(peer.connection)
    bearer.mtu = peer.gatt_client.mtu
    assert bearer.mtu == mtu
    await assert_serves(bearer, database)
    for host in (gadget, central):
        host.vanish()


@pytest.mark.parametrize("name", ["includes", "gaps", "sizes"])
async def test_our_central_and_a_bumble_host(name: str, air: Air, serving: Lantern) -> None:
    gadget, _ = await be_gadget(air, AWKWARD[name]())
    limit_fragments(gadget, 27)
    radio = f"tcp:127.0.0.1:{air.ports[1]}"
    result = await serving.run("gatt", "tree", GADGET, "--json", radio=radio, timeout=60)
    assert result.status == DONE, result
    contract.assert_tree(result.line)
    assert bare(result.line["services"]) == bare(AWKWARD[name]().tree()["services"])
    gadget.vanish()


@pytest.mark.parametrize(("name", "mtu"), [("includes", 517), ("gaps", 23), ("sizes", 247)])
async def test_a_bumble_host_and_our_device(name: str, mtu: int, air: Air, serving: Lantern) -> None:
    database = AWKWARD[name]()
    run = await serving.replay(database, radio=f"tcp:127.0.0.1:{air.ports[0]}")
    central = await be_central(air)
    address = str((await central.find_named(database.name)).address)
    peer = await central.connect(address, mtu)
    assert_seen(peer, database)
    bearer = RawBearer(peer.connection)
    bearer.mtu = peer.gatt_client.mtu
    await assert_serves(bearer, database)
    central.vanish()
    await run.wait_for("link_disconnected")
    assert (await run.interrupt()).status == DONE


async def connect_despite_losses(central: Host, mtu: int) -> Peer:
    """A lost CONNECT_IND is a connection that fails to be established, and is tried again."""
    for _ in range(10):
        try:
            return await central.connect(GADGET, mtu)
        except asyncio.CancelledError:  # Bumble's word for a request whose link has gone.
            assert central.disconnections[-1] == HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR
    raise AssertionError("no connection in ten tries")


async def test_long_writes_and_bursts_on_a_lossy_air(serving: Lantern) -> None:
    """What is lost on the air is sent again, in its order: the link layer loses nothing."""
    air = await serve(serving, "--loss", "0.1", "--seed", "5")
    database = begun()
    database.service("fff0")
    written = database.characteristic("fff1", "read write")
    notified = database.characteristic(custom(1), "notify")
    gadget, server = await be_gadget(air, database)
    central = await be_central(air)
    for host in (gadget, central):
        limit_fragments(host, 27)
    peer = await connect_despite_losses(central, 247)
    await peer.gatt_client.write_value(written, octets(LONGEST_VALUE), with_response=True)
    assert server.written == [(written, octets(LONGEST_VALUE))]
    assert await peer.gatt_client.read_value(written) == octets(LONGEST_VALUE)

    [proxy] = [entry for entry in peer.services[-1].characteristics if entry.handle == notified]
    subscription = Subscription(proxy)
    await proxy.subscribe(subscription.on_notification)
    [connection] = gadget.connections
    sent = [number.to_bytes(2, "big") + bytes(number % 60) for number in range(BURST)]
    for value in sent:
        await gadget.device.notify_subscriber(connection, server.characteristics[notified], value)
    await subscription.changes.wait_until(
        lambda: len(subscription.notifications) >= BURST, 60, f"{BURST} notifications"
    )
    assert [notification.value for notification in subscription.notifications] == sent
    for host in (gadget, central):
        host.vanish()
    assert (await air.run.interrupt()).status == DONE
