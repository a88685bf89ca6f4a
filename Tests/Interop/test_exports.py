# SPDX-License-Identifier: Apache-2.0
"""Proves that CSV, JSON and GPX exports of 500 hostile rows give the same values back to other readers."""

from __future__ import annotations

import csv
import io
import json
import random
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gpxpy
import pytest

from contract import parse_time
from lantern import DONE, NOTHING_FOUND, Event, Lantern, Result
from peers.flockfinder_device import FlockFinderDevice, encode
from peers.samples import Detection

SEED = 20261121
ROWS = 500
WITHOUT_POSITION = 100
POSITION = (-33.8688, 151.2093)

CSV_COLUMNS = (
    "id,device_type,mac_address,ssid,rssi,confidence,latitude,longitude,speed,heading,activity,timestamp"
)
FORMULA_SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"

PLAIN = ["Flock", "CAM 001", "Ring Doorbell Pro", "42", "0017", "1e5", "true", "null", "N/A"]
PIECES = [
    *[",", ";", '"', '""', "'", "\n", "\r", "\r\n", "\t", "\\", "\\n", "%s", "${x}", "`id`", "|"],
    *["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x")', "=cmd|' /C calc'!A0"],
    *["<b>", "]]>", "&amp;", "<!--", "</wpt>"],
    *["\u0000", "\u0001", "\u0008", "\u000b", "\u001b[31m", "\u007f", "\u0085"],
    *["\u200b", "\u202e", "\u2028", "\ufeff", "\ufffd", "\ufffe", "ü", "u\u0308", "灯", "📷", "👩‍👩‍👧", "🇩🇪"],
    *[" ", "  ", "", "'; DROP TABLE detections;--", "../../etc/passwd"],
]
HOSTILE_LABELS = ["Flock Safety", "Cam <&> \"quoted\" 'it'", "=Cam", "📷 Überwachung", "a,b;c", "]]> <wpt/>"]


@dataclass
class Ingest:
    """What was stored, and where."""

    database: Path
    sent: list[Detection]
    events: list[Event]


def hostile_rows() -> list[Detection]:
    """Rows whose SSID is every piece alone, at the start and at the end, then mixtures."""
    generator = random.Random(SEED)
    print(f"seed {SEED}")
    names: list[str | None] = [None, "", *PIECES, *PLAIN]
    names += [piece + "name" for piece in PIECES] + ["name" + piece for piece in PIECES]
    while len(names) < ROWS:
        names.append("".join(generator.choices(PIECES + PLAIN, k=generator.randint(2, 5))))
    generator.shuffle(names)
    rows: list[Detection] = []
    for number, name in enumerate(names):
        row: Detection = {
            "type": generator.choice(HOSTILE_LABELS),
            "mac": f"58:8e:81:00:{number >> 8:02x}:{number & 0xFF:02x}",
            "ssid": name,
            "rssi": generator.randint(-127, 20),
            "confidence": round(generator.random(), generator.randint(0, 6)),
        }
        if number % 7 == 0:
            del row["mac"]
        if name is None:
            del row["ssid"]
        rows.append(row)
    return rows


@pytest.fixture
async def ingest(flockfinder: FlockFinderDevice, lantern: Lantern, database: Path) -> Ingest:
    """All rows through `flock watch`: the last hundred without a position."""
    rows = hostile_rows()
    assert len(rows) == ROWS
    location = f"--location={POSITION[0]},{POSITION[1]}"
    parts = [(rows[:-WITHOUT_POSITION], [location]), (rows[-WITHOUT_POSITION:], [])]
    events: list[Event] = []
    for round_number, (part, arguments) in enumerate(parts, start=1):
        run = await lantern.watch(database, "--count", str(len(part)), *arguments)
        await flockfinder.ready(count=round_number)
        for row in part:
            # Half of them as the firmware might escape them, half as plain UTF-8.
            await flockfinder.send(row if len(row) % 2 else json.dumps(row).encode())
        assert (await run.finish(timeout=60)).status == DONE
        events += run.detections
        await flockfinder.wait_for("disconnected", count=round_number)
    assert [event["ssid"] for event in events] == [row.get("ssid") for row in rows]
    assert [event["label"] for event in events] == [row["type"] for row in rows]
    return Ingest(database, rows, events)


async def export(lantern: Lantern, database: Path, file_format: str, output: Path) -> Result:
    result = await lantern.run_offline(
        *["detections", "export", "--database", str(database)],
        *["--format", file_format, "--output", str(output)],
        timeout=60,
    )
    assert result.status == DONE, result
    assert result.stdout == ""
    return result


def looks_like_formula(text: str) -> bool:
    """Some spreadsheets pass over blanks and what cannot be seen, and take control characters for the end of a cell or wide signs
    for the others."""
    for character in text:
        unseen = unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cf") or "\u0080" <= character <= "\u009f"
        if not unseen:
            return character < " " or character == "\u007f" or character in FORMULA_SIGNS
    return False


def csv_cell(text: str | None) -> str:
    """A text as it shall stand in a cell: harmless in a spreadsheet."""
    if text is None:
        return ""
    return "'" + text if looks_like_formula(text) else text


def number_in(cell: str) -> float:
    """A number in a cell. The rule for formulas leaves open whether `-62` is one: both are read."""
    return float(cell.removeprefix("'"))


