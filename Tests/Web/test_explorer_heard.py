# SPDX-License-Identifier: Apache-2.0
"""What the page Explorer shows of what a hub's own radio hears and tells, against a hub of invented data."""

import re

import pytest
from conftest import until
from explorer_data import STRAP
from playwright.sync_api import expect
from test_bulbs import check

LOST = "The link to the device was lost. Bring it near and try again."


def rows(page) -> list[str]:
    """The names in the list, from the top."""
    found = page.evaluate(
        """() => [...document.querySelectorAll(".explorer-list .long-row")].map((one) =>
            [one.getBoundingClientRect().top, one.querySelector(".name").textContent]).sort((a, b) => a[0] - b[0])"""
    )
    return [name for _, name in found]


def visible(page, name: str):
    return page.get_by_role("button", name=name, exact=True).filter(visible=True)


def item(page, name: str):
    return page.get_by_role("treeitem", name=name)


def connect(hub, page) -> dict:
    """Opens the strap; the answer is what the hub knows of its link."""
    page.evaluate("number => { location.hash = `#/explorer/device/${number}` }", hub.explorer.strap)
    visible(page, "Connect").click()
    expect(item(page, "Heart Rate Measurement")).to_be_visible()
    return hub.explorer.of(hub.explorer.strap)


def asked(hub, verb: str) -> list[dict]:
    return [body for word, body in hub.explorer.asked if word == verb]


def total(page, size: str, count: int):
    """How many values the log has: beside it, or on a phone on the button that shows it."""
    if size == "phone":
        return visible(page, f"Log, {count}")
    return page.get_by_text(f"{count} value{'' if count == 1 else 's'}", exact=True)


def test_the_list_is_searched_filtered_and_sorted(hub, open_page, size):
    page = open_page("explorer", size)
    expect(page.get_by_role("row", name=STRAP)).to_be_visible()
    assert rows(page)[:3] == ["FlockFinder-S3", "ESP32-WiFiSet", STRAP]
    search = page.get_by_role("searchbox", name="Search the devices")
    for words, found in (("heart", STRAP), ("nordic semi", STRAP), ("180f", STRAP), ("c0:ff:ee", STRAP), ("küche", "Soundbar “Küche”")):
        search.fill(words)
        until(page, lambda: rows(page) == [found])
    search.fill("nobody at all")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    until(page, lambda: len(rows(page)) == 11)
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
    until(page, lambda: len(rows(page)) == 11)


def test_rows_stay_where_they_are_while_somebody_points_at_them(hub, open_page):
    page = open_page("explorer")
    expect(page.get_by_role("row", name=STRAP)).to_be_visible()
    before = rows(page)
    page.get_by_role("row", name=STRAP).hover()
    hub.explorer.hear(4, -30)
    hub.explorer.appear(900, "Newcomer", -31)
    hub.explorer.leave(5)
    expect(page.get_by_role("button", name="1 new")).to_be_visible()
    assert rows(page) == before
    page.mouse.move(900, 500)
    until(page, lambda: rows(page)[:2] == ["Triones-A10103", "Newcomer"])
    assert before[7] == "ESP32-Feather pump controller (Greenhouse 2, north bench)" and before[7] not in rows(page)
    expect(page.get_by_role("button", name="1 new")).to_be_hidden()
    # What only flickers does not change its place: the strap is 1 dB below the WiFiSet.
    order = rows(page)
    hub.explorer.hear(hub.explorer.strap, -55)
    page.wait_for_timeout(600)
    assert rows(page) == order


def test_a_thousand_devices_stay_smooth(hub, open_page, size):
    hub.scenario("many")
    page = open_page("explorer", size)
    expect(page.get_by_role("row", name="Tag").first).to_be_visible()
    assert page.locator(".explorer-list .long-row").count() < 60
    page.evaluate(
        """() => { window.longest = 0;
            new PerformanceObserver((list) => { for (const one of list.getEntries()) longest = Math.max(longest, one.duration); })
                .observe({ entryTypes: ["longtask"] }); }"""
    )
    for step in range(20):
        for number in range(10_000 + step, 11_000, 100):
            hub.explorer.hear(number, -40 - step)
        page.wait_for_timeout(50)
    page.wait_for_timeout(500)
    assert page.evaluate("longest") < 200
    page.get_by_role("grid", name="Devices").focus()
    page.keyboard.press("End")
    until(page, lambda: page.locator(".explorer-list .long-list").evaluate("it => it.scrollTop > 40000"))


def test_a_first_part_says_that_there_may_be_more(hub, open_page, size):
    page = open_page("explorer", size)
    work = connect(hub, page)
    hub.explorer.characteristic(work, 0x42)["incomplete"] = "the device refused to read on (an unlikely error)"
    item(page, "…0201").click()
    visible(page, "Read").click()
    value = page.get_by_role("complementary", name="Value")
    sentence = "Only the first 22 octets were read. There may be more: the device refused to read on (an unlikely error)."
    expect(value.get_by_text(sentence)).to_be_visible()
    # It stays to be seen when the link is gone.
    hub.explorer.end(work, LOST)
    expect(page.get_by_text("What you see is as it was at")).to_be_visible()
    expect(value.get_by_text(sentence)).to_be_visible()
    page.keyboard.press("Escape")
    expect(item(page, "…0201")).to_contain_text("22 octets …")


