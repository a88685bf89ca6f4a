# SPDX-License-Identifier: Apache-2.0
"""How `lantern hub` ends while a device, its controller or another program does not let it."""

import signal
import socket
import sqlite3
import subprocess
import threading
import time
from contextlib import closing, contextmanager

import pytest
from patience import within
from real_hub import RealHub, binary
from test_real_hub import connect, detection
from test_store import fill


@pytest.fixture
def hub(air, tmp_path):
    one = RealHub(tmp_path, "--radio", air.radio)
    one.start()
    yield one
    if one.process.poll() is None:
        one.kill()


def kept(hub) -> list[str]:
    with closing(sqlite3.connect(hub.database)) as database:
        return [ssid for (ssid,) in database.execute("SELECT ssid FROM detection ORDER BY id")]


def end(hub, limit: float) -> int:
    begin = time.monotonic()
    hub.process.send_signal(signal.SIGTERM)
    status = hub.process.wait(limit + 20)
    took = time.monotonic() - begin
    assert took < limit, f"{took:.1f} s\n{hub.log}"
    return status


@contextmanager
def hanging(air):
    """Nothing of the air answers."""
    over = threading.Event()
    air.loop.call_soon_threadsafe(over.wait, 60)
    try:
        yield
    finally:
        over.set()


def test_a_radio_that_hangs_does_not_hold_it_up(hub, air):
    """Neither the device answers the farewell, nor the controller what ends the link."""
    connect(hub, air)
    air.send(detection(1))
    hub.detections()
    with hanging(air):
        assert end(hub, within(5)) == 0, hub.log
    assert kept(hub) == ["net-1"]


def asking(hub, path: str) -> socket.socket:
    """A client that asks and reads nothing of the answer."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", hub.port))
    client.sendall(f"GET /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return client


def test_all_that_hangs_at_once_does_not_hold_it_up(hub, air):
    """The radio, twenty pages and an export that do not read, and another program that holds the database."""
    fill(hub, 30_000)
    connect(hub, air)
    air.send(detection(1))
    hub.until(lambda: "net-1" in {row["ssid"] for row in hub.get("/detections?limit=5")["items"]})
    clients = [asking(hub, "/events") for _ in range(20)]
    clients.append(asking(hub, "/exports/detections.json"))
    # Its head has come, so it runs; what it holds is more than goes into the buffers of sockets.
    assert clients[-1].recv(12) == b"HTTP/1.1 200"
    with closing(sqlite3.connect(hub.database, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        air.send(detection(2))
        # On the way from the air's socket to the hub nothing can be asked.
        time.sleep(1)
        with hanging(air):
            assert end(hub, within(5)) == 0, hub.log
    for client in clients:
        client.close()
    subprocess.run([binary(), "detections", "list", "--database", hub.database], check=True, capture_output=True)
    assert kept(hub)[-2:] == ["net-1", "net-2"]


def test_all_that_has_come_is_stored_when_another_program_is_done(hub, air):
    connect(hub, air)
    holder = sqlite3.connect(hub.database, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    for index in range(20):
        air.send(detection(index))
    # On the way from the air's socket to the hub nothing can be asked.
    time.sleep(1)
    release = threading.Timer(2, holder.close)
    release.start()
    assert end(hub, within(9)) == 0, hub.log
    release.join()
    assert kept(hub) == [f"net-{index}" for index in range(20)]
