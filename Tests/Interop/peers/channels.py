# SPDX-License-Identifier: Apache-2.0
"""L2CAP channels of a Bumble host, with SDUs kept apart and what came kept in order."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from bumble.device import Connection, Device
from bumble.hci import Address, OwnAddressType
from bumble.l2cap import L2CAP_LE_SIGNALING_CID, LeCreditBasedChannel, LeCreditBasedChannelSpec

from peers.bench import Bench
from peers.changes import Changes

PSM = 0x80


class PeerChannel:
    """One channel on Bumble's side."""

    def __init__(self, channel: LeCreditBasedChannel) -> None:
        self.channel = channel
        self.sdus: list[bytes] = []
        self.is_closed = False
        self.changes = Changes()
        channel.sink = self._on_sdu
        channel.on(LeCreditBasedChannel.EVENT_CLOSE, self._on_close)

    def _on_sdu(self, sdu: bytes) -> None:
        self.sdus.append(bytes(sdu))
        self.changes.notify()

    def _on_close(self) -> None:
        self.is_closed = True
        self.changes.notify()

    @property
    def connection(self) -> Connection:
        return self.channel.connection

    async def send(self, sdus: Iterable[bytes]) -> None:
        """Sends each as an SDU of its own; Bumble would join what waits together."""
        for sdu in sdus:
            self.channel.write(sdu)
            while self.channel.out_queue or self.channel.out_sdu is not None:
                if self.is_closed:
                    return
                await asyncio.sleep(0)
            await self._let_flow()

    async def _let_flow(self) -> None:
        queue = self.connection.device.host.get_data_packet_queue(self.connection.handle)
        while queue is not None and queue.pending > 64 and not self.is_closed:
            await asyncio.sleep(0)

    def send_frame(self, payload: bytes) -> None:
        """Sends a frame as it is, whatever the credits."""
        self.channel.manager.send_pdu(self.connection, self.channel.destination_cid, payload)

    def send_signal(self, frame: object) -> None:
        self.channel.manager.send_control_frame(self.connection, L2CAP_LE_SIGNALING_CID, frame)

    async def wait_for(self, count: int, timeout: float = 20) -> list[bytes]:
        await self.changes.wait_until(
            lambda: len(self.sdus) >= count,
            timeout,
            f"{count} SDUs",
            lambda: f"{len(self.sdus)} came; {self.channel}",
        )
        return self.sdus

    async def wait_until_closed(self, timeout: float = 20) -> None:
        await self.changes.wait_until(lambda: self.is_closed, timeout, "the end of the channel")


class ChannelServer:
    """A Bumble peripheral that accepts channels."""

    ADDRESS = "F0:F1:F2:F3:F4:F5"

    def __init__(self, bench: Bench, mtu: int = 2048, mps: int = 2048, credits: int = 256) -> None:
        self.bench = bench
        self.device: Device = bench.add_device("channels", self.ADDRESS)
        self.channels: list[PeerChannel] = []
        self.changes = Changes()
        spec = LeCreditBasedChannelSpec(psm=PSM, mtu=mtu, mps=mps, max_credits=credits)
        self.device.create_l2cap_server(spec=spec, handler=self._on_channel)

    @property
    def address(self) -> str:
        return f"{self.ADDRESS}/R"

    def _on_channel(self, channel: LeCreditBasedChannel) -> None:
        self.channels.append(PeerChannel(channel))
        self.changes.notify()

    async def start(self) -> None:
        await self.device.power_on()
        await self.device.start_advertising(
            own_address_type=OwnAddressType.RANDOM,
            advertising_data=bytes([2, 1, 6]),
            advertising_interval_min=20,
            advertising_interval_max=20,
        )

    async def channel(self, number: int = 0, timeout: float = 20) -> PeerChannel:
        await self.changes.wait_until(lambda: len(self.channels) > number, timeout, "a channel")
        return self.channels[number]


async def open_channel(
    connection: Connection, psm: int = PSM, mtu: int = 2048, mps: int = 2048, credits: int = 256
) -> PeerChannel:
    """Asks for a channel."""
    spec = LeCreditBasedChannelSpec(psm=psm, mtu=mtu, mps=mps, max_credits=credits)
    return PeerChannel(await connection.create_l2cap_channel(spec=spec))


def random_address(address: str) -> Address:
    return Address(address, Address.RANDOM_DEVICE_ADDRESS)
