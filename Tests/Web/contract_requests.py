# SPDX-License-Identifier: Apache-2.0
"""What a hub and an engine are both asked in `test_contract`: of each kind what changes nothing, or is refused."""

from __future__ import annotations

from typing import Any

HOME, CAFE = b"Lantern Home".hex(), "Corner Café".encode().hex()
OUT = object()
"""What is left out of a body."""
NONE = 999_999
"""The number of nothing."""
LONG_PAGE = "p" * 41
"""The name of a page that is too long."""


def body(**values: Any) -> dict[str, Any]:
    return {key: one for key, one in values.items() if one is not OUT}


# MARK: Wi-Fi


def wifi(ssid: Any = HOME, password: Any = "", security: Any = "wpa2", **more: Any) -> tuple:
    """Credentials, which nothing comes of unless a password is given."""
    return "POST", "/wifi/{job}/credentials", body(ssid_octets=ssid, password=password, security=security, **more)


WIFI = {
    "look": ("GET", "/wifi/{job}"),
    "identify, which it cannot": ("POST", "/wifi/{job}/identify"),
    "a query where none is": ("POST", "/wifi/{job}/identify", None, {"loud": "true"}),
    "without a body": ("POST", "/wifi/{job}/credentials"),
    "a list as a body": ("POST", "/wifi/{job}/credentials", []),
    "no network": wifi(ssid=OUT),
    "a network as a number": wifi(ssid=7),
    "a network that is no octets": wifi(ssid="home"),
    "a network of half an octet": wifi(ssid="abc"),
    "a network of no octets": wifi(ssid="", password="lantern-home"),
    "a network of 33 octets": wifi(ssid="61" * 33, password="lantern-home"),
    "no password": wifi(password=OUT),
    "a password as a number": wifi(password=12345678),
    "an empty password where one is needed": wifi(),
    "a password of 7": wifi(password="1234567"),
    "a password of 65": wifi(password="1" * 65),
    "a password of 257": wifi(password="1" * 257),
    "an unknown security": wifi(security="wpa9"),
    "a security as a number": wifi(security=2),
    "security null": wifi(security=None),
    "security left out": wifi(security=OUT),
    "the network of a company": wifi(b"Office".hex(), "lantern-home", "wpa2_enterprise"),
    "more than there is": wifi(bssid="00"),
    "no such request": ("POST", "/wifi/{job}/nonsense"),
    "no such method": ("DELETE", "/wifi/{job}"),
    "as a lamp": ("GET", "/nightlights/{job}"),
    "as a bulb": ("GET", "/bulbs/{job}"),
    "as an explorer": ("GET", "/explorers/{job}"),
    "keep": ("POST", "/jobs/{job}/keep"),
}
WIFI_AFTERWARDS = WIFI | {"credentials": wifi(password="lantern-home"), "networks": ("POST", "/wifi/{job}/networks")}

# MARK: Bulbs


def command(word: Any = OUT, **more: Any) -> tuple:
    return "POST", "/bulbs/{job}/commands", body(command=word, **more)


def cycle(turn: Any = OUT, **more: Any) -> tuple:
    return "POST", "/bulbs/{job}/cycle", body(turn=turn, **more)


