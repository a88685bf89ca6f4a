# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern device run improv` with an Improv client on Bumble that was written from the standard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from lantern import DONE, WRONG_USAGE, Lantern, Run
from peers import improv
from peers.bench import Bench
from peers.improv_client import ImprovClient, service_data_of
from peers.neighbourhood import ALL_KINDS, NEIGHBOURHOOD, PASSWORD, WRONG, save

StartImprov = Callable[..., Awaitable[Run]]


@pytest.fixture
async def client(bench: Bench) -> ImprovClient:
    client = ImprovClient(bench)
    await client.start()
    return client


@pytest.fixture
async def device(lantern: Lantern, tmp_path: Path) -> AsyncIterator[StartImprov]:
    """Starts our device in a neighbourhood; at the end it ends well and has printed no password."""
    runs: list[Run] = []

    async def start(*arguments: str, networks: list[dict[str, object]] = NEIGHBOURHOOD) -> Run:
        file = save(tmp_path, networks)
        command = ["device", "run", "improv", "--networks", str(file), "--json", *arguments]
        run = await lantern.start(*command, stdin=True)
        runs.append(run)
        await run.wait_for("device_advertising")
        return run

    yield start
    for run in runs:
        result = await run.interrupt()
        assert result.status == DONE
        for password in (PASSWORD, WRONG):
            assert password not in result.stdout + result.stderr


async def test_what_it_advertises_and_serves(client: ImprovClient, device: StartImprov) -> None:
    await device()
    advertisement = await client.find()
    assert advertisement.is_connectable and len(advertisement.data_bytes) <= 31
    assert service_data_of(advertisement) == bytes([improv.AUTHORIZED, 7, 0, 0, 0, 0])
    await client.join()
    uuids = (improv.STATE, improv.ERROR, improv.COMMAND, improv.RESULT, improv.CAPABILITIES)
    properties = {uuid: int(client.characteristic(uuid).properties) for uuid in uuids}
    assert properties == dict(zip(uuids, (0x12, 0x12, 0x0C, 0x12, 0x02)))
    assert await client.read(improv.CAPABILITIES) == b"\x07"
    assert await client.read(improv.STATE) == b"\x02" and await client.read(improv.ERROR) == b"\x00"


@pytest.mark.parametrize("mtu", [None, 64, 517])
@pytest.mark.parametrize("piece", [0, 1, 20])
@pytest.mark.parametrize("with_response", [True, False])
async def test_a_join(
    mtu: int | None, piece: int, with_response: bool, client: ImprovClient, device: StartImprov
) -> None:
    run = await device()
    await client.join(mtu)
    await client.send(
        improv.wifi_settings("Home", PASSWORD), piece=min(piece, 20), with_response=with_response
    )
    texts = await client.wait_for_result(improv.WIFI_SETTINGS)
    assert len(texts) == 1 and texts[0].startswith(b"http://")
    assert client.states == [improv.PROVISIONING, improv.PROVISIONED] and set(client.errors) <= {0}
    assert await client.read(improv.STATE) == b"\x04"
    assert [line["state"] for line in await run.wait_for("improv_state", 2)] == ["provisioning", "provisioned"]
    (settings,) = await run.wait_for("improv_settings")
    assert settings["ssid"] == "Home" and settings["error"] == "none"


async def test_a_wrong_password_and_another_try(client: ImprovClient, device: StartImprov) -> None:
    run = await device()
    await client.join()
    await client.send(improv.wifi_settings("Home", WRONG))
    await client.wait_for_error(improv.UNABLE_TO_CONNECT)
    await client.wait_for_state(improv.AUTHORIZED)
    assert await client.read(improv.ERROR) == b"\x03"
    await client.send(improv.wifi_settings("Home", PASSWORD))
    await client.wait_for_result(improv.WIFI_SETTINGS)
    assert client.errors[-1] == 0
    assert len(await run.wait_for("improv_join_failed")) == 1


@pytest.mark.parametrize("mtu", [None, 517])
async def test_the_networks(mtu: int | None, client: ImprovClient, device: StartImprov) -> None:
    await device(networks=ALL_KINDS)
    await client.join(mtu)
    await client.send(improv.packet(improv.SCAN))
    texts = await client.wait_for_result(improv.SCAN)
    assert len(texts) % 3 == 0
    found = {texts[index]: (texts[index + 1], texts[index + 2]) for index in range(0, len(texts), 3)}
    named = {str(network["ssid"]).encode() for network in ALL_KINDS if network["ssid"]}
    assert set(found) == named and len(found) == len(texts) // 3
    assert found[b"Home"] == (b"-48", b"WPA2") and found[b"Cafe"] == (b"-70", b"NO")
    assert found[b"Old"] == (b"-90", b"WEP")


