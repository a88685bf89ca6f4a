# SPDX-License-Identifier: Apache-2.0
"""In what a hub and an engine differ: what each is by its nature, and what has drifted apart and is to be mended.

By kinds and steps: what the hub says, what the engine says. A step of which this is no longer so makes the test fail: its row
is taken out then. A row `ended: *`, `unknown: *` or `logged: *` is of all steps to which a hub says the same as before: it holds a
request against what it has declared first, the engine looks for the job first."""

from __future__ import annotations

Rows = dict[str, tuple[str, str]]


def each(hub: str, engine: str, *steps: str) -> Rows:
    return dict.fromkeys(steps, (hub, engine))


CHANGEABLE = "name, week, tonight, tonight_days, clear_tonight, power, linked, button"

# What one of them cannot do, or calls by another name.
OWN: dict[str, Rows] = {
    # Each says what it is.
    "memories": {
        **each(
            "404 The hub does not know this lamp.", "404 This page does not know this lamp.",
            "forget one that nobody knows", "forget twice", "forget lamp 16",
        ),  # fmt: skip
    },
    # A browser tells of no time zone but its own when clocks change.
    "weeks": {
        "preview: another zone": ("200", "422 There is no such time zone: give one like Europe/Berlin."),
    },
    # A hub pairs: for what is locked it asks a person, and so does `pair`.
    "explorer": {
        "read what is locked": ("not asked", "200 the link must be authenticated first"),
        "pair": ("not asked", "409 This radio cannot pair. Where the system pairs, do it in the system's settings."),
        "ended: pair": (
            "409 The device is not connected. Wait a moment, or connect to it again.",
            "409 This radio cannot pair. Where the system pairs, do it in the system's settings.",
        ),
    },
    # A page keeps fewer, serves none, and takes no file.
    "saves": {
        **each("limit 200", "limit 50", "none", "list", "list in the end"),
        "serve": ("not asked", "409 A page cannot serve a device: the browser does not let it. Use a hub for that."),
        "bring": ("not asked", "404 There is no such saved device. It may have been deleted."),
    },
}

