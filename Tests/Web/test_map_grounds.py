# SPDX-License-Identifier: Apache-2.0
"""What lies under the map and what it says when there is nothing: tiles of a server or a file, no Leaflet, no hub."""

import re

import pytest
from conftest import assert_harmless, pages_are_there, try_now, until
from hub_script import alter_hub
from kept_world import Drives, kept
from map_world import hub, show  # noqa: F401
from playwright.sync_api import expect
from test_map import HERE, asked, open_map
from tiles import Tiles, tile


FILE = {
    "name": "Käfertal.mbtiles",
    "minimum_zoom": 3,
    "maximum_zoom": 18,
    "attribution": "© <b>Some</b> \u202emap",
    "bounds": {"west": 8.7, "south": 52.0, "east": 8.8, "north": 52.2},
}


def test_without_a_server_nothing_is_fetched(hub, open_page, size):
    page = open_map(open_page, size)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.get_by_role("application").focus()
    page.keyboard.press("-")
    until(page, lambda: sent)
    assert all(url.startswith(f"{hub.address}/") for url in sent)
    assert not [url for url in hub.requests if "/tiles/" in url]
    assert page.locator(".map-labels span").count() > 3
    if size == "desktop":
        expect(page.locator(".map-note")).to_have_text(re.compile("^No map server is set, nothing is fetched"))
        page.get_by_role("link", name="Choose a map").click()
        expect(page.get_by_role("heading", name="Map", exact=True)).to_be_in_viewport()


def choose(hub, **map) -> None:
    """Another background was chosen elsewhere."""
    hub.faults.alter("GET /settings", lambda value: value | {"map": value["map"] | map})
    settings = hub.get("/settings")
    hub.emit("settings_changed", {"settings": settings | {"map": settings["map"] | map}, "etag": '"7"'})


def test_tiles_of_a_file_come_from_the_hub(hub, open_page, size):
    alter_hub(hub, lambda value: {"map_file": FILE})
    choose(hub, tiles="file")
    hub.faults.instead(r"GET /tiles/\d+/\d+/\d+", lambda asked: (200, tile()))
    page = open_map(open_page, size)
    until(page, lambda: page.locator(".map-tiles img").evaluate_all("all => all.filter((one) => one.naturalWidth).length") > 3)
    assert any(re.search(r"/api/v1/tiles/17/\d+/\d+$", one) for one in hub.requests)
    expect(page.locator(".map-labels")).to_be_hidden()
    expect(page.locator(".map-note")).to_have_text("© <b>Some</b> [U+202E]map")


def test_a_file_that_is_no_longer_there_is_told(hub, open_page):
    show(hub, settings={"map": {"tiles": "file", "server": "", "attribution": ""}})
    page = open_map(open_page)
    expect(page.locator(".map-note")).to_contain_text("The hub has no map file")
    assert page.locator(".map-labels span").count() > 3
    page.get_by_role("link", name="Choose a map").click()
    expect(page.locator("#group-map")).to_contain_text("The hub was started without one")


@pytest.fixture
def tiles():
    """Another server, which answers tiles to everybody who asks in the right place."""
    with Tiles() as server:
        yield server


def open_freely(chromium, hub, route: str):
    """A page that may reach another server, and what the browser reports of it."""
    page = chromium.new_context(viewport={"width": 1440, "height": 900}).new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{hub.address}/#/{route}")
    return page, said


def test_only_the_chosen_server_is_asked(chromium, hub, tiles):
    server = f"http://localhost:{tiles.port}"
    address = f"{server}/tiles/{{z}}/{{x}}/{{y}}"
    page, said = open_freely(chromium, hub, HERE)
    expect(page.locator(".map-pin").first).to_be_visible()
    # Chosen elsewhere: this page was loaded under a policy that does not know the server.
    choose(hub, tiles="server", server=address, attribution="© Everybody")
    expect(page.locator(".map-note")).to_contain_text("Another map server was chosen")
    assert not tiles.requests
    assert any("Content Security Policy" in text for text in said)
    # A hub adds the chosen server to its policy.
    hub.faults.alter("Content-Security-Policy", lambda policy: f"{policy}; img-src 'self' {server}")
    page.get_by_role("button", name="Load this page again").click()
    expect(page.locator(".map-note")).to_have_text("© Everybody")
    until(page, lambda: len(tiles.requests) > 3)
    assert all(re.fullmatch(r"GET /tiles/17/\d+/\d+", one) for one in tiles.requests)
    # What is not the chosen one stays forbidden.
    refused = page.evaluate("""(address) => new Promise((done) => {
        const picture = new Image();
        picture.onload = () => done(false);
        picture.onerror = () => done(true);
        picture.src = address;
    })""", f"http://127.0.0.1:{tiles.port}/tiles/1/1/1")  # fmt: skip
    assert refused
    page.context.close()


