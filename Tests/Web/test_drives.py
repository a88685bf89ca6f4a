# SPDX-License-Identifier: Apache-2.0
"""Drives: the list, and of one its way, what was new on it, its export."""

import re
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import until
from invented import iso
from playwright.sync_api import expect
from test_bulbs import check


@pytest.fixture
def drive(hub) -> dict:
    """The last drive, in the time of the last detections."""
    rows, one = hub.world.detections, hub.map.drives[-1]
    one.update(begin=rows[-120]["received"], end=rows[-1]["received"])
    return one


def heard_on(hub, drive: dict) -> tuple[set, set]:
    """The sources of a drive: those that were new, and the others."""
    ids = {row["source"] for row in hub.world.detections if drive["begin"] <= row["received"] <= drive["end"]}
    fresh = {one for one in ids if hub.world.sources[one]["first"] >= drive["begin"]}
    return fresh, ids - fresh


def sources_of(page, title: str) -> set[int]:
    links = page.get_by_role("region", name=title).get_by_role("link").all()
    return {int(one.get_attribute("href").rsplit("/", 1)[1]) for one in links}


def test_a_drive_shows_its_way_and_what_was_new(hub, drive, open_page, size):
    page = open_page("history", size, bypass_csp=True, reduced_motion="reduce")
    if size == "phone":
        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Drives").click()
    else:
        page.get_by_role("link", name="Drives").click()
    rows = page.get_by_role("list", name="Drives").get_by_role("link")
    expect(rows).to_have_count(len(hub.map.drives))
    expect(rows.first).to_contain_text(re.compile(r"Today, \d\d:\d\d to \d\d:\d\d"))
    check(page, size, "list")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Drives")
    rows.first.click()
    # A phone has the drive alone, a desktop has it beside the others.
    expect(heading).to_have_text("Drive" if size == "phone" else "Drives")
    fresh, met = heard_on(hub, drive)
    assert fresh and met
    expect(page.get_by_role("region", name="New on this drive")).to_be_visible()
    assert (sources_of(page, "New on this drive"), sources_of(page, "Met again")) == (fresh, met)
    placed = [one for one in fresh if hub.world.sources[one]["latitude"] is not None]
    expect(page.get_by_role("img", name=f"with {len(placed)} new source")).to_be_visible()
    # The way is drawn from where it began to where it ended.
    assert page.locator(".drive-line").get_attribute("d").count("L") == len(drive["line"]) - 1
    check(page, size, "drive")
    expect(page.locator(".drive-figures")).to_contain_text(re.compile("1.2 km"))
    page.get_by_role("button", name="Export").click()
    link = page.get_by_role("link", name="GPX, for navigation")
    asked = parse_qs(urlsplit(link.get_attribute("href")).query)
    end = datetime.fromisoformat(drive["end"]) + timedelta(milliseconds=1)
    assert datetime.fromisoformat(asked["since"][0]) == datetime.fromisoformat(drive["begin"])
    assert abs(datetime.fromisoformat(asked["until"][0]) - end) < timedelta(milliseconds=1)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Show on the map").click()
    until(page, "location.hash.startsWith('#/map/at/')")


def test_a_drive_is_deleted_after_a_question(hub, drive, open_page, size):
    page = open_page(f"drives/{drive['id']}", size)
    before = len(hub.map.drives)
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete this drive?")
    dialog.get_by_role("button", name="Keep it").click()
    assert len(hub.map.drives) == before
    page.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("list", name="Drives").get_by_role("link")).to_have_count(before - 1)
    assert drive not in hub.map.drives


def test_a_drive_that_goes_on_is_shown_as_it_grows(hub, drive, open_page):
    page = open_page("drives")
    first = page.get_by_role("list", name="Drives").get_by_role("link").first
    expect(first).to_contain_text("3 new")
    drive.update(metres=5432.1, sources_new=9)
    hub.emit("drive_changed", change="extended", drive=hub.map.drive(drive))
    expect(first).to_contain_text("9 new")
    expect(first).to_contain_text("5.4 km")
    hub.settings["units"] = "imperial"
    page.reload()
    expect(first).to_contain_text("3.4 mi")


def test_without_drives_it_says_what_to_do(hub, open_page, size):
    hub.scenario("empty")
    page = open_page("drives", size, bypass_csp=True)
    expect(page.get_by_role("heading", name="Nothing driven yet")).to_be_visible()
    check(page, size, "empty")
    page.get_by_role("link", name="Set the place").click()
    expect(page.get_by_label("Position from")).to_be_visible()


def test_a_drive_with_many_sources_keeps_its_way_in_sight(hub, drive, open_page, size):
    line, kinds, end = drive["line"], ["ring", "axis", "wyze", "flock_safety"], datetime.fromisoformat(drive["end"])
    drive.update(begin=iso(end - timedelta(minutes=1)), sources_new=307)
    for index in range(150):
        source = hub.world.source(kinds[index % 4], f"C0:00:00:00:01:{index:02X}", f"many-{index}")
        row = hub.world.row(source, end - timedelta(milliseconds=index), -40 - index % 50, 0.8)
        (south, west), (north, east) = line[index % 7], line[index % 7 + 1]
        part = index // 7 / 22
        row["latitude"], row["longitude"] = south + (north - south) * part, west + (east - west) * part
        row["id"] = hub.world.detections[-1]["id"] + 1
        hub.world.detections.append(row)
        hub.world.count(row)
    page = open_page(f"drives/{drive['id']}", size, bypass_csp=True, reduced_motion="reduce")
    expect(page.get_by_role("region", name="New on this drive")).to_contain_text(re.compile(r"15\d of 307"))
    # The strongest have their marks, the others are dots.
    expect(page.locator(".drive-map .mark")).to_have_count(12)
    assert 20 < page.locator(".drive-dot").count() < 120
    best = page.locator(".drive-sources .second").all_inner_texts()
    assert len(best) >= 150
    check(page, size, "many")
