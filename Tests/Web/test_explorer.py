# SPDX-License-Identifier: Apache-2.0
"""The page Explorer against a hub of invented data: the list, a device's tree, its values, what is written to it."""

import re

import pytest
from conftest import assert_harmless, pages_are_there, try_now, until
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


def test_every_view_is_clean(hub, open_page, size):
    page = open_page("explorer", size, bypass_csp=True, reduced_motion="reduce")
    expect(page.get_by_role("row", name=STRAP)).to_be_visible()
    check(page, size, "list")
    page.get_by_role("row", name=STRAP).click()
    expect(item(page, "Flags")).to_be_visible()
    check(page, size, "before connecting")
    work = connect(hub, page)
    check(page, size, "tree")
    item(page, "Heart Rate Measurement").click()
    visible(page, "Listen").click()
    for rate in (70, 74, 71):
        hub.explorer.heart(work, rate)
    expect(page.get_by_role("img", name="The last minute: 70 to 74 per minute, now 71")).to_be_visible()
    check(page, size, "value")
    page.keyboard.press("Escape")
    item(page, "…0201").click()
    check(page, size, "write")
    page.keyboard.press("Escape")
    item(page, "Flags").click()
    check(page, size, "structure")
    page.keyboard.press("Escape")
    hub.explorer.end(work, LOST)
    expect(page.get_by_text(LOST)).to_be_visible()
    check(page, size, "lost")


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


def test_a_value_is_read_listened_to_plotted_and_logged(hub, open_page, size):
    page = open_page("explorer", size)
    work = connect(hub, page)
    item(page, "Heart Rate Measurement").click()
    visible(page, "Listen").click()
    hub.explorer.heart(work, 72)
    hub.explorer.heart(work, 75)
    value = page.get_by_role("complementary", name="Value")
    expect(value.locator(".live-number")).to_have_text("75")
    expect(total(page, size, 2)).to_be_visible()
    expect(value.get_by_role("definition").filter(has_text="75 per minute")).to_be_visible()
    expect(item(page, "Heart Rate Measurement")).to_contain_text("75 per minute")
    expect(item(page, "Heart Rate Measurement").locator(".tag.lit")).to_contain_text("Notify, on")
    value.get_by_role("button", name="Save the log").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "values.csv"
    visible(page, "Stop").click()
    until(page, lambda: work["watched"] == [])
    # Values of which a page only hears that they were left out are fetched.
    for rate in range(60, 90):
        hub.explorer.value(work, 0x12, "1640", "notify", [], float(rate), "per minute")
    hub.explorer.send(work, 0x12, "1641", plotted=65.0, unit="per minute", left_out=30)
    expect(total(page, size, 33)).to_be_visible()
    page.keyboard.press("Escape")
    item(page, "Battery Level").click()
    visible(page, "Read").click()
    expect(total(page, size, 1)).to_be_visible()
    assert asked(hub, "read") == [{"handle": 0x22}]


def test_a_device_refuses(hub, open_page, size):
    page = open_page("explorer", size)
    hub.explorer.refusal = "The radio has no link left: it has 3, and 3 are in use."
    page.evaluate("number => { location.hash = `#/explorer/device/${number}` }", hub.explorer.strap)
    visible(page, "Connect").click()
    expect(page.get_by_text("The radio has no link left")).to_be_visible()
    hub.explorer.refusal = None
    connect(hub, page)
    hub.explorer.refuses = "The device refuses: it wants encryption first."
    item(page, "Battery Level").click()
    visible(page, "Read").click()
    value = page.get_by_role("complementary", name="Value")
    expect(value.get_by_text("it wants encryption first")).to_have_count(2)
    page.keyboard.press("Escape")
    item(page, "…0201").click()
    page.get_by_role("textbox", name="Value to write").fill("00")
    visible(page, "Write").click()
    page.get_by_role("dialog").get_by_role("button", name="Write").click()
    expect(page.get_by_role("alert").filter(has_text="it wants encryption first").filter(visible=True).first).to_be_visible()


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


def test_a_device_goes_away_and_is_connected_to_again(hub, open_page, size):
    page = open_page("explorer", size)
    work = connect(hub, page)
    item(page, "Heart Rate Measurement").click()
    visible(page, "Listen").click()
    hub.explorer.heart(work, 72)
    hub.explorer.end(work, LOST)
    expect(page.get_by_text("What you see is as it was at")).to_be_visible()
    expect(item(page, "Heart Rate Measurement")).to_contain_text("72 per minute")
    expect(page.get_by_role("button", name="Listen")).to_be_disabled()
    expect(page.get_by_text("Connect again to read it or to listen.")).to_be_visible()
    page.keyboard.press("Escape")
    visible(page, "Connect again").click()
    expect(page.get_by_text("What you see is as it was at")).to_be_hidden()
    assert hub.explorer.of(hub.explorer.strap)["job"]["id"] != work["job"]["id"]


