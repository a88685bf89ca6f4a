# SPDX-License-Identifier: Apache-2.0
"""The page Nightlights against `lantern demo`: a real link to the lamp of the virtual air, and the command line beside it."""

import json
import random
import re
import subprocess
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from conftest import grip, violations
from playwright.sync_api import expect
from real_hub import RealHub, binary
from test_pages import TARGETS

LAMP = "C0FFEEF11A4B"
COLOURS = ["#ff9a2e", "#ff5c9e", "#7b6cff", "#30a6ff"]
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Santiago"]


@pytest.fixture
def hub(tmp_path):
    one = RealHub(tmp_path, command="demo")
    one.start()
    one.until(lambda: [it for it in one.get("/devices")["items"] if it["kind"] == "nightlight"])
    yield one
    if one.process and one.process.poll() is None:
        assert one.stop() == 0, one.log


def dashboard(hub) -> dict:
    [job] = [it for it in hub.get("/jobs")["items"] if it["kind"] == "nightlight"]
    return hub.get(f"/nightlights/{job['id']}")


def open_lamp(open_page, tab: str = "", size: str = "desktop", theme: str = "light", **options):
    page = open_page(f"nightlights/{LAMP}{tab}", size, **options)
    expect(page.get_by_role("link", name=re.compile("Mia"))).to_be_attached(timeout=15000)
    return page


def check(page, size: str, where: str) -> None:
    page.wait_for_timeout(300)
    assert violations(page) == [], where
    assert page.locator("main").evaluate("main => main.scrollWidth <= main.clientWidth"), where
    assert page.evaluate(TARGETS, 44 if size == "phone" else 24) == [], where


def test_every_view_is_clean(hub, open_page, size):
    page = open_lamp(open_page, "", size, bypass_csp=True, reduced_motion="reduce")
    expect(page.locator(".grip").first).to_be_visible()
    check(page, size, "today")
    for tab in ("week", "button", "library", "colour"):
        page.evaluate(f"location.hash = '#/nightlights/{LAMP}/{tab}'")
        page.locator(".lamp-stage > *").first.wait_for()
        check(page, size, tab)


def marker(page, name: str = "Off"):
    return page.get_by_role("slider", name=name, exact=True).first


def test_a_marker_is_dragged_and_only_tonight_is_changed(hub, open_page, size):
    page = open_lamp(open_page, "", size)
    one = marker(page)
    expect(one).to_be_visible()
    x, y = grip(page, one)
    tonight = next(it["tonight"] for it in dashboard(hub)["night"]["periods"])
    before = one.get_attribute("aria-valuetext")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y, steps=5)
    page.mouse.up()
    assert one.get_attribute("aria-valuetext") != before
    assert int(one.get_attribute("aria-valuenow")) % 5 == 0
    off = one.get_attribute("aria-valuetext").split(", ")[1]
    expect(page.locator(".ask")).to_contain_text(f"Off at {off} instead of")
    if tonight:
        page.get_by_role("button", name="Tonight only").click()
        hub.until(lambda: (dashboard(hub)["lamp"]["tonight"] or {"periods": [{"off": ""}]})["periods"][0]["off"] == off)
        assert dashboard(hub)["lamp"]["week"]["groups"][0]["periods"][0]["off"] == "07:00"
    else:
        page.get_by_role("button", name=re.compile("^Every ")).click()
        hub.until(lambda: any(it["off"] == off for group in dashboard(hub)["lamp"]["week"]["groups"] for it in group["periods"]))
    expect(page.locator(".ask")).to_be_hidden()


def test_a_marker_is_moved_by_keys_and_taken_back(hub, open_page):
    page = open_lamp(open_page)
    one = marker(page)
    one.focus()
    start = int(one.get_attribute("aria-valuenow"))
    page.keyboard.press("ArrowLeft")
    assert int(one.get_attribute("aria-valuenow")) == start - 5
    page.keyboard.press("Shift+ArrowLeft")
    assert int(one.get_attribute("aria-valuenow")) == start - 6
    expect(page.locator(".ask")).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator(".ask")).to_be_hidden()
    assert int(marker(page).get_attribute("aria-valuenow")) == start


def test_a_finger_drags_a_marker(hub, open_page):
    page = open_lamp(open_page, "", "phone", has_touch=True)
    one = marker(page)
    expect(one).to_be_visible()
    x, y = grip(page, one)
    start = int(one.get_attribute("aria-valuenow"))
    session = page.context.new_cdp_session(page)
    point = lambda at: [{"x": at, "y": y}]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point(x)})
    for step in range(1, 6):
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": point(x - 6 * step)})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert int(marker(page).get_attribute("aria-valuenow")) < start
    expect(page.locator(".ask")).to_be_visible()


