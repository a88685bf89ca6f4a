# SPDX-License-Identifier: Apache-2.0
"""The jobs of the History."""

import re
from urllib.parse import parse_qs, urlsplit

from conftest import SIZES, assert_harmless, show_detections, until
from kept_world import kept
from playwright.sync_api import expect


def test_search_as_it_is_typed(hub, open_page, size):
    page = open_page("history", size)
    expect(page.locator(".long-row").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("doorbell")
    expect(page.locator(".long-row")).to_have_count(1)
    expect(page.locator(".counts")).to_have_text("1 of 17 sources")
    page.get_by_role("searchbox").fill("nothing like this")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator(".counts")).to_have_text("17 sources")


def test_filters_and_the_export_of_what_they_show(hub, open_page):
    page = open_page("history")
    page.get_by_role("button", name="Filter", exact=True).click()
    dialog = page.locator("dialog")
    dialog.get_by_label("Muted").check()
    dialog.get_by_label("Time").select_option("7")
    dialog.get_by_role("button", name="Show").click()
    expect(page.locator(".long-row")).to_have_count(1)
    page.get_by_role("button", name="Export", exact=True).click()
    # What is exported are detections, however many sources are listed.
    expect(page.get_by_role("dialog", name="Export")).to_contain_text(re.compile(r"^Export\d+ detections\. "))
    # A link cannot say it once the file is there.
    expect(page.get_by_role("dialog", name="Export")).to_contain_text(
        "GeoJSON, GPX, KML and WiGLE leave out what has no place; WiGLE also what has no address or no known radio."
    )
    query = parse_qs(urlsplit(page.get_by_role("link", name="CSV, for a spreadsheet").get_attribute("href")).query)
    assert query["state"] == ["muted"] and "since" in query
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV, for a spreadsheet").click()
    assert download.value.suggested_filename == "detections.csv"


