# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern device run wifiset` with a Bumble wifi_client: what it serves, the list, the status.

Joins are in `test_wifi_device_joins.py`, what is wrong on the wire in `test_wifi_device_messages.py`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from bumble.core import UUID, AdvertisingData

from conftest import StartWiFiSet
from lantern import DONE, FAILED, WRONG_USAGE, Lantern
from peers.bench import Bench
from peers.central import Central
from peers.neighbourhood import ALL_KINDS, NEIGHBOURHOOD, PASSWORD, WRONG, network, save
from peers.wifiset import (
    CONNECTED,
    CREDENTIAL_WRITE,
    NOT_CONFIGURED,
    SCAN_FAILED,
    SECURITY_NAMES,
    SERVICE,
    STATUS,
    STORED,
    WIFI_LIST,
    Ack,
    Error,
    ListEnd,
    ListStart,
    Network,
    Status,
    StatusRequest,
    decode,
)
from peers.wifiset_client import WiFiSetClient


def entry_of(network: dict[str, Any]) -> Network:
    code = SECURITY_NAMES.index(network["security"])
    return Network(network["ssid"].encode(), network["rssi"], code, network["channel"])


# Advertising, and what is served


async def test_what_it_advertises_and_serves(
    bench: Bench, wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    await wifi_device()
    advertisement = await wifi_client.find()
    assert advertisement.is_connectable and len(advertisement.data_bytes) <= 31
    kinds = AdvertisingData.Type
    listed = advertisement.data.get(kinds.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) or []
    assert UUID(SERVICE) in listed
    controller = bench.port.controller
    assert controller is not None
    sets = [bytes(found.scan_response_data) for found in controller.advertising_sets.values()]
    response = next(filter(None, [bytes(controller.le_legacy_advertiser.scan_response_data), *sets]))
    name = AdvertisingData.from_bytes(response).get(kinds.COMPLETE_LOCAL_NAME)
    await wifi_client.join()
    properties = {
        uuid: int(wifi_client.characteristic(uuid).properties)
        for uuid in (WIFI_LIST, CREDENTIAL_WRITE, STATUS)
    }
    assert properties == {WIFI_LIST: 0x12, CREDENTIAL_WRITE: 0x08, STATUS: 0x12}
    assert await wifi_client.characteristic("2a00").read_value() == name.encode()
    assert wifi_client.mtu == 517


# The list


@pytest.mark.parametrize("mtu", [None, 64, 517])
async def test_the_list_is_the_neighbourhood(
    mtu: int | None, wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    await wifi_device(ALL_KINDS)
    await wifi_client.join(mtu)
    assert wifi_client.mtu == (mtu or 23)
    found = await wifi_client.networks()
    assert sorted(found, key=repr) == sorted(map(entry_of, ALL_KINDS), key=repr)
    assert all(len(piece) <= wifi_client.mtu - 3 for piece in wifi_client.pieces)
    assert wifi_client.tracker.gaps == wifi_client.tracker.repeats == 0


async def test_hidden_and_exact_names(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    """A hidden network is in the list without its name, and joined by it; a name may be any octets."""
    hidden = network("Cellar", hidden=True, rssi=-20)
    exact = {key: value for key, value in network("", rssi=-30).items() if key != "ssid"}
    await wifi_device([hidden, {**exact, "ssid_hex": "fffe00"}])
    await wifi_client.join()
    found = await wifi_client.networks()
    assert {(entry.ssid, entry.rssi) for entry in found} == {(b"", -20), (b"\xff\xfe\x00", -30)}
    for count, ssid in enumerate((b"Cellar", b"\xff\xfe\x00"), start=1):
        await wifi_client.give(ssid, PASSWORD.encode())
        assert (await wifi_client.wait_for_state(CONNECTED, count)).ssid == ssid


async def test_a_scan_that_fails(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    """Error 0x02, on Status, where errors travel; a join is possible all the same."""
    await wifi_device(scan_fails=True)
    await wifi_client.join()
    await wifi_client.listen(WIFI_LIST)
    await wifi_client.wait_for(Error)
    assert wifi_client.errors == [SCAN_FAILED]
    assert wifi_client.of(Network) == [] and wifi_client.of(ListEnd) == []
    await wifi_client.give(b"Cafe")
    await wifi_client.wait_for_state(CONNECTED)
    assert wifi_client.tracker.gaps == 0


async def test_more_networks_than_a_list_can_count(
    wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    """The count is one octet: 255 are sent, the strongest ones."""
    await wifi_device([network(f"network {number}", rssi=-number // 4) for number in range(300)])
    await wifi_client.join()
    found = await wifi_client.networks()
    assert len(found) == 255
    assert min(entry.rssi for entry in found) >= -255 // 4 - 1


async def test_an_empty_neighbourhood(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    await wifi_device([])
    await wifi_client.join()
    assert await wifi_client.networks() == []


async def test_the_list_is_sent_when_it_is_switched_on(
    wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    """Not before; off and on asks again; the last message on it is what a read gives."""
    await wifi_device()
    await wifi_client.join()
    assert (await wifi_client.ask_status()).state == NOT_CONFIGURED
    assert wifi_client.of(ListStart) == []
    for count in (1, 2):
        assert len(await wifi_client.networks()) == len(NEIGHBOURHOOD)
        last = decode(await wifi_client.characteristic(WIFI_LIST).read_value())[1]
        assert last == ListEnd(len(NEIGHBOURHOOD))
        await wifi_client.stop_listening(WIFI_LIST)
        assert len(wifi_client.of(ListStart)) == count
    assert wifi_client.tracker.gaps == 0


async def test_the_start_comes_before_the_scan(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    run = await wifi_device(scan_seconds=1)
    await wifi_client.join()
    await wifi_client.listen(WIFI_LIST)
    await wifi_client.wait_for(ListStart)
    assert wifi_client.of(Network) == [] and run.events("wifiset_list_sent") == []
    await wifi_client.wait_for(ListEnd)


async def test_switched_off_during_the_scan(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    await wifi_device()
    await wifi_client.join()
    await wifi_client.listen(WIFI_LIST)
    await wifi_client.wait_for(ListStart)
    await wifi_client.stop_listening(WIFI_LIST)
    assert len(await wifi_client.networks()) == len(NEIGHBOURHOOD)


async def test_a_client_that_leaves_during_the_list(
    wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    await wifi_device()
    for _ in range(2):
        await wifi_client.join()
        await wifi_client.listen(WIFI_LIST)
        await wifi_client.wait_for(ListStart)
        await wifi_client.disconnect()
    await wifi_client.join()
    assert len(await wifi_client.networks()) == len(NEIGHBOURHOOD)
    assert wifi_client.tracker.first == 0


async def test_two_clients_have_a_list_and_a_counter_each(
    bench: Bench, wifi_client: WiFiSetClient, wifi_device: StartWiFiSet
) -> None:
    await wifi_device()
    second = WiFiSetClient(bench, "E0:00:00:00:00:02")
    await second.start()
    await wifi_client.join()
    await second.join()
    for one in (wifi_client, second):
        await one.listen(WIFI_LIST)
    for one in (wifi_client, second):
        await one.wait_for(ListEnd)
    await second.give(b"Home", PASSWORD.encode())
    for one in (wifi_client, second):
        await one.wait_for_state(CONNECTED)
        assert one.tracker.gaps == 0 and one.tracker.first == 0
    assert second.acks == [STORED] and wifi_client.acks == [], "an ACK is for who has written"


# The status


async def test_the_status_of_a_new_device(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    """By reading and by asking; reads are outside of the count."""
    await wifi_device()
    await wifi_client.join()
    for _ in range(3):
        assert await wifi_client.read_status() == Status(NOT_CONFIGURED, 0, "0.0.0.0", b"")
        assert await wifi_client.ask_status() == Status(NOT_CONFIGURED, 0, "0.0.0.0", b"")
    assert wifi_client.tracker.gaps == 0
    assert [arrival.uuid for arrival in wifi_client.arrivals] == [STATUS] * 3


async def test_a_long_status_over_a_small_mtu(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    """43 octets: notified in pieces, and read in parts."""
    ssid = "0123456789abcdef0123456789abcdef"
    await wifi_device([network(ssid, "open")])
    await wifi_client.join(None)
    await wifi_client.give(ssid.encode())
    status = await wifi_client.wait_for_state(CONNECTED)
    assert status.ssid == ssid.encode()
    assert await wifi_client.read_status() == status == await wifi_client.ask_status()


async def test_the_counter_goes_around(wifi_client: WiFiSetClient, wifi_device: StartWiFiSet) -> None:
    await wifi_device()
    await wifi_client.join()
    for _ in range(300):
        await wifi_client.tell(StatusRequest())
    await wifi_client.wait_for(Status, 300)
    first = wifi_client.arrivals[0].sequence
    assert [arrival.sequence for arrival in wifi_client.arrivals] == [(first + n) & 0xFF for n in range(300)]


# The command line


BAD_FILES = {
    "no JSON": '{"networks":[',
    "no list": "{}",
    "a long SSID": json.dumps({"networks": [network("x" * 33)]}),
    "an unknown security": json.dumps({"networks": [network("Home", "wpa9")]}),
    "an unknown fault": json.dumps({"networks": [network("Home", fault="gremlins")]}),
    "a big RSSI": json.dumps({"networks": [network("Home", rssi=200)]}),
    "a big channel": json.dumps({"networks": [network("Home", channel=300)]}),
    "a negative time": json.dumps({"networks": [network("Home", join_seconds=-1)]}),
    "no SSID": json.dumps({"networks": [{"security": "open", "rssi": -50, "channel": 1}]}),
}


@pytest.mark.parametrize("text", [*BAD_FILES.values(), None], ids=[*BAD_FILES, "no file"])
async def test_a_bad_neighbourhood(text: str | None, lantern: Lantern, tmp_path: Path) -> None:
    file = tmp_path / "networks.json"
    if text is not None:
        file.write_text(text)
    result = await lantern.run("device", "run", "wifiset", "--networks", str(file), timeout=5)
    assert result.status in (FAILED, WRONG_USAGE)
    assert result.stderr.strip() and PASSWORD not in result.stderr


async def test_a_hostile_ssid_is_shown_harmlessly(
    wifi_client: WiFiSetClient, lantern: Lantern, tmp_path: Path
) -> None:
    """What a client writes is shown on the device's terminal."""
    run = await lantern.start("device", "run", "wifiset", "--networks", str(save(tmp_path, [])))
    await wifi_client.join()
    for count, ssid in enumerate((b"\x1b[2JEvil\r\n\x07", b"\xc2\x9b2J\xe2\x80\xae", b"\xff\xfe"), start=1):
        await wifi_client.give(ssid, PASSWORD.encode())
        await wifi_client.wait_for(Ack, count)
    result = await run.interrupt()
    assert result.status == DONE
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", result.stdout), repr(result.stdout)


async def test_our_command_and_our_device(bench: Bench, lantern: Lantern, wifi_device: StartWiFiSet) -> None:
    """Both ends are ours, on two radios of one link: Bumble has only the controllers."""
    await wifi_device()
    watcher = Central(bench)
    await watcher.start()
    address = str((await watcher.find()).address).split("/")[0]
    port = await bench.add_port()
    for password, status in ((WRONG, FAILED), (PASSWORD, DONE)):
        run = await lantern.start(
            *["wifi", "provision", address, "--ssid", "Home", "--password-stdin", "--yes", "--json"],
            radio=port.radio,
            stdin=True,
        )
        await run.feed(password.encode() + b"\n")
        run.end_input()
        assert (await run.finish()).status == status, run
        await port.wait_until_free()
    listed = await lantern.run("wifi", "networks", address, "--json", radio=port.radio)
    assert listed.status == DONE and listed.lines[-1]["received"] == len(NEIGHBOURHOOD)
