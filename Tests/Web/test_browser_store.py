# SPDX-License-Identifier: Apache-2.0
"""What a browser keeps for the pages without a hub: rows in its IndexedDB, and what is said when it keeps nothing."""

from __future__ import annotations

import gzip
import json

from browser_site import PATIENCE, browser, choose, detected, ready, run_alone, script, site, with_device, without_site
from conftest import WHOLE
from playwright.async_api import async_playwright, expect
from test_browser_devices import STORED, stored

pytestmark = without_site
__all__ = ["script", "site"]


@with_device("flockfinder", "--script", "SCRIPT")
async def test_rows_are_those_of_a_hub(site, peer, _):
    async with browser(site, peer) as opened:
        page = await opened.chosen()
        await detected(page)
        kept = await stored(page, lambda all: len(all["detections"]) == 5 and "devices" in all["settings"])
        rows = [json.loads(row) for row in kept["detections"].values()]
        assert [row["mac_address"] for row in rows] == [f"AA:BB:CC:00:00:0{n}" for n in range(1, 6)]
        assert len({row["key"] for row in rows}) == 5
        assert json.loads(kept["settings"]["devices"])[0]["kind"] == "flockfinder"
        # Rows that cannot be read, one of them not even JSON, are counted and left as they are; the others are there.
        await page.evaluate(
            """() => new Promise((done) => {
                const request = indexedDB.open("lantern");
                request.onsuccess = () => {
                    const work = request.result.transaction("detections", "readwrite");
                    const rows = work.objectStore("detections");
                    rows.get(3).onsuccess = ({ target }) => {
                        rows.put({ ...target.result, id: 8 });
                        rows.put({ id: 3, row: "{nonsense" });
                        rows.put({ id: 6, row: "{\\"nonsense\\":1}" });
                    };
                    work.oncomplete = () => (request.result.close(), done());
                };
            })"""
        )
        await page.reload()
        await ready(page)
        await detected(page)
        await expect(page.locator(".storing")).to_have_text(
            "2 rows of what was kept cannot be read and are left as they are. "
            "All others are here, and new detections are stored."
        )
        assert len((await page.evaluate(STORED))["detections"]) == 7
        await page.goto(site + "#/settings/storage")
        await expect(page.locator("main")).to_contain_text("2 rows of what was kept cannot be read")


@with_device("flockfinder", "--script", "SCRIPT")
async def test_a_browser_that_is_full_says_so_and_keeps_on(site, peer, _):
    async with browser(site, peer) as opened:
        page = await opened.page()
        await ready(page)
        session = await opened.context.new_cdp_session(page)
        await session.send("Storage.overrideQuotaForOrigin", {"origin": site.rstrip("/"), "quotaSize": 1})
        await choose(page)
        await detected(page)
        await expect(page.locator(".storing")).to_contain_text("gives this page no more room", timeout=PATIENCE)
        await session.send("Storage.overrideQuotaForOrigin", {"origin": site.rstrip("/")})
        await stored(page, lambda all: len(all["detections"]) == 5)
        await ready(page)
        await expect(page.locator(".storing")).to_be_hidden()


# A database as the pages made it before there was a map: without the stores of drives and known cameras.
OLDER = """(row) => new Promise((done, failed) => {
    const request = indexedDB.open("lantern", 2);
    request.onerror = () => failed(request.error);
    request.onupgradeneeded = () => {
        for (const name of ["settings", "sources", "detections", "saves"]) {
            request.result.createObjectStore(name, { keyPath: "id" });
        }
    };
    request.onsuccess = () => {
        const work = request.result.transaction("detections", "readwrite");
        work.objectStore("detections").put({ id: 7, row });
        work.oncomplete = () => (request.result.close(), done());
    };
})"""


@with_device("flockfinder", "--script", "SCRIPT")
async def test_what_an_older_page_has_kept_is_there(site, peer, _):
    row = {
        "id": 7, "device_type": "Flock Safety", "mac_address": "3C:71:BF:12:34:56", "rssi": -58, "confidence": 0.98,
        "location": {"latitude": 52.1, "longitude": 8.7}, "timestamp": "2026-11-01T12:00:00.000Z", "key": "c" * 32,
    }  # fmt: skip
    async with browser(site, peer) as opened:
        # A file of the site that runs no engine.
        page = await opened.context.new_page()
        await page.goto(site + "licences.txt")
        await page.evaluate(OLDER, json.dumps(row))
        await page.goto(site + "#/map")
        await ready(page)
        await expect(page.locator(".map-list-head .hint")).to_have_text("1 source", timeout=PATIENCE)
        kept = await page.evaluate(STORED)
        assert {"drives", "known"} <= set(kept) and list(kept["detections"]) == ["7"]


