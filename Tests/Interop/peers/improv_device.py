# SPDX-License-Identifier: Apache-2.0
"""An Improv device on Bumble that does what a test writes down: results in pieces, errors, silence, a button."""

from __future__ import annotations

import asyncio
from typing import Any

from bumble.att import Attribute, AttributeValue
from bumble.device import Connection
from bumble.gatt import Characteristic, Service

from peers import improv
from peers.bench import Bench
from peers.gadget import FLAGS, Gadget, ad_name, ad_uuid128
from peers.improv import Assembler, Malformed

Properties = Characteristic.Properties
Setting = tuple[bytes, bytes]


class ImprovDevice(Gadget):
    """The gadget of the standard.

    `outcomes` is what each try ends with: a URL, an error number, or None for silence; the last for ever.
    """

    def __init__(
        self,
        bench: Bench,
        *,
        mtu: int = 517,
        needs_authorization: bool = False,
        capabilities: int = 7,
        networks: list[str] = improv.NETWORKS,
        info: list[str] = improv.INFO,
        outcomes: list[str | int | None] | None = None,
        without: str | None = None,
        one_by_one: bool = False,
    ) -> None:
        self.outcomes = [improv.URL] if outcomes is None else outcomes
        self.networks, self.info = networks, info
        self.one_by_one = one_by_one
        """Whether each network comes in a result of its own, and an empty one ends them."""
        self.piece = 0
        """Octets of a piece of a result; 0 for whole results."""
        self.state = improv.AUTHORIZATION_REQUIRED if needs_authorization else improv.AUTHORIZED
        self.error = improv.NO_ERROR
        self.result = b""
        self.join_seconds = 0.05
        self.silent: set[int] = set()
        """The commands that are not answered."""
        self.results: dict[int, list[bytes]] = {}
        """What is sent, octet for octet, instead of the proper results."""
        self.commands: list[tuple[int, bytes]] = []
        self.settings: list[Setting] = []
        self.identified = 0
        self._assembler = Assembler()
        notified = Properties.READ | Properties.NOTIFY
        readable = Attribute.READABLE

        def value(read: Any) -> AttributeValue[bytes]:
            return AttributeValue(read=lambda _connection: read())

        self.state_characteristic = Characteristic(
            improv.STATE, notified, readable, value(lambda: bytes([self.state]))
        )
        self.error_characteristic = Characteristic(
            improv.ERROR, notified, readable, value(lambda: bytes([self.error]))
        )
        self.result_characteristic = Characteristic(
            improv.RESULT, notified, readable, value(lambda: self.result)
        )
        characteristics = {
            improv.STATE: self.state_characteristic,
            improv.ERROR: self.error_characteristic,
            improv.COMMAND: Characteristic(
                improv.COMMAND,
                Properties.WRITE | Properties.WRITE_WITHOUT_RESPONSE,
                Attribute.WRITEABLE,
                AttributeValue(write=self._on_write),
            ),
            improv.RESULT: self.result_characteristic,
            improv.CAPABILITIES: Characteristic(
                improv.CAPABILITIES, Properties.READ, readable, value(lambda: bytes([capabilities]))
            ),
        }
        if without is not None:
            del characteristics[without]
        data = FLAGS + ad_uuid128(improv.SERVICE) + improv.service_data(self.state, capabilities)
        assert len(data) == 31
        service = Service(improv.SERVICE, list(characteristics.values()))
        super().__init__(bench, improv.NAME, improv.ADDRESS, [service], data)
        self.scan_response_data = ad_name(improv.NAME)
        self.device.gatt_server.max_mtu = mtu
        self.watch_subscription("state", self.state_characteristic)
        self.watch_subscription("error", self.error_characteristic)
        self.watch_subscription("result", self.result_characteristic)
        self.device.on("connection", self._begin_link)

    def _begin_link(self, _connection: Connection) -> None:
        self._assembler = Assembler()

    # Commands

    def _on_write(self, _connection: Connection, data: bytes) -> None:
        self.note_write("command", data)
        for octets in self._assembler.feed(bytes(data)):
            self.bench.spawn(self._obey(octets))

    async def _obey(self, octets: bytes) -> None:
        try:
            identifier, data = improv.opened(octets)
        except Malformed:
            await self.set_error(improv.INVALID_PACKET)
            return
        self.commands.append((identifier, data))
        self.changes.notify()
        if identifier in self.silent:
            return
        await self.set_error(improv.NO_ERROR)
        if identifier in self.results:
            for octets in self.results[identifier]:
                await self.send_octets(octets)
        elif identifier == improv.IDENTIFY:
            self.identified += 1
        elif identifier == improv.DEVICE_INFO:
            await self.send(identifier, *self.info)
        elif identifier == improv.SCAN and self.one_by_one:
            for start in range(0, len(self.networks), 3):
                await self.send(identifier, *self.networks[start : start + 3])
            await self.send(identifier)
        elif identifier == improv.SCAN:
            await self.send(identifier, *self.networks)
        elif identifier == improv.WIFI_SETTINGS:
            await self._join(data)
        else:
            await self.set_error(improv.UNKNOWN_COMMAND)

    async def _join(self, data: bytes) -> None:
        ssid, password = improv.strings_in(data)
        self.settings.append((ssid, password))
        self.changes.notify()
        if self.state != improv.AUTHORIZED:
            await self.set_error(improv.NOT_AUTHORIZED)
            return
        await self.set_state(improv.PROVISIONING)
        outcome = self.outcomes[min(len(self.settings), len(self.outcomes)) - 1]
        if outcome is None:
            return
        await asyncio.sleep(self.join_seconds)
        if isinstance(outcome, str):
            await self.set_state(improv.PROVISIONED)
            await self.send(improv.WIFI_SETTINGS, *([outcome] if outcome else []))
        else:
            await self.set_error(outcome)
            await self.set_state(improv.AUTHORIZED)

    async def press_button(self) -> None:
        """Somebody is here."""
        await self.set_state(improv.AUTHORIZED)

    # What it says

    async def set_state(self, state: int) -> None:
        self.state = state
        await self._notify(self.state_characteristic, bytes([state]))

    async def set_error(self, error: int) -> None:
        if error != self.error:
            self.error = error
            await self._notify(self.error_characteristic, bytes([error]))

    async def send(self, identifier: int, *texts: str) -> None:
        await self.send_octets(improv.result(identifier, *texts))

    async def send_octets(self, octets: bytes) -> None:
        self.result = octets
        size = self.piece or (self.largest_notification if self.connected else len(octets))
        for piece in improv.pieces(octets, size):
            await self._notify(self.result_characteristic, piece)

    async def _notify(self, characteristic: Characteristic[Any], value: bytes) -> None:
        if self.connected:
            await self.notify(characteristic, value)

    async def wait_for_settings(self, count: int = 1) -> None:
        await self.changes.wait_until(
            lambda: len(self.settings) >= count, 15, f"{count} × settings", lambda: f"log: {self.log}"
        )


async def improv_on(bench: Bench, **options: Any) -> ImprovDevice:
    """A device that advertises."""
    device = ImprovDevice(bench, **options)
    await device.start()
    return device
