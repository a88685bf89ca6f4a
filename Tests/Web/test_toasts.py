# SPDX-License-Identifier: Apache-2.0
"""What is said for some seconds covers nothing that it is about, and is seen over a dialog."""

from conftest import OWN
from lamp_world import begin, both
from playwright.sync_api import expect
from test_nightlights import open_lamp


def covers(page, selector: str) -> bool:
    toast, other = page.locator(".toast").bounding_box(), page.locator(selector).first.bounding_box()
    return not (
        toast["y"] + toast["height"] <= other["y"] or other["y"] + other["height"] <= toast["y"]
        or toast["x"] + toast["width"] <= other["x"] or other["x"] + other["width"] <= toast["x"]
    )  # fmt: skip


SAY = f"(words) => {OWN}('overlays.js').then(({{ toast }}) => {{ toast(words); }})"


def test_it_leaves_what_was_pressed_free(hub, open_page, size):
    page = open_page("settings/alerts", size)
    expect(page.locator(".setting").first).to_be_visible()
    page.evaluate("""() => {
        const button = document.createElement("button");
        button.className = "button pressed";
        button.textContent = "Pressed";
        button.style.cssText = "position: fixed; left: 50%; bottom: 80px";
        document.querySelector("main").append(button);
        button.focus();
    }""")
    page.evaluate(SAY, "It could not be done.")
    expect(page.locator(".toast")).to_be_visible()
    assert not covers(page, ".pressed")
    # Elsewhere it is at the bottom, and goes out of the way of what is focused later.
    page.evaluate("document.activeElement.blur()")
    page.evaluate(SAY, "Something else.")
    assert page.locator(".toast").bounding_box()["y"] > page.viewport_size["height"] / 2
    page.locator(".pressed").focus()
    assert not covers(page, ".pressed")


def test_it_is_seen_over_a_dialog_and_stays_when_that_closes(hub, open_page, size):
    begin(hub, *both())
    hub.lamp.refuse("name")
    page = open_lamp(open_page, "", size)
    page.get_by_role("button", name="Change the child’s name").click()
    field = page.get_by_role("dialog").get_by_label("Child’s name")
    field.fill("Ida")
    page.get_by_role("button", name="Give it this name").click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("keeps the old one")
    box = toast.bounding_box()
    over = page.evaluate("([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.toast'))", [box["x"] + 12, box["y"] + 12])
    assert over
    assert not covers(page, "#lamp-name")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(toast).to_contain_text("keeps the old one")
