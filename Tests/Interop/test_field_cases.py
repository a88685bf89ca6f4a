# SPDX-License-Identifier: Apache-2.0
"""Files as people bring them, through the command line: what is imported, what is said, and with which status it ends."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import gpxpy
import pytest

from lantern import DONE, FAILED, Lantern

CASES = Path(__file__).parents[1] / "CompanionTests" / "FieldCases"
COUNTS = ("imported", "drives", "passed", "refused")


async def bring(lantern: Lantern, database: Path, file: Path, status: int = DONE) -> dict[str, Any]:
    result = await lantern.run_offline(
        "detections", "import", str(file), "--database", str(database), "--json", timeout=60
    )
    assert result.status == status, result
    (event,) = result.events("detections_imported")
    return event


@pytest.mark.parametrize(
    ("name", "counts", "status"),
    [
        ("wigle-comma-and-cr.csv", (3, 0, 0, 0), DONE),
        ("kismet-wifi-12-of-14.wiglecsv", (3, 0, 0, 0), DONE),
        ("wigle-concatenated.csv", (2, 0, 0, 0), DONE),
        ("wigle-site-search.csv", (1, 0, 0, 0), DONE),
        ("wigle-odd-cells.csv", (9, 0, 1, 2), FAILED),
        ("flockfinder-app-database.csv", (4, 0, 0, 0), DONE),
        ("flockfinder-app-history.csv", (2, 0, 0, 0), DONE),
        ("flockfinder-app-history.json", (2, 0, 0, 0), DONE),
        ("json-doc-lowercase.json", (2, 0, 0, 0), DONE),
        ("flockfinder-doc.gpx", (1, 0, 0, 0), DONE),
        ("flockyou-desktop.csv", (1, 0, 0, 0), DONE),
        ("flockyou-dashboard.csv", (2, 0, 0, 0), DONE),
        ("gpx-track-and-waypoints.gpx", (0, 1, 2, 0), DONE),
        ("gpx-one-point-segments.gpx", (0, 2, 2, 0), DONE),
        ("gpx-leap-second.gpx", (0, 1, 0, 0), DONE),
        ("gpx-untimed-ends.gpx", (0, 1, 0, 1), FAILED),
        ("gpx-no-times.gpx", (0, 0, 0, 1), FAILED),
        ("gpx-route-only.gpx", (0, 0, 1, 0), FAILED),
    ],
)
async def test_a_file_is_imported_once_plain_or_compressed(
    lantern: Lantern, tmp_path: Path, name: str, counts: tuple[int, ...], status: int
) -> None:
    database = tmp_path / "a.sqlite"
    event = await bring(lantern, database, CASES / name, status)
    assert tuple(event[key] for key in COUNTS) == counts
    assert database.exists() == (event["imported"] + event["drives"] > 0), "nothing leaves nothing behind"
    packed = tmp_path / (name + ".gz")
    packed.write_bytes(gzip.compress((CASES / name).read_bytes()))
    again = await bring(lantern, database, packed, status)
    assert (again["imported"], again["drives"]) == (0, 0)
    assert (again["known"], again["known_drives"]) == (event["imported"], event["drives"])


async def test_a_file_that_ends_early_says_so(lantern: Lantern, tmp_path: Path) -> None:
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress((CASES / "wigle-same-16.csv").read_bytes())[:-12])
    result = await lantern.run_offline(
        "detections", "import", str(packed), "--database", str(tmp_path / "a.sqlite"), timeout=60
    )
    assert result.status == FAILED and "compressed data end too early" in result.stderr


@pytest.mark.parametrize(
    ("name", "cameras", "refused"),
    [
        ("known.osm", 3, 0),
        ("known.osc", 1, 0),
        ("overpass.json", 2, 0),
        ("overpass-augmented.osm", 1, 0),
        ("deflock-region.json", 1, 0),
        ("known-same-pole.geojson", 2, 0),
        ("known-lines.geojsonl", 2, 0),
        ("known-geojsonseq.geojsons", 1, 0),
        ("known-directions.geojson", 10, 0),
    ],
)
async def test_lists_of_cameras_come_as_they_are(
    lantern: Lantern, tmp_path: Path, name: str, cameras: int, refused: int
) -> None:
    database = tmp_path / "a.sqlite"
    packed = tmp_path / (name + ".gz")
    packed.write_bytes(gzip.compress((CASES / name).read_bytes()))
    for file in (CASES / name, packed):
        result = await lantern.run_offline(
            "detections", "known", "import", str(file), "--database", str(database), "--json", timeout=60
        )
        assert result.status == DONE, result
        (event,) = result.events("known_set_imported")
        assert (event["name"], event["cameras"], event["refused"]) == (name.rsplit(".", 1)[0], cameras, refused)


async def test_what_overpass_gave_before_it_gave_up_is_used(lantern: Lantern, tmp_path: Path) -> None:
    file, database = tmp_path / "town.json", tmp_path / "a.sqlite"
    node = {"type": "node", "id": 1, "lat": 48.1, "lon": 11.5, "tags": {"man_made": "surveillance"}}
    answer = {"elements": [node], "remark": "runtime error: Query timed out after 26 seconds."}
    arguments = ["detections", "known", "import", str(file), "--database", str(database)]
    for text, reason in (
        (json.dumps(answer), "runtime error: Query timed out after 26 seconds"),
        (json.dumps({"elements": [node, node]})[:-9], "it ends too early"),
    ):
        file.write_text(text)
        note = f"The answer of Overpass is incomplete: {reason}. Ask it again for a smaller area."
        result = await lantern.run_offline(*arguments, timeout=60)
        assert (result.status, result.stderr) == (DONE, f"lantern: {note}\n"), result
        assert result.stdout.startswith("town: 1 camera known")
        result = await lantern.run_offline(*arguments, "--json", timeout=60)
        (event,) = result.events("known_set_imported")
        assert (result.status, event["cameras"], event["note"]) == (DONE, 1, note)


async def test_cameras_that_are_refused_are_not_said_to_be_none(lantern: Lantern, tmp_path: Path) -> None:
    file = tmp_path / "a.geojson"
    feature = {"type": "Feature", "properties": {"man_made": "surveillance"}, "geometry": None}
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    result = await lantern.run_offline(
        "detections", "known", "import", str(file), "--database", str(tmp_path / "a.sqlite"), timeout=60
    )
    assert result.status == FAILED
    assert "has no camera" not in result.stderr and "it has no geometry" in result.stderr
    assert not (tmp_path / "a.sqlite").exists()


@pytest.mark.parametrize("packed", [False, True])
async def test_a_track_that_was_cut_off_is_a_drive(lantern: Lantern, tmp_path: Path, packed: bool) -> None:
    file, database = tmp_path / "a.gpx", tmp_path / "a.sqlite"
    points = [f'<trkpt lat="48.{n}" lon="11"><time>2026-05-02T10:00:0{n}Z</time></trkpt>' for n in range(3)]
    text = ("<gpx><trk><trkseg>" + "".join(points) + "<trkpt").encode()
    file.write_bytes(gzip.compress(text)[:-8] if packed else text)
    result = await lantern.run_offline("detections", "import", str(file), "--database", str(database), timeout=60)
    assert result.status == FAILED and "cannot be read any further" in result.stderr, result
    assert "with 1 drive" in result.stdout and database.exists()


async def test_drives_leave_for_gpxpy_and_google_earth(lantern: Lantern, tmp_path: Path) -> None:
    database, output = tmp_path / "a.sqlite", tmp_path / "a.gpx"
    await bring(lantern, database, CASES / "gpx-one-point-segments.gpx")
    export = ["detections", "export", "--database", str(database)]
    result = await lantern.run_offline(*export, "--output", str(output), timeout=60)
    assert result.status == DONE and "0 detections and 2 drives written" in result.stderr
    assert [len(track.segments[0].points) for track in gpxpy.parse(output.read_text()).tracks] == [2, 2]
    again = await lantern.run_offline(*export, "--output", str(output), timeout=60)
    assert again.status == FAILED and "--force" in again.stderr
    shown = await lantern.run_offline(*export, "--output", "-", "--format", "kml", timeout=60)
    assert shown.status == DONE and shown.stdout.count("<LineString>") == 2
    assert not Path("-").exists()


async def test_the_export_for_wigle_makes_no_radio_up(lantern: Lantern, tmp_path: Path) -> None:
    database = tmp_path / "a.sqlite"
    export = ["detections", "export", "--database", str(database), "--format", "wigle", "--output", "-"]
    await bring(lantern, database, CASES / "flockfinder-app-database.csv")
    told = await lantern.run_offline(*export, timeout=60)
    assert sorted(line.rsplit(",", 1)[1] for line in told.stdout.splitlines()[2:]) == ["BLE", "WIFI", "WIFI"]
    assert "Bluetooth" not in told.stderr
    # A confidence of 0.98 is of neither.
    await bring(lantern, database, CASES / "csv-invalid-motion.csv")
    again = await lantern.run_offline(*export, timeout=60)
    assert (again.status, again.stdout.splitlines()[1:]) == (DONE, told.stdout.splitlines()[1:])
    assert "2 detections left out, since it is not known whether they were Wi-Fi or Bluetooth" in again.stderr


async def test_the_hour_that_comes_twice_is_whole(
    lantern: Lantern, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "a.sqlite"
    await bring(lantern, database, CASES / "csv-clock-change.csv")
    monkeypatch.setenv("TZ", "Europe/Berlin")

    async def names(since: str, until: str) -> str:
        result = await lantern.run_offline(
            *["detections", "list", "--database", str(database), "--since", since, "--until", until, "--json"],
            timeout=60,
        )
        return "".join(sorted(event["ssid"] for event in result.lines))

    assert await names("2026-10-25", "2026-10-25") == "bcde"
    assert await names("2026-10-25T02:00", "2026-10-25T02:59") == "cd"
    assert await names("2026-10-25T02:30", "2026-10-25T02:30") == "cd"
    assert await names("2026-03-29T02:30", "2026-03-29T03:00") == "g"
