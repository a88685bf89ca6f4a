# SPDX-License-Identifier: Apache-2.0
"""Proves that `flock detect` notices cameras by their advertisements, keeps them, says why, and leaves others alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lantern import DONE, NOTHING_FOUND, WRONG_USAGE, Event, Lantern, Run
from peers.bench import Bench
from peers.cameras import CAMERAS, LOOKALIKES, Camera


async def detect(lantern: Lantern, database: Path, *arguments: str) -> Run:
    """A `flock detect` that has begun to listen."""
    run = await lantern.start("flock", "detect", "--database", str(database), "--json", *arguments)
    await run.wait_for("detector_started")
    return run


async def detection_of(run: Run, camera: Camera) -> Event:
    def look() -> Event | None:
        return next((event for event in run.detections if event["mac"] == camera.address), None)

    return await run.wait_until(look, f"a detection of {camera.address}")


@pytest.mark.parametrize("name", CAMERAS)
async def test_each_kind_is_noticed(name: str, bench: Bench, lantern: Lantern, database: Path) -> None:
    camera = CAMERAS[name]
    await camera.start(bench)
    run = await detect(lantern, database)
    event = await detection_of(run, camera)
    assert (await run.interrupt()).status == DONE
    assert event["type"] == camera.kind
    assert event["confidence"] == camera.sure
    assert event["ssid"] == camera.name
    assert event["rssi"] == -50
    # Nobody has sent it to us.
    assert event["address"] is None
    assert event["extra"]["origin"] == "this_radio"
    assert event["extra"]["signatures"] == run.events("detector_started")[0]["signatures"]
    assert event["extra"]["reasons"]
    assert [stored["id"] for stored in await lantern.list_detections(database)] == [event["id"]]


async def test_what_looks_like_them_is_left_alone(bench: Bench, lantern: Lantern, database: Path) -> None:
    for lookalike in LOOKALIKES.values():
        await lookalike.start(bench)
    run = await detect(lantern, database)
    # The last of them to be heard; once it is said, the others had their time.
    camera = CAMERAS["battery by its name"]
    await camera.start(bench)
    await detection_of(run, camera)
    result = await run.interrupt()
    assert [event["mac"] for event in result.events("detection")] == [camera.address]


async def test_a_source_is_said_once_an_interval(bench: Bench, lantern: Lantern, database: Path) -> None:
    await CAMERAS["battery by its name"].start(bench)
    run = await lantern.run(
        "flock", "detect", "--database", str(database), "--json", "--interval", "2", "--count", "3", timeout=30
    )
    assert run.status == DONE
    times = [stored["received"] for stored in await lantern.list_detections(database)]
    assert len(times) == 3 == len(set(times))


async def test_nothing_noticed_says_that_only_bluetooth_was_heard(
    bench: Bench, lantern: Lantern, database: Path
) -> None:
    await LOOKALIKES["a thermometer"].start(bench)
    result = await lantern.run("flock", "detect", "--database", str(database), "--duration", "2")
    assert result.status == NOTHING_FOUND
    assert "only Bluetooth is heard" in result.stdout
    assert "Only Bluetooth was heard" in result.stderr


async def test_a_table_of_ones_own(bench: Bench, lantern: Lantern, database: Path, tmp_path: Path) -> None:
    shown = await lantern.run_offline("flock", "signatures", "--json")
    table = json.loads(shown.stdout)
    assert table["version"] and len(table["signatures"]) > 50
    table["name"] = "mine"
    table["signatures"] = [{"name": "Thermo*", "type": "verkada", "weight": 0.6, "source": "a test"}]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(table))
    thermometer = LOOKALIKES["a thermometer"]
    await thermometer.start(bench)
    await CAMERAS["battery by its name"].start(bench)
    run = await detect(lantern, database, "--signatures", str(file))
    event = await detection_of(run, thermometer)
    result = await run.interrupt()
    assert event["type"] == "verkada" and event["confidence"] == 0.6
    assert event["extra"]["reasons"] == ["name Thermo* +0.6"]
    assert {event["mac"] for event in result.events("detection")} == {thermometer.address}
    assert run.events("detector_started")[0]["signatures"] == f"mine {table['version']}"


async def test_a_bad_table_is_refused_before_anything_is_made(
    lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    file.write_text(
        '{"name": "mine", "version": "1", "threshold": 0.3, "signatures": [\n{"maker": "004c", "weight": 0.5}]}'
    )
    for command in (["detect", "--database", str(database), "--signatures"], ["signatures", "--file"]):
        result = await lantern.run_offline("flock", *command, str(file))
        assert result.status == WRONG_USAGE
        assert result.stdout == ""
        assert "mine.json, line 2, column 1: signature 1 speaks for something" in result.stderr
        assert "Nothing of the table is used" in result.stderr
    assert not database.exists()


async def test_a_table_that_is_too_large_or_missing_is_refused(lantern: Lantern, tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    file.write_bytes(b" " * ((1 << 20) + 1))
    result = await lantern.run_offline("flock", "signatures", "--file", str(file))
    assert result.status == WRONG_USAGE and "larger than 1 MB" in result.stderr
    result = await lantern.run_offline("flock", "signatures", "--file", str(tmp_path / "none.json"))
    assert result.status == WRONG_USAGE


async def test_what_this_radio_noticed_says_so_and_survives_export_and_import(
    bench: Bench, lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    camera = CAMERAS["gunshot detector"]
    await camera.start(bench)
    run = await lantern.run(
        "flock", "detect", "--database", str(database), "--count", "1", "--location", "52.52,13.405"
    )
    assert run.status == DONE
    shown = await lantern.run_offline("detections", "show", "1", "--database", str(database))
    assert "this radio" in shown.stdout and "It offers the services 3100, " in shown.stdout
    export, other = tmp_path / "all.json", tmp_path / "other.sqlite"
    await lantern.run_offline("detections", "export", "--database", str(database), "--output", str(export))
    await lantern.run_offline("detections", "import", str(export), "--database", str(other))
    before = (await lantern.list_detections(database))[0]
    after = (await lantern.list_detections(other))[0]
    for key in ("type", "mac", "confidence", "extra", "octets", "received", "latitude"):
        assert before[key] == after[key], key
