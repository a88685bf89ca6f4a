# SPDX-License-Identifier: Apache-2.0
"""Proves what our WiFiSet device does with credentials: joins, failures, another try, what is kept."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import StartWiFiSet
from peers.bench import Bench
from peers.neighbourhood import ALL_KINDS, CAFE, HOME, PASSWORD, SOUR, WRONG, network
from peers.wifiset import (
    CONNECTED,
    CONNECTING,
    CREDENTIAL_WRITE,
    FAILED_TO_CONNECT,
    NOT_CONFIGURED,
    STATUS,
    STORAGE_FAILURE,
    STORED,
    Ack,
    Status,
)
from peers.wifiset_client import WiFiSetClient


@pytest.mark.parametrize("mtu", [None, 517])
@pytest.mark.parametrize(
    "joined", [HOME, CAFE, *ALL_KINDS[4:5], *ALL_KINDS[6:]], ids=lambda found: found["ssid"]
)
async def test_a_join(
    joined: dict[str, Any], mtu: int | None, wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    await wifi_device([joined])
    await wifi_client.join(mtu)
    await wifi_client.give(joined["ssid"].encode(), (joined["password"] or "").encode())
    status = await wifi_client.wait_for_state(CONNECTED)
    assert status.ssid == joined["ssid"].encode() and status.rssi == joined["rssi"] and status.ip != "0.0.0.0"
    connecting = wifi_client.of(Status)[0]
    assert connecting == Status(CONNECTING, 0, "0.0.0.0", status.ssid)
    assert [type(arrival.message) for arrival in wifi_client.arrivals] == [Ack, Status, Status]
    assert wifi_client.acks == [STORED] and wifi_client.tracker.gaps == 0
    assert {arrival.uuid for arrival in wifi_client.arrivals} == {STATUS}
    assert await wifi_client.read_status() == status == await wifi_client.ask_status()


async def test_a_join_without_notifications(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    """Only reads: nothing is notified, and the state can be followed all the same."""
    run = await wifi_device()
    await wifi_client.join(subscribe=())
    await wifi_client.give(b"Home", PASSWORD.encode())
    await run.wait_until(
        lambda: "connected" in [event["state"] for event in run.events("wifi_status")], "the join"
    )
    assert (await wifi_client.read_status()).state == CONNECTED
    assert wifi_client.arrivals == []


@pytest.mark.parametrize("ssid", [b"Home", b"Sour", b"Nowhere", b"\xff\xfe"])
async def test_a_join_that_fails(ssid: bytes, wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    """Wrong password, or no such network: state 0x04, on new links too, with no set in use."""
    await wifi_device()
    await wifi_client.join()
    await wifi_client.give(ssid, WRONG.encode())
    failed = await wifi_client.wait_for_state(FAILED_TO_CONNECT)
    assert wifi_client.acks == [STORED] and wifi_client.states == [CONNECTING, FAILED_TO_CONNECT]
    assert failed == Status(FAILED_TO_CONNECT, 0, "0.0.0.0", b"")
    await wifi_client.disconnect()
    await wifi_client.join()
    assert await wifi_client.read_status() == failed == await wifi_client.ask_status()


async def test_another_try_on_the_same_link(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    await wifi_device()
    await wifi_client.join()
    for number in (1, 2):
        await wifi_client.give(b"Home", WRONG.encode())
        await wifi_client.wait_for_state(FAILED_TO_CONNECT, number)
    await wifi_client.give(b"Home", PASSWORD.encode())
    await wifi_client.wait_for_state(CONNECTED)
    assert wifi_client.acks == [STORED] * 3
    assert wifi_client.states == [CONNECTING, FAILED_TO_CONNECT] * 2 + [CONNECTING, CONNECTED]
    assert (await wifi_client.read_status()).ssid == b"Home"


async def test_a_failed_join_returns_to_the_set_that_worked(
    wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    """Nothing is stored before a join: 0x04 until the old set has joined again, with its SSID."""
    home = network("Home", rssi=-48, join_seconds=1)
    await wifi_device([home, SOUR])
    await wifi_client.join()
    await wifi_client.give(b"Home", PASSWORD.encode())
    await wifi_client.wait_for_state(CONNECTED)
    await wifi_client.give(b"Sour", PASSWORD.encode())
    failed = await wifi_client.wait_for_state(FAILED_TO_CONNECT)
    assert failed.ssid == b"Home"
    assert (await wifi_client.ask_status()).state == FAILED_TO_CONNECT
    await wifi_client.disconnect()
    await wifi_client.join()
    back = await wifi_client.wait_for_state(CONNECTED)
    assert (back.ssid, back.rssi) == (b"Home", -48)
    assert CONNECTING not in wifi_client.states


async def test_the_set_that_worked_outlives_many_failures(
    wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    await wifi_device()
    await wifi_client.join()
    await wifi_client.give(b"Cafe")
    await wifi_client.wait_for_state(CONNECTED)
    for number in range(2, 5):
        await wifi_client.give(b"Home", WRONG.encode())
        assert (await wifi_client.wait_for_state(CONNECTED, number)).ssid == b"Cafe"
    await wifi_client.give(b"Home", PASSWORD.encode())
    assert (await wifi_client.wait_for_state(CONNECTED, 5)).ssid == b"Home"
    await wifi_client.give(b"Sour", WRONG.encode())
    assert (await wifi_client.wait_for_state(CONNECTED, 6)).ssid == b"Home", (
        "the last that worked, not the first"
    )


async def test_a_storage_that_fails(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    """ACK 0x03, and no join: what was in use stays in use."""
    await wifi_device()
    await wifi_client.join()
    await wifi_client.give(b"Broken", PASSWORD.encode())
    await wifi_client.wait_for(Ack)
    assert (await wifi_client.ask_status()).state == NOT_CONFIGURED
    await wifi_client.give(b"Cafe")
    await wifi_client.wait_for_state(CONNECTED)
    await wifi_client.give(b"Broken", PASSWORD.encode())
    await wifi_client.wait_for(Ack, 3)
    assert wifi_client.acks == [STORAGE_FAILURE, STORED, STORAGE_FAILURE]
    status = await wifi_client.ask_status()
    assert (status.state, status.ssid) == (CONNECTED, b"Cafe")
    assert wifi_client.states.count(FAILED_TO_CONNECT) == 0


async def test_identical_credentials_during_a_join(
    wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    """Acknowledged again, by the same message or a new one, and the join of 2 s is not begun again."""
    await wifi_device()
    await wifi_client.join()
    octets = await wifi_client.give(b"Slow", PASSWORD.encode())
    await wifi_client.wait_for_state(CONNECTING)
    begun = wifi_client.arrivals[-1].at
    assert await wifi_client.is_quiet_for(0.6)
    await wifi_client.write(CREDENTIAL_WRITE, octets)
    await wifi_client.wait_for(Ack, 2)
    assert await wifi_client.is_quiet_for(0.6)
    await wifi_client.give(b"Slow", PASSWORD.encode())
    await wifi_client.wait_for(Ack, 3)
    await wifi_client.wait_for_state(CONNECTED)
    assert 1.8 < wifi_client.arrivals[-1].at - begun < 2.6
    assert wifi_client.states == [CONNECTING, CONNECTED] and wifi_client.acks == [STORED] * 3


async def test_other_credentials_during_a_join(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    await wifi_device()
    await wifi_client.join()
    await wifi_client.give(b"Slow", PASSWORD.encode())
    await wifi_client.wait_for_state(CONNECTING)
    await wifi_client.give(b"Home", PASSWORD.encode())
    status = await wifi_client.wait_for_state(CONNECTED)
    assert status.ssid == b"Home"
    assert await wifi_client.is_quiet_for(2.2), "the first join was given up"


@pytest.mark.parametrize("how", ["dropped", "lost"])
async def test_a_client_that_leaves_during_a_join(
    how: str, bench: Bench, wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    """The join goes on, and the next link finds its result."""
    run = await wifi_device()
    await wifi_client.join()
    await wifi_client.give(b"Slow", PASSWORD.encode())
    await wifi_client.wait_for_state(CONNECTING)
    if how == "dropped":
        await wifi_client.disconnect()
    else:
        bench.lose_links(wifi_client.device)
    await run.wait_for("link_disconnected")
    await wifi_client.join()
    assert (await wifi_client.read_status()).state == CONNECTING
    await wifi_client.wait_for_state(CONNECTED)
    assert wifi_client.tracker.gaps == 0 and wifi_client.tracker.first == 0, "a counter for each link"
