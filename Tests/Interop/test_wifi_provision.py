# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern wifi provision` in scripts, with a Bumble device that was written from the specification."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, Lantern, Result, bare
from peers.bench import Bench
from peers.wifiset import (
    ACK_NAMES,
    CONFIGURED,
    CONNECTED,
    CONNECTING,
    CONNECTION_TIMEOUT,
    ERROR_NAMES,
    FAILED_TO_CONNECT,
    NOT_CONFIGURED,
    STATE_NAMES,
    STORED,
    Ack,
    Credentials,
    Error,
    Network,
    Status,
    cut_at,
)
from peers.wifiset_device import ADDRESS, HOME, NAME, Step, WiFiSetDevice, wifiset_on

PASSWORD = "correct horse battery"
JOINED = WiFiSetDevice.joined(HOME)


async def provision(lantern: Lantern, *arguments: str, **options: Any) -> Result:
    """With a password by stdin, unless another way is told."""
    return await lantern.provision(ADDRESS, *arguments, **{"password": PASSWORD, **options})


def ack_event(status: str = "stored", attempt: int = 1) -> dict[str, Any]:
    return {"event": "wifi_acknowledgment", "answer": status, "attempt": attempt}


def without_hex(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: member for key, member in line.items() if key != "ssid_octets"} for line in bare(list(lines))]


# What arrives


@pytest.mark.parametrize("on_credentials", [False, True], ids=["ack on status", "ack on credential write"])
@pytest.mark.parametrize("mtu", [23, 64, 128, 517])
async def test_a_join_from_beginning_to_end(
    mtu: int, on_credentials: bool, bench: Bench, lantern: Lantern
) -> None:
    device = await wifiset_on(bench, mtu=mtu, acknowledges_on_credentials=on_credentials)
    result = await provision(lantern)
    assert result.status == DONE, result
    status = {"event": "wifi_status", "ssid": "Home", "url": None}
    assert without_hex(result.lines) == [
        {"event": "device_ready", "name": NAME, "mtu": mtu},
        ack_event(),
        {**status, "state": "connecting", "rssi": 0, "ip": "0.0.0.0"},
        {**status, "state": "connected", "rssi": HOME.rssi, "ip": "192.168.1.100"},
    ]
    assert device.credentials == [(b"Home", PASSWORD.encode())]
    assert device.malformed == []
    assert [bytes(pdu) for pdu in device.att_requests if pdu.op_code == 0x02] == [b"\x02\x05\x02"], "517"
    assert all(len(piece) <= mtu - 3 for piece in device.writes)
    subscribed = [entry.where for entry in device.entries("subscribe")]
    assert "status" in subscribed and ("credentials" in subscribed) == on_credentials
    first_write = next(index for index, entry in enumerate(device.log) if entry.what == "write")
    assert device.log.index(device.entries("subscribe", "status")[0]) < first_write
    await device.wait_for("disconnected")


@pytest.mark.parametrize("mtu", [23, 127])
async def test_a_small_mtu_is_told(mtu: int, bench: Bench, lantern: Lantern) -> None:
    """Scripts have it in the `device` event."""
    await wifiset_on(bench, mtu=mtu)
    command = ["wifi", "provision", ADDRESS, "--yes", "--ssid", "Home", "--open"]
    result = await lantern.run(*command)
    assert result.status == DONE, result
    assert (f"{mtu - 3} octets" in result.stdout + result.stderr) == (mtu < 128), result


async def test_the_mtu_is_the_one_that_came_out(bench: Bench, lantern: Lantern) -> None:
    """Ten times, because it was a race once."""
    await wifiset_on(bench, mtu=200)
    for _ in range(10):
        result = await provision(lantern, "--open", password=None)
        assert result.events("device_ready")[0]["mtu"] == 200
        await bench.port.wait_until_free()


