# SPDX-License-Identifier: Apache-2.0
"""The pages against `lantern demo`: the hub itself, with every simulated device on the virtual air."""

import json
import re
import struct
import subprocess
from pathlib import Path

import pytest
from conftest import SERIOUS, pages_are_there, until, violations
from playwright.sync_api import expect
from real_hub import RealHub

ROOT = Path(__file__).resolve().parents[2]
ROUTES = ["scanner", "history", "settings", "settings/alerts", "debug", "devices", "map", "wifi"]


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    one = RealHub(tmp_path_factory.mktemp("demo"), command="demo")
    one.start()
    one.detections(90)
    yield one
    assert one.stop() == 0, one.log


def settle(page) -> None:
    expect(page.locator(".status")).to_contain_text("Live", timeout=20000)
    page.wait_for_timeout(600)


def test_the_script_brings_what_draws_the_map(hub):
    """On a fresh machine, too: it installs the package from which the hub takes Leaflet."""
    wanted = (ROOT / "Scripts/demo").read_text()
    assert re.search(r"^install_packages .*\blibjs-leaflet\b", wanted, re.M)
    for name, kind in (("leaflet.esm.min.js", "text/javascript"), ("leaflet.css", "text/css")):
        status, octets, headers = hub.request("GET", f"/leaflet/{name}")
        assert status == 200 and octets and headers["Content-Type"].startswith(kind), name


