# SPDX-License-Identifier: Apache-2.0
"""Bulbs of the hub of invented data: each says what it does."""

import re
from datetime import datetime, timezone
from typing import Any

from invented import HOSTILE, iso

FADES = ["Seven colours fading", "Red breathing", "Green breathing", "Seven colours jumping"]
DIALECTS = [
    {"dialect": name, "name": title, "found_out": True, "white": white, "power": power, "state": state,
     "speed": state, "effects": [{"code": 37 + index, "name": text} for index, text in enumerate(FADES)] if power else []}
    for name, title, white, power, state in [
        ("colorific", "Colorific", False, False, False),
        ("triones", "Triones", True, True, True),
        ("magic-blue", "Magic Blue", True, True, True),
        ("elk-bledom", "ELK-BLEDOM", True, True, False),
        ("elk-bledom-f0", "ELK-BLEDOM F0", True, True, False),
    ]
]  # fmt: skip
VIOLET = {"power": True, "mode": "color", "color": "#7c6bff"}
EMPTY = {"power": True, "mode": "color", "color": None, "white_percent": None, "effect": None, "speed": None, "shown": None}


def state(**values: Any) -> dict:
    return EMPTY | values


class Bulbs:
    """What a hub does with bulbs."""

    def __init__(self, model) -> None:
        self.model = model
        self.works: dict[int, dict] = {}
        self.pages: dict[int, set[str]] = {}
        """The pages that have the bulb of a job in hand."""
        self.states: dict[int, dict] = {}
        number = max(model.devices) + 1
        for name, own, address, rssi in self.more(model.scenario):
            base = next(one for one in model.devices.values())
            model.devices[number] = base | {
                "id": number, "name": name, "own_name": own, "address": address, "kind": "bulb", "rssi": rssi,
                "state": "none", "received": 0, "refused": 0, "stream": False, "auto_connect": False,
                "connected_since": None, "last_received": None, "note": "",
            }  # fmt: skip
            number += 1
        bulbs = [one["id"] for one in model.devices.values() if one["kind"] == "bulb"]
        shows = [VIOLET, {"power": False, "mode": "color", "color": "#ff9b2f"}, {"power": True, "mode": "white", "white_percent": 30}]
        for index, one in enumerate(bulbs):
            self.states[one] = state(**shows[index % 3])

    @staticmethod
    def more(scenario: str) -> list[tuple]:
        if scenario == "hostile":
            return [(text, None, f"B0:1B:00:00:01:{index:02X}", -60 - index) for index, text in enumerate(HOSTILE)]
        if scenario == "bulbs":
            return [
                ("LEDBLE-0B03", "Shelf", "FF:FF:A1:01:04:11", -64),
                ("ELK-BLEDOM", "Bedroom corner lamp by the window", "FF:FF:A1:01:05:27", -80),
            ]
        return []

    def tell(self, bulb: dict, **change: Any) -> dict:
        bulb.update(change, revision=bulb["revision"] + 1)
        copy = {**bulb, "job": dict(bulb["job"])}
        self.works[bulb["job"]["id"]] = copy
        self.model.emit("bulb_changed", bulb=copy)
        return copy

    def ready(self, bulb: dict) -> dict:
        bulb["job"]["phase"] = "open"
        reports = next(one for one in DIALECTS if one["dialect"] == bulb["dialect"])["state"]
        reason = "Chosen here." if bulb["dialect_chosen"] else "Taken because the bulb has FFD9 in the service FFD5."
        said = self.states[bulb["job"]["device"]] if reports else None
        self.mark(bulb, "connected")
        return self.tell(
            bulb, dialect_reason=reason, reports_state=reports, said=said,
            said_time=iso(datetime.now(timezone.utc)) if said else None,
        )  # fmt: skip

    def end(self, bulb: dict, reason: str | None = None, **change: Any) -> None:
        bulb["job"] |= {"phase": "ended", "reason": reason}
        self.mark(bulb, "none")
        self.tell(bulb, busy=False, turn=None, hue=None, **change)

    def mark(self, bulb: dict, link: str) -> None:
        device = self.model.devices[bulb["job"]["device"]]
        device.update(state=link, kind="bulb")
        self.model.emit("device_changed", device=device)

    # MARK: What the page asks for

    def begin(self, device: dict, body: dict) -> dict:
        open_one = next((it for it in self.works.values() if it["job"]["device"] == device["id"] and it["job"]["phase"] != "ended"), None)
        if open_one and ("dialect" not in body or body["dialect"] == (open_one["dialect"] if open_one["dialect_chosen"] else None)):
            return open_one
        if open_one:
            self.end(open_one)
        number = 1_900_000_000_000_001 + len(self.works)
        chosen = {it["address"]: it["dialect"] for it in self.model.settings["bulbs"]["dialects"]}.get(device["address"])
        word = body["dialect"] if "dialect" in body else chosen
        job = {
            "id": number, "kind": "bulb", "device": device["id"], "address": device["address"],
            "address_kind": device["address_kind"], "name": device["name"], "phase": "connecting", "reason": None,
            "begun": iso(datetime.now(timezone.utc)), "lease": 30,
        }  # fmt: skip
        bulb = {
            "job": job, "revision": 0, "dialect": word or "triones", "dialect_chosen": bool(word), "dialect_reason": None,
            "fitting": [], "reports_state": False, "asked": None, "asked_time": None, "said": None, "said_time": None,
            "agrees": None, "busy": False, "trouble": None, "turn": None, "hue": None, "octets": None,
        }  # fmt: skip
        self.states.setdefault(device["id"], state(**VIOLET))
        self.works[number] = bulb
        return self.ready(bulb)

    def command(self, bulb: dict, body: dict) -> dict:
        device = bulb["job"]["device"]
        now, word = iso(datetime.now(timezone.utc)), body["command"]
        if word == "state":
            return self.tell(bulb, said_time=now)
        asked = {**(bulb["asked"] or bulb["said"] or EMPTY)}
        if word in ("on", "off"):
            asked["power"] = word == "on"
        else:
            keys = {"color": "color", "white": "white_percent", "effect": "effect"}
            asked = state(mode=word, **{keys[word]: body[keys[word]]})
            asked["speed"] = body.get("speed")
        if asked["color"]:
            asked["color"] = asked["color"].lower()
        self.states[device] = asked
        said = self.states[device] if bulb["reports_state"] else None
        return self.tell(
            bulb, asked=asked, asked_time=now, said=said, said_time=now if said else None, trouble=None, turn=None,
            hue=None, agrees=said == asked if said else None, octets="567c6bff00f0aa",
        )  # fmt: skip

    def route(self, answer, method: str, path: str, body: dict, query: dict) -> bool:
        """Answers what is about bulbs; says whether it was."""
        if path == "/bulb-dialects":
            answer({"items": DIALECTS})
            return True
        if found := re.fullmatch(r"/devices/(\d+)/bulb", path):
            bulb = self.begin(self.model.devices[int(found[1])], body)
            self.pages.setdefault(bulb["job"]["id"], set()).add(query["page"][0])
            answer(bulb)
            return True
        found = re.fullmatch(r"/(jobs|bulbs)/(\d+)(?:/(\w+))?", path)
        bulb = self.works.get(int(found[2])) if found else None
        if bulb is None:
            return False
        if found[1] == "jobs" and method == "DELETE":
            if bulb["job"]["phase"] != "ended":
                self.end(bulb)
            answer(b"", 204)
        elif found[3] == "keep":
            self.pages.setdefault(bulb["job"]["id"], set()).add(query["page"][0])
            answer(bulb)
        elif found[3] == "leave":
            pages = self.pages[bulb["job"]["id"]]
            pages.discard(query["page"][0])
            if not pages and not bulb["busy"] and bulb["job"]["phase"] != "ended":
                self.end(bulb)
            answer(b"", 204)
        elif found[3] == "commands":
            answer(self.command(bulb, body))
        elif found[3] == "cycle":
            turn = body.get("turn") if body else None
            answer(self.tell(bulb, turn=turn, hue="#00ff80" if turn else None, asked=None))
        else:
            answer(bulb)
        return True
