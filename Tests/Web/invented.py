# SPDX-License-Identifier: Apache-2.0
"""Invented data for the pages: what a hub with a FlockFinder might know."""

import math
import random
from datetime import datetime, timedelta, timezone

from spots import SPOTS, spot

RLO = "\u202e"
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
EXPLANATIONS = {
    "flock_safety": "Plate readers photograph every car that passes and are mostly run for the police.",
    "raven": "Listens for gunshots in the street and tells the police.",
    "unknown": "The device noticed something that it cannot name.",
}
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    f"NTGR{RLO}VMB\u200b\u0007",
    "\x1b[31mFREE WIFI\x1b[0m",
    "'; DROP TABLE detections; --",
    "=cmd|' /C calc'!A0",
    "a" * 8192,
    "שלום ☕ Ünïcødé",
    "\u2066\u2069\ufeff",
    "<script>alert(1)</script>",
    "{{constructor.constructor('alert(1)')()}}",
    "Z" + "\u0335\u0321\u0301\u0489" * 60,
    RLO * 40 + "live",
    "\u200b\u200d" * 120,
    "nul\0nul\x9b31m",
    "W" * 300,
    "\ufdfd" * 60,
    "two\u2028lines\nand\rmore\ttabs",
    "\U000e0041\U000e0042tags",
]


def iso(moment: datetime) -> str:
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def proximity(rssi: int) -> str:
    return "very_close" if rssi >= -50 else "close" if rssi >= -70 else "medium" if rssi >= -85 else "far"


