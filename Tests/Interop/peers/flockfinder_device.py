# SPDX-License-Identifier: Apache-2.0
"""A FlockFinder device as its document and its real firmware have it, and its false friend WiFiSet."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bumble.att import Attribute, AttributeValue
from bumble.device import Connection
from bumble.gatt import Characteristic, Service

from peers.bench import Bench
from peers.gadget import FLAGS, Gadget, ad_name, ad_uuid128

SERVICE = "4fafc201-1fb5-459e-8fcc-c5c9c331914b"
DETECTION = "beb5483e-36e1-4688-b7f5-ea07361b26a8"
COMMAND = "beb5483e-36e1-4688-b7f5-ea07361b26a9"
STREAM = "beb5483e-36e1-4688-b7f5-ea07361b26aa"
ADDRESS = "F0:F1:F2:F3:F4:F5"
NAME = "FlockFinder-S3"

WIFISET_CHARACTERISTICS = [f"4fafc20{digit}-1fb5-459e-8fcc-c5c9c331914b" for digit in "234"]

Properties = Characteristic.Properties


class FlockFinderDevice(Gadget):
    """The device of the app's documentation.

    With `readable`, Detection and Stream can be read too, as in real firmware; `without` leaves out one
    characteristic, which makes it no FlockFinder.
    """

    def __init__(
        self,
        bench: Bench,
        *,
        name: str = NAME,
        address: str = ADDRESS,
        readable: bool = False,
        advertise_service: bool = True,
        without: str | None = None,
    ) -> None:
        notified = Properties.NOTIFY | (Properties.READ if readable else Properties(0))
        self.detection = Characteristic(DETECTION, notified, Attribute.READABLE, b"")
        self.stream = Characteristic(STREAM, notified, Attribute.READABLE, b"")
        self.command = Characteristic(
            COMMAND, Properties.WRITE, Attribute.WRITEABLE, AttributeValue(write=self._on_command)
        )
        self.on_command: Callable[[bytes], None] = lambda _data: None
        characteristics = {DETECTION: self.detection, COMMAND: self.command, STREAM: self.stream}
        if without is not None:
            del characteristics[without]
        service = Service(SERVICE, list(characteristics.values()))
        # The name belongs into the scan response, but Bumble's controllers deliver none: a device that
        # shall be found by its name alone has it in the advertisement.
        advertised = FLAGS + (ad_uuid128(SERVICE) if advertise_service else ad_name(name))
        super().__init__(bench, name, address, [service], advertised)
        self.scan_response_data = ad_name(name)
        self.watch_subscription("detection", self.detection)
        self.watch_subscription("stream", self.stream)

    def _on_command(self, _connection: Connection, data: bytes) -> None:
        self.note_write("command", data)
        self.on_command(bytes(data))

    @property
    def commands(self) -> list[bytes]:
        """Every command that was written, in order."""
        return [entry.data for entry in self.entries("write", "command")]

    async def ready(self, count: int = 1, timeout: float = 15) -> None:
        """Waits until Detection has been subscribed to for the `count`th time."""
        await self.wait_for("subscribe", "detection", count, timeout)

    async def send(self, value: dict[str, Any] | bytes) -> None:
        """Sends a detection, in as many notifications as the MTU asks for."""
        await self._send(self.detection, value)

    async def send_stream(self, value: dict[str, Any] | bytes) -> None:
        await self._send(self.stream, value)

    async def send_raw(self, value: bytes) -> None:
        """Sends one notification with exactly these octets on Detection."""
        await self.notify(self.detection, value)

    async def send_pieces(self, value: bytes, size: int) -> None:
        """Sends octets on Detection in notifications of `size` octets."""
        for offset in range(0, len(value), size):
            await self.notify(self.detection, value[offset : offset + size])

    async def _send(self, characteristic: Characteristic, value: dict[str, Any] | bytes) -> None:
        data = value if isinstance(value, bytes) else encode(value)
        size = self.largest_notification
        if len(data) > size:
            data += b"\n"
        for offset in range(0, len(data), size):
            await self.notify(characteristic, data[offset : offset + size])


class WiFiSetDevice(Gadget):
    """A device with FlockFinder's service UUID and other characteristics: never a FlockFinder."""

    def __init__(self, bench: Bench, *, address: str = "C1:00:00:00:00:01") -> None:
        name = "WiFiSet-1A2B"
        wifi_list, credentials, status = (
            Characteristic(uuid, properties, Attribute.READABLE | Attribute.WRITEABLE, b"")
            for uuid, properties in zip(
                WIFISET_CHARACTERISTICS,
                [Properties.READ | Properties.NOTIFY, Properties.WRITE, Properties.READ | Properties.NOTIFY],
            )
        )
        service = Service(SERVICE, [wifi_list, credentials, status])
        super().__init__(bench, name, address, [service], FLAGS + ad_uuid128(SERVICE))
        self.scan_response_data = ad_name(name)


def encode(value: dict[str, Any]) -> bytes:
    """JSON as small firmware writes it: no spaces, everything beyond ASCII as UTF-8."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
