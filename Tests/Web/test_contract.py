# SPDX-License-Identifier: Apache-2.0
"""One contract: a hub and the engine of pages without a hub answer the same requests in the same way, and tell the same events.

Both have the same devices on a simulated air. Each kind of job is gone through on both, with good values and bad ones."""

from __future__ import annotations

import time

import pytest
from contract import Counts, EngineSide, HubSide, Script
from contract_drifts import DRIFTS
from contract_requests import (
    BATTERY, BULB, BULB_AFTERWARDS, BULB_BEGIN, CAFE, CHANGED, CHANGES, DAY, EXPLORER, EXPLORER_AFTERWARDS, LAMP,
    LAMP_AFTERWARDS, LOCKED, LONG, NAME, PREVIEWS, RATE, VALUE, WEEKS, WIFI, WIFI_AFTERWARDS, WORDS,
    at, command, cycle, log, proof, week, wifi, write,
)  # fmt: skip
from engine_pair import NATIVE

pytestmark = pytest.mark.skipif(not NATIVE.exists(), reason="lantern-engine is not built")

DEVICES = {
    "C0:FF:EE:F1:5E:71": "wifiset",
    "C0:FF:EE:46:77:68": "improv",
    "C0:FF:EE:F1:B0:1B": "bulb",
    "C0:FF:EE:F1:1A:4B": "lamp",
    "C0:FF:EE:9A:3C:2B": "strap",
}
HERE = "C0:FF:EE:F1:1A:4B"
AWAY = "C0:FF:EE:00:00:01"
NONE = 999_999

job = {"job": lambda value: value["job"]["id"]}
is_open = lambda value: value["job"]["phase"] == "open"  # noqa: E731
is_ended = lambda value: value["job"]["phase"] == "ended"  # noqa: E731


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    """A hub and an engine that have heard their devices. For the lamp it is noon wherever the test runs, so that no light comes on or goes
    off while it does."""
    ahead = time.gmtime().tm_hour - 12
    zone = f"Etc/GMT{ahead:+}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", zone)
        hub = HubSide(tmp_path_factory.mktemp("contract"))
    engine = EngineSide(7)
    offset = -3600 * ahead
    engine.ask("POST", "/zone", {"name": zone, "offset": offset, "standard_offset": offset, "changes": []})

    def has_heard(side) -> bool:
        for one in side.get("/devices")["items"]:
            if one["name"] and one["address"] in DEVICES:
                side.names[DEVICES[one["address"]]] = one["id"]
        return len(side.names) == len(DEVICES)

    for side in (hub, engine):
        side.until(lambda side=side: has_heard(side))
        side.names["zone"] = zone
    yield hub, engine, Counts()
    hub.close()
    engine.close()


@pytest.fixture
def script(sides, request):
    """The script of one kind, by the name of the test; no job goes on when it has ended."""
    hub, engine, counts = sides
    one = Script(request.node.name.removeprefix("test_"), hub, engine, counts, DRIFTS)
    yield one
    for side in (hub, engine):
        for other in side.get("/jobs")["items"]:
            side.ask("DELETE", f"/jobs/{other['id']}")


def lose(script: Script) -> None:
    """Has both speak of a job that never was."""
    for side in script.sides:
        side.names["job"] = NONE


# MARK: Wi-Fi


def test_wifi(script):
    lists = lambda count: lambda value: value["setup"]["lists"] == count and not value["setup"]["listing"]  # noqa: E731
    is_over = lambda value: value["setup"]["attempt"]["step"] in ("joined", "failed")  # noqa: E731
    script.ask("begin on nothing", "POST", f"/devices/{NONE}/wifi")
    script.ask("begin on a word", "POST", "/devices/lamp/wifi")
    script.ask("begin", "POST", "/devices/{wifiset}/wifi", takes=job)
    script.ask("begin again", "POST", "/devices/{wifiset}/wifi")
    script.ask("begin as an explorer", "POST", "/devices/{wifiset}/explorer")
    script.ask("begin as a lamp", "POST", "/devices/{wifiset}/nightlight", None, {"page": "one"})
    script.until("networks", "/wifi/{job}", lists(1))
    script.ask("networks again", "POST", "/wifi/{job}/networks", settled="/wifi/{job}", by=lists(2))
    script.each("", WIFI)
    script.ask("a wrong password", *wifi(password="quartz-heron"), settled="/wifi/{job}", by=is_over)
    script.ask("the right one", *wifi(password="lantern-home"))
    script.ask("one more meanwhile", *wifi(password="lantern-home"))
    script.until("joined", "/wifi/{job}", is_over)
    script.ask("end", "DELETE", "/jobs/{job}")
    script.ask("end twice", "DELETE", "/jobs/{job}")
    script.each("ended: ", WIFI_AFTERWARDS)
    script.told("told")
    lose(script)
    script.each("unknown: ", WIFI_AFTERWARDS)
    script.ask("improv", "POST", "/devices/{improv}/wifi", takes=job, settled="/wifi/{job}", by=lists(1))
    shown = lambda value: value["setup"]["identified"]  # noqa: E731
    script.ask("improv: identify", "POST", "/wifi/{job}/identify", settled="/wifi/{job}", by=shown)
    script.ask("improv: join", *wifi(CAFE, "", "open"), settled="/wifi/{job}", by=is_over)
    script.ask("improv: end", "DELETE", "/jobs/{job}")
    script.told("improv: told")
    script.end()