def test_a_colour_is_tried_and_ends_with_the_page(hub, open_page):
    page = open_lamp(open_page)
    page.get_by_role("button", name="Try on the lamp").click()
    expect(page.get_by_text("On the lamp now, ends by itself in")).to_be_visible()
    assert dashboard(hub)["lamp"]["source"] == "proof"
    page.get_by_role("slider", name="Colour").focus()
    page.keyboard.press("ArrowRight")
    hub.until(lambda: dashboard(hub)["lamp"]["leds"]["colors"][0] not in ("#ff8800", "#201040"))
    page.evaluate("location.hash = '#/scanner'")
    hub.until(lambda: not hub.get("/jobs")["items"])
    # What the lamp had is written down behind its link's end.
    hub.until(lambda: [it["name"] for it in hub.get("/nightlights")["items"]] == ["Mia"])


def test_a_conflict_is_marked_and_nothing_is_sent(hub, open_page):
    page = open_lamp(open_page, "/week")
    page.get_by_role("button", name="Monday to Friday, 19:30 to 07:00").click()
    page.get_by_label("Off, next day").fill("0:15")
    page.get_by_label("Off, next day").press("Enter")
    page.get_by_role("button", name="New period on Monday to Friday").click()
    page.get_by_label("On", exact=True).and_(page.locator("input")).fill("23:00")
    page.get_by_label("On", exact=True).and_(page.locator("input")).press("Enter")
    expect(page.locator(".tag-danger").first).to_be_visible()
    send = page.get_by_role("button", name="Send to Mia’s lamp")
    expect(send).to_have_attribute("aria-disabled", "true")
    assert dashboard(hub)["changes"] == 0


def test_two_people_and_one_lamp(hub, open_page):
    first, second = open_lamp(open_page), open_lamp(open_page)
    expect(first.get_by_text("Someone else has this lamp open, too.")).to_be_visible(timeout=15000)
    second.get_by_role("button", name="Switch the LEDs off").click()
    expect(first.get_by_role("heading", name="Dark, the LEDs have no power")).to_be_visible(timeout=15000)
    second.context.close()
    assert dashboard(hub)["lamp"]["leds"]["power"] is False
    hub.until(lambda: dashboard(hub)["viewers"] == 1, 60)


DRAW = """async (nights) => {
    const { previewCard } = await import("/pages/nightlights-preview.js");
    const { drawWhole } = await import("/pages/nightlights-days.js");
    const { periodBlock } = await import("/pages/nightlights-bar.js");
    const place = (one, whole, from = 0) => {
        const left = from + parseFloat(one.style.left || 0) / 100 * whole;
        return [left, left + parseFloat(one.style.width) / 100 * whole];
    };
    const all = [];
    for (const { week, day, answers } of nights) {
        const drawn = { band: [], words: [], line: [], bars: [] };
        for (const answer of answers) {
            const page = { app: {}, hub: { jobs: { previewLight: async () => answer } } };
            const { element, refresh } = previewCard(page, () => week);
            element.querySelector("input").value = answer.date;
            await refresh();
            const from = Date.parse(answer.night.from) / 60000, whole = Date.parse(answer.night.to) / 60000 - from;
            for (const one of element.querySelectorAll(".stretch")) {
                drawn.band.push([...place(one, whole, from), one.style.background]);
            }
            drawn.words.push(element.querySelector(".preview-words").textContent);
        }
        const whole = document.createElement("section");
        drawWhole(whole, {}, week, []);
        for (const one of whole.querySelectorAll(".week-line")[day].querySelectorAll(".stretch")) {
            drawn.line.push([...place(one, 1440), one.style.background]);
        }
        for (const [index, shift] of [[(day + 6) % 7, -1440], [day, 0]]) {
            const key = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][index];
            const group = week.groups.find(({ days }) => days.includes(key));
            for (const period of group.periods) {
                const { block } = periodBlock(group, period, { chosen: false, conflicts: [] });
                const [from, to] = place(block, 2160, shift), lit = block.querySelector(".period-lit");
                drawn.bars.push([...place(lit, to - from, from), lit.style.background]);
            }
        }
        all.push(drawn);
    }
    return all;
}"""


def pieces(drawn: list, least: float, most: float) -> list:
    """What is drawn between two minutes: whole minutes and colours, in order."""
    found = []
    for start, end, colour in sorted(drawn):
        start, end = round(max(start, least)), round(min(end, most))
        spelt = "#" + "".join(f"{int(part):02x}" for part in re.findall(r"[0-9]+", colour)[:3])
        # Noon, where two nights meet, is no end of a light.
        if found and found[-1][1] == start and found[-1][2] == spelt:
            found[-1] = (found[-1][0], end, spelt)
        elif start < end:
            found.append((start, end, spelt))
    return found


