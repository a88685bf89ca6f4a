# SPDX-License-Identifier: Apache-2.0
"""Texts of every page stand beside each other at every width: none over another one, none outside what holds it."""

import pytest
from test_pages import settle

GROUPS = ("alerts", "detections", "location", "map", "devices", "pairing", "appearance", "access", "storage", "radio", "about")
LAMP = "nightlights/D83ADD407E11"
ROUTES = ["scanner", "map", "history", "history/source/1", "settings", "debug", "devices", "wifi", "bulbs", "explorer", "overflow",
          *(f"settings/{name}" for name in GROUPS), LAMP, *(f"{LAMP}/{tab}" for tab in ("week", "button", "library", "colour"))]  # fmt: skip

OVERLAPS = r"""() => {
    const seen = [], found = [];
    const walker = document.createTreeWalker(document.querySelector(".shell"), NodeFilter.SHOW_TEXT);
    const inView = ({ left, right, top, bottom }) => right - left > 1 && bottom - top > 1;
    while (walker.nextNode()) {
        const node = walker.currentNode, parent = node.parentElement;
        if (!node.data.trim() || parent.closest("svg, .spoken, [hidden], select, option, .axis, .band-hold, .week-bar, .map-labels")) continue;
        if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        // What is pinned lies over what scrolls under it.
        let pinned = false;
        for (let one = parent; one; one = one.parentElement) {
            const { position, clipPath } = getComputedStyle(one);
            if (position === "sticky" || position === "fixed" || clipPath !== "none") pinned = true;
        }
        if (pinned) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            let { left, right, top, bottom } = box;
            // Only what is not cut off by what holds it.
            for (let one = parent; one; one = one.parentElement) {
                if (getComputedStyle(one).overflowX === "visible") continue;
                const outer = one.getBoundingClientRect();
                left = Math.max(left, outer.left);
                right = Math.min(right, outer.right);
                top = Math.max(top, outer.top);
                bottom = Math.min(bottom, outer.bottom);
            }
            if (inView({ left, right, top, bottom })) seen.push({ node, left, right, top, bottom });
        }
    }
    seen.sort((a, b) => a.top - b.top);
    for (let i = 0; i < seen.length; i += 1) {
        for (let j = i + 1; j < seen.length && seen[j].top < seen[i].bottom; j += 1) {
            const a = seen[i], b = seen[j];
            if (a.node === b.node) continue;
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 2 && high > 4) found.push(`“${a.node.data.trim()}” lies over “${b.node.data.trim()}”`);
        }
    }
    for (const button of document.querySelectorAll(".shell :is(button, a.button, .field)")) {
        if (!button.checkVisibility() || button.closest(".spoken, [class*=map]")) continue;
        const { left, right, width } = button.getBoundingClientRect();
        let one = button.parentElement;
        while (one && getComputedStyle(one).overflowX === "visible") one = one.parentElement;
        const outer = one?.getBoundingClientRect();
        if (width && outer && one.scrollWidth <= one.clientWidth && (right > outer.right + 1 || left < outer.left - 1)) {
            found.push(`${button.getAttribute("aria-label") ?? button.textContent} is cut`);
        }
    }
    return found;
}"""


@pytest.mark.parametrize("width", [320, 360, 760, 1000, 1280])
def test_no_text_lies_over_another_one(hub, open_page, width):
    page = open_page(viewport={"width": width, "height": 700})
    settle(page)
    found = {}
    for route in ROUTES:
        page.evaluate("(route) => { location.hash = `#/${route}` }", route)
        page.wait_for_timeout(300)
        if overlaps := page.evaluate(OVERLAPS):
            found[route] = overlaps[:6]
        if page.locator("main").evaluate("main => main.scrollWidth > main.clientWidth"):
            found[route] = [*found.get(route, []), "scrolls sideways"]
    assert found == {}


def box(page, selector: str) -> dict:
    found = page.locator(selector).first.bounding_box()
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


