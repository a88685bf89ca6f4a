# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern gatt shell` with `--command` and from a pipe: gatttool's commands, answers, events, exit status."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from lantern import DONE, FAILED, PATIENCE, Event, Lantern, Result, Run
from peers import awkward_gadget as awkward
from peers.awkward_gadget import AwkwardGadget
from peers.bench import Bench

WRITE_REQUEST, WRITE_COMMAND = 0x12, 0x52


@pytest.fixture
async def gadget(bench: Bench) -> AwkwardGadget:
    gadget = AwkwardGadget(bench)
    await gadget.start()
    return gadget


async def shell(lantern: Lantern, gadget: AwkwardGadget, *commands: str, options: tuple[str, ...] = ()) -> Result:
    """Runs commands with `--json`."""
    given = [part for command in commands for part in ("--command", command)]
    return await lantern.run("gatt", "shell", gadget.address, "--json", *options, *given)


def answers(result: Result) -> list[Event]:
    return [line for line in result.lines if "command" in line]


async def results(lantern: Lantern, gadget: AwkwardGadget, *commands: str) -> list[Any]:
    """The results of commands that all succeed."""
    result = await shell(lantern, gadget, *commands)
    assert result.status == DONE, result
    assert [line["command"] for line in answers(result)] == list(commands)
    for line in answers(result):
        assert line["ok"] is True and line["error"] is None, line
    return [line["result"] for line in answers(result)]


def handle_of(gadget: AwkwardGadget, uuid: str) -> int:
    (handle,) = gadget.value_handles(uuid)
    return handle


def configuration_of(gadget: AwkwardGadget, uuid: str) -> int:
    """The handle of the client characteristic configuration."""
    for service in gadget.tree():
        for characteristic in service["characteristics"]:
            if characteristic["uuid"] == uuid:
                return next(entry["handle"] for entry in characteristic["descriptors"] if entry["uuid"] == "2902")
    raise AssertionError(uuid)


# What gatttool has


async def test_the_link(gadget: AwkwardGadget, lantern: Lantern) -> None:
    connected, mtu, wanted, level, closed, again = await results(
        lantern, gadget, "connect", "mtu", "mtu 100", "sec-level", "disconnect", f"connect {gadget.address} random"
    )
    assert connected == {"address": gadget.address, "address_kind": "random", "mtu": 517} == again
    assert mtu == wanted == {"mtu": 517}
    assert (level, closed) == ({"level": "low"}, {})
    assert [entry.what for entry in gadget.log if "connected" in entry.what] == ["connected", "disconnected"] * 2


async def test_services(gadget: AwkwardGadget, lantern: Lantern) -> None:
    tree = gadget.tree()
    every, one, included, none = await results(
        lantern, gadget, "primary", "primary 180f", "included", "included 0x0001 0x0001"
    )
    assert [(service["uuid"], service["handle"], service["end_handle"]) for service in every["services"]] == [
        (service["uuid"], service["handle"], service["end_handle"]) for service in tree if service["primary"]
    ]
    assert [(service["uuid"], service["name"]) for service in one["services"]] == [("180f", "Battery")]
    assert [{key: entry[key] for key in ("uuid", "handle", "end_handle")} for entry in included["included"]] == [
        include for service in tree for include in service["includes"]
    ]
    assert none == {"included": []}


