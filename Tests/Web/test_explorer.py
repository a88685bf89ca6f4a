# SPDX-License-Identifier: Apache-2.0
"""The page Explorer on an engine: a device's tree, its values, what is written to it; the list as far as a page hears."""

import re

import pytest
from conftest import assert_harmless, pages_are_there, try_now, until
from explorer_data import STRAP
from explorer_strap import Strap, asked, connect, explorer, heart, hub, item, visible  # noqa: F401
from hostile import HOSTILE
from playwright.sync_api import expect
from scripted_radio import Device, FlockFinder
from test_bulbs import check

LOST = "The link to the device was lost. Bring it near and try again."


def rows(page) -> list[str]:
    """The names in the list, from the top."""
    found = page.evaluate(
        """() => [...document.querySelectorAll(".explorer-list .long-row")].map((one) =>
            [one.getBoundingClientRect().top, one.querySelector(".name").textContent]).sort((a, b) => a[0] - b[0])"""
    )
    return [name for _, name in found]


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
    expect(item(page, "Complete Local Name")).to_be_visible()
    check(page, size, "before connecting")
    connect(page)
    check(page, size, "tree")
    item(page, "Heart Rate Measurement").click()
    visible(page, "Listen").click()
    until(page, lambda: explorer(hub)["watched"] == [0x12])
    heart(hub, 70, 74, 71)
    expect(page.get_by_role("img", name="The last minute: 70 to 74 per minute, now 71")).to_be_visible()
    check(page, size, "value")
    page.keyboard.press("Escape")
    item(page, "…0201").click()
    check(page, size, "write")
    page.keyboard.press("Escape")
    item(page, "Complete Local Name").click()
    check(page, size, "structure")
    page.keyboard.press("Escape")
    hub.radio.lose(hub.strap)
    expect(page.get_by_text(LOST)).to_be_visible()
    check(page, size, "lost")


def test_a_value_is_read_listened_to_plotted_and_logged(hub, open_page, size):
    page = open_page("explorer", size)
    connect(page)
    item(page, "Heart Rate Measurement").click()
    visible(page, "Listen").click()
    until(page, lambda: explorer(hub)["watched"] == [0x12])
    heart(hub, 72, 75)
    value = page.get_by_role("complementary", name="Value")
    expect(value.locator(".live-number")).to_have_text("75")
    expect(total(page, size, 2)).to_be_visible()
    expect(value.get_by_role("definition").filter(has_text="75 /min")).to_be_visible()
    expect(item(page, "Heart Rate Measurement")).to_contain_text("75 per minute")
    expect(item(page, "Heart Rate Measurement").locator(".tag.lit")).to_contain_text("Notify, on")
    value.get_by_role("button", name="Save the log").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert re.fullmatch(r"lantern-values-[0-9-]+\.csv", download.value.suggested_filename)
    visible(page, "Stop").click()
    until(page, lambda: explorer(hub)["watched"] == [])
    # Values of which a page only hears that they were left out are fetched.
    hub.radio.send(hub.strap, "2a37", b"\x16\x40\x52\x03" * 31, size=4)
    expect(total(page, size, 33)).to_be_visible()
    page.keyboard.press("Escape")
    item(page, "Battery Level").click()
    visible(page, "Read").click()
    expect(total(page, size, 1)).to_be_visible()
    assert asked(hub, "read") == [{"handle": 0x22}]


def test_a_device_refuses(hub, open_page, size):
    page = open_page("explorer", size)
    hub.radio.add(*[FlockFinder() for _ in range(8)])
    page.evaluate("() => { location.hash = '#/explorer/device/1' }")
    visible(page, "Connect").click()
    expect(page.get_by_text("All 8 connections are in use.")).to_be_visible()
    hub.ask("POST", "/devices/2/disconnect")
    connect(page)
    for word in ("read", "write", "command"):
        hub.strap.fails[word] = "unauthorized"
    item(page, "Battery Level").click()
    visible(page, "Read").click()
    value = page.get_by_role("complementary", name="Value")
    expect(value.get_by_text("the link must be authenticated first")).to_have_count(2)
    page.keyboard.press("Escape")
    item(page, "…0201").click()
    page.get_by_role("textbox", name="Value to write").fill("00")
    visible(page, "Write").click()
    page.get_by_role("dialog").get_by_role("button", name="Write").click()
    expect(page.get_by_role("alert").filter(has_text="the link must be authenticated first").filter(visible=True).first).to_be_visible()


