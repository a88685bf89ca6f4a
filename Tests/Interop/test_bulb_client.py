# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern bulb …` against Bumble bulbs of every dialect, octet for octet."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, WRONG_USAGE, Lantern, Result
from peers.bench import Bench
from peers.bulbs import (
    ADDRESS,
    COLORIFIC,
    COMMAND,
    DIALECTS,
    ELK_BLEDOM,
    LED_LAMP,
    MAGIC_BLUE,
    STATE_REQUEST,
    TRIONES,
    WRITE,
    Bulb,
    NoBulb,
)

EVERY = list(DIALECTS)
WITH_STATE = [TRIONES, MAGIC_BLUE]


async def bulb_of(bench: Bench, *dialects: str, **named: object) -> Bulb:
    bulb = Bulb(bench, *dialects, **named)  # type: ignore[arg-type]
    await bulb.start()
    return bulb


async def done(lantern: Lantern, *arguments: str) -> Result:
    result = await lantern.run("bulb", *arguments)
    assert result.status == DONE, result
    return result


@pytest.mark.parametrize("key", EVERY)
async def test_a_colour(key: str, bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, key)
    for text in ("#ff8800", "#0001FE"):
        await done(lantern, "color", ADDRESS, text)
    wanted = [DIALECTS[key].color(rgb) for rgb in ("ff8800", "0001fe")]
    assert [octets for octets in bulb.octets if octets != DIALECTS[key].on] == wanted


@pytest.mark.parametrize("key", EVERY)
async def test_on_and_off(key: str, bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, key)
    await done(lantern, "off", ADDRESS)
    await done(lantern, "on", ADDRESS)
    assert bulb.octets == [DIALECTS[key].off, DIALECTS[key].on]


@pytest.mark.parametrize("key", EVERY)
async def test_white(key: str, bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, key)
    percents = (100, 50, 1)
    for percent in percents:
        await done(lantern, "white", ADDRESS, str(percent))
    assert len(bulb.octets) == len(percents), bulb.octets
    for percent, octets in zip(percents, bulb.octets):
        assert octets in DIALECTS[key].white(percent)


NAMES = {"red": "ff0000", "green": "00ff00", "blue": "0000ff", "white": "ffffff", "black": "000000"}


@pytest.mark.parametrize("name", NAMES)
async def test_a_colour_by_its_name(name: str, bench: Bench, lantern: Lantern) -> None:
    """The five of the source; its green is the full one."""
    bulb = await bulb_of(bench, COLORIFIC)
    await done(lantern, "color", ADDRESS, name)
    assert bulb.octets in (["58010301ff00" + NAMES[name]], ["58010301ff00008000"])


async def test_the_document_s_bulb_is_written_to_without_response(bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, COLORIFIC)
    await done(lantern, "color", ADDRESS, "#ff0000")
    assert bulb.octets == ["58010301ff00ff0000"]
    assert bulb.opcodes_of("58010301ff00ff0000") == {0x52}


@pytest.mark.parametrize("key", EVERY)
@pytest.mark.parametrize(("properties", "opcode"), [(WRITE, 0x12), (COMMAND, 0x52)])
async def test_a_bulb_is_written_to_as_it_allows(
    properties: int, opcode: int, key: str, bench: Bench, lantern: Lantern
) -> None:
    bulb = await bulb_of(bench, key, properties=properties)
    await done(lantern, "color", ADDRESS, "#123456")
    assert bulb.octets[-1] == DIALECTS[key].color("123456")
    assert bulb.opcodes_of(DIALECTS[key].color("123456")) == {opcode}


def unanswered(bulb: Bulb, opcode: int, instead: Callable[[], object] = lambda: None) -> None:
    """Has a bulb say nothing to such requests, and do something else."""
    server = bulb.device.gatt_server
    serve = server.on_gatt_pdu

    def on_pdu(bearer: object, pdu: object) -> None:
        if bytes(pdu)[0] != opcode:  # type: ignore[call-overload]
            serve(bearer, pdu)  # type: ignore[arg-type]
        else:
            instead()

    server.on_gatt_pdu = on_pdu  # type: ignore[method-assign]


