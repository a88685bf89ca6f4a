# SPDX-License-Identifier: Apache-2.0
"""The page Wi-Fi against `lantern demo`: real links to the WiFiSet and the Improv device of the virtual air."""

import threading
import urllib.request

import pytest
from conftest import WHOLE, violations
from playwright.sync_api import expect
from real_hub import RealHub
from wifi_steps import choose, failed, joined, send, set_up, type_name

WRONG, RIGHT = "quartz-heron-59", "lantern-home"


@pytest.fixture
def hub(tmp_path):
    one = RealHub(tmp_path, command="demo")
    one.start()
    yield one
    if one.process and one.process.poll() is None:
        assert one.stop() == 0, one.log


def name_of(hub, address: str) -> str:
    """What the simulated device of an address calls itself, once it is heard."""
    found = lambda: next((one for one in hub.get("/devices")["items"] if one["address"] == address and one["name"]), None)
    return hub.until(found)["name"]


@pytest.fixture
def wifiset(hub) -> str:
    return name_of(hub, "C0:FF:EE:F1:5E:71")


@pytest.fixture
def improv(hub) -> str:
    return name_of(hub, "C0:FF:EE:46:77:68")


def clean(page) -> None:
    assert violations(page) == []


def test_a_wrong_password_then_the_right_one_on_the_same_link(hub, wifiset, open_page, size):
    page = open_page("wifi", size, bypass_csp=True, reduced_motion="reduce")
    set_up(page, wifiset)
    choose(page, "Lantern Home")
    send(page, WRONG)
    failed(page, "Lantern Home")
    expect(page.get_by_text("With this signal it is most often the password.")).to_be_visible()
    expect(page.locator(".wifi-answers")).to_contain_text("connection failed (0x04)")
    clean(page)
    job = page.url.split("/wifi/")[1].split("/")[0]
    send(page, RIGHT)
    joined(page, wifiset)
    assert page.url.split("/wifi/")[1].split("/")[0] == job
    expect(page.get_by_role("link", name="Open 192.168.1.109")).to_have_attribute("href", "http://192.168.1.109/")
    clean(page)
    # What was never there is not spelt out.
    assert "null" not in page.locator("main").inner_text() and "undefined" not in page.locator("main").inner_text()


def test_an_improv_device_shows_itself_and_is_set_up(hub, improv, open_page, size):
    page = open_page("wifi", size)
    set_up(page, improv)
    page.get_by_role("button", name="Identify").click()
    expect(page.locator(".toast")).to_contain_text("look for a light")
    choose(page, "Corner Café")
    page.get_by_role("button", name="Send to").click()
    joined(page, improv)
    expect(page.get_by_role("link", name="Open 192.168.1.109")).to_be_visible()


def test_one_after_the_other_with_the_same_password(hub, wifiset, improv, open_page):
    page = open_page("wifi")
    set_up(page, wifiset)
    choose(page, "Lantern Home")
    page.get_by_role("switch", name="Use it for the next device too").check()
    send(page, RIGHT)
    joined(page, wifiset)
    page.get_by_role("link", name="Next device, same password").click()
    set_up(page, improv)
    page.get_by_role("button", name=f"Send to {improv}").click(timeout=30000)
    joined(page, improv)


def test_a_hidden_network_and_back_to_it(hub, wifiset, open_page, size):
    page = open_page("wifi", size)
    set_up(page, wifiset)
    type_name(page, "Garage")
    send(page, "hidden-garage")
    joined(page, wifiset)
    page.go_back()
    page.evaluate("location.hash = location.hash.replace('/joining', '').replace('/password', '')")
    choose(page, "Lantern Home")
    send(page, WRONG)
    failed(page, "Lantern Home")
    expect(page.get_by_text("back to “Garage”, the last network that worked.")).to_be_visible(timeout=20000)


def test_the_hub_goes_on_without_the_page_and_lets_the_device_go_then(hub, wifiset, open_page):
    page = open_page("wifi")
    set_up(page, wifiset)
    choose(page, "Attic")
    send(page, "under-the-roof")
    expect(page.get_by_text("of at most 30 seconds")).to_be_visible(timeout=15000)
    page.context.close()
    [job] = hub.get("/jobs")["items"]
    setup = lambda: hub.get(f"/wifi/{job['id']}")["setup"]
    hub.until(lambda: setup()["attempt"]["step"] == "joined")
    # Nobody keeps it any more.
    hub.until(lambda: not hub.get("/jobs")["items"], 60)
    assert setup()["job"]["reason"].startswith("Its page was closed")
    assert setup()["attempt"]["step"] == "joined"


def test_two_pages_and_one_device(hub, wifiset, open_page):
    one, other = open_page("wifi"), open_page("wifi", "phone")
    set_up(one, wifiset)
    other.get_by_role("link", name=f"Continue with {wifiset}").click(timeout=15000)
    choose(other, "Lantern Home")
    send(other, RIGHT)
    joined(other, wifiset)
    joined(one, wifiset)


def test_nothing_that_is_left_behind_holds_a_password(hub, wifiset, chromium, tmp_path, size):
    """Database, log, events and the browser's profile, after a wrong and a right password of a whole set-up."""
    told = bytearray()

    def follow() -> None:
        with urllib.request.urlopen(f"{hub.address}/api/v1/events", timeout=60) as stream:
            while piece := stream.read1(65536):
                told.extend(piece)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    profile = tmp_path / "profile"
    context = chromium.browser_type.launch_persistent_context(
        str(profile),
        executable_path=WHOLE,
        args=["--no-sandbox"],
        viewport={"width": 390, "height": 844} if size == "phone" else {"width": 1440, "height": 900},
    )
    try:
        page = context.new_page()
        page.goto(f"{hub.address}/#/wifi")
        set_up(page, wifiset)
        choose(page, "Lantern Home")
        page.get_by_role("switch", name="Use it for the next device too").check()
        send(page, WRONG)
        failed(page, "Lantern Home")
        page.get_by_role("button", name="Show the password").click()
        send(page, RIGHT)
        joined(page, wifiset)
        page.goto(f"{hub.address}/#/scanner")
        page.wait_for_timeout(1000)
    finally:
        context.close()
    assert hub.stop() == 0
    thread.join(10)
    assert b'"step":"joined"' in told and b'"step":"failed"' in told
    texts = [bytes(told), hub.log.encode()]
    files = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert any(one.name == "hub.sqlite" for one in files) and any("profile" in one.parts for one in files)
    texts += [one.read_bytes() for one in files]
    for password in (WRONG, RIGHT):
        for spelling in (password.encode(), password.encode("utf-16-le"), password.encode().hex().encode()):
            assert not any(spelling in text for text in texts), password
