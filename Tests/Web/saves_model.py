# SPDX-License-Identifier: Apache-2.0
"""Saved devices of the hub of invented data: kept, compared, served again."""

import json
import re

from explorer_data import now, strap, structures, tree
from invented import HOSTILE


def flat(saved: dict) -> dict[tuple, dict]:
    return {(service["uuid"], one["uuid"]): one for service in saved["services"] for one in service["characteristics"]}


class Saves:
    def __init__(self, model) -> None:
        self.model = model
        self.saves: dict[int, dict] = {}
        self.files: dict[int, dict] = {}
        self.last = 0
        self.impossible: str | None = None
        """Why this radio cannot be a device."""
        self.unreadable: str | None = None
        """Why the file of a save cannot be laid out."""
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
        own = list(flat(saved).values())
        self.files[self.last] = json.loads(json.dumps({"name": device_name, **self.air(device_name), **saved}))
        self.saves[self.last] = {
            "id": self.last, "name": name, "time": now(), "address": saved["address"], "address_kind": saved["address_kind"],
            "device_name": device_name, "services": len(saved["services"]), "characteristics": len(own),
            "values": len([one for one in own if one["octets"] is not None]), "octets": 4120,
        }  # fmt: skip
        self.model.emit("saves_changed")
        return self.saves[self.last]

    def air(self, device_name: str | None) -> dict:
        """What a saved device advertises."""
        heard = structures({"name": device_name, "history": []})
        return {"advertisement": heard["octets"], "scan_response": heard["scan_response_octets"], "structures": heard["structures"]}

    def serve(self, **what) -> dict:
        self.serving = {**self.serving, **what}
        self.model.emit("serving_changed", serving=self.serving)
        return self.serving

    def differences(self, before: int, after: int) -> list[dict]:
        old, new = flat(self.files[before]), flat(self.files[after])
        found = []
        for key, one in old.items():
            row = {"service": key[0], "characteristic": key[1], "descriptor": None, "title": f"{one['name'] or 'Unknown'} ({key[1]})"}
            if key not in new:
                found.append({**row, "change": "removed", "what": "characteristic", "before": one["octets"], "after": None})
            elif new[key]["octets"] != one["octets"]:
                found.append({**row, "change": "changed", "what": "value", "before": one["octets"], "after": new[key]["octets"]})
        for key, one in new.items():
            if key not in old:
                found.append({"change": "added", "what": "characteristic", "title": f"{one['name'] or 'Unknown'} ({key[1]})", "service": key[0],
                              "characteristic": key[1], "descriptor": None, "before": None, "after": one["octets"]})  # fmt: skip
        return found

    def route(self, answer, method: str, path: str, query: dict, body: dict, raw: bytes) -> bool:
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
            if method == "GET":
                answer({"items": list(self.saves.values())[::-1], "limit": 200})
            elif "services" not in body:
                raise Problem(422, "This is not a saved device: “services” is missing in line 1.")
            else:
                answer(self.keep(query.get("name", [body.get("name") or "Imported"])[0], body, body.get("name")))
            return True
        found = re.fullmatch(r"/saves/(\d+)(?:/(\w+))?", path)
        if not found:
            return False
        number, what = int(found[1]), found[2]
        if number not in self.saves:
            raise Problem(404, "There is no such save. It may have been deleted.")
        if method == "DELETE":
            del self.saves[number]
            self.model.emit("saves_changed")
            answer(b"", 204)
        elif method == "PATCH":
            self.saves[number]["name"] = body["name"]
            self.model.emit("saves_changed")
            answer(self.saves[number])
        elif what == "file":
            answer(self.files[number], 200, "application/json", Content_Disposition="attachment; filename=save.json")
        elif what == "tree":
            if self.unreadable:
                raise Problem(422, self.unreadable)
            answer({"save": self.saves[number], **{key: self.files[number][key] for key in ("mtu", "services", "structures")},
                    "octets": self.files[number]["advertisement"], "scan_response_octets": self.files[number]["scan_response"]})  # fmt: skip
        elif what == "differences":
            other = int(query["with"][0])
            answer({"before": self.saves[number], "after": self.saves[other], "items": self.differences(number, other)})
        elif what == "serve":
            if self.impossible:
                raise Problem(409, self.impossible)
            one = self.saves[number]
            answer(self.serve(state="on", save=number, title=one["name"], name=body["name"] or one["device_name"], since=now(),
                              clients=1, writes=2, lines=[{"time": now(), "text": "A client has connected."}]))  # fmt: skip
        else:
            answer(self.saves[number])
        return True