def test_a_device_goes_away_and_is_connected_to_again(hub, open_page, size):
    page = open_page("explorer", size)
    connect(page)
    job = explorer(hub)["job"]["id"]
    item(page, "Heart Rate Measurement").click()
    visible(page, "Listen").click()
    until(page, lambda: explorer(hub)["watched"] == [0x12])
    heart(hub, 72)
    hub.radio.lose(hub.strap)
    expect(page.get_by_text("What you see is as it was at")).to_be_visible()
    expect(item(page, "Heart Rate Measurement")).to_contain_text("72 per minute")
    expect(page.get_by_role("button", name="Listen")).to_be_disabled()
    expect(page.get_by_text("Connect again to read it or to listen.")).to_be_visible()
    page.keyboard.press("Escape")
    visible(page, "Connect again").click()
    expect(page.get_by_text("What you see is as it was at")).to_be_hidden()
    assert explorer(hub)["job"]["id"] != job


def test_connecting_takes_long_and_is_given_up(hub, open_page, size):
    hub.strap.silent.add("connect")
    page = open_page("explorer", size)
    page.evaluate("() => { location.hash = '#/explorer/device/1' }")
    visible(page, "Connect").click()
    visible(page, "Cancel").click()
    until(page, lambda: explorer(hub) is None)
    expect(visible(page, "Connect again")).to_be_visible()
    visible(page, "Connect again").click()
    visible(page, "Cancel").wait_for()
    hub.radio.answer_now(hub.strap, "read 0x34")
    expect(page.get_by_text("Reading values, 4 of 8")).to_be_visible()
    hub.radio.answer_now(hub.strap)
    expect(item(page, "Heart Rate Measurement")).to_be_visible()


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
    until(page, lambda: explorer(hub)["watched"] == [0x12])
    page.keyboard.press("Escape")
    expect(tree).to_be_focused()


def test_hostile_names_and_values_are_text(hub, open_page, size):
    hub.begin()
    hub.strap = Strap(is_hostile=True)
    hub.radio.add(hub.strap, *[Device(text, {}, -70 - at) for at, text in enumerate(HOSTILE)])
    page = open_page("explorer", size)
    until(page, lambda: len(rows(page)) > 5)
    assert_harmless(page, "list")
    page.get_by_role("grid", name="Devices").evaluate("it => { it.scrollTop = 400 }")
    page.wait_for_timeout(200)
    assert_harmless(page, "rest of the list")
    connect(page)
    assert_harmless(page, "tree")
    for uuid, handle in hub.strap.handles.items():
        if handle < 0x100:
            continue
        page.locator(f"#tree-c{handle}").click()
        visible(page, "Read").click()
        expect(total(page, size, 1)).to_be_visible()
        assert_harmless(page, uuid)
        page.keyboard.press("Escape")
    hub.radio.lose(hub.strap)
    page.wait_for_timeout(300)
    assert_harmless(page, "ended")


@pytest.mark.parametrize("scenario,title", [("empty", "Nothing heard yet"), ("noradio", "Not known without the radio")])
def test_nothing_is_heard(hub, open_page, size, scenario, title):
    hub.begin()
    if scenario == "noradio":
        hub.tell_radio({"radio": "state", "state": "off"})
    page = open_page("explorer", size, bypass_csp=True)
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    check(page, size, scenario)


def test_without_the_hub(hub, open_page, size):
    page = open_page("explorer", size)
    connect(page)
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
    page.evaluate("() => { location.hash = '#/explorer/device/1' }")
    assert not page.locator(".explorer-top").first.evaluate("it => it.inert")


@pytest.mark.parametrize("width", [320, 720, 1000, 1100, 1280])
def test_no_width_and_no_letters_cut_it_off(hub, open_page, width):
    page = open_page("explorer", viewport={"width": width, "height": 700})
    expect(page.get_by_role("row", name=STRAP)).to_be_visible()
    whole = lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth") and page.locator("main").evaluate(
        "main => main.scrollWidth <= main.clientWidth"
    )
    assert whole()
    connect(page)
    item(page, "…0201").click()
    assert whole()
    page.evaluate("document.documentElement.style.fontSize = '150%'")
    assert whole(), "large letters"