async def test_characteristics_and_attributes(gadget: AwkwardGadget, lantern: Lantern) -> None:
    everything = [entry for service in gadget.tree() for entry in service["characteristics"]]
    middle = everything[len(everything) // 2]["handle"]
    every, some, named, attributes, few = await results(
        lantern,
        gadget,
        "characteristics",
        f"characteristics 0x{middle:04x} {middle + 4:x}",
        f"characteristics 0x0001 0xffff {awkward.TWICE}",
        "char-desc",
        f"char-desc {middle:x} {middle + 2:x}",
    )

    def facts(entries: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return [(entry["uuid"], entry["handle"], entry["value_handle"], entry["properties"]) for entry in entries]

    assert facts(every["characteristics"]) == facts(everything)
    assert facts(some["characteristics"]) == facts(
        [entry for entry in everything if middle <= entry["handle"] <= middle + 4]
    )
    assert [entry["value_handle"] for entry in named["characteristics"]] == gadget.value_handles(awkward.TWICE)
    all_attributes = [
        (attribute.handle, awkward.short(attribute.type)) for attribute in gadget.device.gatt_server.attributes
    ]
    assert [(entry["handle"], entry["uuid"]) for entry in attributes["attributes"]] == all_attributes
    assert [(entry["handle"], entry["uuid"]) for entry in few["attributes"]] == [
        entry for entry in all_attributes if middle <= entry[0] <= middle + 2
    ]


async def test_reading(gadget: AwkwardGadget, lantern: Lantern) -> None:
    battery, long = handle_of(gadget, awkward.BATTERY_LEVEL), handle_of(gadget, awkward.LONG_VALUE)
    first, second = gadget.value_handles(awkward.TWICE)
    by_handle, bare, whole, both, later, by_name, maker = await results(
        lantern,
        gadget,
        f"char-read-hnd 0x{battery:04x}",
        f"char-read-hnd {battery:x}",
        f"char-read-hnd {long:x}",
        f"char-read-uuid {awkward.TWICE}",
        f"char-read-uuid {awkward.TWICE} 0x{second:04x} 0xffff",
        "read battery-level",
        'read "Manufacturer Name String"',
    )
    assert by_handle == bare == by_name
    assert by_handle == {
        "address": gadget.address, "address_kind": "random",
        "uuid": "2a19", "name": "Battery Level", "description": None, "handle": battery, "octets": "5f", "text": "_",
        "fields": [{"name": "Battery Level", "value": "95%"}], "misfit": None, "incomplete": None,
    }
    assert whole["octets"] == awkward.LONG.hex()
    assert [(entry["handle"], entry["text"]) for entry in both["values"]] == [(first, "first"), (second, "second")]
    assert [(entry["handle"], entry["text"]) for entry in later["values"]] == [(second, "second")]
    assert maker["text"] == awkward.MAKER


async def test_writing(gadget: AwkwardGadget, lantern: Lantern) -> None:
    handle = handle_of(gadget, awkward.WRITTEN)
    long = bytes(range(256)) * 2
    request, _, command, _, whole, _, text = await results(
        lantern,
        gadget,
        f"char-write-req 0x{handle:04x} 0102",
        f"char-read-hnd {handle:x}",
        f"char-write-cmd {handle:x} 03 04",
        f"read {awkward.WRITTEN}",
        f"write {awkward.WRITTEN} {long.hex()}",
        f'write-command {awkward.WRITTEN} ""',
        f'write 0x{handle:04x} "two words"',
    )
    assert (request["handle"], request["octets"], request["answered"]) == (handle, "0102", True)
    assert (command["octets"], command["answered"]) == ("0304", False)
    assert (whole["octets"], text["octets"]) == (long.hex(), b"two words".hex())
    assert [entry.data for entry in gadget.entries("write")] == [b"\1\2", b"\3\4", long, b"", b"two words"]
    sent = [bytes(pdu) for pdu in gadget.att_requests]
    own = handle.to_bytes(2, "little")
    assert bytes([WRITE_REQUEST]) + own + b"\1\2" in sent and bytes([WRITE_COMMAND]) + own + b"\3\4" in sent


async def test_all_commands_share_one_link(gadget: AwkwardGadget, lantern: Lantern) -> None:
    await results(lantern, gadget, "read 2a19", "primary", "mtu", "tree", "help", "char-desc", "exit")
    await gadget.wait_for("disconnected")
    assert len(gadget.entries("connected")) == 1


async def test_the_tree_is_that_of_gatt_tree(gadget: AwkwardGadget, lantern: Lantern) -> None:
    (tree,) = await results(lantern, gadget, "tree")
    alone = await lantern.run("gatt", "tree", gadget.address, "--json")
    services = [entry for entry in alone.line["services"] if entry["uuid"] != "1801"]
    assert [entry for entry in tree["services"] if entry["uuid"] != "1801"] == services


# What the device sends


async def test_values_come_as_events_of_gatt_watch(gadget: AwkwardGadget, lantern: Lantern) -> None:
    async def send() -> None:
        for number in range(3):
            await gadget.notify(gadget.notified, bytes([number]))

    gadget.on_subscribed = lambda name: bench_spawn(gadget, send()) if name == "notified" else None
    result = await shell(lantern, gadget, f"watch {awkward.NOTIFIED}", "wait 15 3", "unwatch", "mtu")
    assert result.status == DONE, result
    handle = handle_of(gadget, awkward.NOTIFIED)
    events = [line for line in result.lines if line["event"] != "shell_answer"]
    assert [(line["event"], line["uuid"], line["handle"], line["octets"], line["kind"]) for line in events] == [
        ("value_received", awkward.NOTIFIED, handle, f"{number:02x}", "notify") for number in range(3)
    ]
    watched, waited, unwatched, _ = answers(result)
    assert watched["result"] == {
        "watched": True,
        "characteristics": [{"uuid": awkward.NOTIFIED, "name": None, "description": None, "handle": handle}],
    }
    assert waited["result"] == {"values": 3}
    assert unwatched["result"]["characteristics"] == watched["result"]["characteristics"]
    assert [entry.what for entry in gadget.log if "subscribe" in entry.what] == ["subscribe", "unsubscribe"]


def bench_spawn(gadget: AwkwardGadget, work: Any) -> None:
    gadget.bench.spawn(work)


async def test_indications_switched_on_as_with_gatttool(gadget: AwkwardGadget, lantern: Lantern) -> None:
    async def send() -> None:
        await gadget.indicate(gadget.indicated, b"\x1b[2J")

    gadget.on_subscribed = lambda _name: bench_spawn(gadget, send())
    handle = configuration_of(gadget, awkward.INDICATED)
    result = await shell(lantern, gadget, f"char-write-req 0x{handle:04x} 0200", "wait 15 1")
    assert result.status == DONE, result
    (event,) = [line for line in result.lines if line["event"] != "shell_answer"]
    # Handles need no discovery, so nobody has asked what is there.
    assert event["handle"] == handle_of(gadget, awkward.INDICATED) and event["uuid"] is None
    assert (event["octets"], event["kind"]) == ("1b5b324a", "indicate")


async def test_a_wait_in_vain_fails(gadget: AwkwardGadget, lantern: Lantern) -> None:
    result = await shell(lantern, gadget, f"watch {awkward.NOTIFIED}", "wait 0.2 1", "mtu")
    assert result.status == FAILED
    assert answers(result)[-1]["error"] == "Only 0 of 1 values came within 0.2 s."


# Failures


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("nonsense", "no command nonsense: type help"),
        ("char-read-hnd 0", "0 is not a handle"),
        ("char-read-hnd 0x10000", "is not a handle"),
        ("char-write-req 3 123", "two hex digits"),
        ("char-write-req 3 zz", "two hex digits"),
        ("char-write-req 3 " + "00" * 600, "at most 512 octets; this one has 600"),
        ("char-read-uuid 2a", "4, 8 or 32 hex digits"),
        ("connect here", "AA:BB:CC:DD:EE:FF"),
        ("mtu 600", "from 23 to 517"),
        ("read", "type read WHAT"),
    ],
)
async def test_what_cannot_be_meant_never_reaches_the_device(
    command: str, words: str, gadget: AwkwardGadget, lantern: Lantern
) -> None:
    result = await shell(lantern, gadget, command, "mtu")
    assert result.status == FAILED
    (line,) = result.lines
    assert line["ok"] is False and line["result"] is None
    assert line["command"] == command and words in line["error"]
    assert line["error"].endswith(".") and line["error"].count(". ") == 0
    quoted = command if len(command) <= 80 else command[:80]
    assert result.stderr.startswith(f"lantern: {quoted[:79]}")
    assert result.stderr.endswith(f": {line['error']}\n")
    assert gadget.log == []


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("char-read-hnd 0xfff0", "has nothing at 0xfff0"),
        (f"read {awkward.REFUSED}", "the link must be authenticated first"),
        (f"read {awkward.APPLICATION_ERROR}", "application error 0x80"),
        (f"write {awkward.WRITE_REFUSED} 00", "application error 0x80"),
        (f"read {awkward.TWICE}", "occurs 2 times: say which by its handle"),
        ("char-read-uuid 2a6e", "no value 2a6e"),
        ("primary 1234", "no primary service 1234"),
        (f"watch {awkward.LONG_VALUE}", "neither notifies nor indicates"),
        (f"write-command {awkward.WRITTEN} " + "00" * 512, "512 octets do not fit: at most 244 do."),
        ("sec-level high", "Pairing"),
    ],
)
async def test_what_the_device_refuses(command: str, words: str, gadget: AwkwardGadget, lantern: Lantern) -> None:
    if "write-command" in command:
        gadget.device.gatt_server.max_mtu = 247
    result = await shell(lantern, gadget, command, "mtu")
    assert result.status == FAILED
    (line,) = answers(result)
    assert line["ok"] is False and words in line["error"], line


