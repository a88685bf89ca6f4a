# SPDX-License-Identifier: Apache-2.0
"""The page Bulbs against bulbs on Bumble, one for each dialect, which were written from the table of what their makers' apps send."""

import re

import pytest
from among_peers import hub  # noqa: F401
from conftest import assert_harmless, until
from playwright.sync_api import expect

from peers.bulbs import ADDRESS, COLORIFIC, DIALECTS, ELK_BLEDOM, MAGIC_BLUE, TRIONES, Bulb, NoBulb

NAMES = {COLORIFIC: "Colorific", TRIONES: "Triones", MAGIC_BLUE: "Magic Blue", ELK_BLEDOM: "ELK-BLEDOM"}
PINK = "ff5c9e"


@pytest.fixture
def bulb(air, hub):
    """Puts a bulb on the air; `hub` knows it by then."""

    def put(*dialects: str, **options) -> Bulb:
        async def make() -> Bulb:
            one = Bulb(air.bench, *dialects, **options)
            await one.start()
            return one

        one = air.do(make())
        one.number = hub.until(lambda: number_of(hub, options.get("address", ADDRESS)))
        return one

    return put


def number_of(hub, address: str) -> int | None:
    found = [one for one in hub.get("/devices")["items"] if one["address"] == address and one["rssi"] is not None]
    return found[0]["id"] if found else None


def shown(hub) -> dict:
    """What the hub knows of the one bulb that is open."""
    [job] = [one for one in hub.get("/jobs")["items"] if one["kind"] == "bulb"]
    return hub.get(f"/bulbs/{job['id']}")


def look(page, name: str = "LED bulb") -> None:
    """Has the hub look at a device that does not say that it is a bulb; it may be listed as one already."""
    listed = page.get_by_role("slider", name="Colour of the bulb")
    another = page.get_by_role("button", name="Another bulb").filter(visible=True)
    expect(listed.or_(another).first).to_be_visible(timeout=30000)
    if not page.locator(".bulbs:not([hidden])").count():
        another.first.click()
        page.get_by_role("button", name=f"Check whether {name} is a bulb").click(timeout=30000)


def wheel(page):
    return page.get_by_role("slider", name="Colour of the bulb")


@pytest.mark.parametrize("key", [COLORIFIC, TRIONES, MAGIC_BLUE, ELK_BLEDOM])
def test_each_dialect_is_found_out_and_written_as_its_makers_do(air, hub, bulb, open_page, key):
    one, dialect = bulb(key), DIALECTS[key]
    page = open_page("bulbs")
    look(page)
    expect(wheel(page)).to_be_visible(timeout=30000)
    expect(page.get_by_text(re.compile("^Taken because"))).to_be_visible()
    assert [option.strip() for option in page.get_by_role("combobox", name="Dialect").locator("option").all_inner_texts()][0] == NAMES[key]
    page.get_by_role("group", name="Favourites").get_by_role("button", name="Pink #FF5C9E").click()
    hub.until(lambda: dialect.color(PINK) in one.octets)
    expect(page.locator(".bulb-written")).to_contain_text(" ".join(re.findall("..", dialect.color(PINK))), timeout=15000)
    page.get_by_role("switch").filter(visible=True).first.uncheck()
    hub.until(lambda: one.octets[-1] == dialect.off)
    page.get_by_role("switch").filter(visible=True).first.check()
    hub.until(lambda: dialect.on in one.octets[2:] or one.octets[-1] not in (dialect.off, dialect.color(PINK)))
    if key in (TRIONES, MAGIC_BLUE):
        # These say what they do, and it is what was asked.
        expect(page.get_by_text("Just what you asked for")).to_be_visible(timeout=15000)
    else:
        expect(page.get_by_text("Bulbs of this dialect never answer.")).to_be_visible()
    if key == COLORIFIC:
        expect(page.get_by_role("button", name="Red breathing")).to_have_count(0)


def test_a_bulb_that_says_something_else_than_was_asked(hub, bulb, open_page, size):
    one = bulb(TRIONES)
    page = open_page("bulbs", size)
    look(page)
    expect(wheel(page)).to_be_visible(timeout=30000)
    one.state_answer = "661523412001112233000399"
    page.get_by_role("group", name="Favourites").get_by_role("button", name="Pink #FF5C9E").click()
    expect(page.get_by_text("Not what you asked for")).to_be_visible(timeout=20000)
    expect(page.locator(".said-card")).to_contain_text("#112233")