def test_a_server_that_does_not_answer_is_told(chromium, hub, tiles):
    server = f"http://localhost:{tiles.port}"
    choose(hub, tiles="server", server=f"{server}/nothing/{{z}}/{{x}}/{{y}}")
    hub.faults.alter("Content-Security-Policy", lambda policy: f"{policy}; img-src 'self' {server}")
    page, _ = open_freely(chromium, hub, HERE)
    expect(page.locator(".map-note")).to_contain_text("The map server does not answer")
    expect(page.locator(".map-pin").first).to_be_visible()
    page.context.close()


def test_a_server_is_chosen_in_settings(hub, open_page, size):
    page = open_page("settings/map", size)
    select = page.get_by_label("Map background")
    select.select_option("server")
    dialog = page.get_by_role("dialog", name="A map server")
    dialog.get_by_label("Address of the server").fill("javascript:alert(1)//{z}{x}{y}")
    dialog.get_by_role("button", name="Use this server").click()
    expect(dialog.get_by_role("alert")).to_contain_text("It begins with https://")
    page.keyboard.press("Escape")
    expect(select).to_have_value("none")
    chosen = lambda: hub.get("/settings")["map"]  # noqa: E731
    assert chosen()["tiles"] == "none"
    select.select_option("server")
    dialog.get_by_label("Address of the server").fill("https://{s}.tiles.invalid/{z}/{x}/{y}.png")
    dialog.get_by_label("Credit").fill("© Everybody")
    dialog.get_by_role("button", name="Use this server").click()
    until(page, lambda: chosen()["tiles"] == "server")
    expect(page.get_by_text("https://{s}.tiles.invalid/{z}/{x}/{y}.png")).to_be_visible()
    assert chosen()["attribution"] == "© Everybody"
    page.get_by_label("Map background").select_option("none")
    until(page, lambda: chosen()["tiles"] == "none")


def test_without_leaflet_it_says_what_to_install(hub, open_page, size):
    page = open_page("scanner", size)
    expect(page.locator(".latest-row").first).to_be_visible()
    page.route("**/leaflet/**", lambda route: route.fulfill(status=404, body="{}"))
    page.evaluate("location.hash = '#/map'")
    expect(page.get_by_role("heading", name="The map needs Leaflet")).to_be_visible()
    expect(page.locator("main")).to_contain_text("sudo apt-get install libjs-leaflet")
    # The list is there, can be searched, and opens what it lists; nothing is left that would move a map.
    rows = page.get_by_role("grid", name="Sources")
    expect(rows.locator(".long-row").nth(3)).to_be_visible()
    expect(page.get_by_role("heading", name="Sources", exact=True)).to_be_visible()
    expect(page.get_by_text("In view", exact=True)).to_have_count(0)
    for name in ("Zoom in", "Zoom out", "Layers", "My place", "List of what is in view", "Box to export", "Copy link to view"):
        expect(page.get_by_role("button", name=name)).to_be_hidden()
    assert_harmless(page, size)
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("dialog").locator("label").filter(has_text=re.compile("^Ring")).click()
    page.get_by_role("dialog").get_by_role("button", name="Show").click()
    expect(rows.locator(".long-row")).to_have_count(1)
    expect(rows.get_by_role("row")).to_contain_text("Ring")
    page.get_by_role("button", name="Remove the filter Ring").click()
    page.get_by_role("searchbox").fill("raven")
    expect(rows.locator(".long-row")).to_have_count(1)
    rows.locator(".long-row").first.click()
    expect(page).to_have_url(re.compile("#/history/source/"))
    page.evaluate("location.hash = '#/map'")
    expect(page.get_by_role("heading", name="The map needs Leaflet")).to_be_visible()
    page.unroute("**/leaflet/**")
    page.reload()
    expect(page.locator(".map-pin").first).to_be_visible()


@pytest.mark.parametrize("width", [320, 390, 800, 1000])
def test_without_leaflet_the_status_stands_beside_the_search(hub, open_page, width):
    page = open_page("scanner", "phone" if width < 720 else "desktop")
    page.set_viewport_size({"width": width, "height": 844})
    page.route("**/leaflet/**", lambda route: route.fulfill(status=404, body="{}"))
    page.evaluate("location.hash = '#/map'")
    expect(page.get_by_role("heading", name="The map needs Leaflet")).to_be_visible()
    field, status = (page.locator(one).bounding_box() for one in (".map-filters .search .field", "header .status"))
    end = field["x"] + field["width"]
    if width < 720:
        # Within it, where no text of the field comes.
        assert status["x"] + status["width"] <= end + 1 and field["width"] > width - 50
    else:
        assert status["x"] >= end
    # The count stands at the edge: nothing closes a list that is always there.
    head, words = (page.locator(one).bounding_box() for one in (".map-list-head", ".map-list-head .hint"))
    assert head["x"] + head["width"] - words["x"] - words["width"] < 24


