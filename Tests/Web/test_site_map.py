# SPDX-License-Identifier: Apache-2.0
"""The Map of the demo that runs without a hub: an invented route, pins that come by themselves, layers, links, files."""

import json
import math
import re

import pytest
from conftest import until, violations
from playwright.sync_api import expect
from test_site import FOLDER, Site, clean, pytestmark

__all__ = ["pytestmark"]
# How long a pin may be waited for, in milliseconds: the demo has one within seconds.
PATIENCE = 30_000
# How many pixels of the canvas have a colour of the theme; and how many are of a warm one.
PIXELS = """
    const canvas = document.querySelector(".map-canvas");
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
"""
INK = f"""(color) => {{
    const probe = document.body.appendChild(document.createElement("span"));
    probe.style.color = `var(--${{color}})`;
    const [red, green, blue] = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
    probe.remove();
    {PIXELS}
    for (let at = 0; at < data.length; at += 4) {{
        if (data[at + 3] > 250 && data[at] === red && data[at + 1] === green && data[at + 2] === blue) count += 1;
    }}
    return count;
}}"""
GLOW = f"""() => {{
    {PIXELS}
    for (let at = 0; at < data.length; at += 4) count += data[at + 3] > 20 && data[at] - data[at + 2] > 60;
    return count;
}}"""


@pytest.fixture
def hub(request):
    """The demo a minute after its beginning, when there is something on its street; or as it begins."""
    site = Site(0 if request.node.get_closest_marker("from_the_beginning") else 60)
    yield site
    site.close()


def open_map(open_page, size: str = "desktop", route: str = "map", **options):
    page = open_page(route, size, **{"reduced_motion": "reduce", **options})
    expect(page.locator(".map-me")).to_be_attached(timeout=PATIENCE)
    return page


