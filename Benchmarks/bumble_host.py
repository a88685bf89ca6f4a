# SPDX-License-Identifier: Apache-2.0
"""bumble_host.py ROW PORT: Bumble as the host that bench-controller measures; bench-host does the same."""

import asyncio
import mmap
import os
import sys
import time

from bumble.core import UUID
from bumble.device import Device, Peer
from bumble.gatt import Characteristic, Service
from bumble.hci import Address, OwnAddressType
from bumble.keys import MemoryKeyStore, PairingKeys
from bumble.transport import open_transport

PEER = Address("C0:DE:C0:FF:EE:01", Address.RANDOM_DEVICE_ADDRESS)


class Page:
    """What the controller can see of this process, beside its clock."""

    def __init__(self):
        with open(os.environ["BENCH_PAGE"], "r+b") as file:
            self.words = memoryview(mmap.mmap(file.fileno(), 4096)).cast("Q")
        self.done = 0

    def count(self):
        self.done += 1
        self.words[1] = self.done

    def note(self, nanoseconds):
        if self.done < 504:
            self.words[8 + self.done] = nanoseconds


async def serve(device, page):
    characteristic = Characteristic(
        UUID.from_16_bits(0xFFF1),
        Characteristic.Properties.READ | Characteristic.Properties.NOTIFY,
        Characteristic.READABLE,
        b"\x55" * 20,
    )
    device.add_service(Service(UUID.from_16_bits(0xFFF0), [characteristic]))
    value = b"\xaa" * 244

    async def send(connection):
        queue = device.host.le_acl_packet_queue
        while True:
            await device.notify_subscriber(connection, characteristic, value)
            # Bumble queues without a bound: as ours does, wait when about as many frames wait.
            if queue.pending > 32:
                await queue.drain(connection.handle)

    tasks = []

    @device.on("connection")
    def connected(connection):
        @characteristic.on("subscription")
        def subscribed(_, notify, _indicate):
            if notify:
                tasks.append(asyncio.create_task(send(connection)))

    await device.power_on()
    await device.start_advertising(own_address_type=OwnAddressType.RANDOM, auto_restart=False)


async def receive(device, page):
    connection = await device.connect(PEER)
    peer = Peer(connection)
    await peer.request_mtu(247)
    await peer.discover_services()
    for service in peer.services:
        await service.discover_characteristics()
    (characteristic,) = peer.get_characteristics_by_uuid(UUID.from_16_bits(0xFFF1))

    def received(value):
        if len(value) == 244:
            page.count()

    await peer.subscribe(characteristic, received)


async def connect(device, page):
    while True:
        start = time.monotonic_ns()
        connection = await device.connect(PEER)
        # Ours connects until the MTU is agreed.
        await Peer(connection).request_mtu(517)
        page.note(time.monotonic_ns() - start)
        await connection.disconnect()
        page.count()


async def reconnect(device, page):
    keys = PairingKeys(ltk=PairingKeys.Key(value=bytes([0x55]) + bytes(15)))
    keys.address_type = PEER.address_type
    device.keystore = MemoryKeyStore()
    await device.keystore.update(str(PEER), keys)
    while True:
        start = time.monotonic_ns()
        connection = await device.connect(PEER)
        await Peer(connection).request_mtu(517)
        await connection.encrypt()
        page.note(time.monotonic_ns() - start)
        await connection.disconnect()
        page.count()


async def scan(device, page):
    @device.on("advertisement")
    def heard(advertisement):
        if sum(len(data) for _, data in advertisement.data.ad_structures) == 23:
            page.count()

    await device.start_scanning(active=False, filter_duplicates=False)


async def main():
    row, port = sys.argv[1:]
    async with await open_transport(f"tcp-client:127.0.0.1:{port}") as (source, sink):
        device = Device.with_hci("bench", Address("F0:F1:F2:F3:F4:F5"), source, sink)
        page = Page()
        if row in ("send", "read"):
            await serve(device, page)
        else:
            await device.power_on()
            await {"receive": receive, "connect": connect, "reconnect": reconnect, "scan": scan}[row](device, page)
        await asyncio.Event().wait()


asyncio.run(main())
