# SPDX-License-Identifier: Apache-2.0
"""An engine and a page for each test. `LANTERN_CHROMIUM` names another Chromium for all of them."""

import os
import time
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from patience import within
from playwright.sync_api import Error, expect, sync_playwright

import engine_host
from kept_world import kept

SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(autouse=True)
def patience() -> None:
    """What a page is to show is waited for as long as that takes on this machine as it is now."""
    expect.set_options(timeout=within(5) * 1000)


def until(page, wanted, seconds: float = 10):
    """Waits for a function, or an expression of the page, and answers what it then is.

    Playwright's own waiting evaluates strings within the page, which its policy forbids.
    """
    end = time.monotonic() + within(seconds)
    while not (found := wanted() if callable(wanted) else page.evaluate(wanted)):
        assert time.monotonic() < end, f"{wanted} did not become true"
        page.wait_for_timeout(50)
    return found


def grip(page, one) -> tuple[float, float]:
    """Where a marker is taken hold of, once it stays there: lanes are drawn anew by what a lamp tells first."""

    def look() -> tuple[float, float] | None:
        box = one.bounding_box()
        page.wait_for_timeout(300)
        if not box or box != one.bounding_box():
            return None
        x, y = box["x"] + box["width"] / 2, box["y"] + 20
        return (x, y) if one.evaluate("(it, at) => it.contains(document.elementFromPoint(...at))", [x, y]) else None

    return until(page, look)


# Nobody reads what axe has found right, and to write it down takes longer than to look.
WRONG = {"resultTypes": ["violations"]}
def spending(page):
    """Begins to count what a page does; each call gives the numbers so far. What takes time is in seconds of its processor: how
    busy the machine is with other things changes nothing."""
    browser = page.context.new_cdp_session(page)
    browser.send("Performance.enable", {"timeDomain": "threadTicks"})
    return lambda: {one["name"]: one["value"] for one in browser.send("Performance.getMetrics")["metrics"]}


