# SPDX-License-Identifier: Apache-2.0
"""Payloads: the documentation's samples, what real firmware sends, and every kind of bad input."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import contract
from peers.flockfinder_device import encode

Detection = dict[str, Any]

DOCUMENT_SAMPLES: list[Detection] = [
    {
        "type": "Flock Safety",
        "mac": "AA:BB:CC:DD:EE:FF",
        "ssid": "FLOCK-CAM-001",
        "rssi": -55,
        "confidence": 0.95,
        "ts": 123456789,
    },
    {
        "type": "Flock Safety",
        "mac": "3C:71:BF:12:34:56",
        "ssid": "FLOCK-S3-1234",
        "rssi": -62,
        "confidence": 0.98,
        "ts": 1704307200,
    },
    {
        "type": "Ring",
        "mac": "A4:83:E7:AB:CD:EF",
        "ssid": "Ring Doorbell Pro",
        "rssi": -71,
        "confidence": 0.85,
        "ts": 1704307200,
    },
    {"type": "Unknown", "mac": "00:11:22:33:44:55", "rssi": -78, "confidence": 0.45, "ts": 1704307200},
]

# Real firmware: lower-case MAC, an SSID in every object, constant confidence, ts = milliseconds since boot.
FIRMWARE_SAMPLES: list[Detection] = [
    {
        "type": label,
        "mac": mac,
        "ssid": ssid,
        "rssi": rssi,
        "confidence": confidence,
        "ts": milliseconds,
    }
    for label, mac, ssid, rssi, confidence, milliseconds in [
        ("Flock Safety", "58:8e:81:aa:bb:cc", "Flock-AABBCC", -67, 0.9, 4821),
        ("Unknown", "ec:1b:bd:01:02:03", "unknown", -88, 0.9, 93122),
        ("Penguin", "cc:cc:cc:12:34:56", "Penguin-1234567890", -49, 0.85, 3600000),
        ("Pigvision", "90:35:ea:00:00:01", "Pigvision", -91, 0.85, 86400000),
        ("Raven (Gunshot Detector)", "04:0d:84:fe:dc:ba", "", -73, 0.85, 2147483648),
    ]
]

FIRMWARE_STREAM: list[dict[str, Any]] = [
    {"evt": "status", "msg": "BLE scan starting", "ts": 5000},
    {"evt": "channel", "ch": 6, "ts": 5500},
    {
        "evt": "wifi_scan",
        "ssid": "(hidden)",
        "mac": "aa:bb:cc:00:11:22",
        "rssi": -70,
        "ch": 6,
        "type": "probe",
        "ts": 5510,
    },
    {
        "evt": "ble_scan",
        "name": "FS Ext Battery",
        "mac": "aa:bb:cc:00:11:33",
        "rssi": -60,
        "svc": False,
        "ts": 6020,
    },
]

KNOWN_KEYS = {"type", "mac", "ssid", "rssi", "confidence", "ts"}

_EARLIEST_UNIX_TIME = 1577836800  # 2020-01-01
_DAY = 86400


def proximity(rssi: int) -> str:
    """The distance word for a signal strength."""
    if rssi >= -50:
        return "very_close"
    if rssi >= -70:
        return "close"
    return "medium" if rssi >= -85 else "far"


def expected(detection: Detection) -> dict[str, Any]:
    """What a detection event says about this object, but for its id, time of receipt and position."""
    ts = detection.get("ts")
    now = datetime.now(timezone.utc).timestamp()
    is_unix_time = ts is not None and _EARLIEST_UNIX_TIME <= ts <= now + _DAY
    device_time = None
    if is_unix_time:
        device_time = datetime.fromtimestamp(ts, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    mac = detection.get("mac")
    return {
        "event": "detection",
        "type": contract.TYPES.get(detection["type"], "unknown"),
        "label": detection["type"],
        "mac": None if mac is None else mac.upper(),
        "ssid": detection.get("ssid"),
        "rssi": detection["rssi"],
        "confidence": detection["confidence"],
        "proximity": proximity(detection["rssi"]),
        "device_time": device_time,
        "device_uptime_ms": None if is_unix_time else ts,
        "extra": {key: value for key, value in detection.items() if key not in KNOWN_KEYS},
    }


def numbered(number: int) -> Detection:
    """A plain detection that can be told from all others by its SSID."""
    return {
        "type": "Flock Safety",
        "mac": f"58:8E:81:{number >> 16 & 0xFF:02X}:{number >> 8 & 0xFF:02X}:{number & 0xFF:02X}",
        "ssid": f"n{number}",
        "rssi": -40 - number % 60,
        "confidence": 0.9,
        "ts": number,
    }


def _with(**changes: Any) -> bytes:
    """A good detection with some members changed, or left out where the change is `...`."""
    detection: Detection = dict(numbered(1), **changes)
    return encode({key: value for key, value in detection.items() if value is not ...})


def _with_number(key: str, literal: str) -> bytes:
    """A good detection with a number that Python would not write like this."""
    return _with(**{key: 0}).replace(f'"{key}":0'.encode(), f'"{key}":{literal}'.encode())


# Each of these is one notification and one `parse_error`.
BAD_INPUTS: dict[str, bytes] = {
    "confidence just above 1": _with(confidence=1.0001),
    "confidence below 0": _with(confidence=-0.01),
    "confidence in percent": _with(confidence=95),
    "confidence beyond every number": _with_number("confidence", "1e999"),
    "rssi above 20": _with(rssi=21),
    "rssi below -127": _with(rssi=-128),
    "rssi of many digits": _with_number("rssi", "-" + "9" * 40),
    "rssi beyond every number": _with_number("rssi", "-1e999"),
    "mac of five octets": _with(mac="AA:BB:CC:DD:EE"),
    "mac of seven octets": _with(mac="AA:BB:CC:DD:EE:FF:00"),
    "mac with other letters": _with(mac="AA:BB:CC:DD:EE:GG"),
    "mac with a sign": _with(mac="AA:BB:CC:DD:EE:+F"),
    "mac with a full-width digit": _with(mac="AA:BB:CC:DD:EE:\uff11F"),
    "text and no JSON": b"FLOCK-CAM-001 detected",
    "binary": bytes(range(0x80, 0xC0)),
    "a member without value": b'{"type":,"rssi":-60,"confidence":0.9}',
    "single quotes": b"{'type':'Flock Safety','rssi':-60,'confidence':0.9}",
    "two members without comma": b'{"type":"Ring" "rssi":-60,"confidence":0.9}',
    "a bare word": b'{"type":Ring,"rssi":-60,"confidence":0.9}',
    "not a number": b'{"type":"Ring","rssi":NaN,"confidence":0.9}',
    "a list": b'["Ring",-60,0.9]',
    "a string": b'"Ring"',
    "without type": _with(type=...),
    "without rssi": _with(rssi=...),
    "without confidence": _with(confidence=...),
    "an empty object": b"{}",
    "type a number": _with(type=5),
    "type null": _with(type=None),
    "rssi a string": _with(rssi="-60"),
    "rssi null": _with(rssi=None),
    "rssi a boolean": _with(rssi=True),
    "rssi with a fraction": _with(rssi=-60.5),
    "confidence a string": _with(confidence="0.9"),
    "confidence a boolean": _with(confidence=True),
    "mac a number": _with(mac=123456),
    "ssid a number": _with(ssid=12),
    "ssid a list": _with(ssid=["a"]),
    "ts a string": _with(ts="now"),
    "nothing at all": b"",
}

# No JSON by the book, and yet what firmware writes that copies names as they were heard: kept.
RAW_INPUTS: dict[str, bytes] = {
    "mac empty": _with(mac=""),
    "a raw control character in a string": b'{"type":"Ring","ssid":"a\x01b","rssi":-60,"confidence":0.9}',
    "an unknown escape": b'{"type":"Ring","ssid":"\\x41","rssi":-60,"confidence":0.9}',
    "bad UTF-8, a lone octet": _with(ssid="cafe").replace(b"cafe", b"caf\xe9"),
    "bad UTF-8, overlong": _with(ssid="cafe").replace(b"cafe", b"\xc0\xafx"),
    "bad UTF-8, a surrogate": _with(ssid="cafe").replace(b"cafe", b"\xed\xa0\x80"),
}

# What the contract leaves open: a detection or a parse error, but exactly one of them, and no harm done.
ODD_INPUTS: dict[str, bytes] = {
    "ts beyond 64 bits": _with_number("ts", "9" * 30),
    "ts beyond every number": _with_number("ts", "1e999"),
    "ts negative": _with(ts=-1),
    "ts with a fraction": _with(ts=1704307200.5),
    "a huge number in an unknown key": _with_number("power", "1e999"),
    "many digits in an unknown key": _with_number("power", "0." + "3" * 100),
    "lists in lists": _with().replace(b"}", b',"deep":' + b"[" * 180 + b"]" * 180 + b"}"),
    "objects in objects": _with().replace(b"}", b',"d":' + b'{"a":' * 60 + b"1" + b"}" * 61),
    "the same key twice": _with().replace(b"}", b',"rssi":-61}'),
    "half a surrogate pair, escaped": _with(ssid="cafe").replace(b"cafe", b"\\ud800"),
    "mac null": _with(mac=None),
    "a byte order mark": b"\xef\xbb\xbf" + _with(),
}