# MARK: Bulbs


def test_bulb(script):
    def does(step: str, asked: tuple, by=lambda value: value["agrees"] and not value["busy"]) -> None:
        script.ask(step, *asked, settled="/bulbs/{job}", by=by)

    script.ask("dialects", "GET", "/bulb-dialects")
    script.ask("begin on nothing", "POST", f"/devices/{NONE}/bulb", {}, {"page": "one"})
    is_known = lambda value: is_open(value) and value["said"]  # noqa: E731
    begin = ("POST", "/devices/{bulb}/bulb")
    script.ask("begin", *begin, {}, {"page": "one"}, takes=job, settled="/bulbs/{job}", by=is_known)
    script.ask("begin on another page", *begin, {}, {"page": "two"}, takes=job)
    script.ask("begin without a body", *begin, None, {"page": "two"}, takes=job)
    script.ask("begin without a page", *begin, {}, takes=job)
    script.ask("begin with a page of 41", *begin, {}, {"page": "p" * 41})
    script.ask("begin as an explorer", "POST", "/devices/{bulb}/explorer")
    for step, asked in BULB_BEGIN.items():
        script.ask(f"begin: {step}", *begin, asked, {"page": "two"})
    script.each("", BULB)
    is_off = lambda value: not value["busy"] and not value["asked"]["power"]  # noqa: E731
    is_done = lambda value: not value["busy"]  # noqa: E731
    does("colour", command("color", color="#ff8800"), is_done)
    does("a colour by name", command("color", color="red"), is_done)
    does("off", command("off"), is_off)
    does("on", command("on"), is_done)
    does("white", command("white", white_percent=50), is_done)
    does("no white at all", command("white", white_percent=0), is_done)
    does("effect", command("effect", effect=37, speed=3), is_done)
    does("effect as fast as it can", command("effect", effect=38), is_done)
    does("speed 0", command("effect", effect=37, speed=0), is_done)
    does("speed null", command("effect", effect=37, speed=None), is_done)
    does("state", command("state"), lambda value: value["said"]["mode"] == "effect")
    does("cycle", cycle(2000), lambda value: value["turn"] == 2000 and value["hue"])
    does("end the cycle", ("DELETE", "/bulbs/{job}/cycle"), lambda value: is_done(value) and value["turn"] is None)
    script.ask("end no cycle", "DELETE", "/bulbs/{job}/cycle")
    does("half a millisecond", cycle(2000.5), is_done)
    does("colour in the end", command("color", color="#00ff00"), lambda value: is_done(value) and value["turn"] is None)
    script.ask("leave", "POST", "/bulbs/{job}/leave", None, {"page": "one"})
    script.ask("leave twice", "POST", "/bulbs/{job}/leave", None, {"page": "one"})
    script.ask("leave without a page", "POST", "/bulbs/{job}/leave")
    script.ask("look after that", "GET", "/bulbs/{job}")
    script.ask("leave as the last", "POST", "/bulbs/{job}/leave", None, {"page": "two"}, settled="/bulbs/{job}", by=is_ended)
    script.each("ended: ", BULB_AFTERWARDS)
    script.told("told")
    lose(script)
    script.each("unknown: ", BULB_AFTERWARDS)
    # Whoever chooses another dialect ends what goes on.
    script.ask("chosen: begin", *begin, {}, {"page": "one"}, takes=job, settled="/bulbs/{job}", by=is_known)
    chosen = lambda value: is_open(value) and value["dialect_chosen"]  # noqa: E731
    script.ask("chosen: triones", *begin, {"dialect": "triones"}, {"page": "two"}, takes=job, settled="/bulbs/{job}", by=chosen)
    script.ask("chosen: the same", *begin, {"dialect": "triones"}, {"page": "one"}, takes=job)
    script.ask("chosen: none", *begin, {"dialect": None}, {"page": "one"}, takes=job, settled="/bulbs/{job}", by=is_known)
    misfit = lambda value: is_ended(value)  # noqa: E731
    script.ask("chosen: a wrong one", *begin, {"dialect": "colorific"}, {"page": "one"}, takes=job, settled="/bulbs/{job}", by=misfit)
    script.told("chosen: told")
    script.end()


