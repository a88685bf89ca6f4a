# SPDX-License-Identifier: Apache-2.0
"""The page Overflow on a native engine: senders, the map, the catalogue and the beacon."""

import re
from datetime import datetime, timedelta

import pytest
from conftest import assert_harmless, until
from hostile import HOSTILE
from hub_script import with_beacon
from kept_world import kept
from overflow_world import FIRST, PLAIN, SENDERS, hub, send  # noqa: F401
from playwright.sync_api import expect
from test_bulbs import check


def services(hub) -> int:
    """How many are in the catalogue, one of them somebody's own."""
    return len(hub.get("/overflow/services")["items"])


def bits(page):
    return page.get_by_role("listbox")


def visible(page, role: str, name: str):
    return page.get_by_role(role, name=name).filter(visible=True)


def test_it_is_clean(hub, open_page, size):
    page = open_page("overflow", size, bypass_csp=True, reduced_motion="reduce")
    expect(page.get_by_text("Clean bank")).to_be_visible()
    expect(page.get_by_text("12 of 128 bits are set")).to_be_visible()
    check(page, size, "page")
    page.get_by_role("button", name=f"Catalogue, {services(hub)} services").click()
    check(page, size, "catalogue")


def test_the_map_says_what_each_bit_is(hub, open_page, size):
    page = open_page("overflow", size)
    expect(page.get_by_text("12 of 128 bits are set")).to_be_visible()
    kinds = page.evaluate(
        """() => Object.fromEntries(["payload", "known", "unknown"].map((kind) =>
            [kind, [...document.querySelectorAll(`.bits .bit.${kind}`)].map((one) => Number(one.dataset.bit)).sort((a, b) => a - b)]))"""
    )
    assert kinds == {"payload": [0, 2, 4, 6, 15, 22, 30, 31, 37], "known": [63, 89], "unknown": [116]}
    expect(page.get_by_role("heading", name="Bit 63 (table index 56)", exact=True)).to_be_visible()
    expect(page.get_by_text("One bit cannot tell them apart.")).to_be_visible()
    # Keys move; what is not set says who could.
    bits(page).focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("heading", name="Bit 62 (table index 57)")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name="Bit 6 (table index 1)", exact=True)).to_be_visible()
    expect(bits(page)).to_have_attribute("aria-activedescendant", "bit-6")
    expect(page.get_by_text("Nothing in the catalogue sets it.")).to_be_visible()
    # A drag reads along.
    first, last = page.locator("#bit-7").bounding_box(), page.locator("#bit-95").bounding_box()
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + 5, steps=8)
    page.mouse.up()
    expect(page.get_by_role("heading", name="Bit 95 (table index 88)")).to_be_visible()


def test_a_map_that_is_too_short_says_so(hub, open_page, size):
    page = open_page("overflow", size)
    expect(page.get_by_text("12 of 128 bits are set")).to_be_visible()
    send(hub, (FIRST, -71, PLAIN[:24]))
    whole = page.get_by_text("Its last map was too short, 12 of 16 octets: the map here is the last whole one.")
    expect(whole).to_be_visible()
    send(hub, ("5E:00:00:00:00:01", -20, "0000"))
    if size == "phone":
        page.get_by_role("combobox", name="Sender").select_option("5E:00:00:00:00:01")
    else:
        row = page.get_by_role("button", name="5E:00:00:00:00:01")
        expect(row).to_contain_text("Map too short")
        row.click()
    expect(page.get_by_text("Its last map was too short, 2 of 16 octets: none of its bits can be shown.")).to_be_visible()
    check(page, size, "short")


