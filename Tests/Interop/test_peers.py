# SPDX-License-Identifier: Apache-2.0
"""Proves that the peers themselves are good, one against the other, without the binary.

A failure anywhere else in the suite can then be put down to `lantern`.
"""

from __future__ import annotations

import asyncio

import pytest
from bumble import hci
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.hci import Address
from bumble.host import Host
from bumble.transport import open_transport

import contract
from peers.awkward_gadget import AwkwardGadget, short
from peers.bench import Bench
from peers.central import Central
from peers.flockfinder_device import COMMAND, DETECTION, STREAM, FlockFinderDevice, WiFiSetDevice, encode
from peers.samples import BAD_INPUTS, DOCUMENT_SAMPLES, FIRMWARE_SAMPLES, expected, numbered


async def test_a_central_finds_subscribes_and_commands(bench: Bench, flockfinder: FlockFinderDevice) -> None:
    central = Central(bench)
    await central.start()
    advertisement = await central.find()
    assert advertisement.address == Address(flockfinder.address)
    await central.connect(advertisement.address)
    stream = await central.subscribe(STREAM)
    detections = await central.subscribe(DETECTION)
    await flockfinder.ready()
    for sample in DOCUMENT_SAMPLES:
        await flockfinder.send(sample)
    assert await detections.wait_for_objects(4) == DOCUMENT_SAMPLES
    assert len(detections.notifications) == 4
    status = {"evt": "status", "msg": "fine", "ts": 1}
    flockfinder.on_command = lambda _data: asyncio.ensure_future(flockfinder.send_stream(status))
    await central.write(COMMAND, b"STATUS")
    assert (await stream.wait_for_object(evt="status"))["msg"] == "fine"
    assert flockfinder.commands == [b"STATUS"]


async def test_long_objects_are_continued_and_end_with_a_newline(
    bench: Bench, flockfinder: FlockFinderDevice
) -> None:
    central = Central(bench)
    await central.start()
    await central.connect((await central.find()).address, mtu=None)
    detections = await central.subscribe(DETECTION)
    await flockfinder.send(DOCUMENT_SAMPLES[0])
    await detections.wait_for_objects(1)
    assert max(len(notification.value) for notification in detections.notifications) == 20
    assert detections.octets == encode(DOCUMENT_SAMPLES[0]) + b"\n"


async def test_drops_and_lost_links_are_seen_and_advertising_resumes(
    bench: Bench, flockfinder: FlockFinderDevice
) -> None:
    central = Central(bench)
    await central.start()
    reasons: list[int] = []
    for end in (flockfinder.drop, None):
        await central.connect((await central.find()).address)
        assert central.connection is not None
        gone = asyncio.get_running_loop().create_future()
        central.connection.on("disconnection", gone.set_result)
        if end is None:
            flockfinder.lose_link()
        else:
            await end()
        reasons.append(await asyncio.wait_for(gone, 5))
    assert reasons == [
        hci.HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR,
        hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR,
    ]
    await central.find()


async def test_a_burst_arrives_whole_and_in_order(bench: Bench, flockfinder: FlockFinderDevice) -> None:
    central = Central(bench)
    await central.start()
    await central.connect((await central.find()).address)
    detections = await central.subscribe(DETECTION)
    sent = [numbered(number) for number in range(1000)]
    for detection in sent:
        await flockfinder.send(detection)
    await detections.changes.wait_until(lambda: len(detections.notifications) == 1000, 20, "the burst")
    assert detections.objects() == sent


async def test_the_port_gives_every_host_a_fresh_controller(
    bench: Bench, flockfinder: FlockFinderDevice
) -> None:
    for round_number in (1, 2):
        _, host, port = bench.radio.split(":")
        transport = await open_transport(f"tcp-client:{host}:{port}")
        configuration = DeviceConfiguration(name="host", address=Address("E1:E1:E1:E1:E1:E1"))
        device = Device(config=configuration, host=Host(transport.source, transport.sink))
        await device.power_on()
        peer = Peer(await device.connect(Address(flockfinder.address), timeout=10))
        await peer.request_mtu(517)
        await peer.discover_all()
        assert peer.gatt_client.mtu == 517
        await flockfinder.wait_for("connected", count=round_number)
        await transport.close()  # As a killed process does it: no Disconnect command.
        await flockfinder.wait_for("disconnected", count=round_number)
        await bench.port.wait_until_free()


async def test_wifiset_shares_only_the_service(bench: Bench) -> None:
    device = WiFiSetDevice(bench)
    await device.start()
    central = Central(bench)
    await central.start()
    peer = await central.connect((await central.find()).address)
    uuids = [short(found.uuid) for service in peer.services for found in service.characteristics]
    assert not any(uuid.startswith("beb5483e") for uuid in uuids)
    assert any(uuid.startswith("4fafc202") for uuid in uuids)


async def test_a_silent_device_answers_nothing(bench: Bench, flockfinder: FlockFinderDevice) -> None:
    flockfinder.fall_silent()
    central = Central(bench)
    await central.start()
    connection = await central.device.connect((await central.find()).address)
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(Peer(connection).request_mtu(100), 0.5)


async def test_the_awkward_gadget_knows_its_own_tree(bench: Bench) -> None:
    gadget = AwkwardGadget(bench)
    await gadget.start()
    central = Central(bench)
    await central.start()
    peer = await central.connect((await central.find()).address)
    services = gadget.tree()
    assert [service["handle"] for service in services if service["primary"]] == [
        service.handle for service in peer.services
    ]
    for service, seen in zip([service for service in services if service["primary"]], peer.services):
        assert service["end_handle"] == seen.end_group_handle
        assert [entry["value_handle"] for entry in service["characteristics"]] == [
            entry.handle for entry in seen.characteristics
        ]


def test_samples_are_what_they_say() -> None:
    for sample in DOCUMENT_SAMPLES + FIRMWARE_SAMPLES:
        time = "2026-01-01T00:00:00.000Z"
        event = {"event": "detection", "time": time} | dict(
            expected(sample), id=1, received=time, latitude=None, longitude=None, speed=None, heading=None,
            activity=None, address=None, address_kind=None, octets="", source=1, new=True, mine=False, muted=False,
            false_alarm=False, alert=False, fix=None, known_nearby=None
        )
        assert contract.problems_of(event) == []
    assert expected(DOCUMENT_SAMPLES[0])["device_uptime_ms"] == 123456789
    assert expected(DOCUMENT_SAMPLES[1])["device_time"] == "2024-01-03T18:40:00.000Z"
    assert all(len(value) <= 244 for value in BAD_INPUTS.values())