def test_detections_have_heads_of_their_own(hub, open_page):
    page = open_page("history")
    head = page.locator(".history-head")
    expect(head).to_have_text("SourceConfidenceSeenStrongestLast")
    page.get_by_role("button", name="Detections", exact=True).click()
    expect(head).to_have_text("SourceConfidencePlaceSignalTime")
    row = page.locator(".long-row:not(.ghost)").first
    expect(row.locator(".last")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    expect(row.locator(".seen")).to_have_text(re.compile(r"^(±\d+ m|No fix)$"))
    expect(page.get_by_role("button", name=re.compile("^Export [0-9,]+ detections$"))).to_be_visible()


def test_sources_are_sorted_by_their_heads(hub, open_page):
    page = open_page("history")
    seen = page.locator(".long-row:not(.ghost) .seen")
    strongest = page.locator(".long-row:not(.ghost) .signal .second")
    expect(page.get_by_role("button", name="Sort by last")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Sort by seen").click()
    expect(page.get_by_role("button", name="Sort by seen")).to_have_attribute("aria-pressed", "true")
    # Days are no heads of a list that is not in their order.
    expect(page.locator(".long-head")).to_have_count(0)
    counts = lambda: [int(text.replace(",", "")) for text in seen.all_inner_texts()]  # noqa: E731
    until(page, lambda: len(set(found := counts())) > 1 and found == sorted(found, reverse=True))
    page.get_by_role("button", name="Sort by strongest").click()
    expect(page.get_by_role("button", name="Sort by strongest")).to_have_attribute("aria-pressed", "true")
    until(page, """(() => {
        const all = [...document.querySelectorAll(".long-row:not(.ghost) .signal .second")].map((one) => parseInt(one.textContent.replace("\u2212", "-")));
        return all.length > 3 && all.every((one, index) => !index || one <= all[index - 1]);
    })()""")
    assert strongest.count() > 3
    # Each list has an order of its own.
    page.get_by_role("button", name="Detections", exact=True).click()
    heads = page.get_by_role("button", name=re.compile("^Sort by"))
    expect(heads).to_have_count(1)
    expect(heads).to_have_accessible_name("Sort by time, oldest first")
    page.get_by_role("button", name="Sources", exact=True).click()
    expect(page.get_by_role("button", name="Sort by strongest")).to_have_attribute("aria-pressed", "true")


def moment(page, detection: dict) -> str:
    """When it was received, as a row has it."""
    return page.evaluate("(time) => new Date(time).toTimeString().slice(0, 8)", detection["received"])


def ends(hub) -> list[dict]:
    """The first detection and the last one."""
    return [hub.get("/detections", limit=1, **more)["items"][0] for more in ({"sort": "oldest"}, {})]


def test_detections_are_sorted_by_their_time(hub, open_page):
    page = open_page("history")
    page.get_by_role("button", name="Detections", exact=True).click()
    rows = page.locator(".long-row:not(.ghost) .last")
    first, last = ends(hub)
    expect(rows.first).to_have_text(moment(page, last))
    page.get_by_role("button", name="Sort by time, oldest first").click()
    expect(rows.first).to_have_text(moment(page, first))
    assert any("/detections?" in one and "sort=oldest" in one for one in hub.requests)
    # They stay in the order of time, so days are their heads.
    assert moment(page, first) != moment(page, last)
    expect(page.locator(".long-head").first).to_be_visible()
    back = page.get_by_role("button", name="Sort by time, newest first")
    expect(back).to_be_focused()
    page.keyboard.press("Enter")
    expect(rows.first).to_have_text(moment(page, last))
    # Without the hub the heads say what is listed still.
    hub.go()
    expect(page.locator(".banner")).to_be_visible(timeout=8000)
    page.get_by_role("button", name="Sort by time, oldest first").click()
    expect(page.locator(".toast")).to_contain_text("Try again when it is back.")
    expect(page.get_by_role("button", name="Sort by time, oldest first")).to_be_visible()


def test_a_phone_sorts_in_its_menu(hub, open_page):
    page = open_page("history", "phone")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Sorted by: Last seen").click()
    page.get_by_role("dialog", name="Sort sources by").get_by_role("button", name="Seen most").click()
    expect(page.locator(".long-head")).to_have_count(0)
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="Sorted by: Seen most")).to_be_visible()
    page.keyboard.press("Escape")
    show_detections(page)
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Sorted by: Newest first").click()
    page.get_by_role("dialog", name="Sort detections by").get_by_role("button", name="Oldest first").click()
    row = page.locator(".long-row:not(.ghost) .last").first
    expect(row).to_have_text(moment(page, ends(hub)[0]))


def test_the_first_day_is_that_of_the_rows_that_are_shown(hub, open_page):
    page = open_page("history")
    head = page.locator(".long-head").first
    first = head.locator("span").first.inner_text()
    hub.ask("PATCH", "/sources/16", {"note": "behind the bakery"})
    page.get_by_role("searchbox").fill("bakery")
    expect(page.locator(".long-row")).to_have_count(1)
    expect(head.locator("span").first).not_to_have_text(first)
    page.get_by_role("searchbox").fill("")
    expect(head.locator("span").first).to_have_text(first)