BULB_BEGIN = {
    "a dialect that nobody speaks": {"dialect": "klingon"},
    "a dialect as a number": {"dialect": 3},
    "a dialect as a list": {"dialect": ["triones"]},
    "more than there is": {"colour": "#ff8800"},
    "a list as a body": [],
}
BULB = {
    "look": ("GET", "/bulbs/{job}"),
    "without a body": ("POST", "/bulbs/{job}/commands"),
    "a list as a body": ("POST", "/bulbs/{job}/commands", ["on"]),
    "no command": command(),
    "an unknown command": command("explode"),
    "a command as a number": command(1),
    "command null": command(None),
    "more than there is": command("color", color="#12345", loud=True),
    "no colour": command("color"),
    "colour null": command("color", color=None),
    "a colour as a number": command("color", color=7),
    "a colour that is none": command("color", color="octarine"),
    "an empty colour": command("color", color=""),
    "a colour of 41": command("color", color="#" * 41),
    "no white": command("white"),
    "white 101": command("white", white_percent=101),
    "white below 0": command("white", white_percent=-1),
    "half a percent of white": command("white", white_percent=0.5),
    "white in words": command("white", white_percent="50"),
    "white 300": command("white", white_percent=300),
    "no effect": command("effect"),
    "effect 256": command("effect", effect=256),
    "an effect in words": command("effect", effect="37"),
    "an effect that no bulb has": command("effect", effect=1),
    "speed 256": command("effect", effect=37, speed=256),
    "a speed in words": command("effect", effect=37, speed="fast"),
    "no turn": cycle(),
    "turn null": cycle(None),
    "a turn of 499": cycle(499),
    "a turn of an hour and more": cycle(3_600_001),
    "a turn in words": cycle("2000"),
    "cycle without a body": ("POST", "/bulbs/{job}/cycle"),
    "keep with a page of 41": ("POST", "/bulbs/{job}/keep", None, {"page": LONG_PAGE}),
    "keep with more": ("POST", "/bulbs/{job}/keep", None, {"page": "one", "loud": "true"}),
    "leave with a page of 41": ("POST", "/bulbs/{job}/leave", None, {"page": LONG_PAGE}),
    "no such request": ("POST", "/bulbs/{job}/nonsense"),
    "as a lamp": ("GET", "/nightlights/{job}"),
    "keep the job": ("POST", "/jobs/{job}/keep"),
    "keep": ("POST", "/bulbs/{job}/keep", None, {"page": "one"}),
}
BULB_AFTERWARDS = BULB | {
    "on": command("on"),
    "state": command("state"),
    "colour": command("color", color="#ff8800"),
    "white": command("white", white_percent=50),
    "effect": command("effect", effect=37, speed=3),
    "speed 0": command("effect", effect=37, speed=0),
    "speed null": command("effect", effect=37, speed=None),
    "cycle": cycle(2000),
    "half a millisecond": cycle(2000.5),
    "end the cycle": ("DELETE", "/bulbs/{job}/cycle"),
    "leave": ("POST", "/bulbs/{job}/leave", None, {"page": "one"}),
}

# MARK: Lamps


ALL = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def week(name: str = "Holidays", on: Any = "19:00", off: Any = "08:00", days: Any = ALL, **more: Any) -> dict[str, Any]:
    period = {"on": on, "off": off, "color": "#ff8800", "timeout_minutes": None}
    return {"name": name, "groups": [{"days": list(days), "periods": [period]}], **more}


DAY = {"periods": [{"on": "18:00", "off": "06:00", "color": "#201040"}]}
# What is refused of a change, whether it is of a lamp or waits for one.
CHANGES: dict[str, Any] = {
    "nothing": {},
    "nothing but null": {"name": None, "power": None},
    "a list as a body": [],
    "a name of 65": {"name": "n" * 65},
    "a name of too many octets": {"name": "é" * 20},
    "a name as a number": {"name": 7},
    "a week as a number": {"week": 7},
    "a week of nothing": {"week": {}},
    "a week with a bad time": {"week": week(on="25:00")},
    "a week with a bad day": {"week": week(days=[*ALL, "funday"])},
    "a week with a long name": {"week": week(name="w" * 41)},
    "a week with a day missing": {"week": week(days=ALL[1:])},
    "a tonight as a text": {"tonight": "long"},
    "a tonight with a bad time": {"tonight": {"periods": [{"on": "xx", "off": "06:00", "color": "#201040"}]}},
    "days 0": {"tonight": DAY, "tonight_days": 0},
    "days 300": {"tonight": DAY, "tonight_days": 300},
    "days in words": {"tonight": DAY, "tonight_days": "two"},
    "days alone": {"tonight_days": 2},
    "clear in words": {"clear_tonight": "yes"},
    "power in words": {"power": "on"},
    "linked as a number": {"linked": 1},
    "a button as a list": {"button": []},
    "a button of nothing": {"button": {}},
    "a button with more": {"button": {"loud": True}},
    "on below 0": {"button": {"on_seconds": -1}},
    "on for 65536": {"button": {"on_seconds": 65_536}},
    "on for half a second": {"button": {"on_seconds": 0.5}},
    "presses 256": {"button": {"daily_presses": 256}},
    "from alone": {"button": {"from": "07:30"}},
    "from 7": {"button": {"from": "7", "to": "08:00"}},
    "from 25:00": {"button": {"from": "25:00", "to": "26:00"}},
    "shake in words": {"button": {"shake": "a lot"}},
    "a colour that is none": {"button": {"color": "octarine"}},
    "an empty colour": {"button": {"color": ""}},
    "more than there is": {"nmae": "Ada"},
}


