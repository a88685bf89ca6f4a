# SPDX-License-Identifier: Apache-2.0
"""The JSON of lamps, bulbs and overflow areas: which keys, which types, which spelling."""

from __future__ import annotations

import re

from contract import (
    Check,
    Members,
    is_address,
    is_hex,
    is_integer,
    is_octet,
    is_text,
    is_time,
    is_uuid,
    list_of,
    matches,
    object_of,
    one_of,
    or_null,
)

is_color = matches(re.compile("#[0-9a-f]{6}"))
is_map = matches(re.compile("[0-9a-f]{32}"))
is_local_time = matches(re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"))
is_percent: Check = lambda value: is_integer(value) and 0 <= value <= 100
is_yes_or_no: Check = lambda value: isinstance(value, bool)

# Bulbs
_BULB_LINES: dict[str, Members] = {
    # device run bulb; bulb cycle. What a bulb is written and who subscribes look as in contract.py.
    "color": {"event": is_text, "color": or_null(is_color), "time": is_time},
    "cycle_end": {
        "event": is_text,
        "reason": one_of("done", "interrupted"),
        "colors": is_integer,
        "time": is_time,
    },
}

# Overflow areas
_CANDIDATES = list_of(object_of(bit=is_integer, services=list_of(object_of(uuid=is_uuid, name=is_text))))
_OF_SENDER: Members = {"event": is_text, "address": is_address}
_OVERFLOW_LINES: dict[str, Members] = {
    "map": {
        **_OF_SENDER,
        "address_type": one_of("public", "random"),
        "rssi": or_null(is_integer),
        "map": is_map,
        "bits": list_of(is_integer),
        "candidates": _CANDIDATES,
        "time": is_time,
    },
    "payload": {
        **_OF_SENDER,
        "codec": one_of("v1", "v2"),
        "position": or_null(is_integer),
        "payload": is_hex,
        "rssi": or_null(is_integer),
        "time": is_time,
    },
    "ignored": {**_OF_SENDER, "reason": one_of("unknown position", "polluted", "no match", "truncated")},
    "advertising": {
        "event": is_text,
        "codec": or_null(one_of("v1", "v2")),
        "position": or_null(is_integer),
        "map": is_map,
        "ad": is_hex,
        "uuids": list_of(is_uuid),
        "time": is_time,
    },
    # device run iphone
    "background": {"event": is_text, "map": is_map, "time": is_time},
    "foreground": {"event": is_text, "uuid": is_uuid, "map": or_null(is_map), "time": is_time},
}

# device run nightlight
_LAMP_LINES: dict[str, list[Members]] = {
    "leds": [
        {
            "event": is_text,
            "source": one_of("off", "week", "day", "button", "proof"),
            "colors": lambda value: list_of(is_color)(value) and len(value) == 4,
            "time": is_time,
        }
    ],
    "press": [
        {"event": is_text, "result": one_of("lit"), "presses_left": or_null(is_integer), "time": is_time},
        {
            "event": is_text,
            "result": one_of("used_up", "disabled", "deactivated"),
            "presses_left": lambda value: value is None,
            "time": is_time,
        },
    ],
    "shake": [{"event": is_text, "turns_colors": is_yes_or_no, "time": is_time}],
    "battery": [{"event": is_text, "percent": is_percent, "charging": is_yes_or_no, "time": is_time}],
    "clock": [{"event": is_text, "local_time": is_local_time, "time": is_time}],
    "written": [{"event": is_text, "link": is_integer, "item": is_text, "value": is_hex, "time": is_time}],
    "refused": [
        {
            "event": is_text,
            "link": is_integer,
            "item": is_text,
            "error_code": is_octet,
            "reason": is_text,
            "time": is_time,
        }
    ],
}

LINES: dict[str, list[Members]] = dict(_LAMP_LINES)
for _lines in (_BULB_LINES, _OVERFLOW_LINES):
    for _event, _members in _lines.items():
        LINES.setdefault(_event, []).append(_members)
