# SPDX-License-Identifier: Apache-2.0
"""Proves every form of the detections with other readers: in, out, in again, as spreadsheets save it, and by whom else."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import gpxpy
import pytest

from contract import parse_time
from lantern import DONE, FAILED, NOTHING_FOUND, WRONG_USAGE, Event, Lantern, Result
from test_exports import csv_cell, hostile_rows, looks_like_formula

KML = "{http://www.opengis.net/kml/2.2}"
OURS = "{urn:x-lantern:gpx:1}"
ADDRESS = "58:8E:81:00:{:02X}:{:02X}"


def rows() -> list[dict[str, Any]]:
    """Hostile names and labels with all that may be known of a place, as the JSON of an export has them."""
    found: list[dict[str, Any]] = []
    for number, row in enumerate(hostile_rows()):
        place = number % 5 > 0
        fix: dict[str, Any] = {"source": ["gpsd", "gpx", "fixed", "browser"][number % 4]}
        if number % 3:
            fix["age_ms"] = -12000 + number * 31
        if number % 7:
            fix |= {"accuracy": number / 8, "altitude": 30.5 - number}
        found.append(
            {
                "device_type": row["type"],
                "mac_address": row["mac"].upper() if "mac" in row else None,
                "ssid": row.get("ssid"),
                "rssi": row["rssi"],
                "confidence": row["confidence"],
                "location": {
                    "latitude": -33.8 + number / 1000 if place else None,
                    "longitude": 151.2 if place else None,
                },
                "motion": {"speed": number / 4, "heading": number % 360, "activity": "=driving"},
                **({"fix": fix} if place and number % 11 else {}),
                "timestamp": f"2026-11-21T{number // 60:02d}:{number % 60:02d}:07.{number:03d}Z",
                "key": f"{number:032x}",
                "mark": None,
                "note": row["ssid"] if row.get("ssid") and "\0" not in row["ssid"] and number % 2 else None,
                "extra": {"ch": number, "n": [1.50, "é\n"]},
            }
        )
    return found


async def export(lantern: Lantern, database: Path, form: str, output: Path, *filters: str) -> Result:
    result = await lantern.run_offline(
        *["detections", "export", "--database", str(database), "--format", form, "--output", str(output)],
        "--force",
        *filters,
        timeout=60,
    )
    assert result.status == DONE, result
    return result


async def load(lantern: Lantern, database: Path, file: Path, *options: str, status: int = DONE) -> Event:
    result = await lantern.run_offline(
        *["detections", "import", str(file), "--database", str(database), "--json", *options], timeout=120
    )
    assert result.status == status, result
    (event,) = result.events("detections_imported")
    return event


@pytest.fixture
async def stored(lantern: Lantern, database: Path, tmp_path: Path) -> list[dict[str, Any]]:
    """Five hundred rows in the database, none of them by radio."""
    file = tmp_path / "rows.json"
    found = rows()
    file.write_text(json.dumps({"detections": found}))
    assert (await load(lantern, database, file))["imported"] == len(found)
    return found


def placed(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in found if row["location"]["latitude"] is not None]


def well_formed(file: Path) -> None:
    """Other parsers than ours take it for XML."""
    ElementTree.parse(file)
    subprocess.run(["xmllint", "--noout", str(file)], check=True)


def in_xml(text: str) -> str:
    """A text as XML 1.0 can hold it."""
    return "".join(
        character if character in "\t\n\r" or ord(character) >= 0x20 and character not in "\ufffe\uffff" else "\ufffd"
        for character in text
    )


def unguarded(text: str | None) -> str | None:
    """What comes back of a text by CSV: an apostrophe of its own before what looks like a formula is taken for ours."""
    return text[1:] if text and text[0] == "'" and looks_like_formula(text[1:]) else text


@pytest.mark.parametrize("form", ["json", "csv"])
async def test_export_import_and_export_is_the_same(
    stored: list[dict[str, Any]], lantern: Lantern, database: Path, tmp_path: Path, form: str
) -> None:
    first, other, second = tmp_path / f"1.{form}", tmp_path / "other.sqlite", tmp_path / f"2.{form}"
    await export(lantern, database, form, first)
    event = await load(lantern, other, first, "--dry-run")
    assert (event["imported"], event["dry_run"]) == (len(stored), True)
    assert not other.exists(), "a dry run makes nothing"
    assert (await load(lantern, other, first))["imported"] == len(stored)
    again = await load(lantern, other, first)
    assert (again["imported"], again["known"]) == (0, len(stored))
    await export(lantern, other, form, second)

    def of_the_rows(file: Path) -> list[bytes]:
        # JSON says when it was exported.
        lines = file.read_bytes().split(b"\n")
        return lines[1:] if form == "json" else lines

    assert of_the_rows(second) == of_the_rows(first)


async def test_json_has_all_that_is_known(
    stored: list[dict[str, Any]], lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out.json"
    await export(lantern, database, "json", output)
    for row, wanted in zip(json.loads(output.read_text())["detections"], stored, strict=True):
        assert row["extra"] == wanted["extra"]
        assert row.get("fix") == wanted.get("fix")
        assert {key: row[key] for key in wanted if key not in ("fix", "mark", "note")} == {
            key: value for key, value in wanted.items() if key not in ("fix", "mark", "note")
        }


async def test_a_gpx_reader_reads_waypoints(
    stored: list[dict[str, Any]], lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out.gpx"
    await export(lantern, database, "gpx", output)
    well_formed(output)
    document = gpxpy.parse(output.read_text())
    wanted = placed(stored)
    assert len(document.waypoints) == len(wanted)
    for waypoint, row in zip(document.waypoints, wanted):
        assert waypoint.elevation == row.get("fix", {}).get("altitude")
        assert waypoint.latitude == row["location"]["latitude"]
        (extension,) = waypoint.extensions
        found = {child.tag.removeprefix(OURS): child.text or "" for child in extension}
        assert found["key"] == row["key"]
        assert found.get("ssid") == (None if row["ssid"] is None else in_xml(row["ssid"]))
        assert found.get("fix_source") == row.get("fix", {}).get("source")
        accuracy = row.get("fix", {}).get("accuracy")
        assert (float(found["accuracy"]) if "accuracy" in found else None) == accuracy


async def test_a_kml_reader_reads_placemarks(
    stored: list[dict[str, Any]], lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out.kml"
    await export(lantern, database, "kml", output)
    well_formed(output)
    marks = ElementTree.parse(output).getroot().findall(f".//{KML}Placemark")
    for mark, row in zip(marks, placed(stored), strict=True):
        assert mark.findtext(f"{KML}name") == in_xml(row["device_type"])
        place = [float(part) for part in (mark.findtext(f".//{KML}coordinates") or "").split(",")]
        altitude = row.get("fix", {}).get("altitude")
        location = row["location"]
        assert place == [location["longitude"], location["latitude"], *([] if altitude is None else [altitude])]
        data = {item.get("name"): item.findtext(f"{KML}value") for item in mark.iter(f"{KML}Data")}
        assert data.get("fix_source") == row.get("fix", {}).get("source")
        # The schema of KML 2.2 fixes the order.
        order = [child.tag.removeprefix(KML) for child in mark]
        assert order == [
            name
            for name in ["name", "description", "TimeStamp", "styleUrl", "ExtendedData", "Point"]
            if name != "ExtendedData" or data
        ]


async def test_a_geojson_reader_reads_features(
    stored: list[dict[str, Any]], lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out.geojson"
    await export(lantern, database, "geojson", output)
    document = json.loads(output.read_text())
    assert document["type"] == "FeatureCollection"
    for feature, row in zip(document["features"], placed(stored), strict=True):
        assert (feature["type"], feature["geometry"]["type"]) == ("Feature", "Point")
        location = row["location"]
        assert feature["geometry"]["coordinates"] == [location["longitude"], location["latitude"]]
        properties = feature["properties"]
        assert properties["ssid"] == row["ssid"]
        fix = row.get("fix", {})
        for key, name in [("fix_source", "source"), ("fix_age_ms", "age_ms"), ("accuracy", "accuracy")]:
            assert properties[key] == fix.get(name)


async def test_wigle_is_read_by_pythons_csv_and_by_us(
    stored: list[dict[str, Any]], lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out.wigle.csv"
    result = await lantern.run_offline(
        "detections", "export", "--database", str(database), "--output", str(output), timeout=60
    )
    wanted = [row for row in placed(stored) if row["mac_address"] is not None]
    homeless = len(stored) - len(placed(stored))
    assert f"{homeless} detections without a position" in result.stderr
    assert f"{len(placed(stored)) - len(wanted)} detections without an address" in result.stderr
    head, _, table = output.read_bytes().decode().partition("\n")
    assert head.startswith("WigleWifi-1.6,appRelease=Lantern") and head.endswith("star=Sol,body=3,subBody=0")
    for cells, row in zip(csv.DictReader(io.StringIO(table, newline=""), strict=True), wanted, strict=True):
        assert cells["MAC"] == row["mac_address"].lower()
        assert cells["SSID"] == csv_cell(row["ssid"])
        # What is weaker than anything that is heard stands for a strength that nobody knows, which WiGLE has as 0.
        strength = 0 if row["rssi"] == -127 else row["rssi"]
        assert (int(cells["RSSI"]), cells["Type"], cells["Channel"]) == (strength, "WIFI", str(row["extra"]["ch"]))
        assert parse_time(cells["FirstSeen"].replace(" ", "T") + ".000Z") == parse_time(row["timestamp"]).replace(
            microsecond=0
        )
        assert float(cells["CurrentLatitude"]) == row["location"]["latitude"]
        assert cells["AltitudeMeters"] == str(row.get("fix", {}).get("altitude", ""))
    other = tmp_path / "other.sqlite"
    assert (await load(lantern, other, output))["imported"] == len(wanted)
    assert (await load(lantern, other, output))["known"] == len(wanted)
    again = tmp_path / "again.csv"
    await export(lantern, other, "wigle", again)
    assert again.read_bytes() == output.read_bytes()


@pytest.mark.parametrize("dialect", ["semicolon", "tab", "all-quoted", "sep", "mark"])
async def test_csv_that_a_spreadsheet_has_saved_again(
    stored: list[dict[str, Any]], lantern: Lantern, database: Path, tmp_path: Path, dialect: str
) -> None:
    original, saved = tmp_path / "original.csv", tmp_path / "saved.csv"
    await export(lantern, database, "csv", original)
    with original.open(newline="", encoding="utf-8") as file:
        table = list(csv.reader(file, strict=True))
    separator = {"semicolon": ";", "sep": "|", "tab": "\t"}.get(dialect, ",")
    with saved.open("w", newline="", encoding="utf-8-sig" if dialect == "mark" else "utf-8") as file:
        if dialect == "sep":
            file.write("sep=|\r\n")
        quoting = csv.QUOTE_ALL if dialect == "all-quoted" else csv.QUOTE_MINIMAL
        writer = csv.writer(file, delimiter=separator, quoting=quoting, lineterminator="\r\n")
        for row in table:
            # Spreadsheets do not tell an empty cell from none, and leave empty ones out at the end.
            while row and dialect == "semicolon" and row[-1] == "":
                row.pop()
            if dialect == "all-quoted":
                file.write(",".join('"' + c.replace('"', '""') + '"' if c else "" for c in row) + "\r\n")
            else:
                writer.writerow(row)
    other = tmp_path / "other.sqlite"
    assert (await load(lantern, other, saved))["imported"] == len(stored)
    # By its key each is known to be the same.
    assert (await load(lantern, database, saved))["imported"] == 0
    found = await lantern.list_detections(other)
    for event, row in zip(reversed(found), stored, strict=True):
        assert event["label"] == row["device_type"]
        assert (event["ssid"] or None) == (unguarded(row["ssid"]) or None)
        assert (event["fix"] or {}).get("age_ms") == row.get("fix", {}).get("age_ms")


async def test_what_cannot_be_used_is_said_with_its_line(lantern: Lantern, tmp_path: Path) -> None:
    file, database = tmp_path / "bad.csv", tmp_path / "bad.sqlite"
    head = "device_type;rssi;confidence;timestamp\r\n"
    good = "Ring;-60;1;2024-01-01\r\n"
    file.write_text(head + good + "Ring;loud;1;2024-01-01\r\n" + "Ring;-61;1;2024-01-01\r\n", newline="")
    arguments = ["detections", "import", str(file), "--database", str(database)]
    result = await lantern.run_offline(*arguments, "--json")
    assert result.status == FAILED
    assert [event["line"] for event in result.events("detection_refused")] == [3]
    assert result.events("detections_imported")[0]["imported"] == 2
    file.write_text(head + good + "Ring;-62;0,9;2024-01-01\r\n" * 30, newline="")
    result = await lantern.run_offline(*arguments)
    assert result.status == FAILED
    assert result.stderr.count("comma") == 1, "one sentence for the whole file"
    assert "save the file with decimal points" in result.stderr
    file.write_bytes("device_type".encode("utf-16"))
    result = await lantern.run_offline(*arguments)
    assert result.status == FAILED and "UTF-16" in result.stderr


TRACK = """<?xml version="1.0"?><gpx version="1.1" creator="other" xmlns="http://www.topografix.com/GPX/1/1"><trk>
<trkseg>{}</trkseg></trk></gpx>"""


async def test_tracks_become_drives_and_leave_with_the_detections_of_their_time(
    stored: list[dict[str, Any]], lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    points = "".join(
        f'<trkpt lat="{-33.8 + second / 1000}" lon="151.2"><ele>{second}</ele>'
        f"<time>2026-11-21T00:00:{second:02d}Z</time></trkpt>"
        for second in range(60)
    )
    track = tmp_path / "track.gpx"
    track.write_text(TRACK.format(points))
    assert (await load(lantern, database, track, "--dry-run"))["drives"] == 1
    assert (await load(lantern, database, track))["drives"] == 1
    assert (await load(lantern, database, track))["known_drives"] == 1
    output = tmp_path / "out.gpx"
    await export(lantern, database, "gpx", output)
    well_formed(output)
    (found,) = gpxpy.parse(output.read_text()).tracks
    (segment,) = found.segments
    assert [point.elevation for point in segment.points] == list(range(60))
    other = tmp_path / "other.sqlite"
    event = await load(lantern, other, output)
    assert (event["imported"], event["drives"], event["refused"]) == (len(placed(stored)), 1, 0)
    await export(lantern, database, "gpx", output, "--since", "2026-11-21T00:02Z")
    assert gpxpy.parse(output.read_text()).tracks == []
    # Waypoints of others are no detections, and there is nothing else.
    track.write_text('<gpx><wpt lat="1" lon="2"><name>Home</name></wpt></gpx>')
    event = await load(lantern, database, track, status=FAILED)
    assert (event["passed"], event["refused"]) == (1, 0)


async def test_what_others_know(lantern: Lantern, tmp_path: Path) -> None:
    database = tmp_path / "known.sqlite"
    arguments = ["--database", str(database)]
    geojson = tmp_path / "deflock.geojson"
    camera = {"man_made": "surveillance", "surveillance:type": "ALPR", "brand": "Flock\u001b Safety", "direction": "NE"}
    features = [
        {"type": "Feature", "id": "node/1", "properties": camera, "geometry": {"type": "Point", "coordinates": place}}
        for place in ([13.4, 52.5], [13.4, 52.51], [200, 0])
    ]
    features[1]["id"] = "node/2"
    geojson.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    run = await lantern.run_offline("detections", "known", "import", str(geojson), *arguments, "--json")
    # What is right is kept; that some is not is the status.
    assert run.status == FAILED and "1 camera cannot be used; the others are kept" in run.stderr, run
    (event,) = run.events("known_set_imported")
    assert (event["name"], event["cameras"], event["refused"], event["replaced"]) == ("deflock", 2, 1, None)
    assert [(one["line"], one["rows"]) for one in run.events("detection_refused")] == [(1, 1)]
    osm = tmp_path / "osm.xml"
    osm.write_text(
        '<osm version="0.6" generator="Overpass"><meta osm_base="2026-11-20T00:00:00Z"/>'
        '<node id="9" lat="52.5003" lon="13.4"><tag k="man_made" v="surveillance"/></node>'
        '<node id="10" lat="1" lon="3"/><node id="11" lat="3" lon="1"/>'
        '<way id="4"><nd ref="10"/><nd ref="11"/><tag k="man_made" v="surveillance"/></way></osm>'
    )
    run = await lantern.run_offline("detections", "known", "import", str(osm), "--name", "mine", *arguments)
    assert (run.status, run.stdout) == (DONE, "mine: 2 cameras known.\n")
    listed = await lantern.run_offline("detections", "known", "list", *arguments, "--json")
    assert [(one["name"], one["cameras"], one["version"]) for one in listed.lines] == [
        ("deflock", 2, None),
        ("mine", 2, "2026-11-20T00:00:00Z"),
    ]
    detections = tmp_path / "rows.csv"
    detections.write_text(
        "device_type,rssi,confidence,timestamp,latitude,longitude\n"
        "Ring,-60,1,2024-01-01,52.5001,13.4\nRing,-60,1,2024-01-02,52.6,13.4\n"
    )
    assert (await load(lantern, database, detections))["imported"] == 2
    near = await lantern.run_offline("detections", "show", "1", *arguments, "--json")
    assert near.line["known_nearby"] == {
        "name": "Flock\u001b Safety ALPR",
        "metres": 11,
        "set": "deflock",
        "reference": "node/1",
    }
    shown = (await lantern.run_offline("detections", "show", "1", *arguments)).stdout
    assert "11 m away (deflock, node/1)" in shown and "\u001b" not in shown
    far = await lantern.run_offline("detections", "show", "2", *arguments, "--json")
    assert far.line["known_nearby"] is None
    # A file takes the place of its set, and one that cannot be read takes no place.
    geojson.write_text(json.dumps({"features": features[:1]}))
    run = await lantern.run_offline("detections", "known", "import", str(geojson), *arguments, "--json")
    assert (run.line["cameras"], run.line["replaced"]) == (1, 2)
    for text in ('{"features":[', "<gpx/>", "", '{"features":[]}'):
        geojson.write_text(text)
        run = await lantern.run_offline("detections", "known", "import", str(geojson), *arguments)
        assert run.status == FAILED and "Nothing was changed." in run.stderr, text
    removed = await lantern.run_offline("detections", "known", "remove", "deflock", *arguments)
    assert (removed.status, removed.stdout) == (DONE, "deflock: removed with 1 camera.\n")
    again = await lantern.run_offline("detections", "known", "remove", "deflock", *arguments)
    assert again.status == NOTHING_FOUND
    bad = await lantern.run_offline("detections", "known", "import", "-", *arguments)
    assert bad.status == WRONG_USAGE and "--name" in bad.stderr


async def test_signatures_say_their_version_and_source(lantern: Lantern) -> None:
    shown = await lantern.run_offline("flock", "signatures", "--json")
    assert shown.line["version"] and shown.line["name"]
    assert all(signature["version"] and signature["source"] for signature in shown.line["signatures"])
    text = (await lantern.run_offline("flock", "signatures")).stdout
    assert shown.line["version"] in text and "VERSION" in text and "SOURCE" in text
