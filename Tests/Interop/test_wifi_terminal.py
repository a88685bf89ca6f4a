# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern wifi provision` on a terminal: the picker, the hidden password, the question, another try."""

from __future__ import annotations

from typing import Any

import pytest

from lantern import DONE, FAILED, Lantern
from peers.bench import Bench
from peers.wifiset import (
    CONNECTING,
    CONNECTION_TIMEOUT,
    ENTERPRISE,
    FAILED_TO_CONNECT,
    INVALID_PASSWORD,
    INVALID_SSID,
    OPEN,
    STORAGE_FAILURE,
    STORED,
    WEP,
    WPA2,
    Ack,
    Error,
    Network,
    Status,
    StatusRequest,
)
from peers.wifiset_device import ADDRESS, HOME, NAME, Step, WiFiSetDevice, wifiset_on
from terminal import Terminal

PASSWORD, WRONG = "correct horse battery", "wrong horse battery"
HIDDEN = Network(b"", -20, WPA2, 3)
NETWORKS = [
    Network(b"Cafe", -70, OPEN, 11),
    Network(b"Corp", -55, ENTERPRISE, 1),
    Network(b"Home", -80, WPA2, 1),
    HOME,
    HIDDEN,
    Network(b"Old", -75, WEP, 4),
    Network(b"\x1b[2JEvil\x07\r", -77, WPA2, 4),
    Network(b"\xff\xfe", -79, OPEN, 5),
]
IN_ORDER = ["Home", "Corp", "Cafe", "Old"]
REFUSED: list[Step] = [Ack(STORED), Status(CONNECTING, 0, "0.0.0.0", b"Home"), Status(FAILED_TO_CONNECT)]
JOINED = WiFiSetDevice.joined(HOME)


async def device_on(bench: Bench, **options: Any) -> WiFiSetDevice:
    return await wifiset_on(bench, **{"networks": NETWORKS, **options})


async def pick(lantern: Lantern, name: str, *arguments: str) -> Terminal:
    """Starts without --ssid, and chooses a network by its number."""
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS, *arguments)
    await terminal.wait_for("which network")
    choose(terminal, name)
    return terminal


def choose(terminal: Terminal, name: str) -> None:
    (line,) = [line for line in terminal.text.splitlines() if f" {name} " in line and "dBm" in line]
    terminal.type(line.split()[0] + "\n")


async def test_the_picker_shows_what_the_device_hears(bench: Bench, lantern: Lantern) -> None:
    device = await device_on(bench)
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS)
    await terminal.wait_for("which network")
    lines = [line for line in terminal.text.splitlines() if "dBm" in line]
    assert [name for line in lines for name in IN_ORDER if f" {name} " in line] == IN_ORDER
    locked = {name: "🔒" in line for line in lines for name in IN_ORDER if f" {name} " in line}
    assert locked == {"Home": True, "Corp": True, "Cafe": False, "Old": True}
    assert "-48" in next(line for line in lines if " Home " in line)
    assert any("hidden" in line for line in lines)
    assert b"\x1b[2J" not in terminal.octets and b"\x07" not in terminal.octets
    assert await terminal.interrupt() != DONE
    assert device.writes == []


async def test_from_the_picker_to_the_join(bench: Bench, lantern: Lantern) -> None:
    """The device is shown and asked for before the password goes out, and the password is never shown."""
    device = await device_on(bench, answers=[JOINED])
    terminal = await pick(lantern, "Home")
    await terminal.wait_for("password")
    await terminal.type_hidden(PASSWORD + "\n")
    await terminal.wait_for(r"\[y/n\]")
    assert NAME in terminal.text and ADDRESS in terminal.text
    assert all(name in terminal.text for name in ("WiFi List", "Credential Write", "Status"))
    assert device.writes == []
    terminal.type("y\n")
    assert await terminal.finish() == DONE
    assert device.credentials == [(b"Home", PASSWORD.encode())]
    assert PASSWORD not in terminal.text
    assert "192.168.1.100" in terminal.text


async def test_nothing_is_shown_of_a_password_typed_at_once(bench: Bench, lantern: Lantern) -> None:
    """Typed as soon as the question is seen, many times: no letter is shown, and none is lost."""
    device = await device_on(bench, answers=[JOINED])
    terminal = await pick(lantern, "Home", "--yes")
    for number in range(1, 31):
        await terminal.wait_for("password for", count=number, timeout=5)
        terminal.type(("short" if number < 30 else PASSWORD) + "\n")
    assert await terminal.finish() == DONE
    assert device.credentials == [(b"Home", PASSWORD.encode())]
    assert not any(line.endswith("short") for line in terminal.text.splitlines())
    assert PASSWORD not in terminal.text


