# SPDX-License-Identifier: Apache-2.0
"""Alerts of the page: what is heard and what the system is told, with stubs of Web Audio and of notifications."""

from datetime import datetime, timedelta

import pytest
from conftest import until
from flock_world import hub  # noqa: F401
from playwright.sync_api import expect


SOUNDS = ["chime", "drop", "knock", "bell", "sonar", "alarm"]

STUBS = """() => {
    window.heard = [];
    const nothing = () => {};
    class Parameter {
        constructor(note, name) { Object.assign(this, { note, name }); }
        set value(value) { this.note[this.name] = value; }
        setValueAtTime() {}
        exponentialRampToValueAtTime(value) { this.note[this.name] = Math.max(this.note[this.name] ?? 0, value); }
    }
    window.AudioContext = class {
        currentTime = 0;
        state = "suspended";
        resume() {
            this.state = "running";
            this.onstatechange?.();
        }
        createGain() { return { gain: new Parameter(this.note, "level"), connect: () => ({ connect: nothing }) }; }
        createOscillator() {
            const note = this.note = {}, tone = { frequency: new Parameter(note, "hertz"), stop: nothing };
            tone.start = (at) => window.heard.push({ ...note, at, wave: tone.type });
            return Object.assign(tone, { connect: (level) => level });
        }
    };
    window.told = [];
    window.Notification = class {
        static permission = "granted";
        constructor(title, options) { window.told.push({ title, ...options }); }
    };
    Object.defineProperty(document, "hidden", { value: true });
}"""


def address(number: int) -> str:
    return f"AC:CC:8E:00:{number >> 8:02X}:{number & 255:02X}"


def arrive(hub, number: int, **values) -> None:
    """A detection of a source of its own."""
    hub.finder.detect({"type": "Axis", "mac": address(number), "ssid": "axis", "rssi": -60, "confidence": 0.9} | values)


def tag(hub, number: int) -> str:
    return f"source-{next(one['id'] for one in hub.sources().values() if one['mac'] == address(number))}"


def set_alerts(hub, **values) -> None:
    answer = hub.ask("PATCH", "/settings", {"alerts": values}, if_match="*")
    assert answer["status"] == 200, answer


@pytest.fixture
def untouched(hub, open_page):
    """A page in the background that nobody has touched, and that may sound at any hour."""
    page = open_page("settings/about")
    expect(page.locator(".status")).to_contain_text("Live")
    page.evaluate(STUBS)
    quiet = {"on": False, "from": "22:00", "to": "07:00"}
    set_alerts(hub, quiet=quiet, min_confidence=0.5, interval_minutes=30, sound="chime", volume=0.5)
    return page


@pytest.fixture
def listening(untouched):
    untouched.keyboard.press("Shift")
    return untouched


def test_nothing_sounds_before_a_gesture(hub, untouched):
    arrive(hub, 901)
    until(untouched, "window.told.length === 1")
    assert untouched.evaluate("window.heard") == []
    untouched.keyboard.press("Shift")
    arrive(hub, 902)
    until(untouched, "window.heard.length === 2")


def test_the_scanner_says_when_sound_waits_for_a_touch(hub, untouched):
    untouched.evaluate("location.hash = '#/scanner'")
    waits = untouched.get_by_role("button", name="The browser plays no sound before this page is touched. Allow it")
    waits.click()
    # The touch that allowed it has not switched it off.
    sounds = untouched.get_by_role("button", name="Sound is on. Switch it off")
    expect(sounds).to_be_visible()
    assert hub.get("/settings")["alerts"]["sound"] == "chime"
    until(untouched, "window.heard.length > 0")
    sounds.click()
    expect(untouched.get_by_role("button", name="Sound is off. Switch it on")).to_be_visible()


def test_six_sounds_that_differ(hub, listening):
    melodies = set()
    for number, sound in enumerate(SOUNDS):
        listening.evaluate("window.heard = [], window.told = []")
        set_alerts(hub, sound=sound)
        arrive(hub, 910 + number)
        until(listening, "window.told.length === 1")
        notes = listening.evaluate("window.heard")
        assert notes, sound
        melodies.add(tuple((note["hertz"], note["at"], note["wave"]) for note in notes))
    assert len(melodies) == len(SOUNDS)


