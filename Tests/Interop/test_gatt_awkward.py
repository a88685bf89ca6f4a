# SPDX-License-Identifier: Apache-2.0
"""Proves our client on databases that are legal and unusual, served by Bumble at chosen handles."""

from __future__ import annotations

import asyncio

import pytest

import contract
from lantern import DONE, FAILED, Event, Lantern
from peers.bench import SHARED_ACL_DATA_LENGTH, Bench
from peers.database import Database, bare
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
from peers.tree_gadget import TreeGadget

ACL_LENGTHS = [27, 251]
L2CAP_HEADER = 4


async def serve(bench: Bench, database: Database, mtu: int = 517) -> TreeGadget:
    gadget = TreeGadget(bench, database)
    gadget.device.gatt_server.max_mtu = mtu
    await gadget.start()
    return gadget


async def tree_of(lantern: Lantern, gadget: TreeGadget) -> Event:
    result = await lantern.run("gatt", "tree", gadget.address, "--json")
    assert result.status == DONE, result
    contract.assert_tree(result.line)
    return result.line


# Discovery


@pytest.mark.parametrize(("mtu", "acl"), [(23, 27), (517, 251)])
@pytest.mark.parametrize("name", AWKWARD)
async def test_discovery_finds_everything(
    name: str, mtu: int, acl: int, bench: Bench, lantern: Lantern
) -> None:
    bench.acl_data_length = acl
    gadget = await serve(bench, AWKWARD[name](), mtu)
    tree = await tree_of(lantern, gadget)
    assert tree["mtu"] == mtu
    assert bare(tree["services"]) == bare(gadget.database.tree()["services"])


@pytest.mark.parametrize("seed", range(8))
async def test_databases_made_by_chance(seed: int, bench: Bench, lantern: Lantern) -> None:
    gadget = await serve(bench, scattered(seed), mtu=[23, 185, 247, 517][seed % 4])
    tree = await tree_of(lantern, gadget)
    assert bare(tree["services"]) == bare(gadget.database.tree()["services"])


async def test_services_that_include_each_other_are_no_circle_to_run_in(
    bench: Bench, lantern: Lantern
) -> None:
    gadget = await serve(bench, circular_includes())
    tree = await tree_of(lantern, gadget)
    assert bare(tree["services"]) == bare(gadget.database.tree()["services"])


async def test_a_device_with_no_services(bench: Bench, lantern: Lantern) -> None:
    gadget = await serve(bench, Database())
    assert (await tree_of(lantern, gadget))["services"] == []


async def test_names_by_handle_where_uuids_repeat(bench: Bench, lantern: Lantern) -> None:
    """Of many characteristics with one UUID, a handle says which."""
    gadget = await serve(bench, AWKWARD["duplicates"]())
    handles = [entry.handle for entry in gadget.database.attributes() if entry.type == "2a19"]
    for handle in (handles[0], handles[7], handles[-1]):
        result = await lantern.run("gatt", "read", gadget.address, f"0x{handle:04x}", "--json")
        line = result.line
        assert (line["handle"], line["uuid"]) == (handle, "2a19")
        assert bytes.fromhex(line["octets"]) == gadget.database.value(handle)


# Values


@pytest.mark.parametrize("acl", ACL_LENGTHS)
@pytest.mark.parametrize("mtu", MTUS)
async def test_values_of_every_length_are_read_whole(
    mtu: int, acl: int, bench: Bench, lantern: Lantern
) -> None:
    bench.acl_data_length = acl
    gadget = await serve(bench, sizes(), mtu)
    tree = await tree_of(lantern, gadget)
    read = {
        entry["value_handle"]: bytes.fromhex(entry["octets"])
        for service in tree["services"]
        for entry in service["characteristics"]
    }
    values = [entry for entry in gadget.database.attributes() if "read" in entry.properties]
    assert tree["mtu"] == mtu
    assert read == {entry.handle: entry.value for entry in values}


@pytest.mark.parametrize(("mtu", "acl"), [(23, 27), (23, 251), (185, 27), (247, 251), (517, 27)])
async def test_values_of_every_length_are_written_whole(
    mtu: int, acl: int, bench: Bench, lantern: Lantern
) -> None:
    """With one request while it fits, else in parts. Spec: Core v5.4, Vol 3, Part G, 4.9.3 and 4.9.4."""
    bench.acl_data_length = acl
    database = begun()
    database.service("fff0")
    handle = database.characteristic(custom(1), "read write")
    gadget = await serve(bench, database, mtu)
    lengths = {0, 1, mtu - 5, mtu - 4, mtu - 3, mtu - 2, mtu, LONGEST_VALUE - 1, LONGEST_VALUE}
    for length in sorted(length for length in lengths if length <= LONGEST_VALUE):
        gadget.server.written.clear()
        gadget.att_requests.clear()
        value = octets(length, seed=11)
        result = await lantern.run("gatt", "write", gadget.address, custom(1), value.hex())
        assert result.status == DONE, (length, result)
        assert gadget.server.written == [(handle, value)]
        names = {request.name for request in gadget.att_requests}
        in_parts = "ATT_PREPARE_WRITE_REQUEST" in names
        assert in_parts == (length > mtu - 3), (length, names)
        assert in_parts != ("ATT_WRITE_REQUEST" in names), (length, names)
    controller = bench.port.last_controller
    assert controller is not None and controller.longest_acl_from_host == min(acl, mtu + L2CAP_HEADER)


