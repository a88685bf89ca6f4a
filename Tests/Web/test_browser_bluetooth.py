# SPDX-License-Identifier: Apache-2.0
"""The pages without a hub over Web Bluetooth: `lantern device run` behind Bumble, in Chromium.

`.build-web/site` must be there (`Scripts/build-web`). Tests with `injected` in their names have a `navigator.bluetooth` of the
test, because the DevTools protocol cannot send notifications; that with `emulated` has Chromium's own.
"""

from __future__ import annotations

import asyncio
import functools
import http.server
import json
import os
import subprocess
import threading
from contextlib import asynccontextmanager

import pytest
from browser_peer import COMMAND, FLOCK_SERVICE, Emulated, Injected, Peer
from playwright.async_api import async_playwright, expect
from real_hub import ROOT, binary

SITE = ROOT / ".build-web/site"
pytestmark = pytest.mark.skipif(not (SITE / "engine.wasm").exists(), reason="Scripts/build-web has not been run")
DETECTIONS = [{"type": "Ring", "rssi": -61, "confidence": 0.9, "mac": f"AA:BB:CC:00:00:0{n}"} for n in range(1, 6)]


@pytest.fixture(scope="module")
def site():
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=SITE)
    handler.log_message = lambda *_: None
    # localhost counts as a secure context.
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "script.jsonl"
    file.write_text("".join(json.dumps({"after_ms": 50, **one}) + "\n" for one in DETECTIONS))
    return ("flockfinder", "--script", str(file))


@asynccontextmanager
async def opened(site, peer: Peer, emulated: bool = False):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=os.environ.get("LANTERN_CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--enable-experimental-web-platform-features"],
        )
        context = await browser.new_context(service_workers="block")
        elsewhere: list[str] = []
        context.on("request", lambda one: one.url.startswith((site, "blob:")) or elsewhere.append(one.url))
        await context.add_init_script("localStorage.setItem('lantern-source', 'bluetooth')")
        if not emulated:
            await Injected(peer).into(context)
        page = await context.new_page()
        page.emulated = Emulated(peer)
        if emulated:
            await page.emulated.into(browser, page)
        await page.goto(site)
        await expect(page.locator(".source")).to_contain_text("only devices that you choose", timeout=20000)
        yield page
        assert elsewhere == []
        await browser.close()


async def choose(page, kind: str = "FlockFinder") -> None:
    await page.get_by_role("button", name="Choose a device").first.click()
    await page.get_by_role("dialog").get_by_role("button", name=kind, exact=True).click()


def with_peer(work):
    """Runs a test on a loop of its own, with a device of ours behind Bumble."""

    @functools.wraps(work)
    def run(site, script, tmp_path):
        async def main():
            peer = Peer()
            await peer.open(*script)
            try:
                await work(site, peer, tmp_path)
            finally:
                await peer.close()

        asyncio.run(asyncio.wait_for(main(), 60))

    # pytest asks for what this takes, not for what the test takes.
    del run.__wrapped__
    return run


@with_peer
async def test_injected_detections_arrive_stay_and_are_imported_by_a_hub(site, peer, tmp_path):
    async with opened(site, peer) as page:
        await choose(page)
        row = page.locator(".latest-row")
        await expect(row).to_have_count(len(DETECTIONS), timeout=20000)
        filters = await page.evaluate("injected.options.filters")
        assert {"services": [FLOCK_SERVICE]} in filters
        # Browsers do one operation at a time, and never had to say so.
        assert await page.evaluate("injected.busy") == 0
        await page.wait_for_timeout(500)
        # A reload keeps what was found, and the device that may be used is connected again by itself.
        await page.reload()
        await expect(row).to_have_count(len(DETECTIONS), timeout=20000)
        await expect(page.locator(".connection")).to_contain_text("Connected", timeout=20000)
        # What is exported here is imported by a hub, and once only.
        await page.goto(site + "#/history")
        file = tmp_path / "detections.json"
        await page.get_by_role("button", name="Export").first.click()
        async with page.expect_download() as download:
            await page.get_by_role("link", name="JSON", exact=False).first.click()
        await (await download.value).save_as(file)
    database = tmp_path / "hub.sqlite"
    for new, known in ((len(DETECTIONS), 0), (0, len(DETECTIONS))):
        run = subprocess.run(
            [binary(), "detections", "import", file, "--database", database, "--json"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        summary = json.loads(run.stdout.splitlines()[-1])
        assert (summary["imported"], summary["known"]) == (new, known), summary


@with_peer
async def test_injected_losses_and_refusals_are_said(site, peer, _):
    async with opened(site, peer) as page:
        await page.evaluate("injected.refuses = true")
        await choose(page)
        await expect(page.locator(".toast")).to_contain_text("No device was chosen")
        await page.keyboard.press("Escape")
        await page.evaluate("injected.refuses = null")
        await choose(page)
        connection = page.locator(".connection")
        await expect(connection).to_contain_text("Connected", timeout=20000)
        # Out of reach, and there again.
        await peer.end_device()
        await expect(connection).not_to_contain_text("Connected", timeout=20000)
        await peer.run_device()
        await expect(connection).to_contain_text("Connected", timeout=40000)
        # Another tab of the same browser says that it is the second, and goes on when the first is closed.
        other = await page.context.new_page()
        await other.goto(site)
        await expect(other.locator("main")).to_contain_text("another tab", timeout=20000)
        await page.close()
        await expect(other.locator(".status")).to_contain_text("Live", timeout=30000)


@with_peer
async def test_emulated_device_is_found_out_and_takes_a_command(site, peer, _):
    async with opened(site, peer, emulated=True) as page:
        await choose(page)
        await expect(page.locator(".connection")).to_contain_text("Connected", timeout=30000)
        assert {"connection", "discovery"} <= set(page.emulated.seen)
        await page.get_by_role("button", name="Ping", exact=True).click()
        for _ in range(100):
            if any(uuid == COMMAND for uuid, _ in peer.written):
                break
            await page.wait_for_timeout(100)
        assert (COMMAND, b"PING") in [(uuid, value.strip()) for uuid, value in peer.written]
