# SPDX-License-Identifier: Apache-2.0
"""The contract of `test_contract` for lamps: what is asked of one, what waits for one, and the weeks that are kept for them."""

from __future__ import annotations

import pytest
from contract import is_ended, is_open, job, lose, script, sides  # noqa: F401
from contract_requests import CHANGES, DAY, LAMP, LAMP_AFTERWARDS, LONG_PAGE, NONE, PREVIEWS, WEEKS, proof, week
from engine_pair import NATIVE

pytestmark = pytest.mark.skipif(not NATIVE.exists(), reason="lantern-engine is not built")

HERE, AWAY = "C0:FF:EE:F1:1A:4B", "C0:FF:EE:00:00:01"


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
    script.ask("begin with a page of 41", *begin, None, {"page": LONG_PAGE})
    script.ask("leave with a page of 41 at once", "POST", "/nightlights/{job}/leave", None, {"page": LONG_PAGE})
    script.ask("begin with a body", *begin, {"loud": True}, {"page": "two"})
    script.ask("begin as a bulb", "POST", "/devices/{lamp}/bulb", {}, {"page": "two"})
    script.each("", LAMP)
    change = lambda **asked: ("PATCH", "/nightlights/{job}", asked)  # noqa: E731
    does("name", change(name="Ada"), lambda value: value["lamp"]["name"] == "Ada")
    does("no name", change(name=""), lambda value: not value["lamp"]["name"])
    does("a name beyond ASCII", change(name="Ünal <b>", power=None), lambda value: value["lamp"]["name"])
    does("name when it was another", change(name="Eve", if_changes=0))
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
    until = ("shines.from", "shines.to", "guest.from", "guest.to", "dashboard.title", "dashboard.reason")
    script.aside = dict.fromkeys(until, "a proof ends a minute after it was asked for")
    does("proof", proof(), lambda value: value["proof_end"])
    does("proof with LEDs that it has not", proof((3, 9)), lambda value: value["proof_end"])
    does("end the proof", ("DELETE", "/nightlights/{job}/proof"), lambda value: not value["proof_end"])
    script.aside = {}
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


def test_memories(script):
    add = lambda asked, address=AWAY: ("POST", "/nightlights/pending", asked, {"address": address})  # noqa: E731
    take = lambda number, address=AWAY: ("DELETE", f"/nightlights/pending/{number}", None, {"address": address})  # noqa: E731
    script.ask("forget one that nobody knows", "DELETE", "/nightlights", None, {"address": AWAY})
    script.ask("forget none", "DELETE", "/nightlights")
    script.ask("forget what is no address", "DELETE", "/nightlights", None, {"address": "lamp"})
    script.ask("change without a body", *add(None))
    script.ask("change of no lamp", "POST", "/nightlights/pending", {"name": "Ada"})
    script.ask("change of what is no lamp", *add({"name": "Ada"}, "lamp"))
    for step, asked in CHANGES.items():
        script.ask(f"change: {step}", *add(asked))
    # What one side has taken of these would wait on.
    for side in script.sides:
        side.ask("DELETE", "/nightlights", None, {"address": AWAY})
    script.ask("take back of a lamp that nobody knows", *take(1))
    script.ask("change", *add({"name": "Ada", "power": False}))
    script.ask("change of a week", *add({"week": week(), "tonight": DAY, "tonight_days": 2}))
    script.ask("change of a button", *add({"button": {"enabled": False, "from": "07:30", "to": "12:00", "color": "#00ff00"}}))
    for number in range(4, 11):
        script.ask(f"change {number}", *add({"name": f"Name {number}"}))
    script.ask("change 11", *add({"name": "Eve"}))
    script.ask("list", "GET", "/nightlights")
    script.ask("take back", *take(2))
    script.ask("take back twice", *take(2))
    script.ask("take back a word", *take("two"))
    script.ask("take back of no lamp", "DELETE", "/nightlights/pending/1")
    script.ask("change after that", *add({"name": "Eve"}))
    script.ask("list after that", "GET", "/nightlights")
    script.ask("forget", "DELETE", "/nightlights", None, {"address": AWAY})
    script.ask("forget twice", "DELETE", "/nightlights", None, {"address": AWAY})
    script.ask("no such request", "GET", "/nightlights/pending")
    # Anybody can invent addresses.
    others = [f"C0:FF:EE:00:01:{number:02X}" for number in range(17)]
    for number, address in enumerate(others):
        script.ask(f"change of lamp {number}", *add({"name": "Ada"}, address))
    for number, address in reversed([*enumerate(others)]):
        script.ask(f"forget lamp {number}", "DELETE", "/nightlights", None, {"address": address})
    script.told("told", "nightlights_changed")
    # What is wanted of a lamp that is there is sent by itself.
    is_sent = lambda one: one["address"] == HERE and one["name"] == "Noa" and not one["pending"]  # noqa: E731
    sent = lambda value: any(map(is_sent, value["items"]))  # noqa: E731
    script.ask("change of the lamp here", *add({"name": "Noa"}, HERE), settled="/nightlights", by=sent)
    script.until("no job goes on", "/jobs", lambda value: not value["items"])
    script.ask("list in the end", "GET", "/nightlights")
    script.end()


def test_weeks(script):
    keep = ("POST", "/light-schedules")
    first = {"first": lambda value: value["id"]}
    script.ask("none", "GET", "/light-schedules")
    script.ask("keep", *keep, {"week": week()}, takes=first)
    script.ask("keep another", *keep, {"week": week("School", off="06:30")})
    for step, asked in WEEKS.items():
        script.ask(f"keep: {step}", *keep, asked)
        script.ask(f"replace: {step}", "PUT", "/light-schedules/{first}", asked)
    for side in script.sides:
        for one in side.get("/light-schedules")["items"][2:]:
            side.ask("DELETE", f"/light-schedules/{one['id']}")
    script.ask("replace", "PUT", "/light-schedules/{first}", {"week": week("Mornings", on="05:00", off="07:00")})
    script.ask("replace one that nobody keeps", "PUT", f"/light-schedules/{NONE}", {"week": week()})
    script.ask("replace a word", "PUT", "/light-schedules/first", {"week": week()})
    script.ask("list", "GET", "/light-schedules")
    script.ask("look at one", "GET", "/light-schedules/{first}")
    for number in range(2, 50):
        script.ask(f"keep {number}", *keep, {"week": week(f"Week {number}")})
    script.ask("keep 51", *keep, {"week": week("Too much")})
    script.ask("replace when there is no room", "PUT", "/light-schedules/{first}", {"week": week("Evenings")})
    script.ask("forget", "DELETE", "/light-schedules/{first}")
    script.ask("forget twice", "DELETE", "/light-schedules/{first}")
    script.ask("forget a word", "DELETE", "/light-schedules/first")
    script.ask("list of many", "GET", "/light-schedules")
    for side in script.sides:
        for one in side.get("/light-schedules")["items"]:
            side.ask("DELETE", f"/light-schedules/{one['id']}")
    for step, asked in PREVIEWS.items():
        if isinstance(asked, dict) and "time_zone" in asked:
            asked = asked | {"time_zone": str(asked["time_zone"]).format(**script.sides[0].names)}
        script.ask(f"preview: {step}", "POST", "/light-preview", asked)
    script.end()
