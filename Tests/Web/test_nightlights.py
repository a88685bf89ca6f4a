# SPDX-License-Identifier: Apache-2.0
"""The page Nightlights on a native engine: names, pending changes, days drawn over, and what goes wrong."""

import re

import pytest
from conftest import assert_harmless, until
from hostile import HOSTILE
from lamp_world import (
    JONAS, MIA, begin, changes, go_away, hub, phases, retell,  # noqa: F401
)  # fmt: skip
from playwright.sync_api import expect
from scripted_lamp import AMBER, Lamp, octets, school
from test_bulbs import check, seen

LOST = "The link to the device was lost. Bring it near and try again."


def open_lamp(open_page, tab: str = "", size: str = "desktop", lamp: str = MIA, **options):
    page = open_page(f"nightlights/{lamp}{tab}", size, **options)
    expect(page.locator(".lamp-stage > *").first).to_be_visible()
    return page


def go(page, tab: str, lamp: str = MIA) -> None:
    page.evaluate(f"location.hash = '#/nightlights/{lamp}{tab}'")


def days(page, group: str):
    return page.get_by_role("region", name=group).get_by_role("group", name="Days")


def groups(page) -> list[str]:
    return page.locator(".group-card h2").all_inner_texts()


# Whose lamp it is


def test_a_new_lamp_asks_whose_it_is_once(hub, open_page, size):
    hub.lamp.set(name=b"")
    page = open_lamp(open_page, "", size)
    dialog = page.get_by_role("dialog", name="Whose lamp is it?")
    field = dialog.get_by_label("Child’s name")
    expect(field).to_be_focused()
    # Nothing is no name.
    dialog.get_by_role("button", name="Give it this name").click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Later").click()
    expect(dialog).to_be_hidden()
    go(page, "/week")
    go(page, "")
    expect(page.locator(".tonight")).to_be_visible()
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Give it a child’s name").click()
    field.fill("  Lina ")
    field.press("Enter")
    until(page, lambda: changes(hub) == [{"name": "Lina", "if_changes": 0}])
    expect(dialog).to_be_hidden()
    expect(page.locator(".lamp-card", has_text="Lina")).to_have_count(1)


def test_the_name_stays_in_its_field_until_the_lamp_has_it(hub, open_page):
    hub.lamp.refuse("name")
    page = open_lamp(open_page)
    page.get_by_role("button", name="Change the child’s name").click()
    dialog = page.get_by_role("dialog", name="The child’s name")
    dialog.get_by_label("Child’s name").fill("Ida")
    dialog.get_by_role("button", name="Give it this name").click()
    expect(page.locator(".toast")).to_contain_text("keeps the old one")
    expect(dialog.get_by_label("Child’s name")).to_have_value("Ida")
    hub.lamp.refuse(None)
    dialog.get_by_role("button", name="Give it this name").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".toast")).to_contain_text("This is Ida’s nightlight now.")


# Pending changes


def test_changes_of_a_lamp_that_is_away(hub, open_page, size):
    page = open_lamp(open_page, "", size)
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    go_away(hub)
    expect(page.get_by_role("heading", name="Not connected")).to_be_visible()
    go(page, "/button")
    page.get_by_role("switch", name="Button", exact=True).click()
    pending = page.locator(".pending-change")
    expect(pending).to_have_count(1)
    expect(pending).to_contain_text("The button")
    # What waits is no fact: the switch shows what the lamp had.
    expect(page.get_by_role("switch", name="Button", exact=True)).to_be_checked()
    go(page, "/week")
    page.get_by_label("Name of the week").fill("Holidays")
    page.get_by_label("Name of the week").press("Enter")
    page.get_by_role("button", name="Send when it is back").click()
    expect(pending).to_have_count(2)
    expect(pending.nth(1)).to_contain_text("Week “Holidays”")
    assert changes(hub) == []
    check(page, size, "pending changes")
    pending.first.get_by_role("button", name="Take back").click()
    expect(pending).to_have_count(1)
    expect(pending).to_contain_text("Week “Holidays”")
    go(page, "")
    if size == "desktop":
        expect(page.locator(".lamp-card", has_text="Mia").locator(".tag-warn")).to_have_text("1 waiting")


