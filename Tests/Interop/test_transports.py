# SPDX-License-Identifier: Apache-2.0
"""Proves the radios beside `tcp:`: a serial port, a TCP server, and a radio that goes away and comes back."""

from __future__ import annotations

import asyncio
import os
import pty
import socket
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bumble.transport.common import PacketParser

from lantern import DONE, FAILED, WRONG_USAGE, Lantern
from peers.bench import Bench, make_controller
from peers.flockfinder_device import ADDRESS, FlockFinderDevice
from peers.samples import numbered


class SerialController:
    """A Bumble controller at the other end of a pseudo-terminal, which is a serial port to whoever opens it."""

    def __init__(self, bench: Bench) -> None:
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        self._slave = slave
        self.parser = PacketParser()
        controller = make_controller("serial", bench.link, "00:1B:DC:00:00:77", bench.extended)
        controller.host = self
        self.parser.set_packet_sink(controller)

    def on_packet(self, packet: bytes) -> None:
        os.write(self.master, packet)

    def on_readable(self) -> None:
        self.parser.feed_data(os.read(self.master, 4096))


@contextmanager
def serial_controller(bench: Bench) -> Iterator[SerialController]:
    controller = SerialController(bench)
    loop = asyncio.get_running_loop()
    loop.add_reader(controller.master, controller.on_readable)
    try:
        yield controller
    finally:
        loop.remove_reader(controller.master)
        os.close(controller.master)
        os.close(controller._slave)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize("speed", ["", ",115200"])
async def test_a_serial_port(
    speed: str, flockfinder: FlockFinderDevice, bench: Bench, lantern: Lantern, database: Path
) -> None:
    with serial_controller(bench) as controller:
        run = await lantern.watch(database, "--count", "50", radio=f"serial:{controller.path}{speed}")
        await flockfinder.ready()
        for number in range(50):
            await flockfinder.send(numbered(number))
        assert (await run.finish()).status == DONE
    assert len(run.detections) == 50


async def test_a_tcp_server_that_waits_for_the_controller(
    flockfinder: FlockFinderDevice, bench: Bench, lantern: Lantern
) -> None:
    port = free_port()
    run = await lantern.start("scan", "--duration", "3", "--json", radio=f"tcp-listen:127.0.0.1:{port}")
    loop = asyncio.get_running_loop()
    parser = PacketParser()

    class Attachment(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            self.transport = transport
            controller = make_controller("attached", bench.link, "00:1B:DC:00:00:78", bench.extended)
            controller.host = self
            parser.set_packet_sink(controller)

        def on_packet(self, packet: bytes) -> None:
            self.transport.write(packet)

        def data_received(self, data: bytes) -> None:
            parser.feed_data(data)

    async def attach() -> None:
        while True:
            try:
                await loop.create_connection(Attachment, "127.0.0.1", port)
                return
            except ConnectionRefusedError:
                await asyncio.sleep(0.02)  # Not listening yet.

    await asyncio.wait_for(attach(), 10)
    [line, *_] = await run.wait_for("advertisement")
    assert line["address"] == ADDRESS
    assert (await run.finish()).status == DONE


async def test_a_radio_that_goes_away_and_comes_back(
    flockfinder: FlockFinderDevice, bench: Bench, lantern: Lantern, database: Path
) -> None:
    run = await lantern.watch(database, "--count", "2")
    await flockfinder.ready()
    await flockfinder.send(numbered(1))
    await run.wait_for("detection")
    assert bench.port.controller is not None
    bench.port.controller.host.transport.abort()
    await run.wait_for_state("bluetooth_off")
    await flockfinder.ready(count=2)
    await flockfinder.send(numbered(2))
    assert (await run.finish()).status == DONE
    assert run.states[-1] in ("connected", "disconnected")


async def test_a_file_that_is_no_serial_port(lantern: Lantern, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("not a port")
    result = await lantern.run("scan", "--duration", "1", radio=f"serial:{path}")
    assert (result.status, "serial port" in result.stderr) == (FAILED, True)


@pytest.mark.parametrize(
    "radio", ["tcp:", "tcp:localhost", "tcp:localhost:0", "tcp:localhost:65536", "serial:", "serial:/x,7", "usb:0"]
)
async def test_a_radio_that_cannot_be_meant(radio: str, lantern: Lantern) -> None:
    result = await lantern.run("scan", "--duration", "1", radio=radio)
    assert (result.status, result.stderr.startswith("lantern: ")) == (WRONG_USAGE, True)
