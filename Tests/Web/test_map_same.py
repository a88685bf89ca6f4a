# SPDX-License-Identifier: Apache-2.0
"""The engine of the pages answers what a hub answers: the same detections and known cameras go into both, and each is asked for
the same parts of the map. The engine is natively and in WebAssembly, where octets are compared."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import pytest
from engine_and_hub import Engine, Served, query
from engine_pair import NATIVE, SITE
from seeded_map import TOWN, View, box, cameras, detections, now, views

pytestmark = [
    pytest.mark.skipif(not (SITE / "engine.wasm").exists(), reason="Scripts/build-web has not made the site"),
    pytest.mark.skipif(not NATIVE.exists(), reason="lantern-engine is not built"),
]
WORLD = View("-180,-90,180,90", 1, {})
NEAR = 1e-7


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """A hub and an engine with the same detections."""
    moment, folder = now(), tmp_path_factory.mktemp("both")
    text = detections(3, moment)
    file = folder / "detections.json"
    file.write_text(text)
    engine = Engine(moment)
    taken = engine.give("/imports", text)["value"]
    assert taken["imported"] == text.count('"key"') and not taken["refused"], taken
    served = Served(folder, file)
    # Both find places behind the import, some at a time.
    there = {"place": "with", "limit": 1}
    placed = engine.ask("GET", "/sources", filter=there)["value"]["total"]
    for _ in range(200):
        if map_of(engine, WORLD)["sources"] == placed:
            break
        engine.wait(1)
    served.hub.until(lambda: served.ask("/map", box=WORLD.box, zoom=1)["sources"] == placed, 120)
    yield served, engine, moment
    served.hub.stop()
    engine.close()


def map_of(engine: Engine, view: View) -> dict[str, Any]:
    answer = engine.ask("GET", "/map", filter={"box": view.box, "zoom": view.zoom, **view.filter})
    assert answer["status"] == 200, answer
    return answer["value"]


def name(source: dict[str, Any]) -> tuple:
    """What tells a source from others, whatever its number."""
    return source["type"], source["label"], source["mac"], source["ssid"], source["first"]


def is_near(one: Any, other: Any) -> bool:
    """Whether two values are the same, degrees and metres within what doubles give."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_near(one[key], other[key]) for key in one if key != "id")
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_near, one, other))
    if isinstance(one, float) and isinstance(other, (int, float)):
        # The date line has two names.
        return abs(one - other) < NEAR or abs(abs(one - other) - 360) < NEAR
    return one == other


def assert_same(ours: list[dict[str, Any]], theirs: list[dict[str, Any]], word: str, key) -> None:
    """Holds two lists against each other, whatever their order."""
    left = defaultdict(list)
    for one in theirs:
        left[key(one)].append(one)
    for one in ours:
        candidates = left[key(one)]
        same = next((other for other in candidates if is_near(one, other)), None)
        assert same is not None, f"{word} of the engine alone: {one}\nof the hub: {candidates[:3]}"
        candidates.remove(same)
    rest = [one for many in left.values() for one in many]
    assert not rest, f"{word} of the hub alone: {rest[:3]}"


def test_the_map_is_the_same(both):
    served, engine, moment = both
    seen = defaultdict(int)
    asked = views(11, moment)
    for view in asked:
        ours = map_of(engine, view)
        theirs = served.ask("/map", box=view.box, zoom=view.zoom, **view.filter)
        said = f"{view}"
        assert ours["sources"] == theirs["sources"], said
        assert ours["progress"] is None and theirs["progress"] is None, said
        assert_same(ours["pins"], theirs["pins"], f"{said}\npin", name)
        kinds = lambda one: (one["count"], json.dumps(one["types"]))  # noqa: E731
        assert_same(ours["clusters"], theirs["clusters"], f"{said}\ncluster", kinds)
        spots = lambda view: [{"spot": one[:2], "count": one[2]} for one in view["heat"]]  # noqa: E731
        assert_same(spots(ours), spots(theirs), f"{said}\nspot", lambda one: one["count"])
        # In the order that says which is in front.
        assert [name(one) for one in ours["pins"]] == [name(one) for one in theirs["pins"]], said
        assert [one["count"] for one in ours["clusters"]] == [one["count"] for one in theirs["clusters"]], said
        for part in ("pins", "clusters", "heat"):
            seen[part] += len(ours[part])
            seen[f"views with {part}"] += bool(ours[part])
    # All of it was there to compare.
    assert len(asked) >= 60 and min(seen.values()) > 15 and seen["pins"] > 500 and seen["clusters"] > 500, seen


