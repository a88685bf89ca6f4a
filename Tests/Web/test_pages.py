# SPDX-License-Identifier: Apache-2.0
"""What holds for every page: accessible, harmless with hostile text, whole at 320 px and with large letters."""

import re
import time

import pytest
from conftest import SERIOUS, assert_harmless, go, pages_are_there, show_detections, try_now, violations
from engine_host import iso
from flock_world import arrive, tell
from hub_script import MADE, alter_hub, lose_radio, sign_in_first, with_login, with_tokens
from playwright.sync_api import expect
from whole_world import begin, begin_empty, hub  # noqa: F401


ROUTES = ["scanner", "history", "history/source/1", "settings", "settings/alerts", "debug", "devices", "map", "wifi", "explorer"]


def settle(page) -> None:
    expect(page.locator(".status")).to_contain_text("Live")
    page.wait_for_timeout(400)


TARGETS = """(least) => [...document.querySelectorAll("button, a[href], input, select, [role=checkbox]")]
    .filter((one) => one.checkVisibility() && !one.closest("[inert], p, .long-body") && !one.matches(".spoken, .skip, .cover"))
    .map((one) => {
        const { width, height } = one.getBoundingClientRect(), more = ["::before", "::after"].map((part) => {
            const { content, position, insetBlockStart } = getComputedStyle(one, part);
            return content !== "none" && position === "absolute" ? -2 * Math.min(0, parseFloat(insetBlockStart)) : 0;
        });
        return [(one.getAttribute("aria-label") ?? one.textContent).trim(), Math.round(height + Math.max(...more)), width];
    })
    .filter(([name, height, width]) => !name || height < least || width < 24)"""


@pytest.mark.parametrize("route", [*ROUTES, "settings/storage"])
def test_axe_finds_nothing_serious_and_all_can_be_pressed_with_and_without_the_hub(hub, open_page, route, size):
    page = open_page(route, size, bypass_csp=True, reduced_motion="reduce")
    settle(page)
    assert page.evaluate(TARGETS, 44 if size == "phone" else 24) == []
    tell(hub, 1, 7)
    page.wait_for_timeout(400)
    assert violations(page, SERIOUS) == []
    hub.go()
    expect(page.locator(".banner")).to_contain_text("The hub is not answering", timeout=10000)
    assert violations(page, SERIOUS) == []


@pytest.mark.parametrize(
    "state,words",
    [(begin_empty, "Waiting"), (lose_radio, "The Bluetooth radio"), (sign_in_first, "Token of this hub")],
)
def test_axe_finds_nothing_serious_in_other_states(hub, open_page, state, words, size):
    state(hub)
    page = open_page("scanner", size, bypass_csp=True)
    expect(page.locator("body")).to_contain_text(words)
    assert violations(page, SERIOUS) == []


@pytest.mark.parametrize("route", ["scanner", "history", "history/source/20", "map", "debug", "devices", "settings/devices"])
def test_hostile_text_stays_text(hub, open_page, route, size):
    begin(hub, "hostile")
    page = open_page(route, size)
    settle(page)
    tell(hub, *range(1, 12))
    page.wait_for_timeout(600)
    assert_harmless(page, route)


@pytest.mark.parametrize("route", ROUTES)
def test_nothing_is_cut_off_at_320_px_and_with_large_letters(hub, open_page, route):
    page = open_page(route, viewport={"width": 320, "height": 640})
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.locator("main").evaluate("main => main.scrollWidth <= main.clientWidth")
    page.evaluate("document.documentElement.style.fontSize = '175%'")
    page.set_viewport_size({"width": 640, "height": 800})
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640


def test_keys_change_the_page(hub, open_page):
    page = open_page()
    settle(page)
    for letter, title in (("h", "History"), ("d", "Debug stream"), ("t", "Settings"), ("s", "Scanner")):
        go(page, letter)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)


