# SPDX-License-Identifier: Apache-2.0
"""The page Wi-Fi on a native engine: each step as it is drawn, what it asks of the device, and where the password is."""

import re

import pytest
from conftest import assert_harmless, go, until, violations
from hostile import HOSTILE
from hub_script import alter_hub
from kept_world import kept
from peers.wifiset import CONNECTED, CREDENTIALS_FAILED, STATUS, WIFI_LIST, Error, Network, Status
from playwright.sync_api import expect
from scripted_wifi import NETWORKS, WiFiSet
from test_keyboard import do, walk
from test_pages import TARGETS
from wifi_steps import choose, failed, joined, send, set_up, type_name

NAME = "ESP32-WiFiSet"
NETWORK = "Maple 12 upstairs"


@pytest.fixture
def hub(engine):
    """An engine that hears a device which wants a network."""
    begin(engine)
    return engine


def begin(hub, networks: list[Network] = NETWORKS) -> None:
    hub.begin(kept())
    hub.wifi = WiFiSet(networks)
    hub.radio.add(hub.wifi)


def is_in(hub, network: str) -> None:
    """The device tells that it is in a network, and has no address there yet."""
    hub.wifi.say(Status(CONNECTED, -51, "0.0.0.0", network.encode()))


def sent(hub) -> dict:
    """The body of the last request that brought a password."""
    return next(body for method, path, body, _ in reversed(hub.asked) if path.endswith("/credentials"))


def phases(hub) -> list[str]:
    """How far those jobs are that have not ended."""
    return [one["phase"] for one in hub.get("/jobs")["items"]]


def check(page, size: str, where: str) -> None:
    """Accessible, whole, large enough to be pressed."""
    page.wait_for_timeout(200)
    assert violations(page) == [], where
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
    assert page.locator("main").evaluate("main => main.scrollWidth <= main.clientWidth"), where
    assert page.evaluate(TARGETS, 44 if size == "phone" else 24) == [], where


def test_every_step_is_clean(hub, open_page, size):
    page = open_page("wifi", size, bypass_csp=True, reduced_motion="reduce")
    expect(page.get_by_role("link", name=f"Set up {NAME}")).to_be_visible()
    check(page, size, "devices")
    set_up(page, NAME)
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()
    check(page, size, "networks")
    choose(page, NETWORK)
    check(page, size, "password")
    send(page, "short")
    expect(page.get_by_role("alert")).to_contain_text("at least 8 characters")
    expect(page.locator("#wifi-password")).to_be_focused()
    check(page, size, "refused")
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    check(page, size, "progress")
    hub.wifi.fail()
    failed(page, NETWORK)
    expect(page.get_by_text("went back to “Garage”")).to_be_visible()
    expect(page.get_by_text("connection failed (0x04)")).to_be_visible()
    expect(page.locator("#wifi-password")).to_be_focused()
    expect(page.locator("#wifi-password")).to_have_value("")
    check(page, size, "failed")
    send(page, "quartz-heron-60")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    hub.wifi.join()
    joined(page, NAME)
    expect(page.get_by_role("link", name="Open 192.168.178.61")).to_have_attribute("href", "http://192.168.178.61/")
    check(page, size, "done")
    assert hub.wifi.passwords == ["quartz-heron-59", "quartz-heron-60"]


@pytest.mark.parametrize("width", [320, 720, 1000])
def test_no_width_and_no_letters_cut_it_off(hub, open_page, width):
    page = open_page("wifi", viewport={"width": width, "height": 700})
    whole = lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth") and page.locator("main").evaluate(
        "main => main.scrollWidth <= main.clientWidth"
    )
    set_up(page, NAME)
    choose(page, NETWORK)
    assert whole(), "password"
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    assert whole(), "progress"
    hub.wifi.fail()
    failed(page, NETWORK)
    assert whole(), "failed"
    page.evaluate("document.documentElement.style.fontSize = '150%'")
    assert whole(), "large letters"


def test_the_password_is_in_its_field_and_nowhere_else(hub, open_page, size):
    """Not in an address, a storage, an attribute or a text; and gone from the field when it was sent."""
    page = open_page("wifi", size)
    set_up(page, NAME)
    choose(page, NETWORK)
    expect(page.locator("#wifi-password")).to_have_attribute("type", "password")
    page.locator("#wifi-password").fill("quartz-heron-59")
    page.get_by_role("button", name="Show the password").click()
    expect(page.locator("#wifi-password")).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide the password").click()
    expect(page.locator("#wifi-password")).to_have_attribute("type", "password")
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    places = page.evaluate(
        """async () => JSON.stringify([location.href, history.state, document.documentElement.outerHTML,
            document.cookie, {...localStorage}, {...sessionStorage}, await caches.keys(),
            (await indexedDB.databases()).map((one) => one.name),
            [...document.querySelectorAll("input")].map((one) => one.value),
            performance.getEntries().map((one) => one.name)])"""
    )
    assert "heron" not in places and not any("heron" in one for one in addresses)
    assert hub.wifi.passwords == ["quartz-heron-59"]
    assert not any("heron" in str(event) for event in hub.events)


