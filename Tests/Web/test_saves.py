# SPDX-License-Identifier: Apache-2.0
"""Saves of the page Explorer: kept, compared, renamed, imported; served again, which takes a hub."""

import json

from conftest import assert_harmless, until
from explorer_data import STRAP, advertised, strap, tree
from explorer_strap import Strap, connect, explorer, item, visible
from hostile import HOSTILE
from hub_script import with_air
from playwright.sync_api import expect
from test_bulbs import check


BEFORE, AFTER = "Strap, before the update", "Strap, after the update"


def file(saved: dict, name: str) -> str:
    """The file of a saved device, with what it advertises."""
    return json.dumps({"name": name, **advertised(name), **saved})


def keep_two(hub, names=(BEFORE, AFTER), devices=(STRAP, STRAP)) -> None:
    """Two saves of the strap: the later one has another value, and one less."""
    first, second = tree(strap(1)), tree(strap(1))
    second["services"][2]["characteristics"][0]["octets"] = "33"
    second["services"][3]["characteristics"].pop()
    hub.begin()
    for name, device, saved in zip(names, devices, (first, second)):
        answer = hub.ask("POST", "/saves", {"octets": file(saved, device)}, filter={"name": name})
        assert answer["status"] == 200, answer


def saves(hub) -> list[str]:
    return [one["name"] for one in hub.get("/saves")["items"]]


def names(page) -> list[str]:
    return page.locator(".save-row bdi:first-of-type").all_inner_texts()[::2]


def more(page, name: str, action: str) -> None:
    page.get_by_role("button", name=f"More about {name}").click()
    page.get_by_role("dialog").get_by_role("button", name=action).click()


