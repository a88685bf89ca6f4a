# SPDX-License-Identifier: Apache-2.0
"""Small files with much in them, for which nobody else is to wait."""

import gzip
import re
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


def answered(hub, wanted: int) -> None:
    """Waits until another file is answered so: what was sent is not yet read, who has left is not yet missed."""
    end = time.monotonic() + within(5)
    while (status := hub.ask("POST", PATH, GOOD, TYPE)[0]) != wanted:
        assert status in (200, 409) and time.monotonic() < end, status
        time.sleep(0.02)


@pytest.mark.parametrize("rows, is_reset", [(300_000, True), (8_000, False)])
def test_who_leaves_makes_room_for_another_file(hub, rows, is_reset):
    """The end of a connection that is closed comes behind all that was sent, so little is; one that is reset ends at once."""
    connection = hub.connect()
    connection.settimeout(1)
    try:
        connection.sendall(hub.text("POST", PATH, much(rows), TYPE))
    except TimeoutError:
        pass
    answered(hub, 409)
    if is_reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    answered(hub, 200)


@pytest.mark.parametrize("rows", [0, 2_000])
@pytest.mark.parametrize("path", ["/api/v1/imports/detections", PATH, "/api/v1/map/known?name=b", "/api/v1/database"])
def test_who_ends_only_their_side_gets_the_answer(hub, path, rows):
    """It is asked for meanwhile, in words that every client passes over."""
    is_database = path.endswith("database")
    body = hub.request("GET", path)[1] if is_database else much(rows) + gzip.compress(GOOD)
    with hub.connect(within(120)) as connection:
        connection.sendall(hub.text("PUT" if is_database else "POST", path, body, TYPE | {"Connection": "keep-alive"}))
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    asked, _, answer = answer.rpartition(b"HTTP/1.1 100 Continue\r\n\r\n")
    assert asked.replace(b"HTTP/1.1 100 Continue\r\n\r\n", b"") == b""
    wanted = b"204" if is_database else b"422" if "known" in path else b"200"
    assert re.findall(rb"HTTP/1\.1 (\d+) ", answer) == [wanted], answer
    assert b"ended the connection" not in answer


def test_who_ends_their_side_and_speaks_http_1_0_is_not_asked(hub):
    """Its words for that are of HTTP/1.1."""
    text = hub.text("POST", PATH, much(2_000), TYPE).replace(b" HTTP/1.1\r\n", b" HTTP/1.0\r\n", 1)
    with hub.connect(within(120)) as connection:
        connection.sendall(text)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    assert re.findall(rb"HTTP/1\.[01] (\d+) ", answer) == [b"200"], answer
