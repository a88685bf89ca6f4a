# SPDX-License-Identifier: Apache-2.0
"""What pages show and ask while a device pairs, and the group Pairing of Settings, as a hub tells it."""

import re

import pytest
from conftest import assert_harmless, until
from hostile import HOSTILE
from kept_world import kept
from pairing_script import PairingScript
from playwright.sync_api import expect
from test_bulbs import check


FAULT = "The key file /var/lib/lantern/hub.sqlite-bond-key is missing, so the keys of bonded devices cannot be read. Put it back, or remove those bonds and pair again."


@pytest.fixture
def hub(engine):
    """An engine with what only a hub says of devices that pair."""
    engine.begin(kept())
    engine.pairing = PairingScript(engine)
    return engine


def bond(name: str | None, address: str, level: str) -> dict:
    return {
        "address": address, "address_kind": "random", "name": name, "device": None, "adapter": "00:AA:01:00:00:01",
        "level": level, "key_size": 16, "bonded": True, "changing_address": True,
    }  # fmt: skip


def with_bonds(hub, *bonds: dict, unreadable: int = 0, fault: str | None = None) -> list[dict]:
    """Has the hub know these bonds, and forget them when it is asked to."""
    known = {"items": [*bonds], "unreadable": unreadable, "fault": fault}

    def forget(**change) -> tuple[int, None]:
        known.update(change)
        hub.emit("bonds_changed", {})
        return 204, None

    hub.faults.instead("GET /bonds", lambda asked: (200, known))
    hub.faults.instead("DELETE /bonds", lambda body: forget(items=known["items"][1:]))
    hub.faults.instead("DELETE /bonds/unreadable", lambda body: forget(unreadable=0, fault=None))
    return known


def dialog(page):
    return page.get_by_role("dialog")


def press(page, name: str) -> None:
    dialog(page).get_by_role("button", name=name, exact=True).click()


def answered(hub, page, count: int) -> None:
    """Waits for what a page has answered: a hub asks no more, and ends nothing, before that."""
    until(page, lambda: len(hub.pairing.answers) == count)


def test_every_state_is_clean(hub, open_page, size):
    page = open_page("scanner", size, bypass_csp=True, reduced_motion="reduce")
    expect(page.get_by_role("heading", name="Scanner")).to_be_visible()
    number = hub.pairing.ask("consent", replaces_bond=True)
    expect(dialog(page)).to_contain_text("Say yes only if you have just made that device forget the hub.")
    check(page, size, "consent")
    press(page, "Pair")
    expect(dialog(page)).to_contain_text("Keep the device near.")
    check(page, size, "working")
    answered(hub, page, 1)
    hub.pairing.ask("compare", "042917", of=number)
    expect(dialog(page).locator(".pairing-digits .spoken")).to_have_text("0 4 2 9 1 7")
    check(page, size, "compare")
    press(page, "They are the same")
    answered(hub, page, 2)
    hub.pairing.ask("enter", of=number)
    check(page, size, "enter")
    press(page, "Pair")
    expect(dialog(page).get_by_role("alert")).to_have_text("Type the six digits that it shows.")
    check(page, size, "wrong digits")
    dialog(page).get_by_role("textbox").fill("042 917")
    press(page, "Pair")
    answered(hub, page, 3)
    hub.pairing.end(number, "The device refused to pair, because the six digits or the out-of-band data are wrong, or somebody is in between: try again.")
    expect(dialog(page).get_by_role("alert")).to_contain_text("Not paired. The device refused to pair")
    check(page, size, "failed")
    press(page, "Leave it")
    expect(dialog(page)).to_have_count(0)
    hub.pairing.ask("show", "000042")
    expect(dialog(page)).to_contain_text("000 042")
    check(page, size, "show")
    assert [body for _, body in hub.pairing.answers] == [
        {"question": 1, "accept": True},
        {"question": 2, "accept": True},
        {"question": 3, "accept": True, "digits": "042917"},
    ]