def test_serving_is_clean(hub, open_page, size):
    keep_two(hub)
    with_air(hub, BEFORE, STRAP)
    page = open_page("explorer/saves", size, bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("button", name=f"Serve {BEFORE} as a device").click()
    expect(page.get_by_text("On the air")).to_be_visible()
    check(page, size, "serving")


def test_every_view_is_clean(hub, open_page, size):
    keep_two(hub)
    page = open_page("explorer/saves", size, bypass_csp=True, reduced_motion="reduce")
    expect(page.get_by_text(BEFORE)).to_be_visible()
    check(page, size, "saves")
    page.goto(f"{hub.address}/#/explorer/compare/1/2")
    expect(page.get_by_text("1 removed, 1 changed")).to_be_visible()
    check(page, size, "compare")


def test_a_device_is_saved_and_compared_with_an_older_save(hub, open_page, size):
    hub.begin()
    hub.strap = Strap()
    hub.radio.add(hub.strap)
    page = open_page("explorer", size)
    connect(page)

    def choose(name: str) -> None:
        if size == "phone":
            visible(page, "More").click()
            page.get_by_role("dialog").get_by_role("button", name=name).click()
        else:
            visible(page, name).click()

    choose("Compare")
    expect(page.get_by_text("There is no save to compare with yet.")).to_be_visible()
    choose("Save")
    field = page.get_by_role("textbox", name="Name of the save")
    assert field.input_value().startswith(STRAP)
    field.fill("First")
    page.keyboard.press("Enter")
    until(page, lambda: saves(hub) == ["First"])
    hub.strap.values[0x22] = "33"
    hub.ask("POST", f"/explorers/{explorer(hub)['job']['id']}/read", {"handle": 0x22})
    choose("Compare")
    page.get_by_role("dialog").get_by_role("button", name="First").click()
    expect(page.get_by_role("heading", name="Compare saves")).to_be_visible()
    row = page.get_by_role("list", name="Differences").get_by_role("listitem")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Changed")
    expect(row).to_contain_text("Battery Level (2a19)")
    assert row.locator("mark").all_inner_texts() == ["52", "33"]
    page.get_by_role("button", name="Swap the two").click()
    until(page, lambda: row.locator("mark").all_inner_texts() == ["33", "52"])


def test_two_are_ticked_and_compared(hub, open_page, size):
    keep_two(hub)
    page = open_page("explorer/saves", size)
    compare = page.get_by_role("button", name="Compare", exact=True)
    expect(compare).to_have_attribute("aria-disabled", "true")
    for name in (BEFORE, AFTER):
        page.get_by_role("checkbox", name=f"Tick {name}").click()
    expect(page.get_by_text("Two are ticked")).to_be_visible()
    compare.click()
    expect(page.get_by_text("1 removed, 1 changed")).to_be_visible()
    # The older one is before.
    assert page.locator(".compare-side h2").all_inner_texts() == [BEFORE, AFTER]
    expect(page.get_by_text("Not there")).to_be_visible()
    page.goto(f"{hub.address}/#/explorer/compare/1/1")
    expect(page.get_by_role("heading", name="No difference")).to_be_visible()
    page.goto(f"{hub.address}/#/explorer/compare/1/77")
    expect(page.get_by_role("heading", name="These cannot be compared")).to_be_visible()


def test_saves_are_renamed_deleted_brought_back_and_imported(hub, open_page, size, tmp_path):
    keep_two(hub)
    page = open_page("explorer/saves", size)
    expect(page.get_by_text(BEFORE)).to_be_visible()
    more(page, BEFORE, "Rename")
    page.get_by_role("textbox", name="Name").fill("Old strap")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Old strap")).to_be_visible()
    more(page, "Old strap", "Delete")
    expect(page.locator(".saves-list").get_by_text("Old strap")).to_be_hidden()
    assert len(saves(hub)) == 1
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".saves-list").get_by_text("Old strap")).to_be_visible()
    brought = tmp_path / "From the shelf.json"
    brought.write_text(json.dumps({"name": STRAP, **tree(strap(1))}))
    page.locator("input[type=file]").set_input_files(brought)
    expect(page.get_by_text("From the shelf")).to_be_visible()
    brought.write_text("{")
    page.locator("input[type=file]").set_input_files(brought)
    expect(page.get_by_text("This is not a saved device: line 1: it ends too early.")).to_be_visible()
    for content, reason in (("[1]", "an object is expected here"), ("{}", "services\" is missing")):
        brought.write_text(content)
        page.locator("input[type=file]").set_input_files(brought)
        expect(page.get_by_text(reason)).to_be_visible()
    page.get_by_role("button", name="More about Old strap").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the file").click()
    assert download.value.suggested_filename == "lantern-device-3.json"


def test_a_save_is_served_and_taken_off_the_air(hub, open_page, size):
    keep_two(hub)
    become = with_air(hub, BEFORE, STRAP)
    page = open_page("explorer/saves", size)
    page.get_by_role("button", name=f"Serve {BEFORE} as a device").click()
    air = page.get_by_role("region", name="On the air")
    expect(air).to_contain_text(f"As {STRAP}, since")
    become(clients=2, lines=[{"time": "2026-11-24T02:00:00Z", "text": "A client has read Battery Level."}])
    expect(air).to_contain_text("2 clients")
    expect(air).to_contain_text("A client has read Battery Level.")
    page.get_by_role("button", name=f"Stop serving {BEFORE}").click()
    until(page, lambda: become()["state"] == "off")
    expect(air).to_be_hidden()
    become(state="failed", save=1, title=BEFORE, reason="The radio was taken away.")
    expect(air).to_contain_text("The radio was taken away.")


def test_a_radio_that_cannot_be_a_device_says_so(hub, open_page):
    keep_two(hub)
    page = open_page("explorer/saves")
    page.get_by_role("button", name=f"Serve {BEFORE} as a device").click()
    expect(page.get_by_text("A page cannot serve a device: the browser does not let it.")).to_be_visible()


def test_nothing_is_kept_yet(hub, open_page, size):
    page = open_page("explorer/saves", size, bypass_csp=True)
    expect(page.get_by_role("heading", name="No saves yet")).to_be_visible()
    check(page, size, "no saves")