def change_between(begin: datetime, end: datetime, zone: str) -> datetime | None:
    """The first minute of a changed clock."""
    minute = begin.astimezone(ZoneInfo(zone))
    while minute < end:
        # Times of one zone are added to by the wall; by the moment, they go through UTC.
        later = (minute.astimezone(UTC) + timedelta(minutes=1)).astimezone(minute.tzinfo)
        if later.utcoffset() != minute.utcoffset():
            return later
        minute = later
    return None


def test_what_the_page_draws_is_what_simulate_says(hub, open_page, tmp_path):
    """128 nights: any week, any date, nights in which clocks change among them.

    The hub's answer is held against the command's; then the preview's band, the line of the whole week and the bars of the
    groups, as they are drawn, are measured.
    """
    dice = random.Random(17)
    clock = lambda value: f"{value // 60 % 24:02}:{value % 60:02}"
    changes = [date(2027, 3, 27), date(2027, 3, 28), date(2027, 10, 30), date(2027, 10, 31), date(2027, 4, 3), date(2027, 11, 6)]
    nights, said = [], []
    for number in range(128):
        groups = []
        for days in (["mon", "tue", "wed", "thu"], ["fri"], ["sat", "sun"]):
            on = dice.randrange(16 * 60, 23 * 60)
            off = dice.randrange(0, 15 * 60)
            periods = [{"on": clock(on), "off": clock(off), "color": dice.choice(COLOURS), "timeout_minutes": dice.choice([None, None, 90, 255])}]
            groups.append({"days": days, "periods": periods if dice.random() < 0.9 else []})
        week = {"name": "Any", "groups": groups}
        day = dice.choice(changes) if number % 2 else date(2026, 1, 1) + timedelta(days=dice.randrange(700))
        zone = dice.choice(ZONES)
        answers = []
        for one in (day - timedelta(days=1), day):
            body = {"week": week, "date": one.isoformat(), "time_zone": zone}
            status, answer, _ = hub.request("POST", "/api/v1/light-preview", body)
            assert status == 200, answer
            assert answer["night"]["shines"][0]["from"] == answer["night"]["from"]
            assert answer["night"]["shines"][-1]["to"] == answer["night"]["to"]
            assert answer["conflicts"] == []
            begin, end = (datetime.fromisoformat(answer["night"][key]) for key in ("from", "to"))
            change = change_between(begin, end, zone) if begin.utcoffset() != end.utcoffset() else None
            assert answer["night"]["clock_change"] == (change and change.isoformat())
            midnight = datetime.combine(one, time.min, ZoneInfo(zone))
            is_before = change_between(midnight, begin, zone) is not None
            assert (answer["clock_change"] or "").endswith(", before this night.") == is_before, (one, zone, answer["clock_change"])
            assert (answer["clock_change"] is None) == (not is_before and change is None)
            answers.append(answer)
        file = tmp_path / "week.json"
        file.write_text(json.dumps(week))
        run = subprocess.run(
            [binary(), "nightlight", "simulate", "--week", file, "--date", day.isoformat(), "--time-zone", zone, "--json"],
            capture_output=True, text=True, check=True,
        )
        told = [{key: one[key] for key in ("from", "to", "source", "color")} for one in map(json.loads, run.stdout.splitlines())]
        assert answers[1]["stretches"] == told, (number, day, zone)
        nights.append({"week": week, "day": day.weekday(), "answers": answers})
        said.append(told)
    page = open_page("devices")
    expect(page.get_by_role("main").locator("> *").first).to_be_visible()
    plain = 0
    for night, told, drawn in zip(nights, said, page.evaluate(DRAW, nights), strict=True):
        moments = [(datetime.fromisoformat(one["from"]), datetime.fromisoformat(one["to"]), one) for one in told]
        lit = [(start, end, one["color"]) for start, end, one in moments if one["source"] != "off"]
        epoch = lambda moment: moment.timestamp() / 60
        begin, end = epoch(moments[0][0]), epoch(moments[-1][1])
        wanted = [(round(epoch(start)), round(epoch(over)), colour) for start, over, colour in lit]
        assert pieces(drawn["band"], begin, end) == wanted, night
        assert all(f"{start:%H:%M} to " in drawn["words"][1] for start, _, _ in lit if start.hour >= 12), night
        if moments[0][0].utcoffset() != moments[-1][1].utcoffset() or "T00:00:00" not in told[0]["from"]:
            continue
        # The week knows no date, and so no change of the clock.
        before = datetime.fromisoformat(night["answers"][0]["night"]["from"])
        if before.utcoffset() != moments[0][0].utcoffset():
            continue
        plain += 1
        wall = [(round(start - begin), round(over - begin), colour) for start, over, colour in wanted]
        assert pieces(drawn["line"], 0, 1440) == wall, night
        # A bar ends with the next morning, as the page says.
        morning = [(start, over if start >= 720 else min(over, 720), colour) for start, over, colour in wall]
        assert pieces(drawn["bars"], 0, 1440) == morning, night
    assert plain > 64