# What axe says of colours: in the second theme nothing else can be different.
COLOURS = {**WRONG, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


# What axe is, in the page that is to be looked at.
AXE, LOOK = Axe().axe_script, """options => axe.run(document, options).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0].html })))"""


def violations(page, impacts: tuple[str, ...] = ("minor", "moderate", "serious", "critical")) -> list[tuple[str, str, str]]:
    """What axe finds, in the light theme and in the dark one: theme, rule and the first element."""
    found = []
    for theme, options in (("light", WRONG), ("dark", COLOURS)):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        # It is half a megabyte, and stays until the page is loaded again.
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        rules = page.evaluate(LOOK, options)
        found += [(theme, one["id"], one["html"][:160]) for one in rules if one["impact"] in impacts]
    page.emulate_media(color_scheme="light")
    return found


SERIOUS = ("serious", "critical")


HARM = r"""() => {
    const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u, stack = /\p{M}{5}/u, found = [];
    const bad = (text) => text && (hidden.test(text) || stack.test(text) || text.length > 8000);
    for (const element of document.body.querySelectorAll("*")) {
        const name = `${element.localName}.${element.getAttribute("class") ?? ""}`;
        for (const { name: key, value } of element.attributes) if (bad(value)) found.push(`${name} ${key}`);
        for (const { nodeType, data } of element.childNodes) {
            if (nodeType === 3 && !element.matches("pre") && bad(data)) found.push(`${name}: ${data.slice(0, 40)}`);
        }
    }
    if (bad(document.title)) found.push("title");
    for (const element of document.querySelectorAll("main :is(script, iframe, img, b, i > img), dialog img, .toast img")) {
        found.push(`${element.localName} was made`);
    }
    for (const element of document.querySelectorAll(".air")) {
        if (getComputedStyle(element).unicodeBidi !== "isolate") found.push(`not isolated: ${element.className}`);
    }
    const high = "main li, .latest-row, .long-row, .setting, .note, .detail-names, .toast, main h2, main h3";
    for (const element of document.querySelectorAll(high)) {
        const { height } = element.getBoundingClientRect();
        if (height > 260) found.push(`${element.localName}.${element.className} is ${height} high`);
    }
    for (const element of [document.documentElement, document.querySelector("main"), document.querySelector("dialog")]) {
        if (element?.scrollWidth > element?.clientWidth) found.push(`${element.localName} scrolls sideways`);
    }
    return found;
}"""


def assert_harmless(page, where: str) -> None:
    """Text from the air is text: seen as what it is, isolated, and no reason for a page to grow."""
    assert page.evaluate(HARM)[:5] == [], where


# Imports a module that the page itself has: under another address it is another one, with a state of its own.
OWN = "((name) => import(new URL(name, document.querySelector('script[src]').src)))"


def try_now(page) -> None:
    """Has a page look for its hub, unless it has found it by itself meanwhile."""
    with suppress(Error):
        page.get_by_role("button", name="Try now").click(timeout=2000)


def pages_are_there(page) -> None:
    """The pages that follow the first one have come: each opens now without the hub."""
    page.evaluate(f"{OWN}('pages.js').then(({{ fetchOthers }}) => fetchOthers()).then(() => true)")


# Chromium's headless shell needs two thirds of the processor time; what is asked of all of Chromium is marked so.
SHELL, WHOLE = (os.environ.get("LANTERN_CHROMIUM", f"/usr/bin/{name}") for name in ("chromium-headless-shell", "chromium"))


@pytest.fixture(scope="session")
def browsers():
    """Gives the browser at a path, one for all tests."""
    with sync_playwright() as playwright:
        begun = {}

        def browser(path: str):
            if path not in begun:
                begun[path] = playwright.chromium.launch(
                    executable_path=path,
                    args=["--no-sandbox", "--autoplay-policy=document-user-activation-required"],
                )
            return begun[path]

        yield browser
        for one in begun.values():
            one.close()


@pytest.fixture
def chromium(request, browsers):
    return browsers(WHOLE if request.node.get_closest_marker("whole_chromium") else SHELL)


# The files that take longest, or have a test that does, begin first, so that no process is left with one when the others have
# ended.
LONG = (
    "test_interface", "test_engine_trials", "test_map_same", "test_site_map", "test_wifi_demo", "test_nightlights_demo",
    "test_real_hub", "test_browser_map", "test_nightlights_peers", "test_hub_ends", "test_bulbs_peers", "test_explorer_demo",
    "test_killed", "test_wifi_peers", "test_explorer", "test_engine_same",
)  # fmt: skip


def pytest_collection_modifyitems(items) -> None:
    """Deals the long files out: with `--dist worksteal` each process is given a stretch of the list, as long as the others'."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    first = [[] for _ in range(workers)]
    for turn, name in enumerate(LONG):
        first[turn % workers] += [item for item in items if item.path.stem == name]
    rest, dealt = [item for item in items if item.path.stem not in LONG], []
    for number, begin in enumerate(first):
        more = max(0, (len(items) - len(dealt)) // (workers - number) - len(begin))
        dealt += begin + rest[:more]
        del rest[:more]
    items[:] = dealt + rest


def pytest_configure(config):
    config.addinivalue_line("markers", "whole_chromium: needs what Chromium's headless shell does not have")
    config.addinivalue_line("markers", "from_the_beginning: has a demo of the site as it begins, not as it is after a while")


@pytest.fixture
def air():
    """Bumble's controllers and a FlockFinder device, for a real hub."""
    from real_hub import Air

    one = Air()
    yield one
    one.close()


@pytest.fixture(scope="session")
def engine_server():
    one = engine_host.serve()
    yield one
    one.shutdown()
    one.server_close()


@pytest.fixture
def engine(engine_server):
    """A native engine that has kept the detections of the invented drives, and has a browser's radio."""
    one = engine_host.EngineHub(engine_server, lambda: engine_host.HostedEngine(kept()))
    yield one
    one.end()


@pytest.fixture
def hub(engine):
    """What answers the pages, unless a file has another."""
    return engine


@pytest.fixture(params=list(SIZES))
def size(request) -> str:
    return request.param


class Usual:
    """The browser that most pages of an engine are opened in, one after the other: it has the files already."""

    def __init__(self, chromium) -> None:
        self.chromium = chromium
        self.context = None

    def open(self, viewport, color_scheme="light", reduced_motion=None, bypass_csp=False):
        self.context = self.context or self.chromium.new_context(accept_downloads=True)
        page = self.context.new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        if bypass_csp:
            self.context.new_cdp_session(page).send("Page.setBypassCSP", {"enabled": True})
        return page

    def forget(self, origin: str) -> None:
        """Nothing of a test is left for the next one but files that browsers may keep."""
        try:
            self.context.clear_cookies()
            self.context.clear_permissions()
            page = self.context.pages[0] if self.context.pages else self.context.new_page()
            all_of_it = {"origin": origin, "storageTypes": "all"}
            self.context.new_cdp_session(page).send("Storage.clearDataForOrigin", all_of_it)
            for one in self.context.pages:
                one.close()
        except Error:
            # The test has closed it.
            self.context = None


@pytest.fixture(scope="session")
def usual():
    """The usual context of each browser."""
    return {}


@pytest.fixture
def open_page(chromium, hub, usual):
    """Opens a page; at the end nothing may have gone wrong in its console, and no request may have left the machine.

    Each is in a browser of its own: the first in the usual one, unless it is to be an unusual one.
    """
    contexts, troubles = [], []
    shared = usual.setdefault(chromium, Usual(chromium)) if isinstance(hub, engine_host.EngineHub) else None

    def check(message) -> None:
        # A refused or broken request is the subject of a test, not a fault of the page.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            troubles.append(message.text)

    def open_one(route: str = "scanner", size: str = "desktop", theme: str = "light", **options):
        options = {"viewport": SIZES[size], "color_scheme": theme, **options}
        if shared and not contexts and options.keys() <= {"viewport", "color_scheme", "reduced_motion", "bypass_csp"}:
            page = shared.open(**options)
        else:
            page = chromium.new_context(accept_downloads=True, **options).new_page()
        contexts.append(page.context)
        page.on("console", check)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: (troubles.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on(
            "request",
            lambda request: urlsplit(request.url).hostname in ("127.0.0.1", None)
            or troubles.append(f"request to {request.url}"),
        )
        page.goto(f"{hub.address}/#/{route}")
        return page

    open_one.contexts = contexts
    yield open_one
    for context in contexts:
        if shared and context is shared.context:
            shared.forget(hub.address)
        else:
            context.close()
    assert troubles == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Says of a test that has failed what its pages showed."""
    report = yield
    if report.when == "call" and report.failed:
        for context in getattr(item.funcargs.get("open_page"), "contexts", []):
            for page in context.pages:
                with suppress(Error):
                    report.sections.append((page.url, page.locator("body").aria_snapshot(timeout=3000)[:6000]))
    return report


def go(page, letter: str) -> None:
    """Presses g and a letter as soon after it as a person does, however long the machine takes for that."""
    keys, now = page.context.new_cdp_session(page), time.time()
    for key, pressed in (("g", now), (letter, now + 0.2)):
        for kind in ("rawKeyDown", "keyUp"):
            keys.send("Input.dispatchKeyEvent", {"type": kind, "key": key, "timestamp": pressed})
    keys.detach()


def show_detections(page) -> None:
    """Has the History list detections; a phone has the choice in a menu."""
    # Looked for and not looked at: the page may not be there yet.
    if page.viewport_size["width"] < 720:
        page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Detections").click()
    # The rows of before stay until the others are there.
    page.locator(".is-detections").wait_for()
