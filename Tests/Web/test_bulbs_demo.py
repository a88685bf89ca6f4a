# SPDX-License-Identifier: Apache-2.0
"""The pages Bulbs and Overflow against `lantern demo`: real links to the bulb of the virtual air, a real scan and beacon."""

import pytest
from conftest import until, violations
from playwright.sync_api import expect
from real_hub import RealHub


@pytest.fixture
def hub(tmp_path):
    one = RealHub(tmp_path, command="demo")
    one.start()
    yield one
    if one.process and one.process.poll() is None:
        assert one.stop() == 0, one.log


def clean(page) -> None:
    assert violations(page) == []
    text = page.locator("main").inner_text()
    assert "null" not in text and "undefined" not in text and "NaN" not in text


def bulb_of(hub) -> dict:
    """What the hub knows of the one bulb that is open."""
    [job] = [one for one in hub.get("/jobs")["items"] if one["kind"] == "bulb"]
    return hub.get(f"/bulbs/{job['id']}")


def test_a_bulb_does_what_it_is_told_and_says_so(hub, open_page, size):
    hub.until(lambda: any(one["kind"] == "bulb" for one in hub.get("/devices")["items"]))
    page = open_page("bulbs", size, bypass_csp=True, reduced_motion="reduce")
    wheel = page.get_by_role("slider", name="Colour of the bulb")
    expect(wheel).to_be_visible(timeout=30000)
    page.get_by_role("group", name="Favourites").get_by_role("button", name="Pink #FF5C9E").click()
    until(page, lambda: bulb_of(hub)["agrees"] is True, 20)
    assert bulb_of(hub)["said"]["color"] == "#ff5c9e"
    expect(page.get_by_text("Just what you asked for")).to_be_visible()
    clean(page)
    page.get_by_role("switch").filter(visible=True).first.uncheck()
    until(page, lambda: bulb_of(hub)["said"]["power"] is False, 20)
    # A colour is to be seen.
    wheel.focus()
    page.keyboard.press("End")
    until(page, lambda: bulb_of(hub)["said"]["power"] is True and not bulb_of(hub)["busy"], 20)
    page.get_by_role("button", name="Effects", exact=True).click()
    page.get_by_role("button", name="Red breathing", exact=True).click()
    until(page, lambda: bulb_of(hub)["said"]["effect"] == 0x26, 20)
    page.get_by_role("button", name="All hues", exact=True).click()
    until(page, lambda: bulb_of(hub)["hue"] is not None, 20)
    page.get_by_role("button", name="All hues", exact=True).click()
    until(page, lambda: bulb_of(hub)["turn"] is None and bulb_of(hub)["agrees"] is True, 20)
    clean(page)
    page.goto(f"{hub.address}/#/scanner")
    hub.until(lambda: not hub.get("/jobs")["items"])


def test_a_dialect_that_the_bulb_does_not_speak(hub, open_page, size):
    page = open_page("bulbs", size)
    expect(page.get_by_role("slider", name="Colour of the bulb")).to_be_visible(timeout=30000)
    page.get_by_role("combobox", name="Dialect").select_option("elk-bledom")
    expect(page.get_by_text("It does not speak ELK-BLEDOM")).to_be_visible(timeout=20000)
    page.get_by_role("button", name="It is Triones").click()
    expect(page.get_by_text("Chosen here.")).to_be_visible(timeout=20000)
    assert [one["dialect"] for one in hub.get("/settings")["bulbs"]["dialects"]] == ["triones"]


def test_the_phone_of_the_demo_is_heard_and_the_beacon_is_on_the_air(hub, open_page, size):
    page = open_page("overflow", size, bypass_csp=True, reduced_motion="reduce")
    # The message has to move once before it is believed.
    expect(page.get_by_text("Clean bank")).to_be_visible(timeout=30000)
    expect(page.locator(".overflow-payload .value")).to_have_text("01 02 03 04")
    page.get_by_role("switch", name="Beacon of this hub").click()
    expect(page.get_by_text("01 02 03 04 by v1, on the air since")).to_be_visible(timeout=20000)
    clean(page)
    page.get_by_role("button", name="Catalogue").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="UUID").fill("4fafc201-1fb5-459e-8fcc-c5c9c331914b0")
    dialog.get_by_role("textbox", name="Name").fill("Too long")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("alert")).to_contain_text("must be a UUID")
    dialog.get_by_role("textbox", name="UUID").fill("B41E0007-52A1-4C0E-9B2F-7A1D03EE20C1")
    dialog.get_by_role("textbox", name="Name").fill("Greenhouse <b>logger</b>")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_text("Greenhouse <b>logger</b>")).to_be_visible()
    clean(page)
    page.keyboard.press("Escape")
    page.get_by_role("switch", name="Beacon of this hub").click()
    until(page, lambda: hub.get("/overflow")["beacon"]["on"] is False, 20)
