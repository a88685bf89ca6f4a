# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern wifi` with an Improv device on Bumble that was written from the standard."""

from __future__ import annotations

from typing import Any

import pytest
from bumble.gatt import Characteristic, CharacteristicDeclaration

from lantern import DONE, FAILED, NOTHING_FOUND, WRONG_USAGE, Lantern, Result
from peers import improv
from peers.bench import Bench
from peers.improv import ADDRESS
from peers.improv_device import improv_on

PASSWORD = "correct horse battery"
DEVICE = {"address": ADDRESS, "address_kind": "random"}


async def provision(lantern: Lantern, *arguments: str, **options: Any) -> Result:
    return await lantern.provision(ADDRESS, *arguments, **{"password": PASSWORD, **options})


def without_time(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    assert all(list(line)[:2] == ["event", "time"] for line in lines)
    return [{key: value for key, value in line.items() if key != "time"} for line in lines]


@pytest.mark.parametrize("mtu", [23, 64, 517])
async def test_a_device_gets_its_wifi(mtu: int, bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, mtu=mtu)
    result = await provision(lantern)
    assert result.status == DONE, result
    nowhere = {"rssi": None, "ip": None, "ssid": None, "ssid_octets": None}
    assert without_time(result.lines) == [
        {"event": "device_ready", **DEVICE, "name": improv.NAME, "mtu": mtu},
        {"event": "wifi_status", **DEVICE, "state": "connecting", **nowhere, "url": None},
        {"event": "wifi_status", **DEVICE, "state": "connected", **nowhere, "url": improv.URL},
    ]
    assert device.settings == [(b"Home", PASSWORD.encode())]
    assert {entry.where for entry in device.entries("subscribe")} == {"state", "error", "result"}
    await device.wait_for("disconnected")


async def test_a_device_without_an_address_of_its_own(bench: Bench, lantern: Lantern) -> None:
    """The result may have no string, or an empty one."""
    device = await improv_on(bench, outcomes=[""])
    result = await provision(lantern, "--open", password=None)
    assert result.status == DONE and result.lines[-1]["url"] is None, result
    assert device.settings == [(b"Home", b"")]


@pytest.mark.parametrize("piece", [0, 1, 7, 20])
@pytest.mark.parametrize("one_by_one", [False, True], ids=["one result", "many results"])
async def test_the_networks(piece: int, one_by_one: bool, bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, one_by_one=one_by_one)
    device.piece = piece
    result = await lantern.run("wifi", "networks", ADDRESS, "--json")
    assert result.status == DONE, result
    shape = {"event": "wifi_network", **DEVICE, "hidden": False, "channel": None}
    assert without_time(result.lines) == [
        {
            **shape,
            "ssid": "Home",
            "ssid_octets": b"Home".hex(),
            "rssi": -48,
            "security": "wpa2",
            "security_code": None,
            "security_name": "WPA2",
        },
        {
            **shape,
            "ssid": "Cafe",
            "ssid_octets": b"Cafe".hex(),
            "rssi": -70,
            "security": "open",
            "security_code": None,
            "security_name": "NO",
        },
        {"event": "wifi_list_end", **DEVICE, "count": 2, "received": 2, "sequence_gaps": 0, "duplicates": 0},
    ]
    text = await lantern.run("wifi", "networks", ADDRESS)
    assert [line.split()[-3:-2] for line in text.stdout.splitlines()] and "Home" in text.stdout


async def test_no_network_is_an_answer(bench: Bench, lantern: Lantern) -> None:
    await improv_on(bench, networks=[])
    assert (await lantern.run("wifi", "networks", ADDRESS)).status == NOTHING_FOUND


async def test_what_it_is(bench: Bench, lantern: Lantern) -> None:
    await improv_on(bench)
    result = await lantern.run("wifi", "show", ADDRESS, "--json")
    assert result.status == DONE, result
    described, status = without_time(result.lines)
    firmware, version, hardware, name = improv.INFO
    assert described == {
        "event": "wifi_device",
        **DEVICE,
        "firmware": firmware,
        "version": version,
        "hardware": hardware,
        "name": name,
    }
    assert status["event"] == "wifi_status" and status["state"] == "authorized"


async def test_identify(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench)
    result = await lantern.run("wifi", "identify", ADDRESS, "--json")
    assert result.status == DONE and result.line["event"] == "wifi_identified", result
    assert device.identified == 1


async def test_what_it_cannot_do_is_not_asked(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, capabilities=0)
    result = await lantern.run("wifi", "identify", ADDRESS)
    assert result.status == FAILED and "does not offer it" in result.stderr
    assert (await lantern.run("wifi", "networks", ADDRESS)).status == FAILED
    assert device.commands == []


async def test_the_button_is_waited_for(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, needs_authorization=True)
    arguments = ["wifi", "provision", ADDRESS, "--ssid", "Home", "--open", "--yes", "--json"]
    run = await lantern.start(*arguments)
    await run.wait_for("wifi_authorization_needed")
    assert device.settings == [] and {command for command, _ in device.commands} <= {improv.SCAN}
    await device.press_button()
    assert (await run.finish()).status == DONE
    assert device.settings == [(b"Home", b"")]


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (improv.UNABLE_TO_CONNECT, "unable_to_connect"),
        (improv.NOT_AUTHORIZED, "not_authorized"),
        (improv.INVALID_PACKET, "invalid_message"),
        (improv.UNKNOWN_COMMAND, "unknown_message_type"),
        (improv.UNKNOWN, "unknown"),
    ],
)
async def test_every_error_is_a_sentence(
    error: int, word: str, bench: Bench, lantern: Lantern
) -> None:
    await improv_on(bench, outcomes=[error])
    result = await provision(lantern)
    assert result.status == FAILED, result
    assert len(result.stderr.split()) >= 5
    assert [line["error"] for line in result.events("wifi_error")] == [word]