# The days of a group


def test_a_pointer_draws_over_days(hub, open_page):
    page = open_lamp(open_page, "/week")
    until(page, lambda: groups(page) == ["Monday to Friday", "Saturday and Sunday"])
    row = days(page, "Saturday and Sunday")
    boxes = [row.get_by_role("button", name=name).bounding_box() for name in ("Thursday", "Friday", "Saturday")]
    middle = lambda box: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle(boxes[0]))
    page.mouse.down()
    page.mouse.move(*middle(boxes[1]), steps=4)
    page.mouse.move(*middle(boxes[2]), steps=4)
    page.mouse.up()
    until(page, lambda: groups(page) == ["Monday to Wednesday", "Thursday to Sunday"])
    page.get_by_role("group", name="Changes").get_by_role("button", name="Undo").click()
    until(page, lambda: groups(page) == ["Monday to Friday", "Saturday and Sunday"])
    assert changes(hub) == []


def test_days_are_ticked_by_keys_and_the_last_one_stays(hub, open_page):
    page = open_lamp(open_page, "/week")
    days(page, "Monday to Friday").get_by_role("button", name="Friday").focus()
    page.keyboard.press("Space")
    until(page, lambda: groups(page) == ["Monday to Thursday", "Friday", "Saturday and Sunday"])
    # A group keeps its last day; another group may take it.
    days(page, "Friday").get_by_role("button", name="Friday").press("Enter")
    until(page, lambda: groups(page) == ["Monday to Thursday", "Friday", "Saturday and Sunday"])
    days(page, "Saturday and Sunday").get_by_role("button", name="Friday").press("Enter")
    until(page, lambda: groups(page) == ["Monday to Thursday", "Friday to Sunday"])
    page.get_by_role("button", name="Send to Mia’s lamp").click()
    until(page, lambda: changes(hub) and [len(one["days"]) for one in changes(hub)[0]["week"]["groups"]] == [4, 3])


# What goes wrong


def test_what_a_lamp_refuses_stays_on_the_page(hub, open_page, size):
    hub.lamp.refuse("week")
    page = open_lamp(open_page, "/week", size)
    page.get_by_label("Name of the week").fill("Mine")
    page.get_by_label("Name of the week").press("Enter")
    send = page.get_by_role("button", name="Send to Mia’s lamp")
    send.click()
    expect(page.locator(".toast")).to_contain_text("keeps the old one")
    expect(page.get_by_label("Name of the week")).to_have_value("Mine")
    hub.lamp.refuse(None)
    hub.lamp.silent = {f"write {hub.lamp.at['week']:#x}"}
    send.click()
    # Not before the lamp has it is it said that it has.
    expect(send).to_have_attribute("aria-busy", "true")
    expect(page.get_by_text("Mia’s lamp has the week now.")).to_be_hidden()
    hub.radio.answer_now(hub.lamp)
    expect(page.get_by_text("Mia’s lamp has the week now.")).to_be_visible()


def test_a_lamp_that_was_lost_can_be_tried_again_from_every_view(hub, open_page, size):
    page = open_lamp(open_page, "", size)
    for tab in ("/week", "/button", "/library", ""):
        go(page, tab)
        until(page, lambda: phases(hub) == ["open"])
        expect(page.get_by_role("button", name="Try again")).to_have_count(0)
        hub.radio.lose(hub.lamp)
        expect(page.get_by_text(LOST).first).to_be_visible()
        check(page, size, f"lost {tab}")
        page.get_by_role("button", name="Try again").click()


def test_a_page_that_slept_takes_its_lamp_again(hub, open_page):
    page = open_lamp(open_page)
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    seen(page, False)
    hub.later(60)
    expect(page.get_by_text("Its page was closed or asleep")).to_be_visible()
    hub.radio.hear(hub.lamp)
    seen(page, True)
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()