# Of a change, whether it is of a lamp or waits for one.
CHANGES: Rows = {
    "a list as a body": ("422 The body must be an object.", "422 An object is expected here."),
    "a name of 65": (
        "422 Name must have 0 to 64 characters.",
        "422 A lamp keeps a name of at most 32 octets; this one has 65.",
    ),
    "a name as a number": ("422 Name must be text of 0 to 64 characters.", "422 The name must be text."),
    "a week as a number": ("422 Week must be an object.", "422 An object is expected here."),
    "a tonight as a text": ("422 Tonight must be an object.", "422 An object is expected here."),
    **each(
        "422 Tonight_days must be a whole number from 1 to 30.", "422 The number of days must be a number from 1 to 30.",
        "days 0", "days 300", "days in words",
    ),  # fmt: skip
    "power in words": ("422 Power must be true or false.", "422 The power must be true or false."),
    "linked as a number": ("422 Linked must be true or false.", "422 The link of the LEDs must be true or false."),
    "a button as a list": ("422 Button must be an object.", "422 An object is expected here."),
    **each(
        "422 On_seconds must be a whole number from 0 to 65535.",
        "422 The time that it shines, in seconds, must be a number from 0 to 65535.",
        "on below 0", "on for 65536", "on for half a second",
    ),  # fmt: skip
    "presses 256": (
        "422 Daily_presses must be a whole number from 0 to 255.",
        "422 The presses a day must be a number from 0 to 255.",
    ),
    "from 7": ("422 From must have 4 to 5 characters.", "422 A time must be like 07:30."),
    "shake in words": ("422 Shake must be true or false.", "422 Shaking must be true or false."),
    "an empty colour": ("422 Color must have 1 to 40 characters.", "422 The colour must be like #ff8800."),
}
# Of a week that is kept, or put in the place of another one.
WEEKS: Rows = {
    "without a body": ("415 The body has to be application/json.", "422 Say which week."),
    "a list as a body": ("422 The body must be an object.", "422 Say which week."),
    "no week": ("422 Week is missing in the body.", "422 Say which week."),
    **each(
        "422 Week must be an object.", "422 This is not a week: an object is expected here.",
        "week null", "a week as a number",
    ),  # fmt: skip
    "more than there is": ('422 "loud" is not known here; known are: week.', "200"),
}
# What differs and should not.
DRIFTS: dict[str, Rows] = {
    "wifi": {
        "begin on a word": (
            "404 There is nothing at this address.",
            "404 There is no such device any more. It was not heard for a while.",
        ),
        "a query where none is": (
            '400 "loud" is not known here; known are: nothing.',
            "409 This device has no light or sound by which it could show itself.",
        ),
        "without a body": ("415 The body has to be application/json.", "422 Say which network, and its password."),
        "a list as a body": ("422 The body must be an object.", "422 Say which network, and its password."),
        "no network": ("422 Ssid_octets is missing in the body.", "422 Say which network, and its password."),
        **each(
            "422 Ssid_octets must be two hexadecimal digits for each octet.", "422 Say which network, and its password.",
            "a network as a number", "a network that is no octets", "a network of half an octet",
        ),  # fmt: skip
        "no password": ("422 Password is missing in the body.", "422 Say which network, and its password."),
        "a password as a number": (
            "422 Password must be text of 0 to 256 characters.",
            "422 Say which network, and its password.",
        ),
        "more than there is": (
            '422 "bssid" is not known here; known are: ssid_octets, security, password.',
            "422 This network needs a password.",
        ),
        "no such request": ("404 The hub has nothing at this address.", "404 This has ended. Start it again."),
        "no such method": ("405 Here one can only GET.", "404 This has ended. Start it again."),
        "ended: *": ("12 as before", "11 as before; 1 409 The device is not connected. Wait a moment, or start again."),
        "unknown: *": ("14 as before", "12 404 This has ended. Start it again.; 2 as before"),
    },
    "bulb": {
        **each("400 page must have 0 to 40 characters.", "200", "begin with a page of 41", "keep with a page of 41"),
        **each(
            "400 page must have 0 to 40 characters.", "204",
            "leave with a page of 41 at once", "leave with a page of 41",
        ),  # fmt: skip
        "begin: more than there is": ('422 "colour" is not known here; known are: dialect.', "200"),
        "begin: a list as a body": ("422 The body must be an object.", "200"),
        "without a body": ("415 The body has to be application/json.", "422 Say what the bulb is to do."),
        "a list as a body": ("422 The body must be an object.", "422 Say what the bulb is to do."),
        "no command": ("422 Command is missing in the body.", "422 Say what the bulb is to do."),
        **each(
            "422 Command must be one of color, white, on, off, effect, state.", "422 Say what the bulb is to do.",
            "an unknown command", "a command as a number", "command null",
        ),  # fmt: skip
        "more than there is": (
            '422 "loud" is not known here; known are: command, color, white_percent, effect, speed.',
            "422 color must be a colour such as #ff8800: the command needs it.",
        ),
        **each(
            "422 Color must be text of 1 to 40 characters.",
            "422 color must be a colour such as #ff8800: the command needs it.",
            "colour null", "a colour as a number",
        ),  # fmt: skip
        **each(
            "422 Color must have 1 to 40 characters.", "422 color must be a colour such as #ff8800: the command needs it.",
            "an empty colour", "a colour of 41",
        ),  # fmt: skip
        "cycle without a body": ("415 The body has to be application/json.", "422 Turn is missing in the body."),
        "keep with more": ('400 "loud" is not known here; known are: page.', "200"),
        "no such request": ("404 The hub has nothing at this address.", "404 This has ended. Start it again."),
        "ended: *": ("16 as before", "16 as before"),
        "unknown: *": ("37 as before", "36 404 This has ended. Start it again.; 1 as before"),
    },
    "explorer": {
        **each(
            "415 The body has to be application/json.", "422 Handle is missing in the body.",
            "read without a body", "write without a body", "watch without a body",
        ),  # fmt: skip
        "write nothing": ("422 Value is missing in the body.", "422 Say what to write, and in which form."),
        "write a number": ("422 Value must be text of 0 to 4096 characters.", "422 Say what to write, and in which form."),
        "write in no form": ("422 Form is missing in the body.", "422 Say what to write, and in which form."),
        "write in an unknown form": (
            "422 Form must be one of hex, text, u8, u16, u24, u32, u64, s8, s16, s24, s32, s64, f32, f64.",
            "422 Say what to write, and in which form.",
        ),
        "write too much": (
            "422 Value must have 0 to 4096 characters.",
            "422 A value in hex has two digits for each octet, such as 01 ff a0.",
        ),
        "write with more": (
            '422 "loud" is not known here; known are: handle, form, value, response, confirmed.',
            "428 A write can change what HR strap 9A3C2B does, also for good. Confirm the first one.",
        ),
        "confirmed in words": (
            "422 Confirmed must be true or false.",
            "428 A write can change what HR strap 9A3C2B does, also for good. Confirm the first one.",
        ),
        **each("400 handle must be a whole number from 1 to 65535.", "200", "log of 0", "log of words"),
        "log before -1": ("400 before must be a whole number from 0 to 9007199254740991.", "200"),
        **each(
            "400 limit must be a whole number from 1 to 500.", "200",
            "log of no length", "log of 501", "log of some", "log of half",
        ),  # fmt: skip
        "log with more": ('400 "loud" is not known here; known are: handle, before, limit.', "200"),
        "save without a body": ("415 The body has to be application/json.", "200"),
        "save without a name": ("422 Name is missing in the body.", "200"),
        "save as a number": ("422 Name must be text of 0 to 100 characters.", "200"),
        "save as 101": ("422 Name must have 0 to 100 characters.", "200"),
        "no such request": ("404 The hub has nothing at this address.", "404 This has ended. Start it again."),
        "no such method": ("405 Here one can only GET.", "404 This has ended. Start it again."),
        "logged: *": ("8 as before", "8 as before"),
        "ended: *": (
            "24 as before",
            "22 as before; 2 409 The device is not connected. Wait a moment, or connect to it again.",
        ),
        "unknown: *": ("40 as before", "38 404 This has ended. Start it again.; 2 as before"),
    },
    "saves": {
        "its number": ("is_new true", "is_new false"),
        "its tree": ("200", "409 A page cannot serve a device: the browser does not let it. Use a hub for that."),
        **each(
            "422 Name must be text of 1 to 100 characters.", "422 Name must have 1 to 100 characters.",
            "rename: a number", "rename: null",
        ),  # fmt: skip
        "rename: nothing": ("422 Name is missing in the body.", "422 Name must have 1 to 100 characters."),
        "rename: more": ('422 "loud" is not known here; known are: name.', "200"),
        "differences with nothing": (
            "400 with is missing. The number of the newer one.",
            "404 There is no such saved device. It may have been deleted.",
        ),
        "differences with a word": (
            "400 with must be a whole number from 0 to 9007199254740991.",
            "404 There is no such saved device. It may have been deleted.",
        ),
        "delete a word": (
            "404 There is nothing at this address.",
            "404 There is no such saved device. It may have been deleted.",
        ),
        "no such request": (
            "404 The hub has nothing at this address.",
            "409 A page cannot serve a device: the browser does not let it. Use a hub for that.",
        ),
    },
    "jobs": {
        "end a word": ("404 There is nothing at this address.", "404 This has ended. Start it again."),
        "look at one": ("405 Here one can only DELETE.", "404 This has ended. Start it again."),
        "no such method": ("405 Here one can only GET.", "404 This has ended. Start it again."),
    },
    "lamp": {
        **each("400 page must have 0 to 40 characters.", "200", "begin with a page of 41", "keep with a page of 41"),
        **each(
            "400 page must have 0 to 40 characters.", "204",
            "leave with a page of 41 at once", "leave with a page of 41",
        ),  # fmt: skip
        "change: more than there is": (
            f'422 "nmae" is not known here; known are: {CHANGEABLE}, if_changes.',
            "422 There is nothing to change.",
        ),
        "change without a body": ("415 The body has to be application/json.", "422 There is nothing to change."),
        "proof without a colour": ("422 Color is missing in the body.", "422 The colour must be like #ff8800."),
        "proof of a number": ("422 Color must be text of 1 to 40 characters.", "422 The colour must be like #ff8800."),
        "proof without a body": ("415 The body has to be application/json.", "422 Leds is missing in the body."),
        "no such request": ("404 The hub has nothing at this address.", "404 This has ended. Start it again."),
        "no such method": ("405 Here one can only GET, PATCH.", "404 This has ended. Start it again."),
        "ended: *": ("27 as before", "27 as before"),
        "unknown: *": ("50 as before", "48 404 This has ended. Start it again.; 2 as before"),
        **{f"change: {step}": both for step, both in CHANGES.items()},
    },
    "memories": {
        **each(
            "400 address is missing. The address of the lamp, as commands take it.", "422 Say which lamp, by its address.",
            "forget none", "wish of no lamp", "take back of no lamp",
        ),  # fmt: skip
        **each(
            "400 address must be twelve hexadecimal digits in pairs, such as F0:F1:F2:F3:F4:F5.",
            "422 Say which lamp, by its address.",
            "forget what is no address", "wish of what is no lamp",
        ),  # fmt: skip
        "wish without a body": ("415 The body has to be application/json.", "422 There is nothing to change."),
        "wish: more than there is": (
            f'422 "nmae" is not known here; known are: {CHANGEABLE}.',
            "422 There is nothing to change.",
        ),
        "take back a word": ("404 There is nothing at this address.", "404 This was sent already, or taken back."),
        "no such request": ("405 Here one can only POST.", "422 Say which lamp, by its address."),
        **{f"wish: {step}": both for step, both in CHANGES.items()},
    },
    "weeks": {
        **each(
            "404 There is nothing at this address.", "404 There is no such schedule. It may have been deleted.",
            "replace a word", "forget a word",
        ),  # fmt: skip
        "look at one": ("405 Here one can only PUT, DELETE.", "404 There is no such schedule. It may have been deleted."),
        "preview: an empty zone": (
            "422 Time_zone must have 1 to 64 characters.",
            "422 There is no such time zone: give one like Europe/Berlin.",
        ),
        "preview: days 0": (
            "422 Tonight_days must be a whole number from 1 to 30.",
            "422 The number of days must be a number from 1 to 30.",
        ),
        "preview: days alone": ("422 Tonight_days must be a whole number from 1 to 30.", "200"),
        "preview: a short day": (
            "422 Date must have 8 to 10 characters.",
            "422 Date must be a day of the calendar, such as 2026-11-21.",
        ),
        "preview: a day as a number": ("422 Date must be text of 8 to 10 characters.", "422 The date must be text."),
        "preview: without a body": ("415 The body has to be application/json.", "422 Say which schedules."),
        "preview: a list as a body": ("422 The body must be an object.", "422 An object is expected here."),
        "preview: no week": ("422 Week is missing in the body.", '422 "week" is missing.'),
        "preview: week null": ("422 Week must be an object.", '422 "week" is missing.'),
        "preview: a week as a number": ("422 Week must be an object.", "422 An object is expected here."),
        **{f"{word}: {step}": both for word in ("keep", "replace") for step, both in WEEKS.items()},
    },
}
