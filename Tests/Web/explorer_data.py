# SPDX-License-Identifier: Apache-2.0
"""What an invented strap says and has: advertising data, services, values."""

from datetime import datetime, timezone

from hostile import HOSTILE
from kept_world import iso

STRAP = "HR strap 9A3C2B"
MIX = "7a5a0200-d04b-48eb-b3fa-32eb4f0ffac4"


def now() -> str:
    return iso(datetime.now(timezone.utc))


def strap(number: int) -> dict:
    """A heart rate strap, the device with something of everything."""
    return {
        "id": number, "address": "C0:FF:EE:9A:3C:2B", "address_kind": "random", "name": STRAP, "own_name": None, "kind": "other",
        "maybe_wifiset": False, "note": "Heart Rate Sensor", "connectable": True, "rssi": -58, "last_heard": now(), "state": "none",
        "reason": None, "next_try": None, "auto_connect": False, "received": 0, "refused": 0, "last_received": None,
        "stream": False, "connected_since": None,
    }  # fmt: skip


def advertised(name: str) -> dict:
    """What a strap of this name advertises, as a saved device has it; the last of it is malformed."""
    short = name.encode()[:26]
    return {
        "advertisement": "02010603030d180f18",
        "scan_response": (bytes([len(short) + 1, 9]) + short).hex() + "06ff59000aff01" + "010a",
    }


def beat(rate: int, gap: int = 0x0352) -> bytes:
    """A measurement of the heart rate."""
    return bytes([0x16, rate, gap & 255, gap >> 8])


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
