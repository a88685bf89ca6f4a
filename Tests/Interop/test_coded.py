# SPDX-License-Identifier: Apache-2.0
"""Proves that advertisers on LE Coded are heard and reached: a Bumble host on one of our controllers is one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from bumble.device import AdvertisingEventProperties, AdvertisingParameters
from bumble.gatt import Characteristic
from bumble.hci import Phy

from lantern import DONE, FAILED, NOTHING_FOUND, Lantern
from peers.air import LONG_VALUE, VALUE, Host, serve
from peers.gadget import ad_name

FAR = "C1:00:00:00:00:01"
UUID = str(VALUE).lower()


class FarGadget:
    """Somebody who advertises on LE Coded alone, and where to listen for them."""

    def __init__(self, host: Host, value: Characteristic[bytes], radio: str) -> None:
        self.host = host
        self.value = value
        self.radio = radio
        self.subscribed = asyncio.Event()
        value.on("subscription", lambda *_: self.subscribed.set())

    async def phys(self) -> tuple[int, int]:
        """What its last link is on."""
        phy = await self.host.connections[-1].get_phy()
        return phy.tx_phy, phy.rx_phy


@pytest.fixture
async def far(serving: Lantern) -> AsyncIterator[FarGadget]:
    air = await serve(serving)
    host = await Host.attach(air.ports[0], "far", FAR)
    value = await host.serve()
    await host.device.create_advertising_set(
        AdvertisingParameters(
            advertising_event_properties=AdvertisingEventProperties(is_connectable=True),
            primary_advertising_interval_min=30,
            primary_advertising_interval_max=30,
            primary_advertising_phy=Phy.LE_CODED,
            secondary_advertising_phy=Phy.LE_CODED,
        ),
        advertising_data=bytes([2, 1, 6]) + ad_name("far"),
        auto_restart=True,
    )
    yield FarGadget(host, value, f"tcp:127.0.0.1:{air.ports[1]}")
    host.vanish()
    assert (await air.run.interrupt()).status == DONE


@pytest.mark.parametrize("phys", [["--phy", "coded"], ["--phy", "1m,coded"], []])
async def test_it_is_heard(phys: list[str], far: FarGadget, serving: Lantern) -> None:
    scan = await serving.run("scan", *phys, "--duration", "2", "--json", radio=far.radio)
    assert scan.status == DONE
    assert {(line["address"], line["name"]) for line in scan.lines} == {(FAR, "far")}


async def test_on_1m_it_is_not_heard(far: FarGadget, serving: Lantern) -> None:
    scan = await serving.run("scan", "--phy", "1m", "--duration", "1", "--json", radio=far.radio)
    assert (scan.status, scan.lines) == (NOTHING_FOUND, [])


@pytest.mark.parametrize("phys", [["--phy", "coded"], ["--phy", "1m,coded"], []])
@pytest.mark.parametrize("address", [FAR, FAR + "/R"])
async def test_it_is_read(address: str, phys: list[str], far: FarGadget, serving: Lantern) -> None:
    read = await serving.run("gatt", "read", address, UUID, *phys, "--json", radio=far.radio)
    assert read.status == DONE, read
    assert read.lines[-1]["octets"] == LONG_VALUE.hex()


async def test_it_is_watched_on_a_coded_link(far: FarGadget, serving: Lantern) -> None:
    watch = await serving.start(
        "gatt", "watch", FAR, UUID, "--phy", "coded", "--count", "20", "--json", radio=far.radio
    )
    await far.host.changes.wait_until(lambda: bool(far.host.connections), 20, "a link")
    assert await far.phys() == (Phy.LE_CODED, Phy.LE_CODED)
    await asyncio.wait_for(far.subscribed.wait(), 20)
    for number in range(20):
        await far.host.device.notify_subscribers(far.value, bytes([number]))
        await asyncio.sleep(0)
    result = await watch.finish()
    assert result.status == DONE
    assert [line["octets"] for line in result.lines if line["event"] == "value_received"] == [f"{n:02x}" for n in range(20)]


async def test_the_shell_walks_it_on_a_coded_link(far: FarGadget, serving: Lantern) -> None:
    tree = await serving.run("gatt", "tree", FAR, "--phy", "coded", "--json", radio=far.radio)
    assert tree.status == DONE and UUID in tree.stdout.lower()
    shell = await serving.run(
        "gatt", "shell", FAR, "--phy", "coded", "--command", f"write {UUID} 0102", "--json", radio=far.radio
    )
    assert shell.status == DONE
    assert far.host.written == [b"\x01\x02"]


async def test_where_the_radio_cannot_it_says_so(serving: Lantern) -> None:
    air = await serve(serving, "--features", "legacy")
    radio = f"tcp:127.0.0.1:{air.ports[0]}"
    for arguments in (["scan", "--duration", "1"], ["gatt", "tree", FAR]):
        result = await serving.run(*arguments, "--phy", "coded", radio=radio)
        assert result.status == FAILED and "oded" in result.stderr, result