def test_what_is_marked_and_deleted_changes_both(both):
    served, engine, _ = both
    view = View(box(*TOWN, 14), 14, {"state": ["none"]})
    before = map_of(engine, view)["sources"]
    found = map_of(engine, View(box(*TOWN, 18), 18, {"state": ["none"]}))["pins"]
    assert len(found) > 1
    first, second = found[:2]
    whose = {name(one): one["id"] for one in served.ask("/map", box=box(*TOWN, 18), zoom=18, state="none")["pins"]}
    assert engine.ask("PATCH", f"/sources/{first['id']}", body={"muted": True})["status"] == 200
    assert served.hub.request("PATCH", f"/api/v1/sources/{whose[name(first)]}", {"muted": True})[0] == 200
    assert engine.ask("POST", "/detections/bulk", body={"action": "delete", "sources": [second["id"]]})["status"] == 200
    gone = {"action": "delete", "sources": [whose[name(second)]]}
    assert served.hub.request("POST", "/api/v1/detections/bulk", gone)[0] == 200
    assert map_of(engine, view)["sources"] == before - 2
    served.hub.until(lambda: served.ask("/map", box=view.box, zoom=view.zoom, state="none")["sources"] == before - 2)
    for wanted in (view, View(box(*TOWN, 18), 18, {"heat": True})):
        ours = map_of(engine, wanted)
        theirs = served.ask("/map", box=wanted.box, zoom=wanted.zoom, **wanted.filter)
        assert_same(ours["pins"], theirs["pins"], "pin", name)
        assert_same(ours["clusters"], theirs["clusters"], "cluster", lambda one: one["count"])


def test_a_box_is_exported_as_a_hub_does(both):
    served, engine, _ = both
    part = {"box": box(*TOWN, 15), "type": ["ring", "axis"]}
    for path in ("/sources", "/detections"):
        ours = engine.ask("GET", path, filter={**part, "limit": 1000})["value"]
        theirs = served.ask(path, **part, limit=1000)
        assert ours["total"] == theirs["total"] > 10, path
    text = engine.ask("GET", "/exports/detections.json", filter=part)["value"]["text"]
    keys = {row["key"] for row in json.loads(text)["detections"]}
    status, file, _ = served.hub.request("GET", f"/api/v1/exports/detections.json?{query(part)}")
    assert status == 200
    assert keys == {row["key"] for row in json.loads(file if isinstance(file, bytes) else json.dumps(file))["detections"]}


