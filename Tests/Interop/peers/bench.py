# SPDX-License-Identifier: Apache-2.0
"""The test bench: one local link, Bumble controllers on it, one of them open over TCP for `lantern`.

Every TCP connection gets a controller of its own, because Bumble's controller forgets nothing on Reset.
When the TCP connection ends, that controller leaves the link and its connections end with a supervision
timeout, as they do when a real host loses power.
"""

from __future__ import annotations

import asyncio
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
LINK_LOST = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
_EXTENDED_FEATURES = hci.LeFeatureMask.LE_EXTENDED_ADVERTISING | hci.LeFeatureMask.LE_PERIODIC_ADVERTISING


class RoutedLink(LocalLink):
    """A local link that routes data by connection.

    Bumble's own link stamps LE data with the sender's random address even on a connection that was made
    with the public one. Which address a host uses is its own business, so the bench carries both.
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


def make_controller(name: str, link: LocalLink, public_address: str, extended: bool = False) -> Controller:
    """A Bumble controller; without `extended` it is one of Bluetooth 4.2, with legacy advertising only."""
    controller = Controller(name, link=link, public_address=Address(public_address + "/P"))
    controller.le_acl_data_packet_length = ACL_DATA_LENGTH
    if not extended:
        controller.le_features = Controller.le_features & ~_EXTENDED_FEATURES
    return controller


def remove_controller(controller: Controller) -> None:
    """Takes a controller off the link at once; whoever is connected to it sees a supervision timeout."""
    controller.le_scan_enable = False
    controller.pending_le_connection = None
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
        self.controller: Controller | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.controller = self.port.make_controller()
        self.controller.host = self
        self.parser.set_packet_sink(self.controller)
        self.port.controller = self.controller
        self.port.changes.notify()

    def data_received(self, data: bytes) -> None:
        self.port.octets_from_host += len(data)
        self.parser.feed_data(data)

    def on_packet(self, packet: bytes) -> None:
        """A packet from the controller for the host."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(packet)

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
        self.controller: Controller | None = None
        self.octets_from_host = 0
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

    def make_controller(self) -> Controller:
        return make_controller("lantern", self.bench.link, self.public_address, self.bench.extended)

    async def wait_until_free(self, timeout: float = 5) -> None:
        """Waits until no host is attached any more."""
        await self.changes.wait_until(lambda: self.controller is None, timeout, "the host to detach")

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        if self.controller is not None:
            remove_controller(self.controller)


class Bench:
    """One link with everything on it."""

    def __init__(self, extended: bool = False) -> None:
        self.extended = extended
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

    def add_device(self, name: str, address: str) -> Device:
        """A Bumble device on a controller of its own, not powered on yet."""
        self._peers += 1
        controller = make_controller(name, self.link, f"00:1B:DC:01:00:{self._peers:02X}")
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
