# SPDX-License-Identifier: Apache-2.0
"""The page Wi-Fi against a WiFiSet device on Bumble, which was written from the document: each way in which it can fail."""

import pytest
from among_peers import hub  # noqa: F401
from conftest import assert_harmless
from playwright.sync_api import expect
from wifi_steps import choose, failed, joined, send, type_name
from wifi_steps import set_up as set_up_named

from peers.wifiset import (
    CONNECTED,
    CONNECTING,
    CONNECTION_TIMEOUT,
    ENTERPRISE,
    FAILED_TO_CONNECT,
    INVALID_PASSWORD,
    SCAN_FAILED,
    STORAGE_FAILURE,
    STORED,
    WPA2,
    Ack,
    Error,
    ListStart,
    Network,
    Status,
)
from peers.wifiset_device import ADDRESS, HOME, NAME, WiFiSetDevice

WRONG, RIGHT = "quartz-heron-59", "copper-finch-80"
REFUSED = [Ack(STORED), Status(CONNECTING, 0, "0.0.0.0", b"Home"), Status(FAILED_TO_CONNECT)]


def set_up(page, _name: str) -> None:
    """Bumble's controllers send no scan response: the hub hears no name, and finds out that it is no FlockFinder first."""
    set_up_named(page, ADDRESS)


@pytest.fixture
def device(air):
    """Puts the device on the air, as a test wants it."""

    def put(**options) -> WiFiSetDevice:
        async def make() -> WiFiSetDevice:
            one = WiFiSetDevice(air.bench, **options)
            await one.start()
            return one

        return air.do(make())

    return put


def test_a_wrong_password_then_the_right_one(hub, device, open_page, size):
    one = device(answers=[REFUSED, WiFiSetDevice.joined(HOME)])
    page = open_page("wifi", size)
    set_up(page, NAME)
    choose(page, "Home")
    send(page, WRONG)
    failed(page, "Home")
    expect(page.locator(".wifi-answers")).to_contain_text("connection failed (0x04)")
    send(page, RIGHT)
    joined(page, NAME)
    expect(page.get_by_role("link", name="Open 192.168.1.100")).to_be_visible()
    assert one.credentials == [(b"Home", WRONG.encode()), (b"Home", RIGHT.encode())]
    assert not one.malformed


@pytest.mark.parametrize(
    "answer,words",
    [
        ([Ack(INVALID_PASSWORD)], "refused the password’s length|refused the password's length"),
        ([Ack(STORAGE_FAILURE)], "could not keep the credentials"),
        ([Ack(STORED), Status(CONNECTING, 0, "0.0.0.0", b"Home"), Error(CONNECTION_TIMEOUT, b"AP gone"), Status(FAILED_TO_CONNECT)],
         "did not answer the device"),
    ],
)
def test_each_refusal_has_its_words(hub, device, open_page, answer, words):
    one = device(answers=[answer, WiFiSetDevice.joined(HOME)])
    page = open_page("wifi")
    set_up(page, NAME)
    choose(page, "Home")
    send(page, WRONG)
    failed(page, "Home")
    text = page.locator(".wifi-outcome").inner_text()
    assert any(part in text for part in words.split("|")), text
    # Another try on the same link.
    send(page, RIGHT)
    joined(page, NAME)
    assert [password for _, password in one.credentials] == [WRONG.encode(), RIGHT.encode()]


def test_a_device_that_forgets_to_answer_is_asked_three_times(hub, device, open_page):
    one = device(answers=[[]])
    page = open_page("wifi")
    set_up(page, NAME)
    choose(page, "Home")
    send(page, WRONG)
    failed(page, "Home")
    expect(page.locator(".wifi-outcome")).to_contain_text("did not answer three times")
    expect(page.locator(".wifi-answers")).to_contain_text("sent again, try 3")
    assert [password for _, password in one.credentials] == [WRONG.encode()] * 3