async def test_keep_going_carries_out_all_and_still_fails(gadget: AwkwardGadget, lantern: Lantern) -> None:
    commands = ["char-read-hnd 0xfff0", "read 2a19", "nonsense", "read battery-level"]
    result = await shell(lantern, gadget, *commands, options=("--keep-going",))
    assert result.status == FAILED
    assert [line["ok"] for line in result.lines] == [False, True, False, True]
    assert result.stderr.count("lantern: ") == 2


async def test_a_person_reads_sentences(gadget: AwkwardGadget, lantern: Lantern) -> None:
    gadget.written = b"evil \x1b]0;owned\x07\x1b[2J"
    result = await lantern.run(
        *("gatt", "shell", gadget.address, "--keep-going"),
        *("--command", "read 2a19", "--command", f"read {awkward.WRITTEN}", "--command", "no\x1b[2J"),
    )
    assert result.status == FAILED
    assert result.stdout.splitlines()[0] == "95%  5f"
    assert "\x1b" not in result.stdout + result.stderr and "\x07" not in result.stdout
    assert "6f 77 6e 65 64" in result.stdout and "no\\u{1b}[2J" in result.stderr


# From a pipe


async def feed(run: Run, *commands: str) -> list[Event]:
    """Gives commands to a shell, one after the other; their answers."""
    given = []
    for command in commands:
        known = len(run.lines)
        await run.feed(command.encode() + b"\n")

        def answer() -> Event | None:
            return next((line for line in run.lines[known:] if "command" in line), None)

        given.append(await run.wait_until(answer, f"the answer to {command}"))
    return given