def test_every_bit_has_its_table_index_beside_it(hub, open_page, size):
    page = open_page("overflow", size)
    expect(page.get_by_text("12 of 128 bits are set")).to_be_visible()
    expect(page.locator("#bit-66")).to_have_attribute("aria-label", re.compile(r"^Bit 66 \(table index 69\), octet 8, 0x04: "))
    expect(page.get_by_text("Watch set-up, bit 66 (table index 69): not set")).to_be_attached()
    for row in page.locator(".collision").all():
        expect(row).to_contain_text(re.compile(r"^Bit \d+ \(table index \d+\)"))
    page.get_by_role("button", name=f"Catalogue, {services(hub)} services").click()
    expect(page.get_by_role("dialog").get_by_role("listitem").first).to_contain_text(re.compile(r"Bit \d+ \(table index \d+\)"))
    # Nowhere a bit by its number alone.
    assert not re.search(r"\b[Bb]it \d+(?! \(table index)\b", page.locator("body").inner_text())


def test_a_finger_reads_along_whichever_way_it_goes(hub, open_page):
    page = open_page("overflow", "phone", has_touch=True, is_mobile=True)
    expect(page.get_by_text("12 of 128 bits are set")).to_be_visible()
    touch = page.context.new_cdp_session(page)

    def middle(bit: int) -> dict:
        box = page.locator(f"#bit-{bit}").bounding_box()
        return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

    def send(kind: str, *points: dict) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    before = page.evaluate("document.scrollingElement.scrollTop")
    send("touchStart", middle(15))
    # Down the column, then along the row.
    for bit in (14, 12, 10, 8, 16, 40, 80, 120):
        send("touchMove", middle(bit))
    send("touchEnd")
    expect(page.get_by_role("heading", name="Bit 120 (table index 127)")).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollTop") == before
    send("touchStart", middle(7))
    for bit in (6, 5, 4, 3):
        send("touchMove", middle(bit))
        expect(page.get_by_role("heading", name=f"Bit {bit} (table index {bit ^ 7})", exact=True)).to_be_visible()
    send("touchEnd")


def test_senders_come_change_and_go(hub, open_page):
    page = open_page("overflow")
    expect(page.get_by_text("4 now, 1 before")).to_be_visible()
    page.get_by_role("button", name="61:F0:3C:28:84:0B").click()
    expect(page.get_by_role("heading", name="61:F0:3C:28:84:0B")).to_be_visible()
    expect(page.get_by_text("One bit put right")).to_be_visible()
    send(hub, ("AA:BB:CC:00:00:01", -40, "00000000000000800000000000000000"))
    expect(page.get_by_text("5 now, 1 before")).to_be_visible()
    # What was chosen stays.
    expect(page.get_by_role("heading", name="61:F0:3C:28:84:0B")).to_be_visible()
    # The others are heard on.
    hub.later(40)
    send(hub, *SENDERS)
    hub.later(25)
    expect(page.get_by_text("4 now, 2 before")).to_be_visible()


def test_a_phone_chooses_a_sender_from_a_menu(hub, open_page):
    page = open_page("overflow", "phone")
    visible(page, "combobox", "Sender").select_option("4A:77:02:D1:9E:35")
    expect(page.get_by_text("This map holds no message of either codec.")).to_be_visible()


