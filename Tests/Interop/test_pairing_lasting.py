# SPDX-License-Identifier: Apache-2.0
"""Bonds of our side with Bumble's when either is started anew, or has forgotten, in either role."""

from __future__ import annotations

import asyncio

import pytest
from bumble.core import ProtocolError
from bumble.keys import JsonKeyStore
from bumble.pairing import PairingConfig

from lantern import DONE, Lantern, Run
from peers.air import Air, Host
from peers.flockfinder_device import NAME

PEER = "C1:00:00:00:00:01"


async def start(serving: Lantern, air: Air) -> Host:
    """Bumble with keys that it has in a file."""
    host = await Host.attach(air.ports[0], "peer", PEER)
    host.device.keystore = JsonKeyStore(None, str(serving.home / "bumble.json"))
    host.device.pairing_config_factory = lambda _connection: PairingConfig(
        sc=True, mitm=False, identity_address_type=PairingConfig.AddressType.RANDOM
    )
    await host.device.power_on()
    return host


async def restart(serving: Lantern, air: Air, host: Host, count: int) -> Host:
    host.vanish()
    await air.wait_until_free(1, count)
    return await start(serving, air)


def radio(air: Air) -> str:
    return f"tcp:127.0.0.1:{air.ports[1]}"


async def test_bumbles_device_is_started_anew_and_forgets(serving: Lantern, air: Air) -> None:
    host = await start(serving, air)
    await host.advertise()
    result = await serving.run("pair", f"{PEER}/R", "--no-input", "--json", radio=radio(air))
    assert result.status == DONE, result

    async def security() -> tuple[int, str]:
        await host.advertise()
        commands = ["--command", "security"]
        result = await serving.run("gatt", "shell", f"{PEER}/R", "--json", *commands, radio=radio(air))
        [answer] = result.events("shell_answer")
        return result.status, answer["result"] and answer["result"]["level"] or answer["error"]

    host = await restart(serving, air, host, 1)
    assert await security() == (DONE, "encrypted")
    (serving.home / "bumble.json").unlink()
    host = await restart(serving, air, host, 2)
    # Whoever has forgotten may be somebody else with the same address: nothing pairs by itself, but a person may.
    assert await security() == (DONE, "none")
    await host.wait_for_disconnection()
    await host.advertise()
    result = await serving.run("pair", f"{PEER}/R", "--no-input", "--json", radio=radio(air))
    assert result.status == DONE, result
    host.vanish()


async def run_device(serving: Lantern, air: Air) -> Run:
    run = await serving.start("device", "run", "flockfinder", "--require-pairing", "--json", radio=radio(air))
    await run.wait_for("device_advertising")
    return run


async def test_bumbles_central_is_started_anew_and_forgets(serving: Lantern, air: Air) -> None:
    run = await run_device(serving, air)
    host = await start(serving, air)
    address = str((await host.find_named(NAME)).address)
    peer = await host.connect(address)
    await asyncio.wait_for(peer.connection.pair(), 30)
    await run.wait_for("link_secured")

    host = await restart(serving, air, host, 1)
    peer = await host.connect(address)
    await asyncio.wait_for(peer.connection.encrypt(), 30)
    await run.wait_for("link_secured", 2)

    # It has forgotten, and shows nothing that says that it is the same one.
    (serving.home / "bumble.json").unlink()
    host = await restart(serving, air, host, 2)
    peer = await host.connect(address)
    with pytest.raises(ProtocolError):
        await asyncio.wait_for(peer.connection.pair(), 30)
    [failed] = await run.wait_for("pairing_failed")
    assert "remove its bond here" in failed["reason"]

    # Removed here while the device runs, it may pair again.
    assert (await serving.run_offline("bonds", "remove", PEER)).status == DONE
    await peer.connection.disconnect()
    peer = await host.connect(address)
    await asyncio.wait_for(peer.connection.pair(), 30)
    await run.wait_for("link_secured", 3)
    host.vanish()
    assert (await run.interrupt()).status == DONE
