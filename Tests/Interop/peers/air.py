# SPDX-License-Identifier: Apache-2.0
"""Bumble hosts on the controllers of `lantern radio serve`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bumble.core import UUID, PhysicalTransport
from bumble.device import (
    Advertisement,
    Connection,
    ConnectionParametersPreferences,
    Device,
    DeviceConfiguration,
    Peer,
)
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address, Phy
from bumble.transport import open_transport
from bumble.transport.common import Transport

from lantern import Lantern, Run
from peers.changes import Changes
from peers.gadget import ad_name

SERVICE = UUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
VALUE = UUID("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
LONG_VALUE = bytes(number % 251 for number in range(400))
COMPLETE_LOCAL_NAME = 0x09
SHORTEST_INTERVAL = ConnectionParametersPreferences(connection_interval_min=7.5, connection_interval_max=7.5)


class Host:
    """A Bumble device whose controller is one of ours, behind a TCP port."""

    def __init__(self, transport: Transport, name: str, address: str) -> None:
        self.transport = transport
        configuration = DeviceConfiguration(name=name, address=Address(address))
        self.device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
        self.changes = Changes()
        self.advertisements: list[Advertisement] = []
        self.connections: list[Connection] = []
        self.disconnections: list[int] = []
        self.written: list[bytes] = []
        self.device.on("advertisement", self._on_advertisement)
        self.device.on("connection", self._on_connection)

    @classmethod
    async def attach(cls, port: int, name: str, address: str) -> Host:
        return cls(await open_transport(f"tcp-client:127.0.0.1:{port}"), name, address)

    def _on_advertisement(self, advertisement: Advertisement) -> None:
        self.advertisements.append(advertisement)
        self.changes.notify()

    def _on_connection(self, connection: Connection) -> None:
        self.connections.append(connection)
        connection.on("disconnection", self._on_disconnection)
        self.changes.notify()

    def _on_disconnection(self, reason: int) -> None:
        self.disconnections.append(reason)
        self.changes.notify()

    async def be_gadget(self) -> Characteristic[bytes]:
        """Serves a characteristic, and advertises."""
        value = await self.serve()
        await self.advertise()
        return value

    async def serve(self) -> Characteristic[bytes]:
        """Serves a characteristic."""

        def on_write(_connection: Connection, value: bytes) -> None:
            self.written.append(bytes(value))
            self.changes.notify()

        properties = Characteristic.Properties
        value = Characteristic(
            VALUE,
            properties.READ | properties.WRITE | properties.NOTIFY,
            Characteristic.READABLE | Characteristic.WRITEABLE,
            CharacteristicValue(read=lambda _connection: LONG_VALUE, write=on_write),
        )
        self.device.add_service(Service(SERVICE, [value]))
        await self.device.power_on()
        return value

    async def advertise(self) -> None:
        await self.device.start_advertising(
            advertising_data=bytes([2, 1, 6]),
            scan_response_data=ad_name("gadget"),
            advertising_interval_min=30,
            advertising_interval_max=30,
        )

    async def find(self, address: str) -> Advertisement:
        """Scans until somebody has been heard."""
        return await self._find(lambda found: found.address == Address(address), address)

    async def find_named(self, name: str) -> Advertisement:
        """Scans until somebody with a name has been heard."""
        return await self._find(lambda found: found.data.get(COMPLETE_LOCAL_NAME) == name, name)

    async def _find(self, is_the_one: Callable[[Advertisement], bool], what: str) -> Advertisement:
        def heard() -> Advertisement | None:
            return next(filter(is_the_one, self.advertisements), None)

        self.advertisements.clear()
        await self.device.start_scanning()
        found = await self.changes.wait_until(heard, 15, f"an advertisement of {what}")
        await self.device.stop_scanning()
        assert found is not None
        return found

    async def connect(self, address: str, mtu: int = 247) -> Peer:
        """Connects with the shortest interval, and discovers everything."""
        preferences = {Phy.LE_1M: SHORTEST_INTERVAL}
        peer = Peer(
            await self.device.connect(Address(address), PhysicalTransport.LE, preferences, timeout=10)
        )
        if mtu > 23:
            await peer.request_mtu(mtu)
        await peer.discover_all()
        return peer

    async def wait_for_disconnection(self) -> int:
        await self.changes.wait_until(lambda: bool(self.disconnections), 20, "a disconnection")
        return self.disconnections[-1]

    def vanish(self) -> None:
        """The process is gone, as TCP sees it."""
        self.transport.sink.transport.abort()


class Air:
    """A running `lantern radio serve`."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @property
    def ports(self) -> list[int]:
        return [line["port"] for line in self.run.events("controller_listening")]

    async def wait_until_free(self, controller: int, count: int = 1) -> None:
        await self.run.wait_until(
            lambda: [line["controller"] for line in self.run.events("host_detached")].count(controller) >= count,
            f"controller {controller} to be free",
        )


    def control(self, line: str) -> None:
        """Changes the air; it must have been served with `--control`."""
        assert self.run.process.stdin is not None
        self.run.process.stdin.write(f"{line}\n".encode())


async def serve(lantern: Lantern, *arguments: str) -> Air:
    stdin = asyncio.subprocess.PIPE if "--control" in arguments else asyncio.subprocess.DEVNULL
    run = await lantern.start_offline("radio", "serve", "--port", "0", "--json", *arguments, stdin=stdin)
    await run.wait_for("radio_ready")
    return Air(run)
