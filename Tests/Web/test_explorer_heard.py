# SPDX-License-Identifier: Apache-2.0
"""What the page Explorer shows of what a radio hears that hears all, and of what only another hub tells."""

import re

import pytest
from conftest import go, spending, until
from explorer_data import STRAP
from explorer_strap import Strap, asked, explorer, item, visible
from hub_script import alter_hub
from kept_world import kept
from playwright.sync_api import expect
from scripted_radio import Device
from test_bulbs import check
from test_explorer import rows
from whole_world import hub  # noqa: F401


def number_of(hub, name: str) -> int:
    """The number of a device that is heard."""
    return next(one["id"] for one in hub.get("/devices")["items"] if one["name"] == name)


def connect(hub, page) -> int:
    """Opens the strap; the answer is the number of its job."""
    page.evaluate("number => { location.hash = `#/explorer/device/${number}` }", number_of(hub, STRAP))
    visible(page, "Connect").click()
    expect(item(page, "Heart Rate Measurement")).to_be_visible()
    return next(one["id"] for one in hub.get("/jobs")["items"] if one["kind"] == "explorer")


def know(hub, **facts) -> dict:
    """Has more said of links to explored devices than a browser knows: what is in `facts`, whenever it is said next."""
    with_them = lambda value: value | {"explorer": value["explorer"] | facts}  # noqa: E731
    hub.faults.alter("explorer_changed|GET /explorers/.*", with_them)
    return facts


def retell(hub, job: int) -> None:
    """Says once more how the link is."""
    one = hub.get(f"/explorers/{job}")["explorer"]
    hub.emit("explorer_changed", {"explorer": one | {"revision": one["revision"] + 1}})


def test_the_list_is_searched_filtered_and_sorted(hub, open_page, size):
    page = open_page("explorer", size)
    expect(page.get_by_role("row", name=STRAP)).to_be_visible()
    assert rows(page)[:3] == ["FlockFinder-S3", "ESP32-WiFiSet", STRAP]
    all = len(hub.get("/scan/devices")["items"])
    search = page.get_by_role("searchbox", name="Search the devices")
    for words, found in (("heart", STRAP), ("nordic semi", STRAP), ("180f", STRAP), ("c0:ff:ee", STRAP), ("küche", "Soundbar “Küche”")):
        search.fill(words)
        until(page, lambda: rows(page) == [found])
    search.fill("nobody at all")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    until(page, lambda: len(rows(page)) == all)
    if size == "phone":
        page.get_by_role("button", name="Strongest first").click()
    else:
        page.get_by_role("button", name="Order and filters").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Order").select_option("By name")
    until(page, lambda: rows(page)[:2] == ["ESP32-Feather pump controller (Greenhouse 2, north bench)", "ESP32-WiFiSet"])
    dialog.get_by_label("Strength").select_option("-70")
    until(page, lambda: len(rows(page)) == 5)
    dialog.get_by_label("Maker").select_option("Nordic Semiconductor ASA")
    until(page, lambda: rows(page) == [STRAP])
    dialog.get_by_role("button", name="Clear all").click()
    until(page, lambda: len(rows(page)) == all)


def test_rows_stay_where_they_are_while_somebody_points_at_them(hub, open_page):
    page = open_page("explorer")
    expect(page.get_by_role("row", name=STRAP)).to_be_visible()
    before = rows(page)
    page.get_by_role("row", name=STRAP).hover()
    bulb, pump = hub.radio.devices["FF:FF:A1:01:03:9C"], hub.radio.devices["30:AE:A4:07:0D:64"]
    hub.radio.hear(*[bulb] * 40, rssi=-30)
    hub.radio.add(Device("Newcomer", {}, -31, address="D1:00:00:00:00:01/R"))
    # One is heard no more, the others are.
    hub.emit("scan_changed", {"devices": [], "signals": [], "gone": [number_of(hub, pump.name)], "waiting": 0})
    expect(page.get_by_role("button", name="1 new")).to_be_visible()
    assert rows(page) == before
    page.mouse.move(900, 500)
    until(page, lambda: rows(page)[:2] == ["Triones-A10103", "Newcomer"])
    assert pump.name in before and pump.name not in rows(page)
    expect(page.get_by_role("button", name="1 new")).to_be_hidden()
    # What only flickers does not change its place: the strap is 1 dB below the WiFiSet.
    order = rows(page)
    hub.radio.hear(hub.strap, rssi=-55)
    page.wait_for_timeout(600)
    assert rows(page) == order