def test_a_phone_filters_part_by_part(hub, open_page):
    page = open_page("history", "phone")
    for part in ["Time", "Confidence", "Kind", "State", "Place"]:
        expect(page.get_by_role("button", name=part, exact=True)).to_be_visible()
    page.get_by_role("button", name="State", exact=True).click()
    sheet = page.get_by_role("dialog", name="State")
    sheet.get_by_text("Muted").click()
    sheet.get_by_role("button", name="Show").click()
    expect(page.locator(".long-row")).to_have_count(1)
    # What is set takes the place of the word that offers it.
    expect(page.get_by_role("button", name="State", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Remove the filter Muted").click()
    expect(page.locator(".counts")).to_have_text("17 sources")
    page.get_by_role("button", name="Kind", exact=True).click()
    page.get_by_role("dialog", name="Kind").get_by_text("Raven").click()
    page.keyboard.press("Escape")
    expect(page.locator(".counts")).to_have_text(re.compile(r"^[12] of 17 sources$"))
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("dialog", name="Filter").get_by_role("button", name="Clear filters").click()
    expect(page.locator(".counts")).to_have_text("17 sources")


def test_a_phone_has_the_rest_in_a_menu(hub, open_page):
    page = open_page("history", "phone")
    expect(page.locator(".long-row").first).to_be_visible()
    assert not page.locator(".tick").first.is_visible()
    menu = lambda word: (  # noqa: E731
        page.get_by_role("button", name="More").click(),
        page.get_by_role("dialog").get_by_role("button", name=word).click(),
    )
    menu("Detections")
    expect(page.locator(".counts")).to_have_text(re.compile("detections$"))
    menu("Sources")
    menu("Saved filters")
    expect(page.get_by_role("dialog", name="Saved filters")).to_be_visible()
    page.keyboard.press("Escape")
    menu(re.compile("^Select$"))
    bulk = page.locator(".bulk")
    expect(bulk).to_contain_text("0 selected")
    expect(bulk.get_by_role("button", name="Delete")).to_be_disabled()
    page.locator(".long-row").nth(1).click()
    page.locator(".long-row").nth(2).click()
    expect(bulk).to_contain_text("2 selected")
    # Five things to do and the way back, each whole on a phone.
    for button in bulk.get_by_role("button").all():
        assert button.evaluate("one => one.scrollWidth <= one.clientWidth"), button.inner_text()
    marked = lambda: sum(one["false_alarm"] for one in hub.sources().values())  # noqa: E731
    before = marked()
    bulk.get_by_role("button", name="False alarm").click()
    expect(page.locator(".toast")).to_contain_text("Marked as a false alarm: 2 sources")
    assert marked() == before + 2
    page.locator(".toast").get_by_role("button", name="Undo").click()
    menu(re.compile("^Select$"))
    page.locator(".long-row").nth(1).click()
    page.locator(".long-row").nth(2).click()
    bulk.get_by_role("button", name="Delete").click()
    expect(page.locator(".counts")).to_have_text("15 sources")
    expect(bulk).to_be_hidden()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".counts")).to_have_text("17 sources")
    menu("Select all 17 sources")
    expect(bulk).to_contain_text("17 selected")
    bulk.get_by_role("button", name="Untick all").click()
    expect(bulk).to_be_hidden()
    assert not page.locator(".tick").first.is_visible()
    page.locator(".long-row").nth(1).click()
    expect(page.get_by_role("button", name="Mine")).to_be_visible()


def test_a_finger_that_stays_on_a_row_ticks_it(hub, open_page):
    page = open_page("history", "phone")
    row = page.locator(".long-row").nth(1)
    finger = {"pointerType": "touch", "isPrimary": True, "clientX": 100, "clientY": 300}
    expect(row).to_be_visible()
    row.dispatch_event("pointerdown", finger)
    expect(page.locator(".bulk")).to_contain_text("1 selected")
    row.dispatch_event("pointerup", finger)
    row.dispatch_event("click")
    expect(page.locator(".bulk")).to_contain_text("1 selected")
    assert page.url.endswith("#/history")
    # One that moves scrolls.
    other = page.locator(".long-row").nth(3)
    other.dispatch_event("pointerdown", finger)
    other.dispatch_event("pointermove", {**finger, "clientY": 320})
    page.wait_for_timeout(700)
    expect(page.locator(".bulk")).to_contain_text("1 selected")


def test_a_source_is_shown_on_the_map(hub, open_page, size):
    page = open_page("history/source/1", size)
    page.get_by_role("link", name="Show on the map").click()
    expect(page.locator(".map-pin[data-chosen]")).to_be_visible()
    expect(page).to_have_url(re.compile("#/map/at/.*/source/1$"))


