# SPDX-License-Identifier: Apache-2.0
"""The key that seals a hub's bonds in a real keyring (GNOME Keyring), and these bonds as a command lists them."""

import asyncio
import json
import os
import shutil
import subprocess
import time

import pytest
from real_hub import RealHub, binary
from test_hub_secures import PHONE, answer, asked, bonded, phone_of, serve

MISSING = "gnome-keyring-daemon or dbus-daemon is missing: apt-get install gnome-keyring dbus"


class Keyring:
    """The keyring of a user who is signed in, on a bus of its own."""

    def __init__(self, folder) -> None:
        self.environment = {**os.environ, "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "XDG_DATA_HOME": str(folder / "data")}
        command = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
        self.bus = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.bus.stdout.readline().strip()
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.address
        self.daemon: subprocess.Popen | None = None

    def start(self, password: bytes | None = b"secret") -> None:
        """Begins anew, locked without the password."""
        self.stop()
        command = ["gnome-keyring-daemon", "--components=secrets", "--foreground", *(["--unlock"] if password else [])]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.daemon = subprocess.Popen(command, env=self.environment, **pipes)
        self.daemon.stdin.write(password or b"")
        self.daemon.stdin.close()
        end = time.monotonic() + 10
        while not self.call("SearchItems", "a{ss}", "0"):
            assert time.monotonic() < end, "the keyring does not answer"
            time.sleep(0.1)

    def call(self, *what: str) -> str:
        """What the keyring answers; nothing when it is not there."""
        path = "/org/freedesktop/secrets"
        command = ["busctl", f"--address={self.address}", "--auto-start=no", "call", "org.freedesktop.secrets", path]
        return subprocess.run([*command, "org.freedesktop.Secret.Service", *what], capture_output=True, text=True).stdout.strip()

    def items(self) -> int:
        """How many keys of hubs there are."""
        return int(self.call("SearchItems", "a{ss}", "1", "application", "lantern").split()[1])

    def stop(self) -> None:
        if self.daemon:
            self.daemon.terminate()
            self.daemon.wait(10)
            self.daemon = None

    def close(self) -> None:
        self.stop()
        self.bus.terminate()
        self.bus.wait(10)


@pytest.fixture
def keyring(tmp_path, monkeypatch):
    assert all(map(shutil.which, ("gnome-keyring-daemon", "dbus-daemon", "busctl"))), MISSING
    folder = tmp_path / "user"
    folder.mkdir(mode=0o700)
    one = Keyring(folder)
    one.start()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", one.address)
    yield one
    one.close()


@pytest.fixture
def hub(air, keyring, tmp_path):
    one = RealHub(tmp_path, "--radio", air.radio, "--bond-key", "keyring")
    one.start()
    yield one
    one.stop()


def list_bonds(hub, *arguments: str) -> tuple[int, list[dict], str]:
    command = [binary(), "bonds", "list", "--json", "--database", hub.database, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_the_key_is_in_the_keyring(hub, air, keyring, monkeypatch):
    # Whoever only looks makes no key.
    assert list_bonds(hub)[0] == list_bonds(hub, "--bond-key", "keyring")[0] == 2
    assert not list(hub.folder.glob("*bond-key*"))
    serve(hub)
    phone = phone_of(air)
    air.do(phone.connect())
    pairing = asyncio.run_coroutine_threadsafe(phone.link.pair(), air.loop)
    answer(hub, asked(hub, "consent"))
    pairing.result(30)
    hub.until(lambda: bonded(hub) == [PHONE])
    assert keyring.items() == 1 and not list(hub.folder.glob("*bond-key*"))

    # A command lists them while the hub runs, with the key alone, and says what is missing without.
    status, lines, _ = list_bonds(hub, "--bond-key", "keyring")
    assert (status, [line["address"] for line in lines]) == (0, [PHONE])
    status, lines, problem = list_bonds(hub)
    assert (status, lines) == (1, []) and "hub.sqlite-bond-key is missing" in problem
    assert not list(hub.folder.glob("*bond-key*"))

    # The hub and the keyring are started anew, locked; once somebody has signed in all is there.
    hub.stop()
    keyring.start(None)
    hub.start()
    bonds = hub.get("/bonds")
    assert (bonds["items"], bonds["unreadable"]) == ([], 1) and "The keyring is locked." in bonds["fault"]
    keyring.start()
    hub.until(lambda: bonded(hub) == [PHONE])
    assert hub.get("/bonds")["fault"] is None and keyring.items() == 1

    # There is none at all.
    hub.stop()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
    hub.start()
    assert "The keyring cannot be used: there is no D-Bus" in hub.get("/bonds")["fault"]
    status, _, problem = list_bonds(hub, "--bond-key", "keyring")
    assert status == 1 and "there is no D-Bus" in problem
