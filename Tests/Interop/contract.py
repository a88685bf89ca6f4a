# SPDX-License-Identifier: Apache-2.0
"""The JSON that scripts rely on: every line of `--json` is one event of the schema that `lantern events` prints.

`problems_of` is applied to every line of every run, so that no test needs to repeat it. Beside the schema it knows
what a schema does not say: which spellings belong to a key, and that a value fits its neighbours.
"""
from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from schema import problems as schema_problems

SCHEMA = json.loads((Path(__file__).parents[2] / "Documentation" / "events.schema.json").read_text())
EVENTS: dict[str, dict[str, Any]] = SCHEMA["$defs"]

TYPES = {
    "Flock Safety": "flock_safety",
    "Verkada": "verkada",
    "Lorex": "lorex",
    "Reolink": "reolink",
    "Axis": "axis",
    "Hikvision": "hikvision",
    "Dahua": "dahua",
    "Ring": "ring",
    "Nest": "nest",
    "Arlo": "arlo",
    "Wyze": "wyze",
    "Eufy": "eufy",
    "Unknown": "unknown",
    "Penguin": "penguin",
    "Pigvision": "pigvision",
    "Raven (Gunshot Detector)": "raven",
}
PROPERTIES = [
    "broadcast",
    "read",
    "write_without_response",
    "write",
    "notify",
    "indicate",
    "authenticated_signed_writes",
    "extended_properties",
]

Check = Callable[[Any], bool]

_UUID_TEXT = r"[0-9a-f]{4}|[0-9a-f]{8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def parse_time(text: str) -> datetime:
    """The instant of a time of the contract."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z")


def _matches(pattern: str) -> Check:
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def _within(low: int, high: int) -> Check:
    return lambda value: isinstance(value, int) and low <= value <= high


# What a key may hold beyond its type, wherever it stands; null is the schema's business.
_KEYS: dict[str, Check] = {
    "uuid": _matches(_UUID_TEXT),
    "mac": _matches(r"[0-9A-F]{2}(:[0-9A-F]{2}){5}"),
    "handle": _within(1, 0xFFFF),
    "end_handle": _within(1, 0xFFFF),
    # 0 where a device says so, which is one of its faults.
    "value_handle": _within(0, 0xFFFF),
    "declaration_handle": _within(1, 0xFFFF),
    "mtu": _within(23, 0xFFFF),
    "mps": _within(23, 65533),
    "psm": _within(1, 0xFF),
    "cid": _within(0x40, 0x7F),
    "peer_cid": _within(0x40, 0x7F),
    "port": _within(1, 0xFFFF),
    "rssi": _within(-128, 127),
    "error_code": _within(1, 0xFF),
    "company": _matches("[0-9a-f]{4}"),
    "color": _matches("#[0-9a-f]{6}"),
    "ip": _matches(r"\d{1,3}(\.\d{1,3}){3}"),
    "properties": lambda value: all(word in PROPERTIES for word in value),
    "reason": lambda value: value != "",
    "error": lambda value: value != "",
    "incomplete": lambda value: value != "",
}
_ADDRESSES: dict[str | None, Check] = {
    "public": _matches(r"[0-9A-F]{2}(:[0-9A-F]{2}){5}"),
    "random": _matches(r"[0-9A-F]{2}(:[0-9A-F]{2}){5}"),
    "identifier": _matches(_UUID_TEXT),
    "anonymous": lambda value: value is None,
    None: lambda value: value is None,
}


def _unusual(value: Any) -> list[tuple[str, str]]:
    """What the schema lets pass and should not be, each with where it is below the value."""
    found: list[tuple[str, str]] = []
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, (dict, list)) and (wrong := _unusual(item)):
                found += [(f"[{index}]{place}", what) for place, what in wrong]
        return found
    for key, member in value.items():
        if member is not None and (check := _KEYS.get(key)) and not check(member):
            found.append(("", f"has a bad {key}: {member!r}"))
        # What came from elsewhere is as it came.
        if isinstance(member, (dict, list)) and key not in ("extra", "object", "raw") and (wrong := _unusual(member)):
            found += [(f".{key}{place}", what) for place, what in wrong]
    if "address_kind" in value and not _ADDRESSES[value["address_kind"]](value.get("address")):
        found.append(("", f"has a bad address: {value.get('address')!r} ({value['address_kind']})"))
    return found


def problems_of(line: dict[str, Any]) -> list[str]:
    """What is wrong with a line of `--json`."""
    if list(line)[:2] != ["event", "time"]:
        return [f"a line does not begin with its event and time: {line!r:.200}"]
    event = line["event"]
    if event not in EVENTS:
        return [f"undocumented event {event!r}"]
    return schema_problems(line, EVENTS[event], event) + [f"{event}{place} {what}" for place, what in _unusual(line)]


def assert_event(line: dict[str, Any], event: str) -> None:
    """Checks that a line is an event of this name, and a good one."""
    assert line.get("event") == event, line
    problems = problems_of(line)
    assert not problems, "\n".join(problems)


def assert_tree(line: dict[str, Any]) -> None:
    """Checks the one object of `gatt tree --json`."""
    assert_event(line, "gatt_tree")


def assert_read(line: dict[str, Any]) -> None:
    """Checks the one object of `gatt read --json`."""
    assert_event(line, "value_read")
