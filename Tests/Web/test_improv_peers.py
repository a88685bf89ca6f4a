# SPDX-License-Identifier: Apache-2.0
"""The page Wi-Fi against an Improv device on Bumble, which was written from the standard."""

import pytest
from among_peers import hub  # noqa: F401
from conftest import assert_harmless
from playwright.sync_api import expect
from wifi_steps import choose, failed, send, set_up

from peers import improv
from peers.improv_device import ImprovDevice

WRONG, RIGHT = "quartz-heron-59", "copper-finch-80"


@pytest.fixture
def device(air):
    """Puts the device on the air, as a test wants it."""

    def put(**options) -> ImprovDevice:
        async def make() -> ImprovDevice:
            one = ImprovDevice(air.bench, **options)
            await one.start()
            return one

        return air.do(make())

    return put


def on_wifi(page) -> None:
    expect(page.get_by_role("heading", name="is on Wi-Fi")).to_be_visible(timeout=60000)


def test_a_wrong_password_then_the_right_one(hub, device, open_page, size):
    one = device(outcomes=[improv.UNABLE_TO_CONNECT, improv.URL])
    page = open_page("wifi", size)
    set_up(page, improv.ADDRESS)
    choose(page, "Home")
    send(page, WRONG)
    failed(page, "Home")
    send(page, RIGHT)
    on_wifi(page)
    expect(page.get_by_role("link", name="Open")).to_have_attribute("href", improv.URL)
    assert one.settings == [(b"Home", WRONG.encode()), (b"Home", RIGHT.encode())]


@pytest.mark.parametrize(
    "error,words",
    [
        (improv.INVALID_PACKET, "did not understand a message: update its firmware"),
        (improv.NOT_AUTHORIZED, "Nobody has pressed the device's button: press it"),
        (0x7E, "reports the error 126"),
        (0xFF, "reports an unknown error. Try again"),
    ],
)
def test_each_error_has_its_words_and_another_try(hub, device, open_page, error, words):
    one = device(outcomes=[error, improv.URL])
    page = open_page("wifi")
    set_up(page, improv.ADDRESS)
    choose(page, "Home")
    send(page, WRONG)
    failed(page, "Home")
    expect(page.locator(".wifi-outcome")).to_contain_text(words)
    expect(page.locator(".wifi-answers")).to_contain_text(f"(0x{error:02X})")
    send(page, RIGHT)
    on_wifi(page)
    assert [password for _, password in one.settings] == [WRONG.encode(), RIGHT.encode()]


def test_it_shows_itself_when_it_can_and_is_not_asked_when_it_cannot(hub, device, open_page):
    one = device()
    page = open_page("wifi")
    set_up(page, improv.ADDRESS)
    page.get_by_role("button", name="Identify").click()
    hub.until(lambda: one.identified == 1)


def test_one_that_cannot_show_itself_has_no_button_for_it(hub, device, open_page):
    device(capabilities=6)
    page = open_page("wifi")
    set_up(page, improv.ADDRESS)
    expect(page.get_by_text("Home", exact=True).first).to_be_visible(timeout=30000)
    expect(page.get_by_role("button", name="Identify")).to_have_count(0)


def test_the_button_of_the_device_is_waited_for(air, hub, device, open_page, size):
    one = device(needs_authorization=True)
    page = open_page("wifi", size)
    set_up(page, improv.ADDRESS)
    choose(page, "Home")
    send(page, RIGHT)
    expect(page.get_by_text("Press its button").or_(page.get_by_text("Press the button of the device")).first).to_be_visible(timeout=30000)
    assert one.settings == []
    air.do(one.press_button())
    on_wifi(page)
    assert one.settings == [(b"Home", RIGHT.encode())]


def test_a_device_without_a_page_of_its_own_has_no_link(hub, device, open_page):
    device(outcomes=[""])
    page = open_page("wifi")
    set_up(page, improv.ADDRESS)
    choose(page, "Home")
    send(page, RIGHT)
    on_wifi(page)
    expect(page.get_by_role("link", name="Open")).to_have_count(0)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "http://\u202eevil/", "not a url"])
def test_what_a_device_gives_for_its_page_is_not_trusted(hub, device, open_page, url):
    device(outcomes=[url])
    page = open_page("wifi")
    set_up(page, improv.ADDRESS)
    choose(page, "Home")
    send(page, RIGHT)
    on_wifi(page)
    for link in page.get_by_role("link").all():
        assert not (link.get_attribute("href") or "").startswith(("javascript:", "data:"))
    assert_harmless(page, url)


def test_hostile_names_of_networks_stay_text(hub, device, open_page, size):
    device(networks=["\u202e<img src=x>", "-40", "WPA2", "\x1b[31mred", "-50", "NO", "Home", "-60", "WPA2"])
    page = open_page("wifi", size)
    set_up(page, improv.ADDRESS)
    expect(page.get_by_text("Home", exact=True).first).to_be_visible(timeout=30000)
    assert_harmless(page, "networks")
