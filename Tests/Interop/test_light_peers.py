# SPDX-License-Identifier: Apache-2.0
"""The peers of lamps, bulbs and overflow areas against golden octets and each other, without the binary."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, datetime, timezone
from zoneinfo import ZoneInfo

import pytest

from peers.bench import Bench
from peers.bulbs import DIALECTS, STATE_REQUEST, TRIONES, Bulb
from peers.central import Central
from peers.lamp_nights import any_tonight, any_week, instant_of, timeline
from peers.lamp_values import (
    BLACK,
    DAY,
    FACTORY_WEEK,
    OFF,
    ORANGE,
    OVERLAP,
    PROOF,
    SCHOOL,
    THREE_NIGHTS,
    WEEK,
    ActiveSource,
    Clock,
    Period,
    Week,
    decode_current_time,
    decode_tonight,
    decode_week,
    judge_tonight,
    judge_week,
    longest_week,
)
from peers.nightlight import ANOTHER_SERVICE, PROFILE, Lamp, LampReader, source_becomes
from peers.overflow import (
    PLACES,
    ReceiverV1,
    bit_of,
    bits_of,
    decode_v2,
    encode_v1,
    encode_v2,
    map_of,
    on_air_bit,
    reference_uuid,
    structure,
    table,
)

PAYLOAD = bytes([1, 2, 3, 4])


# The lamp


def test_golden_octets_of_the_lamp() -> None:
    golden = {
        SCHOOL.encode(): "01065363686F6F6C021F019204A401FF880000006001CE04E001201040015A",
        THREE_NIGHTS.encode(): "0103017404860110203000 00",
        FACTORY_WEEK.encode(): "0100021F006000",
        ActiveSource(WEEK, ORANGE, 690).encode(): "01FF8800B202",
    }
    for found, expected in golden.items():
        assert found == bytes.fromhex(expected)
    assert len(longest_week().encode()) == 419


def test_values_come_back() -> None:
    rng = random.Random(5)
    for _ in range(300):
        week, tonight = any_week(rng), any_tonight(rng)
        assert decode_week(week.encode()) == week and decode_tonight(tonight.encode()) == tonight
        assert judge_week(week.encode()) == judge_tonight(tonight.encode()) == 0
    clock = Clock(datetime(2026, 11, 21, 20, 30, 59, 500_000))
    assert clock.current_time().hex() == "ea070b15141e3b068000"
    assert decode_current_time(clock.current_time()) == clock.local


def test_a_week_that_overlaps_is_found_out() -> None:
    """Friday's light until seven in the morning, and Saturday's that begins a minute too early, or does not."""
    working, weekend = SCHOOL.groups
    for minute, refusal in ((6 * 60 + 59, OVERLAP), (7 * 60, 0)):
        early = replace(weekend, periods=(Period(minute, 480, ORANGE),))
        assert judge_week(Week("", (working, early)).encode()) == refusal


def test_instants_of_nights_that_were_worked_out_by_hand() -> None:
    zurich, new_york = ZoneInfo("Europe/Zurich"), ZoneInfo("America/New_York")
    cases = [
        (date(2027, 3, 28), 150, zurich, datetime(2027, 3, 28, 1)),
        (date(2026, 10, 25), 150, zurich, datetime(2026, 10, 25, 0, 30)),
        (date(2026, 10, 25), 180, zurich, datetime(2026, 10, 25, 2)),
        (date(2027, 3, 14), 120, new_york, datetime(2027, 3, 14, 7)),
        (date(2026, 11, 1), 90, new_york, datetime(2026, 11, 1, 5, 30)),
        (date(2026, 11, 1), 120, new_york, datetime(2026, 11, 1, 7)),
    ]
    for day, minute, zone, expected in cases:
        assert instant_of(day, minute, zone) == expected.replace(tzinfo=timezone.utc)


def test_a_day_that_was_worked_out_by_hand() -> None:
    """Friday's light until seven, then darkness, then the first of three nights."""
    day = date(2026, 11, 21)
    stretches = timeline(day, SCHOOL, THREE_NIGHTS, day, ZoneInfo("UTC"))
    assert [(each.start.hour, each.source, each.color) for each in stretches] == [
        (0, WEEK, ORANGE),
        (7, OFF, BLACK),
        (19, DAY, bytes.fromhex("102030")),
    ]