def test_hostile_names_are_text(hub, open_page, size):
    keep_two(hub, (HOSTILE[0], HOSTILE[3]), (HOSTILE[1], HOSTILE[5][:248]))
    page = open_page("explorer/saves", size)
    expect(page.locator(".save-row").first).to_be_visible()
    assert_harmless(page, "saves")
    page.goto(f"{hub.address}/#/explorer/compare/1/2")
    # The name of the device, too.
    expect(page.get_by_text("1 removed, 2 changed")).to_be_visible()
    assert_harmless(page, "compare")
    page.goto(f"{hub.address}/#/explorer/save/1")
    expect(item(page, "Battery Level")).to_be_visible()
    assert_harmless(page, "save")


def test_a_save_is_opened_without_the_device(hub, open_page, size):
    keep_two(hub)
    page = open_page("explorer/saves", size, bypass_csp=True)
    page.get_by_role("link", name=BEFORE).click()
    expect(item(page, "Battery Level")).to_contain_text("82%")
    # The device's own services first; what it advertised is there, too.
    heads = page.get_by_role("treeitem", expanded=True).all_inner_texts()
    assert [head.split("\n")[0] for head in heads][:2] == ["Heart Rate", "Battery"] and "Generic Access" in heads[-2]
    expect(item(page, "Complete Local Name")).to_contain_text(STRAP)
    check(page, size, "save")
    value = page.get_by_role("complementary", name="Value").filter(visible=True)
    if size == "desktop":
        expect(value.get_by_text("C0:FF:EE:9A:3C:2B")).to_be_visible()
    item(page, "Battery Level").click()
    expect(value.get_by_text("handle 0x0022")).to_be_visible()
    expect(value.get_by_role("definition").filter(has_text="82%")).to_be_visible()
    # Nothing is asked of a device that is not there.
    expect(value.get_by_role("button", name="Read")).to_have_count(0)
    expect(value.get_by_role("region", name="Write")).to_be_hidden()
    check(page, size, "value of a save")
    page.keyboard.press("Escape")
    expect(page.get_by_role("tree", name="Services and values")).to_be_focused()
    visible(page, "More").click()
    page.get_by_role("dialog").get_by_role("button", name="Compare with another").click()
    page.get_by_role("dialog").get_by_role("button", name=AFTER).click()
    expect(page.get_by_text("1 removed, 1 changed")).to_be_visible()
    # From there each side leads to its tree.
    page.get_by_role("link", name=AFTER).click()
    expect(item(page, "Battery Level")).to_be_visible()
    assert hub.get("/jobs")["items"] == []


def test_a_save_that_is_opened_is_served(hub, open_page, size):
    keep_two(hub)
    become = with_air(hub, BEFORE, STRAP)
    page = open_page("explorer/save/1", size)
    visible(page, "Serve").click()
    expect(visible(page, "Stop serving")).to_be_visible()
    visible(page, "Stop serving").click()
    until(page, lambda: become()["state"] == "off")


def test_a_save_that_is_gone_or_cannot_be_laid_out_says_so(hub, open_page, size):
    keep_two(hub)
    page = open_page("explorer/save/77", size, bypass_csp=True)
    expect(page.get_by_role("heading", name="This save cannot be opened")).to_be_visible()
    check(page, size, "no such save")
    odd = tree(strap(1))
    odd["services"][1]["characteristics"][0]["value_handle"] = odd["services"][1]["characteristics"][0]["handle"]
    hub.ask("POST", "/saves", {"octets": file(odd, STRAP)}, filter={"name": "Odd"})
    page.goto(f"{hub.address}/#/explorer/save/3")
    expect(page.get_by_text("the handle 0x0011 is not above")).to_be_visible()
    page.goto(f"{hub.address}/#/explorer/save/2")
    expect(page.get_by_role("heading", name=AFTER)).to_be_visible()
    more = page.get_by_role("button", name="More").filter(visible=True)
    more.click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("checkbox", name=f"Tick {BEFORE}")).to_be_visible()
    assert saves(hub) == ["Odd", BEFORE]