@pytest.mark.parametrize(
    "sound,volume,level", [("chime", 1, 0.3), ("chime", 0.5, 0.15), ("chime", 0, None), ("off", 1, None)]
)
def test_a_sound_is_as_loud_as_it_is_set(hub, listening, sound, volume, level):
    set_alerts(hub, sound=sound, volume=volume)
    arrive(hub, 920)
    until(listening, "window.told.length === 1")
    levels = listening.evaluate("window.heard.map((note) => note.level)")
    assert levels == ([pytest.approx(level)] * 2 if level else [])


def test_what_raises_no_alert_is_neither_heard_nor_told(hub, listening):
    now = datetime.now()
    hours = {"from": f"{now - timedelta(hours=1):%H:%M}", "to": f"{now + timedelta(hours=1):%H:%M}"}
    set_alerts(hub, quiet={"on": True, **hours})
    arrive(hub, 930)
    set_alerts(hub, quiet={"on": False, **hours}, min_confidence=0.95)
    arrive(hub, 931)
    set_alerts(hub, min_confidence=0.5)
    for _ in range(3):
        arrive(hub, 932)
    arrive(hub, 933)
    until(listening, "window.told.length > 1 && window.heard.length > 3")
    assert [one["tag"] for one in listening.evaluate("window.told")] == [tag(hub, 932), tag(hub, 933)]
    assert listening.evaluate("window.heard.length") == 4


@pytest.mark.parametrize(
    "name,shown",
    [
        ("\u202egpj.exe\u2066", "[U+202E]gpj.exe[U+2066]"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
        ("شبكة المنزل", "شبكة المنزل"),
        ("line\r\nline\u2028", "line[U+000D][U+000A]line[U+2028]"),
        ("W" * 8000, "W" * 80 + "…"),
        ("\u200b" * 2500, "[U+200B][U+200B][U+200B][U+200B][+76]…"),
    ],
    ids=["bidi", "markup", "right to left", "lines", "8 KB", "8 KB unseen"],
)
def test_a_notification_is_cut_and_cleaned(hub, listening, name, shown):
    # What the device calls it is not its kind.
    arrive(hub, 940, type=f"Your bank {name[:80]}", ssid=name)
    until(listening, "window.told.length === 1")
    told = listening.evaluate("window.told[0]")
    assert (told["title"], told["body"]) == ("Unknown", shown)


@pytest.mark.whole_chromium
def test_where_a_page_may_show_no_notification_its_worker_does(hub, listening):
    """Chrome on Android throws from the constructor."""
    listening.context.grant_permissions(["notifications"])
    listening.evaluate("""() => {
        window.Notification = class {
            static permission = "granted";
            constructor() { throw new TypeError("Illegal constructor"); }
        };
    }""")
    arrive(hub, 960, type="Ring", ssid="porch")
    shown = """async () => {
        const worker = await navigator.serviceWorker.getRegistration();
        return (await worker?.getNotifications() ?? []).map(({ title, body, tag }) => [title, body, tag]);
    }"""
    for _ in range(100):
        if found := listening.evaluate(shown):
            break
        listening.wait_for_timeout(50)
    assert found == [["Ring", "porch", tag(hub, 960)]]


@pytest.mark.parametrize(
    "state,words",
    [("denied", "Not allowed in this browser"), ("insecure", "Only when this page is opened over https"), ("missing", "has none")],
)
def test_settings_say_why_there_are_no_notifications(hub, open_page, state, words):
    page = open_page("settings/about")
    expect(page.locator(".status")).to_contain_text("Live")
    page.evaluate(
        """(state) => {
            if (state === "insecure") Object.defineProperty(window, "isSecureContext", { value: false });
            if (state === "missing") delete window.Notification;
            else Object.defineProperty(Notification, "permission", { value: "denied", configurable: true });
            location.hash = "#/settings/alerts";
        }""",
        state,
    )
    expect(page.locator("main")).to_contain_text(words)
