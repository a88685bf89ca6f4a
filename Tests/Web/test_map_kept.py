# SPDX-License-Identifier: Apache-2.0
"""What an engine of the pages keeps for the map: drives and sets of known cameras come back as they were, and a hub that
imports what was recorded has the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from engine_and_hub import Engine, Served
from engine_pair import NATIVE, SITE
from seeded_map import METRE, TOWN, box, cameras, now
from test_map_same import is_near

pytestmark = [
    pytest.mark.skipif(not (SITE / "engine.wasm").exists(), reason="Scripts/build-web has not made the site"),
    pytest.mark.skipif(not NATIVE.exists(), reason="lantern-engine is not built"),
]
STORES = ("settings", "sources", "detections", "drives", "known")
SPEED = 12


def go(engine: Engine, seconds: int, metres: float) -> None:
    """Tells the engine where its browser is, once a second; that moves to the north."""
    for _ in range(seconds):
        engine.wait(1)
        engine.north = getattr(engine, "north", TOWN[0]) + metres * METRE
        place = {"latitude": engine.north, "longitude": TOWN[1], "accuracy": 4, "speed": metres, "heading": 0}
        assert engine.ask("POST", "/position", body=place)["status"] < 300


@pytest.fixture(scope="module")
def driven():
    """An engine that has been on two drives, with detections and a set of known cameras."""
    engine = Engine(now())
    change = {"location": {"source": "browser"}}
    assert engine.ask("PATCH", "/settings", body=change, if_match="*")["status"] == 200
    go(engine, 5, 0)
    go(engine, 40, SPEED)
    row = {
        "device_type": "Ring", "mac_address": "A4:83:E7:00:00:01", "rssi": -60, "confidence": 0.9, "key": "a" * 32,
        "location": {"latitude": engine.north, "longitude": TOWN[1]},
    }  # fmt: skip
    moment = engine.ask("GET", "/hub")["value"]["time"]
    rows = [row | {"timestamp": moment}, row | {"timestamp": moment, "key": "b" * 32, "mac_address": "A4:83:E7:00:00:02"}]
    assert engine.give("/imports", json.dumps({"detections": rows}))["value"]["imported"] == 2
    go(engine, 20, SPEED)
    # Five minutes of rest end a drive.
    go(engine, 320, 0)
    go(engine, 30, SPEED)
    go(engine, 320, 0)
    assert engine.give("/map/known", cameras(4, 60), name="Others", origin="o")["value"]["cameras"] == 60
    yield engine
    engine.close()


def routes(engine: Engine, *place: float) -> list[dict[str, Any]]:
    """The ways around a place, the newest last."""
    return engine.ask("GET", "/map/routes", filter={"box": box(*(place or TOWN), 14), "zoom": 14})["value"]["routes"]


def test_drives_are_recorded(driven):
    first, second = routes(driven)
    assert first["begin"] < first["end"] < second["begin"] and first["drive"] < second["drive"]
    assert abs(first["metres"] - 60 * SPEED) < 30 and abs(second["metres"] - 30 * SPEED) < 30
    way = first["points"]
    assert way[0][0] < way[-1][0] and all(abs(longitude - TOWN[1]) < 1e-6 for _, longitude in way)
    assert routes(driven, 0, 0) == []


def restored(engine: Engine, kept: dict[str, dict[Any, str]]) -> Engine:
    """Another engine that is given what was kept, in the parts in which the page gives it."""
    other = Engine(now())
    other.wall, other.milliseconds = engine.wall, engine.milliseconds
    listed = lambda store: f"[{','.join(kept[store].values())}]"  # noqa: E731
    texts = [f'{{"settings":{json.dumps(kept["settings"])},"sources":{listed("sources")},"ids":[]}}']
    texts += [f'{{"known":[{row}],"ids":[]}}' for row in kept["known"].values()]
    texts.append(f'{{"drives":{listed("drives")},"ids":[]}}')
    texts.append(f'{{"ids":{json.dumps(list(kept["detections"]))}}}\x1e{{"detections":{listed("detections")}}}')
    for text in texts:
        other.tell("restore " + text)
    other.wait(1)
    return other


def test_what_was_kept_comes_back_the_same(driven):
    kept = driven.rows(*STORES)
    assert len(kept["drives"]) >= 2 and list(kept["known"]) == ["Others"] and len(kept["detections"]) == 2
    # The rows of a store that is read in parts are in the order of their numbers.
    assert list(kept["drives"]) == sorted(kept["drives"])
    other = restored(driven, kept)
    for path, values in [
        ("/map/known/sets", {}), ("/map/known", {"box": "-180,-90,180,90"}),
        ("/map/routes", {"box": box(*TOWN, 14), "zoom": 14}), ("/map", {"box": box(*TOWN, 14), "zoom": 14, "heat": True}),
        ("/detections", {}),
    ]:  # fmt: skip
        ours, theirs = (one.ask("GET", path, filter=values)["value"] for one in (driven, other))
        assert ours == theirs, path
    # What begins now has a number of its own.
    go(other, 30, SPEED)
    assert len({one["drive"] for one in routes(other)}) == 3
    other.close()


def test_what_is_removed_is_no_longer_kept(driven):
    other = restored(driven, driven.rows(*STORES))
    before = len(other.told)
    assert other.ask("DELETE", "/map/known", filter={"name": "Others"})["status"] < 300
    gone = {(one["keep"], one["id"]) for one in other.told[before:] if one.get("keep") == "known" and one["row"] is None}
    assert gone == {("known", "Others")}
    other.close()


def test_a_hub_imports_the_drives_of_a_browser(driven, tmp_path):
    for ending in ("json", "gpx"):
        text = driven.ask("GET", f"/exports/detections.{ending}")["value"]["text"]
        (tmp_path / f"recorded.{ending}").write_text(text)
    served = Served(tmp_path, tmp_path / "recorded.json")
    try:
        taken = served.bring(tmp_path / "recorded.gpx")
        assert (taken["drives"], taken["known_drives"]) == (2, 0), taken
        taken = served.bring(tmp_path / "recorded.gpx")
        assert (taken["drives"], taken["known_drives"]) == (0, 2), taken
        assert [one["sources_new"] for one in served.ask("/drives")["drives"]] == [0, 2]
        ways = served.ask("/map/routes", box=box(*TOWN, 14), zoom=14)["routes"]
        numberless = lambda one: {key: value for key, value in one.items() if key != "drive"}  # noqa: E731
        assert is_near([numberless(one) for one in routes(driven)], [numberless(one) for one in ways]), (routes(driven), ways)
        # And back: another browser has the same.
        other = Engine(now())
        taken = other.give("/imports", (tmp_path / "recorded.gpx").read_text())["value"]
        assert (taken["drives"], taken["known_drives"]) == (2, 0), taken
        assert is_near([numberless(one) for one in routes(driven)], [numberless(one) for one in routes(other)])
        other.close()
    finally:
        served.hub.stop()
