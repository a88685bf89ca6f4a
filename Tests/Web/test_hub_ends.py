# SPDX-License-Identifier: Apache-2.0
"""How `lantern hub` ends while a device, its controller or another program does not let it."""

import signal
import sqlite3
import threading
import time
from contextlib import closing

import pytest
from real_hub import Air, RealHub
from test_real_hub import connect, detection


@pytest.fixture
def air():
    one = Air()
    yield one
    one.close()


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


def end(hub, within: float) -> int:
    begin = time.monotonic()
    hub.process.send_signal(signal.SIGTERM)
    status = hub.process.wait(20)
    took = time.monotonic() - begin
    assert took < within, f"{took:.1f} s\n{hub.log}"
    return status


def test_a_radio_that_hangs_does_not_hold_it_up(hub, air):
    """Neither the device answers the farewell, nor the controller what ends the link."""
    connect(hub, air)
    air.send(detection(1))
    hub.detections()
    air.loop.call_soon_threadsafe(time.sleep, 9)
    assert end(hub, within=5) == 0, hub.log
    assert kept(hub) == ["net-1"]


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
    assert end(hub, within=9) == 0, hub.log
    release.join()
    assert kept(hub) == [f"net-{index}" for index in range(20)]
