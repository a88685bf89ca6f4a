# SPDX-License-Identifier: Apache-2.0
"""What tests of the pages over Web Bluetooth share: the built site, a device of ours behind Bumble, and a page on both."""

from __future__ import annotations

import asyncio
import functools
import http.server
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from browser_peer import Emulated, Injected, Peer
from conftest import AXE, LOOK, SHELL, WRONG
from playwright.async_api import Page, async_playwright, expect
from real_hub import ROOT

SITE = ROOT / ".build-web/site"
without_site = pytest.mark.skipif(not (SITE / "engine.wasm").exists(), reason="Scripts/build-web has not made the site")
SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
DETECTIONS = [{"type": "Ring", "rssi": -61, "confidence": 0.9, "mac": f"AA:BB:CC:00:00:0{n}"} for n in range(1, 6)]
# How long a state is waited for, in milliseconds: a test takes no longer for it on a quiet machine.
PATIENCE = int(os.environ.get("LANTERN_PATIENCE", "60")) * 1000


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_) -> None:
        pass


@pytest.fixture(scope="module")
def site():
    # localhost counts as a secure context.
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "script.jsonl"
    file.write_text("".join(json.dumps({"after_ms": 50, **one}) + "\n" for one in DETECTIONS))
    return str(file)


class Opened:
    """A browser with the site, whose Bluetooth is a peer: its pages must ask for nothing elsewhere and complain of nothing."""

    def __init__(self, site: str, context) -> None:
        self.site, self.context = site, context
        self.troubles: list[str] = []
        context.on("request", self.request)
        context.on("weberror", lambda one: self.troubles.append(str(one.error)))
        context.on("console", self.console)

    def request(self, one) -> None:
        if not one.url.startswith((self.site, "blob:")):
            self.troubles.append(f"request to {one.url}")

    def console(self, one) -> None:
        if one.type == "error" and "Failed to load resource" not in one.text:
            self.troubles.append(one.text)

    async def page(self, route: str = "scanner") -> Page:
        page = await self.context.new_page()
        await page.goto(f"{self.site}#/{route}")
        return page

    async def chosen(self) -> Page:
        """A page on which the FlockFinder was chosen."""
        page = await self.page()
        await ready(page)
        await choose(page)
        return page


@asynccontextmanager
async def browser(site: str, peer: Peer | None, name: str = "FlockFinder", **options: Any):
    """A browser on a peer; without one it has Chromium's own Bluetooth, which finds nothing."""
    program = options.pop("program", SHELL)
    size, theme, remembers = options.pop("size", "desktop"), options.pop("theme", "light"), options.pop("remembers", True)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--enable-experimental-web-platform-features"],
        )
        context = await chromium.new_context(
            service_workers="block", viewport=SIZES[size], color_scheme=theme, reduced_motion="reduce", **options
        )
        # An empty page may keep nothing.
        await context.add_init_script("origin !== 'null' && localStorage.setItem('lantern-source', 'bluetooth')")
        opened = Opened(site, context)
        opened.injected = Injected(peer, name, remembers) if peer else None
        if opened.injected:
            await opened.injected.into(context)
        yield opened
        await chromium.close()
        assert not opened.troubles, opened.troubles


@asynccontextmanager
async def emulated(site: str, peer: Peer, name: str = "FlockFinder"):
    """A page on Chromium's own Web Bluetooth, whose radio the DevTools protocol plays."""
    async with browser(site, None) as opened:
        page = await opened.context.new_page()
        page.emulated = Emulated(peer)
        await page.emulated.into(opened.context.browser, page, name)
        await page.goto(site)
        await ready(page)
        yield page


async def ready(page: Page, status: str = "Live") -> None:
    """Waits until the page has its engine."""
    await expect(page.locator(".source")).to_contain_text("only devices that you choose", timeout=PATIENCE)
    await expect(page.locator(".status")).to_contain_text(status, timeout=PATIENCE)


async def choose(page: Page, kind: str = "FlockFinder") -> None:
    await page.get_by_role("button", name="Choose a device").first.click()
    await page.get_by_role("dialog").get_by_role("button", name=kind, exact=True).click()


async def detected(page: Page) -> None:
    """Waits until the page shows all that the script's FlockFinder has detected."""
    await expect(page.locator(".latest-row")).to_have_count(len(DETECTIONS), timeout=PATIENCE)


async def exported(page: Page, site: str, file: Path) -> None:
    """Exports what History shows as JSON."""
    await page.goto(site + "#/history")
    await page.get_by_role("button", name="Export").first.click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="JSON", exact=False).first.click()
    await (await download.value).save_as(file)


async def clean(page: Page, shows_json: bool = False) -> None:
    """What axe finds, and words that no person has written."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    assert [(one["id"], one["html"][:120]) for one in await page.evaluate(LOOK, WRONG)] == []
    text = await page.locator("main").inner_text()
    assert shows_json or ("null" not in text and "undefined" not in text and "NaN" not in text), text


async def until(holds, seconds: float = PATIENCE / 1000) -> None:
    """Waits for a function of the test."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.05)


def run_alone(work, seconds: float) -> None:
    """Runs a coroutine on a loop of its own, in a thread of its own: other tests of this process have one that runs."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, asyncio.wait_for(work, seconds)).result()


def with_device(*arguments: str, seconds: float = 150):
    """Runs a test on a loop of its own, with a device of ours behind Bumble; SCRIPT in its arguments is the script's file."""

    def decorate(work):
        @functools.wraps(work)
        def run(site, script, tmp_path, **rest):
            async def main():
                peer = Peer()
                await peer.open(*(script if one == "SCRIPT" else one for one in arguments))
                try:
                    await work(site, peer, tmp_path, **rest)
                finally:
                    await peer.close()

            run_alone(main(), seconds)

        # pytest asks for what this takes, not for what the test takes.
        del run.__wrapped__
        return run

    return decorate
