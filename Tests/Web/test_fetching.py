# SPDX-License-Identifier: Apache-2.0
"""What the first page asks for, and when the others come: little at once, the rest later, and nothing twice."""

import os
import re
from pathlib import Path

from conftest import pages_are_there, until
from playwright.sync_api import expect
from server import PUBLIC
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