def test_a_thousand_devices_stay_smooth(hub, open_page, size):
    many = [
        Device(f"Tag {at}" if at % 3 else None, {}, -45 - at % 55, address=f"D0:00:00:00:{at >> 8:02X}:{at & 255:02X}/R") for at in range(1000)
    ]
    hub.radio.add(*many)
    page = open_page("explorer", size)
    expect(page.get_by_role("row", name="Tag").first).to_be_visible()
    assert page.locator(".explorer-list .long-row").count() < 60
    spent = spending(page)
    sums = [spent()["TaskDuration"]]
    for step in range(20):
        hub.radio.hear(*many[step::100], rssi=-40 - step)
        page.wait_for_timeout(50)
        sums.append(spent()["TaskDuration"])
    page.wait_for_timeout(500)
    sums.append(spent()["TaskDuration"])
    # One of them may have a collection of garbage in it.
    *most, longest = sorted(after - before for before, after in zip(sums, sums[1:]))
    assert max(most) < 0.1 and longest < 0.3, sums
    page.get_by_role("grid", name="Devices").focus()
    page.keyboard.press("End")
    until(page, lambda: page.locator(".explorer-list .long-list").evaluate("it => it.scrollTop > 40000"))


def test_a_first_part_says_that_there_may_be_more(hub, open_page, size):
    page = open_page("explorer", size)
    connect(hub, page)
    part = {"incomplete": "the device refused to read on (an unlikely error)"}
    hub.faults.alter("POST /explorers/.*/read", lambda value: value | part)
    hub.faults.alter("explorer_values", lambda value: value | {"values": [one | part for one in value["values"]]})
    item(page, "…0201").click()
    visible(page, "Read").click()
    value = page.get_by_role("complementary", name="Value")
    sentence = "Only the first 22 octets were read. There may be more: the device refused to read on (an unlikely error)."
    expect(value.get_by_text(sentence)).to_be_visible()
    # It stays to be seen when the link is gone.
    hub.radio.lose(hub.strap)
    expect(page.get_by_text("What you see is as it was at")).to_be_visible()
    expect(value.get_by_text(sentence)).to_be_visible()
    page.keyboard.press("Escape")
    expect(item(page, "…0201")).to_contain_text("22 octets …")


def test_leaving_the_page_lets_devices_go_and_another_page_takes_them_over(hub, open_page):
    page = open_page("explorer")
    job = connect(hub, page)
    other = open_page(f"explorer/device/{number_of(hub, STRAP)}")
    expect(item(other, "Heart Rate Measurement")).to_be_visible()
    facts = {"mtu": 247, "phy_tx": "2m", "phy_rx": "2m", "latency": 0, "supervision_timeout": 4000, "security": "none", "can_pair": True}
    know(hub, **facts, interval=45.0, changes=[{"time": "2026-11-24T02:00:00Z", "text": "Every 45 ms"}])
    retell(hub, job)
    expect(page.get_by_text("MTU 247, 2M PHY, every 45 ms")).to_be_visible()
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("list", name="Changes of the link")).to_contain_text("Every 45 ms")
    page.get_by_role("dialog").get_by_role("button", name="Pair").click()
    until(page, lambda: asked(hub, "pair"))
    go(page, "s")
    until(page, lambda: explorer(hub) is None)
    expect(visible(other, "Connect again")).to_be_visible()


def test_another_page_has_not_seen_that_writing_was_allowed(hub, open_page):
    """The hub says 428 where this page took a write for allowed: it asks then."""
    page = open_page("explorer")
    job = connect(hub, page)
    know(hub, may_write=True)
    retell(hub, job)
    item(page, "…0201").click()
    page.get_by_role("textbox", name="Value to write").fill("00")
    visible(page, "Write").click()
    page.get_by_role("dialog").get_by_role("button", name="Write").click()
    until(page, lambda: len(asked(hub, "write")) == 2)
    assert [body["confirmed"] for body in asked(hub, "write")] == [False, True]


