# SPDX-License-Identifier: Apache-2.0
"""The explorer of the hub of invented data: what it hears, and devices that answer, refuse and go away as a test wants it."""

import json
import re
from typing import Any

from explorer_data import STRAP, beat, many, now, row, slot, strap, structures, tree
from invented import HOSTILE
from saves_model import Saves


class Explorer:
    def __init__(self, model) -> None:
        self.model = model
        self.works: dict[int, dict] = {}
        self.trees: dict[int, dict] = {}
        self.logs: dict[int, list[dict]] = {}
        self.kept: list[int] = []
        self.asked: list[tuple[str, dict]] = []
        """What was asked of devices: the verb and its body."""
        self.waits = False
        """Whether connecting goes on until `ready` is called."""
        self.writable: set[int] = set()
        self.rows: dict[int, dict] = {}
        more = []
        if model.scenario not in ("empty", "first", "noradio"):
            number = max(model.devices, default=0) + 1
            model.devices[number] = strap(number)
            self.strap = number
        if model.scenario == "many":
            more = many(1000)
        heard = [one for one in model.devices.values() if one["rssi"] is not None] + more
        if model.scenario in ("empty", "first", "noradio"):
            heard = []
        for index, one in enumerate(heard):
            own = {"makers": ["Nordic Semiconductor ASA"], "services": ["180d", "180f"], "service_names": ["Heart Rate", "Battery"], "who": "Heart Rate"}
            is_strap = one["name"] == STRAP
            self.rows[one["id"]] = row(one, index, **(own if is_strap else {}))
        if model.scenario == "hostile":
            for index, text in enumerate(HOSTILE):
                self.rows[next(reversed(self.rows)) - index].update(who=text, makers=[text], note=text)
        self.saves = Saves(model)

    # MARK: What a test has it hear

    def hear(self, number: int, rssi: int) -> None:
        """One report more of a device."""
        one = self.rows[number]
        one.update(rssi=rssi, strength=rssi, last_heard=now(), reports=one["reports"] + 1, history_slot=slot())
        signal = {key: one[key] for key in ("id", "rssi", "strength", "last_heard", "reports", "interval", "history_slot")}
        self.tell(signals=[signal | {"slot_rssi": rssi}])

    def appear(self, number: int, name: str | None, rssi: int, **more: Any) -> None:
        device = strap(number) | {"name": name, "rssi": rssi, "address": f"D1:00:00:00:00:{number & 255:02X}", "note": ""}
        self.model.devices[number] = device
        self.rows[number] = row(device, 1, first_heard=now(), **more)
        self.tell(devices=[self.rows[number]])

    def leave(self, number: int) -> None:
        self.rows.pop(number)
        self.tell(gone=[number])

    def tell(self, **what: Any) -> None:
        self.model.emit("scan_changed", **{"devices": [], "signals": [], "gone": [], "waiting": 0} | what)

    # MARK: What a test has devices do

    def of(self, device: int) -> dict:
        return next(one for one in reversed(self.works.values()) if one["job"]["device"] == device)

    def change(self, work: dict, **what: Any) -> dict:
        work.update(what, revision=work["revision"] + 1)
        self.model.emit("explorer_changed", explorer=json.loads(json.dumps(work)))
        return work

    def ready(self, work: dict) -> dict:
        work["job"]["phase"] = "open"
        device = self.model.devices[work["job"]["device"]]
        self.trees[work["job"]["id"]] = tree(device, self.model.scenario == "hostile")
        changes = [{"time": now(), "text": "MTU 247"}, {"time": now(), "text": "Every 30 ms"}]
        return self.change(work, step="ready", tree_revision=1, mtu=247, phy_tx="2m", phy_rx="2m", interval=30.0, latency=0,
                           supervision_timeout=4000, rssi=-58, security="none", read=9, to_read=9, changes=changes)  # fmt: skip

    def read_again(self, work: dict) -> dict:
        """Everything is found anew, with no value yet."""
        services = self.trees[work["job"]["id"]]["services"]
        for one in (one for service in services for one in service["characteristics"]):
            one.update(octets=None, text=None, fields=[], error=None)
        return self.change(work, step="reading", read=0, tree_revision=work["tree_revision"] + 1)

    def end(self, work: dict, reason: str | None = None) -> None:
        work["job"] |= {"phase": "ended", "reason": reason}
        self.change(work, watched=[])

    def send(self, work: dict, handle: int, octets: str, kind: str = "notify", fields=None, plotted=None, unit=None, text=None) -> dict:
        """A value of a device, by itself or because it was asked."""
        value = self.value(work, handle, octets, kind, fields or [], plotted, unit, text)
        self.model.emit("explorer_values", job=work["job"]["id"], values=[value], left_out=0)
        return value

    def heart(self, work: dict, rate: int) -> None:
        octets, fields = beat(rate)
        self.send(work, 0x12, octets, fields=fields, plotted=float(rate), unit="per minute")

    def value(self, work: dict, handle: int, octets: str | None, kind: str, fields: list, plotted=None, unit=None, text=None, error=None) -> dict:
        log = self.logs[work["job"]["id"]]
        one = self.characteristic(work, handle)
        value = {
            "number": work["values"] + 1, "count": sum(1 for it in log if it["handle"] == handle) + 1, "time": now(), "handle": handle, "uuid": one["uuid"], "name": one["name"], "kind": kind,
            "octets": octets, "text": text, "fields": fields, "misfit": None, "plotted": plotted, "unit": unit,
            "plotted_name": fields[0]["name"] if fields else None, "incomplete": one["incomplete"] if kind == "read" and octets is not None else None, "error": error, "error_code": 5 if error else None,
        }  # fmt: skip
        work["values"] += 1
        if octets is not None:
            log.append(value)
            one.update(octets=octets, text=text, fields=fields, error=None)
        return value

    def characteristic(self, work: dict, handle: int) -> dict:
        own = self.trees[work["job"]["id"]]["services"]
        return next(one for it in own for one in it["characteristics"] if one["value_handle"] == handle)

    # MARK: What the page asks for

    def begin(self, device: dict) -> dict:
        number = 2_100_000_000_000_001 + len(self.works)
        job = {
            "id": number, "kind": "explorer", "device": device["id"], "address": device["address"], "phase": "connecting",
            "address_kind": device["address_kind"], "name": device["name"], "reason": None, "begun": now(), "lease": 30,
        }  # fmt: skip
        self.works[number] = {
            "job": job, "revision": 0, "step": "connecting", "read": 0, "to_read": 0, "tree_revision": 0, "mtu": None, "phy_tx": None,
            "phy_rx": None, "interval": None, "latency": None, "supervision_timeout": None, "rssi": None, "security": None, "key_size": None, "bonded": None,
            "can_pair": True, "pairing": False, "may_write": device["id"] in self.writable, "watched": [], "values": 0, "log_values": 0,
            "log_dropped": 0, "changes": [], "trouble": None,
        }  # fmt: skip
        self.logs[number] = []
        return self.works[number] if self.waits else self.ready(self.works[number])

    def write(self, work: dict, body: dict) -> dict:
        from hub_model import Problem

        device = work["job"]["device"]
        if device not in self.writable and not body.get("confirmed"):
            raise Problem(428, "This is the first write to this device. Confirm that it is meant.")
        self.writable.add(device)
        kind = "write" if body.get("response") else "write_without_response"
        value = self.value(work, body["handle"], body["value"], kind, [])
        self.change(work, may_write=True)
        self.model.emit("explorer_values", job=work["job"]["id"], values=[value], left_out=0)
        return value

    def read(self, work: dict, handle: int) -> dict:
        one = dict(self.characteristic(work, handle))
        if one["error"]:
            return self.value(work, handle, None, "read", [], error=one["error"])
        return self.send(work, handle, one["octets"], "read", one["fields"], float(int(one["octets"], 16)) if len(one["octets"]) == 2 else None, text=one["text"])

    def watch(self, work: dict, handle: int, on: bool) -> dict:
        others = [one for one in work["watched"] if one != handle]
        return self.change(work, watched=[*others, handle] if on else others)

    def route(self, answer, method: str, path: str, query: dict, body: dict) -> bool:
        """Answers what is about the explorer; says whether it was."""
        if path == "/scan/devices":
            answer({"items": list(self.rows.values()), "limit": 1000})
        elif path == "/scan/keep":
            answer(b"", 204)
        elif found := re.fullmatch(r"/scan/devices/(\d+)", path):
            self.device(answer, int(found[1]))
        elif found := re.fullmatch(r"/devices/(\d+)/explorer", path):
            self.connect(answer, int(found[1]))
        elif found := re.fullmatch(r"/(jobs|explorers)/(\d+)(?:/([\w/]+))?", path):
            work = self.works.get(int(found[2]))
            if work is None:
                return False
            self.work(answer, method, work, found[3], query, body)
        else:
            return self.saves.route(answer, method, path, body)
        return True

    def device(self, answer, number: int) -> None:
        from hub_model import Problem

        if number not in self.rows:
            raise Problem(404, "This device has not been heard.")
        answer(structures(self.rows[number]))

    def connect(self, answer, number: int) -> None:
        answer(self.begin(self.model.devices[number]))

    def work(self, answer, method: str, work: dict, what: str | None, query: dict, body: dict) -> None:
        from hub_model import Problem

        number = work["job"]["id"]
        if what not in (None, "keep", "log"):
            self.asked.append((what, body))
        if method == "DELETE" and what == "pair":
            return answer(b"", 204)
        if method == "DELETE":
            if work["job"]["phase"] != "ended":
                self.end(work)
            return answer(b"", 204)
        if what == "keep":
            self.kept.append(number)
            return answer(work["job"])
        if what == "log":
            handle = int(query.get("handle", ["0"])[0])
            found = [one for one in self.logs[number] if handle in (0, one["handle"])]
            return answer({"items": found[::-1][:100], "total": len(found)})
        if what in ("read", "write", "watch") and work["job"]["phase"] != "open":
            raise Problem(409, "The device is not connected. Connect to it first.")
        if what == "read":
            return answer(self.read(work, body["handle"]))
        if what == "write":
            return answer(self.write(work, body))
        if what == "watch":
            return answer(self.watch(work, body["handle"], body["on"]))
        if what == "pair":
            return answer(self.change(work, security="encrypted", key_size=16, bonded=True, changes=[*work["changes"], {"time": now(), "text": "Encrypted"}]))
        if what == "refresh":
            return answer(self.change(work, tree_revision=work["tree_revision"] + 1))
        answer({"explorer": work, "tree": self.trees.get(number)})
