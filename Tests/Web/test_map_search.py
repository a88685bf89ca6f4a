# SPDX-License-Identifier: Apache-2.0
"""What the map lists and finds: sources that no zoom parts, what is elsewhere, known cameras."""

import re

import pytest
from conftest import assert_harmless, until
from map_world import Town, hub, known, show  # noqa: F401
from playwright.sync_api import expect
from test_map import open_map, show_list


@pytest.mark.parametrize("apart", [0, 2])
def test_sources_that_no_zoom_parts_are_listed(hub, open_page, size, apart):
    """A hub that stands still hears everything at one place; sources that stand in metres of each other part no better."""
    world = Town()
    for number in world.sources:
        world.stand(number, 52.1 + number % 3 * apart * 4e-6, 8.75)
    show(hub, world)
    page = open_page("map/at/52.1,8.75,14", size)
    page.locator(".map-cluster").click()
    card = page.locator(".map-sheet" if size == "phone" else ".map-card")
    expect(card.get_by_role("heading")).to_have_text("17 sources")
    rows = card.locator(".source-row")
    expect(rows).to_have_count(17)
    assert_harmless(page, size)
    # A sentence is not cut.
    said = card.locator(".card-top .hint")
    assert said.evaluate("one => one.scrollWidth <= one.clientWidth && getComputedStyle(one).whiteSpace !== 'nowrap'")
    rows.filter(has_text="Raven").click()
    expect(card.get_by_role("heading")).to_have_text("Raven")
    expect(card.get_by_role("link", name="Why")).to_be_visible()


def test_a_search_goes_to_what_is_elsewhere(hub, open_page, size):
    page = open_page("map/at/48.2,16.4,15", size)
    page.get_by_role("searchbox").fill("raven")
    show_list(page)
    expect(page.locator(".map-list-head .hint")).to_have_text("Nothing here")
    rows = page.get_by_role("grid", name="In view")
    expect(rows.locator(".long-head")).to_contain_text("Elsewhere")
    expect(rows.locator(".long-row")).to_have_count(1)
    rows.locator(".long-row").first.click()
    expect(page.locator(".map-pin[data-chosen]")).to_be_visible()
    expect(page).to_have_url(re.compile(r"#/map/at/52\.\d+,8\.\d+,1[67]/source/"))
    # Enter goes to the first.
    other = open_page("map/at/48.2,16.4,15", size)
    other.get_by_role("searchbox").fill("raven")
    expect(other.locator(".map-list-head .hint")).to_have_text("Nothing here")
    other.get_by_role("searchbox").press("Enter")
    expect(other.locator(".map-pin[data-chosen]")).to_be_visible()


def test_a_phone_says_what_is_elsewhere_while_it_is_typed(hub, open_page):
    page = open_page("map/at/48.2,16.4,15", "phone")
    there = page.locator(".map-there .button")
    page.get_by_role("searchbox").fill("raven")
    expect(there).to_have_text("1 elsewhere")
    there.click()
    expect(page.locator(".map-pin[data-chosen]")).to_be_visible()
    expect(there).to_have_count(0)
    # Several are shown all.
    other = open_page("map/at/48.2,16.4,15", "phone")
    there = other.locator(".map-there .button")
    other.get_by_role("searchbox").fill("e")
    expect(there).to_have_text(re.compile(r"^\d+ elsewhere$"))
    assert_harmless(other, "phone")
    there.click()
    expect(other.locator(".map-pin, .map-cluster").first).to_be_visible()
    expect(there).to_have_count(0)
    # Nothing is said of what nobody has searched for.
    last = open_page("map/at/48.2,16.4,15", "phone")
    until(last, lambda: sum("/map?" in one and "box=16.3" in one for one in hub.requests) > 1)
    last.wait_for_timeout(400)
    expect(last.locator(".map-there .button")).to_have_count(0)


