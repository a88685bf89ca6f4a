# SPDX-License-Identifier: Apache-2.0
"""Proves the Bluetooth 5 side of `lantern radio serve`, and its places, latency and changes."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator

import pytest
from bumble.core import PhysicalTransport
from bumble.device import (
    AdvertisingEventProperties,
    AdvertisingParameters,
    AdvertisingSet,
    ConnectionParametersPreferences,
    Peer,
)
from bumble.hci import Address, HCI_Error, HCI_ErrorCode, LeFeatureMask, Phy

from lantern import DONE, NOTHING_FOUND, Lantern
from peers.air import LONG_VALUE, VALUE, Air, Host, serve

GADGET = "C1:00:00:00:00:01"
CENTRAL = "C2:00:00:00:00:02"
FLOCKFINDER = "C0:FF:EE:F1:0C:01"


async def attach_two(air: Air) -> tuple[Host, Host]:
    gadget = await Host.attach(air.ports[0], "gadget", GADGET)
    central = await Host.attach(air.ports[1], "central", CENTRAL)
    return gadget, central


@pytest.fixture
async def hosts(air: Air) -> AsyncIterator[tuple[Host, Host]]:
    gadget, central = await attach_two(air)
    await gadget.device.power_on()
    await central.device.power_on()
    yield gadget, central
    gadget.vanish()
    central.vanish()


def extended(sid: int = 0, secondary: Phy = Phy.LE_1M, **properties: bool) -> AdvertisingParameters:
    return AdvertisingParameters(
        advertising_event_properties=AdvertisingEventProperties(**properties),
        primary_advertising_interval_min=30,
        primary_advertising_interval_max=30,
        secondary_advertising_phy=secondary,
        advertising_sid=sid,
    )


# Two Bumble hosts


async def test_data_that_no_legacy_packet_holds(hosts: tuple[Host, Host]) -> None:
    gadget, central = hosts
    assert gadget.device.supports_le_features(LeFeatureMask.LE_EXTENDED_ADVERTISING | LeFeatureMask.LE_2M_PHY)
    data = bytes([228, 0xFF]) + bytes(range(227))
    await gadget.device.create_advertising_set(
        extended(5, Phy.LE_2M, is_connectable=False), advertising_data=data
    )
    await central.device.start_scanning(active=False)
    await central.changes.wait_until(lambda: bool(central.advertisements), 10, "an advertisement")
    [found, *_] = central.advertisements
    assert (found.address, found.sid, found.secondary_phy) == (Address(GADGET), 5, Phy.LE_2M)
    assert (found.is_legacy, found.is_connectable, found.is_complete) == (False, False, True)
    assert found.data_bytes == data and found.rssi == -40


async def test_several_sets_each_with_its_address(hosts: tuple[Host, Host]) -> None:
    gadget, central = hosts
    addresses = [Address(f"D0:00:00:00:00:{number:02X}") for number in range(4)]
    for number, address in enumerate(addresses):
        await gadget.device.create_advertising_set(
            extended(number, is_connectable=False), random_address=address, advertising_data=bytes([2, 1, number])
        )
    await central.device.start_scanning()
    await central.changes.wait_until(
        lambda: {found.address for found in central.advertisements} == set(addresses), 10, "all four sets"
    )
    for found in central.advertisements:
        assert addresses[found.sid] == found.address and found.data_bytes == bytes([2, 1, found.sid])


async def test_a_set_ends_after_its_events(hosts: tuple[Host, Host]) -> None:
    gadget, central = hosts
    await central.device.start_scanning()
    advertising = await gadget.device.create_advertising_set(
        extended(is_connectable=False), advertising_data=bytes([2, 1, 6]), auto_start=False
    )
    ended: list[int] = []

    def on_termination(status: int) -> None:
        ended.append(status)
        gadget.changes.notify()

    advertising.on(AdvertisingSet.EVENT_TERMINATION, on_termination)
    await advertising.start(max_advertising_events=7)
    await gadget.changes.wait_until(lambda: bool(ended), 10, "the end of the set")
    assert ended == [HCI_ErrorCode.LIMIT_REACHED_ERROR]
    await central.changes.wait_until(lambda: len(central.advertisements) >= 7, 5, "seven advertisements")
    assert len(central.advertisements) == 7
    await advertising.start(duration=0.2)
    await gadget.changes.wait_until(lambda: len(ended) == 2, 10, "the end of the set's time")
    assert ended[1] == HCI_ErrorCode.ADVERTISING_TIMEOUT_ERROR
    await advertising.remove()


async def test_a_link_on_another_phy_and_all_that_can_change_on_it(hosts: tuple[Host, Host]) -> None:
    gadget, central = hosts
    await gadget.device.create_advertising_set(
        extended(secondary=Phy.LE_2M, is_connectable=True), advertising_data=bytes([2, 1, 6])
    )
    fast = ConnectionParametersPreferences(connection_interval_min=7.5, connection_interval_max=7.5)
    connection = await central.device.connect(
        Address(GADGET), PhysicalTransport.LE, {Phy.LE_1M: fast, Phy.LE_2M: fast}, timeout=10
    )
    await gadget.changes.wait_until(lambda: bool(gadget.connections), 5, "the link")
    phy = await connection.get_phy()
    assert (phy.tx_phy, phy.rx_phy) == (Phy.LE_2M, Phy.LE_2M)
    assert await connection.get_rssi() == -40

    changed: list[tuple[int, int]] = []

    def on_phy_update(phy: object) -> None:
        changed.append((phy.tx_phy, phy.rx_phy))  # type: ignore[attr-defined]
        gadget.changes.notify()

    gadget.connections[0].on("connection_phy_update", on_phy_update)
    await connection.set_phy([Phy.LE_1M], [Phy.LE_CODED])
    await gadget.changes.wait_until(lambda: bool(changed), 5, "other PHYs")
    assert changed == [(Phy.LE_CODED, Phy.LE_1M)]

    [mirror] = gadget.connections
    for each in (connection, mirror):
        each.on("connection_parameters_update", gadget.changes.notify)

    async def both_have(interval: float, latency: int) -> None:
        await gadget.changes.wait_until(
            lambda: all(
                (each.parameters.connection_interval, each.parameters.peripheral_latency) == (interval, latency)
                for each in (connection, mirror)
            ),
            5,
            f"an interval of {interval} ms",
        )

    await connection.update_parameters(30, 40, 2, 3000)
    await both_have(40, 2)
    # The peripheral asks, and Bumble's central lets it have its way.
    await mirror.update_parameters(15, 15, 0, 2000)
    await both_have(15, 0)
    await connection.set_data_length(251, 17040)
    await connection.disconnect()
    assert await gadget.wait_for_disconnection() == HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR


async def test_commands_of_both_kinds_are_not_mixed(hosts: tuple[Host, Host]) -> None:
    # Known difference: mixes-commands.
    _, central = hosts
    with pytest.raises(HCI_Error) as error:
        await central.device.start_scanning(legacy=True)
    assert error.value.error_code == HCI_ErrorCode.COMMAND_DISALLOWED_ERROR


async def test_three_hosts_and_a_device_are_linked_at_once(serving: Lantern) -> None:
    air = await serve(serving, "--controllers", "3", "--devices", "flockfinder")
    gadget, central = await attach_two(air)
    third = await Host.attach(air.ports[2], "third", "C3:00:00:00:00:03")
    await gadget.be_gadget()
    await central.device.power_on()
    await third.be_gadget()
    peers = [await central.connect(address) for address in (GADGET, "C3:00:00:00:00:03")]
    await third.find(FLOCKFINDER)
    await third.connect(FLOCKFINDER)
    for peer in peers:
        [proxy] = peer.get_characteristics_by_uuid(VALUE)
        assert await proxy.read_value() == LONG_VALUE
    # One of them dies.
    gadget.vanish()
    await central.wait_for_disconnection()
    [proxy] = peers[1].get_characteristics_by_uuid(VALUE)
    assert await proxy.read_value() == LONG_VALUE
    central.vanish()
    third.vanish()


# Our host


@pytest.mark.parametrize("features", ["extended", "legacy"])
async def test_our_host_and_a_bumble_host(features: str, serving: Lantern) -> None:
    air = await serve(serving, "--features", features)
    gadget = await Host.attach(air.ports[0], "gadget", GADGET)
    await gadget.be_gadget()
    radio = f"tcp:127.0.0.1:{air.ports[1]}"
    scan = await serving.run("scan", "--duration", "2", "--json", radio=radio)
    assert [line["address"] for line in scan.lines][:1] == [GADGET]
    assert any(line["name"] == "gadget" for line in scan.lines), "the name is in the scan response"
    read = await serving.run("gatt", "read", GADGET, str(VALUE).lower(), "--json", radio=radio)
    assert read.status == DONE and json.loads(read.stdout)["octets"] == LONG_VALUE.hex()
    gadget.vanish()


@pytest.mark.parametrize("features", ["extended", "legacy"])
async def test_our_device_and_a_bumble_host(features: str, serving: Lantern) -> None:
    air = await serve(serving, "--features", features)
    device = await serving.start("device", "run", "flockfinder", "--json", radio=f"tcp:127.0.0.1:{air.ports[0]}")
    host = await Host.attach(air.ports[1], "central", CENTRAL)
    await host.device.power_on()
    found = await host.find_named("FlockFinder-S3")
    await host.connect(str(found.address))
    host.vanish()
    assert (await device.interrupt()).status == DONE


# The air


async def test_strength_tells_the_distance_and_beyond_there_is_nothing(serving: Lantern) -> None:
    air = await serve(
        serving, "--devices", "flockfinder", "--at", "flockfinder=10,0", "--at", "1=0,0", "--at", "2=3000,0"
    )
    near, far = (f"tcp:127.0.0.1:{port}" for port in air.ports)
    scan = await serving.run("scan", "--duration", "1", "--json", radio=near)
    assert {line["rssi"] for line in scan.lines} == {-60}
    scan = await serving.run("scan", "--duration", "1", "--json", radio=far)
    assert (scan.status, scan.lines) == (NOTHING_FOUND, [])


async def test_a_device_that_walks_away_is_lost_by_the_supervision_timeout(serving: Lantern) -> None:
    air = await serve(serving, "--control")
    gadget, central = await attach_two(air)
    await gadget.be_gadget()
    await central.device.power_on()
    peer = await central.connect(GADGET)
    air.control("move 1 30,40")
    for _ in range(100):
        if await peer.connection.get_rssi() == -74:
            break
    assert await peer.connection.get_rssi() == -74
    air.control("move 1 2000,0")
    assert await central.wait_for_disconnection() == HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
    assert await gadget.wait_for_disconnection() == HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
    air.control("move nobody 1,1")
    await air.run.wait_until(lambda: "move nobody" in air.run.stderr, "a complaint")
    central.vanish()
    gadget.vanish()


async def test_latency_is_added_to_every_answer(serving: Lantern) -> None:
    air = await serve(serving, "--latency", "40-60")
    gadget, central = await attach_two(air)
    await gadget.be_gadget()
    await central.device.power_on()
    peer = Peer(await central.device.connect(Address(GADGET), timeout=10))
    await peer.discover_all()
    [proxy] = peer.get_characteristics_by_uuid(VALUE)
    before = time.monotonic()
    for _ in range(5):
        await proxy.read_value(no_long_read=True)
    # There and back, five times; more is the scheduler's doing.
    assert time.monotonic() - before >= 5 * 0.08
    central.vanish()
    gadget.vanish()