def test_login_refuses_waits_and_lets_in(hub, open_page, size):
    sign_in_first(hub)
    page = open_page("scanner", size)
    field = page.get_by_label("Token of this hub")
    expect(field).to_be_focused()
    field.fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("That is not the token. You can try again in")
    expect(page.get_by_role("button", name="Sign in")).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_role("button", name="Sign in")).to_have_text("Sign in", timeout=5000)
    field.fill("correct-horse")
    page.keyboard.press("Enter")
    expect(page.locator(".latest-row").first).to_be_visible()
    expect(field).to_have_count(0)


def test_settings_take_effect_at_once_and_everywhere(hub, open_page, size):
    page = open_page("settings/appearance", size)
    other = open_page("scanner")
    settle(other)
    page.get_by_role("button", name="Dark").click()
    for one in (page, other):
        expect(one.locator("html")).to_have_attribute("data-theme", "dark")
    assert hub.get("/settings")["theme"] == "dark"


def test_somebody_else_changed_the_settings_first(hub, open_page):
    page = open_page("settings/appearance")
    settle(page)
    # Of which this page has not been told.
    refusals = [412]
    hub.faults.instead("PATCH /settings", lambda body: (refusals.pop(), {"detail": "Somebody else has changed the settings."}) if refusals else None)
    page.get_by_role("button", name="Light").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert hub.get("/settings")["theme"] == "light"


def test_a_new_token_is_shown_once(hub, open_page, size):
    tokens = with_tokens(hub)
    page = open_page("settings/access", size)
    page.get_by_role("button", name="Make a token").click()
    dialog = page.get_by_role("dialog", name="Make a token")
    dialog.get_by_role("button", name="Make it").click()
    expect(dialog.get_by_role("alert")).to_contain_text("A name has 1 to 40 characters")
    dialog.get_by_label("Who or what it is for").fill("Kitchen")
    dialog.get_by_label("What it allows").select_option("home")
    dialog.get_by_role("button", name="Make it").click()
    expect(page.locator(".token")).to_have_text("kP3v-9QxT-71sW-mm0e")
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".token")).to_have_count(0)
    assert [(one["name"], one["role"]) for one in tokens] == [("owner", "admin"), ("Kitchen", "home")]
    row = page.locator(".tokens .setting", has_text="Kitchen")
    expect(row).to_contain_text("Sees everything, changes lamps and bulbs. Made today, never used")


def test_a_token_is_revoked_and_the_last_one_cannot_be(hub, open_page, size):
    tokens = with_tokens(hub)
    tokens.append({"id": 2, "name": "Guest", "role": "read", "made": MADE, "used": None, "sessions": 1})
    page = open_page("settings/access", size)
    expect(page.get_by_role("button", name="Revoke owner")).to_have_count(0)
    page.get_by_role("button", name="Revoke Guest").click()
    dialog = page.get_by_role("dialog", name="Revoke this token?")
    expect(dialog).to_contain_text("Guest stops working, and 1 browser is signed out.")
    dialog.get_by_role("button", name="Revoke").click()
    expect(page.locator(".tokens .setting", has_text="Guest")).to_have_count(0)
    assert [one["name"] for one in tokens] == ["owner"]


def test_sign_out_and_in_again(hub, open_page):
    with_login(hub)
    page = open_page("settings/access")
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_label("Token of this hub").fill("correct-horse")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".status")).to_contain_text("Live")
    expect(page.get_by_label("Token of this hub")).to_have_count(0)


def test_without_the_hub_nothing_can_be_changed(hub, open_page, size):
    page = open_page("settings/appearance", size)
    settle(page)
    hub.go()
    expect(page.locator(".banner")).to_be_visible(timeout=8000)
    expect(page.locator(".rows:has(.segments)").last).to_have_attribute("inert", "")


