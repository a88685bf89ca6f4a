# SPDX-License-Identifier: Apache-2.0
"""A device that notifies a thousand times a second: the page stays usable, nothing grows, what is not shown is counted."""

import json
import subprocess
import time

import pytest
from conftest import until
from playwright.sync_api import expect
from real_hub import RealHub, binary, free_port
from explorer_strap import item, visible
from test_explorer_demo import explore, work

SENT = 12_000
"""Values that the device sends, one each millisecond."""
KEPT = 10_000
"""Values that the hub's log keeps."""
HANDLE = 6
DEVICE = {"name": "Flood", "advertised_services": ["180d"], "services": [
    {"uuid": "1800", "characteristics": [{"uuid": "2a00", "properties": ["read"], "text": "Flood"}]},
    {"uuid": "180d", "characteristics": [
        {"uuid": "2a37", "properties": ["notify"], "descriptors": [{"uuid": "2902"}]},
        {"uuid": "2a38", "properties": ["read"], "value": "01"}]},
]}  # fmt: skip


@pytest.fixture
def hub(tmp_path):
    """A hub on a served virtual air, and the device on the other controller of it."""
    (tmp_path / "flood.json").write_text(json.dumps(DEVICE))
    lines = ({"handle": HANDLE, "value": f"06{50 + step % 100:02x}", "after_ms": 1} for step in range(SENT))
    (tmp_path / "flood.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    port, programs = free_port(2), []

    def run(*arguments: str) -> None:
        with open(tmp_path / f"{arguments[0]}.txt", "wb") as log:
            programs.append(subprocess.Popen([binary(), *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    run("radio", "serve", "--port", str(port))
    one = RealHub(tmp_path, "--radio", f"tcp:127.0.0.1:{port + 1}")
    try:
        time.sleep(1)
        tree, recording = tmp_path / "flood.json", tmp_path / "flood.jsonl"
        run("device", "run", "replay", "--tree", str(tree), "--recording", str(recording), "--radio", f"tcp:127.0.0.1:{port}")
        one.start()
        yield one
    finally:
        if one.process:
            one.stop()
        for program in reversed(programs):
            program.terminate()
            program.wait(10)


def resident(process) -> int:
    """Memory of a process in MB."""
    lines = open(f"/proc/{process.pid}/status").read().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024


def heap(page) -> float:
    """What the page's scripts hold, in MB."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6


def processor_time(page):
    """A function that says for how many seconds the page's thread has worked: what others do meanwhile does not count."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def seconds() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "TaskDuration")

    return seconds


def test_a_thousand_values_a_second(hub, open_page):
    page = open_page("explorer")
    explore(hub, page, "Flood")
    device = next(one for one in hub.get("/scan/devices")["items"] if one["name"] == "Flood")["id"]
    busy = processor_time(page)
    begun = busy()
    item(page, "Heart Rate Measurement").click()
    values = lambda: work(hub, device)["values"]
    visible(page, "Listen").click()
    hub.until(lambda: values() > 2000, 60)
    first, memory, used = (time.monotonic(), values()), resident(hub.process), heap(page)
    # While it goes on another value is looked at, and this one again.
    page.keyboard.press("Escape")
    item(page, "Body Sensor Location").click()
    expect(page.get_by_role("complementary", name="Value").get_by_role("definition").filter(has_text="Chest")).to_be_visible(timeout=2000)
    page.keyboard.press("Escape")
    item(page, "Heart Rate Measurement").click()
    expect(page.get_by_role("img", name="The last minute: 50 to 149")).to_be_visible()
    hub.until(lambda: values() > SENT * 2 // 3, 90)
    rate = (values() - first[1]) / (time.monotonic() - first[0])
    worked = busy() - begun
    print(f"{rate:.0f} values a second, the page worked {worked:.1f} s, hub {memory} MB, page {used} MB")
    assert page.locator(".value-log li").count() <= 100
    hub.until(lambda: values() == SENT + len(hub.get(f"/explorers/{work(hub, device)['job']['id']}/log?handle=9&limit=1")["items"]), 90)
    # Not one is lost, and what is not shown is counted.
    expect(page.get_by_text(f"{SENT:,} values")).to_be_visible()
    expect(page.get_by_text("The newest 100 are shown.")).to_be_visible()
    state = work(hub, device)
    assert state["log_values"] == KEPT and state["log_dropped"] == state["values"] - KEPT
    page.get_by_role("button", name="Save the log").filter(visible=True).last.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert len(download.value.path().read_text().splitlines()) >= KEPT
    # Under a second on a small machine; a page that is laid out anew for each value that it is told needs several.
    assert 0 < worked < 3
    assert resident(hub.process) < memory + 40
    assert heap(page) < used + 8
    lines = page.locator(".explorer-plot .plot-line").evaluate_all("all => all.map((one) => one.getAttribute('d') ?? '')")
    assert 100 < max(line.count("L") for line in lines) <= 2000
