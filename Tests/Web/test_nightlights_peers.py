# SPDX-License-Identifier: Apache-2.0
"""The page Nightlights against a lamp on Bumble, which was written from the documents: it refuses, forgets, goes away, comes back."""

import os
import re
import time
from datetime import UTC, datetime, timedelta

import pytest
from among_peers import hub  # noqa: F401
from conftest import assert_harmless
from playwright.sync_api import expect

from peers.lamp_values import (
    BAD_DAYS,
    FACTORY_WEEK,
    ORANGE,
    OUT_OF_RANGE,
    SCHOOL,
    Clock,
    Group,
    Period,
    Week,
    decode_current_time,
    decode_tonight,
    decode_week,
)
from peers.nightlight import ADDRESS, Lamp

KEY = ADDRESS.replace(":", "")
NOON = Week("Noon", (Group(0x7F, (Period(12 * 60, 13 * 60, ORANGE),)),))


@pytest.fixture(autouse=True)
def zone(monkeypatch):
    """A zone in which it is one o'clock, whenever that is: a night is shown from noon to noon."""
    ahead = (13 - datetime.now(UTC).hour + 11) % 24 - 11
    # Its name counts to the west.
    monkeypatch.setenv("TZ", f"Etc/GMT{-ahead:+d}")
    time.tzset()
    yield os.environ["TZ"]
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def lamp(air):
    """Mia's lamp with a week of its own, whose clock is right."""

    async def make() -> Lamp:
        one = Lamp(air.bench)
        one.values |= {"name": b"Mia", "week": SCHOOL.encode()}
        run_off_by(one, 0)
        await one.start()
        return one

    return air.do(make())


def run_off_by(lamp: Lamp, seconds: float) -> None:
    """From now on its clock goes so much before the hub's."""
    lamp.read_clock = lambda: Clock(datetime.now() + timedelta(seconds=seconds))
    lamp._clock_set = None


def open_lamp(open_page, tab: str = "", size: str = "desktop"):
    page = open_page(f"nightlights/{KEY}{tab}", size, timezone_id=os.environ["TZ"])
    expect(page.locator(".lamp-card").first).to_be_attached(timeout=30000)
    return page


def live(page) -> None:
    """The lamp has been read, and its values are on the page."""
    expect(page.get_by_role("button", name=re.compile("Switch the LEDs o"))).to_be_visible(timeout=30000)


def rename(page, name: str) -> None:
    page.get_by_label("Name of the week").fill(name)
    page.get_by_label("Name of the week").press("Enter")


def go_away(air, lamp: Lamp) -> None:
    async def go() -> None:
        lamp.go_away()

    air.do(go())


def test_a_lamp_that_refuses_says_why_and_nothing_is_lost(hub, lamp, open_page, size):
    lamp.refusals["week"] = BAD_DAYS
    page = open_lamp(open_page, "", size)
    live(page)
    page.evaluate(f"location.hash = '#/nightlights/{KEY}/week'")
    rename(page, "Summer")
    page.get_by_role("button", name="Send to Mia’s lamp").click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("The lamp refused", timeout=15000)
    expect(toast).to_contain_text("keeps the old one")
    # What was made is still there to be sent again, and the lamp has what it had.
    expect(page.get_by_label("Name of the week")).to_have_value("Summer")
    assert decode_week(lamp.values["week"]) == SCHOOL
    del lamp.refusals["week"]
    page.get_by_role("button", name="Send to Mia’s lamp").click()
    hub.until(lambda: decode_week(lamp.values["week"]).name == "Summer")
    expect(page.get_by_text("Same as on the lamp")).to_be_attached(timeout=15000)


def test_a_lamp_that_takes_everything_and_keeps_nothing(hub, lamp, open_page):
    lamp.forgetful = {"week", "enabled"}
    page = open_lamp(open_page)
    live(page)
    page.evaluate(f"location.hash = '#/nightlights/{KEY}/week'")
    rename(page, "Summer")
    page.get_by_role("button", name="Send to Mia’s lamp").click()
    expect(page.locator(".toast")).to_contain_text("keeps something else", timeout=15000)
    expect(page.get_by_label("Name of the week")).to_have_value("Summer")
    page.evaluate(f"location.hash = '#/nightlights/{KEY}/button'")
    page.get_by_role("switch", name="Button", exact=True).uncheck()
    expect(page.locator(".toast")).to_contain_text("keeps something else", timeout=15000)
    # The switch shows what the lamp has, not what was wanted.
    expect(page.get_by_role("switch", name="Button", exact=True)).to_be_checked()


