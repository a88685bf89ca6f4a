# SPDX-License-Identifier: Apache-2.0
"""Pictures of every page of `lantern demo`, on a phone and a desktop, light and dark; and without hub and radio.

python screenshots.py FOLDER [--minutes 11]

The demo drives for some minutes first, so that the Scanner's picture is full. The letters are those of this
machine. The best few are kept in Documentation/Images: scanner-desktop-light as hub-scanner, scanner-phone-dark
as hub-scanner-phone, history-source-desktop-dark as hub-history, map-desktop-light as hub-map.
"""

import argparse
import os
import tempfile
from pathlib import Path

from conftest import SIZES
from playwright.sync_api import Page, sync_playwright
from real_hub import RealHub

PAGES = {
    "scanner": "scanner",
    "map": "map",
    "history": "history",
    "history-source": "history/source/{source}",
    "settings": "settings",
    "settings-alerts": "settings/alerts",
    "settings-access": "settings/access",
    "settings-pairing": "settings/pairing",
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

    def __init__(self, browser, folder: Path) -> None:
        self.folder = folder
        self.windows: dict[str, Page] = {}
        for form, size in SIZES.items():
            for theme in THEMES:
                context = browser.new_context(
                    viewport=size,
                    color_scheme=theme,
                    reduced_motion="reduce",
                    device_scale_factor=2 if form == "phone" else 1,
                    has_touch=form == "phone",
                    is_mobile=form == "phone",
                )
                self.windows[f"{form}-{theme}"] = context.new_page()

    def open(self, address: str) -> None:
        for page in self.windows.values():
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


def photograph(folder: Path, minutes: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("LANTERN_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        photographer = Photographer(browser, folder)
        demo = RealHub(Path(home), command="demo")
        broken = RealHub(Path(home), "--radio", "tcp:127.0.0.1:1")
        try:
            demo.start()
            photographer.open(f"{demo.address}/#/scanner")
            photographer.windows["desktop-light"].wait_for_timeout(minutes * 60_000)
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


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--minutes", type=float, default=11)
    chosen = options.parse_args()
    photograph(chosen.folder, chosen.minutes)