async def test_a_script_from_a_pipe(gadget: AwkwardGadget, lantern: Lantern) -> None:
    run = await lantern.start("gatt", "shell", gadget.address, "--json", stdin=True)
    await run.feed(b"# a script\n\nread 2a19\r\nmtu")
    run.end_input()
    result = await run.finish()
    assert result.status == DONE, result
    assert [line["command"] for line in result.lines] == ["read 2a19", "mtu"]
    await gadget.wait_for("disconnected")


async def test_a_lost_link_is_told_and_can_be_opened_again(gadget: AwkwardGadget, lantern: Lantern) -> None:
    run = await lantern.start("gatt", "shell", gadget.address, "--json", "--keep-going", stdin=True)
    (first,) = await feed(run, "read 2a19")
    assert first["ok"]
    gadget.lose_link()
    (event,) = await run.wait_for("link_disconnected")
    assert (event["address"], event["reason"]) == (
        gadget.address,
        "The device fell silent and the connection was lost.",
    )
    refused, again, value = await feed(run, "read 2a19", "connect", "read 2a19")
    assert refused["error"] == f"There is no link to {gadget.address}: type connect to open it again."
    assert again["ok"] and value["result"]["octets"] == "5f"
    run.end_input()
    assert (await run.finish()).status == FAILED
    assert len(gadget.entries("connected")) == 2


async def test_control_c_ends_a_shell_that_waits_for_a_silent_device(
    gadget: AwkwardGadget, lantern: Lantern
) -> None:
    run = await lantern.start("gatt", "shell", gadget.address, "--json", stdin=True)
    await feed(run, "read 2a19")
    gadget.fall_silent()
    requests = len(gadget.att_requests)
    await run.feed(b"read 2a19\n")
    while len(gadget.att_requests) == requests:
        await asyncio.sleep(0.01)
    assert (await run.interrupt()).status == DONE
    await gadget.wait_for("disconnected", timeout=PATIENCE)