async def test_a_value_longer_than_an_attribute_may_be_is_not_written(bench: Bench, lantern: Lantern) -> None:
    gadget = await serve(bench, sizes())
    handle = max(gadget.server.values)
    value = octets(LONGEST_VALUE + 1)
    result = await lantern.run("gatt", "write", gadget.address, f"0x{handle:04x}", value.hex())
    assert result.status != DONE and result.stderr.strip()
    assert gadget.server.written == []


@pytest.mark.parametrize("mtu", [23, 247])
async def test_a_write_without_response_is_whole_or_refused(mtu: int, bench: Bench, lantern: Lantern) -> None:
    database = begun()
    database.service("fff0")
    handle = database.characteristic(custom(1), "write_without_response")
    gadget = await serve(bench, database, mtu)
    fits, too_long = octets(mtu - 3), octets(mtu - 2)
    result = await lantern.run("gatt", "write", gadget.address, custom(1), fits.hex(), "--no-response")
    assert result.status == DONE, result
    result = await lantern.run("gatt", "write", gadget.address, custom(1), too_long.hex(), "--no-response")
    assert result.status != DONE and result.stderr.strip()
    assert gadget.server.written == [(handle, fits)], "nothing is cut off"


async def test_a_controller_with_one_small_buffer(bench: Bench, lantern: Lantern) -> None:
    """Each of 27 octets waits for the one before to be completed."""
    bench.acl_data_length, bench.acl_data_packets = 27, 1
    gadget = await serve(bench, sizes())
    handle = max(gadget.server.values)
    value = octets(LONGEST_VALUE, seed=13)
    result = await lantern.run("gatt", "write", gadget.address, f"0x{handle:04x}", value.hex())
    assert result.status == DONE, result
    assert gadget.server.written == [(handle, value)]


async def test_a_controller_without_buffers_for_le_alone(bench: Bench, lantern: Lantern) -> None:
    """It shares those of BR/EDR. Spec: Core v5.4, Vol 4, Part E, 7.8.2."""
    bench.acl_data_length, bench.acl_data_packets = 0, 2
    gadget = await serve(bench, sizes())
    handle = max(gadget.server.values)
    value = octets(LONGEST_VALUE, seed=13)
    result = await lantern.run("gatt", "write", gadget.address, f"0x{handle:04x}", value.hex())
    assert result.status == DONE, result
    assert gadget.server.written == [(handle, value)]
    controller = bench.port.last_controller
    assert controller is not None and controller.longest_acl_from_host == SHARED_ACL_DATA_LENGTH


async def test_descriptors_are_read_and_written_by_handle(bench: Bench, lantern: Lantern) -> None:
    gadget = await serve(bench, AWKWARD["descriptors"]())
    entries = gadget.database.attributes()
    long = next(entry for entry in entries if entry.type == custom(0x33))
    result = await lantern.run("gatt", "read", gadget.address, f"0x{long.handle:04x}", "--json")
    assert bytes.fromhex(result.line["octets"]) == long.value
    [cccd] = [entry for entry in entries if entry.type == "2902"]
    [value] = gadget.server.characteristics.values()
    subscriptions: list[tuple[bool, bool]] = []
    value.on("subscription", lambda _bearer, *bits: subscriptions.append(bits))
    result = await lantern.run("gatt", "write", gadget.address, f"0x{cccd.handle:04x}", "0200")
    assert result.status == DONE, result
    assert subscriptions[:1] == [(False, True)]


# Peers that change their mind


async def test_the_link_lost_in_the_middle_of_a_long_read(bench: Bench, lantern: Lantern) -> None:
    gadget = await serve(bench, sizes(), mtu=23)
    handle = max(gadget.server.values)
    run = await lantern.start("gatt", "read", gadget.address, f"0x{handle:04x}", "--json")
    await gadget.changes.wait_until(lambda: gadget.connected, 15, "the connection")
    while sum(request.name == "ATT_READ_BLOB_REQUEST" for request in gadget.att_requests) < 5:
        await asyncio.sleep(0)
    gadget.lose_link()
    result = await run.finish()
    part = bytes.fromhex(result.line["octets"])
    assert len(part) >= 5 * 22 and gadget.server.values[handle].startswith(part), "what came before is shown"
    assert result.status == FAILED and result.line["incomplete"] and result.stderr.strip(), result
