# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern gatt tree --json` against a database with every awkwardness that Bumble can serve."""

from __future__ import annotations

from typing import Any

import pytest

import contract
from lantern import DONE, NOTHING_FOUND, Event, Lantern
from peers import awkward_gadget as awkward
from peers.awkward_gadget import AwkwardGadget
from peers.bench import Bench
from peers.flockfinder_device import ADDRESS, COMMAND, DETECTION, SERVICE, STREAM, FlockFinderDevice


@pytest.fixture
async def gadget(bench: Bench) -> AwkwardGadget:
    gadget = AwkwardGadget(bench)
    await gadget.start()
    return gadget


async def tree_of(lantern: Lantern, address: str) -> Event:
    result = await lantern.run("gatt", "tree", address, "--json")
    assert result.status == DONE, result
    contract.assert_tree(result.line)
    return result.line


def find(tree: Event, uuid: str) -> Any:
    """The first characteristic with this UUID."""
    return next(
        characteristic
        for service in tree["services"]
        for characteristic in service["characteristics"]
        if characteristic["uuid"] == uuid
    )


def bare(services: list[Any]) -> list[Any]:
    """The services with only what `AwkwardGadget.tree` knows."""
    return [
        {
            **{key: service[key] for key in ("uuid", "handle", "end_handle", "primary")},
            "includes": [
                {key: included[key] for key in ("uuid", "handle", "end_handle")}
                for included in service["includes"]
            ],
            "characteristics": [
                {
                    **{
                        key: entry[key] for key in ("uuid", "handle", "value_handle", "properties", "octets")
                    },
                    "descriptors": [
                        {key: descriptor[key] for key in ("uuid", "handle")}
                        for descriptor in entry["descriptors"]
                    ],
                }
                for entry in service["characteristics"]
            ],
        }
        for service in services
    ]


async def test_structure_handles_properties_and_values(gadget: AwkwardGadget, lantern: Lantern) -> None:
    tree = await tree_of(lantern, gadget.address)
    assert tree["address"] == gadget.address
    assert tree["address_kind"] == "random"
    assert tree["mtu"] == gadget.device.gatt_server.max_mtu
    seen = sorted(bare(tree["services"]), key=lambda service: service["handle"])
    assert seen == gadget.tree()


async def test_values_texts_and_errors(gadget: AwkwardGadget, lantern: Lantern) -> None:
    tree = await tree_of(lantern, gadget.address)
    assert find(tree, awkward.LONG_VALUE)["octets"] == awkward.LONG.hex()
    assert find(tree, awkward.EMPTY_VALUE)["octets"] == ""
    maker = find(tree, awkward.MANUFACTURER_NAME)
    assert (maker["octets"], maker["text"]) == (awkward.MAKER.encode().hex(), awkward.MAKER)
    assert find(tree, awkward.FIRMWARE_REVISION)["text"] == "1.2.3"
    binary = find(tree, awkward.BINARY_VALUE)
    assert (binary["octets"], binary["text"], binary["error"]) == ("fffe0080", None, None)
    for uuid in (awkward.REFUSED, awkward.APPLICATION_ERROR):
        refused = find(tree, uuid)
        assert (refused["octets"], refused["text"]) == (None, None)
        assert refused["error"], "a refused read says why"
    assert find(tree, awkward.REFUSED)["error"] != find(tree, awkward.APPLICATION_ERROR)["error"]
    for uuid in (awkward.NOTIFIED, awkward.WRITE_REFUSED):
        unreadable = find(tree, uuid)
        assert (unreadable["octets"], unreadable["text"], unreadable["error"]) == (None, None, None)


async def test_descriptors(gadget: AwkwardGadget, lantern: Lantern) -> None:
    tree = await tree_of(lantern, gadget.address)
    descriptors = {entry["uuid"]: entry for entry in find(tree, awkward.EVERY_PROPERTY)["descriptors"]}
    assert descriptors["2900"]["octets"] == "0100"
    assert descriptors["2901"]["octets"] == "Wärme".encode().hex()
    assert descriptors["2902"]["octets"] == "0000"
    assert descriptors["2904"]["octets"] == "0efe2f27010000"
    assert descriptors["2908"]["octets"] == "0102"
    refused = descriptors[awkward.REFUSED_DESCRIPTOR]
    assert refused["octets"] is None and refused["error"]
    assert all(entry["error"] is None for uuid, entry in descriptors.items() if len(uuid) == 4)


async def test_names_of_what_is_assigned(gadget: AwkwardGadget, lantern: Lantern) -> None:
    tree = await tree_of(lantern, gadget.address)
    services = {service["uuid"]: service["name"] for service in tree["services"]}
    assert "Battery" in services["180f"]
    assert "Device Information" in services["180a"]
    assert services[awkward.AWKWARD_SERVICE] is None
    assert find(tree, awkward.BATTERY_LEVEL)["name"] == "Battery Level"
    assert find(tree, awkward.LONG_VALUE)["name"] is None
    configuration = find(tree, awkward.NOTIFIED)["descriptors"][0]
    assert configuration["uuid"] == "2902" and "Client Characteristic Configuration" in configuration["name"]


async def test_a_flockfinder_as_its_document_has_it(flockfinder: FlockFinderDevice, lantern: Lantern) -> None:
    tree = await tree_of(lantern, ADDRESS)
    service = next(service for service in tree["services"] if service["uuid"] == SERVICE)
    assert {entry["uuid"]: entry["properties"] for entry in service["characteristics"]} == {
        DETECTION: ["notify"],
        COMMAND: ["write"],
        STREAM: ["notify"],
    }
    assert flockfinder.entries("write") == []


@pytest.mark.parametrize("largest", [23, 48, 185])
async def test_small_mtu(largest: int, gadget: AwkwardGadget, lantern: Lantern) -> None:
    """The whole tree, a value of 512 octets among it, over a bearer that carries little."""
    gadget.device.gatt_server.max_mtu = largest
    tree = await tree_of(lantern, gadget.address)
    assert tree["mtu"] == largest
    assert find(tree, awkward.LONG_VALUE)["octets"] == awkward.LONG.hex()
    assert sorted(bare(tree["services"]), key=lambda service: service["handle"]) == gadget.tree()


@pytest.mark.parametrize("suffix", ["", "/R"])
async def test_address_kinds(suffix: str, gadget: AwkwardGadget, lantern: Lantern) -> None:
    tree = await tree_of(lantern, gadget.address + suffix)
    assert tree["address"] == gadget.address


async def test_an_address_that_nobody_has_exits_with_2(gadget: AwkwardGadget, lantern: Lantern) -> None:
    result = await lantern.run("gatt", "tree", "D0:00:00:00:00:99", "--json", timeout=45)
    assert (result.status, result.stdout) == (NOTHING_FOUND, "")
    assert "D0:00:00:00:00:99" in result.stderr
    assert not gadget.entries("connected")


async def test_an_address_that_is_none_exits_with_64(lantern: Lantern) -> None:
    result = await lantern.run("gatt", "tree", "not-an-address", "--json")
    assert (result.status, result.stdout) == (64, "")


async def test_a_link_lost_on_the_way_exits_with_1(gadget: AwkwardGadget, lantern: Lantern) -> None:
    gadget.fall_silent()
    run = await lantern.start("gatt", "tree", gadget.address, "--json")
    await gadget.changes.wait_until(lambda: gadget.connected, 20, "the connection")
    gadget.lose_link()
    result = await run.finish()
    assert (result.status, result.stdout) == (1, "")
    assert result.stderr.strip()