def test_a_saved_filter_comes_back(hub, open_page):
    page = open_page("history")
    page.get_by_role("searchbox").fill("flock")
    expect(page.locator(".counts")).to_have_text("2 of 17 sources")
    page.get_by_role("button", name="Saved filters").click()
    page.get_by_label("Name of this filter").fill("Plates")
    page.get_by_role("button", name="Save this filter").click()
    expect(page.locator("dialog")).to_have_count(0)
    other = open_page("history")
    other.get_by_role("button", name="Saved filters").click()
    other.get_by_role("button", name="Plates", exact=True).click()
    expect(other.locator(".counts")).to_have_text("2 of 17 sources")


def test_saved_filters_of_others_are_text_and_do_no_harm(hub, open_page):
    """Another program has stored them: names that turn the line round or are long, and filters that are none."""
    names = ["W" * 194 + "\u202eTUO", "<b>bold</b>\u2066", "a\nb", "Plates"]
    filters = [{"text": "flock"}, {"type": 5, "min_confidence": "x"}, {"state": {}}, {"text": "flock", "sort": "none"}]
    hub.begin(kept(settings={"saved_filters": [{"name": name, "filter": one} for name, one in zip(names, filters)]}))
    for size in SIZES:
        page = open_page("history", size)
        expect(page.locator(".long-row").first).to_be_visible()
        if size == "phone":
            page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Saved filters").click()
        dialog = page.get_by_role("dialog", name="Saved filters")
        rows = dialog.locator(".saved-row")
        expect(rows).to_have_count(4)
        expect(rows.first).to_contain_text("U+202E")
        expect(rows.nth(1)).to_contain_text("<b>bold</b>U+2066")
        assert_harmless(page, size)
        box = dialog.bounding_box()
        for button in rows.get_by_role("button").all():
            inner = button.bounding_box()
            assert box["x"] <= inner["x"] and inner["x"] + inner["width"] <= box["x"] + box["width"]
        for index in range(4):
            rows.nth(index).get_by_role("button").first.click()
            expect(dialog).to_have_count(0)
            expect(page.locator(".counts")).to_be_visible()
            if index < 3:
                if size == "phone":
                    page.get_by_role("button", name="More").click()
                page.get_by_role("button", name="Saved filters").click()
        expect(page.locator(".counts")).to_have_text("2 of 17 sources")


def test_delete_with_the_keyboard_and_undo(hub, open_page):
    page = open_page("history")
    expect(page.locator(".long-row").first).to_be_visible()
    before = hub.get("/hub")["storage"]["detections"]
    page.get_by_role("grid").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(page.locator(".bulk")).to_contain_text("2 selected")
    page.locator(".bulk").get_by_role("button", name="Delete").click()
    expect(page.locator(".counts")).to_have_text("15 sources")
    assert hub.get("/hub")["storage"]["detections"] < before
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".counts")).to_have_text("17 sources")
    assert hub.get("/hub")["storage"]["detections"] == before


def test_a_long_name_has_the_room_between_mark_and_figures(hub, open_page):
    page = open_page("history", "phone")
    name = page.locator(".long-row .hint", has_text="Verkada-CD62").first
    expect(name).to_be_visible()
    before, after = name.evaluate("""(name) => {
        const row = name.closest(".long-row"), part = (css) => row.querySelector(css).getBoundingClientRect();
        const words = document.createRange();
        words.selectNodeContents(row.querySelector(".seen"));
        const { left, right } = name.getBoundingClientRect(), padding = parseFloat(getComputedStyle(name).paddingRight);
        return [left - part(".mark-box").right, words.getBoundingClientRect().left - right + padding];
    }""")
    assert 4 <= before <= 14 and 4 <= after <= 14


def test_other_pages_have_their_title_after_a_source(open_page):
    page = open_page("history/source/1", "phone")
    expect(page.locator(".history-detail h2").first).to_be_visible()
    page.locator(".tabs a[data-page=settings]").click()
    expect(page.locator("header h1")).to_have_text("Settings")
    assert page.locator("header h1").bounding_box()["height"] > 20
