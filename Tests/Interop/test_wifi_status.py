# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern wifi status` with a Bumble device that was written from the specification."""

from __future__ import annotations

import re

import pytest

from lantern import DONE, Lantern, bare
from peers.bench import Bench
from peers.wifiset import (
    CONNECTED,
    CONNECTING,
    FAILED_TO_CONNECT,
    NOT_CONFIGURED,
    STATE_NAMES,
    Status,
    StatusRequest,
)
from peers.wifiset_device import ADDRESS, wifiset_on

STATUSES = [
    Status(NOT_CONFIGURED),
    Status(1, 0, "0.0.0.0", b"Home"),
    Status(CONNECTING, 0, "0.0.0.0", b"Home"),
    Status(CONNECTED, -56, "192.168.1.100", b"0123456789abcdef0123456789abcdef"),
    Status(CONNECTED, -128, "255.254.253.0", "Grüße 📷".encode()),
    Status(CONNECTED, 127, "10.0.0.1", b"\xff\xfe"),
    Status(FAILED_TO_CONNECT, 0, "0.0.0.0", b""),
]


@pytest.mark.parametrize("mtu", [23, 517])
@pytest.mark.parametrize("status", STATUSES, ids=range(len(STATUSES)))
async def test_a_status_is_told_exactly(status: Status, mtu: int, bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench, mtu=mtu)
    device.status = status
    result = await lantern.run("wifi", "show", ADDRESS, "--json")
    assert result.status == DONE, result
    try:
        ssid: str | None = status.ssid.decode() if status.ssid.strip(b"\0") else None
    except UnicodeDecodeError:
        ssid = None
    (line,) = bare(result.lines)
    assert {key: member for key, member in line.items() if key != "ssid_octets"} == {
        "event": "wifi_status",
        "state": STATE_NAMES[status.state],
        "rssi": status.rssi,
        "ip": status.ip,
        "ssid": ssid,
        "url": None,
    }


async def test_every_state_has_a_sentence_of_its_own(bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)
    said = []
    for state in range(len(STATE_NAMES)):
        device.status = Status(state, 0, "0.0.0.0", b"Home")
        result = await lantern.run("wifi", "show", ADDRESS)
        assert result.status == DONE
        said.append(result.stdout.strip())
        await bench.port.wait_until_free()
    assert len(set(said)) == len(STATE_NAMES) and all(len(re.findall(r"\w+", line)) >= 4 for line in said)


@pytest.mark.parametrize("value", [b"", b"\x21", STATUSES[3].encode(0)[:-1]], ids=["none", "short", "cut"])
async def test_a_value_that_is_no_status_is_not_believed(
    value: bytes, bench: Bench, lantern: Lantern
) -> None:
    """Real firmware has an empty value until its first status (Documentation/Protocols/wifiset.md, Joining): then it is asked with 0x20."""
    device = await wifiset_on(bench)
    device.status, device.status_value = STATUSES[3], value
    result = await lantern.run("wifi", "show", ADDRESS, "--json")
    if result.status == DONE:
        assert result.line["state"] == "connected"
        assert [received.message for received in device.received] == [StatusRequest()]
    else:
        assert result.lines == [] and result.stderr.strip()
    if value == b"":
        assert result.status == DONE, result


async def test_a_hostile_ssid_is_shown_harmlessly(bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)
    for ssid in (b"\x1b[2JEvil\r\n\x07", b"\xc2\x9b2J\xe2\x80\xaeEvil", b"\xff\xfe\x00"):
        device.status = Status(CONNECTED, -50, "10.0.0.1", ssid)
        result = await lantern.run("wifi", "show", ADDRESS)
        assert result.status == DONE
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", result.stdout), repr(result.stdout)
        assert len(result.stdout.splitlines()) == 1
        await bench.port.wait_until_free()
