# SPDX-License-Identifier: Apache-2.0
"""An engine with a map: where its sources are, what was driven, what others know."""

from __future__ import annotations

import random
from typing import Any

import pytest
from kept_world import Drives, drives, iso, kept
from scripted_radio import FlockFinder
from spots import spot

CROWDS = [
    (531, 135, 12, ("flock_safety", "verkada", "axis")),
    (1300, 145, 64, ("nest", "ring", "arlo", "hikvision")),
    (559, 409, 38, ("ring", "nest", "arlo")),
    (1256, 394, 127, ("ring", "arlo", "wyze", "flock_safety")),
    (492, 743, 21, ("eufy", "lorex", "flock_safety")),
    (984, 729, 9, ("lorex", "reolink", "raven")),
]
FALCON = "<b>Flock</b> \u202eFalcon"
KNOWN = [["node/1", "Käfertaler Straße", *spot(531, 617)], ["node/2", FALCON, *spot(1215, 540), 135]]


class Town(Drives):
    """The invented drives, where each source stands alone; with crowds, if a test wants them."""

    def __init__(self, scenario: str = "still", crowds: bool = False) -> None:
        super().__init__(scenario)
        for row in self.detections:
            if row["source"] > 16:
                # Those beyond are all of a kind, and would stand at one place.
                row["latitude"] += 0.0006 * (row["source"] - 16) % 0.004
        if not crowds:
            return
        dice, found = random.Random(3), []
        for x, y, number, kinds in CROWDS:
            for index in range(number):
                one = len(self.sources) + 1
                source = self.source(kinds[index % len(kinds)], f"C0:00:00:00:{one >> 8:02X}:{one & 255:02X}", f"crowd-{one}")
                row = self.row(source, self.now, -60 - one % 30, 0.7)
                row["latitude"], row["longitude"] = spot(x + dice.uniform(-20, 20), y + dice.uniform(-20, 20))
                found.append(row)
        self.detections = [row | {"id": number} for number, row in enumerate(found + self.detections, 1)]

    def stand(self, source: int, latitude: float, longitude: float) -> None:
        """Has a source stand elsewhere."""
        for row in self.detections:
            if row["source"] == source:
                row.update(latitude=latitude, longitude=longitude, fix={"source": "gpsd", "age_ms": 200, "accuracy": 4, "altitude": 61.5})


def known(world: Drives, cameras: list | None = None) -> list[dict[str, Any]]:
    """A set of cameras that others know."""
    return [{"name": "DeFlock", "origin": "overpass-ide", "version": "", "imported": iso(world.now), "cameras": cameras or KNOWN}]


def fixed(x: float, y: float) -> dict[str, Any]:
    """A place that a person has set."""
    latitude, longitude = spot(x, y)
    return {"location": {"source": "fixed", "latitude": latitude, "longitude": longitude}}


def show(hub, world: Drives | None = None, settings: dict[str, Any] | None = None, **rows: list) -> None:
    """Begins with an engine that has a map, and a FlockFinder."""
    world = world or Town()
    rows = {"drives": drives(), "known": known(world)} | rows
    hub.begin(kept(world, fixed(1125, 328) | (settings or {}), **rows))
    hub.finder = FlockFinder()
    hub.radio.add(hub.finder)


@pytest.fixture
def hub(hub):
    """An engine that has a map."""
    show(hub)
    return hub


def radius(hub, source: int) -> str:
    """How well it is known where a source stands."""
    return f"±{round(hub.sources()[source]['place']['radius'])} m"
