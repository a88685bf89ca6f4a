# SPDX-License-Identifier: Apache-2.0
"""Wi-Fi and detections over links that nobody else reads, and addresses that change."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bumble.hci import Address
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig
from bumble.smp import AddressResolver

from lantern import DONE, FAILED, WRONG_USAGE, Lantern, Result, Run
from peers.air import Air, Host, serve
from peers.neighbourhood import NEIGHBOURHOOD, PASSWORD, save


@pytest.fixture
async def air(serving: Lantern) -> AsyncIterator[Air]:
    air = await serve(serving, "--controllers", "3")
    yield air
    assert (await air.run.interrupt()).status == DONE


@pytest.fixture
async def watcher(air: Air) -> AsyncIterator[Host]:
    """A Bumble host that pairs, keeps its keys and sees what addresses are on the air."""
    host = await Host.attach(air.ports[2], "watcher", "C3:00:00:00:00:01")
    host.device.keystore = MemoryKeyStore()
    host.device.pairing_config_factory = lambda _connection: PairingConfig(
        sc=True, mitm=False, bonding=True, identity_address_type=PairingConfig.AddressType.RANDOM
    )
    await host.device.power_on()
    yield host
    host.vanish()


def radio(air: Air, number: int) -> str:
    return f"tcp:127.0.0.1:{air.ports[number]}"


async def run_device(serving: Lantern, air: Air, folder: Path, kind: str, *arguments: str) -> Run:
    options = ["--networks", str(save(folder, NEIGHBOURHOOD))] if kind == "wifiset" else []
    run = await serving.start("device", "run", kind, "--json", *options, *arguments, radio=radio(air, 0))
    await run.wait_for("device_advertising")
    return run


async def find(watcher: Host, device: Run) -> str:
    [advertising] = device.events("device_advertising")
    return str((await watcher.find_named(advertising["name"])).address).split("/")[0]


async def use(serving: Lantern, air: Air, kind: str, address: str, *arguments: str) -> Result:
    """Gives the device its Wi-Fi, or sends it a command."""
    if kind == "wifiset":
        return await serving.provision(address, *arguments, password=PASSWORD, radio=radio(air, 1))
    command = ["flock", "send", address, "PING", "--json", *arguments]
    return await serving.run(*command, radio=radio(air, 1))


def received(device: Run) -> list[object]:
    """What the device was given."""
    return [*device.events("wifiset_credentials"), *device.events("flock_command_received")]


async def att_before_encryption(capture: Path) -> list[str]:
    """The ATT opcodes that went over the link in clear, as tshark reads the capture."""
    program = shutil.which("tshark")
    assert program is not None, "tshark is missing: apt-get install tshark"
    fields = ["-T", "fields", "-e", "btatt.opcode", "-e", "bthci_evt.code", "-e", "bthci_evt.encryption_enable"]
    process = await asyncio.create_subprocess_exec(
        program, "-r", str(capture), "-Y", "btatt || bthci_evt.code == 0x08", *fields, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await asyncio.wait_for(process.communicate(), 60)
    opcodes = []
    for line in output.decode().splitlines():
        opcode, event, enabled = line.split("\t")
        if event == "0x08":
            assert enabled not in ("", "0x00", "0")
            return opcodes
        opcodes.append(opcode)
    raise AssertionError("the link was never encrypted")


@pytest.mark.parametrize("kind", ["wifiset", "flockfinder"])
async def test_nothing_readable_goes_over_the_link(
    serving: Lantern, air: Air, watcher: Host, tmp_path: Path, kind: str
) -> None:
    """Paired first, then with the kept keys; nothing but the MTU comes before encryption."""
    device = await run_device(serving, air, tmp_path, kind, "--require-pairing")
    address = await find(watcher, device)
    for _ in ("paired", "bonded"):
        capture = tmp_path / f"{kind}.btsnoop"
        result = await use(serving, air, kind, address, "--encrypt", "--capture", str(capture))
        assert result.status == DONE, result
        [secured] = result.events("link_secured")
        assert (secured["level"], secured["bonded"]) == ("encrypted", True)
        assert set(await att_before_encryption(capture)) <= {"0x02", "0x03"}
        assert len((await serving.run_offline("bonds", "list", "--json")).lines) == 2
        capture.unlink()
    assert (await device.interrupt()).status == DONE


@pytest.mark.parametrize("kind", ["wifiset", "flockfinder"])
async def test_no_fallback_that_nobody_has_asked_for(
    serving: Lantern, air: Air, watcher: Host, tmp_path: Path, kind: str
) -> None:
    device = await run_device(serving, air, tmp_path, kind)
    address = await find(watcher, device)
    result = await use(serving, air, kind, address, "--encrypt")
    assert result.status == FAILED, result
    assert "The device refused to pair" in result.stderr
    assert received(device) == []
    result = await use(serving, air, kind, address, "--encrypt", "--or-plain")
    assert result.status == DONE, result
    assert "is NOT encrypted" in result.stderr
    assert result.events("link_secured") == [] and received(device) != []
    assert (await use(serving, air, kind, address, "--or-plain")).status == WRONG_USAGE
    assert (await serving.run("flock", "detect", "--encrypt", radio=radio(air, 1))).status == WRONG_USAGE
    assert (await device.interrupt()).status == DONE


async def test_what_is_removed_while_a_device_runs_is_forgotten(
    serving: Lantern, air: Air, watcher: Host, tmp_path: Path
) -> None:
    device = await run_device(serving, air, tmp_path, "flockfinder", "--require-pairing")
    address = await find(watcher, device)
    assert (await use(serving, air, "flockfinder", address, "--encrypt")).status == DONE
    for bond in (await serving.run_offline("bonds", "list", "--json")).lines:
        if bond["address"] != address:
            assert (await serving.run_offline("bonds", "remove", bond["address"])).status == DONE
    result = await use(serving, air, "flockfinder", address, "--encrypt")
    assert result.status == FAILED and "forgotten this computer" in result.stderr, result
    assert (await device.interrupt()).status == DONE


async def test_a_device_that_hides_is_known_by_its_key(
    serving: Lantern, air: Air, watcher: Host, tmp_path: Path
) -> None:
    options = ["--require-pairing", "--private"]
    device = await run_device(serving, air, tmp_path, "flockfinder", *options)
    first = await find(watcher, device)
    assert Address(first).is_resolvable
    peer = await watcher.connect(first)
    await asyncio.wait_for(peer.connection.pair(), 30)
    await device.wait_for("link_secured")
    [(identity, kept)] = await watcher.device.keystore.get_all()
    assert kept.irk is not None
    resolver = AddressResolver([(kept.irk.value, Address(identity))])
    assert (await device.interrupt()).status == DONE
    await watcher.wait_for_disconnection()

    # Another run has another address, made with the same key.
    device = await run_device(serving, air, tmp_path, "flockfinder", *options)
    second = await find(watcher, device)
    assert second != first
    for address in (first, second):
        resolved = resolver.resolve(Address(address))
        assert resolved is not None and str(resolved).split("/")[0] == str(identity).split("/")[0]
    assert (await device.interrupt()).status == DONE
    # Who does not hide has the address that stays.
    device = await run_device(serving, air, tmp_path, "flockfinder", "--require-pairing")
    assert await find(watcher, device) == str(identity).split("/")[0]
    assert (await device.interrupt()).status == DONE
