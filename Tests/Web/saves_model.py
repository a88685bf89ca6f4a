# SPDX-License-Identifier: Apache-2.0
"""Saved devices of the hub of invented data: opened, served again."""

import json
import re

from explorer_data import now, strap, structures, tree
from invented import HOSTILE


class Saves:
    def __init__(self, model) -> None:
        self.model = model
        self.saves: dict[int, dict] = {}
        self.files: dict[int, dict] = {}
        self.last = 0
        self.serving = self.off()
        if model.scenario in ("saves", "hostile"):
            first, second = tree(strap(1)), tree(strap(1))
            second["services"][2]["characteristics"][0]["octets"] = "33"
            second["services"][3]["characteristics"].pop()
            hostile = model.scenario == "hostile"
            self.keep(HOSTILE[0] if hostile else "Strap, before the update", first, HOSTILE[1] if hostile else "HR strap 9A3C2B")
            self.keep(HOSTILE[3] if hostile else "Strap, after the update", second, HOSTILE[5] if hostile else "HR strap 9A3C2B")

    def off(self) -> dict:
        return {
            "state": "off", "save": None, "title": None, "name": None, "since": None, "reason": None, "clients": 0, "writes": 0, "lines": [],
        }  # fmt: skip

    def keep(self, name: str, saved: dict, device_name: str | None) -> dict:
        self.last += 1
        own = [one for service in saved["services"] for one in service["characteristics"]]
        self.files[self.last] = json.loads(json.dumps({"name": device_name, **self.air(device_name), **saved}))
        self.saves[self.last] = {
            "id": self.last, "name": name, "time": now(), "address": saved["address"], "address_kind": saved["address_kind"],
            "device_name": device_name, "services": len(saved["services"]), "characteristics": len(own),
            "values": len([one for one in own if one["octets"] is not None]), "octets": 4120,
        }  # fmt: skip
        return self.saves[self.last]

    def air(self, device_name: str | None) -> dict:
        """What a saved device advertises."""
        heard = structures({"name": device_name, "history": []})
        return {"advertisement": heard["octets"], "scan_response": heard["scan_response_octets"], "structures": heard["structures"]}

    def serve(self, **what) -> dict:
        self.serving = {**self.serving, **what}
        self.model.emit("serving_changed", serving=self.serving)
        return self.serving

    def route(self, answer, method: str, path: str, body: dict) -> bool:
        """Answers what is about saves; says whether it was."""
        from hub_model import Problem

        if path == "/serving":
            if method == "DELETE":
                self.serving = self.off()
                self.serve()
                answer(b"", 204)
            else:
                answer(self.serving)
            return True
        if path == "/saves":
            answer({"items": list(self.saves.values())[::-1], "limit": 200})
            return True
        found = re.fullmatch(r"/saves/(\d+)(?:/(\w+))?", path)
        if not found:
            return False
        number, what = int(found[1]), found[2]
        if number not in self.saves:
            raise Problem(404, "There is no such save. It may have been deleted.")
        if what == "tree":
            answer({"save": self.saves[number], **{key: self.files[number][key] for key in ("mtu", "services", "structures")},
                    "octets": self.files[number]["advertisement"], "scan_response_octets": self.files[number]["scan_response"]})  # fmt: skip
        elif what == "serve":
            one = self.saves[number]
            answer(self.serve(state="on", save=number, title=one["name"], name=body["name"] or one["device_name"], since=now(),
                              clients=1, writes=2, lines=[{"time": now(), "text": "A client has connected."}]))  # fmt: skip
        else:
            answer(self.saves[number])
        return True
