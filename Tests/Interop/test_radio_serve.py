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
from bumble.hci import Address, HCI_ErrorCode

from lantern import DONE, FAILED, WRONG_USAGE, Lantern
from peers.air import COMPLETE_LOCAL_NAME, LONG_VALUE, VALUE, Air, Host, serve
from peers.central import Subscription
from peers.flockfinder_device import COMMAND, DETECTION, STREAM

FLOCKFINDER = "C0:FF:EE:F1:0C:01"


@pytest.fixture(params=["extended", "legacy"])
async def hosts(request: pytest.FixtureRequest, serving: Lantern) -> AsyncIterator[tuple[Air, Host, Host]]:
    """Two hosts on one air; the first is to be a gadget."""
    air = await serve(serving, "--features", request.param)
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
    await central.device.start_scanning(active=True)
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
    assert [line["kind"] for line in await air.run.wait_for("simulated_device")] == ["flockfinder"]
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
    assert {line["reason"] for line in air.run.events("host_detached")} == {"left"}


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
        await air.run.wait_for("host_attached")
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
        ["--port", "9000", "--at", "3=0,0"],
        ["--port", "9000", "--at", "flockfinder=0,0"],
        ["--port", "9000", "--latency", "50-20"],
        ["--port", "9000", "--features", "classic"],
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
