# SPDX-License-Identifier: Apache-2.0
"""Bumble's side of the rows about pairing: its two sessions of one pairing, with no controllers between them."""

import asyncio
import time

from bumble.core import PhysicalTransport
from bumble.hci import Address
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig
from bumble.smp import Manager, Session

FIRST, SECOND = Address("C0:00:00:00:00:01"), Address("C0:00:00:00:00:02")


class Host:
    """What a session asks of a controller."""

    def __init__(self, side):
        self.side = side

    async def send_async_command(self, _command):
        # The responder is asked for its key, and both are encrypted.
        assert self.side.other.session.get_long_term_key(bytes(8), 0)
        for side in (self.side.other, self.side):
            side.connection.is_encrypted = True
            side.session.on_connection_encryption_change()


class Device:
    """What a session asks of its device."""

    def __init__(self, side, address):
        self.host, self.keystore = Host(side), MemoryKeyStore()
        self.irk = bytes(16)
        self.static_address = self.random_address = self.public_address = address

    async def update_keys(self, address, keys):
        await self.keystore.update(address, keys)

    def __getattr__(self, _name):
        return lambda *_arguments: None


class Connection:
    """What a session asks of its link."""

    EVENT_DISCONNECTION, EVENT_CONNECTION_ENCRYPTION_CHANGE = "disconnection", "encryption"
    EVENT_CONNECTION_ENCRYPTION_KEY_REFRESH = "refresh"
    transport, handle = PhysicalTransport.LE, 1
    self_resolvable_address = peer_resolvable_address = None
    is_encrypted = False

    def __init__(self, side, own, peer):
        self.side, self.self_address, self.peer_address = side, own, peer

    def on(self, *_arguments):
        pass

    def remove_listener(self, *_arguments):
        pass

    def cancel_on_disconnection(self, work):
        return asyncio.ensure_future(work)

    def send_l2cap_pdu(self, _cid, pdu):
        asyncio.get_running_loop().call_soon(self.side.other.receive, pdu)

    async def drain(self):
        pass


class Side:
    """One end of the link."""

    def __init__(self, own, peer, config, is_initiator):
        self.connection = Connection(self, own, peer)
        self.manager = Manager(Device(self, own), lambda _connection: config)
        self.session = Session(self.manager, self.connection, config, is_initiator)
        self.manager.sessions[self.connection.handle] = self.session

    def receive(self, pdu):
        self.manager.on_smp_pdu(self.connection, pdu)


async def pair_once(is_secure):
    def config():
        return PairingConfig(
            sc=is_secure, mitm=False, bonding=True, identity_address_type=PairingConfig.AddressType.RANDOM)

    first, second = Side(FIRST, SECOND, config(), True), Side(SECOND, FIRST, config(), False)
    first.other, second.other = second, first
    await first.session.pair()
    while not second.session.completed:
        await asyncio.sleep(0)


def pair(times, is_secure):
    async def work():
        await pair_once(is_secure)
        start = time.process_time_ns()
        for _ in range(times):
            await pair_once(is_secure)
        return {"ns": (time.process_time_ns() - start) / times}

    return asyncio.run(work())