@pytest.mark.parametrize("answer", ["66", "ff" * 12, "6615234120", "66152341200111223300ff99" + "00" * 8])
def test_a_bulb_that_answers_nonsense_is_no_fault_of_the_page(hub, bulb, open_page, answer):
    one = bulb(TRIONES)
    one.state_answer = answer
    page = open_page("bulbs")
    look(page)
    expect(wheel(page)).to_be_visible(timeout=30000)
    page.get_by_role("group", name="Favourites").get_by_role("button", name="Pink #FF5C9E").click()
    hub.until(lambda: DIALECTS[TRIONES].color(PINK) in one.octets)
    expect(wheel(page)).to_be_visible()
    text = page.locator("main").inner_text()
    assert "null" not in text and "undefined" not in text and "NaN" not in text


def test_a_bulb_of_two_dialects_has_to_be_said(hub, bulb, open_page, size):
    one = bulb(TRIONES, MAGIC_BLUE)
    page = open_page("bulbs", size)
    look(page)
    choice = page.get_by_role("button", name="It is Magic Blue")
    expect(choice).to_be_visible(timeout=30000)
    assert one.octets == []
    choice.click()
    expect(wheel(page)).to_be_visible(timeout=30000)
    page.get_by_role("group", name="Favourites").get_by_role("button", name="Pink #FF5C9E").click()
    hub.until(lambda: (DIALECTS[MAGIC_BLUE].written, DIALECTS[MAGIC_BLUE].color(PINK)) in one.received)
    assert all(written == DIALECTS[MAGIC_BLUE].written for written, _ in one.received)


def test_what_is_no_bulb_is_not_written_to(air, hub, open_page, size):
    async def make() -> NoBulb:
        one = NoBulb(air.bench)
        await one.start()
        return one

    tag = air.do(make())
    hub.until(lambda: number_of(hub, ADDRESS))
    page = open_page("bulbs", size)
    look(page, "Tag")
    expect(page.get_by_role("heading", name=re.compile("not connected any more|Couldn’t connect"))).to_be_visible(timeout=30000)
    assert tag.own_write_requests == []
    assert_harmless(page, "no bulb")


def test_a_bulb_that_goes_away_and_comes_back(air, hub, bulb, open_page, size):
    one = bulb(TRIONES)
    page = open_page("bulbs", size)
    look(page)
    expect(wheel(page)).to_be_visible(timeout=30000)

    async def go() -> None:
        one.go_away()

    air.do(go())
    expect(page.get_by_role("heading", name="The bulb is not connected any more")).to_be_visible(timeout=30000)
    expect(page.get_by_text("Bring it near and try again.")).to_be_visible()
    air.do(one.advertise())
    page.get_by_role("button", name="Connect again").click()
    expect(wheel(page)).to_be_visible(timeout=30000)


def test_two_pages_share_one_link(hub, bulb, open_page):
    one = bulb(TRIONES)
    first, second = open_page("bulbs"), None
    look(first)
    expect(wheel(first)).to_be_visible(timeout=30000)
    second = open_page("bulbs", "phone")
    expect(wheel(second)).to_be_visible(timeout=30000)
    job = shown(hub)["job"]["id"]
    second.get_by_role("group", name="Favourites").get_by_role("button", name="Pink #FF5C9E").click()
    # Both see what either asks for.
    for page in (first, second):
        until(page, lambda: shown(hub)["agrees"] is True, 20)
        expect(page.get_by_text("Just what you asked for")).to_be_attached(timeout=15000)
    second.goto(f"{hub.address}/#/scanner")
    hub.until(lambda: first.get_by_role("group", name="Favourites").is_visible())
    first.get_by_role("group", name="Favourites").get_by_role("button", name="Orange #FF9B2F").click()
    hub.until(lambda: DIALECTS[TRIONES].color("ff9b2f") in one.octets)
    # It is one link from the first to the last.
    assert shown(hub)["job"]["id"] == job and len(one.entries("connected")) == 1
    first.goto(f"{hub.address}/#/scanner")
    hub.until(lambda: not hub.get("/jobs")["items"])


def test_a_page_that_is_killed_lets_the_bulb_go_with_its_lease(hub, bulb, open_page):
    bulb(TRIONES)
    page = open_page("bulbs")
    look(page)
    expect(wheel(page)).to_be_visible(timeout=30000)
    job = shown(hub)["job"]["id"]
    # A hidden tab's timers are held back for longer than the lease: nothing is kept from here on.
    page.evaluate("() => { for (let timer = setTimeout(() => {}, 0); timer; timer -= 1) clearInterval(timer); }")
    page.evaluate("() => Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    hub.until(lambda: not hub.get("/jobs")["items"], 60)
    assert hub.get(f"/bulbs/{job}")["job"]["reason"].startswith("Its page was closed or asleep")
    expect(page.get_by_text("Its page was closed or asleep")).to_be_visible()
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', { value: false, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    expect(wheel(page)).to_be_visible(timeout=30000)
