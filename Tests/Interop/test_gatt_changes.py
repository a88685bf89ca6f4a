# SPDX-License-Identifier: Apache-2.0
"""Proves the Generic Attribute service, both ways round: features, Service Changed, Database Hash, caching.

Spec: Core v5.4, Vol 3, Part G, 2.5.2 and 7.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bumble import crypto
from bumble.att import ATT_Error, ATT_PDU
from bumble.core import UUID
from bumble.gatt import Characteristic
from bumble.profiles.gatt_service import GenericAttributeProfileService

import peers.awkward_gadget as awkward
from lantern import DONE, FAILED, Lantern, Run
from peers.awkward_gadget import AwkwardGadget
from peers.bench import Bench
from peers.central import Central
from peers.flockfinder_device import DETECTION, FlockFinderDevice
from peers.raw import RawBearer, by_type, error, handle_request
from peers.samples import numbered

SERVICE_CHANGED, CLIENT_FEATURES, DATABASE_HASH = "2a05", "2b29", "2b2a"
ROBUST_CACHING, MULTIPLE_NOTIFICATIONS = 0x01, 0x04
VALUE_NOT_ALLOWED = 0x13
READ_BY_TYPE, READ_BY_GROUP, WRITE = 0x08, 0x10, 0x12
# What the hash covers with the value. Spec: 7.3.1.
DECLARATIONS = {UUID.from_16_bits(kind) for kind in (0x2800, 0x2801, 0x2802, 0x2803, 0x2900)}


# Our server


@pytest.fixture
async def central(bench: Bench) -> Central:
    central = Central(bench)
    await central.start()
    return central


@pytest.fixture
async def device(lantern: Lantern) -> AsyncIterator[Run]:
    run = await lantern.start("device", "run", "flockfinder")
    yield run
    assert (await run.interrupt()).status == DONE


@pytest.mark.usefixtures("device")
async def test_our_hash_is_the_one_that_bumble_makes_of_our_attributes(central: Central) -> None:
    peer = await central.connect((await central.find()).address)
    message = b""
    for attribute in await peer.discover_attributes():
        value = await attribute.read_value() if attribute.type in DECLARATIONS else b""
        described: Any = SimpleNamespace(type=attribute.type, handle=attribute.handle, value=bytes(value))
        message += GenericAttributeProfileService.get_attribute_data(described)
    wanted = crypto.aes_cmac(m=message, k=bytes(16))[::-1]
    assert await central.characteristic(DATABASE_HASH).read_value() == wanted


@pytest.mark.usefixtures("device")
async def test_our_server_keeps_the_features_of_each_client_for_one_connection(central: Central) -> None:
    for _ in range(2):
        await central.connect((await central.find()).address)
        features = central.characteristic(CLIENT_FEATURES)
        assert await features.read_value() == b"\x00"
        both = bytes([ROBUST_CACHING | MULTIPLE_NOTIFICATIONS])
        await features.write_value(both, with_response=True)
        assert await features.read_value() == both
        for fewer in (0, ROBUST_CACHING, MULTIPLE_NOTIFICATIONS):
            with pytest.raises(ATT_Error) as refusal:
                await features.write_value(bytes([fewer]), with_response=True)
            assert refusal.value.error_code == VALUE_NOT_ALLOWED
        assert await features.read_value() == both
        await central.disconnect()


@pytest.mark.usefixtures("device")
async def test_our_service_changed_is_indicated_only(central: Central) -> None:
    await central.connect((await central.find()).address)
    changed = central.characteristic(SERVICE_CHANGED)
    assert int(changed.properties) == int(Characteristic.Properties.INDICATE)
    with pytest.raises(ATT_Error):
        await changed.read_value()
    await changed.subscribe(lambda _value: None, prefer_notify=False)
    (switch,) = [found for found in changed.descriptors if found.type == UUID.from_16_bits(0x2902)]
    assert await switch.read_value() == b"\x02\x00"


@pytest.mark.usefixtures("device")
async def test_our_hash_is_read_by_its_kind_from_the_whole_range_or_a_part(central: Central) -> None:
    connection = await central.device.connect((await central.find()).address)
    bearer = RawBearer(connection)
    await bearer.exchange_mtu(100)
    answer = await bearer.ask(by_type(READ_BY_TYPE, 1, 0xFFFF, DATABASE_HASH))
    assert answer[:2] == b"\x09\x12" and len(answer) == 20
    handle = int.from_bytes(answer[2:4], "little")
    assert await bearer.ask(by_type(READ_BY_TYPE, handle, handle, DATABASE_HASH)) == answer
    assert await bearer.ask(handle_request(WRITE, handle, b"x")) == error(WRITE, handle, 0x03)


# Our client


@pytest.fixture
async def gadget(bench: Bench) -> AwkwardGadget:
    gadget = AwkwardGadget(bench)
    await gadget.start()
    return gadget


def requests(pdus: list[ATT_PDU]) -> list[bytes]:
    return [bytes(pdu) for pdu in pdus]


def written(gadget: Any, uuid: str, *, to_switch: bool = False) -> list[bytes]:
    """What was written to the first value with this UUID, or to its switch."""
    handles = [
        attribute.handle
        for attribute in gadget.device.gatt_server.attributes
        if isinstance(attribute, Characteristic) and attribute.uuid == UUID(uuid)
    ]
    wanted = handle_request(WRITE, handles[0] + to_switch)
    return [pdu[3:] for pdu in requests(gadget.att_requests) if pdu.startswith(wanted)]


async def test_our_client_asks_for_the_hash_says_what_it_can_do_and_wants_to_be_told(
    gadget: AwkwardGadget, lantern: Lantern
) -> None:
    result = await lantern.run("gatt", "read", gadget.address, awkward.BATTERY_LEVEL)
    assert result.status == DONE, result
    sent = requests(gadget.att_requests)
    hash_request = by_type(READ_BY_TYPE, 1, 0xFFFF, DATABASE_HASH)
    first_group = next(pdu for pdu in sent if pdu[0] == READ_BY_GROUP)
    assert sent.index(hash_request) < sent.index(first_group)
    assert written(gadget, CLIENT_FEATURES) == [bytes([ROBUST_CACHING | MULTIPLE_NOTIFICATIONS])]
    assert written(gadget, SERVICE_CHANGED, to_switch=True) == [b"\x02\x00"]


async def indicate_change(gadget: Any, start: int, end: int) -> None:
    (changed,) = [
        attribute
        for attribute in gadget.device.gatt_server.attributes
        if isinstance(attribute, Characteristic) and attribute.uuid == UUID(SERVICE_CHANGED)
    ]
    await gadget.indicate(changed, start.to_bytes(2, "little") + end.to_bytes(2, "little"))


async def test_a_watch_ends_when_what_it_watches_has_changed(gadget: AwkwardGadget, lantern: Lantern) -> None:
    (handle,) = gadget.value_handles(awkward.NOTIFIED)
    run = await lantern.start("gatt", "watch", gadget.address, awkward.NOTIFIED)
    await gadget.wait_for("subscribe", "notified")
    await indicate_change(gadget, handle + 1, 0xFFFF)
    await indicate_change(gadget, handle, 0xFFFF)
    result = await run.finish()
    assert result.status == FAILED
    assert "services have changed" in result.stderr


async def test_a_session_discovers_again_when_services_change_and_goes_on(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--count", "2")
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    await run.wait_for("detection")
    await indicate_change(flockfinder, 1, 0xFFFF)
    await flockfinder.ready(2)
    assert written(flockfinder, DETECTION, to_switch=True) == [b"\x01\x00"] * 2
    await flockfinder.send(numbered(2))
    result = await run.finish()
    assert result.status == DONE
    assert len(flockfinder.entries("connected")) == 1


async def test_a_session_that_comes_back_does_not_discover_what_it_knows(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--count", "2")
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    before = len(flockfinder.att_requests)
    await flockfinder.drop()
    await flockfinder.ready(2)
    again = requests(flockfinder.att_requests)[before:]
    assert by_type(READ_BY_TYPE, 1, 0xFFFF, DATABASE_HASH) in again
    assert not [pdu for pdu in again if pdu[0] == READ_BY_GROUP]
    assert written(flockfinder, CLIENT_FEATURES) == [bytes([ROBUST_CACHING | MULTIPLE_NOTIFICATIONS])] * 2
    await flockfinder.send(numbered(2))
    assert (await run.finish()).status == DONE