@pytest.mark.parametrize("width", [720, 800, 1099])
def test_between_phone_and_desktop_side_cards_stand_beside_each_other(hub, open_page, width):
    page = open_page(viewport={"width": width, "height": 1000})
    settle(page)
    device, place, around, arcs = (box(page, f".scanner > .{name}") for name in ("connection", "place-card", "around", "arcs-card"))
    assert place["x"] >= device["right"] and abs(place["width"] - device["width"]) < 2
    assert place["bottom"] <= around["y"] and abs(around["bottom"] - device["bottom"]) < 2
    assert arcs["y"] >= device["bottom"]
    page.evaluate("location.hash = '#/nightlights/D83ADD407E11'")
    page.locator(".colour-card .wheel").wait_for()
    lamps, now, colour, tonight = (box(page, name) for name in (".lamp-cards", ".lamp-now", ".colour-card", ".tonight"))
    assert lamps["bottom"] <= now["y"] and abs(now["y"] - colour["y"]) < 2 and colour["bottom"] <= tonight["y"]
    assert colour["x"] >= now["right"]
    # The lamp is as tall as the colours beside it, but for a little.
    assert colour["bottom"] - now["bottom"] < 60
    page.evaluate("location.hash = '#/nightlights/D83ADD407E11/library'")
    page.locator(".library").wait_for(state="attached")
    alone, lamps = box(page, ".lamp-now"), box(page, ".lamp-cards")
    assert abs(alone["width"] - lamps["width"]) < 2 and alone["height"] < 300
    page.evaluate("location.hash = '#/wifi'")
    steps = page.locator(".wifi-step")
    steps.last.wait_for()
    tops = steps.evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().top))")
    assert len(tops) == 4 and len(set(tops)) == 1
    page.evaluate("location.hash = '#/overflow'")
    page.locator(".sender").first.wait_for()
    senders, beacon, bits = (box(page, name) for name in (".overflow-senders", ".overflow-beacon", ".overflow-map"))
    assert beacon["x"] >= senders["right"] and abs(beacon["y"] - senders["y"]) < 2
    assert bits["y"] >= max(senders["bottom"], beacon["bottom"]) or bits["bottom"] <= senders["y"]
    page.evaluate("location.hash = '#/debug'")
    page.locator(".following").wait_for()
    filters, following = box(page, ".debug-filters .search"), box(page, ".following")
    assert width < 800 or following["y"] < filters["bottom"]
    page.evaluate("location.hash = '#/settings'")
    page.locator("#group-alerts").wait_for()
    # No control falls under what it changes.
    rows = page.locator("#group-alerts .setting").evaluate_all(
        "all => all.map((one) => one.querySelector('.controls').getBoundingClientRect().top < one.firstChild.getBoundingClientRect().bottom)"
    )
    assert all(rows)


SQUEEZED = """() => {
    const shown = (one) => one.checkVisibility();
    const lines = (one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight);
    const chosen = (one) => {
        const pen = document.createElement("canvas").getContext("2d"), { font, paddingLeft, paddingRight } = getComputedStyle(one);
        pen.font = font;
        return [pen.measureText(one.selectedOptions[0]?.text ?? "").width, one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)];
    };
    return [
        ...[...document.querySelectorAll("main select")].filter((one) => shown(one) && chosen(one)[0] > chosen(one)[1] + 1)
            .map((one) => `cut: ${one.selectedOptions[0].text}`),
        ...[...document.querySelectorAll(".setting .hint")].filter((one) => shown(one) && lines(one) > 3 && one.clientWidth < 150)
            .map((one) => `squeezed to ${one.clientWidth}: ${one.textContent}`),
    ];
}"""


def test_settings_are_read_on_the_smallest_phone(hub, open_page):
    page = open_page("settings", "phone")
    page.set_viewport_size({"width": 320, "height": 640})
    for group in GROUPS:
        page.goto(f"{hub.address}/#/settings/{group}")
        settle(page)
        assert page.evaluate(SQUEEZED) == [], group


@pytest.mark.parametrize("height", [844, 560])
def test_a_phone_has_the_ways_to_the_rest_of_a_lamp_whole_above_its_bar(hub, open_page, height):
    """However much is said above them, and wherever the page is scrolled to."""
    hub.lamps.lamps["D8:3A:DD:40:7E:11"].update(battery_percent=7, charging=False)
    page = open_page(LAMP, viewport={"width": 390, "height": height})
    page.locator(".lamp-notes .note").first.wait_for()
    main, links = page.locator("main"), page.locator(".lamp-links a")
    assert main.evaluate("main => main.scrollHeight > main.clientHeight")
    bar = box(page, "nav.tabs")
    for top in (0, 100_000):
        main.evaluate("(main, top) => { main.scrollTop = top }", top)
        page.wait_for_timeout(100)
        assert links.all_inner_texts() == ["Colour", "Week", "Button", "Library"]
        for link in links.all():
            one = link.bounding_box()
            assert one["height"] >= 44 and one["y"] + one["height"] <= bar["y"], (top, one)
    # At the end they lie over nothing.
    assert box(page, ".tonight")["bottom"] <= box(page, ".lamp-links a")["y"]
    # Nor does what has the focus lie under them.
    main.evaluate("main => { main.scrollTop = 0 }")
    marker = page.get_by_role("slider", name="Off", exact=True).first
    marker.focus()
    page.wait_for_timeout(100)
    one = marker.bounding_box()
    assert one["y"] + one["height"] <= box(page, ".lamp-links")["y"]