# MARK: Lamps


def test_lamp(script):
    is_still = lambda value: is_open(value) and not value["working"]  # noqa: E731

    def does(step: str, asked: tuple, by=lambda value: True) -> None:
        script.ask(step, *asked, settled="/nightlights/{job}", by=lambda value: is_still(value) and by(value))

    begin = ("POST", "/devices/{lamp}/nightlight")
    # The clock of the hub's lamp is right from the beginning, that of the engine's was never set.
    for side in script.sides:
        side.names |= {"job": side.ask(*begin, None, {"page": "one"}).value["job"]["id"]}
        side.until(lambda side=side: is_still(side.get("/nightlights/{job}")))
        side.ask("DELETE", "/jobs/{job}")
    script.ask("begin on nothing", "POST", f"/devices/{NONE}/nightlight", None, {"page": "one"})
    script.ask("begin", *begin, None, {"page": "one"}, takes=job, settled="/nightlights/{job}", by=is_still)
    script.ask("begin on another page", *begin, None, {"page": "two"}, takes=job)
    script.ask("begin on that page again", *begin, None, {"page": "two"}, takes=job)
    script.ask("begin with a page of 41", *begin, None, {"page": "p" * 41})
    script.ask("begin with a body", *begin, {"loud": True}, {"page": "two"})
    script.ask("begin as a bulb", "POST", "/devices/{lamp}/bulb", {}, {"page": "two"})
    script.each("", LAMP)
    change = lambda **asked: ("PATCH", "/nightlights/{job}", asked)  # noqa: E731
    does("name", change(name="Ada"), lambda value: value["lamp"]["name"] == "Ada")
    does("no name", change(name=""), lambda value: not value["lamp"]["name"])
    does("a name beyond ASCII", change(name="Ünal <b>", power=None), lambda value: value["lamp"]["name"])
    does("changes of before", change(name="Eve", if_changes=0))
    does("week", change(week=week()), lambda value: value["lamp"]["week"]["name"] == "Holidays")
    does("tonight", change(tonight=DAY, tonight_days=2), lambda value: value["lamp"]["tonight"])
    does("clear tonight", change(clear_tonight=True), lambda value: not value["lamp"]["tonight"])
    does("tonight alone", change(tonight=DAY), lambda value: value["lamp"]["tonight"])
    does("power off", change(power=False))
    does("power on, not linked", change(power=True, linked=False))
    button = {"enabled": False, "on_seconds": 65_535, "daily_presses": 255, "from": "07:30", "to": "12:00", "shake": False}
    does("button", change(button=button | {"color": "#00ff00"}), lambda value: not value["lamp"]["button"]["enabled"])
    does("button with null", change(button={"enabled": True, "from": None, "to": None, "color": None}))
    does("button never", change(button={"from": "07:30", "to": "07:30"}))
    does("proof", proof(), lambda value: value["proof_end"])
    does("proof with LEDs that it has not", proof((3, 9)), lambda value: value["proof_end"])
    does("end the proof", ("DELETE", "/nightlights/{job}/proof"), lambda value: not value["proof_end"])
    does("end no proof", ("DELETE", "/nightlights/{job}/proof"))
    does("clock", ("POST", "/nightlights/{job}/clock"))
    leave = ("POST", "/nightlights/{job}/leave", None)
    script.ask("keep as a third page", "POST", "/nightlights/{job}/keep", None, {"page": "three"})
    script.ask("leave", *leave, {"page": "one"})
    script.ask("leave twice", *leave, {"page": "one"})
    script.ask("leave as the third", *leave, {"page": "three"})
    script.ask("look after that", "GET", "/nightlights/{job}")
    script.ask("leave as the last", *leave, {"page": "two"}, settled="/nightlights/{job}", by=is_ended)
    script.each("ended: ", LAMP_AFTERWARDS)
    script.until("memories", "/nightlights", lambda value: value["items"])
    script.told("told", "nightlights_changed")
    lose(script)
    script.each("unknown: ", LAMP_AFTERWARDS)
    script.end()
