# SPDX-License-Identifier: Apache-2.0
"""Files and changes ten times as large as they may be: each is refused with its reason, and memory stays where it was."""

import gzip
import random
import time
from collections.abc import Iterator

import pytest

from hub_under_attack import AttackedHub, parsed

LIMIT = 1 << 18
"""Octets that a row, a point or an element may have."""


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    one = AttackedHub(tmp_path_factory.mktemp("bounds"))
    one.start()
    yield one
    assert one.stop() == 0, one.log


def send(hub, path: str, pieces: Iterator[bytes], seconds: float = 300):
    """Sends a file chunk by chunk for as long as the hub takes it; its answer."""
    with hub.connect(seconds) as connection:
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nContent-Type: application/octet-stream\r\n"
        try:
            connection.sendall((head + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n").encode())
            for piece in pieces:
                connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
            connection.sendall(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
    return parsed(answer)


def told(answer) -> str:
    """All that an answer says is wrong."""
    status, body, _ = answer
    faults = [body.get("detail"), *(fault["reason"] for fault in body.get("faults", [])), (body.get("broken") or {}).get("reason")]
    return f"{status}: " + "; ".join(filter(None, faults))


def times(begin: bytes, one: bytes, octets: int, end: bytes = b"") -> Iterator[bytes]:
    """A file of a beginning, one part again and again up to so many octets, and an end."""
    yield begin
    block = one * max(1, 65536 // len(one))
    for _ in range(-(-octets // len(block))):
        yield block
    if end:
        yield end


def numbered(begin: bytes, one: str, octets: int, end: bytes = b"") -> Iterator[bytes]:
    """The same with a number in each part."""
    yield begin
    sent, number = 0, 0
    while sent < octets:
        piece = "".join(one.format(number + index) for index in range(500)).encode()
        number += 500
        sent += len(piece)
        yield piece
    if end:
        yield end


WAYPOINT = b'<gpx><wpt lat="1" lon="1">'
IMPORTS = {
    "texts in pieces": (times, WAYPOINT + b"<name>", b"a<!---->", b"</name></wpt></gpx>", "a point has more than"),
    "texts in CDATA": (times, WAYPOINT + b"<name>", b"<![CDATA[" + b"a" * 30 + b"]]>", b"</name></wpt></gpx>", "a point has more than"),
    "one long text": (times, WAYPOINT + b"<name>", b"a", b"</name></wpt></gpx>", "more than"),
    "elements of a point": (numbered, WAYPOINT, "<e{0}>a</e{0}>", b"</wpt></gpx>", "a point has more than"),
    "empty elements of a point": (numbered, WAYPOINT, "<e{0}/>", b"</wpt></gpx>", "a point has more than"),
    "elements of our own": (numbered, WAYPOINT + b"<extensions><detection>", "<e{0}>a</e{0}>", b"", "a point has more than"),
    "the same element": (times, WAYPOINT, b"<name>" + b"a" * 1000 + b"</name>", b"</wpt></gpx>", "a point has more than"),
    "points in points": (times, b"<gpx>", b'<wpt lat="1" lon="1">', b"", "nested more than 64 deep"),
    "attributes": (numbered, b"<gpx><wpt ", 'a{0}="1" ', b"></wpt></gpx>", "more than"),
    "a long attribute": (times, b'<gpx><wpt lat="', b"1", b'"></wpt></gpx>', "more than"),
    "a long name": (times, b"<gpx><", b"a", b"></gpx>", "more than"),
    "a long comment": (times, b"<gpx><!--", b"a", b"--></gpx>", "more than"),
    "a long declaration": (times, b"<!DOCTYPE gpx [", b"<!ENTITY a 'b'>", b"]><gpx></gpx>", "more than"),
    "a long instruction": (times, b"<?xml ", b"a", b"?><gpx></gpx>", "more than"),
    "text outside of points": (times, b"<gpx><metadata><desc>", b"a<!---->", b"</desc></metadata></gpx>", "200: "),
    "a JSON row": (times, b'{"detections":[{"a":"', b"a", b'"}]}', "more than"),
    "a JSON list in a row": (times, b'{"detections":[{"a":[', b"0,", b"0]}]}", "more than"),
    "JSON in JSON": (times, b'{"detections":[{"a":', b"[", b"", "nested more than"),
    "keys of a JSON file": (numbered, b"{", '"k{0}":"v",', b'"detections":[]}', "200: "),
    "a CSV row": (times, b"device_type,rssi,confidence,timestamp\nRing,-1,1,", b"a", b"\n", "more than"),
    # A quote that is not closed concerns its row: those after it are refused one by one.
    "a CSV cell in quotes": (times, b'device_type,rssi,confidence,timestamp\nRing,-1,1,"', b"a\n", b'"\n', "200: "),
    "CSV cells": (times, b"device_type,rssi,confidence,timestamp\nRing,-1,1,2026-01-01", b",", b"\n", "more than"),
    "a CSV heading": (times, b"device_type", b",a", b"\n", "more than"),
    "a WiGLE heading": (times, b"WigleWifi-1.6,", b"a=b,", b"\n", "more than"),
}
KNOWN = {
    "tags of a node": (numbered, b'<osm><node id="1" lat="1" lon="1">', '<tag k="k{0}" v="v"/>', b"</node></osm>", "more than"),
    "long tags of a node": (
        numbered, b'<osm><node id="1" lat="1" lon="1">', '<tag k="k{0}" v="' + "v" * 900 + '"/>', b"</node></osm>", "more than",
    ),
    "nodes of a way": (
        times, b'<osm><way id="1"><tag k="man_made" v="surveillance"/>', b'<nd ref="1"/>', b"</way></osm>", "none of its nodes",
    ),
    "an element of Overpass": (times, b'{"elements":[{"type":"node","id":1,"lat":1,"lon":1,"tags":{"a":"', b"a", b'"}}]}', "more than"),
    "tags of Overpass": (
        numbered, b'{"elements":[{"type":"node","id":1,"lat":1,"lon":1,"tags":{"man_made":"surveillance"', ',"k{0}":"v"', b"}}]}", "more than",
    ),
    "nodes of a way of Overpass": (
        times, b'{"elements":[{"type":"way","id":1,"tags":{"man_made":"surveillance"},"nodes":[1', b",1", b"]}]}", "more than",
    ),
    "an element of a region": (times, b'[{"id":1,"lat":1,"lon":1,"tags":{"a":"', b"a", b'"}}]', "more than"),
    "a feature": (times, b'{"type":"FeatureCollection","features":[{"a":"', b"a", b'"}]}', "more than"),
    "points of a line": (
        times, b'{"features":[{"properties":{"man_made":"surveillance"},"geometry":{"type":"LineString","coordinates":[',
        b"[1,1],", b"[1,1]]}}]}", "more than",
    ),
}  # fmt: skip


def bounded(hub, path: str, case, octets: int, memory: float) -> None:
    make, begin, one, end, reason = case
    before, peak = hub.resident, hub.peak
    answer = send(hub, path, make(begin, one, octets, end))
    assert reason in told(answer) or reason == "200: ", told(answer)
    assert answer[0] in (200, 413, 422)
    assert hub.peak <= max(peak, before + memory), f"{hub.peak - before:.0f} MB more"
    hub.prompt()


@pytest.mark.parametrize("what", IMPORTS)
def test_an_import_ten_times_too_large_is_refused_without_filling_memory(hub, what):
    bounded(hub, "/api/v1/imports/detections?dry_run=true", IMPORTS[what], 10 * LIMIT, 25)


@pytest.mark.parametrize("what", KNOWN)
def test_a_set_ten_times_too_large_is_refused_without_filling_memory(hub, what):
    bounded(hub, "/api/v1/map/known?name=a", KNOWN[what], 10 * LIMIT, 25)


@pytest.mark.long
@pytest.mark.parametrize("what", IMPORTS)
def test_an_import_of_150_megabytes_does_not_fill_memory(hub, what):
    bounded(hub, "/api/v1/imports/detections?dry_run=true", IMPORTS[what], 150_000_000, 25)


@pytest.mark.long
def test_a_million_nodes_of_ways_may_wait_for_their_places(hub):
    """Quickly: OSMGatheringTests."""
    way = '<way id="{0}"><tag k="man_made" v="surveillance"/>' + '<nd ref="1"/>' * 2000 + "</way>"
    bounded(hub, "/api/v1/map/known?name=a", (numbered, b"<osm>", way, b"</osm>", "more cameras that are ways"), 26_000_000, 60)


@pytest.mark.long
def test_a_set_of_as_many_cameras_as_may_be_is_bounded(hub):
    """Each with as many tags as it takes; names of 20 digits."""
    tags = "".join(f'<tag k="k{index}" v="{"v" * 100}"/>' for index in range(20))
    one = '<node id="{0}" lat="1" lon="1"><tag k="man_made" v="surveillance"/>' + tags + "</node>"
    bounded(hub, "/api/v1/map/known?name=a", (numbered, b"<osm>", one, b"</osm>", "octets of names and tags"), 120_000_000, 150)


ONE_BY_ONE = {
    "a comment": b"<gpx><!--" + b"a" * 100_000 + b"--></gpx>",
    "a text": b"<gpx><name>" + b"a" * 100_000 + b"</name></gpx>",
    "a tag": b'<gpx a="' + b"a" * 100_000 + b'"></gpx>',
    "a declaration": b"<!DOCTYPE gpx [" + b"a" * 100_000 + b"]><gpx></gpx>",
    "an instruction": b"<?xml " + b"a" * 100_000 + b"?><gpx></gpx>",
    "a JSON row": b'{"detections":[{"a":"' + b"a" * 100_000 + b'"}]}',
    "a CSV row": b"device_type,rssi,confidence,timestamp\n" + b"a" * 100_000 + b",-1,1,2026-01-01\n",
}


@pytest.mark.parametrize("what", ONE_BY_ONE)
def test_a_file_may_come_octet_by_octet(hub, what):
    """What is pending is not looked at again for each: a file four times as long takes some four times as long."""

    def seconds(share: int) -> float:
        text = ONE_BY_ONE[what]
        text = text.replace(b"a" * 100_000, b"a" * (100_000 // share))
        # Large writes: the hub is measured, not this program.
        body = b"".join(b"1\r\n%c\r\n" % octet for octet in text) + b"0\r\n\r\n"
        head = f"POST /api/v1/imports/detections?dry_run=true HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nConnection: close\r\n"
        begin = time.monotonic()
        hub.exchange((head + "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n").encode() + body, 300)
        return time.monotonic() - begin

    short, long = seconds(4), seconds(1)
    assert long < 10 * short + 2, (short, long)


@pytest.mark.parametrize("what", ["OSM XML", "Overpass", "gzip"])
def test_a_set_may_come_octet_by_octet(hub, what):
    def seconds(octets: int) -> float:
        long = b"a" * octets
        text = {
            "OSM XML": b'<osm><!--' + long + b'--><node id="1" lat="1" lon="1"><tag k="a" v="b"/></node></osm>',
            "Overpass": b'{"elements":[{"type":"node","id":1,"lat":1,"lon":1,"tags":{"a":"' + long + b'"}}]}',
            # What is packed hardly becomes shorter.
            "gzip": gzip.compress(b"<osm><!--" + random.Random(33).randbytes(octets // 2).hex().encode() + b"--></osm>"),
        }[what]
        begin = time.monotonic()
        status = send_one_by_one(hub, "/api/v1/map/known?name=a", text)
        assert status in (200, 413, 422), status
        return time.monotonic() - begin

    short, long = seconds(25_000), seconds(100_000)
    assert long < 10 * short + 2, (short, long)


def send_one_by_one(hub, path: str, text: bytes) -> int:
    body = b"".join(b"1\r\n%c\r\n" % octet for octet in text) + b"0\r\n\r\n"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nConnection: close\r\n"
    return parsed(hub.exchange((head + "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n").encode() + body, 300))[0]


def test_changes_for_invented_lamps_are_bounded(hub):
    statuses = []
    for number in range(200):
        address = f"C0:DE:{number // 256:02X}:{number % 256:02X}:00:01/R"
        status, problem, _ = hub.request("POST", f"/api/v1/nightlights/pending?address={address}", {"power": True})
        statuses.append(status)
        if status != 200:
            assert status == 422 and "Forget one" in problem["detail"], problem
    assert statuses.count(200) == 16
    assert len(hub.get("/nightlights")["items"]) == 16
    # Settings have their room.
    current = hub.request("GET", "/api/v1/settings")
    assert current[0] == 200
    changed = hub.request(
        "PATCH", "/api/v1/settings", {"theme": "dark"}, {"If-Match": "*"}
    )
    assert changed[0] == 200, changed
    # Who forgets one has room for another.
    address = hub.get("/nightlights")["items"][0]["address"]
    assert hub.request("DELETE", f"/api/v1/nightlights?address={address}/R")[0] == 204
    assert hub.request("POST", "/api/v1/nightlights/pending?address=C0:DE:FF:00:00:01/R", {"power": True})[0] == 200
