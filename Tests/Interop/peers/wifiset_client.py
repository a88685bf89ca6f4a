# SPDX-License-Identifier: Apache-2.0
"""A WiFiSet client on Bumble: subscribes, puts messages together, writes whole messages, pieces or nonsense."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bumble.gatt import Characteristic

from peers.bench import Bench
from peers.central import Central
from peers.wifiset import (
    CREDENTIAL_WRITE,
    STATUS,
    WIFI_LIST,
    Ack,
    Assembler,
    Credentials,
    Error,
    ListEnd,
    ListStart,
    Message,
    Network,
    SequenceTracker,
    Status,
    StatusRequest,
    cut_at,
    decode,
    pieces_of,
)

M = TypeVar("M", bound=Message)
HEADER_OF_ATT = 3


@dataclass(frozen=True)
class Arrival:
    """A message from the device."""

    uuid: str
    sequence: int
    message: Message
    at: float


class WiFiSetClient(Central):
    """One client, on one link at a time; `arrivals` are those of the present link, each of them decoded."""

    def __init__(self, bench: Bench, address: str = "E0:E1:E2:E3:E4:E5") -> None:
        super().__init__(bench, address)
        self.arrivals: list[Arrival] = []
        self.pieces: list[bytes] = []
        self.tracker = SequenceTracker()
        self.sequence = 0
        self._assemblers: dict[str, Assembler] = {}

    # The link

    async def join(self, mtu: int | None = 517, *, subscribe: Sequence[str] = (STATUS,)) -> None:
        """Finds the device, connects, and subscribes."""
        self.device.gatt_server.max_mtu = mtu or 23  # Also if the device asks for more.
        self.arrivals, self.pieces, self.sequence = [], [], 0
        self.tracker = SequenceTracker()
        self._assemblers = {}
        await self.connect((await self.find()).address, mtu)
        for uuid in subscribe:
            await self.listen(uuid)
        if self.characteristic(CREDENTIAL_WRITE).properties & Characteristic.Properties.NOTIFY:
            await self.listen(CREDENTIAL_WRITE)

    async def listen(self, uuid: str) -> None:
        self._assemblers.setdefault(uuid, Assembler())
        await self.characteristic(uuid).subscribe(self._take(uuid))

    async def stop_listening(self, uuid: str) -> None:
        """Switches notifications off; what is switched on next begins a new list."""
        await self.characteristic(uuid).unsubscribe()

    @property
    def mtu(self) -> int:
        assert self.connection is not None
        return self.connection.att_mtu

    def _take(self, uuid: str) -> Callable[[bytes], None]:
        def on_notification(value: bytes) -> None:
            piece = bytes(value)
            self.pieces.append(piece)
            for octets in self._assemblers[uuid].feed(piece):
                sequence, message = decode(octets)  # A device that sends nonsense fails the test here.
                self.tracker.note(octets)
                self.arrivals.append(Arrival(uuid, sequence, message, time.monotonic()))
            self.changes.notify()

        return on_notification

    # What came

    def of(self, kind: type[M]) -> list[M]:
        """The messages of a kind that have come."""
        return [arrival.message for arrival in self.arrivals if isinstance(arrival.message, kind)]

    @property
    def acks(self) -> list[int]:
        return [message.status for message in self.of(Ack)]

    @property
    def states(self) -> list[int]:
        return [message.state for message in self.of(Status)]

    @property
    def errors(self) -> list[int]:
        return [message.code for message in self.of(Error)]

    async def wait_for(self, kind: type[M], count: int = 1, timeout: float = 10) -> list[M]:
        """Waits until `count` messages of a kind have come on this link, and returns all of them."""
        await self.changes.wait_until(
            lambda: len(self.of(kind)) >= count,
            timeout,
            f"{count} × {kind.__name__}",
            lambda: f"came: {[(arrival.sequence, arrival.message) for arrival in self.arrivals]}",
        )
        return self.of(kind)

    async def wait_for_state(self, state: int, count: int = 1, timeout: float = 10) -> Status:
        """Waits until a state has been told `count` times, and returns the last of them."""
        await self.changes.wait_until(
            lambda: self.states.count(state) >= count,
            timeout,
            f"{count} × state {state}",
            lambda: f"came: {[(arrival.sequence, arrival.message) for arrival in self.arrivals]}",
        )
        return [message for message in self.of(Status) if message.state == state][-1]

    async def networks(self) -> list[Network]:
        """Subscribes to the list, and returns it when it has ended."""
        before, ends = len(self.arrivals), len(self.of(ListEnd))
        await self.listen(WIFI_LIST)
        await self.wait_for(ListEnd, ends + 1)
        messages = [arrival.message for arrival in self.arrivals[before:] if arrival.uuid == WIFI_LIST]
        assert isinstance(messages[0], ListStart) and isinstance(messages[-1], ListEnd)
        entries = [message for message in messages if isinstance(message, Network)]
        assert len(entries) == len(messages) - 2 and messages[-1].count == len(entries)
        return entries

    async def read_status(self) -> Status:
        _, message = decode(await self.characteristic(STATUS).read_value())
        assert isinstance(message, Status)
        return message

    # What we write

    def next_sequence(self) -> int:
        sequence, self.sequence = self.sequence, (self.sequence + 1) & 0xFF
        return sequence

    async def tell(self, message: Message, *, sequence: int | None = None, cut: Sequence[int] = ()) -> bytes:
        """Writes a message, cut at these positions or as the MTU asks for; returns its octets."""
        octets = message.encode(self.next_sequence() if sequence is None else sequence)
        for part in cut_at(octets, *cut):
            for piece in pieces_of(part, self.mtu - HEADER_OF_ATT):
                await self.write(CREDENTIAL_WRITE, piece)
        return octets

    async def give(self, ssid: bytes, password: bytes = b"", **options: int) -> bytes:
        """Writes credentials."""
        return await self.tell(Credentials(ssid, password), **options)

    async def ask_status(self) -> Status:
        """Asks with a Status Request."""
        count = len(self.of(Status))
        await self.tell(StatusRequest())
        return (await self.wait_for(Status, count + 1))[-1]

    async def is_quiet_for(self, seconds: float) -> bool:
        """Whether nothing comes for a while; a time limit of the protocol is the only reason to use it."""
        count = len(self.arrivals)
        await asyncio.sleep(seconds)
        return len(self.arrivals) == count
