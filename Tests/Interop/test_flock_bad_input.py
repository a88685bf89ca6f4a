# SPDX-License-Identifier: Apache-2.0
"""Proves that bad input from a device is told, with its octets, and that listening goes on after it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lantern import DONE, Lantern, Run
from peers.flockfinder_device import FlockFinderDevice, encode
from peers.samples import BAD_INPUTS, ODD_INPUTS, RAW_INPUTS, numbered

GOOD = encode(numbered(7))


async def watch(lantern: Lantern, device: FlockFinderDevice, database: Path) -> Run:
    run = await lantern.watch(database, "--no-ping")
    await device.ready()
    await run.wait_for_state("connected")
    return run


async def assert_listening(run: Run, device: FlockFinderDevice, number: int = 7) -> None:
    """A good detection still comes through."""
    await device.send_raw(encode(numbered(number)))
    await run.wait_until(
        lambda: [event for event in run.detections if event["ssid"] == f"n{number}"], "the good detection"
    )


@pytest.mark.parametrize("name", BAD_INPUTS)
async def test_bad_input(
    name: str, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    bad = BAD_INPUTS[name]
    run = await watch(lantern, flockfinder, database)
    await flockfinder.send_raw(bad)
    await assert_listening(run, flockfinder)
    assert run.states[-1] == "connected", "bad input does not cost the link"
    assert len(flockfinder.entries("connected")) == 1
    assert (await run.interrupt()).status == DONE
    assert [error["octets"] for error in run.parse_errors] == [bad.hex()]
    assert [event["ssid"] for event in run.detections] == ["n7"]


async def test_each_bad_input_after_the_other(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    """All of them on one link: what one leaves behind must not spoil the next."""
    run = await watch(lantern, flockfinder, database)
    for number, bad in enumerate(BAD_INPUTS.values()):
        await flockfinder.send_raw(bad)
        await assert_listening(run, flockfinder, number)
    assert [error["octets"] for error in run.parse_errors] == [bad.hex() for bad in BAD_INPUTS.values()]
    assert [event["ssid"] for event in run.detections] == [f"n{number}" for number in range(len(BAD_INPUTS))]
    assert (await run.interrupt()).status == DONE
    rows = await lantern.list_detections(database)
    assert sorted(row["id"] for row in rows) == sorted(event["id"] for event in run.detections)


@pytest.mark.parametrize("name", RAW_INPUTS)
async def test_what_firmware_writes_raw_is_kept(
    name: str, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await watch(lantern, flockfinder, database)
    await flockfinder.send_raw(RAW_INPUTS[name])
    await assert_listening(run, flockfinder)
    assert (await run.interrupt()).status == DONE
    assert not run.parse_errors
    assert len(run.detections) == len(await lantern.list_detections(database)) == 2


@pytest.mark.parametrize("name", ODD_INPUTS)
async def test_odd_input_does_no_harm(
    name: str, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await watch(lantern, flockfinder, database)
    await flockfinder.send_raw(ODD_INPUTS[name])
    await assert_listening(run, flockfinder)
    assert (await run.interrupt()).status == DONE
    assert len(run.detections) + len(run.parse_errors) == 2


async def test_a_truncated_object_does_not_swallow_the_next(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    """NimBLE cuts a notification that is too long without a word, and the next object begins afresh."""
    truncated = encode(dict(numbered(1), ssid="a name that was cut"))[:60]
    run = await watch(lantern, flockfinder, database)
    await flockfinder.send_raw(truncated)
    await assert_listening(run, flockfinder)
    await assert_listening(run, flockfinder, 8)
    assert (await run.interrupt()).status == DONE
    assert [error["octets"] for error in run.parse_errors] == [truncated.hex()]
    assert [event["ssid"] for event in run.detections] == ["n7", "n8"]


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"ssid":"'])
async def test_an_object_that_never_ends_is_given_up(
    opening: bytes, flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    """Half a megabyte without an end: memory is bounded, the parser comes back."""
    run = await watch(lantern, flockfinder, database)
    piece = (opening * 500)[:500] if opening != b'{"ssid":"' else opening + b"x" * 480
    await flockfinder.send_raw(piece)
    for _ in range(1000):
        await flockfinder.send_raw(piece if opening != b'{"ssid":"' else b"x" * 500)
        await flockfinder.let_flow()
    await flockfinder.send_raw(b"\n")
    for number in range(20):
        await flockfinder.send_raw(encode(numbered(number)) + b"\n")
    await run.wait_until(lambda: "n19" in [event["ssid"] for event in run.detections], "good detections")
    assert run.parse_errors
    assert resident_kilobytes(run) < 200_000
    assert (await run.interrupt()).status == DONE


def resident_kilobytes(run: Run) -> int:
    """The memory the process holds now."""
    for line in Path(f"/proc/{run.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("the process has no VmRSS")


async def test_a_thousand_bad_ones_in_a_row(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await watch(lantern, flockfinder, database)
    for number in range(1000):
        await flockfinder.send_raw(f"bad {number}".encode())
        await flockfinder.let_flow()
    await assert_listening(run, flockfinder)
    assert [error["octets"] for error in run.parse_errors] == [
        f"bad {number}".encode().hex() for number in range(1000)
    ]
    assert (await run.interrupt()).status == DONE


async def test_bad_objects_on_the_stream(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--no-ping", "--stream")
    await flockfinder.ready()
    await flockfinder.wait_for("write", "command")
    await flockfinder.send_stream(b"\xff not an object")
    await flockfinder.send_stream({"evt": "status", "msg": "fine", "ts": 1})
    await run.wait_for("flock_stream")
    await assert_listening(run, flockfinder)
    assert [event["object"]["msg"] for event in run.events("flock_stream")] == ["fine"]
    assert [error["octets"] for error in run.parse_errors] == [b"\xff not an object".hex()]
    assert (await run.interrupt()).status == DONE


async def test_hostile_strings_are_escaped_on_a_terminal(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    hostile = dict(numbered(1), ssid="Evil\x1b]0;owned\x07\u009b31m", type="Type\x1b[2J")

    def on_subscribed(name: str) -> None:
        if name == "detection":
            asyncio.ensure_future(flockfinder.send(hostile))

    flockfinder.on_subscribed = on_subscribed
    output = await lantern.run_on_terminal(
        "flock", "watch", "--database", str(database), until=lambda seen: b"Evil" in seen
    )
    assert b"Evil\x1b" not in output and b"Type\x1b" not in output
    assert b"\x07" not in output and b"\xc2\x9b" not in output
