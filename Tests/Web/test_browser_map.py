# SPDX-License-Identifier: Apache-2.0
"""The Map over a browser's Bluetooth: the place is Chromium's own, what is driven and detected is in its IndexedDB, and pictures
come from the one server that was chosen. The Bluetooth is the test's, as in `test_browser_bluetooth.py`."""

from __future__ import annotations

import functools
import http.server
import json
import re
import threading

import pytest
from browser_site import (
    DETECTIONS, PATIENCE, SITE, browser, choose, clean, detected, exported, ready, script, site, until, with_device, without_site,
)  # fmt: skip
from playwright.async_api import expect
from test_browser_devices import stored
from test_browser_watch import use_browser
from test_site_map import INK, PICTURE

pytestmark = without_site
__all__ = ["script", "site"]
START = {"latitude": 52.107, "longitude": 8.749}
METRE = 1 / 111_195


async def told(page, site) -> None:
    """Has the page take the place of the browser."""
    await use_browser(page, site)
    # Whoever chooses this has it begin.
    await expect(page.get_by_role("switch", name="This browser tells its place")).to_be_checked(timeout=PATIENCE)
    await expect(page.locator("main")).to_contain_text("Tells its place", timeout=PATIENCE)


async def go(opened, page, steps: int, metres: float = 20) -> None:
    """Moves the browser to the north; each step is waited for, which its accuracy tells apart."""
    for step in range(steps):
        opened.north = getattr(opened, "north", START["latitude"]) + metres * METRE
        accuracy = 5 + step % 10
        # A page sends no place within a second after the last one: what it holds back comes five seconds later.
        await page.wait_for_timeout(1050)
        await opened.context.set_geolocation({**START, "latitude": opened.north, "accuracy": accuracy})
        await expect(page.locator(".placed")).to_have_text(re.compile(f"±{accuracy} m"), timeout=PATIENCE)


async def drawn(page, color: str = "map-route", least: int = 50) -> None:
    """Waits until the canvas of the map has so many pixels of a colour."""
    for _ in range(PATIENCE // 100):
        if await page.locator(".map-canvas").count() and await page.evaluate(INK, color) >= least:
            return
        await page.wait_for_timeout(100)
    raise AssertionError(f"nothing is drawn in {color}")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_injected_drive_and_detections_stay_on_the_map(site, script, tmp_path, size):
    @with_device("flockfinder", "--script", "SCRIPT", seconds=300)
    async def main(site, peer, folder):
        place = {**START, "accuracy": 4}
        options = {"permissions": ["geolocation"], "geolocation": place, "size": size, "bypass_csp": True}
        async with browser(site, peer, **options) as opened:
            page = await opened.page()
            await ready(page)
            await told(page, site)
            await expect(page.locator(".placed")).to_have_text(re.compile("±4 m"), timeout=PATIENCE)
            await page.goto(site + "#/scanner")
            await choose(page)
            await detected(page)
            await page.goto(site + "#/settings/location")
            # The page says the place that it was told last.
            await go(opened, page, 14)
            kept = await stored(page, lambda all: all["drives"] and len(all["detections"]) == len(DETECTIONS))
            assert all(isinstance(number, str) and number.isdigit() for number in kept["drives"])
            await page.goto(site + "#/map")
            await expect(page.locator(".map-me")).to_be_attached(timeout=PATIENCE)
            await drawn(page)
            await clean(page)

            # Loaded again it knows where that was, and that it was driven.
            await page.reload()
            await ready(page)
            await page.goto(f"{site}#/map/at/{START['latitude']},{START['longitude']},17")
            # They were all heard at one place.
            feature = page.locator(".map-feature:not(.map-me)")
            await expect(feature.first).to_be_visible(timeout=PATIENCE)
            await drawn(page)
            await exported(page, site, folder / "detections.json")
            rows = json.loads((folder / "detections.json").read_text())["detections"]
            assert {row["location"]["longitude"] for row in rows} == {START["longitude"]} and len(rows) == len(DETECTIONS)
            async with page.expect_download() as download:
                await page.get_by_role("link", name="GPX").first.click()
            await (await download.value).save_as(folder / "detections.gpx")
            way = [float(one) for one in re.findall(r'<trkpt lat="([\d.]+)"', (folder / "detections.gpx").read_text())]
            assert len(way) > 2 and (max(way) - min(way)) / METRE > 200, way

    main(site, script, tmp_path)


# How much of a file the page gives its engine at once, as its browser counts.
PIECE = 1 << 18
CAMERAS = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature", "id": f"node/{number}", "properties": {"man_made": "surveillance", "name": f"Käfer {number} 📷"},
            "geometry": {"type": "Point", "coordinates": [START["longitude"] + number * 1e-6, START["latitude"]]},
        }
        for number in range(4000)
    ],
}  # fmt: skip


