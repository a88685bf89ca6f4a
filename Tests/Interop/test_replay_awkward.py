# SPDX-License-Identifier: Apache-2.0
"""Proves that our server shows a Bumble central exactly the database it was given, however awkward that is."""

from __future__ import annotations

from typing import Any

import pytest
from bumble.att import ATT_Error

from lantern import DONE, Lantern, Run
from peers.bench import Bench
from peers.central import Central
from peers.database import uuid_octets
from peers.databases import (
    AWKWARD,
    LONGEST_VALUE,
    MTUS,
    begun,
    circular_includes,
    custom,
    octets,
    scattered,
    sizes,
)
from peers.explorer import assert_seen, assert_serves
from peers.raw import RawBearer


@pytest.fixture
async def central(bench: Bench) -> Central:
    central = Central(bench)
    await central.start()
    return central


@pytest.mark.parametrize(("mtu", "acl"), [(23, 27), (517, 251)])
@pytest.mark.parametrize("name", AWKWARD)
async def test_every_attribute_is_where_it_was(
    name: str, mtu: int, acl: int, bench: Bench, central: Central, lantern: Lantern
) -> None:
    bench.acl_data_length = acl
    database = AWKWARD[name]()
    run = await lantern.replay(database)
    peer = await central.connect((await central.find()).address, mtu)
    assert peer.gatt_client.mtu == mtu
    assert_seen(peer, database)
    assert central.connection is not None
    bearer = RawBearer(central.connection)
    bearer.mtu = mtu
    await assert_serves(bearer, database)
    assert (await run.interrupt()).status == DONE


@pytest.mark.parametrize("seed", range(8))
async def test_databases_made_by_chance(seed: int, central: Central, lantern: Lantern) -> None:
    database = scattered(seed)
    await lantern.replay(database)
    peer = await central.connect((await central.find()).address, MTUS[seed % 4])
    assert_seen(peer, database)
    assert central.connection is not None
    bearer = RawBearer(central.connection)
    bearer.mtu = peer.gatt_client.mtu
    await assert_serves(bearer, database)


async def test_services_that_include_each_other_can_be_served(central: Central, lantern: Lantern) -> None:
    database = circular_includes()
    await lantern.replay(database)
    await central.connect((await central.find()).address, mtu=None)
    assert central.connection is not None
    await assert_serves(RawBearer(central.connection), database)


async def test_includes_of_16_bit_services_as_bumble_sees_them(central: Central, lantern: Lantern) -> None:
    """Known difference: includes-without-uuid; so only those."""
    database = begun()
    inner = database.service("fff0", primary=False)
    database.characteristic("fff1", "read", b"inner")
    database.service("fff2", inner, inner)
    await lantern.replay(database)
    peer = await central.connect((await central.find()).address)
    found = await peer.gatt_client.discover_included_services(peer.services[-1])
    assert [(service.handle, service.end_group_handle, service.uuid.to_pdu_bytes()) for service in found] == [
        (inner["handle"], inner["end_handle"], uuid_octets("fff0"))
    ] * 2


# Values


@pytest.mark.parametrize(("mtu", "acl"), [(23, 27), (185, 251), (247, 27), (517, 27), (517, 251)])
async def test_values_of_every_length_are_read_and_written_whole(
    mtu: int, acl: int, bench: Bench, central: Central, lantern: Lantern
) -> None:
    bench.acl_data_length = acl
    database = sizes()
    run = await lantern.replay(database)
    peer = await central.connect((await central.find()).address, mtu)
    values = [entry for entry in database.attributes() if "write" in entry.properties]
    assert {len(entry.value) for entry in values} >= {0, 1, LONGEST_VALUE, *(min(mtu, 512) for mtu in MTUS)}
    for entry in values:
        assert await peer.gatt_client.read_value(entry.handle) == entry.value
    for entry in values:
        other = octets(len(entry.value), seed=11)
        await peer.gatt_client.write_value(entry.handle, other, with_response=True)
        assert await peer.gatt_client.read_value(entry.handle) == other
    written = [(line["handle"], line["octets"]) for line in await run.wait_for("attribute_written", len(values))]
    assert written == [(entry.handle, octets(len(entry.value), seed=11).hex()) for entry in values]
    controller = bench.port.controller
    assert controller is not None
    longest = max(len(entry.value) for entry in values) + 1
    assert controller.longest_acl_from_host == min(acl, mtu + 4, longest + 4)


