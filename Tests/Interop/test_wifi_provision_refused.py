# SPDX-License-Identifier: Apache-2.0
"""Proves what `lantern wifi provision` refuses before anything is sent: bad SSIDs, passwords, usage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lantern import FAILED, WRONG_USAGE, Lantern, Result
from peers.bench import Bench
from peers.wifiset_device import ADDRESS, wifiset_on

PASSWORD = "correct horse battery"


async def refused(
    bench: Bench, lantern: Lantern, *arguments: str, status: tuple[int, ...], **options: Any
) -> Result:
    """Runs it, and sees that nothing was written."""
    device = await wifiset_on(bench)
    result = await lantern.provision(ADDRESS, *arguments, **{"password": PASSWORD, **options})
    assert result.status in status, result
    assert result.stderr.strip() and device.writes == []
    return result


@pytest.mark.parametrize("length", [1, 4, 6, 7])
async def test_a_password_that_is_too_short(length: int, bench: Bench, lantern: Lantern) -> None:
    result = await refused(bench, lantern, password="x" * length, status=(FAILED, WRONG_USAGE))
    assert "8" in result.stderr


@pytest.mark.parametrize("password", ["0123456789abcdef" * 4, "x" * 64, "ü" * 32, "x" * 5000])
async def test_a_password_that_is_too_long(password: str, bench: Bench, lantern: Lantern) -> None:
    """64 hex digits are a key that WPA knows, and WiFiSet has no room for: that is the reason to be told."""
    result = await refused(bench, lantern, password=password, status=(FAILED, WRONG_USAGE))
    assert "63" in result.stderr or "cannot carry" in result.stderr


async def test_a_missing_password(bench: Bench, lantern: Lantern) -> None:
    await refused(bench, lantern, password=None, status=(WRONG_USAGE,))


@pytest.mark.parametrize(
    "ssid",
    [
        [],
        ["--ssid", ""],
        ["--ssid-hex", ""],
        ["--ssid-hex", "0"],
        ["--ssid-hex", "xy"],
        ["--ssid", "x" * 33],
        ["--ssid-hex", "00" * 33],
        ["--ssid", "a", "--ssid-hex", "61"],
    ],
)
async def test_a_bad_ssid(ssid: list[str], bench: Bench, lantern: Lantern) -> None:
    await refused(bench, lantern, *ssid, ssid=None, status=(WRONG_USAGE,))


async def test_two_sources_of_a_password(bench: Bench, lantern: Lantern, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(PASSWORD)
    await refused(bench, lantern, "--open", status=(WRONG_USAGE,))
    await refused(bench, lantern, "--password-file", str(file), status=(WRONG_USAGE,))
    await refused(bench, lantern, "--password-file", str(tmp_path / "missing"), password=None, status=(1, 64))


@pytest.mark.parametrize("json", [["--json"], []], ids=["json", "text"])
async def test_without_yes_nobody_can_be_asked(json: list[str], bench: Bench, lantern: Lantern) -> None:
    device = await wifiset_on(bench)
    result = await lantern.run("wifi", "provision", ADDRESS, "--ssid", "Home", "--open", *json)
    assert result.status == WRONG_USAGE
    assert "--yes" in result.stderr and result.stdout == ""
    assert device.entries("connected") == [] and device.writes == []


async def test_the_password_is_no_argument(bench: Bench, lantern: Lantern) -> None:
    result = await refused(bench, lantern, "--password", PASSWORD, password=None, status=(WRONG_USAGE,))
    assert PASSWORD not in result.stderr


@pytest.mark.parametrize("password", [b"", b"\n", b"\r\n"])
async def test_an_empty_password(password: bytes, bench: Bench, lantern: Lantern) -> None:
    """For an open network there is --open; an empty file is a mistake."""
    await refused(bench, lantern, password=password, status=(FAILED, WRONG_USAGE))


@pytest.mark.parametrize("seconds", ["-1", "x", "nan", "inf", ""])
async def test_a_bad_timeout(seconds: str, bench: Bench, lantern: Lantern) -> None:
    await refused(bench, lantern, f"--timeout={seconds}", status=(WRONG_USAGE,))


@pytest.mark.parametrize("address", ["", "C2:57", "C2:57:1F:15:E7:0G", "C2:57:1F:15:E7:01/X"])
async def test_a_bad_address(address: str, lantern: Lantern) -> None:
    for command in (["networks"], ["show"], ["provision", "--ssid", "Home", "--open", "--yes"]):
        result = await lantern.run("wifi", *command, address)
        assert result.status == WRONG_USAGE and result.stderr.strip()
