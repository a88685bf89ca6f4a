# SPDX-License-Identifier: Apache-2.0
"""A pairing that failed, and the next one on the same link, in either role; and how long to wait in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from bumble.core import ProtocolError
from bumble.device import Connection
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingDelegate
from bumble.smp import ErrorCode

from lantern import DONE, Lantern, Run
from peers.air import Air, Host
from peers.flockfinder_device import NAME
from test_pairing import IO, PASSKEY, PEER, Person, radio, set_up

WAIT = 1.2
"""Longer than a first failure costs, in seconds."""


@pytest.fixture
async def host(air: Air) -> AsyncIterator[Host]:
    """A Bumble host that begins anew after a pairing that failed."""
    host = await Host.attach(air.ports[0], "peer", PEER)
    host.device.keystore = MemoryKeyStore()

    def forget_session(link: Connection) -> None:
        # known difference: failed-session-kept
        link.on(link.EVENT_PAIRING_FAILURE, lambda _reason: host.device.smp_manager.sessions.pop(link.handle, None))

    host.device.on("connection", forget_session)
    await host.device.power_on()
    yield host
    host.vanish()


async def keeps_keys(host: Host) -> None:
    """Bumble keeps the keys once it has got them all."""
    async with asyncio.timeout(10):
        while not await host.device.keystore.get_all():
            await asyncio.sleep(0.01)


class Shell:
    """`lantern gatt shell` with one link."""

    def __init__(self, run: Run) -> None:
        self.run = run

    async def do(self, line: str, digits: int | None = None) -> dict:
        """The answer to a command; digits are typed when they are asked for."""
        answers, questions = len(self.run.events("shell_answer")), len(self.run.events("pairing_question"))
        await self.run.feed(f"{line}\n".encode())
        if digits is not None:
            await self.run.wait_for("pairing_question", questions + 1)
            await self.run.feed(b"%06d\n" % digits)
        return (await self.run.wait_for("shell_answer", answers + 1, 40))[answers]


@pytest.fixture
async def shell(serving: Lantern, air: Air, host: Host) -> AsyncIterator[Shell]:
    set_up(host, is_secure=True)
    await host.advertise()
    run = await serving.start("gatt", "shell", f"{PEER}/R", "--keep-going", "--json", radio=radio(air), stdin=True)
    shell = Shell(run)
    assert (await shell.do("security"))["result"]["level"] == "none"
    yield shell
    run.end_input()
    await run.finish()


def show(host: Host, is_secure: bool, digits: int) -> None:
    """Bumble shows these digits from now on."""
    person = Person(IO.DISPLAY_OUTPUT_ONLY)
    person.generate_passkey = lambda: asyncio.sleep(0, digits)  # type: ignore[method-assign]
    set_up(host, is_secure, person=person)


@pytest.mark.parametrize("is_secure", [True, False], ids=["secure-connections", "legacy"])
async def test_wrong_digits_then_right_ones(host: Host, shell: Shell, is_secure: bool) -> None:
    show(host, is_secure, PASSKEY ^ 0b101000)
    failed = await shell.do("pair keyboard", PASSKEY)
    assert not failed["ok"] and "six digits or the out-of-band data are wrong" in failed["error"]
    early = await shell.do("pair keyboard")
    assert not early["ok"] and "wait 1 s, then try again" in early["error"]
    await asyncio.sleep(WAIT)
    show(host, is_secure, PASSKEY)
    paired = await shell.do("pair keyboard", PASSKEY)
    assert paired["ok"], paired["error"]
    assert paired["result"]["level"] == ("secure_connections" if is_secure else "authenticated")
    await keeps_keys(host)


class Choosy(PairingDelegate):
    """A device whose button has to be pressed first."""

    is_pressed = False

    async def accept(self) -> bool:
        return self.is_pressed


async def test_refused_then_paired(host: Host, shell: Shell) -> None:
    device = Choosy()
    set_up(host, is_secure=True, person=device)  # type: ignore[arg-type]
    refused = await shell.do("pair no-input")
    assert not refused["ok"] and "it may need a button pressed first" in refused["error"]
    device.is_pressed = True
    await asyncio.sleep(WAIT)
    paired = await shell.do("pair no-input")
    assert paired["ok"], paired["error"]
    await keeps_keys(host)


async def test_our_device_takes_the_right_digits_after_wrong_ones(serving: Lantern, air: Air, host: Host) -> None:
    options = ["--require-pairing", "--passkey", f"{PASSKEY:06}", "--json"]
    run = await serving.start("device", "run", "flockfinder", *options, radio=radio(air))
    await run.wait_for("device_advertising")
    peer = await host.connect(str((await host.find_named(NAME)).address))

    async def pair(digits: int) -> None:
        person = Person(IO.KEYBOARD_INPUT_ONLY)
        person.typed.set_result(digits)
        set_up(host, is_secure=True, person=person)
        await asyncio.wait_for(peer.connection.pair(), 30)

    with pytest.raises(ProtocolError) as failed:
        await pair(PASSKEY ^ 0b101000)
    assert failed.value.error_code == ErrorCode.CONFIRM_VALUE_FAILED
    with pytest.raises(ProtocolError) as failed:
        await pair(PASSKEY)
    assert failed.value.error_code == ErrorCode.REPEATED_ATTEMPTS
    await asyncio.sleep(WAIT)
    await pair(PASSKEY)
    await run.wait_for("link_secured")
    assert (await run.interrupt()).status == DONE


async def test_a_device_that_keeps_a_bond_says_what_to_do_on_both_sides(serving: Lantern, air: Air, host: Host) -> None:
    """The client has forgotten, its device has not."""
    run = await serving.start("device", "run", "flockfinder", "--require-pairing", "--json", radio=radio(air))
    await run.wait_for("device_advertising")
    set_up(host, is_secure=True)
    address = str((await host.find_named(NAME)).address)
    peer = await host.connect(address)
    await asyncio.wait_for(peer.connection.pair(), 30)
    await peer.connection.disconnect()
    host.device.keystore = MemoryKeyStore()
    peer = await host.connect(address)
    with pytest.raises(ProtocolError) as failed:
        await asyncio.wait_for(peer.connection.pair(), 30)
    assert failed.value.error_code == ErrorCode.PAIRING_NOT_SUPPORTED
    [said] = await run.wait_for("pairing_failed")
    assert "remove its bond here, then let it pair again" in said["reason"]
    # It has guessed nothing, so it need not wait once the bond is removed.
    assert (await serving.run_offline("bonds", "remove", PEER)).status == DONE
    await peer.connection.disconnect()
    peer = await host.connect(address)
    await asyncio.wait_for(peer.connection.pair(), 30)
    assert (await run.interrupt()).status == DONE
