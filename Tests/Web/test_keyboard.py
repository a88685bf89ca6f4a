# SPDX-License-Identifier: Apache-2.0
"""Every job of every page with keys alone: Tab reaches it, what has the focus is seen, and it is not lost."""

import re

import pytest
from conftest import go
from flock_world import hub, tell  # noqa: F401
from hub_script import with_captures, with_tokens
from playwright.sync_api import expect


FOCUSED = """() => {
    const one = document.activeElement;
    if (!one || one === document.body) return ["", true];
    const name = one.getAttribute("aria-label") || one.labels?.[0]?.innerText || one.innerText || "";
    const shown = [one, one.querySelector("[data-active]")].some((seen) => {
        if (!seen) return false;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(seen);
        return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    });
    return [name.replace(/\\s+/g, " ").trim(), shown];
}"""


def focused(page) -> str:
    return page.evaluate(FOCUSED)[0]


def walk(page, name: str | re.Pattern, most: int = 90, key: str = "Tab") -> None:
    """Presses Tab until something of this name has the focus; whatever has it on the way must show it."""
    wanted = name if isinstance(name, re.Pattern) else re.compile(f"^{re.escape(name)}$")
    way = []
    for _ in range(most):
        page.keyboard.press(key)
        at, shown = page.evaluate(FOCUSED)
        way.append(at)
        assert shown, f"one does not see that {at!r} has the focus"
        if wanted.search(at):
            return
    raise AssertionError(f"Tab does not come to {name!r}: {way}")


def do(page, name: str | re.Pattern, key: str = "Enter") -> None:
    walk(page, name)
    page.keyboard.press(key)


def settled(page) -> None:
    expect(page.locator("main > *").first).to_be_visible()
    page.wait_for_timeout(300)


def sent(hub, page) -> list[str]:
    """Method and path of each request that changes something, from now on."""
    found: list[str] = []

    def note(request) -> None:
        if request.method != "GET":
            found.append(f"{request.method} {request.url.split('/api/v1')[-1]} {request.post_data or ''}".strip())

    page.on("request", note)
    return found


def test_scanner(hub, open_page):
    page = open_page("scanner")
    expect(page.locator(".latest-row").first).to_be_visible()
    page.keyboard.press("Tab")
    assert focused(page) == "Go to the content"
    page.keyboard.press("Enter")
    asked = sent(hub, page)
    for word in ("Ping", "Status", "Reset counters"):
        do(page, word)
        expect(page.get_by_role("button", name=word, exact=True)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    walk(page, "Raw stream", key="Shift+Tab")
    page.keyboard.press("Space")
    page.wait_for_timeout(200)
    assert [one for one in asked if "commands" in one] and len(asked) >= 4, asked
    do(page, "Disconnect")
    # What takes the place of the button has the focus, so that the next key goes on from there.
    expect(page.get_by_role("button", name="Connect", exact=True).first).to_be_visible()
    assert focused(page) != ""
    walk(page, "Connect", key="Shift+Tab") if focused(page) != "Connect" else None
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Disconnect")).to_be_visible()
    assert focused(page) != ""
    go(page, "s")
    do(page, "Pause the picture and the list", "Space")
    expect(page.locator("[aria-pressed=true]", has=page.locator("svg"))).to_be_focused()
    do(page, "New sources", "Space")
    do(page, re.compile("^Flock Safety"))
    expect(page.get_by_role("heading", name="Why it was raised")).to_be_visible()


def test_history(hub, open_page):
    page = open_page("history")
    expect(page.locator(".long-row").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("flock")
    expect(page.locator(".counts")).to_have_text("2 of 17 sources")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    expect(page.locator(".counts")).to_have_text("17 sources")
    # Filter, in a dialog that keeps the focus and gives it back.
    do(page, "Filter")
    dialog = page.locator("dialog")
    do(page, "Muted", "Space")
    for _ in range(40):
        page.keyboard.press("Tab")
        assert dialog.evaluate("it => it.contains(document.activeElement) || document.activeElement === document.body")
    page.keyboard.press("Escape")
    expect(page.locator(".counts")).to_have_text("1 of 17 sources")
    expect(page.get_by_role("button", name="Filter", exact=True)).to_be_focused()
    # Kept under a name, taken away, chosen again.
    do(page, "Saved filters")
    walk(page, "Name of this filter")
    page.keyboard.type("Quiet")
    do(page, "Save this filter")
    expect(dialog).to_have_count(0)
    walk(page, "Remove the filter Muted", key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("searchbox")).to_be_focused()
    expect(page.locator(".counts")).to_have_text("17 sources")
    do(page, "Saved filters")
    do(page, "Quiet")
    expect(page.locator(".counts")).to_have_text("1 of 17 sources")
    walk(page, "Remove the filter Muted", key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".counts")).to_have_text("17 sources")
    # Ticked, deleted, taken back.
    walk(page, "Sources and detections")
    for key in ("Space", "ArrowDown", "Shift+ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(".bulk")).to_contain_text("3 selected")
    do(page, "Delete")
    expect(page.locator(".counts")).to_have_text("14 sources")
    expect(page.get_by_role("grid")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator(".counts")).to_have_text("17 sources")
    # Marked, exported, let go.
    page.keyboard.press("Space")
    do(page, "Mine")
    expect(page.get_by_role("grid")).to_be_focused()
    page.keyboard.press("Control+z")
    page.keyboard.press("Space")
    do(page, "Export")
    with page.expect_download() as download:
        do(page, re.compile("^GPX"))
    assert download.value.suggested_filename == "detections.gpx"
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".bulk")).to_be_hidden()
    do(page, "Detections") if focused(page) == "" else walk(page, "Detections", key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".counts")).to_have_text(re.compile("detections$"))


