# SPDX-License-Identifier: Apache-2.0
"""Proves that `flock watch` understands every good detection, and keeps what it shows.

The documentation's samples, what real firmware sends, missing and unknown members, times, distances, framing.
"""

from __future__ import annotations

import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import contract
from contract import parse_time
from lantern import DONE, WRONG_USAGE, Event, Lantern, Run
from peers.bench import Bench
from peers.flockfinder_device import FlockFinderDevice, encode
from peers.samples import DOCUMENT_SAMPLES, FIRMWARE_SAMPLES, Detection, expected, numbered

# What no sample can say.
OWN_KEYS = {
    "time", "id", "received", "latitude", "longitude", "speed", "heading", "activity", "address", "address_kind", "octets",
    "source", "new", "mine", "muted", "false_alarm", "alert", "fix", "known_nearby",
}


def as_sent(event: Event) -> Event:
    """A detection event without what the receiver adds."""
    return {key: value for key, value in event.items() if key not in OWN_KEYS}


async def watch(lantern: Lantern, device: FlockFinderDevice, database: Path, *arguments: str) -> Run:
    """A `flock watch` that has subscribed to the device."""
    run = await lantern.watch(database, "--no-ping", *arguments)
    await device.ready()
    return run


async def show(
    lantern: Lantern, device: FlockFinderDevice, database: Path, detections: list[Detection]
) -> list[Event]:
    """Sends detections one by one and returns the events for them."""
    run = await watch(lantern, device, database, "--count", str(len(detections)))
    for detection in detections:
        await device.send(detection)
    result = await run.finish()
    assert result.status == DONE, result
    assert run.parse_errors == []
    return run.detections


