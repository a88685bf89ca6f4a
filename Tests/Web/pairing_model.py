# SPDX-License-Identifier: Apache-2.0
"""Devices that pair with the hub of invented data, as a test wants it, and those that have."""

import json
import re
from datetime import datetime, timedelta, timezone

from invented import iso


def bond(name: str | None, address: str, level: str = "secure_connections", **more) -> dict:
    return {
        "address": address, "address_kind": "random", "name": name, "device": None, "adapter": "00:AA:01:00:00:01",
        "level": level, "key_size": 16, "bonded": True, "changing_address": True,
    } | more  # fmt: skip


class Pairing:
    def __init__(self, model) -> None:
        self.model = model
        self.going: dict[int, tuple[dict, str | None]] = {}
        self.answers: list[tuple[int, dict]] = []
        """What pages have answered: the number of the pairing, and the body."""
        self.bonds = [] if model.scenario in ("empty", "first") else [bond("HR strap 0F", "C0:FF:EE:00:00:01"), bond(None, "D1:00:00:00:00:02", "encrypted")]
        self.unreadable, self.fault = 0, None
        self.last = 1_700_000_000_000_000

    def ask(self, kind: str, digits: str | None = None, *, seconds: float = 28, of: int | None = None, **more) -> int:
        """Shows or asks something; `of` goes on with a pairing."""
        now = datetime.now(timezone.utc)
        if of is None:
            self.last += 1
            pairing = {
                "id": self.last, "device": None, "address": "C0:FF:EE:00:00:01", "address_kind": "random", "name": "HR strap 0F",
                "begun_by": "device", "question": 0, "replaces_bond": False, "reason": None, "protection": None,
            } | more  # fmt: skip
        else:
            pairing = self.going[of][0]
        pairing |= {"phase": "asking", "kind": kind, "question": pairing["question"] + 1, "deadline": iso(now + timedelta(seconds=seconds))}
        self.going[pairing["id"]] = (pairing, digits)
        self.tell(pairing)
        return pairing["id"]

    def work(self, number: int) -> None:
        pairing, _ = self.going[number]
        self.going[number] = (pairing | {"phase": "working"}, None)
        self.tell(self.going[number][0])

    def end(self, number: int, reason: str | None = None, level: str = "secure_connections") -> None:
        pairing, _ = self.going.pop(number)
        kept = {"level": level, "key_size": 16, "bonded": True}
        self.tell(pairing | {"phase": "failed" if reason else "paired", "reason": reason, "protection": None if reason else kept})

    def tell(self, pairing: dict) -> None:
        self.model.emit("pairing_changed", pairing=json.loads(json.dumps(pairing)))

    def route(self, answer, method: str, path: str, query: dict, body: dict) -> bool:
        """Answers what is about pairing; says whether it was."""
        from hub_model import Problem

        if path == "/pairings":
            answer({"items": [{"pairing": one, "digits": digits} for one, digits in self.going.values()]})
        elif found := re.fullmatch(r"/pairings/(\d+)/answer", path):
            number = int(found[1])
            if number not in self.going:
                raise Problem(404, "This pairing is over.")
            pairing, _ = self.going[number]
            if pairing["phase"] != "asking" or pairing["question"] != body["question"]:
                raise Problem(409, "That was answered already, or is over.")
            self.answers.append((number, body))
            if body["accept"]:
                self.work(number)
            else:
                self.end(number, "It was refused at the hub.")
            answer(pairing)
        elif path == "/bonds" and method == "GET":
            answer({"items": self.bonds, "unreadable": self.unreadable, "fault": self.fault})
        elif path == "/bonds":
            self.bonds = [one for one in self.bonds if one["address"] != query["address"][0]]
            self.model.emit("bonds_changed")
            answer(b"", 204)
        elif path == "/bonds/unreadable":
            self.unreadable, self.fault = 0, None
            answer(b"", 204)
        else:
            return False
        return True
