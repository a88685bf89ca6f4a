# SPDX-License-Identifier: Apache-2.0
"""The pages against `lantern hub` with Bumble peers: real HCI over TCP, hostile devices, and what breaks on the way."""

import os
import re
import socket
import subprocess
import time

import pytest
from conftest import assert_harmless, until
from hostile import HOSTILE, RLO
from playwright.sync_api import expect
from real_hub import RealHub, binary

from peers.flockfinder_device import FlockFinderDevice
from peers.gadget import FLAGS, Gadget, ad_structure


@pytest.fixture
def hub(air, tmp_path):
    one = RealHub(tmp_path, "--radio", air.radio)
    one.start()
    yield one
    one.stop()


def connect(hub, air) -> int:
    """Has the hub connect to the FlockFinder; its number."""

    def finder():
        return next((one for one in hub.get("/devices")["items"] if one["kind"] == "flockfinder"), None)

    number = hub.until(finder)["id"]
    if finder()["state"] == "none":
        hub.request("POST", f"/api/v1/devices/{number}/connect")
    hub.until(lambda: finder()["state"] == "connected")
    air.ready()
    return number


def detection(index: int, **more) -> dict:
    return {
        "type": "Flock Safety",
        "ssid": f"net-{index}",
        "mac": f"3C:71:BF:00:{index >> 8 & 255:02X}:{index & 255:02X}",
        "rssi": -60 - index % 30,
        "confidence": 0.9,
        "t": 1000 + index,
        **more,
    }


def settle(page) -> None:
    expect(page.locator(".status")).to_contain_text("Live", timeout=20000)


def test_what_the_air_says_is_seen(hub, air, open_page, size):
    connect(hub, air)
    page = open_page("scanner", size)
    settle(page)
    air.send(detection(1))
    expect(page.locator(".latest-row", has_text="net-1")).to_be_visible(timeout=10000)
    expect(page.locator(".latest-row .age").first).to_have_text(re.compile(r"Now|\d s"))


def send_hostile(hub, air) -> None:
    """Detections of hostile texts, objects that are none, and devices with hostile names around."""
    names = [b"<b>bold</b><img src=x>", f"{RLO}gnp.\u200b".encode(), b"\x1b[31mred\x07\0", b"\xff\xfe\xc3(\x80"]

    async def appear() -> None:
        for index, name in enumerate(names):
            address = f"C0:DE:00:00:00:0{index}"
            await Gadget(air.bench, f"g{index}", address, [], FLAGS + ad_structure(9, name)).start()

    air.do(appear())
    for index, text in enumerate(HOSTILE):
        air.send(detection(index, ssid=text, type=text[:200], note=text[:300]))
    head = b'{"type":"Ring","mac":"3C:71:BF:01:00:01","rssi":-50,"confidence":0.9,"ssid":'
    air.send(head + b'"lone \\ud83d \\u0000 \\u001b[31m"}')
    air.send(head + b'"bad \xff\xfe"}')
    air.send(detection(90, mac=HOSTILE[0]))
    air.send(b'{"type": "cut off')
    air.send(b"\xff\xfe\x00 not JSON at all\n")
    air.do(air.device.send_stream({"event": HOSTILE[1], HOSTILE[0]: HOSTILE[10], "x": HOSTILE[13]}))
    # Two names have 8 kB and more, which is refused.
    hub.until(lambda: hub.get("/detections")["total"] >= len(HOSTILE) - 2)
    hub.until(lambda: len(hub.get("/devices")["items"]) >= 5)


def test_hostile_text_stays_text(hub, air, open_page, size):
    number = connect(hub, air)
    send_hostile(hub, air)
    assert hub.request("PATCH", f"/api/v1/devices/{number}", {"own_name": HOSTILE[0]})[0] == 200
    sources = hub.get("/sources")["items"]
    assert hub.request("PATCH", f"/api/v1/sources/{sources[0]['id']}", {"note": HOSTILE[12]})[0] == 200
    routes = [f"history/source/{source['id']}" for source in sources]
    routes += ["history", "scanner", "debug", "devices", "map", "settings/devices", "settings/about"]
    page = open_page("scanner", size)
    settle(page)
    for route in routes:
        page.evaluate("(route) => { location.hash = `#/${route}` }", route)
        if route in ("scanner", "debug"):
            air.send(detection(99, ssid=HOSTILE[0], type=HOSTILE[1]))
            air.send(detection(98, ssid=HOSTILE[10], type=HOSTILE[10][:200]))
            air.send(b'{"type": "<b>cut off')
        page.wait_for_timeout(350)
        assert_harmless(page, route)
    page.evaluate("location.hash = '#/history'")
    for kind in ("Sources", "Detections"):
        if size == "phone":
            page.get_by_role("button", name="More").click()
            page.get_by_role("dialog").get_by_role("button", name=kind, exact=True).click()
        else:
            page.get_by_role("button", name=kind, exact=True).click()
        expect(page.locator(".long-row").first).to_be_visible()
        if size == "phone":
            page.get_by_role("button", name="More").click()
            page.get_by_role("dialog").get_by_role("button", name="Select", exact=True).click()
        page.locator(".long-row .tick").nth(1).click()
        assert_harmless(page, f"{kind}, ticked")
        page.keyboard.press("Escape")
    page.locator(".long-row").nth(1).click()
    page.get_by_role("button", name="Mute").click()
    expect(page.locator(".toast")).to_be_visible()
    assert_harmless(page, "toast")
    page.evaluate("location.hash = '#/settings/devices'")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator("dialog")).to_be_visible()
    assert_harmless(page, "rename")