LONGEST = b"0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize("mtu", [23, 517])
@pytest.mark.parametrize("ssid", [b"H", LONGEST, "Grüße 📷".encode(), b"\xff\xfe\x00\r\n", b"-dash"])
async def test_any_ssid_as_hex(ssid: bytes, mtu: int, bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench, mtu=mtu, answers=[WiFiSetDevice.joined(Network(ssid))])
    result = await provision(lantern, "--ssid-hex", ssid.hex(), ssid=None, password="x" * 63)
    assert result.status == DONE, result
    assert device.credentials == [(ssid, b"x" * 63)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (b"password\n", b"password"),
        (b"password", b"password"),
        (b"password\r\n", b"password"),
        ("pässwörd 📷\n".encode(), "pässwörd 📷".encode()),
        (b"  spaces around  \n", b"  spaces around  "),
        (b"x" * 63, b"x" * 63),
    ],
)
@pytest.mark.parametrize("source", ["stdin", "file"])
async def test_a_password_arrives_exactly(
    source: str, given: bytes, expected: bytes, bench: Bench, lantern: Lantern, tmp_path: Path
) -> None:
    device = await wifiset_on(bench)
    if source == "stdin":
        result = await provision(lantern, password=given)
    else:
        file = tmp_path / "password"
        file.write_bytes(given)
        result = await provision(lantern, "--password-file", str(file), password=None)
    assert result.status == DONE, result
    assert device.credentials == [(b"Home", expected)]


async def test_an_open_network(bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)
    result = await provision(lantern, "--open", password=None)
    assert result.status == DONE, result
    assert device.credentials == [(b"Home", b"")]


# What is answered


@pytest.mark.parametrize("status", range(1, 4))
@pytest.mark.parametrize("on_credentials", [False, True], ids=["on status", "on credential write"])
async def test_an_ack_that_refuses(status: int, on_credentials: bool, bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench, answers=[[Ack(status)]], acknowledges_on_credentials=on_credentials)
    result = await provision(lantern)
    assert result.status == FAILED
    assert bare(result.events("wifi_acknowledgment")) == [ack_event(ACK_NAMES[status])]
    assert len(result.stderr.split()) >= 5
    assert len(device.tries) == 1


@pytest.mark.parametrize("code", ERROR_NAMES)
async def test_every_error_code(code: int, bench: Bench, lantern: Lantern) -> None:
    await wifiset_on(bench, answers=[[Ack(STORED), Error(code, b"Because \xc3\xbc")]])
    result = await provision(lantern, "--timeout", "4")
    assert result.status in (FAILED, NOTHING_FOUND)
    assert bare(result.events("wifi_error")) == [
        {"event": "wifi_error", "code": code, "error": ERROR_NAMES[code], "message": "Because ü"}
    ]
    assert len(result.stderr.split()) >= 5


async def test_an_error_instead_of_an_ack(bench: Bench, lantern: Lantern) -> None:
    """The firmware that exists answers with Error 0x03 on Status (Documentation/Protocols/wifiset.md, Joining)."""
    device = await wifiset_on(bench, answers=[[Error(3, b"no")]])
    result = await provision(lantern, "--timeout", "4")
    assert result.status == FAILED
    assert [event["error"] for event in result.events("wifi_error")] == ["credential_write_failed"]
    assert result.events("wifi_acknowledgment") == [] and len(device.tries) == 1


async def test_a_failure_by_error_and_status(bench: Bench, lantern: Lantern) -> None:
    steps: list[Step] = [
        Ack(STORED),
        Status(CONNECTING, 0, "0.0.0.0", b"Home"),
        Error(CONNECTION_TIMEOUT, b"no answer"),
        Status(FAILED_TO_CONNECT),
    ]
    await wifiset_on(bench, answers=[steps])
    result = await provision(lantern)
    assert result.status == FAILED
    assert [event["error"] for event in result.events("wifi_error")] == ["connection_timeout"]


async def test_a_wrong_password(bench: Bench, lantern: Lantern) -> None:
    steps: list[Step] = [Ack(STORED), Status(CONNECTING, 0, "0.0.0.0", b"Home"), Status(FAILED_TO_CONNECT)]
    device = await wifiset_on(bench, answers=[steps])
    result = await provision(lantern)
    assert result.status == FAILED
    assert [event["state"] for event in result.events("wifi_status")] == ["connecting", "failed"]
    assert "password" in result.stderr
    assert len(device.tries) == 1, "nobody is there who could have another one"


