# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, or is other than an engine is, between a page and what answers it.

It stands in the way of answers and events and knows nothing of what they are about: a test says which of them are others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Change = Callable[[Any], Any]
"""Makes another value of one that was answered or told."""


class Faults:
    def __init__(self) -> None:
        self.changes: dict[str, Change] = {}
        self.replies: dict[str, Callable[[Any], tuple[int, Any]]] = {}

    def alter(self, what: str, change: Change | None = None) -> None:
        """Has other values in the answers to requests (`GET /hub`, the path as a pattern) or in events of a name; or no more."""
        self.changes.pop(what, None)
        if change:
            self.changes[what] = change

    def instead(self, what: str, answer: Callable[[Any], tuple[int, Any] | None] | None = None) -> None:
        """Has requests answered here, with a status and a value, or no more.

        Both are made of the body, or of what a GET has behind its question mark; a request for which there is none goes on.
        """
        self.replies.pop(what, None)
        if answer:
            self.replies[what] = answer

    def refuse(self, what: str, status: int, detail: str) -> None:
        """Has requests refused."""
        self.instead(what, lambda body: (status, {"type": "about:blank", "status": status, "detail": detail}))

    def answer(self, method: str, path: str, asked: Any) -> tuple[int, Any] | None:
        """What is answered to a request that goes no further."""
        one = next((one for what, one in reversed(self.replies.items()) if re.fullmatch(what, f"{method} {path}")), None)
        return one(asked) if one else None

    def altered(self, what: str, value: Any) -> Any:
        """A value as the page gets it."""
        for pattern, change in self.changes.items():
            if re.fullmatch(pattern, what):
                value = change(value)
        return value

    def concerns(self, what: str) -> bool:
        """Whether something is altered of this."""
        return any(re.fullmatch(pattern, what) for pattern in self.changes)
