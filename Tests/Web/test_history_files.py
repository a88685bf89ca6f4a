# SPDX-License-Identifier: Apache-2.0
"""Files of the History: what is imported, and what is said of a file that cannot be; what is exported."""

import re

from conftest import assert_harmless
from playwright.sync_api import expect


def test_a_file_is_imported_by_choosing_and_by_dropping(hub, open_page, size, tmp_path):
    page = open_page("history", size)
    expect(page.locator(".long-row").first).to_be_visible()
    file = tmp_path / "drive.csv"
    file.write_text("timestamp,device_type\n" + "2026-11-21T10:00:00Z,Ring\n" * 3 + "refused\n")
    with page.expect_file_chooser() as chooser:
        if size == "phone":
            page.get_by_role("button", name="More").click()
            page.get_by_role("button", name="Import a file").click()
        else:
            page.get_by_role("button", name="Import", exact=True).click()
    chooser.value.set_files(file)
    told = page.get_by_role("dialog", name="Imported")
    expect(told).to_contain_text("3 new detections, 2 known before, 1 new drive, 1 that could not be used")
    expect(told.locator(".faults")).to_have_text("Line 5: it has no time")
    assert_harmless(page, size)
    page.keyboard.press("Escape")
    page.locator(".history").evaluate("""element => {
        const data = new DataTransfer();
        data.items.add(new File(["timestamp\\n1\\n2\\n"], "<b>dropped</b>\u202e.csv"));
        for (const name of ["dragenter", "drop"]) {
            element.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
        }
    }""")
    expect(told).to_contain_text("2 new detections")
    expect(told).to_contain_text("<b>dropped</b>[U+202E].csv")
    expect(page.locator(".is-dropping")).to_have_count(0)


def test_a_file_that_cannot_be_read_says_why(hub, open_page, tmp_path):
    page = open_page("history")
    expect(page.locator(".long-row").first).to_be_visible()
    file, choose = tmp_path / "drive.csv", page.get_by_label("File of detections")
    told = page.get_by_role("dialog", name="Nothing was imported")
    for content, words in (("no file", "Line 1: it is no file of detections"), ("%PDF", "It is no file of detections")):
        file.write_text(content)
        choose.set_input_files(file)
        expect(told.locator(".note")).to_have_text(words)
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
    page.locator(".long-row").first.get_by_role("checkbox").click()
    page.locator(".bulk").get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON, everything").click()
    assert download.value.path().read_text() == "1 detections\n"
