# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern device run flockfinder` with a Bumble central, and with our own `flock watch`.

Bumble's controller delivers no scan response, so the name in it is checked where the host put it: in the
controller that `lantern` is attached to. Known difference: reported-twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from bumble.core import UUID, AdvertisingData
from bumble.device import Advertisement

from lantern import DONE, FAILED, WRONG_USAGE, Lantern, Run
from peers.bench import Bench
from peers.central import Central, Subscription
from peers.flockfinder_device import COMMAND, DETECTION, NAME, SERVICE, STREAM, encode
from peers.samples import DOCUMENT_SAMPLES, FIRMWARE_SAMPLES, Detection, expected, numbered

GAP_NAME = "2a00"
NOTIFY_ONLY, WRITE_ONLY = 0x10, 0x08
STREAM_EVENTS = {"wifi_scan", "ble_scan", "channel", "status"}


@pytest.fixture
async def central(bench: Bench) -> Central:
    central = Central(bench)
    await central.start()
    return central


@pytest.fixture
async def device(lantern: Lantern) -> AsyncIterator[Run]:
    """Our device on its invented route."""
    run = await lantern.start("device", "run", "flockfinder")
    yield run
    assert (await run.interrupt()).status == DONE


async def run_script(lantern: Lantern, tmp_path: Path, lines: list[dict[str, Any]]) -> Run:
    script = tmp_path / "script.jsonl"
    script.write_bytes(b"".join(encode(line) + b"\n" for line in lines))
    return await lantern.start("device", "run", "flockfinder", "--script", str(script))


def now(*detections: Detection) -> list[dict[str, Any]]:
    """A script that plays these without a pause."""
    return [dict(detection, after_ms=0) for detection in detections]


def without_stamp(value: dict[str, Any]) -> dict[str, Any]:
    return {key: member for key, member in value.items() if key != "ts"}


# Advertising and discovery


def advertised_services(advertisement: Advertisement) -> list[UUID]:
    services: list[UUID] = []
    for ad_type in (
        AdvertisingData.Type.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
        AdvertisingData.Type.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
    ):
        services += advertisement.data.get(ad_type) or []
    return services


def scan_response(bench: Bench) -> bytes:
    """What the host under test has set as scan response, by legacy or by extended commands."""
    controller = bench.port.controller
    assert controller is not None
    sets = [bytes(found.scan_response_data) for found in controller.advertising_sets.values()]
    return next(filter(None, [bytes(controller.le_legacy_advertiser.scan_response_data), *sets]), b"")


@pytest.mark.usefixtures("device")
async def test_what_it_advertises(bench: Bench, central: Central) -> None:
    advertisement = await central.find()
    assert advertisement.is_connectable
    assert advertised_services(advertisement) == [UUID(SERVICE)]
    assert len(advertisement.data_bytes) <= 31
    flags = advertisement.data.get(AdvertisingData.Type.FLAGS)
    assert int(flags) & 0x04, "an LE-only device says so"
    response = AdvertisingData.from_bytes(scan_response(bench))
    assert response.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME) == NAME
    assert len(scan_response(bench)) <= 31


@pytest.mark.usefixtures("device")
async def test_what_it_serves(central: Central) -> None:
    peer = await central.connect((await central.find()).address)
    properties = {uuid: int(central.characteristic(uuid).properties) for uuid in (DETECTION, COMMAND, STREAM)}
    assert properties == {DETECTION: NOTIFY_ONLY, COMMAND: WRITE_ONLY, STREAM: NOTIFY_ONLY}
    (service,) = [found for found in peer.services if found.uuid == UUID(SERVICE)]
    assert {str(found.uuid).lower() for found in service.characteristics} == {DETECTION, COMMAND, STREAM}
    assert await central.characteristic(GAP_NAME).read_value() == NAME.encode()
    assert peer.gatt_client.mtu >= 185


# Detections


async def test_a_script_is_played_exactly(
    bench: Bench, central: Central, lantern: Lantern, tmp_path: Path
) -> None:
    played = [*DOCUMENT_SAMPLES, *FIRMWARE_SAMPLES, dict(numbered(1), ssid='a "b" \\ ü 📷\n')]
    await run_script(lantern, tmp_path, now(*played))
    await central.connect((await central.find()).address)
    detections = await central.subscribe(DETECTION)
    assert await detections.wait_for_objects(len(played)) == played
    assert [json.loads(notification.value) for notification in detections.notifications] == played