def proof(leds: Any = (1, 2), color: Any = "#ff8800", **more: Any) -> tuple:
    return "POST", "/nightlights/{job}/proof", body(leds=list(leds) if isinstance(leds, tuple) else leds, color=color, **more)


LAMP = {f"change: {step}": ("PATCH", "/nightlights/{job}", asked) for step, asked in CHANGES.items()} | {
    "look": ("GET", "/nightlights/{job}"),
    "change without a body": ("PATCH", "/nightlights/{job}"),
    "changes below 0": ("PATCH", "/nightlights/{job}", {"name": "Eve", "if_changes": -1}),
    "changes in words": ("PATCH", "/nightlights/{job}", {"name": None, "if_changes": "none"}),
    "changes of before": ("PATCH", "/nightlights/{job}", {"name": "Eve", "if_changes": 77}),
    "proof without LEDs": proof(OUT),
    "proof on no LED": proof(()),
    "proof on LED 0": proof((0,)),
    "proof on LED 5": proof((5,)),
    "proof on half an LED": proof((0.5,)),
    "proof on LEDs in words": proof(("one",)),
    "proof on a number": proof(1),
    "proof without a colour": proof(color=OUT),
    "proof of what is no colour": proof(color="octarine"),
    "proof of a number": proof(color=7),
    "proof with more": proof((), loud=True),
    "proof without a body": ("POST", "/nightlights/{job}/proof"),
    "keep with a page of 41": ("POST", "/nightlights/{job}/keep", None, {"page": LONG_PAGE}),
    "leave with a page of 41": ("POST", "/nightlights/{job}/leave", None, {"page": LONG_PAGE}),
    "no such request": ("POST", "/nightlights/{job}/nonsense"),
    "no such method": ("DELETE", "/nightlights/{job}"),
    "as a bulb": ("GET", "/bulbs/{job}"),
    "keep the job": ("POST", "/jobs/{job}/keep"),
    "keep": ("POST", "/nightlights/{job}/keep", None, {"page": "one"}),
}
LAMP_AFTERWARDS = LAMP | {
    "change": ("PATCH", "/nightlights/{job}", {"name": "Eve"}),
    "proof": proof(),
    "proof with LEDs that it has not": proof((1, 9)),
    "end the proof": ("DELETE", "/nightlights/{job}/proof"),
    "clock": ("POST", "/nightlights/{job}/clock"),
    "leave": ("POST", "/nightlights/{job}/leave", None, {"page": "one"}),
}
WEEKS: dict[str, Any] = {
    "without a body": None,
    "a list as a body": [],
    "no week": {},
    "week null": {"week": None},
    "a week as a number": {"week": 7},
    "a week of nothing": {"week": {}},
    "a bad time": {"week": week(on="25:00")},
    "a bad day": {"week": week(days=[*ALL, "funday"])},
    "a day twice": {"week": week(days=[*ALL, "mon"])},
    "a day missing": {"week": week(days=ALL[1:])},
    "a week with more": {"week": week(loud=True)},
    "a long name": {"week": week(name="w" * 41)},
    "a night of no length": {"week": week(on="08:00")},
    "more than there is": {"week": week(), "loud": True},
}
PREVIEWS: dict[str, Any] = {
    "a day": {"week": week(), "date": "2026-11-23"},
    "today": {"week": week()},
    "its own zone": {"week": week(), "date": "2026-11-23", "time_zone": "{zone}"},
    "another zone": {"week": week(), "date": "2026-11-23", "time_zone": "Europe/Berlin"},
    "no zone": {"week": week(), "date": "2026-11-23", "time_zone": "Mars/Olympus"},
    "an empty zone": {"week": week(), "date": "2026-11-23", "time_zone": ""},
    "a zone as a number": {"week": week(), "date": "2026-11-23", "time_zone": 1},
    "tonight": {"week": week(), "date": "2026-11-23", "tonight": DAY},
    "two nights": {"week": week(), "date": "2026-11-24", "tonight": DAY, "tonight_days": 2, "from": "2026-11-23"},
    "days 0": {"week": week(), "date": "2026-11-23", "tonight": DAY, "tonight_days": 0},
    "days alone": {"week": week(), "date": "2026-11-23", "tonight_days": 300},
    "no day": {"week": week(), "date": "2026-02-30"},
    "a short day": {"week": week(), "date": "today"},
    "a day as a number": {"week": week(), "date": 20261123},
    "a bad day to begin with": {"week": week(), "date": "2026-11-23", "tonight": DAY, "from": "2026-13-01"},
    "a week that is refused": {"week": week(on="08:00"), "date": "2026-11-23"},
} | {step: asked for step, asked in WEEKS.items() if step != "more than there is"}

