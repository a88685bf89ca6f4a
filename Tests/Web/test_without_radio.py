# SPDX-License-Identifier: Apache-2.0
"""The pages of devices while the hub has no radio: each says so, says what to do, and locks what needs one."""

import pytest
from conftest import until
from hub_script import lose_radio, radio_returns
from playwright.sync_api import expect
from test_bulbs import check
from whole_world import hub, jobs  # noqa: F401


PAGES = ["devices", "wifi", "nightlights", "bulbs", "explorer", "overflow"]


@pytest.fixture
def page_of(hub, open_page, size):
    lose_radio(hub)
    return lambda route: open_page(route, size, bypass_csp=True)


@pytest.mark.parametrize("route", PAGES)
def test_it_is_said_with_what_to_do(hub, page_of, route, size):
    page = page_of(route)
    note = page.locator(".radio-note")
    expect(note).to_contain_text("The Bluetooth radio is in use.")
    expect(note).to_contain_text("Nothing is heard, and no device can be reached.")
    check(page, size, route)
    radio_returns(hub)
    expect(note).to_be_hidden()
    # It is no part of what has a page of its own for that, nor of what needs no radio.
    lose_radio(hub)
    page.reload()
    note.get_by_role("link", name="What to do").click()
    expect(page.get_by_text("sudo systemctl stop bluetooth")).to_be_visible()
    expect(note).to_be_hidden()


def test_a_device_that_wants_a_network_cannot_be_set_up(hub, page_of):
    page = page_of("wifi")
    button = page.get_by_role("button", name="Set up ESP32-WiFiSet")
    expect(button).to_be_disabled()
    expect(page.get_by_text("Needs the radio")).to_be_visible()
    radio_returns(hub)
    expect(page.get_by_role("link", name="Set up ESP32-WiFiSet")).to_be_visible()
    assert jobs(hub) == []


def test_lamps_and_bulbs_are_connected_to_when_the_radio_is_back(hub, page_of):
    page = page_of("bulbs")
    expect(page.get_by_text("Lantern connects to the bulb by itself when the radio is back.")).to_be_visible()
    lamps = page_of("nightlights")
    expect(lamps.get_by_text("Not known without the radio")).to_be_visible()
    assert jobs(hub) == []
    radio_returns(hub)
    expect(page.get_by_role("slider", name="Colour of the bulb").first).to_be_visible()
    expect(lamps.get_by_role("button", name="Switch the LEDs off")).to_be_visible()


def test_another_bulb_cannot_be_looked_at(hub, page_of):
    page = page_of("bulbs")
    other = page.get_by_role("button", name="Another bulb").filter(visible=True)
    expect(other).to_be_disabled()
    expect(page.locator(".bulbs-list").get_by_text("Needs the radio")).to_be_visible()
    radio_returns(hub)
    expect(page.get_by_text("Needs the radio")).to_be_hidden()
    other.click()
    expect(page.get_by_role("dialog", name="Another bulb")).to_be_visible()


def test_the_beacon_cannot_be_switched_on(hub, page_of):
    page = page_of("overflow")
    on = page.get_by_role("switch", name="Beacon of this hub")
    expect(on).to_be_disabled()
    expect(page.get_by_text("Needs the radio")).to_be_visible()
    radio_returns(hub)
    expect(on).to_be_enabled()


def test_the_explorer_does_not_connect(hub, page_of):
    # It has been without one for so long that nothing is heard any more.
    hub.faults.alter("GET /scan/devices", lambda value: value | {"items": []})
    hub.faults.alter("scan_changed", lambda value: value | {"devices": [], "signals": []})
    page = page_of("explorer")
    expect(page.get_by_role("heading", name="Not known without the radio")).to_be_visible()
    page.evaluate("() => { location.hash = '#/explorer/device/5' }")
    expect(page.get_by_role("button", name="Connect", exact=True)).to_be_disabled()


def test_nothing_is_asked_of_a_device_on_the_tab_devices(hub, page_of):
    page = page_of("devices")
    expect(page.get_by_role("link", name="Wi-Fi set-up Not known without the radio")).to_be_visible()
    expect(page.get_by_role("link", name="Set up", exact=True)).to_have_count(0)
    radio_returns(hub)
    expect(page.get_by_role("link", name="Set up", exact=True)).to_be_visible()
    until(page, lambda: page.get_by_text("Not known without the radio").count() == 0)
