# SPDX-License-Identifier: Apache-2.0
"""Proves how `flock watch` finds its device, what it says meanwhile, and that it comes back after a loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, Lantern, Run
from peers.bench import Bench
from peers.flockfinder_device import ADDRESS, COMMAND, DETECTION, STREAM, FlockFinderDevice, WiFiSetDevice
from peers.gadget import FLAGS, Gadget, ad_name
from peers.samples import FIRMWARE_STREAM, numbered

WAY_TO_CONNECTED = ["scanning", "connecting", "discovering", "connected"]


async def test_states_on_the_way_to_connected(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database)
    await run.wait_for_state("connected")
    states = run.states
    if states[0] == "disconnected":
        states = states[1:]
    assert states == WAY_TO_CONNECTED
    for event in run.events("link_state"):
        if event["state"] in ("connecting", "discovering", "connected"):
            assert event["address"] == ADDRESS
    await flockfinder.ready()
    assert (await run.interrupt()).status == DONE
    await flockfinder.wait_for("disconnected")


async def test_a_given_address_is_used(bench: Bench, lantern: Lantern, database: Path) -> None:
    first = FlockFinderDevice(bench, address="F0:00:00:00:00:01")
    second = FlockFinderDevice(bench, address="F0:00:00:00:00:02")
    await first.start()
    await second.start()
    run = await lantern.watch(database, "--address", second.address, "--count", "1")
    await second.ready()
    await second.send(numbered(1))
    assert (await run.finish()).status == DONE
    assert not first.entries("connected")


@pytest.mark.parametrize("name", ["FlockFinder-S3", "my flock", "Feather", "ESP32 board", "um_feathers3"])
async def test_a_device_found_by_its_name(name: str, bench: Bench, lantern: Lantern, database: Path) -> None:
    device = FlockFinderDevice(bench, name=name, advertise_service=False)
    await device.start()
    run = await lantern.watch(database, "--count", "1")
    await device.ready()
    await device.send(numbered(1))
    assert (await run.finish()).status == DONE


async def test_no_candidate_at_all(bench: Bench, lantern: Lantern, database: Path) -> None:
    other = Gadget(bench, "Kettle", "C4:00:00:00:00:01", [], FLAGS + ad_name("Kettle"))
    await other.start()
    result = await lantern.run("flock", "watch", "--database", str(database), "--duration", "3", "--json")
    assert result.status == NOTHING_FOUND
    assert not other.entries("connected")


async def test_an_address_that_nobody_has_exits_with_2(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    result = await lantern.run(
        *["flock", "watch", "--database", str(database), "--json"],
        *["--address", "D0:00:00:00:00:99", "--duration", "4"],
        timeout=45,
    )
    assert result.status == NOTHING_FOUND
    assert not flockfinder.entries("connected")


# The wrong device


async def test_a_wifiset_is_never_connected(bench: Bench, lantern: Lantern, database: Path) -> None:
    wifiset = WiFiSetDevice(bench)
    await wifiset.start()
    run = await lantern.watch(database, "--duration", "6")
    await wifiset.wait_for("disconnected")
    result = await run.finish()
    assert result.status in (FAILED, NOTHING_FOUND)
    assert "connected" not in run.states
    assert not wifiset.entries("write")


async def test_a_wifiset_by_address_says_what_is_missing(
    bench: Bench, lantern: Lantern, database: Path
) -> None:
    wifiset = WiFiSetDevice(bench)
    await wifiset.start()
    run = await lantern.watch(database, "--address", wifiset.address)
    result = await run.finish()
    assert result.status == FAILED
    assert "connected" not in run.states
    said = result.stderr.lower()
    assert "firmware" in said and "update" in said
    assert DETECTION in said or "detection" in said


CHARACTERISTICS = {DETECTION: "detection", COMMAND: "command", STREAM: "stream"}


@pytest.mark.parametrize(("missing", "word"), CHARACTERISTICS.items(), ids=CHARACTERISTICS.values())
async def test_a_device_without_one_of_its_characteristics(
    missing: str, word: str, bench: Bench, lantern: Lantern, database: Path
) -> None:
    """Not a FlockFinder either: all three characteristics make one."""
    await FlockFinderDevice(bench, without=missing).start()
    run = await lantern.watch(database, "--address", ADDRESS)
    result = await run.finish()
    assert result.status == FAILED
    assert missing in result.stderr.lower() or word in result.stderr.lower()
    assert "connected" not in run.states


async def test_of_two_candidates_the_wrong_one_comes_first(
    bench: Bench, lantern: Lantern, database: Path
) -> None:
    wifiset = WiFiSetDevice(bench)
    await wifiset.start()
    run = await lantern.watch(database, "--count", "1")
    await wifiset.wait_for("disconnected")
    device = FlockFinderDevice(bench)
    await device.start()
    await device.ready()
    await device.send(numbered(1))
    assert (await run.finish()).status == DONE
    connected = [event["address"] for event in run.events("link_state") if event["state"] == "connected"]
    assert connected == [ADDRESS]


# Losing the link


async def reconnected(run: Run, device: FlockFinderDevice, times: int) -> None:
    """Waits until the device has been subscribed to once more, and detections come again."""
    await device.ready(count=times + 1, timeout=30)
    await device.send(numbered(100 + times))
    await run.wait_until(
        lambda: [event for event in run.detections if event["ssid"] == f"n{100 + times}"],
        f"the detection after reconnection {times}",
    )


async def test_the_link_is_dropped_and_lost_and_comes_back(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database)
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    await run.wait_for("detection")
    await flockfinder.drop()
    await reconnected(run, flockfinder, 1)
    flockfinder.lose_link()
    await reconnected(run, flockfinder, 2)
    states = run.states
    assert states.count("connected") == 3
    first = states.index("connected")
    second = states.index("connected", first + 1)
    assert states[first + 1] == "disconnected"
    assert "discovering" in states[first:second]
    gone = [event for event in run.events("link_state") if event["state"] == "disconnected"]
    assert gone[-1]["reason"] and gone[-2]["reason"] and gone[-1]["reason"] != gone[-2]["reason"]
    assert (await run.interrupt()).status == DONE
    assert [event["ssid"] for event in run.detections] == ["n1", "n101", "n102"]
    rows = await lantern.list_detections(database)
    assert sorted(row["ssid"] for row in rows) == ["n1", "n101", "n102"]


async def test_a_device_that_goes_away_for_a_while(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database)
    await flockfinder.ready()
    await run.wait_for_state("connected")
    flockfinder.go_away()
    await run.wait_until(
        lambda: "disconnected" in run.states[run.states.index("connected") :], "the loss to be told"
    )
    # Away for longer than the first try takes.
    await run.wait_for_state("scanning", count=run.states.count("scanning") + 1)
    assert len(flockfinder.entries("connected")) == 1
    await flockfinder.advertise()
    await reconnected(run, flockfinder, 1)
    assert (await run.interrupt()).status == DONE


async def test_a_link_lost_before_the_device_is_ready(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    """In the middle of discovery, and with a write unanswered."""
    run = await lantern.watch(database, "--stream")
    await flockfinder.wait_for("connected")
    flockfinder.lose_link()
    await flockfinder.wait_for("write", "command", timeout=30)
    links = len(flockfinder.entries("connected"))
    flockfinder.lose_link()
    await flockfinder.wait_for("connected", count=links + 1, timeout=30)
    await flockfinder.wait_for("write", "command", count=2, timeout=30)
    await run.wait_for_state("connected")
    await flockfinder.send(numbered(1))
    await run.wait_for("detection")
    assert (await run.interrupt()).status == DONE


async def test_a_link_lost_in_the_middle_of_an_object(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    """What was begun on the old link must not be glued to what comes on the new one."""
    run = await lantern.watch(database)
    await flockfinder.ready()
    await run.wait_for_state("connected")
    await flockfinder.send_raw(b'{"type":"Ring","ssid":"cut')
    flockfinder.lose_link()
    await reconnected(run, flockfinder, 1)
    assert [event["ssid"] for event in run.detections] == ["n101"]
    assert (await run.interrupt()).status == DONE


async def test_sigint_while_waiting_for_the_device(bench: Bench, lantern: Lantern, database: Path) -> None:
    run = await lantern.watch(database)
    await run.wait_for_state("scanning")
    assert (await run.interrupt(timeout=5)).status == DONE


async def test_duration_ends_a_watch(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--duration", "6")
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    assert (await run.finish()).status == DONE
    assert len(run.detections) == 1
    await flockfinder.wait_for("disconnected")


# The stream


async def test_stream_is_switched_on_first_and_off_at_the_end(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--stream")
    await flockfinder.wait_for("write", "command")
    assert flockfinder.commands == [b"stream_on"]
    assert flockfinder.entries("subscribe", "stream"), "Stream is subscribed to before it is switched on"
    for value in FIRMWARE_STREAM:
        await flockfinder.send_stream(value)
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    await run.wait_for("detection")
    events = await run.wait_for("flock_stream", count=len(FIRMWARE_STREAM))
    assert [event["object"] for event in events] == FIRMWARE_STREAM
    assert (await run.interrupt()).status == DONE
    assert flockfinder.commands == [b"stream_on", b"stream_off"]


async def test_without_stream_nothing_is_switched_on(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--count", "1")
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    assert (await run.finish()).status == DONE
    await flockfinder.wait_for("disconnected")
    assert flockfinder.commands == []


async def test_stream_is_switched_on_again_after_a_reconnection(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--stream")
    await flockfinder.wait_for("write", "command")
    await run.wait_for_state("connected")
    flockfinder.lose_link()
    await flockfinder.wait_for("write", "command", count=2, timeout=30)
    assert flockfinder.commands == [b"stream_on", b"stream_on"]
    await run.wait_for_state("connected", count=2)
    assert (await run.interrupt()).status == DONE
