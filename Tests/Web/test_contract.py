# SPDX-License-Identifier: Apache-2.0
"""One contract: a hub and the engine of pages without a hub answer the same requests in the same way, and tell the same events.

Both have the same devices on a simulated air. Each kind of job is gone through on both, with good values and bad ones; in what
they differ by their nature is in `contract_differences`."""

from __future__ import annotations

import pytest
from contract import is_ended, is_open, job, lose, script, sides  # noqa: F401
from contract_requests import (
    BATTERY, BULB, BULB_AFTERWARDS, BULB_BEGIN, CAFE, CHANGED, EXPLORER, EXPLORER_AFTERWARDS, LOCKED, LONG, LONG_PAGE, NAME,
    NONE, RATE, WIFI, WIFI_AFTERWARDS, WORDS, at, command, cycle, log, wifi, write,
)  # fmt: skip
from engine_pair import NATIVE

pytestmark = pytest.mark.skipif(not NATIVE.exists(), reason="lantern-engine is not built")

# MARK: Wi-Fi


def lists(count: int):
    return lambda value: value["setup"]["lists"] == count and not value["setup"]["listing"]


def is_over(value) -> bool:
    return value["setup"]["attempt"]["step"] in ("joined", "failed")


def test_wifi(script):
    script.ask("begin on nothing", "POST", f"/devices/{NONE}/wifi")
    script.ask("begin on a word", "POST", "/devices/lamp/wifi")
    script.ask("begin", "POST", "/devices/{wifiset}/wifi", takes=job, moves=True)
    script.ask("begin again", "POST", "/devices/{wifiset}/wifi")
    script.ask("begin as an explorer", "POST", "/devices/{wifiset}/explorer")
    script.ask("begin as a lamp", "POST", "/devices/{wifiset}/nightlight", None, {"page": "one"})
    script.until("networks", "/wifi/{job}", lists(1))
    script.ask("networks again", "POST", "/wifi/{job}/networks", settled="/wifi/{job}", by=lists(2))
    script.each("", WIFI)
    script.ask("a wrong password", *wifi(password="quartz-heron"), settled="/wifi/{job}", by=is_over)
    script.ask("the right one", *wifi(password="lantern-home"), moves=True)
    script.ask("one more meanwhile", *wifi(password="lantern-home"))
    script.until("joined", "/wifi/{job}", is_over)
    script.ask("end", "DELETE", "/jobs/{job}")
    script.ask("end twice", "DELETE", "/jobs/{job}")
    script.each("ended: ", WIFI_AFTERWARDS)
    script.told("told")
    lose(script)
    script.each("unknown: ", WIFI_AFTERWARDS)
    script.end()


def test_improv(script):
    script.ask("begin", "POST", "/devices/{improv}/wifi", takes=job, settled="/wifi/{job}", by=lists(1))
    shown = lambda value: value["setup"]["identified"]  # noqa: E731
    script.ask("identify", "POST", "/wifi/{job}/identify", settled="/wifi/{job}", by=shown)
    script.ask("join", *wifi(CAFE, "", "open"), settled="/wifi/{job}", by=is_over)
    script.ask("end", "DELETE", "/jobs/{job}")
    script.told("told")
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
    script.ask("begin with a page of 41", *begin, {}, {"page": LONG_PAGE})
    script.ask("leave with a page of 41 at once", "POST", "/bulbs/{job}/leave", None, {"page": LONG_PAGE})
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
    does("speed 0", command("effect", effect=37, speed=0), is_done)
    does("speed null", command("effect", effect=37, speed=None), is_done)
    does("white", command("white", white_percent=50), is_done)
    does("no white at all", command("white", white_percent=0), is_done)
    does("effect", command("effect", effect=37, speed=3), is_done)
    does("effect as fast as it can", command("effect", effect=38), is_done)
    does("state", command("state"), lambda value: value["said"]["effect"] == 38)
    hue = ("bulb.hue", "bulb.octets", "asked.color", "asked.shown", "said.color", "said.shown")
    script.aside = dict.fromkeys(hue, "how far it has come")
    does("cycle", cycle(2000), lambda value: value["turn"] == 2000 and value["hue"])
    does("end the cycle", ("DELETE", "/bulbs/{job}/cycle"), lambda value: is_done(value) and value["turn"] is None)
    script.ask("end no cycle", "DELETE", "/bulbs/{job}/cycle")
    does("half a millisecond", cycle(2000.5), is_done)
    script.aside = {}
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
    chosen = lambda value: is_known(value) and value["dialect_chosen"]  # noqa: E731
    script.ask("chosen: triones", *begin, {"dialect": "triones"}, {"page": "two"}, takes=job, settled="/bulbs/{job}", by=chosen)
    script.ask("chosen: the same", *begin, {"dialect": "triones"}, {"page": "one"}, takes=job)
    script.ask("chosen: none", *begin, {"dialect": None}, {"page": "one"}, takes=job, settled="/bulbs/{job}", by=is_known)
    wrong = {"dialect": "colorific"}
    script.ask("chosen: a wrong one", *begin, wrong, {"page": "one"}, takes=job, settled="/bulbs/{job}", by=is_ended)
    script.told("chosen: told")
    script.end()


