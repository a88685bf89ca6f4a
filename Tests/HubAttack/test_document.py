# SPDX-License-Identifier: Apache-2.0
"""What schemathesis leaves out (Tests/Web/test_interface.py), asked for as the OpenAPI document says it and as it does not:
a stream that has no end, and a database that is no text."""

import json
import random
import socket
from contextlib import suppress

import pytest

from conftest import NO_RADIO, AttackedHub, fill
from hub_under_attack import parsed

METHODS = ["get", "put", "post", "delete", "patch", "head", "options", "trace"]


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    one = AttackedHub(tmp_path_factory.mktemp("document"), *NO_RADIO)
    fill(one.database, ["a", "b", "c"])
    one.start()
    yield one
    assert one.stop() == 0, one.log


@pytest.fixture(scope="module")
def document(hub):
    return hub.get("/openapi.json")


def operation(document, name: str) -> tuple[str, str, dict]:
    """Method, path and what is said of an operation."""
    [found] = [
        (method, path, item[method])
        for path, item in document["paths"].items() for method in METHODS if item.get(method, {}).get("operationId") == name
    ]  # fmt: skip
    return found


def ask(hub, method: str, path: str, headers: dict, body: bytes | None = None, seconds: float = 10):
    """The beginning of an answer, which may have no end: status, JSON or octets, and headers."""
    lines = {"Host": f"127.0.0.1:{hub.port}", "Connection": "close"} | headers
    if body is not None:
        lines.setdefault("Content-Length", str(len(body)))
    text = f"{method.upper()} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
    with socket.create_connection(("127.0.0.1", hub.port), timeout=seconds) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(text.encode("latin-1") + (body or b""))
        answer = b""
        with suppress(ConnectionResetError):
            while piece := connection.recv(65536):
                answer += piece
                if b"text/event-stream" in answer and b": Lantern\n" in answer:
                    connection.close()
                    return int(answer.split(b" ", 2)[1]), b"", {"Content-Type": "text/event-stream; charset=utf-8"}
    assert answer, (method, path, headers)
    return parsed(answer)


def holds(answer, said: dict) -> int:
    """An answer is one of those that the document has, and of its type; its status."""
    status, body, headers = answer
    declared = said["responses"].get(str(status)) or said["responses"].get("default")
    assert declared, (status, body, sorted(said["responses"]))
    assert status < 500 or status == 503, (status, body)
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "").split(";")[0]
    assert not declared.get("content") or kind in declared["content"], (status, kind, declared)
    if status >= 400:
        assert body["status"] == status and body["title"] and body["detail"], body
    return status


# What a header or a parameter may be, and mostly may not.
TEXTS = [
    "", "0", "1", "-1", "00", "1.5", "1e3", "0x1", "9223372036854775807", "9223372036854775808", "9" * 400, "NaN", "null", "true",
    " ", "a", "\xff\xfe", "\u00e9", "<script>", "' OR 1=1 --", "../../etc/passwd", "a,b", "1,2", "%00", "[]", "{}", "*", '"', "\t7",
]  # fmt: skip


def test_the_stream_of_events_holds_to_the_document(hub, document):
    method, path, said = operation(document, "followEvents")
    path = "/api/v1" + path.removeprefix("/api/v1")
    names = [(one["name"], one["in"]) for one in said.get("parameters", [])]
    headers = {name for name, place in names if place == "header"} | {"Last-Event-ID", "Accept", "Cache-Control"}
    queries = {name for name, place in names if place == "query"} | {"after", "nothing"}
    statuses = {holds(ask(hub, method, path, {}), said)}
    for text in TEXTS:
        for name in headers:
            statuses.add(holds(ask(hub, method, path, {name: text}), said))
        plain = "".join(f"%{octet:02X}" for octet in text.encode())
        for name in queries:
            for query in (f"{name}={plain}", f"{name}={plain}&{name}={plain}", f"{name}"):
                statuses.add(holds(ask(hub, method, f"{path}?{query}", {}), said))
    assert 200 in statuses and statuses <= {200, 400, 406, 429}, statuses
    others(hub, document, path)
    hub.until(lambda: ask(hub, method, path, {})[0] == 200)


