# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern radio serve`: Bumble hosts, and our own, on our virtual air over TCP."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bumble.core import UUID
from bumble.device import Advertisement, Connection, Device, DeviceConfiguration, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address, HCI_ErrorCode
from bumble.transport import open_transport
from bumble.transport.common import Transport

from lantern import DONE, FAILED, WRONG_USAGE, Lantern, Run
from peers.central import Subscription
from peers.changes import Changes
from peers.flockfinder_device import COMMAND, DETECTION, STREAM
from peers.gadget import ad_name

SERVICE = UUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
VALUE = UUID("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
FLOCKFINDER = "C0:FF:EE:F1:0C:01"
COMPLETE_LOCAL_NAME = 0x09
LONG_VALUE = bytes(number % 251 for number in range(400))


class Host:
    """A Bumble device whose controller is one of ours, behind a TCP port."""

    def __init__(self, transport: Transport, name: str, address: str) -> None:
        self.transport = transport
        configuration = DeviceConfiguration(name=name, address=Address(address))
        self.device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
        self.changes = Changes()
        self.advertisements: list[Advertisement] = []
        self.connections: list[Connection] = []
        self.disconnections: list[int] = []
        self.written: list[bytes] = []
        self.device.on("advertisement", self._on_advertisement)
        self.device.on("connection", self._on_connection)

    @classmethod
    async def attach(cls, port: int, name: str, address: str) -> Host:
        return cls(await open_transport(f"tcp-client:127.0.0.1:{port}"), name, address)

    def _on_advertisement(self, advertisement: Advertisement) -> None:
        self.advertisements.append(advertisement)
        self.changes.notify()

    def _on_connection(self, connection: Connection) -> None:
        self.connections.append(connection)
        connection.on("disconnection", self._on_disconnection)
        self.changes.notify()

    def _on_disconnection(self, reason: int) -> None:
        self.disconnections.append(reason)
        self.changes.notify()

    async def be_gadget(self) -> Characteristic[bytes]:
        """Serves a characteristic, and advertises."""

        def on_write(_connection: Connection, value: bytes) -> None:
            self.written.append(bytes(value))
            self.changes.notify()

        properties = Characteristic.Properties
        value = Characteristic(
            VALUE,
            properties.READ | properties.WRITE | properties.NOTIFY,
            Characteristic.READABLE | Characteristic.WRITEABLE,
            CharacteristicValue(read=lambda _connection: LONG_VALUE, write=on_write),
        )
        self.device.add_service(Service(SERVICE, [value]))
        await self.device.power_on()
        await self.advertise()
        return value

    async def advertise(self) -> None:
        await self.device.start_advertising(
            advertising_data=bytes([2, 1, 6]),
            scan_response_data=ad_name("gadget"),
            advertising_interval_min=30,
            advertising_interval_max=30,
        )

    async def find(self, address: str) -> Advertisement:
        """Scans until somebody has been heard."""

        def heard() -> Advertisement | None:
            return next((found for found in self.advertisements if found.address == Address(address)), None)

        self.advertisements.clear()
        await self.device.start_scanning(legacy=True)
        found = await self.changes.wait_until(heard, 15, f"an advertisement of {address}")
        await self.device.stop_scanning()
        assert found is not None
        return found

    async def connect(self, address: str) -> Peer:
        peer = Peer(await self.device.connect(Address(address), timeout=10))
        await peer.request_mtu(247)
        await peer.discover_all()
        return peer

    async def wait_for_disconnection(self) -> int:
        await self.changes.wait_until(lambda: bool(self.disconnections), 20, "a disconnection")
        return self.disconnections[-1]

    def vanish(self) -> None:
        """The process is gone, as TCP sees it."""
        self.transport.sink.transport.abort()


class Air:
    """A running `lantern radio serve`."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @property
    def ports(self) -> list[int]:
        return [line["port"] for line in self.run.events("listening")]

    async def wait_until_free(self, controller: int, count: int = 1) -> None:
        await self.run.wait_until(
            lambda: [line["controller"] for line in self.run.events("detached")].count(controller) >= count,
            f"controller {controller} to be free",
        )


@pytest.fixture
async def serving(binary: Path, tmp_path: Path) -> AsyncIterator[Lantern]:
    """The binary without a radio."""
    lantern = Lantern(binary, "none", tmp_path)
    yield lantern
    await lantern.close()


async def serve(lantern: Lantern, *arguments: str) -> Air:
    run = await lantern.start_offline("radio", "serve", "--port", "0", "--json", *arguments)
    await run.wait_for("ready")
    return Air(run)


@pytest.fixture
async def hosts(serving: Lantern) -> AsyncIterator[tuple[Air, Host, Host]]:
    """Two hosts on one air; the first is to be a gadget."""
    air = await serve(serving)
    one = await Host.attach(air.ports[0], "gadget", "C1:00:00:00:00:01")
    two = await Host.attach(air.ports[1], "central", "C2:00:00:00:00:02")
    yield air, one, two
    for host in (one, two):
        host.vanish()
    assert (await air.run.interrupt()).status == DONE


# Two Bumble hosts


async def test_two_bumble_hosts_find_each_other_with_real_scan_responses(hosts: tuple[Air, Host, Host]) -> None:
    _, gadget, central = hosts
    await gadget.be_gadget()
    await central.device.power_on()
    await central.device.start_scanning(legacy=True, active=True)
    await central.changes.wait_until(
        lambda: any(found.data.get(COMPLETE_LOCAL_NAME) == "gadget" for found in central.advertisements),
        15,
        "a scan response",
        lambda: repr([bytes(found.data) for found in central.advertisements]),
    )
    assert all(found.address == Address("C1:00:00:00:00:01") for found in central.advertisements)


async def test_two_bumble_hosts_discover_read_write_and_notify(hosts: tuple[Air, Host, Host]) -> None:
    _, gadget, central = hosts
    value = await gadget.be_gadget()
    await central.device.power_on()
    peer = await central.connect("C1:00:00:00:00:01")
    [proxy] = peer.get_characteristics_by_uuid(VALUE)
    assert await proxy.read_value() == LONG_VALUE
    await proxy.write_value(b"x" * 200, with_response=True)
    assert gadget.written == [b"x" * 200]

    subscription = Subscription(proxy)
    await proxy.subscribe(subscription.on_notification)
    [connection] = gadget.connections
    sent = [number.to_bytes(4, "little") + bytes(100) for number in range(1000)]
    for each in sent:
        await gadget.device.notify_subscriber(connection, value, each)
    await subscription.changes.wait_until(
        lambda: len(subscription.notifications) >= 1000,
        30,
        "1000 notifications",
        lambda: f"came: {len(subscription.notifications)}",
    )
    assert [notification.value for notification in subscription.notifications] == sent

    await peer.connection.disconnect()
    assert await gadget.wait_for_disconnection() == HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR


async def test_a_host_that_vanishes_drops_its_links_and_another_may_attach(
    hosts: tuple[Air, Host, Host],
) -> None:
    air, gadget, central = hosts
    await gadget.be_gadget()
    await central.device.power_on()
    await central.connect("C1:00:00:00:00:01")
    gadget.vanish()
    await air.wait_until_free(1)
    assert await central.wait_for_disconnection() == HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR

    again = await Host.attach(air.ports[0], "gadget", "C1:00:00:00:00:01")
    await again.be_gadget()
    peer = await central.connect("C1:00:00:00:00:01")
    [proxy] = peer.get_characteristics_by_uuid(VALUE)
    assert await proxy.read_value() == LONG_VALUE
    again.vanish()
    await air.wait_until_free(1, count=2)


async def test_a_killed_process_is_a_host_that_vanished(
    hosts: tuple[Air, Host, Host], serving: Lantern, tmp_path: Path, database: Path
) -> None:
    """The same with SIGKILL: our own central dies in the middle of its link to our own device."""
    air, _, _ = hosts
    for host in hosts[1:]:
        host.vanish()
    await air.wait_until_free(1)
    await air.wait_until_free(2)
    first, second = (f"tcp:127.0.0.1:{port}" for port in air.ports)
    device = await serving.start("device", "run", "flockfinder", "--json", radio=first)
    watch = await serving.watch(database, radio=second)
    await watch.wait_for("detection")
    await watch.kill()
    await air.wait_until_free(2, count=2)
    again = await serving.watch(database, "--count", "1", radio=second)
    assert (await again.finish()).status == DONE
    await device.kill()


# Simulated devices


async def test_a_bumble_host_with_our_simulated_flockfinder(serving: Lantern) -> None:
    air = await serve(serving, "--controllers", "1", "--devices", "flockfinder")
    assert [line["kind"] for line in air.run.events("device")] == ["flockfinder"]
    host = await Host.attach(air.ports[0], "central", "C2:00:00:00:00:02")
    await host.device.power_on()
    found = await host.find(FLOCKFINDER)
    assert found.is_connectable
    peer = await host.connect(FLOCKFINDER)
    [detection] = peer.get_characteristics_by_uuid(UUID(DETECTION))
    [command] = peer.get_characteristics_by_uuid(UUID(COMMAND))
    [stream] = peer.get_characteristics_by_uuid(UUID(STREAM))
    detections, answers = Subscription(detection), Subscription(stream)
    await stream.subscribe(answers.on_notification)
    await detection.subscribe(detections.on_notification)
    [first, *_] = await detections.wait_for_objects(1, timeout=30)
    assert {"type", "rssi", "confidence"} <= first.keys()
    await command.write_value(b"STATUS", with_response=True)
    await answers.wait_for_object(evt="status")
    host.vanish()


async def test_our_watch_on_our_air(serving: Lantern, database: Path) -> None:
    air = await serve(serving, "--devices", "all")
    for port in (air.ports[0], air.ports[1], air.ports[0]):
        watch = await serving.watch(database, "--count", "2", radio=f"tcp:127.0.0.1:{port}")
        assert (await watch.finish()).status == DONE
        assert [event["type"] for event in watch.detections] != []
    assert {line["reason"] for line in air.run.events("detached")} == {"left"}


async def test_losses_slow_a_link_but_lose_nothing(serving: Lantern, database: Path) -> None:
    air = await serve(serving, "--devices", "all", "--loss", "0.2", "--seed", "7")
    watch = await serving.watch(database, "--count", "3", radio=f"tcp:127.0.0.1:{air.ports[0]}")
    assert (await watch.finish(timeout=60)).status == DONE
    assert watch.parse_errors == []


# Hosts that do not behave


def resident_octets(process: asyncio.subprocess.Process) -> int:
    with open(f"/proc/{process.pid}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_a_host_that_sends_and_never_reads_costs_no_memory(serving: Lantern) -> None:
    air = await serve(serving)
    loop = asyncio.get_running_loop()
    commands = bytes.fromhex("01021000") * 4096  # Read Local Supported Commands: 71 octets for 4.
    with socket.create_connection(("127.0.0.1", air.ports[0])) as rude:
        await air.run.wait_for("attached")
        before = resident_octets(air.run.process)
        rude.settimeout(2)

        def flood() -> int:
            sent = 0
            try:
                while sent < 64 << 20:
                    sent += rude.send(commands)
            except TimeoutError:
                pass
            return sent

        assert await loop.run_in_executor(None, flood) < 64 << 20, "it is not read any more"
        assert resident_octets(air.run.process) - before < 32 << 20
        # The others go on.
        host = await Host.attach(air.ports[1], "other", "C2:00:00:00:00:02")
        await host.device.power_on()
        host.vanish()
    await air.wait_until_free(1)


async def test_noise_is_answered_with_a_hardware_error_and_the_next_host_is_well(serving: Lantern) -> None:
    air = await serve(serving)
    reader, writer = await asyncio.open_connection("127.0.0.1", air.ports[0])
    writer.write(bytes(range(7, 256)) * 100)
    assert (await asyncio.wait_for(reader.readexactly(4), 10)).hex() == "04100100"
    writer.close()
    host = await Host.attach(air.ports[0], "next", "C1:00:00:00:00:01")
    await asyncio.wait_for(host.device.power_on(), 10)
    host.vanish()


# The command line


async def test_a_port_that_is_taken(serving: Lantern) -> None:
    air = await serve(serving)
    taken = air.ports[0]
    result = await serving.run_offline("radio", "serve", "--port", str(taken), "--controllers", "1")
    assert (result.status, str(taken) in result.stderr, "--port" in result.stderr) == (FAILED, True, True)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "9000", "--devices", "toaster"],
        ["--port", "9000", "--devices", "flockfinder,"],
        ["--port", "9000", "--loss", "1.5"],
        ["--port", "9000", "--loss", "nan"],
        ["--port", "9000", "--controllers", "0"],
        ["--port", "65535", "--controllers", "2"],
        ["--port", "-1"],
        [],
    ],
)
async def test_wrong_usage(arguments: list[str], serving: Lantern) -> None:
    result = await serving.run_offline("radio", "serve", *arguments)
    assert (result.status, result.stderr.startswith("lantern: ")) == (WRONG_USAGE, True)
    if "toaster" in arguments:
        assert "flockfinder" in result.stderr, "what there is is listed"


async def test_readable_lines_and_a_clean_end(serving: Lantern) -> None:
    run = await serving.start_offline("radio", "serve", "--port", "0", "--devices", "flockfinder")
    await run.wait_until(lambda: "ready" in run.stdout, "the ready line")
    lines = run.stdout.splitlines()
    assert len(lines) == 4 and sum("listens at tcp:127.0.0.1:" in line for line in lines) == 2
    run.process.send_signal(signal.SIGTERM)
    result = await run.finish()
    assert (result.status, result.stderr) == (DONE, "")
