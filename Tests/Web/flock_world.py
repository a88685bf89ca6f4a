# SPDX-License-Identifier: Apache-2.0
"""An engine that drives on: what it has kept, a FlockFinder on its radio that goes on detecting, devices around, and its place."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from kept_world import KINDS, Drives, kept
from scripted_radio import TRIONES, Device, FlockFinder
from spots import spot

HERE = {"latitude": spot(1125, 328)[0], "longitude": spot(1125, 328)[1], "accuracy": 4, "speed": 11.9, "heading": 178}
LAMP = {"7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4": {}}
PUMP = "ESP32-Feather pump controller (Greenhouse 2, north bench)"


def around() -> list[Device]:
    """What else is near: something of each kind, and what is of none."""
    table: list[tuple[str | None, dict, int]] = [
        ("ESP32-WiFiSet", {"00467768-6228-2272-4663-277478268000": {}}, -57), ("Mia’s lamp", LAMP, -62),
        ("Triones-A10103", TRIONES, -72), (PUMP, {}, -78), (None, {}, -93), ("Jonas’ lamp", LAMP, -70),
        ("Soundbar “Küche”", {}, -74),
    ]  # fmt: skip
    return [Device(*one) for one in table]


def drive_on(hub, world: Drives | None = None, rows: dict[str, list] | None = None, **options: Any) -> None:
    """Begins with an engine in the middle of a drive; it has kept the world, and other rows."""
    settings = {"location": {"source": "browser", "latitude": None, "longitude": None}}
    hub.begin(kept(world, settings, **rows or {}), **options)
    hub.finder = FlockFinder()
    hub.radio.add(hub.finder, *around())
    hub.ask("POST", "/position", HERE)


@pytest.fixture
def hub(hub):
    """An engine that drives on."""
    drive_on(hub)
    return hub


def arrive(hub, kind: str = "flock_safety", **more: Any) -> None:
    """A detection more, by default of a source that is known."""
    label, name, address, confidence, rssi = KINDS[kind]
    hub.finder.detect({"type": label, "mac": address, "ssid": name, "rssi": rssi, "confidence": confidence} | more)


def passed(*rows: tuple[int, float, int]) -> Drives:
    """A world with these detections alone, the oldest first: the number of the source, how many seconds ago, and how strong."""
    world = Drives("still")
    for number in range(len(world.sources) + 1, max((source for source, _, _ in rows), default=0) + 1):
        world.source("ring", f"A4:83:E7:01:{number >> 8:02X}:{number & 255:02X}", f"Doorbell {number}")
    world.detections = [
        world.row(world.sources[source], world.now - timedelta(seconds=ago), rssi, 0.9) | {"id": number}
        for number, (source, ago, rssi) in enumerate(rows, 1)
    ]
    return world


def tell(hub, *numbers: int) -> None:
    """Lines of the live stream: what is heard, and with some numbers a detection that cannot be one."""
    names = ["Maple 12 upstairs", "Gemeinde Gäste", "\x1b[31mFREE WIFI\u202e", "axis-accc8e4f0b21", None]
    for number in numbers:
        if number % 19 == 7:
            hub.finder.detect({"type": "Axis", "rssi": -60, "confidence": 1.4})
            continue
        kind = "ble_scan" if number % 4 == 0 else "wifi_scan"
        hub.finder.hear({
            "evt": kind, "ssid": names[number % 5], "mac": f"dc:39:6f:11:04:{number % 256:02x}", "rssi": -50 - number % 45,
            "ch": number % 13 + 1,
        })  # fmt: skip
