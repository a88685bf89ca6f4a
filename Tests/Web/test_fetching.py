# SPDX-License-Identifier: Apache-2.0
"""What the first page asks for, and when the others come: little at once, the rest later, and nothing twice."""

import os
import re
from pathlib import Path

from conftest import pages_are_there, until
from playwright.sync_api import expect
from page_files import PUBLIC
from test_pages import settle


def test_the_page_names_the_modules_that_come_with_it():
    """Each that app.js brings, and no other: else a browser reads one module to learn of the next."""
    wanted, waiting = set(), ["app.js"]
    while waiting:
        name = waiting.pop()
        if name in wanted:
            continue
        wanted.add(name)
        found = re.findall(r'^(?:import|export)[^;]*?from "(\.[^"]+)"', (PUBLIC / name).read_text(), re.M)
        waiting += [os.path.normpath(Path(name).parent / one) for one in found]
    named = re.findall(r'<link rel="modulepreload" href="([^"]+)">', (PUBLIC / "index.html").read_text())
    assert named == sorted(wanted - {"app.js"})


def test_the_first_page_does_not_wait_for_the_styles_of_others(hub, open_page):
    page, held = open_page("settings"), []
    settle(page)
    page.route("**/pages/history.css*", lambda route: held.append(route))
    page.goto(f"{hub.address}/?again#/scanner")
    expect(page.locator(".latest-row").first).to_be_visible()
    page.evaluate("location.hash = '#/history'")
    page.wait_for_timeout(300)
    # No page is shown without its style.
    expect(page.locator(":root[data-page=scanner] .latest-row").first).to_be_visible()
    held.pop().continue_()
    expect(page.locator(":root[data-page=history] .long-row").first).to_be_visible()
    sheets = page.evaluate("[...document.styleSheets].map(({ href, disabled }) => [new URL(href).pathname.split('/').slice(3).join('/'), disabled])")
    named = re.findall(r'<link rel="stylesheet"(?: disabled)? href="([^"]+)">', (PUBLIC / "index.html").read_text())
    assert sheets == [[name, False] for name in named]


# How many requests began before the first of some, and for how long there was none in between.
BEFORE = """(some) => {
    const all = performance.getEntriesByType("resource"), begin = ({ startTime }) => startTime;
    const end = Math.min(...all.filter(({ name }) => some.some((one) => name.endsWith(one))).map(begin));
    const before = all.map(begin).filter((one) => one < end);
    return [before.length, end - Math.max(...before)];
}"""


def test_the_first_page_asks_for_little_and_the_next_time_for_almost_nothing(hub, chromium):
    context = chromium.new_context()
    page = context.new_page()
    page.goto(hub.address)
    expect(page.locator(".latest-row").first).to_be_visible()
    # The other pages come by themselves, later.
    until(page, lambda: any(one.endswith("/pages/overflow.js") for one in hub.requests), 30)
    pages_are_there(page)
    others = re.findall(r'disabled href="([^"]+)"', (PUBLIC / "index.html").read_text())
    count, quiet = page.evaluate(BEFORE, [*others, "/pages/map.js"])
    assert count <= 60 and quiet > 1000
    hub.requests.clear()
    page = context.new_page()
    page.goto(hub.address)
    expect(page.locator(".latest-row").first).to_be_visible()
    pages_are_there(page)
    assert len(hub.requests) <= 10, hub.requests
    context.close()


def test_all_pages_are_there_when_the_hub_goes(hub, open_page):
    page = open_page("scanner")
    expect(page.locator(".latest-row").first).to_be_visible()
    # What is not needed at once comes behind the first page.
    pages_are_there(page)
    hub.go()
    expect(page.locator(".banner")).to_be_visible(timeout=8000)
    for name in ("history", "drives", "devices", "settings", "debug", "nightlights", "bulbs", "explorer", "overflow", "wifi", "map"):
        page.evaluate(f"location.hash = '#/{name}'")
        expect(page.locator(f":root[data-page='{name}'] main")).not_to_be_empty()


def begin_while_the_hub_goes(hub, open_page, name: str):
    """A page that is opened first, whose module is on its way when the hub goes: the page, and what holds the module."""
    page, held = open_page("settings"), []
    settle(page)
    page.route(f"**/pages/{name}.js*", lambda route: held.append(route))
    # On a slow machine it has come by itself meanwhile, and the browser has it still.
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.goto(f"{hub.address}/?again#/{name}")
    until(page, lambda: held)
    waiting = page.locator("main > .empty")
    expect(waiting).to_have_text("Asking the hub what it knows.")
    hub.go()
    # It does not wait for the module to be given up.
    expect(waiting.get_by_role("heading")).to_have_text("The hub is not answering", timeout=8000)
    expect(waiting).to_contain_text("This page goes on by itself when it is back.")
    expect(page.locator(".busy")).to_have_count(0)
    return page, held


def test_a_page_whose_module_was_lost_with_the_hub_comes_when_the_hub_is_back(hub, open_page):
    page, held = begin_while_the_hub_goes(hub, open_page, "history")
    for one in held:
        one.abort()
    page.unroute("**/pages/history.js*")
    page.wait_for_timeout(300)
    expect(page.locator("main > .empty").get_by_role("heading")).to_have_text("The hub is not answering")
    expect(page.locator(".toast")).to_have_count(0)
    hub.come_back()
    expect(page.locator(":root[data-page=history] .long-row").first).to_be_visible(timeout=20000)
    expect(page.locator("main > .empty")).to_have_count(0)


def test_a_page_that_was_lost_can_be_tried_again_or_left(hub, open_page):
    page, held = begin_while_the_hub_goes(hub, open_page, "map")
    for one in held:
        one.abort()
    page.unroute("**/pages/map.js*")
    again = page.locator("main").get_by_role("button", name="Try again")
    again.click()
    # Without the hub it says so still, and what is there already opens.
    expect(again).to_be_visible(timeout=20000)
    page.evaluate("location.hash = '#/scanner'")
    expect(page.locator(":root[data-page=scanner] main > .scanner")).to_be_visible()
    page.evaluate("location.hash = '#/map'")
    expect(again).to_be_visible(timeout=20000)
    expect(page.locator("main h2")).to_have_text("The hub is not answering")
    hub.come_back()
    again.click()
    expect(page.locator(":root[data-page=map] .map-page")).to_be_visible(timeout=20000)


def test_a_module_that_comes_late_opens_its_page(hub, open_page):
    page, held = begin_while_the_hub_goes(hub, open_page, "history")
    hub.come_back()
    for one in held:
        one.continue_()
    expect(page.locator(":root[data-page=history] .long-row").first).to_be_visible(timeout=20000)
