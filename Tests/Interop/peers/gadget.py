# SPDX-License-Identifier: Apache-2.0
"""What every Bumble peripheral of the suite has: advertising, a log of what was done to it, notifications."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bumble.att import ATT_PDU
from bumble.core import UUID
from bumble.device import Connection
from bumble.gatt import Characteristic, Service
from bumble.hci import HCI_ErrorCode, OwnAddressType

from peers.changes import Changes
from peers.bench import Bench

ADVERTISING_INTERVAL_MS = 40
FLAGS = bytes([0x02, 0x01, 0x06])


def ad_structure(ad_type: int, data: bytes) -> bytes:
    """One AD structure. Spec: Core v5.4, Vol 3, Part C, 11."""
    return bytes([len(data) + 1, ad_type]) + data


def ad_name(name: str) -> bytes:
    return ad_structure(0x09, name.encode())


def ad_uuid128(uuid: str) -> bytes:
    return ad_structure(0x07, bytes.fromhex(uuid.replace("-", ""))[::-1])


@dataclass(frozen=True)
class LogEntry:
    """Something the central did: `what` is connected, disconnected, subscribe, unsubscribe or write."""

    what: str
    where: str = ""
    data: bytes = b""


class Gadget:
    """A peripheral with the given services, which keeps a log."""

    def __init__(
        self, bench: Bench, name: str, address: str, services: list[Service], advertising_data: bytes
    ) -> None:
        self.bench = bench
        self.name = name
        self.address = address
        self.advertising_data = advertising_data
        self.scan_response_data = b""
        self.log: list[LogEntry] = []
        self.att_requests: list[ATT_PDU] = []
        self.changes = Changes()
        self.on_subscribed: Callable[[str], None] = lambda _name: None
        self._answers = True
        self._is_away = False
        self._address_type = OwnAddressType.RANDOM
        self.device = bench.add_device(name, address)
        self.device.add_services(services)
        self.device.on("connection", self._on_connection)
        self._serve = self.device.gatt_server.on_gatt_pdu
        self.device.gatt_server.on_gatt_pdu = self._on_att_pdu

    # Running

    async def start(self, public: bool = False) -> None:
        """Powers the device on and advertises; it advertises again after every disconnection."""
        if public:
            self._address_type = OwnAddressType.PUBLIC
        await self.device.power_on()
        await self.advertise()

    async def advertise(self, data: bytes | None = None) -> None:
        if data is not None:
            self.advertising_data = data
        self._is_away = False
        await self.device.start_advertising(
            own_address_type=self._address_type,
            advertising_data=self.advertising_data,
            scan_response_data=self.scan_response_data,
            advertising_interval_min=ADVERTISING_INTERVAL_MS,
            advertising_interval_max=ADVERTISING_INTERVAL_MS,
        )

    def fall_silent(self) -> None:
        """From now on no ATT request is answered."""
        self._answers = False

    def answer_again(self) -> None:
        self._answers = True

    def go_away(self) -> None:
        """Out of range: the link is lost, and nothing is advertised until `advertise` is called again."""
        self._is_away = True
        self.lose_link()

    async def drop(self, reason: int = HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR) -> None:
        """Disconnects the central."""
        await self.connection.disconnect(reason)

    def lose_link(self) -> None:
        """The link is lost to silence; both sides see a supervision timeout."""
        self.bench.lose_links(self.device)

    # What the central did

    def _on_connection(self, connection: Connection) -> None:
        connection.on("disconnection", self._on_disconnection)
        self._note(LogEntry("connected"))

    def _on_disconnection(self, reason: int) -> None:
        self._note(LogEntry("disconnected", data=bytes([reason])))
        if not self._is_away:
            self.bench.spawn(self.advertise())

    def _on_att_pdu(self, bearer: Connection, pdu: ATT_PDU) -> None:
        self.att_requests.append(pdu)
        if self._answers:
            self._serve(bearer, pdu)

    @property
    def own_write_requests(self) -> list[bytes]:
        """Write requests to the gadget's services; those to the GATT service are a client's own business."""
        gatt_service = UUID.from_16_bits(0x1801)
        ranges = [
            range(found.handle, found.end_group_handle + 1)
            for found in self.device.gatt_server.attributes
            if isinstance(found, Service) and found.uuid == gatt_service
        ]
        requests = [bytes(pdu) for pdu in self.att_requests]
        writes = [pdu for pdu in requests if pdu[0] == 0x12]
        return [pdu for pdu in writes if not any(int.from_bytes(pdu[1:3], "little") in span for span in ranges)]

    def _note(self, entry: LogEntry) -> None:
        self.log.append(entry)
        self.changes.notify()

    def watch_subscription(self, name: str, characteristic: Characteristic) -> None:
        """Puts subscriptions to the characteristic into the log, under this name."""

        def on_subscription(_bearer: Connection, notify: bool, indicate: bool) -> None:
            self._note(LogEntry("subscribe" if notify or indicate else "unsubscribe", name))
            if notify or indicate:
                self.on_subscribed(name)

        characteristic.on(Characteristic.EVENT_SUBSCRIPTION, on_subscription)

    def note_write(self, name: str, data: bytes) -> None:
        self._note(LogEntry("write", name, bytes(data)))

    def entries(self, what: str, where: str = "") -> list[LogEntry]:
        return [entry for entry in self.log if entry.what == what and where in ("", entry.where)]

    async def wait_for(self, what: str, where: str = "", count: int = 1, timeout: float = 15) -> None:
        """Waits until the log has `count` such entries."""
        await self.changes.wait_until(
            lambda: len(self.entries(what, where)) >= count,
            timeout,
            f"{count} × {what} {where} on {self.name}",
            lambda: f"log: {self.log}",
        )

    # Sending

    @property
    def connection(self) -> Connection:
        connections = list(self.device.connections.values())
        assert connections, f"{self.name} is not connected"
        return connections[-1]

    @property
    def connected(self) -> bool:
        return bool(self.device.connections)

    @property
    def largest_notification(self) -> int:
        return self.connection.att_mtu - 3

    async def notify(self, characteristic: Characteristic, value: bytes) -> None:
        """Sends exactly one notification (known difference: notifications-cut)."""
        assert len(value) <= self.largest_notification, "Bumble would truncate this notification"
        await self.device.gatt_server.notify_subscriber(self.connection, characteristic, value)

    async def indicate(self, characteristic: Characteristic, value: bytes) -> None:
        await self.device.gatt_server.indicate_subscriber(self.connection, characteristic, value)

    async def let_flow(self, most_pending: int = 64) -> None:
        """Waits until the controller has taken most of what was sent: flow control, not timing."""
        queue = self.device.host.get_data_packet_queue(self.connection.handle)
        while queue is not None and queue.pending > most_pending and self.connected:
            await asyncio.sleep(0.001)
