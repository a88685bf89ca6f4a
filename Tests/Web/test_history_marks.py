# SPDX-License-Identifier: Apache-2.0
"""What the History says of a source: of what it is sure and why, and what a person marks it as."""

import re

from conftest import show_detections, until
from kept_world import Drives, kept
from playwright.sync_api import expect
from scripted_radio import FlockFinder


def test_marks_replace_each_other_and_can_be_listed(hub, open_page, size):
    page = open_page("history/source/1", size)
    toast = page.locator(".toast")
    page.get_by_role("button", name="Mine", exact=True).click()
    expect(toast).to_contain_text("Marked as mine. It raises no alert.")
    page.get_by_role("button", name="Mute", exact=True).click()
    expect(toast).to_contain_text("Muted, no longer mine. It raises no alert.")
    expect(page.get_by_role("button", name="Mine", exact=True)).to_have_attribute("aria-pressed", "false")
    # What is taken back is what was there before.
    toast.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Mine", exact=True)).to_have_attribute("aria-pressed", "true")
    until(page, lambda: (hub.sources()[1]["mine"], hub.sources()[1]["muted"]) == (True, False))
    expect(page.locator(".marks-words")).to_contain_text("Mine, Mute and False alarm replace each other.")
    page.get_by_role("button", name="List marked sources").click()
    marked = [one for one in hub.sources().values() if one["mine"] or one["muted"] or one["false_alarm"]]
    assert 1 < len(marked) < 17
    expect(page.locator(".long-row:not(.ghost)")).to_have_count(len(marked))


def marks(hub) -> dict:
    names = ("mine", "muted", "false_alarm")
    return {number: [name for name in names if one[name]] for number, one in sorted(hub.sources().items())}


def take_back(page, hub, before) -> None:
    page.locator(".toast").get_by_role("button", name="Undo").click()
    for _ in range(200):
        if marks(hub) == before:
            return
        page.wait_for_timeout(50)
    assert marks(hub) == before


def test_many_marks_are_taken_back_to_those_before(hub, open_page):
    before = marks(hub)
    assert sorted(filter(None, before.values())) == [["false_alarm"], ["mine"], ["muted"]]
    page = open_page("history")
    # What is ticked before there are rows is nothing.
    expect(page.locator(".counts")).to_contain_text("17 sources")
    for word, name in (("Mine", "mine"), ("Mute", "muted"), ("False alarm", "false_alarm")):
        page.get_by_role("checkbox", name="Tick all that the filters show").click()
        page.locator(".bulk").get_by_role("button", name=word).click()
        expect(page.locator(".toast")).to_contain_text(": 17 sources")
        assert list(marks(hub).values()) == [[name]] * 17
        take_back(page, hub, before)
    # Single detections, too.
    show_detections(page)
    page.get_by_role("checkbox", name="Tick all that the filters show").click()
    page.locator(".bulk").get_by_role("button", name="Mute").click()
    expect(page.locator(".toast")).to_contain_text("Muted: 17 sources")
    take_back(page, hub, before)


def test_many_marks_are_taken_back_where_the_filter_finds_them_no_more(hub, open_page):
    hub.begin(kept(Drives("still"), {"saved_filters": [{"name": "Quiet", "filter": {"state": ["muted"]}}]}))
    before = marks(hub)
    muted = [number for number, names in before.items() if names == ["muted"]]
    page = open_page("history")
    page.get_by_role("button", name="Saved filters").click()
    page.get_by_role("button", name="Quiet", exact=True).click()
    expect(page.locator(".counts")).to_have_text(f"{len(muted)} of 17 sources")
    page.get_by_role("checkbox", name="Tick all that the filters show").click()
    page.locator(".bulk").get_by_role("button", name="Mine").click()
    expect(page.locator(".toast")).to_contain_text("Marked as mine: 1 source")
    assert marks(hub) == {**before, muted[0]: ["mine"]}
    expect(page.locator(".counts")).to_have_text("0 of 17 sources")
    take_back(page, hub, before)
    expect(page.locator(".counts")).to_have_text("1 of 17 sources")


def test_many_marks_are_taken_back_in_pieces(hub, open_page):
    page = open_page("history")
    asked = page.evaluate(
        """() => import("./own-marks.js").then(({ takenBack }) => takenBack("mine", {
            none: Array.from({ length: 10001 }, (_, at) => at), mine: [20000], muted: [20001], false_alarm: [],
        }).map(([name, { sources }, value = true]) => [name, sources.length, sources.at(-1), value]))"""
    )
    assert asked == [["mine", 10000, 9999, False], ["mine", 1, 10000, False], ["muted", 1, 20001, True]]


def test_marked_sources_are_listed_while_detections_are(hub, open_page):
    page = open_page("history/source/4")
    page.get_by_role("button", name="Detections", exact=True).click()
    expect(page.locator(".counts")).to_contain_text("detections")
    page.get_by_role("button", name="List marked sources").click()
    marked = [one for one in hub.sources().values() if one["mine"] or one["muted"] or one["false_alarm"]]
    expect(page.locator(".counts")).to_have_text(f"{len(marked)} of 17 sources")
    expect(page.locator(".long-row:not(.ghost)")).to_have_count(len(marked))
    expect(page.get_by_role("button", name="Sources", exact=True)).to_have_attribute("aria-pressed", "true")


