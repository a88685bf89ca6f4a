# SPDX-License-Identifier: Apache-2.0
"""Proves that a Wi-Fi password is in nothing that a provisioning run writes, but the capture.

Everything is searched for it in every spelling that a log is likely to have: stdout, stderr, the terminal, and
all files in the home, the working folder and the folder for temporary files. The capture shows that the search
would find it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, WRONG_USAGE, Lantern, Run
from peers.bench import Bench
from peers.flockfinder_device import FlockFinderDevice
from peers.wifiset import CONNECTING, ERROR_NAMES, FAILED_TO_CONNECT, STORED, Ack, Error, Status
from peers.wifiset_client import WiFiSetClient
from peers.wifiset_device import ADDRESS, HOME, Step, WiFiSetDevice
from test_capture import assert_clean

PASSWORD = "Xyzzy-Tr0ub4dor&3-Qüx"
JOINED = WiFiSetDevice.joined(HOME)
REFUSED: list[Step] = [Ack(STORED), Status(CONNECTING, 0, "0.0.0.0", b"Home"), Status(FAILED_TO_CONNECT)]


def spellings(password: str) -> set[bytes]:
    """How the password may look in a file, each cut to what is there for certain."""
    octets = password.encode()
    found = {octets, octets[:12], octets[-8:], password.encode("utf-16-le"), octets[::-1]}
    found.add(json.dumps(password)[1:-1].encode())
    found.add(",".join(str(octet) for octet in octets).encode())
    found.add(", ".join(str(octet) for octet in octets).encode())
    for separator in ("", " ", ":", "-", ", 0x"):
        digits = separator.join(f"{octet:02x}" for octet in octets)
        found |= {digits.encode(), digits.upper().encode()}
    for lead in range(3):
        encoded = base64.b64encode(b"\0" * lead + octets)
        found.add(encoded[4 if lead else 0 : len(encoded) // 4 * 4 - 4])
    return found


def places(text: bytes, password: str = PASSWORD) -> list[bytes]:
    """The spellings that occur."""
    return [spelling for spelling in spellings(password) if spelling in text]


def assert_no_file_has_it(folder: Path, *but: Path) -> None:
    for file in folder.rglob("*"):
        if file.is_file() and file not in but:
            assert places(file.read_bytes()) == [], file
            assert places(str(file).encode()) == [], file


def assert_process_has_not(run: Run) -> None:
    """Neither arguments nor environment, which other users of the machine may see."""
    folder = Path(f"/proc/{run.process.pid}")
    for name in ("cmdline", "environ"):
        try:
            octets = (folder / name).read_bytes()
        except OSError:
            return  # It has ended.
        assert places(octets) == [], name


def assert_silent(run: Run) -> None:
    """Nothing that was printed has it."""
    assert places(run.stdout.encode()) == [] and places(run.stderr.encode()) == []


def test_the_search_finds_every_spelling() -> None:
    octets = PASSWORD.encode()
    for text in (
        PASSWORD,
        octets.hex(),
        octets.hex(" ").upper(),
        str(list(octets)),
        base64.b64encode(b"a" + octets).decode(),
        base64.b64encode(b"ab" + octets + b"c").decode(),
        base64.b64encode(octets).decode(),
        f"credentials Home/{PASSWORD} were written",
        json.dumps({"password": PASSWORD}),
    ):
        assert places(text.encode()), text
    assert places(b"credentials for Home were written") == []


@pytest.fixture(autouse=True)
def temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Temporary files come into the home, too."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))


@pytest.fixture
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the password, outside of the home."""
    file = tmp_path_factory.mktemp("secret") / "password"
    file.write_text(PASSWORD + "\n")
    return file


Prepare = Callable[[WiFiSetDevice], Any]


def drop(device: WiFiSetDevice) -> None:
    device.answers = [[Ack(STORED), device.drop]]


def answering(*steps: Step) -> Prepare:
    def prepare(device: WiFiSetDevice) -> None:
        device.answers = [steps]

    return prepare


