# SPDX-License-Identifier: Apache-2.0
"""A Smart Nightlight on Bumble, and somebody who reads one: the whole profile, from Documentation/Protocols/nightlight.md."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bumble.att import Attribute, AttributeValue, ATT_Error
from bumble.core import UUID
from bumble.device import Connection
from bumble.gatt import Characteristic, Service
from bumble.gatt_client import CharacteristicProxy

from peers.bench import Bench
from peers.central import Central, Subscription
from peers.gadget import FLAGS, Gadget, ad_name, ad_uuid128
from peers.lamp_values import (
    BAD_LENGTH,
    BLACK,
    CHARGING,
    DAY_MINUTES,
    FACTORY_WEEK,
    OFF,
    OUT_OF_RANGE,
    PROOF,
    WRONG_SIZE,
    ActiveSource,
    Clock,
    decode_current_time,
    decode_date_time,
    is_text,
    judge_tonight,
    judge_week,
    level_status,
    time_with_dst,
)


def of_the_lamp(number: str) -> str:
    """A short number in the LED service's UUID."""
    return f"7a5a{number}-d04b-48eb-b3fa-32eb4f0ffac4"


LED_SERVICE, BUTTON_SERVICE, SCHEDULE_SERVICE = map(of_the_lamp, ("0000", "0100", "0200"))
ANOTHER_SERVICE = "12345678-1234-5678-1234-56789abcdef0"
ADDRESS, NAME = "D1:5A:00:00:00:01", "Nightlight"
READ, WRITE, NOTIFY = (Characteristic.Properties[name] for name in ("READ", "WRITE", "NOTIFY"))
BOTH = READ | WRITE

LEDS = ["led1", "led2", "led3", "led4"]
GIVEN_BUTTON = ["on_time", "daily", "deactivation", "shake"]
INFORMATION = ["model_number", "serial_number", "hardware_revision", "firmware_revision", "software_revision"]


@dataclass(frozen=True)
class Row:
    """One characteristic of the profile."""

    service: str
    uuid: str
    properties: Characteristic.Properties = BOTH


PROFILE = {
    "power": Row(LED_SERVICE, of_the_lamp("0001")),
    "link": Row(LED_SERVICE, of_the_lamp("0002")),
    "proof": Row(LED_SERVICE, of_the_lamp("0003")),
    "led1": Row(LED_SERVICE, of_the_lamp("0011")),
    "led2": Row(LED_SERVICE, of_the_lamp("0012")),
    "led3": Row(LED_SERVICE, of_the_lamp("0013")),
    "led4": Row(LED_SERVICE, of_the_lamp("0014")),
    "on_time": Row(BUTTON_SERVICE, "3cf04bd7-6812-4934-a000-da99e0e27494"),
    "daily": Row(BUTTON_SERVICE, "5405d754-7055-4b8c-8153-05d87a3f8c26"),
    "deactivation": Row(BUTTON_SERVICE, "683ed29f-aab0-473f-a944-c22444b3adde"),
    "shake": Row(BUTTON_SERVICE, "ca22ee9a-90c3-4631-8761-947df10f72d0"),
    "button_color": Row(BUTTON_SERVICE, of_the_lamp("0101")),
    "enabled": Row(BUTTON_SERVICE, of_the_lamp("0102")),
    "week": Row(SCHEDULE_SERVICE, of_the_lamp("0201")),
    "day": Row(SCHEDULE_SERVICE, of_the_lamp("0202")),
    "source": Row(SCHEDULE_SERVICE, of_the_lamp("0203"), READ | NOTIFY),
    "name": Row(SCHEDULE_SERVICE, of_the_lamp("0204")),
    "battery": Row("180f", "2a19", READ | NOTIFY),
    "charge": Row("180f", "2bed", READ | NOTIFY),
    "current_time": Row("1805", "2a2b"),
    "local_time": Row("1805", "2a0f"),
    "next_dst": Row("1807", "2a11"),
    "model_number": Row("180a", "2a24", READ),
    "serial_number": Row("180a", "2a25", READ),
    "hardware_revision": Row("180a", "2a27", READ),
    "firmware_revision": Row("180a", "2a26", READ),
    "software_revision": Row("180a", "2a28", READ),
    "system_id": Row("180a", "2a23", READ),
}


def own_uuid(uuid: str) -> UUID:
    return UUID(uuid) if len(uuid) == 36 else UUID.from_16_bits(int(uuid, 16))


# Refusals


def _sized(size: int, judge: Callable[[bytes], bool]) -> Callable[[bytes], int]:
    """Wrong size first, then the range."""
    return lambda data: WRONG_SIZE if len(data) != size else 0 if judge(data) else OUT_OF_RANGE


def _is_window(data: bytes) -> bool:
    return all(minute < DAY_MINUTES for minute in struct.unpack("<HH", data))


def _is_moment(data: bytes) -> bool:
    try:
        decode_date_time(data)
    except ValueError:
        return False
    return True


def _judge_name(data: bytes) -> int:
    return BAD_LENGTH if len(data) > 32 else 0 if is_text(data) else OUT_OF_RANGE