def test_a_lamp_that_ends_before_all_is_answered_is_taken_again(hub, open_page):
    page = open_page("scanner")
    held = []
    # What is asked of the link first is answered late.
    late = lambda route: route.continue_() if held or route.request.method != "GET" else held.append(route)
    page.route(re.compile(r"/nightlights/\d+$"), late)
    hub.lamp.silent = {"connect"}
    go(page, "")
    until(page, lambda: held)
    hub.radio.answer_now(hub.lamp)
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    seen(page, False)
    hub.later(60)
    expect(page.get_by_text("Its page was closed or asleep")).to_be_visible()
    hub.radio.hear(hub.lamp)
    seen(page, True)
    held[0].continue_()
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()


def test_without_a_lamp_and_without_the_hub(hub, open_page, size):
    begin(hub)
    page = open_page("nightlights", size, bypass_csp=True)
    expect(page.get_by_role("heading", name="No lamp near")).to_be_visible()
    check(page, size, "no lamp")
    hub.go()
    expect(page.get_by_role("heading", name="Not known while the hub is away")).to_be_visible(timeout=15000)
    check(page, size, "hub gone")


def test_a_lamp_that_cannot_be_connected_to_says_why(hub, open_page, size):
    hub.faults.refuse(r"POST /devices/\d+/nightlight", 409, "All 7 connections are in use. Disconnect another device first.")
    page = open_lamp(open_page, "", size, bypass_csp=True)
    expect(page.get_by_text("All 7 connections are in use.")).to_be_visible()
    check(page, size, "refused")
    hub.faults.instead(r"POST /devices/\d+/nightlight")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()


def test_lamps_with_a_name_come_first(hub, open_page):
    hub.lamp.set(name=b"")
    page = open_lamp(open_page, "", "desktop", JONAS)
    expect(page.locator(".lamp-card")).to_have_count(2)
    expect(page.locator(".lamp-card").first).to_contain_text("Jonas")


def test_names_from_the_air_and_from_files_are_text(hub, open_page, size):
    short = [text.encode()[:24].decode(errors="ignore") for text in HOSTILE]
    begin(hub, *(Lamp(one, f"D8:3A:DD:40:7E:{0x11 + at:02X}/P", week=school() | {"name": short[0]}) for at, one in enumerate(short)))
    for one in short:
        hub.ask("POST", "/light-schedules", {"week": school() | {"name": one}})
    page = open_lamp(open_page, "", size)
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    for tab in ("", "/week", "/button", "/library", "/colour"):
        go(page, tab)
        page.wait_for_timeout(300)
        assert_harmless(page, tab)
    go_away(hub)
    go(page, "")
    page.wait_for_timeout(300)
    assert_harmless(page, "away")


def test_the_colour_is_a_sheet_over_the_whole_phone(hub, open_page):
    page = open_lamp(open_page, "/colour", "phone", bypass_csp=True)
    close = page.get_by_role("link", name="Close")
    expect(close).to_be_visible()
    expect(page.get_by_role("navigation", name="Main pages")).to_be_hidden()
    box = page.locator("main").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844)
    check(page, "phone", "colour")
    page.keyboard.press("Escape")
    until(page, lambda: page.url.endswith(MIA))
    expect(page.get_by_role("navigation", name="Main pages")).to_be_visible()
    go(page, "/colour")
    close.click()
    until(page, lambda: page.url.endswith(MIA))


@pytest.mark.parametrize("height", [844, 667, 568])
def test_a_colour_is_used_without_scrolling(hub, open_page, height):
    hub.lamp.set(link=b"\0")
    page = open_lamp(open_page, "/colour", viewport={"width": 390 if height > 800 else 320, "height": height})
    page.get_by_role("button", name="Try on the lamp").click()
    expect(page.get_by_text("On the lamp now")).to_have_count(1)
    page.locator(".swatch").nth(3).click()
    cancel, use = page.get_by_role("link", name="Cancel"), page.get_by_role("button", name="Use this colour")
    for one in (cancel, use):
        expect(one).to_be_in_viewport(ratio=1)
        one.click(trial=True)
    # What is above can be brought out from under them.
    end = page.get_by_role("button", name="End it now")
    end.scroll_into_view_if_needed()
    page.locator("main").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    assert end.bounding_box()["y"] + end.bounding_box()["height"] <= use.bounding_box()["y"]
    expect(use).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="All four LEDs together").click()
    expect(page.get_by_role("switch", name="All four LEDs together")).to_be_checked()
    use.click()
    expect(page.locator(".ask")).to_be_visible()


