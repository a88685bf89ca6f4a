# SPDX-License-Identifier: Apache-2.0
"""The JSON that scripts rely on, as the issue writes it down: which keys, which types, which spelling.

`problems_of` is applied to every line of every run, so that no test needs to repeat it.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

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
STATES = {
    "bluetooth_off",
    "unauthorized",
    "disconnected",
    "scanning",
    "connecting",
    "discovering",
    "connected",
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

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_UUID = re.compile(r"[0-9a-f]{4}|[0-9a-f]{8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ADDRESS = re.compile(r"[0-9A-F]{2}(:[0-9A-F]{2}){5}")
_HEX = re.compile(r"([0-9a-f]{2})*")

Check = Callable[[Any], bool]
Members = dict[str, Check]


def parse_time(text: str) -> datetime:
    """The instant of a time of the contract."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z")


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def matches(pattern: re.Pattern[str]) -> Check:
    return lambda value: is_text(value) and pattern.fullmatch(value) is not None


def one_of(*values: str) -> Check:
    return lambda value: value in values


def or_null(check: Check) -> Check:
    return lambda value: value is None or check(value)


def list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(check(element) for element in value)


def object_of(**members: Check) -> Check:
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == members.keys()
        and all(check(value[key]) for key, check in members.items())
    )


is_time = matches(_TIME)
is_uuid = matches(_UUID)
is_address = matches(_ADDRESS)
is_hex = matches(_HEX)
is_handle: Check = lambda value: is_integer(value) and 1 <= value <= 0xFFFF
is_psm: Check = lambda value: is_integer(value) and 1 <= value <= 0xFF
is_cid: Check = lambda value: is_integer(value) and 0x40 <= value <= 0x7F
is_octet: Check = lambda value: is_integer(value) and 0 <= value <= 0xFF
is_object: Check = lambda value: isinstance(value, dict)

