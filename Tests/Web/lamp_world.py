# SPDX-License-Identifier: Apache-2.0
"""An engine that hears lamps, and what tests of the page Nightlights have them do."""

from __future__ import annotations

import copy
from datetime import datetime
from typing import Any

import pytest
from kept_world import Drives, kept
from playwright.sync_api import expect
from scripted_lamp import Lamp, period, school

MIA, JONAS = "D83ADD407E11", "D83ADD408002"
ADDRESS, OTHER = "D8:3A:DD:40:7E:11", "D8:3A:DD:40:80:02"


def begin(hub, *lamps: Lamp) -> None:
    """Begins with an engine that hears these lamps. It is one o'clock, whenever that is: a night is shown from noon to noon."""
    now = datetime.now()
    one = now.replace(hour=13, minute=0, second=0, microsecond=0)
    hub.begin(kept(Drives("empty")), behind=(now - one).total_seconds() % 86_400)
    hub.lamp = lamps[0] if lamps else None
    hub.radio.add(*lamps)


def both() -> tuple[Lamp, Lamp]:
    return Lamp(), Lamp("Jonas", f"{OTHER}/P", -70)


@pytest.fixture
def hub(engine):
    """An engine that hears Mia's lamp and Jonas'."""
    begin(engine, *both())
    return engine


def changes(hub) -> list[dict[str, Any]]:
    """What was to be others."""
    return [body for method, path, body, _ in hub.asked if method == "PATCH" and path.startswith("/nightlights/")]


def phases(hub) -> list[str]:
    """How far the jobs are that have not ended."""
    return [one["phase"] for one in hub.get("/jobs")["items"]]


def dashboard(hub) -> dict[str, Any]:
    """What is told of the lamp to which there is a link."""
    return hub.get(f"/nightlights/{hub.get('/jobs')['items'][-1]['id']}")


def retell(hub, change) -> None:
    """Tells of the lamp what another hub would, or another hour."""
    value = copy.deepcopy(dashboard(hub))
    change(value)
    hub.emit("nightlight_changed", {"dashboard": value | {"revision": value["revision"] + 1}})


def memory(hub, address: str = ADDRESS) -> dict[str, Any]:
    """What is remembered of a lamp."""
    return next((one for one in hub.get("/nightlights")["items"] if one["address"] == address), {"pending": []})


def go_away(hub, lamp: Lamp | None = None) -> None:
    """The link to a lamp is lost, and it cannot be connected to."""
    lamp = lamp or hub.lamp
    lamp.fails["connect"] = "gone"
    lamp.silent = {"look"}
    hub.radio.lose(lamp)


def come_back(hub) -> None:
    """It is heard again, and can be connected to; what failed a moment ago is not tried before that."""
    hub.later(31)
    del hub.lamp.fails["connect"]
    hub.lamp.silent.clear()
    hub.radio.hear(hub.lamp)


def lose(hub, page) -> None:
    """Its link is lost while a page shows it."""
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    go_away(hub)
    expect(page.get_by_role("heading", name="Not connected")).to_be_visible()


def wait_for(hub, on: str, off: str) -> dict[str, Any]:
    """A week with one time of light each night is kept until the lamp is back."""
    week = {**school(), "name": "Holidays", "groups": [{**one, "periods": [period(on, off)]} for one in school()["groups"]]}
    hub.ask("POST", "/nightlights/pending", {"week": week}, filter={"address": f"{ADDRESS}/P"})
    return week
