# SPDX-License-Identifier: Apache-2.0
"""Names that several have: wherever they are listed, the end of the address tells them apart."""

import re

from conftest import until
from kept_world import Drives
from playwright.sync_api import expect
from scripted_radio import Bulb
from whole_world import begin, hub  # noqa: F401


FIRST, SECOND = "Triones-A10103", "FF:FF:A1:01:77:E2"


def come(hub) -> Bulb:
    """A second bulb is heard that has the name of the first."""
    second = Bulb(FIRST, rssi=-60, address=f"{SECOND}/P")
    hub.radio.add(second)
    return second


def name_alike(hub, *kinds: str) -> list[dict]:
    """Begins with sources of these kinds: one that is called as its kind is, and others of one network."""
    world = Drives()
    alone, *alike = [one for one in world.sources.values() if one["type"] in kinds] if kinds else [None, *world.sources.values()]
    names = {one["id"]: "Camera" for one in alike} | ({alone["id"]: alone["label"]} if alone else {})
    for row in world.detections:
        row["ssid"] = names.get(row["source"], row["ssid"])
    begin(hub, world)
    return [alone, *alike]


def test_a_second_device_of_one_name_is_told_apart_when_it_comes(hub, open_page):
    page = open_page("scanner")
    rows = page.locator(".around-row", has_text=FIRST)
    expect(rows).to_have_count(1)
    expect(rows.locator(".name > .cut").first).to_have_text(FIRST)
    come(hub)
    expect(rows).to_have_count(2)
    ends = {text[-5:] for text in rows.locator(".told-end").all_inner_texts()}
    assert ends == {"03:9C", "77:E2"}
    expect(page.get_by_role("link", name=f"Open {FIRST} …77:E2")).to_be_visible()
    # The one that stays needs its end no longer.
    second = next(one["id"] for one in hub.get("/devices")["items"] if one["address"] == SECOND)
    hub.emit("device_gone", {"id": second})
    expect(rows).to_have_count(1)
    hub.radio.hear(next(one for one in hub.radio.devices.values() if one.name == FIRST), rssi=-50)
    expect(rows.locator(".name > .cut").first).to_have_text(FIRST)


def test_they_are_told_apart_on_every_page_that_lists_devices(hub, open_page, size):
    bulbs = (hub.radio.devices["FF:FF:A1:01:03:9C"], come(hub))
    page = open_page("explorer", size)
    for route, rows in (("explorer", ".explorer-list .long-row .name"), ("bulbs", ".bulb-card .name, .bulb-chips .chip")):
        page.goto(f"{hub.address}/#/{route}")
        for one in bulbs:
            expect(page.locator(rows, has_text=FIRST).filter(has_text=f"…{one.identifier[-5:]}").filter(visible=True)).to_have_count(1)
    # A name that is cut leaves the end of the address in sight.
    page.goto(f"{hub.address}/#/explorer")
    for one in bulbs:
        one.name = "A controller of pumps with a name that no row has room for"
    hub.radio.hear(*bulbs)
    ends = page.locator(".explorer-list .told-end")
    until(page, lambda: ends.count() == 2)
    assert all(one.evaluate("e => e.getBoundingClientRect().right <= e.closest('.long-row').getBoundingClientRect().right - 40") for one in ends.all())


def test_sources_are_told_apart(hub, open_page):
    # One that is called as its kind is, and two of one network.
    alone, *alike = name_alike(hub, "pigvision", "nest", "arlo")
    page = open_page("history")
    expect(page.locator(".long-row:not(.ghost)").first).to_be_visible()
    # A name that says only what the kind says is no name: the address is.
    row = page.locator(".long-row", has_text=alone["mac"])
    expect(row.locator(".name .hint")).to_have_text(alone["mac"])
    expect(row.get_by_role("checkbox")).to_have_attribute("aria-label", re.compile(f"{alone['label']}, {alone['mac']}$"))
    for one in alike:
        row = page.locator(".long-row", has_text="Camera").filter(has_text=f"…{one['mac'][-5:]}")
        expect(row).to_have_count(1)
        expect(row.get_by_role("checkbox")).to_have_attribute("aria-label", re.compile(f"Camera …{one['mac'][-5:]}$"))
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
    name_alike(hub)
    come(hub)
    page = open_page("devices", size)
    looks = {}
    for route in ("history", "bulbs", "explorer", "nightlights"):
        page.goto(f"{hub.address}/#/{route}")
        expect(page.locator(f":root[data-page={route}] main .told-end").filter(visible=True).first).to_be_visible()
        looks[route] = page.evaluate(ENDS)
    # Second to its name, and the same wherever it stands: `ink3` of the light theme.
    assert {route: look for route, look in looks.items() if any(one != [True, "rgb(94, 102, 117)"] for one in look)} == {}
