# SPDX-License-Identifier: Apache-2.0
"""The jobs of the Scanner."""

import re
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import OWN, try_now, until, violations
from explorer_strap import Strap
from flock_world import around, arrive, drive_on, hub, passed  # noqa: F401
from hub_script import lose_radio, radio_returns
from kept_world import Drives
from playwright.sync_api import expect
from scripted_radio import Device, FlockFinder


def test_a_detection_arrives_by_itself(hub, open_page, size):
    page = open_page("scanner", size)
    rows = page.locator(".latest-row")
    expect(rows.first).to_be_visible()
    before = rows.first.locator(".age").inner_text()
    arrive(hub)
    expect(rows.first).to_have_class(re.compile("fresh"))
    expect(rows.first.locator(".age")).to_have_text("Now")
    assert before != ""


@pytest.mark.parametrize("few", [0, 20, None])
def test_detections_are_asked_for_once_at_start(hub, open_page, few):
    world = Drives("still")
    is_recent = lambda row: datetime.fromisoformat(row["received"]) > world.now - timedelta(minutes=9)  # noqa: E731
    if few is not None:
        old = [row for row in world.detections if not is_recent(row)]
        world.detections = old + [row for row in world.detections if is_recent(row)][:few]
    drive_on(hub, world)
    page = open_page()
    expect(page.locator(".status")).to_contain_text("Live")
    expect(page.locator(".latest-row").first).to_be_visible()
    asked = [parse_qs(urlsplit(one).query) for one in hub.requests if one.startswith("GET /api/v1/detections?")]
    assert len(asked) == (1 if few is None else 2)
    assert asked[0]["limit"] == ["1000"]
    if few is not None:
        assert (asked[1]["until"], asked[1].get("since")) == (asked[0]["since"], None)
        assert int(asked[1]["limit"][0]) <= 50 - few
        newest = {row["source"] for row in hub.get("/detections", limit=50)["items"]}
        shown = page.locator(".latest-row .cover").evaluate_all("all => all.map((one) => one.hash.split('/').pop())")
        assert {int(one) for one in shown} == newest and len(shown) == len(newest)


def test_rows_do_not_move_under_the_pointer(hub, open_page):
    page = open_page()
    rows = page.locator(".latest-row")
    rows.nth(2).hover()
    name = rows.first.inner_text().splitlines()[0]
    arrive(hub, "verkada")
    expect(page.locator(".waiting")).to_have_text("1 new")
    assert rows.first.inner_text().splitlines()[0] == name
    page.mouse.move(5, 5)
    expect(page.locator(".waiting")).to_be_hidden()


def test_commands_reach_the_device(hub, open_page):
    page = open_page()
    page.get_by_role("button", name="Ping").click()
    expect(page.locator(".toast")).to_contain_text(re.compile(r"Answered in \d+ ms: pong"))
    # Not anywhere in the card: the radio's own switch is off from the beginning.
    stream = page.locator(".connection .line-row").filter(has_text="Raw stream")
    expect(stream).to_contain_text("Off")
    for word in ("Shown in Debug", "Off"):
        page.get_by_role("switch", name="Raw stream").click()
        expect(stream).to_contain_text(word)
        assert hub.get("/devices")["items"][0]["stream"] is (word != "Off")
    arrive(hub)
    figure = page.locator(".connection .figure").first
    expect(figure).to_have_text("1")
    page.get_by_role("button", name="Reset counters").click()
    expect(figure).to_have_text("0")
    assert hub.finder.commands == ["PING", "stream_on", "stream_off", "RESET"]


def test_disconnect_and_connect_again(hub, open_page):
    page = open_page()
    page.get_by_role("button", name="Disconnect").click()
    expect(page.locator(".connection")).to_contain_text("Not connected")
    page.locator(".connection").get_by_role("button", name="Connect").click()
    expect(page.locator(".connection")).to_contain_text("Connected")