def test_a_lamp_that_goes_away_gets_its_changes_oldest_first(air, hub, lamp, open_page, size):
    page = open_lamp(open_page, "", size)
    live(page)
    go_away(air, lamp)
    expect(page.get_by_role("heading", name="Not connected")).to_be_attached(timeout=30000)
    expect(page.get_by_text("Bring it near and try again.").first).to_be_visible()
    page.evaluate(f"location.hash = '#/nightlights/{KEY}/week'")
    rename(page, "First")
    page.get_by_role("button", name="Send when it is back").click()
    expect(page.locator(".pending-change")).to_have_count(1)
    rename(page, "Second")
    page.get_by_role("button", name="Send when it is back").click()
    expect(page.locator(".pending-change")).to_have_count(2)
    rename(page, "Third")
    page.get_by_role("button", name="Send when it is back").click()
    expect(page.locator(".pending-change")).to_have_count(3)
    page.locator(".pending-change").nth(1).get_by_role("button", name="Take back").click()
    expect(page.locator(".pending-change")).to_have_count(2)
    assert lamp.written("week") == []
    air.do(lamp.advertise())
    hub.until(lambda: len(lamp.written("week")) == 2, 60)
    assert [decode_week(one).name for one in lamp.written("week")] == ["First", "Third"]
    expect(page.locator(".pending-change")).to_have_count(0, timeout=15000)
    [memory] = hub.get("/nightlights")["items"]
    assert memory["pending"] == [] and memory["refusal"] is None


def test_a_change_that_is_refused_later_is_told_and_not_sent_for_ever(air, hub, lamp, open_page):
    page = open_lamp(open_page)
    live(page)
    go_away(air, lamp)
    expect(page.get_by_role("heading", name="Not connected")).to_be_attached(timeout=30000)
    page.evaluate(f"location.hash = '#/nightlights/{KEY}/week'")
    rename(page, "Never")
    page.get_by_role("button", name="Send when it is back").click()
    expect(page.locator(".pending-change")).to_have_count(1)
    lamp.refusals["week"] = OUT_OF_RANGE
    air.do(lamp.advertise())
    expect(page.locator(".lamp-notes")).to_contain_text("The lamp refused", timeout=60000)
    expect(page.locator(".pending-change")).to_have_count(0)
    assert len(lamp.written("week")) == 1


def test_a_lamp_that_comes_back_with_another_clock_is_asked_about(air, hub, lamp, open_page, size):
    page = open_lamp(open_page, "", size)
    live(page)
    go_away(air, lamp)
    expect(page.get_by_role("heading", name="Not connected")).to_be_attached(timeout=30000)
    run_off_by(lamp, 2 * 3600)
    before = len(lamp.written("current_time"))
    air.do(lamp.advertise())
    page.get_by_role("button", name="Try again").click()
    note = page.get_by_text(re.compile("The lamp’s clock is .*(fast|slow). Nothing was changed."))
    expect(note).to_be_visible(timeout=30000)
    assert len(lamp.written("current_time")) == before
    page.get_by_role("button", name="Set the clock").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile("[12] h( [0-9]+ min)? fast"))
    dialog.get_by_role("button", name="Set it").click()
    hub.until(lambda: len(lamp.written("current_time")) > before)
    assert abs(decode_current_time(lamp.written("current_time")[-1]) - datetime.now()) < timedelta(seconds=20)
    expect(note).to_be_hidden(timeout=15000)


@pytest.mark.parametrize("minutes,told", [(3, False), (12, True)])
def test_a_clock_that_is_a_little_off_is_set_without_a_question(air, hub, lamp, open_page, minutes, told):
    run_off_by(lamp, 60 * minutes)
    page = open_lamp(open_page)
    live(page)
    assert len(lamp.written("current_time")) == 1
    expect(page.get_by_text("Clock is right")).to_be_visible()
    if told:
        expect(page.locator(".toast")).to_contain_text("clock")


