# SPDX-License-Identifier: Apache-2.0
"""One value on a phone: a sheet with its number, its plot and a row of buttons; by touch, too."""

import re

import pytest
from conftest import until
from explorer_data import STRAP
from playwright.sync_api import expect
from test_bulbs import check
from test_explorer import asked, connect, item, visible


@pytest.fixture
def touched(hub, open_page):
    """The strap, opened on a phone that is touched; the page and the link."""
    page = open_page("explorer", "phone", bypass_csp=True, has_touch=True, is_mobile=True, reduced_motion="reduce")
    return page, connect(hub, page)


def top(page, selector: str) -> float:
    return page.locator(f".explorer-value {selector}").filter(visible=True).first.bounding_box()["y"]


def test_a_sheet_has_a_row_of_buttons_and_the_log_above_it(hub, touched):
    page, work = touched
    item(page, "Heart Rate Measurement").tap()
    # In the list and in the sheet the same.
    expect(page.get_by_role("complementary", name="Value")).to_contain_text("Nothing has come yet")
    visible(page, "Listen").tap()
    for rate in (70, 74, 71):
        hub.explorer.heart(work, rate)
    value = page.get_by_role("complementary", name="Value")
    expect(value.locator(".live-number")).to_have_text("71")
    # As it is drawn: the number beside the name, the plot, one row of buttons, all above what follows.
    assert abs(top(page, ".live-number") - top(page, "h2")) < 12
    buttons = [visible(page, name).bounding_box() for name in ("Stop", "Log, 3", "Save the log")]
    assert len({round(box["y"]) for box in buttons}) == 1
    assert top(page, ".explorer-plot") < buttons[0]["y"] < top(page, ".value-said")
    assert min(box["height"] for box in buttons) >= 40
    check(page, "phone", "sheet")
    expect(value.locator(".value-log")).to_be_hidden()
    visible(page, "Log, 3").tap()
    log = page.get_by_role("dialog", name="Log")
    expect(log.get_by_role("listitem")).to_have_count(3)
    # It goes on while it is looked at.
    hub.explorer.heart(work, 88)
    expect(log.get_by_role("listitem").first).to_contain_text("88 per minute")
    check(page, "phone", "log")
    log.get_by_role("button", name="Close").tap()
    expect(log).to_be_hidden()
    visible(page, "Save the log").tap()
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON lines").tap()
    assert download.value.suggested_filename == "values.csv"
    visible(page, "Stop").tap()
    until(page, lambda: work["watched"] == [])
    value.get_by_role("button", name="Close the value").tap()
    expect(value).to_be_hidden()


def test_a_value_to_write_only_has_its_log_after_the_write(hub, touched):
    page, work = touched
    item(page, "Heart Rate Control Point").tap()
    expect(item(page, "Heart Rate Control Point")).to_contain_text("No value to read")
    page.get_by_role("textbox", name="Value to write").fill("01")
    visible(page, "Write").tap()
    page.get_by_role("dialog").get_by_role("button", name="Write").tap()
    until(page, lambda: len(asked(hub, "write")) == 1)
    visible(page, "Log, 1").tap()
    expect(page.get_by_role("dialog", name="Log").get_by_role("listitem")).to_contain_text("Written")


def test_a_drag_down_closes_it(hub, touched):
    page, work = touched
    item(page, "Battery Level").tap()
    value = page.get_by_role("complementary", name="Value")
    box = value.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] + 60, steps=3)
    page.mouse.up()
    expect(value).to_be_visible()
    page.mouse.move(box["x"] + 100, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] + 160, steps=5)
    page.mouse.up()
    expect(value).to_be_hidden()