_SUBSCRIBED: dict[str, Check] = {
    "event": is_text,
    "link": is_integer,
    "handle": is_handle,
    "uuid": is_uuid,
    "notify": lambda value: isinstance(value, bool),
    "indicate": lambda value: isinstance(value, bool),
    "time": is_time,
}
_OF_LINK: dict[str, Check] = {"event": is_text, "link": is_integer, "time": is_time}
_OF_DEVICE: dict[str, Check] = {
    "event": is_text,
    "time": is_time,
    "address": is_address,
    "address_kind": one_of("public", "random"),
}
_LINES: dict[str, dict[str, Check]] = {
    "advertisement": {
        "event": is_text,
        "address": or_null(is_address),
        "address_type": one_of("public", "random", "anonymous"),
        "rssi": or_null(is_integer),
        "connectable": lambda value: isinstance(value, bool),
        "name": or_null(is_text),
        "services": list_of(is_uuid),
        "manufacturer_data": list_of(object_of(company=matches(re.compile("[0-9a-f]{4}")), data=is_hex)),
        "service_data": list_of(object_of(uuid=is_uuid, data=is_hex)),
        "tx_power": or_null(is_integer),
        "appearance": or_null(is_integer),
        "data": is_hex,
        "scan_response": or_null(is_hex),
        "time": is_time,
    },
    "value": {
        "event": is_text,
        "uuid": is_uuid,
        "handle": is_handle,
        "value": is_hex,
        "kind": one_of("notify", "indicate"),
        "time": is_time,
    },
    # gatt watch and gatt shell, beside value
    "security_refused": {"event": is_text, "time": is_time},
    "malformed": {"event": is_text, "octets": is_hex, "time": is_time},
    # gatt shell
    "link_lost": {
        "event": is_text,
        "address": is_address,
        "reason": lambda value: is_text(value) and value != "",
        "time": is_time,
    },
    "services_changed": {
        "event": is_text,
        "handle": is_handle,
        "end_handle": is_handle,
        "time": is_time,
    },
    "state": {
        "event": is_text,
        "state": one_of(*STATES),
        "address": or_null(is_address),
        "reason": or_null(is_text),
    },
    "detection": {
        "event": is_text,
        "id": is_integer,
        "type": one_of(*TYPES.values()),
        "label": is_text,
        "mac": or_null(is_address),
        "ssid": or_null(is_text),
        "rssi": is_integer,
        "confidence": is_number,
        "proximity": one_of("very_close", "close", "medium", "far"),
        "device_time": or_null(is_time),
        "device_uptime_ms": or_null(is_integer),
        "received": is_time,
        "latitude": or_null(is_number),
        "longitude": or_null(is_number),
        "extra": is_object,
    },
    "parse_error": {"event": is_text, "reason": lambda value: is_text(value) and value != "", "raw": is_hex},
    "stream": {"event": is_text, "object": is_object},
    "listening": {
        "event": is_text,
        "controller": is_integer,
        "host": is_text,
        "port": lambda value: is_integer(value) and 1 <= value <= 0xFFFF,
        "address": is_address,
        "time": is_time,
    },
    "device": {"event": is_text, "kind": is_text, "time": is_time},
    "ready": {"event": is_text, "time": is_time},
    "serving": {"event": is_text, "psm": is_psm, "name": is_text, "time": is_time},
    "open": {
        "event": is_text,
        "psm": is_psm,
        "address": is_address,
        "cid": is_cid,
        "peer_cid": is_cid,
        "mtu": lambda value: is_integer(value) and 23 <= value <= 65535,
        "mps": lambda value: is_integer(value) and 23 <= value <= 65533,
        "time": is_time,
    },
    "sdu": {"event": is_text, "cid": is_cid, "value": is_hex, "time": is_time},
    "closed": {
        "event": is_text,
        "cid": is_cid,
        "reason": one_of("closed_by_us", "closed_by_peer", "protocol_violation", "link_lost"),
        "received": is_integer,
        "time": is_time,
    },
    "attached": {"event": is_text, "controller": is_integer, "from": is_text, "time": is_time},
    "detached": {
        "event": is_text,
        "controller": is_integer,
        "reason": one_of("left", "cut_off", "ended"),
        "time": is_time,
    },
    # device run and radio serve
    "left_out": {"event": is_text, "lines": is_integer, "time": is_time},
    "advertising_stopped": {"event": is_text, "reason": is_text, "time": is_time},
    "advertising_resumed": {"event": is_text, "time": is_time},
    # wifi
    "device_ready": dict(_OF_DEVICE, name=or_null(is_text), mtu=is_integer),
    "wifi_network": dict(
        _OF_DEVICE,
        ssid=or_null(is_text),
        ssid_octets=is_hex,
        hidden=lambda value: isinstance(value, bool),
        rssi=or_null(is_integer),
        security=one_of("open", "wep", "wpa2", "wpa2_enterprise", "wpa3", "unknown"),
        security_code=or_null(is_text),
        channel=or_null(is_octet),
    ),
    "wifi_list_end": dict(
        _OF_DEVICE, count=is_octet, received=is_integer, sequence_gaps=is_integer, duplicates=is_integer
    ),
    "wifi_acknowledgment": dict(
        _OF_DEVICE,
        answer=one_of(
            "stored", "invalid_ssid_length", "invalid_password_length", "storage_failure", "unknown"
        ),
        attempt=lambda value: is_integer(value) and value >= 1,
    ),
    "wifi_status": {
        **{key: or_null(check) for key, check in _OF_DEVICE.items()},
        "event": is_text,
        "time": is_time,
        "state": is_text,
        "rssi": or_null(is_integer),
        "ip": or_null(is_text),
        "ssid": or_null(is_text),
        "ssid_octets": or_null(is_hex),
        "url": or_null(is_text),
    },
    "wifi_error": dict(_OF_DEVICE, code=is_octet, error=is_text, message=is_text),
    "wifi_authorization_needed": _OF_DEVICE,
    "wifi_identified": _OF_DEVICE,
    "wifi_device": dict(_OF_DEVICE, firmware=is_text, version=is_text, hardware=is_text, name=is_text),
    # device run wifiset
    "wifiset_list_requested": _OF_LINK,
    "wifiset_list_sent": dict(_OF_LINK, count=is_octet),
    "wifiset_status_requested": _OF_LINK,
    "wifiset_credentials": dict(_OF_LINK, ssid=or_null(is_text), ssid_octets=is_hex, answer=is_text),
    "wifiset_join_failed": {
        "event": is_text,
        "ssid": or_null(is_text),
        "ssid_octets": is_hex,
        "reason": is_text,
        "time": is_time,
    },
    "wifiset_fault": dict(_OF_LINK, reason=is_text),
    "wifiset_repeated": _OF_LINK,
    "wifiset_scan_failed": {"event": is_text, "time": is_time},
    "wifiset_sequence_gap": dict(_OF_LINK, expected=is_octet, received=is_octet),
    # device run improv
    "improv_state": {"event": is_text, "state": is_text, "time": is_time},
    "improv_identify": _OF_LINK,
    "improv_info_requested": _OF_LINK,
    "improv_scan_requested": _OF_LINK,
    "improv_networks_sent": dict(_OF_LINK, count=is_octet),
    "improv_scan_failed": {"event": is_text, "time": is_time},
    "improv_settings": dict(_OF_LINK, ssid=or_null(is_text), ssid_octets=is_hex, error=is_text),
    "improv_join_failed": {
        "event": is_text,
        "ssid": or_null(is_text),
        "ssid_octets": is_hex,
        "time": is_time,
    },
    "improv_fault": dict(_OF_LINK, reason=is_text),
    "device_advertising": {"event": is_text, "name": or_null(is_text), "time": is_time},
    "link_connected": {
        **_OF_LINK,
        "address": is_address,
        "address_kind": one_of("public", "random"),
    },
    "link_disconnected": {
        **_OF_LINK,
        "address": or_null(is_address),
        "address_kind": or_null(is_text),
        "reason": or_null(is_text),
    },
    # device run replay
    "advertising": {"event": is_text, "name": or_null(is_text), "time": is_time},
    "connected": {"event": is_text, "link": is_integer, "address": is_address, "time": is_time},
    "disconnected": {"event": is_text, "link": is_integer, "time": is_time},
    "mtu": {"event": is_text, "link": is_integer, "mtu": is_integer, "time": is_time},
    "subscribed": _SUBSCRIBED,
    "unsubscribed": _SUBSCRIBED,
    "write": {
        "event": is_text,
        "link": is_integer,
        "handle": is_handle,
        "uuid": is_uuid,
        "value": is_hex,
        "error": or_null(is_text),
        "time": is_time,
    },
    "played": {
        "event": is_text,
        "link": is_integer,
        "handle": is_handle,
        "uuid": is_uuid,
        "sent": is_integer,
        "recorded": is_integer,
        "time": is_time,
    },
}
# Where the same word heads two kinds of lines: the other kind.
_OTHER_LINES: dict[str, dict[str, Check]] = {}

