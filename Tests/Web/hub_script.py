# SPDX-License-Identifier: Apache-2.0
"""What only a hub says, as a test wants it, in front of an engine that knows nothing of it: no radio, signing in, captures, …"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine_host import EngineHub, iso

TOKEN, ALL, MADE = "correct-horse", ".*", "2026-11-20T10:00:00.000Z"
BUSY = {
    "state": "busy", "title": "The Bluetooth radio is in use", "connections": 0,
    "text": "Another program, most likely the system’s Bluetooth service, holds the adapter hci0.",
    "commands": ["sudo systemctl stop bluetooth", "lantern hub --radio bluez"],
}  # fmt: skip


def alter_hub(hub: EngineHub, change: Callable[[Any], dict[str, Any]] | None = None) -> None:
    """Has other parts in what is said of the hub as a whole, when it is asked and when it tells; or no more. It is told at once."""
    hub.faults.alter("GET /hub", change and (lambda value: value | change(value)))
    hub.faults.alter("hub_changed", change and (lambda value: value | {"hub": value["hub"] | change(value["hub"])}))
    hub.emit("hub_changed", {"hub": hub.get("/hub")})


def lose_radio(hub: EngineHub) -> None:
    """The hub has no radio: another program has it."""
    alter_hub(hub, lambda value: {"radio": value["radio"] | BUSY})


def radio_returns(hub: EngineHub) -> None:
    alter_hub(hub)


# Who may use it


def sign_in_first(hub: EngineHub) -> None:
    """Has everything refused until somebody has signed in; who has not known the token has to wait, the longer the oftener."""
    failures: list[Any] = []

    def sign_in(body: Any) -> tuple[int, Any]:
        if body["token"] != TOKEN:
            failures.append(body)
            return 401, {"detail": "That is not the token.", "retry_after": 2 ** len(failures)}
        for what in (ALL, "GET /session", "POST /session"):
            hub.faults.instead(what)
        return 204, None

    hub.faults.refuse(ALL, 401, "Sign in with the token of this hub.")
    hub.faults.instead("GET /session", lambda asked: (200, {"hub": "pi-garage", "signed_in": False, "role": None}))
    hub.faults.instead("POST /session", sign_in)
    hub.interrupt()


def with_login(hub: EngineHub) -> None:
    """Has the hub be one to which pages sign in, as this one has; who signs out has to do it anew."""
    access = {"address": "https://pi-garage.local:8443", "encrypted": True, "login": True, "sessions": 3}
    alter_hub(hub, lambda value: {"access": value["access"] | access})
    hub.faults.instead("GET /session", lambda asked: (200, {"hub": "pi-garage", "signed_in": True, "role": "admin"}))
    hub.faults.instead("DELETE /session", lambda body: (204, sign_in_first(hub)))


def with_tokens(hub: EngineHub) -> list[dict[str, Any]]:
    """Has the hub have tokens, at first its owner's alone."""
    tokens = [{"id": 1, "name": "owner", "role": "admin", "made": MADE, "used": None, "sessions": 0}]

    def make(body: dict[str, Any]) -> tuple[int, Any]:
        if not body["name"].strip():
            return 422, {"detail": "A name has 1 to 40 characters, and says what the token is for."}
        tokens.append({"id": 2, **body, "made": iso(hub.wall), "used": None, "sessions": 0})
        return 200, {"token": "kP3v-9QxT-71sW-mm0e", "made": iso(hub.wall)}

    with_login(hub)
    hub.faults.instead("GET /tokens", lambda asked: (200, {"items": tokens}))
    hub.faults.instead("POST /tokens", make)
    hub.faults.instead("DELETE /tokens/2", lambda body: (204, tokens.pop(1) and None))
    return tokens


# What its radio does


def with_captures(hub: EngineHub) -> None:
    """Has the hub capture what its radio hears, when it is asked to."""
    capture: dict[str, Any] = {}

    def become(**change: Any) -> tuple[int, Any]:
        capture.update(change)
        alter_hub(hub, lambda value: {"capture": value["capture"] | capture})
        return 200, hub.get("/hub")["capture"] | capture

    hub.faults.instead("POST /capture", lambda body: become(running=True, started=iso(hub.wall), file=True))
    hub.faults.instead("DELETE /capture", lambda body: become(running=False, octets=1_800_000, packets=14906))
    hub.faults.instead("GET /capture/file", lambda asked: (200, b"btsnoop\0"))


def with_beacon(hub: EngineHub, octets: str) -> dict[str, Any]:
    """Has the hub have a radio that advertises; the answer is how its beacon is."""
    beacon = {"on": False, "payload": None, "codec": "v1", "octets": None, "since": None, "reason": None}

    def become(**change: Any) -> dict[str, Any]:
        beacon.update(change)
        hub.emit("overflow_beacon_changed", {"beacon": beacon})
        return beacon

    hub.faults.alter("GET /overflow", lambda value: value | {"beacon": beacon})
    hub.faults.instead("POST /overflow/beacon", lambda body: (200, become(on=True, octets=octets, since=iso(hub.wall), **body)))
    hub.faults.instead("DELETE /overflow/beacon", lambda body: (204, become(on=False, payload=None, since=None) and None))
    return beacon


def with_air(hub: EngineHub, title: str, name: str) -> Callable[..., dict[str, Any]]:
    """Has the hub have a radio that can be the first saved device; the answer is how a test says what becomes of that."""
    serving: dict[str, Any] = {
        "state": "off", "save": None, "title": None, "name": None, "since": None, "reason": None, "clients": 0, "writes": 0, "lines": [],
    }  # fmt: skip

    def become(**change: Any) -> dict[str, Any]:
        serving.update(change)
        hub.emit("serving_changed", {"serving": serving})
        return serving

    def serve(body: dict[str, Any]) -> tuple[int, Any]:
        return 200, become(state="on", save=1, title=title, name=body["name"] or name, since=iso(hub.wall), clients=1)

    hub.faults.instead("GET /serving", lambda asked: (200, serving))
    hub.faults.instead("POST /saves/1/serve", serve)
    hub.faults.instead("DELETE /serving", lambda body: (204, become(state="off", save=None, lines=[]) and None))
    return become
