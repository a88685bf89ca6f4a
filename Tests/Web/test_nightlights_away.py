# SPDX-License-Identifier: Apache-2.0
"""What the page Nightlights says and draws of a lamp that is away, of its battery, and of times between two minutes."""

from datetime import datetime, timedelta

import pytest
from conftest import until
from lamp_world import come_back, dashboard, go_away, hub, lose, retell, wait_for  # noqa: F401
from peers.lamp_values import CHARGING, level_status
from playwright.sync_api import expect
from scripted_lamp import AMBER, period
from test_bulbs import check
from test_nightlights import open_lamp


def send_pending(hub, page) -> None:
    """The lamp is back, and takes what it was to have."""
    come_back(hub)
    until(page, lambda: hub.lamp.week["name"] == "Holidays")


def test_a_week_that_waits_is_dashed_and_solid_when_the_lamp_has_it(hub, open_page, size):
    page = open_lamp(open_page, "/week", size)
    expect(page.get_by_role("button", name="Monday to Friday, 19:30 to 07:00")).to_be_visible()
    go_away(hub)
    expect(page.get_by_text("Not connected")).to_be_visible()
    wait_for(hub, "21:00", "05:00")
    bar = page.get_by_role("region", name="Monday to Friday").locator(".week-bar")
    expect(bar.locator(".pending")).to_have_attribute("title", "Waits for the lamp: 21:00 to 05:00")
    assert bar.locator(".pending").evaluate("one => getComputedStyle(one).borderTopStyle") == "dashed"
    # What the lamp has is drawn as before.
    expect(page.get_by_role("button", name="Monday to Friday, 19:30 to 07:00")).to_be_visible()
    expect(page.get_by_text("Dashed: what is sent when the lamp is back.")).to_be_visible()
    check(page, size, "a pending week")
    send_pending(hub, page)
    expect(page.get_by_role("button", name="Monday to Friday, 21:00 to 05:00")).to_be_visible()
    expect(page.locator(".pending")).to_have_count(0)
    expect(page.get_by_text("Dashed: what is sent when the lamp is back.")).to_be_hidden()
    expect(page.get_by_label("Name of the week")).to_have_value("Holidays")


def test_tonight_has_the_pending_week_dashed_too(hub, open_page, size):
    page = open_lamp(open_page, "", size)
    lose(hub, page)
    wait_for(hub, "21:00", "05:00")
    dashed = page.locator(".band .pending")
    expect(dashed).to_have_count(1)
    left, whole = dashed.bounding_box(), page.locator(".band").bounding_box()
    # From noon to noon: 21:00 is nine hours on.
    assert abs((left["x"] - whole["x"]) / whole["width"] - 9 / 24) < 0.01
    check(page, size, "a pending week, tonight")
    send_pending(hub, page)
    expect(dashed).to_have_count(0)
    expect(page.locator(".band-box .spoken").last).to_contain_text("21:00 to 05:00")


def test_an_answer_from_before_the_change_does_not_take_it_away(hub, open_page):
    page, held = open_lamp(open_page), []
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    page.route("**/light-preview", lambda route: held.append(route))
    lose(hub, page)
    until(page, lambda: held)
    page.wait_for_timeout(300)
    early = [*held]
    wait_for(hub, "21:00", "05:00")
    # The week that it has, and the one that it will have.
    until(page, lambda: len(held) == len(early) + 2)
    for route in held[len(early):]:
        route.continue_()
    dashed = page.locator(".band .pending")
    expect(dashed).to_have_count(1)
    for route in early:
        route.continue_()
    page.wait_for_timeout(500)
    expect(dashed).to_have_count(1)


def test_a_lamp_whose_link_was_lost_is_not_near(hub, open_page):
    page = open_lamp(open_page)
    lose(hub, page)
    card = page.locator(".lamp-card", has_text="Mia")
    expect(card).to_contain_text("Away, seen")
    expect(card).not_to_contain_text("Near")
    # It is heard anew.
    hub.radio.hear(hub.lamp)
    expect(card).to_contain_text("Near")


def test_an_answer_that_is_older_than_what_was_told_since_takes_nothing_away(hub, open_page):
    page, held = open_page("scanner"), []
    page.route("**/api/v1/nightlights", lambda route: held.append((route, route.fetch())))
    page.evaluate("location.hash = '#/nightlights'")
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    until(page, lambda: held)
    lose(hub, page)
    card = page.locator(".lamp-card", has_text="Mia")
    expect(card).to_contain_text("Away, seen")
    (route, answer), = held
    assert not any(lamp["seen"] for lamp in answer.json()["items"])
    route.fulfill(response=answer)
    page.wait_for_timeout(500)
    expect(card).to_contain_text("Away, seen")


