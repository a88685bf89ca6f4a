# SPDX-License-Identifier: Apache-2.0
"""The test bench: one local link, Bumble controllers on it, one of them open over TCP for `lantern`.

Every TCP connection gets a controller of its own (known difference: reset-cleans-nothing).
When the TCP connection ends, that controller leaves the link and its connections end with a supervision
timeout, as they do when a real host loses power.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from typing import Any

from bumble import hci, ll
from bumble.controller import Controller
from bumble.core import InvalidArgumentError, PhysicalTransport
from bumble.device import Device, DeviceConfiguration
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink, PacketParser

from peers.changes import Changes

ACL_DATA_LENGTH = 251
ACL_DATA_PACKETS = 64
SHARED_ACL_DATA_LENGTH = 64
COMPLETION_PERIOD = 0.002
FIRST_FRAGMENT, CONTINUING_FRAGMENT = 2, 1  # Packet_Boundary_Flag. Spec: Core v5.4, Vol 4, Part E, 5.4.2.
LINK_LOST = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
_EXTENDED_FEATURES = hci.LeFeatureMask.LE_EXTENDED_ADVERTISING | hci.LeFeatureMask.LE_PERIODIC_ADVERTISING


class RoutedLink(LocalLink):
    """A local link that routes data by connection.

    Bumble's own link stamps LE data with the sender's random address even on a connection that was made
    with the public one. Which address a host uses is its own business, so the bench carries both.
    Known difference: random-address-stamped.
    """

    def send_acl_data(
        self,
        sender_controller: Controller,
        destination_address: Address,
        transport: PhysicalTransport,
        data: bytes,
    ) -> None:
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is not None and receiver is not None:
            source = connection.self_address
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, source, transport, data)


class FragmentingController(Controller):
    """Bumble's controller, whose ACL packets to the host are no longer than those from it.

    Known difference: unfragmented-to-host.
    """

    longest_acl_from_host = 0
    completes_together = False
    """Whether packets are reported as completed for all links in one event, some time later."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._completed: Counter[int] = Counter()

    def send_hci_packet(self, packet: hci.HCI_Packet) -> None:
        if not self.completes_together or not isinstance(packet, hci.HCI_Number_Of_Completed_Packets_Event):
            super().send_hci_packet(packet)
            return
        if not self._completed:
            asyncio.get_running_loop().call_later(COMPLETION_PERIOD, self._complete)
        for handle, count in zip(packet.connection_handles, packet.num_completed_packets):
            self._completed[handle] += count

    def _complete(self) -> None:
        """One event for all; of links that are gone, nothing is reported."""
        alive = {
            handle: count
            for handle, count in self._completed.items()
            if self.find_connection_by_handle(handle) is not None
        }
        self._completed.clear()
        if alive:
            super().send_hci_packet(
                hci.HCI_Number_Of_Completed_Packets_Event(
                    connection_handles=list(alive), num_completed_packets=list(alive.values())
                )
            )

    def on_hci_acl_data_packet(self, packet: hci.HCI_AclDataPacket) -> None:
        self.longest_acl_from_host = max(self.longest_acl_from_host, packet.data_total_length)
        super().on_hci_acl_data_packet(packet)

    def on_link_acl_data(self, sender_address: Address, transport: PhysicalTransport, data: bytes) -> None:
        connection = self.le_connections.get(sender_address)
        if connection is None:
            return
        largest = self.le_acl_data_packet_length or self.acl_data_packet_length
        for offset in range(0, len(data), largest):
            part = data[offset : offset + largest]
            boundary = CONTINUING_FRAGMENT if offset else FIRST_FRAGMENT
            self.send_hci_packet(hci.HCI_AclDataPacket(connection.handle, boundary, 0, len(part), part))


def make_controller(
    name: str,
    link: LocalLink,
    public_address: str,
    extended: bool = False,
    acl_data_length: int = ACL_DATA_LENGTH,
    acl_data_packets: int = ACL_DATA_PACKETS,
) -> FragmentingController:
    """A Bumble controller; without `extended` it is one of Bluetooth 4.2, with legacy advertising only.

    With an ACL data length of 0 it has no buffers for LE alone, but shares those of BR/EDR, of 64 octets.
    """
    controller = FragmentingController(name, link=link, public_address=Address(public_address + "/P"))
    controller.le_acl_data_packet_length = acl_data_length
    controller.total_num_le_acl_data_packets = acl_data_packets if acl_data_length else 0
    controller.acl_data_packet_length = SHARED_ACL_DATA_LENGTH
    controller.total_num_acl_data_packets = acl_data_packets
    if not extended:
        controller.le_features = Controller.le_features & ~_EXTENDED_FEATURES
    return controller


