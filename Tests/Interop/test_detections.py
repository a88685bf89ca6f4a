# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern detections list`, `show` and `delete` on what `flock watch` has stored."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, WRONG_USAGE, Event, Lantern
from peers.flockfinder_device import FlockFinderDevice
from peers.samples import Detection

BERLIN = (52.5208, 13.4095)
MUNICH = (48.1372, 11.5756)

MAC = "58:8e:81:00:00:01"

IN_BERLIN: list[Detection] = [
    {"type": "Flock Safety", "mac": MAC, "ssid": "FLOCK-North", "rssi": -50, "confidence": 0.9},
    {"type": "Ring", "mac": MAC, "ssid": "Doorbell", "rssi": -60, "confidence": 0.5, "ch": 6},
    {"type": "Acme Cam", "ssid": "100% _quoted_ 'name'", "rssi": -70, "confidence": 0.25},
]
IN_MUNICH: list[Detection] = [
    {"type": "Flock Safety", "mac": MAC, "ssid": "FLOCK-South", "rssi": -80, "confidence": 0.4},
]
NOWHERE: list[Detection] = [{"type": "Raven (Gunshot Detector)", "rssi": -90, "confidence": 1}]


@pytest.fixture
async def stored(flockfinder: FlockFinderDevice, lantern: Lantern, database: Path) -> list[Event]:
    """Five detections in the database: three in Berlin, one in Munich, one without a position."""
    events: list[Event] = []
    for round_number, (place, detections) in enumerate(
        [(BERLIN, IN_BERLIN), (MUNICH, IN_MUNICH), (None, NOWHERE)], start=1
    ):
        location = [] if place is None else ["--location", f"{place[0]},{place[1]}"]
        run = await lantern.watch(database, "--count", str(len(detections)), *location)
        await flockfinder.ready(count=round_number)
        for detection in detections:
            await flockfinder.send(detection)
        assert (await run.finish()).status == DONE
        events += run.detections
        await flockfinder.wait_for("disconnected", count=round_number)
    return events


async def test_rows_have_the_keys_and_values_of_the_event(
    stored: list[Event], lantern: Lantern, database: Path
) -> None:
    rows = await lantern.list_detections(database)
    assert sorted(rows, key=lambda row: row["id"]) == stored
    for event in stored:
        result = await lantern.run_offline(
            "detections", "show", str(event["id"]), "--database", str(database), "--json"
        )
        assert (result.status, result.lines) == (DONE, [event])


async def test_filters(stored: list[Event], lantern: Lantern, database: Path) -> None:
    north, ring, acme, south, raven = (event["id"] for event in stored)
    received = [event["received"] for event in stored]
    wanted: dict[tuple[str, ...], set[int]] = {
        (): {north, ring, acme, south, raven},
        ("--type", "flock_safety"): {north, south},
        ("--type", "ring"): {ring},
        ("--type", "unknown"): {acme},
        ("--type", "raven"): {raven},
        ("--min-confidence", "0.5"): {north, ring, raven},
        ("--min-confidence", "0.51"): {north, raven},
        ("--near", "52.52,13.41,1000"): {north, ring, acme},
        ("--near", "48.1372,11.5756,1"): {south},
        ("--near", "50.3,12.5,600000"): {north, ring, acme, south},
        ("--text", "flock"): {north, south},
        ("--text", "Doorbell"): {ring},
        ("--text", "100%"): {acme},
        ("--text", "'name'"): {acme},
        ("--since", received[3]): {south, raven},
        ("--until", received[2]): {north, ring, acme},
        ("--type", "flock_safety", "--min-confidence", "0.5"): {north},
        ("--type", "flock_safety", "--near", "52.52,13.41,1000", "--text", "north"): {north},
    }
    found = {}
    for filters in wanted:
        found[filters] = {row["id"] for row in await lantern.list_detections(database, *filters)}
    assert found == wanted