def on_a_terminal(command: list) -> str:
    """What a command writes to a terminal, without colours of its own."""
    own, its = os.openpty()
    run = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env={**os.environ, "NO_COLOR": "1"})
    os.close(its)
    octets = b""
    try:
        while piece := os.read(own, 1 << 16):
            octets += piece
    except OSError:
        pass  # Nobody holds its end any more.
    os.close(own)
    assert run.wait(20) == 0, octets
    return octets.decode().replace("\r\n", "\n")


def test_hostile_text_does_not_steer_a_terminal(hub, air):
    connect(hub, air)
    send_hostile(hub, air)
    steering = "[\x00-\x08\x0b-\x1f\x7f-\x9f]"
    hiding = "[\u200b\u2028\u202a-\u202e\u2066-\u2069\ufeff]"
    newest = str(hub.get("/detections")["items"][0]["id"])
    for arguments in ("list", f"show {newest}", "list --json", "export --format csv", "export --format json"):
        text = on_a_terminal([binary(), "detections", *arguments.split(), "--database", hub.database])
        assert not (found := re.search(steering, text)), (arguments, found)
        # JSON is for programs, which get each character as it is.
        assert "json" in arguments or not (found := re.search(hiding, text)), (arguments, found)
        assert "alert(1)" in text or newest in text


def latest(page) -> set[str]:
    """The networks that the Scanner lists."""
    return set(page.evaluate("[...document.querySelectorAll('.latest-row .name .hint')].map(e => e.textContent)"))


def test_what_a_page_has_shown_is_in_the_database(hub, air, open_page):
    """SIGKILL while detections come; two pages say so, and catch up when the hub is back: nothing twice, nothing missing."""
    connect(hub, air)
    page, other = open_page("scanner"), open_page("scanner", "phone")
    settle(page)
    settle(other)
    shown: set[str] = set()
    for turn in range(1, 4):
        for index in range(turn * 20, turn * 20 + 20):
            air.send(detection(index))
        # Rows of the turns before are still there.
        until(page, lambda: not latest(page) <= shown)
        shown |= latest(page)
        hub.kill()
        expect(page.locator(".banner")).to_contain_text("The hub is not answering", timeout=10000)
        hub.start()
        kept = {row["ssid"] for row in hub.get("/detections?limit=1000")["items"]}
        assert shown <= kept, shown - kept
        # The page also tries by itself, and may have been first.
        page.evaluate("document.querySelector('.banner button')?.click()")
        expect(page.locator(".banner")).to_be_hidden(timeout=10000)
        hub.until(lambda: any(one["state"] == "connected" for one in hub.get("/devices")["items"]), 60)
        air.ready(turn + 1)
    assert len(shown) >= 3
    air.send(detection(99))
    newest = [row["ssid"] for row in hub.detections(count=len(kept) + 1)["items"]]
    for one in (page, other):
        expect(one.locator(".latest-row").first).to_contain_text("net-99", timeout=20000)
        listed = one.locator(".latest-row .name .hint").all_inner_texts()
        assert listed == newest[: len(listed)] and len(listed) == len(set(listed))


