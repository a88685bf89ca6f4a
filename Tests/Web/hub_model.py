# SPDX-License-Identifier: Apache-2.0
"""The hub of invented data: what it knows, what happens to it, what it refuses."""

import threading
import time
from datetime import datetime, timedelta, timezone

from bulb_model import Bulbs
from explorer_model import Explorer
from invented import World, devices, iso
from lamp_model import Lamps
from map_model import Map
from overflow_model import Overflow
from pairing_model import Pairing
from spots import spot
from wifi_model import WiFi

TOKEN = "correct-horse"


class Problem(Exception):
    def __init__(self, status: int, detail: str, **more) -> None:
        self.status, self.body = status, {"type": "about:blank", "status": status, "detail": detail, **more}


class InventedHub:
    def __init__(self, scenario: str = "live") -> None:
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.scenario = scenario
        self.world = World(scenario)
        self.devices = {device["id"]: device for device in devices(scenario)}
        self.events: list[tuple[int, str, dict]] = []
        self.last_id = 0
        self.revision = 1
        self.gone = False
        self.signed_in = scenario != "login"
        self.failures = 0
        self.tokens = [
            {"id": 1, "name": "owner", "role": "admin", "made": "2026-11-20T10:00:00.000Z", "used": None, "sessions": 0}
        ]
        self.capture = {"running": False, "started": None, "octets": 0, "packets": 0, "file": False}
        self.requests: list[str] = []
        self.settings = {
            "min_confidence": 0.0,
            "theme": "system",
            "units": "metric",
            "retention_days": None,
            "size_limit_mb": None,
            "this_radio": False,
            "location": {"source": "gpsd", "latitude": None, "longitude": None},
            "alerts": {
                "sound": "chime",
                "volume": 0.7,
                "min_confidence": 0.5,
                "interval_minutes": 30,
                "quiet": {"on": True, "from": "22:00", "to": "07:00"},
            },
            "saved_filters": [],
            "map": {"tiles": "none", "server": "", "attribution": ""},
            "bulbs": {"favourites": ["#7c6bff", "#ff5c9e", "#ff9b2f", "#3cc98a", "#2fa8ff", "#ffe2b8"], "dialects": []},
            "overflow": {"services": [{"uuid": "B41E0007-52A1-4C0E-9B2F-7A1D03EE20C1", "name": "Greenhouse logger"}]},
            "encryption": {"flock": "off", "wifi": "off"},
        }
        self.map_file: dict | None = None
        self.lacks: list[str] = []
        """What the radio does not tell."""
        self.map = Map(self)
        self.wifi = WiFi(self)
        self.bulbs = Bulbs(self)
        self.overflow = Overflow(self)
        self.explorer = Explorer(self)
        self.lamps = Lamps(self)
        self.pairing = Pairing(self)
        if scenario == "live":
            threading.Thread(target=self.live, daemon=True).start()

    def hub(self) -> dict:
        now = datetime.now(timezone.utc)
        world, fix = self.world, self.scenario not in ("empty", "first")
        radio = {
            "name": "hci0",
            "state": "scanning",
            "title": "Scanning",
            "text": "",
            "commands": [],
            "next_try": None,
            "reports_per_minute": 1912,
            "restarts": 1,
            "last_restart": iso(now - timedelta(hours=3)),
            "connections": 3,
            "max_connections": 7,
            "lacks": self.lacks,
        }
        if self.scenario == "noradio":
            radio.update(
                state="busy",
                title="The Bluetooth radio is in use",
                next_try=iso(now + timedelta(seconds=9)),
                text="Another program, most likely the system’s Bluetooth service, holds the adapter hci0.",
                commands=["sudo systemctl stop bluetooth", "lantern hub --radio bluez"],
            )
        last = world.detections[-1]["received"] if world.detections else None
        return {
            "name": "pi-garage",
            "version": "0.2.0",
            "time": iso(now),
            "started": iso(now - timedelta(minutes=300)),
            "simulated": False,
            "map_file": self.map_file,
            "last_event_id": self.last_id,
            "radio": radio,
            "location": {
                "source": self.settings["location"]["source"],
                "state": "fix" if fix else "off",
                "satellites": 9,
                "accuracy": 4,
                "latitude": spot(1125, 328)[0] if fix else None,
                "longitude": spot(1125, 328)[1] if fix else None,
                "speed": 11.9,
                "heading": 178,
                "activity": "driving",
                "time": iso(now - timedelta(seconds=1)),
            },
            "storage": {
                "file": "lantern.sqlite",
                "octets": 48_000_000,
                "disk_octets": 29_000_000_000,
                "parts": {
                    "detections": 28_000_000,
                    "derived": 11_000_000,
                    "drives": 4_000_000,
                    "free": 5_000_000,
                },
                "detections": len(world.detections),
                "sources": len(world.sources),
                "last_detection": last,
                "quiet_sources": 14,
                "unreadable": 0,
                "trouble": None,
            },
            "capture": self.capture,
            "access": {
                "address": "https://pi-garage.local:8443",
                "encrypted": True,
                "login": True,
                "sessions": 3,
                "last_session": iso(now - timedelta(minutes=2)),
                "token_made": "2026-11-03T09:00:00Z",
            },
        }

    # MARK: Events

    def emit(self, name: str, **value) -> None:
        with self.changed:
            self.last_id += 1
            self.events.append(
                (self.last_id, name, {"event": name, "time": iso(datetime.now(timezone.utc)), **value})
            )
            self.events = self.events[-2000:]
            self.changed.notify_all()

    def arrive(self) -> None:
        with self.lock:
            row = self.world.arrive()
            device = self.devices.get(1)
            if device:
                device["received"] += 1
                device["last_received"] = device["last_heard"] = row["received"]
        self.emit("detection", **{name: row[name] for name in row if name not in ("event", "time")})
        if device:
            self.emit("device_changed", device=device)

    def stream_line(self, number: int) -> None:
        names = ["Maple 12 upstairs", "Gemeinde Gäste", "\x1b[31mFREE WIFI\u202e", "axis-accc8e4f0b21", None]
        about = {"address": "F4:12:FA:6C:88:2E", "address_kind": "public"}
        if number % 19 == 7:
            self.emit(
                "flock_parse_error", **about, reason="confidence 1.4 is outside 0 to 1", octets="7b22" * 59
            )
        elif number % 23 == 5:
            self.emit(
                "flock_notice",
                **about,
                notice="not_listening",
                text="No report for 4.1 s, scan started again",
            )
        else:
            kind = "ble_scan" if number % 4 == 0 else "wifi_scan"
            self.emit(
                "flock_stream",
                **about,
                object={
                    "event": kind,
                    "ssid": names[number % 5],
                    "mac": f"dc:39:6f:11:04:{number % 256:02x}",
                    "rssi": -50 - number % 45,
                    "ch": number % 13 + 1,
                },
            )

    def live(self) -> None:
        number = 0
        while True:
            time.sleep(0.5)
            number += 1
            if self.gone:
                continue
            self.stream_line(number)
            if number % 6 == 0:
                self.arrive()

    # MARK: Queries

    def detections(self, query: dict) -> list[dict]:
        with self.lock:
            rows = [row for row in self.world.detections if self.fits(row, query)]
        return rows if query.get("sort") == ["oldest"] else rows[::-1]

    def fits(self, row: dict, query: dict) -> bool:
        source = self.world.sources[row["source"]]
        one = lambda name: query.get(name, [None])[0]
        text = (one("text") or "").casefold()
        moment = row.get("received") or row["last"]
        if text and not any(
            text in str(row.get(name) or source.get(name) or "").casefold()
            for name in ("ssid", "mac", "label", "note")
        ):
            return False
        if one("type") and row["type"] not in query["type"]:
            return False
        if one("min_confidence") and row["confidence"] < float(one("min_confidence")):
            return False
        if one("since") and datetime.fromisoformat(moment) < datetime.fromisoformat(one("since")):
            return False
        if one("until") and datetime.fromisoformat(moment) > datetime.fromisoformat(one("until")):
            return False
        marks = {name: source[name] for name in ("mine", "muted", "false_alarm")}
        state = {"new": source["new"], **marks, "none": not any(marks.values())}
        if one("state") and not any(state[name] for name in query["state"]):
            return False
        if one("place") and (row["latitude"] is None) != (one("place") == "without"):
            return False
        if one("id") and str(row["id"]) not in query["id"]:
            return False
        if one("box"):
            west, south, east, north = map(float, one("box").split(","))
            if row["latitude"] is None or not (west <= row["longitude"] <= east and south <= row["latitude"] <= north):
                return False
        return not one("source") or str(source["id"]) in query["source"]

    def sources(self, query: dict) -> list[dict]:
        with self.lock:
            found = [
                row
                for row in self.world.sources.values()
                if row["count"] and self.fits({**row, "source": row["id"]}, query)
            ]
        column = {"seen": "count", "strongest": "rssi"}.get(query.get("sort", ["last"])[0], query.get("sort", ["last"])[0])
        return sorted(found, key=lambda row: (row[column], row["id"]), reverse=True)

    def page(self, rows: list, query: dict, total: int, write=lambda row: row) -> dict:
        limit = min(1000, int(query.get("limit", ["100"])[0]))
        start = int(query.get("cursor", ["0"])[0])
        following = start + limit
        return {
            "items": [write(row) for row in rows[start:following]],
            "total": len(rows),
            "all": total,
            "next": str(following) if following < len(rows) else None,
        }

    def part(self, source: dict) -> dict:
        """A source as lists, events and the map have it: with where it probably stands, or null."""
        place = self.map.place(source)
        return self.map.pin(source, place) if place else {**source, "place": None}

    def one_source(self, number: int) -> dict:
        source = self.world.sources.get(number)
        if not source:
            raise Problem(404, "There is no such source. It may have been deleted.")
        rows = [row for row in self.world.detections if row["source"] == number]
        return {
            **self.part(source),
            "reasons": self.world.reasons(source),
            "detections": [self.world.flagged(row) for row in rows[-500:]],
        }

    # MARK: Commands

    def merge(self, old: dict, change: dict) -> None:
        for name, value in change.items():
            if name not in old:
                raise Problem(422, f"There is no setting “{name}”.")
            if isinstance(value, dict):
                self.merge(old[name], value)
            else:
                old[name] = value
