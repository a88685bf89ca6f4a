# SPDX-License-Identifier: Apache-2.0
"""One value on a phone: a sheet with its number, its plot and a row of buttons; by touch, too."""

import re

import pytest
from conftest import until
from explorer_strap import asked, connect, explorer, heart, hub, item, visible  # noqa: F401
from playwright.sync_api import expect
from test_bulbs import check



@pytest.fixture
def touched(hub, open_page):
    """The strap, opened on a phone that is touched."""
    page = open_page("explorer", "phone", bypass_csp=True, has_touch=True, is_mobile=True, reduced_motion="reduce")
    connect(page)
    return page


def top(page, selector: str) -> float:
    return page.locator(f".explorer-value {selector}").filter(visible=True).first.bounding_box()["y"]


def test_a_sheet_has_a_row_of_buttons_and_the_log_above_it(hub, touched):
    page = touched
    item(page, "Heart Rate Measurement").tap()
    # In the list and in the sheet the same.
    expect(page.get_by_role("complementary", name="Value")).to_contain_text("Nothing has come yet")
    visible(page, "Listen").tap()
    until(page, lambda: explorer(hub)["watched"] == [0x12])
    heart(hub, 70, 74, 71)
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
    heart(hub, 88)
    expect(log.get_by_role("listitem").first).to_contain_text("88 per minute")
    check(page, "phone", "log")
    log.get_by_role("button", name="Close").tap()
    expect(log).to_be_hidden()
    visible(page, "Save the log").tap()
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON lines").tap()
    assert re.fullmatch(r"lantern-values-[0-9-]+\.jsonl", download.value.suggested_filename)
    visible(page, "Stop").tap()
    until(page, lambda: explorer(hub)["watched"] == [])
    value.get_by_role("button", name="Close the value").tap()
    expect(value).to_be_hidden()


def test_a_value_to_write_only_has_its_log_after_the_write(hub, touched):
    page = touched
    item(page, "Heart Rate Control Point").tap()
    expect(item(page, "Heart Rate Control Point")).to_contain_text("No value to read")
    page.get_by_role("textbox", name="Value to write").fill("01")
    visible(page, "Write").tap()
    page.get_by_role("dialog").get_by_role("button", name="Write").tap()
    until(page, lambda: len(asked(hub, "write")) == 1)
    visible(page, "Log, 1").tap()
    expect(page.get_by_role("dialog", name="Log").get_by_role("listitem")).to_contain_text("Written")


def test_a_drag_down_closes_it(hub, touched):
    page = touched
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


def test_disconnect_is_always_in_sight(hub, open_page, size):
    page = open_page("explorer", size)
    connect(page)
    for key in (None, "End"):
        if key:
            page.get_by_role("tree").press(key)
        expect(visible(page, "Disconnect")).to_be_in_viewport()
    item(page, "Heart Rate Measurement").click()
    expect(visible(page, "Disconnect")).to_be_in_viewport()
    visible(page, "Disconnect").click()
    until(page, lambda: explorer(hub) is None)
    # The keyboard goes on where the button was.
    expect(visible(page, "Connect again")).to_be_focused()
    expect(page.get_by_role("button", name="Disconnect")).to_have_count(0)