def remove_controller(controller: Controller) -> None:
    """Takes a controller off the link at once; whoever is connected to it sees a supervision timeout."""
    controller.le_scan_enable = False
    controller.pending_le_connection = None  # Known difference: cancel-without-event.
    controller.le_legacy_advertiser.stop()
    for advertising_set in controller.advertising_sets.values():
        advertising_set.stop()
    for connection in list(controller.le_connections.values()):
        try:
            connection.send_ll_control_pdu(ll.TerminateInd(LINK_LOST))
        except InvalidArgumentError:
            pass  # The other side is gone as well.
    controller.le_connections.clear()
    controller.hci_sink = None
    if controller in controller.link.controllers:
        controller.link.remove_controller(controller)


class _Attachment(asyncio.Protocol):
    """One TCP connection of an HCI host, with the controller made for it."""

    def __init__(self, port: HCIPort) -> None:
        self.port = port
        self.parser = PacketParser()
        self.transport: asyncio.Transport | None = None
        self.controller: FragmentingController | None = None
        self.waiting = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.controller = self.port.make_controller()
        self.controller.host = self
        self.parser.set_packet_sink(self.controller)
        self.port.controller = self.port.last_controller = self.controller
        self.port.host = transport
        self.port.changes.notify()

    def data_received(self, data: bytes) -> None:
        self.port.octets_from_host += len(data)
        self.parser.feed_data(data)

    def on_packet(self, packet: bytes) -> None:
        """A packet from the controller for the host; what comes in one turn of the loop goes out in one piece.

        A burst spent a quarter of its time with sending them one by one, and the host as much with being woken for each.
        """
        if not self.waiting:
            asyncio.get_running_loop().call_soon(self._write)
        self.waiting += packet

    def _write(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(bytes(self.waiting))
        self.waiting.clear()

    def connection_lost(self, error: Exception | None) -> None:
        if self.controller is not None:
            remove_controller(self.controller)
        if self.port.controller is self.controller:
            self.port.controller = None
        self.port.changes.notify()


class HCIPort:
    """A TCP port of 127.0.0.1 that speaks HCI H4, with a fresh controller for each host that attaches."""

    def __init__(self, bench: Bench, public_address: str) -> None:
        self.bench = bench
        self.public_address = public_address
        self.changes = Changes()
        self.controller: FragmentingController | None = None
        self.last_controller: FragmentingController | None = None
        """The last one that a host was given, whether it still is there or not."""
        self.octets_from_host = 0
        self.host: asyncio.Transport | None = None
        """The connection of the last host that has attached."""
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Attachment(self), "127.0.0.1", 0)

    @property
    def radio(self) -> str:
        """What to give to `--radio`."""
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()
        return f"tcp:{host}:{port}"

    def make_controller(self) -> FragmentingController:
        return self.bench.make_controller("lantern", self.public_address, self.bench.extended)

    async def wait_until_free(self, timeout: float = 5) -> None:
        """Waits until no host is attached any more."""
        await self.changes.wait_until(lambda: self.controller is None, timeout, "the host to detach")

    def lose(self, returns: bool) -> None:
        """Pulls the radio out from under the host; if it `returns`, the host may attach again at once."""
        assert self.host is not None
        if not returns and self._server is not None:
            self._server.close()
        self.host.abort()

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        if self.controller is not None:
            remove_controller(self.controller)


class Bench:
    """One link with everything on it."""

    def __init__(self, extended: bool = False) -> None:
        self.extended = extended
        self.acl_data_length = ACL_DATA_LENGTH
        """Of the controllers that are made from now on."""
        self.acl_data_packets = ACL_DATA_PACKETS
        self.completes_together = False
        self.link = RoutedLink()
        self.port = HCIPort(self, "00:1B:DC:00:00:01")
        self._ports = [self.port]
        self._peers = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        await self.port.open()

    @property
    def radio(self) -> str:
        return self.port.radio

    async def add_port(self) -> HCIPort:
        """One more radio, for two `lantern` processes on one link."""
        port = HCIPort(self, f"00:1B:DC:00:00:{len(self._ports) + 1:02X}")
        self._ports.append(port)
        await port.open()
        return port

    def make_controller(self, name: str, public_address: str, extended: bool) -> FragmentingController:
        """A controller of this bench's kind."""
        controller = make_controller(
            name, self.link, public_address, extended, self.acl_data_length, self.acl_data_packets
        )
        controller.completes_together = self.completes_together
        return controller

    def add_device(self, name: str, address: str) -> Device:
        """A Bumble device on a controller of its own, not powered on yet."""
        self._peers += 1
        controller = self.make_controller(name, f"00:1B:DC:01:00:{self._peers:02X}", extended=False)
        configuration = DeviceConfiguration(name=name, address=Address(address))
        host = Host(controller, AsyncPipeSink(controller))
        device = Device(config=configuration, host=host)
        device.controller = controller
        return device

    def lose_links(self, device: Device) -> None:
        """Ends the connections of a device as radio silence does: both sides see a supervision timeout."""
        controller: Controller = device.controller
        for connection in list(controller.le_connections.values()):
            connection.send_ll_control_pdu(ll.TerminateInd(LINK_LOST))
            controller.on_le_disconnected(connection, LINK_LOST)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs what a peer does by itself; `close` waits for its end."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for port in self._ports:
            port.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5)
        for controller in list(self.link.controllers):
            remove_controller(controller)