@pytest.mark.parametrize("state", [NOT_CONFIGURED, CONFIGURED, CONNECTING])
async def test_a_state_that_is_no_end(state: int, bench: Bench, lantern: Lantern) -> None:
    """0 only when connected: these are told, and the time limit ends the wait."""
    await wifiset_on(bench, answers=[[Ack(STORED), Status(state, 0, "0.0.0.0", b"Home")]])
    result = await provision(lantern, "--timeout", "2")
    assert result.status == NOTHING_FOUND, result
    assert [event["state"] for event in result.events("wifi_status")] == [STATE_NAMES[state]]
    assert result.stderr.strip()


async def test_connected_to_another_network_is_no_success(bench: Bench, lantern: Lantern) -> None:
    """The SSID in a status is the set in use: before, and after a failure, it may be the last one that worked."""
    old = Status(CONNECTED, -50, "10.0.0.1", b"Old")
    device = await wifiset_on(bench)
    device.status = old
    device.answers = [
        [
            old,
            Ack(STORED),
            Status(CONNECTING, 0, "0.0.0.0", b"Home"),
            Status(FAILED_TO_CONNECT, 0, "0.0.0.0", b"Old"),
            old,
        ]
    ]
    result = await provision(lantern)
    assert result.status == FAILED, result


async def test_an_old_connection_after_the_ack_is_no_success(bench: Bench, lantern: Lantern) -> None:
    old = Status(CONNECTED, -50, "10.0.0.1", b"Old")
    await wifiset_on(bench, answers=[[Ack(STORED), old, 0.3, *JOINED[1:]]])
    result = await provision(lantern)
    assert result.status == DONE, result
    assert result.events("wifi_status")[-1]["ssid"] == "Home"


async def test_the_failure_of_the_try_before_is_not_ours(bench: Bench, lantern: Lantern) -> None:
    """State 0x04 stays until the next try, for new links too: it may still be told before the ACK."""
    device = await wifiset_on(bench, answers=[[Status(FAILED_TO_CONNECT), *JOINED]])
    device.status = Status(FAILED_TO_CONNECT)
    result = await provision(lantern)
    assert result.status == DONE, result


async def test_unknown_codes_are_no_success(bench: Bench, lantern: Lantern) -> None:
    """An ACK, a state and an error with codes that the specification does not have."""
    device = await wifiset_on(bench)
    for steps in ([Ack(0x7F)], [Ack(STORED), Status(0x09, 0, "0.0.0.0", b"Home")], [Error(0x77, b"?")]):
        device.answers = [steps]
        run = await lantern.start(
            *["wifi", "provision", ADDRESS, "--ssid", "Home", "--open", "--yes", "--timeout", "3"]
        )
        result = await run.finish()
        assert result.status in (FAILED, NOTHING_FOUND), (steps, result)
        assert result.stderr.strip()
        await bench.port.wait_until_free()


# Lost, repeated, in pieces


async def test_a_lost_ack_is_asked_for_again(bench: Bench, lantern: Lantern) -> None:
    """After 5 s: a new message with the next sequence number, and the second attempt is acknowledged."""
    device = await wifiset_on(bench, answers=[[], JOINED])
    result = await provision(lantern)
    assert result.status == DONE
    assert bare(result.events("wifi_acknowledgment")) == [ack_event(attempt=2)]
    first, second = device.tries
    assert second.message == first.message
    assert second.sequence == (first.sequence + 1) & 0xFF
    assert 4.8 < second.at - first.at < 6.5


async def test_a_repeated_ack_and_a_repeated_status(bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)

    async def play() -> None:
        for message in JOINED:
            octets = await device.send(message)
            if device.connected:
                await device.send_octets(device.status_characteristic, octets)

    device.answers = [[play]]
    result = await provision(lantern)
    assert result.status == DONE
    assert bare(result.events("wifi_acknowledgment")) == [ack_event()]
    assert [event["state"] for event in result.events("wifi_status")] == ["connecting", "connected"]


