# SPDX-License-Identifier: Apache-2.0
"""The text of assigned numbers that a page without a hub fetches: it is whole and in order, or not taken at all."""

import pytest
from conftest import until
from engine_pair import in_node
from playwright.sync_api import expect
from test_explorer import rows
from test_site import hub, pytestmark

__all__ = ["hub", "pytestmark"]
END = "\u001e~\u001e"


def test_the_engine_says_what_is_wrong_with_a_text():
    engine = in_node()
    try:
        for text, answer in (
            ("company 004c Apple", "the end of the text of assigned numbers is missing"),
            ("<!doctype html>" + END, "line 1 of the assigned numbers is not a kind, a number and a name"),
            ("type 02 A\u001etype 01 B" + END, "line 2 of the assigned numbers is not in order"),
            ("type 01 " + "x" * 1_000_000 + END, "the text of assigned numbers is too long"),
            ("type 01 Flags" + END, "taken"),
        ):
            assert engine.tell(f"names {text}") == [answer]
    finally:
        engine.close()


@pytest.mark.parametrize("body", ["<!doctype html>\n<title>Not found</title>\n", "service 180d Heart Rate\n"])
def test_a_page_whose_numbers_are_broken_shows_numbers(hub, chromium, body):
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.route("**/assigned-numbers.txt", lambda route: route.fulfill(body=body, content_type="text/plain"))
    page.goto(f"{hub.address}/#/explorer")
    until(page, lambda: any(name.startswith("HR strap") for name in rows(page)), 30)
    page.get_by_text("HR strap").first.click()
    page.get_by_role("button", name="Connect").filter(visible=True).first.click()
    expect(page.locator("main")).to_contain_text("180D", timeout=20000, ignore_case=True)
    expect(page.locator("main")).not_to_contain_text("Heart Rate Measurement")
    assert [line for line in said if line.startswith("Numbers have no names: ")]
    context.close()
