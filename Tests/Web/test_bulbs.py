# SPDX-License-Identifier: Apache-2.0
"""The page Bulbs on an engine: every view, several bulbs, and bulbs that do not do what they are told."""

import pytest
from conftest import assert_harmless, until, violations
from hostile import HOSTILE
from playwright.sync_api import expect
from scripted_radio import MAGIC_BLUE, TRIONES, Bulb, Device, FlockFinder
from test_pages import TARGETS

DESK = "Triones-A10103"
ELK = {"fff0": {"fff3": ("write write_without_response", "")}}


@pytest.fixture
def hub(engine):
    """An engine with a bulb, `desk`."""
    engine.begin()
    engine.desk = Bulb(DESK)
    engine.radio.add(engine.desk)
    return engine


def add_two(hub) -> list[int]:
    """Two bulbs more; the numbers of all three."""
    corner = Bulb("Triones-040527", rssi=-80, mode=0x41, color="000000", white=0x4C)
    hub.radio.add(Bulb("LEDBLE-0B03", MAGIC_BLUE, -64, power=0x24, color="ff9b2f"), corner)
    numbers = [one["id"] for one in hub.get("/devices")["items"]]
    for number, name in zip(numbers[1:], ("Shelf", "Bedroom corner lamp by the window")):
        hub.ask("PATCH", f"/devices/{number}", {"own_name": name})
    return numbers


def jobs(hub) -> list[dict]:
    """What is in hand."""
    return hub.get("/jobs")["items"]


def bulb(hub) -> dict:
    """What is said of the only bulb that is in hand."""
    return hub.get(f"/bulbs/{jobs(hub)[0]['id']}")


def check(page, size: str, where: str) -> None:
    """Accessible, whole, large enough to be pressed."""
    page.wait_for_timeout(200)
    assert violations(page) == [], where
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
    assert page.locator("main").evaluate("main => main.scrollWidth <= main.clientWidth"), where
    assert page.evaluate(TARGETS, 44 if size == "phone" else 24) == [], where
    text = page.locator("main").inner_text()
    assert "null" not in text and "undefined" not in text and "NaN" not in text, where


def wheel(page):
    return page.get_by_role("slider", name="Colour of the bulb")


def choose(page, name: str) -> None:
    page.get_by_role("button", name=name).filter(visible=True).first.click()


def told(hub) -> list[tuple[int, dict]]:
    """Which bulbs were told what, by the numbers of their devices."""
    devices, found = {}, []
    for method, path, body, _ in hub.asked:
        parts = path.split("/")
        if method == "POST" and parts[-1] in ("commands", "cycle") and body.get("command") != "state":
            found.append((devices.setdefault(parts[2], hub.get(f"/bulbs/{parts[2]}")["job"]["device"]), body))
        elif method == "DELETE" and parts[-1] == "cycle":
            found.append((devices.get(parts[2]), {"command": "stop"}))
    return found


def commands(hub) -> list:
    return [body for _, body in told(hub)]


def test_every_view_is_clean(hub, open_page, size):
    add_two(hub)
    page = open_page("bulbs", size, bypass_csp=True, reduced_motion="reduce")
    expect(wheel(page)).to_have_attribute("aria-valuetext", "Violet, hue 247°, 58% strong")
    expect(page.get_by_text("As it was when Lantern connected")).to_be_visible()
    check(page, size, "colour")
    for view in ("White", "Effects"):
        page.get_by_role("button", name=view, exact=True).click()
        check(page, size, view)
    choose(page, "All together")
    until(page, lambda: [one["phase"] for one in jobs(hub)] == ["open"] * 3)
    check(page, size, "all")
    choose(page, DESK)
    hub.radio.lose(hub.desk)
    expect(page.get_by_text("The link to the device was lost.")).to_be_visible()
    check(page, size, "ended")