# MARK: Explorer

is_ready = lambda value: is_open(value["explorer"]) and value["explorer"]["step"] == "ready"  # noqa: E731


def test_explorer(script):
    begin = ("POST", "/devices/{strap}/explorer")
    script.ask("begin on nothing", "POST", f"/devices/{NONE}/explorer")
    script.ask("begin", *begin, takes=job, settled="/explorers/{job}", by=is_ready)
    script.ask("begin again", *begin)
    script.ask("begin as a bulb", "POST", "/devices/{strap}/bulb", {}, {"page": "one"})
    script.each("", EXPLORER)
    script.ask("read", *at("read", NAME))
    script.ask("read a long value", *at("read", LONG))
    script.ask("read a descriptor", *at("read", WORDS))
    script.ask("read what is not there", *at("read", 999))
    script.ask("read what cannot be read", *at("read", RATE))
    script.ask("write unconfirmed", *write("0102"))
    script.ask("write confirmed", *write("0102", confirmed=True))
    script.ask("write after that", *write("-5", "s16"))
    script.ask("write without an answer", *write("Ünal", "text", response=False))
    script.ask("write what cannot be written", *write(handle=NAME))
    script.ask("write to what is not there", *write(handle=999))
    script.ask("write nothing at all", *write(""))
    script.ask("write a long value", *write("ab" * 600))
    script.ask("look after that", "GET", "/explorers/{job}")
    script.each("logged: ", {step: asked for step, asked in EXPLORER.items() if step.startswith("log")})
    script.ask("refresh", "POST", "/explorers/{job}/refresh", settled="/explorers/{job}", by=is_ready)
    script.ask("end", "DELETE", "/jobs/{job}")
    script.each("ended: ", EXPLORER_AFTERWARDS)
    script.told("told")
    lose(script)
    script.each("unknown: ", EXPLORER_AFTERWARDS)
    # For these a hub asks a person.
    script.ask("begin once more", *begin, takes=job, settled="/explorers/{job}", by=is_ready)
    script.alone("read what is locked", *at("read", LOCKED))
    script.alone("pair", "POST", "/explorers/{job}/pair")
    script.end()


def test_watching(script):
    # The strap sends by itself, on each side at its own time.
    many = dict.fromkeys(("explorer.values", "explorer.log_values"), "how often the strap has sent")
    script.aside = many | dict.fromkeys(("characteristics.octets", "fields.value"), "what it has sent last")
    script.ask("begin", "POST", "/devices/{strap}/explorer", takes=job, settled="/explorers/{job}", by=is_ready)
    watch = lambda handle, on: at("watch", handle, on=on)  # noqa: E731
    script.ask("on", *watch(RATE, True))
    script.ask("on twice", *watch(RATE, True))
    script.ask("another one", *watch(BATTERY, True))
    script.ask("one that indicates", *watch(CHANGED, True))
    for side in script.sides:
        side.until(lambda side=side: side.ask(*log(handle=RATE)).value["total"] >= 2)
    script.ask("look", "GET", "/explorers/{job}")
    script.ask("off", *watch(RATE, False))
    script.ask("off twice", *watch(RATE, False))
    script.ask("look after that", "GET", "/explorers/{job}")
    script.ask("end", "DELETE", "/jobs/{job}")
    script.told("told", chance=("explorer_values",))
    script.end()


# MARK: Saves