class World:
    """Sources, detections and devices of one scenario, all made from one seed."""

    def __init__(self, scenario: str) -> None:
        self.random = random.Random(12)
        self.now = datetime.now(timezone.utc)
        self.sources: dict[int, dict] = {}
        self.detections: list[dict] = []
        self.deleted: dict[int, dict] = {}
        if scenario in ("empty", "first"):
            return
        self.fill(hostile=scenario == "hostile")
        if scenario == "many":
            self.many(100_000)
        self.detections.sort(key=lambda row: row["received"])
        for number, row in enumerate(self.detections, 1):
            row["id"] = number
        for row in self.detections:
            self.count(row)

    def source(self, kind: str, mac: str | None, ssid: str | None, **flags) -> dict:
        number = len(self.sources) + 1
        label = KINDS[kind][0]
        self.sources[number] = {
            "id": number,
            "type": kind,
            "label": label,
            "mac": mac,
            "ssid": ssid,
            "confidence": 0.0,
            "count": 0,
            "drives": 0,
            "rssi": -127,
            "latitude": None,
            "longitude": None,
            "first": None,
            "last": None,
            "mac_random": bool(mac and int(mac[1], 16) & 2),
            "new": False,
            "mine": False,
            "muted": False,
            "false_alarm": False,
            "note": "",
            **flags,
        }
        return self.sources[number]

    def row(self, source: dict, when: datetime, rssi: int, confidence: float, fix: bool = True) -> dict:
        text = f'{{"type":"{source["label"]}","rssi":{rssi},"confidence":{confidence}}}'
        row = {
            "event": "detection",
            "time": iso(when),
            "id": None,
            "type": source["type"],
            "label": source["label"],
            "mac": source["mac"],
            "ssid": source["ssid"],
            "rssi": rssi,
            "confidence": confidence,
            "proximity": proximity(rssi),
            "device_time": None,
            "device_uptime_ms": 4000,
            "received": iso(when),
            "latitude": spot(*SPOTS[source["type"]][:2])[0] if fix else None,
            "longitude": spot(*SPOTS[source["type"]][:2])[1] if fix else None,
            "speed": 11.9,
            "heading": 45,
            "activity": "driving",
            "fix": {"source": "gpsd", "age_ms": 200, "accuracy": 4 + (-rssi - 40) * 0.7, "altitude": 61.5} if fix else None,
            "address": "F4:12:FA:6C:88:2E",
            "address_kind": "public",
            "extra": {},
            "octets": text.encode().hex(),
            "source": source["id"],
        }
        return row

    def pass_by(
        self,
        source: dict,
        peak: datetime,
        best: int,
        confidence: float,
        points: int = 12,
        seconds: int = 78,
        fix: bool = True,
    ) -> None:
        for index in range(points):
            at = (index / max(1, points - 1)) * 2 - 1 if points > 1 else 0
            rssi = round(
                best - 32 * (at * at if abs(at) < 0.5 else abs(at) * 0.75) + self.random.uniform(-1, 1)
            )
            when = peak + timedelta(seconds=at * seconds / 2)
            if when <= self.now:
                self.detections.append(self.row(source, when, min(best, rssi), confidence, fix))

    def fill(self, hostile: bool) -> None:
        flags = {"verkada": {"mine": True}, "arlo": {"muted": True}, "dahua": {"false_alarm": True}}
        ages = {
            "flock_safety": 8,
            "ring": 24,
            "raven": 45,
            "verkada": 122,
            "unknown": 152,
            "penguin": 190,
            "arlo": 240,
            "nest": 262,
            "hikvision": 318,
            "wyze": 360,
            "lorex": 452,
            "eufy": 492,
            "axis": 564,
        }
        for kind, (_, ssid, mac, confidence, best) in KINDS.items():
            source = self.source(kind, mac, ssid, **flags.get(kind, {}))
            if kind in ages:
                self.pass_by(
                    source, self.now - timedelta(seconds=ages[kind]), best, confidence, fix=kind != "unknown"
                )
            if kind not in ("raven", "unknown", "penguin"):
                for days in (1, 5):
                    self.pass_by(
                        source,
                        self.now - timedelta(days=days, minutes=len(kind) * 7),
                        best - 8 - days,
                        confidence,
                        points=7,
                    )
        other = self.source("flock_safety", "3C:71:BF:00:00:09", "<img src=x onerror=alert(1)>")
        self.pass_by(other, self.now - timedelta(seconds=84), -66, 0.9)
        if hostile:
            for index, text in enumerate(HOSTILE):
                source = self.source("unknown", f"DE:AD:BE:EF:00:{index:02X}", text)
                source["label"] = text[:300]
                self.pass_by(source, self.now - timedelta(seconds=30 + index * 9), -60 - index, 0.8, points=4)

    def many(self, wanted: int) -> None:
        kinds = list(KINDS)
        for index in range(wanted):
            if index % 20 == 0:
                kind = kinds[index // 20 % len(kinds)]
                source = self.source(
                    kind,
                    f"02:00:{index >> 24:02X}:{index >> 16 & 255:02X}:{index >> 8 & 255:02X}:"
                    f"{index & 255:02X}",
                    f"net-{index}",
                )
            when = self.now - timedelta(minutes=20 + index * 1.3)
            self.detections.append(self.row(source, when, -60 - index % 35, 0.5 + index % 50 / 100))

    def count(self, row: dict) -> None:
        source = self.sources[row["source"]]
        moment = row["received"]
        if source["last"] is None or datetime.fromisoformat(moment) - datetime.fromisoformat(
            source["last"]
        ) > timedelta(minutes=20):
            source["drives"] += 1
        source["count"] += 1
        source["first"] = source["first"] or moment
        source["last"] = moment
        source["confidence"] = max(source["confidence"], row["confidence"])
        if row["rssi"] > source["rssi"]:
            source["rssi"] = row["rssi"]
            source["latitude"], source["longitude"] = row["latitude"], row["longitude"]
        source["new"] = self.now - datetime.fromisoformat(source["first"]) < timedelta(hours=24)

    def flagged(self, row: dict) -> dict:
        source = self.sources[row["source"]]
        return {**row, **{name: source[name] for name in ("new", "mine", "muted", "false_alarm")}}

    def arrive(self) -> dict:
        """A detection more, as a pass that goes on."""
        choices = [source for source in self.sources.values() if source["id"] <= 17]
        source = (
            choices[int(self.random.random() * 5)]
            if choices
            else self.source("flock_safety", KINDS["flock_safety"][2], KINDS["flock_safety"][1])
        )
        moment = datetime.now(timezone.utc)
        best = KINDS[source["type"]][4]
        row = self.row(
            source, moment, round(best + 6 * math.sin(moment.timestamp())), KINDS[source["type"]][3]
        )
        row["id"] = (self.detections[-1]["id"] if self.detections else 0) + 1
        self.detections.append(row)
        self.count(row)
        return self.flagged(row)

    def reasons(self, source: dict) -> list[dict]:
        what = "Flock Safety plate reader" if source["type"] == "flock_safety" else f"{source['label']} camera"
        sure = f"{round(source['confidence'] * 100)}% sure that it is a {what}, as the device reckons"
        rows = [
            {"kind": "fact", "field": "type", "text": "The device calls it ", "value": source["label"]},
            {"kind": "confidence", "field": "confidence", "text": sure, "value": None},
        ]
        if source["ssid"] and source["ssid"].upper().startswith("FLOCK"):
            rows.append(
                {"kind": "fact", "field": "ssid", "text": "Network name begins with ", "value": "FLOCK"}
            )
        if source["mac_random"]:
            rows.append(
                {
                    "kind": "note",
                    "field": "mac",
                    "text": "The address is a random one: it may be another device " "tomorrow.",
                    "value": None,
                }
            )
        rows.append(
            {
                "kind": "note",
                "field": None,
                "value": None,
                "text": EXPLANATIONS.get(source["type"], "Security camera of a home or shop."),
            }
        )
        return rows


def devices(scenario: str) -> list[dict]:
    now = datetime.now(timezone.utc)
    connected = scenario not in ("empty", "first", "noradio")
    table = [
        ("FlockFinder-S3", "F4:12:FA:6C:88:2E", "flockfinder", -54, 0, ""),
        ("ESP32-WiFiSet", "24:6F:28:11:C4:5B", "wifiset", -57, 1, ""),
        ("Mia’s lamp", "D8:3A:DD:40:7E:11", "nightlight", -62, 1, ""),
        ("Triones-A10103", "FF:FF:A1:01:03:9C", "bulb", -72, 2, ""),
        (
            "ESP32-Feather pump controller (Greenhouse 2, north bench)",
            "30:AE:A4:07:0D:64",
            "other",
            -78,
            3,
            "Not a FlockFinder",
        ),
        (None, "5E:21:C7:90:3B:D4", "other", -93, 14, "Address changes"),
        ("Jonas’ lamp", "D8:3A:DD:40:80:02", "nightlight", -70, 2, ""),
        ("Soundbar “Küche”", "10:94:97:3C:08:1F", "other", -74, 4, "Audio"),
        ("Thermo\u0007<i>7</i>", "A4:C1:38:5B:00:12", "other", -80, 6, "Environment"),
        (None, "6A:0C:15:E2:7F:91", "other", -91, 22, "Address changes"),
    ]
    if scenario == "empty":
        table = table[4:]
    if scenario == "hostile":
        table += [
            (text, f"DE:AD:BE:EF:01:{index:02X}", "other", -70 - index, 3, "")
            for index, text in enumerate(HOSTILE)
        ]
    found = []
    for number, (name, address, kind, rssi, age, note) in enumerate(table, 1):
        mine = kind == "flockfinder"
        heard = iso(now - timedelta(seconds=age))
        found.append(
            {
                "id": number,
                "address": address,
                "address_kind": "random" if name is None else "public",
                "name": name,
                "own_name": None,
                "kind": kind,
                "maybe_wifiset": False,
                "note": note,
                "connectable": True,
                "rssi": rssi,
                "last_heard": heard,
                "state": "connected" if mine and connected else "none",
                "reason": None,
                "next_try": None,
                "auto_connect": mine,
                "received": 1284 if mine else 0,
                "refused": 3 if mine else 0,
                "last_received": iso(now - timedelta(seconds=2)) if mine else None,
                "stream": mine,
                "connected_since": iso(now - timedelta(hours=4, minutes=12)) if mine and connected else None,
            }
        )
    return found