def test_a_lamp_that_comes_back_as_from_the_factory(air, hub, lamp, open_page):
    page = open_lamp(open_page)
    live(page)
    expect(page.locator(".lamp-name").first).to_contain_text("Mia")
    go_away(air, lamp)
    expect(page.get_by_role("heading", name="Not connected")).to_be_attached(timeout=30000)
    lamp.values |= {"name": b"", "week": FACTORY_WEEK.encode(), "day": b""}
    air.do(lamp.advertise())
    page.get_by_role("button", name="Try again").click()
    # It has nobody's name any more: it is asked for once more, and the week is what the lamp has now.
    dialog = page.get_by_role("dialog", name="Whose lamp is it?")
    expect(dialog).to_be_visible(timeout=30000)
    dialog.get_by_label("Child’s name").fill("Noah")
    dialog.get_by_label("Child’s name").press("Enter")
    hub.until(lambda: lamp.values["name"] == b"Noah")
    expect(dialog).to_be_hidden()
    expect(page.locator(".lamp-name").first).to_contain_text("Noah", timeout=15000)
    page.evaluate(f"location.hash = '#/nightlights/{KEY}/week'")
    expect(page.get_by_text("0 periods")).to_have_count(2)


def test_a_name_that_the_lamp_refuses_leaves_the_question_open(hub, lamp, open_page, size):
    lamp.values["name"] = b""
    lamp.refusals["name"] = OUT_OF_RANGE
    page = open_lamp(open_page, "", size)
    dialog = page.get_by_role("dialog", name="Whose lamp is it?")
    expect(dialog).to_be_visible(timeout=30000)
    dialog.get_by_label("Child’s name").fill("Mia")
    dialog.get_by_role("button", name="Give it this name").click()
    expect(page.locator(".toast")).to_contain_text("The lamp refused", timeout=15000)
    assert lamp.values["name"] == b""


def test_a_name_of_many_octets_is_said_to_be_too_long(hub, lamp, open_page):
    lamp.values["name"] = b""
    page = open_lamp(open_page)
    dialog = page.get_by_role("dialog", name="Whose lamp is it?")
    dialog.get_by_label("Child’s name").fill("ÄÖÜ" * 6)
    dialog.get_by_role("button", name="Give it this name").click()
    expect(page.locator(".toast")).to_contain_text("32 octets", timeout=15000)
    assert lamp.written("name") == []
    expect(dialog).to_be_visible()


def test_what_was_changed_elsewhere_is_told_before_it_is_written_over(air, hub, lamp, open_page):
    page = open_lamp(open_page, "/week")
    expect(page.get_by_label("Name of the week")).to_have_value("School", timeout=30000)
    rename(page, "Mine")
    # Somebody with another app has come between.
    go_away(air, lamp)
    expect(page.get_by_role("button", name="Send when it is back")).to_be_visible(timeout=30000)
    lamp.values["week"] = NOON.encode()
    air.do(lamp.advertise())
    page.evaluate(f"location.hash = '#/nightlights/{KEY}'")
    page.get_by_role("button", name="Try again").click()
    live(page)
    page.evaluate(f"location.hash = '#/nightlights/{KEY}/week'")
    expect(page.locator(".toast")).to_contain_text("The lamp’s week was changed meanwhile. Yours was not sent.", timeout=15000)
    expect(page.get_by_label("Name of the week")).to_have_value("Mine")
    assert lamp.written("week") == []
    page.get_by_role("button", name="Send to Mia’s lamp").click()
    hub.until(lambda: decode_week(lamp.values["week"]).name == "Mine")


def test_the_name_is_changed_later_and_while_it_is_away(air, hub, lamp, open_page, size):
    page = open_lamp(open_page, "", size)
    live(page)
    page.get_by_role("button", name="Change the child’s name").click()
    dialog = page.get_by_role("dialog", name="The child’s name")
    expect(dialog.get_by_label("Child’s name")).to_have_value("Mia")
    dialog.get_by_label("Child’s name").fill("Ida")
    dialog.get_by_role("button", name="Give it this name").click()
    hub.until(lambda: lamp.values["name"] == b"Ida")
    expect(page.locator(".lamp-name").first).to_contain_text("Ida", timeout=15000)
    go_away(air, lamp)
    expect(page.get_by_role("heading", name="Not connected")).to_be_attached(timeout=30000)
    page.get_by_role("button", name="Change the child’s name").click()
    dialog.get_by_label("Child’s name").fill("Noah")
    dialog.get_by_role("button", name="Give it this name").click()
    expect(page.locator(".pending-change")).to_contain_text("Name “Noah”")
    air.do(lamp.advertise())
    hub.until(lambda: lamp.values["name"] == b"Noah", 60)