_flag = _sized(1, lambda data: data[0] <= 1)
_DST_OFFSETS = (0, 2, 4, 8, 255)
JUDGES: dict[str, Callable[[bytes], int]] = {
    **dict.fromkeys(("power", "link", "proof", "shake", "enabled"), _flag),
    **dict.fromkeys([*LEDS, "button_color"], _sized(3, lambda _data: True)),
    "on_time": _sized(2, lambda _data: True),
    "daily": _sized(1, lambda _data: True),
    "deactivation": _sized(4, _is_window),
    "week": judge_week,
    "day": judge_tonight,
    "name": _judge_name,
    "current_time": _sized(10, _is_moment),
    "local_time": _sized(2, lambda data: -48 <= struct.unpack_from("b", data)[0] <= 56 and data[1] in _DST_OFFSETS),
    # A date and time of zeros is one that is not known. Spec: GATT Specification Supplement, Date Time.
    "next_dst": _sized(8, lambda data: (_is_moment(data) or data[:7] == bytes(7)) and data[7] in _DST_OFFSETS),
}


class Lamp(Gadget):
    """A lamp that keeps what it is given, shines as its scripts say, and refuses what the profile refuses.

    `without` names characteristics that it lacks; `button_service` is where the four given button UUIDs are.
    """

    def __init__(
        self,
        bench: Bench,
        *,
        name: str = NAME,
        address: str = ADDRESS,
        without: Collection[str] = (),
        button_service: str = BUTTON_SERVICE,
    ) -> None:
        self.clock = Clock(datetime(2026, 11, 21, 20, 0))
        self.read_clock: Callable[[], Clock] = lambda: self.clock
        """What the lamp's clock shows until it is set."""
        self._clock_set: tuple[datetime, float] | None = None
        self.values = {
            "power": b"\x01",
            "link": b"\x00",
            "proof": b"\x00",
            **dict.fromkeys(LEDS, BLACK),
            "on_time": struct.pack("<H", 300),
            "daily": b"\x03",
            "deactivation": bytes(4),
            "shake": b"\x00",
            "button_color": bytes.fromhex("ffd0a0"),
            "enabled": b"\x01",
            "week": FACTORY_WEEK.encode(),
            "day": b"",
            "source": ActiveSource(OFF, BLACK).encode(),
            "name": b"",
            "battery": b"\x57",
            "charge": level_status(CHARGING),
            "next_dst": time_with_dst(datetime(2027, 3, 28, 2), 4),
            "model_number": b"SN-4",
            "serial_number": b"0001-A",
            "hardware_revision": b"C",
            "firmware_revision": b"1.4.2",
            "software_revision": b"7",
            "system_id": bytes.fromhex("0102030405060708"),
        }
        self.refusals: dict[str, int] = {}
        """Names whose writes are refused, whatever is written."""
        self.forgetful: set[str] = set()
        """Names whose writes are accepted, and not kept."""
        self.base = ActiveSource(OFF, BLACK)
        """What the lamp does when nobody proves its LEDs."""
        self.shown_colors: list[list[bytes]] = []
        """What the four LEDs showed, change by change."""
        self.characteristics = {
            name: self._characteristic(name, row) for name, row in PROFILE.items() if name not in without
        }
        services: dict[str, list[Characteristic[bytes]]] = {}
        for key, characteristic in self.characteristics.items():
            uuid = button_service if key in GIVEN_BUTTON else PROFILE[key].service
            services.setdefault(uuid, []).append(characteristic)
        super().__init__(
            bench,
            name,
            address,
            [Service(own_uuid(uuid), found) for uuid, found in services.items()],
            FLAGS + ad_uuid128(LED_SERVICE),
        )
        self.scan_response_data = ad_name(name)
        for key, characteristic in self.characteristics.items():
            if characteristic.properties & NOTIFY:
                self.watch_subscription(key, characteristic)
        self.device.on("connection", lambda connection: connection.on("disconnection", self._on_lost))

    def _characteristic(self, name: str, row: Row) -> Characteristic[bytes]:
        def read(_connection: Connection) -> bytes:
            return self.value(name)

        def write(_connection: Connection, data: bytes) -> None:
            self._write(name, bytes(data))

        permissions = Attribute.READABLE | (Attribute.WRITEABLE if row.properties & WRITE else 0)
        return Characteristic(own_uuid(row.uuid), row.properties, permissions, AttributeValue(read=read, write=write))

    # Values

    def value(self, name: str) -> bytes:
        """What a read returns."""
        if name == "current_time" and self._clock_set is not None:
            moment, since = self._clock_set
            return Clock(moment + timedelta(seconds=time.monotonic() - since)).current_time()
        if name == "current_time":
            return self.read_clock().current_time()
        if name == "local_time" and name not in self.values:
            return self.read_clock().local_time_information()
        if name in LEDS:
            return self.shown(LEDS.index(name))
        return self.values[name]

    def shown(self, led: int) -> bytes:
        """What an LED shows: dark without power; the first one's colour with the link."""
        if self.values["power"] == b"\x00":
            return BLACK
        if self.values["proof"] == b"\x00":
            return self.base.color
        return self.values["led1" if self.values["link"] == b"\x01" else LEDS[led]]

    def _write(self, name: str, data: bytes) -> None:
        self.note_write(name, data)
        if not PROFILE[name].properties & WRITE:
            raise ATT_Error(0x03)
        if code := self.refusals.get(name) or JUDGES[name](data):
            raise ATT_Error(code)
        if name in self.forgetful:
            return
        if name in LEDS and self.values["proof"] == b"\x00":
            for led in LEDS:
                self.values[led] = BLACK
            self.values["proof"] = b"\x01"
        self.values[name] = data
        if name == "current_time":
            self._clock_set = (decode_current_time(data), time.monotonic())
        if name in (*LEDS, "proof", "link", "power"):
            self._note_colors()
            self.bench.spawn(self.shine(self.base))

    def _note_colors(self) -> None:
        self.shown_colors.append([self.shown(led) for led in range(4)])
        self.changes.notify()

    def _on_lost(self, _reason: int) -> None:
        if self.values["proof"] == b"\x01":
            self.values["proof"] = b"\x00"
            self._note_colors()
            self.bench.spawn(self.shine(self.base))

    def written(self, name: str) -> list[bytes]:
        """Everything that was written to a characteristic, refused or not."""
        return [entry.data for entry in self.entries("write", name)]

    @property
    def all_written(self) -> list[str]:
        """The names of everything that was written, in order."""
        return [entry.where for entry in self.entries("write")]

    # Acting

    async def shine(self, source: ActiveSource) -> None:
        """What the lamp does now unless its LEDs are being proved, told to whoever listens."""
        self.base = source
        told = source if self.values["proof"] == b"\x00" else ActiveSource(PROOF, self.shown(0), 1)
        if self.values["power"] == b"\x00":
            told = replace(told, color=BLACK)
        await self.change("source", told.encode())

    async def change(self, name: str, value: bytes) -> None:
        """A value changes by itself."""
        self.values[name] = value
        for connection in list(self.device.connections.values()):
            if name in self.characteristics:
                characteristic = self.characteristics[name]
                await self.device.gatt_server.notify_subscriber(connection, characteristic, value)


