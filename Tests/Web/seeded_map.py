# SPDX-License-Identifier: Apache-2.0
"""Detections, parts of a map and known cameras for asking a hub and an engine the same; all from one seed.

The files are those that people import: JSON as `lantern detections export` writes it, and GeoJSON.
"""

from __future__ import annotations

import json
import math
import random
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

from kept_world import KINDS, MARKS, iso

METRE = 1 / 111_195
"""Degrees of latitude."""
TOWN = (52.1062, 8.7480)
DATE_LINE = (-16.8, 180.0)
FARTHEST = 85.0511


class Spot(NamedTuple):
    latitude: float
    longitude: float
    kind: str


def east(degrees: float) -> float:
    """The same longitude between -180 and 180."""
    return (degrees + 180) % 360 - 180


def spots(dice: random.Random) -> list[Spot]:
    """Where sources stand: crowded, alone, over the date line, at the poles, many at one point."""
    found = []
    kinds = list(KINDS)

    def add(latitude: float, longitude: float) -> None:
        found.append(Spot(max(-90, min(90, latitude)), east(longitude), dice.choice(kinds)))

    for _ in range(1300):
        add(dice.gauss(TOWN[0], 0.012), dice.gauss(TOWN[1], 0.02))
    for _ in range(250):
        add(dice.uniform(36, 60), dice.uniform(-10, 30))
    for _ in range(250):
        add(dice.uniform(-78, 78), dice.uniform(-180, 180))
    for _ in range(160):
        add(dice.gauss(DATE_LINE[0], 0.1), dice.gauss(DATE_LINE[1], 0.15))
    for latitude in (90, -90, 89.9999, -89.5, FARTHEST, -FARTHEST, 85.06, 84.99):
        for longitude in (-180, -90, 0, 10, 179.9999):
            add(latitude, longitude)
    for _ in range(60):
        add(0, 0)
    return found


class Row(NamedTuple):
    """A sighting: of which source, when, how loud and where from."""

    source: int
    time: datetime
    rssi: int
    latitude: float | None
    longitude: float | None
    accuracy: float | None


def sightings(dice: random.Random, found: list[Spot], now: datetime) -> list[Row]:
    """What was received of each source while somebody passed it, in the order of its coming."""
    rows = []
    for number, spot in enumerate(found):
        # Some are new, none is near the border of that.
        begin = now - (timedelta(hours=dice.uniform(1, 5)) if number % 9 == 0 else timedelta(days=dice.uniform(2, 300)))
        for pass_by in range(dice.choice([1, 1, 2, 3])):
            when = begin + timedelta(minutes=11 * pass_by)
            for _ in range(dice.choice([1, 2, 3, 5])):
                metres, angle = dice.uniform(2, 90), dice.uniform(0, math.tau)
                wide = METRE / max(0.01, math.cos(math.radians(spot.latitude)))
                place: tuple[float | None, float | None] = (
                    max(-90.0, min(90.0, spot.latitude + metres * METRE * math.sin(angle))),
                    east(spot.longitude + metres * wide * math.cos(angle)),
                )
                # Of every seventh none has a place, of others now and then one has not.
                if number % 7 == 3 or dice.random() < 0.1:
                    place = (None, None)
                rssi = round(-40 - 20 * math.log10(metres) + dice.uniform(-6, 6))
                accuracy = dice.choice([None, 3, 8, 25]) if place[0] is not None else None
                rows.append(Row(number, when, rssi, *place, accuracy))
                when += timedelta(seconds=dice.randrange(1, 9))
    rows.sort(key=lambda row: row.time)
    return rows


def detections(seed: int, now: datetime) -> str:
    """The file with all of them."""
    dice = random.Random(seed)
    found = spots(dice)
    # A mark counts for its source, whichever of its detections has it.
    marks = {number: dice.choice(MARKS) for number in range(len(found)) if dice.random() < 0.12}
    written = []
    for number, row in enumerate(sightings(dice, found, now)):
        kind = found[row.source].kind
        label, ssid, *_ = KINDS[kind]
        names = [None, f"{ssid or label} {row.source}", f"{ssid or label} {row.source}"]
        name = names[row.source % 3]
        # What has neither an address nor a name is one source of its kind.
        mac = f"3C:71:BF:{row.source >> 16:02X}:{row.source >> 8 & 255:02X}:{row.source & 255:02X}"
        address = None if row.source % 3 == 1 or row.source % 41 == 0 else mac
        entry: dict[str, Any] = {
            "device_type": label, "mac_address": address, "ssid": name, "rssi": row.rssi,
            "confidence": dice.randrange(30, 100) / 100,
            "location": {"latitude": row.latitude, "longitude": row.longitude},
            "timestamp": iso(row.time), "key": f"{number + 1:032x}",
        }  # fmt: skip
        if row.accuracy is not None:
            entry["fix"] = {"source": "gpsd", "age_ms": 200, "accuracy": row.accuracy}
        if address and (mark := marks.get(row.source)):
            entry |= {"mark": mark, "note": f"Seen “{row.source}”"}
        written.append(json.dumps(entry, ensure_ascii=False))
    return '{"detections":[\n' + ",\n".join(written) + "\n]}\n"