def test_the_sheet_of_the_device_on_a_phone(hub, open_page):
    page = open_page("scanner", "phone")
    page.locator(".summary").click()
    sheet = page.locator("dialog")
    sheet.get_by_role("button", name="Status").click()
    expect(sheet.locator(".answer")).to_contain_text(re.compile(r"Answered in \d+ ms: ready"))
    sheet.get_by_role("button", name="Disconnect").click()
    expect(sheet.get_by_role("button", name="Connect", exact=True)).to_be_focused()
    box = sheet.bounding_box()
    assert box["x"] >= 0 and sheet.evaluate("d => d.scrollWidth <= d.clientWidth")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_open_and_explore_go_to_that_device(hub, open_page):
    hub.radio.add(Strap())
    page = open_page("scanner", "phone")
    wanted = {
        "Explore HR strap 9A3C2B": ("HR strap 9A3C2B", "explorer/device", "heading"),
        "Open Triones-A10103": ("Triones-A10103", "bulbs", "heading"),
        # Its page shows what the child is called, whatever the device is.
        "Open Jonas’ lamp": ("Jonas’ lamp", "nightlights", "link"),
    }
    for link, (name, where, role) in wanted.items():
        page.goto(f"{hub.address}/#/scanner")
        page.locator(".summary").click()
        page.get_by_role("link", name=link).click()
        expect(page.locator("dialog")).to_have_count(0)
        device = next(one for one in hub.get("/devices")["items"] if name in (one["name"], one["own_name"]))
        own = device["address"].replace(":", "") if where == "nightlights" else f"{device['id']}"
        assert page.evaluate("location.hash") == f"#/{where}/{own}"
        expect(page.get_by_role(role, name="New lamp" if where == "nightlights" else name).first).to_be_visible()


def test_first_run_asks_what_there_is_and_leads_there(hub, open_page, size):
    hub.begin()
    hub.radio.add(*around()[3:], Device("Thermo\u0007<i>7</i>", {}), Device(None, {}, -91))
    page = open_page("scanner", size, bypass_csp=True, reduced_motion="reduce")
    expect(page.get_by_role("heading", name="What do you have?")).to_be_visible()
    expect(page.locator(".steps").first).to_contain_text("6 devices heard")
    assert violations(page) == []
    for name, where in (
        ("A nightlight 1 lamp near", "nightlights"),
        ("A light bulb An LED bulb with Bluetooth", "bulbs"),
        ("A new ESP32 Give it your Wi-Fi", "wifi"),
        ("Another gadget See what it says and can do", "explorer"),
    ):
        page.get_by_role("link", name=name, exact=True).click()
        until(page, f"document.documentElement.dataset.page === '{where}' && document.querySelector('main > *')")
        page.goto(f"{hub.address}/#/scanner")
    for name, title in (("A FlockFinder", "Waiting for the first detection"), ("Nothing yet", "Nothing at hand")):
        page.get_by_role("button", name=name).click()
        head = page.get_by_role("heading", name=title)
        expect(head).to_be_focused()
        expect(head).to_be_in_viewport()
    expect(page.get_by_role("switch", name="Notice cameras with this radio")).to_be_visible()
    expect(page.get_by_text("to see it with simulated devices")).to_be_visible()
    # Who has a FlockFinder that is connected waits for what it finds.
    hub.finder = FlockFinder()
    hub.radio.add(hub.finder)
    until(page, "document.querySelector('main h2').textContent === 'Waiting for the first detection'")
    arrive(hub)
    expect(page.locator(".latest-row")).to_have_count(1)


def test_no_radio_says_why_and_what_to_type(hub, open_page, size):
    lose_radio(hub)
    hub.faults.instead("POST /radio/retry", lambda body: (204, radio_returns(hub)))
    page = open_page("scanner", size)
    expect(page.get_by_role("heading", name="The Bluetooth radio is in use")).to_be_visible()
    expect(page.locator(".trouble")).to_contain_text("sudo systemctl stop bluetooth")
    expect(page.locator(".status")).to_contain_text("No radio")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".latest-row").first).to_be_visible()