def test_a_device_is_paired_by_keyboard(hub, open_page, size):
    page = open_page("history", size)
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    number = hub.pairing.ask("enter")
    field = dialog(page).get_by_role("textbox", name="The six digits that the device shows")
    expect(field).to_be_focused()
    expect(dialog(page).get_by_text(re.compile(r"0:2\d left to answer"))).to_be_visible()
    page.keyboard.type("123456")
    page.keyboard.press("Enter")
    expect(dialog(page)).to_contain_text("Pairing.")
    answered(hub, page, 1)
    hub.pairing.end(number)
    expect(page.get_by_text("Paired with HR strap 0F. The link is encrypted, and nobody in between can listen.")).to_be_visible()
    expect(dialog(page)).to_have_count(0)
    # What opens while somebody types is answered by no key that was meant for something else.
    number = hub.pairing.ask("consent")
    expect(dialog(page)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    page.wait_for_timeout(200)
    assert number in hub.pairing.going
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    answered(hub, page, 2)
    assert hub.pairing.answers[-1] == (number, {"question": 1, "accept": False})


def test_the_first_page_answers_and_the_others_close(hub, open_page):
    first, second = open_page("scanner"), open_page("map", "phone")
    for page in (first, second):
        expect(page.locator(".status")).to_contain_text("Live")
    number = hub.pairing.ask("compare", "555123")
    for page in (first, second):
        expect(dialog(page)).to_contain_text("555 123")
    press(second, "They are the same")
    expect(dialog(first)).to_have_count(0)
    expect(first.get_by_text("It was answered on another page, or its time is over.")).to_be_visible()
    hub.pairing.end(number, level="encrypted")
    expect(second.get_by_text("Paired with HR strap 0F. The link is encrypted.")).to_be_visible()
    # One that is answered in the same moment is said so.
    number = hub.pairing.ask("consent")
    expect(dialog(first)).to_be_visible()
    hub.pairing.work(number, says=False)
    press(first, "Pair")
    expect(first.get_by_text("That was answered already, or is over.")).to_be_visible()
    expect(dialog(first)).to_have_count(0)


def test_a_page_that_comes_late_asks_too_and_one_that_missed_the_end_closes(hub, open_page, size):
    number = hub.pairing.ask("show", "987654")
    page = open_page("scanner", size)
    expect(dialog(page)).to_contain_text("987 654")
    hub.go()
    expect(page.locator(".banner")).to_be_visible()
    hub.pairing.going.pop(number)
    hub.come_back()
    page.evaluate("document.querySelector('.banner button').click()")
    expect(dialog(page)).to_have_count(0)
    assert hub.pairing.answers == []


def test_what_comes_late_closes_nothing(hub, open_page):
    page = open_page("scanner")
    expect(page.locator(".status")).to_contain_text("Live")
    late = []
    page.route("**/api/v1/pairings", lambda route: route.fallback() if late else late.append(route))
    hub.go()
    expect(page.locator(".banner")).to_be_visible()
    hub.come_back()
    page.evaluate("document.querySelector('.banner button').click()")
    until(page, lambda: late)
    expect(page.locator(".status")).to_contain_text("Live")
    number = hub.pairing.ask("consent")
    expect(dialog(page)).to_be_visible()
    # The answer to what was asked before that: nothing pairs.
    late[0].fulfill(json={"items": []})
    page.wait_for_timeout(300)
    # The reason is told before the answer is refused, and stays.
    refusals = []
    page.route("**/answer", lambda route: refusals.append(route))
    press(page, "Pair")
    until(page, lambda: refusals)
    hub.pairing.end(number, "Nobody answered in time.")
    expect(dialog(page).get_by_role("alert")).to_have_text("Not paired. Nobody answered in time.")
    refusals[0].fallback()
    page.wait_for_timeout(300)
    expect(dialog(page).get_by_role("alert")).to_have_text("Not paired. Nobody answered in time.")


def test_nobody_answers_and_the_device_gives_up(hub, open_page):
    page = open_page("scanner")
    expect(page.locator(".status")).to_contain_text("Live")
    number = hub.pairing.ask("enter", seconds=-1)
    expect(dialog(page)).to_contain_text("The time is up")
    hub.pairing.end(number, "Nobody answered in time. Try again, and keep the device at hand.")
    expect(dialog(page).get_by_role("alert")).to_contain_text("Not paired. Nobody answered in time.")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    assert hub.pairing.answers == []


def test_names_from_the_air_are_text(hub, open_page, size):
    page = open_page("scanner", size)
    expect(page.locator(".status")).to_contain_text("Live")
    for text in HOSTILE[:6]:
        number = hub.pairing.ask("consent", name=text)
        expect(dialog(page)).to_be_visible()
        assert_harmless(page, text)
        hub.pairing.end(number, text)
        expect(dialog(page).get_by_role("alert")).to_be_visible()
        assert_harmless(page, text)
        press(page, "Leave it")


def test_devices_are_listed_and_forgotten(hub, open_page, size):
    known = with_bonds(hub, bond("HR strap 0F", "C0:FF:EE:00:00:01", "secure_connections"), bond(None, "D1:00:00:00:00:02", "encrypted"))
    page = open_page("settings/pairing", size)
    expect(page.get_by_text("Encrypted with Secure Connections, and nobody in between can listen, key of 16 octets")).to_be_visible()
    page.get_by_role("button", name="Forget HR strap 0F").click()
    press(page, "Keep it")
    assert len(known["items"]) == 2
    page.get_by_role("button", name="Forget HR strap 0F").click()
    press(page, "Forget")
    expect(page.get_by_text("The keys of HR strap 0F are forgotten.")).to_be_visible()
    expect(page.get_by_role("button", name="Forget HR strap 0F")).to_have_count(0)
    # No browser encrypts a link because a page wants it.
    settings = hub.get("/settings")
    encryption = settings["encryption"]
    hub.faults.instead("PATCH /settings", lambda body: (200, settings | {"encryption": encryption.update(body["encryption"]) or encryption}))
    page.get_by_role("combobox", name="Encrypt links to FlockFinders").select_option("Always")
    expect(page.get_by_text("Pairs if needed; a device that cannot is left alone")).to_be_visible()
    assert encryption == {"flock": "required", "wifi": "off"}


def test_a_key_that_is_missing_is_said(hub, open_page, size):
    with_bonds(hub, unreadable=3, fault=FAULT)
    page = open_page("settings/pairing", size, bypass_csp=True)
    expect(page.get_by_text("Keys are not kept.")).to_be_visible()
    check(page, size, "fault")
    page.get_by_role("button", name="Forget 3 devices").click()
    expect(page.get_by_text("None yet. Explorer pairs a device that it is connected to.")).to_be_visible()
    check(page, size, "none")
