# SPDX-License-Identifier: Apache-2.0
"""Proves that detections carry the place that gpsd or a recorded track says, and that both may come and go."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lantern import DONE, FAILED, WRONG_USAGE, Event, Lantern, Run
from peers.flockfinder_device import FlockFinderDevice
from peers.gps import START, STEP, GPSFake, free_port, gpx, listen_without_receiver
from peers.samples import numbered

needs_gpsd = pytest.mark.skipif(
    shutil.which("gpsfake") is None or shutil.which("gpsd") is None,
    reason="gpsd and gpsd-clients are not installed",
)


@pytest.fixture
async def gpsfake(tmp_path: Path) -> AsyncIterator[GPSFake]:
    fake = GPSFake(tmp_path)
    yield fake
    await fake.stop()


async def wait_for_condition(
    run: Run, condition: str, activity: str | None = None, is_exact: bool = False
) -> Event:
    """Waits for an event about our place, from now on.

    gpsd tells the first moment in two reports: only the second, which is another event, knows how exact the place is.
    """
    known = len(run.events("location"))

    def look() -> Event | None:
        for event in run.events("location")[known:]:
            if is_exact and event["accuracy"] is None:
                continue
            if event["condition"] == condition and activity in (None, event["activity"]):
                return event
        return None

    return await run.wait_until(look, f"the place is {condition}, {activity or 'however we move'}")


async def detect(run: Run, device: FlockFinderDevice, number: int) -> Event:
    """Sends a detection and returns its event."""
    await device.send(numbered(number))
    events = await run.wait_until(
        lambda: [event for event in run.detections if event["ssid"] == f"n{number}"], "the detection"
    )
    return events[0]


@needs_gpsd
async def test_gpsd_comes_drives_and_goes(
    gpsfake: GPSFake, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--no-ping", "--location", f"gpsd:127.0.0.1:{gpsfake.port}")
    await run.wait_for("location")
    assert run.events("location")[0]["condition"] == "unreachable"
    await flockfinder.ready()
    await run.wait_for_state("connected")
    nowhere = await detect(run, flockfinder, 1)
    assert (nowhere["latitude"], nowhere["longitude"], nowhere["speed"]) == (None, None, None)

    await gpsfake.start()
    found = await wait_for_condition(run, "found", "driving", is_exact=True)
    assert (found["source"], found["altitude"], found["accuracy"] > 0) == ("gpsd", 35, True)
    driven = await detect(run, flockfinder, 2)
    assert START[0] <= driven["latitude"] < START[0] + 600 * STEP
    assert driven["longitude"] == pytest.approx(START[1], abs=1e-6)
    assert driven["speed"] == pytest.approx(11.1, abs=0.2)
    assert (driven["heading"], driven["activity"]) == (0, "driving")
    further = await detect(run, flockfinder, 3)
    assert further["latitude"] >= driven["latitude"]

    await gpsfake.stop()
    await wait_for_condition(run, "unreachable")
    await gpsfake.start()
    again = await wait_for_condition(run, "found")
    assert again["latitude"] >= START[0]
    assert (await run.interrupt()).status == DONE
    assert [event["reason"] for event in run.events("location") if event["condition"] == "unreachable"][:2] == [
        "it cannot be connected to",
        "it has ended the connection",
    ]
    rows = {row["ssid"]: row for row in await lantern.list_detections(database)}
    # Both reports of the first moment are one fix, and none is refused.
    assert "refused" not in [event["condition"] for event in run.events("location")[:3]]
    keys = ("latitude", "longitude", "speed", "heading", "activity")
    assert [rows["n2"][key] for key in keys] == [driven[key] for key in keys]


async def play(
    lantern: Lantern, database: Path, folder: Path, seconds: int, speed: int, packed: bool = False
) -> Run:
    """Watches while a track of so many seconds is played."""
    path = folder / "drive.gpx"
    track = gpx(seconds).encode()
    path.write_bytes(gzip.compress(track) if packed else track)
    return await lantern.watch(database, "--no-ping", "--location", f"gpx:{path}", "--speed", str(speed))


async def test_a_track_is_played(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    run = await play(lantern, database, tmp_path, 3000, 20)
    await flockfinder.ready()
    await run.wait_for_state("connected")
    await run.wait_until(
        lambda: [event for event in run.events("location") if event["activity"] == "driving"], "driving"
    )
    driven = await detect(run, flockfinder, 1)
    assert START[0] < driven["latitude"] < START[0] + 3000 * STEP
    # As it was driven, not twenty times as fast.
    assert driven["speed"] == pytest.approx(11.1, abs=1)
    assert (driven["heading"], driven["activity"]) == (pytest.approx(0, abs=0.1), "driving")
    assert (await run.interrupt()).status == DONE
    assert {event["source"] for event in run.events("location")} == {"gpx"}


@pytest.mark.parametrize("packed", [False, True])
async def test_after_its_end_a_track_says_nothing(
    packed: bool, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    run = await play(lantern, database, tmp_path, 5, 1000, packed)
    await run.wait_until(
        lambda: [event for event in run.events("location") if event["condition"] == "ended"], "its end"
    )
    await flockfinder.ready()
    await run.wait_for_state("connected")
    event = await detect(run, flockfinder, 1)
    assert event["latitude"] is None
    assert (await run.interrupt()).status == DONE


@pytest.mark.parametrize(
    ("content", "status", "sentence"),
    [
        (None, WRONG_USAGE, "cannot be read: No such file or directory. Check its name."),
        ("<gpx><trkpt", FAILED, "line 1: a name is missing"),
        ("<gpx/>", FAILED, "it has no track"),
        ("<gpx>" + " " * (64 << 20), WRONG_USAGE, "larger than 64 MB"),
        (
            "<gpx><trk><trkseg>\n<trkpt lat='1' lon='2'><desc>" + "a<!---->" * (1 << 19),
            FAILED,
            "line 2: a point has more than 262144 octets",
        ),
    ],
    ids=["missing", "broken", "empty", "large", "a large point"],
)
async def test_a_track_that_is_none_leaves_nothing_behind(
    content: str | None, status: int, sentence: str, lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    path = tmp_path / "drive.gpx"
    if content is not None:
        path.write_text(content)
    run = await lantern.watch(database, "--location", f"gpx:{path}")
    result = await run.finish()
    assert result.status == status
    assert sentence in result.stderr
    assert not database.exists()


async def test_something_else_listens_there(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\n")
        await writer.drain()

    port = free_port()
    server = await asyncio.start_server(answer, "127.0.0.1", port)
    run = await lantern.watch(database, "--no-ping", "--location", f"gpsd:127.0.0.1:{port}")
    await run.wait_for("location")
    assert run.events("location")[0]["reason"] == "what listens there is not gpsd"
    assert (await run.interrupt()).status == DONE
    server.close()


async def test_gpsd_without_a_receiver_is_said(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    server, port = await listen_without_receiver()
    run = await lantern.watch(database, "--no-ping", "--location", f"gpsd:127.0.0.1:{port}")
    await run.wait_for("location")
    assert [event["condition"] for event in run.events("location")] == ["no_receiver"]
    assert (await run.interrupt()).status == DONE
    server.close()


async def test_a_receiver_that_looks_for_satellites_is_one(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    said = [
        '{"class":"DEVICE","path":"/dev/a","activated":"2026-11-23T04:18:15.108Z"}',
        '{"class":"TPV","device":"/dev/a","mode":0}',
    ]
    server, port = await listen_without_receiver(*said)
    run = await lantern.watch(database, "--no-ping", "--location", f"gpsd:127.0.0.1:{port}")
    found = await run.wait_until(
        lambda: [event for event in run.events("location") if event["reason"] is None][1:], "it looks for satellites"
    )
    assert (found[0]["condition"], found[0]["satellites"]) == ("searching", None)
    assert (await run.interrupt()).status == DONE
    server.close()


async def test_the_time_of_arrival_is_that_of_a_fix_without_one(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n')
        await reader.readline()
        device = b'{"class":"DEVICE","path":"/dev/a","activated":"2026-11-23T04:18:15.108Z"}'
        writer.write(b'{"class":"DEVICES","devices":[' + device + b"]}\r\n")
        heard = b"?"
        while heard:
            writer.write(b'{"class":"TPV","device":"/dev/a","mode":3,"lat":48.5,"lon":2.25,"alt":35,"track":nan}\r\n')
            with contextlib.suppress(TimeoutError):
                heard = await asyncio.wait_for(reader.read(1024), 0.3)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    run = await lantern.watch(database, "--no-ping", "--location", f"gpsd:127.0.0.1:{port}")
    found = await run.wait_until(
        lambda: [event for event in run.events("location") if event["condition"] == "found"], "a place"
    )
    assert found[0]["reason"] == "the receiver tells no time, so that of its arrival counts"
    assert found[0]["altitude"] == 35
    await flockfinder.ready()
    await run.wait_for_state("connected")
    event = await detect(run, flockfinder, 1)
    assert (event["latitude"], event["longitude"]) == (48.5, 2.25)
    assert (await run.interrupt()).status == DONE
    assert "refused" not in [event["condition"] for event in run.events("location")]
    server.close()