def test_the_next_device_gets_the_same_password_when_somebody_wants_that(hub, open_page, size):
    page = open_page("wifi", size)
    set_up(page, NAME)
    choose(page, NETWORK)
    page.get_by_role("switch", name="Use it for the next device too").check()
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    hub.wifi.join()
    expect(page.get_by_text("in memory only and forgotten when you leave")).to_be_visible()
    page.get_by_role("link", name="Next device, same password").click()
    expect(page.locator(".tag-ok")).to_have_text("Joined")
    set_up(page, NAME)
    page.get_by_role("button", name=re.compile("^Send to ESP32-WiFiSet …C4:5B")).click()
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    assert hub.wifi.passwords == ["quartz-heron-59"] * 2
    hub.wifi.join()
    joined(page, NAME)
    # Who leaves the page has it forgotten.
    page.evaluate("location.hash = '#/settings'")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.evaluate("location.hash = '#/wifi'")
    set_up(page, NAME)
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Send to"))).to_have_count(0)


def test_a_password_is_not_kept_when_nobody_wants_that(hub, open_page):
    page = open_page("wifi")
    set_up(page, NAME)
    choose(page, NETWORK)
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    hub.wifi.join()
    page.get_by_role("link", name="Set up another device").click()
    set_up(page, NAME)
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Send to"))).to_have_count(0)