def still(page) -> None:
    """Ends the connection of the FlockFinder: no more detections come."""
    page.evaluate("location.hash = '#/scanner'")
    leave, summary = page.get_by_role("button", name="Disconnect"), page.locator(".summary")
    expect(leave.or_(summary).filter(visible=True)).to_be_visible(timeout=PATIENCE)
    if summary.is_visible():
        summary.click()
    leave.click()
    expect(page.get_by_role("button", name="Connect", exact=True).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def still_map(open_page, size: str = "desktop", **options):
    """A map with some pins on which no more arrive."""
    page = open_map(open_page, size, **options)
    # A phone shows less of the street.
    until(page, f"document.querySelectorAll('.map-pin').length > {3 if size == 'desktop' else 1}", 90)
    still(page)
    page.evaluate("location.hash = '#/map'")
    expect(page.locator(".map-pin").first).to_be_visible(timeout=PATIENCE)
    return page


def show_list(page) -> None:
    # Looked for and not looked at: the page may not be there yet.
    if page.viewport_size["width"] < 1100:
        page.get_by_role("button", name="List of what is in view").click()


def place_of(page) -> tuple[float, float]:
    latitude, longitude = re.search(r"at/(-?[\d.]+),(-?[\d.]+),", page.url).groups()
    return float(latitude), float(longitude)


@pytest.mark.from_the_beginning
def test_it_opens_on_the_place_and_pins_come_by_themselves(hub, open_page, size):
    page = open_map(open_page, size)
    # Where the route of the demo is.
    latitude, longitude = place_of(page)
    assert abs(latitude - 52.473) < 0.02 and abs(longitude - 13.402) < 0.03
    expect(page.locator(".map-me")).to_be_in_viewport()
    expect(page.locator(".map-pin").first).to_be_visible(timeout=PATIENCE)
    pins = page.locator(".map-pin").count()
    until(page, lambda: page.locator(".map-pin").count() > pins, 60)
    clean(page)


def test_one_is_chosen_marked_and_let_go(hub, open_page, size):
    page = still_map(open_page, size)
    show_list(page)
    row = page.get_by_role("grid", name="In view").get_by_role("row").filter(has_text="±").first
    radius = re.search(r"±\d+ m", row.inner_text())[0]
    kind = row.locator(".title").inner_text()
    row.click()
    card = page.locator(".map-sheet" if size == "phone" else ".map-card")
    expect(card.get_by_role("heading")).to_have_text(kind)
    expect(card).to_contain_text(radius)
    expect(page.locator(".map-pin[data-chosen]")).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"/source/\d+$"))
    mute = card.get_by_role("button", name="Mute")
    mute.click()
    expect(card.get_by_role("button", name="Muted")).to_have_attribute("aria-pressed", "true")
    clean(page)
    # What was said lies over the sheet of a phone for a while; a pointer there would hold it.
    page.mouse.move(5, 5)
    expect(page.locator(".toast")).to_have_count(0, timeout=15_000)
    card.get_by_role("link", name="Why").click()
    expect(page.get_by_role("heading", name="Why it was raised")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Muted")


def test_the_list_says_what_the_map_shows(hub, open_page):
    page = still_map(open_page)
    page.get_by_role("application").focus()
    page.keyboard.press("-")
    expect(page).to_have_url(re.compile(",15$"))
    pins, clusters = page.locator(".map-pin"), page.locator(".map-cluster")
    head = page.locator(".map-list-head .hint")
    for zoom in range(14, 9, -1):
        page.keyboard.press("-")
        expect(page).to_have_url(re.compile(f",{zoom}$"))
        until(page, lambda: "source" in head.inner_text())
        page.wait_for_timeout(400)
    expect(clusters.first).to_be_visible()
    said = head.inner_text()
    held = sum(int(text) for text in clusters.locator(".cluster-count").all_text_contents()) + pins.count()
    assert said.startswith(f"{held} sources"), said
    # Zooming into a cluster shows what it holds.
    clusters.first.click()
    until(page, lambda: int(page.url.rsplit(",", 1)[1]) > 10)


def test_route_and_heat_are_drawn_and_left_out(hub, open_page):
    page = still_map(open_page)
    until(page, lambda: page.evaluate(INK, "map-route") > 200, 60)
    page.get_by_role("button", name="Layers").click()
    page.get_by_role("switch", name="Route driven").press("Space")
    until(page, lambda: page.evaluate(INK, "map-route") == 0)
    page.get_by_role("switch", name="Error circles").press("Space")
    before = page.evaluate(GLOW)
    page.get_by_role("switch", name="Heat of sightings").press("Space")
    until(page, lambda: page.evaluate(GLOW) > before + 2000)
    page.get_by_role("switch", name="Route driven").press("Space")
    until(page, lambda: page.evaluate(INK, "map-route") > 200)
    # Of what is muted, nothing is left when that is switched off.
    page.get_by_role("switch", name="Muted and mine").press("Space")
    page.keyboard.press("Escape")
    shown = page.locator(".map-pin").count()
    page.locator(".map-pin").first.click()
    page.locator(".map-card").get_by_role("button", name="Mine").click()
    page.locator(".map-card").get_by_role("button", name="Close").click()
    expect(page.locator(".map-pin")).to_have_count(shown - 1)


def test_filters_and_a_link_bring_back_the_view(hub, open_page, size):
    page = still_map(open_page, size)
    types = page.locator(".map-pin svg").evaluate_all("all => all.map((one) => one.outerHTML.match(/type-(\\w+)/)[1])")
    wanted = types[0]
    latitude, longitude = place_of(page)
    page.evaluate(f"location.hash = '#/map/at/{latitude},{longitude},15/filter/type={wanted}'")
    expect(page.locator(f".map-pin:not(:has(.type-{wanted}))")).to_have_count(0)
    expect(page.locator(".map-feature:not(.map-me)").first).to_be_visible()
    page.get_by_role("searchbox").fill("nothing has this name")
    expect(page.locator(".map-feature:not(.map-me)")).to_have_count(0)
    if size == "desktop":
        expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    expect(page.locator(".map-feature:not(.map-me)").first).to_be_visible()
    link = page.url
    assert f"type={wanted}" in link and ",15/" in link
    # The same view in another window, whose demo is another one.
    other = open_map(open_page, size, link.split("#/")[1])
    expect(other).to_have_url(re.compile(re.escape(link.split("#")[1])))
    expect(other.locator(f".map-feature:has(.type-{wanted})").first).to_be_attached(timeout=120_000)
    expect(other.locator(f".map-pin:not(:has(.type-{wanted}))")).to_have_count(0)


def degrees(page, x: float, y: float) -> tuple[float, float]:
    """Latitude and longitude of a point of the window."""
    latitude, longitude = place_of(page)
    world = 256 * 2 ** int(re.search(r"at/[^,]+,[^,]+,(\d+)", page.url)[1])
    stage = page.locator(".map-stage").bounding_box()
    east = (x - stage["x"] - stage["width"] / 2) / world
    south = (y - stage["y"] - stage["height"] / 2) / world
    middle = math.asinh(math.tan(math.radians(latitude))) / math.tau
    return math.degrees(math.atan(math.sinh(math.tau * (middle - south)))), longitude + 360 * east


def exported(page) -> list[dict]:
    """The detections of the file that is offered."""
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON, everything").click()
    assert download.value.suggested_filename == "lantern-detections.json"
    page.keyboard.press("Escape")
    return json.loads(download.value.path().read_text())["detections"]


def test_a_box_is_exported_with_just_what_lies_in_it(hub, open_page, size):
    page = still_map(open_page, size)
    show_list(page)
    page.get_by_role("button", name="Box to export").click()
    frame = page.locator(".map-box").bounding_box()
    north, west = degrees(page, frame["x"], frame["y"])
    south, east = degrees(page, frame["x"] + frame["width"], frame["y"] + frame["height"])
    bar = page.get_by_role("group", name="Box to export")
    expect(bar).to_contain_text(re.compile(r"\d+ detections? of \d+ sources?"))
    count, sources = map(int, re.findall(r"\d+", bar.get_by_role("status").inner_text()))
    bar.get_by_role("button", name="Export").click()
    rows = exported(page)
    assert len(rows) == count > 0
    page.evaluate("location.hash = '#/history'")
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.locator(".map-box")).to_have_count(0)
    page.get_by_role("button", name="Export").first.click()
    all_rows = exported(page)
    edge, best = 3e-5, {}

    def depth(row):
        latitude, longitude = row["location"]["latitude"], row["location"]["longitude"]
        return min(latitude - south, north - latitude, longitude - west, east - longitude)

    for row in all_rows:
        # What stands on the frame itself may be on either side of it.
        assert abs(depth(row)) < edge or (row in rows) == (depth(row) > 0), row
        named = row["device_type"], row["mac_address"], row["ssid"]
        if named not in best or row["rssi"] > best[named]["rssi"]:
            best[named] = row
    # A source is where it was heard best.
    depths = [depth(row) for row in best.values()]
    assert abs(sum(one > 0 for one in depths) - sources) <= sum(abs(one) < edge for one in depths)
    assert len(all_rows) >= len(rows)


