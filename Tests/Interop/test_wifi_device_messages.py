# SPDX-License-Identifier: Apache-2.0
"""Proves what our WiFiSet device does with messages in pieces, repeated, out of bounds, unknown, or nonsense."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lantern import DONE, Lantern, Run
from peers.bench import Bench
from peers.raw import ATT_CID, RawChannel, execute_write, prepare_write
from peers.wifiset import (
    CONNECTED,
    CREDENTIAL_WRITE,
    INVALID_MESSAGE,
    INVALID_PASSWORD,
    INVALID_SSID,
    NOT_CONFIGURED,
    STORED,
    UNKNOWN_TYPE,
    Ack,
    Credentials,
    Error,
    ListEnd,
    ListStart,
    Message,
    Network,
    Status,
    StatusRequest,
    frame,
)
from peers.wifiset_client import WiFiSetClient

PASSWORD = b"correct horse battery"
CREDENTIALS = Credentials(b"Home", PASSWORD)
NETWORKS = {
    "networks": [
        {
            "ssid": "Home",
            "password": PASSWORD.decode(),
            "security": "wpa2",
            "rssi": -48,
            "channel": 6,
            "join_seconds": 0.1,
            "fault": None,
        }
    ]
}


@pytest.fixture
async def device(lantern: Lantern, tmp_path: Path) -> AsyncIterator[Run]:
    """Our device with one network."""
    file = tmp_path / "networks.json"
    file.write_text(json.dumps(NETWORKS))
    run = await lantern.start("device", "run", "wifiset", "--networks", str(file), "--json")
    await run.wait_for("device_advertising")
    yield run
    result = await run.interrupt()
    assert result.status == DONE
    assert PASSWORD.decode() not in result.stdout + result.stderr


@pytest.fixture
async def client(bench: Bench, device: Run) -> WiFiSetClient:
    """A client that is connected and listens to Status."""
    client = WiFiSetClient(bench)
    await client.start()
    await client.join()
    return client


async def still_works(client: WiFiSetClient) -> None:
    """Whatever was before, the next message is understood."""
    joined = client.states.count(CONNECTED)
    acks = len(client.acks)
    await client.tell(CREDENTIALS)
    await client.wait_for(Ack, acks + 1)
    assert client.acks[-1] == STORED
    await client.wait_for_state(CONNECTED, joined + 1)


# Pieces


@pytest.mark.parametrize("mtu", [None, 517])
async def test_credentials_may_be_cut_anywhere(mtu: int | None, client: WiFiSetClient) -> None:
    """With the MTU of 23 the pieces are cut again, to 20 octets."""
    if mtu is None:
        await client.disconnect()
        await client.join(None)
    length = len(CREDENTIALS.encode(0))
    for count, position in enumerate(range(1, length), start=1):
        await client.tell(CREDENTIALS, cut=[position])
        await client.wait_for(Ack, count)
    await client.wait_for_state(CONNECTED)
    assert client.acks == [STORED] * (length - 1) and client.errors == []


async def test_pieces_of_one_octet(client: WiFiSetClient) -> None:
    for message in (CREDENTIALS, StatusRequest()):
        await client.tell(message, cut=range(1, len(message.encode(0))))
    await client.wait_for(Status, 1)
    await client.wait_for_state(CONNECTED)
    assert client.acks == [STORED] and client.errors == []


async def test_an_empty_write_is_nothing(client: WiFiSetClient) -> None:
    await client.write(CREDENTIAL_WRITE, b"")
    octets = CREDENTIALS.encode(client.next_sequence())
    for piece in (octets[:3], b"", octets[3:]):
        await client.write(CREDENTIAL_WRITE, piece)
    await client.wait_for_state(CONNECTED)
    assert client.acks == [STORED] and client.errors == []


async def test_several_messages_in_one_write(client: WiFiSetClient) -> None:
    requests = [StatusRequest().encode(client.next_sequence()) for _ in range(3)]
    await client.write(CREDENTIAL_WRITE, b"".join(requests))
    await client.wait_for(Status, 3, timeout=3)
    await still_works(client)
    assert client.errors == []


async def test_a_long_write(client: WiFiSetClient) -> None:
    """A phone with the MTU of 23 writes long values by Prepare and Execute (Vol 3, Part F, 3.4.6)."""
    await client.disconnect()
    await client.join(None)
    assert client.connection is not None
    handle = client.characteristic(CREDENTIAL_WRITE).handle
    answers = RawChannel(client.connection, ATT_CID, takes=lambda pdu: pdu[0] in (0x01, 0x17, 0x19))
    octets = CREDENTIALS.encode(client.next_sequence())
    for offset in range(0, len(octets), 18):
        part = octets[offset : offset + 18]
        assert (
            await answers.ask(prepare_write(handle, offset, part))
            == b"\x17" + prepare_write(handle, offset, part)[1:]
        )
    assert await answers.ask(execute_write(1)) == b"\x19"
    await client.wait_for_state(CONNECTED)
    assert client.acks == [STORED] and client.errors == []


async def test_the_rest_that_never_comes(client: WiFiSetClient, device: Run) -> None:
    """After 5 s: an error with both numbers; what was held is gone, and the next write begins a message."""
    example = bytes.fromhex("10 01 28 00 0C 4D 79 4E 65 74 77 6F 72 6B 32 2E 34 C8 02 06")
    await client.write(CREDENTIAL_WRITE, example)
    assert await client.is_quiet_for(4)
    (error,) = await client.wait_for(Error, timeout=3)
    assert error.code == INVALID_MESSAGE and b"16 of 40" in error.text
    assert any("16 of 40" in event["reason"] for event in await device.wait_for("wifiset_fault"))
    await client.tell(CREDENTIALS)
    await client.wait_for(Ack)
    assert client.acks == [STORED]


@pytest.mark.parametrize("pause", [2.0])
async def test_slow_pieces_are_waited_for(pause: float, client: WiFiSetClient) -> None:
    octets = CREDENTIALS.encode(client.next_sequence())
    await client.write(CREDENTIAL_WRITE, octets[:10])
    assert await client.is_quiet_for(pause)
    await client.write(CREDENTIAL_WRITE, octets[10:])
    await client.wait_for_state(CONNECTED)
    assert client.errors == []


async def test_pieces_of_two_links_are_not_glued(bench: Bench, client: WiFiSetClient) -> None:
    """Half a message, then a new link; and halves of two clients at the same time."""
    octets = CREDENTIALS.encode(0)
    await client.write(CREDENTIAL_WRITE, octets[:10])
    await client.disconnect()
    await client.join()
    second = WiFiSetClient(bench, "E0:00:00:00:00:02")
    await second.start()
    await second.join()
    for half in (octets[:12], octets[12:]):
        for one in (client, second):
            await one.write(CREDENTIAL_WRITE, half)
    for one in (client, second):
        await one.wait_for_state(CONNECTED)
        assert one.acks == [STORED] and one.errors == []


# Lengths

OUT_OF_RANGE = {
    "no SSID": (b"\x00\x08password", INVALID_SSID),
    "SSID of 33": (bytes([33]) + b"x" * 33 + b"\x08password", INVALID_SSID),
    "SSID of 255": (bytes([255]) + b"x" * 247 + b"\x08password", INVALID_SSID),
    "password of 64": (b"\x04Home\x40" + b"x" * 64, INVALID_PASSWORD),
    "password of 128": (b"\x04Home\x80" + b"x" * 128, INVALID_PASSWORD),
}


@pytest.mark.parametrize(("payload", "status"), OUT_OF_RANGE.values(), ids=OUT_OF_RANGE)
async def test_a_length_out_of_its_range(payload: bytes, status: int, client: WiFiSetClient) -> None:
    """An ACK that says so, no Error, and no try to join."""
    await client.write(CREDENTIAL_WRITE, frame(0x10, client.next_sequence(), payload))
    await client.wait_for(Ack)
    assert client.acks == [status]
    assert (await client.ask_status()).state == NOT_CONFIGURED
    assert client.errors == [] and client.states == [NOT_CONFIGURED]
    await still_works(client)


DO_NOT_ADD_UP = {
    "nothing": b"",
    "SSID only": b"\x04Home",
    "SSID cut": b"\x09Home",
    "password cut": b"\x04Home\x09password",
    "password missing": b"\x04Home\x09",
    "an octet too many": b"\x04Home\x08password\x00",
}


@pytest.mark.parametrize("payload", DO_NOT_ADD_UP.values(), ids=DO_NOT_ADD_UP)
async def test_lengths_that_do_not_add_up(payload: bytes, client: WiFiSetClient) -> None:
    await client.write(CREDENTIAL_WRITE, frame(0x10, client.next_sequence(), payload))
    await client.wait_for(Error)
    assert client.errors == [INVALID_MESSAGE] and client.acks == []
    await still_works(client)


@pytest.mark.parametrize("payload", [b"\x00", b"x" * 257], ids=len)
async def test_a_status_request_with_a_payload(payload: bytes, client: WiFiSetClient) -> None:
    await client.write(CREDENTIAL_WRITE, frame(0x20, client.next_sequence(), payload))
    await client.wait_for(Error)
    assert client.errors == [INVALID_MESSAGE] and client.states == []
    await still_works(client)


@pytest.mark.parametrize("kind", [0x10, 0x20, 0x42])
@pytest.mark.parametrize("announced", [258, 0x8000, 0xFFFF])
async def test_too_much_announced_is_refused_at_once(
    announced: int, kind: int, client: WiFiSetClient
) -> None:
    """The next write begins a message, so nothing of the refused one is waited for."""
    header = bytes([kind, client.next_sequence()]) + announced.to_bytes(2, "little")
    await client.write(CREDENTIAL_WRITE, header + b"x" * 20)
    await client.wait_for(Error)
    assert len(client.errors) == 1 and client.errors[0] in (INVALID_MESSAGE, UNKNOWN_TYPE)
    await still_works(client)
    assert len(client.errors) == 1


# Types

OTHER: dict[str, Message] = {
    "list start": ListStart(),
    "network": Network(b"Home"),
    "list end": ListEnd(1),
    "ack": Ack(STORED),
    "status": Status(CONNECTED, -50, "10.0.0.1", b"Home"),
    "error": Error(INVALID_MESSAGE, b"you too"),
}


@pytest.mark.parametrize("message", OTHER.values(), ids=OTHER)
async def test_a_type_that_no_device_receives(message: Message, client: WiFiSetClient) -> None:
    await client.tell(message)
    await client.wait_for(Error)
    assert client.errors == [UNKNOWN_TYPE] and client.acks == []
    await still_works(client)


@pytest.mark.parametrize("kind", [0x00, 0x04, 0x0F, 0x12, 0x22, 0x42, 0x7F, 0x80, 0xFE])
async def test_an_unknown_type(kind: int, client: WiFiSetClient) -> None:
    await client.write(CREDENTIAL_WRITE, frame(kind, client.next_sequence(), b"1234"))
    await client.wait_for(Error)
    assert client.errors == [UNKNOWN_TYPE]
    await still_works(client)


# Sequence numbers


async def test_a_repeat_is_answered_again_and_not_acted_on_again(client: WiFiSetClient, device: Run) -> None:
    octets = await client.tell(CREDENTIALS)
    await client.wait_for_state(CONNECTED)
    await client.write(CREDENTIAL_WRITE, octets)
    await client.wait_for(Ack, 2)
    request = await client.tell(StatusRequest())
    await client.wait_for(Status, 3)
    await client.write(CREDENTIAL_WRITE, request)
    await client.wait_for(Status, 4)
    assert client.acks == [STORED, STORED]
    assert client.states.count(CONNECTED) == 3, "one join, and two answers"
    await device.wait_for("wifiset_repeated", 2)
    assert len(device.events("wifiset_repeated")) == 2
    assert len(await device.wait_for("wifiset_credentials")) == 1


async def test_a_repeat_of_what_was_refused(client: WiFiSetClient) -> None:
    """It asks for an answer as the first did."""
    octets = frame(0x10, client.next_sequence(), b"\x04Home\x40" + b"x" * 64)
    for count in (1, 2):
        await client.write(CREDENTIAL_WRITE, octets)
        await client.wait_for(Ack, count)
    assert client.acks == [INVALID_PASSWORD] * 2
    await still_works(client)


async def test_the_same_number_with_other_octets_is_a_new_message(client: WiFiSetClient) -> None:
    await client.give(b"Home", b"wrong horse battery", sequence=5)
    await client.wait_for(Status, 2)
    await client.give(b"Home", PASSWORD, sequence=5)
    await client.wait_for_state(CONNECTED)
    assert client.acks == [STORED, STORED]


async def test_missing_numbers_are_told(client: WiFiSetClient, device: Run) -> None:
    await client.tell(StatusRequest(), sequence=250)
    await client.tell(StatusRequest(), sequence=255)
    await client.tell(StatusRequest(), sequence=0)
    await client.wait_for(Status, 3)
    assert client.errors == []
    told = [(event["expected"], event["received"]) for event in await device.wait_for("wifiset_sequence_gap")]
    assert told == [(251, 255)]


# Nonsense


@pytest.mark.parametrize("seed", range(3))
async def test_nonsense_does_no_harm(seed: int, client: WiFiSetClient) -> None:
    """Random writes, most of them with a header that looks right; each is confirmed, and the device goes on."""
    generator = random.Random(20260400 + seed)
    for _ in range(150):
        body = generator.randbytes(generator.choice([0, 1, 3, 20, 100]))
        header = bytes(
            [generator.choice([0x10, 0x20, 0x11, 0xFF, generator.randrange(256)]), generator.randrange(256)]
        )
        length = len(body) if generator.random() < 0.7 else generator.randrange(1 << 16)
        data = header + length.to_bytes(2, "little") + body if generator.random() < 0.9 else body
        await client.write(CREDENTIAL_WRITE, data[:500])
    await client.disconnect()
    await client.join()
    await still_works(client)
