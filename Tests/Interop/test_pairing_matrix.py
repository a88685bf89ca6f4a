# SPDX-License-Identifier: Apache-2.0
"""Everything that our side and Bumble can be when they pair: both roles, on Bumble's controllers and on ours.

Many pairs work side by side, so that their links wait and not we. Each case is another device for our side, whose process
stays: `gatt shell` where we begin, `device run` where Bumble does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest
from bumble.core import PhysicalTransport
from bumble.device import Connection, ConnectionParametersPreferences, Device
from bumble.hci import Address, Phy

from lantern import DONE, Lantern, Run
from peers.air import SHORTEST_INTERVAL, Host, serve
from peers.bench import Bench
from peers.pairing import PASSKEY, Case, PairingHost, Person, cases

LANES = 15
PATIENCE = 30


@dataclass
class Lane:
    """One radio for our side and one Bumble device, which hear each other."""

    serving: Lantern
    radio: str
    ours: str
    host: PairingHost

    @property
    def device(self) -> Device:
        return self.host.device


def static_address(public: str) -> str:
    """What our side makes of its controller's public address."""
    return f"{int(public[:2], 16) | 0xC0:02X}{public[2:]}"


@pytest.fixture(params=["bumble", "lantern"])
async def lanes(request: pytest.FixtureRequest, serving: Lantern, bench: Bench) -> AsyncIterator[list[Lane]]:
    """Lanes on Bumble's controllers, or on ours."""
    lanes = []
    if request.param == "bumble":
        for number in range(LANES):
            port = await bench.add_port()
            device = bench.add_device("peer", f"C0:00:00:00:{number:02X}:00")
            await device.power_on()
            lanes.append(Lane(serving, port.radio, static_address(port.public_address), PairingHost(device, number)))
        yield lanes
        return
    air = await serve(serving, "--controllers", str(2 * LANES))
    hosts = []
    for number in range(LANES):
        ours, theirs = air.run.events("controller_listening")[2 * number : 2 * number + 2]
        host = await Host.attach(theirs["port"], "peer", f"C0:00:00:00:{number:02X}:00")
        hosts.append(host)
        await host.device.power_on()
        radio = f"tcp:127.0.0.1:{ours['port']}"
        lanes.append(Lane(serving, radio, static_address(ours["address"]), PairingHost(host.device, number)))
    yield lanes
    for host in hosts:
        host.vanish()
    assert (await air.run.interrupt()).status == DONE


def answer_to(question: dict[str, str], person: Person) -> bytes | None:
    """What our person types; what Bumble's has to type is given to it."""
    match question["kind"]:
        case "show":
            person.typed.set_result(int(question["digits"]))
            return None
        case "enter" if person.shown.done():
            return b"%06d\n" % person.shown.result()
        case "enter":
            # Both enter the same.
            person.typed.set_result(PASSKEY)
            return b"%06d\n" % PASSKEY
        case "compare":
            return b"y\n"
    raise AssertionError(question)


async def talk(run: Run, case: Case, person: Person, seen: int, is_over: Callable[[], bool]) -> None:
    """Answers what is asked on our side until pairing is over, and holds what was seen to the table."""
    questions = lambda: run.events("pairing_question")[seen:]  # noqa: E731
    await run.wait_until(lambda: bool(questions()) or is_over(), str(case), PATIENCE)
    for question in questions():
        assert question["kind"] == case.our_question, f"{question} where {case.our_question} is due"
        if question["kind"] == "enter" and case.method in "IR":
            await asyncio.wait_for(asyncio.shield(person.shown), PATIENCE)
        if (typed := answer_to(question, person)) is not None:
            await run.feed(typed)
        await run.wait_until(is_over, str(case), PATIENCE)
        if question["kind"] == "compare":
            assert int(question["digits"]) == person.shown.result()
    assert len(questions()) == (case.our_question is not None)
    other = {"show": "enter", "compare": "compare", "enter": "show" if case.method in "IR" else "enter", None: None}
    assert person.did == other[case.our_question]


async def expect_kept(lane: Lane, case: Case) -> None:
    """Bumble keeps the keys, too, once it has got them all."""
    async with asyncio.timeout(PATIENCE):
        while case.is_bonding and not await lane.device.keystore.get_all():
            await asyncio.sleep(0.01)


# Our side begins.


