# SPDX-License-Identifier: Apache-2.0
"""Lamps of the hub of invented data: each does what its week says, unless a test has it refuse, go away or be changed."""

import copy
import re
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from invented import HOSTILE, iso

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
BLACK, AMBER, PINK = "#000000", "#ff9a2e", "#ff5c9e"
WORDS = {AMBER: "Warm amber", PINK: "Pink"}
UNCHANGED = dict.fromkeys(("name", "week", "tonight", "tonight_days", "power", "linked", "button")) | {"clear_tonight": False}


def period(on: str, off: str, color: str = AMBER, timeout: int | None = None) -> dict:
    return {"on": on, "off": off, "color": color, "timeout_minutes": timeout}


def school() -> dict:
    return {
        "name": "School",
        "groups": [
            {"days": DAYS[:5], "periods": [period("19:30", "07:00")]},
            {"days": DAYS[5:], "periods": [period("20:30", "08:00", PINK, 90)]},
        ],
    }


def minutes(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


def lasts(one: dict) -> int:
    return (minutes(one["off"]) - minutes(one["on"])) % 1440 or 1440


def lights_of(week: dict, day: date, tonight: dict | None = None) -> list[dict]:
    """The times of light that begin on a day."""
    own = next((one["periods"] for one in week["groups"] if DAYS[day.weekday()] in one["days"]), [])
    is_own = bool(tonight) and day == datetime.now(timezone.utc).date()
    found = []
    for one in tonight["periods"] if tonight and is_own else own:
        start = datetime.combine(day, time(), timezone.utc) + timedelta(minutes=minutes(one["on"]))
        end = start + timedelta(minutes=min(lasts(one), one["timeout_minutes"] or 1440))
        found.append({**one, "source": "day" if is_own else "week", "date": day.isoformat(), "days": "Monday to Friday",
                      "from": start, "to": end, "tonight": day == datetime.now(timezone.utc).date()})  # fmt: skip
    return found


def wall(moment: datetime) -> str:
    """With its offset, as a lamp's clock has it."""
    return moment.isoformat(timespec="seconds")


def night_of(week: dict, day: date, tonight: dict | None = None) -> dict:
    """From noon to noon."""
    noon = datetime.combine(day, time(12), timezone.utc)
    after = noon + timedelta(days=1)
    before = day - timedelta(days=1)
    lights = [one for each in (before, day, day + timedelta(days=1)) for one in lights_of(week, each, tonight)]
    lights = sorted((one for one in lights if one["from"] < after and one["to"] > noon), key=lambda one: one["from"])
    shines: list[dict] = []
    at = noon
    for one in lights:
        start, end = max(noon, one["from"]), min(after, one["to"])
        if start > at:
            shines.append({"from": wall(at), "to": wall(start), "source": "off", "color": BLACK})
        shines.append({"from": wall(start), "to": wall(end), "source": one["source"], "color": one["color"]})
        at = end
    if at < after:
        shines.append({"from": wall(at), "to": wall(after), "source": "off", "color": BLACK})
    lanes = {source: [one for one in shines if one["source"] == source] for source in ("day", "week")}
    told = [{**one, "from": wall(one["from"]), "to": wall(one["to"])} for one in lights]
    whole = {"date": day.isoformat(), "from": wall(noon), "to": wall(after), "clock_change": None}
    return {**whole, "shines": shines, "guest": None, **lanes, "periods": told}


def conflicts_of(week: dict) -> list[dict]:
    """Of each group the first two times of light that meet."""
    found = []
    for group in week["groups"]:
        for first in group["periods"]:
            for second in group["periods"]:
                shift = (minutes(second["on"]) - minutes(first["on"])) % 1440
                if first is not second and 0 < shift < lasts(first):
                    side = lambda one: {"day": group["days"][0], **one}
                    found.append({"text": f"The light from {first['on']} and the one from {second['on']} meet.",
                                  "first": side(first), "second": side(second), "minutes": lasts(first) - shift})  # fmt: skip
    return found[:4]


class Lamps:
    """What a hub does with lamps; a test says how they behave."""

    def __init__(self, model) -> None:
        self.model = model
        self.works: dict[int, dict] = {}
        self.pages: dict[int, set[str]] = {}
        self.changes: list[dict] = []
        """What was to be others."""
        self.refusal: str | None = None
        """Why lamps cannot be connected to."""
        self.trouble: str | None = None
        """What lamps say to what they do not take."""
        self.waits = False
        """Whether lamps do not answer until `answer` is called."""
        self.waiting: list[tuple[dict, dict]] = []
        self.kept: list[dict] = []
        self.memories: dict[str, dict] = {}
        self.lamps: dict[str, dict] = {}
        for index, device in enumerate(one for one in model.devices.values() if one["kind"] == "nightlight"):
            name = HOSTILE[index % len(HOSTILE)][:24] if model.scenario == "hostile" else ["Mia", "Jonas", None][index % 3]
            self.lamps[device["address"]] = self.lamp(device["address"], name)
        if model.scenario == "hostile":
            for index, text in enumerate(HOSTILE):
                week = {**school(), "name": text[:24]}
                self.kept.append({"id": index + 1, "kept": iso(datetime.now(timezone.utc)), "week": week})
            for lamp in self.lamps.values():
                lamp["week"]["name"] = HOSTILE[0][:24]

    def lamp(self, address: str, name: str | None) -> dict:
        now = datetime.now(timezone.utc)
        clock = now.replace(tzinfo=None).isoformat(timespec="seconds")
        return {
            "address": address, "address_kind": "public", "name": name, "week": school(), "tonight": None,
            "tonight_days_left": None, "source": "week", "color": AMBER, "next_change_minutes": 90, "planned": None,
            "differs": False, "today": [],
            "button": {"enabled": True, "on_seconds": 600, "daily_presses": 5,
                       "deactivation": {"from": "07:30", "to": "18:00"}, "shake": True, "color": PINK, "color_name": WORDS[PINK]},
            "leds": {"power": True, "linked": True, "colors": [AMBER] * 4}, "battery_percent": 82, "charging": True,
            "clock": {"device": clock, "host": clock, "difference_seconds": 0, "action": "none"},
            "device_information": None,
        }  # fmt: skip

    # MARK: What a test has them do

    def of(self, name: str = "Mia") -> dict:
        return next(it for it in reversed(self.works.values()) if it["lamp"] and it["lamp"]["name"] == name)

    def tell(self, dash: dict, **change: Any) -> dict:
        now = datetime.now(timezone.utc)
        lamp = dash["lamp"]
        if lamp:
            day = now.date() if now.hour >= 12 else now.date() - timedelta(days=1)
            night = night_of(lamp["week"], day, lamp["tonight"])
            light = next((it for it in night["shines"] if it["from"] <= wall(now) < it["to"]), night["shines"][-1])
            dark = not lamp["leds"]["power"]
            word = "Dark, the LEDs have no power" if dark else WORDS.get(light["color"], "Dark")
            lamp["leds"]["colors"] = [BLACK if dark else light["color"]] * 4
            dash.update(now=wall(now), read=iso(now), night=night, title=word, reason="The week “School”.")
        dash.update(change, revision=dash["revision"] + 1)
        shown = copy.deepcopy(dash)
        self.model.emit("nightlight_changed", dashboard=shown)
        return shown

    def end(self, dash: dict, reason: str | None = None) -> None:
        dash["job"] |= {"phase": "ended", "reason": reason}
        self.model.devices[dash["job"]["device"]]["state"] = "none"
        self.remember(dash["lamp"])
        self.tell(dash, working=False, proof_end=None)

    def go_away(self, dash: dict) -> None:
        device = self.model.devices[dash["job"]["device"]]
        device.update(last_heard=iso(datetime.now(timezone.utc) - timedelta(minutes=9)), rssi=None)
        self.end(dash, "The link to the device was lost. Bring it near and try again.")
        self.model.emit("device_changed", device=device)

    def memory(self, address: str) -> dict:
        fresh = {"address": address, "address_kind": "public", "name": None, "seen": None, "known": None, "wishes": [], "refusal": None}
        return self.memories.setdefault(address, fresh)

    def remember(self, lamp: dict) -> None:
        memory = self.memory(lamp["address"])
        memory.update(name=lamp["name"], seen=iso(datetime.now(timezone.utc)), known=copy.deepcopy(lamp))
        self.model.emit("nightlights_changed", lamp=copy.deepcopy(memory))

    # MARK: What pages ask for

    def begin(self, device: dict, page: str) -> dict:
        running = [it for it in self.works.values() if it["job"]["device"] == device["id"] and it["job"]["phase"] != "ended"]
        if not running:
            number = 1_700_000_000_000_001 + len(self.works)
            job = {
                "id": number, "kind": "nightlight", "device": device["id"], "address": device["address"],
                "address_kind": device["address_kind"], "name": device["name"], "phase": "open", "reason": None,
                "begun": iso(datetime.now(timezone.utc)), "lease": 30,
            }  # fmt: skip
            dash = {
                "job": job, "revision": 0, "viewers": 1, "changes": 0, "read": None, "lamp": self.lamps[device["address"]],
                "now": None, "night": None, "title": None, "reason": None, "proof_end": None, "clock_note": None,
                "working": False, "refusals": 0, "refusal": None,
            }  # fmt: skip
            self.works[number] = dash
            device["state"] = "connected"
            running = [dash]
        dash = running[0]
        self.pages.setdefault(dash["job"]["id"], set()).add(page)
        return self.tell(dash, viewers=len(self.pages[dash["job"]["id"]]))

    def change(self, dash: dict, body: dict) -> dict:
        from hub_model import Problem

        if body.get("if_changes") not in (None, dash["changes"]):
            raise Problem(409, "Somebody else has changed this lamp meanwhile. Look at what it has now, then decide.")
        self.changes.append(body)
        self.waiting.append((dash, body))
        shown = self.tell(dash, working=True)
        if not self.waits:
            self.answer()
        return shown

    def answer(self) -> None:
        """Lamps take, or refuse, what they were asked for."""
        for dash, body in self.waiting:
            if self.trouble:
                self.tell(dash, working=False, refusals=dash["refusals"] + 1, refusal=self.trouble)
            else:
                self.apply(dash["lamp"], body)
                self.tell(dash, working=False, changes=dash["changes"] + 1)
        self.waiting = []

    @staticmethod
    def apply(lamp: dict, body: dict) -> None:
        for key in ("name", "week"):
            if body.get(key) is not None:
                lamp[key] = body[key] or None
        if body.get("tonight"):
            lamp.update(tonight=body["tonight"], tonight_days_left=body.get("tonight_days") or 1)
        if body.get("clear_tonight"):
            lamp.update(tonight=None, tonight_days_left=None)
        for key in ("power", "linked"):
            if body.get(key) is not None:
                lamp["leds"][key] = body[key]
        button = body.get("button") or {}
        if "from" in button:
            start, end = button["from"], button["to"]
            lamp["button"]["deactivation"] = {"from": start, "to": end} if start != end else None
        lamp["button"] |= {key: value for key, value in button.items() if key not in ("from", "to")}
        lamp["button"]["color_name"] = WORDS.get(lamp["button"]["color"], "Violet")

    def preview(self, body: dict) -> dict:
        day = date.fromisoformat(body["date"]) if body.get("date") else datetime.now(timezone.utc).date()
        night = night_of(body["week"], day, body.get("tonight"))
        return {"date": day.isoformat(), "stretches": night["shines"], "night": night, "conflicts": conflicts_of(body["week"]), "clock_change": None}

    def schedules(self, method: str, number: int | None, body: dict) -> Any:
        from hub_model import Problem

        if method == "GET":
            return {"items": self.kept}
        if method == "DELETE":
            self.kept = [one for one in self.kept if one["id"] != number]
            return b""
        if not isinstance(body.get("week"), dict) or "groups" not in body["week"]:
            raise Problem(422, "This is not a week: groups is missing.")
        item = {"id": number or max([0, *(one["id"] for one in self.kept)]) + 1, "kept": iso(datetime.now(timezone.utc)), "week": body["week"]}
        self.kept = sorted([one for one in self.kept if one["id"] != number] + [item], key=lambda one: one["id"])
        return item

    def wishes(self, method: str, address: str, number: int | None, body: dict) -> dict:
        memory = self.memory(address)
        if method == "DELETE":
            memory["wishes"] = [one for one in memory["wishes"] if one["id"] != number]
        else:
            next_one = max([0, *(one["id"] for one in memory["wishes"])]) + 1
            memory["wishes"].append({"id": next_one, "made": iso(datetime.now(timezone.utc)), "change": UNCHANGED | body})
        self.model.emit("nightlights_changed", lamp=copy.deepcopy(memory))
        return memory

    def route(self, answer, method: str, path: str, body: dict, query: dict) -> bool:
        """Answers what is about lamps; says whether it was."""
        from hub_model import Problem

        address = query.get("address", [""])[0].split("/")[0]
        if path == "/nightlights":
            answer({"items": list(self.memories.values())})
        elif path == "/light-preview":
            answer(self.preview(body))
        elif found := re.fullmatch(r"/light-schedules(?:/(\d+))?", path):
            answer(self.schedules(method, found[1] and int(found[1]), body), 204 if method == "DELETE" else 200)
        elif found := re.fullmatch(r"/nightlights/wishes(?:/(\d+))?", path):
            answer(self.wishes(method, address, found[1] and int(found[1]), body))
        elif found := re.fullmatch(r"/devices/(\d+)/nightlight", path):
            if self.refusal:
                raise Problem(409, self.refusal)
            answer(self.begin(self.model.devices[int(found[1])], query["page"][0]))
        elif found := re.fullmatch(r"/nightlights/(\d+)(?:/(\w+))?", path):
            self.asked(answer, method, int(found[1]), found[2], body, query)
        else:
            return False
        return True

    def asked(self, answer, method: str, number: int, what: str | None, body: dict, query: dict) -> None:
        from hub_model import Problem

        dash = self.works.get(number)
        if dash is None:
            raise Problem(404, "This has ended. Start it again.")
        if what == "leave":
            self.pages[number].discard(query["page"][0])
            if not self.pages[number] and dash["job"]["phase"] != "ended":
                self.end(dash)
            return answer(b"", 204)
        if what == "proof":
            end = datetime.now(timezone.utc) + timedelta(seconds=60)
            return answer(self.tell(dash, proof_end=iso(end) if method == "POST" else None))
        if what == "clock":
            dash["lamp"]["clock"] |= {"action": "none", "difference_seconds": 0}
        if method == "PATCH":
            return answer(self.change(dash, body))
        return answer(self.tell(dash) if what == "clock" else copy.deepcopy(dash))
