# SPDX-License-Identifier: Apache-2.0
"""What a hub keeps: settings and devices over a restart, detections for as long as wanted, and many deleted at once."""

import csv
import json
import subprocess
import threading
import urllib.request

import pytest
from playwright.sync_api import expect
from real_hub import RealHub, binary

NO_RADIO = ("--radio", "tcp:127.0.0.1:1")
OLD, NEW = "2020-11-21T10:00:00Z", "2026-11-21T10:00:00Z"


@pytest.fixture
def hub(tmp_path):
    one = RealHub(tmp_path, *NO_RADIO)
    yield one
    assert one.stop() == 0, one.log


def lantern(hub, *arguments: str) -> str:
    done = subprocess.run(
        [binary(), "detections", *arguments, "--database", hub.database],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def fill(hub, count: int, name: str = "net", moment: str = NEW) -> None:
    table = hub.folder / "rows.csv"
    with open(table, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["timestamp", "device_type", "mac_address", "ssid", "rssi", "confidence"])
        for index in range(count):
            mac = f"00:11:22:33:44:{index % 50:02X}"
            writer.writerow([moment, "Flock Safety", mac, f"{name}-{index}", -60, 0.9])
    lantern(hub, "import", str(table))


def change(hub, **settings) -> dict:
    headers = {"If-Match": hub.request("GET", "/api/v1/settings")[2]["ETag"]}
    status, value, _ = hub.request("PATCH", "/api/v1/settings", settings, headers)
    assert status == 200, value
    return value


def total(hub, **filter: str) -> int:
    return hub.get("/detections?limit=1&" + "&".join(f"{name}={value}" for name, value in filter.items()))["total"]


def bulk(hub, **body) -> dict:
    status, value, _ = hub.request("POST", "/api/v1/detections/bulk", body)
    assert status == 200, value
    return value


def test_settings_are_there_after_a_restart(hub):
    hub.start()
    before = change(
        hub,
        theme="dark",
        min_confidence=0.25,
        retention_days=30,
        size_limit_mb=500,
        location={"source": "fixed", "latitude": 52.5, "longitude": 13.25},
        alerts={"sound": "bell", "volume": 0.25, "quiet": {"on": True, "from": "21:30"}},
        saved_filters=[{"name": "Near", "filter": {"min_confidence": 0.5}}],
    )
    assert (before["theme"], before["alerts"]["quiet"]["from"]) == ("dark", "21:30")
    tag = hub.request("GET", "/api/v1/settings")[2]["ETag"]
    # A hub that is killed has said nothing that it had not kept.
    hub.kill()
    hub.start()
    assert hub.get("/settings") == before
    assert hub.request("GET", "/api/v1/settings")[2]["ETag"] == tag
    change(hub, theme=None)
    stale = hub.request("PATCH", "/api/v1/settings", {"theme": "light"}, {"If-Match": tag})
    assert stale[0] == 412, stale
    assert hub.get("/settings") == {**before, "theme": "system"}


def test_a_devices_name_and_whether_it_is_connected_to_are_there_after_a_restart(tmp_path):
    demo = RealHub(tmp_path, command="demo")
    demo.start()
    try:
        finder = demo.until(
            lambda: next((one for one in demo.get("/devices")["items"] if one["kind"] == "flockfinder"), None)
        )
        wanted = {"own_name": "Car ☂", "auto_connect": False}
        status, value, _ = demo.request("PATCH", f"/api/v1/devices/{finder['id']}", wanted)
        assert status == 200, value
        demo.kill()
        demo.start()
        known = [d for d in demo.get("/devices")["items"] if d["address"] == finder["address"]]
        assert [{name: d[name] for name in wanted} for d in known] == [wanted]
    finally:
        assert demo.stop() == 0, demo.log


def test_what_is_older_than_wanted_goes_and_the_rest_stays(hub):
    hub.start()
    fill(hub, 30, "old", OLD)
    fill(hub, 20, "new")
    change(hub, retention_days=36500)
    hub.stop()
    hub.start()
    # Nothing is that old.
    hub.until(lambda: hub.get("/hub")["storage"]["detections"] == 50)
    change(hub, retention_days=365)
    hub.stop()
    hub.start()
    hub.until(lambda: total(hub) == 20)
    assert total(hub, text="old") == 0
    # For good: another program sees neither.
    assert "old-" not in lantern(hub, "list", "--limit", "100", "--json")


def test_the_oldest_go_when_the_database_is_larger_than_wanted(hub):
    def used() -> int:
        parts = hub.get("/hub")["storage"]["parts"]
        return parts["detections"] + parts["derived"]

    hub.start()
    fill(hub, 4000, "old" + "x" * 1000, OLD)
    fill(hub, 4000, "new" + "y" * 1000)
    hub.until(lambda: used() > 11_000_000)
    limit = change(hub, size_limit_mb=10)["size_limit_mb"] * 1_000_000
    hub.stop()
    hub.start()
    hub.until(lambda: used() <= limit, 60)
    left = total(hub)
    assert 0 < left < 8000
    assert total(hub, text="new") == min(left, 4000), "The oldest go first."


def test_what_the_command_line_deletes_is_gone_when_pages_have_been_told(hub):
    hub.start()
    fill(hub, 4000, "bulk")
    fill(hub, 10, "kept")
    hub.until(lambda: hub.get("/hub")["storage"]["detections"] == 4010)
    left: list[int] = []
    ready = threading.Event()

    def follow() -> None:
        """Fetches when it is told to, as a page does."""
        with urllib.request.urlopen(hub.address + "/api/v1/events", timeout=60) as events:
            for line in events:
                ready.set()
                if line.startswith(b"event: gap"):
                    left.append(total(hub, text="bulk"))
                    if left[-1] == 0:
                        return

    page = threading.Thread(target=follow, daemon=True)
    page.start()
    assert ready.wait(20)
    lantern(hub, "delete", "--text", "bulk", "--yes")
    page.join(20)
    assert left and left[-1] == 0, left
    assert total(hub) == 10


def test_many_are_deleted_by_a_filter_and_come_back_while_others_ask(hub):
    count = 6000
    hub.start()
    fill(hub, count, "bulk")
    fill(hub, 100, "kept")
    log = hub.folder / "hub.sqlite-wal"
    answers: list[dict] = []
    end = threading.Event()

    def ask() -> None:
        while not end.is_set():
            answers.append(hub.get("/detections?limit=100&text=kept"))

    reader = threading.Thread(target=ask)
    reader.start()
    try:
        done = bulk(hub, action="delete", filter={"text": "bulk"})
        asked = len(answers)
        assert done["changed"] == count
        assert total(hub) == 100
        assert bulk(hub, action="restore", undo=done["undo"])["changed"] == count
    finally:
        end.set()
        reader.join()
    assert asked >= 3, "Others are answered while it lasts."
    assert all(len(page["items"]) == page["total"] == 100 for page in answers)
    assert total(hub) == count + 100
    assert bulk(hub, action="restore", undo=done["undo"])["changed"] == 0
    # 500 rows a commit, the log is moved into the file meanwhile.
    assert log.stat().st_size < 64 << 20
    sources = hub.get("/sources?limit=100")["items"]
    assert sum(source["count"] for source in sources) == count + 100
    assert json.dumps(hub.get("/hub")["storage"].get("trouble")) == "null"


def test_a_page_imports_a_file(hub, open_page, tmp_path):
    fill(hub, 3)
    hub.start()
    page = open_page("history")
    expect(page.locator(".counts")).to_have_text("3 sources")
    file = tmp_path / "more.csv"
    rows = [f"2026-11-22T10:00:0{index}Z,Ring,00:11:22:33:55:0{index},porch-{index},-60,0.9" for index in range(4)]
    file.write_text("\n".join(["timestamp,device_type,mac_address,ssid,rssi,confidence", *rows, "never,Ring,,x,-60,0.9\n"]))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Import", exact=True).click()
    chooser.value.set_files(file)
    told = page.get_by_role("dialog", name="Imported")
    expect(told).to_contain_text("4 new detections, 1 that could not be used")
    expect(told.locator(".faults")).to_contain_text("Line 6: ")
    page.keyboard.press("Escape")
    expect(page.locator(".counts")).to_have_text("7 sources")
    assert total(hub) == 7