def test_what_needs_the_hub_is_locked_while_it_is_away(hub, open_page, size):
    page = open_lamp(open_page, "", size, bypass_csp=True)
    marker = page.get_by_role("slider", name="Off", exact=True).first
    marker.focus()
    page.keyboard.press("ArrowLeft")
    ask = page.locator(".ask")
    expect(ask).to_be_visible()
    hub.go()
    expect(ask).to_contain_text("Not while the hub is away.", timeout=15000)
    expect(ask.get_by_role("button", name=re.compile("^Every "))).to_have_attribute("aria-disabled", "true")
    check(page, size, "away")
    ask.get_by_role("button", name="Undo").click()
    expect(ask).to_be_hidden()
    for tab in ("/button", "/library"):
        go(page, tab)
        expect(page.locator(".lamp-stage > *").first).to_have_attribute("inert", "")
    go(page, "/week")
    page.get_by_label("Name of the week").fill("Holidays")
    page.get_by_label("Name of the week").press("Enter")
    expect(page.get_by_text("Not while the hub is away", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Send to Mia’s lamp")).to_have_attribute("aria-disabled", "true")
    hub.come_back()
    expect(page.get_by_role("button", name="Send to Mia’s lamp")).not_to_have_attribute("aria-disabled", "true", timeout=15000)
    assert changes(hub) == []


def test_a_long_period_ends_where_its_bar_does(hub, open_page):
    """Nobody can take hold of a marker that stands outside."""
    week = school()
    week["groups"][0]["periods"][0] |= {"on": "20:00", "off": "19:00", "timeout_minutes": 240}
    hub.lamp.set(week=octets(week))
    page = open_lamp(open_page, "/week")
    page.get_by_role("button", name="Monday to Friday, 20:00 to 19:00").click()
    card = page.get_by_role("region", name="Monday to Friday")
    bar, grip = card.locator(".week-bar").bounding_box(), card.get_by_role("slider", name="Off").bounding_box()
    assert abs(grip["x"] + grip["width"] / 2 - bar["x"] - bar["width"]) < 2
    # Four of the sixteen hours for which the bar has room.
    block, lit = card.locator(".period").bounding_box(), card.locator(".period-lit").bounding_box()
    assert abs(lit["width"] / block["width"] - 0.25) < 0.01
    card.get_by_role("slider", name="Off").press("ArrowLeft")
    expect(card.get_by_role("slider", name="Off")).to_have_attribute("aria-valuetext", "Off, 18:55, the next day")


def test_a_lamp_in_hand_stays_when_it_goes_away_and_another_is_near(hub, open_page):
    page = open_page("nightlights")
    expect(page.get_by_role("button", name="Switch the LEDs off")).to_be_visible()
    go_away(hub)
    expect(page.get_by_role("heading", name="Not connected")).to_be_visible()
    page.get_by_role("slider", name="Off", exact=True).first.press("ArrowLeft")
    page.locator(".ask").get_by_role("button", name="Every ").click()
    expect(page.get_by_text("Waiting:")).to_be_visible()
    expect(page.locator(".lamp-card[aria-current]")).to_contain_text("Mia")


def test_the_colour_of_the_button_has_the_name_that_the_hub_gives_it(hub, open_page):
    page = open_lamp(open_page)
    colour = page.locator(".lamp-facts > div", has_text="Its colour").locator("dd")
    expect(colour).to_have_text("Pink")
    # What an older hub remembers has no name.
    for name, shown in (("Warm amber", "Warm amber"), (None, "#FF9A2E")):
        retell(hub, lambda dash, name=name: dash["lamp"]["button"].update(color=AMBER, color_name=name))
        expect(colour).to_have_text(shown)