def test_one_night_only_is_written_as_the_day_schedule(hub, lamp, open_page):
    now = datetime.now()
    soon = (now.hour * 60 + now.minute + 30) % 1440 // 5 * 5
    lamp.values["week"] = Week("Now", (Group(0x7F, (Period(soon, (soon + 120) % 1440, ORANGE),)),)).encode()
    page = open_lamp(open_page)
    live(page)
    off = page.get_by_role("slider", name="Off", exact=True).first
    off.focus()
    page.keyboard.press("ArrowRight")
    bar = page.locator(".ask")
    expect(bar).to_be_visible()
    bar.get_by_role("button", name="Tonight only").click()
    hub.until(lambda: lamp.values["day"])
    tonight = decode_tonight(lamp.values["day"])
    assert tonight is not None and tonight.days_left == 1
    assert [one.off for one in tonight.periods] == [(soon + 125) % 1440]


def test_what_shines_past_noon_is_made_longer_by_its_marker(hub, lamp, open_page):
    """The night that is drawn ends at noon, and the light period does not."""
    lamp.values["week"] = Week("Late", (Group(0x7F, (Period(11 * 60, 13 * 60, ORANGE),)),)).encode()
    page = open_lamp(open_page)
    live(page)
    off = page.get_by_role("slider", name="Off", exact=True).first
    off.focus()
    page.keyboard.press("ArrowRight")
    bar = page.locator(".ask")
    expect(bar).to_contain_text("Off at 13:05 instead of 13:00.")
    bar.get_by_role("button", name="Every").click()
    hub.until(lambda: lamp.written("week"))
    (group,) = decode_week(lamp.values["week"]).groups
    assert [(one.on, one.off) for one in group.periods] == [(660, 785)]


def test_a_test_of_a_colour_ends_when_the_link_does(air, hub, lamp, open_page):
    page = open_lamp(open_page)
    live(page)
    page.get_by_role("button", name="Try on the lamp").click()
    expect(page.get_by_text("On the lamp now, ends by itself in")).to_be_visible(timeout=15000)
    assert lamp.values["proof"] == b"\x01"
    go_away(air, lamp)
    expect(page.get_by_text("On the lamp now, ends by itself in")).to_be_hidden(timeout=30000)
    expect(page.get_by_text("Can be tried on the lamp when it is near")).to_be_visible()
    assert lamp.values["proof"] == b"\x00"


def test_a_test_of_a_colour_ends_when_the_laptop_is_closed(hub, lamp, open_page):
    """It sleeps without a word: nobody says that the page is left, and its stream of events is not read any more."""
    page = open_lamp(open_page)
    live(page)
    page.get_by_role("button", name="Try on the lamp").click()
    expect(page.get_by_text("On the lamp now, ends by itself in")).to_be_visible(timeout=15000)
    assert lamp.values["proof"] == b"\x01"
    page.context.set_offline(True)
    # The lease of the link is 30 s; the test itself would go on for a minute.
    begun = time.monotonic()
    hub.until(lambda: lamp.values["proof"] == b"\x00", 50)
    assert time.monotonic() - begun < 45
    page.context.set_offline(False)


@pytest.mark.parametrize(
    "name", ["\u202eaiM <b>x</b>", "<img src=x onerror=alert(1)>", "\x1b[31mred\x07", "Z\u0301\u0302\u0303\u0304\u0305\u0306\u0307"]
)
def test_hostile_names_stay_text(hub, lamp, open_page, size, name):
    lamp.values["name"] = name.encode()[:32]
    lamp.values["week"] = Week("\u202e<script>", SCHOOL.groups).encode()
    page = open_lamp(open_page, "", size)
    live(page)
    for tab in ("", "/week", "/button", "/library", "/colour"):
        page.evaluate(f"location.hash = '#/nightlights/{KEY}{tab}'")
        page.locator(".lamp-stage > *").first.wait_for()
        assert_harmless(page, tab)