async def test_after_ms_counts_from_the_line_before(
    central: Central, lantern: Lantern, tmp_path: Path
) -> None:
    pauses = [0, 400, 0, 800, 200]
    script = [dict(numbered(number), after_ms=pause) for number, pause in enumerate(pauses)]
    await run_script(lantern, tmp_path, script)
    await central.connect((await central.find()).address)
    detections = await central.subscribe(DETECTION)
    assert await detections.wait_for_objects(5) == [numbered(number) for number in range(5)]
    times = [notification.at for notification in detections.notifications]
    gaps = [(later - earlier) * 1000 for earlier, later in zip(times, times[1:])]
    # Early is an error of the device; late may be a busy machine.
    assert all(pause - 60 < gap < pause + 1500 for pause, gap in zip(pauses[1:], gaps)), gaps


async def test_a_script_begins_with_the_first_subscription(
    central: Central, lantern: Lantern, tmp_path: Path
) -> None:
    await run_script(lantern, tmp_path, now(*DOCUMENT_SAMPLES))
    await central.connect((await central.find()).address)
    await central.characteristic(GAP_NAME).read_value()
    await central.disconnect()
    await central.connect((await central.find()).address)
    detections = await central.subscribe(DETECTION)
    assert await detections.wait_for_objects(4) == DOCUMENT_SAMPLES


@pytest.mark.parametrize("mtu", [23, 48, 100])
async def test_long_objects_go_on_and_end_with_a_newline(
    mtu: int, bench: Bench, central: Central, lantern: Lantern, tmp_path: Path
) -> None:
    central.device.gatt_server.max_mtu = mtu  # Also if our side asks for more.
    await run_script(lantern, tmp_path, now(*DOCUMENT_SAMPLES))
    peer = await central.connect((await central.find()).address, mtu=None if mtu == 23 else mtu)
    detections = await central.subscribe(DETECTION)
    await detections.wait_for_objects(4)
    largest = peer.gatt_client.mtu - 3
    await detections.changes.wait_until(
        lambda: detections.octets.endswith(b"\n") or len(detections.notifications[-1].value) < largest,
        10,
        "the last piece",
    )
    assert detections.objects() == DOCUMENT_SAMPLES
    objects = split_by_object(detections, largest)
    for pieces in objects:
        whole = b"".join(pieces)
        assert whole.endswith(b"\n") == (len(pieces) > 1), whole
        assert all(len(piece) == largest for piece in pieces[:-1]), "pieces are as long as the MTU allows"
        assert whole.count(b"\n") <= 1


def split_by_object(subscription: Subscription, largest: int) -> list[list[bytes]]:
    """The notifications grouped by the object that they are part of."""
    groups: list[list[bytes]] = [[]]
    for notification in subscription.notifications:
        assert len(notification.value) <= largest
        groups[-1].append(notification.value)
        try:
            json.loads(b"".join(groups[-1]))
        except ValueError:
            continue
        if len(groups[-1]) == 1 or notification.value.endswith(b"\n"):
            groups.append([])
    return [group for group in groups if group]


@pytest.mark.usefixtures("device")
async def test_two_subscribers_one_after_the_other(central: Central, bench: Bench) -> None:
    second = Central(bench, address="E0:00:00:00:00:02")
    await second.start()
    for subscriber in (central, second, central):
        await subscriber.connect((await subscriber.find()).address)
        detections = await subscriber.subscribe(DETECTION)
        found = await detections.wait_for_objects(1, timeout=30)
        assert {"type", "rssi", "confidence"} <= found[0].keys()
        await subscriber.disconnect()


@pytest.mark.usefixtures("device")
async def test_it_advertises_again_after_a_lost_link(central: Central, bench: Bench) -> None:
    first = await central.find()
    await central.connect(first.address)
    bench.lose_links(central.device)
    again = await central.find()
    assert again.address == first.address
    await central.connect(again.address)


@pytest.mark.usefixtures("device")
async def test_no_detection_without_a_subscription(central: Central) -> None:
    await central.connect((await central.find()).address)
    stream = await central.subscribe(STREAM)
    detections = await central.subscribe(DETECTION)
    await detections.wait_for_objects(1, timeout=30)
    await detections.characteristic.unsubscribe(detections.on_notification)
    count = len(detections.notifications)
    await central.write(COMMAND, b"STATUS")
    await stream.wait_for_object(evt="status")
    assert len(detections.notifications) == count


