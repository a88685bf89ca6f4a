# SPDX-License-Identifier: Apache-2.0
"""The colour wheel by itself: pointer, finger, keys, and what it says to a screen reader."""

from conftest import until, violations
from playwright.sync_api import expect


SHOW = """async (colour) => {
    const { colourPicker, swatches } = await import("/colour-wheel.js");
    window.told = [];
    window.picker = colourPicker({
        colour,
        label: "Colour of the lamp",
        input: (one) => told.push(["input", one]),
        change: (one) => told.push(["change", one]),
    });
    const row = swatches({ colours: ["#FF5C9E", "#FFFFFF"], chosen: "#FF5C9E", choose: (one) => told.push(["chosen", one]) });
    // By itself: no page draws over it.
    const main = document.createElement("main");
    main.append(document.createElement("h1"), picker.element, row);
    main.firstChild.textContent = "Colour";
    document.body.replaceChildren(main);
}"""


def show(open_page, size="desktop", theme="light", colour="#7C6BFF", **options):
    page = open_page("devices", size, **options)
    expect(page.get_by_role("main").locator("> *").first).to_be_visible()
    page.evaluate(SHOW, colour)
    return page, page.get_by_role("slider", name="Colour of the lamp"), page.get_by_role("slider", name="Brightness")


def told(page) -> list:
    return page.evaluate("told.splice(0)")


def at(page, right: float, down: float):
    """A place on the wheel: 1 is its rim."""
    box = page.locator(".wheel").bounding_box()
    half = box["width"] / 2
    return box["x"] + half + half * right, box["y"] + half + half * down


def test_it_is_clean(open_page, size):
    page, wheel, dimmer = show(open_page, size, bypass_csp=True, reduced_motion="reduce")
    page.wait_for_timeout(100)
    assert violations(page) == []
    expect(wheel).to_have_attribute("aria-valuetext", "Violet, hue 247°, 58% strong")
    expect(dimmer).to_have_attribute("aria-valuetext", "100%")
    assert page.get_by_role("button", name="Pink #FF5C9E").get_attribute("aria-pressed") == "true"


def test_a_pointer_chooses_hue_strength_and_white(open_page):
    page, wheel, _ = show(open_page)
    for right, down, wanted in [
        (0.99, 0, "#FF"), (-0.5, 0, "#80FFFF"), (0.25, -0.433, "#FF80FF"), (0.02, 0.03, "#FFFFFF")
    ]:
        page.mouse.move(*at(page, right, down))
        page.mouse.down()
        page.mouse.up()
        said = told(page)
        assert said[-1][0] == "change" and said[-1][1].startswith(wanted), (wanted, said)
    # Past the rim it stays at the rim, and the last word comes when it is let go.
    page.mouse.move(*at(page, 0.5, 0))
    page.mouse.down()
    page.mouse.move(*at(page, 0, 1.4), steps=4)
    assert {kind for kind, _ in told(page)} == {"input"}
    page.evaluate("picker.set('#123456')")
    assert page.evaluate("picker.colour") == "#80FF00"
    page.mouse.up()
    assert told(page) == [["change", "#80FF00"]]
    page.evaluate("picker.set('#00FF00')")
    expect(wheel).to_have_attribute("aria-valuetext", "Green, hue 120°, 100% strong")


def test_a_finger_moves_it(open_page):
    page, _, _ = show(open_page, "phone", has_touch=True, is_mobile=True)
    page.touchscreen.tap(*at(page, 0, -0.95))
    said = told(page)
    assert said[-1][0] == "change" and said[-1][1].startswith("#8"), said
    # A finger that goes on over the wheel does not scroll the page.
    assert page.locator(".wheel").evaluate("one => getComputedStyle(one).touchAction") == "none"


def test_keys_turn_it_dim_it_and_make_it_white(open_page):
    page, wheel, dimmer = show(open_page, colour="#FF0000")
    wheel.focus()
    page.keyboard.press("ArrowRight")
    expect(wheel).to_have_attribute("aria-valuenow", "5")
    page.keyboard.press("Shift+ArrowLeft")
    expect(wheel).to_have_attribute("aria-valuenow", "4")
    page.keyboard.press("PageDown")
    expect(wheel).to_have_attribute("aria-valuetext", "Pink, hue 334°, 100% strong")
    page.keyboard.press("ArrowDown")
    expect(wheel).to_have_attribute("aria-valuetext", "Pink, hue 334°, 95% strong")
    page.keyboard.press("Home")
    expect(wheel).to_have_attribute("aria-valuetext", "White")
    page.keyboard.press("Tab")
    expect(dimmer).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(dimmer).to_have_attribute("aria-valuetext", "99%")
    assert told(page)[-1] == ["change", "#FCFCFC"]
    # Black keeps its hue: what comes back from the dark is the colour that it was.
    page.evaluate("picker.set('#2040FF')")
    page.keyboard.press("Home")
    assert told(page)[-1] == ["change", "#000000"]
    page.keyboard.press("End")
    assert told(page)[-1] == ["change", "#2040FF"]


def test_one_that_is_locked_stays(open_page):
    page, wheel, dimmer = show(open_page)
    page.evaluate("picker.disable(true)")
    page.mouse.move(*at(page, 0.9, 0))
    page.mouse.down()
    page.mouse.up()
    wheel.focus()
    page.keyboard.press("ArrowRight")
    expect(dimmer).to_be_disabled()
    assert told(page) == []
    page.evaluate("picker.disable(false)")
    page.keyboard.press("ArrowRight")
    until(page, "told.length === 1")


def test_colours_go_to_and_fro_and_have_names(open_page):
    page, _, _ = show(open_page)
    broken = page.evaluate(
        """async () => {
            const { partsOf, textOf, octetsOf, colourName } = await import("/colours.js");
            const bad = [];
            for (let red = 0; red < 256; red += 15) for (let green = 0; green < 256; green += 15)
                for (let blue = 0; blue < 256; blue += 15) {
                    const text = "#" + [red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("").toUpperCase();
                    if (textOf(partsOf(text)) !== text || !colourName(text)) bad.push([text, textOf(partsOf(text))]);
                }
            return [bad.slice(0, 5), octetsOf("#12"), octetsOf(null), colourName("#7C6BFF"), colourName("#FFE2B8"),
                colourName("#FFFFFF"), colourName("#000000"), colourName("#0A0000")];
        }"""
    )
    assert broken == [[], None, None, "Violet", "Warm white", "White", "Black", "Red"]
