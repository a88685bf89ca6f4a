# SPDX-License-Identifier: Apache-2.0
"""`lantern pair`, `lantern bonds`, `gatt --pair` and `device run --require-pairing` with a Bumble host on our air."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from bumble.core import ProtocolError
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import HCI_Error, HCI_ErrorCode
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate

from lantern import DONE, FAILED, NOTHING_FOUND, WRONG_USAGE, Lantern, Run
from peers.air import SERVICE, VALUE, Air, Host
from peers.flockfinder_device import DETECTION, NAME

PEER = "C1:00:00:00:00:01"
SECRET = b"only for those who are paired"
PASSKEY = 12345
IO = PairingDelegate


@pytest.fixture
async def host(air: Air) -> AsyncIterator[Host]:
    """A Bumble host that keeps its keys."""
    host = await Host.attach(air.ports[0], "peer", PEER)
    host.device.keystore = MemoryKeyStore()
    yield host
    host.vanish()


@pytest.fixture
async def gadget(host: Host) -> Host:
    """The host as a gadget with a value for those who are paired."""
    value = Characteristic(
        VALUE,
        Characteristic.Properties.READ,
        Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION,
        CharacteristicValue(read=lambda _connection: SECRET),
    )
    host.device.add_service(Service(SERVICE, [value]))
    await host.device.power_on()
    await host.advertise()
    return host


class Person(PairingDelegate):
    """Shows, types and compares as it is told by what our side prints, and the other way round."""

    def __init__(self, capability: int) -> None:
        super().__init__(capability)
        self.shown: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.typed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.compared: int | None = None

    async def display_number(self, number: int, digits: int) -> None:
        self.shown.set_result(number)

    async def get_number(self) -> int:
        return await self.typed

    async def compare_numbers(self, number: int, digits: int) -> bool:
        self.compared = number
        return True


def set_up(host: Host, is_secure: bool, bonding: bool = True, person: Person | None = None) -> None:
    host.device.pairing_config_factory = lambda _connection: PairingConfig(
        sc=is_secure,
        mitm=person is not None,
        bonding=bonding,
        delegate=person,
        identity_address_type=PairingConfig.AddressType.RANDOM,
    )


def radio(air: Air) -> str:
    return f"tcp:127.0.0.1:{air.ports[1]}"


async def advertise_again(host: Host) -> None:
    await host.wait_for_disconnection()
    host.disconnections.clear()
    await host.advertise()


async def swap_legacy_keys(host: Host) -> None:
    """A known difference: legacy-key-swapped."""
    for name, kept in await host.device.keystore.get_all():
        if kept.ltk_central is not None:
            kept.ltk_peripheral = kept.ltk_central
            await host.device.keystore.update(name, kept)


async def pair(serving: Lantern, air: Air, *arguments: str) -> Run:
    return await serving.start("pair", PEER + "/R", "--json", *arguments, radio=radio(air), stdin=True)


async def read(serving: Lantern, air: Air, *arguments: str):
    return await serving.run("gatt", "read", PEER + "/R", str(VALUE), "--json", *arguments, radio=radio(air))


WAYS = [
    ("--no-input", None, False),
    ("--keyboard", IO.DISPLAY_OUTPUT_ONLY, True),
    ("--display", IO.KEYBOARD_INPUT_ONLY, True),
    ("--yes-no", IO.DISPLAY_OUTPUT_AND_YES_NO_INPUT, True),
]


@pytest.mark.parametrize("bonding", [True, False], ids=["bonding", "not-bonding"])
@pytest.mark.parametrize("is_secure", [True, False], ids=["secure-connections", "legacy"])
@pytest.mark.parametrize(("flag", "capability", "is_authenticated"), WAYS, ids=[way[0] for way in WAYS])
async def test_a_device_is_paired_and_remembered(
    serving: Lantern,
    air: Air,
    gadget: Host,
    flag: str,
    capability: int | None,
    is_authenticated: bool,
    is_secure: bool,
    bonding: bool,
) -> None:
    person = Person(capability) if capability is not None else None
    set_up(gadget, is_secure, bonding, person)
    run = await pair(serving, air, flag, *([] if bonding else ["--no-bond"]))
    # Legacy pairing compares no numbers: the specification has it do without.
    if flag == "--yes-no" and not is_secure:
        is_authenticated = False
    if is_authenticated:
        [question] = await run.wait_for("pairing_question")
        if flag == "--keyboard":
            assert question["kind"] == "enter" and question["digits"] is None
            await run.feed(b"12345\n%06d\n" % await asyncio.wait_for(person.shown, 10))
        elif flag == "--display":
            assert question["kind"] == "show"
            person.typed.set_result(int(question["digits"]))
        else:
            assert question["kind"] == "compare"
            assert len(question["digits"]) == 6
            await run.feed(b"y\n")
    result = await run.finish()
    assert result.status == DONE, result
    if flag == "--yes-no" and is_secure:
        assert person.compared == int(question["digits"])
    [secured] = result.events("link_secured")
    level = "encrypted" if not is_authenticated else "secure_connections" if is_secure else "authenticated"
    assert (secured["level"], secured["key_size"], secured["bonded"]) == (level, 16, bonding)
    assert secured["address"] == PEER

    # Another process, with what was kept.
    await swap_legacy_keys(gadget)
    await advertise_again(gadget)
    bonds = await serving.run_offline("bonds", "list", "--json")
    if not bonding:
        assert bonds.status == NOTHING_FOUND and bonds.lines == []
        result = await read(serving, air)
        assert result.status == FAILED and "Pair with it first." in result.stderr
        return
    assert bonds.status == DONE
    assert (bonds.line["event"], bonds.line["address"], bonds.line["level"]) == ("bond", PEER, level)
    result = await read(serving, air)
    assert result.status == DONE, result
    assert bytes.fromhex(result.line["octets"]) == SECRET


async def test_keys_are_for_their_owner_only(serving: Lantern, air: Air, gadget: Host) -> None:
    set_up(gadget, is_secure=True)
    result = await (await pair(serving, air, "--no-input")).finish()
    assert result.status == DONE, result
    [(_, kept)] = await gadget.device.keystore.get_all()
    folder = serving.home / "data/lantern/bonds"
    [file] = list(folder.iterdir())
    assert file.stat().st_mode & 0o777 == 0o600 and folder.stat().st_mode & 0o777 == 0o700
    shown = await serving.run_offline("bonds", "show", PEER, "--json")
    assert shown.status == DONE
    for key in (kept.ltk.value.hex(), kept.ltk.value[::-1].hex()):
        assert key not in result.stdout + result.stderr + shown.stdout
    assert kept.ltk.value[::-1].hex() in file.read_text()

    file.chmod(0o644)
    refused = await serving.run_offline("bonds", "list")
    assert refused.status == FAILED and "chmod 600" in refused.stderr
    file.chmod(0o600)
    file.write_text(file.read_text() + "bond address=nonsense\n")
    refused = await serving.run_offline("bonds", "list")
    assert refused.status == FAILED and "Line 3 of" in refused.stderr
    # Who does not want to pair is not kept from anything.
    await advertise_again(gadget)
    assert (await serving.run("gatt", "tree", PEER + "/R", "--json", radio=radio(air))).status == DONE
    await advertise_again(gadget)
    refused = await (await pair(serving, air, "--no-input")).finish()
    assert refused.status == FAILED and "Line 3 of" in refused.stderr


async def test_each_side_forgets(serving: Lantern, air: Air, gadget: Host) -> None:
    set_up(gadget, is_secure=True)
    assert (await (await pair(serving, air, "--no-input")).finish()).status == DONE
    await advertise_again(gadget)
    gadget.device.keystore = MemoryKeyStore()
    result = await read(serving, air)
    assert result.status == FAILED
    assert "The device has forgotten this computer: remove the bond and pair again." in result.stderr

    removed = await serving.run_offline("bonds", "remove", PEER, "--json")
    assert removed.status == DONE and removed.line["event"] == "bond_removed"
    assert (await serving.run_offline("bonds", "remove", PEER)).status == NOTHING_FOUND
    await advertise_again(gadget)
    result = await read(serving, air)
    assert result.status == FAILED and "Pair with it first." in result.stderr
    await advertise_again(gadget)
    result = await read(serving, air, "--pair")
    assert result.status == DONE, result
    assert bytes.fromhex(result.line["octets"]) == SECRET
    # This side alone has forgotten: it pairs anew.
    assert (await serving.run_offline("bonds", "remove", PEER)).status == DONE
    await advertise_again(gadget)
    result = await read(serving, air, "--pair")
    assert result.status == DONE, result


async def test_failures_say_what_to_do(serving: Lantern, air: Air, gadget: Host) -> None:
    person = Person(IO.DISPLAY_OUTPUT_ONLY)
    set_up(gadget, is_secure=True, person=person)
    run = await pair(serving, air, "--keyboard")
    await run.wait_for("pairing_question")
    wrong = (await asyncio.wait_for(person.shown, 10) + 1) % 1_000_000
    await run.feed(b"%06d\n" % wrong)
    result = await run.finish()
    assert result.status == FAILED and "six digits or the out-of-band data are wrong" in result.stderr, result
    # The input ends: nobody types anything.
    await advertise_again(gadget)
    set_up(gadget, is_secure=True, person=Person(IO.DISPLAY_OUTPUT_ONLY))
    run = await pair(serving, air, "--keyboard")
    await run.wait_for("pairing_question")
    run.end_input()
    result = await run.finish()
    assert result.status == FAILED and "cancelled" in result.stderr, result
    # Nobody in the middle can be noticed.
    await advertise_again(gadget)
    set_up(gadget, is_secure=True)
    result = await (await pair(serving, air, "--keyboard", "--require-authentication")).finish()
    assert result.status == FAILED and "not be secure enough" in result.stderr, result
    for wrong_usage in (["--keyboard", "--display"], ["--no-input", "--require-authentication"]):
        assert (await (await pair(serving, air, *wrong_usage)).finish()).status == WRONG_USAGE


# Our device, and Bumble as the central


async def run_device(serving: Lantern, air: Air, *arguments: str) -> Run:
    run = await serving.start("device", "run", "flockfinder", "--json", *arguments, radio=radio(air))
    await run.wait_for("device_advertising")
    return run


async def find_device(host: Host) -> str:
    found = await host.find_named(NAME)
    return str(found.address)


async def subscribe(peer) -> None:
    [detection] = peer.get_characteristics_by_uuid(DETECTION)
    await peer.subscribe(detection, lambda _value: None)


@pytest.mark.parametrize("is_secure", [True, False], ids=["secure-connections", "legacy"])
@pytest.mark.parametrize("has_passkey", [False, True], ids=["just-works", "passkey"])
async def test_our_device_wants_to_be_paired(
    serving: Lantern, air: Air, host: Host, is_secure: bool, has_passkey: bool
) -> None:
    await host.device.power_on()
    person = Person(IO.KEYBOARD_INPUT_ONLY) if has_passkey else None
    set_up(host, is_secure, person=person)
    options = ["--require-pairing", *(["--passkey", f"{PASSKEY:06}"] if has_passkey else [])]
    run = await run_device(serving, air, *options)
    address = await find_device(host)
    peer = await host.connect(address)
    with pytest.raises(ProtocolError):
        await subscribe(peer)
    if person:
        person.typed.set_result(PASSKEY)
    await asyncio.wait_for(peer.connection.pair(), 30)
    [secured] = await run.wait_for("link_secured")
    assert secured["bonded"]
    level = "encrypted" if not has_passkey else "secure_connections" if is_secure else "authenticated"
    assert secured["level"] == level
    if person:
        [question] = run.events("pairing_question")
        assert (question["kind"], question["digits"]) == ("show", f"{PASSKEY:06}")
    await subscribe(peer)
    await run.wait_for("client_subscribed")

    # The device is switched off and on again; it knows the central, and what it had switched on.
    assert (await run.interrupt()).status == DONE
    await host.wait_for_disconnection()
    run = await run_device(serving, air, *options)
    peer = await host.connect(await find_device(host))
    await asyncio.wait_for(peer.connection.encrypt(), 30)
    [secured] = await run.wait_for("link_secured")
    assert secured["level"] == level
    await run.wait_for("client_subscribed")
    assert (await run.interrupt()).status == DONE


async def test_our_device_has_forgotten(serving: Lantern, air: Air, host: Host) -> None:
    await host.device.power_on()
    set_up(host, is_secure=True)
    run = await run_device(serving, air, "--require-pairing")
    peer = await host.connect(await find_device(host))
    await asyncio.wait_for(peer.connection.pair(), 30)
    await run.wait_for("link_secured")
    assert (await run.interrupt()).status == DONE
    await host.wait_for_disconnection()
    [bond] = (await serving.run_offline("bonds", "list", "--json")).lines
    assert (await serving.run_offline("bonds", "remove", bond["address"])).status == DONE
    run = await run_device(serving, air, "--require-pairing")
    peer = await host.connect(await find_device(host))
    with pytest.raises(HCI_Error) as refused:
        await asyncio.wait_for(peer.connection.encrypt(), 30)
    assert refused.value.error_code == HCI_ErrorCode.PIN_OR_KEY_MISSING_ERROR
    assert (await run.interrupt()).status == DONE


async def test_a_device_that_was_not_told_to_pair_does_not(serving: Lantern, air: Air, host: Host) -> None:
    await host.device.power_on()
    set_up(host, is_secure=True)
    run = await run_device(serving, air)
    peer = await host.connect(await find_device(host))
    with pytest.raises(ProtocolError):
        await asyncio.wait_for(peer.connection.pair(), 30)
    await subscribe(peer)
    assert (await run.interrupt()).status == DONE
    assert (await serving.run_offline("bonds", "list")).status == NOTHING_FOUND
    for wrong in (["--passkey", "123456"], ["--require-pairing", "--passkey", "12345"]):
        result = await serving.run("device", "run", "flockfinder", *wrong, radio=radio(air))
        assert result.status == WRONG_USAGE
