# SPDX-License-Identifier: Apache-2.0
"""Small files with much in them, for which nobody else is to wait."""

import gzip
import socket
import struct
import time

import pytest
from patience import within

from hub_under_attack import AttackedHub

PATH = "/api/v1/imports/detections?dry_run=true"
TYPE = {"Content-Type": "application/octet-stream"}
HEADING = b"device_type,rssi,confidence,timestamp\n"
GOOD = HEADING + b"Ring,-60,1,2024-01-01\n"


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    one = AttackedHub(tmp_path_factory.mktemp("bombs"))
    one.start()
    yield one
    assert one.stop() == 0, one.log


def much(rows: int) -> bytes:
    """A megabyte a thousand rows, none of which can be used, in some 7 KB each."""
    member = gzip.compress(b"".join(b"\n" * 1000 + b"Ring,x,%d,2024-01-01\n" % (row * 7919 % 100_000) for row in range(1000)))
    return gzip.compress(HEADING) + member * (rows // 1000)


@pytest.mark.parametrize("path", [PATH, "/api/v1/map/known?name=a"])
@pytest.mark.parametrize("blank", [b"\n", b" ", b"\0"])
def test_a_bomb_of_400_megabytes_is_refused_at_once(hub, path, blank):
    bomb = gzip.compress(blank * 1_000_000) * 400
    assert len(bomb) < 500_000
    before, begin = hub.peak, time.monotonic()
    status, body, _ = hub.ask("POST", path, bomb, TYPE)
    assert time.monotonic() - begin < within(5)
    assert status in (200, 422) and (status == 422 or body["broken"]), body
    assert hub.peak <= before + 25
    assert hub.ask("POST", PATH, GOOD, TYPE)[1]["imported"] == 1


def test_who_leaves_makes_room_for_another_file(hub):
    """A connection that is reset: the end of one that is closed comes behind all that was sent."""
    connection = hub.connect()
    connection.settimeout(1)
    try:
        connection.sendall(hub.text("POST", PATH, much(300_000), TYPE))
    except TimeoutError:
        pass
    assert hub.ask("POST", PATH, GOOD, TYPE)[0] == 409
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    end = time.monotonic() + within(5)
    while (status := hub.ask("POST", PATH, GOOD, TYPE)[0]) == 409 and time.monotonic() < end:
        time.sleep(0.05)
    assert status == 200