def test_a_group_of_settings_is_scrolled_to(hub, open_page):
    page = open_page("settings/storage")
    settle(page)
    expect(page.get_by_role("heading", name="Storage")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Settings")).to_be_in_viewport()
    assert page.evaluate("document.scrollingElement.scrollTop") == 0


def test_a_page_that_was_left_stays_silent(hub, open_page):
    page = open_page("scanner")
    settle(page)
    arrive(hub)
    page.wait_for_timeout(50)
    page.evaluate("location.hash = '#/settings'")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.wait_for_timeout(600)
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")


def test_sources_and_detections_of_one_number_are_told_apart(hub, open_page):
    page = open_page("history")
    first = page.locator(".long-row:not(.ghost)").first
    expect(first).to_be_visible()
    page.get_by_role("button", name="Detections").click()
    expect(page.locator(".counts")).to_have_text(re.compile("detections$"))
    row = hub.get("/detections", limit=1)["items"][0]
    name = row["ssid"] or row["mac"]
    expect(page.locator(".long-row:not(.ghost)").first.locator(".name .hint")).to_have_text(name)


@pytest.mark.parametrize("state", [begin_empty, lose_radio])
@pytest.mark.parametrize("route", ROUTES)
def test_every_page_is_whole_with_nothing_to_show(hub, open_page, state, route):
    """First run and no radio, on the smallest phone: words on each page, nothing cut off, nothing made up."""
    state(hub)
    page = open_page(route, viewport={"width": 320, "height": 640}, bypass_csp=True)
    expect(page.get_by_role("heading").first).to_be_visible()
    page.wait_for_timeout(600)
    text = page.locator("main").inner_text()
    assert len(text.strip()) > 20
    assert not re.search(r"NaN|undefined|null|\bdrives?\b", text)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(page, SERIOUS) == []


def test_history_opened_without_the_hub_is_not_blank(hub, open_page, size):
    page = open_page("scanner", size)
    settle(page)
    pages_are_there(page)
    hub.go()
    expect(page.locator(".banner")).to_be_visible(timeout=8000)
    page.evaluate("location.hash = '#/history'")
    expect(page.get_by_role("heading", name="Not known while the hub is away")).to_be_visible()
    hub.come_back()
    try_now(page)
    expect(page.locator(".counts")).to_have_text("17 sources")
    page.evaluate("location.hash = '#/scanner'")
    pages_are_there(page)
    hub.go()
    expect(page.locator(".banner")).to_be_visible(timeout=8000)
    page.evaluate("location.hash = '#/history'")
    expect(page.locator(".long-row").first).to_be_visible()
    expect(page.locator(".counts")).to_have_text("17 sources")
    show_detections(page)
    expect(page.get_by_role("heading", name="Not known while the hub is away")).to_be_visible()


def test_about_says_for_how_long_it_runs(hub, open_page):
    started = iso(round((time.time() - 5 * 3600) * 1000))
    alter_hub(hub, lambda value: {"started": started})
    page = open_page("settings/about", "phone")
    expect(page.locator(".running")).to_have_text("running for 5 h 0 min")
    words = page.evaluate("""async () => {
        const { running } = await import("/text.js");
        const now = new Date(2026, 10, 19, 14, 31).getTime();
        return [8, 90, 15120, 90000, 400000].map((seconds) => running(new Date(now - seconds * 1000).toISOString(), now));
    }""")
    assert words == [
        "started just now",
        "running for 1 min",
        "running for 4 h 12 min",
        "running since yesterday, 13:31",
        "running since Sat 14 Nov, 23:24",
    ]


@pytest.mark.parametrize("width", [360, 720, 760, 900, 1100])
def test_no_width_scrolls_sideways(hub, open_page, width):
    page = open_page(viewport={"width": width, "height": 600})
    settle(page)
    for route in ROUTES:
        page.evaluate("(route) => { location.hash = `#/${route}` }", route)
        page.wait_for_timeout(250)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), route
        assert page.locator("main").evaluate("main => main.scrollWidth <= main.clientWidth"), route