def test_leaving_the_page_lets_devices_go_and_another_page_takes_them_over(hub, open_page):
    page = open_page("explorer")
    work = connect(hub, page)
    other = open_page(f"explorer/device/{hub.explorer.strap}")
    expect(item(other, "Heart Rate Measurement")).to_be_visible()
    hub.explorer.change(work, interval=45.0, changes=[{"time": "2026-11-24T02:00:00Z", "text": "Every 45 ms"}])
    expect(page.get_by_text("MTU 247, 2M PHY, every 45 ms")).to_be_visible()
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("list", name="Changes of the link")).to_contain_text("Every 45 ms")
    page.get_by_role("dialog").get_by_role("button", name="Pair").click()
    until(page, lambda: hub.explorer.of(hub.explorer.strap)["security"] == "encrypted")
    page.keyboard.press("g")
    page.keyboard.press("s")
    until(page, lambda: hub.explorer.of(hub.explorer.strap)["job"]["phase"] == "ended")
    expect(visible(other, "Connect again")).to_be_visible()


def test_another_page_has_not_seen_that_writing_was_allowed(hub, open_page):
    """The hub says 428 where this page took a write for allowed: it asks then."""
    page = open_page("explorer")
    work = connect(hub, page)
    hub.explorer.change(work, may_write=True)
    item(page, "…0201").click()
    page.get_by_role("textbox", name="Value to write").fill("00")
    visible(page, "Write").click()
    page.get_by_role("dialog").get_by_role("button", name="Write").click()
    until(page, lambda: len(asked(hub, "write")) == 2)
    assert [body["confirmed"] for body in asked(hub, "write")] == [False, True]


@pytest.mark.parametrize("width", [390, 800])
def test_what_is_known_of_the_device_itself_is_there_where_no_pane_has_room(hub, open_page, width):
    page = open_page("explorer", viewport={"width": width, "height": 844}, bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("row", name=STRAP).click()
    expect(page.locator(".explorer-top .facts").first).to_contain_text(re.compile(r"every 1,\d{3} ms"))
    for _ in ("before a link", "with one"):
        plot = page.get_by_role("img", name=re.compile("^The last 10 minutes: "))
        plot.scroll_into_view_if_needed()
        expect(plot).to_be_in_viewport()
        air = page.get_by_role("region", name="On the air")
        expect(air).to_contain_text(re.compile(r"Advertises\s*every 1,\d{3} ms"))
        octets = page.get_by_role("region", name="Octets of the advertisement")
        expect(octets).to_contain_text("02 01 06 03 03 0D 18 0F")
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
    work = connect(hub, page)
    level, text = item(page, "Battery Level"), item(page, "Manufacturer Name String")
    expect(level).to_contain_text("82%")
    hub.explorer.read_again(work)
    # The hub has found everything anew and nothing was read yet.
    expect(page.get_by_text("Reading values, 0 of 9")).to_be_visible()
    expect(level).to_contain_text("82%")
    expect(text).to_contain_text("Nordlicht")
    assert "Not read" not in page.get_by_role("tree").inner_text()
    hub.explorer.change(work, step="ready", read=9, tree_revision=work["tree_revision"] + 1)
    # What could not be read at the end is not known any more.
    expect(level).to_contain_text("Not read")
    # A new link to the same device shows what was seen last until it has read it.
    hub.explorer.ready(work)
    hub.explorer.change(work, tree_revision=9)
    expect(level).to_contain_text("82%")
    level.click()
    visible(page, "Listen").click()
    until(page, lambda: work["watched"])
    hub.explorer.send(work, 0x22, "51", fields=[{"name": "Battery Level", "value": "81%"}], plotted=81.0)
    expect(level).to_contain_text("81%")
    if size == "phone":
        page.keyboard.press("Escape")
    visible(page, "Disconnect").click()
    expect(level).to_contain_text("81%")
    hub.explorer.waits = True
    visible(page, "Connect again").click()
    expect(visible(page, "Cancel")).to_be_visible()
    expect(level).to_contain_text("81%")


def test_a_radio_that_does_not_tell_all_says_what(hub, open_page):
    hub.server.model.lacks = ["advertised_octets", "modulation", "timing", "link_strength"]
    page = open_page("explorer")
    row = page.get_by_role("row", name="Mia")
    expect(row).to_be_visible()
    # BlueZ does not tell either whether a device takes links: such ones stay in the list.
    number = next(one["id"] for one in hub.explorer.rows.values() if one["name"] == "Mia’s lamp")
    hub.explorer.rows[number]["connectable"] = None
    page.reload()
    page.get_by_role("button", name="Order and filters").click()
    page.get_by_role("switch", name="Can connect").check()
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    expect(row).to_be_visible()
    work = connect(hub, page)
    expect(page.get_by_text("These are rebuilt from what it reports")).to_be_visible()
    hub.explorer.change(work, phy_tx=None, phy_rx=None, interval=None, latency=None, supervision_timeout=None, rssi=None, can_pair=False)
    expect(page.locator(".explorer-top .facts").first).to_have_text("C0:FF:EE:9A:3C:2B, MTU 247")
    visible(page, "More").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("does not tell how the link is modulated, the link's timing and how strong the link is.")
    expect(dialog).to_contain_text("This radio cannot pair.")