# MARK: Explorer

NAME, VALUE, WORDS, LONG, LOCKED, RATE, BATTERY, CHANGED = 3, 41, 42, 44, 46, 16, 24, 8


def write(value: Any = "01", form: Any = "hex", handle: Any = VALUE, **more: Any) -> tuple:
    return "POST", "/explorers/{job}/write", body(handle=handle, form=form, value=value, **more)


def at(verb: str, handle: Any = OUT, **more: Any) -> tuple:
    return "POST", f"/explorers/{{job}}/{verb}", body(handle=handle, **more)


def log(**filter: Any) -> tuple:
    return "GET", "/explorers/{job}/log", None, filter


EXPLORER = {
    "look": ("GET", "/explorers/{job}"),
    "read without a body": ("POST", "/explorers/{job}/read"),
    "read nothing": at("read"),
    "read 0": at("read", 0),
    "read 65536": at("read", 65_536),
    "read half": at("read", 2.5),
    "read in words": at("read", "name"),
    "read with more": at("read", 0, loud=True),
    "write without a body": ("POST", "/explorers/{job}/write"),
    "write nothing": write(OUT),
    "write a number": write(1),
    "write in no form": write(form=OUT),
    "write in an unknown form": write(form="morse"),
    "write what is no hex": write("xyz"),
    "write what is no number": write("many", "u8"),
    "write a number that is too large": write("256", "u8"),
    "write too much": write("0" * 4097),
    "write to 0": write(handle=0),
    "write nowhere": write(handle=OUT),
    "write with more": write(loud=True),
    "response in words": write(response="no", handle=0),
    "confirmed in words": write(confirmed="yes"),
    "watch without a body": ("POST", "/explorers/{job}/watch"),
    "watch nothing": at("watch", on=True),
    "watch 0": at("watch", 0, on=True),
    "watch in words": at("watch", 0, on="yes"),
    "watch with more": at("watch", 0, on=True, loud=True),
    "watch what is no value": at("watch", WORDS, on=True),
    "watch what is not there": at("watch", 999, on=True),
    "watch what is not sent": at("watch", NAME, on=True),
    "log": log(),
    "log of a value": log(handle=VALUE),
    "log of none": log(handle=999),
    "log of 0": log(handle=0),
    "log of words": log(handle="name"),
    "log before 2": log(before=2),
    "log before -1": log(before=-1),
    "log of 1": log(limit=1),
    "log of no length": log(limit=0),
    "log of 501": log(limit=501),
    "log of some": log(limit="some"),
    "log of half": log(limit=1.5),
    "log with more": log(loud="true"),
    "log of all three": log(handle=VALUE, before=5, limit=2),
    "save without a body": ("POST", "/explorers/{job}/save"),
    "save without a name": ("POST", "/explorers/{job}/save", {}),
    "save as a number": ("POST", "/explorers/{job}/save", {"name": 7}),
    "save as 101": ("POST", "/explorers/{job}/save", {"name": "n" * 101}),
    "no such request": ("POST", "/explorers/{job}/nonsense"),
    "no such method": ("DELETE", "/explorers/{job}"),
    "as a lamp": ("GET", "/nightlights/{job}"),
    "keep": ("POST", "/jobs/{job}/keep"),
}
EXPLORER_AFTERWARDS = EXPLORER | {
    "read": at("read", NAME),
    "write": write(confirmed=True),
    "watch": at("watch", RATE, on=True),
    "watch no more": at("watch", RATE, on=False),
    "refresh": ("POST", "/explorers/{job}/refresh"),
    "pair": ("POST", "/explorers/{job}/pair"),
}
