# SPDX-License-Identifier: Apache-2.0
"""What is written to a device through the page Explorer: asked about the first time, and refused where it cannot be meant."""

from conftest import until
from explorer_data import STRAP
from explorer_strap import asked, connect, hub, item, visible  # noqa: F401
from playwright.sync_api import expect

UNFIT = [
    ("u8", "513", "8 bits hold 0 to 255."),
    ("u16", "-1", "16 bits hold 0 to 65535."),
    ("i8", "128", "8 bits hold −128 to 127."),
    ("u32", "warm", "Type a whole number, such as 42 or 0x2A."),
    ("u8", "2.5", "Type a whole number, such as 42 or 0x2A."),
    ("f32", "warm", "Type a number, such as 21.5."),
    ("u8", "", "Type a whole number, such as 42 or 0x2A."),
]


def test_the_first_write_is_asked_about(hub, open_page, size):
    page = open_page("explorer", size)
    connect(page)
    item(page, "…0201").click()
    field = page.get_by_role("textbox", name="Value to write")
    field.fill("01 0")
    visible(page, "Write").click()
    expect(page.get_by_role("alert").filter(has_text="The last octet has only one digit")).to_be_visible()
    field.fill("01 02 fF")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"Write to {STRAP}?")
    dialog.get_by_role("button", name="Leave it").click()
    assert asked(hub, "write") == []
    visible(page, "Write").click()
    dialog.get_by_role("button", name="Write").click()
    expect(page.get_by_text("3 octets written.")).to_be_visible()
    assert asked(hub, "write") == [{"handle": 0x42, "form": "hex", "value": "0102ff", "response": True, "confirmed": True}]
    expect(item(page, "…0201")).to_contain_text("01 02 FF")
    # The second one is not; a number, without a response.
    visible(page, "Number").click()
    page.get_by_role("combobox", name="Kind of number").select_option("i16")
    field.fill("-2")
    page.get_by_role("switch", name="Wait for the device's response").uncheck()
    visible(page, "Write").click()
    until(page, lambda: len(asked(hub, "write")) == 2)
    assert asked(hub, "write")[1] == {"handle": 0x42, "form": "hex", "value": "feff", "response": False, "confirmed": False}
    # A press while a write is under way does nothing, and the hub knows of it before the page has its answer.
    expect(visible(page, "Write")).not_to_have_attribute("aria-busy", "true")
    field.fill("40000")
    visible(page, "Write").click()
    expect(page.get_by_text("16 bits hold −32768 to 32767.")).to_be_visible()
    visible(page, "Text").click()
    field.fill("ü")
    visible(page, "Write").click()
    until(page, lambda: len(asked(hub, "write")) == 3 and asked(hub, "write")[2]["value"] == "c3bc")


def test_a_number_that_does_not_fit_is_refused_beside_its_field(hub, open_page, size):
    page = open_page("explorer", size)
    connect(page)
    item(page, "…0201").click()
    visible(page, "Number").click()
    field = page.get_by_role("textbox", name="Value to write")
    refusal = page.get_by_role("region", name="Write").get_by_role("alert")
    for kind, typed, reason in UNFIT:
        page.get_by_role("combobox", name="Kind of number").select_option(kind)
        field.fill(typed)
        expect(refusal).to_have_count(0)
        visible(page, "Write").click()
        expect(refusal).to_have_text(reason)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_be_focused()
        # Right below the field, and seen.
        kinds = page.get_by_role("combobox", name="Kind of number")
        tops = [one.bounding_box()["y"] for one in (field, refusal, kinds)]
        assert tops == sorted(tops)
        expect(refusal).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert asked(hub, "write") == []
