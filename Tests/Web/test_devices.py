# SPDX-License-Identifier: Apache-2.0
"""The tab Devices: what shines and what is heard, told without connecting to anything."""

import re
from datetime import datetime, timezone

import lamp_world as lamps
import whole_world
from conftest import pages_are_there
from flock_world import around
from hub_script import with_beacon
from kept_world import Drives, iso, kept
from overflow_world import PLAIN
from playwright.sync_api import expect
from scripted_radio import Bulb, FlockFinder
from test_bulbs import DESK, add_two, check


def tile(page, name: str):
    return page.locator("main").get_by_role("link", name=re.compile(f"^{name}"))


def dots(page, name: str) -> list[str]:
    return tile(page, name).locator(".light-dots > i").evaluate_all("all => all.map(one => one.style.getPropertyValue('--light'))")


def test_bulbs_of_another_page_are_told(hub, open_page, size):
    hub.begin()
    hub.radio.add(Bulb(DESK))
    add_two(hub)
    page = open_page("devices", size, bypass_csp=True)
    expect(tile(page, "Bulbs")).to_contain_text("3 bulbs near")
    assert dots(page, "Bulbs") == []
    bulb = open_page("bulbs")
    expect(tile(page, "Bulbs")).to_contain_text("Triones-A10103 is on")
    assert dots(page, "Bulbs") == ["#7C6BFF"]
    check(page, size, "shines")
    bulb.get_by_role("button", name="All together").filter(visible=True).click()
    expect(tile(page, "Bulbs")).to_contain_text("2 of 3 are on")
    bulb.get_by_role("button", name="All off").click()
    expect(tile(page, "Bulbs")).to_contain_text("All 3 are off")
    # A page that comes later asks what is under way.
    page.reload()
    expect(tile(page, "Bulbs")).to_contain_text("All 3 are off")
    bulb.get_by_role("switch", name="Triones-A10103 shines").filter(visible=True).click()
    expect(tile(page, "Bulbs")).to_contain_text("1 of 3 is on")
    # What nobody looks at any more is told with its time.
    bulb.evaluate("() => { location.hash = '#/scanner' }")
    expect(tile(page, "Bulbs")).to_contain_text("Triones-A10103 was on a moment ago")
    expect(tile(page, "Bulbs").locator(".light-dots.was")).to_be_visible()


def test_a_lamp_of_another_page_is_told(hub, open_page, size):
    lamps.begin(hub, *lamps.both())
    page = open_page("devices", size, bypass_csp=True)
    expect(tile(page, "Nightlights")).to_contain_text("2 lamps near")
    assert dots(page, "Nightlights") == []
    lamp = open_page("nightlights/D83ADD407E11")
    expect(tile(page, "Nightlights")).to_contain_text(re.compile("Mia’s lamp (shines|is dark)"))
    check(page, size, "shines")
    lamp.get_by_role("button", name="Switch the LEDs off").click()
    expect(tile(page, "Nightlights")).to_contain_text("Mia’s lamp is dark")
    assert dots(page, "Nightlights") == []
    hub.radio.lose(hub.lamp)
    expect(tile(page, "Nightlights")).to_contain_text(re.compile("Mia’s lamp (shone|was dark) a moment ago"))


def test_a_lamp_is_remembered_with_its_time(hub, open_page):
    colors, address = ["#ff9a2e", "#ff5c9e", "#000000", "#000000"], "00000001-89ab-cdef-0123-456789abcdef"
    lamp = {"address": address, "name": "Mia", "seen": iso(datetime.now(timezone.utc)), "known": {"leds": {"colors": colors}}, "pending": []}
    hub.begin(kept(Drives("empty"), {f"lamp.{address}": lamp}))
    hub.radio.add(around()[1])
    page = open_page("devices", "phone")
    expect(tile(page, "Nightlights")).to_contain_text("Mia’s lamp shone a moment ago")
    assert dots(page, "Nightlights") == colors
    hub.go()
    expect(page.get_by_text("You see what was known at")).to_be_visible(timeout=15000)
    expect(tile(page, "Nightlights")).to_contain_text("Mia’s lamp shone")
    expect(tile(page, "Wi-Fi set-up")).to_contain_text("Not known while the hub is away")


def test_senders_and_the_beacon_are_counted(hub, open_page):
    whole_world.begin(hub)
    with_beacon(hub, PLAIN)
    page = open_page("devices", "phone")
    row = page.locator("main").get_by_role("link", name=re.compile("^Overflow"))
    expect(row).to_contain_text("senders, beacon off")
    other = open_page("overflow")
    other.get_by_role("switch", name="Beacon of this hub").click()
    expect(row).to_contain_text("senders, beacon on")


def test_what_is_opened_while_the_hub_is_away_claims_nothing(hub, open_page, size):
    hub.radio.add(FlockFinder(), *around())
    page = open_page("scanner", size)
    expect(page.locator(".connection")).to_contain_text("Connected")
    pages_are_there(page)
    hub.go()
    expect(page.get_by_text("You see what was known at")).to_be_visible(timeout=15000)
    claims = {"bulbs": "Connecting", "nightlights": "Near", "devices": "heard", "overflow": "0 services"}
    for route, claim in claims.items():
        page.evaluate("route => { location.hash = `#/${route}` }", route)
        page.locator(f'html[data-page="{route}"]').wait_for(state="attached")
        expect(page.locator("main")).to_contain_text("Not known while the hub is away")
        assert claim not in page.locator("main").inner_text(), route
