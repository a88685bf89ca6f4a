# SPDX-License-Identifier: Apache-2.0
"""Sets of cameras that others know, as they come and go in Settings."""

import json
import re

from map_world import hub  # noqa: F401
from playwright.sync_api import expect


def geojson(*latitudes: int) -> str:
    """A file with a camera at each of these."""
    features = [
        {"type": "Feature", "id": f"node/{at}", "properties": {"man_made": "surveillance"},
         "geometry": {"type": "Point", "coordinates": [8.7, at]}}
        for at in latitudes
    ]  # fmt: skip
    return json.dumps({"type": "FeatureCollection", "features": features})


def test_that_overpass_gave_up_is_told(hub, open_page, size, tmp_path):
    page = open_page("settings/map", size)
    file = tmp_path / "town.json"
    node = {"type": "node", "id": 1, "lat": 52.1, "lon": 8.7, "tags": {"man_made": "surveillance"}}
    file.write_text(json.dumps({"version": 0.6, "generator": "Overpass API", "elements": [node], "remark": "Query timed out"}))
    page.locator("input[data-known]").set_input_files(file)
    told = page.get_by_role("dialog", name="Imported")
    expect(told).to_contain_text("town: 1 camera.")
    note = "The answer of Overpass is incomplete: Query timed out. Ask it again for a smaller area."
    expect(told.get_by_text(note, exact=True)).to_be_visible()
    expect(told.locator(".faults")).to_have_count(0)


def test_a_set_of_known_cameras_comes_and_goes(hub, open_page, size, tmp_path):
    page = open_page("settings/map", size)
    expect(page.get_by_text("2 cameras, overpass-ide, added")).to_be_visible()
    file = tmp_path / "<b>street\u202e.geojson"
    file.write_text("hello")
    chooser = page.locator("input[data-known]")
    chooser.set_input_files(file)
    expect(page.locator(".toast")).to_contain_text(re.compile("line 1, it is neither GeoJSON, .*Nothing was changed."))
    file.write_text(geojson(51, 52, 200))
    chooser.set_input_files(file)
    told = page.get_by_role("dialog", name="Imported")
    expect(told).to_contain_text("<b>street[U+202E]: 2 cameras. 1 entry could not be used.")
    expect(told.locator(".faults")).to_have_text("Line 1: its latitude, which comes second, must be a number from -90 to 90")
    page.keyboard.press("Escape")
    expect(page.locator(".known-sets .setting")).to_have_count(2)
    sets = lambda: [one["name"] for one in hub.get("/map/known/sets")["sets"]]  # noqa: E731
    assert sets() == ["<b>street\u202e", "DeFlock"]
    file.write_text(geojson(51))
    chooser.set_input_files(file)
    expect(page.locator(".toast")).to_have_text("<b>street[U+202E]: 1 camera in the place of 2.")
    page.get_by_role("button", name="Remove DeFlock").click()
    dialog = page.get_by_role("dialog", name="Remove DeFlock?")
    dialog.get_by_role("button", name="Keep it").click()
    assert "DeFlock" in sets()
    page.get_by_role("button", name="Remove DeFlock").click()
    dialog.get_by_role("button", name="Remove").click()
    expect(page.locator(".known-sets .setting")).to_have_count(1)
    assert sets() == ["<b>street\u202e"]
