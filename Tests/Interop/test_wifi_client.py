# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern wifi networks` with a Bumble device that was written from the specification."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, Event, Lantern, Result, bare
from peers.bench import Bench
from peers.wifiset import (
    CONNECTED,
    ENTERPRISE,
    ERROR_NAMES,
    OPEN,
    SCAN_FAILED,
    SECURITY_NAMES,
    WEP,
    WPA2,
    WPA3,
    Credentials,
    Error,
    ListEnd,
    ListStart,
    Network,
    Status,
    StatusRequest,
    frame,
)
from peers.wifiset_device import ADDRESS, HOME, NEIGHBOURHOOD, WiFiSetDevice, wifiset_on

AWKWARD = [
    Network(b"Home", -80, WPA2, 1),
    Network(b"Cafe", -70, OPEN, 11),
    Network(b"Old", -90, WEP, 14),
    Network(b"Home", -48, WPA2, 6),
    Network(b"Corp", -55, ENTERPRISE, 12),
    Network(b"New", -30, WPA3, 1),
    Network(b"Odd", -66, 5, 3),
    Network(b"Odder", -67, 255, 0),
    Network(b"", -40, WPA2, 3),
    Network(b"", -44, OPEN, 4),
    Network(b"\xff\xfe\x00x", -60, WPA2, 9),
    Network("Grüße 📷".encode(), -61, WPA2, 9),
    Network(b"\x1b[31mEvil\r\n\x07", -62, WPA2, 10),
    Network(b"0123456789abcdef0123456789abcdef", -128, WPA2, 255),
    Network(b" ", 127, OPEN, 13),
]


def event_of(network: Network) -> Event:
    """The line that the issue asks for."""
    try:
        text: str | None = network.ssid.decode() or None
    except UnicodeDecodeError:
        text = None
    return {
        "event": "wifi_network",
        "ssid": text,
        "ssid_octets": network.ssid.hex(),
        "hidden": network.ssid == b"",
        "rssi": network.rssi,
        "security": SECURITY_NAMES[network.security] if network.security <= WPA3 else "unknown",
        "security_code": network.security,
        "security_name": None,
        "channel": network.channel,
    }


def end_event(count: int, *, received: int | None = None, gaps: int = 0, duplicates: int = 0) -> Event:
    return {
        "event": "wifi_list_end",
        "count": count,
        "received": count if received is None else received,
        "sequence_gaps": gaps,
        "duplicates": duplicates,
    }


async def networks(lantern: Lantern, *arguments: str, timeout: float = 20) -> Result:
    return await lantern.run("wifi", "networks", ADDRESS, *arguments, timeout=timeout)


async def listed(bench: Bench, lantern: Lantern, play: Callable[[WiFiSetDevice], Awaitable[None]]) -> Result:
    """Runs `wifi networks` against a device that plays this as its list, and ends before it is asked again."""
    device = await wifiset_on(bench)

    async def answer() -> None:
        await play(device)

    device.lists = [[answer]]
    return await networks(lantern, "--json", timeout=10)


# The list


@pytest.mark.parametrize("mtu", [23, 517])
async def test_every_entry_is_told_exactly(mtu: int, bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench, mtu=mtu, networks=AWKWARD)
    result = await networks(lantern, "--json")
    assert result.status == DONE, result
    assert bare(result.lines) == [*map(event_of, AWKWARD), end_event(len(AWKWARD))]
    await device.wait_for("disconnected")
    assert device.writes == []


async def test_for_people_the_strongest_of_each_name_comes_first(bench: Bench, lantern: Lantern) -> None:
    await wifiset_on(bench, networks=AWKWARD)
    result = await networks(lantern)
    assert result.status == DONE, result
    lines = result.stdout.splitlines()
    assert sum("Home" in line for line in lines) == 1
    assert any("Home" in line and "-48" in line for line in lines)
    shown = [
        name for line in lines for name in ("New", "Home", "Corp", "Grüße", "Cafe", "Old") if name in line
    ]
    assert shown == ["New", "Home", "Corp", "Grüße", "Cafe", "Old"]
    assert any("hidden" in line.lower() for line in lines)
    assert "\x1b" not in result.stdout and "\x07" not in result.stdout and "\r" not in result.stdout


