# SPDX-License-Identifier: Apache-2.0
"""The nights in which the clocks change, on the page Nightlights."""

import pytest
from lamp_world import hub  # noqa: F401
from playwright.sync_api import expect
from test_nightlights import go

AMBER = "#ff8800"


def night_of(before: str, date: str = "2026-10-24", off: str = "2026-10-25T07:00:00+01:00") -> dict:
    """From noon to noon of a night that ends in Berlin's winter."""
    on, end = f"{date}T19:30:00{before}", f"{off[:10]}T12:00:00{off[19:]}"
    shines = [{"from": on, "to": off, "color": AMBER, "source": "week"}, {"from": off, "to": end, "color": "#000000", "source": "off"}]
    change = {"2026-10-24+02:00": "2026-10-25T02:00:00+01:00", "2027-03-27+01:00": "2027-03-28T03:00:00+02:00"}.get(date + before)
    return {"date": date, "from": f"{date}T12:00:00{before}", "to": end, "clock_change": change, "shines": shines}


@pytest.mark.parametrize("before,words", [("+02:00", " at 03:00."), ("+01:00", " at 03:00, before this night.")])
def test_a_preview_says_when_the_clock_changes(hub, open_page, before, words):
    change = f"The clock goes back by 1 h on Sunday{words}"
    page = open_page("scanner")
    answer = {"night": night_of(before), "conflicts": [], "clock_change": change}
    page.route("**/light-preview", lambda route: route.fulfill(json=answer))
    go(page, "/week")
    expect(page.locator(".preview-words")).to_have_text(
        f"Saturday 24 October 2026. From noon to noon it shines 19:30 to 07:00. The clock goes back by 1 h on Sunday{words}"
    )


CLOCKS = """async ([night, moments]) => {
    const { NightScale } = await import("/pages/nightlights-time.js"), scale = new NightScale(night);
    return moments.map((one) => scale.clock(Date.parse(one)));
}"""


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Tokyo"])
def test_markers_have_the_time_of_the_clock_in_such_a_night(hub, open_page, zone):
    """A light that shines through the change: a marker that is moved to 06:55 is not an hour beside it."""
    page = open_page("scanner", timezone_id=zone)
    autumn = page.evaluate(CLOCKS, [night_of("+02:00"), ["2026-10-24T21:00Z", "2026-10-25T00:59Z", "2026-10-25T06:00Z", "2026-10-25T09:00Z"]])
    assert autumn == ["23:00", "02:59", "07:00", "10:00"]
    spring = night_of("+01:00", "2027-03-27", "2027-03-28T07:00:00+02:00")
    assert page.evaluate(CLOCKS, [spring, ["2027-03-28T00:59Z", "2027-03-28T05:00Z"]]) == ["01:59", "07:00"]
    assert page.evaluate(CLOCKS, [night_of("+02:00"), ["2026-10-25T01:00Z", "2026-10-25T05:55Z"]]) == ["02:00", "06:55"]
    assert page.evaluate(CLOCKS, [spring, ["2027-03-28T01:00Z", "2027-03-28T04:55Z"]]) == ["03:00", "06:55"]