async def pair_as_central(lane: Lane, run: Run, case: Case) -> None:
    host = lane.host
    answers = lambda: run.events("shell_answer")  # noqa: E731
    words = ["pair", case.ours, *([] if case.is_bonding else ["no-bond"])]
    # Legacy pairing has one key for both: who has it has it of the other one.
    if case.ours_has_oob:
        words += ["oob", host.data(case.is_secure).hex()]
    shows = case.is_secure and case.bumble_has_oob
    await host.become_another()
    person = host.pair_as(case)
    await lane.device.start_advertising(advertising_interval_min=30, advertising_interval_max=30)
    (asked, answered, shown) = (len(run.events("pairing_question")), len(answers()), len(run.events("out_of_band_data")))
    await run.feed(f"connect {host.address} random\n".encode())
    await run.wait_until(lambda: len(answers()) > answered, "a link", PATIENCE)
    assert answers()[-1]["ok"], answers()[-1]
    await run.feed(" ".join([*words, *(["show-oob"] if shows else [])]).encode() + b"\n")
    if shows:
        data = (await run.wait_for("out_of_band_data", shown + 1))[-1]["octets"]
        person = host.pair_as(case, bytes.fromhex(data))
        await run.feed(b"\n")
    await talk(run, case, person, asked, lambda: len(answers()) > answered + 1)
    answer = answers()[-1]
    assert answer["ok"], answer["error"]
    assert answer["result"] == {"level": case.level, "key_size": 16, "bonded": case.is_bonding}
    await expect_kept(lane, case)
    await run.feed(b"disconnect\n")
    await run.wait_until(lambda: len(answers()) > answered + 2, "the end of the link", PATIENCE)


async def work_as_central(lane: Lane, work: list[Case]) -> None:
    run = await lane.serving.start("gatt", "shell", "C0:00:00:00:00:00/R", "--keep-going", "--json", radio=lane.radio, stdin=True)
    for case in work:
        try:
            await asyncio.wait_for(pair_as_central(lane, run, case), PATIENCE)
        except Exception as error:
            raise AssertionError(f"{case}: {error!r}") from error
    run.end_input()
    assert (await run.finish()).status == DONE


async def test_our_side_begins(lanes: list[Lane]) -> None:
    work = list(cases(ours_begins=True))
    assert len(work) == 400
    async with asyncio.TaskGroup() as group:
        for number, lane in enumerate(lanes):
            group.create_task(work_as_central(lane, work[number :: len(lanes)]))


# Bumble begins.

# What our device is given, and shows: nothing, its own data, or both.
WAYS = [(False, False), (False, True), (True, True)]


def way_of(case: Case) -> tuple[bool, bool]:
    if case.is_secure:
        return case.ours_has_oob, case.ours_has_oob or case.bumble_has_oob
    # Whoever has the key of legacy pairing says so.
    return case.ours_has_oob, case.ours_has_oob


async def connect(device: Device, address: str) -> Connection:
    preferences: dict[Phy, ConnectionParametersPreferences] = {Phy.LE_1M: SHORTEST_INTERVAL}
    return await device.connect(Address(address), PhysicalTransport.LE, preferences, timeout=10)


async def pair_as_peripheral(lane: Lane, run: Run, case: Case) -> None:
    shown = run.events("out_of_band_data")
    await lane.host.become_another()
    person = lane.host.pair_as(case, bytes.fromhex(shown[0]["octets"]) if shown else None)
    secured = lambda: run.events("link_secured")  # noqa: E731
    (asked, before) = (len(run.events("pairing_question")), len(secured()))
    connection = await connect(lane.device, lane.ours)
    async with asyncio.TaskGroup() as group:
        group.create_task(connection.pair())
        group.create_task(talk(run, case, person, asked, lambda: len(secured()) > before))
    event = secured()[-1]
    assert event["address"] == lane.host.address
    assert (event["level"], event["key_size"], event["bonded"]) == (case.level, 16, case.is_bonding)
    await expect_kept(lane, case)
    await connection.disconnect()


async def work_as_peripheral(lane: Lane, ours: str, way: tuple[bool, bool], work: list[Case]) -> None:
    options = ["--require-pairing", f"--{ours}"]
    if way[0]:
        file = lane.serving.home / f"tag-{lane.host.number}"
        file.write_bytes(lane.host.data(True) + lane.host.data(False))
        options += ["--oob-data", str(file)]
    if way[1]:
        options.append("--show-oob-data")
    run = await lane.serving.start(
        "device", "run", "flockfinder", "--json", *options, radio=lane.radio, stdin=True
    )
    await run.wait_for("device_advertising")
    for case in work:
        try:
            await asyncio.wait_for(pair_as_peripheral(lane, run, case), PATIENCE)
        except Exception as error:
            raise AssertionError(f"{case}: {error!r}\n{run}") from error
    assert (await run.interrupt()).status == DONE


async def test_bumble_begins(lanes: list[Lane]) -> None:
    work: dict[tuple[str, tuple[bool, bool]], list[Case]] = {}
    for case in cases(ours_begins=False):
        work.setdefault((case.ours, way_of(case)), []).append(case)
    assert len(work) == len(lanes) and sum(map(len, work.values())) == 400
    async with asyncio.TaskGroup() as group:
        for lane, ((ours, way), some) in zip(lanes, work.items()):
            group.create_task(work_as_peripheral(lane, ours, way, some))