@pytest.mark.parametrize("width", [390, 800])
def test_what_is_known_of_the_device_itself_is_there_where_no_pane_has_room(hub, open_page, width):
    hub.begin(kept())
    hub.strap = Strap(address="C0:FF:EE:9A:3C:2B/R")
    hub.radio.add(hub.strap)
    for _ in range(3):
        hub.later(1.1, 1.1)
        hub.radio.hear(hub.strap)
    hub.later(1.1, 1.1)
    page = open_page("explorer", viewport={"width": width, "height": 844}, bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("row", name=STRAP).click()
    expect(page.locator(".explorer-top .facts").first).to_contain_text(re.compile(r"every 1,\d{3} ms"))
    for _ in ("before a link", "with one"):
        plot = page.get_by_role("img", name=re.compile("^The last 10 minutes: "))
        # It is drawn anew whenever something is heard.
        until(page, lambda: plot.evaluate("one => { one.scrollIntoView(); return one.isConnected; }"))
        expect(plot).to_be_in_viewport()
        air = page.get_by_role("region", name="On the air")
        expect(air).to_contain_text(re.compile(r"Advertises\s*every 1,\d{3} ms"))
        octets = page.get_by_role("region", name="Octets of the advertisement")
        expect(octets).to_contain_text("02 01 06 05 03 0D 18 0F")
        assert octets.evaluate("one => one.getBoundingClientRect().right <= innerWidth")
        if visible(page, "Connect").count():
            visible(page, "Connect").click()
            expect(item(page, "Heart Rate Measurement")).to_be_visible()
    check(page, "phone" if width < 720 else "desktop", f"{width} px")
    # With room it is beside the values again, and once only.
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.get_by_role("img", name=re.compile("^The last 10 minutes: "))).to_have_count(1)


def test_values_stay_while_they_are_read_again(hub, open_page, size):
    page = open_page("explorer", size)
    job = connect(hub, page)
    level, text = item(page, "Battery Level"), item(page, "Manufacturer Name String")
    expect(level).to_contain_text("82%")
    # Everything is found anew, and nothing was read yet.
    hub.strap.silent = {"read"}
    hub.ask("POST", f"/explorers/{job}/refresh")
    expect(page.get_by_text(re.compile("Reading values, 0 of"))).to_be_visible()
    expect(level).to_contain_text("82%")
    expect(text).to_contain_text("Nordlicht")
    assert "Not read" not in page.get_by_role("tree").inner_text()
    # What could not be read at the end is not known any more.
    handle = hub.strap.handles["2a19"]
    hub.strap.fails["read", handle] = "other"
    hub.radio.answer_now(hub.strap)
    expect(level).not_to_contain_text("82%")
    del hub.strap.fails["read", handle]
    # A new link to the same device shows what was seen last until it has read it.
    hub.ask("POST", f"/explorers/{job}/refresh")
    expect(level).to_contain_text("82%")
    level.click()
    visible(page, "Listen").click()
    until(page, lambda: explorer(hub)["watched"])
    hub.radio.send(hub.strap, "2a19", b"\x51")
    expect(level).to_contain_text("81%")
    if size == "phone":
        page.keyboard.press("Escape")
    visible(page, "Disconnect").click()
    expect(level).to_contain_text("81%")
    hub.strap.silent = {"connect"}
    visible(page, "Connect again").click()
    expect(visible(page, "Cancel")).to_be_visible()
    expect(level).to_contain_text("81%")


def test_a_radio_that_does_not_tell_all_says_what(hub, open_page):
    lacks = ["advertised_octets", "modulation", "timing", "link_strength"]
    alter_hub(hub, lambda value: {"radio": value["radio"] | {"lacks": lacks}})
    page = open_page("explorer")
    row = page.get_by_role("row", name="Mia")
    expect(row).to_be_visible()
    # BlueZ does not tell either whether a device takes links: such ones stay in the list.
    unknown = lambda value: value | {"items": [one | ({"connectable": None} if one["name"] == "Mia’s lamp" else {}) for one in value["items"]]}  # noqa: E731
    hub.faults.alter("GET /scan/devices", unknown)
    page.reload()
    page.get_by_role("button", name="Order and filters").click()
    page.get_by_role("switch", name="Can connect").check()
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    expect(row).to_be_visible()
    job = connect(hub, page)
    expect(page.get_by_text("These are rebuilt from what it reports")).to_be_visible()
    know(hub, mtu=247, can_pair=False)
    retell(hub, job)
    expect(page.locator(".explorer-top .facts").first).to_have_text("C0:FF:EE:9A:3C:2B, MTU 247")
    visible(page, "More").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("does not tell how the link is modulated, the link's timing and how strong the link is.")
    expect(dialog).to_contain_text("This radio cannot pair.")