@with_device("flockfinder", "--script", "SCRIPT")
async def test_injected_known_cameras_are_kept(site, peer, folder):
    # Larger than a piece, which would end within a character of two halves.
    file, text = folder / "Straße.geojson", json.dumps(CAMERAS, ensure_ascii=False)
    while not "\udc00" <= text.encode("utf-16-le")[2 * PIECE : 2 * PIECE + 2].decode("utf-16-le", "surrogatepass") <= "\udfff":
        text = " " + text
    file.write_text(text)
    async with browser(site, peer) as opened:
        page = await opened.page("settings/map")
        await ready(page)
        await page.locator("input[data-known]").set_input_files(file)
        await expect(page.locator(".toast")).to_have_text("Straße: 4,000 cameras.", timeout=PATIENCE)
        await stored(page, lambda all: list(all["known"]) == ["Straße"])
        await page.reload()
        await ready(page)
        await expect(page.get_by_text("4,000 cameras, Straße.geojson, added today")).to_be_visible(timeout=PATIENCE)
        await page.goto(f"{site}#/map/at/{START['latitude']},{START['longitude']},19")
        row = page.get_by_role("grid", name="In view").get_by_role("row").filter(has_text="Käfer")
        await expect(row.first).to_contain_text("📷", timeout=PATIENCE)
        await page.goto(site + "#/settings/map")
        await page.get_by_role("button", name="Remove Straße").click()
        await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        await stored(page, lambda all: not all["known"])


class Pictures(http.server.SimpleHTTPRequestHandler):
    """A map server whose every picture is the same."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.path = "/icon.svg"
        super().do_GET()

    def log_message(self, *_) -> None:
        pass


@pytest.fixture
def pictures():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pictures, directory=SITE))
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_injected_pictures_come_from_the_chosen_server_alone(site, script, tmp_path, pictures):
    host = f"http://localhost:{pictures.server_port}"
    at = f"#/map/at/{START['latitude']},{START['longitude']},15"

    @with_device("flockfinder")
    async def main(site, peer, _):
        async with browser(site, peer) as opened:
            page = await opened.page("settings/map")
            await ready(page)
            assert await page.evaluate(PICTURE, f"{host}/before") == "img-src" and not pictures.asked
            await page.get_by_label("Map background").select_option("server")
            dialog = page.get_by_role("dialog", name="A map server")
            await expect(dialog).to_contain_text("This page is loaded again then.")
            await dialog.get_by_label("Address of the server").fill(host + "/{z}/{x}/{y}.png")
            await dialog.get_by_label("Credit").fill("© Everybody")
            async with page.expect_navigation():
                await dialog.get_by_role("button", name="Use this server").click()
            await ready(page)
            # It was kept before the page was loaded again.
            await expect(page.get_by_label("Map background")).to_have_value("server")
            await page.goto(site + at)
            await expect(page.locator(".map-note")).to_have_text("© Everybody", timeout=PATIENCE)
            await until(lambda: len(pictures.asked) > 3)
            assert all(re.fullmatch(r"/15/\d+/\d+\.png", one) for one in pictures.asked)
            other = f"http://127.0.0.1:{pictures.server_port}"
            assert await page.evaluate(PICTURE, f"{other}/15/1/1.png") == "img-src"
            # Without it nothing is fetched, and the next page may show nothing of it.
            await page.goto(site + "#/settings/map")
            await page.get_by_label("Map background").select_option("none")
            await stored(page, lambda all: json.loads(all["settings"]["map"])["tiles"] == "none")
            count = len(pictures.asked)
            await page.reload()
            await ready(page)
            await page.goto(site + at)
            await expect(page.locator(".map-note")).to_contain_text("No map server is set", timeout=PATIENCE)
            assert await page.evaluate(PICTURE, f"{host}/after") == "img-src"
            assert len(pictures.asked) == count
            # That they were asked for, and refused, is what this is about.
            expected = (f":{pictures.server_port}/", "Content Security Policy")
            assert [one for one in opened.troubles if not any(part in one for part in expected)] == []
            opened.troubles.clear()

    main(site, script, tmp_path)