def test_a_map_with_nothing_says_what_will_be_here(hub, open_page, size):
    hub.begin()
    page = open_page("map", size)
    expect(page.get_by_role("heading", name="Nothing noticed yet")).to_be_visible()
    world = Drives("still")
    for row in world.detections:
        row.update(latitude=None, longitude=None, fix=None)
    hub.begin(kept(world))
    other = open_page("map", size)
    expect(other.get_by_role("heading", name="No place is known yet")).to_be_visible()
    other.get_by_role("link", name="Set the place").click()
    expect(other).to_have_url(re.compile("#/settings/location$"))


def test_filters_that_hide_everything_can_be_cleared(hub, open_page):
    page = open_map(open_page)
    page.get_by_role("searchbox").fill("nothing like this")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator(".map-pin")).to_have_count(16)


def test_a_map_that_is_being_made_says_how_far_it_is(hub, open_page, size):
    page = open_page("settings/about", size)
    part = "**/api/v1/map?*"
    # An engine makes one of a thousand sources in no time.
    page.route(part, lambda route: route.fulfill(json=route.fetch().json() | {"progress": 0.43}))
    page.evaluate(f"location.hash = '#/{HERE}'")
    expect(page.locator(".map-note")).to_have_text("The map is being made from what is stored, 43%")
    page.unroute(part)
    expect(page.locator(".map-note")).not_to_contain_text("being made")


def test_without_the_hub_the_last_map_stays(hub, open_page, size):
    page = open_map(open_page, size, f"{HERE}/source/1")
    expect(page.locator(".map-card h2, .map-sheet h2").first).to_be_visible()
    pages_are_there(page)
    hub.go()
    expect(page.locator(".banner")).to_be_visible(timeout=8000)
    assert page.locator(".map-pin").count() > 8
    expect(page.locator(".card-actions")).to_have_attribute("inert", "")
    expect(page.locator(".map-me")).to_have_class(re.compile("is-away"))
    page.get_by_role("application").focus()
    page.keyboard.press("ArrowRight")
    # Opened anew it shows what it had; the hub is asked again when it is back.
    page.evaluate("location.hash = '#/settings'")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.evaluate("location.hash = '#/map'")
    expect(page.locator(".map-pin").first).to_be_visible()
    before = len(asked(hub))
    hub.come_back()
    try_now(page)
    until(page, lambda: len(asked(hub)) > before)


def test_opened_without_the_hub_it_is_not_blank(hub, open_page, size):
    page = open_page("scanner", size)
    expect(page.locator(".latest-row").first).to_be_visible()
    pages_are_there(page)
    hub.go()
    expect(page.locator(".banner")).to_be_visible(timeout=8000)
    page.evaluate("location.hash = '#/map'")
    expect(page.get_by_role("heading", name="Not known while the hub is away")).to_be_visible()
    hub.come_back()
    try_now(page)
    expect(page.locator(".map-pin").first).to_be_visible()


def test_this_browser_tells_its_place(hub, open_page, size):
    show(hub, settings={"location": {"source": "none", "latitude": None, "longitude": None}})
    page = open_map(open_page, size, permissions=["geolocation"], geolocation={"latitude": 52.107, "longitude": 8.749})
    expect(page.locator(".map-me")).to_have_count(0)
    page.get_by_role("button", name="My place").click()
    dialog = page.get_by_role("dialog", name="No place yet")
    positions = lambda: [body for _, path, body, _ in hub.asked if path == "/position"]  # noqa: E731
    assert not positions()
    dialog.get_by_role("button", name="Use this browser").click()
    until(page, positions)
    sent = positions()[0]
    assert (sent["latitude"], sent["longitude"]) == (52.107, 8.749)
    assert set(sent) == {
        "latitude", "longitude", "accuracy", "altitude", "altitude_accuracy", "speed", "heading", "time",
    }  # fmt: skip
    # A browser at rest tells it again, or the hub would take it for old.
    until(page, lambda: len(positions()) > 1)
    assert hub.get("/settings")["location"]["source"] == "browser"
    page.evaluate("location.hash = '#/settings/location'")
    switch = page.get_by_role("switch", name="This browser tells its place")
    expect(switch).to_be_checked()
    switch.click()
    expect(page.locator("main")).to_contain_text("Does not tell its place")
    number = len(positions())
    page.context.set_geolocation({"latitude": 52.2, "longitude": 8.8})
    page.wait_for_timeout(1200)
    assert len(positions()) == number