CASES: dict[str, tuple[Prepare, list[str], tuple[int, ...]]] = {
    "connected": (answering(*JOINED), [], (DONE,)),
    "wrong password": (answering(*REFUSED), [], (FAILED,)),
    **{f"ack {status}": (answering(Ack(status)), [], (FAILED,)) for status in (1, 2, 3)},
    **{
        f"error {code}": (
            answering(Ack(STORED), Error(code, b"no"), Status(FAILED_TO_CONNECT)),
            [],
            (FAILED, NOTHING_FOUND),
        )
        for code in ERROR_NAMES
    },
    "bad input": (answering(b"\x99\x00\x01\x00\x00", b"\x11\x00\xff\xff", *REFUSED), [], (FAILED,)),
    "link dropped": (drop, [], (FAILED,)),
    "no answer": (answering(), ["--timeout", "1"], (NOTHING_FOUND,)),
    "small MTU": (lambda device: setattr(device.device.gatt_server, "max_mtu", 23), [], (DONE,)),
    "wrong usage": (answering(), ["--ssid-hex", "xy"], (WRONG_USAGE,)),
    "unknown option": (answering(), ["--paßword"], (WRONG_USAGE,)),
}


@pytest.mark.parametrize("form", [["--json"], []], ids=["json", "text"])
@pytest.mark.parametrize(("prepare", "arguments", "status"), CASES.values(), ids=CASES)
async def test_a_run_tells_no_password(
    prepare: Prepare,
    arguments: list[str],
    status: tuple[int, ...],
    form: list[str],
    bench: Bench,
    lantern: Lantern,
    tmp_path: Path,
) -> None:
    device = WiFiSetDevice(bench)
    prepare(device)
    await device.start()
    command = ["wifi", "provision", ADDRESS, "--ssid", "Home", "--password-stdin", "--yes", *form, *arguments]
    run = await lantern.start(*command, stdin=True)
    assert_process_has_not(run)
    await run.feed(PASSWORD.encode() + b"\n")
    run.end_input()
    result = await run.finish()
    assert result.status in status, result
    assert_silent(run)
    assert_no_file_has_it(tmp_path)
    if WRONG_USAGE not in status:
        assert device.credentials[0] == (b"Home", PASSWORD.encode()), "it was there to be told"


async def test_a_password_from_a_file(bench: Bench, lantern: Lantern, secret: Path, tmp_path: Path) -> None:
    device = WiFiSetDevice(bench, answers=[REFUSED])
    await device.start()
    run = await lantern.start(
        *["wifi", "provision", ADDRESS, "--ssid", "Home", "--password-file", str(secret), "--yes", "--json"]
    )
    await device.wait_for_tries(1)
    assert_process_has_not(run)
    assert (await run.finish()).status == FAILED
    assert_silent(run)
    assert_no_file_has_it(tmp_path)


async def test_the_capture_has_it_and_nothing_else(
    bench: Bench, lantern: Lantern, secret: Path, tmp_path: Path
) -> None:
    """What the search is worth: in the capture it finds the password."""
    capture = tmp_path / "capture.btsnoop"
    device = WiFiSetDevice(bench)
    await device.start()
    run = await lantern.start(
        *["wifi", "provision", ADDRESS, "--ssid", "Home", "--password-file", str(secret), "--yes"],
        *["--capture", str(capture)],
    )
    assert (await run.finish()).status == DONE
    assert places(capture.read_bytes()) != []
    assert capture.stat().st_mode & 0o077 == 0 or "password" in run.stderr.lower()
    assert_silent(run)
    assert_no_file_has_it(tmp_path, capture)


@pytest.mark.parametrize("length", [7, 64, 200])
async def test_a_refused_password_is_not_told(length: int, lantern: Lantern, tmp_path: Path) -> None:
    password = ("Q7" * length)[:length]
    run = await lantern.start(
        *["wifi", "provision", ADDRESS, "--ssid", "Home", "--password-stdin", "--yes", "--json"], stdin=True
    )
    await run.feed(password.encode() + b"\n")
    run.end_input()
    assert (await run.finish()).status in (FAILED, WRONG_USAGE)
    assert password[:7] not in run.stdout + run.stderr


async def test_a_wrong_device_is_told_none(
    bench: Bench, lantern: Lantern, secret: Path, tmp_path: Path
) -> None:
    flockfinder = FlockFinderDevice(bench)
    await flockfinder.start()
    run = await lantern.start(
        *["wifi", "provision", flockfinder.address, "--ssid", "Home", "--yes", "--password-file", str(secret)]
    )
    assert (await run.finish()).status == FAILED
    assert_silent(run)
    assert places(b"".join(bytes(pdu) for pdu in flockfinder.att_requests)) == []
    assert_no_file_has_it(tmp_path)


