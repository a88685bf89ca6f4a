# SPDX-License-Identifier: Apache-2.0
"""Invented detections as an engine has kept them: what it takes back when it begins, in the rows that it keeps itself."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta, timezone
from typing import Any

from hostile import HOSTILE, RLO
from spots import SPOTS, metres, spot, ways


MARKS = ["mine", "muted", "false_alarm"]
KINDS = {
    "flock_safety": ("Flock Safety", "FLOCK-S3-1234", "3C:71:BF:12:34:56", 0.98, -58),
    "ring": ("Ring", "Ring Doorbell Pro", "A4:83:E7:AB:CD:EF", 0.85, -66),
    "raven": ("Raven (Gunshot Detector)", None, "D4:11:D6:0A:7C:21", 0.85, -81),
    "verkada": ("Verkada", "Verkada-CD62-Lobby-East-Entrance-Gästenetz", "E0:A7:00:4F:19:C2", 0.92, -44),
    "unknown": ("Unknown", None, "00:11:22:33:44:55", 0.45, -78),
    "penguin": ("Penguin", "Penguin-1834502291", "90:35:EA:7D:02:A8", 0.85, -72),
    "arlo": ("Arlo", f"NTGR_VMB_{RLO}1149", "9C:3D:CF:51:E0:77", 0.62, -86),
    "nest": ("Nest", "Nest Cam 5A1F", "64:16:66:5A:1F:08", 0.78, -67),
    "hikvision": ("Hikvision", "HIKVISION_5519", "44:19:B6:55:19:3E", 0.71, -79),
    "axis": ("Axis", "axis-accc8e4f0b21", "AC:CC:8E:4F:0B:21", 0.74, -70),
    "lorex": ("Lorex", "Lorex-Porch", "00:1C:27:AB:40:1E", 0.7, -75),
    "eufy": ("Eufy", "eufy T8210", "8C:85:80:31:5D:22", 0.66, -84),
    "wyze": ("Wyze", "WYZE_CAM-2C11", "2C:AA:8E:90:2C:11", 0.72, -71),
    "reolink": ("Reolink", "Reolink-A0F3", "EC:71:DB:0E:A0:F3", 0.69, -77),
    "dahua": ("Dahua", "IPC-HFW2831T", "38:AF:29:77:0C:D4", 0.73, -64),
    "pigvision": ("Pigvision", "PV-Lane-2", "48:E7:29:10:22:0B", 0.81, -74),
}


def iso(moment: datetime) -> str:
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Drives:
    """Sources and detections of some drives, all made from one seed; few a pass, since an engine reads and weighs each of them."""

    def __init__(self, scenario: str = "still") -> None:
        self.random = random.Random(12)
        self.now = datetime.now(timezone.utc)
        self.sources: dict[int, dict] = {}
        self.detections: list[dict] = []
        if scenario == "empty":
            return
        self.fill(hostile=scenario == "hostile")
        self.detections.sort(key=lambda row: row["received"])
        for number, row in enumerate(self.detections, 1):
            row["id"] = number

    def source(self, kind: str, mac: str | None, ssid: str | None, **flags) -> dict:
        number = len(self.sources) + 1
        label = KINDS[kind][0]
        marks = dict.fromkeys(MARKS, False)
        self.sources[number] = {"id": number, "type": kind, "label": label, "mac": mac, "ssid": ssid, "note": ""} | marks | flags
        return self.sources[number]

    def row(self, source: dict, when: datetime, rssi: int, confidence: float, fix: bool = True) -> dict:
        text = f'{{"type":"{source["label"]}","rssi":{rssi},"confidence":{confidence}}}'
        latitude, longitude = spot(*SPOTS[source["type"]][:2]) if fix else (None, None)
        accuracy = {"source": "gpsd", "age_ms": 200, "accuracy": 4 + (-rssi - 40) * 0.7, "altitude": 61.5}
        return {
            "id": None, **{name: source[name] for name in ("type", "label", "mac", "ssid")}, "rssi": rssi, "confidence": confidence,
            "received": iso(when), "latitude": latitude, "longitude": longitude, "speed": 11.9, "heading": 45, "activity": "driving",
            "fix": accuracy if fix else None, "address": "F4:12:FA:6C:88:2E", "address_kind": "public", "extra": {},
            "octets": text.encode().hex(), "source": source["id"],
        }  # fmt: skip

    def pass_by(
        self, source: dict, peak: datetime, best: int, confidence: float, points: int = 5, seconds: int = 78, fix: bool = True,
    ) -> None:  # fmt: skip
        """The strongest is in the middle."""
        for index in range(points):
            at = (index / max(1, points - 1)) * 2 - 1 if points > 1 else 0
            rssi = round(best - 32 * (at * at if abs(at) < 0.5 else abs(at) * 0.75) + self.random.uniform(-1, 1))
            when = peak + timedelta(seconds=at * seconds / 2)
            if when <= self.now:
                self.detections.append(self.row(source, when, min(best, rssi), confidence, fix))

    def fill(self, hostile: bool) -> None:
        flags = {"verkada": {"mine": True}, "arlo": {"muted": True}, "dahua": {"false_alarm": True}}
        ages = {
            "flock_safety": 8, "ring": 24, "raven": 45, "verkada": 122, "unknown": 152, "penguin": 190, "arlo": 240, "nest": 262,
            "hikvision": 318, "wyze": 360, "lorex": 452, "eufy": 492, "axis": 564,
        }  # fmt: skip
        for kind, (_, ssid, mac, confidence, best) in KINDS.items():
            source = self.source(kind, mac, ssid, **flags.get(kind, {}))
            if kind in ages:
                self.pass_by(source, self.now - timedelta(seconds=ages[kind]), best, confidence, fix=kind != "unknown")
            if kind not in ("raven", "unknown", "penguin"):
                for days in (1, 5):
                    when = self.now - timedelta(days=days, minutes=len(kind) * 7)
                    self.pass_by(source, when, best - 8 - days, confidence, points=3)
        other = self.source("flock_safety", "3C:71:BF:00:00:09", "<img src=x onerror=alert(1)>")
        self.pass_by(other, self.now - timedelta(seconds=84), -66, 0.9)
        if hostile:
            for index, text in enumerate(HOSTILE):
                source = self.source("unknown", f"DE:AD:BE:EF:00:{index:02X}", text)
                source["label"] = text[:300]
                self.pass_by(source, self.now - timedelta(seconds=30 + index * 9), -60 - index, 0.8, points=4)


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


def kept(world: Drives | None = None, settings: dict[str, Any] | None = None, **more: list) -> str:
    """All of it as the lines that `restore` takes: settings by name, and what else is kept (`saves`, `drives`, `known`)."""
    world = world or Drives()
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
