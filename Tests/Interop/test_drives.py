# SPDX-License-Identifier: Apache-2.0
"""Proves that drives are kept, and that what came before a fix gets its place, beside gpsd and a recorded track."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from lantern import DONE, NOTHING_FOUND, Lantern, Run
from peers.flockfinder_device import FlockFinderDevice
from peers.gps import START, STEP, GPSFake, free_port, gpx, listen_without_receiver
from peers.samples import numbered
from test_location import detect, wait_for_condition

needs_gpsd = pytest.mark.skipif(
    shutil.which("gpsfake") is None or shutil.which("gpsd") is None,
    reason="gpsd and gpsd-clients are not installed",
)
METRES = STEP * 111_195.08


@pytest.fixture
async def gpsfake(tmp_path: Path) -> AsyncIterator[GPSFake]:
    fake = GPSFake(tmp_path)
    yield fake
    await fake.stop()


def rows(database: Path, query: str) -> list[tuple[Any, ...]]:
    """What another program reads in the database meanwhile."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


async def until(look: Callable[[], bool], what: str, seconds: float = 30) -> None:
    """Looks again and again until it is so."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not look():
        assert loop.time() < end, what
        await asyncio.sleep(0.1)


class Site:
    """The interface of a hub."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}/api/v1"

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        return await asyncio.to_thread(self._ask, method, path, body, headers)

    def _ask(self, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method)
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    async def get(self, path: str) -> Any:
        status, value = await self.ask("GET", path)
        assert status == 200, value
        return value

    async def wait(self, path: str, wanted: Callable[[Any], bool], what: str, seconds: float = 30) -> Any:
        """Asks until the answer is as wanted."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            value = None
            try:
                value = await self.get(path)
                if wanted(value):
                    return value
            except OSError:
                pass
            assert loop.time() < end, f"{what}: {value}"
            await asyncio.sleep(0.1)


async def start_hub(lantern: Lantern, database: Path, *arguments: str) -> tuple[Run, Site]:
    port = free_port()
    run = await lantern.start(
        "hub", "--database", str(database), "--listen", f"127.0.0.1:{port}", *arguments
    )
    site = Site(port)
    await site.wait("/hub", lambda _: True, "the hub answers")
    return run, site


@needs_gpsd
async def test_gpsd_drives_a_route_past_a_watch(
    gpsfake: GPSFake, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--no-ping", "--location", f"gpsd:127.0.0.1:{gpsfake.port}")
    await flockfinder.ready()
    await run.wait_for_state("connected")
    early = await detect(run, flockfinder, 1)
    assert early["latitude"] is None

    await gpsfake.start(seconds=1200, pause=0.05)
    placed = (await run.wait_for("detection_placed"))[0]
    assert (placed["id"], placed["fix_source"], placed["source"]) == (early["id"], "gpsd", early["source"])
    assert -30_000 <= placed["fix_age_ms"] < 0
    assert placed["longitude"] == pytest.approx(START[1], abs=1e-6)
    await known_exactly(run)
    await detect(run, flockfinder, 2)
    begun = (await run.wait_for("drive_changed"))[0]
    assert begun["change"] == "begun"
    # Stored while it goes on, for a program that is killed.
    number = begun["drive"]["id"]
    count = f"SELECT COUNT(*) FROM drive_point WHERE drive = {number}"
    await until(lambda: rows(database, count)[0][0] > 150, "points are stored while it is driven")
    await gpsfake.stop()
    await wait_for_condition(run, "unreachable")
    assert (await run.interrupt()).status == DONE
    ended = run.events("drive_changed")[-1]
    assert (ended["change"], ended["drive"]["id"]) == ("ended", number)
    assert 150 * METRES < ended["drive"]["metres"] < 1200 * METRES
    assert (ended["drive"]["sources_new"], ended["drive"]["sources_known"], ended["drive"]["source"]) == (1, 0, "gpsd")

    found = {row[0]: row[1:] for row in rows(
        database, "SELECT ssid, fix_source, fix_age, accuracy, altitude FROM detection")}
    source, age, accuracy, altitude = found["n2"]
    assert (source, altitude) == ("gpsd", 35) and 0 <= age <= 10_000 and 0 < accuracy < 100
    assert found["n1"][:2] == ("gpsd", placed["fix_age_ms"])

    result = await lantern.run_offline("detections", "drives", "list", "--database", str(database), "--json")
    assert result.status == DONE
    assert [line["id"] for line in result.lines] == [number]
    assert result.lines[0]["metres"] == ended["drive"]["metres"]
    shown = await lantern.run_offline(
        "detections", "drives", "show", str(number), "--database", str(database), "--json")
    points = shown.lines[0]["points"]
    length = (points[-1][0] - points[0][0]) * 111_195.08
    assert ended["drive"]["metres"] == pytest.approx(length, rel=0.01)
    assert len(points) == rows(database, count)[0][0]
    assert [point[2] for point in points] == sorted(point[2] for point in points)
    assert all(point[1] == pytest.approx(START[1], abs=1e-6) for point in points)
    people = await lantern.run_offline("detections", "drives", "--database", str(database))
    assert " km " in people.stdout and "KNOWN" in people.stdout
    gone = await lantern.run_offline(
        "detections", "drives", "delete", str(number), "99", "--database", str(database), "--json")
    assert (gone.status, gone.lines[0]["deleted"], gone.lines[0]["missing"]) == (NOTHING_FOUND, [number], [99])
    again = await lantern.run_offline("detections", "drives", "--database", str(database))
    assert again.status == NOTHING_FOUND
    assert rows(database, "SELECT COUNT(*) FROM drive_point") == [(0,)]


async def known_exactly(run: Run) -> None:
    """Waits until the place is known exactly, whenever that was told."""
    await run.wait_until(
        lambda: [event for event in run.events("location") if event["accuracy"] is not None], "a fix")


async def test_a_hub_says_that_gpsd_has_no_receiver(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    server, port = await listen_without_receiver()
    run, site = await start_hub(lantern, database, "--location", f"gpsd:127.0.0.1:{port}")
    said = "gpsd has no receiver yet: connect one, or start gpsd with its device."
    hub = await site.wait("/hub", lambda hub: hub["location"]["reason"] == said, "gpsd has no receiver")
    assert (hub["location"]["source"], hub["location"]["state"]) == ("gpsd", "no_fix")
    assert (await run.interrupt()).status == DONE
    server.close()


@needs_gpsd
async def test_gpsd_drives_a_hub(
    gpsfake: GPSFake, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run, site = await start_hub(lantern, database, "--location", f"gpsd:127.0.0.1:{gpsfake.port}")
    where = (await site.wait("/hub", lambda hub: hub["location"]["reason"], "gpsd is not there"))["location"]
    assert (where["source"], where["state"]) == ("gpsd", "no_fix")
    assert where["reason"] == "No place from gpsd: it cannot be connected to. It is tried again by itself."
    assert (await site.get("/settings"))["location"]["source"] == "gpsd"
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    await site.wait("/detections", lambda page: page["total"] == 1, "the detection")

    await gpsfake.start(seconds=1200, pause=0.05)
    hub = await site.wait(
        "/hub", lambda hub: hub["location"]["activity"] == "driving" and hub["location"]["accuracy"], "a fix")
    where = hub["location"]
    assert (where["state"], where["altitude"], where["heading"]) == ("fix", 35, 0)
    assert where["speed"] == pytest.approx(11.1, abs=0.2)
    early = await site.wait("/detections/1", lambda one: one["latitude"] is not None, "its place is filled in")
    assert early["longitude"] == pytest.approx(START[1], abs=1e-6)
    drives = (await site.wait(
        "/drives", lambda page: page["drives"] and page["drives"][0]["metres"] > 100 * METRES, "a drive"))["drives"]
    assert len(drives) == 1 and drives[0]["sources_new"] + drives[0]["sources_known"] <= 1
    number = drives[0]["id"]

    # gpsd is killed in the middle of it: nothing is where the hub was.
    await gpsfake.stop()
    await site.wait("/hub", lambda hub: hub["location"]["state"] == "no_fix", "the fix gets old")
    await flockfinder.send(numbered(2))
    await site.wait("/detections", lambda page: page["total"] == 2, "the detection")
    assert rows(database, "SELECT latitude, fix_source, fix_age, accuracy, altitude FROM detection WHERE id = 2") == [
        (None, None, None, None, None)
    ]
    drive = await site.get(f"/drives/{number}")
    length = drive["points"][-1][0] - drive["points"][0][0]
    assert drive["metres"] == pytest.approx(length * 111_195.08, rel=0.01)
    routes = await site.get("/map/routes?box=2,48,3,49&zoom=14")
    assert [route["drive"] for route in routes["routes"]] == [number]
    assert len(routes["routes"][0]["points"]) < len(drive["points"]) / 10

    # And back: within half a minute, so that the second detection gets a place, too.
    await gpsfake.start(seconds=600, pause=0.1)
    await site.wait("/detections/2", lambda one: one["latitude"] is not None, "its place is filled in", 60)
    # Killed, it has lost ten seconds of the way at most.
    (end,) = rows(database, f'SELECT "end" FROM drive WHERE id = {number}')[0]
    await site.wait(f"/drives/{number}", lambda one: one["points"][-1][2] > end, "the drive goes on", 60)
    await run.kill()
    assert rows(database, "SELECT COUNT(*) FROM drive") == [(1,)]


async def test_a_hub_changes_its_place_without_a_restart(
    lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    track = tmp_path / "drive.gpx"
    track.write_text(gpx(3000))
    run, site = await start_hub(lantern, database, "--location", f"gpx:{track}", "--speed", "20")
    hub = await site.wait("/hub", lambda hub: hub["location"]["activity"] == "driving", "the track is played")
    assert (hub["location"]["source"], hub["location"]["state"]) == ("gpx", "fix")
    drives = (await site.wait("/drives", lambda page: page["drives"], "the drive"))["drives"]
    assert drives[0]["source"] == "gpx"
    place = {"latitude": 48.2, "longitude": 16.4, "accuracy": 15}
    status, problem = await site.ask("POST", "/position", place)
    assert status == 409 and "does not take its place from a browser" in json.dumps(problem)

    async def choose(source: str, **others: float) -> None:
        status, answer = await site.ask(
            "PATCH", "/settings", {"location": {"source": source, **others}}, If_Match="*")
        assert status == 200, answer

    await choose("browser")
    where = (await site.get("/hub"))["location"]
    assert (where["source"], where["state"]) == ("browser", "no_fix")
    assert await site.ask("POST", "/position", place) == (200, {"used": True, "reason": None})
    where = (await site.get("/hub"))["location"]
    assert (where["state"], where["latitude"], where["accuracy"]) == ("fix", 48.2, 15)
    far = await site.ask("POST", "/position", {**place, "latitude": 10})
    assert far == (200, {"used": False, "reason": "This place is not used: it is too far from the one before it."})
    foreign = await site.ask("POST", "/position", place, Origin="http://evil.example")
    assert foreign[0] == 403
    # Another source, another drive; from one place there is none.
    assert len((await site.get("/drives"))["drives"]) == 1
    # A tab that was closed.
    await site.wait("/hub", lambda hub: hub["location"]["state"] == "no_fix", "its place gets old", 20)
    await choose("fixed", latitude=1, longitude=2)
    assert (await site.get("/hub"))["location"]["latitude"] == 1
    await choose("none")
    assert (await site.get("/hub"))["location"]["state"] == "off"
    assert (await run.interrupt()).status == DONE