def test_the_status_is_read_in_words(hub, open_page):
    page = open_page()
    settle(page)
    expect(page.get_by_role("button", name="Status: ±4 m, Scanning, Live")).to_be_visible()
    # A place that somebody has typed has no metres.
    alter_hub(hub, lambda value: {"location": value["location"] | {"source": "fixed", "accuracy": None}})
    expect(page.get_by_role("button", name="Status: Fixed, Scanning, Live")).to_be_visible()


@pytest.mark.parametrize("state", [begin_empty, lose_radio])
def test_every_page_has_words_on_the_first_evening(hub, open_page, state, size):
    state(hub)
    page = open_page("scanner", size)
    expect(page.locator("main h2").first).to_be_visible()
    groups = ["alerts", "detections", "location", "map", "devices", "appearance", "access", "storage", "radio", "about"]
    words = {
        "history": "Nothing noticed yet" if state is begin_empty else "Flock Safety",
        "debug": "Nothing yet. Lines from the device",
        "devices": "At home",
        "map": "Nothing noticed yet" if state is begin_empty else "In view",
        "settings/devices": "Devices that Lantern connects to by itself" if state is begin_empty else "Rename",
    }
    for route in [*words, *[f"settings/{group}" for group in groups]]:
        page.evaluate("(route) => { location.hash = `#/${route}` }", route)
        expect(page.locator("main")).to_contain_text(words.get(route, re.compile(r"\w{4}")))


def test_a_page_can_be_chosen_before_the_hub_has_answered(hub, open_page):
    page = open_page("scanner")
    settle(page)
    held = []
    page.route("**/api/v1/hub", lambda route: held.append(route))
    page.reload(wait_until="commit")
    page.locator(".rail").wait_for(state="attached")
    for route in ROUTES:
        page.evaluate("(route) => { location.hash = `#/${route}` }", route)
    page.evaluate("location.hash = '#/settings/alerts'")
    page.wait_for_timeout(100)
    for one in held:
        one.continue_()
    page.unroute("**/api/v1/hub")
    expect(page.locator("main")).to_contain_text("Quiet hours")


def test_the_keyboard_goes_from_top_to_bottom(hub, open_page, size):
    page = open_page("scanner", size)
    settle(page)
    tops = page.evaluate("""() => [...document.querySelectorAll("main .card")]
        .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
        .map(({ left, top }) => [left > 900 ? 1 : 0, Math.round(top)])""")
    assert len(tops) >= 3 and tops == sorted(tops)


@pytest.mark.whole_chromium
def test_refused_notifications_say_where_to_allow_them(hub, open_page, size):
    page = open_page("settings/alerts", size)
    page.evaluate("""() => {
        Notification.requestPermission = async () => {
            Object.defineProperty(Notification, "permission", { value: "denied", configurable: true });
            return "denied";
        };
    }""")
    page.get_by_role("button", name="Allow").click()
    row = page.locator(".setting", has_text="Browser notifications")
    expect(row).to_contain_text("Refused. Allow them in the browser’s settings of this page.")
    expect(page.locator("main")).to_be_focused()


@pytest.mark.parametrize("route", ["scanner", "map", "history", "settings", "debug"])
def test_nothing_moves_for_who_wants_no_motion(hub, open_page, route):
    page = open_page(route, "phone", reduced_motion="reduce")
    settle(page)
    arrive(hub)
    tell(hub, 1)
    page.wait_for_timeout(200)
    moving = page.evaluate("""() => {
        const seconds = (text) => Math.max(...text.split(",").map(parseFloat)), found = [];
        for (const element of document.querySelectorAll("*")) {
            for (const part of [null, "::before", "::after"]) {
                const { animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(element, part);
                const longest = Math.max(seconds(animationDuration), seconds(transitionDuration));
                if (longest > 0.001 || scrollBehavior === "smooth") found.push(`${element.localName}.${element.className}`);
            }
        }
        return [...found, ...document.getAnimations().map((one) => String(one.animationName ?? one.transitionProperty))];
    }""")
    assert moving == []