def test_the_hub_goes_and_comes_back(hub, open_page, size):
    page = open_page("scanner", size)
    expect(page.locator(".latest-row").first).to_be_visible()
    hub.go()
    banner = page.locator(".banner")
    expect(banner).to_contain_text("The hub is not answering.", timeout=8000)
    expect(banner).to_contain_text(re.compile(r"known at \d\d:\d\d:\d\d"))
    expect(page.locator(".connection")).to_contain_text("Not known while the hub is away")
    expect(page.locator(".latest-row").first).to_be_visible()
    hub.come_back()
    arrive(hub)
    try_now(page)
    expect(banner).to_be_hidden()
    expect(page.locator(".latest-row").first.locator(".age")).to_have_text(re.compile(r"Now|\d s"))


def test_what_was_missed_is_fetched_after_a_gap(hub, open_page):
    """One is not told; nor is what the engine forgets since it is too old, for which it looks once a minute."""

    def forget(days: int) -> None:
        told = len(hub.events)
        hub.ask("PATCH", "/settings", {"retention_days": days}, if_match="*")
        while not any(name == "gap" for name, _ in hub.events[told:]):
            hub.later(1)

    forget(3)
    hub.later(56)
    page = open_page()
    expect(page.locator(".status")).to_contain_text("Live")
    with hub.changed:
        told = len(hub.events)
        arrive(hub, "pigvision")
        late = hub.events[told:]
        del hub.events[told:]
    source = hub.get("/detections", limit=1)["items"][0]["source"]
    link = page.locator(f'.latest-row a[href="#/history/source/{source}"]').first
    expect(link).to_have_count(0)
    forget(1)
    expect(link).to_be_visible()
    # One that is told all the same counts once.
    count = page.locator("header").get_by_text(re.compile(r"^\d+ detections of \d+ sources"))
    words = count.inner_text()
    with hub.changed:
        hub.events.extend(late)
    arrive(hub, "pigvision")
    expect(count).to_contain_text(f"{int(words.split()[0]) + 1} detections")
    expect(page.locator(".latest-row .age").first).to_have_text(re.compile(r"Now|^\d s$"))
    until(page, lambda: hub.requests.count("GET /api/v1/hub") == 2)


@pytest.mark.parametrize("hours", [-3, 3])
def test_ages_hold_where_the_clock_of_the_browser_is_wrong(hub, open_page, hours):
    page = open_page("debug")
    page.clock.set_fixed_time(datetime.now() + timedelta(hours=hours))
    page.goto(f"{hub.address}/?wrong#/scanner")
    expect(page.locator(".status")).to_contain_text("Live")
    ages = page.locator(".latest-row .age")
    expect(ages.last).to_have_text(re.compile(r"^\d+ min$"))
    expect(page.locator(".pass-dots").first).to_be_attached()
    arrive(hub)
    expect(ages.first).to_have_text(re.compile(r"^(Now|\d s)$"))
    page.get_by_role("button", name=re.compile("^Status: ")).click()
    side = "behind" if hours < 0 else "ahead of"
    expect(page.get_by_role("dialog", name="Status")).to_contain_text(re.compile(f"clock is (3 h 0|2 h 59) min {side} the hub"))


@pytest.mark.parametrize("minutes, shown", [(1, 2), (4, 5), (300, 10)])
def test_the_picture_shows_what_the_hub_can_know(hub, open_page, minutes, shown):
    drive_on(hub, passed((1, 30, -60)), behind=60 * minutes)
    hub.later(60 * minutes, step=30)
    page = open_page("scanner")
    expect(page.locator(".arcs-card h2")).to_have_text(f"Last {shown} minutes")
    expect(page.locator(".arcs text", has_text=f"−{shown} min")).to_have_count(1)
    expect(page.get_by_role("img", name=f"1 pass in the last {shown} minutes")).to_be_visible()


