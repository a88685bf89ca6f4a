# SPDX-License-Identifier: Apache-2.0
"""The overflow area of the hub of invented data: senders, the catalogue, and a beacon."""

from datetime import datetime, timedelta, timezone

from invented import HOSTILE, iso

KNOWN = [
    ("4fafc201-1fb5-459e-8fcc-c5c9c331914b", "FlockFinder or WiFiSet", 63),
    ("7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4", "Nightlight LED", 63),
    ("00467768-6228-2272-4663-277478268000", "Improv Wi-Fi", 89),
    ("180f", "Battery", 45),
    ("fd6f", "Exposure Notification", 45),
    ("9aa4730f-b25c-4cc3-b821-c931559fc196", "Apple Watch set-up", 66),
    ("180d", "Heart Rate", 12),
]
PLAIN = "558040c02000008000000002000010 00".replace(" ", "")
MESSAGE = "558040c0200000000000000000000000"


def source(address: str, rssi: int, octets: str, age: int, payload: dict | None = None, here: bool = True, cut: int | None = None) -> dict:
    now = datetime.now(timezone.utc)
    return {
        "address": address,
        "address_kind": "random",
        "rssi": rssi,
        "first": iso(now - timedelta(seconds=age + 40)),
        "last": iso(now - timedelta(seconds=age)),
        "here": here,
        "octets": octets,
        "cut_octets": cut,
        "changes": 8,
        "payload": payload,
    }


def payload(octets: str, codec: str, position: int, quality: str, alone: str, **more) -> dict:
    return {
        "codec": codec, "position": position, "octets": octets, "corrected_bits": 0, "quality": quality, "map": alone,
        "moves": 0, "stay": None, **more,
    }  # fmt: skip


class Overflow:
    """What a hub hears of overflow areas."""

    def __init__(self, model) -> None:
        self.model = model
        self.beacon = {"on": False, "payload": None, "codec": "v1", "octets": None, "since": None, "reason": None}
        self.refusal: str | None = None
        """Why the beacon cannot be switched on."""
        first = payload("01020304", "v1", 0, "clean", MESSAGE, moves=8, stay=5)
        second = payload("deadbeef", "v2", 1, "corrected", "80000000000000008e1f3b2a01000000", corrected_bits=1)
        self.sources = [
            source("5E:21:C7:90:3B:D4", -71, PLAIN, 0, first),
            source("4A:77:02:D1:9E:35", -74, "00000000000000800400000200000000", 2),
            source("61:F0:3C:28:84:0B", -78, "80000000000000008e1f3b2a01000000", 5, second),
            source("7B:19:E4:55:C2:60", -90, "00100000000000000000000000000000", 11),
            source("49:19:E4:55:C2:01", -92, "00000000000000000000100000000000", 400, None, here=False),
        ]
        if model.scenario in ("empty", "first"):
            self.sources = []
        if model.scenario == "hostile":
            services = model.settings["overflow"]["services"]
            services += [{"uuid": f"0000{index:04x}", "name": text[:60]} for index, text in enumerate(HOSTILE)]

    def hear(self, one: dict) -> None:
        self.sources = [one, *(it for it in self.sources if it["address"] != one["address"])]
        self.model.emit("overflow_source_changed", source=one)

    def services(self) -> list[dict]:
        own = [
            {"uuid": one["uuid"].lower(), "name": one["name"], "bit": 63, "own": True}
            for one in self.model.settings["overflow"]["services"]
        ]
        return own + [{"uuid": uuid, "name": name, "bit": bit, "own": False} for uuid, name, bit in KNOWN]

    def route(self, answer, method: str, path: str, body: dict) -> bool:
        """Answers what is about the overflow area; says whether it was."""
        from hub_model import Problem

        if path == "/overflow":
            answer({"sources": self.sources, "beacon": self.beacon})
        elif path == "/overflow/services":
            answer({"items": self.services()})
        elif path == "/overflow/beacon":
            if self.refusal and method == "POST":
                raise Problem(409, self.refusal)
            on = method == "POST"
            self.beacon = {
                "on": on,
                "payload": body["payload"] if on else None,
                "codec": body["codec"] if on else self.beacon["codec"],
                "octets": MESSAGE if on else None,
                "since": iso(datetime.now(timezone.utc)) if on else None,
                "reason": None,
            }
            self.model.emit("overflow_beacon_changed", beacon=self.beacon)
            answer(self.beacon if on else b"", 200 if on else 204)
        else:
            return False
        return True
