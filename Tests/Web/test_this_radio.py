# SPDX-License-Identifier: Apache-2.0
"""The switch of the hub's own radio: what it notices is a detection like any other, in Scanner and History."""

import pytest
from conftest import until
from playwright.sync_api import expect
from real_hub import RealHub

from peers.cameras import CAMERAS, LOOKALIKES


@pytest.fixture
def hub(air, tmp_path):
    one = RealHub(tmp_path, "--radio", air.radio)
    one.start()
    yield one
    one.stop()


async def appear(air) -> None:
    for camera in (CAMERAS["pack by its name"], LOOKALIKES["a thermometer"]):
        await camera.start(air.bench)


@pytest.mark.parametrize("where", ["scanner", "settings/radio"])
def test_a_camera_is_noticed_without_a_flockfinder(where, hub, air, open_page, size):
    air.do(appear(air))
    page = open_page(where, size)
    switch = page.get_by_role("switch", name="Notice cameras with this radio")
    expect(switch).not_to_be_checked()
    assert hub.get("/settings")["this_radio"] is False
    switch.check()
    until(page, lambda: hub.get("/settings")["this_radio"])
    until(page, lambda: hub.get("/detections")["items"], 15)
    found = hub.get("/detections")["items"][0]
    assert (found["type"], found["ssid"], found["address"]) == ("penguin", "Penguin-2231907001", None)
    assert found["extra"]["origin"] == "this_radio"
    if where == "scanner":
        expect(page.locator(".latest-row", has_text="Penguin-2231907001")).to_be_visible(timeout=10000)
    # What it is remembers a restart, and the reasons are told with the source.
    hub.stop()
    hub.start()
    assert hub.get("/settings")["this_radio"] is True
    source = hub.get(f"/sources/{found['source']}")
    words = [reason["text"] + (reason["value"] or "") for reason in source["reasons"]]
    assert "The hub's own radio noticed it and takes it for Penguin" in words
    assert "Its name is Penguin- and ten digits, as with this kind." in words
    assert any("% sure that it is a Penguin reader battery, by what speaks for it" in one for one in words)


def test_it_is_switched_off_again(hub, air, open_page):
    headers = {"If-Match": "*"}
    status, *_ = hub.request("PATCH", "/api/v1/settings", {"this_radio": True}, headers)
    assert status == 200
    page = open_page("scanner", "desktop")
    switch = page.get_by_role("switch", name="Notice cameras with this radio")
    expect(switch).to_be_checked()
    switch.uncheck()
    until(page, lambda: hub.get("/settings")["this_radio"] is False)
    status, problem, _ = hub.request("PATCH", "/api/v1/settings", {"this_radio": "yes"}, headers)
    assert (status, "true or false" in problem["detail"]) == (422, True)
