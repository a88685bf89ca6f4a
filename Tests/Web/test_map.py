# SPDX-License-Identifier: Apache-2.0
"""The jobs of the Map."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import SERIOUS, assert_harmless, go, until, violations
from flock_world import arrive
from map_world import Town, fixed, hub, radius, show  # noqa: F401
from playwright.sync_api import expect


HERE = "map/at/52.10624,8.74932,17"


def open_map(open_page, size="desktop", route=HERE, **options):
    page = open_page(route, size, **options)
    expect(page.locator(".map-pin").first).to_be_visible()
    return page


def show_list(page) -> None:
    """The list is beside the map; on a phone it is asked for."""
    # Looked for and not looked at: the page may not be there yet.
    if page.viewport_size["width"] < 1100:
        page.get_by_role("button", name="List of what is in view").click()


def pin(page, kind: str):
    return page.locator(f".map-pin:has(.type-{kind})").first


def asked(hub, path: str = "/api/v1/map?") -> list[dict]:
    return [parse_qs(urlsplit(one.split(" ")[1]).query) for one in hub.requests if path in one]


def test_the_list_says_what_the_map_shows(hub, open_page):
    show(hub, Town(crowds=True))
    page = open_map(open_page)
    # One of the invented sources has no place.
    expect(page.locator(".map-list-head .hint")).to_have_text("287 sources in 6 clusters, 16 pins")
    assert page.locator(".map-pin").count() == 16
    assert page.locator(".map-cluster").count() == 6
    rows = page.get_by_role("grid", name="In view")
    expect(rows).to_have_attribute("aria-rowcount", "24")
    expect(rows.get_by_role("row", name="FLOCK-S3-1234")).to_contain_text(radius(hub, 1))
    rows.evaluate("list => { list.scrollTop = 9e9 }")
    expect(rows.get_by_role("row", name="127 sources")).to_be_visible()
    expect(rows.get_by_role("row", name="Käfertaler Straße")).to_contain_text("Known camera")
    # What is moved out of view leaves the list.
    page.get_by_role("application").focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
        page.wait_for_timeout(300)
    expect(page.locator(".map-list-head .hint")).not_to_contain_text("16 pins")


def test_a_window_that_gets_narrow_before_the_map_is_there(hub, open_page):
    page = open_page("scanner")
    held = []
    page.route("**/leaflet/*.js*", lambda route: held.append(route))
    page.evaluate("location.hash = '#/%s'" % HERE)
    until(page, lambda: len(held) == 1)
    page.set_viewport_size({"width": 390, "height": 844})
    button = page.get_by_role("button", name="List of what is in view")
    expect(button).to_be_visible()
    held[0].continue_()
    expect(page.locator(".map-pin").first).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")


def test_a_pin_is_chosen_marked_and_let_go(hub, open_page, size):
    page = open_map(open_page, size)
    pin(page, "ring").click()
    chosen = page.locator(".map-sheet" if size == "phone" else ".map-card")
    expect(chosen.get_by_role("heading")).to_have_text("Ring")
    expect(chosen).to_contain_text(radius(hub, 2))
    expect(chosen).to_contain_text("dBm")
    expect(page).to_have_url(re.compile("/source/2$"))
    mine = chosen.get_by_role("button", name="Mine")
    mine.click()
    expect(mine).to_have_attribute("aria-pressed", "true")
    assert hub.sources()[2]["mine"] is True
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(mine).to_have_attribute("aria-pressed", "false")
    chosen.get_by_role("button", name="Close").click()
    expect(chosen).to_be_hidden()
    expect(page).to_have_url(re.compile(r"map/at/[^/]+$"))
    pin(page, "ring").click()
    chosen.get_by_role("link", name="Why").click()
    expect(page.get_by_role("heading", name="Why it was raised")).to_be_visible()


def test_the_list_with_keys(hub, open_page):
    show(hub, Town(crowds=True))
    page = open_map(open_page)
    page.get_by_role("grid", name="In view").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(page.locator(".map-card h2")).to_have_text("Raven")
    expect(page.get_by_role("grid", name="In view")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".map-card h2")).to_have_text("Flock Safety")
    expect(page.get_by_role("link", name="Why")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".map-card")).to_be_hidden()
    expect(page.get_by_role("grid", name="In view")).to_be_focused()
    # A cluster is zoomed into.
    page.keyboard.press("End")
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r",1[89]$"))


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_is_seen_whole_wherever_its_pin_stands(hub, open_page, motion):
    show(hub, Town(crowds=True))
    # Low and narrow, so that pins stand at every edge.
    page = open_map(open_page, viewport={"width": 1120, "height": 560}, reduced_motion=motion)
    side = page.locator(".map-side").bounding_box()
    page.get_by_role("grid", name="In view").focus()
    card, seen = page.locator(".map-card"), set()

    def is_whole(box, pin) -> bool:
        inside = box and box["y"] >= 0 and side["x"] + side["width"] <= box["x"] <= 1120 - box["width"]
        return inside and pin["y"] + pin["height"] <= 560

    # Behind the pins there are clusters, which are zoomed into.
    for _ in range(6):
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
        seen.add(card.inner_text())
        until(page, lambda: is_whole(card.bounding_box(), page.locator(".map-pin[data-chosen]").bounding_box()))
    assert len(seen) > 4


def test_a_cluster_is_zoomed_into(hub, open_page, size):
    show(hub, Town(crowds=True))
    page = open_map(open_page, size)
    page.locator(".map-cluster").last.click()
    expect(page).to_have_url(re.compile(r",1[89]$"))


def test_keys_move_and_zoom(hub, open_page):
    page = open_map(open_page)
    page.get_by_role("application").focus()
    before = page.url
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.url != before)
    assert float(page.url.split(",")[1]) > 8.74932
    page.keyboard.press("-")
    expect(page).to_have_url(re.compile(",16$"))
    page.get_by_role("button", name="Zoom in").click()
    expect(page).to_have_url(re.compile(",17$"))
    go(page, "h")
    expect(page.get_by_role("heading", level=1)).to_have_text("History")
    go(page, "m")
    # It is where it was left.
    expect(page).to_have_url(re.compile(r"map/at/52\.\d+,8\.\d+,17$"))


def test_filters_are_those_of_the_history(hub, open_page, size):
    show(hub, Town(crowds=True))
    page = open_map(open_page, size)
    page.get_by_role("searchbox").fill("doorbell")
    expect(page.locator(".map-pin")).to_have_count(1)
    expect(page).to_have_url(re.compile("/filter/text=doorbell$"))
    page.evaluate("location.hash = '#/history'")
    expect(page.locator(".counts")).to_have_text("1 of 288 sources")
    expect(page.get_by_role("searchbox")).to_have_value("doorbell")
    page.get_by_role("searchbox").fill("")
    expect(page.locator(".counts")).to_have_text("288 sources")
    page.evaluate("location.hash = '#/map'")
    expect(page.locator(".map-cluster").first).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_a_link_brings_back_view_filter_and_source(hub, open_page, size):
    page = open_map(open_page, size, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("searchbox").fill("flock")
    expect(page.locator(".map-pin")).to_have_count(2)
    pin(page, "flock_safety").click()
    expect(page).to_have_url(re.compile("/source/"))
    if size == "desktop":
        page.get_by_role("button", name="Copy link to view").click()
        expect(page.locator(".toast")).to_contain_text("Link copied")
        assert page.evaluate("navigator.clipboard.readText()") == page.url
    other = open_map(open_page, size, page.url.split("#/")[1])
    expect(other.get_by_role("searchbox")).to_have_value("flock")
    expect(other.locator(".map-pin")).to_have_count(2)
    expect(other.locator(".map-pin[data-chosen]")).to_be_visible()
    expect(other.locator(".map-sheet h2, .map-card h2")).to_have_text("Flock Safety")


def test_a_link_names_a_source_that_is_elsewhere(hub, open_page):
    page = open_page("map/at/52.3,9.1,15/source/3")
    expect(page.locator(".map-pin[data-chosen] .type-raven")).to_be_attached()
    gone = open_page("map/at/52.3,9.1,15/source/999")
    expect(gone.locator(".toast")).to_contain_text("no longer there")


@pytest.mark.parametrize(
    "route",
    [
        "map/at/NaN,1e999,5", "map/at/91,8,17/source/-1", "map/at/1,2", "map/source/x/filter/%zz", "map/filter/days=-3&type=__proto__",
        "map/at/52.1,8.7,17/filter/min_confidence=7&state=constructor&text=" + "a" * 999, "map/at//source//filter/",
    ],
)  # fmt: skip
def test_a_link_that_makes_no_sense_opens_the_map(hub, open_page, route):
    page = open_page(route)
    expect(page.locator(".map-list-head .hint")).to_contain_text("source")
    expect(page.locator(".map-canvas")).to_be_attached()


def test_coordinates_are_gone_to(hub, open_page):
    page = open_map(open_page)
    page.get_by_role("searchbox").fill("-33.8568, 151.2153")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"at/-33\.85\d+,151\.21\d+,17$"))
    expect(page.get_by_role("heading", name="Nothing in view")).to_be_visible()
    page.get_by_role("button", name="Show everything").click()
    expect(page.locator(".map-pin").first).to_be_visible()


def test_a_box_is_exported_with_the_pointer(hub, open_page, size):
    page = open_map(open_page, size)
    show_list(page)
    page.get_by_role("button", name="Box to export").click()
    expect(page.locator(".map-box")).to_be_focused()
    x, y = (520, 140) if size == "desktop" else (60, 300)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 250, y + 200, steps=4)
    page.mouse.up()
    bar = page.get_by_role("group", name="Box to export")
    expect(bar).to_contain_text(re.compile(r"\d+ detections of \d+ sources?"))
    bar.get_by_role("button", name="Export").click()
    query = parse_qs(urlsplit(page.get_by_role("link", name="KML").get_attribute("href")).query)
    west, south, east, north = map(float, query["box"][0].split(","))
    assert west < east and south < north
    assert abs((east - west) * 93206 - 250) < 6
    with page.expect_download() as download:
        page.get_by_role("link", name="KML").click()
    assert download.value.suggested_filename == "detections.kml"


def test_a_box_is_exported_with_keys(hub, open_page):
    page = open_map(open_page, route=f"{HERE}/filter/type=ring")
    page.get_by_role("button", name="Box to export").press("Enter")
    box = page.get_by_role("application", name=re.compile("^Box to export"))
    expect(box).to_be_focused()
    before = box.bounding_box()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowDown")
    after = box.bounding_box()
    assert after["x"] == before["x"] - 16 and after["height"] == before["height"] + 16
    page.keyboard.press("Enter")
    query = parse_qs(urlsplit(page.get_by_role("link", name="CSV, for a spreadsheet").get_attribute("href")).query)
    assert query["type"] == ["ring"] and len(query["box"][0].split(",")) == 4
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Box to export").press("Enter")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(page.get_by_role("button", name="Box to export")).to_be_focused()


def test_layers_are_asked_for_drawn_and_remembered(hub, open_page):
    page = open_map(open_page)
    ink = "document.querySelector('.map-canvas').toDataURL()"
    assert "heat" not in asked(hub)[-1]
    page.get_by_role("button", name="Layers").press("Enter")
    expect(page.get_by_role("switch", name="Error circles")).to_be_focused()
    for word in ("Error circles", "Route driven", "Known cameras", "Where I have been", "Heat of sightings"):
        drawn = page.evaluate(ink)
        page.get_by_role("switch", name=word).press("Space")
        until(page, lambda: page.evaluate(ink) != drawn)  # noqa: B023
    until(page, lambda: asked(hub)[-1].get("heat") == ["true"])
    page.get_by_role("switch", name="Muted and mine").press("Space")
    expect(page.locator(".map-pin")).to_have_count(13)
    assert asked(hub)[-1]["state"] == ["none"]
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Layers")).to_be_focused()
    page.reload()
    expect(page.locator(".map-pin")).to_have_count(13)
    page.get_by_role("button", name="Layers").click()
    expect(page.get_by_role("switch", name="Heat of sightings")).to_be_checked()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_an_arrival_glows_and_is_said(hub, open_page, motion):
    page = open_map(open_page, reduced_motion=motion)
    page.wait_for_timeout(300)
    before = len(asked(hub))
    for kind in ("flock_safety", "ring", "raven", "axis", "nest", "wyze"):
        arrive(hub, kind)
    expect(page.locator(".map-feature.fresh").first).to_be_visible()
    expect(page.locator(".spoken[role=status]")).to_contain_text(re.compile("in view, "))
    moving = page.evaluate("document.getAnimations().map((one) => one.animationName).filter(Boolean)")
    assert bool(moving) == (motion != "reduce")
    # Six at once are asked for together.
    page.wait_for_timeout(500)
    assert 1 <= len(asked(hub)) - before <= 2
    expect(page.locator(".map-feature.fresh")).to_have_count(0, timeout=8000)


def test_the_own_place_is_gone_to_and_followed(hub, open_page, size):
    page = open_map(open_page, size, "map/at/52.1066,8.7462,17/filter/type=axis")
    button = page.get_by_role("button", name="My place")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".map-me")).to_be_in_viewport()
    before = page.url
    hub.ask("PATCH", "/settings", fixed(800, 415), if_match="*")
    until(page, lambda: page.url != before and re.search(r"at/52\.106\d+,8\.7[45]", page.url))
    page.mouse.move(700 if size == "desktop" else 150, 400)
    page.mouse.down()
    page.mouse.move(760 if size == "desktop" else 200, 460, steps=5)
    page.mouse.up()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_hostile_names_stay_text(hub, open_page, size):
    show(hub, Town("hostile"))
    page = open_map(open_page, size)
    for number in (20, 23, 24, 28, 32):
        page.evaluate("(number) => { location.hash = `#/map/source/${number}` }", number)
        expect(page.locator(".map-pin[data-chosen]")).to_be_attached()
        page.wait_for_timeout(150)
        assert_harmless(page, f"source {number}")
    page.evaluate("location.hash = '#/map/at/52.1053,8.7520,17'")
    show_list(page)
    page.wait_for_timeout(300)
    assert_harmless(page, "list")


def test_the_date_line(hub, open_page):
    world = Town()
    for source, place in {1: (-16.8, 179.98), 2: (-16.8, -179.97), 3: (89.5, 10)}.items():
        world.stand(source, *place)
    show(hub, world)
    page = open_map(open_page, route="map/at/-16.8,179.99,12")
    west, _, east, _ = map(float, asked(hub)[-1]["box"][0].split(","))
    assert west > east
    expect(page.locator(".map-list-head .hint")).to_have_text("2 sources")
    left, right = (pin(page, kind).bounding_box()["x"] for kind in ("flock_safety", "ring"))
    assert 0 < right - left < 300
    north = open_map(open_page, route="map/at/85,10,3")
    expect(north.locator(".map-feature").first).to_be_in_viewport()


def test_axe_finds_nothing_serious_with_everything_open(hub, open_page, size):
    page = open_map(open_page, size, f"{HERE}/source/1", bypass_csp=True, reduced_motion="reduce")
    expect(page.locator(".map-card h2, .map-sheet h2").first).to_be_visible()
    assert violations(page, SERIOUS) == []
    page.get_by_role("button", name="Layers").click()
    assert violations(page, SERIOUS) == []
    page.keyboard.press("Escape")
    show_list(page)
    page.get_by_role("button", name="Box to export").click()
    expect(page.locator(".map-box-bar")).to_contain_text("detections")
    assert violations(page, SERIOUS) == []