def test_a_device_that_goes_away_in_the_middle_and_comes_back(hub, device, open_page, size):
    one = device()

    async def go() -> None:
        await one.drop()

    one.answers = [[Ack(STORED), Status(CONNECTING, 0, "0.0.0.0", b"Home"), go], WiFiSetDevice.joined(HOME)]
    page = open_page("wifi", size)
    set_up(page, NAME)
    choose(page, "Home")
    send(page, RIGHT)
    # It may be in the network, as many switch Bluetooth off then.
    heading = page.get_by_role("heading", name="Not known whether it joined “Home”")
    expect(heading).to_be_visible(timeout=60_000)
    expect(page.locator(".wifi-outcome")).to_contain_text("The link to the device")
    expect(page.locator("#wifi-password")).to_have_count(0)
    page.get_by_role("link", name="Look again").click()
    choose(page, "Home")
    send(page, RIGHT)
    joined(page, NAME)


def test_a_device_that_went_back_to_what_it_had(hub, device, open_page):
    back = [*REFUSED, 0.3, Status(CONNECTED, -55, "192.168.1.7", b"Garage")]
    device(answers=[back])
    page = open_page("wifi")
    set_up(page, NAME)
    choose(page, "Home")
    send(page, WRONG)
    failed(page, "Home")
    expect(page.get_by_text("The device went back to “Garage”, the last network that worked.")).to_be_visible()


def test_a_list_that_fails_is_told_and_asked_for_again(hub, device, open_page, size):
    one = device()
    again = one.send_list
    one.lists = [[ListStart(), Error(SCAN_FAILED, b"radio off")], [again]]
    page = open_page("wifi", size)
    set_up(page, NAME)
    expect(page.locator(".wifi-trouble:visible")).to_contain_text("could not look for networks", timeout=30000)
    page.get_by_role("button", name="Look again").click()
    choose(page, "Home")
    expect(page.locator("#wifi-password")).to_be_focused()


def test_what_a_hostile_device_says_stays_text(hub, device, open_page, size):
    evil = Network("\u202e<img src=x>".encode(), -50, 2, 1)
    answer = [
        Ack(STORED),
        Error(CONNECTION_TIMEOUT, "\x1b[31m<b>\u202eopen \u2066sesame</b>".encode()),
        Status(FAILED_TO_CONNECT, 0, "0.0.0.0", b"<script>alert(1)</script>"),
    ]
    device(networks=[evil, Network(b"\xff\xfe\x00", -60, 2, 1), HOME], answers=[answer])
    page = open_page("wifi", size)
    set_up(page, NAME)
    expect(page.get_by_text("Home", exact=True).first).to_be_visible(timeout=30000)
    assert_harmless(page, "networks")
    page.locator("button.wifi-row").first.click()
    assert_harmless(page, "password")
    send(page, WRONG)
    expect(page.locator(".wifi-outcome")).to_be_visible(timeout=60000)
    assert_harmless(page, "failed")


def test_duplicates_are_one_row_an_impossible_one_says_why_and_a_hidden_one_is_named(hub, device, open_page):
    """As a radio hears them: one row for each access point, no name where one hides."""
    campus, hidden = Network(b"Campus", -50, ENTERPRISE, 9), Network(b"", -66, WPA2, 3)
    farther = [Network(b"Home", -71, WPA2, 11), Network(b"Home", -80, WPA2, 1)]
    cage = Network("Käfig".encode(), -66, WPA2, 3)
    one = device(networks=[farther[0], campus, HOME, hidden, farther[1]], answers=[WiFiSetDevice.joined(cage)])
    page = open_page("wifi")
    set_up(page, NAME)
    expect(page.get_by_text("WPA2, 3 access points")).to_be_visible(timeout=30000)
    rows = page.get_by_role("button").filter(has=page.locator("bdi").get_by_text("Home", exact=True))
    expect(rows).to_have_count(1)
    # Of the strongest.
    expect(rows).to_contain_text("Channel 6")
    expect(page.get_by_text("Needs a user name.")).to_be_visible()
    expect(page.get_by_role("button").filter(has_text="Campus")).to_have_count(0)
    expect(page.get_by_text("1 in reach, type the name exactly")).to_be_visible()
    type_name(page, "Käfig")
    send(page, RIGHT)
    expect(page.get_by_role("heading", name="is on Wi-Fi")).to_be_visible(timeout=30000)
    assert one.credentials == [(cage.ssid, RIGHT.encode())]