async def test_many_networks_come_in_several_results(client: ImprovClient, device: StartImprov) -> None:
    many = [{"ssid": f"Network number {number}", "rssi": -number} for number in range(30, 60)]
    await device(networks=many)
    await client.join()
    await client.send(improv.packet(improv.SCAN))
    await client.changes.wait_until(
        lambda: sum(len(texts) for _, texts in client.results) == 90, 15, "30 networks"
    )
    assert len(client.results) > 1 and client.results[0][1][0] == b"Network number 30"


async def test_what_it_is(client: ImprovClient, device: StartImprov) -> None:
    run = await device()
    await client.join(None)
    await client.send(improv.packet(improv.DEVICE_INFO))
    texts = await client.wait_for_result(improv.DEVICE_INFO)
    assert len(texts) >= 4 and all(texts[:4])
    await client.send(improv.packet(improv.IDENTIFY))
    await run.wait_for("improv_identify")
    assert client.results == [(improv.DEVICE_INFO, texts)]


async def test_the_button(client: ImprovClient, device: StartImprov) -> None:
    run = await device("--press")
    assert service_data_of(await client.find())[0] == improv.AUTHORIZATION_REQUIRED
    await client.join()
    assert await client.read(improv.STATE) == b"\x01"
    await client.send(improv.wifi_settings("Home", PASSWORD))
    await client.wait_for_error(improv.NOT_AUTHORIZED)
    await client.send(improv.packet(improv.DEVICE_INFO))
    await client.wait_for_result(improv.DEVICE_INFO)
    await run.feed(b"press\n")
    await client.wait_for_state(improv.AUTHORIZED)
    await client.send(improv.wifi_settings("Home", PASSWORD))
    await client.wait_for_result(improv.WIFI_SETTINGS)
    assert [line["error"] for line in await run.wait_for("improv_settings", 2)] == ["not_authorized", "none"]


@pytest.mark.parametrize(
    ("octets", "error"),
    [
        (bytes([2, 0, 3]), improv.INVALID_PACKET),
        (improv.packet(1, b""), improv.INVALID_PACKET),
        (improv.packet(1, bytes([5, 65])), improv.INVALID_PACKET),
        (improv.wifi_settings("", ""), improv.INVALID_PACKET),
        (improv.wifi_settings("x" * 33, ""), improv.INVALID_PACKET),
        (improv.wifi_settings("x", "x" * 65), improv.INVALID_PACKET),
        (improv.packet(4, b"x"), improv.INVALID_PACKET),
        (improv.packet(5, b""), improv.UNKNOWN_COMMAND),
        (improv.packet(0xFF, b"x" * 200), improv.UNKNOWN_COMMAND),
        (bytes([1, 200]), improv.INVALID_PACKET),
    ],
)
async def test_what_it_does_not_understand(
    octets: bytes, error: int, client: ImprovClient, device: StartImprov
) -> None:
    run = await device()
    await client.join()
    await client.send(octets)
    await client.wait_for_error(error)
    assert len(await run.wait_for("improv_fault")) == 1
    await client.send(improv.packet(improv.DEVICE_INFO))
    await client.wait_for_result(improv.DEVICE_INFO)
    assert client.states == []


async def test_two_clients_get_their_own_answers(bench: Bench, device: StartImprov) -> None:
    await device()
    first, second = ImprovClient(bench), ImprovClient(bench, "E0:E1:E2:E3:E4:E7")
    for one in (first, second):
        await one.start()
        await one.join()
    await first.send(improv.packet(9))
    await first.wait_for_error(improv.UNKNOWN_COMMAND)
    await second.send(improv.packet(improv.DEVICE_INFO))
    await second.wait_for_result(improv.DEVICE_INFO)
    assert second.errors == [] and first.results == []


async def test_both_ends_are_ours(bench: Bench, lantern: Lantern, device: StartImprov) -> None:
    run = await device()
    port = await bench.add_port()
    controller = bench.port.controller
    assert controller is not None
    client = ImprovClient(bench)
    await client.start()
    address = str((await client.find()).address).split("/")[0]
    result = await lantern.provision(address, password=PASSWORD, radio=port.radio)
    assert result.status == DONE and result.lines[-1]["url"].startswith("http://"), result
    assert [line["state"] for line in await run.wait_for("improv_state", 2)] == ["provisioning", "provisioned"]


async def test_options_of_other_kinds_are_refused(lantern: Lantern) -> None:
    assert (await lantern.run("device", "run", "bulb", "--press")).status == WRONG_USAGE
