# SPDX-License-Identifier: Apache-2.0
"""Proves `gatt tree --output`, `gatt watch --output` and `device run replay`: what was saved is served again."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from bumble.att import ATT_Error
from bumble.core import AdvertisingData, ProtocolError
from bumble.gatt import Characteristic

from lantern import DONE, FAILED, WRONG_USAGE, Lantern, Run
from peers import awkward_gadget as awkward
from peers.awkward_gadget import AwkwardGadget
from peers.bench import Bench
from peers.central import Central
from peers.explorer import seen_by
from peers.gadget import ad_structure

BURST = 10_000


@pytest.fixture
async def central(bench: Bench) -> Central:
    central = Central(bench)
    await central.start()
    return central


class Served:
    """A running `device run replay` and where others find it."""

    def __init__(self, run: Run, address: str) -> None:
        self.run = run
        self.address = address


async def serve(lantern: Lantern, central: Central, tree: Path, *arguments: str) -> Served:
    run = await lantern.start("device", "run", "replay", "--tree", str(tree), "--json", *arguments)
    await run.wait_until(lambda: run.events("device_advertising"), "the device to advertise")
    found = await central.find()
    return Served(run, found.address.to_string(False))


def write_tree(path: Path, characteristics: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps({"services": [{"uuid": "fff0", "characteristics": characteristics}]}))
    return path


@pytest.fixture
async def ended(lantern: Lantern) -> AsyncIterator[None]:
    """Ends whatever still serves, well."""
    yield
    for run in lantern.runs:
        if run.process.returncode is None:
            assert (await run.interrupt()).status == DONE


def without_what_differs(tree: dict[str, Any]) -> list[Any]:
    """The services, in handle order; Bumble's own GATT service makes some values up at each read."""
    services = sorted(tree["services"], key=lambda service: service["handle"])
    return [service for service in services if service["uuid"] != "1801"] + [
        [(entry["uuid"], entry["handle"]) for entry in service["characteristics"]]
        for service in services
        if service["uuid"] == "1801"
    ]


@pytest.mark.usefixtures("ended")
async def test_a_saved_device_is_served_again(
    bench: Bench, lantern: Lantern, central: Central, tmp_path: Path
) -> None:
    gadget = AwkwardGadget(bench)
    await gadget.start()
    saved = tmp_path / "saved.json"
    result = await lantern.run("gatt", "tree", gadget.address, "--json", "--output", str(saved))
    assert result.status == DONE, result
    assert json.loads(saved.read_text())["advertisement"] == gadget.advertising_data.hex()
    gadget.go_away()
    await gadget.device.stop_advertising()

    served = await serve(lantern, central, saved)
    other = await bench.add_port()
    again = tmp_path / "again.json"
    second = await lantern.run(
        "gatt", "tree", served.address, "--json", "--output", str(again), radio=other.radio
    )
    assert second.status == DONE, second
    assert without_what_differs(second.line) == without_what_differs(result.line)
    before, after = json.loads(saved.read_text()), json.loads(again.read_text())
    assert without_what_differs(after) == without_what_differs(before)
    assert (after["name"], after["advertisement"]) == (before["name"], before["advertisement"])

    # And as another implementation sees it.
    peer = await central.connect(await find_address(central))
    seen = {
        (service.handle, awkward.short(service.uuid)): [
            (entry.handle, awkward.short(entry.uuid), int(entry.properties))
            for entry in service.characteristics
        ]
        for service in peer.services
    }
    assert seen == {
        (service["handle"], service["uuid"]): [
            (
                entry["value_handle"],
                entry["uuid"],
                sum(1 << awkward.contract.PROPERTIES.index(word) for word in entry["properties"]),
            )
            for entry in service["characteristics"]
        ]
        for service in before["services"]
        if service["primary"]
    }
    assert await central.characteristic(awkward.LONG_VALUE).read_value() == awkward.LONG
    with pytest.raises((ATT_Error, ProtocolError)) as refused:
        await central.characteristic(awkward.APPLICATION_ERROR).read_value()
    assert refused.value.error_code == awkward.FIRST_APPLICATION_ERROR


