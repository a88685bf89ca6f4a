# SPDX-License-Identifier: Apache-2.0
"""Names that several have: wherever they are listed, the end of the address tells them apart."""

import re

from conftest import until
from playwright.sync_api import expect


def name_alike(hub) -> tuple[dict, dict]:
    """Two devices of one name: a bulb that is there, and one that comes."""
    first = next(one for one in hub.devices.values() if one["kind"] == "bulb")
    return first, {**first, "id": 700, "address": "FF:FF:A1:01:77:E2", "rssi": -60}


def test_a_second_device_of_one_name_is_told_apart_when_it_comes(hub, open_page):
    page = open_page("scanner")
    first, second = name_alike(hub)
    rows = page.locator(".around-row", has_text=first["name"])
    expect(rows).to_have_count(1)
    expect(rows.locator(".name > .cut").first).to_have_text(first["name"])
    hub.devices[700] = second
    hub.emit("device_changed", device=second)
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text(f"…{first['address'][-5:]}")
    expect(rows.nth(1)).to_contain_text("…77:E2")
    expect(page.get_by_role("link", name=f"Open {first['name']} …77:E2")).to_be_visible()
    # The one that stays needs its end no longer.
    hub.devices.pop(700)
    hub.emit("device_gone", id=700)
    expect(rows).to_have_count(1)
    hub.emit("device_changed", device={**first, "rssi": -50})
    expect(rows.locator(".name > .cut").first).to_have_text(first["name"])


def test_they_are_told_apart_on_every_page_that_lists_devices(hub, open_page, size):
    first, second = name_alike(hub)
    hub.devices[700] = second
    hub.explorer.rows[700] = {**hub.explorer.rows[first["id"]], "id": 700, "address": second["address"]}
    page = open_page("explorer", size)
    for route, rows in (("explorer", ".explorer-list .long-row .name"), ("bulbs", ".bulb-card .name, .bulb-chips .chip")):
        page.goto(f"{hub.address}/#/{route}")
        for one in (first, second):
            expect(page.locator(rows, has_text=first["name"]).filter(has_text=f"…{one['address'][-5:]}").filter(visible=True)).to_have_count(1)
    # A name that is cut leaves the end of the address in sight.
    page.goto(f"{hub.address}/#/explorer")
    for one in (first, second):
        one = hub.explorer.rows[one["id"]]
        one["name"] = "A controller of pumps with a name that no row has room for"
        hub.explorer.tell(devices=[one])
    ends = page.locator(".explorer-list .told-end")
    until(page, lambda: ends.count() == 2)
    assert all(one.evaluate("e => e.getBoundingClientRect().right <= e.closest('.long-row').getBoundingClientRect().right - 40") for one in ends.all())


def test_sources_are_told_apart(hub, open_page):
    # One that is called as its kind is, and two of one network.
    alone, *alike = [one for one in hub.world.sources.values() if one["type"] in ("pigvision", "nest", "arlo")]
    alone["ssid"] = alone["label"]
    for one in alike:
        one["ssid"] = "Camera"
    page = open_page("history")
    expect(page.locator(".long-row:not(.ghost)").first).to_be_visible()
    # A name that says only what the kind says is no name: the address is.
    row = page.locator(".long-row", has_text=alone["mac"])
    expect(row.locator(".name .hint")).to_have_text(alone["mac"])
    expect(row.get_by_role("checkbox")).to_have_attribute("aria-label", re.compile(f"{alone['label']}, {alone['mac']}$"))
    for one in alike:
        row = page.locator(".long-row", has_text=one["ssid"]).filter(has_text=f"…{one['mac'][-5:]}")
        expect(row).to_have_count(1)
        expect(row.get_by_role("checkbox")).to_have_attribute("aria-label", re.compile(f"{one['ssid']} …{one['mac'][-5:]}$"))
    page.goto(f"{hub.address}/#/history/source/{alone['id']}")
    expect(page.locator(".detail-names")).to_have_text(alone["mac"])
    # Beside the map, too.
    page.goto(f"{hub.address}/#/map/at/52.10624,8.74932,16/filter/text=Camera")
    for one in alike:
        expect(page.locator(".map-list .long-row", has_text=f"Camera…{one['mac'][-5:]}")).to_have_count(1)
    page.goto(f"{hub.address}/#/history/source/{alone['id']}")
    # A name of its own needs none.
    expect(page.locator(".long-row", has_text="FLOCK-S3-1234").locator(".told")).to_have_count(0)


# Whether each end of an address is in the letters of its name, and its colour.
ENDS = """() => [...document.querySelectorAll("main .told-end")].filter((one) => one.checkVisibility()).map((one) => {
    const letters = (element) => {
        const { fontFamily, fontSize, fontWeight, lineHeight } = getComputedStyle(element);
        return [fontFamily, fontSize, fontWeight, lineHeight].join();
    };
    return [letters(one) === letters(one.parentElement.querySelector(".air") ?? one.parentElement), getComputedStyle(one).color];
})"""


def test_the_end_of_an_address_is_written_as_its_name_is(hub, open_page, size):
    first, second = name_alike(hub)
    hub.devices[700] = second
    hub.explorer.rows[700] = {**hub.explorer.rows[first["id"]], "id": 700, "address": second["address"]}
    for one in hub.world.sources.values():
        one["ssid"] = "Camera"
    page = open_page("devices", size)
    looks = {}
    for route in ("history", "bulbs", "explorer", "nightlights"):
        page.goto(f"{hub.address}/#/{route}")
        expect(page.locator(f":root[data-page={route}] main .told-end").filter(visible=True).first).to_be_visible()
        looks[route] = page.evaluate(ENDS)
    # Second to its name, and the same wherever it stands: `ink3` of the light theme.
    assert {route: look for route, look in looks.items() if any(one != [True, "rgb(94, 102, 117)"] for one in look)} == {}
