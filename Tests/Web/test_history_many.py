# SPDX-License-Identifier: Apache-2.0
"""A hundred thousand detections in the History: more than a page's engine keeps, so that those it has are answered over and over."""

import re
import time

from datetime import datetime, timedelta, timezone

import pytest
from conftest import show_detections, spending, until
from playwright.sync_api import expect
from test_history import moment

MANY = 100_200


def row(kept: list[dict], number: int, now: datetime) -> dict:
    """The detection of a number, the newest has the highest."""
    heard = now - timedelta(minutes=1.3 * (MANY - number) + 20)
    return kept[number % len(kept)] | {"id": number, "received": heard.isoformat(timespec="milliseconds").replace("+00:00", "Z")}


@pytest.fixture
def hub(engine):
    kept, now = engine.get("/detections", limit=1000)["items"], datetime.now(timezone.utc)

    def page(filter: dict) -> tuple[int, dict]:
        start, limit = int(filter.get("cursor", 0)), int(filter.get("limit", 100))
        numbers = range(1, MANY + 1) if filter.get("sort") == "oldest" else range(MANY, 0, -1)
        items = [row(kept, number, now) for number in numbers[start : start + limit]]
        return 200, {"items": items, "total": MANY, "all": MANY, "next": str(start + limit) if start + limit < MANY else None}

    engine.faults.instead("GET /detections", page)
    engine.oldest = row(kept, 1, now)
    return engine


SCROLL = """async (list) => {
    const body = list.firstElementChild, kept = new Set(body.children), rows = new Set();
    let moved = 0, added = 0;
    const watch = (records) => {
        for (const { addedNodes } of records) {
            for (const node of addedNodes) {
                added += 1;
                if (kept.has(node)) moved += 1;
                kept.add(node);
            }
        }
    };
    const watcher = new MutationObserver(watch);
    watcher.observe(body, { childList: true });
    for (let step = 0; step < 120; step += 1) {
        list.scrollTop += step < 60 ? 200 : -120;
        await new Promise(requestAnimationFrame);
        rows.add(body.children.length);
    }
    watch(watcher.takeRecords());
    return { moved, added, most: Math.max(...rows) };
}"""


def test_a_hundred_thousand_rows(hub, open_page, size):
    page = open_page("history", size)
    show_detections(page)
    expect(page.locator(".counts")).to_have_text(re.compile(r"^100,\d\d\d detections$"), timeout=15000)
    expect(page.locator(".long-row:not(.ghost)").first).to_be_visible()
    grid = page.get_by_role("grid")
    spent = spending(page)
    before, begin = spent(), time.monotonic()
    seen = grid.evaluate(SCROLL)
    after, seconds = spent(), time.monotonic() - begin
    # A row that stays is not touched: only what comes into sight is laid out and painted.
    assert seen["moved"] == 0
    assert 50 < seen["added"] < 500
    assert seen["most"] < 60
    # Ages are told anew each second.
    assert after["LayoutCount"] - before["LayoutCount"] <= 1.2 * 120 + seconds
    # Time of the script alone: 2 ms a frame where this was written.
    assert after["ScriptDuration"] - before["ScriptDuration"] < 0.012 * 120
    assert grid.evaluate("list => list.scrollHeight") > 5_000_000
    assert int(grid.get_attribute("aria-rowcount")) > 100_000


# Counts what the page asks for at once, as it sees that itself: who only hears of requests hears of the next one before the
# end of the last.
COUNT = """() => {
    const ask = fetch;
    let running = 0;
    window.most = window.asked = 0;
    window.fetch = async (address, options) => {
        if (!address.includes("/detections?")) return ask(address, options);
        asked += 1;
        most = Math.max(most, running += 1);
        const answer = await ask(address, options), text = answer.text.bind(answer);
        answer.text = () => text().finally(() => { running -= 1; });
        return answer;
    };
}"""


def test_a_jump_asks_for_one_page_at_a_time(hub, open_page):
    page = open_page("history")
    page.get_by_role("button", name="Detections").click()
    expect(page.locator(".counts")).to_have_text(re.compile(r"^100,\d\d\d detections$"), timeout=15000)
    page.evaluate(COUNT)
    grid = page.get_by_role("grid")
    for top in (60_000, 170_000, 280_000):
        grid.evaluate("(list, top) => { list.scrollTop = top }", top)
        page.wait_for_timeout(60)
    expect(page.locator(".ghost")).to_have_count(0, timeout=15000)
    assert int(page.locator(".long-row").first.get_attribute("aria-rowindex")) > 4000
    assert page.evaluate("asked") >= 5 and page.evaluate("most") == 1


def test_the_oldest_detections_go_on_behind_each_part(hub, open_page):
    page = open_page("history")
    page.get_by_role("button", name="Detections", exact=True).click()
    page.get_by_role("button", name="Sort by time, oldest first").click()
    grid = page.get_by_role("grid")
    first = page.locator(".long-row:not(.ghost) .last").first
    expect(first).to_have_text(moment(page, hub.oldest), timeout=15000)
    grid.evaluate("list => { list.scrollTop = 170_000 }")
    expect(page.locator(".ghost")).to_have_count(0, timeout=15000)
    until(page, lambda: int(page.locator(".long-row").first.get_attribute("aria-rowindex")) > 1000)
    asked = [one for one in hub.requests if "/detections?" in one and "cursor=" in one]
    assert asked and all("sort=oldest" in one for one in asked)