async def test_missing_numbers_do_no_harm(bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)

    async def play() -> None:
        for message in JOINED:
            device.skip_sequence(100)
            await device.send(message)

    device.answers = [[play]]
    result = await provision(lantern)
    assert result.status == DONE
    assert len(result.events("wifi_status")) == 2


@pytest.mark.parametrize("size", [1, 2, 3, 5])
async def test_answers_in_pieces(size: int, bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)

    async def play() -> None:
        for message in JOINED:
            octets = message.encode(device.next_sequence())
            await device.send_octets(device.status_characteristic, octets, range(size, len(octets), size))

    device.answers = [[play]]
    result = await provision(lantern)
    assert result.status == DONE
    assert [event["event"] for event in result.lines] == ["device_ready", "wifi_acknowledgment", "wifi_status", "wifi_status"]


async def test_an_error_message_in_pieces(bench: Bench, lantern: Lantern) -> None:
    """The longest message, 261 octets, over the smallest MTU."""
    device = await wifiset_on(bench, mtu=23, answers=[[Error(4, b"x" * 255)]])
    result = await provision(lantern, "--timeout", "4")
    assert result.status == FAILED and device.malformed == []
    assert result.events("wifi_error")[0]["message"] == "x" * 255


BAD = {
    "ack without status": b"\x11\x00\x00\x00",
    "ack with two": b"\x11\x00\x02\x00\x00\x00",
    "status of 33": bytes([0x21, 0, 40, 0, 3, 0xC8, 10, 0, 0, 1, 33]) + b"x" * 33,
    "status too short": b"\x21\x00\x06\x00\x03\xc8\x0a\x00\x00\x01",
    "unknown type": b"\x99\x00\x01\x00\x00",
    "our own type": Credentials(b"Home", b"password").encode(0),
    "too long": b"\x21\x00\x02\x01\x03",
    "nothing": b"",
}


@pytest.mark.parametrize("octets", BAD.values(), ids=BAD)
async def test_bad_input_before_the_ack_and_during_the_join(
    octets: bytes, bench: Bench, lantern: Lantern
) -> None:
    device = await wifiset_on(bench, answers=[[octets, JOINED[0], octets, *JOINED[1:]]])
    result = await provision(lantern)
    assert result.status == DONE, result
    assert [event["event"] for event in result.lines] == ["device_ready", "wifi_acknowledgment", "wifi_status", "wifi_status"]
    assert len(device.tries) == 1


async def test_a_message_that_is_never_finished(bench: Bench, lantern: Lantern) -> None:
    """5 s without the rest: it is discarded, and the next piece begins a message."""
    half = cut_at(Status(CONNECTING, 0, "0.0.0.0", b"Home").encode(1), 9)[0]
    await wifiset_on(bench, answers=[[Ack(STORED), half, 5.5, Status(CONNECTED, -48, "10.0.0.1", b"Home")]])
    result = await provision(lantern)
    assert result.status == DONE, result
    assert [event["state"] for event in result.events("wifi_status")] == ["connected"]


# The command line


async def test_the_capture_is_warned_of(bench: Bench, lantern: Lantern, tmp_path: Path) -> None:
    await wifiset_on(bench)
    with_capture = await provision(lantern, "--capture", str(tmp_path / "c.btsnoop"))
    await bench.port.wait_until_free()
    without = await provision(lantern)
    assert "password" in with_capture.stderr.lower() and "password" not in without.stderr.lower()
    assert with_capture.status == without.status == DONE


async def test_interrupting_a_join(bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench, answers=[JOINED[:2]])
    run = await lantern.start("wifi", "provision", ADDRESS, "--ssid", "Home", "--open", "--yes", "--json")
    await run.wait_for("wifi_status")
    result = await run.interrupt(timeout=5)
    assert result.status != DONE
    await device.wait_for("disconnected")