@pytest.mark.parametrize("answer", ["n\n", "\n", "\x04"], ids=["no", "return", "end of input"])
async def test_no_is_no(answer: str, bench: Bench, lantern: Lantern) -> None:
    device = await device_on(bench)
    terminal = await pick(lantern, "Home")
    await terminal.wait_for("password")
    await terminal.type_hidden(PASSWORD + "\n")
    await terminal.wait_for(r"\[y/n\]")
    terminal.type(answer)
    assert await terminal.finish() != DONE
    assert device.writes == []


async def test_another_try_on_the_same_link(bench: Bench, lantern: Lantern) -> None:
    device = await device_on(bench, answers=[REFUSED, REFUSED, JOINED])
    terminal = await pick(lantern, "Home", "--yes")
    for number, password in enumerate([WRONG, "still " + WRONG, PASSWORD], start=1):
        await terminal.wait_for("password for", count=number)
        await terminal.type_hidden(password + "\n")
        await device.wait_for_tries(number)
        if password != PASSWORD:
            await terminal.wait_for("another", count=number)
            terminal.type("y\n")
    assert await terminal.finish() == DONE
    assert [password for _, password in device.credentials] == [
        WRONG.encode(),
        b"still " + WRONG.encode(),
        PASSWORD.encode(),
    ]
    assert [received.sequence for received in device.tries] == [0, 1, 2]
    assert len(device.entries("connected")) == 1
    assert WRONG not in terminal.text and PASSWORD not in terminal.text


async def test_giving_up_after_a_wrong_password(bench: Bench, lantern: Lantern) -> None:
    await device_on(bench, answers=[REFUSED])
    terminal = await pick(lantern, "Home", "--yes")
    await terminal.wait_for("password for")
    await terminal.type_hidden(WRONG + "\n")
    await terminal.wait_for("another")
    terminal.type("n\n")
    assert await terminal.finish() == FAILED


async def test_an_open_network_has_no_password(bench: Bench, lantern: Lantern) -> None:
    cafe = NETWORKS[0]
    device = await device_on(bench, answers=[WiFiSetDevice.joined(cafe)])
    terminal = await pick(lantern, "Cafe", "--yes")
    assert await terminal.finish() == DONE
    assert device.credentials == [(b"Cafe", b"")]
    assert "password for" not in terminal.text.lower()


async def test_enterprise_is_refused_with_the_reason(bench: Bench, lantern: Lantern) -> None:
    """The message has no field for an identity; another network can still be chosen."""
    device = await device_on(bench, answers=[WiFiSetDevice.joined(NETWORKS[0])])
    terminal = await pick(lantern, "Corp", "--yes")
    await terminal.wait_for("identity|user name|account")
    await terminal.wait_for("which network", count=2)
    assert "password for" not in terminal.text.lower() and device.writes == []
    choose_again = [line for line in terminal.text.splitlines() if " Cafe " in line and "dBm" in line][-1]
    terminal.type(choose_again.split()[0] + "\n")
    assert await terminal.finish() == DONE
    assert device.credentials == [(b"Cafe", b"")]


@pytest.mark.parametrize(
    ("network", "bad"),
    [
        ("Home", ["short", "1234567", "x" * 64, "0123456789abcdef" * 4]),
        ("Old", ["1234", "123456", "x" * 12, "x" * 14]),
    ],
    ids=["WPA 8 to 63", "WEP 5 or 13"],
)
async def test_a_password_of_the_wrong_length_is_asked_for_again(
    network: str, bad: list[str], bench: Bench, lantern: Lantern
) -> None:
    device = await device_on(bench)
    good = {"Home": PASSWORD, "Old": "12345"}[network]
    device.answers = [
        WiFiSetDevice.joined(next(found for found in NETWORKS if found.ssid == network.encode()))
    ]
    terminal = await pick(lantern, network, "--yes")
    for number, password in enumerate([*bad, good], start=1):
        await terminal.wait_for("password for", count=number)
        assert device.writes == []
        await terminal.type_hidden(password + "\n")
    assert await terminal.finish() == DONE
    assert device.credentials == [(network.encode(), good.encode())]


async def test_a_hidden_network_is_asked_for_its_name(bench: Bench, lantern: Lantern) -> None:
    device = await device_on(bench, answers=[WiFiSetDevice.joined(Network(b"Secret Cellar"))])
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS, "--yes")
    await terminal.wait_for("which network")
    (line,) = [line for line in terminal.text.splitlines() if "hidden" in line]
    terminal.type(line.split()[0] + "\n")
    await terminal.wait_for("name")
    await terminal.wait_until(lambda: terminal.text.rstrip().endswith(":"), "the question")
    terminal.type("Secret Cellar\n")
    await terminal.wait_for("password for")
    await terminal.type_hidden(PASSWORD + "\n")
    assert await terminal.finish() == DONE
    assert device.credentials == [(b"Secret Cellar", PASSWORD.encode())]