async def test_an_open_network_that_was_none_is_not_blamed_on_the_password(
    bench: Bench, lantern: Lantern
) -> None:
    await improv_on(bench, outcomes=[improv.UNABLE_TO_CONNECT])
    result = await provision(lantern, "--open", password=None)
    assert result.status == FAILED and "without a password" in result.stderr, result


@pytest.mark.parametrize(
    ("results", "what"),
    [
        ([bytes([3, 0, 4])], "checksum"),
        ([improv.result(3, "only", "three", "strings")], "strings"),
        ([improv.packet(3, bytes([200, 65]))], "string"),
    ],
)
async def test_a_result_that_makes_no_sense(
    results: list[bytes], what: str, bench: Bench, lantern: Lantern
) -> None:
    device = await improv_on(bench)
    device.results[improv.DEVICE_INFO] = results
    result = await lantern.run("wifi", "show", ADDRESS, "--json")
    assert result.status == DONE and [line["event"] for line in result.lines] == ["wifi_status"]
    device.results[improv.SCAN] = [octets[:0] + improv.sealed(bytes([4, *octets[1:-1]])) for octets in results]
    if what != "checksum":
        listed = await lantern.run("wifi", "networks", ADDRESS)
        assert listed.status == FAILED or what == "strings", listed


async def test_a_result_that_was_cut_off_is_read(bench: Bench, lantern: Lantern) -> None:
    """Much firmware notifies no more than fits."""
    device = await improv_on(bench, mtu=23)
    whole = improv.result(improv.DEVICE_INFO, *improv.INFO)

    async def send(octets: bytes) -> None:
        device.result = octets
        await device.notify(device.result_characteristic, octets[:20])

    device.send_octets = send  # type: ignore[method-assign]
    result = await lantern.run("wifi", "show", ADDRESS, "--json")
    assert result.status == DONE and result.events("wifi_device"), result
    assert len(whole) > 20


async def test_a_device_that_says_nothing(bench: Bench, lantern: Lantern) -> None:
    await improv_on(bench, outcomes=[None])
    result = await provision(lantern, "--timeout", "3")
    assert result.status == NOTHING_FOUND, result


async def test_the_link_is_lost_on_the_way(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, outcomes=[None])
    arguments = ["wifi", "provision", ADDRESS, "--ssid", "Home", "--open", "--yes", "--json"]
    run = await lantern.start(*arguments)
    await device.wait_for_settings()
    device.go_away()
    result = await run.finish()
    assert result.status == FAILED and "may be in the network" in result.stderr, result


async def test_a_link_that_ends_with_the_join_is_looked_after(bench: Bench, lantern: Lantern) -> None:
    """The device has joined and ends the link; asked once more, it says so."""
    device = await improv_on(bench, outcomes=[None])
    run = await lantern.start("wifi", "provision", ADDRESS, "--ssid", "Home", "--open", "--yes", "--json")
    await device.wait_for_settings()
    device.state = improv.PROVISIONED
    await device.drop()
    result = await run.finish()
    assert result.status == DONE and result.events("wifi_status")[-1]["state"] == "connected", result


async def test_a_link_that_ends_without_a_join(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, outcomes=[None])
    run = await lantern.start("wifi", "provision", ADDRESS, "--ssid", "Home", "--open", "--yes", "--json")
    await device.wait_for_settings()
    device.state = improv.AUTHORIZED
    await device.drop()
    result = await run.finish()
    assert result.status == FAILED and "may be in the network" in result.stderr, result


@pytest.mark.parametrize("missing", [improv.STATE, improv.RESULT, improv.CAPABILITIES])
async def test_a_device_that_lacks_something(missing: str, bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, without=missing)
    result = await provision(lantern)
    assert result.status == FAILED and "Improv" in result.stderr and missing in result.stderr, result
    assert device.commands == []


