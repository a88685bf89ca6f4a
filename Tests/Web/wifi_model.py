# SPDX-License-Identifier: Apache-2.0
"""The Wi-Fi set-up of the hub of invented data: one device, its networks, and what becomes of a password."""

from datetime import datetime, timedelta, timezone
from typing import Any

from invented import HOSTILE, iso

NETWORKS: list[tuple[str | bytes, int | None, str, int | None, int, str]] = [
    ("Maple 12 upstairs", -48, "wpa2", 6, 2, "WPA2, 2 access points"),
    ("Garten", -57, "wpa3", 11, 1, "WPA3"),
    ("Gästenetz Stadtbücherei Überl", -66, "open", 1, 1, "Open, anyone nearby can listen"),
    ("Cellar\u202e71", -74, "wep", 3, 1, "WEP, easily broken"),
    ("<script>alert(1)</script>", -79, "wpa2", 13, 1, "WPA2"),
    (b"B\xe4ckerei", -81, "wpa2", 4, 1, "WPA2"),
    ("Campus staff", -63, "wpa2_enterprise", 9, 1, "Needs a user name. This device has no field for it."),
]


def network(ssid: str | bytes, rssi, security, channel, points, words) -> dict:
    octets = ssid.encode() if isinstance(ssid, str) else ssid
    return {
        "ssid": ssid if isinstance(ssid, str) else None,
        "ssid_octets": octets.hex(),
        "rssi": rssi,
        "security": security,
        "channel": channel,
        "access_points": points,
        "possible": security != "wpa2_enterprise",
        "words": words,
    }


class WiFi:
    """What a hub does for the page; a test says how it goes on."""

    def __init__(self, model) -> None:
        self.model = model
        self.setups: dict[int, dict] = {}
        self.sent: list[dict] = []
        """The bodies that brought a password."""
        self.kept: list[int] = []
        self.refusal: str | None = None
        """Why devices cannot be connected to."""
        self.waits = False
        """Whether connecting goes on until `ready` is called."""
        self.networks = [network(*one) for one in NETWORKS]
        if model.scenario == "hostile":
            self.networks += [network(text[:32], -60, "wpa2", 1, 1, "WPA2") for text in HOSTILE]

    def begin(self, device: dict) -> dict:
        if self.refusal:
            return {"refusal": self.refusal}
        number = 1_800_000_000_000_001 + len(self.setups)
        job = {
            "id": number,
            "kind": "wifi",
            "device": device["id"],
            "address": device["address"],
            "address_kind": device["address_kind"],
            "name": device["name"],
            "phase": "connecting",
            "reason": None,
            "begun": iso(datetime.now(timezone.utc)),
            "lease": 30,
        }
        self.setups[number] = {
            "job": job,
            "revision": 0,
            "protocol": None,
            "mtu": None,
            "can_identify": False,
            "identified": None,
            "listing": False,
            "lists": 0,
            "list_failure": None,
            "status": None,
            "attempt": None,
            "answers": [],
        }
        device["state"] = "connecting"
        self.model.emit("device_changed", device=device)
        if not self.waits:
            self.ready(number)
        return self.setups[number]

    def tell(self, number: int | None = None, **change: Any) -> dict:
        number = number or max(self.setups)
        setup = self.setups[number]
        setup.update(change, revision=setup["revision"] + 1)
        setup = self.setups[number] = {**setup, "job": dict(setup["job"])}
        self.model.emit("wifi_setup_changed", setup=setup)
        return setup

    def ready(self, number: int | None = None, **change: Any) -> None:
        self.setups[number or max(self.setups)]["job"] |= {"phase": "open"}
        self.tell(number, protocol="WiFiSet", mtu=517, listing=True)
        self.tell(number, **{"listing": False, "lists": 1} | change)

    def end(self, number: int | None = None, reason: str | None = None) -> None:
        setup = self.setups[number or max(self.setups)]
        setup["job"] |= {"phase": "ended", "reason": reason}
        device = self.model.devices[setup["job"]["device"]]
        device["state"] = "none"
        self.model.emit("device_changed", device=device)
        self.tell(number)

    def send(self, number: int, body: dict) -> dict:
        self.sent.append(body)
        now = datetime.now(timezone.utc)
        known = next((one for one in self.networks if one["ssid_octets"] == body["ssid_octets"]), None)
        octets = bytes.fromhex(body["ssid_octets"])
        try:
            name = octets.decode()
        except UnicodeDecodeError:
            name = None
        attempt = {
            "number": ((self.setups[number]["attempt"] or {}).get("number") or 0) + 1,
            "ssid": name,
            "ssid_octets": body["ssid_octets"],
            "security": known["security"] if known else "unknown",
            "with_password": bool(body["password"]),
            "limit": 30,
            "step": "joining",
            "begun": iso(now - timedelta(seconds=8)),
            "sent": iso(now - timedelta(seconds=8)),
            "accepted": iso(now - timedelta(seconds=8)),
            "joining": iso(now - timedelta(seconds=8)),
            "ended": None,
            "failure": None,
            "fallback": None,
        }
        said = [
            {"time": attempt["sent"], "text": "accepted, kept as a candidate (0x00)"},
            {"time": attempt["joining"], "text": "connecting (0x02)"},
        ]
        return self.tell(number, attempt=attempt, answers=said)

    def over(self, step: str, **change: Any) -> None:
        """Ends the try."""
        number = max(self.setups)
        setup = self.setups[number]
        now = datetime.now(timezone.utc)
        setup["attempt"] = setup["attempt"] | {
            "step": step,
            "begun": iso(now - timedelta(seconds=12)),
            "ended": iso(now),
        } | change
        if step == "failed":
            setup["answers"] = setup["answers"] + [{"time": iso(now), "text": "connection failed (0x04)"}]
        else:
            setup["status"] = {
                "state": "connected",
                "ssid": setup["attempt"]["ssid"],
                "ssid_octets": setup["attempt"]["ssid_octets"],
                "rssi": -51,
                "ip": "192.168.178.61",
                "url": None,
            }
        self.tell(number)

    def fail(self) -> None:
        self.over(
            "failed",
            failure="The device says “connection failed” after 12 seconds. With this signal it is most often the password.",
            fallback="The device went back to “Garage”, the last network that worked.",
        )
