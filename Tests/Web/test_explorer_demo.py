# SPDX-License-Identifier: Apache-2.0
"""The page Explorer against `lantern demo`: a real scan, and real links to devices of the virtual air."""

import re

import pytest
from conftest import until
from playwright.sync_api import expect
from real_hub import RealHub
from test_bulbs_demo import clean
from explorer_strap import item, visible
from test_explorer import rows


@pytest.fixture
def hub(tmp_path):
    one = RealHub(tmp_path, command="demo")
    one.start()
    yield one
    if one.process and one.process.poll() is None:
        assert one.stop() == 0, one.log


def named(hub, name: str) -> dict:
    found = hub.until(lambda: [one for one in hub.get("/scan/devices")["items"] if (one["name"] or "").startswith(name)])
    return found[0]


def explore(hub, page, name: str) -> None:
    """Opens the link to a device of the demo, until all of it is read."""
    device = named(hub, name)
    page.evaluate("number => { location.hash = `#/explorer/device/${number}` }", device["id"])
    visible(page, "Connect").click()
    hub.until(lambda: [one for one in hub.get("/jobs")["items"] if one["device"] == device["id"] and one["phase"] == "open"], 60)
    hub.until(lambda: work(hub, device["id"])["step"] == "ready", 60)


def work(hub, device: int) -> dict:
    [job] = [one for one in hub.get("/jobs")["items"] if one["device"] == device and one["kind"] == "explorer"]
    return hub.get(f"/explorers/{job['id']}")["explorer"]


def test_what_is_heard_is_listed_and_a_device_is_read_listened_to_and_written(hub, open_page, size):
    page = open_page("explorer", size, bypass_csp=True, reduced_motion="reduce")
    until(page, lambda: "Nightlight" in rows(page) and "Triones-0B02" in rows(page), 30)
    clean(page)
    explore(hub, page, "HR strap")
    expect(item(page, "Heart Rate Measurement")).to_be_visible(timeout=20000)
    clean(page)
    item(page, "Heart Rate Measurement").click()
    visible(page, "Listen").click()
    value = page.get_by_role("complementary", name="Value")
    expect(value.locator(".live-unit")).to_have_text("per minute", timeout=20000)
    expect(page.get_by_role("img", name="The last minute")).to_be_visible(timeout=20000)
    row = item(page, "Heart Rate Measurement")
    expect(row.locator(".tag.lit")).to_be_visible()
    # What the value is about, not the flags before it.
    expect(row.locator(".worth")).to_have_text(re.compile(r"^\d+ per minute$"))
    clean(page)
    value.get_by_role("button", name="Save the log").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "Heart Rate" in download.value.path().read_text()
    page.keyboard.press("Escape")
    explore(hub, page, "Nightlight")
    expect(item(page, "Nightlight Child Name")).to_contain_text("Mia", timeout=20000)
    item(page, "Nightlight Child Name").click()
    visible(page, "Text").click()
    page.get_by_role("textbox", name="Value to write").fill("Ünal <b>")
    visible(page, "Write").click()
    page.get_by_role("dialog").get_by_role("button", name="Write").click()
    expect(item(page, "Nightlight Child Name")).to_contain_text("Ünal <b>", timeout=20000)
    expect(value.locator(".value-log li")).to_have_count(2, timeout=20000)
    clean(page)
    page.goto(f"{hub.address}/#/scanner")
    hub.until(lambda: not [one for one in hub.get("/jobs")["items"] if one["phase"] != "ended"])


def test_a_device_is_saved_compared_and_served(hub, open_page, size):
    page = open_page("explorer", size)
    until(page, lambda: "Nightlight" in rows(page), 30)
    explore(hub, page, "Nightlight")
    expect(item(page, "Nightlight Child Name")).to_contain_text("Mia", timeout=20000)

    def choose(name: str) -> None:
        if size == "phone":
            visible(page, "More").click()
            page.get_by_role("dialog").get_by_role("button", name=name).click()
        else:
            visible(page, name).click()

    choose("Save")
    page.get_by_role("textbox", name="Name of the save").fill("Mia's lamp")
    page.keyboard.press("Enter")
    hub.until(lambda: [one["name"] for one in hub.get("/saves")["items"]] == ["Mia's lamp"])
    item(page, "Nightlight LED Power").click()
    page.get_by_role("textbox", name="Value to write").fill("00")
    visible(page, "Write").click()
    page.get_by_role("dialog").get_by_role("button", name="Write").click()
    # It is read again after the write.
    expect(item(page, "Nightlight LED Power").locator(".worth")).to_have_text("00", timeout=20000)
    page.keyboard.press("Escape")
    choose("Compare")
    page.get_by_role("dialog").get_by_role("button", name="Mia's lamp").click()
    found = page.get_by_role("list", name="Differences").get_by_role("listitem").filter(has_text="Nightlight LED Power")
    expect(found).to_contain_text("Changed", timeout=20000)
    page.goto(f"{hub.address}/#/explorer/saves")
    page.get_by_role("button", name="Serve Mia's lamp as a device").click()
    until(page, lambda: hub.get("/serving")["state"] == "on", 20)
    expect(page.get_by_role("region", name="On the air")).to_contain_text("On the air")
    page.get_by_role("button", name="Stop serving Mia's lamp").click()
    until(page, lambda: hub.get("/serving")["state"] == "off", 20)