async def test_a_key_is_a_password_here(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench)
    key = "0123456789abcdef" * 4
    assert (await provision(lantern, password=key)).status == DONE
    assert device.settings == [(b"Home", key.encode())]


async def test_a_password_is_no_argument(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench)
    result = await lantern.run("wifi", "provision", ADDRESS, "--ssid", "Home", "--password", PASSWORD)
    assert result.status == WRONG_USAGE and "--password-stdin" in result.stderr
    assert PASSWORD not in result.stdout + result.stderr
    assert not device.entries("connected")


async def test_control_c_is_no_success(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, needs_authorization=True)
    arguments = ["wifi", "provision", ADDRESS, "--ssid", "Home", "--open", "--yes", "--json"]
    run = await lantern.start(*arguments)
    await run.wait_for("wifi_authorization_needed")
    assert (await run.interrupt()).status == FAILED
    assert device.settings == [] and {command for command, _ in device.commands} <= {improv.SCAN}


async def test_on_a_terminal(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, networks=["Home", "-48", "WPA2", "Corp", "-50", "WPA2 EAP"])
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS)
    await terminal.wait_for("which network")
    assert "RPC Command" in terminal.text and "Improv device" in terminal.text
    terminal.type("2\n")
    await terminal.wait_for("user name")
    await terminal.wait_for("which network", count=2)
    terminal.type("1\n")
    await terminal.wait_for("password for")
    await terminal.type_hidden(PASSWORD + "\n")
    await terminal.wait_for(r"\[y/n\]")
    assert device.settings == []
    terminal.type("y\n")
    assert await terminal.finish() == DONE
    assert device.settings == [(b"Home", PASSWORD.encode())]
    assert improv.URL in terminal.text and PASSWORD not in terminal.text


async def test_an_enterprise_network_is_refused(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, networks=["Home", "-50", "WPA2 EAP"])
    result = await provision(lantern)
    assert result.status == WRONG_USAGE and "user name" in result.stderr, result
    assert device.settings == []


async def test_an_enterprise_network_that_is_said_to_be_open_is_refused_too(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, networks=["Home", "-50", "WPA2 EAP"])
    result = await provision(lantern, "--open", password=None)
    assert result.status == WRONG_USAGE and "user name" in result.stderr, result
    assert device.settings == []


async def test_a_name_that_only_looks_alike_is_said(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, networks=["Anna’s iPhone", "-50", "WPA2"])
    result = await lantern.run("wifi", "provision", ADDRESS, "--ssid", "Anna's iPhone", "--open", "--yes")
    assert result.status == DONE and "look alike" in result.stdout, result
    device.state = improv.AUTHORIZED
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS, "--ssid", "Anna's iPhone", "--yes")
    await terminal.wait_for("look alike")
    await terminal.wait_for("password for")
    await terminal.type_hidden(PASSWORD + "\n")
    assert await terminal.finish() == DONE
    assert device.settings[-1] == ("Anna's iPhone".encode(), PASSWORD.encode())


async def test_a_typographic_password_is_said_when_it_is_refused(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench, outcomes=[improv.UNABLE_TO_CONNECT])
    password = "correct ’horse’ battery"
    result = await provision(lantern, password=password)
    assert result.status == FAILED and "typographic apostrophe" in result.stderr, result
    assert password not in result.stderr + result.stdout and "horse" not in result.stderr + result.stdout
    assert device.settings == [(b"Home", password.encode())]


async def test_a_bad_host_name(bench: Bench, lantern: Lantern) -> None:
    """Error 5 of the standard's reference code."""
    await improv_on(bench, outcomes=[5])
    result = await provision(lantern)
    assert result.status == FAILED and "letters, digits and hyphens" in result.stderr, result


async def test_a_device_that_is_stopped(bench: Bench, lantern: Lantern) -> None:
    """State 0 of the standard's reference code."""
    device = await improv_on(bench)
    device.state = 0
    result = await lantern.run("wifi", "show", ADDRESS)
    assert result.status == DONE and "accepts no credentials now" in result.stdout, result
    result = await provision(lantern)
    assert result.status == FAILED and "accepts no credentials now" in result.stderr, result
    assert device.settings == []


async def test_what_cannot_notify_is_named(bench: Bench, lantern: Lantern) -> None:
    device = await improv_on(bench)
    device.state_characteristic.properties = Characteristic.Properties.READ
    for attribute in device.device.gatt_server.attributes:
        if isinstance(attribute, CharacteristicDeclaration) and attribute.characteristic is device.state_characteristic:
            attribute.value = bytes([0x02]) + attribute.value[1:]
    result = await provision(lantern)
    assert result.status == FAILED and f"Current State ({improv.STATE}) does not notify" in result.stderr, result
    assert device.commands == []
