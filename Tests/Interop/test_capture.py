# SPDX-License-Identifier: Apache-2.0
"""Proves that tshark dissects captures of whole sessions, in both roles, and finds nothing wrong."""

from __future__ import annotations

import asyncio
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, Lantern
from peers.awkward_gadget import AwkwardGadget
from peers.bench import Bench
from peers.central import Central
from peers.flockfinder_device import COMMAND, DETECTION, STREAM, FlockFinderDevice
from peers.samples import DOCUMENT_SAMPLES, FIRMWARE_STREAM, numbered

WRITE_REQUEST, NOTIFICATION, MTU_REQUEST = "0x12", "0x1b", "0x02"
EXPERT_ERROR = 0x00800000


async def tshark(capture: Path, *arguments: str) -> list[str]:
    """The lines that tshark prints about a capture."""
    program = shutil.which("tshark")
    assert program is not None, "tshark is missing: apt-get install tshark"
    process = await asyncio.create_subprocess_exec(
        program,
        *["-r", str(capture), *arguments],
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, errors.decode()
    return output.decode().splitlines()


async def assert_clean(capture: Path) -> None:
    """No malformed packet, no expert error, nothing undissected."""
    for complaint in ("_ws.malformed", "_ws.short", f"_ws.expert.severity >= {EXPERT_ERROR}"):
        assert await tshark(capture, "-Y", complaint) == [], complaint


async def opcodes(capture: Path) -> set[str]:
    lines = await tshark(capture, "-Y", "btatt", "-T", "fields", "-e", "btatt.opcode")
    return {opcode for line in lines for opcode in line.split(",")}


async def test_a_session_as_central(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    capture = tmp_path / "central.btsnoop"
    run = await lantern.watch(database, "--stream", "--capture", str(capture))
    await flockfinder.ready()
    await flockfinder.wait_for("write", "command")
    for sample in DOCUMENT_SAMPLES:
        await flockfinder.send(sample)
    await flockfinder.send(dict(numbered(1), note="x" * 900))
    for value in FIRMWARE_STREAM:
        await flockfinder.send_stream(value)
    await run.wait_for("detection", count=len(DOCUMENT_SAMPLES) + 1)
    await run.wait_for("flock_stream", count=len(FIRMWARE_STREAM))
    await flockfinder.drop()
    await flockfinder.ready(count=2)
    assert (await run.interrupt()).status == DONE
    await assert_clean(capture)
    assert {MTU_REQUEST, WRITE_REQUEST, NOTIFICATION} <= await opcodes(capture)
    notifications = await tshark(capture, "-Y", f"btatt.opcode == {NOTIFICATION}")
    assert len(notifications) >= len(DOCUMENT_SAMPLES) + 2 + len(FIRMWARE_STREAM)
    for event in ("bthci_evt.code == 0x05", "bthci_cmd.opcode == 0x0c03", "bthci_cmd.opcode == 0x0406"):
        assert await tshark(capture, "-Y", event), event
    octets = await tshark(capture, "-Y", "btatt", "-T", "fields", "-e", "btatt.value")
    assert any(b"FLOCK-S3-1234".hex() in line.replace(":", "") for line in octets)


async def test_directions_and_times(
    flockfinder: FlockFinderDevice, lantern: Lantern, tmp_path: Path
) -> None:
    """Commands are sent, events received, and time never runs backwards."""
    capture = tmp_path / "scan.btsnoop"
    result = await lantern.run("scan", "--duration", "1", "--json", "--capture", str(capture))
    assert result.status == DONE
    fields = ["-T", "fields", "-e", "hci_h4.direction", "-e", "hci_h4.type", "-e", "frame.time_epoch"]
    rows = [line.split("\t") for line in await tshark(capture, *fields)]
    assert {(direction, kind) for direction, kind, _ in rows} == {("0x00", "0x01"), ("0x01", "0x04")}
    times = [float(time) for _, _, time in rows]
    assert times == sorted(times)
    assert abs(times[-1] - capture.stat().st_mtime) < 10


async def test_a_session_as_peripheral(bench: Bench, lantern: Lantern, tmp_path: Path) -> None:
    capture = tmp_path / "peripheral.btsnoop"
    run = await lantern.start("device", "run", "flockfinder", "--capture", str(capture))
    central = Central(bench)
    await central.start()
    await central.connect((await central.find()).address)
    stream = await central.subscribe(STREAM)
    detections = await central.subscribe(DETECTION)
    await central.write(COMMAND, b"STATUS")
    await stream.wait_for_object(evt="status")
    await detections.wait_for_objects(1, timeout=30)
    await central.disconnect()
    await central.find()
    assert (await run.interrupt()).status == DONE
    await assert_clean(capture)
    assert {MTU_REQUEST, WRITE_REQUEST, NOTIFICATION} <= await opcodes(capture)


async def test_an_awkward_database(bench: Bench, lantern: Lantern, tmp_path: Path) -> None:
    """Error responses, blobs and 128-bit UUIDs in small pieces."""
    gadget = AwkwardGadget(bench)
    gadget.device.gatt_server.max_mtu = 64
    await gadget.start()
    capture = tmp_path / "tree.btsnoop"
    result = await lantern.run("gatt", "tree", gadget.address, "--json", "--capture", str(capture))
    assert result.status == DONE
    await assert_clean(capture)
    assert {"0x01", "0x0c", "0x0d"} <= await opcodes(capture)


async def test_a_killed_process_leaves_a_readable_capture(
    flockfinder: FlockFinderDevice, lantern: Lantern, database: Path, tmp_path: Path
) -> None:
    """A capture is wanted most when something went wrong: what was written before is still there."""
    capture = tmp_path / "killed.btsnoop"
    run = await lantern.watch(database, "--capture", str(capture))
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    await run.wait_for("detection")
    await run.kill()
    notifications = await tshark(capture, "-Y", f"btatt.opcode == {NOTIFICATION}")
    assert len(notifications) == 1


async def test_a_capture_that_cannot_be_written(lantern: Lantern, tmp_path: Path) -> None:
    target = tmp_path / "no such folder" / "capture.btsnoop"
    result = await lantern.run("scan", "--duration", "1", "--json", "--capture", str(target))
    assert result.status in (1, 64)
    assert "no such folder" in result.stderr


# A disk that is full


@contextmanager
def files_of_at_most(octets: int) -> Iterator[None]:
    """What is started meanwhile can write no more than that into a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (octets, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_capture_without_any_room(lantern: Lantern) -> None:
    result = await lantern.run("scan", "--duration", "1", "--json", "--capture", "/dev/full")
    assert (result.status, result.stdout) == (FAILED, "")
    assert result.stderr == "lantern: The capture cannot be written to /dev/full: No space left on device.\n"


FULL = "The capture full.btsnoop ended early: File too large."


@pytest.mark.parametrize(
    ("command", "status", "words"),
    [
        ("scan --duration 0.5 --json", FAILED, f"lantern: {FULL} Everything else was done.\n"),
        (
            "scan --duration 0.5 --json --name nobody",
            NOTHING_FOUND,
            f"lantern: {FULL}\nlantern: 12 devices were heard, but none that fits the filters.\n",
        ),
    ],
)
async def test_a_disk_that_fills(command: str, status: int, words: str, serving: Lantern) -> None:
    """The command goes on, and says at its end what is missing."""
    with files_of_at_most(1000):
        run = await serving.start(*command.split(), "--capture", "full.btsnoop", radio="sim")
    result = await run.finish()
    assert (result.status, result.stderr) == (status, words)
    assert (serving.home / "full.btsnoop").stat().st_size == 1000


@pytest.mark.parametrize("command", ["scan --json", "device run wifiset --json"])
async def test_a_disk_that_fills_and_control_c(command: str, serving: Lantern) -> None:
    with files_of_at_most(100):
        run = await serving.start(*command.split(), "--capture", "full.btsnoop", radio="sim")
    # The start of the radio alone is more than that.
    await run.wait_until(lambda: run.lines, "an event")
    result = await run.interrupt()
    assert result.status == FAILED
    assert FULL in result.stderr