async def seen_of(central: Central) -> dict[str, Any]:
    """All that a Bumble central sees of the device that advertises: what it says, what it has, and every value."""
    advertisement = await central.find()
    peer = await central.connect(advertisement.address)
    values = {}
    for service in peer.services:
        made_up = awkward.short(service.uuid) == "1801"
        for entry in service.characteristics:
            # Known difference: readable-unchecked.
            is_readable = bool(entry.properties & Characteristic.Properties.READ)
            for attribute in [entry, *entry.descriptors] if is_readable else entry.descriptors:
                try:
                    value = await attribute.read_value()
                    values[attribute.handle] = None if made_up else bytes(value).hex()
                except (ATT_Error, ProtocolError) as error:
                    values[attribute.handle] = error.error_code
    seen = {
        "advertisement": bytes(advertisement.data).hex(),
        "name": advertisement.data.get(AdvertisingData.COMPLETE_LOCAL_NAME),
        "services": advertisement.data.get(AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS),
        "mtu": peer.gatt_client.mtu,
        "tree": seen_by(peer),
        "values": values,
    }
    await central.disconnect()
    return seen


@pytest.mark.usefixtures("ended")
async def test_a_bumble_central_sees_the_same_device(
    bench: Bench, lantern: Lantern, central: Central, tmp_path: Path
) -> None:
    """Handles, properties, values and errors, name and advertised services, from the device and from its replay."""
    gadget = AwkwardGadget(bench)
    gadget.advertising_data += ad_structure(0x03, b"\x0f\x18\x0a\x18")
    await gadget.start()
    before = await seen_of(central)
    assert before["name"] == awkward.NAME
    assert [awkward.short(uuid) for uuid in before["services"]] == ["180f", "180a"]
    assert awkward.FIRST_APPLICATION_ERROR in before["values"].values()
    await gadget.wait_for("disconnected")

    saved = tmp_path / "saved.json"
    result = await lantern.run("gatt", "tree", gadget.address, "--output", str(saved))
    assert result.status == DONE, result
    gadget.go_away()
    await gadget.device.stop_advertising()

    await serve(lantern, central, saved)
    assert await seen_of(central) == before


async def find_address(central: Central) -> Any:
    return (await central.find()).address


@pytest.mark.usefixtures("ended")
async def test_writes_are_kept_and_shown(lantern: Lantern, central: Central, tmp_path: Path) -> None:
    tree = write_tree(
        tmp_path / "tree.json",
        [
            {"uuid": "fff1", "properties": ["read", "write"], "value": "00"},
            {"uuid": "fff2", "properties": ["write"], "write_error": 0x81},
        ],
    )
    served = await serve(lantern, central, tree)
    await central.connect(await find_address(central))
    await central.write("fff1", b"\x01\x02")
    assert await central.characteristic("fff1").read_value() == b"\x01\x02"
    with pytest.raises((ATT_Error, ProtocolError)) as refused:
        await central.write("fff2", b"\x03")
    assert refused.value.error_code == 0x81
    await served.run.wait_until(lambda: len(served.run.events("attribute_written")) == 2, "both writes to be shown")
    assert [
        (line["handle"], line["uuid"], line["octets"], line["reason"]) for line in served.run.events("attribute_written")
    ] == [(3, "fff1", "0102", None), (5, "fff2", "03", "application error 0x81")]


@pytest.mark.usefixtures("ended")
async def test_a_long_value_is_written_in_parts(
    bench: Bench, lantern: Lantern, central: Central, tmp_path: Path
) -> None:
    tree = write_tree(
        tmp_path / "tree.json",
        [
            {"uuid": "fff1", "properties": ["read", "write"]},
            {"uuid": "fff2", "properties": ["write"], "write_error": 0xFF},
        ],
    )
    served = await serve(lantern, central, tree)
    other = await bench.add_port()
    long = (bytes(range(256)) * 2).hex()
    result = await lantern.run("gatt", "write", served.address, "fff1", long, radio=other.radio)
    assert result.status == DONE, result
    await other.wait_until_free()
    read = await lantern.run("gatt", "read", served.address, "fff1", "--json", radio=other.radio)
    assert read.line["octets"] == long
    await other.wait_until_free()
    refused = await lantern.run("gatt", "write", served.address, "fff2", long, radio=other.radio)
    assert refused.status != DONE and "out of range" in refused.stderr
    assert [line["octets"] for line in served.run.events("attribute_written")] == [long, long]