def test_a_lamp_that_is_away_keeps_its_own_tonight(hub, open_page):
    hub.lamp.begin_tonight(period("22:00", "23:00"))
    page = open_lamp(open_page)
    lose(hub, page)
    expect(page.locator(".band-box .spoken").last).to_contain_text("22:00 to 23:00, Tonight only.")
    expect(page.locator(".lane-row", has_text="School")).to_contain_text("Not used tonight")


def test_what_is_for_tonight_only_is_not_offered_for_a_lamp_that_is_away(hub, open_page, size):
    page = open_lamp(open_page, "", size)
    lose(hub, page)
    ask = page.locator(".ask")
    page.get_by_role("slider", name="Off", exact=True).first.press("ArrowLeft")
    expect(ask).to_contain_text("is kept and sent when it is back. Tonight alone can be changed when it is here.")
    expect(ask.get_by_role("button", name="Tonight only")).to_have_count(0)
    expect(ask.get_by_role("button", name="Every ")).to_be_visible()
    check(page, size, "asked of a lamp that is away")
    if size == "phone":
        # All of the page can be brought out from under the question.
        page.locator("main").evaluate("main => main.scrollTo(0, main.scrollHeight)")
        last = max(page.locator(".lamp-frame > *").evaluate_all("all => all.map((one) => one.getBoundingClientRect().bottom)"))
        assert last <= ask.bounding_box()["y"]


@pytest.mark.parametrize(("percent", "word"), [(18, "Battery low"), (7, "Battery almost empty")])
def test_a_low_battery_is_said(hub, open_page, size, percent, word):
    hub.lamp.discharge(percent)
    page = open_lamp(open_page, "", size)
    expect(page.locator(".lamp-notes")).to_contain_text(f"{word}: {percent}%. Charge the lamp")
    expect(page.locator(".lamp-status .battery")).to_have_text(f"{percent}%, {word[8:]}")
    expect(page.locator(".lamp-card", has_text="Mia")).to_contain_text(word)
    check(page, size, "low battery")
    hub.lamp.tell(charge=level_status(CHARGING))
    expect(page.locator(".lamp-notes")).not_to_contain_text("Battery")


def test_times_in_the_bar_are_those_of_the_sentence(hub, open_page):
    """A light that ends 40 seconds after 03:10 ends at 03:10, as clocks show it."""
    page = open_lamp(open_page)
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    night = dashboard(hub)["night"]
    start = datetime.fromisoformat(night["from"]) + timedelta(hours=15, seconds=40)
    pressed = {"from": start.isoformat(), "to": (start + timedelta(minutes=10)).isoformat(), "source": "button", "color": AMBER}
    retell(hub, lambda dash: dash.update(night={**night, "guest": pressed, "shines": [pressed]}, title="Warm amber until 03:10"))
    expect(page.get_by_role("heading", name="Warm amber until 03:10")).to_be_visible()
    expect(page.locator(".band-box .spoken").last).to_have_text("03:00 to 03:10, Child button.")


def test_lengths_have_no_sixtieth_minute(hub, open_page):
    page = open_page("nightlights")
    words = page.evaluate(
        "import('./pages/nightlights-time.js').then(({ lengthWords }) => [59.7, 119.6, 60.2, 95].map(lengthWords))"
    )
    assert words == ["1 h", "2 h", "1 h", "1 h 35 min"]


def test_the_status_row_says_how_far_the_clock_is_off(hub, open_page, size):
    hub.lamp.ahead = timedelta(seconds=4020)
    page = open_lamp(open_page, "", size)
    row = page.locator(".lamp-status")
    expect(row).to_contain_text("Clock 1 h 7 min fast")
    expect(page.locator(".lamp-notes")).to_contain_text("The lamp’s clock is 1 h 7 min fast. Nothing was changed.")
    check(page, size, "a clock that is off")
    retell(hub, lambda dash: dash["lamp"]["clock"].update(device=None, difference_seconds=None, action="none"))
    expect(row).to_contain_text("Clock not set")
    page.get_by_role("button", name="Set the clock").click()
    expect(page.get_by_role("dialog")).to_contain_text("It was never set")


def test_the_battery_is_drawn_whole(hub, open_page):
    page = open_lamp(open_page)
    expect(page.locator(".battery")).to_be_visible()
    case = page.locator(".battery .case").evaluate("one => one.getBBox().height")
    assert abs(case - 11.8) < 0.1


