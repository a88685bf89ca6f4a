# SPDX-License-Identifier: Apache-2.0
"""The radio of a browser as a test plays it for an engine: devices that have what a test gives them and do what it wants."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from engine_pair import ROOT, WORD

# Messages and values of the products' devices are in `peers`.
sys.path.append(str(ROOT / "Tests/Interop"))


class Device:
    """A device of so many services: by UUID the characteristics, by UUID their properties, the value in hex, and maybe the handle."""

    def __init__(
        self, name: str | None, services: dict[str, dict[str, tuple]], rssi: int | None = -60,
        advertises: list[str] | None = None, address: str | None = None, manufacturer: str = "",
    ) -> None:  # fmt: skip
        """By default it advertises all its services. With an address (`/P` for a public one) it is heard, else chosen."""
        self.name, self.rssi, self.layout = name, rssi, services
        self.address, self.manufacturer = address, manufacturer
        self.advertises = list(services) if advertises is None else advertises
        self.identifier = ""
        self.handles: dict[str, int] = {}
        self.values: dict[int, str] = {}
        self.fails: dict[Any, str] = {}
        """What is refused, by word ("connect", "read", "write", …), or word and handle, and why, as a browser says it."""
        self.silent: set[str] = set()
        """What is not answered, or later: a word, or a word and a handle ("read 0x12")."""
        self.waiting: list[dict[str, Any]] = []
        self.written: list[tuple[int, str]] = []
        self.when_written: Callable[[int, str], list[tuple[int, str]]] = lambda handle, value: []
        """What it then sends by itself: handles and values."""
        self.when_subscribed: Callable[[int], list[tuple[int, str]]] = lambda handle: []
        """What it sends when somebody listens to a handle."""
        self.link: int | None = None
        self.radio: ScriptedRadio | None = None

    def services(self) -> list[dict[str, Any]]:
        """All that it has, as a browser finds it."""
        found, handle = [], 0
        for uuid, characteristics in self.layout.items():
            first = next((more[0] for _, _, *more in characteristics.values() if more), None)
            handle = handle + 1 if first is None else first - 2
            service = {"uuid": uuid, "handle": handle, "characteristics": []}
            for name, (words, value, *more) in characteristics.items():
                # The declaration stands before the value.
                handle = more[0] if more else handle + 2
                self.handles[name] = handle
                self.values.setdefault(handle, value)
                properties = sum(WORD[word] for word in words.split())
                service["characteristics"].append({"uuid": name, "handle": handle, "properties": properties, "descriptors": []})
            found.append(service)
        return found


    def advertisement(self) -> str:
        """What it advertises, in hex: names and more at a length that only extended advertisements have."""
        wide = {4: b"", 36: b""}
        for uuid in self.advertises:
            wide[len(uuid)] += bytes.fromhex(uuid.replace("-", ""))[::-1]
        name = (self.name or "").encode()[:248]
        parts = [(1, b"\x06"), (3, wide[4]), (7, wide[36]), (0xFF, bytes.fromhex(self.manufacturer)), (9, name)]
        return b"".join(bytes([len(data) + 1, kind]) + data for kind, data in parts if data).hex()

    def value(self, handle: int) -> str:
        """What is read."""
        return self.values[handle]

    def keep(self, handle: int, value: str) -> None:
        """Takes what was written: what has a value has another one then."""
        if self.values[handle]:
            self.values[handle] = value


DETECTION = "beb5483e-36e1-4688-b7f5-ea07361b26a8"


STREAM, COMMAND = DETECTION[:-1] + "a", DETECTION[:-1] + "9"
FLOCK = {"4fafc201-1fb5-459e-8fcc-c5c9c331914b": {DETECTION: ("read notify", ""), COMMAND: ("write", ""), STREAM: ("notify", "")}}


class FlockFinder(Device):
    """A FlockFinder: it answers commands, and tells what a test has it detect or hear."""

    ANSWERS = {"PING": "pong", "STATUS": "ready", "RESET": "counters cleared"}

    def __init__(self, address: str | None = None) -> None:
        super().__init__("FlockFinder-S3", FLOCK, -54, address=address)
        self.when_written = self.do

    @property
    def commands(self) -> list[str]:
        """What it was told."""
        return [bytes.fromhex(value).decode() for _, value in self.written]

    def do(self, handle: int, value: str) -> list[tuple[int, str]]:
        word = self.ANSWERS.get(bytes.fromhex(value).decode())
        return [(self.handles[STREAM], json.dumps({"evt": "status", "msg": word}).encode().hex())] if word else []

    def detect(self, *detections: dict[str, Any]) -> None:
        self.say(DETECTION, *detections)

    def hear(self, *objects: dict[str, Any]) -> None:
        """What it tells on its live stream."""
        self.say(STREAM, *objects)

    def say(self, uuid: str, *objects: dict[str, Any]) -> None:
        self.radio.send(self, uuid, *(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in objects))


TRIONES = {"ffd5": {"ffd9": ("write write_without_response", "")}, "ffd0": {"ffd4": ("notify", "")}}
MAGIC_BLUE = {"ffe5": {"ffe9": ("write write_without_response", "")}, "ffe0": {"ffe4": ("notify", "")}}


class Bulb(Device):
    """A bulb of Triones or Magic Blue: it says what it shows, and shows what it is told unless it shall forget that."""

    def __init__(self, name: str | None, layout: dict = TRIONES, rssi: int = -72, address: str | None = None, **shows: Any) -> None:
        super().__init__(name, layout, rssi, address=address)
        self.power, self.mode, self.speed, self.color, self.white = 0x23, 0x41, 0x01, "7c6bff", 0
        self.forgets = False
        self.when_written = self.do
        self.__dict__.update(shows)

    def do(self, handle: int, value: str) -> list[tuple[int, str]]:
        octets = bytes.fromhex(value)
        if octets[0] == 0xEF:
            state = [0x66, 0x15, self.power, self.mode, 0x20, self.speed, *bytes.fromhex(self.color), self.white, 0x06, 0x99]
            where = self.handles["ffd4" if "ffd4" in self.handles else "ffe4"]
            return [(where, bytes(state).hex())]
        if self.forgets:
            return []
        if octets[0] == 0xCC:
            self.power = octets[1]
        elif octets[0] == 0xBB:
            self.power, self.mode, self.speed = 0x23, octets[1], octets[2]
        else:
            is_white = octets[5] == 0x0F
            self.power, self.mode, self.white = 0x23, 0x41, octets[4] if is_white else 0
            self.color = "000000" if is_white else octets[1:4].hex()
        return []


class ScriptedRadio:
    """Answers what the engine asks of a browser's radio."""

    def __init__(self, tell: Callable[..., None], wall: Callable[[], int]) -> None:
        self.tell, self.wall = tell, wall
        self.devices: dict[str, Device] = {}

    # MARK: What a test has it do

    def add(self, *devices: Device) -> None:
        """Devices that a person chooses, or that are heard from now on."""
        for one in devices:
            usual = f"{len(self.devices) + 1:08x}-89ab-cdef-0123-456789abcdef"
            one.identifier = one.address.partition("/")[0] if one.address else usual
            self.devices[one.identifier], one.radio = one, self
            one.services()
        self.tell(*map(self.offer, devices))

    def offer(self, device: Device) -> dict[str, Any] | str:
        """How an engine learns of a device."""
        if device.address:
            return f"heard {device.address} {device.rssi} {device.advertisement()}"
        more = {} if device.rssi is None else {"rssi": device.rssi}
        return {"radio": "chosen", "device": device.identifier, "name": device.name, "services": device.advertises, **more}

    def hear(self, *devices: Device, rssi: int | None = None) -> None:
        """Devices advertise once more, at another strength."""
        for one in devices:
            one.rssi = one.rssi if rssi is None else rssi
        self.tell(*map(self.offer, devices))

    def lose(self, device: Device) -> None:
        """The link to a device is gone."""
        link, device.link = device.link, None
        self.tell({"radio": "lost", "link": link})

    def send(self, device: Device, uuid: str, *values: bytes, size: int = 512) -> None:
        """A device sends values by itself, in so many octets at once."""
        pieces = [one[start : start + size].hex() for one in values for start in range(0, max(1, len(one)), size)]
        self.tell(*[{"radio": "value", "link": device.link, "handle": device.handles[uuid], "value": one} for one in pieces])

    def answer_now(self, device: Device, *but: str) -> None:
        """What has waited for an answer gets it, and what comes after it, too, but for these words."""
        device.silent = set(but)
        waiting, device.waiting = device.waiting, []
        self.tell(*[answer for one in waiting for answer in self.take(one)])

    # MARK: What the engine asks

    def take(self, one: dict[str, Any]) -> list[dict[str, Any] | str]:
        word, link = one["radio"], one.get("link")
        if word == "look":
            near = [it for it in self.devices.values() if "look" not in it.silent]
            return [self.offer(it) if it.address else {"radio": "present", "device": it.identifier} for it in near]
        if word == "connect":
            device = self.devices[one["device"]]
            if word in device.silent:
                device.waiting.append(one)
                return []
            if why := device.fails.get(word):
                return [{"radio": "failed", "link": link, "why": why}]
            device.link = link
            return [{"radio": "connected", "link": link}]
        device = next((it for it in self.devices.values() if link is not None and it.link == link), None)
        if device is None:
            return []
        if device.silent & {word, f"{word} {one.get('handle', 0):#x}"}:
            device.waiting.append(one)
            return []
        if word == "disconnect":
            device.link = None
            return []
        answer = {"radio": "done", "link": link, "id": one["id"]}
        if why := device.fails.get(word) or device.fails.get((word, one.get("handle"))):
            return [{**answer, "why": why}]
        if word == "discover":
            return [{"radio": "found", "link": link, "services": device.services()}]
        handle, more = one.get("handle"), []
        if word in ("write", "command"):
            device.written.append((handle, one["value"]))
            device.keep(handle, one["value"])
            more = device.when_written(handle, one["value"])
        if word == "subscribe" and one["on"]:
            more = device.when_subscribed(handle)
        value = device.value(handle) if word == "read" else ""
        return [{**answer, "value": value}] + [
            {"radio": "value", "link": link, "handle": where, "value": octets} for where, octets in more
        ]