@pytest.mark.parametrize("width", [1280, 900])
def test_the_detail_of_a_source(hub, open_page, width):
    page = open_page("history", viewport={"width": width, "height": 832})
    expect(page.locator(".long-row").first).to_be_visible()
    walk(page, "Sources and detections")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Why it was raised")).to_be_visible()
    if width == 900:
        # The list has gone; the focus has not.
        assert focused(page) != ""
    for index, word in enumerate(("Mine", "Mute", "False alarm")):
        do(page, word, "Space")
        pressed = page.locator(".big-button").nth(index)
        expect(pressed).to_have_attribute("aria-pressed", "true")
        expect(pressed).to_be_focused()
        expect(page.locator(".toast")).to_be_visible()
        page.keyboard.press("Control+z")
        expect(pressed).to_have_attribute("aria-pressed", "false")
    do(page, "Note")
    page.keyboard.type("By the bridge")
    do(page, re.compile("^(Keep|Save)"))
    expect(page.locator(".history-detail")).to_contain_text("By the bridge")
    assert focused(page) != ""
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("#/history$"))
    expect(page.get_by_role("grid")).to_be_focused()


def test_settings(hub, open_page):
    quiet = {"on": True, "from": "22:00", "to": "07:00"}
    hub.ask("PATCH", "/settings", {"alerts": {"quiet": quiet}}, if_match="*")
    page = open_page("settings")
    settled(page)
    asked = sent(hub, page)

    def value(name: str, key: str) -> None:
        """Changes a control by a key; it keeps the focus and the hub is told."""
        before = len(asked)
        do(page, name, key)
        page.wait_for_timeout(400)
        assert len(asked) > before, f"{name} by {key} changes nothing"
        assert focused(page) == name, f"{name} loses the focus to {focused(page)!r}"

    value("Sound", "ArrowDown")
    value("Volume", "ArrowRight")
    value("Lowest confidence for an alert", "ArrowRight")
    value("Pause for the same source", "ArrowDown")
    walk(page, "Quiet from")
    page.keyboard.press("Control+a")
    page.keyboard.type("23:15")
    page.keyboard.press("Tab")
    page.wait_for_timeout(300)
    assert "23:15" in asked[-1], asked
    page.keyboard.press("Shift+Tab")
    value("Quiet hours", "Space")
    value("Lowest confidence to keep", "ArrowRight")
    value("Delete after", "ArrowUp")
    value("Limit the database to", "ArrowUp")
    value("Imperial", "Space")
    value("Connect FlockFinder-S3 by itself", "Space")
    do(page, "Add by its address")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    value("Dark", "Space")
    walk(page, "Delete")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Delete all detections?")).to_be_visible()
    page.keyboard.press("Escape")
    do(page, "Show the keys")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Undo")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_a_token(hub, open_page):
    with_tokens(hub)
    page = open_page("settings")
    settled(page)
    do(page, "Make a token")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Make a token")).to_be_focused()


def test_debug(hub, open_page):
    with_captures(hub)
    page = open_page("debug")
    settled(page)
    tell(hub, *range(1, 6))
    expect(page.locator("main")).to_contain_text("5")
    do(page, "Pause", "Space")
    assert focused(page) in ("Pause", "Resume"), focused(page)
    page.keyboard.press("Space")
    with page.expect_download():
        do(page, "Save", "Enter")
    page.keyboard.press("/")
    page.keyboard.type("nothing like this")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    do(page, "Device", "Space")
    do(page, re.compile("^Lines"), "End")
    do(page, "Start a capture")
    expect(page.get_by_role("button", name=re.compile("[Ss]top"))).to_be_visible()
    assert focused(page) != ""


def test_a_phone_with_a_keyboard(hub, open_page):
    page = open_page("scanner", "phone")
    expect(page.locator(".latest-row").first).to_be_visible()
    do(page, re.compile("Open the device$"))
    expect(page.get_by_role("dialog")).to_be_visible()
    do(page, "Ping")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert focused(page) != ""
    go(page, "h")
    expect(page.locator(".long-row").first).to_be_visible()
    do(page, "More")
    do(page, "Select")
    expect(page.locator(".bulk")).to_contain_text("0 selected")
    page.keyboard.press("Escape")
    expect(page.locator(".bulk")).to_be_hidden()