def test_every_plot_of_a_week_has_its_hours(hub, open_page):
    page = open_lamp(open_page)
    axis = page.get_by_role("region", name="Week", exact=True).locator(".axis")
    expect(axis).to_contain_text("00:00")
    expect(axis).to_contain_text("12:00")


@pytest.mark.parametrize("tab", ["/week", "/colour"])
def test_what_is_focused_is_not_under_a_bar(hub, open_page, size, tab):
    page = open_lamp(open_page, tab, size, viewport={"width": 390 if size == "phone" else 1100, "height": 560})
    expect(page.locator(".week-foot, .colour-page > .actions")).to_be_visible()
    covered = []
    for _ in range(70):
        page.keyboard.press("Tab")
        found = page.evaluate("""() => {
            const one = document.activeElement;
            if (!one.closest("main")) return null;
            const { left, top, width, height } = one.getBoundingClientRect();
            const over = document.elementFromPoint(left + width / 2, top + Math.min(height, 40) / 2);
            const isSeen = one.contains(over) || over?.contains(one) || over?.closest("label")?.contains(one);
            return isSeen ? null : `${one.getAttribute("aria-label") ?? one.textContent} is under ${over?.className}`;
        }""")
        if found:
            covered.append(found)
    assert covered == []


# A phone shows cards as chips, a tablet two of them side by side, a desktop as many as fit.
WIDTHS = [320, 390, 800, 1280]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_card_has_room_for_its_name_beside_what_is_told_of_it(hub, open_page, width):
    hub.lamp.discharge(7)
    page = open_lamp(open_page, "", "desktop" if width > 719 else "phone")
    page.set_viewport_size({"width": width, "height": 900})
    line = page.locator(".lamp-status")
    expect(line).to_contain_text("7%")
    # An almost empty battery takes no more room than a full one.
    assert line.locator(".battery").bounding_box()["height"] < 26
    assert line.bounding_box()["height"] < 80
    lose(hub, page)
    wait_for(hub, "21:00", "05:00")
    card = page.locator(".lamp-card", has_text="Mia")
    expect(card).to_contain_text("1 waiting")
    name = card.locator(".lamp-name > .cut")
    assert name.evaluate("one => one.scrollWidth <= one.clientWidth"), "the name is cut"
    assert name.bounding_box()["width"] > 20
    outer = card.bounding_box()
    for one in card.locator(".tag").all():
        box = one.bounding_box()
        assert outer["x"] <= box["x"] and box["x"] + box["width"] <= outer["x"] + outer["width"], one.inner_text()


def test_a_lost_lamp_does_not_glow_on_its_card(hub, open_page):
    page = open_lamp(open_page)
    lights = page.locator(".lamp-card", has_text="Mia").locator("circle[filter]")
    expect(lights).to_have_count(4)
    lose(hub, page)
    expect(page.locator(".lamp-card", has_text="Mia")).to_contain_text("Away")
    expect(lights).to_have_count(0)


def test_what_shines_is_said_whole_on_a_card(hub, open_page):
    page = open_lamp(open_page)
    page.set_viewport_size({"width": 1280, "height": 860})
    words = "Warm amber until 06:25 and pink"
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    retell(hub, lambda dash: dash.update(title=words))
    title = page.locator(".lamp-card").get_by_text(words)
    expect(title).to_be_visible()
    assert title.evaluate("one => one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize("width", [800, 1280])
def test_the_bar_of_the_week_covers_no_day(hub, open_page, width):
    page = open_lamp(open_page, "/week")
    page.set_viewport_size({"width": width, "height": 860})
    foot = page.locator(".week-foot")
    expect(foot).to_contain_text("Same as on the lamp")
    is_below = """(() => {
        const foot = document.querySelector(".week-foot"), days = [...document.querySelectorAll(".week-view .week-line")];
        return days.length === 7 && foot.getBoundingClientRect().top >= days.at(-1).getBoundingClientRect().bottom;
    })()"""
    # With nothing to send it stands in its place below the days.
    until(page, is_below)
    page.get_by_label("Name of the week").fill("Holidays")
    page.get_by_label("Name of the week").blur()
    expect(foot).not_to_contain_text("Same as on the lamp")
    # With something it is in reach, and covers nothing of the end of the page.
    expect(foot).to_be_in_viewport(ratio=1)
    page.locator("main").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    until(page, is_below)


def test_days_of_a_week_are_circles_on_the_smallest_phone(hub, open_page):
    page = open_lamp(open_page, "/week", "phone")
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 640})
        for day in page.locator(".day").all():
            box = day.bounding_box()
            assert abs(box["width"] - box["height"]) < 1, (width, box)
