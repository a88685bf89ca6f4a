# SPDX-License-Identifier: Apache-2.0
"""`lantern hub` and `lantern demo` as services: how they end, what they say to systemd, and how they refuse to start."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from patience import within

from real_hub import RealHub, binary, free_port


@pytest.fixture
def demo(tmp_path):
    hub = RealHub(tmp_path, command="demo")
    hub.start()
    yield hub
    if hub.process.poll() is None:
        hub.process.kill()
    hub.process.wait()


def until(wanted, seconds: float = 20):
    end = time.monotonic() + seconds
    while not (value := wanted()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
    return value


def count(path) -> int:
    with sqlite3.connect(path, timeout=30) as database:
        return database.execute("SELECT count(*) FROM detection").fetchone()[0]


def told(hub: RealHub) -> int:
    return hub.get("/hub")["storage"]["detections"]


def end(hub: RealHub, number: int = signal.SIGTERM, seconds: float = 30) -> float:
    """Ends a hub; how long it took."""
    begin = time.monotonic()
    hub.process.send_signal(number)
    hub.process.wait(seconds)
    return time.monotonic() - begin


def stream(hub: RealHub) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", hub.port))
    client.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n\r\n".encode())
    return client


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_within_five_seconds_and_nothing_is_lost(demo, number):
    readers = [stream(demo) for _ in range(20)]
    seen = until(lambda: told(demo))
    assert end(demo, number) < 5
    assert demo.process.returncode == 0, demo.log
    assert count(demo.database) >= seen
    # Every stream has an end, and is not just cut off.
    for reader in readers:
        reader.settimeout(5)
        octets = b""
        while piece := reader.recv(65536):
            octets += piece
        assert octets.endswith(b"0\r\n\r\n")
        reader.close()


def test_a_second_interrupt_does_not_wait_and_a_second_sigterm_does(demo):
    until(lambda: told(demo))
    with sqlite3.connect(demo.database, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        time.sleep(1.5)
        demo.process.terminate()
        time.sleep(0.3)
        demo.process.terminate()
        time.sleep(0.3)
        assert demo.process.poll() is None
        assert end(demo, signal.SIGINT) < within(2)
        assert demo.process.returncode == 1
        other.execute("ROLLBACK")


def test_what_waits_for_another_program_is_stored_when_that_lets_go(demo):
    seen = until(lambda: told(demo))
    other = sqlite3.connect(demo.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    time.sleep(3)
    demo.process.terminate()
    time.sleep(1)
    other.execute("ROLLBACK")
    other.close()
    begin = time.monotonic()
    demo.process.wait(30)
    assert time.monotonic() - begin < within(5)
    assert demo.process.returncode == 0, demo.log
    # The device drives on while the file is held: about one detection a second came meanwhile.
    assert count(demo.database) > seen


def test_what_a_held_database_does_not_take_is_set_aside_and_stored_the_next_time(demo):
    seen = until(lambda: told(demo))
    other = sqlite3.connect(demo.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    # About one detection a second comes.
    time.sleep(3)
    assert end(demo) < within(5)
    other.execute("ROLLBACK")
    other.close()
    assert demo.process.returncode == 0, demo.log
    kept = re.search(r"another program has locked it\. (\d+) rows are kept beside it,", demo.log)
    files = list(Path(demo.database).parent.glob("*.unsaved-*"))
    assert kept and files and all(file.stat().st_mode & 0o777 == 0o600 for file in files), demo.log
    before = count(demo.database)
    assert before >= seen
    # What came while the first of them waited is there, too.
    assert int(kept[1]) > 1
    subprocess.run([binary(), "detections", "list", "--database", demo.database], check=True, capture_output=True)
    assert count(demo.database) == before + int(kept[1])
    assert not any(file.exists() for file in files)


def test_systemd_hears_that_it_is_ready_alive_and_about_to_stop(tmp_path):
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(path)
        listener.settimeout(20)
        hub = RealHub(tmp_path)
        hub.command = ["env", f"NOTIFY_SOCKET={path}", "WATCHDOG_USEC=400000", *hub.command]
        hub.start()
        try:
            words = [listener.recv(100).decode()]
            while words.count("WATCHDOG=1") < 4 or "READY=1" not in words:
                words.append(listener.recv(100).decode())
            begin = time.monotonic()
            assert listener.recv(100) == b"WATCHDOG=1"
            assert time.monotonic() - begin < within(0.4)
            hub.process.terminate()
            while listener.recv(100) != b"STOPPING=1":
                pass
            assert hub.process.wait(10) == 0
        finally:
            hub.process.kill()
            hub.process.wait()


def refused(tmp_path, *arguments: str, environment: dict[str, str] | None = None) -> tuple[int, str]:
    """Status and words of a hub that does not start."""
    result = subprocess.run(
        [binary(), "hub", "--database", tmp_path / "hub.sqlite", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=20,
        env={**os.environ, "HOME": str(tmp_path), **(environment or {})},
    )
    return result.returncode, result.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]"])
def test_beyond_this_machine_it_wants_a_token(tmp_path, host):
    status, words = refused(tmp_path, "--listen", f"{host}:{free_port()}")
    assert status == 1 and "--new-token" in words


def test_an_address_that_it_cannot_have_is_said(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        status, words = refused(tmp_path, "--listen", address)
        assert status == 1 and address in words and "in use" in words, words
    for host in ("no.such.host", "256.1.1.1", "x y"):
        status, words = refused(tmp_path, "--listen", f"{host}:{free_port()}")
        assert "nothing is known of " + host in words and "token" not in words, words
    status, words = refused(tmp_path, "--listen", "elsewhere")
    assert status == 64 and "127.0.0.1:8080" in words


def test_a_second_hub_says_who_has_the_database(tmp_path, demo):
    result = subprocess.run(
        [binary(), "hub", "--database", demo.database, "--listen", f"127.0.0.1:{free_port()}"],
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert result.returncode == 1 and f"(process {demo.process.pid})" in result.stderr
    with urllib.request.urlopen(demo.address + "/healthz") as answer:
        assert answer.status == 200


def test_an_alert_program_that_fails_is_said_in_the_log(tmp_path):
    program = tmp_path / "alert"
    program.write_text("#!/bin/sh\nexit 7\n")
    program.chmod(0o755)
    hub = RealHub(tmp_path, "--radio", "sim", "--alert-command", str(program))
    hub.start()
    try:
        until(lambda: "ended with status 7" in hub.log, 60)
        hub.process.terminate()
        assert hub.process.wait(10) == 0
        assert hub.log.count("ended with status 7") == 1
    finally:
        hub.process.kill()
        hub.process.wait()


def certificate(folder: Path, name: str = "hub") -> tuple[str, str]:
    """A certificate of one's own for localhost, and its key."""
    made = [str(folder / f"{name}.pem"), str(folder / f"{name}.key")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", made[0], "-keyout", made[1]],
        check=True,
        capture_output=True,
    )
    return made[0], made[1]


