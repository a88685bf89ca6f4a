# SPDX-License-Identifier: Apache-2.0
"""Files of the History: what is imported, and what is said of a file that cannot be; what is exported."""

import json
import re

import pytest
from conftest import assert_harmless
from playwright.sync_api import expect


def a_drive(hub) -> str:
    """A file with two detections that are known, three that are not, one without a time, and a drive."""
    known = hub.ask("GET", "/exports/detections.gpx", file=True)["value"]["text"].split("\n")[3:5]
    new = [re.sub("<lantern:key>0", f"<lantern:key>{digit}", known[0]) for digit in "abc"]
    way = "".join(f'<trkpt lat="52.{at:03}" lon="8.7"><time>2026-11-21T10:00:{at * 5:02}Z</time></trkpt>' for at in range(9))
    lines = [*known, *new, re.sub("<time>.*?</time>", "", new[0]), f"<trk><trkseg>{way}</trkseg></trk>"]
    return "\n".join(['<gpx xmlns:lantern="urn:x-lantern:gpx:1">', *lines, "</gpx>"])


def test_a_file_is_imported_by_choosing_and_by_dropping(hub, open_page, size, tmp_path):
    page = open_page("history", size)
    expect(page.locator(".long-row").first).to_be_visible()
    file = tmp_path / "drive.gpx"
    file.write_text(a_drive(hub))
    with page.expect_file_chooser() as chooser:
        if size == "phone":
            page.get_by_role("button", name="More").click()
            page.get_by_role("button", name="Import a file").click()
        else:
            page.get_by_role("button", name="Import", exact=True).click()
    chooser.value.set_files(file)
    told = page.get_by_role("dialog", name="Imported")
    expect(told).to_contain_text("3 new detections, 2 known before, 1 new drive, 1 that could not be used")
    expect(told.locator(".faults")).to_have_text("Line 7: its timestamp is not a time such as 2026-11-21T14:03:32.123Z")
    assert_harmless(page, size)
    page.keyboard.press("Escape")
    page.locator(".history").evaluate("""element => {
        const data = new DataTransfer();
        data.items.add(new File(["timestamp,device_type,rssi,confidence\\n" +
            "2026-11-21T10:00:00Z,Ring,-61,0.9\\n2026-11-21T10:00:01Z,Ring,-61,0.9\\n"], "<b>dropped</b>\u202e.csv"));
        for (const name of ["dragenter", "drop"]) {
            element.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
        }
    }""")
    expect(told).to_contain_text("2 new detections")
    expect(told).to_contain_text("<b>dropped</b>[U+202E].csv")
    expect(page.locator(".is-dropping")).to_have_count(0)


def broken(body: dict) -> tuple[int, dict]:
    """What a hub says of a file that ends at its first line, if that is where it ends."""
    line = int(body["octets"].startswith("no file"))
    counts = dict.fromkeys(("imported", "known", "refused", "passed", "drives", "known_drives"), 0)
    found = {"line": line, "column": None, "reason": "it is no file of detections"}
    return 200, counts | {"dry_run": False, "faults": [], "notes": [], "broken": found}


LINES = "no column is named device_type, rssi, confidence, timestamp; what is read are tables of Lantern, of FlockFinder's app"


@pytest.mark.parametrize(
    "words",
    [
        {"no file": f"Line 1: {LINES}", "%PDF": "Line 1: it is a PDF, out of which nothing is read"},
        # Nothing is broken in no line at all, as far as is known; the pages would say so.
        {"no file": "Line 1: it is no file of detections", "%PDF": "It is no file of detections"},
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_says_why(hub, open_page, tmp_path, words):
    if LINES not in words["no file"]:
        hub.faults.instead("POST /imports", broken)
    page = open_page("history")
    expect(page.locator(".long-row").first).to_be_visible()
    file, choose = tmp_path / "drive.csv", page.get_by_label("File of detections")
    told = page.get_by_role("dialog", name="Nothing was imported")
    for content, reason in words.items():
        file.write_text(content)
        choose.set_input_files(file)
        expect(told.locator(".note")).to_have_text(re.compile("^" + re.escape(reason)))
        expect(told).not_to_contain_text("0 new")
        page.keyboard.press("Escape")
        expect(told).to_have_count(0)
    # What a person can do about an empty one is no matter of curl, and nobody has to be asked.
    file.write_text("")
    choose.set_input_files(file)
    expect(page.locator(".toast")).to_have_text("drive.csv is empty. Choose a file that has detections.")
    assert sum("/imports/" in one for one in hub.requests) == 2


def test_export_of_what_is_ticked(hub, open_page):
    page = open_page("history")
    page.get_by_role("button", name="Detections").click()
    expect(page.locator(".counts")).to_have_text(re.compile("detections$"))
    newest = hub.get("/detections", limit=1)["items"][0]["id"]
    page.locator(".long-row").first.get_by_role("checkbox").click()
    page.locator(".bulk").get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON, everything").click()
    file = json.loads(download.value.path().read_text())
    assert (file["total_detections"], [one["id"] for one in file["detections"]]) == (1, [newest])
