# SPDX-License-Identifier: Apache-2.0
"""Requests that are none, or nearly: each is told so once, nothing behind it is taken for another, and no log grows."""

import re
import socket
import time

import pytest
from patience import within

from hub_under_attack import AttackedHub, parsed


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    one = AttackedHub(tmp_path_factory.mktemp("raw"))
    one.start()
    yield one
    assert one.stop() == 0, one.log


def said(hub) -> list[str]:
    """Its log, but for what it says of its radio."""
    return [line for line in hub.log.splitlines() if "radio" not in line.lower()]


def head(hub, path: str, more: str = "", method: str = "POST", kind: str = "application/json") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nContent-Type: {kind}\r\n{more}\r\n".encode()


CHUNKED = "Transfer-Encoding: chunked\r\n"
BAD_BODIES = {
    "a size that is no number": b"zz\r\nab\r\n0\r\n\r\n",
    "a size below zero": b"-1\r\na\r\n0\r\n\r\n",
    "a size beyond all": b"ffffffffffffffffff\r\na\r\n0\r\n\r\n",
    "a size with a sign": b"+2\r\n{}\r\n0\r\n\r\n",
    "a size with 0x": b"0x2\r\n{}\r\n0\r\n\r\n",
    "no size": b"\r\n{}\r\n0\r\n\r\n",
    "more than was said": b"2\r\n{}extra\r\n0\r\n\r\n",
    "less than was said": b"5\r\n{}\r\n0\r\n\r\n",
    "a zero octet": b"2\r\n{}\0\r\n0\r\n\r\n",
    "a trailer that is none": b"2\r\n{}\r\n0\r\nbad trailer\0\r\n\r\n",
    "bare line feeds": b"2\n{}\n0\n\n",
    "a trailer beyond all": b"2\r\n{}\r\n0\r\nX: " + b"y" * 70_000 + b"\r\n\r\n",
    "a request behind it": b"zz\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
}
PATHS = {
    "/api/v1/detections/bulk": "application/json",
    "/api/v1/session": "application/json",
    "/api/v1/radio/retry": "application/json",
    "/api/v1/imports/detections": "application/octet-stream",
    "/api/v1/database": "application/vnd.sqlite3",
    "/api/v1/nothing": "application/json",
}


def method(path: str) -> str:
    return "PUT" if path.endswith("database") else "POST"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("what", BAD_BODIES)
def test_a_malformed_body_is_refused_once_and_not_logged(hub, what, path):
    before = said(hub)
    answer = hub.exchange(head(hub, path, CHUNKED, method(path), PATHS[path]) + BAD_BODIES[what])
    statuses = [int(one) for one in re.findall(rb"HTTP/1\.1 (\d+) ", answer)]
    # What answers without its body may do so; nothing behind it is taken for a request.
    wanted = {"/api/v1/radio/retry": {204, 400}, "/api/v1/nothing": {404, 400}, "/api/v1/imports/detections": {200, 400}}
    wanted = wanted.get(path, {400})
    assert len(statuses) == 1 and statuses[0] in wanted, answer
    if statuses == [400]:
        assert parsed(answer)[1]["status"] == 400
    hub.prompt()
    assert said(hub) == before, "each of them is logged"


@pytest.mark.parametrize("path", PATHS)
def test_a_client_that_goes_while_it_sends_is_not_logged(hub, path):
    before = said(hub)
    for more, body in [("Content-Length: 1000\r\n", b"{"), (CHUNKED, b"5\r\n{}"), (CHUNKED, b"")]:
        for is_reset in [False, True]:
            connection = hub.connect()
            connection.sendall(head(hub, path, more, method(path), PATHS[path]) + body)
            time.sleep(0.1)
            if is_reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.close()
    hub.prompt()
    assert said(hub) == before


@pytest.mark.parametrize("path", PATHS)
def test_a_client_that_ends_its_side_within_a_body_is_refused(hub, path):
    with hub.connect() as connection:
        connection.sendall(head(hub, path, CHUNKED, method(path), PATHS[path]) + b"5\r\n{}")
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    statuses = {int(one) for one in re.findall(rb"HTTP/1\.1 (\d+) ", answer)}
    assert statuses <= {"/api/v1/radio/retry": {204}, "/api/v1/nothing": {404}}.get(path, set()) | {400}, answer