def test_what_this_radio_has_noticed_shows_its_advertisement(hub, open_page):
    world, sign = Drives("still"), "It offers the service 3100, which this kind has."
    number = world.detections[-1]["source"]
    extra = {"origin": "this_radio", "advertisement": "020106050950656e67", "reasons": ["service 3100 +0.4"]}
    for row in world.detections:
        row.update(extra=extra, octets=None, address=None, address_kind=None)
    hub.begin(kept(world))
    page = open_page(f"history/source/{number}")
    raw = page.locator(".raw")
    expect(raw).to_contain_text("02 01 06 05 09 50 65 6E 67")
    expect(raw.locator("h2")).to_have_text("Its advertisement")
    expect(page.locator(".why")).to_contain_text(sign)
    note = raw.get_by_text("Its name came in its scan response, whose octets were not kept.")
    expect(note).to_have_count(0)
    # One that has its name elsewhere.
    extra["advertisement"] = "020106"
    hub.begin(kept(world))
    page.reload()
    expect(raw).to_contain_text("3 octets")
    expect(note).to_be_visible()
    # One from before advertisements were kept.
    extra.pop("advertisement")
    hub.begin(kept(world))
    page.reload()
    expect(raw).to_contain_text("They were not kept.")


def test_confidence_says_of_what(hub, open_page):
    page = open_page("history")
    words = page.evaluate(
        """() => import("./marks.js").then(({ sureWords, types }) =>
            Object.keys(types).concat("nothing known").map((type) => sureWords(0.82, type)))"""
    )
    assert "82% sure that it is an Axis pro IP camera" in words
    assert "82% sure that it is a Nest camera or doorbell" in words
    assert words[-1] == words[-2] == "82% sure that it is a camera or sensor of a kind that is not known"
    ring = page.locator(".long-row", has_text="FLOCK-S3-1234").locator(".sure")
    expect(ring).to_have_attribute("title", "98% sure that it is a Flock Safety plate reader")


def test_mark_a_source_as_mine_and_take_it_back(hub, open_page, size):
    page = open_page("history/source/1", size)
    button = page.get_by_role("button", name="Mine")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert hub.sources()[1]["mine"] is True
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert hub.sources()[1]["mine"] is False


def test_the_detail_says_why(hub, open_page, size):
    page = open_page("history", size)
    page.locator(".long-row", has_text="FLOCK-S3-1234").click()
    expect(page.locator(".why")).to_contain_text("The device calls it Flock Safety")
    expect(page.locator(".why")).to_contain_text("98% sure that it is a Flock Safety plate reader, as the device reckons")
    expect(page.locator(".raw h2")).to_have_text("The device's message")
    expect(page.get_by_role("img", name=re.compile("3 passes, the strongest"))).to_be_visible()
    expect(page.locator(".raw")).to_contain_text("7B 22 74 79")
    if size == "phone":
        page.locator(".back").click()
        expect(page.locator(".long-row").first).to_be_visible()


def test_a_place_without_an_accuracy_is_no_known(hub, open_page):
    world = Drives("still")
    for number, row in enumerate(world.detections[-2:]):
        fix = {"source": "fixed" if number else "gpx", "age_ms": 0, "accuracy": None, "altitude": None}
        row.update(latitude=52.1, longitude=8.7, fix=fix)
    hub.begin(kept(world))
    page = open_page("history")
    page.get_by_role("button", name="Detections", exact=True).click()
    cells = page.locator(".long-row:not(.ghost) .seen")
    expect(cells.nth(0)).to_have_text("Fixed")
    expect(cells.nth(1)).to_have_text("± ?")


def test_a_place_is_metres_wherever_it_is_listed(hub, open_page, size):
    """A detection has how far its fix may be wrong, a source how far from its place it may stand."""
    world = Drives("still")
    world.detections[-1]["fix"]["accuracy"] = 23.4
    hub.begin(kept(world, {"location": {"source": "browser", "latitude": None, "longitude": None}}))
    if size == "desktop":
        page = open_page("scanner", size)
        expect(page.locator(".latest-row .where").first).to_have_text("±23 m")
        # A place that came afterwards is known as well as that of the fix.
        device = FlockFinder()
        hub.radio.add(device)
        device.detect({"type": "Ring", "rssi": -61, "confidence": 0.9})
        expect(page.locator(".latest-row .where").first).to_have_text("No fix")
        hub.ask("POST", "/position", {"latitude": 52.1, "longitude": 8.7, "accuracy": 31.0})
        expect(page.locator(".latest-row .where").first).to_have_text("±31 m")
        page = open_page("history", size)
        show_detections(page)
        places = page.locator(".long-row:not(.ghost) .seen")
        expect(places.nth(0)).to_have_text("±31 m")
        expect(places.nth(1)).to_have_text("±23 m")
    page = open_page("history/source/1", size)
    expect(page.locator(".detail-figures")).to_contain_text("±48 mPlace")


def test_escape_does_not_drop_a_typed_note(hub, open_page):
    page = open_page("history/source/1")
    page.get_by_role("button", name="Note").click()
    note = page.get_by_role("textbox", name="Note")
    note.fill("Behind the bakery")
    page.keyboard.press("Escape")
    expect(page.locator(".toast")).to_contain_text("not kept yet")
    page.get_by_role("button", name="Note").click()
    expect(note).to_have_value("Behind the bakery")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator(".history-detail .note")).to_contain_text("Behind the bakery")
    page.get_by_role("button", name="Note").click()
    expect(note).to_have_value("Behind the bakery")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_typed_note_is_there_after_a_reload(hub, open_page):
    page = open_page("history/source/1")
    page.get_by_role("button", name="Note").click()
    note = page.get_by_role("textbox", name="Note")
    note.press_sequentially("Behind the bakery")
    page.reload()
    page.get_by_role("button", name="Note").click()
    expect(note).to_have_value("Behind the bakery")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator(".history-detail .note")).to_contain_text("Behind the bakery")
    page.reload()
    page.get_by_role("button", name="Note").click()
    expect(note).to_have_value("Behind the bakery")
    assert page.evaluate("sessionStorage.length") == 0