def test_now_stands_under_the_line_of_now(open_page):
    """Styles of other pages leave the drawing alone."""
    page = open_page("scanner")
    line, word = page.locator(".arcs .now-line").bounding_box(), page.locator(".arcs .now-word").bounding_box()
    assert abs(line["x"] + line["width"] / 2 - word["x"] - word["width"] / 2) < 2
    assert line["y"] + line["height"] <= word["y"] + 4


def test_the_picture_of_a_town_shows_fewer_minutes(hub, open_page):
    def crowd(sources: int) -> Drives:
        """A source every eight seconds: 75 in ten minutes, 38 in five."""
        return passed(*((1 + number % sources, 8 * (75 - number), -60) for number in range(75)))

    # The same few sources again and again are no crowd.
    drive_on(hub, crowd(17))
    page = open_page("scanner")
    heading = page.locator(".arcs-card h2")
    expect(heading).to_have_text("Last 10 minutes")
    drive_on(hub, crowd(75))
    page.reload()
    expect(heading).to_have_text("Last 5 minutes")


@pytest.mark.parametrize("passes", [16, 40, 90])
def test_many_arcs_are_calm(hub, open_page, size, passes):
    # So many sources were passed in the last two minutes.
    drive_on(hub, passed(*((1 + at, 110 * (passes - at) / passes, -45 - at * 7 % 50) for at in range(passes))), behind=600)
    hub.later(600, step=60)
    page = open_page("scanner", size)
    expect(page.get_by_role("img", name=re.compile(f"^{passes} passes"))).to_be_visible()
    marks, lines = page.locator(".pass.has-mark"), page.locator(".pass:not(.has-mark) .pass-line")
    faint = lines.first.evaluate("line => getComputedStyle(line).opacity") == "0.2"
    # A phone's picture is smaller, and full with fewer.
    many, most = (20, 5) if size == "phone" else (50, 12)
    assert faint == (passes > many)
    if passes > many:
        assert 3 <= marks.count() <= most
        expect(page.locator(".pass-dots").first).to_be_hidden()


def test_units_are_the_same_on_every_page(hub, open_page):
    page = open_page("settings")
    wide = {number: f"±{round(one['place']['radius'] / 0.3048)} ft" for number, one in hub.sources().items() if one["place"]}
    page.get_by_role("button", name="Imperial").click()
    for route, selector, words in [
        ("settings", ".placed", "±13 ft"),
        ("scanner", ".place-card", "mph"),
        ("scanner", ".place-card .accuracy", "±13 ft"),
        ("scanner", ".latest-row .where", "ft"),
        ("map", ".map-list", wide[2]),
        ("map", ".map-scale", "ft"),
        ("history/source/1", ".detail-figures", wide[1]),
    ]:
        page.evaluate("(route) => { location.hash = `#/${route}` }", route)
        expect(page.locator(selector).first).to_contain_text(words)
        expect(page.locator("main")).not_to_contain_text(re.compile(r"±\d+ m|km/h"))
    assert page.evaluate("""async () => {
        const { far, useUnits } = await OWN("text.js");
        const all = [0.4, 850, 5462, 12400].map(far);
        useUnits("metric");
        return [...all, ...[18, 999, 5462, 12400].map(far)];
    }""".replace("OWN", OWN)) == ["1 ft", "0.5 mi", "3.4 mi", "7.7 mi", "18 m", "999 m", "5.5 km", "12 km"]


def test_when_a_device_was_heard_is_never_cut(hub, open_page):
    page = open_page("scanner")
    page.set_viewport_size({"width": 800, "height": 1000})
    expect(page.locator(".around-row").nth(3)).to_be_visible()
    hub.go()
    expect(page.locator(".around-row .when").first).to_contain_text("heard at")
    for row in page.locator(".around-row .name").all():
        when, outer = row.locator(".when").bounding_box(), row.bounding_box()
        assert when["x"] + when["width"] <= outer["x"] + outer["width"] + 1, row.inner_text()
