# SPDX-License-Identifier: Apache-2.0
"""Texts of every page stand beside each other at every width: none over another one, none outside what holds it."""

import pytest
from conftest import show_detections
from test_pages import settle
from whole_world import hub  # noqa: F401


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
    assert colour["bottom"] - now["bottom"] < 64
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


COVERED = """() => {
    const one = document.activeElement;
    if (!one.closest("main") || one.matches("[role=application]")) return null;
    const { left, top, width, height } = one.getBoundingClientRect();
    const over = document.elementFromPoint(left + width / 2, top + Math.min(height, 40) / 2);
    for (let bar = over; bar && width && !bar.contains(one); bar = bar.parentElement) {
        if (!["sticky", "fixed"].includes(getComputedStyle(bar).position)) continue;
        return `${one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 60)} is under ${bar.className}`;
    }
    return null;
}"""


@pytest.mark.parametrize("width", [390, 800, 1280])
@pytest.mark.parametrize("route", [*ROUTES[:11], "drives", LAMP, f"{LAMP}/library"])
def test_what_is_focused_is_under_no_bar_of_any_page(hub, open_page, route, width):
    page = open_page(route, viewport={"width": width, "height": 560})
    settle(page)
    page.locator("main").evaluate("main => { main.tabIndex = -1; main.focus() }")
    covered = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        if found := page.evaluate(COVERED):
            covered.add(found)
    assert covered == set()


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
    hub.lamp.discharge(7)
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


@pytest.mark.parametrize("width", [720, 800, 899, 1099, 1280])
@pytest.mark.parametrize("list_of", ["Sources", "Detections"])
def test_saved_filters_are_in_the_row_of_the_search(hub, open_page, width, list_of):
    page = open_page("history", viewport={"width": width, "height": 800})
    page.locator(".long-row:not(.ghost)").first.wait_for()
    if list_of == "Detections":
        show_detections(page)
        page.locator(".is-detections .long-row:not(.ghost)").first.wait_for()
    search = box(page, ".history-filters .search")
    for name in (".chips", ".counts", "> .chip"):
        one = box(page, f".history-filters {name}")
        assert abs(one["y"] + one["height"] / 2 - search["y"] - search["height"] / 2) < 3, name
        assert one["x"] >= search["x"] + search["width"], name


# Edges of what a sheet of filters asks for: left and right of its fields and rows, left of its names.
EDGES = """() => {
    const sheet = document.querySelector("dialog[open] .stack, [role=dialog] .stack"), edges = {};
    const add = (name, one, side) => (edges[name] ??= []).push(Math.round(one.getBoundingClientRect()[side]));
    for (const one of sheet.children) {
        add("row left", one, "left");
        add("row right", one, "right");
    }
    for (const one of sheet.querySelectorAll(".choice > span:first-child, legend, fieldset > .chip:nth-of-type(1)")) add("name left", one, "left");
    for (const one of sheet.querySelectorAll("select, .slider")) add("field left", one, "left");
    for (const one of sheet.querySelectorAll("select, output")) add("field right", one, "right");
    return edges;
}"""


@pytest.mark.parametrize("route", ["history", "map"])
def test_the_fields_of_a_filter_line_up(hub, open_page, size, route):
    page = open_page(route, size)
    page.get_by_role("button", name="Filter", exact=True).filter(visible=True).first.click()
    page.get_by_role("dialog").get_by_role("group").first.wait_for()
    edges = page.evaluate(EDGES)
    assert len(edges["row left"]) >= 4 and len(edges["field left"]) >= 2
    assert {name: sorted(set(found)) for name, found in edges.items() if max(found) - min(found) > 1} == {}


CELLS = """() => [...document.querySelectorAll(":is(.history-head, .long-row:not(.ghost)) > :not(.name)")].flatMap((one) => {
    const { left, right, height } = one.getBoundingClientRect(), outer = one.parentElement.getBoundingClientRect();
    const text = one.textContent.trim();
    if (!one.checkVisibility() || !text) return [];
    const isWrapped = one.parentElement.matches(".long-row") && one.matches(".seen, .last, .confidence, .signal") && height > 1.9 * parseFloat(getComputedStyle(one).fontSize);
    return isWrapped || left < outer.left - 1 || right > outer.right + 1 ? [`${one.className}: ${text}`] : [];
})"""


@pytest.mark.parametrize("width", [320, 390, 720, 800, 900, 1099, 1100, 1280])
@pytest.mark.parametrize("list_of", ["Sources", "Detections"])
def test_a_row_of_the_history_is_one_line_of_figures(hub, open_page, width, list_of):
    page = open_page("history", viewport={"width": width, "height": 800})
    page.locator(".long-row:not(.ghost)").first.wait_for()
    if list_of == "Detections":
        show_detections(page)
        page.locator(".is-detections .long-row:not(.ghost)").first.wait_for()
    assert sorted(set(page.evaluate(CELLS)))[:5] == []
