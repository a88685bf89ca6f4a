# SPDX-License-Identifier: Apache-2.0
"""Debug: lines that are filtered, opened, paused and saved, and captures."""

import re

from conftest import assert_harmless
from flock_world import hub, tell  # noqa: F401
from hub_script import with_captures
from playwright.sync_api import expect
from test_pages import settle


def test_debug_lines_filter_pause_and_save(hub, open_page, size):
    page = open_page("debug", size)
    settle(page)
    tell(hub, 1, 2, 3, 7)
    lines = page.locator(".log .line")
    expect(lines).to_have_count(4)
    expect(page.locator(".log .line.refused")).to_contain_text("the object has a confidence that is not a number from 0 to 1")
    page.get_by_role("searchbox").fill("rssi > -52")
    expect(lines).to_have_count(1)
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Pause").click()
    tell(hub, 9)
    expect(page.locator(".following")).to_have_text("Paused, 1 new")
    expect(lines).to_have_count(4)
    page.get_by_role("button", name="Resume").click()
    expect(lines).to_have_count(5)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save").click()
    assert download.value.path().read_text().count("\n") == 5


def test_a_line_of_debug_opens_and_a_senseless_filter_is_told(hub, open_page, size):
    page = open_page("debug", size)
    settle(page)
    tell(hub, *range(1, 60))
    lines = page.locator(".log .line")
    expect(lines).to_have_count(59)
    # One row each, however much is in it; on a phone two.
    heights = page.eval_on_selector_all(".log summary", "all => [...new Set(all.map((one) => Math.round(one.offsetHeight)))]")
    assert len(heights) == 1 and heights[0] < (70 if size == "phone" else 34), heights
    # When it was stands in the same row as what it was.
    for one in ("when", "event"):
        box, row = (lines.nth(44).locator(part).bounding_box() for part in (f"summary .{one}", "summary"))
        assert row["y"] <= box["y"] and box["y"] + box["height"] <= row["y"] + row["height"], one
    expect(lines.nth(44).locator(".when")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d\.\d{3}$"))
    lines.nth(44).locator("summary").click()
    expect(lines.nth(44).locator("pre")).to_contain_text('"event": "flock_parse_error"')
    # What is read stays where it is.
    before = lines.nth(44).bounding_box()["y"]
    tell(hub, 61)
    expect(page.locator(".following")).to_have_text("Scrolled back. Follow again")
    assert lines.nth(44).bounding_box()["y"] == before
    assert_harmless(page, size)
    field = page.get_by_role("searchbox")
    for text, told in [("rssi >", "as in rssi > \u221270"), ("foo > 3", "No line says \u201cfoo\u201d."), ("= 5", "A comparison has a name")]:
        field.fill(text)
        expect(page.locator(".debug-filters .fault")).to_contain_text(told)
        expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("rssi > -52")
    expect(page.locator(".debug-filters .fault")).to_be_empty()
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_a_capture_is_started_stopped_and_downloaded(hub, open_page):
    with_captures(hub)
    page = open_page("debug")
    page.get_by_role("button", name="Start a capture").click()
    expect(page.locator(".capturing")).to_have_text("Capturing")
    page.get_by_role("button", name="Stop").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.path().read_bytes().startswith(b"btsnoop")


def test_the_debug_stream_stays_bounded(hub, open_page):
    page = open_page("debug")
    settle(page)
    for first in range(0, 1500, 100):
        # No more are told in a second.
        tell(hub, *range(first, first + 100))
        hub.later(1)
    page.wait_for_timeout(1500)
    assert page.locator(".log .line").count() <= 400
    assert page.locator(".log").evaluate("log => log.scrollHeight - log.scrollTop - log.clientHeight") < 40


def test_debug_locks_what_needs_the_hub(hub, open_page, size):
    page = open_page("debug", size)
    settle(page)
    capture = page.get_by_label("Capture", exact=True)
    expect(capture).not_to_have_attribute("inert", "")
    hub.go()
    expect(page.locator(".banner")).to_be_visible(timeout=8000)
    expect(capture).to_have_attribute("inert", "")


def test_a_long_name_of_a_line_has_room_beside_its_values(hub, open_page):
    for width in (800, 1280):
        page = open_page("debug")
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        hub.emit("overflow_source_changed", {"source": {"id": 1}})
        name = page.locator(".log .event", has_text="overflow_source_changed").first
        expect(name).to_be_visible()
        assert name.evaluate("one => one.scrollWidth <= one.clientWidth"), width
        asked = page.get_by_text("From FlockFinder-S3")
        assert asked.evaluate("one => one.scrollWidth <= one.clientWidth"), width
