# SPDX-License-Identifier: Apache-2.0
"""An Improv client on Bumble: writes commands, whole or in pieces, and keeps states, errors and results."""

from __future__ import annotations

from bumble.core import UUID, AdvertisingData
from bumble.device import Advertisement

from peers import improv
from peers.bench import Bench
from peers.central import Central
from peers.improv import Assembler


class ImprovClient(Central):
    """The client of the standard."""

    def __init__(self, bench: Bench, address: str = "E0:E1:E2:E3:E4:E6") -> None:
        super().__init__(bench, address)
        self.states: list[int] = []
        self.errors: list[int] = []
        self.results: list[tuple[int, list[bytes]]] = []
        self._assembler = Assembler()

    async def join(self, mtu: int | None = 517) -> None:
        """Finds the device, connects and subscribes to all that it tells."""
        self.device.gatt_server.max_mtu = mtu or 23
        self.states, self.errors, self.results, self._assembler = [], [], [], Assembler()
        await self.connect((await self.find()).address, mtu)
        await self.characteristic(improv.STATE).subscribe(self._on_state)
        await self.characteristic(improv.ERROR).subscribe(self._on_error)
        await self.characteristic(improv.RESULT).subscribe(self._on_result)

    def _on_state(self, value: bytes) -> None:
        self.states.append(bytes(value)[0])
        self.changes.notify()

    def _on_error(self, value: bytes) -> None:
        self.errors.append(bytes(value)[0])
        self.changes.notify()

    def _on_result(self, value: bytes) -> None:
        for octets in self._assembler.feed(bytes(value)):
            identifier, data = improv.opened(octets)
            self.results.append((identifier, improv.strings_in(data)))
        self.changes.notify()

    async def send(self, octets: bytes, *, piece: int = 0, with_response: bool = True) -> None:
        """Writes a command, cut into pieces of so many octets or as the MTU asks for."""
        assert self.connection is not None
        for part in improv.pieces(octets, piece or self.connection.att_mtu - 3):
            await self.characteristic(improv.COMMAND).write_value(part, with_response=with_response)

    async def read(self, uuid: str) -> bytes:
        return bytes(await self.characteristic(uuid).read_value())

    async def wait_for_result(self, identifier: int, count: int = 1) -> list[bytes]:
        """Waits for the n-th result of a command, and returns its strings."""

        def found() -> list[list[bytes]]:
            fitting = [texts for kind, texts in self.results if kind == identifier]
            return fitting if len(fitting) >= count else []

        return (await self.changes.wait_until(found, 15, f"result {identifier}", self._came))[count - 1]

    async def wait_for_state(self, state: int) -> None:
        await self.changes.wait_until(lambda: state in self.states, 15, f"state {state}", self._came)

    async def wait_for_error(self, error: int, count: int = 1) -> None:
        await self.changes.wait_until(
            lambda: self.errors.count(error) >= count, 15, f"{count} × error {error}", self._came
        )

    def _came(self) -> str:
        return f"states {self.states}, errors {self.errors}, results {self.results}"


def service_data_of(advertisement: Advertisement) -> bytes:
    """The six octets of the service data 4677; they and the service must be in the advertisement itself."""
    kinds = AdvertisingData.Type
    listed = advertisement.data.get(kinds.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) or []
    assert UUID(improv.SERVICE) in listed
    uuid, data = advertisement.data.get(kinds.SERVICE_DATA_16_BIT_UUID)
    assert uuid == UUID.from_16_bits(improv.SERVICE_DATA)
    return bytes(data)
