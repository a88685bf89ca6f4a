# SPDX-License-Identifier: Apache-2.0
"""The pages of devices over Web Bluetooth: devices of ours behind Bumble, reached by an injected `navigator.bluetooth`.

What is kept of them is looked for in the browser's IndexedDB, and after the page was loaded again.
"""

from __future__ import annotations

import re

import pytest
from browser_site import PATIENCE, browser, choose, clean, ready, script, site, until, with_device, without_site
from playwright.async_api import expect

pytestmark = without_site
__all__ = ["script", "site"]
ROUTES = [
    "scanner", "map", "history", "devices", "wifi", "nightlights", "bulbs", "explorer", "overflow", "debug", "settings",
]  # fmt: skip
# Everything that the browser keeps for the page.
STORED = """() => new Promise((done, failed) => {
    const request = indexedDB.open("lantern");
    request.onerror = () => failed(request.error);
    request.onsuccess = () => {
        const names = [...request.result.objectStoreNames], all = {};
        const work = request.result.transaction(names);
        for (const name of names) {
            const rows = work.objectStore(name).getAll();
            rows.onsuccess = () => all[name] = Object.fromEntries(rows.result.map(({ id, row }) => [id, row]));
        }
        work.oncomplete = () => (request.result.close(), done(all));
    };
})"""


async def stored(page, holds) -> dict:
    """What is kept, as soon as it is as a test wants it."""
    for _ in range(PATIENCE // 100):
        found = await page.evaluate(STORED)
        if holds(found):
            return found
        await page.wait_for_timeout(100)
    raise AssertionError(f"not kept: {found}")


def shown(page, name: str):
    return page.get_by_role("button", name=name, exact=True).filter(visible=True)


@pytest.mark.parametrize("kind", ["wifiset", "improv"])
def test_injected_wifi_device_is_set_up(site, script, tmp_path, kind):
    @with_device(kind)
    async def main(site, peer, _):
        async with browser(site, peer, "Kitchen clock") as opened:
            page = await opened.page("wifi")
            await ready(page)
            await choose(page, "Wi-Fi device")
            await page.get_by_role("link", name="Set up Kitchen clock").click(timeout=PATIENCE)
            row = page.get_by_role("button").filter(has=page.locator("bdi").get_by_text("Lantern Home", exact=True))
            for password, heading in [("quartz-heron-59", "Couldn’t join"), ("lantern-home", "is on Wi-Fi")]:
                if heading == "is on Wi-Fi":
                    field = page.locator("#wifi-password")
                else:
                    await row.first.click(timeout=PATIENCE)
                    field = page.locator("#wifi-password")
                await field.fill(password, timeout=PATIENCE)
                await field.press("Enter")
                await expect(page.locator("h2").filter(has_text=heading).first).to_be_visible(timeout=PATIENCE)
            kept = str(await page.evaluate(STORED)) + await page.content()
            assert "lantern-home" not in kept and "quartz-heron-59" not in kept
            assert await page.evaluate("injected.busy") == 0

    main(site, script, tmp_path)


@with_device("nightlight")
async def test_injected_lamp_is_changed_and_remembered(site, peer, _):
    async with browser(site, peer, "Nightlight") as opened:
        page = await opened.page("nightlights")
        await ready(page)
        await choose(page, "Nightlight")
        # It is new, and asks for a name; its week is empty.
        await page.get_by_role("textbox", name="Child’s name").fill("Mila", timeout=PATIENCE)
        await page.get_by_role("button", name="Give it this name").click()
        await expect(page.get_by_role("navigation", name="Lamps")).to_contain_text("Mila", timeout=PATIENCE)
        await shown(page, "Switch the LEDs off").click()
        await expect(page.get_by_role("heading", name="Dark, the LEDs have no power")).to_be_visible(timeout=PATIENCE)
        # Leaving it has it remembered; after a reload it is there, though it is out of reach.
        await page.evaluate("location.hash = '#/scanner'")
        await stored(page, lambda all: any(name.startswith("lamp.") for name in all["settings"]))
        await peer.end_device()
        await page.reload()
        await ready(page)
        await page.evaluate("location.hash = '#/nightlights'")
        await expect(page.get_by_role("navigation", name="Lamps")).to_contain_text("Mila", timeout=PATIENCE)


@with_device("bulb")
async def test_injected_bulb_takes_a_colour(site, peer, _):
    async with browser(site, peer, "Triones-0B02") as opened:
        page = await opened.page("bulbs")
        await ready(page)
        await choose(page, "Bulb")
        await expect(page.get_by_role("slider", name="Colour of the bulb")).to_be_visible(timeout=PATIENCE)
        favourites = page.get_by_role("group", name="Favourites")
        await favourites.get_by_role("button", name="Pink #FF5C9E").click()
        await until(lambda: bytes.fromhex("56ff5c9e00f0aa") in [value for _, value in peer.written])
        await expect(page.get_by_text("Just what you asked for")).to_be_visible(timeout=PATIENCE)
        # It goes while it shines, and is taken in hand again when it is back.
        await peer.end_device()
        await expect(page.locator("main")).to_contain_text(re.compile("lost|ended|not connected", re.I), timeout=PATIENCE)


@with_device("nightlight")
async def test_injected_device_is_explored_and_saved(site, peer, _):
    async with browser(site, peer, "Nightlight") as opened:
        page = await opened.page("explorer")
        await ready(page)
        await choose(page, "Nightlight")
        await page.locator(".explorer-list .long-row").filter(has_text="Nightlight").click(timeout=PATIENCE)
        await shown(page, "Connect").click()
        name = page.get_by_role("treeitem", name="Nightlight Child Name")
        await expect(name).to_be_visible(timeout=PATIENCE)
        await name.click()
        await page.get_by_role("textbox", name="Value to write").fill("4d696c61")
        await shown(page, "Write").click()
        await page.get_by_role("dialog").get_by_role("button", name="Write").click()
        await expect(name).to_contain_text("Mila", timeout=PATIENCE)
        await shown(page, "Save").click()
        await page.get_by_role("textbox", name="Name of the save").fill("Mila's lamp")
        await page.keyboard.press("Enter")
        await stored(page, lambda all: "Mila" in all["saves"].get("1", ""))
        await page.reload()
        await ready(page)
        await page.evaluate("location.hash = '#/explorer/saves'")
        await expect(page.locator("main")).to_contain_text("Mila's lamp", timeout=PATIENCE)
        await page.get_by_role("button", name="More about Mila's lamp").click()
        await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        await stored(page, lambda all: not all["saves"])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_injected_every_page_is_clean(site, script, tmp_path, size, theme):
    @with_device("flockfinder", "--script", "SCRIPT", seconds=300)
    async def main(site, peer, _):
        # What axe brings is no part of the site.
        async with browser(site, peer, size=size, theme=theme, bypass_csp=True) as opened:
            page = await opened.page()
            await ready(page)
            await clean(page)
            await choose(page)
            await expect(page.locator(".latest-row").first).to_be_visible(timeout=PATIENCE)
            for route in ROUTES:
                await page.evaluate("route => { location.hash = `#/${route}` }", route)
                await page.locator(f'html[data-page="{route}"]').wait_for(state="attached")
                await expect(page.locator("main > *").filter(visible=True).first).to_be_visible(timeout=PATIENCE)
                await clean(page, shows_json=route == "debug")

    main(site, script, tmp_path)
