# SPDX-License-Identifier: Apache-2.0
"""Drives: the list, and of one its way, what was new on it, its export."""

import json
import re
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import until
from flock_world import HERE, arrive, drive_on
from kept_world import Drives, drives, kept
from playwright.sync_api import expect
from seeded_map import METRE
from spots import metres, ways
from test_bulbs import check


def listed(hub) -> list[dict]:
    """The drives, the last first."""
    return hub.get("/drives")["drives"]


@pytest.fixture
def drive(hub) -> dict:
    """The last drive, in the time of the last detections."""
    hub.begin(kept(drives=drives()))
    return listed(hub)[0]


def heard_on(hub, drive: dict) -> tuple[set, set]:
    """The sources of a drive: those that were new, and the others."""
    rows, begin = hub.get("/detections", limit=1000)["items"], drive["begin"]
    ids = {row["source"] for row in rows if begin <= row["received"] <= drive["end"]}
    fresh = {one for one in ids if hub.sources()[one]["first"] >= begin}
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
    expect(rows).to_have_count(len(ways()))
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
    placed = [one for one in fresh if hub.sources()[one]["place"]]
    expect(page.get_by_role("img", name=f"with {len(placed)} new source")).to_be_visible()
    # The way is drawn from where it began to where it ended.
    assert page.locator(".drive-line").get_attribute("d").count("L") == len(ways()[-1]) - 1
    check(page, size, "drive")
    expect(page.locator(".drive-figures")).to_contain_text(f"{metres(ways()[-1]) / 1000:.1f} km")
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
    before = len(listed(hub))
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete this drive?")
    dialog.get_by_role("button", name="Keep it").click()
    assert len(listed(hub)) == before
    page.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("list", name="Drives").get_by_role("link")).to_have_count(before - 1)
    assert drive["id"] not in [one["id"] for one in listed(hub)]


def test_a_drive_that_goes_on_is_shown_as_it_grows(hub, open_page):
    drive_on(hub)
    north = HERE["latitude"]

    def go(seconds: int) -> dict:
        """Drives to the north, 40 metres a second; answers what was told last."""
        nonlocal north
        for _ in range(seconds):
            north += 40 * METRE
            hub.later(1)
            hub.ask("POST", "/position", HERE | {"latitude": north, "speed": 40, "heading": 0})
        return [json.loads(told) for name, told in hub.events if name == "drive_changed"][-1]["drive"]

    go(20)
    page = open_page("drives")
    first = page.get_by_role("list", name="Drives").get_by_role("link").first
    expect(first).to_contain_text("no source")
    arrive(hub, "ring", mac="A4:83:E7:00:00:01")
    arrive(hub, "ring", mac="A4:83:E7:00:00:02")
    told = go(40)
    expect(first).to_contain_text("2 new")
    assert told["metres"] > 2000
    expect(first).to_contain_text(f"{told['metres'] / 1000:.1f} km")
    hub.ask("PATCH", "/settings", {"units": "imperial"}, if_match="*")
    page.reload()
    expect(first).to_contain_text(f"{listed(hub)[0]['metres'] / 1609.344:.1f} mi")


def test_without_drives_it_says_what_to_do(hub, open_page, size):
    hub.begin()
    page = open_page("drives", size, bypass_csp=True)
    expect(page.get_by_role("heading", name="Nothing driven yet")).to_be_visible()
    check(page, size, "empty")
    page.get_by_role("link", name="Set the place").click()
    expect(page.get_by_label("Position from")).to_be_visible()


def test_a_drive_with_many_sources_keeps_its_way_in_sight(hub, open_page, size):
    world, line, kinds = Drives("empty"), ways()[-1], ["ring", "axis", "wyze", "flock_safety"]
    for index in range(307):
        source = world.source(kinds[index % 4], f"C0:00:00:00:{index >> 8:02X}:{index & 255:02X}", f"many-{index}")
        row = world.row(source, world.now - timedelta(milliseconds=307 - index), -40 - index % 50, 0.8)
        # Five times along the way.
        at, part = divmod(index * 5 / 307 % 1 * (len(line) - 1), 1)
        (south, west), (north, east) = line[int(at) : int(at) + 2]
        row["latitude"], row["longitude"] = south + (north - south) * part, west + (east - west) * part
        world.detections.append(row | {"id": index + 1})
    hub.begin(kept(world, drives=drives(timedelta(minutes=1))))
    page = open_page(f"drives/{listed(hub)[0]['id']}", size, bypass_csp=True, reduced_motion="reduce")
    expect(page.get_by_role("region", name="New on this drive")).to_contain_text("200 of 307")
    # The strongest have their marks, the others are dots.
    expect(page.locator(".drive-map .mark")).to_have_count(12)
    assert 20 < page.locator(".drive-dot").count() < 120
    best = page.locator(".drive-sources .second").all_inner_texts()
    assert len(best) >= 150
    check(page, size, "many")