def test_known_cameras_are_the_same(both):
    served, engine, _ = both
    text = cameras(4, 900)
    # Small pieces, which end wherever they end.
    ours = engine.give("/map/known", text, 4099, name="Others", origin="others.geojson")
    status, theirs = served.give("/map/known", text, name="Others", origin="others.geojson")
    assert (ours["status"], status) == (200, 200), (ours, theirs)
    timeless = lambda one: {key: value for key, value in one.items() if key not in ("imported", "time")}  # noqa: E731
    assert timeless(ours["value"]) == timeless(theirs)
    assert theirs["cameras"] == 900 and theirs["passed"] == 1 and theirs["refused"] == 1
    boxes = ["-180,-90,180,90", box(*TOWN, 12), box(*TOWN, 15), box(-16.8, 180, 11), box(40, -74, 13), box(10, 10, 9)]
    numbers = []
    for part in boxes:
        mine = engine.ask("GET", "/map/known", filter={"box": part})["value"]
        other = served.ask("/map/known", box=part)
        assert mine["more"] == other["more"], part
        assert [one["reference"] for one in mine["known"]] == [one["reference"] for one in other["known"]], part
        assert is_near(mine["known"], other["known"]), part
        numbers.append((len(mine["known"]), mine["more"]))
    assert numbers[0] == (500, True) and numbers[-1] == (0, False) and all(count > 5 for count, _ in numbers[:-1]), numbers
    # The set of a name takes the place of that before it; another one stands beside it.
    for number, wanted in ((5, "Others"), (6, "A second one")):
        mine = engine.give("/map/known", cameras(number, 30), name=wanted, origin="x.geojson")["value"]
        _, other = served.give("/map/known", cameras(number, 30), name=wanted, origin="x.geojson")
        assert timeless(mine) == timeless(other) and mine["cameras"] == 30
    sets = engine.ask("GET", "/map/known/sets")["value"]["sets"]
    assert [timeless(one) for one in sets] == [timeless(one) for one in served.ask("/map/known/sets")["sets"]]
    assert [one["name"] for one in sets] == ["A second one", "Others"]
    for wanted, status in (("Others", None), ("Others", 404)):
        mine = engine.ask("DELETE", "/map/known", filter={"name": wanted})
        other, problem, _ = served.hub.request("DELETE", f"/api/v1/map/known?{query({'name': wanted})}")
        assert (mine["status"], other) == ((404, 404) if status else (mine["status"], 204)) and mine["status"] in (200, 204, 404)
        if status:
            assert mine["detail"] == problem["detail"]
    assert len(engine.ask("GET", "/map/known/sets")["value"]["sets"]) == 1


WRONG = {
    "nothing": "",
    "no camera": '{"type":"FeatureCollection","features":[]}',
    "no GeoJSON": "hello",
    "cut off": cameras(4, 20)[:3000],
    "broken at the beginning": '{"features":[{]' + " " * 9000 + "}",
    "no OSM": "<gpx></gpx>",
    "nested": "[" * 5000,
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_refused_in_the_same_words(both, text):
    served, engine, _ = both
    before = engine.ask("GET", "/map/known/sets")["value"]
    ours = engine.give("/map/known", text, 1000, name="Wrong", origin="wrong.geojson")
    status, theirs = served.give("/map/known", text, name="Wrong", origin="wrong.geojson")
    assert (ours["status"], ours.get("detail")) == (status, theirs["detail"]) and status == 422
    assert engine.ask("GET", "/map/known/sets")["value"] == before
    # The next file is read from its beginning.
    assert engine.give("/map/known", cameras(6, 3), name="Next", origin="")["value"]["cameras"] == 3
    assert engine.ask("DELETE", "/map/known", filter={"name": "Next"})["status"] in (200, 204)


HEAD = "device_type,rssi,confidence,timestamp\n"
# What each file is about, and what must be in the answer to it so that there is something to compare.
BROUGHT = {
    "rows of two kinds": (
        HEAD + "".join(f"Ring,{rssi},1,2024-01-01\n" for rssi in ("-60", "x", "y", "-61")) + "Ring,-62,1,never\n",
        "faults",
    ),
    "what is to be known": ("mac,name,rssi,method,last_seen_ms\n58:8e:81:00:00:02,FS Ext Battery,-61,ble_name,2\n", "notes"),
    "a place of no detection": ('<gpx><wpt lat="1" lon="1"><name>inn</name></wpt></gpx>', "passed"),
    "a picture of a page": ("%PDF-1.4 and so much more\n", "broken"),
    "half of a list": ('{"detections":[', "broken"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROUGHT)
def test_what_becomes_of_a_file_is_told_the_same(both, what):
    served, engine, _ = both
    text, part = BROUGHT[what]
    ours = engine.give("/imports", text, 5)
    status, theirs = served.give("/imports/detections", text)
    assert (ours["status"], status) == (200, 200), (ours, theirs)
    assert ours["value"] == theirs and theirs[part], theirs