def test_a_certificate_that_cannot_be_used_is_named(tmp_path):
    chain, key = certificate(tmp_path)
    _, other = certificate(tmp_path, "other")
    rubbish = tmp_path / "rubbish.pem"
    rubbish.write_text("no certificate")
    for given, said in [
        ((str(tmp_path / "none.pem"), key), "none.pem is not there"),
        ((chain, str(tmp_path / "none.key")), "none.key is not there"),
        ((str(rubbish), key), "rubbish.pem holds no PEM certificate"),
        ((chain, str(rubbish)), "rubbish.pem holds no PEM key"),
        ((str(tmp_path), key), "holds no PEM certificate"),
        ((chain, other), "other.key does not go with"),
    ]:
        status, words = refused(
            tmp_path, "--radio", "sim", "--listen", f"127.0.0.1:{free_port()}", "--tls-certificate", given[0], "--tls-key", given[1]
        )
        assert status == 1 and said in words and "Give a PEM file" in words, (given, status, words)


def test_pages_are_served_encrypted_to_those_who_have_the_token(tmp_path):
    chain, key = certificate(tmp_path)
    database = tmp_path / "hub.sqlite"
    made = subprocess.run([binary(), "hub", "--new-token", "--database", database], capture_output=True, text=True, timeout=20)
    assert made.returncode == 0, made.stderr
    token = max(re.findall(r"[\w-]+", made.stdout), key=len)
    port = free_port()
    process = subprocess.Popen(
        [binary(), "hub", "--radio", "sim", "--database", database, "--listen", f"0.0.0.0:{port}"]
        + ["--tls-certificate", chain, "--tls-key", key],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        context = ssl.create_default_context(cafile=chain)

        def ask(**headers: str) -> int:
            request = urllib.request.Request(f"https://localhost:{port}/api/v1/hub", headers=headers)
            try:
                with urllib.request.urlopen(request, context=context) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                return error.code
            except urllib.error.URLError:
                return 0

        assert until(ask) == 401
        assert ask(Authorization=f"Bearer {token}") == 200
        assert ask(Authorization="Bearer ") == 401
        assert ask(Authorization=f"Bearer {token[:-1]}") == 401
    finally:
        process.terminate()
        assert process.wait(10) == 0
        log = process.stderr.read()
    assert "hub.pem ends on" in log and "Renew it" in log, log