SMUGGLED = {
    "two lengths": "Content-Length: 2\r\nContent-Length: 40\r\n",
    "a length and chunks": "Content-Length: 2\r\n" + CHUNKED,
    "chunks and a length": CHUNKED + "Content-Length: 2\r\n",
    "a length that is none": "Content-Length: 2x\r\n",
    "a length below zero": "Content-Length: -2\r\n",
    "a length with a sign": "Content-Length: +2\r\n",
    "a length beyond all": "Content-Length: 99999999999999999999\r\n",
    "chunks by another name": "Transfer-Encoding: xchunked\r\n",
    "chunks twice": "Transfer-Encoding: chunked, identity\r\n",
    "a folded header": "X: a\r\n b\r\n Content-Length: 2\r\n",
    "a blank before the colon": "Content-Length : 2\r\n",
    "a bare line feed": "X: a\nContent-Length: 2\r\n",
    "a zero octet": "X: a\0b\r\nContent-Length: 2\r\n",
}


@pytest.mark.parametrize("what", SMUGGLED)
def test_nothing_is_smuggled_behind_a_request(hub, what):
    inner = f"DELETE /api/v1/detections/1 HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n\r\n".encode()
    answer = hub.exchange(head(hub, "/api/v1/radio/retry", SMUGGLED[what]) + b"{}" + inner, 8)
    assert len(re.findall(rb"HTTP/1\.1 \d+ ", answer)) <= 2, answer
    hub.prompt()


def test_requests_in_one_piece_are_answered_one_after_the_other(hub):
    one = head(hub, "/healthz", method="GET")
    last = head(hub, "/healthz", "Connection: close\r\n", method="GET")
    begin = time.monotonic()
    answer = hub.exchange(one * 3000 + last)
    assert answer.count(b"HTTP/1.1 200 ") == 3001
    assert time.monotonic() - begin < within(120)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 511, 512, 513, 1024])
def test_a_request_may_come_in_pieces_of_any_size(hub, size):
    text = head(hub, "/api/v1/nothing", "Content-Length: 600\r\n") + b" " * 600
    text += head(hub, "/healthz", "Connection: close\r\n", method="GET")
    with hub.connect() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for index in range(0, len(text), size):
            connection.sendall(text[index : index + size])
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    # The first was refused before its body was read, which ends the connection, or was read whole.
    assert answer.startswith(b"HTTP/1.1 404 "), answer


def test_a_client_that_closes_its_side_gets_all_its_answers(hub):
    with hub.connect() as connection:
        connection.sendall(head(hub, "/healthz", method="GET") * 200)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    assert answer.count(b"HTTP/1.1 200 ") == 200


@pytest.mark.parametrize("offered", ["h2c", "websocket"])
def test_an_offer_to_speak_something_else_ends_with_its_answer(hub, offered):
    """What comes behind it is not read, so its client is not left waiting for an answer to that."""
    more = f"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: {offered}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
    begin = time.monotonic()
    answer = hub.exchange(head(hub, "/healthz", more, method="GET") + head(hub, "/healthz", method="GET"))
    assert re.findall(rb"HTTP/1\.1 (\d+) ", answer) == [b"200"]
    assert time.monotonic() - begin < within(10)


def test_rubbish_behind_good_requests_is_refused_after_them(hub):
    answer = hub.exchange(head(hub, "/healthz", method="GET") * 20 + b"\x16\x03\x01 rubbish\r\n\r\n")
    assert re.findall(rb"HTTP/1\.1 (\d+) ", answer) == [b"200"] * 20 + [b"400"]


@pytest.mark.parametrize("path", ["/api/v1/detections/bulk", "/api/v1/saves"])
def test_large_bodies_are_few_at_once(hub, path):
    """Those that wait for their end take the places of others of their size, not those of small ones."""
    waiting = []
    for _ in range(20):
        connection = hub.connect()
        connection.sendall(head(hub, path, "Content-Length: 200000\r\n") + b" " * 100_000)
        waiting.append(connection)
    hub.prompt()
    assert hub.request("PATCH", "/api/v1/settings", {})[0] in (200, 428)
    statuses = []
    for connection in waiting:
        connection.settimeout(1)
        try:
            statuses.append(parsed(connection.recv(65536))[0])
        except TimeoutError:
            statuses.append(None)
        connection.close()
    assert statuses.count(503) >= 12 and set(statuses) <= {503, None}
    hub.prompt()
