# SPDX-License-Identifier: Apache-2.0
"""Invented detections as an engine has kept them: what it takes back when it begins, in the rows that it keeps itself."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

from invented import World
from invented_map import MARKS
from spots import metres, ways


class Drives(World):
    """The invented drives with fewer detections a pass: an engine reads and weighs each of them."""

    def __init__(self, scenario: str = "still") -> None:
        super().__init__(scenario)

    def pass_by(self, *of: Any, points: int = 12, **more: Any) -> None:
        # The strongest is in the middle.
        super().pass_by(*of, points={12: 5, 7: 3}.get(points, points), **more)


def detection(row: dict[str, Any]) -> dict[str, Any]:
    """A detection as the export in JSON has it."""
    kept = {
        "id": row["id"], "device_type": row["label"], "mac_address": row["mac"], "ssid": row["ssid"], "rssi": row["rssi"],
        "confidence": row["confidence"], "location": {"latitude": row["latitude"], "longitude": row["longitude"]},
        "motion": {name: row[name] for name in ("speed", "heading", "activity")}, "timestamp": row["received"],
        "key": f"{row['id']:032x}", "mark": None, "note": None, "address": row["address"], "address_kind": row["address_kind"],
        "octets": row["octets"], "extra": row["extra"],
    }  # fmt: skip
    return kept | ({"fix": row["fix"]} if row["fix"] else {})


def source(one: dict[str, Any]) -> dict[str, Any]:
    """A source with what people say of it; each of the invented ones has an address, which is its key."""
    mark = next((name for name in MARKS if one[name]), "none")
    return {"id": one["id"], "key": one["mac"], "mark": mark, "note": one["note"], "revision": 0}


def kept(world: World | None = None, settings: dict[str, Any] | None = None, **more: list) -> str:
    """All of it as the lines that `restore` takes: settings by name, and what else is kept (`saves`, `drives`, `known`)."""
    world = world or Drives("still")
    first = {
        "settings": {name: json.dumps(value) for name, value in (settings or {}).items()},
        "sources": [source(one) for one in world.sources.values()], **more, "ids": [row["id"] for row in world.detections],
    }  # fmt: skip
    return f"{json.dumps(first)}\n{json.dumps({'detections': [detection(row) for row in world.detections]})}"


def driven(line: list[tuple[float, float]], begin: datetime, end: datetime) -> list[list[float | None]]:
    """The points of a way that was driven at one speed."""
    return [
        [(begin + (end - begin) * at / (len(line) - 1)).timestamp() * 1000 // 1, *place, None, None, None]
        for at, place in enumerate(line)
    ]


def drives(last: timedelta = timedelta(minutes=4)) -> list[dict[str, Any]]:
    """What was driven: a way each day, and the last one until now, for so long."""
    now, found, lines = datetime.now(timezone.utc), [], ways()
    for number, line in enumerate(lines, 1):
        is_last = number == len(lines)
        end, lasts = (now, last) if is_last else (now - timedelta(days=30 - number), timedelta(minutes=14))
        found.append({
            "id": number, "drive": number, "source": "gpsd", "metres": metres(line), "points": driven(line, end - lasts, end),
        })  # fmt: skip
    return found
