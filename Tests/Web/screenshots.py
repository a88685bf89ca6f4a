# SPDX-License-Identifier: Apache-2.0
"""Pictures of every page of `lantern demo`, on a phone, a tablet and a desktop, light and dark; and without hub and radio.

python screenshots.py FOLDER [--minutes 11]
python screenshots.py FOLDER --engine [--hostile] [--pages settings history] [--forms small phone] [--whole] [--gone]
python screenshots.py FOLDER --engine --states [wifi-failed debug-lines] [--forms phone]

The demo drives for some minutes first, so that the Scanner's picture is full. `--engine` takes a native engine with
devices of a test and the pages of this folder instead: it takes two minutes. The letters are those of
this machine. The best few are kept in Documentation/Images: scanner-desktop-light as hub-scanner, scanner-phone-dark
as hub-scanner-phone, history-source-desktop-dark as hub-history, map-desktop-light as hub-map.
"""

import argparse
import os
import tempfile
from pathlib import Path

from conftest import show_detections
from engine_host import EngineHub, HostedEngine, serve
from flock_world import tell
from hub_script import with_tokens
from playwright.sync_api import Error, Page, sync_playwright
from real_hub import RealHub
from whole_world import begin as begin_world
from wifi_steps import choose, failed, joined, send, set_up

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


def press(page: Page, name: str, role: str = "button") -> None:
    page.get_by_role(role, name=name).filter(visible=True).first.click(timeout=5000)


def ticked(page: Page, _) -> None:
    for box in page.locator(".long-row [role=checkbox], .long-row input[type=checkbox]").all()[:3]:
        box.click(timeout=5000)


def lines(page: Page, hub) -> None:
    for number in range(60):
        tell(hub, number)
        page.wait_for_timeout(20)


def networks(page: Page, hub) -> None:
    set_up(page, "ESP32-WiFiSet")


def password(page: Page, hub) -> None:
    networks(page, hub)
    choose(page, "Maple 12 upstairs")


def joining(page: Page, hub) -> None:
    password(page, hub)
    send(page, "quartz-heron-59")
    page.get_by_text("of at most 30 seconds").wait_for()


def not_joined(page: Page, hub) -> None:
    joining(page, hub)
    hub.wifi.fail()
    failed(page, "Maple 12 upstairs")


def done(page: Page, hub) -> None:
    joining(page, hub)
    hub.wifi.join()
    joined(page, "ESP32-WiFiSet")


def connected(page: Page, hub) -> None:
    device = next(one["id"] for one in hub.get("/devices")["items"] if one["name"] == hub.strap.name)
    page.evaluate("number => { location.hash = `#/explorer/device/${number}` }", device)
    press(page, "Connect")
    page.get_by_role("treeitem", name="Heart Rate Measurement").wait_for()


def value(page: Page, hub) -> None:
    connected(page, hub)
    page.get_by_role("treeitem", name="Heart Rate Measurement").click()


def moved(page: Page, hub) -> None:
    page.get_by_role("slider", name="Off").first.focus()
    for _ in range(6):
        page.keyboard.press("ArrowLeft")


def token(page: Page, hub) -> None:
    with_tokens(hub)
    press(page, "Make a token")


STATES = {
    "history-detections": ("history", lambda page, _: show_detections(page)),
    "history-ticked": ("history", ticked),
    "history-filters": ("history", lambda page, _: press(page, "Filter")),
    "history-export": ("history", lambda page, _: press(page, "Export")),
    "map-layers": ("map", lambda page, _: press(page, "Layers")),
    "map-source": ("map/source/{source}", lambda page, _: None),
    "map-list": ("map", lambda page, _: press(page, "List of what is in view")),
    "drives-one": ("drives", lambda page, _: page.locator(".drive-row").nth(1).click()),
    "debug-lines": ("debug", lines),
    "wifi-networks": ("wifi", networks),
    "wifi-password": ("wifi", password),
    "wifi-progress": ("wifi", joining),
    "wifi-failed": ("wifi", not_joined),
    "wifi-done": ("wifi", done),
    "explorer-connected": ("explorer", connected),
    "explorer-value": ("explorer", value),
    "nightlights-moved": ("nightlights/{lamp}", moved),
    "bulbs-white": ("bulbs", lambda page, _: press(page, "White")),
    "bulbs-effects": ("bulbs", lambda page, _: press(page, "Effects")),
    "status": ("scanner", lambda page, _: press(page, "Live")),
    "token": ("settings/access", token),
}


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

    def take(self, name: str, pause: int = 800, whole: bool = False) -> None:
        for look, page in self.windows.items():
            page.wait_for_timeout(pause)
            if whole:
                self.stretch(page)
            page.screenshot(path=self.folder / f"{name}-{look}.png")
            if whole:
                page.set_viewport_size(FORMS[look.split("-")[0]])

    def stretch(self, page: Page) -> None:
        """Makes the window as high as what scrolls in it."""
        more = page.evaluate("() => { const one = document.querySelector('main'); return one.scrollHeight - one.clientHeight; }")
        if more > 0:
            page.set_viewport_size({"width": page.viewport_size["width"], "height": page.viewport_size["height"] + more})
            page.wait_for_timeout(200)


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


def photograph_engine(asked) -> None:
    hub = EngineHub(serve(), HostedEngine)
    scenario = "hostile" if asked.hostile else "still"
    chosen = {"source": 1, "lamp": "D83ADD407E11", "device": 5}
    with sync_playwright() as playwright:
        browser = begin(playwright)
        photographer = Photographer(browser, asked.folder, asked.forms)
        for name in asked.pages if asked.states is None else ():
            # What was heard before is heard now.
            begin_world(hub, scenario)
            photographer.open(f"{hub.address}/#/{PAGES[name].format(**chosen)}")
            if asked.gone:
                hub.go()
            photographer.take(f"{name}-gone" if asked.gone else name, 1500 if asked.gone else 400, asked.whole)
        for name in asked.states or ():
            for look, page in photographer.windows.items():
                begin_world(hub, scenario)
                page.goto("about:blank")
                place, act = STATES[name]
                page.goto(f"{hub.address}/#/{place.format(**chosen)}")
                page.locator("main > :visible").first.wait_for()
                try:
                    act(page, hub)
                except Error as error:
                    print(f"{name}-{look}: {str(error).splitlines()[0]}")
                page.wait_for_timeout(600)
                page.screenshot(path=asked.folder / f"{name}-{look}.png")
        browser.close()
    hub.end()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--minutes", type=float, default=11)
    options.add_argument("--forms", nargs="+", choices=FORMS, default=USUAL)
    options.add_argument("--engine", action="store_true")
    options.add_argument("--hostile", action="store_true", help="with texts that nobody should have")
    options.add_argument("--pages", nargs="+", choices=PAGES, default=PAGES)
    options.add_argument("--whole", action="store_true", help="with what has to be scrolled to")
    options.add_argument("--gone", action="store_true", help="with a hub that has just gone")
    options.add_argument("--states", nargs="*", choices=STATES, help="what pages show once somebody has done something")
    asked = options.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    if asked.engine:
        if asked.states == []:
            asked.states = list(STATES)
        photograph_engine(asked)
    else:
        photograph(asked.folder, asked.minutes, asked.forms)