async def test_a_terminal_shows_none(bench: Bench, lantern: Lantern, tmp_path: Path) -> None:
    """A wrong one, then the right one, both typed."""
    device = WiFiSetDevice(bench, answers=[REFUSED, JOINED])
    await device.start()
    terminal = await lantern.start_on_terminal("wifi", "provision", ADDRESS, "--ssid", "Home", "--yes")
    for number, password in ((1, "no-" + PASSWORD), (2, PASSWORD)):
        await terminal.wait_for("password for", count=number)
        await terminal.type_hidden(password + "\n")
        await device.wait_for_tries(number)
        if number == 1:
            await terminal.wait_for("another")
            terminal.type("y\n")
    assert await terminal.finish() == DONE
    assert [password for _, password in device.credentials] == [b"no-" + PASSWORD.encode(), PASSWORD.encode()]
    assert places(bytes(terminal.octets)) == [] and places(terminal.text.encode()) == []
    assert_no_file_has_it(tmp_path)


# The device's side


def neighbourhood(folder: Path) -> Path:
    """A file that has the right password, outside of the home."""
    file = folder / "networks.json"
    members = {"password": PASSWORD, "security": "wpa2", "rssi": -50, "channel": 1, "join_seconds": 0}
    faults: list[tuple[str, str | None]] = [("Home", None), ("Broken", "storage"), ("Sour", "wrong_password")]
    file.write_text(
        json.dumps({"networks": [{"ssid": ssid, "fault": fault, **members} for ssid, fault in faults]})
    )
    return file


@pytest.mark.parametrize("form", [["--json"], []], ids=["json", "text"])
async def test_a_device_tells_none(
    form: list[str], bench: Bench, lantern: Lantern, secret: Path, tmp_path: Path
) -> None:
    """Right, wrong, refused, cut in the middle, repeated, of a bad length, and with half of it never coming."""
    file = neighbourhood(secret.parent)
    run = await lantern.start("device", "run", "wifiset", "--networks", str(file), *form)
    assert_process_has_not(run)
    client = WiFiSetClient(bench)
    await client.start()
    await client.join()
    password = PASSWORD.encode()
    awaited = 0
    for ssid in (b"Sour", b"Broken", b"Nowhere", b"Home", b"Home"):
        await client.give(ssid, password)
        awaited += 1
        await client.wait_for(Ack, awaited)
    octets = await client.give(b"Home", b"no-" + password, cut=[20])
    await client.write("4fafc203-1fb5-459e-8fcc-c5c9c331914b", octets)
    for payload in (
        b"\x04Home\x50" + password * 4,
        b"\x04Home\x40" + password,
        b"\x20" + password,
        password,
    ):
        for kind in (0x10, 0x20, 0x42, 0x11):
            header = bytes([kind, client.next_sequence()]) + len(payload).to_bytes(2, "little")
            await client.write("4fafc203-1fb5-459e-8fcc-c5c9c331914b", header + payload)
    await client.write("4fafc203-1fb5-459e-8fcc-c5c9c331914b", b"\x10\x00\x40\x00\x04Home\x30" + password)
    await client.wait_for(Error, 12)
    for error in client.of(Error):
        assert places(error.text) == [], "an Error tells the password to whoever listens"
    await client.disconnect()
    await client.find()
    assert (await run.interrupt()).status == DONE
    assert_silent(run)
    assert_no_file_has_it(tmp_path)


@pytest.mark.parametrize("form", [["--json"], []], ids=["json", "text"])
async def test_both_ends(
    form: list[str], bench: Bench, lantern: Lantern, secret: Path, tmp_path: Path
) -> None:
    """Our command and our device, both with a capture, in which tshark finds nothing wrong."""
    captures = [tmp_path / "client.btsnoop", tmp_path / "device.btsnoop"]
    file = neighbourhood(secret.parent)
    device = await lantern.start(
        "device", "run", "wifiset", "--networks", str(file), "--capture", str(captures[1]), *form
    )
    watcher = WiFiSetClient(bench)
    await watcher.start()
    address = str((await watcher.find()).address).split("/")[0]
    port = await bench.add_port()
    run = await lantern.start(
        *["wifi", "provision", address, "--ssid", "Home", "--yes", "--password-file", str(secret)],
        *["--capture", str(captures[0]), *form],
        radio=port.radio,
    )
    assert (await run.finish()).status == DONE, run
    assert (await device.interrupt()).status == DONE
    for capture in captures:
        await assert_clean(capture)
        assert places(capture.read_bytes()) != []
    for ended in (run, device):
        assert_silent(ended)
    assert_no_file_has_it(tmp_path, *captures)