_DESCRIPTOR = {
    "uuid": is_uuid,
    "name": or_null(is_text),
    "handle": is_handle,
    "value": or_null(is_hex),
    "error": or_null(is_text),
}
_CHARACTERISTIC = {
    "uuid": is_uuid,
    "name": or_null(is_text),
    "handle": is_handle,
    "value_handle": is_handle,
    "properties": list_of(one_of(*PROPERTIES)),
    "value": or_null(is_hex),
    "text": or_null(is_text),
    "error": or_null(is_text),
    "descriptors": list_of(object_of(**_DESCRIPTOR)),
}
_SERVICE = {
    "uuid": is_uuid,
    "name": or_null(is_text),
    "handle": is_handle,
    "end_handle": is_handle,
    "primary": lambda value: isinstance(value, bool),
    "includes": list_of(object_of(uuid=is_uuid, handle=is_handle, end_handle=is_handle)),
    "characteristics": list_of(object_of(**_CHARACTERISTIC)),
}
_TREE = {
    "address": is_address,
    "address_type": one_of("public", "random"),
    "mtu": is_integer,
    "services": list_of(object_of(**_SERVICE)),
}
_READ = {
    "uuid": is_uuid,
    "name": or_null(is_text),
    "handle": is_handle,
    "value": is_hex,
    "text": or_null(is_text),
}


def _problems(line: dict[str, Any], members: dict[str, Check], what: str) -> list[str]:
    problems = [f"{what} lacks {key}" for key in members.keys() - line.keys()]
    problems += [f"{what} has an undocumented {key}" for key in line.keys() - members.keys()]
    problems += [
        f"{what} has a bad {key}: {line[key]!r}"
        for key, check in members.items()
        if key in line and not check(line[key])
    ]
    return problems


def problems_of(line: dict[str, Any], others: dict[str, list[Members]] | None = None) -> list[str]:
    """What is wrong with a line that has an `event`; `others` are kinds of lines that are described elsewhere."""
    event = line["event"]
    kinds = [kinds[event] for kinds in (_LINES, _OTHER_LINES) if event in kinds]
    kinds += (others or {}).get(event, [])
    if not kinds:
        return [f"undocumented event {event!r}"]
    return min((_problems(line, members, event) for members in kinds), key=len)


def assert_tree(line: dict[str, Any]) -> None:
    """Checks the one object of `gatt tree --json`."""
    problems = _problems(line, _TREE, "tree")
    for service in line.get("services", []):
        problems += _problems(service, _SERVICE, "service")
        for characteristic in service.get("characteristics", []):
            problems += _problems(characteristic, _CHARACTERISTIC, "characteristic")
            for descriptor in characteristic.get("descriptors", []):
                problems += _problems(descriptor, _DESCRIPTOR, "descriptor")
    assert not problems, "\n".join(problems)


def assert_read(line: dict[str, Any]) -> None:
    """Checks the one object of `gatt read --json`."""
    problems = _problems(line, _READ, "read")
    assert not problems, "\n".join(problems)
