# SPDX-License-Identifier: Apache-2.0
"""Forced colours: what is chosen, set or lit is still told apart, and no text has lost its ground."""

import pytest
from conftest import until
from explorer_data import STRAP
from explorer_strap import heart, item, visible
from playwright.sync_api import expect
from test_bulbs import check
from test_explorer_heard import connect
from test_pages import ROUTES, settle
from whole_world import hub  # noqa: F401


# What is drawn of an element: without the same answer two of them can be told apart by no more than their words.
LOOK = """(element) => {
    const look = getComputedStyle(element);
    return [look.backgroundColor, look.color, look.borderTopColor, look.borderTopWidth, look.borderRadius, look.outlineStyle,
        look.outlineColor].join(" ");
}"""
# Colours that are the author's and none of the system's, in what is seen.
FOREIGN = """(system) => [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility() && one.childNodes.length
    && [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()))
    .map((one) => [getComputedStyle(one)[one.localName === "text" ? "fill" : "color"], one.textContent.trim().slice(0, 40)])
    .filter(([colour]) => !system.includes(colour))"""
SYSTEM = """() => ["Canvas", "CanvasText", "LinkText", "VisitedText", "ActiveText", "ButtonText", "FieldText", "Highlight", "HighlightText",
    "GrayText", "Mark", "MarkText", "ButtonBorder"].map((name) => {
    const one = document.createElement("i");
    one.style.color = name;
    document.body.append(one);
    const { color } = getComputedStyle(one);
    one.remove();
    return color;
})"""


@pytest.fixture(params=["light", "dark"])
def forced(request, open_page):
    return lambda route, size="desktop": open_page(route, size, request.param, forced_colors="active", bypass_csp=True)


def look(locator) -> str:
    return locator.evaluate(LOOK)


def test_all_words_have_colours_of_the_system(hub, forced):
    page = forced("scanner")
    settle(page)
    system = page.evaluate(SYSTEM)
    for route in [*ROUTES, "nightlights", "bulbs", "overflow"]:
        page.goto(f"{hub.address}/#/{route}")
        settle(page)
        # The map is a picture of its own.
        assert [one for one in page.evaluate(FOREIGN, system) if route != "map"] == [], route


def test_the_explorer_is_told_apart(hub, forced, size):
    page = forced("explorer", size)
    connect(hub, page)
    item(page, "Heart Rate Measurement").click()
    visible(page, "Listen").click()
    heart(hub, 72)
    expect(page.locator(".live-number")).to_have_text("72")
    row = item(page, "Heart Rate Measurement")
    assert look(row) != look(item(page, "Body Sensor Location"))
    lit, quiet = row.locator(".tag"), item(page, "Battery Level").locator(".tag").first
    until(page, lambda: look(lit) != look(quiet))
    if size == "desktop":
        assert look(page.get_by_role("row", name=STRAP)) != look(page.get_by_role("row", name="Jonas"))
    check(page, size, "value")
    assert page.evaluate(FOREIGN, page.evaluate(SYSTEM)) == []


def test_the_overflow_map_is_told_apart_by_shapes(hub, forced, size):
    page = forced("overflow", size)
    expect(page.get_by_text("12 of 128 bits are set")).to_be_visible()
    bit = lambda number: look(page.locator(f"#bit-{number}"))
    # Payload, known, not known, Watch, not set: five looks; the chosen one has a ring.
    until(page, lambda: len({bit(0), bit(89), bit(116), bit(66), bit(100)}) == 5)
    assert bit(63) != bit(89)
    if size == "desktop":
        senders = page.locator(".sender")
        assert look(senders.nth(0)) != look(senders.nth(1))
    check(page, size, "overflow")
    assert page.evaluate(FOREIGN, page.evaluate(SYSTEM)) == []
