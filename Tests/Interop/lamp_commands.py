# SPDX-License-Identifier: Apache-2.0
"""The `lantern nightlight …` commands as tests use them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lantern import DONE, Lantern, Result
from peers.nightlight import ADDRESS

KEYS = {
    "event": (str,),
    "time": (str,),
    "address": (str,),
    "address_kind": (str,),
    "name": (str, type(None)),
    "week": (dict, type(None)),
    "tonight": (dict, type(None)),
    "tonight_days_left": (int, type(None)),
    "source": (str, type(None)),
    "color": (str, type(None)),
    "next_change_minutes": (int, type(None)),
    "planned": (dict, type(None)),
    "differs": (bool,),
    "today": (list,),
    "button": (dict, type(None)),
    "leds": (dict, type(None)),
    "battery_percent": (int, type(None)),
    "charging": (bool, type(None)),
    "clock": (dict, type(None)),
    "device_information": (dict, type(None)),
}


async def show(lantern: Lantern, address: str = ADDRESS, radio: str | None = None) -> dict[str, Any]:
    result = await lantern.run("nightlight", "show", address, "--json", radio=radio)
    assert result.status == DONE, result
    shown = result.line
    assert shown.keys() == KEYS.keys(), shown
    for key, kinds in KEYS.items():
        assert isinstance(shown[key], kinds), f"{key}: {shown[key]!r}"
    return shown


async def done(lantern: Lantern, *arguments: str) -> Result:
    """A command under `nightlight` that is to succeed."""
    result = await lantern.run("nightlight", *arguments)
    assert result.status == DONE, result
    return result


def save(tmp_path: Path, value: Any) -> str:
    path = tmp_path / "schedule.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)
