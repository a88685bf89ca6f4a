# SPDX-License-Identifier: Apache-2.0
"""A Wi-Fi password that was sent is in no buffer of HTTP, TLS or JSON afterwards, and files that others may read are told."""

import json
import os
import platform
import re
import subprocess
import time
from pathlib import Path

import pytest

from hub_under_attack import AttackedHub, binary
from real_hub import free_port

UNIT = Path(__file__).resolve().parents[2] / "Packaging/debian/lantern.lantern-hub.service"


@pytest.fixture
def as_service(monkeypatch):
    """What a hub is started with has the environment of the service, with which the C library overwrites what is freed."""
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("only glibc overwrites what is freed")
    [(name, value)] = re.findall(r"^Environment=(\w+)=(\S+)$", UNIT.read_text(), re.M)
    assert name == "GLIBC_TUNABLES"
    monkeypatch.setenv(name, value)


def found_in_memory(process: int, wanted: bytes, name_of_network: bytes) -> list[str]:
    """Where a password stands in what a process may write, but for messages to the device."""
    places = []
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            begin, end, rights, name = re.match(r"(\w+)-(\w+) (\S+) \S+ \S+ \S+\s*(.*)", line).groups()
            if not rights.startswith("rw") or name in ("[vvar]", "[vsyscall]"):
                continue
            try:
                memory.seek(int(begin, 16))
                octets = memory.read(int(end, 16) - int(begin, 16))
            except OSError:
                continue
            for match in re.finditer(re.escape(wanted), octets):
                before = octets[max(0, match.start() - 48) : match.start()]
                # The message that went over Bluetooth: freed by the host stack, and there until the memory is used again.
                if not before.endswith(name_of_network + bytes([len(wanted)])):
                    places.append(f"{int(begin, 16) + match.start():x} {name}: {before}")
    return places


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_password_that_was_sent_is_in_no_buffer_of_the_server(tmp_path, tls):
    # It listens at a port for each of its two controllers.
    port = free_port(2)
    # The device keeps the password, so it is in a process of its own.
    air = subprocess.Popen(
        [binary(), "radio", "serve", "--port", str(port), "--devices", "wifiset"], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )
    hub = AttackedHub(tmp_path, tls=tls)
    # The last of an option counts.
    hub.command += ["--radio", f"tcp:127.0.0.1:{port}"]
    hub.start()
    try:
        def near():
            return [one for one in hub.get("/devices")["items"] if "WiFiSet" in (one["name"] or "")]

        device = hub.until(near)[0]
        status, setup, _ = hub.request("POST", f"/api/v1/devices/{device['id']}/wifi", {})
        assert status == 200, setup
        job = setup["job"]["id"]
        networks = hub.until(lambda: hub.get(f"/wifi/{job}")["networks"])
        network = next(one for one in networks if one["security"] in ("wpa2", "wpa3"))
        # Neither a password that the network has, nor one that an earlier test has left anywhere.
        password = "k" + os.urandom(12).hex() + "Q"
        status, answer, _ = hub.request(
            "POST",
            f"/api/v1/wifi/{job}/credentials",
            {"ssid_octets": network["ssid_octets"], "security": network["security"], "password": password},
        )
        assert status == 200, answer
        over = ("joined", "failed")
        hub.until(lambda: (hub.get(f"/wifi/{job}")["setup"]["attempt"] or {}).get("step") in over, 60)
        hub.request("DELETE", f"/api/v1/jobs/{job}")
        end = time.monotonic() + 10
        while places := found_in_memory(hub.process.pid, password.encode(), bytes.fromhex(network["ssid_octets"])):
            assert time.monotonic() < end, places
            time.sleep(0.5)
    finally:
        hub.stop()
        air.terminate()
        air.wait()


WHY_REFUSED = ["wrong token", "no token", "foreign origin", "no such job", "no JSON", "more than it may have", "cut off"]


@pytest.mark.parametrize("why", WHY_REFUSED)
def test_a_password_whose_request_is_refused_is_in_no_buffer_either(tmp_path, why):
    check_password_that_was_refused(tmp_path, why, tls=False)


@pytest.mark.parametrize("why", WHY_REFUSED)
@pytest.mark.usefixtures("as_service")
def test_with_tls_a_password_whose_request_is_refused_is_not_in_the_memory_of_the_service(tmp_path, why):
    """Without its environment it is: the TLS library decrypts within a buffer of its own and frees that as it is."""
    check_password_that_was_refused(tmp_path, why, tls=True)