def others(hub, document, path: str) -> None:
    """Methods that a path does not have are refused with those that it has."""
    mine = document["paths"].get(path) or document["paths"][path.removeprefix("/api/v1")]
    for method in METHODS:
        if method in mine or method == "head":
            continue
        with socket.create_connection(("127.0.0.1", hub.port), timeout=10) as connection:
            connection.sendall(f"{method.upper()} {path} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nConnection: close\r\n\r\n".encode())
            answer = connection.recv(65536)
        assert b" 405 " in answer or b" 204 " in answer or b" 501 " in answer or b" 400 " in answer, (method, answer)


def test_a_restore_holds_to_the_document(hub, document):
    method, path, said = operation(document, "restoreDatabase")
    path = "/api/v1" + path.removeprefix("/api/v1")
    [kind] = said["requestBody"]["content"]
    copy = hub.copy()
    chance = random.Random(33)

    def damaged() -> bytes:
        octets = bytearray(copy)
        match chance.randrange(5):
            case 0: octets = octets[: chance.randrange(len(octets))]
            case 1:
                for _ in range(20):
                    octets[chance.randrange(len(octets))] = chance.randrange(256)
            case 2: octets[:100] = chance.randbytes(100)
            case 3: octets += chance.randbytes(5000)
            case 4:
                page = chance.randrange(len(octets) // 4096) * 4096
                octets[page : page + 4096] = bytes(4096)
        return bytes(octets)

    bodies = [b"", b"\0", b"{}", b"null", "\u00e9".encode() * 1000, b"SQLite format 3\0", copy[:100], copy[:4096], chance.randbytes(10_000)]
    statuses = {holds(ask(hub, method, path, {"Content-Type": kind}, body), said) for body in bodies}
    statuses |= {holds(ask(hub, method, path, {"Content-Type": kind}, damaged()), said) for _ in range(25)}
    assert statuses <= {204, 400, 422} and 422 in statuses, statuses
    # A file is known by its octets, whatever its type is said to be, but for a form; the document says so.
    assert "any Content-Type, or none, but for a form (multipart/" in said["requestBody"]["description"]
    for other in ["application/json", "text/plain", "application/x-www-form-urlencoded", "", kind + "x", kind.upper(), f"{kind}; charset=a", "*/*"]:
        assert holds(ask(hub, method, path, {"Content-Type": other}, copy), said) == 204, other
        assert holds(ask(hub, method, path, {"Content-Type": other}, b"{}"), said) == 422, other
    assert holds(ask(hub, method, path, {}, copy), said) == 204
    for form in ["multipart/form-data; boundary=a", "Multipart/Mixed; boundary=a", "multipart/x"]:
        for body in (copy, b"{}"):
            assert holds(ask(hub, method, path, {"Content-Type": form}, body), said) == 415, form


def test_the_document_says_of_each_file_how_it_may_be_called(document):
    """It is a rule of all files, and of nothing else."""
    files = {
        one["operationId"] for item in document["paths"].values() for one in item.values()
        if "any Content-Type" in one.get("requestBody", {}).get("description", "")
    }  # fmt: skip
    assert files == {"restoreDatabase", "importDetections", "importKnownCameras", "importSave"}


def test_a_restore_of_odd_requests_holds_to_the_document(hub, document):
    method, path, said = operation(document, "restoreDatabase")
    path = "/api/v1" + path.removeprefix("/api/v1")
    [kind] = said["requestBody"]["content"]
    copy = hub.copy()
    for more in ({"Content-Encoding": "gzip"}, {"Content-Encoding": "x"}, {"Expect": "100-continue"}, {"Range": "bytes=0-1"},
                 {"If-Match": '"no"'}, {"Content-Range": "bytes 0-1/2"}):  # fmt: skip
        assert holds(last(ask(hub, method, path, {"Content-Type": kind} | more, copy)), said) in (204, 400, 412, 415, 422), more
    for text in TEXTS:
        query = "".join(f"%{octet:02X}" for octet in text.encode())
        assert holds(ask(hub, method, f"{path}?{query}={query}", {"Content-Type": kind}, b"x"), said) in (400, 422)
    others(hub, document, path)
    assert ask(hub, method, path, {"Content-Type": kind}, copy)[0] == 204
    assert [one["ssid"] for one in hub.get("/detections")["items"]] == ["c", "b", "a"]
    assert not [one.name for one in hub.folder.iterdir() if one.name.startswith(".lantern")]
    hub.works()


def last(answer):
    """The answer behind a 100 Continue."""
    status, body, headers = answer
    if status == 100:
        return parsed(body if isinstance(body, bytes) else json.dumps(body).encode())
    return answer