def test_a_database_is_downloaded_and_restored_by_the_page(hub, air, open_page, tmp_path, size):
    connect(hub, air)
    for index in range(5):
        air.send(detection(index))
    hub.detections(count=5)
    page = open_page("settings/storage", size)
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    copy = tmp_path / "copy.sqlite"
    download.value.save_as(copy)
    page.get_by_role("button", name="Delete").click()
    page.locator("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert hub.get("/detections")["total"] == 0
    page.locator("input[type=file][accept*=sqlite]").set_input_files(copy)
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("copy.sqlite")
    dialog.get_by_role("button", name="Restore").click()
    hub.until(lambda: hub.get("/detections")["total"] == 5)
    page.evaluate("location.hash = '#/history'")
    expect(page.locator(".counts")).to_have_text("5 sources", timeout=15000)
    air.send(detection(7))
    hub.detections(count=6)


def test_the_radio_goes_and_comes_back(hub, air, open_page):
    connect(hub, air)
    page = open_page("scanner")
    settle(page)
    air.send(detection(1))
    expect(page.locator(".latest-row")).to_have_count(1, timeout=10000)
    port = air.bench.port
    before = port.host
    air.lose_radio(returns=True)
    # The hub opens it anew at once: that it was gone for a moment cannot be seen by asking now and then.
    hub.until(lambda: port.host not in (None, before), 60)
    hub.until(lambda: hub.get("/hub")["radio"]["state"] == "scanning", 60)
    hub.until(lambda: any(one["state"] == "connected" for one in hub.get("/devices")["items"]), 60)
    air.ready(2)
    air.send(detection(2))
    expect(page.locator(".latest-row", has_text="net-2")).to_be_visible(timeout=20000)


def test_a_hub_without_a_radio_shows_what_it_has(hub, air, open_page, size):
    connect(hub, air)
    air.send(detection(1))
    hub.detections()
    air.lose_radio(returns=False)
    hub.until(lambda: hub.get("/hub")["radio"]["state"] != "scanning")
    page = open_page("scanner", size)
    expect(page.locator(".trouble h2")).to_be_visible(timeout=20000)
    expect(page.locator(".kept")).to_contain_text("1 detection")
    page.get_by_role("link", name="History").first.click()
    expect(page.locator(".long-row", has_text="net-1")).to_be_visible()


def test_two_hundred_streams_of_which_half_do_not_read(hub, air, open_page):
    connect(hub, air)
    ask = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nAccept: text/event-stream\r\n\r\n".encode()
    streams = []
    for _ in range(200):
        stream = socket.create_connection(("127.0.0.1", hub.port))
        stream.sendall(ask)
        streams.append(stream)
    page = open_page("scanner")
    settle(page)
    slowest = 0.0
    for index in range(200):
        air.send(detection(index, note="x" * 300))
        if index % 20 == 0:
            begin = time.monotonic()
            hub.get("/hub")
            slowest = max(slowest, time.monotonic() - begin)
            for stream in streams[::2]:
                stream.setblocking(False)
                try:
                    stream.recv(1 << 20)
                except BlockingIOError:
                    pass
    expect(page.locator(".latest-row", has_text="net-199")).to_be_visible(timeout=20000)
    assert hub.get("/detections")["total"] == 200
    assert slowest < 2
    for stream in streams:
        stream.close()


def test_a_client_of_one_octet_a_second_is_cut_off(hub, air):
    request = f"GET /api/v1/hub HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nX-Slow: {'x' * 200}\r\n\r\n".encode()
    begin = time.monotonic()
    with socket.create_connection(("127.0.0.1", hub.port)) as slow:
        slow.settimeout(1)
        for octet in request:
            try:
                slow.sendall(bytes([octet]))
                if slow.recv(1000) == b"":
                    break
            except TimeoutError:
                pass
            except OSError:
                break
            if time.monotonic() - begin > 5:
                hub.get("/hub")
            assert time.monotonic() - begin < 90, "it may keep its connection for ever"
    assert time.monotonic() - begin < 60


# A device that says nothing of itself: neither name nor service.
SILENT = "C0:DE:00:00:00:77"


def found(hub, address: str) -> dict:
    return next((one for one in hub.get("/devices")["items"] if one["address"] == address), {})


def test_a_device_is_added_by_its_address(hub, air, open_page, size):
    page = open_page("devices" if size == "phone" else "settings/devices", size)
    page.get_by_role("button", name="Add a device by its address" if size == "phone" else "Add by its address").click()
    dialog, address = page.locator("dialog"), page.get_by_label("Address")
    expect(address).to_be_focused()
    page.keyboard.press("Tab")
    page.get_by_label("A name of your own").fill("Car <b>")
    for wrong, words in (("", "Type the address"), ("hello", "Address must be"), (SILENT[:-1], "Address must be")):
        address.fill(wrong)
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(dialog.locator(".refused")).to_contain_text(words)
        expect(address).to_be_focused()
    address.fill(SILENT.lower())
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Car <b> is known now. Lantern connects to it as soon as it is heard.")
    expect(dialog).to_have_count(0)
    assert_harmless(page, "added")
    assert (found(hub, SILENT)["state"], found(hub, SILENT)["rssi"]) == ("none", None)

    # Now it is switched on.
    async def appear() -> FlockFinderDevice:
        device = FlockFinderDevice(air.bench, name="silent", address=SILENT)
        device.advertising_data, device.scan_response_data = FLAGS, b""
        await device.start()
        return device

    device = air.do(appear())
    hub.until(lambda: found(hub, SILENT)["state"] == "connected")
    air.do(device.ready())
    air.do(device.send({"type": "Ring", "mac": "3C:71:BF:00:00:77", "rssi": -60, "confidence": 0.9}))
    hub.detections()
    if size == "desktop":
        expect(page.locator(".setting", has_text=SILENT)).to_contain_text("Car <b>")

    hub.stop()
    hub.start()
    assert found(hub, SILENT)["own_name"] == "Car <b>"
    hub.until(lambda: found(hub, SILENT)["state"] == "connected")
