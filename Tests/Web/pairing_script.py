# SPDX-License-Identifier: Apache-2.0
"""What a hub says while devices pair with it, as a test wants it, and what pages answer: no page's engine pairs."""

from __future__ import annotations

from itertools import count
from typing import Any

from engine_host import EngineHub, iso

OVER = (409, {"detail": "That was answered already, or is over."})


class PairingScript:
    """Puts its questions in front of an engine; who goes on with them is the test."""

    def __init__(self, hub: EngineHub) -> None:
        self.hub, self.numbers = hub, count(1_700_000_000_000_001)
        self.going: dict[int, tuple[dict[str, Any], str | None]] = {}
        self.answers: list[tuple[int, dict]] = []
        """What pages have answered: the number of the pairing, and the body."""
        listed = lambda asked: [{"pairing": one, "digits": digits} for one, digits in self.going.values()]  # noqa: E731
        hub.faults.instead("GET /pairings", lambda asked: (200, {"items": listed(asked)}))

    def ask(self, kind: str, digits: str | None = None, *, seconds: float = 28, of: int | None = None, **more: Any) -> int:
        """Shows or asks something; `of` goes on with a pairing."""
        number = of or next(self.numbers)
        before = self.going[of][0] if of else {
            "id": number, "device": None, "address": "C0:FF:EE:00:00:01", "address_kind": "random", "name": "HR strap 0F",
            "begun_by": "device", "question": 0, "replaces_bond": False, "reason": None, "protection": None,
        }  # fmt: skip
        deadline = iso(self.hub.wall + round(seconds * 1000))
        pairing = before | more | {"phase": "asking", "kind": kind, "question": before["question"] + 1, "deadline": deadline}
        self.going[number] = (pairing, digits)
        self.hub.faults.instead(f"POST /pairings/{number}/answer", lambda body: self.answered(number, body))
        self.tell(pairing)
        return number

    def answered(self, number: int, body: dict[str, Any]) -> tuple[int, Any]:
        if number not in self.going or self.going[number][0]["phase"] != "asking":
            return OVER
        self.answers.append((number, body))
        if body["accept"]:
            self.work(number)
        else:
            self.end(number, "It was refused at the hub.")
        return 200, {}

    def work(self, number: int, says: bool = True) -> None:
        """Somebody has answered; whether pages are told."""
        self.going[number] = (self.going[number][0] | {"phase": "working"}, None)
        if says:
            self.tell(self.going[number][0])

    def end(self, number: int, reason: str | None = None, level: str = "secure_connections") -> None:
        pairing, _ = self.going.pop(number)
        kept = {"level": level, "key_size": 16, "bonded": True}
        self.tell(pairing | {"phase": "failed" if reason else "paired", "reason": reason, "protection": None if reason else kept})

    def tell(self, pairing: dict[str, Any]) -> None:
        self.hub.emit("pairing_changed", {"pairing": pairing})
