# SPDX-License-Identifier: Apache-2.0
"""An app that was installed from a hub opens without it, with what was known last and when that was; a page in a browser keeps nothing."""

import pytest
from conftest import SIZES
from engine_host import EngineHub, HostedEngine, serve
from hub_script import with_login
from kept_world import kept
from playwright.sync_api import expect

# Chromium has no installed apps where nothing is seen: this is what a page can tell of it.
INSTALLED = """
    const real = window.matchMedia;
    window.matchMedia = (text) => text === "(display-mode: standalone)" ? { matches: true } : real.call(window, text);
"""
KEPT = "localStorage.getItem('lantern-last-known')"


@pytest.fixture
def hub():
    """A hub that goes for good."""
    one = EngineHub(serve(), lambda: HostedEngine(kept()))
    yield one
    stop(one)


def stop(hub) -> None:
    hub.end()
    if hub.server.socket.fileno() >= 0:
        hub.server.shutdown()
        hub.server.server_close()


@pytest.fixture
def app(chromium):
    context = chromium.new_context(viewport=SIZES["phone"])
    context.add_init_script(INSTALLED)
    yield context.new_page()
    context.close()


def open_app(hub, app) -> None:
    app.goto(f"{hub.address}/#/scanner")
    expect(app.locator(".latest-row").first).to_be_visible()
    # All pages are kept when the worker has been installed.
    app.evaluate("navigator.serviceWorker.ready.then(() => true)")


def test_it_opens_without_its_hub(hub, app):
    open_app(hub, app)
    names = app.locator(".latest-row .title").all_text_contents()
    stop(hub)
    app.reload()
    expect(app.locator(".banner")).to_contain_text("You see what was known at")
    expect(app.locator(".latest-row").first).to_be_visible()
    assert app.locator(".latest-row .title").all_text_contents() == names
    for name in ("history", "settings", "devices", "explorer"):
        app.evaluate(f"location.hash = '#/{name}'")
        expect(app.locator(f":root[data-page='{name}'] main")).not_to_be_empty()


def test_pages_of_a_hub_that_was_replaced_by_a_newer_one_open_without_it(hub, app, monkeypatch):
    open_app(hub, app)
    monkeypatch.setattr("page_files.version", lambda: "newer")
    app.reload()
    expect(app.locator(".latest-row").first).to_be_visible()
    assert app.evaluate("document.querySelector('script[src]').getAttribute('src')") == "v/newer/app.js"
    stop(hub)
    app.reload()
    expect(app.locator(".banner")).to_contain_text("You see what was known at")
    # None of the newer ones was fetched.
    for name in ("history", "settings"):
        app.evaluate(f"location.hash = '#/{name}'")
        expect(app.locator(f":root[data-page='{name}'] main")).not_to_be_empty()
    kept = app.evaluate("caches.open('pages').then((all) => all.keys()).then((all) => all.map(({ url }) => url))")
    assert f"{hub.address}/pages/history.js" in kept and not [one for one in kept if "/v/" in one]


def test_who_is_signed_out_has_nothing_left(hub, app):
    with_login(hub)
    open_app(hub, app)
    assert app.evaluate(KEPT)
    app.evaluate("location.hash = '#/settings/access'")
    app.get_by_role("button", name="Sign out", exact=True).click()
    expect(app.get_by_label("Token of this hub")).to_be_visible()
    assert app.evaluate(KEPT) is None


def test_what_was_kept_and_cannot_be_read_is_no_reason_to_fail(hub, app):
    open_app(hub, app)
    app.evaluate("localStorage.setItem('lantern-last-known', '{\"hub\": 5, \"devices\": null')")
    stop(hub)
    app.reload()
    expect(app.locator(".banner")).to_contain_text("The hub is not answering")


def test_a_page_in_a_browser_keeps_nothing(hub, chromium):
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{hub.address}/#/scanner")
    expect(page.locator(".latest-row").first).to_be_visible()
    assert page.evaluate(KEPT) is None
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    context.close()
