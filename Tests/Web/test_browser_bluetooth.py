# SPDX-License-Identifier: Apache-2.0
"""The pages without a hub over Web Bluetooth: a FlockFinder of ours behind Bumble, in Chromium.

Tests with `injected` in their names have a `navigator.bluetooth` of the test, because the DevTools protocol cannot send
notifications; that with `emulated` has Chromium's own.
"""

from __future__ import annotations

import json
import re
import subprocess

from browser_peer import COMMAND, FLOCK_SERVICE
from browser_site import (
    DETECTIONS, PATIENCE, browser, choose, detected, emulated, exported, ready, script, site, until, with_device, without_site,
)  # fmt: skip
from playwright.async_api import expect
from real_hub import binary
from test_browser_devices import stored

pytestmark = without_site
__all__ = ["script", "site"]


def connection(page):
    return page.locator(".connection").filter(visible=True)


async def connected(page) -> None:
    await expect(connection(page)).to_contain_text("Connected", timeout=PATIENCE)


@with_device("flockfinder", "--script", "SCRIPT")
async def test_injected_detections_arrive_stay_and_are_imported_by_a_hub(site, peer, folder):
    async with browser(site, peer) as opened:
        page = await opened.chosen()
        await detected(page)
        filters = await page.evaluate("injected.options.filters")
        assert {"services": [FLOCK_SERVICE]} in filters
        # Browsers do one operation at a time, and never had to say so.
        assert await page.evaluate("injected.busy") == 0
        # A reload keeps what was found, and the device that may be used is connected again by itself.
        await page.reload()
        await detected(page)
        await connected(page)
        # What is exported here is imported by a hub, and once only.
        file = folder / "detections.json"
        await exported(page, site, file)
    database = folder / "hub.sqlite"
    for new, known in ((len(DETECTIONS), 0), (0, len(DETECTIONS))):
        run = subprocess.run(
            [binary(), "detections", "import", file, "--database", database, "--json"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        summary = json.loads(run.stdout.splitlines()[-1])
        assert (summary["imported"], summary["known"]) == (new, known), summary


@with_device("flockfinder", "--script", "SCRIPT")
async def test_injected_refusals_are_said(site, peer, _):
    async with browser(site, peer) as opened:
        page = await opened.page()
        await ready(page)
        # Nothing is there yet: what to do is said as it is here, and the chooser is one click away.
        await expect(page.locator("main")).to_contain_text("choose it: a page sees only the devices that you choose")
        await page.locator("main").get_by_role("button", name="Choose a device").click()
        await expect(page.get_by_role("dialog").get_by_role("heading", name="Choose a device")).to_be_visible()
        await page.keyboard.press("Escape")
        toast = page.locator(".toast")
        for error, said in [
            (["NotFoundError", "User cancelled the requestDevice() chooser."], "No device was chosen."),
            (["NotFoundError", "Bluetooth adapter not available."], "Switch it on and try again."),
            (["SecurityError", "Must be handling a user gesture."], "opened over https"),
        ]:
            await page.evaluate("error => { injected.refuses = error }", error)
            await choose(page)
            await expect(toast.filter(has_text=said)).to_be_visible(timeout=PATIENCE)
            await page.keyboard.press("Escape")
        await page.evaluate("injected.refuses = null")
        # What browsers keep from pages is said before they are asked.
        await page.get_by_role("button", name="Choose a device").first.click()
        dialog = page.get_by_role("dialog")
        for typed, said in [("1812", "keyboards, mice"), ("nonsense", "is not a UUID")]:
            await dialog.get_by_role("textbox").fill(typed)
            await dialog.get_by_role("button", name="Any device").click()
            await expect(toast.filter(has_text=said)).to_be_visible(timeout=PATIENCE)
        await dialog.get_by_role("textbox").fill("")
        await dialog.get_by_role("button", name="FlockFinder", exact=True).click()
        await connected(page)


@with_device("flockfinder", "--script", "SCRIPT")
async def test_injected_device_goes_and_comes_back(site, peer, _):
    async with browser(site, peer) as opened:
        page = await opened.chosen()
        await connected(page)
        await detected(page)
        await stored(page, lambda all: len(all["detections"]) == len(DETECTIONS))
        await peer.end_device()
        await expect(connection(page)).not_to_contain_text("Connected", timeout=PATIENCE)
        await peer.run_device()
        await connected(page)
        # Two tabs: the second says so, and goes on with what is stored when the first is closed.
        other = await opened.page()
        await expect(other.locator("body")).to_contain_text("Lantern is open in another tab or window", timeout=PATIENCE)
        await ready(page)
        await page.close()
        await ready(other)
        await connected(other)
        await detected(other)


@with_device("flockfinder", "--script", "SCRIPT")
async def test_injected_permission_that_is_taken_back_is_said(site, peer, _):
    async with browser(site, peer) as opened:
        page = await opened.chosen()
        await connected(page)
        await page.evaluate("injected.withdraw()")
        await peer.end_device()
        await expect(connection(page)).to_contain_text("Choose it again", timeout=PATIENCE)
        await peer.run_device()
        await choose(page)
        await connected(page)


@with_device("flockfinder", "--script", "SCRIPT")
async def test_injected_browser_that_remembers_no_device(site, peer, _):
    async with browser(site, peer, remembers=False) as opened:
        page = await opened.chosen()
        await detected(page)
        await page.reload()
        await ready(page)
        # What it was is known; that it has to be chosen again is said.
        await detected(page)
        await expect(connection(page)).to_contain_text(re.compile("[Cc]hoose"), timeout=PATIENCE)
        await choose(page)
        await connected(page)


@with_device("flockfinder", "--script", "SCRIPT")
async def test_emulated_device_is_found_out_and_takes_a_command(site, peer, _):
    async with emulated(site, peer) as page:
        await choose(page)
        # Without notifications nothing is detected, and the Scanner has no picture yet.
        await expect(page.locator("main")).to_contain_text("Connected, nothing noticed yet", timeout=PATIENCE)
        assert {"connection", "discovery"} <= set(page.emulated.seen)
        await page.evaluate("location.hash = '#/devices'")
        # The Scanner has a button with that name, too.
        await page.locator('html[data-page="devices"]').wait_for(state="attached")
        await page.locator("main").get_by_role("button").filter(has_text="FlockFinder").first.click()
        await page.get_by_role("button", name="Ping", exact=True).click()
        await until(lambda: (COMMAND, b"PING") in [(uuid, value.strip()) for uuid, value in peer.written])
