# SPDX-License-Identifier: Apache-2.0
"""Files that somebody gives to the pages without a hub: those of gzip with all their members, and what is said of each file."""

import base64
import gzip
import json
import random
import re
import struct
import zlib

import pytest
from playwright.sync_api import expect
from test_site import hub, opened, pytestmark

__all__ = ["hub", "pytestmark"]
EARLY = "its compressed data end too early; copy or download the file again"
DAMAGED = "its compressed data are damaged; copy or download the file again"
SWOLLEN = (
    "it unpacks to far more than any file of detections, drives or cameras does; if it is one, unpack it first, "
    "for example with gunzip"
)
UNPACK = """async ([packed, most]) => {
    const { piecesOf } = await import("./unpacking.js");
    const octets = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0)), parts = [];
    let fault = null;
    try {
        for await (const part of piecesOf(new Blob([octets]), most)) parts.push(part);
    } catch (error) {
        fault = error.message;
    }
    const reader = new FileReader();
    reader.readAsDataURL(new Blob(parts));
    await new Promise((done) => reader.onload = done);
    return [reader.result.split(",")[1] ?? "", fault];
}"""


def member(octets: bytes, level: int = 9, strategy: int = 0, named: bool = False) -> bytes:
    """A member of gzip as zlib makes it; with a name, a remark and all else that one may begin with."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
    body = packer.compress(octets) + packer.flush(zlib.Z_FULL_FLUSH) + packer.flush()
    begin = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
    if named:
        more = struct.pack("<H", 300) + b"x" * 300 + b"n" * 2000 + b"\0remark\0"
        begin = b"\x1f\x8b\x08\x1e\0\0\0\0\0\x03" + more
        begin += struct.pack("<H", zlib.crc32(begin) & 0xFFFF)
    return begin + body + struct.pack("<II", zlib.crc32(octets), len(octets))


def unpacked(page, packed: bytes, most: int = 1 << 30) -> tuple[bytes, str | None]:
    text, fault = page.evaluate(UNPACK, [base64.b64encode(packed).decode(), most])
    return base64.b64decode(text), fault


def test_gzip_is_unpacked_as_zlib_does(hub, open_page):
    page, dice = opened(open_page, "settings", "desktop"), random.Random(5)
    table = b"".join(b"2026-11-20,Ring,52.%d,13.1\n" % dice.randrange(10000) for _ in range(30_000))
    noise = dice.randbytes(300_000)
    texts = [b"", b"a", b"\0" * 600_000, table, noise, table[:40_000] + noise[:40_000] + table[:40_000]]
    for text in texts:
        for level, strategy in ((0, 0), (1, 0), (6, zlib.Z_FILTERED), (9, 0), (9, zlib.Z_HUFFMAN_ONLY), (9, zlib.Z_FIXED)):
            assert unpacked(page, member(text, level, strategy)) == (text, None), (text[:20], level, strategy)
    # Members follow each other, as of `cat` and of bgzip; what fills up a tape is no part of them.
    for filling in (b"", b"\0" * 700, b"filling"):
        packed = b"".join(member(text, named=number % 2 == 1) for number, text in enumerate(texts)) + filling
        assert unpacked(page, packed) == (b"".join(texts), None)
    many = [b"row %d\n" % number for number in range(3000)]
    assert unpacked(page, b"".join(map(member, many))) == (b"".join(many), None)
    # A file as it is comes out as it is.
    for text in (b"", b"\x1f", b"\x8b\x1f", noise):
        assert unpacked(page, text) == (text, None)


def test_what_is_damaged_or_too_large_is_told(hub, open_page):
    page, dice = opened(open_page, "settings", "desktop"), random.Random(6)
    text = b"".join(b"row %d\n" % dice.randrange(10000) for _ in range(500))
    packed = member(text) + member(text)
    assert unpacked(page, packed[:-1]) == (text * 2, EARLY)
    for cut in range(2, len(packed) - 1, 97):
        found, fault = unpacked(page, packed[:cut])
        # What is cut off between two members is a whole file.
        assert (text * 2).startswith(found) and fault == (None if cut == len(packed) // 2 else EARLY), cut
    for place in range(0, len(packed), 61):
        changed = bytearray(packed)
        changed[place] ^= 1 << dice.randrange(8)
        try:
            wanted = gzip.decompress(changed)
        except (OSError, EOFError, zlib.error):
            wanted = None
        # What a member begins with, Python does not look at as closely as zlib.
        if place % (len(packed) // 2) < 10:
            continue
        found, fault = unpacked(page, bytes(changed))
        assert (fault in (EARLY, DAMAGED)) if wanted is None else (found, fault) == (wanted, None), place
    # The sum at the end is looked at, too.
    assert unpacked(page, packed[:-8] + bytes(8))[1] == DAMAGED
    for most in (0, 1, 1000, len(text) * 2 - 1):
        assert unpacked(page, packed, most) == ((text * 2)[:most], "it is too large")
        assert unpacked(page, text * 2, most) == ((text * 2)[:most], "it is too large")
    assert unpacked(page, packed, len(text) * 2) == (text * 2, None)
    # A small file may hold a thousand times as much.
    assert unpacked(page, member(bytes(20_000_000)), 500_000) == (bytes(500_000), "it is too large")


HEAD = "device_type,rssi,confidence,timestamp\n"


def test_what_is_mostly_empty_is_refused_early(hub, open_page):
    page, blank = opened(open_page, "settings", "desktop"), b"\n" * 4_000_000
    # In one member, in many behind one that is not empty, and where the end is missing, too.
    whole, many = member(HEAD.encode() + blank), member(HEAD.encode()) + member(blank[:100_000]) * 40
    for packed in (whole, many, whole[:-1]):
        found, fault = unpacked(page, packed)
        assert fault == SWOLLEN and (HEAD.encode() + blank).startswith(found)
        assert 500_000 < len(found) <= 1 << 20
    # A megabyte is taken, whatever it is packed to; and so are rows that are all alike.
    assert unpacked(page, member(blank[: 1 << 20])) == (blank[: 1 << 20], None)
    assert unpacked(page, member(blank[: (1 << 20) + 1]))[1] == SWOLLEN
    row = (
        b"2026-11-21T12:00:00.000Z,Ring,A4:83:E7:36:3C:A5,a street with a long name,-60,0.9,52.520008,13.404954,"
        b"The pole behind the second house of the corner\n"
    )
    packed = member(row * 20_000)
    assert len(packed) * 200 < len(row * 20_000)
    assert unpacked(page, packed) == (row * 20_000, None)


FIRST = HEAD + "Ring,-60,1,2024-01-01\nRing,x,1,2024-01-01\nRing,-60,1,never\n"
SECOND = "Ring,y,1,2024-01-01\nRing,-61,1,2024-01-01\nAxis,-62,1,2024-01-01\n"


def of_day(day: int) -> list[bytes]:
    """Both parts of a file whose rows no other day has."""
    return [part.replace("2024-01-01", f"2024-01-{day:02}").encode() for part in (FIRST, SECOND)]


def packed(parts: list[bytes]) -> bytes:
    """A member of gzip for each part."""
    return b"".join(map(gzip.compress, parts))


def test_a_page_says_what_has_become_of_a_file(hub, open_page, tmp_path):
    page = opened(open_page, "history", "desktop")
    expect(page.locator(".long-row").first).to_be_visible(timeout=20000)
    choose, file = page.get_by_label("File of detections"), tmp_path / "drive.csv.gz"
    told = page.get_by_role("dialog", name="Imported")
    for octets in (b"".join(of_day(1)), packed(of_day(2))):
        file.write_bytes(octets)
        choose.set_input_files(file)
        expect(told).to_contain_text("3 new detections, 3 that could not be used")
        # Each kind once, with the first of its lines.
        expect(told.locator(".faults li")).to_have_text(
            ["Line 3: its rssi is not a whole number (2 rows)", re.compile("^Line 4: its timestamp is not ")]
        )
        expect(told.locator(".note")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(told).to_have_count(0)
    # What comes a second time is known.
    choose.set_input_files(file)
    nothing = page.get_by_role("dialog", name="Nothing was imported")
    expect(nothing).to_contain_text("0 new detections, 3 known before, 3 that could not be used")
    page.keyboard.press("Escape")
    expect(nothing).to_have_count(0)
    # What came before the end is imported.
    file.write_bytes(packed(of_day(3))[:-1])
    choose.set_input_files(file)
    expect(told).to_contain_text("3 new detections, 3 that could not be used")
    expect(told.locator(".note")).to_have_text(f"Line 8: {EARLY}")
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    # So is what came before a file was seen to be mostly empty.
    file.write_bytes(gzip.compress(of_day(4)[0] + b"\n" * 4_000_000))
    choose.set_input_files(file)
    expect(told).to_contain_text("1 new detection, 2 that could not be used")
    expect(told.locator(".note")).to_have_text(re.compile(rf"^Line \d+: {re.escape(SWOLLEN)}$"))
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    # What is to be known of rows that were taken; and what is for nobody.
    file.write_text("mac,name,rssi,method,last_seen_ms\n58:8e:81:00:00:02,FS Ext Battery,-61,ble_name,2\n")
    choose.set_input_files(file)
    expect(told.locator(".faults li").nth(1)).to_contain_text("Line 2: this row has only the time since")
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    file.write_text("\ufeffdevice_type,rssi\n", encoding="utf-16-le")
    choose.set_input_files(file)
    expect(nothing.locator(".note")).to_have_text("Line 1: it is in UTF-16; save it in UTF-8")
    page.keyboard.press("Escape")
    # Another one is as good as the first.
    file.write_bytes(packed(of_day(5)))
    choose.set_input_files(file)
    expect(told).to_contain_text("3 new detections")


def test_known_cameras_come_from_all_members(hub, open_page, tmp_path):
    page = opened(open_page, "settings/map", "desktop")
    camera = lambda number, north: {  # noqa: E731
        "type": "Feature", "id": f"node/{number}", "properties": {"man_made": "surveillance"},
        "geometry": {"type": "Point", "coordinates": [8, north]},
    }  # fmt: skip
    # A feature a line, as of a file that was split and packed in parts.
    lines = [json.dumps(camera(number, north)) + "\n" for number, north in enumerate([50, 99, 51, 98])]
    file, chooser = tmp_path / "street.geojson.gz", page.locator("input[data-known]")
    packed = b"".join(gzip.compress(line.encode()) for line in lines)
    file.write_bytes(packed[:-5])
    chooser.set_input_files(file)
    toast = page.locator(".toast")
    expect(toast).to_have_text(f"The file cannot be read: line 1, {EARLY}. Nothing was changed.")
    file.write_bytes(packed)
    chooser.set_input_files(file)
    told = page.get_by_role("dialog", name="Imported")
    expect(told).to_contain_text("street: 2 cameras. 2 entries could not be used.")
    expect(told.locator(".faults li")).to_have_count(1)
    expect(told.locator(".faults li")).to_contain_text(re.compile(r"^Line 2: .* \(2 entries\)$"))


# Makes a file of an answer of the engine, as a link of History does, and gives back what is said then.
MAKE = """async (answer) => {
    const { WorkerTransport } = await import("./worker-transport.js");
    const transport = Object.create(WorkerTransport.prototype);
    transport.request = async () => answer;
    await transport.file("/exports/detections.wigle.csv", {}).onclick(new Event("click"));
    return document.querySelector(".toast")?.textContent ?? null;
}"""


@pytest.mark.parametrize(
    ("place", "address", "radio", "words"),
    [
        (0, 0, 0, ""),
        (1, 0, 0, " 1 without a position was left out."),
        (0, 1, 0, " 1 without an address was left out."),
        (0, 0, 1200, " 1,200 whose radio is unknown were left out."),
        (3, 0, 2, " 3 without a position and 2 whose radio is unknown were left out."),
        (1, 1, 1, " 1 without a position, 1 without an address and 1 whose radio is unknown were left out."),
    ],
)
def test_what_an_export_leaves_out_is_told(hub, open_page, place, address, radio, words):
    page = opened(open_page, "settings", "desktop")
    left = {"without_position": place, "without_address": address, "without_radio": radio}
    assert page.evaluate(MAKE, {"text": "a", "written": 12, **left}) == f"12 detections.{words}"
    assert page.evaluate(MAKE, {"text": "a", "written": 1, **left}) == f"1 detection.{words}"


def test_only_exports_are_counted(hub, open_page):
    page = opened(open_page, "settings", "desktop")
    assert page.evaluate(MAKE, {"text": "{}", "name": "a.json"}) is None


def test_a_file_of_wigle_says_how_many_are_in_it(hub, open_page, size):
    page = opened(open_page, "history", size)
    page.get_by_role("button", name=re.compile("^Export")).first.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="WiGLE, for wigle.net").click()
    rows = len(download.value.path().read_text().splitlines()) - 2
    expect(page.locator(".toast")).to_contain_text(re.compile(rf"^{rows:,} detections?\."))
