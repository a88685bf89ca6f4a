# SPDX-License-Identifier: Apache-2.0
"""A WiFiSet device on Bumble that does what a test writes down: answers, pieces, faults, silence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bumble.att import Attribute, AttributeValue
from bumble.device import Connection
from bumble.gatt import Characteristic, Service

from peers.bench import Bench
from peers.gadget import FLAGS, Gadget, ad_name, ad_uuid128
from peers.wifiset import (
    CONNECTED,
    CONNECTING,
    CREDENTIAL_WRITE,
    INVALID_MESSAGE,
    SERVICE,
    STATUS,
    STORED,
    UNKNOWN_TYPE,
    WIFI_LIST,
    Ack,
    Assembler,
    Credentials,
    Error,
    ListEnd,
    ListStart,
    Malformed,
    Message,
    Network,
    SequenceTracker,
    Status,
    StatusRequest,
    cut_at,
    decode,
    pieces_of,
)

ADDRESS = "C2:57:1F:15:E7:01"
NAME = "WiFiSet-1A2B"
HOME = Network(b"Home", -48, 2, 6)
NEIGHBOURHOOD = [HOME, Network(b"Cafe", -70, 0, 11)]

Properties = Characteristic.Properties
Step = Message | bytes | float | Callable[[], Awaitable[None]]
"""A message, one notification on Status, a pause in seconds, or anything else."""


@dataclass(frozen=True)
class Received:
    """A message from the client."""

    sequence: int
    message: Message
    octets: bytes
    at: float


class WiFiSetDevice(Gadget):
    """The device of the specification; what it answers is in `answers`, one list of steps a try, the last for ever.

    With `acknowledges_on_credentials` Credential Write has notify, and ACKs come there instead of on Status.
    """

    def __init__(
        self,
        bench: Bench,
        *,
        mtu: int = 517,
        networks: Sequence[Network] = NEIGHBOURHOOD,
        answers: Sequence[Sequence[Step]] | None = None,
        acknowledges_on_credentials: bool = False,
        name: str = NAME,
        address: str = ADDRESS,
        without: str | None = None,
    ) -> None:
        self.networks = list(networks)
        self.answers: Sequence[Sequence[Step]] = answers if answers is not None else [self.joined(HOME)]
        self.lists: Sequence[Sequence[Step]] | None = None
        """What comes when the list is asked for, one list of steps a time, the last for ever."""
        self.status = Status()
        self.status_value: bytes | None = None
        """What a read of Status gives, if not the status."""
        self.answers_status_requests = True
        self.acknowledges_on_credentials = acknowledges_on_credentials
        self.received: list[Received] = []
        self.malformed: list[str] = []
        self.writes: list[bytes] = []
        self.tracker = SequenceTracker()
        self._assembler = Assembler()
        self._sequence = 0
        self._lists_asked = 0
        self._last_of_list = b""
        notified = Properties.READ | Properties.NOTIFY
        self.wifi_list = Characteristic(
            WIFI_LIST,
            notified,
            Attribute.READABLE,
            AttributeValue(read=lambda _connection: self._last_of_list),
        )
        self.credential_write = Characteristic(
            CREDENTIAL_WRITE,
            Properties.WRITE | (Properties.NOTIFY if acknowledges_on_credentials else Properties(0)),
            Attribute.WRITEABLE,
            AttributeValue(write=self._on_write),
        )
        self.status_characteristic = Characteristic(
            STATUS,
            notified,
            Attribute.READABLE,
            AttributeValue(read=lambda _connection: self._status_octets()),
        )
        characteristics = {
            WIFI_LIST: self.wifi_list,
            CREDENTIAL_WRITE: self.credential_write,
            STATUS: self.status_characteristic,
        }
        if without is not None:
            del characteristics[without]
        service = Service(SERVICE, list(characteristics.values()))
        super().__init__(bench, name, address, [service], FLAGS + ad_uuid128(SERVICE))
        self.scan_response_data = ad_name(name)
        self.device.gatt_server.max_mtu = mtu
        self.watch_subscription("list", self.wifi_list)
        self.watch_subscription("status", self.status_characteristic)
        self.watch_subscription("credentials", self.credential_write)
        self.on_subscribed = self._on_subscription
        self.device.on("connection", self._begin_link)

    @staticmethod
    def joined(network: Network, ip: str = "192.168.1.100") -> list[Step]:
        """The steps of a join that goes well."""
        return [
            Ack(STORED),
            Status(CONNECTING, 0, "0.0.0.0", network.ssid),
            Status(CONNECTED, network.rssi, ip, network.ssid),
        ]

    # What the client did

    def _begin_link(self, _connection: Connection) -> None:
        self._assembler = Assembler()
        self._sequence = 0
        self.tracker = SequenceTracker()

    def _on_subscription(self, name: str) -> None:
        if name == "list":
            self.bench.spawn(self._answer_list())

    def _on_write(self, _connection: Connection, data: bytes) -> None:
        self.writes.append(bytes(data))
        self.note_write("credentials", data)
        try:
            messages = self._assembler.feed(bytes(data))
        except Malformed as problem:
            self._refuse(problem, INVALID_MESSAGE)
            return
        for octets in messages:
            self._take(octets)

    def _take(self, octets: bytes) -> None:
        self.tracker.note(octets)
        try:
            sequence, message = decode(octets)
        except Malformed as problem:
            self._refuse(problem, INVALID_MESSAGE)
            return
        self.received.append(Received(sequence, message, octets, time.monotonic()))
        self.changes.notify()
        if isinstance(message, Credentials):
            number = len(self.tries) - 1
            self.bench.spawn(self.play(self.answers[min(number, len(self.answers) - 1)]))
        elif isinstance(message, StatusRequest):
            if self.answers_status_requests:
                self.bench.spawn(self.send(self.status))
        else:
            self._refuse(Malformed(f"type 0x{message.kind:02X} is not for devices"), UNKNOWN_TYPE)

    def _refuse(self, problem: Malformed, code: int) -> None:
        self._assembler = Assembler()
        self.malformed.append(str(problem))
        self.bench.spawn(self.send(Error(code, str(problem).encode())))

    @property
    def tries(self) -> list[Received]:
        """The credentials that came."""
        return [received for received in self.received if isinstance(received.message, Credentials)]

    @property
    def credentials(self) -> list[tuple[bytes, bytes]]:
        """SSID and password of every try."""
        return [
            (received.message.ssid, received.message.password)
            for received in self.tries
            if isinstance(received.message, Credentials)
        ]

    async def wait_for_tries(self, count: int, timeout: float = 15) -> None:
        await self.changes.wait_until(
            lambda: len(self.tries) >= count, timeout, f"{count} × credentials", lambda: f"log: {self.log}"
        )

    # What it answers

    def _status_octets(self) -> bytes:
        return self.status.encode(self._sequence) if self.status_value is None else self.status_value

    async def _answer_list(self) -> None:
        self._lists_asked += 1
        if self.lists is None:
            await self.send_list()
        else:
            await self.play(self.lists[min(self._lists_asked, len(self.lists)) - 1])

    async def send_list(self) -> None:
        for message in [ListStart(), *self.networks, ListEnd(len(self.networks))]:
            await self.send(message)

    async def play(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if not self.connected:
                return
            if isinstance(step, Message):
                await self.send(step)
            elif isinstance(step, bytes):
                await self.notify(self.status_characteristic, step)
            elif callable(step):
                await step()
            else:
                await asyncio.sleep(step)

    def next_sequence(self) -> int:
        """The number of the next message on this link."""
        sequence, self._sequence = self._sequence, (self._sequence + 1) & 0xFF
        return sequence

    def skip_sequence(self, count: int = 1) -> None:
        """As if messages had been lost."""
        self._sequence = (self._sequence + count) & 0xFF

    def characteristic_of(self, message: Message) -> Characteristic:
        if isinstance(message, ListStart | Network | ListEnd):
            return self.wifi_list
        if isinstance(message, Ack) and self.acknowledges_on_credentials:
            return self.credential_write
        return self.status_characteristic

    async def send(
        self,
        message: Message,
        *,
        sequence: int | None = None,
        cut: Sequence[int] = (),
        on: Characteristic | None = None,
    ) -> bytes:
        """Sends a message, cut at these positions or as the MTU asks for; returns its octets."""
        octets = message.encode(self.next_sequence() if sequence is None else sequence)
        if isinstance(message, Status):
            self.status = message
        characteristic = on or self.characteristic_of(message)
        await self.send_octets(characteristic, octets, cut)
        return octets

    async def send_octets(
        self, characteristic: Characteristic, octets: bytes, cut: Sequence[int] = ()
    ) -> None:
        """Sends any octets in pieces."""
        if characteristic is self.wifi_list:
            self._last_of_list = octets
        for part in cut_at(octets, *cut):
            for piece in pieces_of(part, self.largest_notification):
                await self.notify(characteristic, piece)


async def wifiset_on(bench: Bench, **options: Any) -> WiFiSetDevice:
    """A device that advertises."""
    device = WiFiSetDevice(bench, **options)
    await device.start()
    return device
