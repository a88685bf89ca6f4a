# SPDX-License-Identifier: Apache-2.0
"""The week of a lamp under a finger: days are drawn over, markers dragged."""

from conftest import until
from lamp_world import changes, hub  # noqa: F401
from playwright.sync_api import expect
from test_nightlights import days, groups, open_lamp


def test_a_finger_draws_over_days(hub, open_page):
    page = open_lamp(open_page, "/week", "phone", has_touch=True)
    row = days(page, "Saturday and Sunday")
    row.scroll_into_view_if_needed()
    boxes = [row.get_by_role("button", name=name).bounding_box() for name in ("Thursday", "Friday", "Saturday")]
    session = page.context.new_cdp_session(page)
    point = lambda box: [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point(boxes[0])})
    for box in boxes[1:]:
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": point(box)})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(page, lambda: groups(page) == ["Monday to Wednesday", "Thursday to Sunday"])


def test_a_finger_drags_a_marker_of_the_week(hub, open_page):
    page = open_lamp(open_page, "/week", "phone", has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Monday to Friday, 19:30 to 07:00").tap()
    expect(page.get_by_role("dialog")).to_have_count(0)
    card = page.get_by_role("region", name="Monday to Friday")
    grip = card.get_by_role("slider", name="Off")
    box, bar = grip.bounding_box(), card.locator(".week-bar").bounding_box()
    hour, scrolled = bar["width"] / 36, page.locator("main").evaluate("main => main.scrollTop")
    session = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = lambda kind, *points: session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})
    touch("touchStart", {"x": x, "y": y})
    # A finger does not keep its height.
    for step in range(1, 9):
        touch("touchMove", {"x": x - step * hour / 4, "y": y + 3 * step})
    touch("touchEnd")
    expect(grip).to_have_attribute("aria-valuetext", "Off, 05:00, the next day")
    expect(page.get_by_role("button", name="Monday to Friday, 19:30 to 05:00")).to_be_visible()
    assert page.locator("main").evaluate("main => main.scrollTop") == scrolled
    expect(page.get_by_text("5 days are not on the lamp yet")).to_be_visible()
    card.get_by_role("button", name="Edit period").tap()
    expect(page.get_by_role("dialog").get_by_label("Off, next day")).to_have_value("05:00")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Send to Mia’s lamp").tap()
    until(page, lambda: changes(hub) and changes(hub)[0]["week"]["groups"][0]["periods"][0]["off"] == "05:00")
