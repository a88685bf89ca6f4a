# SPDX-License-Identifier: Apache-2.0
"""Pictures of every page of `lantern demo`, on a phone, a tablet and a desktop, light and dark; and without hub and radio.

python screenshots.py FOLDER [--minutes 11]
python screenshots.py FOLDER --invented [--scenario still] [--pages settings history] [--forms small phone]

The demo drives for some minutes first, so that the Scanner's picture is full. `--invented` takes the hub of invented
data and the pages of this folder instead: nothing has to be built, and it takes two minutes. The letters are those of
this machine. The best few are kept in Documentation/Images: scanner-desktop-light as hub-scanner, scanner-phone-dark
as hub-scanner-phone, history-source-desktop-dark as hub-history, map-desktop-light as hub-map.
"""

import argparse
import os
import tempfile
from pathlib import Path

from hub_model import InventedHub
from playwright.sync_api import Page, sync_playwright
from real_hub import RealHub
from server import serve

FORMS = {
    "small": {"width": 320, "height": 640},
    "phone": {"width": 390, "height": 844},
    "tablet": {"width": 800, "height": 1000},
    "desktop": {"width": 1280, "height": 860},
}
USUAL = ("phone", "tablet", "desktop")
PAGES = {
    "scanner": "scanner",
    "map": "map",
    "history": "history",
    "history-source": "history/source/{source}",
    "drives": "drives",
    "settings": "settings",
    **{f"settings-{name}": f"settings/{name}" for name in ("alerts", "location", "map", "access", "pairing", "storage", "radio")},
    "debug": "debug",
    "devices": "devices",
    "wifi": "wifi",
    "nightlights": "nightlights/{lamp}",
    "nightlights-week": "nightlights/{lamp}/week",
    "nightlights-button": "nightlights/{lamp}/button",
    "nightlights-library": "nightlights/{lamp}/library",
    "nightlights-colour": "nightlights/{lamp}/colour",
    "bulbs": "bulbs",
    "explorer": "explorer",
    "explorer-device": "explorer/device/{device}",
    "explorer-saves": "explorer/saves",
    "overflow": "overflow",
}
THEMES = ("light", "dark")


class Photographer:
    """A window for each form and theme; all of them stay open from the first picture to the last."""

    def __init__(self, browser, folder: Path, forms: list[str]) -> None:
        self.folder = folder
        self.windows: dict[str, Page] = {}
        for form in forms:
            is_phone = form in ("small", "phone")
            for theme in THEMES:
                context = browser.new_context(
                    viewport=FORMS[form],
                    color_scheme=theme,
                    reduced_motion="reduce",
                    device_scale_factor=2 if is_phone else 1,
                    has_touch=is_phone,
                    is_mobile=is_phone,
                )
                self.windows[f"{form}-{theme}"] = context.new_page()

    def open(self, address: str) -> None:
        for page in self.windows.values():
            page.goto("about:blank")
            page.goto(address)
            page.locator("main > :visible").first.wait_for()

    def take(self, name: str, pause: int = 800) -> None:
        for look, page in self.windows.items():
            page.wait_for_timeout(pause)
            page.screenshot(path=self.folder / f"{name}-{look}.png")


def strongest(hub: RealHub) -> int:
    """A plate reader that was passed often, else whatever was passed most often."""
    sources = hub.get("/sources")["items"]
    return max(sources, key=lambda one: (one["type"] == "flock_safety", one["count"]))["id"]


def near(hub: RealHub, kind: str) -> dict:
    return next(one for one in hub.get("/devices")["items"] if one["kind"] == kind)


def begin(playwright):
    path = os.environ.get("LANTERN_CHROMIUM", "/usr/bin/chromium")
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


def photograph(folder: Path, minutes: float, forms: list[str]) -> None:
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = begin(playwright)
        photographer = Photographer(browser, folder, forms)
        demo = RealHub(Path(home), command="demo")
        broken = RealHub(Path(home), "--radio", "tcp:127.0.0.1:1")
        try:
            demo.start()
            photographer.open(f"{demo.address}/#/scanner")
            next(iter(photographer.windows.values())).wait_for_timeout(minutes * 60_000)
            lamp = near(demo, "nightlight")
            chosen = {"source": strongest(demo), "lamp": lamp["address"].replace(":", ""), "device": lamp["id"]}
            for name, place in PAGES.items():
                photographer.open(f"{demo.address}/#/{place.format(**chosen)}")
                photographer.take(name)
            photographer.open(f"{demo.address}/#/scanner")
            demo.stop()
            photographer.take("hub-gone", 2500)
            broken.start()
            photographer.open(f"{broken.address}/#/scanner")
            photographer.take("error-radio", 1500)
        finally:
            for hub in (demo, broken):
                if hub.process:
                    hub.stop()
        browser.close()


def photograph_invented(folder: Path, scenario: str, pages: list[str], forms: list[str]) -> None:
    server = serve(scenario)
    chosen = {"source": 1, "lamp": "D83ADD407E11", "device": 5}
    with sync_playwright() as playwright:
        browser = begin(playwright)
        photographer = Photographer(browser, folder, forms)
        for name in pages:
            # What was heard before is heard now.
            server.model = InventedHub(scenario)
            photographer.open(f"http://127.0.0.1:{server.server_port}/#/{PAGES[name].format(**chosen)}")
            photographer.take(name, 400)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--minutes", type=float, default=11)
    options.add_argument("--forms", nargs="+", choices=FORMS, default=USUAL)
    options.add_argument("--invented", action="store_true")
    options.add_argument("--scenario", default="still")
    options.add_argument("--pages", nargs="+", choices=PAGES, default=PAGES)
    asked = options.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    if asked.invented:
        photograph_invented(asked.folder, asked.scenario, asked.pages, asked.forms)
    else:
        photograph(asked.folder, asked.minutes, asked.forms)
