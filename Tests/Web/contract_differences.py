# SPDX-License-Identifier: Apache-2.0
"""In what a hub and an engine differ by their nature: they answer everything else alike.

By kinds and steps: what the hub says, what the engine says. A step of which this is no longer so makes the test fail: its row
is taken out then."""

from __future__ import annotations

Rows = dict[str, tuple[str, str]]


def each(hub: str, engine: str, *steps: str) -> Rows:
    return dict.fromkeys(steps, (hub, engine))


OWN: dict[str, Rows] = {
    # A browser tells of no time zone but its own when clocks change.
    "weeks": {
        "preview: another zone": ("200", "422 There is no such time zone: give one like Europe/Berlin."),
    },
    # A hub pairs: for what is locked it asks a person, and so does `pair`.
    "explorer": {
        "read what is locked": ("not asked", "200 the link must be authenticated first"),
        "pair": ("not asked", "409 This radio cannot pair. Where the system pairs, do it in the system's settings."),
        "ended: pair": (
            "409 The device is not connected. Wait a moment, or connect to it again.",
            "409 This radio cannot pair. Where the system pairs, do it in the system's settings.",
        ),
    },
    # A page keeps fewer, serves none, and takes a file in another form.
    "saves": {
        **each("limit 200", "limit 50", "none", "list", "list in the end"),
        "serve": ("not asked", "409 A page cannot serve a device: the browser does not let it. Use a hub for that."),
        "bring": ("not asked", "422 This is not a saved device: line 1: it ends too early."),
    },
}