@pytest.mark.parametrize("width", [390, 800])
def test_what_is_known_of_the_device_itself_is_there_where_no_pane_has_room(hub, open_page, width):
    page = open_page("explorer", viewport={"width": width, "height": 844}, bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("row", name=STRAP).click()
    expect(page.locator(".explorer-top .facts").first).to_contain_text(re.compile(r"every 1,\d{3} ms"))
    for _ in ("before a link", "with one"):
        plot = page.get_by_role("img", name=re.compile("^The last 10 minutes: "))
        plot.scroll_into_view_if_needed()
        expect(plot).to_be_in_viewport()
        air = page.get_by_role("region", name="On the air")
        expect(air).to_contain_text(re.compile(r"Advertises\s*every 1,\d{3} ms"))
        octets = page.get_by_role("region", name="Octets of the advertisement")
        expect(octets).to_contain_text("02 01 06 03 03 0D 18 0F")
        assert octets.evaluate("one => one.getBoundingClientRect().right <= innerWidth")
        if visible(page, "Connect").count():
            visible(page, "Connect").click()
            expect(item(page, "Heart Rate Measurement")).to_be_visible()
    check(page, "phone" if width < 720 else "desktop", f"{width} px")
    # With room it is beside the values again, and once only.
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.get_by_role("img", name=re.compile("^The last 10 minutes: "))).to_have_count(1)


def test_disconnect_is_always_in_sight(hub, open_page, size):
    page = open_page("explorer", size)
    work = connect(hub, page)
    for key in (None, "End"):
        if key:
            page.get_by_role("tree").press(key)
        expect(visible(page, "Disconnect")).to_be_in_viewport()
    item(page, "Heart Rate Measurement").click()
    expect(visible(page, "Disconnect")).to_be_in_viewport()
    visible(page, "Disconnect").click()
    until(page, lambda: work["job"]["phase"] == "ended")
    # The keyboard goes on where the button was.
    expect(visible(page, "Connect again")).to_be_focused()
    expect(page.get_by_role("button", name="Disconnect")).to_have_count(0)


def test_values_stay_while_they_are_read_again(hub, open_page, size):
    page = open_page("explorer", size)
    work = connect(hub, page)
    level, text = item(page, "Battery Level"), item(page, "Manufacturer Name String")
    expect(level).to_contain_text("82%")
    hub.explorer.read_again(work)
    # The hub has found everything anew and nothing was read yet.
    expect(page.get_by_text("Reading values, 0 of 9")).to_be_visible()
    expect(level).to_contain_text("82%")
    expect(text).to_contain_text("Nordlicht")
    assert "Not read" not in page.get_by_role("tree").inner_text()
    hub.explorer.change(work, step="ready", read=9, tree_revision=work["tree_revision"] + 1)
    # What could not be read at the end is not known any more.
    expect(level).to_contain_text("Not read")
    # A new link to the same device shows what was seen last until it has read it.
    hub.explorer.ready(work)
    hub.explorer.change(work, tree_revision=9)
    expect(level).to_contain_text("82%")
    level.click()
    visible(page, "Listen").click()
    until(page, lambda: work["watched"])
    hub.explorer.send(work, 0x22, "51", fields=[{"name": "Battery Level", "value": "81%"}], plotted=81.0)
    expect(level).to_contain_text("81%")
    if size == "phone":
        page.keyboard.press("Escape")
    visible(page, "Disconnect").click()
    expect(level).to_contain_text("81%")
    hub.explorer.waits = True
    visible(page, "Connect again").click()
    expect(visible(page, "Cancel")).to_be_visible()
    expect(level).to_contain_text("81%")


def test_a_radio_that_does_not_tell_all_says_what(hub, open_page):
    hub.server.model.lacks = ["advertised_octets", "modulation", "timing", "link_strength"]
    page = open_page("explorer")
    row = page.get_by_role("row", name="Mia")
    expect(row).to_be_visible()
    # BlueZ does not tell either whether a device takes links: such ones stay in the list.
    number = next(one["id"] for one in hub.explorer.rows.values() if one["name"] == "Mia’s lamp")
    hub.explorer.rows[number]["connectable"] = None
    page.reload()
    page.get_by_role("button", name="Order and filters").click()
    page.get_by_role("switch", name="Can connect").check()
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    expect(row).to_be_visible()
    work = connect(hub, page)
    expect(page.get_by_text("These are rebuilt from what it reports")).to_be_visible()
    hub.explorer.change(work, phy_tx=None, phy_rx=None, interval=None, latency=None, supervision_timeout=None, rssi=None, can_pair=False)
    expect(page.locator(".explorer-top .facts").first).to_have_text("C0:FF:EE:9A:3C:2B, MTU 247")
    visible(page, "More").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("does not tell how the link is modulated, the link's timing and how strong the link is.")
    expect(dialog).to_contain_text("This radio cannot pair.")