async def test_a_list_of_255(bench: Bench, lantern: Lantern) -> None:
    many = [Network(f"network {number}".encode(), -number // 2, WPA2, 1) for number in range(255)]
    await wifiset_on(bench, mtu=23, networks=many)
    result = await networks(lantern, "--json")
    assert result.status == DONE
    assert bare(result.lines) == [*map(event_of, many), end_event(255)]


async def test_a_list_of_none(bench: Bench, lantern: Lantern) -> None:
    await wifiset_on(bench, networks=[])
    result = await networks(lantern, "--json")
    assert bare(result.lines) == [end_event(0)]
    assert result.status == NOTHING_FOUND


async def test_an_end_that_counts_more_than_came(bench: Bench, lantern: Lantern) -> None:
    async def play(device: WiFiSetDevice) -> None:
        for message in (ListStart(), HOME, ListEnd(3)):
            await device.send(message)

    result = await listed(bench, lantern, play)
    assert bare(result.lines) == [event_of(HOME), end_event(3, received=1)]


# Sequence numbers


async def test_repeated_and_missing_sequence_numbers(bench: Bench, lantern: Lantern) -> None:
    async def play(device: WiFiSetDevice) -> None:
        await device.send(ListStart())
        octets = await device.send(NEIGHBOURHOOD[0])
        await device.send_octets(device.wifi_list, octets)
        device.skip_sequence(1)
        await device.send(NEIGHBOURHOOD[1])
        await device.send(ListEnd(2))

    result = await listed(bench, lantern, play)
    assert result.status == DONE
    assert bare(result.lines) == [*map(event_of, NEIGHBOURHOOD), end_event(2, gaps=1, duplicates=1)]


@pytest.mark.parametrize("first", [1, 77, 250, 255])
async def test_a_counter_begins_anywhere_and_wraps(first: int, bench: Bench, lantern: Lantern) -> None:
    """250 makes it wrap within the list; Status in between is counted with the same counter."""

    async def play(device: WiFiSetDevice) -> None:
        device.skip_sequence(first)
        await device.send(ListStart())
        for network in AWKWARD:
            await device.send(network)
            await device.send(Status(CONNECTED, -50, "10.0.0.1", b"Home"))
        await device.send(ListEnd(len(AWKWARD)))

    result = await listed(bench, lantern, play)
    assert bare(result.lines) == [*map(event_of, AWKWARD), end_event(len(AWKWARD))]


async def test_the_same_number_with_other_octets_is_no_repeat(bench: Bench, lantern: Lantern) -> None:
    async def play(device: WiFiSetDevice) -> None:
        await device.send(ListStart())
        for network in NEIGHBOURHOOD:
            await device.send(network, sequence=9)
        await device.send(ListEnd(2))

    result = await listed(bench, lantern, play)
    assert bare(result.lines[:-1]) == [*map(event_of, NEIGHBOURHOOD)]
    assert result.lines[-1]["received"] == 2 and result.lines[-1]["duplicates"] == 0


async def test_a_repeated_end_and_a_repeated_start(bench: Bench, lantern: Lantern) -> None:
    async def play(device: WiFiSetDevice) -> None:
        for message in (ListStart(), HOME, ListEnd(1)):
            octets = await device.send(message)
            if device.connected:
                await device.send_octets(device.wifi_list, octets)

    result = await listed(bench, lantern, play)
    assert result.status == DONE
    assert bare(result.lines)[0] == event_of(HOME) and len(result.lines) == 2
    assert result.lines[-1]["received"] == 1 and result.lines[-1]["duplicates"] in (2, 3)


# Pieces


async def test_a_message_may_be_cut_anywhere(bench: Bench, lantern: Lantern) -> None:
    """Every cut of an entry, of a start and of an end, with Status whole in between."""

    async def play(device: WiFiSetDevice) -> None:
        await device.send(ListStart(), cut=[1, 2, 3])
        for position in range(1, len(HOME.encode(0))):
            octets = HOME.encode(device.next_sequence())
            await device.notify(device.wifi_list, octets[:position])
            await device.notify(device.wifi_list, octets[position:])
            if position % 4 == 0:
                await device.send(Status(CONNECTED, -50, "10.0.0.1", b"Home"))
        await device.send(ListEnd(11), cut=[1, 4])

    assert len(HOME.encode(0)) == 12
    result = await listed(bench, lantern, play)
    assert result.status == DONE
    assert bare(result.lines) == [event_of(HOME)] * 11 + [end_event(11)]


async def test_pieces_of_one_octet(bench: Bench, lantern: Lantern) -> None:
    async def play(device: WiFiSetDevice) -> None:
        for message in (ListStart(), *AWKWARD, ListEnd(len(AWKWARD))):
            octets = message.encode(device.next_sequence())
            for octet in octets:
                await device.notify(device.wifi_list, bytes([octet]))

    result = await listed(bench, lantern, play)
    assert result.status == DONE
    assert bare(result.lines) == [*map(event_of, AWKWARD), end_event(len(AWKWARD))]


async def test_pieces_of_two_characteristics_mixed(bench: Bench, lantern: Lantern) -> None:
    """Reassembly is for each characteristic: half an entry, half a status, the other halves."""

    async def play(device: WiFiSetDevice) -> None:
        await device.send(ListStart())
        entry = HOME.encode(device.next_sequence())
        status = Status(CONNECTED, -50, "10.0.0.1", b"Home").encode(device.next_sequence())
        for half in (slice(None, 7), slice(7, None)):
            await device.notify(device.wifi_list, entry[half])
            await device.notify(device.status_characteristic, status[half])
        await device.send(ListEnd(1))

    result = await listed(bench, lantern, play)
    assert result.status == DONE
    assert bare(result.lines)[0] == event_of(HOME)
    assert result.lines[1]["received"] == 1


async def test_several_messages_in_one_notification(bench: Bench, lantern: Lantern) -> None:
    """Concatenation, with no regard to the borders of notifications."""

    async def play(device: WiFiSetDevice) -> None:
        messages = (ListStart(), *NEIGHBOURHOOD, ListEnd(2))
        await device.notify(
            device.wifi_list, b"".join(message.encode(device.next_sequence()) for message in messages)
        )

    result = await listed(bench, lantern, play)
    assert result.status == DONE
    assert bare(result.lines) == [*map(event_of, NEIGHBOURHOOD), end_event(2)]


# What is wrong

BAD: dict[str, bytes] = {
    "SSID longer than the payload": frame(0x02, 1, b"\x09Home\xd0\x02\x06"),
    "SSID of 33 octets": frame(0x02, 1, bytes([33]) + b"x" * 33 + b"\xd0\x02\x06"),
    "an octet too many": frame(0x02, 1, b"\x04Home\xd0\x02\x06\x00"),
    "an octet too few": frame(0x02, 1, b"\x04Home\xd0\x02"),
    "entry without payload": frame(0x02, 1),
    "start with a payload": frame(0x01, 1, b"\x00"),
    "end without a count": frame(0x03, 1),
    "end with two counts": frame(0x03, 1, b"\x01\x01"),
    "type 0x42": frame(0x42, 1, b"1234"),
    "type 0x00": frame(0x00, 1),
    "credentials": Credentials(b"Home", b"password").encode(1),
    "status request": StatusRequest().encode(1),
    "258 octets announced": b"\x02\x01\x02\x01" + b"x" * 16,
    "65535 octets announced": b"\x02\x01\xff\xff",
}


@pytest.mark.parametrize("octets", BAD.values(), ids=BAD)
async def test_bad_input_is_told_and_the_list_goes_on(octets: bytes, bench: Bench, lantern: Lantern) -> None:
    async def play(device: WiFiSetDevice) -> None:
        await device.send(ListStart())
        device.next_sequence()
        await device.notify(device.wifi_list, octets)
        for message in (*NEIGHBOURHOOD, ListEnd(2)):
            await device.send(message)

    result = await listed(bench, lantern, play)
    assert bare(result.events("wifi_network")) == [*map(event_of, NEIGHBOURHOOD)], result
    assert result.events("wifi_list_end")[0]["received"] == 2
    assert result.status == DONE


async def test_an_empty_notification(bench: Bench, lantern: Lantern) -> None:
    async def play(device: WiFiSetDevice) -> None:
        for message in (ListStart(), HOME, ListEnd(1)):
            await device.notify(device.wifi_list, b"")
            await device.send(message)

    result = await listed(bench, lantern, play)
    assert result.status == DONE and bare(result.lines) == [event_of(HOME), end_event(1)]


@pytest.mark.parametrize("mtu", [23, 517])
@pytest.mark.parametrize(
    "text", [b"", b"busy", b"x" * 255, b"\xff\x1b[31m"], ids=["none", "short", "long", "bad"]
)
async def test_a_scan_that_failed(mtu: int, text: bytes, bench: Bench, lantern: Lantern) -> None:
    """255 octets of text make the longest message that there is: 257 octets of payload."""
    device = await wifiset_on(bench, mtu=mtu)
    device.lists = [[ListStart(), Error(SCAN_FAILED, text)]]
    result = await networks(lantern, "--json")
    assert result.status == FAILED
    assert result.events("wifi_list_end") == []
    assert result.stderr.strip() and "\x1b" not in result.stderr


@pytest.mark.parametrize("code", [code for code in ERROR_NAMES if code != SCAN_FAILED])
async def test_an_error_of_something_else_leaves_the_list_alone(
    code: int, bench: Bench, lantern: Lantern
) -> None:
    device = await wifiset_on(bench)
    device.lists = [[ListStart(), HOME, Error(code, b"why"), ListEnd(1)]]
    result = await networks(lantern, "--json")
    assert result.status == DONE
    assert bare(result.events("wifi_network")) == [event_of(HOME)]
    assert bare(result.events("wifi_list_end")) == [end_event(1)]


@pytest.mark.parametrize("seed", range(2))
async def test_nonsense_does_no_harm(seed: int, bench: Bench, lantern: Lantern) -> None:
    """Whatever came on both characteristics, after 5 s the next notification begins a message."""
    generator = random.Random(20260410 + seed)

    async def play(device: WiFiSetDevice) -> None:
        for _ in range(300):
            octets = generator.randbytes(generator.choice([0, 1, 4, 5, 20, 200]))
            if generator.random() < 0.6:
                kind = generator.choice([0x02, 0x11, 0x21, generator.randrange(4, 256)])
                octets = bytes([kind, generator.randrange(256), len(octets), 0]) + octets
            await device.notify(generator.choice([device.wifi_list, device.status_characteristic]), octets)
        await device.play([5.5, ListStart(), HOME, ListEnd(1)])

    device = await wifiset_on(bench)
    device.lists = [[lambda: play(device)]]
    result = await networks(lantern, "--json")
    assert result.status == DONE, result
    assert event_of(HOME) in bare(result.events("wifi_network"))
    assert result.events("wifi_list_end")[0]["count"] == 1