def test_connecting_takes_long_and_is_given_up(hub, open_page, size):
    hub.explorer.waits = True
    page = open_page("explorer", size)
    page.evaluate("number => { location.hash = `#/explorer/device/${number}` }", hub.explorer.strap)
    visible(page, "Connect").click()
    visible(page, "Cancel").click()
    until(page, lambda: hub.explorer.of(hub.explorer.strap)["job"]["phase"] == "ended")
    expect(visible(page, "Connect again")).to_be_visible()
    visible(page, "Connect again").click()
    visible(page, "Cancel").wait_for()
    work = hub.explorer.of(hub.explorer.strap)
    hub.explorer.change(work, step="reading", read=3, to_read=9)
    expect(page.get_by_text("Reading values, 3 of 9")).to_be_visible()
    hub.explorer.ready(work)
    expect(item(page, "Heart Rate Measurement")).to_be_visible()


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


def test_everything_by_keyboard(hub, open_page):
    page = open_page("explorer")
    expect(page.get_by_role("row", name=STRAP)).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("strap")
    until(page, lambda: rows(page) == [STRAP])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=STRAP)).to_be_visible()
    page.keyboard.press("Tab")
    expect(visible(page, "Connect")).to_be_focused()
    page.keyboard.press("Enter")
    expect(item(page, "Heart Rate Measurement")).to_be_visible()
    tree = page.get_by_role("tree", name="Services and values")
    for _ in range(8):
        page.keyboard.press("Tab")
        if tree.evaluate("it => it === document.activeElement"):
            break
    expect(tree).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    expect(item(page, "Heart Rate Measurement")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(visible(page, "Listen")).to_be_focused()
    page.keyboard.press("Enter")
    until(page, lambda: hub.explorer.of(hub.explorer.strap)["watched"] == [0x12])
    page.keyboard.press("Escape")
    expect(tree).to_be_focused()


def test_hostile_names_and_values_are_text(hub, open_page, size):
    hub.scenario("hostile")
    page = open_page("explorer", size)
    until(page, lambda: len(rows(page)) > 5)
    assert_harmless(page, "list")
    page.get_by_role("grid", name="Devices").evaluate("it => { it.scrollTop = 400 }")
    page.wait_for_timeout(200)
    assert_harmless(page, "rest of the list")
    work = connect(hub, page)
    hostile = hub.explorer.trees[work["job"]["id"]]["services"][-1]["characteristics"]
    assert_harmless(page, "tree")
    for one in hostile:
        page.locator(f"#tree-c{one['value_handle']}").click()
        hub.explorer.send(work, one["value_handle"], one["octets"], fields=one["fields"], text=one["text"])
        expect(total(page, size, 1)).to_be_visible()
        assert_harmless(page, one["uuid"])
        page.keyboard.press("Escape")
    hub.explorer.end(work, hostile[1]["name"])
    page.wait_for_timeout(300)
    assert_harmless(page, "ended")


@pytest.mark.parametrize("scenario,title", [("empty", "Nothing heard yet"), ("noradio", "Not known without the radio")])
def test_nothing_is_heard(hub, open_page, size, scenario, title):
    hub.scenario(scenario)
    page = open_page("explorer", size, bypass_csp=True)
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    check(page, size, scenario)


def test_without_the_hub(hub, open_page, size):
    page = open_page("explorer", size)
    connect(hub, page)
    pages_are_there(page)
    hub.go()
    expect(page.get_by_text("You see what was known at")).to_be_visible(timeout=15000)
    expect(item(page, "Heart Rate Measurement")).to_be_visible()
    assert page.locator(".explorer-top").first.evaluate("it => it.inert")
    # How many are heard and connected is not known; that it was is said with the time.
    page.evaluate("location.hash = '#/explorer'")
    numbers = page.locator(".shell > header .numbers")
    expect(numbers).to_have_text(re.compile(r"^As of \d\d:\d\d:\d\d$"))
    hub.come_back()
    try_now(page)
    expect(page.get_by_text("You see what was known at")).to_be_hidden(timeout=15000)
    expect(numbers).to_contain_text("1 connected")
    page.evaluate("number => { location.hash = `#/explorer/device/${number}` }", hub.explorer.strap)
    assert not page.locator(".explorer-top").first.evaluate("it => it.inert")


@pytest.mark.parametrize("width", [320, 720, 1000, 1100, 1280])
def test_no_width_and_no_letters_cut_it_off(hub, open_page, width):
    page = open_page("explorer", viewport={"width": width, "height": 700})
    expect(page.get_by_role("row", name=STRAP)).to_be_visible()
    whole = lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth") and page.locator("main").evaluate(
        "main => main.scrollWidth <= main.clientWidth"
    )
    assert whole()
    connect(hub, page)
    item(page, "…0201").click()
    assert whole()
    page.evaluate("document.documentElement.style.fontSize = '150%'")
    assert whole(), "large letters"