def test_colour_white_brightness_and_power(hub, open_page, size):
    page = open_page("bulbs", size)
    wheel(page).focus()
    page.keyboard.press("End")
    until(page, lambda: commands(hub) and commands(hub)[-1]["color"].endswith("00FF"))
    expect(page.get_by_text("Just what you asked for")).to_be_visible()
    page.get_by_role("slider", name="Brightness").focus()
    for _ in range(3):
        page.keyboard.press("PageDown")
    until(page, lambda: commands(hub)[-1]["color"].endswith("00B3"))
    page.get_by_role("button", name="White", exact=True).click()
    page.get_by_role("button", name="Shine white").click()
    until(page, lambda: commands(hub)[-1] == {"command": "white", "white_percent": 100})
    page.get_by_role("slider", name="Brightness of the white light").focus()
    page.keyboard.press("Home")
    until(page, lambda: commands(hub)[-1] == {"command": "white", "white_percent": 0})
    page.get_by_role("switch", name=f"{DESK} shines").filter(visible=True).uncheck()
    until(page, lambda: commands(hub)[-1] == {"command": "off"})
    expect(page.get_by_role("switch", name=f"{DESK} shines").filter(visible=True)).not_to_be_checked()


def test_a_finger_that_runs_over_the_wheel_sends_the_last_place(hub, open_page):
    page = open_page("bulbs")
    expect(wheel(page)).to_be_visible()
    box = page.locator(".wheel").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x + 30, y)
    page.mouse.down()
    page.mouse.move(x - 30, y + 90, steps=40)
    page.mouse.move(x - 80, y, steps=40)
    page.mouse.up()
    until(page, lambda: commands(hub) and commands(hub)[-1]["color"] == "#80FFFF")
    assert len(commands(hub)) < 82