def test_a_jump_to_coordinates_lets_go_of_what_was_chosen(hub, open_page, size):
    page = open_map(open_page, size)
    page.locator(".map-pin").first.click(force=True)
    card = page.locator(".map-sheet" if size == "phone" else ".map-card")
    expect(card).to_be_visible()
    page.get_by_role("searchbox").fill("48.2, 16.4")
    page.get_by_role("searchbox").press("Enter")
    expect(card).to_be_hidden()
    expect(page).to_have_url(re.compile(r"#/map/at/48\.[12]\d*,16\.[34]\d*,\d+$"))


# Counts what is drawn with one line from a point 6 px beside a camera outwards, as [x, y, degrees from north].
STROKES = """(() => {
    const { prototype } = CanvasRenderingContext2D, strokes = window.strokes = [];
    let path = [];
    const spy = (name, look) => {
        const plain = prototype[name];
        prototype[name] = function (...given) { look.call(this, ...given); return plain.apply(this, given); };
    };
    spy("beginPath", () => path = []);
    spy("clearRect", function () { if (this.canvas.classList.contains("map-canvas")) strokes.length = 0; });
    spy("moveTo", (x, y) => path.push([x, y]));
    spy("lineTo", (x, y) => path.push([x, y]));
    spy("stroke", function () {
        const [from, to] = path, length = to && Math.hypot(to[0] - from[0], to[1] - from[1]);
        if (path.length !== 2 || Math.abs(length - 7) > 0.01 || !this.canvas.classList.contains("map-canvas")) return;
        const x = (to[0] - from[0]) / length, y = (to[1] - from[1]) / length;
        const degrees = Math.round(Math.atan2(x, -y) * 180 / Math.PI + 360) % 360;
        strokes.push([Math.round(from[0] - 6 * x), Math.round(from[1] - 6 * y), degrees]);
    });
})()"""


def test_a_known_camera_has_a_stroke_for_each_direction(hub, open_page):
    world = Town()
    poles = [[f"node/{at}", f"Pole {at}", 52.1062 + at * 0.0004, 8.7493, *found] for at, found in enumerate([[0, 90, 225], [45], []])]
    show(hub, world, drives=[], known=known(world, poles))
    page = open_page("map/at/52.1066,8.7493,17")
    page.add_init_script(STROKES)
    page.reload()
    until(page, lambda: len(page.evaluate("window.strokes ?? []")) == 4)
    strokes = page.evaluate("window.strokes")
    assert [degrees for _, _, degrees in strokes] == [0, 90, 225, 45]
    places = [(x, y) for x, y, _ in strokes]
    assert len(set(places[:3])) == 1 and places[3] != places[0], places


@pytest.mark.parametrize("width", [390, 800])
def test_no_line_of_the_graticule_is_named_under_the_scale_or_the_note(hub, open_page, width):
    page = open_page("map/at/52.10624,8.74932,17", "phone" if width < 720 else "desktop")
    page.set_viewport_size({"width": width, "height": 844})
    expect(page.locator(".map-labels span").first).to_be_visible()
    expect(page.locator(".map-note")).to_contain_text("nothing is fetched")
    for step in range(12):
        page.evaluate(f"location.hash = '#/map/at/{52.10624 + step * 0.00011},8.74932,17'")
        page.wait_for_timeout(60)
        assert page.evaluate("""() => {
            const over = [...document.querySelectorAll(".map-scale, .map-note")].map((one) => one.getBoundingClientRect());
            return [...document.querySelectorAll(".map-labels span")].filter((one) => {
                const { left, right, top, bottom } = one.getBoundingClientRect();
                return over.some((box) => left < box.right && right > box.left && top < box.bottom && bottom > box.top);
            }).map((one) => one.textContent);
        }""") == []


def test_known_cameras_follow_the_search(hub, open_page):
    page = open_map(open_page)
    rows = page.get_by_role("grid", name="In view")
    rows.evaluate("list => { list.scrollTop = 9e9 }")
    expect(rows.get_by_role("row", name="Known camera").first).to_be_visible()
    page.get_by_role("searchbox").fill("käfertal")
    expect(page.locator(".map-pin")).to_have_count(0)
    expect(rows.locator(".long-row")).to_have_count(1)
    expect(rows.get_by_role("row", name="Käfertaler Straße")).to_contain_text("Known camera")