@pytest.mark.usefixtures("ended")
@pytest.mark.parametrize("kind", ["notify", "indicate"])
async def test_a_burst_loses_nothing(kind: str, lantern: Lantern, central: Central, tmp_path: Path) -> None:
    tree = write_tree(
        tmp_path / "tree.json",
        [{"uuid": "fff1", "properties": [kind], "descriptors": [{"uuid": "2902"}]}],
    )
    count = BURST if kind == "notify" else BURST // 10
    recording = tmp_path / "recording.jsonl"
    values = [index.to_bytes(4, "little").hex() for index in range(count)]
    recording.write_text(
        "".join(f'{{"uuid":"fff1","value":"{value}","kind":"{kind}"}}\n' for value in values)
    )
    served = await serve(lantern, central, tree, "--recording", str(recording))
    await central.connect(await find_address(central))
    subscription = await central.subscribe("fff1")
    await subscription.changes.wait_until(
        lambda: len(subscription.notifications) >= count, 60, f"{count} values"
    )
    assert [entry.value.hex() for entry in subscription.notifications] == values
    await served.run.wait_until(lambda: served.run.events("recording_played"), "the end of the recording")
    assert [(line["sent"], line["recorded"]) for line in served.run.events("recording_played")] == [(count, count)]


@pytest.mark.usefixtures("ended")
async def test_a_recording_keeps_its_timing(lantern: Lantern, central: Central, tmp_path: Path) -> None:
    tree = write_tree(
        tmp_path / "tree.json",
        [{"uuid": "fff1", "properties": ["notify"], "descriptors": [{"uuid": "2902"}]}],
    )
    recording = tmp_path / "recording.jsonl"
    recording.write_text(
        '{"handle":3,"value":"01","kind":"notify","time":"2027-01-15T08:00:00.000Z"}\n'
        '{"handle":3,"value":"02","kind":"notify","time":"2027-01-15T08:00:00.600Z"}\n'
    )
    await serve(lantern, central, tree, "--recording", str(recording))
    await central.connect(await find_address(central))
    subscription = await central.subscribe("fff1")
    await subscription.changes.wait_until(lambda: len(subscription.notifications) == 2, 15, "both values")
    first, second = subscription.notifications
    assert (first.value, second.value) == (b"\x01", b"\x02")
    # The first may be late, the second is never sent early.
    assert second.at - first.at > 0.3


async def test_a_bad_file_is_named_with_line_and_reason(lantern: Lantern, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    tree.write_text('{"services":[\n{"uuid":"nonsense"}]}')
    result = await lantern.run("device", "run", "replay", "--tree", str(tree))
    assert (result.status, result.stdout) == (WRONG_USAGE, "")
    assert str(tree) in result.stderr and "Line 2" in result.stderr and "UUID" in result.stderr


async def test_two_saved_devices_are_compared(bench: Bench, lantern: Lantern, tmp_path: Path) -> None:
    gadget = AwkwardGadget(bench)
    await gadget.start()
    before, after = str(tmp_path / "before.json"), str(tmp_path / "after.json")
    assert (await lantern.run("gatt", "tree", gadget.address, "--output", before)).status == DONE
    await gadget.wait_for("disconnected")
    gadget.written = b"other"
    assert (await lantern.run("gatt", "tree", gadget.address, "--output", after)).status == DONE

    same = await lantern.run_offline("gatt", "diff", before, before, "--json")
    assert (same.status, same.stdout) == (DONE, "")
    other = await lantern.run_offline("gatt", "diff", before, after, "--json")
    assert other.status == FAILED and other.stderr == ""
    other.line.pop("time")
    assert other.line == {
        "event": "gatt_difference",
        "change": "changed",
        "what": "value",
        "service": awkward.AWKWARD_SERVICE,
        "characteristic": awkward.WRITTEN,
        "descriptor": None,
        "title": awkward.WRITTEN,
        "before": "00",
        "after": b"other".hex(),
    }

    tree = json.loads(Path(after).read_text())
    tree["services"] = [service for service in tree["services"] if service["uuid"] != "180f"]
    tree["services"].append({"uuid": "fff9", "characteristics": [{"uuid": "fffa", "properties": ["read"]}]})
    (tmp_path / "third.json").write_text(json.dumps(tree))
    third = await lantern.run_offline("gatt", "diff", after, str(tmp_path / "third.json"), "--json")
    assert third.status == FAILED
    assert [(line["change"], line["what"], line["service"]) for line in third.lines] == [
        ("removed", "service", "180f"),
        ("added", "service", "fff9"),
    ]
    missing = await lantern.run_offline("gatt", "diff", after, str(tmp_path / "nothing.json"))
    assert missing.status == WRONG_USAGE and "nothing.json" in missing.stderr
