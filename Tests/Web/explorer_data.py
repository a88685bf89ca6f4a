# SPDX-License-Identifier: Apache-2.0
"""What the devices of the hub of invented data say and have: advertising data, services, values."""

import time
from datetime import datetime, timedelta, timezone

from invented import HOSTILE, iso

STRAP = "HR strap 9A3C2B"
MIX = "7a5a0200-d04b-48eb-b3fa-32eb4f0ffac4"
KINDS = {"flockfinder": "FlockFinder", "wifiset": "WiFiSet", "nightlight": "Nightlight", "bulb": "Bulb"}


def now() -> str:
    return iso(datetime.now(timezone.utc))


def slot() -> int:
    return int(time.time() * 1000) // 2000


def row(device: dict, index: int, **more) -> dict:
    """A device of /devices as a row of the scan."""
    rssi = device["rssi"]
    history = [rssi + (index * 7 + step * step * 3) % 9 - 4 for step in range(14)] if rssi is not None else []
    return {
        **{key: device[key] for key in ("id", "address", "address_kind", "name", "own_name", "kind", "note", "connectable", "state")},
        "who": KINDS.get(device["kind"], device["note"]),
        "makers": [],
        "services": [],
        "service_names": [],
        "rssi": rssi,
        "strength": rssi,
        "first_heard": iso(datetime.now(timezone.utc) - timedelta(minutes=4 + index)),
        "last_heard": device["last_heard"],
        "reports": 412 - index,
        "interval": 1020 + index * 40,
        "history": [127 if rssi and step == 3 and index == 5 else one for step, one in enumerate(history)],
        "history_slot": slot(),
        **more,
    }


def strap(number: int) -> dict:
    """A heart rate strap, the device with something of everything."""
    return {
        "id": number, "address": "C0:FF:EE:9A:3C:2B", "address_kind": "random", "name": STRAP, "own_name": None, "kind": "other",
        "maybe_wifiset": False, "note": "Heart Rate Sensor", "connectable": True, "rssi": -58, "last_heard": now(), "state": "none",
        "reason": None, "next_try": None, "auto_connect": False, "received": 0, "refused": 0, "last_received": None,
        "stream": False, "connected_since": None,
    }  # fmt: skip


def structures(one: dict) -> dict:
    """The advertising data of a row, as the hub answers it for one device."""
    name = (one["name"] or "").encode()[:26]
    parts = [
        ("advertisement", 1, "Flags", "06", "General discoverable, no BR/EDR", None),
        ("advertisement", 3, "Complete List of 16-bit Service UUIDs", "0d180f18", "Heart Rate, Battery", None),
        ("scan_response", 9, "Complete Local Name", name.hex(), one["name"], None),
        ("scan_response", 255, "Manufacturer Specific Data", "59000aff01", "Nordic Semiconductor ASA, 3 octets", None),
        ("scan_response", 10, "Tx Power Level", "", None, "It has 0 octets and should have 1."),
    ]
    return {
        **one,
        "tx_power": None,
        "appearance": 833,
        "appearance_name": "Heart Rate Sensor",
        "long_history": one["history"] * 4,
        "octets": "02010603030d180f18",
        "scan_response_octets": (bytes([len(name) + 1, 9]) + name).hex() + "06ff59000aff01" + "010a",
        "structures": [
            dict(zip(("source", "type", "name", "octets", "text", "fault"), part, strict=True)) for part in parts
        ],
        "manufacturer_data": [{"company": "0059", "name": "Nordic Semiconductor ASA", "octets": "0aff01"}],
        "service_data": [],
    }


def beat(rate: int, gap: int = 0x0352) -> tuple[str, list]:
    octets = f"16{rate:02x}{gap & 255:02x}{gap >> 8:02x}"
    return octets, [
        {"name": "Heart rate", "value": f"{rate} per minute"},
        {"name": "Skin contact", "value": "Yes"},
        {"name": "Between beats", "value": f"{gap / 1024:.2f} s"},
    ]


def characteristic(uuid: str, name: str | None, handle: int, properties: list[str], octets=None, text=None, fields=None, error=None) -> dict:
    own = []
    if "notify" in properties or "indicate" in properties:
        own = [{"uuid": "2902", "name": "Client Characteristic Configuration", "handle": handle + 2, "octets": "0000", "text": None,
                "fields": [{"name": "Notifications", "value": "off"}], "misfit": None, "incomplete": None, "error": None, "error_code": None}]  # fmt: skip
    return {
        "uuid": uuid, "name": name, "handle": handle, "value_handle": handle + 1, "properties": properties, "octets": octets,
        "text": text, "fields": fields or [], "misfit": None, "incomplete": None, "error": error, "error_code": 5 if error else None, "descriptors": own,
    }  # fmt: skip


def tree(device: dict, hostile: bool = False) -> dict:
    """Everything that the strap offers."""
    services = [
        ("1800", "Generic Access", [
            characteristic("2a00", "Device Name", 0x02, ["read"], STRAP.encode().hex(), STRAP),
        ]),
        ("180d", "Heart Rate", [
            characteristic("2a37", "Heart Rate Measurement", 0x11, ["notify"]),
            characteristic("2a38", "Body Sensor Location", 0x14, ["read"], "01", None, [{"name": "Body Sensor Location", "value": "Chest"}]),
            characteristic("2a39", "Heart Rate Control Point", 0x16, ["write"]),
        ]),
        ("180f", "Battery", [
            characteristic("2a19", "Battery Level", 0x21, ["read", "notify"], "52", None, [{"name": "Battery Level", "value": "82%"}]),
        ]),
        ("180a", "Device Information", [
            characteristic("2a29", "Manufacturer Name String", 0x31, ["read"], "Nordlicht GmbH & Söhne, Werk Minden".encode().hex(), "Nordlicht GmbH & Söhne, Werk Minden"),
            characteristic("2a26", "Firmware Revision String", 0x33, ["read"], "312e31342e32", "1.14.2"),
        ]),
        (MIX, None, [
            characteristic(MIX.replace("0200", "0201"), None, 0x41, ["read", "write", "write_without_response"], "00" * 22),
            characteristic(MIX.replace("0200", "0203"), None, 0x44, ["read", "notify"], error="It needs pairing first."),
            characteristic(MIX.replace("0200", "0204"), "Long value", 0x48, ["read"], bytes(range(256)).hex() * 2),
        ]),
    ]  # fmt: skip
    if hostile:
        values = [text.encode()[:512] for text in HOSTILE]
        services.append(("ff00", HOSTILE[0], [
            characteristic(f"ff{index:02x}", HOSTILE[index], 0x100 + 4 * index, ["read", "write"], value.hex(), HOSTILE[index], [{"name": HOSTILE[index], "value": HOSTILE[index]}])
            for index, value in enumerate(values)
        ]))  # fmt: skip
    return {
        "address": device["address"], "address_kind": device["address_kind"], "mtu": 247,
        "services": [
            {"uuid": uuid, "name": name, "handle": own[0]["handle"] - 1, "end_handle": own[-1]["value_handle"] + 1, "primary": True,
             "includes": [], "characteristics": own} for uuid, name, own in services
        ],
    }  # fmt: skip


def many(count: int) -> list[dict]:
    """A street full of devices."""
    base = strap(0)
    return [
        base | {"id": 10_000 + index, "address": f"D0:00:00:00:{index >> 8:02X}:{index & 255:02X}", "name": f"Tag {index}" if index % 3 else None,
                "rssi": -45 - index % 55, "note": ""}
        for index in range(count)
    ]  # fmt: skip
