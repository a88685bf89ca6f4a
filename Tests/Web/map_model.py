# SPDX-License-Identifier: Apache-2.0
"""The map of the hub of invented data: where its sources are, what was driven, what others know."""

import struct
import zlib
from datetime import datetime, timedelta, timezone

from invented import iso
from spots import SPOTS, metres, spot, ways


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
        found = [
            self.pin(source, place)
            for source in self.model.sources({name: value for name, value in query.items() if name != "box"})
            if (place := self.place(source)) and self.inside(place, query)
        ]  # fmt: skip
        return {"sources": len(found), "progress": None, "pins": found, "clusters": [], **({"heat": []} if "heat" in query else {})}

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
