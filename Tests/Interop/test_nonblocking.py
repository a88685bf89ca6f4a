# SPDX-License-Identifier: Apache-2.0
"""Proves that commands wait for a pipe or terminal that somebody else has made non-blocking (EAGAIN)."""

from __future__ import annotations

import array
import asyncio
import fcntl
import json
import os
import pty
import subprocess
import termios
import time
import tty
from pathlib import Path

import pytest

from lantern import DONE, Lantern
from peers.flockfinder_device import FlockFinderDevice
from peers.neighbourhood import PASSWORD

LAMP = "C0:FF:EE:F1:1A:4B"
WIFISET = "C0:FF:EE:F1:5E:71"


def make_non_blocking(descriptor: int) -> None:
    fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_NONBLOCK)


def waiting(descriptor: int) -> int:
    """How many octets can be read."""
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]


def popen(lantern: Lantern, command: str, **streams: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(lantern.binary), *command.split()],
        env=lantern.environment(TERM="xterm-256color"),
        cwd=lantern.home,
        **streams,  # type: ignore[call-overload]
    )


# Input


def feed_late(lantern: Lantern, command: str, octets: bytes) -> tuple[int, str, str]:
    """Runs a command whose input has nothing to read at first, and then has it in two pieces."""
    reader, writer = os.pipe()
    make_non_blocking(reader)
    process = popen(lantern, command, stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(reader)
    try:
        # Time enough to find nothing; who finds the end instead is done.
        for piece in (octets[:3], octets[3:]):
            time.sleep(0.7)
            if process.poll() is None:
                os.write(writer, piece)
    finally:
        os.close(writer)
    output, errors = process.communicate(timeout=20)
    return process.returncode, output.decode(), errors.decode()


def test_commands_of_a_shell(serving: Lantern) -> None:
    status, output, errors = feed_late(serving, f"gatt shell {LAMP} --radio sim", b"mtu\nread 2a00\n")
    assert (status, errors) == (DONE, "")
    assert output.splitlines() == ["MTU 517", '"Nightlight"  4e 69 67 68 74 6c 69 67 68 74']


def test_a_password(serving: Lantern) -> None:
    command = f"wifi provision {WIFISET} --radio sim --ssid Home --yes --json --password-stdin"
    status, output, errors = feed_late(serving, command, f"{PASSWORD}\n".encode())
    assert '"event":"wifi_acknowledgment"' in output, (status, output, errors)


async def test_detections_to_import(serving: Lantern) -> None:
    watched = await serving.run("flock", "watch", "--count", "1", "--database", "a.sqlite", radio="sim")
    exported = await serving.run_offline("detections", "export", "--format", "json", "--database", "a.sqlite")
    assert (watched.status, exported.status) == (DONE, DONE)
    status, _, errors = feed_late(serving, "detections import - --database b.sqlite", exported.stdout.encode())
    assert status == DONE, errors
    again = await serving.run_offline("detections", "export", "--format", "json", "--database", "b.sqlite")
    assert json.loads(again.stdout)["detections"] == json.loads(exported.stdout)["detections"]


# Output


@pytest.fixture
def schema(serving: Lantern) -> bytes:
    """A long output as it is when nothing is in the way."""
    return subprocess.run(
        [str(serving.binary), "events", "--schema"], env=serving.environment(), capture_output=True, timeout=20
    ).stdout


@pytest.mark.parametrize("stream", ["pipe", "terminal"])
def test_a_long_output_to_a_slow_reader(stream: str, serving: Lantern, schema: bytes) -> None:
    assert len(schema) > 1 << 16  # More than either of them holds.
    reader, writer = os.pipe() if stream == "pipe" else pty.openpty()
    if stream == "terminal":
        tty.setraw(writer)
    make_non_blocking(writer)
    process = popen(serving, "events --schema", stdout=writer, stderr=subprocess.PIPE)
    # It is full when nothing more comes.
    before = -1
    while waiting(reader) == 0 or waiting(reader) != before:
        before = waiting(reader)
        time.sleep(0.2)
    os.close(writer)
    came = bytearray()
    try:
        while piece := os.read(reader, 1000):
            came += piece
    except OSError:
        pass  # The end of a terminal.
    os.close(reader)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (DONE, b"")
    assert bytes(came) == schema


async def test_a_stream_whose_reader_stalls(flockfinder: FlockFinderDevice, lantern: Lantern) -> None:
    """Nothing is lost, and the command neither ends nor spins."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    make_non_blocking(writer)
    process = popen(lantern, f"scan --all --json --radio {lantern.radio}", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    while waiting(reader) < 3000:
        await asyncio.sleep(0.02)
    # Time to stall, and then to spin.
    await asyncio.sleep(1)
    busy = processor_time(process.pid)
    await asyncio.sleep(1)
    assert processor_time(process.pid) - busy < 0.5
    assert process.poll() is None
    process.send_signal(2)
    came = await asyncio.to_thread(lambda: b"".join(iter(lambda: os.read(reader, 65536), b"")))
    os.close(reader)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (DONE, b"")
    assert came.endswith(b"}\n") and len(came) > 4096


def processor_time(process: int) -> float:
    """How many seconds a process has been on a processor."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