class LampReader(Central):
    """A central that knows the profile."""

    def proxy(self, name: str) -> CharacteristicProxy[bytes]:
        return self.characteristic(PROFILE[name].uuid)

    async def find_lamp(self, mtu: int | None = 517) -> None:
        """Connects to the lamp that advertises on the bench."""
        await self.connect((await self.find()).address, mtu)

    async def read(self, name: str) -> bytes:
        return bytes(await self.proxy(name).read_value())

    async def set(self, name: str, value: bytes) -> None:
        """Writes with a response, in parts where the value is long."""
        await self.proxy(name).write_value(value, with_response=True)

    async def refusal(self, name: str, value: bytes) -> int:
        """Writes, and returns the code of the error, or 0."""
        try:
            await self.set(name, value)
        except ATT_Error as error:
            return int(error.error_code)
        return 0

    async def listen(self, name: str = "source") -> Subscription:
        """Switches notifications on; the read after it gives a lamp time to see that (finding 5)."""
        subscription = Subscription(self.proxy(name))
        await subscription.characteristic.subscribe(subscription.on_notification)
        await self.read(name)
        return subscription

    async def make_plain(self) -> None:
        """Dark days, no link, no shaking, no name: whatever the lamp had lived through before."""
        plain = {"week": FACTORY_WEEK.encode(), "day": b"", "name": b"", "link": b"\x00", "shake": b"\x00"}
        for name, value in plain.items():
            await self.set(name, value)

    async def source(self) -> ActiveSource:
        return ActiveSource.decode(await self.read("source"))

    async def set_clock(self, moment: datetime, zone: int = 0, dst: int = 0) -> None:
        """Sets the lamp's local time."""
        clock = Clock(moment, zone, dst)
        await self.set("local_time", clock.local_time_information())
        await self.set("current_time", clock.current_time(reason=1))


async def source_becomes(
    subscription: Subscription, accepts: Callable[[ActiveSource], bool], what: str, timeout: float = 10
) -> ActiveSource:
    """Waits until a notified source satisfies a condition, and returns it; it and those before it are taken."""
    passed: list[ActiveSource] = []

    def look() -> ActiveSource | None:
        while subscription.notifications:
            source = ActiveSource.decode(subscription.notifications.pop(0).value)
            passed.append(source)
            if accepts(source):
                return source
        return None

    found = await subscription.changes.wait_until(look, timeout, what, lambda: str(passed))
    assert found is not None
    return found


async def source_stays(subscription: Subscription, accepts: Callable[[ActiveSource], bool], seconds: float) -> None:
    """For so long each source that is notified satisfies a condition; all are taken."""
    await asyncio.sleep(seconds)
    came = [ActiveSource.decode(one.value) for one in subscription.notifications]
    subscription.notifications.clear()
    assert all(map(accepts, came)), came
