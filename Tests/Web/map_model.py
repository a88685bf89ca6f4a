# SPDX-License-Identifier: Apache-2.0
"""The map of the hub of invented data: where its sources are, what was driven, what others know."""

import struct
import zlib
from datetime import datetime, timedelta, timezone

from invented import iso
from spots import SPOTS, metres, spot, ways

CROWDS = [
    (531, 135, 12, ("flock_safety", "verkada", "axis")),
    (1300, 145, 64, ("nest", "ring", "arlo", "hikvision")),
    (559, 409, 38, ("ring", "nest", "arlo")),
    (1256, 394, 127, ("ring", "arlo", "wyze", "flock_safety")),
    (492, 743, 21, ("eufy", "lorex", "flock_safety")),
    (984, 729, 9, ("lorex", "reolink", "raven")),
]


def tile(red: int = 208, green: int = 224, blue: int = 208) -> bytes:
    """A PNG of 256 × 256 in one colour with a darker rim."""
    inner, rim = bytes((red, green, blue)), bytes((red - 60, green - 60, blue - 60))
    rows = b"".join(b"\0" + (rim * 256 if row == 0 else rim + inner * 255) for row in range(256))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Map:
    """What `/map` and its neighbours answer."""

    def __init__(self, model) -> None:
        self.model = model
        self.progress: float | None = None
        self.places: dict[int, tuple] = {}
        """Places of single sources that a test has set: number to latitude, longitude, radius."""
        self.crowd = 0
        """So many more pins in view, to see how the page bears them."""
        self.has_drives = model.scenario not in ("empty", "first")
        now = datetime.now(timezone.utc)
        self.drives = []
        for number, line in enumerate(ways() if self.has_drives else [], 1):
            begin = now - timedelta(days=30 - number)
            self.drives.append({
                "id": number, "begin": iso(begin), "end": iso(begin + timedelta(minutes=14)),
                "metres": round(metres(line)),
                "sources_new": number % 5, "sources_known": number % 3, "line": line,
            })  # fmt: skip
        self.known = [
            (1, *spot(531, 617), "Käfertaler Straße", None), (2, *spot(1215, 540), "<b>Flock</b> \u202eFalcon", 135),
        ] if self.has_drives else []  # fmt: skip
        self.sets = {
            "DeFlock": {
                "name": "DeFlock", "cameras": 2, "origin": "overpass-ide", "version": None,
                "imported": iso(now - timedelta(days=3)),
            },
        } if self.has_drives else {}  # fmt: skip

    def place(self, source: dict) -> tuple | None:
        if source["id"] in self.places:
            return self.places[source["id"]]
        if source["latitude"] is None and source["type"] not in ("unknown", "penguin", "raven"):
            return None
        if source["id"] <= len(SPOTS):
            x, y, radius = SPOTS[source["type"]]
            return *spot(x, y), radius
        step = source["id"] - len(SPOTS)
        return *spot(560 + step * 37 % 800, 60 + step * 53 % 760), 10 + step % 20

    def pin(self, source: dict, place: tuple) -> dict:
        latitude, longitude, radius = place
        spots = 1 if radius is None else 5
        return {
            **source,
            "place": {"latitude": latitude, "longitude": longitude, "radius": radius, "spots": spots},
        }

    def answer(self, query: dict) -> dict:
        one = lambda name: query.get(name, [None])[0]  # noqa: E731
        zoom = int(one("zoom"))
        filtered = any(name in query for name in ("text", "type", "min_confidence", "since"))
        found = [
            self.pin(source, place)
            for source in self.model.sources({name: value for name, value in query.items() if name != "box"})
            if (place := self.place(source)) and self.inside(place, query)
        ]  # fmt: skip
        pins, clusters = (found, []) if zoom > 14 else self.gathered(found, zoom)
        if not filtered and found and 14 < zoom < 19 and not self.crowd:
            clusters += [self.cluster(*one) for one in CROWDS if self.inside(spot(*one[:2]), query)]
        if self.crowd and found:
            pins = pins[:0] + [
                {**pins[0], "id": 10_000 + index, "type": list(SPOTS)[index % 16], "label": f"Camera {index}",
                 "place": {"latitude": 52.1035 + index // 50 * 0.00016, "longitude": 8.7425 + index % 50 * 0.00024,
                           "radius": 5 + index % 40, "spots": 4}}
                for index in range(self.crowd)
            ]  # fmt: skip
        heat = []
        if one("heat"):
            for index, (latitude, longitude) in enumerate(self.drives[-1]["line"] if self.drives else []):
                heat.append([latitude, longitude, 1 + index * 7 % 30])
        return {
            "sources": len(pins) + sum(one["count"] for one in clusters), "progress": self.progress,
            "pins": pins, "clusters": clusters, **({"heat": heat} if one("heat") else {}),
        }  # fmt: skip

    def gathered(self, pins: list, zoom: int) -> tuple[list, list]:
        """Pins that stand in one cell of about 64 pixels become a cluster."""
        side = 360 / 2**zoom / 4
        cells: dict[tuple, list] = {}
        for pin in pins:
            cell = pin["place"]["latitude"] // side, pin["place"]["longitude"] // side
            cells.setdefault(cell, []).append(pin)
        alone = [held[0] for held in cells.values() if len(held) == 1]
        return alone, [self.crowded(held) for held in cells.values() if len(held) > 1]

    def crowded(self, pins: list) -> dict:
        types: dict[str, int] = {}
        for pin in pins:
            types[pin["type"]] = types.get(pin["type"], 0) + 1
        commonest = sorted(types.items(), key=lambda one: -one[1])[:4]
        places = [pin["place"] for pin in pins]
        north, east = max(one["latitude"] for one in places), max(one["longitude"] for one in places)
        south, west = min(one["latitude"] for one in places), min(one["longitude"] for one in places)
        return {
            "latitude": (north + south) / 2, "longitude": (east + west) / 2, "count": len(pins),
            "types": [{"type": kind, "count": number} for kind, number in commonest],
            "south": south, "west": west, "north": north, "east": east,
        }  # fmt: skip

    def cluster(self, x: float, y: float, number: int, kinds: tuple) -> dict:
        latitude, longitude = spot(x, y)
        shares = [max(1, number // (index + 2)) for index in range(len(kinds))]
        return {
            "latitude": latitude, "longitude": longitude, "count": number,
            "types": [{"type": kind, "count": share} for kind, share in zip(kinds, shares)],
            "south": latitude - 0.0002, "north": latitude + 0.0002,
            "west": longitude - 0.0003, "east": longitude + 0.0003,
        }  # fmt: skip

    @staticmethod
    def inside(place: tuple, query: dict) -> bool:
        west, south, east, north = (float(part) for part in query["box"][0].split(","))
        across = west <= place[1] <= east if west <= east else place[1] >= west or place[1] <= east
        return south <= place[0] <= north and across

    def drive(self, one: dict) -> dict:
        """A drive as it is listed."""
        return {**{name: one[name] for name in ("id", "begin", "end", "metres", "sources_new", "sources_known")}, "source": "gpsd"}

    def routes(self, query: dict) -> dict:
        found = [drive for drive in self.drives if any(self.inside(point, query) for point in drive["line"])]
        return {"routes": [
            {"drive": one["id"], "points": one["line"], **{name: one[name] for name in ("begin", "end", "metres")}}
            for one in found
        ]}  # fmt: skip

    def cameras(self, query: dict) -> dict:
        return {"more": False, "known": [
            {"id": number, "set": "DeFlock", "name": name, "latitude": latitude, "longitude": longitude,
             "direction": direction, "directions": [] if direction is None else [direction],
             "reference": f"node/{number}"}
            for number, latitude, longitude, name, direction in self.known
            if self.inside((latitude, longitude), query)
        ]}  # fmt: skip
