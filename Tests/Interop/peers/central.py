# SPDX-License-Identifier: Apache-2.0
"""A Bumble central that uses a device: scan, connect, discover, subscribe, write, and keep what comes."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from bumble.core import UUID
from bumble.device import Advertisement, Connection, Peer
from bumble.gatt_client import CharacteristicProxy
from bumble.hci import Address

from peers.bench import Bench
from peers.changes import Changes


@dataclass(frozen=True)
class Notification:
    """What came, and when on the monotonic clock."""

    value: bytes
    at: float


class Subscription:
    """The notifications of one characteristic, in order of arrival."""

    def __init__(self, characteristic: CharacteristicProxy[bytes]) -> None:
        self.characteristic = characteristic
        self.notifications: list[Notification] = []
        self.changes = Changes()

    def on_notification(self, value: bytes) -> None:
        self.notifications.append(Notification(bytes(value), time.monotonic()))
        self.changes.notify()

    @property
    def octets(self) -> bytes:
        """Everything notified so far, concatenated."""
        return b"".join(notification.value for notification in self.notifications)

    def objects(self) -> list[dict[str, Any]]:
        """The complete JSON objects in what came, wherever the borders of the notifications lie."""
        decoder = json.JSONDecoder()
        text = self.octets.decode("utf-8", errors="replace")
        objects = []
        position = 0
        while position < len(text):
            if text[position].isspace():
                position += 1
                continue
            try:
                value, position = decoder.raw_decode(text, position)
            except json.JSONDecodeError:
                break
            objects.append(value)
        return objects

    async def wait_for_objects(self, count: int, timeout: float = 15) -> list[dict[str, Any]]:
        await self.changes.wait_until(
            lambda: len(self.objects()) >= count,
            timeout,
            f"{count} objects",
            lambda: f"came: {self.octets!r}",
        )
        return self.objects()

    async def wait_for_object(self, timeout: float = 15, **members: Any) -> dict[str, Any]:
        """Waits for an object with these members, whatever else it has."""

        def find() -> dict[str, Any] | None:
            for value in self.objects():
                if all(value.get(key) == wanted for key, wanted in members.items()):
                    return value
            return None

        found = await self.changes.wait_until(
            find, timeout, f"an object with {members}", lambda: f"came: {self.octets!r}"
        )
        assert found is not None
        return found


class Central:
    """One central on the bench."""

    def __init__(self, bench: Bench, address: str = "E0:E1:E2:E3:E4:E5") -> None:
        self.device = bench.add_device("central", address)
        self.advertisements: list[Advertisement] = []
        self.changes = Changes()
        self.connection: Connection | None = None
        self.peer: Peer | None = None
        self.device.on("advertisement", self._on_advertisement)

    def _on_advertisement(self, advertisement: Advertisement) -> None:
        self.advertisements.append(advertisement)
        self.changes.notify()

    async def start(self) -> None:
        await self.device.power_on()

    async def find(self, timeout: float = 15) -> Advertisement:
        """Scans until the first advertisement of whoever is on the link comes from now on."""
        self.advertisements.clear()
        await self.device.start_scanning(legacy=True)
        try:
            await self.changes.wait_until(lambda: bool(self.advertisements), timeout, "an advertisement")
        finally:
            await self.device.stop_scanning()
        return self.advertisements[0]

    async def connect(self, address: Address, mtu: int | None = 517, timeout: float = 10) -> Peer:
        """Connects, exchanges the MTU if one is given, and discovers everything."""
        self.connection = await self.device.connect(address, timeout=timeout)
        self.peer = Peer(self.connection)
        if mtu is not None:
            await self.peer.request_mtu(mtu)
        await self.peer.discover_all()
        return self.peer

    def characteristic(self, uuid: str) -> CharacteristicProxy[bytes]:
        assert self.peer is not None
        found = self.peer.get_characteristics_by_uuid(UUID(uuid))
        assert len(found) == 1, f"{uuid} occurs {len(found)} times"
        return found[0]

    async def subscribe(self, uuid: str) -> Subscription:
        subscription = Subscription(self.characteristic(uuid))
        await subscription.characteristic.subscribe(subscription.on_notification)
        return subscription

    async def write(self, uuid: str, value: bytes) -> None:
        await self.characteristic(uuid).write_value(value, with_response=True)

    async def disconnect(self) -> None:
        if self.connection is not None:
            await self.connection.disconnect()
            self.connection = self.peer = None