def test_saves(script):
    for side in script.sides:
        for one in side.get("/saves")["items"]:
            side.ask("DELETE", f"/saves/{one['id']}")
    save = ("POST", "/explorers/{job}/save")
    script.ask("none", "GET", "/saves")
    script.ask("begin", "POST", "/devices/{strap}/explorer", takes=job, settled="/explorers/{job}", by=is_ready)
    script.ask("save", *save, {"name": ""}, takes={"one": lambda value: value["id"]})
    script.ask("write", *write("0a0b", confirmed=True))
    script.ask("save again", *save, {"name": "Ünal <b>"}, takes={"two": lambda value: value["id"]})
    script.ask("list", "GET", "/saves")
    script.ask("look at one", "GET", "/saves/{one}")
    script.ask("its file", "GET", "/saves/{one}/file")
    script.ask("its tree", "GET", "/saves/{one}/tree")
    names = {"": "", "long": "n" * 100, "too long": "n" * 101, "long beyond ASCII": "é" * 100, "a number": 7, "null": None}
    for step, name in names.items():
        script.ask(f"rename: {step or 'empty'}", "PATCH", "/saves/{two}", {"name": name})
    script.ask("rename: nothing", "PATCH", "/saves/{two}", {})
    script.ask("rename: more", "PATCH", "/saves/{two}", {"name": "Two", "loud": True})
    script.ask("rename", "PATCH", "/saves/{two}", {"name": "Two"})
    script.ask("rename what is not there", "PATCH", f"/saves/{NONE}", {"name": "Two"})
    script.ask("differences", "GET", "/saves/{one}/differences", None, {"with": "{two}"})
    script.ask("no differences", "GET", "/saves/{two}/differences", None, {"with": "{two}"})
    script.ask("differences with nothing", "GET", "/saves/{one}/differences")
    script.ask("differences with what is not there", "GET", "/saves/{one}/differences", None, {"with": NONE})
    script.ask("differences with a word", "GET", "/saves/{one}/differences", None, {"with": "two"})
    script.ask("differences of what is not there", "GET", f"/saves/{NONE}/differences", None, {"with": "{two}"})
    script.ask("serve what is not there", "POST", f"/saves/{NONE}/serve", {})
    script.alone("serve", "POST", "/saves/{one}/serve", {})
    script.alone("bring", "POST", "/saves", {})
    script.ask("serving", "GET", "/serving")
    script.ask("end serving", "DELETE", "/serving")
    script.ask("end", "DELETE", "/jobs/{job}")
    script.ask("save what has ended", *save, {"name": "Three"}, takes={"three": lambda value: value["id"]})
    script.ask("delete", "DELETE", "/saves/{one}")
    script.ask("delete twice", "DELETE", "/saves/{one}")
    script.ask("delete a word", "DELETE", "/saves/one")
    script.ask("look at what is gone", "GET", "/saves/{one}")
    script.ask("file of what is gone", "GET", "/saves/{one}/file")
    script.ask("no such request", "POST", "/saves/{two}/nonsense")
    script.ask("delete the last", "DELETE", "/saves/{three}")
    script.ask("save one more", *save, {"name": "Four"}, takes={"four": lambda value: value["id"]})
    script.compare("its number", *({"is_new": side.names["four"] != side.names["three"]} for side in script.sides))
    script.ask("list in the end", "GET", "/saves")
    script.told("told", "saves_changed")
    script.end()


# MARK: Jobs


def test_jobs(script):
    script.ask("none", "GET", "/jobs")
    script.ask("keep what never was", "POST", f"/jobs/{NONE}/keep")
    script.ask("end what never was", "DELETE", f"/jobs/{NONE}")
    script.ask("end a word", "DELETE", "/jobs/one")
    script.ask("look at one", "GET", f"/jobs/{NONE}")
    script.ask("no such method", "POST", "/jobs")
    script.ask("bulb", "POST", "/devices/{bulb}/bulb", {}, {"page": "one"}, takes={"other": job["job"]}, moves=True)
    script.ask("strap", "POST", "/devices/{strap}/explorer", takes=job, settled="/explorers/{job}", by=is_ready)
    script.until("both", "/jobs", lambda value: all(is_open({"job": one}) for one in value["items"]))
    script.ask("keep", "POST", "/jobs/{job}/keep")
    script.ask("keep with a body", "POST", "/jobs/{job}/keep", {"loud": True})
    script.ask("end", "DELETE", "/jobs/{job}")
    script.ask("keep what has ended", "POST", "/jobs/{job}/keep")
    script.ask("the other", "GET", "/jobs")
    script.told("told")
    # The ends of the last eight are remembered.
    for number in range(1, 9):
        script.ask(f"begin {number}", "POST", "/devices/{strap}/explorer", takes={"next": job["job"]}, moves=True)
        script.ask(f"end {number}", "DELETE", "/jobs/{next}")
        script.ask(f"look after {number}", "GET", "/explorers/{job}")
    script.ask("keep what is forgotten", "POST", "/jobs/{job}/keep")
    script.ask("end what is forgotten", "DELETE", "/jobs/{job}")
    script.ask("end the other", "DELETE", "/jobs/{other}")
    script.ask("none again", "GET", "/jobs")
    script.end()