def check_password_that_was_refused(tmp_path, why: str, tls: bool) -> None:
    hub = AttackedHub(tmp_path, "--require-login", login=True, tls=tls)
    hub.start()
    try:
        password = "k" + os.urandom(12).hex() + "Q"
        body = {"ssid_octets": "4c616e7465726e", "security": "wpa2", "password": password}
        text = json.dumps(body) if why != "no JSON" else json.dumps(body)[:-1] + ",}"
        if why == "more than it may have":
            text = text[:-1] + ', "more": "' + "x" * 20_000 + '"}'
        headers = {"Content-Type": "application/json"}
        if why != "no token":
            headers["Authorization"] = "Bearer " + ("wrong" if why == "wrong token" else hub.token)
        if why == "foreign origin":
            headers["Origin"] = "http://evil.example"
        length = len(text) + (50 if why == "cut off" else 0)
        head = f"POST /api/v1/wifi/1/credentials HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + f"Content-Length: {length}\r\n\r\n"
        with hub.connect() as connection:
            connection.sendall(head.encode() + text.encode())
            if why != "cut off":
                assert b" 4" in connection.recv(100)
        end = time.monotonic() + 10
        while places := found_in_memory(hub.process.pid, password.encode(), b"Lantern"):
            assert time.monotonic() < end, places
            time.sleep(0.5)
    finally:
        hub.stop()


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o666])
def test_a_database_that_others_may_read_is_told(tmp_path, mode):
    hub = AttackedHub(tmp_path)
    hub.start()
    hub.stop()
    assert "can read" not in hub.log
    hub.database.chmod(mode)
    hub.start()
    hub.stop()
    verb = "read and change" if mode & 0o022 else "read"
    assert re.search(rf"can {verb} \S*{hub.database.name}\. .*chmod 600", hub.log), hub.log


def test_a_key_that_others_may_read_is_told(tmp_path):
    hub = AttackedHub(tmp_path, tls=True)
    (tmp_path / "hub.key").chmod(0o644)
    hub.start()
    hub.stop()
    assert "hub.key" in hub.log and "can read" in hub.log


def test_a_log_that_others_may_read_is_told(tmp_path):
    """It has what the database has not yet, and is there when the hub did not end by itself."""
    hub = AttackedHub(tmp_path)
    hub.start()
    assert hub.request("PATCH", "/api/v1/settings", {"theme": "dark"}, {"If-Match": "*"})[0] == 200
    hub.kill()
    log = tmp_path / f"{hub.database.name}-wal"
    assert log.stat().st_mode & 0o077 == 0
    log.chmod(0o644)
    hub.start()
    hub.stop()
    assert re.search(rf"can read \S*{log.name}\. .*chmod 600", hub.log), hub.log
    assert f"{hub.database.name}. " not in hub.log


def test_a_key_of_bonds_that_others_may_read_is_told(tmp_path):
    hub = AttackedHub(tmp_path)
    hub.start()
    hub.stop()
    key = tmp_path / f"{hub.database.name}-bond-key"
    if not key.exists():
        key.write_text("ab" * 32 + "\n")
        key.chmod(0o600)
    hub.start()
    hub.stop()
    assert "can read" not in hub.log
    key.chmod(0o640)
    hub.start()
    hub.stop()
    assert re.search(rf"can read \S*{key.name}\. .*chmod 600", hub.log), hub.log


@pytest.mark.parametrize("end", ["", "-wal", "-bond-key"])
def test_what_others_may_read_is_told_of_a_database_behind_a_link(tmp_path, end):
    (tmp_path / "data").mkdir()
    hub = AttackedHub(tmp_path)
    file = tmp_path / "data/real.sqlite"
    hub.database.symlink_to(file)
    hub.start()
    assert hub.request("PATCH", "/api/v1/settings", {"theme": "dark"}, {"If-Match": "*"})[0] == 200
    hub.kill()
    exposed = file.with_name(file.name + end)
    if end == "-bond-key" and not exposed.exists():
        exposed.write_text("ab" * 32 + "\n")
    exposed.chmod(0o644)
    hub.start()
    hub.stop()
    assert re.search(rf"can read \S*{exposed.name}\. .*chmod 600", hub.log), hub.log