async def test_an_ssid_that_is_no_text_goes_out_exactly(bench: Bench, lantern: Lantern) -> None:
    device = await device_on(bench, answers=[WiFiSetDevice.joined(Network(b"\xff\xfe", -79, OPEN, 5))])
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS, "--yes")
    await terminal.wait_for("which network")
    (line,) = [line for line in terminal.text.splitlines() if "-79" in line]
    terminal.type(line.split()[0] + "\n")
    assert await terminal.finish() == DONE
    assert device.credentials == [(b"\xff\xfe", b"")]


async def test_looking_again_switches_the_list_off_and_on(bench: Bench, lantern: Lantern) -> None:
    """Which is how the list is asked for again."""
    device = await device_on(bench)
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS)
    await terminal.wait_for("which network")
    device.networks = [Network(b"Newcomer", -40, WPA2, 1)]
    terminal.type("r\n")
    await terminal.wait_for("Newcomer")
    of_list = [entry.what for entry in device.log if entry.where == "list"]
    assert of_list[:3] == ["subscribe", "unsubscribe", "subscribe"]
    assert not any(isinstance(received.message, StatusRequest) for received in device.received)
    await terminal.interrupt()


@pytest.mark.parametrize("typed", ["0\n", "99\n", "-1\n", "x\n", "1x\n", "99999999999999999999\n"])
async def test_a_choice_that_is_none(typed: str, bench: Bench, lantern: Lantern) -> None:
    await device_on(bench)
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS)
    await terminal.wait_for("which network")
    terminal.type(typed)
    await terminal.wait_for("which network", count=2)
    terminal.type("q\n")
    assert await terminal.finish() != DONE


async def test_the_terminal_echoes_again_after_an_interrupted_password(
    bench: Bench, lantern: Lantern
) -> None:
    """Control-C while the password is typed: what is typed afterwards is seen again."""
    await device_on(bench)
    terminal = await pick(lantern, "Home")
    await terminal.wait_for("password for")
    await terminal.type_hidden("half\x03")
    await terminal.wait_until(lambda: terminal.echoes, "echo")
    assert await terminal.finish() != DONE


async def test_the_device_goes_while_the_password_is_typed(bench: Bench, lantern: Lantern) -> None:
    device = await device_on(bench)
    terminal = await pick(lantern, "Home", "--yes")
    await terminal.wait_for("password for")
    await terminal.wait_until(lambda: not terminal.echoes, "a hidden question")
    await device.drop()
    await terminal.wait_until(lambda: terminal.echoes, "the end of the question")
    assert await terminal.finish() == FAILED
    assert device.writes == []


async def test_a_small_mtu_is_told(bench: Bench, lantern: Lantern) -> None:
    device = await device_on(bench, mtu=23)
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS)
    await terminal.wait_for("which network")
    assert "20 octets" in terminal.text or "23" in terminal.text
    await terminal.interrupt()
    assert device.malformed == []


@pytest.mark.parametrize(
    "steps",
    [[Ack(status)] for status in (INVALID_SSID, INVALID_PASSWORD, STORAGE_FAILURE)]
    + [[Ack(STORED), Error(CONNECTION_TIMEOUT, b"no answer"), Status(FAILED_TO_CONNECT)]],
    ids=["SSID", "password", "storage", "timeout"],
)
async def test_every_failure_says_what_to_do(steps: list[Step], bench: Bench, lantern: Lantern) -> None:
    """Another try is offered or the end is 1; either way the device's reason is a sentence."""
    device = await device_on(bench, answers=[steps])
    terminal = await lantern.start_on_terminal(
        "wifi", "provision", ADDRESS, "--ssid", "Home", "--open", "--yes"
    )
    await device.wait_for_tries(1)
    await terminal.wait_until(lambda: terminal.has_ended or "?" in terminal.text, "an end or a question")
    if not terminal.has_ended:
        terminal.type("n\n")
    assert await terminal.finish() == FAILED
    assert len(terminal.text.splitlines()[-1].split()) >= 3


async def test_a_hostile_name_is_shown_harmlessly(bench: Bench, lantern: Lantern) -> None:
    """The name of the device is in the question that matters most."""
    device = await device_on(bench, name="\x1b[2J\x1b]0;Evil\x07\r\nok")
    terminal = await pick(lantern, "Cafe")
    await terminal.wait_for(r"\[y/n\]")
    assert b"\x1b[2J" not in terminal.octets and b"\x07" not in terminal.octets
    assert b"\x1b]0" not in terminal.octets
    assert ADDRESS in terminal.text and not any(line == "ok" for line in terminal.text.splitlines())
    terminal.type("n\n")
    assert await terminal.finish() != DONE
    assert device.writes == []