async def test_a_value_longer_than_an_attribute_may_be_is_refused(central: Central, lantern: Lantern) -> None:
    database = sizes()
    run = await lantern.replay(database)
    peer = await central.connect((await central.find()).address, 517)
    handle = max(entry.handle for entry in database.attributes())
    for length in (LONGEST_VALUE + 1, 514, 600):
        with pytest.raises(ATT_Error) as refused:
            await peer.gatt_client.write_value(handle, bytes(length), with_response=True)
        assert refused.value.error_code == 0x0D, length
    assert await peer.gatt_client.read_value(handle) == database.value(handle)
    assert [line for line in run.events("attribute_written") if line["reason"] is None] == []


# Errors

CODES = [*range(0x01, 0x14), *range(0x80, 0xA0), *range(0xFC, 0x100), 0x14, 0x7F, 0xA0, 0xE0]


async def error_of(what: Any) -> int:
    with pytest.raises(ATT_Error) as refused:
        await what
    return int(refused.value.error_code)


async def test_errors_of_every_code(central: Central, lantern: Lantern) -> None:
    database = begun()
    database.service("fff0")
    handles = {
        code: database.characteristic(
            custom(code), "read write write_without_response", error_code=code, write_error=code
        )
        for code in CODES
    }
    run = await lantern.replay(database)
    peer = await central.connect((await central.find()).address)
    client = peer.gatt_client
    for code, handle in handles.items():
        assert await error_of(client.read_value(handle)) == code
        assert await error_of(client.write_value(handle, b"x", with_response=True)) == code
        assert await error_of(client.write_value(handle, octets(LONGEST_VALUE), with_response=True)) == code
        await client.write_value(handle, b"x", with_response=False)
    assert await client.read_value(3) == database.name.encode(), "commands had no answer"
    assert [line["handle"] for line in await run.wait_for("attribute_written", len(CODES) * 3)]
    assert all(line["reason"] for line in run.events("attribute_written"))


async def test_a_link_that_is_not_secure(central: Central, lantern: Lantern) -> None:
    """Without a key, what asks for encryption or authentication answers 0x05. Spec: Core v5.4, Vol 3, Part C, 10.3.1."""
    database = begun()
    database.service("fff0")
    expected: dict[int, tuple[int, int]] = {}
    for number, (read, write, errors) in enumerate(
        (
            ("encrypted", "open", (0x05, 0)),
            ("open", "encrypted", (0, 0x05)),
            ("authenticated", "encrypted", (0x05, 0x05)),
            ("encrypted", "authenticated", (0x05, 0x05)),
        )
    ):
        permissions = {"read": read, "write": write}
        allowed = {key: value for key, value in permissions.items() if value != "open"}
        handle = database.characteristic(custom(number), "read write", b"x", permissions=allowed)
        expected[handle] = errors
    await lantern.replay(database)
    peer = await central.connect((await central.find()).address)
    for handle, (read_code, write_code) in expected.items():
        client = peer.gatt_client
        for code, what in (
            (read_code, client.read_value(handle)),
            (write_code, client.write_value(handle, b"y", with_response=True)),
        ):
            if code:
                assert await error_of(what) == code, hex(handle)
            else:
                await what


# Several centrals


async def subscribe(central: Central, uuid: str) -> Any:
    await central.connect((await central.find()).address)
    return await central.subscribe(uuid)


async def test_two_centrals_at_once(bench: Bench, central: Central, lantern: Lantern, tmp_path: Any) -> None:
    """Each has its own MTU, subscription and prepared writes; what one writes the other reads."""
    database = begun()
    database.service("fff0")
    database.characteristic("fff1", "read write notify", b"before")
    run: Run = await lantern.replay(database)
    second = Central(bench, address="E0:00:00:00:00:02")
    await second.start()
    await central.connect((await central.find()).address, 23)
    await second.connect((await second.find()).address, 247)
    assert central.connection is not None and second.connection is not None
    one, other = RawBearer(central.connection), RawBearer(second.connection)
    other.mtu = 247
    value = database.attributes()[-2].handle
    await one.write(value + 1, b"\x01\x00")
    assert (await one.read(value + 1), await other.read(value + 1)) == (b"\x01\x00", b"\x00\x00")
    long = octets(200)
    await other.write(value, long)
    assert (await one.read(value), await other.read(value)) == (long, long)
    assert len(await run.wait_for("link_connected", 2)) == 2
