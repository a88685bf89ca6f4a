# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern flock send`: words arrive exactly, Stream is subscribed to first, answers are shown."""

from __future__ import annotations

import asyncio

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, Lantern
from peers.bench import Bench
from peers.flockfinder_device import ADDRESS, FlockFinderDevice, WiFiSetDevice


def answer_with(device: FlockFinderDevice, message: str) -> None:
    """Every command is answered with a status object."""

    def on_command(data: bytes) -> None:
        value = {"evt": "status", "msg": f"{message} {data.decode()}", "ts": 1}
        asyncio.ensure_future(device.send_stream(value))

    device.on_command = on_command


COMMANDS = ["PING", "STATUS", "RESET", "stream_on", "stream_off", "ping", "GET_CONFIG", "grüße 📷", "x" * 300]


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_arrives_exactly(
    command: str, flockfinder: FlockFinderDevice, lantern: Lantern
) -> None:
    answer_with(flockfinder, "got")
    result = await lantern.run("flock", "send", ADDRESS, command, "--wait", "1")
    assert result.status == DONE, result
    assert flockfinder.commands == [command.encode()]
    order = [(entry.what, entry.where) for entry in flockfinder.log]
    assert order.index(("subscribe", "stream")) < order.index(("write", "command"))
    assert "ATT_WRITE_REQUEST" in [request.name for request in flockfinder.att_requests]


async def test_answers_within_the_wait_are_printed(flockfinder: FlockFinderDevice, lantern: Lantern) -> None:
    answer_with(flockfinder, "alive after")
    result = await lantern.run("flock", "send", ADDRESS, "STATUS", "--wait", "2")
    assert result.status == DONE
    assert "alive after STATUS" in result.stdout
    await flockfinder.wait_for("disconnected")


async def test_answers_as_json(flockfinder: FlockFinderDevice, lantern: Lantern) -> None:
    answer_with(flockfinder, "alive after")
    result = await lantern.run("flock", "send", ADDRESS, "PING", "--wait", "2", "--json")
    assert result.status == DONE
    streams = [line["object"] for line in result.lines if line.get("event") == "flock_stream"]
    assert streams == [{"evt": "status", "msg": "alive after PING", "ts": 1}]


async def test_an_address_that_nobody_has_exits_with_2(
    flockfinder: FlockFinderDevice, lantern: Lantern
) -> None:
    result = await lantern.run("flock", "send", "D0:00:00:00:00:99", "PING", timeout=45)
    assert result.status == NOTHING_FOUND
    assert not flockfinder.entries("connected")


async def test_a_wrong_device_is_not_written_to(bench: Bench, lantern: Lantern) -> None:
    wifiset = WiFiSetDevice(bench)
    await wifiset.start()
    result = await lantern.run("flock", "send", wifiset.address, "PING")
    assert result.status == FAILED
    assert result.stderr.strip()
    assert not wifiset.own_write_requests


async def test_a_command_that_the_device_does_not_know_fails_in_words(
    flockfinder: FlockFinderDevice, lantern: Lantern
) -> None:
    answer_with(flockfinder, "unknown command:")
    for arguments in ([], ["--json"]):
        result = await lantern.run("flock", "send", ADDRESS, "BOGUS", "--wait", "1", *arguments)
        assert result.status == FAILED
        assert "does not know the command: unknown command: BOGUS" in result.stderr
