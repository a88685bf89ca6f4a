# SPDX-License-Identifier: Apache-2.0
"""Kits, virtual air and Companion in WebAssembly give what they give natively: golden octets, what the fuzzers have kept, the
fixtures of the kits' tests, the air of a seed, and nights against `lantern nightlight simulate`."""

from __future__ import annotations

import json
import random
import subprocess
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from engine_pair import NATIVE, ROOT, SITE, WALL, Air, Browser
from real_hub import binary

from peers.schedule_table import ASKED, SCHEDULES, instant

pytestmark = [
    pytest.mark.skipif(not (SITE / "engine.wasm").exists(), reason="Scripts/build-web has not made the site"),
    pytest.mark.skipif(not NATIVE.exists(), reason="lantern-engine is not built"),
]
CORPUS = ROOT / "Fuzz/Corpus"
# Worked out by hand from the documents: what each kind of device sends by itself, by what it is sent as.
GOLDEN = {
    "wifiset": [
        "01040000", "020510000c4d794e6574776f726b322e34c80206", "0306010001", "1107010000",
        "210a130003c8c0a801640c4d794e6574776f726b322e34", "ff0b0900050774696d656f7574",
    ],
    "nightlight": [
        "01065363686f6f6c021f019204a401ff880000006001ce04e00120104001" + "5a", "01030174048601102030" + "0000",
        "010002" + "1f006000", "01ff8800b202",
    ],
    "bulb": ["66042341200001ff5c9e000199", "6604244120" + "00" * 7 + "99"],
    "flockfinder": [
        json.dumps({"type": "Ring", "rssi": -61, "confidence": 0.9, "mac": "AA:BB:CC:00:00:01"}).encode().hex() + "0a",
        json.dumps({"type": "flock_camera", "ssid": "Café 📷", "rssi": -61, "ts": 4821}, ensure_ascii=False).encode().hex() + "0a",
    ],
    "improv": ["02", "0301010004", "010d"],
}  # fmt: skip
WORK = {"wifiset": "wifi", "improv": "wifi", "nightlight": "nightlight", "bulb": "bulb", "flockfinder": None}
# Of what several pages may have in hand, which page that is.
VIEWER = {"nightlight": {"page": "one"}, "bulb": {"page": "one"}}