@pytest.mark.parametrize("route", ROUTES)
def test_every_page_is_clean(hub, open_page, route, size):
    page = open_page(route, size, bypass_csp=True, reduced_motion="reduce")
    settle(page)
    assert violations(page, SERIOUS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_detections_arrive_by_themselves(hub, open_page, size):
    page = open_page("scanner", size)
    settle(page)
    expect(page.locator(".connection")).to_contain_text("Connected", timeout=30000)
    before = hub.get("/detections")["total"]
    until(page, lambda: hub.get("/detections")["total"] > before, 90)
    newest = hub.get("/detections")["items"][0]
    row = page.locator(f'.latest-row a[href="#/history/source/{newest["source"]}"]')
    expect(row.first).to_be_visible()


def test_the_device_answers(hub, open_page):
    page = open_page("scanner")
    settle(page)
    page.get_by_role("button", name="Ping", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Answered in", timeout=15000)
    page.get_by_role("button", name="Disconnect").click()
    expect(page.locator(".connection")).to_contain_text("Not connected")
    page.locator(".connection").get_by_role("button", name="Connect").click()
    expect(page.locator(".connection")).to_contain_text("Connected", timeout=30000)


def test_a_source_is_found_marked_and_taken_back(hub, open_page, size):
    page = open_page("history", size)
    row = page.locator(".long-row:not(.ghost)").first
    expect(row).to_be_visible(timeout=20000)
    row.click()
    expect(page.locator(".why li").first).to_be_visible()
    expect(page.locator(".why")).to_contain_text(re.compile(r"\d+% sure that it is an? .+, as the device reckons"))
    assert not re.search("NaN|undefined|null", page.locator("main").inner_text())
    number = re.search(r"source/(\d+)", page.url)[1]
    mine = page.get_by_role("button", name="Mine")
    mine.click()
    expect(mine).to_have_attribute("aria-pressed", "true")
    assert hub.get(f"/sources/{number}")["mine"] is True
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(mine).to_have_attribute("aria-pressed", "false")
    assert hub.get(f"/sources/{number}")["mine"] is False


def test_a_note_does_not_take_the_place_of_one_that_was_not_seen(hub, open_page):
    number = hub.get("/sources")["items"][0]["id"]
    page = open_page(f"history/source/{number}")
    note = page.get_by_role("button", name="Note")
    note.click()
    assert hub.request("PATCH", f"/api/v1/sources/{number}", {"note": "Theirs"})[0] == 200
    page.get_by_label("Note").last.fill("Ours")
    page.locator("dialog").get_by_role("button", name="Keep").click()
    expect(page.locator(".toast")).to_contain_text("Somebody else has changed this meanwhile.")
    assert hub.get(f"/sources/{number}")["note"] == "Theirs"
    page.wait_for_timeout(300)
    note.click()
    page.get_by_label("Note").last.fill("Ours")
    page.locator("dialog").get_by_role("button", name="Keep").click()
    expect(page.locator(".toast")).to_contain_text("Note kept.")
    assert hub.get(f"/sources/{number}")["note"] == "Ours"
    page.locator(".toast").get_by_role("button", name="Undo").click()
    until(page, lambda: hub.get(f"/sources/{number}")["note"] == "Theirs")


def test_deleting_is_undone(hub, open_page):
    page = open_page("history")
    expect(page.locator(".long-row:not(.ghost)").first).to_be_visible(timeout=20000)
    source = hub.get("/sources")["items"][-1]["id"]
    page.get_by_role("grid").focus()
    page.keyboard.press("End")
    page.keyboard.press("Space")
    expect(page.locator(".bulk")).to_contain_text("1 selected")
    page.locator(".bulk").get_by_role("button", name="Delete").click()
    until(page, lambda: hub.get(f"/detections?source={source}")["total"] == 0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    until(page, lambda: hub.get(f"/detections?source={source}")["total"] > 0)


def test_search_filter_and_export_agree(hub, open_page):
    kind = hub.get("/sources")["items"][0]["type"]
    page = open_page("history")
    settle(page)
    page.get_by_role("button", name="Filter", exact=True).click()
    page.locator("dialog").get_by_label("Time").select_option("1")
    page.locator(f"dialog .choices input >> nth=0").wait_for()
    page.get_by_role("button", name="Show").click()
    page.get_by_role("button", name=re.compile("^Export")).first.click()
    for name in ("CSV", "JSON", "GeoJSON", "GPX", "KML"):
        with page.expect_download() as download:
            page.get_by_role("link", name=re.compile(f"^{name},")).click()
        assert download.value.path().stat().st_size > 100, name
    page.keyboard.press("Escape")
    page.get_by_role("searchbox").fill("nothing is called this")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    assert hub.get(f"/sources?type={kind}")["total"] >= 1


def test_settings_reach_every_page(hub, open_page, size):
    page, other = open_page("settings/appearance", size), open_page("scanner")
    settle(other)
    page.get_by_role("button", name="Dark").click()
    for one in (page, other):
        expect(one.locator("html")).to_have_attribute("data-theme", "dark")
    assert hub.get("/settings")["theme"] == "dark"
    page.get_by_role("button", name="As the system").click()
    expect(other.locator("html")).not_to_have_attribute("data-theme", "dark")


def test_a_saved_filter_comes_back(hub, open_page):
    page = open_page("history")
    settle(page)
    page.get_by_role("searchbox").fill("a")
    page.get_by_role("button", name="Saved filters").click()
    page.get_by_label("Name of this filter").fill("With an a")
    page.get_by_role("button", name="Save this filter").click()
    expect(page.locator("dialog")).to_have_count(0)
    other = open_page("history")
    settle(other)
    other.get_by_role("button", name="Saved filters").click()
    other.get_by_role("button", name="With an a", exact=True).click()
    expect(other.get_by_role("searchbox")).to_have_value("a")
    other.get_by_role("button", name="Saved filters").click()
    other.get_by_role("button", name="Forget With an a").click()
    until(other, lambda: hub.get("/settings")["saved_filters"] == [])


def test_a_capture_is_started_stopped_and_downloaded(hub, open_page):
    page = open_page("debug")
    settle(page)
    page.get_by_role("button", name="Start a capture").click()
    expect(page.locator(".capturing")).to_have_text("Capturing")
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="Stop").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    octets = download.value.path().read_bytes()
    assert octets.startswith(b"btsnoop\0") and len(octets) > 100

    def frames(*arguments: str) -> list[str]:
        command = ["tshark", "-r", str(download.value.path()), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

    assert len(frames()) > 10
    assert frames("-Y", "_ws.malformed || _ws.short") == []


def test_debug_lines_come_and_are_saved(hub, open_page):
    page = open_page("debug")
    settle(page)
    expect(page.locator(".log .line").first).to_be_visible(timeout=60000)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save").click()
    for line in download.value.path().read_text().splitlines():
        assert list(json.loads(line))[:2] == ["event", "time"]


def test_icons_are_pictures_of_the_size_that_is_named(hub):
    """Telephones take no SVG for an app's icon."""
    manifest = hub.request("GET", "/manifest.webmanifest")[1]
    named = {f"/{one['src']}": one["sizes"] for one in manifest["icons"] if one["type"] == "image/png"}
    assert {"192x192", "512x512"} <= set(named.values())
    for path, size in (named | {"/apple-touch-icon.png": "180x180"}).items():
        status, octets, headers = hub.request("GET", path)
        assert (status, headers["Content-Type"]) == (200, "image/png")
        assert octets[:8] == b"\x89PNG\r\n\x1a\n"
        assert "x".join(map(str, struct.unpack(">II", octets[16:24]))) == size


@pytest.mark.parametrize(
    "path", ["/", "/app.js", "/tokens.css", "/icon.svg", "/manifest.webmanifest", "/api/v1/hub", "/nothing-here"]
)
def test_every_answer_is_guarded(hub, path):
    _, _, headers = hub.request("GET", path)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_what_the_pages_are_made_of_is_fetched_once(hub, chromium):
    context, sent = chromium.new_context(), []
    for _ in range(2):
        page = context.new_page()
        page.goto(hub.address)
        settle(page)
        pages_are_there(page)
        sent.append(page.evaluate("""() => performance.getEntriesByType("resource")
            .filter(({ name, transferSize }) => transferSize && !name.includes("/api/")).map(({ name }) => name)"""))
    assert len(sent[0]) > 100 and sent[1] == []
    context.close()


def test_the_first_page_is_small(hub, chromium):
    """What comes before a first page is seen: few files, and packed."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(hub.address)
    expect(page.locator(".latest-row").first).to_be_visible()
    count, sent, whole = page.evaluate("""() => {
        const all = performance.getEntriesByType("resource").filter(({ name }) => !name.includes("/api/"));
        const sum = (part) => all.reduce((before, one) => before + one[part], 0);
        return [all.length, sum("transferSize"), sum("decodedBodySize")];
    }""")
    assert 20 < count <= 60 and sent < 150_000 and whole > 2 * sent, (count, sent, whole)
    context.close()


def test_other_names_and_origins_are_refused(hub):
    assert hub.request("GET", "/api/v1/hub", headers={"Host": "evil.example"})[0] in (400, 403, 421)
    status, problem, headers = hub.request(
        "POST", "/api/v1/radio/retry", headers={"Origin": "http://evil.example"}
    )
    assert status == 403 and headers["Content-Type"].startswith("application/problem+json")
    assert problem["detail"]


def test_the_licences_of_what_is_shipped_are_there(hub, open_page):
    page = open_page("settings/about")
    settle(page)
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Licences").last.click()
    text = opened.value.locator("body").inner_text()
    for part in ("groue/GRDB.swift", "hummingbird", "swift-crypto", "boringssl", "Apache License", "SQLite"):
        assert part in text, part
    assert "Permission is hereby granted" in text
