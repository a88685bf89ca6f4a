# SPDX-License-Identifier: Apache-2.0
"""The library of the page Nightlights: weeks that are kept, sent to any lamp, and files of them."""

import json

from conftest import until
from lamp_world import OTHER, changes, hub  # noqa: F401
from playwright.sync_api import expect
from test_bulbs import check
from test_nightlights import open_lamp


def kept_weeks(hub) -> list[str]:
    return [one["week"]["name"] for one in hub.get("/light-schedules")["items"]]


def test_the_library_keeps_renames_sends_and_deletes(hub, open_page, size):
    page = open_lamp(open_page, "/library", size)
    expect(page.get_by_role("heading", name="No saved weeks yet")).to_be_visible()
    check(page, size, "empty library")
    page.get_by_role("button", name="Save this lamp’s week").click()
    page.get_by_role("dialog").get_by_label("Name of the week").fill("Winter")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Winter")).to_be_visible()
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Name of the week").fill("Deep winter")
    page.get_by_role("dialog").get_by_label("Name of the week").press("Enter")
    expect(page.get_by_role("heading", name="Deep winter")).to_be_visible()
    assert kept_weeks(hub) == ["Deep winter"]
    check(page, size, "library")
    page.get_by_role("button", name="Send to a lamp").click()
    # Another lamp gets it when it is heard.
    page.get_by_role("dialog").get_by_role("button", name="Jonas").or_(
        page.get_by_role("dialog").get_by_role("button", name="New lamp")).first.click()
    until(page, lambda: [body["week"]["name"] for _, path, body, _ in hub.asked if path == "/nightlights/pending"] == ["Deep winter"])
    jonas = hub.radio.devices[OTHER]
    hub.radio.hear(jonas)
    until(page, lambda: jonas.week["name"] == "Deep winter")
    page.get_by_role("button", name="Send to a lamp").click()
    page.get_by_role("dialog").get_by_role("button", name="Mia").click()
    until(page, lambda: [one["week"]["name"] for one in changes(hub)] == ["Deep winter"])
    expect(page.locator(".toast")).to_contain_text("Mia’s lamp has the week.")
    page.get_by_role("button", name="Delete Deep winter").click()
    until(page, lambda: kept_weeks(hub) == [])
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Deep winter")).to_be_visible()


def test_files_of_the_command_line_go_in_and_out(hub, open_page, tmp_path):
    page = open_lamp(open_page, "/library")
    week = {"name": "From a file", "groups": [{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "periods": []}]}
    take = page.get_by_label("Week file")
    for name, text, answer in [
        ("picture.json", "\x89PNG", "This file is not JSON."),
        ("other.json", "[1, 2]", "This is not a week"),
        ("large.json", " " * 70000, "larger than 64 KiB"),
    ]:
        file = tmp_path / name
        file.write_text(text)
        take.set_input_files(file)
        expect(page.locator(".toast")).to_contain_text(answer)
    assert kept_weeks(hub) == []
    file = tmp_path / "week.json"
    file.write_text(json.dumps(week))
    take.set_input_files(file)
    expect(page.get_by_role("heading", name="From a file")).to_be_visible()
    with page.expect_download() as found:
        page.get_by_role("button", name="Export").click()
    assert found.value.suggested_filename == "From a file.json"
    assert json.loads(open(found.value.path()).read()) == week
