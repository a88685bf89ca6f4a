# SPDX-License-Identifier: Apache-2.0
"""What a browser does beside its Bluetooth while a FlockFinder is watched without a hub: it tells its place, and keeps the
screen awake. Place and screen lock are Chromium's own; its Bluetooth is the test's, as in `test_browser_bluetooth.py`."""

from __future__ import annotations

import asyncio
import json
import re

from browser_site import (
    DETECTIONS, PATIENCE, browser, choose, detected, exported, ready, script, site, with_device, without_site,
)  # fmt: skip
from conftest import WHOLE
from playwright.async_api import expect

pytestmark = without_site
__all__ = ["script", "site"]
# Counts what is asked of Chromium's screen lock.
LOCKS = """
    window.locks = [];
    const request = navigator.wakeLock?.request.bind(navigator.wakeLock);
    // An empty page has none.
    if (request) {
        navigator.wakeLock.request = async (kind) => {
            const lock = await request(kind);
            locks.push(lock);
            return lock;
        };
    }
"""
HELD = "locks.map(({ released }) => !released)"


async def held(page, count: int) -> None:
    """Waits until so many locks of the screen are held."""
    async with asyncio.timeout(PATIENCE / 1000):
        while sum(await page.evaluate(HELD)) != count:
            await asyncio.sleep(0.05)


async def use_browser(page, site) -> None:
    await page.goto(site + "#/settings/location")
    await page.get_by_label("Position from").select_option("browser")


@with_device("flockfinder", "--script", "SCRIPT")
async def test_injected_detections_have_the_place_of_the_browser(site, peer, folder):
    place = {"latitude": 52.107, "longitude": 8.749, "accuracy": 8}
    async with browser(site, peer, permissions=["geolocation"], geolocation=place) as opened:
        page = await opened.page()
        await ready(page)
        await use_browser(page, site)
        # Whoever chooses this has it begin.
        await expect(page.get_by_role("switch", name="This browser tells its place")).to_be_checked(timeout=PATIENCE)
        await expect(page.locator("main")).to_contain_text("Tells its place", timeout=PATIENCE)
        await expect(page.locator(".status")).to_contain_text("±8 m", timeout=PATIENCE)
        await expect(page.locator(".placed")).to_have_text(re.compile("±8 m"), timeout=PATIENCE)
        await opened.context.set_geolocation(place | {"accuracy": 20})
        await expect(page.locator(".placed")).to_have_text(re.compile("±20 m"), timeout=PATIENCE)
        await page.goto(site + "#/scanner")
        await choose(page)
        await detected(page)
        file = folder / "detections.json"
        await exported(page, site, file)
    rows = json.loads(file.read_text())["detections"]
    assert len(rows) == len(DETECTIONS)
    assert {(row["location"]["latitude"], row["location"]["longitude"]) for row in rows} == {(52.107, 8.749)}


@with_device("flockfinder", "--script", "SCRIPT")
async def test_injected_a_place_that_is_refused_is_said(site, peer, _):
    # Nobody has allowed it, and without a window nobody is asked.
    async with browser(site, peer) as opened:
        page = await opened.page()
        await ready(page)
        await use_browser(page, site)
        switch = page.get_by_role("switch", name="This browser tells its place")
        if await page.locator(".toast").count() == 0:
            await switch.click()
        await expect(page.locator(".toast").filter(has_text="This browser does not give its place")).to_be_visible(timeout=PATIENCE)


@with_device("flockfinder", "--script", "SCRIPT")
async def test_injected_the_screen_stays_awake_while_a_flockfinder_is_connected(site, peer, _):
    async with browser(site, peer, program=WHOLE) as opened:
        await opened.context.add_init_script(LOCKS)
        page = await opened.page()
        await ready(page)
        assert await page.evaluate(HELD) == []
        await choose(page)
        await held(page, 1)
        # However often it is told how the device is, one lock is enough.
        await detected(page)
        assert await page.evaluate(HELD) == [True]
        await peer.end_device()
        await held(page, 0)
        await peer.run_device()
        await held(page, 1)