def test_effects_and_their_speed(hub, open_page, size):
    page = open_page("bulbs", size)
    page.get_by_role("button", name="Effects", exact=True).click()
    page.get_by_role("button", name="Red breathing").click()
    until(page, lambda: commands(hub)[-1:] == [{"command": "effect", "effect": 38, "speed": 13}])
    expect(page.get_by_role("button", name="Red breathing", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("slider", name="Speed").focus()
    page.keyboard.press("End")
    until(page, lambda: commands(hub)[-1] == {"command": "effect", "effect": 38, "speed": 1})
    page.get_by_role("button", name="All hues", exact=True).click()
    until(page, lambda: commands(hub)[-1] == {"turn": 1000})
    expect(page.get_by_role("button", name="All hues", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="All hues", exact=True).click()
    until(page, lambda: commands(hub)[-1] == {"command": "stop"})


def test_favourites_are_kept_by_the_hub(hub, open_page, size):
    page = open_page("bulbs", size)
    row = page.get_by_role("group", name="Favourites")
    row.get_by_role("button", name="Pink #FF5C9E").click()
    until(page, lambda: commands(hub)[-1:] == [{"command": "color", "color": "#FF5C9E"}])
    wheel(page).focus()
    page.keyboard.press("End")
    until(page, lambda: commands(hub)[-1]["color"].startswith("#FF00"))
    wanted = commands(hub)[-1]["color"]
    row.get_by_role("button", name="Keep this colour as a favourite").click()
    favourites = lambda: [one.upper() for one in hub.get("/settings")["bulbs"]["favourites"]]  # noqa: E731
    until(page, lambda: wanted in favourites())
    row.get_by_role("button", name="Remove this colour from the favourites").click()
    until(page, lambda: wanted not in favourites())
    page.get_by_role("button", name="Undo").click()
    until(page, lambda: wanted in favourites())


def test_several_together_and_all_off(hub, open_page):
    numbers = set(add_two(hub))
    page = open_page("bulbs/all")
    expect(page.get_by_role("switch")).to_have_count(3)
    row = page.get_by_role("group", name="Favourites")
    row.get_by_role("button", name="Orange #FF9B2F").click()
    until(page, lambda: {device for device, body in told(hub) if body.get("color") == "#FF9B2F"} == numbers)
    expect(page.get_by_text("3 bulbs, 3 are on")).to_be_visible()
    page.get_by_role("button", name="All off").click()
    until(page, lambda: sorted(device for device, body in told(hub) if body["command"] == "off") == sorted(numbers))
    expect(page.get_by_text("3 bulbs, 0 are on")).to_be_visible()


def test_one_that_refuses_forgets_or_goes_away(hub, open_page, size):
    page = open_page("bulbs", size)
    expect(wheel(page)).to_be_visible()
    hub.desk.fails["command"] = hub.desk.fails["write"] = "other"
    wheel(page).focus()
    page.keyboard.press("End")
    expect(page.get_by_text("The bulb did not accept it")).to_be_visible()
    hub.desk.fails.clear()
    hub.desk.forgets = True
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Not what you asked for")).to_be_visible()
    expect(page.get_by_text("The bulb did not accept it")).to_be_hidden()
    hub.radio.lose(hub.desk)
    expect(page.get_by_text("The link to the device was lost.")).to_be_visible()
    expect(page.get_by_role("heading", name="The bulb is not connected any more")).to_be_visible()
    # A FlockFinder that is chosen is connected to by itself.
    hub.radio.add(*[FlockFinder() for _ in range(8)])
    page.get_by_role("button", name="Connect again").click()
    expect(page.get_by_text("All 8 connections are in use.")).to_be_visible()
    hub.ask("POST", "/devices/2/disconnect")
    page.get_by_role("button", name="Connect again").click()
    expect(wheel(page)).to_be_visible()


def test_another_dialect_and_one_that_has_to_be_chosen(hub, open_page, size):
    page = open_page("bulbs", size)
    expect(page.get_by_text("Taken because the bulb has FFD9")).to_be_visible()
    hub.desk.layout = TRIONES | ELK
    page.get_by_role("combobox", name="Dialect").select_option("elk-bledom")
    expect(page.get_by_text("Chosen here.")).to_be_visible()
    assert hub.get("/settings")["bulbs"]["dialects"] == [{"address": hub.desk.identifier, "dialect": "elk-bledom"}]
    expect(page.get_by_text("Bulbs of this dialect never answer.")).to_be_visible()
    hub.desk.layout = TRIONES | MAGIC_BLUE
    page.get_by_role("combobox", name="Dialect").select_option("")
    expect(page.get_by_text("It has the characteristics of Triones and Magic Blue, so choose which one it speaks.")).to_be_visible()
    page.get_by_role("button", name="It is Magic Blue").click()
    until(page, lambda: [one["phase"] for one in jobs(hub)] == ["open"] and bulb(hub)["dialect"] == "magic-blue")
    expect(page.get_by_role("combobox", name="Dialect")).to_have_value("magic-blue")
    hub.desk.layout = TRIONES
    page.get_by_role("combobox", name="Dialect").select_option("")
    until(page, lambda: hub.get("/settings")["bulbs"]["dialects"] == [] and jobs(hub) and bulb(hub)["dialect"] == "triones")


def test_a_dialect_that_is_chosen_while_another_is_under_way_comes_after_it(hub, open_page):
    page = open_page("bulbs")
    expect(page.get_by_text("Taken because the bulb has FFD9")).to_be_visible()
    hub.desk.layout = TRIONES | ELK | MAGIC_BLUE
    choice = page.get_by_role("combobox", name="Dialect")
    choice.evaluate("""(select) => {
        for (const word of ["elk-bledom", "triones", "magic-blue"]) {
            select.value = word;
            select.dispatchEvent(new Event("change"));
        }
    }""")
    until(page, lambda: [one["phase"] for one in jobs(hub)] == ["open"] and bulb(hub)["dialect"] == "magic-blue")
    expect(choice).not_to_have_attribute("aria-busy", "true")
    expect(choice).to_have_value("magic-blue")
    assert hub.get("/settings")["bulbs"]["dialects"] == [{"address": hub.desk.identifier, "dialect": "magic-blue"}]


def test_leaving_lets_the_bulbs_go_and_another_page_takes_them_over(hub, open_page):
    page = open_page("bulbs")
    expect(wheel(page)).to_be_visible()
    other = open_page("bulbs", "phone")
    expect(wheel(other)).to_be_visible()
    job = jobs(hub)
    until(page, lambda: len({filter["page"] for _, path, _, filter in hub.asked if path.endswith(("/bulb", "/keep"))}) == 2)
    other.goto(f"{hub.address}/#/scanner")
    left = lambda: {filter["page"] for _, path, _, filter in hub.asked if path == f"/bulbs/{job[0]['id']}/leave"}  # noqa: E731
    # The one that stays has it all the time, over the same link.
    until(page, lambda: len(left()) == 1)
    assert jobs(hub) == job and job[0]["phase"] == "open"
    expect(wheel(page)).to_be_visible()
    page.goto(f"{hub.address}/#/scanner")
    until(page, lambda: not jobs(hub))
    assert len(left()) == 2 and hub.desk.link is None


ASLEEP = "Its page was closed or asleep, so Lantern has disconnected from it."


def seen(page, is_seen: bool) -> None:
    """What a browser tells a page whose tab is put behind another one, and taken out again."""
    page.evaluate(
        """(seen) => {
            Object.defineProperty(document, "hidden", { value: !seen, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_seen,
    )


def test_a_page_that_slept_says_so_and_takes_its_bulb_again(hub, open_page, size):
    page = open_page("bulbs", size)
    expect(wheel(page)).to_be_visible()
    # A hidden tab's timers are held back, so nobody keeps the bulb.
    seen(page, False)
    hub.later(31)
    expect(page.get_by_text(ASLEEP)).to_be_visible()
    begun = lambda: sum(path == "/devices/1/bulb" for _, path, *_ in hub.asked)  # noqa: E731
    assert begun() == 1
    seen(page, True)
    expect(wheel(page)).to_be_visible()
    assert begun() == 2
    # One that was let go while somebody looked stays so until that is wanted.
    hub.later(31)
    expect(page.get_by_text(ASLEEP)).to_be_visible()
    seen(page, True)
    page.wait_for_timeout(300)
    assert begun() == 2


def test_without_a_bulb_and_with_one_that_does_not_say_so(hub, open_page, size):
    hub.begin()
    page = open_page("bulbs", size, bypass_csp=True)
    hub.radio.add(Device("Soundbar “Küche”", TRIONES, -74, advertises=[]))
    expect(page.get_by_role("heading", name="No bulb is near")).to_be_visible()
    check(page, size, "empty")
    page.get_by_role("button", name="Another bulb").filter(visible=True).click()
    check(page, size, "another")
    page.get_by_role("button", name="Check whether Soundbar").click()
    expect(wheel(page)).to_be_visible()
    assert len(jobs(hub)) == 1


def test_while_the_hub_is_away_nothing_can_be_pressed(hub, open_page, size):
    page = open_page("bulbs", size)
    expect(wheel(page)).to_be_visible()
    hub.go()
    expect(page.get_by_text("The hub is not answering.").first).to_be_visible(timeout=15000)
    expect(page.locator(".bulbs")).to_have_attribute("inert", "")
    hub.come_back()
    expect(page.locator(".bulbs")).not_to_have_attribute("inert", "", timeout=15000)


@pytest.mark.parametrize("width", [320, 720, 900, 1200])
def test_no_width_and_no_letters_cut_it_off(hub, open_page, width):
    add_two(hub)
    page = open_page("bulbs", viewport={"width": width, "height": 700})
    expect(wheel(page)).to_be_visible()
    whole = lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth") and page.locator("main").evaluate(
        "main => main.scrollWidth <= main.clientWidth"
    )
    assert whole()
    page.evaluate("document.documentElement.style.fontSize = '150%'")
    assert whole(), "large letters"


def test_names_from_the_air_are_text(hub, open_page, size):
    hub.radio.add(*[Bulb(text, rssi=-60 - at) for at, text in enumerate(HOSTILE)])
    page = open_page("bulbs", size)
    expect(wheel(page)).to_be_visible()
    page.wait_for_timeout(300)
    assert_harmless(page, "bulbs")
    choose(page, "FREE WIFI")
    page.wait_for_timeout(300)
    assert_harmless(page, "chosen")