@pytest.mark.parametrize(
    "filters",
    [
        ["--type", "verkada"],
        ["--text", "nobody has this"],
        ["--near", "0,0,1000"],
        ["--since", "2999-01-01T00:00:00.000Z"],
        ["--until", "2000-01-01T00:00:00.000Z"],
        ["--text", '"'],
        ["--text", "100%%"],
    ],
)
@pytest.mark.usefixtures("stored")
async def test_an_empty_list_exits_with_2(filters: list[str], lantern: Lantern, database: Path) -> None:
    result = await lantern.run_offline(
        "detections", "list", "--database", str(database), "--json", *filters
    )
    assert (result.status, result.lines) == (NOTHING_FOUND, [])


@pytest.mark.parametrize(
    "filters",
    [
        ["--type", "spaceship"],
        ["--min-confidence", "much"],
        ["--near", "52.5"],
        ["--near", "91,0,10"],
        ["--since", "yesterday-ish"],
    ],
)
@pytest.mark.usefixtures("stored")
async def test_a_filter_that_makes_no_sense_exits_with_64(
    filters: list[str], lantern: Lantern, database: Path
) -> None:
    result = await lantern.run_offline(
        "detections", "list", "--database", str(database), "--json", *filters
    )
    assert (result.status, result.lines) == (64, [])


async def test_delete(stored: list[Event], lantern: Lantern, database: Path) -> None:
    north, ring, *others = (event["id"] for event in stored)
    result = await lantern.run_offline(
        "detections", "delete", str(north), str(ring), "--database", str(database)
    )
    assert result.status == DONE
    assert {row["id"] for row in await lantern.list_detections(database)} == set(others)
    gone = await lantern.run_offline("detections", "show", str(north), "--database", str(database), "--json")
    assert (gone.status, gone.lines) == (NOTHING_FOUND, [])
    again = await lantern.run_offline("detections", "delete", str(north), "--database", str(database))
    assert again.status == NOTHING_FOUND
    found = await lantern.list_detections(database, "--text", "Doorbell")
    assert found == [], "a deleted row is not found by its text either"


async def test_delete_what_a_filter_shows(stored: list[Event], lantern: Lantern, database: Path) -> None:
    shown = {row["id"] for row in await lantern.list_detections(database, "--text", "Doorbell")}
    everything = {event["id"] for event in stored}
    assert shown and shown < everything
    options = ["--database", str(database), "--text", "Doorbell"]
    asked = await lantern.run_offline("detections", "delete", *options)
    assert asked.status == WRONG_USAGE and f"{len(shown)} detection" in asked.stderr and "--yes" in asked.stderr
    assert {row["id"] for row in await lantern.list_detections(database)} == everything
    done = await lantern.run_offline("detections", "delete", *options, "--yes", "--json")
    assert done.status == DONE
    assert {number for event in done.lines for number in event["deleted"]} == shown
    assert {row["id"] for row in await lantern.list_detections(database)} == everything - shown
    again = await lantern.run_offline("detections", "delete", *options, "--yes")
    assert again.status == NOTHING_FOUND
    rest = await lantern.run_offline("detections", "delete", "--all", "--yes", "--database", str(database))
    assert rest.status == DONE and f"Deleted {len(everything - shown)} detection" in rest.stdout
    assert await lantern.list_detections(database) == []


@pytest.mark.parametrize("arguments", [[], ["1", "--all"], ["--all", "--text", "x"], ["1", "--text", "x"]], ids=str)
@pytest.mark.usefixtures("stored")
async def test_delete_wants_one_way_to_say_what(arguments: list[str], lantern: Lantern, database: Path) -> None:
    result = await lantern.run_offline("detections", "delete", *arguments, "--yes", "--database", str(database))
    assert result.status == WRONG_USAGE and "--all" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [["list", "--json"], ["show", "1", "--json"], ["delete", "1"], ["export", "--format", "csv"]],
    ids=lambda arguments: arguments[0],
)
async def test_a_database_that_is_missing(arguments: list[str], lantern: Lantern, tmp_path: Path) -> None:
    missing = tmp_path / "missing.sqlite"
    result = await lantern.run_offline("detections", *arguments, "--database", str(missing))
    assert (result.status, result.stdout) == (FAILED, "")
    assert "missing.sqlite" in result.stderr
    assert not missing.exists()