def test_the_catalogue_takes_ones_own_and_gives_them_back(hub, open_page, size):
    page = open_page("overflow", size)
    page.get_by_role("button", name=f"Catalogue, {services(hub)} services").click()
    dialog, all = page.get_by_role("dialog"), services(hub)
    dialog.get_by_role("searchbox").fill("heart")
    expect(dialog.get_by_text(f"1 of {all} services")).to_be_visible()
    # As everywhere in the pages: what is assigned in capitals, what is somebody's own not.
    expect(dialog.get_by_text("180D", exact=True)).to_be_visible()
    dialog.get_by_role("searchbox").fill("")
    dialog.get_by_role("textbox", name="UUID").fill("12345678-0000-1000-8000-000000000001")
    dialog.get_by_role("textbox", name="Name").press_sequentially("My door")
    page.keyboard.press("Enter")
    expect(dialog.get_by_text(f"{all + 1} of {all + 1} services")).to_be_visible()
    assert hub.get("/settings")["overflow"]["services"][-1]["name"] == "My door"
    dialog.get_by_role("button", name="Take My door out").click()
    expect(dialog.get_by_text(f"{all} of {all} services")).to_be_visible()
    assert len(hub.get("/settings")["overflow"]["services"]) == 1
    dialog.get_by_role("textbox", name="Name").focus()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_the_beacon_is_switched_on_and_off(hub, open_page, size):
    beacon = with_beacon(hub, PLAIN)
    page = open_page("overflow", size)
    on = page.get_by_role("switch", name="Beacon of this hub")
    payload = page.get_by_label("Payload, 4 octets").first
    payload.fill("01 02 03")
    on.click()
    expect(page.get_by_text("Four octets: eight hexadecimal digits")).to_be_visible()
    expect(on).not_to_be_checked()
    payload.fill("CA FE 00 01")
    page.get_by_role("button", name="v2, Hamming").click()
    expect(page.get_by_text("Watch card")).to_be_hidden()
    on.click()
    expect(page.get_by_text("CA FE 00 01 by v2, on the air since")).to_be_visible()
    assert beacon["payload"] == "cafe0001"
    other = open_page("overflow", size)
    expect(other.get_by_role("switch", name="Beacon of this hub")).to_be_checked()
    on.click()
    until(page, lambda: not beacon["on"])
    expect(other.get_by_role("switch", name="Beacon of this hub")).not_to_be_checked()
    hub.faults.refuse("POST /overflow/beacon", 409, "There is no radio to advertise with. The connection to it was lost.")
    on.click()
    expect(page.get_by_text("There is no radio to advertise with.")).to_be_visible()
    expect(on).not_to_be_checked()


def test_without_a_sender(hub, open_page, size):
    hub.begin(kept())
    page = open_page("overflow", size, bypass_csp=True)
    expect(page.get_by_text("0 now, 0 before")).to_be_visible()
    expect(page.get_by_text("No iPhone with such an app is heard yet.")).to_be_visible()
    check(page, size, "empty")


@pytest.mark.parametrize("width", [320, 720, 1000, 1200])
def test_no_width_and_no_letters_cut_it_off(hub, open_page, width):
    page = open_page("overflow", viewport={"width": width, "height": 700})
    expect(page.get_by_text("12 of 128 bits are set")).to_be_visible()
    whole = lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth") and page.locator("main").evaluate(
        "main => main.scrollWidth <= main.clientWidth"
    )
    assert whole()
    page.evaluate("document.documentElement.style.fontSize = '150%'")
    assert whole(), "large letters"


def test_names_of_ones_own_are_text(hub, open_page, size):
    own = [{"uuid": f"0000{at:04x}", "name": text[:60], "bit": 63, "own": True} for at, text in enumerate(HOSTILE)]
    hub.faults.alter("GET /overflow/services", lambda value: {"items": own + value["items"]})
    page = open_page("overflow", size)
    expect(page.get_by_role("heading", name="Bit 63 (table index 56)", exact=True)).to_be_visible()
    page.wait_for_timeout(300)
    assert_harmless(page, "overflow")
    page.get_by_role("button", name="Catalogue").click()
    page.wait_for_timeout(300)
    assert_harmless(page, "catalogue")


@pytest.mark.parametrize("minutes,words", [(0, "less than a minute"), (30, "30 min")])
def test_how_long_a_sender_is_heard(hub, open_page, minutes, words):
    def heard(one: dict) -> dict:
        return one | {"first": (datetime.fromisoformat(one["last"]) - timedelta(minutes=minutes, seconds=20)).isoformat()}

    hub.faults.alter("GET /overflow", lambda value: value | {"sources": [heard(one) for one in value["sources"]]})
    page = open_page("overflow")
    expect(page.get_by_text(f"12 of 128 bits are set, heard for {words}, −71 dBm")).to_be_visible()
