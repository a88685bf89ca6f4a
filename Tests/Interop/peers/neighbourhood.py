# SPDX-License-Identifier: Apache-2.0
"""Neighbourhoods for `lantern device run wifiset --networks FILE`, as the issue spells the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PASSWORD, WRONG = "correct horse battery", "wrong horse battery"
JOIN_SECONDS = 0.2


def network(ssid: str, security: str = "wpa2", **members: Any) -> dict[str, Any]:
    """One network of a --networks file."""
    return {
        "ssid": ssid,
        "password": None if security == "open" else PASSWORD,
        "security": security,
        "rssi": -60,
        "channel": 6,
        "join_seconds": JOIN_SECONDS,
        "fault": None,
        **members,
    }


HOME = network("Home", rssi=-48)
CAFE = network("Cafe", "open", rssi=-70, channel=11, join_seconds=0)
SLOW = network("Slow", rssi=-71, join_seconds=2)
BROKEN = network("Broken", fault="storage")
SOUR = network("Sour", fault="wrong_password")
NEIGHBOURHOOD = [HOME, CAFE, SLOW, BROKEN, SOUR]

ALL_KINDS = [
    HOME,
    CAFE,
    network("Home", rssi=-80, channel=1),
    network("", rssi=-20),
    network("Old", "wep", password="12345", rssi=-90, channel=14),
    network("Corp", "wpa2_enterprise", rssi=-128, channel=13),
    network("New", "wpa3", rssi=127),
    network("0123456789abcdef0123456789abcdef", rssi=0),
    network("Grüße 📷"),
]


def save(folder: Path, networks: list[dict[str, Any]], **members: Any) -> Path:
    """Writes the file; the device scans quickly, unless told otherwise."""
    file = folder / "networks.json"
    file.write_text(json.dumps({"networks": networks, "scan_seconds": 0.2, **members}))
    return file