def corpus(name: str, count: int) -> list[bytes]:
    """What a fuzzer has kept: every so manieth line."""
    lines = (CORPUS / f"{name}.hex").read_text().split()
    return [bytes.fromhex(one) for one in lines[:: max(1, len(lines) // count)]]


@pytest.fixture(scope="module")
def saved() -> dict[str, dict]:
    """Every device of the air as it is explored, which is compared on the way."""
    air, found = Air(7), {}
    names = {"WiFiSet": "wifiset", "Nightlight": "nightlight", "Triones": "bulb", "FlockFinder": "flockfinder", "HR strap": "strap", "Improv": "improv"}
    heard = air.ask("GET", "/scan/devices")["value"]["items"]
    for one in heard:
        if not one["connectable"]:
            continue
        air.ask("POST", f"/devices/{one['id']}/disconnect")
        air.wait(2)
        begun = air.ask("POST", f"/devices/{one['id']}/explorer")
        if begun["status"] != 200:
            continue
        job = begun["value"]["job"]["id"]
        for _ in range(30):
            air.wait(1)
            if air.ask("GET", f"/explorers/{job}")["value"]["explorer"]["step"] == "ready":
                break
        entry = air.ask("POST", f"/explorers/{job}/save", body={"name": ""})
        if entry["status"] == 200:
            file = air.ask("GET", f"/saves/{entry['value']['id']}/file")["value"]
            key = next((kind for part, kind in names.items() if part in (one["name"] or "")), None)
            found[key or f"{one['name']} {one['id']}"] = file
        air.ask("DELETE", f"/jobs/{job}")
        air.wait(2)
    air.close()
    return found


@pytest.mark.parametrize("seed", [7, 1000])
def test_the_air_of_a_seed_is_the_same(seed):
    air = Air(seed)
    jobs = []
    for kind, work in WORK.items():
        if kind not in ("improv", "flockfinder"):
            jobs.append((kind, air.ask("POST", f"/devices/{air.device(kind)}/{work}", filter=VIEWER.get(work))))
    assert [one["status"] for _, one in jobs] == [200] * len(jobs)
    air.wait(60)
    for _, begun in jobs:
        value = begun["value"]
        air.ask("POST", f"/jobs/{value['job']['id']}/keep")
    dice = random.Random(seed)
    for _ in range(30):
        kind, begun = dice.choice(jobs)
        job = begun["value"]["job"]["id"]
        if kind == "bulb":
            air.ask("POST", f"/bulbs/{job}/commands", body={"command": "color", "color": f"#{dice.randrange(1 << 24):06x}"})
        elif kind == "nightlight":
            air.ask("POST", f"/nightlights/{job}/proof", body={"color": f"#{dice.randrange(1 << 24):06x}", "leds": [0]})
        else:
            air.ask("POST", f"/wifi/{job}/networks")
        air.ask("POST", f"/jobs/{job}/keep")
        air.wait(dice.choice([0.04, 0.5, 3]), 0.04)
    air.wait(300, 5)
    for path in ("/devices", "/detections", "/sources", "/overflow", "/scan/devices", "/hub"):
        assert air.ask("GET", path)["status"] == 200
    assert air.lines > 1000 and air.octets > 500_000, (air.lines, air.octets)
    air.close()


def test_every_device_was_explored(saved):
    assert {"wifiset", "improv", "nightlight", "bulb", "flockfinder", "strap"} <= set(saved)


@pytest.mark.parametrize("kind", list(WORK))
def test_golden_octets_and_what_fuzzers_have_kept(saved, kind):
    device = saved[kind]
    names = {"flockfinder": ["detection_json"], "wifiset": ["wifiset"], "improv": ["improv"], "nightlight": ["nightlight"], "bulb": ["bulb"]}
    browser = Browser(3, device)
    browser.choose()
    browser.wait(2)
    if WORK[kind]:
        [one] = browser.ask("GET", "/devices")["value"]["items"]
        begun = browser.ask("POST", f"/devices/{one['id']}/{WORK[kind]}", filter=VIEWER.get(WORK[kind]))
        assert begun["status"] == 200, begun
    browser.wait(3)
    assert browser.link, "it was never connected to"
    handles = [
        one["handle"] for service in browser.services for one in service["characteristics"] if one["properties"] & 48
    ]
    for size in (512, 20):
        for text in GOLDEN[kind]:
            for handle in handles:
                browser.send(handle, bytes.fromhex(text), size)
    browser.wait(1)
    for octets in corpus(names[kind][0], 60):
        for handle in handles:
            browser.send(handle, octets[:2048], 180)
        browser.wait(0.5, 0.5)
    # What was wrong may have ended the link; it is begun again.
    browser.radio("lost", link=browser.link)
    browser.wait(20)
    assert browser.lines > 20
    browser.close()


def test_advertisements_of_the_fixtures_and_the_fuzzer(saved):
    browser = Browser(5, saved["flockfinder"])
    browser.radio("state", state="ready")
    fixture = json.loads((ROOT / "Tests/FlockFinderTests/Fixtures/advertisements.json").read_text())
    devices = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(len(fixture) + 60)]
    browser.radio("permitted", devices=devices)
    for device, one in zip(devices, fixture):
        browser.radio("heard", device=device, name=one.get("name"), services=one.get("services", []), rssi=-60)
    for device, octets in zip(devices[len(fixture) :], corpus("ad", 60)):
        data = octets[:100].hex()
        browser.radio("heard", device=device, name=data[:20], rssi=-70, manufacturer=[{"company": 76, "data": data}])
    browser.wait(5)
    assert len(browser.ask("GET", "/scan/devices")["value"]["items"]) > 60
    browser.close()


def zone(name: str, around: date) -> dict:
    """A time zone as a page tells it to its engine."""
    there = ZoneInfo(name)
    offset = lambda moment: int(datetime.fromtimestamp(moment, there).utcoffset().total_seconds())  # noqa: E731
    begin = int(datetime(around.year - 1, 1, 1, tzinfo=timezone.utc).timestamp())
    changes, offsets = [], [offset(begin)]
    for start in range(begin, begin + 3 * 366 * 86400, 86400):
        low, high = start, start + 86400
        if offset(low) == offset(high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(middle) == offset(start) else (low, middle)
        changes.append([high, offset(high)])
        offsets.append(offset(high))
    return {"name": name, "offset": offsets[0], "standard_offset": min(offsets), "changes": changes}


def test_128_nights_are_those_of_simulate(tmp_path):
    dice = random.Random(17)
    clock = lambda value: f"{value // 60 % 24:02}:{value % 60:02}"  # noqa: E731
    zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Santiago"]
    turns = [date(2027, 3, 27), date(2027, 3, 28), date(2027, 10, 30), date(2027, 10, 31), date(2027, 4, 3), date(2027, 11, 6)]
    air = Air(1)
    file = tmp_path / "week.json"
    for number in range(128):
        groups = []
        for days in (["mon", "tue", "wed", "thu"], ["fri"], ["sat", "sun"]):
            on, off = dice.randrange(16 * 60, 23 * 60), dice.randrange(0, 15 * 60)
            period = {"on": clock(on), "off": clock(off), "color": f"#{dice.randrange(1, 1 << 24):06x}"}
            period["timeout_minutes"] = dice.choice([None, None, 90, 255])
            groups.append({"days": days, "periods": [period] if dice.random() < 0.9 else []})
        week = {"name": "Any", "groups": groups}
        day = dice.choice(turns) if number % 2 else date(2026, 1, 1) + timedelta(days=dice.randrange(700))
        name = dice.choice(zones)
        assert air.ask("POST", "/zone", body=zone(name, day))["status"] == 204
        answer = air.ask("POST", "/light-preview", body={"week": week, "date": day.isoformat(), "time_zone": name})
        file.write_text(json.dumps(week))
        run = subprocess.run(
            [binary(), "nightlight", "simulate", "--week", file, "--date", day.isoformat(), "--time-zone", name, "--json"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        told = [{key: one[key] for key in ("from", "to", "source", "color")} for one in lines]
        assert answer["value"]["stretches"] == told, (number, day, name)
    air.close()


def test_the_table_of_schedules_is_what_engines_show():
    """Cases that were worked out by hand; both engines are asked for each, and what they answer is the same."""
    air, shown = Air(1), 0
    for section in ASKED:
        week, name, tonight, days, since = section.use.groups()
        for case in section.cases:
            day, clock, offset, off, source, color, *_ = case.groups()
            around = date.fromisoformat(day)
            assert air.ask("POST", "/zone", body=zone(name, around))["status"] == 204
            body = {"week": SCHEDULES["week", week], "date": day, "time_zone": name}
            if tonight:
                body |= {"tonight": SCHEDULES["tonight", tonight], "tonight_days": int(days), "from": since}
            answer = air.ask("POST", "/light-preview", body=body)["value"]
            at = instant(name, day, clock, offset).timestamp()
            if not offset and f"{datetime.fromtimestamp(at, ZoneInfo(name)):%H:%M}" != clock:
                # No preview has a time that the clock skips.
                continue
            moment = lambda text: datetime.fromisoformat(text).timestamp()  # noqa: E731
            [one] = [one for one in answer["stretches"] if moment(one["from"]) <= at < moment(one["to"])]
            assert (one["source"], one["color"]) == (("off", "#000000") if off else (source, color)), case[0]
            shown += 1
    air.close()
    assert shown >= 90


def test_what_is_kept_comes_back_the_same(saved):
    browser = Browser(9, saved["flockfinder"])
    browser.choose()
    browser.wait(2)
    detection = browser.handles["beb5483e-36e1-4688-b7f5-ea07361b26a8"]
    for number in range(40):
        row = {"type": "Ring", "rssi": -61, "confidence": 0.9, "mac": f"AA:BB:CC:00:00:{number % 7:02X}"}
        browser.send(detection, json.dumps(row).encode() + b"\n", 20)
    browser.ask("PATCH", "/sources/2", body={"mine": True, "note": "Gate “1”"})
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    week = {"name": "Any", "groups": [{"days": days, "periods": [{"on": "19:30", "off": "07:00", "color": "#ff8800"}]}]}
    assert browser.ask("POST", "/light-schedules", body={"week": week})["status"] == 200
    browser.wait(3)
    rows: dict[str, dict] = {}
    for one in browser.told:
        if "keep" in one:
            rows.setdefault(one["keep"], {})[one["id"]] = one["row"]
    assert len(rows["detections"]) == 40 and "schedule.1" in rows["settings"]
    other = Browser(10, saved["flockfinder"])
    head = {"settings": rows["settings"], "sources": [json.loads(row) for row in rows["sources"].values()], "ids": list(rows["detections"])}
    text = json.dumps(head, ensure_ascii=False) + "\x1e" + f'{{"detections":[{",".join(rows["detections"].values())}]}}'
    other.tell("restore " + text)
    for path in ("/detections", "/light-schedules", "/exports/detections.csv"):
        assert other.ask("GET", path)["value"] == browser.ask("GET", path)["value"], path
    browser.close()
    other.close()