def by_id(rows: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    keyed = {int(row["id"]): row for row in rows}
    assert len(keyed) == len(rows)
    return keyed


async def test_csv(ingest: Ingest, lantern: Lantern, tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    await export(lantern, ingest.database, "csv", output)
    text = output.read_bytes().decode("utf-8")
    assert text.startswith(CSV_COLUMNS)
    rows = by_id(list(csv.DictReader(io.StringIO(text, newline=""), strict=True)))
    assert rows.keys() == {event["id"] for event in ingest.events}
    for event in ingest.events:
        row = rows[event["id"]]
        assert row["device_type"] == csv_cell(event["label"])
        assert row["mac_address"] == (event["mac"] or "")
        assert row["ssid"] == csv_cell(event["ssid"])
        assert number_in(row["rssi"]) == event["rssi"]
        assert number_in(row["confidence"]) == event["confidence"]
        assert parse_time(row["timestamp"]) == parse_time(event["received"])
        for key in ("latitude", "longitude"):
            assert (None if row[key] == "" else number_in(row[key])) == event[key]
        assert [row[key] for key in ("speed", "heading", "activity")] == ["", "", ""]


async def test_json(ingest: Ingest, lantern: Lantern, tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    await export(lantern, ingest.database, "json", output)
    document = json.loads(output.read_bytes().decode("utf-8"))
    assert document.keys() == {"export_date", "app_version", "total_detections", "detections"}
    assert document["total_detections"] == ROWS
    assert parse_time(document["export_date"]) >= parse_time(ingest.events[-1]["received"])
    assert document["app_version"]
    rows = by_id(document["detections"])
    assert rows.keys() == {event["id"] for event in ingest.events}
    for event in ingest.events:
        row = rows[event["id"]]
        assert (row["device_type"], row["mac_address"]) == (event["label"], event["mac"])
        assert row["ssid"] == event["ssid"]
        assert (row["rssi"], row["confidence"]) == (event["rssi"], event["confidence"])
        assert parse_time(row["timestamp"]) == parse_time(event["received"])
        location = row["location"] or {"latitude": None, "longitude": None}
        assert (location["latitude"], location["longitude"]) == (event["latitude"], event["longitude"])
        motion = row["motion"] or {"speed": None, "heading": None, "activity": None}
        assert motion == {"speed": None, "heading": None, "activity": None}


async def test_gpx(ingest: Ingest, lantern: Lantern, tmp_path: Path) -> None:
    output = tmp_path / "out.gpx"
    result = await export(lantern, ingest.database, "gpx", output)
    assert str(WITHOUT_POSITION) in result.stderr, "the rows left out are counted"
    document = gpxpy.parse(output.read_bytes().decode("utf-8"))
    assert document.version == "1.1"
    with_position = [event for event in ingest.events if event["latitude"] is not None]
    assert len(document.waypoints) == len(with_position) == ROWS - WITHOUT_POSITION
    for event, waypoint in zip(with_position, document.waypoints):
        assert (waypoint.latitude, waypoint.longitude) == POSITION
        assert (waypoint.name, waypoint.type) == (event["label"], event["label"])
        assert waypoint.time is not None
        assert abs((waypoint.time - parse_time(event["received"])).total_seconds()) < 0.001
        assert str(event["rssi"]) in waypoint.description
        if event["mac"] is not None:
            assert event["mac"] in waypoint.description
        assert any(
            text in waypoint.description for text in confidence_texts(event["confidence"])
        ), waypoint.description


def confidence_texts(confidence: float) -> set[str]:
    """The ways to write a confidence: as a number or in percent."""
    return {str(confidence), f"{confidence:g}", f"{confidence * 100:.0f}", f"{confidence * 100:g}"}


async def test_without_output_it_goes_to_stdout(ingest: Ingest, lantern: Lantern, tmp_path: Path) -> None:
    for file_format in ("csv", "gpx"):
        output = tmp_path / f"out.{file_format}"
        await export(lantern, ingest.database, file_format, output)
        result = await lantern.run_offline(
            *["detections", "export", "--database", str(ingest.database), "--format", file_format], timeout=60
        )
        assert result.status == DONE
        if file_format == "csv":
            assert result.stdout.encode() == output.read_bytes()
        else:
            assert len(gpxpy.parse(result.stdout).waypoints) == ROWS - WITHOUT_POSITION


async def test_labels_that_xml_cannot_hold(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    """XML 1.0 has no way to write these: the file must still be one, with the rest of the label."""
    labels = ["Cam\u0000era", "\u0001\u0008\u000b\u001f", "\ufffe\uffff end", "tab\tnew\nline"]
    run = await lantern.watch(database, "--count", str(len(labels)), "--location", "52.5,13.4")
    await flockfinder.ready()
    for label in labels:
        await flockfinder.send(encode({"type": label, "rssi": -60, "confidence": 0.5}))
    assert (await run.finish()).status == DONE
    assert [event["label"] for event in run.detections] == labels
    output = tmp_path / "out.gpx"
    await export(lantern, database, "gpx", output)
    document = gpxpy.parse(output.read_bytes().decode("utf-8"))
    assert len(document.waypoints) == len(labels)
    assert document.waypoints[0].name.startswith("Cam") and document.waypoints[0].name.endswith("era")
    assert document.waypoints[2].name.endswith("end")


@pytest.mark.usefixtures("flockfinder")
async def test_an_export_of_nothing(lantern: Lantern, database: Path) -> None:
    run = await lantern.watch(database)
    await run.wait_for_state("connected")
    await run.interrupt()
    result = await lantern.run_offline(
        "detections", "export", "--database", str(database), "--format", "json"
    )
    assert result.status in (DONE, NOTHING_FOUND)
    if result.status == DONE:
        assert json.loads(result.stdout)["detections"] == []