async def test_a_file_that_is_no_database(lantern: Lantern, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text(json.dumps({"no": "database"}) * 1000)
    before = other.read_bytes()
    result = await lantern.run_offline("detections", "list", "--database", str(other), "--json")
    assert (result.status, result.stdout) == (FAILED, "")
    assert result.stderr.strip()
    assert other.read_bytes() == before


# Files and disks


@pytest.mark.parametrize("form", ["csv", "json"])
async def test_a_second_import_does_nothing(
    form: str, stored: list[Event], lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    export, other = tmp_path / f"export.{form}", tmp_path / "other.sqlite"
    await lantern.run_offline(
        "detections", "export", "--format", form, "--output", str(export), "--database", str(database)
    )

    async def bring(into: Path, *arguments: str) -> Event:
        result = await lantern.run_offline(
            "detections", "import", str(export), "--database", str(into), "--json", *arguments
        )
        assert result.status == DONE, result
        (line,) = result.lines
        return {key: line[key] for key in ("imported", "known", "refused", "dry_run")}

    trial = {"imported": 5, "known": 0, "refused": 0, "dry_run": True}
    assert await bring(other, "--dry-run") == trial
    assert not other.exists()
    assert await bring(other) == dict(trial, dry_run=False)
    assert await bring(other) == {"imported": 0, "known": 5, "refused": 0, "dry_run": False}
    assert await bring(database) == {"imported": 0, "known": 5, "refused": 0, "dry_run": False}
    kept = ["type", "label", "mac", "ssid", "rssi", "confidence", "received", "latitude", "longitude"]
    rows = await lantern.list_detections(other)
    assert [[row[key] for key in kept] for row in rows[::-1]] == [[row[key] for key in kept] for row in stored]


async def test_rows_that_cannot_be_used_are_named(lantern: Lantern, database: Path, tmp_path: Path) -> None:
    file = tmp_path / "some.csv"
    rows = ["Ring,-61,0.9,2026-11-21", "Ring,loud,0.9,2026-11-21", "Axis,-62,0.9,2026-11-21T10:00"]
    file.write_text("device_type,rssi,confidence,timestamp\n" + "\n".join(rows) + "\n")
    result = await lantern.run_offline("detections", "import", str(file), "--database", str(database))
    assert result.status == FAILED
    assert "Line 3: its rssi is not a whole number." in result.stderr
    assert "2 detections imported, 1 row left out." in result.stdout
    assert len(await lantern.list_detections(database)) == 2


@pytest.mark.parametrize("content", [b"\0" * (1 << 20), b'{"detections":[' + b"[" * (1 << 20)], ids=["nul", "nested"])
async def test_a_hostile_file_is_refused_at_once(
    content: bytes, lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    file = tmp_path / "hostile"
    file.write_bytes(content)
    result = await lantern.run_offline(
        "detections", "import", str(file), "--database", str(database), timeout=10
    )
    assert result.status == FAILED
    assert len(result.stderr) < 600


async def test_a_limit_of_rows(stored: list[Event], lantern: Lantern, database: Path) -> None:
    rows = await lantern.list_detections(database, "--limit", "2")
    assert [row["id"] for row in rows] == [stored[4]["id"], stored[3]["id"]]


@pytest.mark.usefixtures("stored")
async def test_times_without_a_zone_are_local_and_the_day_belongs_to_it(lantern: Lantern, database: Path) -> None:
    today = datetime.now().strftime("%Y-%m-%d")
    tomorrow = (datetime.now() + timedelta(days=1)).strftime("%Y-%m-%d")
    assert len(await lantern.list_detections(database, "--since", today, "--until", today)) == 5
    assert await lantern.list_detections(database, "--since", tomorrow) == []