def test_hidden_open_and_impossible_networks(hub, open_page, size):
    page = open_page("wifi", size)
    set_up(page, NAME)
    expect(page.get_by_text("Needs a user name. This device has no field for it.")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Campus staff"))).to_have_count(0)
    type_name(page, "Käfig")
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    assert sent(hub) == {"ssid_octets": "Käfig".encode().hex(), "security": None, "password": "quartz-heron-59"}
    hub.wifi.fail()
    page.get_by_role("link", name="Choose another network").click()
    choose(page, "Gästenetz Stadtbücherei Überl")
    expect(page.locator("#wifi-password")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Send to")).click()
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    assert sent(hub)["password"] == "" and sent(hub)["security"] == "open"
    # One whose name is no text is sent as the octets that it has.
    hub.wifi.fail()
    page.get_by_role("link", name="Choose another network").click()
    choose(page, "B\ufffdckerei")
    send(page, "fresh-bread")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    assert hub.wifi.tries[-1].ssid == b"B\xe4ckerei"


@pytest.mark.parametrize("before", [None, "Garage", NETWORK])
def test_a_network_is_kept_only_where_there_was_another(hub, open_page, before):
    page = open_page("wifi")
    set_up(page, NAME)
    if before:
        is_in(hub, before)
    choose(page, NETWORK)
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    expect(page.get_by_text("keeps its old network")).to_have_count(1 if before == "Garage" else 0)


def test_a_device_that_cannot_be_connected_to(hub, open_page, size):
    hub.faults.refuse(r"POST /devices/\d+/wifi", 409, "All 7 connections are in use. Disconnect another device first.")
    page = open_page("wifi", size)
    page.get_by_role("link", name=f"Set up {NAME}").click()
    expect(page.get_by_text("All 7 connections are in use.")).to_be_visible()
    hub.faults.instead(r"POST /devices/\d+/wifi")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()


def test_a_device_that_goes_away_in_the_middle(hub, open_page, size):
    page = open_page("wifi", size)
    set_up(page, NAME)
    hub.radio.lose(hub.wifi)
    expect(page.get_by_role("heading", name="The device is not connected any more")).to_be_visible()
    expect(page.get_by_text("The link to the device was lost.")).to_be_visible()
    page.get_by_role("link", name="Connect again").click()
    choose(page, NETWORK)
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    # It says what came of it, and goes away.
    hub.wifi.fail()
    hub.radio.lose(hub.wifi)
    failed(page, NETWORK)
    expect(page.get_by_text("it is most often the password")).to_be_visible()
    expect(page.locator("#wifi-password")).to_have_count(0)
    page.get_by_role("link", name="Connect again").click()
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()


def test_a_link_that_ends_is_no_refusal(hub, open_page):
    page = open_page("wifi")
    set_up(page, NAME)
    choose(page, NETWORK)
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    hub.radio.lose(hub.wifi)
    expect(page.get_by_role("heading", name="Not known whether it joined")).to_be_visible()
    expect(page.get_by_text("Couldn’t join")).to_have_count(0)
    expect(page.get_by_role("link", name="Connect again")).to_have_count(0)
    # It begins the job once more, and then the device says where it is.
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()
    expect(page.get_by_text("The device is in")).to_have_count(0)
    is_in(hub, NETWORK)
    expect(page.get_by_text(f"The device is in “{NETWORK}”.")).to_be_visible()


def test_a_device_without_a_list(hub, open_page, size):
    hub.wifi.silent = {"connect"}
    hub.wifi.fails["subscribe", hub.wifi.handles[WIFI_LIST]] = "unsupported"
    page = open_page("wifi", size)
    page.get_by_role("link", name=f"Set up {NAME}").click()
    expect(page.get_by_text("Lantern looks for the device")).to_be_visible()
    until(page, lambda: bool(hub.wifi.waiting))
    hub.radio.answer_now(hub.wifi)
    expect(page.get_by_text("does not say which networks")).to_be_visible()
    type_name(page, "Home")
    expect(page.get_by_label("Name of the network")).to_have_value("Home")


def test_leaving_ends_it_but_not_what_is_under_way(hub, open_page, size):
    page = open_page("wifi", size)
    set_up(page, NAME)
    page.evaluate("location.hash = '#/scanner'")
    until(page, lambda: phases(hub) == [])
    page.evaluate("location.hash = '#/wifi'")
    set_up(page, NAME)
    choose(page, NETWORK)
    send(page, "quartz-heron-59")
    expect(page.get_by_text("You can look at other pages meanwhile.")).to_be_visible()
    page.evaluate("location.hash = '#/scanner'")
    expect(page.get_by_role("heading", level=1)).to_have_text("Scanner")
    assert phases(hub) == ["open"]
    page.evaluate("location.hash = '#/wifi'")
    page.get_by_role("link", name=f"Continue with {NAME}").click()
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    hub.wifi.join()
    joined(page, NAME)


def test_a_page_that_was_loaded_again_goes_on(hub, open_page, size):
    page = open_page("wifi", size)
    set_up(page, NAME)
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()
    page.reload()
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/wifi/4711")
    expect(page.locator(".toast")).to_contain_text("This has ended")
    expect(page.get_by_role("link", name=re.compile(f"(Set up|Continue with) {NAME}"))).to_be_visible()


def test_hostile_names_stay_text(hub, open_page, size):
    begin(hub, [*NETWORKS, *(Network(text.encode()[:32]) for text in HOSTILE)])
    page = open_page("wifi", size)
    set_up(page, NAME)
    expect(page.get_by_text("WPA2, 2 access points").first).to_be_visible()
    assert_harmless(page, "networks")
    choose(page, "<script>alert(1)</script>")
    assert_harmless(page, "password")
    send(page, "quartz-heron-59")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    hub.radio.send(hub.wifi, STATUS, hub.wifi.octets(Error(CREDENTIALS_FAILED, "\u202e<b>bold</b>\x1b[31m".encode())))
    hub.wifi.fail("\u202e<img src=x>")
    failed(page, "<script>alert(1)</script>")
    assert_harmless(page, "failed")
    # An address that a browser must not open is not a link.
    setup = hub.get(f"/wifi/{hub.get('/jobs')['items'][0]['id']}")["setup"]
    status = {"state": "connected", "ssid": "x", "ssid_octets": "78", "rssi": None, "ip": None, "url": "javascript:alert(1)"}
    joins = {"attempt": setup["attempt"] | {"step": "joined"}, "status": status, "revision": setup["revision"] + 1}
    hub.emit("wifi_setup_changed", {"setup": setup | joins})
    joined(page, NAME)
    expect(page.locator("main a[href^=javascript]")).to_have_count(0)
    expect(page.get_by_text("The device did not say")).to_be_visible()


def test_by_keys_alone(hub, open_page):
    page = open_page("scanner")
    expect(page.locator(".latest-row").first).to_be_visible()
    go(page, "w")
    do(page, f"Set up {NAME}")
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()
    do(page, re.compile(f"^{NETWORK}"))
    expect(page.locator("#wifi-password")).to_be_focused()
    page.keyboard.type("quartz-heron-59")
    walk(page, "Show the password")
    do(page, re.compile("Use it for the next device too"), "Space")
    do(page, re.compile("^Send to"))
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    hub.wifi.fail()
    expect(page.locator("#wifi-password")).to_be_focused()
    page.keyboard.type("quartz-heron-60")
    page.keyboard.press("Enter")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible()
    hub.wifi.join()
    joined(page, NAME)
    do(page, "Next device, same password")
    expect(page.locator(".tag-ok")).to_be_visible()


def test_without_the_hub_nothing_is_lost_and_nothing_can_be_sent(hub, open_page, size):
    page = open_page("wifi", size)
    set_up(page, NAME)
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()
    hub.go()
    expect(page.locator(".banner")).to_be_visible(timeout=8000)
    expect(page.get_by_text("WPA2, 2 access points")).to_be_visible()
    expect(page.locator(".wifi-stage")).to_have_attribute("inert", "")


def test_a_running_capture_is_told(hub, open_page):
    alter_hub(hub, lambda value: {"capture": value["capture"] | {"running": True}})
    page = open_page("wifi")
    set_up(page, NAME)
    choose(page, NETWORK)
    expect(page.get_by_text("the capture will hold the password")).to_be_visible()


def test_a_page_that_is_there_keeps_its_job(hub, open_page):
    page = open_page("wifi")
    set_up(page, NAME)
    job = hub.get("/jobs")["items"][0]["id"]
    until(page, lambda: ("POST", f"/jobs/{job}/keep") in [one[:2] for one in hub.asked], 15)
