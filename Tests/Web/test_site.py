# SPDX-License-Identifier: Apache-2.0
"""The pages without a hub, as `Scripts/build-web` makes them: the engine on an air of its own, below some address."""

import functools
import http.server
import pathlib
import re
import subprocess
import threading

import pytest
from conftest import grip, until, violations
from playwright.sync_api import expect
from explorer_strap import item, visible
from test_explorer import rows
from wifi_steps import choose, failed, joined, send

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / ".build-web/site"
PREFIX = "/some/where"


class Plain(http.server.SimpleHTTPRequestHandler):
    """What any web server does, below a path."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(PREFIX)) if path.startswith(PREFIX + "/") else "/nowhere"

    def log_message(self, *_) -> None:
        pass


# Where the worker begins its engine, and what has it go on from there: a step at a time, as a page has it.
BEGIN = "(seed, Date.now());\n"
LATER = """(seed, Date.now() - {after} * 1000);
    for (let second = 1; second <= {after}; second += 1) {{
        exports.lantern_advance(engineTime += 1000, Date.now() - ({after} - second) * 1000);
        tell();
    }}
"""


class Later(Plain):
    """The demo as a page has it that has been open for some seconds: nobody has to wait for them."""

    def __init__(self, *arguments, after: int, **rest) -> None:
        self.after = after
        super().__init__(*arguments, **rest)

    def do_GET(self) -> None:
        if not self.path.endswith("/engine-worker.js"):
            return super().do_GET()
        begin, found, end = (FOLDER / "engine-worker.js").read_text().partition(BEGIN)
        assert found and BEGIN not in end, "the worker begins its engine in another way"
        octets = (begin + LATER.format(after=self.after) + end).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)


class Site:
    def __init__(self, after: int = 0) -> None:
        kind = functools.partial(Later, after=after) if after else Plain
        handler = functools.partial(kind, directory=str(FOLDER))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}{PREFIX}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


pytestmark = pytest.mark.skipif(
    not (FOLDER / "engine.wasm").exists(), reason="Scripts/build-web has not made the site"
)


@pytest.fixture
def hub():
    site = Site()
    yield site
    site.close()


def clean(page, shows_json: bool = False) -> None:
    assert violations(page) == []
    text = page.locator("main").inner_text()
    # There is none here: what needs one says "a hub".
    assert not re.search(r"\b(the|this) hub\b.*", text, re.IGNORECASE), text
    # What cannot be done is not offered.
    assert not re.search(r"by its address|gpsd\n|Download\nRestore|Encrypt links", text), text
    assert shows_json or ("null" not in text and "undefined" not in text and "NaN" not in text)


def opened(open_page, route: str, size: str):
    # What axe brings is no part of the site, and a worker would keep its pages.
    return open_page(route, size, bypass_csp=True, reduced_motion="reduce")


def test_detections_are_there_at_once(hub, open_page, size):
    page = opened(open_page, "scanner", size)
    expect(page.get_by_role("status").or_(page.locator("header .status"))).not_to_have_count(0)
    until(page, "document.querySelectorAll('main li').length > 3", 15)
    clean(page)


ROUTES = ["map", "history", "devices", "wifi", "nightlights", "bulbs", "explorer", "overflow", "debug", "settings"]


def test_every_page_is_clean(hub, open_page, size):
    page = open_page("scanner", size, bypass_csp=True, reduced_motion="reduce")
    until(page, "document.querySelectorAll('main li').length > 3", 15)
    clean(page)
    for route in ROUTES:
        page.evaluate("route => { location.hash = `#/${route}` }", route)
        page.locator(f'html[data-page="{route}"]').wait_for(state="attached")
        expect(page.locator("main > *").filter(visible=True).first).to_be_visible(timeout=20000)
        clean(page, shows_json=route == "debug")


def test_a_device_gets_its_wifi(hub, open_page, size):
    page = opened(open_page, "wifi", size)
    link = page.get_by_role("link", name=re.compile("^Set up ")).first
    expect(link).to_be_visible(timeout=20000)
    name = link.get_attribute("aria-label") or link.inner_text()
    link.click()
    choose(page, "Lantern Home")
    send(page, "quartz-heron-59")
    failed(page, "Lantern Home")
    send(page, "lantern-home")
    joined(page, re.compile(".+"), 60) if not name else expect(
        page.get_by_role("heading", name=re.compile("is on Wi-Fi"))
    ).to_be_visible(timeout=60000)
    clean(page)
    assert "lantern-home" not in page.content()


def test_a_bulb_does_what_it_is_told(hub, open_page, size):
    page = opened(open_page, "bulbs", size)
    expect(page.get_by_role("slider", name="Colour of the bulb")).to_be_visible(timeout=30000)
    page.get_by_role("group", name="Favourites").get_by_role("button", name="Pink #FF5C9E").click()
    expect(page.get_by_text("Just what you asked for")).to_be_visible(timeout=20000)
    clean(page)


def test_tonight_is_dragged(hub, open_page, size):
    page = opened(open_page, "nightlights", size)
    one = page.get_by_role("slider", name="Off", exact=True).first
    expect(one).to_be_visible(timeout=30000)
    x, y = grip(page, one)
    before = one.get_attribute("aria-valuetext")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y, steps=5)
    page.mouse.up()
    assert one.get_attribute("aria-valuetext") != before
    asked = page.locator(".ask")
    asked.get_by_role("button", name=re.compile("^(Tonight only|Every )")).first.click()
    expect(asked).to_be_hidden(timeout=15000)
    clean(page)


def test_any_device_is_read_and_listened_to(hub, open_page, size):
    page = opened(open_page, "explorer", size)
    until(page, lambda: any(name.startswith("HR strap") for name in rows(page)), 30)
    page.get_by_text(re.compile("^HR strap")).first.click()
    visible(page, "Connect").click()
    expect(item(page, "Heart Rate Measurement")).to_be_visible(timeout=20000)
    item(page, "Heart Rate Measurement").click()
    visible(page, "Listen").click()
    expect(page.get_by_role("img", name="The last minute")).to_be_visible(timeout=20000)
    clean(page)


def test_a_device_is_saved_looked_at_taken_away_and_brought_back(hub, open_page, size):
    page = opened(open_page, "explorer", size)
    until(page, lambda: any(name.startswith("HR strap") for name in rows(page)), 30)
    page.get_by_text(re.compile("^HR strap")).first.click()
    visible(page, "Connect").click()
    expect(item(page, "Heart Rate Measurement")).to_be_visible(timeout=20000)
    # A phone shows the value, and its log below it.
    if size == "desktop":
        item(page, "Heart Rate Measurement").click()
        visible(page, "Listen").click()
        log = page.locator(".value-log:visible")
        log.get_by_role("button").first.click(timeout=20000)
        with page.expect_download() as taken:
            page.get_by_role("dialog").get_by_text("JSON lines").click()
        assert re.fullmatch(r"lantern-values-[-0-9]{10}\.jsonl", taken.value.suggested_filename)
        assert '"event":"value_received"' in pathlib.Path(taken.value.path()).read_text()
        page.keyboard.press("Escape")
    if size == "phone":
        visible(page, "More").click()
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
    else:
        visible(page, "Save").first.click()
    page.get_by_role("textbox", name="Name of the save").fill("Mine")
    page.keyboard.press("Enter")
    page.evaluate("location.hash = '#/explorer/saves'")
    saves = page.locator(".saves-list")
    saves.get_by_role("link", name="Mine").click()
    expect(page.get_by_role("heading", name="Mine")).to_be_visible()
    expect(page.locator(".is-save").get_by_text("Heart Rate Measurement")).to_be_visible()
    # A page cannot serve a device.
    assert page.get_by_role("button", name="Serve").locator("visible=true").count() == 0
    page.evaluate("location.hash = '#/explorer/saves'")
    page.get_by_role("button", name="More about Mine").click()
    assert page.get_by_role("button", name=re.compile("^Serve ")).count() == 0
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download the file").click()
    assert taken.value.suggested_filename == "lantern-device-1.json"
    page.get_by_role("button", name="More about Mine").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(saves.get_by_text("Mine")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(saves.get_by_text("Mine")).to_be_visible()
    file = pathlib.Path(taken.value.path())
    named = {"name": "Brought.json", "mimeType": "application/json", "buffer": file.read_bytes()}
    page.locator("input[type=file]:not([multiple])").last.set_input_files(named)
    expect(saves.get_by_text("Brought")).to_be_visible()
    clean(page)


def test_a_phone_in_the_background_is_decoded(hub, open_page, size):
    page = opened(open_page, "overflow", size)
    expect(page.locator("main")).to_contain_text(re.compile("dBm"), timeout=30000)
    clean(page)


def test_the_engine_keeps_no_password_and_its_memory_does_not_grow():
    script = pathlib.Path(__file__).with_name("engine.mjs")
    # Without threads beside it there is none that it waits for at its end, while that waits for it (nodejs/node#54918).
    said = subprocess.run(["node", "--single-threaded", script, FOLDER], capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr
    values = dict(line.split("=") for line in said.stdout.split())
    assert values["sent"] == "200" and values["step"] in ("joined", "failed"), values
    # While it is on its way it has to be there: a test that finds nothing then proves nothing.
    assert values["during"] == "true" and values["afterwards"] == "false", values
    assert int(values["later"]) <= int(values["sooner"]) * 1.02, values


def test_it_starts_without_a_network(hub, open_page):
    page = open_page("scanner")
    until(page, "navigator.serviceWorker.ready.then(() => true)", 20)
    until(page, "document.querySelectorAll('main li').length > 3", 15)
    hub.close()
    page.reload()
    until(page, "document.querySelectorAll('main li').length > 3", 15)
    # Also a page that was not open before.
    page.evaluate("location.hash = '#/overflow'")
    expect(page.get_by_role("heading", name="Overflow").first).to_be_visible()


def test_a_fault_of_the_engine_is_told_and_it_begins_anew(hub, chromium):
    context = chromium.new_context(service_workers="block", permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    served = []

    def worker(route) -> None:
        script = (FOLDER / "engine-worker.js").read_text()
        fault = 'setTimeout(() => guarded(() => { throw new WebAssembly.RuntimeError("unreachable"); }), 3000);'
        served.append(route.request.url)
        route.fulfill(body=script + (fault if len(served) == 1 else ""), content_type="text/javascript")

    page.route("**/engine-worker.js", worker)
    page.goto(f"{hub.address}/#/scanner")
    until(page, "document.querySelectorAll('main li').length > 3", 15)
    expect(page.locator(".banner")).to_contain_text("The engine of this page has stopped", timeout=10000)
    expect(page.locator(".banner")).to_be_hidden(timeout=20000)
    until(page, "document.querySelectorAll('main li').length > 3", 15)
    assert len(served) == 2
    # Until somebody has read it there is a report for who can mend it.
    bar = page.locator(".source")
    expect(bar).to_contain_text("The engine of this page had to begin anew at")
    clean(page)
    bar.get_by_role("button", name="Copy the report").click()
    expect(page.locator(".toast")).to_contain_text("Copied")
    report = page.evaluate("navigator.clipboard.readText()")
    for word in ("RuntimeError: unreachable", "engine-worker.js", "Page: #/scanner", "On: the air of the page", "POST /zone", "Chrome/"):
        assert word in report, report
    bar.get_by_role("button", name="Close").click()
    expect(bar).not_to_contain_text("begin anew")
    context.close()


def test_what_the_scanner_does_not_use_is_not_fetched(hub, chromium):
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    fetched = []
    page.on("request", lambda request: fetched.append(request.url.rsplit("/", 1)[1]))
    page.goto(f"{hub.address}/#/scanner")
    until(page, "document.querySelectorAll('main li').length > 8", 30)
    assert "engine.wasm" in fetched and "engine-rest.wasm" not in fetched and "assigned-numbers.txt" not in fetched
    page.evaluate("location.hash = '#/bulbs'")
    expect(page.get_by_role("slider", name="Colour of the bulb")).to_be_visible(timeout=30000)
    assert fetched.count("engine-rest.wasm") == 1
    context.close()


def test_what_needs_a_hub_is_said(hub, open_page):
    page = open_page("scanner")
    until(page, "document.querySelectorAll('main li').length > 3", 15)
    status = page.evaluate("fetch('needs-a-hub.html').then((answer) => answer.status)")
    assert status == 200
    page.evaluate("location.hash = '#/history'")
    expect(page.locator("main")).not_to_be_empty()
    page.evaluate("location.hash = '#/settings'")
    expect(page.locator("main")).to_contain_text("hub", timeout=10000)
