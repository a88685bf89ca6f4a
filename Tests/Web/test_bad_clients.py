# SPDX-License-Identifier: Apache-2.0
"""Clients that do not read, do not write, never end or speak another HTTP: each is told so or cut off, others go on."""

import json
import re
import selectors
import socket
import threading
import time

import pytest
from patience import within
from real_hub import RealHub
from test_real_hub import connect, detection


@pytest.fixture
def hub(tmp_path):
    one = RealHub(tmp_path, "--radio", "tcp:127.0.0.1:1")
    one.start()
    yield one
    assert one.stop() == 0, one.log


def resident(hub) -> float:
    """The memory of the hub in MB."""
    with open(f"/proc/{hub.process.pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


def prompt(hub, seconds: float = 2) -> None:
    begin = time.monotonic()
    hub.get("/hub")
    assert time.monotonic() - begin < seconds


def exchange(hub, text: str | bytes, seconds: float = 20) -> bytes:
    """Sends octets on a connection of their own; everything that comes back until its end."""
    with socket.create_connection(("127.0.0.1", hub.port), timeout=seconds) as connection:
        answer = b""
        try:
            connection.sendall(text if isinstance(text, bytes) else text.encode())
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
        return answer


def in_words(answer: bytes, status: int, words: str) -> None:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), answer[:300]
    problem = json.loads(body)
    assert problem["status"] == status and words in problem["detail"], problem


def test_streams_that_are_not_read_cost_nothing_and_hold_up_nobody(air, tmp_path):
    hub = RealHub(tmp_path, "--radio", air.radio)
    hub.start()
    ask = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nAccept: text/event-stream\r\n\r\n".encode()
    streams, over = [], False
    selector = selectors.DefaultSelector()
    told: dict[str, float] = {}

    def read() -> None:
        held = {}
        while not over:
            for key, _ in selector.select(0.1):
                try:
                    piece = key.fileobj.recv(1 << 20)
                except OSError:
                    continue
                if key.data:
                    text = held.get(key.fd, b"") + piece
                    for name in re.findall(rb'"ssid":"(net-\d+)"', text):
                        told.setdefault(name.decode(), time.monotonic())
                    held[key.fd] = text[-20:]

    reader = threading.Thread(target=read)
    try:
        connect(hub, air)
        for index in range(200):
            stream = socket.socket()
            if index % 2:
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stream.connect(("127.0.0.1", hub.port))
            stream.sendall(ask)
            if index % 2 == 0:
                selector.register(stream, selectors.EVENT_READ, index == 0)
            streams.append(stream)
        # What comes before it is subscribed is not told.
        begun = b""
        while b"\r\n\r\n" not in begun:
            begun += streams[0].recv(1)
        reader.start()
        air.send(detection(0))
        hub.detections()
        before, sent, slowest = resident(hub), {}, 0.0
        for index in range(1, 301):
            air.send(detection(index, note="x" * 3000))
            sent[f"net-{index}"] = time.monotonic()
            if index % 30 == 0:
                hub.until(lambda at=index: hub.get("/detections?limit=1")["total"] > at)
                begin = time.monotonic()
                hub.get("/hub")
                slowest = max(slowest, time.monotonic() - begin)
        hub.until(lambda: "net-300" in told)
        late = max(told[name] - sent[name] for name in sent if name in told)
        grown = resident(hub) - before
        print(f"{len(told)} told, at most {late:.2f} s late, +{grown:.0f} MB, slowest answer {slowest:.2f} s")
        assert len(told) == 301
        # Whoever waited for one that does not read would wait until it is cut off, 20 s.
        assert slowest < 15 and late < 15 and grown < 60
    finally:
        over = True
        reader.join()
        for stream in streams:
            stream.close()
        hub.stop()


def test_a_thousand_silent_connections_do_not_keep_others_out(hub):
    before = resident(hub)
    silent = []
    for _ in range(1000):
        connection = socket.socket()
        connection.connect(("127.0.0.1", hub.port))
        silent.append(connection)
    begin = time.monotonic()
    while True:
        try:
            hub.get("/hub")
            break
        except OSError:
            # The hub takes no more connections for a moment.
            assert time.monotonic() - begin < within(10), "silent connections keep others out"
            time.sleep(0.2)
    prompt(hub)
    assert resident(hub) - before < 60
    for connection in silent:
        connection.close()


