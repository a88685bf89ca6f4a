# SPDX-License-Identifier: Apache-2.0
"""Two Bumble hosts pair on our air: our controllers encrypt, start again with a kept key, and end what cannot be read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from bumble.core import ProtocolError
from bumble.device import Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import HCI_Error, HCI_ErrorCode, HCI_LE_Enable_Encryption_Command
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate

from lantern import DONE, Lantern
from peers.air import SERVICE, VALUE, Air, Host, serve

GADGET, CENTRAL = "C1:00:00:00:00:01", "C2:00:00:00:00:02"
SECRET = b"only for those who are paired"


@pytest.fixture(params=["extended", "legacy"])
async def hosts(request: pytest.FixtureRequest, serving: Lantern) -> AsyncIterator[tuple[Air, Host, Host]]:
    """Two hosts on one air, which keep their keys; the first serves a value to those who are paired."""
    air = await serve(serving, "--features", request.param)
    gadget = await Host.attach(air.ports[0], "gadget", GADGET)
    central = await Host.attach(air.ports[1], "central", CENTRAL)
    for host in (gadget, central):
        host.device.keystore = MemoryKeyStore()
    value = Characteristic(
        VALUE,
        Characteristic.Properties.READ,
        Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION,
        CharacteristicValue(read=lambda _connection: SECRET),
    )
    gadget.device.add_service(Service(SERVICE, [value]))
    await gadget.device.power_on()
    await gadget.advertise()
    await central.device.power_on()
    yield air, gadget, central
    for host in (gadget, central):
        host.vanish()
    assert (await air.run.interrupt()).status == DONE


class Display(PairingDelegate):
    """Shows six digits."""

    def __init__(self) -> None:
        super().__init__(PairingDelegate.DISPLAY_OUTPUT_ONLY)
        self.digits: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def display_number(self, number: int, digits: int) -> None:
        self.digits.set_result(number)


class Keyboard(PairingDelegate):
    """Types what a display shows."""

    def __init__(self, display: Display) -> None:
        super().__init__(PairingDelegate.KEYBOARD_INPUT_ONLY)
        self.display = display

    async def get_number(self) -> int:
        return await self.display.digits


def set_up(host: Host, is_secure: bool, delegate: PairingDelegate | None = None) -> None:
    host.device.pairing_config_factory = lambda _connection: PairingConfig(
        sc=is_secure,
        mitm=delegate is not None,
        bonding=True,
        delegate=delegate,
        identity_address_type=PairingConfig.AddressType.RANDOM,
    )


async def enable_encryption(
    host: Host, peer: Peer, key: bytes, random: bytes = bytes(8), diversifier: int = 0
) -> None:
    command = HCI_LE_Enable_Encryption_Command(
        connection_handle=peer.connection.handle,
        random_number=random,
        encrypted_diversifier=diversifier,
        long_term_key=key,
    )
    await host.device.send_async_command(command)


@pytest.mark.parametrize("is_secure", [True, False], ids=["secure-connections", "legacy-pairing"])
@pytest.mark.parametrize("has_passkey", [False, True], ids=["just-works", "passkey"])
async def test_two_bumble_hosts_pair(
    hosts: tuple[Air, Host, Host], is_secure: bool, has_passkey: bool
) -> None:
    _, gadget, central = hosts
    display = Display() if has_passkey else None
    set_up(gadget, is_secure, display)
    set_up(central, is_secure, Keyboard(display) if display else None)
    peer = await central.connect(GADGET)
    [proxy] = peer.get_characteristics_by_uuid(VALUE)
    with pytest.raises(ProtocolError):
        await proxy.read_value()
    await asyncio.wait_for(peer.connection.pair(), 30)
    assert peer.connection.is_encrypted
    assert await proxy.read_value() == SECRET

    # With the key that both have kept. A known difference: legacy-key-swapped.
    [(name, kept)] = await gadget.device.keystore.get_all()
    kept.ltk_peripheral = kept.ltk_central
    await gadget.device.keystore.update(name, kept)
    await peer.connection.disconnect()
    await gadget.wait_for_disconnection()
    await gadget.advertise()
    peer = await central.connect(GADGET)
    await asyncio.wait_for(peer.connection.encrypt(), 30)
    [proxy] = peer.get_characteristics_by_uuid(VALUE)
    assert await proxy.read_value() == SECRET
    # Once more while it is encrypted: that pauses and starts it.
    refreshed = asyncio.Event()
    peer.connection.on(peer.connection.EVENT_CONNECTION_ENCRYPTION_KEY_REFRESH, refreshed.set)
    keys = await central.device.keystore.get(str(peer.connection.peer_address))
    key = keys.ltk or keys.ltk_central
    await enable_encryption(central, peer, key.value, key.rand or bytes(8), key.ediv or 0)
    await asyncio.wait_for(refreshed.wait(), 30)
    assert await proxy.read_value() == SECRET


async def test_who_has_forgotten_the_key_refuses(hosts: tuple[Air, Host, Host]) -> None:
    _, gadget, central = hosts
    for host in (gadget, central):
        set_up(host, is_secure=True)
    peer = await central.connect(GADGET)
    await asyncio.wait_for(peer.connection.pair(), 30)
    await peer.connection.disconnect()
    await gadget.wait_for_disconnection()
    await gadget.advertise()
    gadget.device.keystore = MemoryKeyStore()
    peer = await central.connect(GADGET)
    with pytest.raises(HCI_Error) as refused:
        await asyncio.wait_for(peer.connection.encrypt(), 30)
    assert refused.value.error_code == HCI_ErrorCode.PIN_OR_KEY_MISSING_ERROR


async def test_another_key_ends_the_link(hosts: tuple[Air, Host, Host]) -> None:
    _, gadget, central = hosts
    for host in (gadget, central):
        set_up(host, is_secure=True)
    peer = await central.connect(GADGET)
    await asyncio.wait_for(peer.connection.pair(), 30)
    await peer.connection.disconnect()
    await gadget.wait_for_disconnection()
    for host in (gadget, central):
        host.disconnections.clear()
    await gadget.advertise()
    peer = await central.connect(GADGET)
    await enable_encryption(central, peer, bytes(16))
    assert await gadget.wait_for_disconnection() == HCI_ErrorCode.CONNECTION_TERMINATED_DUE_TO_MIC_FAILURE_ERROR
    assert await central.wait_for_disconnection() == HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