async def test_the_samples_of_the_document(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    events = await show(lantern, flockfinder, database, DOCUMENT_SAMPLES)
    assert [as_sent(event) for event in events] == [expected(sample) for sample in DOCUMENT_SAMPLES]


async def test_the_payloads_of_real_firmware(bench: Bench, lantern: Lantern, database: Path) -> None:
    device = FlockFinderDevice(bench, readable=True)
    await device.start()
    events = await show(lantern, device, database, FIRMWARE_SAMPLES)
    assert [as_sent(event) for event in events] == [expected(sample) for sample in FIRMWARE_SAMPLES]
    assert [event["mac"] for event in events][0] == "58:8E:81:AA:BB:CC"
    assert events[-1]["ssid"] == "" and events[-1]["type"] == "raven"


async def test_every_type_and_an_unknown_one(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    labels = [*contract.TYPES, "Acme CamScope 3000", "", "Überwachung 📷"]
    sent = [dict(numbered(1), type=label) for label in labels]
    events = await show(lantern, flockfinder, database, sent)
    assert [event["label"] for event in events] == labels
    assert [event["type"] for event in events] == [*contract.TYPES.values(), "unknown", "unknown", "unknown"]


OPTIONAL: dict[str, Detection] = {
    "the required members alone": {"type": "Axis", "rssi": -60, "confidence": 0.5},
    "no mac": {"type": "Axis", "ssid": "x", "rssi": -60, "confidence": 0.5, "ts": 1},
    "no ssid": {"type": "Axis", "mac": "00:11:22:33:44:55", "rssi": -60, "confidence": 0.5, "ts": 1},
    "an empty ssid": {"type": "Axis", "ssid": "", "rssi": -60, "confidence": 0.5},
    "no ts": {"type": "Axis", "mac": "00:11:22:33:44:55", "ssid": "x", "rssi": -60, "confidence": 0.5},
    "confidence 0": {"type": "Axis", "rssi": -60, "confidence": 0},
    "confidence 1": {"type": "Axis", "rssi": -60, "confidence": 1},
    "strongest rssi": {"type": "Axis", "rssi": 20, "confidence": 0.5},
    "weakest rssi": {"type": "Axis", "rssi": -127, "confidence": 0.5},
    "mixed case in the mac": {"type": "Axis", "mac": "aA:Bb:cC:00:fF:0e", "rssi": -60, "confidence": 0.5},
    "unknown keys": {
        "type": "Axis",
        "rssi": -60,
        "confidence": 0.5,
        "method": "probe",
        "channel": 11,
        "score": -1.5,
        "match": True,
        "nothing": None,
        "list": [1, "two", [3]],
        "object": {"a": {"b": "c"}, "ü": "📷"},
    },
}


@pytest.mark.parametrize("name", OPTIONAL)
async def test_what_may_be_missing_and_what_may_be_added(
    name: str, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    (event,) = await show(lantern, flockfinder, database, [OPTIONAL[name]])
    assert as_sent(event) == expected(OPTIONAL[name])


async def test_distance_words_at_their_borders(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    words = {
        20: "very_close",
        -30: "very_close",
        -50: "very_close",
        -51: "close",
        -70: "close",
        -71: "medium",
        -85: "medium",
        -86: "far",
        -127: "far",
    }
    events = await show(
        lantern, flockfinder, database, [{"type": "Ring", "rssi": rssi, "confidence": 0.5} for rssi in words]
    )
    assert {event["rssi"]: event["proximity"] for event in events} == words


async def test_unix_times_and_times_since_boot(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    now = int(time.time())
    unix_times = [1577836800, 1704307200, now, now + 86000]
    uptimes = [0, 1, 123456789, 1577836799, now + 2 * 86400, 4294967295, now * 1000]
    sent = [dict(numbered(1), ts=ts) for ts in unix_times + uptimes]
    events = await show(lantern, flockfinder, database, sent)
    for ts, event in zip(unix_times, events):
        assert event["device_uptime_ms"] is None
        assert parse_time(event["device_time"]).timestamp() == ts
    for ts, event in zip(uptimes, events[len(unix_times) :]):
        assert (event["device_time"], event["device_uptime_ms"]) == (None, ts)


async def test_ids_and_times_of_receipt(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    before = datetime.now(timezone.utc).timestamp()
    events = await show(lantern, flockfinder, database, [numbered(number) for number in range(20)])
    after = datetime.now(timezone.utc).timestamp()
    ids = [event["id"] for event in events]
    assert len(set(ids)) == 20 and ids == sorted(ids)
    times = [parse_time(event["received"]).timestamp() for event in events]
    assert times == sorted(times)
    assert before - 0.001 <= times[0] and times[-1] <= after + 0.001


@pytest.mark.parametrize(
    ("arguments", "position"),
    [
        ([], (None, None)),
        (["--location", "52.5208,13.4095"], (52.5208, 13.4095)),
        (["--location=-33.8688,-151.2093"], (-33.8688, -151.2093)),
        (["--location", "0,13.4"], (0, 13.4)),
    ],
)
async def test_location_is_shown_and_stored(
    arguments: list[str],
    position: tuple[Any, Any],
    flockfinder: FlockFinderDevice,
    lantern: Lantern,
    database: Path,
) -> None:
    run = await watch(lantern, flockfinder, database, "--count", "1", *arguments)
    await flockfinder.send(numbered(1))
    assert (await run.finish()).status == DONE
    for event in run.detections + await lantern.list_detections(database):
        assert (event["latitude"], event["longitude"]) == position


@pytest.mark.parametrize("location", ["91,0", "0,181", "52.5", "here", "1,2,3", "nan,0", "0,0"])
async def test_a_location_that_is_none_exits_with_64(
    location: str, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--location", location)
    assert (await run.finish()).status == WRONG_USAGE
    assert not database.exists()


# Framing

TRICKY = [
    numbered(1),
    {"type": "Ring", "ssid": 'a}{b]["c\\', "rssi": -60, "confidence": 0.5, "x": {"y": "}"}},
    {"type": "Ring", "ssid": "line\nbreak\r\t\u0000end", "rssi": -60, "confidence": 0.5},
    {"type": "Ring", "ssid": "Künstler 📷 灯", "rssi": -60, "confidence": 0.5},
]


async def framed(
    lantern: Lantern, device: FlockFinderDevice, database: Path, pieces: list[bytes], wanted: list[Detection]
) -> None:
    """Sends these notifications and expects these detections, in order, and no error."""
    run = await watch(lantern, device, database, "--count", str(len(wanted)))
    for piece in pieces:
        await device.send_raw(piece)
    assert (await run.finish()).status == DONE
    assert [as_sent(event) for event in run.detections] == [expected(detection) for detection in wanted]
    assert run.parse_errors == []


async def test_tricky_strings(flockfinder: FlockFinderDevice, lantern: Lantern, database: Path) -> None:
    await framed(lantern, flockfinder, database, [encode(value) for value in TRICKY], TRICKY)


@pytest.mark.parametrize("separator", [b"", b"\n", b"\r\n", b" \n\n "])
async def test_two_objects_in_one_notification(
    separator: bytes, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    both = encode(TRICKY[0]) + separator + encode(TRICKY[1])
    await framed(lantern, flockfinder, database, [both], TRICKY[:2])


async def test_white_space_around_an_object(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    await framed(lantern, flockfinder, database, [b" \r\n" + encode(TRICKY[0]) + b" \n"], TRICKY[:1])


@pytest.mark.parametrize("size", [1, 7, 20, 182])
async def test_a_newline_separated_stream_in_chunks(
    size: int, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    """Chunks cut through names, escapes and the octets of one character alike."""
    stream = b"".join(encode(value) + b"\n" for value in TRICKY)
    pieces = [stream[offset : offset + size] for offset in range(0, len(stream), size)]
    await framed(lantern, flockfinder, database, pieces, TRICKY)


async def test_an_object_split_over_notifications(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    """With a newline at the end and without; between whole ones."""
    long = dict(numbered(2), note="x" * 700)
    data = encode(long)
    with_newline = [data[:400], data[400:] + b"\n"]
    without_newline = [data[:300], data[300:]]
    pieces = [encode(numbered(1)), *with_newline, encode(numbered(3)), *without_newline]
    await framed(lantern, flockfinder, database, pieces, [numbered(1), long, numbered(3), long])


async def test_a_device_that_keeps_to_23_octets(bench: Bench, lantern: Lantern, database: Path) -> None:
    device = FlockFinderDevice(bench)
    device.device.gatt_server.max_mtu = 23
    await device.start()
    events = await show(lantern, device, database, DOCUMENT_SAMPLES)
    assert [as_sent(event) for event in events] == [expected(sample) for sample in DOCUMENT_SAMPLES]


# Many

BURST = 5000


async def test_a_burst_of_5000_is_shown_and_stored_in_order(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await watch(lantern, flockfinder, database, "--count", str(BURST))
    for number in range(BURST):
        await flockfinder.send(numbered(number))
        await flockfinder.let_flow(most_pending=1000)
    assert (await run.finish(timeout=60)).status == DONE
    assert [event["ssid"] for event in run.detections] == [f"n{number}" for number in range(BURST)]
    rows = await lantern.list_detections(database)
    assert sorted(rows, key=lambda row: row["id"]) == run.detections