def test_known_cameras_come_from_a_file_and_go(hub, open_page, size, tmp_path):
    page = still_map(open_page, size)
    latitude, longitude = place_of(page)
    at = page.url.split("#/")[1]
    camera = lambda number: {  # noqa: E731
        "type": "Feature", "id": f"node/{number}", "properties": {"man_made": "surveillance", "name": f"Pole {number} 📷", "direction": "N;90"},
        "geometry": {"type": "Point", "coordinates": [longitude + number * 2e-5, latitude + number * 2e-5]},
    }  # fmt: skip
    file = tmp_path / "street.geojson"
    features = [camera(number) for number in range(3)] + [{**camera(9), "geometry": {"type": "Point", "coordinates": [1, 99]}}]
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}, ensure_ascii=False))
    page.evaluate("location.hash = '#/settings/map'")
    page.locator("input[data-known]").set_input_files(file)
    told = page.get_by_role("dialog", name="Imported")
    expect(told).to_contain_text("street: 3 cameras. 1 entry could not be used.")
    expect(told.locator(".faults")).to_contain_text("its latitude, which comes second, must be a number from -90 to 90")
    page.keyboard.press("Escape")
    expect(page.get_by_text("3 cameras, street.geojson, added today")).to_be_visible()
    clean(page)
    page.evaluate("at => { location.hash = `#/${at}` }", at)
    show_list(page)
    rows = page.get_by_role("grid", name="In view").get_by_role("row").filter(has_text="Known camera")
    expect(rows).to_have_count(3)
    rows.filter(has_text="Pole 1 📷").click()
    card = page.locator(".map-sheet" if size == "phone" else ".map-card")
    expect(card).to_contain_text("To the north, east")
    page.evaluate("location.hash = '#/settings/map'")
    broken = tmp_path / "broken.geojson"
    broken.write_text("hello")
    page.locator("input[data-known]").set_input_files(broken)
    expect(page.locator(".toast")).to_contain_text("The file cannot be read: line 1")
    page.get_by_role("button", name="Remove street").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Remove street")).to_have_count(0)
    page.evaluate("at => { location.hash = `#/${at}` }", at)
    show_list(page)
    expect(page.get_by_role("grid", name="In view").get_by_role("row").first).to_be_visible()
    expect(rows).to_have_count(0)


