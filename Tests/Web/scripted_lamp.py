# SPDX-License-Identifier: Apache-2.0
"""A Nightlight on a test's radio: it keeps what it is given, and shines as a test says."""

from __future__ import annotations

import struct
from datetime import datetime, timedelta, timezone
from typing import Any

import scripted_radio  # noqa: F401  It says where the values of the devices are.
from peers.lamp_values import (
    BLACK, CHARGING, DAYS, DISCHARGING, PROOF, WEEK, ActiveSource, Clock, Group, Period, Tonight, Week, color_of,
    decode_current_time, decode_tonight, decode_week, level_status, minute_of, time_with_dst,
)  # fmt: skip
from scripted_radio import Device

AMBER, PINK = "#ff9a2e", "#ff5c9e"


def own(number: str) -> str:
    """A short number in the UUID of the LEDs' service."""
    return f"7a5a{number}-d04b-48eb-b3fa-32eb4f0ffac4"


LEDS = ["led1", "led2", "led3", "led4"]
BOTH, READ, TOLD = "read write", "read", "read notify"
PROFILE = {
    own("0000"): {"power": (own("0001"), BOTH), "link": (own("0002"), BOTH), "proof": (own("0003"), BOTH),
                  **{name: (own(f"001{number}"), BOTH) for number, name in enumerate(LEDS, 1)}},
    own("0100"): {
        "on_time": ("3cf04bd7-6812-4934-a000-da99e0e27494", BOTH), "daily": ("5405d754-7055-4b8c-8153-05d87a3f8c26", BOTH),
        "deactivation": ("683ed29f-aab0-473f-a944-c22444b3adde", BOTH), "shake": ("ca22ee9a-90c3-4631-8761-947df10f72d0", BOTH),
        "button_color": (own("0101"), BOTH), "enabled": (own("0102"), BOTH),
    },
    own("0200"): {"week": (own("0201"), BOTH), "day": (own("0202"), BOTH), "source": (own("0203"), TOLD), "name": (own("0204"), BOTH)},
    "180f": {"battery": ("2a19", TOLD), "charge": ("2bed", TOLD)},
    "1805": {"current_time": ("2a2b", BOTH), "local_time": ("2a0f", BOTH)},
    "1807": {"next_dst": ("2a11", BOTH)},
}  # fmt: skip


def period(on: str, off: str, color: str = AMBER, timeout: int | None = None) -> dict[str, Any]:
    """A time of light as pages have it."""
    return {"on": on, "off": off, "color": color, "timeout_minutes": timeout}


def school() -> dict[str, Any]:
    """A week as pages have it."""
    return {
        "name": "School",
        "groups": [
            {"days": DAYS[:5], "periods": [period("19:30", "07:00")]},
            {"days": DAYS[5:], "periods": [period("20:30", "08:00", PINK, 90)]},
        ],
    }


def periods(found: list[dict[str, Any]]) -> tuple[Period, ...]:
    return tuple(Period(minute_of(one["on"]), minute_of(one["off"]), color_of(one["color"]), one["timeout_minutes"]) for one in found)


def octets(week: dict[str, Any]) -> bytes:
    """A week as lamps have it."""
    groups = (Group(sum(1 << DAYS.index(day) for day in one["days"]), periods(one["periods"])) for one in week["groups"])
    return Week(week["name"], tuple(groups)).encode()


class Lamp(Device):
    """A lamp of a child; by default it is amber and charges."""

    def __init__(self, child: str | None = "Mia", address: str = "D8:3A:DD:40:7E:11/P", rssi: int = -62, week: dict | None = None) -> None:
        layout = {
            service: {uuid: (words, "") for uuid, words in own.values()} for service, own in PROFILE.items()
        }  # fmt: skip
        super().__init__(f"{child}’s lamp" if child else "Nightlight", layout, rssi, [own("0000")], address)
        self.services()
        self.at = {name: self.handles[uuid] for own in PROFILE.values() for name, (uuid, _) in own.items()}
        self.names = {handle: name for name, handle in self.at.items()}
        self.ahead: timedelta | None = timedelta()
        """How far its clock is ahead; None when it was never set."""
        self.when_written = self.do
        self.set(
            power=b"\1", link=b"\1", proof=b"\0", on_time=struct.pack("<H", 600), daily=b"\5", shake=b"\1", enabled=b"\1",
            deactivation=struct.pack("<HH", 450, 1080), button_color=color_of(PINK), week=octets(week or school()), day=b"",
            name=(child or "").encode(), battery=b"\x52", charge=level_status(CHARGING), local_time=b"\0\0",
            next_dst=time_with_dst(datetime(2027, 3, 28, 2), 4), **dict.fromkeys(LEDS, color_of(AMBER)),
        )  # fmt: skip
        self.base = ActiveSource(WEEK, color_of(AMBER), 90)
        """What it does unless somebody tries colours."""

    # MARK: What a test says of it

    def set(self, **values: bytes) -> None:
        """Gives it values before anybody has read them."""
        for name, value in values.items():
            self.values[self.at[name]] = value.hex()

    def get(self, name: str) -> bytes:
        return bytes.fromhex(self.values[self.at[name]])

    @property
    def week(self) -> dict[str, Any]:
        return decode_week(self.get("week")).json()

    @property
    def tonight(self) -> Tonight | None:
        return decode_tonight(self.get("day"))

    def begin_tonight(self, *found: dict[str, Any]) -> None:
        self.set(day=Tonight(1, periods([*found])).encode())

    def discharge(self, percent: int) -> None:
        self.set(battery=bytes([percent]), charge=level_status(DISCHARGING))

    def tell(self, **values: bytes) -> None:
        """Values change by themselves, and it tells those that it tells."""
        self.set(**values)
        found = [(self.at[name], value) for name, value in values.items()]
        self.radio.tell(*[{"radio": "value", "link": self.link, "handle": at, "value": value.hex()} for at, value in found])

    def refuse(self, name: str | None, why: str = "other") -> None:
        """What is written there it does not take any more; or takes all again."""
        self.fails.clear()
        if name:
            self.fails["write", self.at[name]] = why

    # MARK: What it does

    def shown(self) -> bytes:
        told = ActiveSource(PROOF, self.get("led1"), 1) if self.get("proof") == b"\1" else self.base
        return ActiveSource(told.source, told.color if self.get("power") == b"\1" else BLACK, told.minutes).encode()

    def value(self, handle: int) -> str:
        name = self.names[handle]
        if name == "current_time":
            now = datetime.fromtimestamp(self.radio.wall() / 1000, timezone.utc).replace(tzinfo=None)
            return (bytes(10) if self.ahead is None else Clock(now + self.ahead).current_time()).hex()
        if name == "source":
            return self.shown().hex()
        if name in LEDS and self.get("power") == b"\0":
            return BLACK.hex()
        return self.values[handle]

    def keep(self, handle: int, value: str) -> None:
        name = self.names[handle]
        if name == "current_time":
            now = datetime.fromtimestamp(self.radio.wall() / 1000, timezone.utc).replace(tzinfo=None)
            self.ahead = decode_current_time(bytes.fromhex(value)) - now
        if name in LEDS:
            # To write a colour is to try it.
            self.set(proof=b"\1")
        self.values[handle] = value

    def do(self, handle: int, value: str) -> list[tuple[int, str]]:
        shows = self.names[handle] in (*LEDS, "power", "proof", "link")
        return [(self.at["source"], self.shown().hex())] if shows else []