FAULT = """
new BroadcastChannel("fault").onmessage = () => guarded(() => { throw new WebAssembly.RuntimeError("unreachable"); });
"""
# An engine that does not hear what a device has, and so is not done with connecting.
HELD = """
addEventListener("message", (event) => {
    if (event.data.radio?.some((text) => text.includes('"radio":"found"'))) event.stopImmediatePropagation();
});
"""


async def breakable(opened, first: str = "") -> None:
    """Has each engine of the pages break down when it is told to; `first` stands before the words of the first one."""
    before = [first]

    async def worker(route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, body=(before.pop() if before else "") + await answer.text() + FAULT)

    await opened.context.route("**/engine-worker.js", worker)


async def broken(opened, page) -> None:
    """Breaks the engine of a page, and waits until the next one has connected to the device by itself."""
    await page.evaluate("new BroadcastChannel('fault').postMessage(1)")
    await expect(page.locator(".source")).to_contain_text("had to begin anew", timeout=PATIENCE)
    await ready(page)
    await detected(page)
    await expect(page.locator("main")).to_contain_text("Connected", timeout=PATIENCE)
    assert [one for one in opened.troubles if "The engine has stopped: RuntimeError: unreachable" not in one] == []
    opened.troubles.clear()


@with_device("flockfinder", "--script", "SCRIPT")
async def test_what_is_stored_outlives_a_fault_of_the_engine(site, peer, _):
    async with browser(site, peer) as opened:
        await breakable(opened)
        page = await opened.chosen()
        await detected(page)
        await stored(page, lambda all: len(all["detections"]) == 5)
        await broken(opened, page)
        assert len((await page.evaluate(STORED))["detections"]) == 5


@with_device("flockfinder", "--script", "SCRIPT")
async def test_a_device_that_is_being_connected_outlives_a_fault_of_the_engine(site, peer, _):
    async with browser(site, peer) as opened:
        await breakable(opened, HELD)
        page = await opened.chosen()
        await stored(page, lambda all: '"kind":"flockfinder"' in all["settings"].get("devices", ""))
        await broken(opened, page)


def test_a_browser_that_keeps_nothing_says_so(site, tmp_path):
    async def main():
        profile = tmp_path / "profile" / "Default"
        profile.mkdir(parents=True)
        # As when a person has forbidden pages to keep anything.
        (profile / "Preferences").write_text(
            json.dumps({"profile": {"default_content_setting_values": {"cookies": 2}}})
        )
        async with async_playwright() as playwright:
            context = await playwright.chromium.launch_persistent_context(
                profile.parent, executable_path=WHOLE, args=["--no-sandbox"]
            )
            await context.add_init_script(
                "Object.defineProperty(navigator, 'bluetooth', { value: { getAvailability: async () => true } })"
            )
            page = await context.new_page()
            await page.goto(f"{site}?bluetooth#/scanner")
            assert await page.evaluate(
                """() => new Promise((done) => {
                    const request = indexedDB.open("any");
                    request.onsuccess = () => done(true), request.onerror = () => done(false);
                }).catch(() => false)"""
            ) is False
            await ready(page, "Not storing")
            await page.locator(".status").click()
            await expect(page.get_by_role("dialog")).to_contain_text("keeps nothing for this page")
            await context.close()

    run_alone(main(), 120)


def test_a_file_above_the_pages_is_told_as_in_history(site, tmp_path):
    file = tmp_path / "drive.csv.gz"
    head, row = "device_type,rssi,confidence,timestamp\n", "Ring,{},1,2024-01-01\n"
    # Two members, as of two files that were put together.
    parts = (head + row.format(-60) + row.format("x"), row.format("y") + row.format(-61))
    file.write_bytes(b"".join(gzip.compress(part.encode()) for part in parts))

    async def main():
        async with browser(site, None) as opened:
            page = await opened.page()
            await ready(page, "No radio")
            await page.get_by_role("button", name="Files").click()
            await page.locator("#import-file").set_input_files(file)
            await page.get_by_role("dialog", name="Files").get_by_role("button", name="Import").click()
            told = page.get_by_role("dialog", name="Imported")
            await expect(told).to_contain_text("2 new detections, 2 that could not be used", timeout=PATIENCE)
            await expect(told.locator(".faults li")).to_have_text(["Line 3: its rssi is not a whole number (2 rows)"])
            await expect(page.get_by_role("dialog", name="Files")).to_have_count(0)
            await stored(page, lambda all: len(all["detections"]) == 2)

    run_alone(main(), 150)