def test_axe_finds_nothing_with_everything_open(hub, open_page, size):
    page = still_map(open_page, size, bypass_csp=True)
    page.get_by_role("button", name="Layers").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    show_list(page)
    assert violations(page) == []
    page.get_by_role("button", name="Box to export").click()
    expect(page.locator(".map-box-bar")).to_contain_text("detection")
    assert violations(page) == []
    page.keyboard.press("Escape")
    show_list(page)
    page.get_by_role("grid", name="In view").get_by_role("row").filter(has_text="±").first.click()
    expect(page.locator(".map-card h2, .map-sheet h2").first).to_be_visible()
    clean(page)


def test_the_map_works_without_a_network(hub, open_page):
    page = open_page("scanner")
    until(page, "navigator.serviceWorker.ready.then(() => true)", 20)
    hub.close()
    page.reload()
    until(page, "document.querySelectorAll('main li').length > 3", 15)
    page.evaluate("location.hash = '#/map'")
    expect(page.locator(".map-pin").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".map-canvas")).to_be_attached()


def test_what_draws_the_map_is_fetched_with_it_alone_and_said_when_it_is_missing(hub, chromium):
    page = chromium.new_context(service_workers="block").new_page()
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.route("**/leaflet/**", lambda route: route.fulfill(status=404))
    page.goto(f"{hub.address}/#/scanner")
    until(page, "document.querySelectorAll('main li').length > 8", 30)
    assert not [one for one in fetched if "/leaflet/" in one]
    page.evaluate("location.hash = '#/map'")
    expect(page.get_by_role("heading", name="The map needs Leaflet")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Check the network")
    clean(page)
    page.unroute("**/leaflet/**")
    page.reload()
    expect(page.locator(".map-pin").first).to_be_visible(timeout=PATIENCE)
    assert [one for one in fetched if one.endswith("/leaflet/leaflet.esm.min.js")]
    page.context.close()


# Whether a picture is shown, and of what it was refused.
PICTURE = """(address) => new Promise((done) => {
    const picture = new Image();
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => done(effectiveDirective), { once: true });
    picture.onload = () => done("shown");
    picture.src = address;
})"""


def test_the_demo_shows_pictures_of_nobody(hub, chromium):
    other = Site()
    page = chromium.new_context(viewport={"width": 1440, "height": 900}).new_page()
    # What this browser remembers of its Bluetooth's settings is none of the demo's.
    page.add_init_script(f"localStorage.setItem('lantern-map-server', '{other.address}/{{z}}/{{x}}/{{y}}')")
    page.goto(f"{hub.address}/#/map")
    expect(page.locator(".map-me")).to_be_attached(timeout=PATIENCE)
    expect(page.locator(".map-note")).to_have_text("No map server is set, nothing is fetched")
    assert page.evaluate(PICTURE, f"{other.address}/icon.svg") == "img-src"
    assert page.evaluate(PICTURE, f"{hub.address}/icon.svg") == "shown"
    page.evaluate("location.hash = '#/settings/map'")
    group = page.locator("#group-map")
    expect(group).to_contain_text("The demo forgets what is chosen")
    expect(group.get_by_role("combobox")).to_have_count(0)
    page.context.close()
    other.close()


SWIFT = FOLDER.parent.parent / "Tests/HubWebTests/ContentPolicyTests.swift"


def test_hosts_of_map_servers_are_told_as_a_hub_does(hub, open_page):
    """The addresses are those that the hub's own policy is tried with."""
    right, wrong = SWIFT.read_text().split("func whatCannotBeToldForSureIsNot")[0].split("@Test(arguments: [")[1:]
    pairs = re.findall(r'\("([^"]+)", "([^"]+)"\)', right)
    none = [json.loads(f'"{one}"') for one in re.findall(r'"((?:[^"\\]|\\.)*)"', wrong)]
    assert len(pairs) >= 4 and len(none) >= 20
    page = open_page("scanner")
    told = page.evaluate(
        "async (all) => { const { sourceOf } = await import('./map-server.js'); return all.map(sourceOf); }",
        [one for one, _ in pairs] + none + [None],
    )
    assert told == [source for _, source in pairs] + [None] * (len(none) + 1)


def test_its_licence_comes_with_what_draws_the_map():
    said = (FOLDER / "licences.txt").read_text()
    assert "Leaflet" in said and "Vladimir Agafonkin" in said and "Redistributions in binary form" in said
    assert sorted(one.name for one in (FOLDER / "leaflet").iterdir()) == ["leaflet.css", "leaflet.esm.min.js"]