def test_gpsd_without_a_receiver_is_told(hub, open_page):
    said = "gpsd has no receiver yet: connect one, or start gpsd with its device."
    nowhere = {"source": "gpsd", "state": "no_fix", "latitude": None, "longitude": None}
    hub.faults.alter("GET /settings", lambda value: value | {"location": value["location"] | {"source": "gpsd"}})
    page = open_page("settings/location")
    expect(page.locator(".setting", has_text="Position from")).to_contain_text("gpsd on this machine")
    alter_hub(hub, lambda value: {"location": value["location"] | nowhere | {"reason": said}})
    expect(page.locator(".setting", has_text="Position from")).to_contain_text(said)
    page.evaluate("location.hash = '#/scanner'")
    expect(page.get_by_role("region", name="Place")).to_contain_text(said)
    # One that is there has another.
    looks = "The receiver does not know yet where it is."
    alter_hub(hub, lambda value: {"location": value["location"] | nowhere | {"reason": looks}})
    expect(page.get_by_role("region", name="Place")).to_contain_text(looks)
    expect(page.get_by_text(said)).to_have_count(0)


def test_a_place_that_is_refused_is_told(hub, open_page):
    show(hub, settings={"location": {"source": "browser", "latitude": None, "longitude": None}})
    page = open_map(open_page)
    expect(page.locator(".map-me")).to_have_count(0)
    page.get_by_role("button", name="My place").click()
    expect(page.locator(".toast")).to_contain_text("This browser does not give its place")


def test_labels_of_the_graticule_do_not_cover_each_other(hub, open_page, size):
    page = open_page("map/at/52,13.4025,15", size)
    expect(page.locator(".map-labels span").nth(2)).to_be_visible()
    for step in range(24):
        latitude, longitude = 52 + 0.0003 * step, 13.4025 + 0.0001 * step
        page.evaluate(f"location.hash = '#/map/at/{latitude},{longitude},15'")
        page.wait_for_timeout(120)
        boxes = page.locator(".map-labels span").evaluate_all("""spans => spans.map((span) => {
            const { left, right, top, bottom } = span.getBoundingClientRect();
            return [left, right, top, bottom, span.textContent];
        })""")
        assert len(boxes) > 2
        above = page.locator(".map-filters").bounding_box() if size == "phone" else None
        for _, _, top, _, words in boxes:
            assert top >= (above["y"] + above["height"] if above else 0), f"{words} is under the filters at {latitude}"
        for number, a in enumerate(boxes):
            for b in boxes[:number]:
                apart = a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]
                assert apart, f"{a[4]} is over {b[4]} at {latitude}, {longitude}"


def test_words_of_scale_and_graticule(hub, open_page):
    page = open_map(open_page)
    words = page.evaluate("""async () => {
        const { degreeWords, graticuleStep } = await import("/pages/map-canvas.js");
        const { boxAround } = await import("/pages/map-data.js");
        const { tileTemplate } = await import("/pages/map-view.js");
        const at = (longitude) => ({ latitude: 1, longitude });
        const server = (text) => tileTemplate({ tiles: "server", server: text })?.(5, 6, 4);
        return [
            degreeWords(52.1060001, 0.001, ["N", "S"]), degreeWords(-0.5, 0.1, ["E", "W"]), degreeWords(-0.0001, 1, ["N", "S"]),
            graticuleStep(93206), graticuleStep(3), graticuleStep(0.1),
            boxAround([at(179), at(-178), at(170)]), boxAround([at(1), at(5)]),
            server("https://{s}.t.example/{z}/{x}/{-y}.png"), server("data:{z}{x}{y}"), server("javascript:{z}"),
        ];
    }""")
    assert words[:6] == ["52.106 N", "0.5 W", "0", 0.002, 90, 90]
    assert (words[6]["west"], words[6]["east"]) == (170, -178)
    assert (words[7]["west"], words[7]["east"]) == (1, 5)
    assert words[8:] == ["https://c.t.example/4/5/9.png", None, None]


def test_scale_in_feet_and_miles(hub, open_page):
    page = open_map(open_page)
    expect(page.locator(".map-scale")).to_have_text("50 m")
    hub.ask("PATCH", "/settings", {"units": "imperial"}, if_match="*")
    expect(page.locator(".map-scale")).to_have_text("200 ft")
    page.get_by_role("application").focus()
    # A key that comes while the map still zooms does nothing.
    for _ in range(20):
        if "mi" in page.locator(".map-scale").inner_text():
            break
        page.keyboard.press("-")
        page.wait_for_timeout(400)
    expect(page.locator(".map-scale")).to_have_text(re.compile(r"^\d+ mi$"))