@pytest.mark.parametrize("ends", [False, True])
async def test_a_bulb_that_does_not_say_its_name(ends: bool, bench: Bench, lantern: Lantern) -> None:
    """It is coloured all the same: the name is asked for last."""
    bulb = await bulb_of(bench, ELK_BLEDOM)
    unanswered(bulb, 0x0A, (lambda: bench.spawn(bulb.drop())) if ends else lambda: None)
    await done(lantern, "color", ADDRESS, "#ff8800")
    assert bulb.octets == [DIALECTS[ELK_BLEDOM].color("ff8800")]


async def test_a_bulb_that_does_not_say_its_mtu(bench: Bench, lantern: Lantern) -> None:
    """It gets a second link, on which it is not asked."""
    bulb = await bulb_of(bench, ELK_BLEDOM)
    unanswered(bulb, 0x02)
    await done(lantern, "color", ADDRESS, "#ff8800")
    assert bulb.octets == [DIALECTS[ELK_BLEDOM].color("ff8800")]


async def test_a_bulb_that_answers_twice(bench: Bench, lantern: Lantern) -> None:
    """Every response comes once more: it is still a bulb."""
    bulb = await bulb_of(bench, MAGIC_BLUE)
    server = bulb.device.gatt_server
    send = server.send_gatt_pdu

    def send_pdu(bearer: object, pdu: bytes) -> None:
        for _ in range(2 if pdu[0] & 1 and pdu[0] not in (0x1B, 0x1D) else 1):
            send(bearer, pdu)  # type: ignore[arg-type]

    server.send_gatt_pdu = send_pdu  # type: ignore[method-assign]
    await done(lantern, "color", ADDRESS, "#ff8800")
    assert DIALECTS[MAGIC_BLUE].color("ff8800") in bulb.octets


BAD = [["color", ADDRESS, "#12345"], ["color", ADDRESS, "#gggggg"], ["color", ADDRESS, "nocolour"], ["color", ADDRESS],
       ["white", ADDRESS, "101"], ["white", ADDRESS, "-1"], ["white", ADDRESS, "bright"],
       ["cycle", ADDRESS, "--seconds", "0"], ["cycle", ADDRESS, "--turns", "-1"],
       ["color", ADDRESS, "#ffffff", "--dialect", "nobody"]]


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
async def test_bad_usage_writes_nothing(arguments: list[str], bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, TRIONES)
    result = await lantern.run("bulb", *arguments)
    assert result.status == WRONG_USAGE and result.stderr.strip(), result
    assert bulb.received == []


# Hues


def hue_of(octets: str, key: str) -> float:
    """The hue of a fully saturated and bright colour, as a part of a turn."""
    prefix, suffix = DIALECTS[key].color("|").split("|")
    assert octets.startswith(prefix) and octets.endswith(suffix), octets
    rgb = [each / 255 for each in bytes.fromhex(octets[len(prefix) : len(prefix) + 6])]
    hue, saturation, value = colorsys.rgb_to_hsv(*rgb)
    assert saturation == 1 and value == 1, octets
    return hue


@pytest.mark.parametrize("key", [COLORIFIC, ELK_BLEDOM])
async def test_cycle_turns_through_all_hues(key: str, bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, key)
    await done(lantern, "cycle", ADDRESS, "--seconds", "1", "--turns", "2")
    written = [octets for octets in bulb.octets if octets not in (DIALECTS[key].on, DIALECTS[key].off)]
    hues = [hue_of(octets, key) for octets in written]
    turned = sum((later - earlier) % 1 for earlier, later in zip(hues, hues[1:]))
    assert all((later - earlier) % 1 < 0.5 for earlier, later in zip(hues, hues[1:])), "it goes one way"
    assert 1.8 < turned <= 2.01, turned
    assert 20 <= len(hues) <= 45, "a step every 50 ms, unless the machine is busy"


# State


@pytest.mark.parametrize("key", WITH_STATE)
async def test_the_state_is_read_back(key: str, bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, key)
    bulb.rgb = "ff8800"
    state = (await done(lantern, "show", ADDRESS, "--json")).line
    assert state["color"] == "#ff8800", state
    assert state["power"] is True
    assert bulb.received[-1][1] == "ef0177"
    assert bulb.octets == [], "to ask is not to change"
    bulb.is_on = False
    state = (await done(lantern, "show", ADDRESS, "--json")).line
    assert state["power"] is False
    bulb.is_on, bulb.rgb, bulb.white = True, "000000", 0x80
    state = (await done(lantern, "show", ADDRESS, "--json")).line
    assert state["white_percent"] == 50, state


STATES = {"too short": "66152341200110203000", "another head": "00" * 12}