class View(NamedTuple):
    """A part of the map as the page asks for it."""

    box: str
    zoom: int
    filter: dict[str, Any]


def box(latitude: float, longitude: float, zoom: int, pixels: tuple[int, int] = (1440, 900)) -> str:
    """The degrees that a window shows, and a fifth more on each side."""
    world = 256 * 2**zoom
    wide, high = (1.4 * side / world for side in pixels)
    held = max(-FARTHEST, min(FARTHEST, latitude))
    middle = 0.5 - math.asinh(math.tan(math.radians(held))) / math.tau
    degrees = lambda y: math.degrees(math.atan(math.sinh(math.tau * (0.5 - y))))  # noqa: E731
    south, north = degrees(min(1.0, middle + high / 2)), degrees(max(0.0, middle - high / 2))
    south, north = -90 if south <= -FARTHEST + 1e-4 else south, 90 if north >= FARTHEST - 1e-4 else north
    edges = (-180, 180) if wide >= 1 else (east(longitude - 180 * wide), east(longitude + 180 * wide))
    return ",".join(f"{value:.6f}" for value in (edges[0], south, edges[1], north))


def views(seed: int, now: datetime) -> list[View]:
    """Some sixty parts of the map, with filters and without."""
    dice = random.Random(seed)
    month = iso(now - timedelta(days=30))
    filters: list[dict[str, Any]] = [
        {}, {}, {"type": ["ring", "flock_safety"]}, {"state": ["none"]}, {"state": ["mine", "muted"]}, {"state": ["new"]},
        {"text": "cam"}, {"min_confidence": 0.7}, {"since": month}, {"until": month}, {"place": "with"},
        {"type": ["axis"], "min_confidence": 0.5, "state": ["none"], "since": month},
    ]  # fmt: skip
    middles = [TOWN, DATE_LINE, (85, 10), (-90, -100), (0, 0), (45, 12)]
    found = [View("-180,-90,180,90", 1, {}), View("-180,-90,180,90", 0, {"place": "without"})]
    for zoom in range(0, 21):
        for _ in range(3):
            latitude, longitude = middles[len(found) % len(middles)]
            wide = 30 / 2**zoom
            place = (dice.gauss(latitude, wide), dice.gauss(longitude, wide))
            heat = {"heat": True} if dice.random() < 0.5 else {}
            found.append(View(box(*place, zoom), zoom, filters[len(found) % len(filters)] | heat))
    return found


def cameras(seed: int, count: int) -> str:
    """A GeoJSON file of known cameras: points, a line, and what is none or cannot be used."""
    dice = random.Random(seed)
    features: list[dict[str, Any]] = []
    for number in range(count):
        latitude, longitude = dice.choice([TOWN, TOWN, DATE_LINE, (40, -74)])
        place = [east(dice.gauss(longitude, 0.05)), dice.gauss(latitude, 0.05)]
        tags = {"man_made": "surveillance", "name": f"Straße {number} 📷"}
        if number % 3 == 0:
            tags["direction"] = dice.choice(["NE", "270", "12.5"])
        line = number % 25 == 0
        shape = {"type": "LineString", "coordinates": [place, [place[0], place[1] + 0.001]]} if line else {
            "type": "Point", "coordinates": place,
        }  # fmt: skip
        features.append({"type": "Feature", "id": f"node/{number}", "properties": tags, "geometry": shape})
    features.append({"type": "Feature", "properties": {"man_made": "tower"}, "geometry": {"type": "Point", "coordinates": [1, 2]}})
    wrong = {"type": "Point", "coordinates": [1, 200]}
    features.append({"type": "Feature", "properties": {"man_made": "surveillance"}, "geometry": wrong})
    return json.dumps(
        {"type": "FeatureCollection", "generator": "a test", "timestamp": "2026-11-01", "features": features},
        ensure_ascii=False,
    )


def now() -> datetime:
    """The present, to the millisecond."""
    moment = datetime.now(timezone.utc)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