def test_a_body_that_never_ends_is_cut_off(hub):
    head = f"POST /api/v1/detections/bulk HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", hub.port), timeout=20) as endless:
        endless.sendall((head + "Transfer-Encoding: chunked\r\n\r\n").encode())
        begin = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - begin < 10:
                endless.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")
                prompt(hub)
    in_words(exchange(hub, head + "Connection: close\r\nContent-Length: 99999999\r\n\r\n"), 413, "262144 octets")


@pytest.mark.parametrize("bomb", ["X-Long: " + "x" * 100_000, "\r\n".join(f"X-{i}: x" for i in range(5000))])
def test_large_headers_are_refused_in_words(hub, bomb):
    answer = exchange(hub, f"GET /api/v1/hub HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n{bomb}\r\n\r\n")
    in_words(answer, 431, "at most 16384 octets")
    prompt(hub)


def test_requests_in_one_piece_are_answered_in_order(hub):
    one = f"GET /api/v1/{{}} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n{{}}\r\n"
    paths = ["hub", "nothing", "settings", "detections?limit=0", "devices"] * 20
    text = "".join(one.format(path, "") for path in paths) + one.format("session", "Connection: close\r\n")
    statuses = re.findall(rb"HTTP/1\.1 (\d+) ", exchange(hub, text))
    assert statuses == [b"200", b"404", b"200", b"400", b"200"] * 20 + [b"200"]


def test_other_versions_and_methods_of_http(hub):
    host = f"Host: 127.0.0.1:{hub.port}\r\n"
    old = exchange(hub, f"GET /api/v1/hub HTTP/1.0\r\n{host}Connection: close\r\n\r\n")
    assert re.match(rb"HTTP/1\.[01] 200 ", old) and b'"version"' in old
    in_words(exchange(hub, f"OPTIONS /api/v1/hub HTTP/1.1\r\n{host}Connection: close\r\n\r\n"), 405, "only GET")
    in_words(exchange(hub, f"BREW /api/v1/hub HTTP/1.1\r\n{host}Connection: close\r\n\r\n"), 400, "not an HTTP request")
    for path, status in [("/healthz", b"200"), ("/", b"200"), ("/api/v1/hub", b"405"), ("/nothing", b"404")]:
        # A body behind the answer to HEAD would be taken for the next answer.
        two = exchange(
            hub,
            f"HEAD {path} HTTP/1.1\r\n{host}\r\nGET /healthz HTTP/1.1\r\n{host}Connection: close\r\n\r\n",
        )
        first, _, second = two.partition(b"\r\n\r\n")
        assert first.startswith(b"HTTP/1.1 " + status) and second.startswith(b"HTTP/1.1 200 "), (path, two)
    in_words(exchange(hub, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400, "not an HTTP request")
    in_words(exchange(hub, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 TLS"), 400, "not an HTTP request")


def test_a_request_names_one_host(hub):
    mine = f"127.0.0.1:{hub.port}"
    two = f"GET /api/v1/hub HTTP/1.1\r\nHost: {mine}\r\nHost: {{}}\r\n\r\n"
    for other in ["stranger.example", mine, ""]:
        in_words(exchange(hub, two.format(other)), 400, "not an HTTP request")
    # Nothing after it is taken for a request.
    assert exchange(hub, two.format("stranger.example") * 3).count(b"HTTP/1.1 ") == 1
    absolute = "GET {}/api/v1/hub HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n"
    for address, named, status in [
        (f"http://{mine}", "stranger.example", b"200"),
        (f"HTTP://{mine}", mine, b"200"),
        ("http://stranger.example", mine, b"421"),
        ("http://", mine, b"400"),
    ]:
        answer = exchange(hub, absolute.format(address, named))
        assert answer.startswith(b"HTTP/1.1 " + status), (address, answer[:200])


@pytest.mark.parametrize("headers", ["", "Connection: close\r\n"])
def test_a_client_of_http_1_0_sees_the_end_of_its_answer(hub, headers):
    begin = time.monotonic()
    answer = exchange(hub, f"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1:{hub.port}\r\n{headers}\r\n")
    assert b" 200 " in answer.split(b"\r\n")[0]
    assert time.monotonic() - begin < within(10)


def test_a_client_of_http_1_0_may_keep_its_connection(hub):
    ask = f"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1:{hub.port}\r\nConnection: keep-alive\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", hub.port), timeout=10) as connection:
        for _ in range(2):
            connection.sendall(ask)
            assert b" 200 " in connection.recv(65536)