@pytest.mark.parametrize("answer", STATES.values(), ids=STATES)
async def test_a_state_that_is_none(answer: str, bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, TRIONES)
    bulb.state_answer = answer
    result = await lantern.run("bulb", "show", ADDRESS)
    assert result.status in (FAILED, NOTHING_FOUND) and result.stderr.strip(), result


@pytest.mark.parametrize("key", [COLORIFIC, ELK_BLEDOM])
async def test_bulbs_that_cannot_tell_their_state(key: str, bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, key)
    result = await lantern.run("bulb", "show", ADDRESS)
    assert result.status == FAILED and result.stderr.strip(), result
    assert bulb.received == []


async def test_what_is_not_understood_is_shown(bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, TRIONES)
    bulb.state_answer = "0102030405"
    result = await lantern.run("bulb", "show", ADDRESS)
    assert "0102030405 (3 times)" in result.stderr, result


@pytest.mark.parametrize("mode", [0x00, 0x61, 0xFF])
async def test_a_mode_that_is_no_effect_is_a_colour(mode: int, bench: Bench, lantern: Lantern) -> None:
    """Firmware has others than 0x41 for that."""
    bulb = await bulb_of(bench, TRIONES)
    bulb.mode, bulb.rgb = mode, "0a141e"
    state = (await done(lantern, "show", ADDRESS, "--json")).line
    assert (state["mode"], state["color"]) == ("color", "#0a141e"), state


async def test_octets_behind_a_state(bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, TRIONES)
    bulb.state_answer = "66152341200110203000039900"
    state = (await done(lantern, "show", ADDRESS, "--json")).line
    assert state["color"] == "#102030", state


async def test_brightness(bench: Bench, lantern: Lantern) -> None:
    for number, (key, octets) in enumerate({ELK_BLEDOM: "7e04011e01ffff00ef", LED_LAMP: "7eff011e00ffffffef"}.items()):
        address = f"B0:1B:00:00:00:1{number}"
        bulb = await bulb_of(bench, key, address=address)
        await done(lantern, "brightness", address, "30")
        assert bulb.octets == [octets]


# Which dialect


async def words_of(lantern: Lantern) -> dict[str, str]:
    """How the command line calls the dialects."""
    result = await lantern.run_offline("bulb", "dialects")
    assert result.status == DONE, result
    words = re.findall(r"\b[a-z]+(?:[-_][a-z]+)*\b", result.stdout.lower())
    return {key: next(word for word in words if word.replace("-", "_") == key) for key in EVERY}


async def test_the_dialects_are_listed(lantern: Lantern) -> None:
    assert set(await words_of(lantern)) == set(EVERY)


@pytest.mark.parametrize(("one", "other"), [(TRIONES, MAGIC_BLUE), (COLORIFIC, ELK_BLEDOM)])
async def test_a_bulb_of_two_dialects_must_be_told_which(one: str, other: str, bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, one, other)
    words = await words_of(lantern)
    result = await lantern.run("bulb", "off", ADDRESS)
    assert result.status in (FAILED, WRONG_USAGE), result
    assert "--dialect" in result.stderr
    assert bulb.received == []
    for key in (one, other):
        await done(lantern, "off", ADDRESS, "--dialect", words[key])
    told = [each for each in bulb.received if each[1] != STATE_REQUEST]
    assert told == [(DIALECTS[key].written, DIALECTS[key].off) for key in (one, other)]


async def test_a_dialect_that_the_bulb_has_not(bench: Bench, lantern: Lantern) -> None:
    bulb = await bulb_of(bench, TRIONES)
    words = await words_of(lantern)
    result = await lantern.run("bulb", "off", ADDRESS, "--dialect", words[ELK_BLEDOM])
    assert result.status == FAILED and result.stderr.strip(), result
    assert bulb.received == []


async def test_no_bulb(bench: Bench, lantern: Lantern) -> None:
    gadget = NoBulb(bench)
    await gadget.start()
    result = await lantern.run("bulb", "color", ADDRESS, "#ffffff")
    assert (result.status, result.stdout) == (FAILED, "")
    assert "bulb" in result.stderr.lower()
    assert not gadget.own_write_requests


async def test_nobody_at_the_address(bench: Bench, lantern: Lantern) -> None:
    await bulb_of(bench, TRIONES)
    result = await lantern.run("bulb", "on", "D0:00:00:00:00:99", timeout=45)
    assert result.status == NOTHING_FOUND
