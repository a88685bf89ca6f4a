# SPDX-License-Identifier: Apache-2.0
"""An engine for pages of every kind: it drives on, knows drives and cameras of others, and hears a device of each product.

python whole_world.py [--port 8137] shows the pages of this folder on it, as they are; a camera is passed now and then.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import pytest
from engine_host import EngineHub, HostedEngine, serve
from explorer_strap import Strap
from flock_world import HERE, PUMP, arrive, tell
from hostile import HOSTILE
from kept_world import Drives, drives, kept
from lamp_world import both
from map_world import known
from overflow_world import SENDERS, send
from scripted_lamp import Lamp
from scripted_radio import TRIONES, Bulb, Device, FlockFinder
from scripted_wifi import WiFiSet


def around() -> list[Device]:
    """What is heard beside a FlockFinder: the first five are a device to be set up, two lamps, a bulb, and one of no kind."""
    return [
        WiFiSet(), *both(), Bulb("Triones-A10103", TRIONES, address="FF:FF:A1:01:03:9C/P"),
        Device(PUMP, {}, -78, address="30:AE:A4:07:0D:64/P"), Device(None, {}, -93, address="5E:21:C7:90:3B:D4/R"),
        Device("Soundbar “Küche”", {}, -74, address="10:94:97:3C:08:1F/P"),
        Device("Thermo\u0007<i>7</i>", {"181a": {}}, -80, address="A4:C1:38:5B:00:12/P"),
        Device(None, {}, -91, address="6A:0C:15:E2:7F:91/R"), Strap(address="C0:FF:EE:9A:3C:2B/R"),
    ]  # fmt: skip


def begin(hub, world: Drives | str = "still") -> None:
    """Begins with an engine that knows much; `hostile`, it hears texts that no page may take for anything else."""
    scenario, world = world, Drives(world) if isinstance(world, str) else world
    settings = {"location": {"source": "browser", "latitude": None, "longitude": None}}
    hub.begin(kept(world, settings, drives=drives(), known=known(world)))
    hub.finder = FlockFinder(address="F4:12:FA:6C:88:2E/P")
    devices = around()
    hub.wifi, hub.lamp, hub.strap = devices[0], devices[1], devices[-1]
    if scenario == "hostile":
        devices += [Device(text, {}, -70, address=f"DE:AD:BE:EF:01:{at:02X}/P") for at, text in enumerate(HOSTILE)]
        devices += [Lamp(text.encode()[:24].decode(errors="ignore"), f"DE:AD:BE:EF:02:{at:02X}/P") for at, text in enumerate(HOSTILE[:4])]
    hub.radio.add(hub.finder, *devices)
    number = next(one["id"] for one in hub.get("/devices")["items"] if one["kind"] == "flockfinder")
    hub.ask("POST", f"/devices/{number}/connect")
    send(hub, *SENDERS)
    hub.ask("POST", "/position", HERE)


def begin_empty(hub) -> None:
    """Begins on the first evening: nothing is known, and two devices of no kind are heard."""
    hub.begin(kept(Drives("empty")))
    hub.radio.add(*around()[4:6])


@pytest.fixture
def hub(engine):
    begin(engine)
    return engine


def jobs(hub) -> list[dict[str, Any]]:
    """What pages have in hand."""
    return hub.get("/jobs")["items"]


def show() -> None:
    """Serves the pages until somebody interrupts it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=8137)
    hub = EngineHub(serve(options.parse_args().port), HostedEngine)
    begin(hub)
    print(hub.address)
    for number in range(1, 1_000_000):
        time.sleep(0.5)
        tell(hub, number)
        if number % 6 == 0:
            arrive(hub)


if __name__ == "__main__":
    show()