@pytest.mark.parametrize("mtu", [None, 517])
async def test_a_lamp_and_its_reader(mtu: int | None, bench: Bench) -> None:
    lamp = Lamp(bench, button_service=ANOTHER_SERVICE)
    await lamp.start()
    reader = LampReader(bench)
    await reader.start()
    await reader.find_lamp(mtu)
    for name in PROFILE:
        assert await reader.read(name) == lamp.value(name)
    told = await reader.listen()
    await reader.set("week", longest_week().encode())
    assert await reader.read("week") == longest_week().encode()
    assert await reader.refusal("week", longest_week().encode()[:-1]) == 0x81
    assert await reader.refusal("power", b"\x02") == 0x84
    assert await reader.refusal("led1", b"12") == 0x0D
    await reader.set("led1", ORANGE)
    await source_becomes(told, lambda source: (source.source, source.color) == (PROOF, ORANGE), "a proof")
    await reader.set("proof", b"\x00")
    await source_becomes(told, lambda source: source.source == OFF, "its end")


# A bulb


async def test_a_bulb_and_a_central(bench: Bench) -> None:
    bulb = Bulb(bench, TRIONES)
    await bulb.start()
    central = Central(bench)
    await central.start()
    await central.connect((await central.find()).address)
    answers = await central.subscribe("ffd4")
    characteristic = central.characteristic("ffd9")
    for octets in (DIALECTS[TRIONES].color("ff8800"), STATE_REQUEST):
        await characteristic.write_value(bytes.fromhex(octets))
    await answers.changes.wait_until(lambda: len(answers.octets) == 12, 5, "the state")
    assert answers.octets[6:9].hex() == "ff8800"
    assert bulb.octets == ["56ff880000f0aa"]


# Overflow areas


def test_the_formula_fits_the_table_and_what_was_published() -> None:
    assert [bit_of(found) ^ 7 for _, found in table()] == [index for index, _ in table()] == list(range(128))
    published = {
        "4fafc201-1fb5-459e-8fcc-c5c9c331914b": 63,
        "7A5A0000-D04B-48EB-B3FA-32EB4F0FFAC4": 63,
        "00467768-6228-2272-4663-277478268000": 45,
        "FD6F": 89,
        "9aa4730f-b25c-4cc3-b821-c931559fc196": 69 ^ 7,
    }
    assert {found: bit_of(found) for found in published} == published


def test_golden_octets_of_overflow_areas() -> None:
    overflow = map_of([bit_of("4fafc201-1fb5-459e-8fcc-c5c9c331914b")])
    assert structure(overflow) == bytes.fromhex("14FF4C0001 00000000000000 80 0000000000000000")
    assert encode_v1(PAYLOAD, 0) == bytes.fromhex("558040C020") + bytes(11)
    assert encode_v1(PAYLOAD, 1) == bytes(8) + bytes.fromhex("558040C020") + bytes(3)
    assert encode_v2(PAYLOAD) == bytes.fromhex("80000000000000005A59020700820000")
    lows = [{reference_uuid(bit)[-2:] for bit in bits_of(encode_v1(PAYLOAD, position))} for position in (0, 1)]
    assert lows == [set("37 25 12 00 36 27 26 6d 4f".split()), set("75 67 50 42 74 65 64 2f 0d".split())]


def test_v2_mends_every_single_error() -> None:
    for payload in (PAYLOAD, bytes(4), b"\xff" * 4):
        for place in range(1, PLACES + 1):
            wrong = bytes(a ^ b for a, b in zip(encode_v2(payload), map_of([on_air_bit(place)])))
            assert decode_v2(wrong) == (payload, 1)


def test_v1_believes_a_clean_bank_only() -> None:
    receiver = ReceiverV1()
    assert receiver.take(encode_v1(PAYLOAD, 0)) == "unknown position"
    assert receiver.take(encode_v1(PAYLOAD, 1)) == receiver.take(encode_v1(PAYLOAD, 0)) == PAYLOAD
    assert receiver.take(map_of([5])) == "no match"
    assert receiver.take(encode_v1(PAYLOAD, 0)) == "polluted"
    assert receiver.take(encode_v1(PAYLOAD, 1)) == PAYLOAD
    assert receiver.take(encode_v1(PAYLOAD, 0)) == PAYLOAD, "clean again while the pattern was in the other"