# Commands


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("command", ["PING", "STATUS"])
async def test_ping_and_status_are_answered(command: str, central: Central) -> None:
    await central.connect((await central.find()).address)
    stream = await central.subscribe(STREAM)
    await central.write(COMMAND, command.encode())
    answer = await stream.wait_for_object(evt="status")
    assert isinstance(answer["msg"], str) and isinstance(answer["ts"], int)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("command", [b"DANCE", "tanz 📷".encode(), b"\xff\xfe", b"", b"ping", b"x" * 200])
async def test_unknown_words_are_accepted_and_answered(command: bytes, central: Central) -> None:
    await central.connect((await central.find()).address)
    stream = await central.subscribe(STREAM)
    await central.write(COMMAND, command)  # Raises if it were refused.
    answer = await stream.wait_for_object(evt="status")
    assert answer["msg"]
    await central.write(COMMAND, b"PING")
    await stream.changes.wait_until(lambda: len(stream.objects()) >= 2, 10, "an answer to PING")
    assert stream.objects()[1]["msg"] != answer["msg"], "an unknown word is told from a known one"


async def test_reset_clears_the_counters(central: Central, lantern: Lantern, tmp_path: Path) -> None:
    """STATUS tells how many detections were sent; 113 is a number that nothing else is likely to be."""
    await run_script(lantern, tmp_path, now(*[numbered(number) for number in range(113)]))
    await central.connect((await central.find()).address)
    stream = await central.subscribe(STREAM)
    detections = await central.subscribe(DETECTION)
    await detections.wait_for_objects(113)

    async def status() -> str:
        count = len(stream.objects())
        await central.write(COMMAND, b"STATUS")
        objects = await stream.wait_for_objects(count + 1)
        return json.dumps(without_stamp(objects[-1]))

    assert re.search(r"\b113\b", await status())
    await central.write(COMMAND, b"RESET")
    assert not re.search(r"\b113\b", await status())


async def test_stream_on_and_stream_off(central: Central, lantern: Lantern, tmp_path: Path) -> None:
    await run_script(lantern, tmp_path, [dict(numbered(number), after_ms=250) for number in range(40)])
    await central.connect((await central.find()).address)
    stream = await central.subscribe(STREAM)
    detections = await central.subscribe(DETECTION)
    await central.write(COMMAND, b"stream_on")
    for event in ("wifi_scan", "channel"):
        await stream.wait_for_object(evt=event, timeout=20)
    assert {value["evt"] for value in stream.objects()} <= STREAM_EVENTS
    assert all(isinstance(value["ts"], int) for value in stream.objects())
    await central.write(COMMAND, b"stream_off")
    await central.write(COMMAND, b"PING")
    before = len(stream.objects())
    seen = len(detections.notifications)
    await detections.wait_for_objects(seen + 4)  # A second of the device's time, by its own detections.
    scans = [value for value in stream.objects()[before:] if value["evt"] != "status"]
    assert len(scans) <= 1, scans  # One may have been on its way.


# The command line


async def test_a_bad_script_is_refused(lantern: Lantern, tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_bytes(encode(dict(numbered(1), after_ms=0)) + b'\n{"type":"Ring"\n')
    result = await lantern.run("device", "run", "flockfinder", "--script", str(script))
    assert result.status in (FAILED, WRONG_USAGE)
    assert "2" in result.stderr, "the line is named"
    missing = await lantern.run("device", "run", "flockfinder", "--script", str(tmp_path / "missing"))
    assert missing.status in (FAILED, WRONG_USAGE) and "missing" in missing.stderr


async def test_our_watch_and_our_device_together(
    bench: Bench, lantern: Lantern, tmp_path: Path, database: Path
) -> None:
    """Both ends are ours, on two radios of one link: Bumble has only the controllers."""
    played = DOCUMENT_SAMPLES + FIRMWARE_SAMPLES
    run = await run_script(lantern, tmp_path, now(*played))
    port = await bench.add_port()
    watch = await lantern.watch(database, "--count", str(len(played)), radio=port.radio)
    assert (await watch.finish()).status == DONE
    labels = [(event["label"], event["rssi"]) for event in watch.detections]
    assert labels == [(expected(sample)["label"], sample["rssi"]) for sample in played]
    assert (await run.interrupt()).status == DONE


@pytest.mark.parametrize("kind", ["flockfinder", "wifiset", "improv", "bulb", "iphone", "nightlight"])
async def test_a_device_ends_by_itself(lantern: Lantern, kind: str) -> None:
    result = await lantern.run("device", "run", kind, "--duration", "1", "--json")
    assert result.status == DONE
    assert '"event":"device_advertising"' in result.stdout or kind == "iphone"
    assert result.stderr == ""
