# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern overflow bit|encode|decode` against a formula, a table and codecs written in Python."""

from __future__ import annotations

import json
import random
import uuid
from typing import Any

import pytest

from lantern import DONE, FAILED, NOTHING_FOUND, WRONG_USAGE, Lantern
from peers.overflow import (
    FLAGS,
    HANDOFF,
    NEARBY,
    PLACES,
    bit_of,
    bits_of,
    decode_v1,
    decode_v2,
    encode_v1,
    encode_v2,
    map_of,
    on_air_bit,
    reference_uuid,
    structure,
    table,
    uuid_octets,
)

PAYLOAD = bytes([1, 2, 3, 4])
FLOCKFINDER = "4fafc201-1fb5-459e-8fcc-c5c9c331914b"
LED_SERVICE = "7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4"
IMPROV = "00467768-6228-2272-4663-277478268000"


async def lines_of(lantern: Lantern, *arguments: str) -> list[dict[str, Any]]:
    result = await lantern.run_offline("overflow", *arguments, "--json")
    assert result.status == DONE, result
    return [json.loads(line) for line in result.stdout.splitlines()]


async def decoded(lantern: Lantern, data: bytes) -> dict[str, Any]:
    [line] = await lines_of(lantern, "decode", data.hex())
    assert line.keys() == {"event", "time", "octets", "bits", "candidates", "payloads"}
    return line


# The formula


async def test_all_rows_of_the_table(lantern: Lantern) -> None:
    rows = table()
    lines = await lines_of(lantern, "bit", *(found for _, found in rows))
    assert len(rows) == len(lines) == 128
    for (index, found), line in zip(rows, lines):
        bit = index ^ 7
        assert uuid_octets(line["uuid"]) == uuid_octets(found)
        expected = {"bit": bit, "octet": bit >> 3, "mask": f"0x{1 << (bit & 7):02x}", "table_index": index}
        assert {key: line[key] for key in expected} == expected
        assert line.keys() == {"event", "time", "uuid", "services", *expected}


async def test_any_uuid(lantern: Lantern) -> None:
    rng = random.Random(6)
    uuids = [str(uuid.UUID(int=rng.getrandbits(128))) for _ in range(300)]
    uuids += ["FD6F", "180a", "0000FD6F", "fee0fee1", LED_SERVICE.upper(), FLOCKFINDER, IMPROV]
    lines = await lines_of(lantern, "bit", *uuids)
    assert [line["bit"] for line in lines] == [bit_of(found) for found in uuids]


async def test_bits_that_were_published(lantern: Lantern) -> None:
    known = {FLOCKFINDER: 63, LED_SERVICE: 63, IMPROV: 45, "fd6f": 89}
    lines = await lines_of(lantern, "bit", *known)
    assert [line["bit"] for line in lines] == list(known.values())


@pytest.mark.parametrize("word", ["", "xyz", "12345", "4fafc201-1fb5-459e-8fcc-c5c9c331914", "4fafc2011fb5"])
async def test_what_is_no_uuid(word: str, lantern: Lantern) -> None:
    result = await lantern.run_offline("overflow", "bit", word, "--json")
    assert result.status == WRONG_USAGE and result.stdout == "", result


# Encoding


async def test_encode_uuids(lantern: Lantern) -> None:
    uuids = [FLOCKFINDER, "fd6f", IMPROV]
    [line] = await lines_of(lantern, "encode", *uuids)
    overflow = map_of(bit_of(found) for found in uuids)
    assert (line["octets"], line["advertisement_octets"]) == (overflow.hex(), structure(overflow).hex())
    assert {uuid_octets(found) for found in line["uuids"]} == {uuid_octets(found) for found in uuids}
    [line] = await lines_of(lantern, "encode", FLOCKFINDER)
    assert line["advertisement_octets"].upper() == "14FF4C000100000000000000800000000000000000"


PAYLOADS = [PAYLOAD, bytes(4), b"\xff" * 4, b"\x80\x00\x00\x01", b"\xaa" * 4, bytes.fromhex("deadbeef")]


@pytest.mark.parametrize("payload", PAYLOADS, ids=bytes.hex)
@pytest.mark.parametrize("position", [0, 1])
async def test_encode_v1(payload: bytes, position: int, lantern: Lantern) -> None:
    arguments = ["--payload", payload.hex(), "--codec", "v1", "--position", str(position)]
    [line] = await lines_of(lantern, "encode", *arguments)
    overflow = encode_v1(payload, position)
    assert (line["octets"], line["advertisement_octets"]) == (overflow.hex(), structure(overflow).hex())
    wanted = {reference_uuid(bit) for bit in bits_of(overflow)}
    assert {found.lower() for found in line["uuids"]} == wanted and len(line["uuids"]) == len(wanted)


@pytest.mark.parametrize("payload", PAYLOADS, ids=bytes.hex)
async def test_encode_v2(payload: bytes, lantern: Lantern) -> None:
    [line] = await lines_of(lantern, "encode", "--payload", payload.hex(), "--codec", "v2")
    overflow = encode_v2(payload)
    assert (line["octets"], line["advertisement_octets"]) == (overflow.hex(), structure(overflow).hex())
    assert {found.lower() for found in line["uuids"]} == {reference_uuid(bit) for bit in bits_of(overflow)}


async def test_position_1_of_v1_warns_of_the_watch(lantern: Lantern) -> None:
    arguments = ["overflow", "encode", "--payload", "01020304", "--codec", "v1", "--position"]
    first, second = [await lantern.run_offline(*arguments, position) for position in ("0", "1")]
    assert "watch" not in (first.stdout + first.stderr).lower()
    assert "watch" in (second.stdout + second.stderr).lower()


BAD = [["--payload", "010203", "--codec", "v1"], ["--payload", "0102030405", "--codec", "v2"],
       ["--payload", "0102030g", "--codec", "v1"], ["--payload", "01020304", "--codec", "v3"],
       ["--payload", "01020304", "--codec", "v1", "--position", "2"], [],
       ["fd6f", "--payload", "01020304", "--codec", "v1"]]


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
async def test_what_cannot_be_encoded(arguments: list[str], lantern: Lantern) -> None:
    result = await lantern.run_offline("overflow", "encode", *arguments, "--json")
    assert result.status == WRONG_USAGE and result.stdout == "" and result.stderr.strip(), result


# Decoding

FORMS = {
    "map": lambda overflow: overflow,
    "apple": lambda overflow: structure(overflow)[2:],
    "structure": structure,
    "after others": lambda overflow: structure(overflow, before=NEARBY),
    "after others, apple": lambda overflow: structure(overflow, before=NEARBY)[2:],
    "payload": lambda overflow: FLAGS + structure(overflow),
    "second structure": lambda overflow: FLAGS + bytes.fromhex("0bff4c001006131a2b3c4d5e") + structure(overflow),
}


@pytest.mark.parametrize("form", FORMS)
async def test_every_form_of_the_same_map(form: str, lantern: Lantern) -> None:
    overflow = encode_v1(PAYLOAD, 0)
    line = await decoded(lantern, FORMS[form](overflow))
    assert (line["octets"], sorted(line["bits"])) == (overflow.hex(), bits_of(overflow))
    [payload] = line["payloads"]
    expected = {"codec": "v1", "position": 0, "octets": "01020304", "polluted": False, "corrected_bits": 0}
    assert payload == expected


@pytest.mark.parametrize("payload", PAYLOADS, ids=bytes.hex)
async def test_payloads_of_both_codecs(payload: bytes, lantern: Lantern) -> None:
    for position in (0, 1):
        line = await decoded(lantern, encode_v1(payload, position))
        [found] = [each for each in line["payloads"] if each["codec"] == "v1"]
        assert (found["position"], found["octets"], found["polluted"]) == (position, payload.hex(), False)
    line = await decoded(lantern, encode_v2(payload))
    [found] = [each for each in line["payloads"] if each["codec"] == "v2"]
    assert (found["octets"], found["corrected_bits"]) == (payload.hex(), 0)


async def test_a_polluted_bank_is_named(lantern: Lantern) -> None:
    overflow = encode_v1(PAYLOAD, 0)
    for bit in (64, 127, 100):
        dirty = bytes(a | b for a, b in zip(overflow, map_of([bit])))
        [found] = [each for each in (await decoded(lantern, dirty))["payloads"] if each["codec"] == "v1"]
        assert (found["octets"], found["polluted"]) == ("01020304", True)


@pytest.mark.parametrize(("bit", "polluted"), [(64, True), (103, True), (104, False), (127, False)])
async def test_the_apps_look_at_the_five_octets_only(bit: int, polluted: bool, lantern: Lantern) -> None:
    """Where the README of the demo has a bank of 64 bits, the demo looks at the octets of a pattern."""
    dirty = bytes(a | b for a, b in zip(encode_v1(PAYLOAD, 0), map_of([bit])))
    [line] = await lines_of(lantern, "decode", dirty.hex(), "--pollution", "pattern")
    [found] = [each for each in line["payloads"] if each["codec"] == "v1"]
    assert found["polluted"] == polluted


async def test_every_single_error_of_v2_is_corrected(lantern: Lantern) -> None:
    overflow = encode_v2(PAYLOAD)
    for place in range(1, PLACES + 1):
        wrong = bytes(a ^ b for a, b in zip(overflow, map_of([on_air_bit(place)])))
        assert decode_v2(wrong) == (PAYLOAD, 1)
        [found] = [each for each in (await decoded(lantern, wrong))["payloads"] if each["codec"] == "v2"]
        assert (found["octets"], found["corrected_bits"]) == ("01020304", 1), place


async def test_maps_by_chance(lantern: Lantern) -> None:
    """What has no payload has none, and what has one by chance has the same."""
    rng = random.Random(60)
    overflows = [bytes(16), b"\xff" * 16, map_of([0]), map_of([127]), b"\x55" * 16, b"\xaa" * 16]
    overflows += [bytes(rng.randrange(256) for _ in range(16)) for _ in range(30)]
    for overflow in overflows:
        line = await decoded(lantern, overflow)
        assert sorted(line["bits"]) == bits_of(overflow)
        v1 = [(each["position"], bytes.fromhex(each["octets"])) for each in line["payloads"] if each["codec"] == "v1"]
        expected = decode_v1(overflow)
        assert v1 == ([expected] if expected else []), overflow.hex()
        v2 = [
            (bytes.fromhex(each["octets"]), each["corrected_bits"])
            for each in line["payloads"] if each["codec"] == "v2"
        ]
        found = decode_v2(overflow)
        assert v2 == ([found] if found else []), overflow.hex()


async def test_services_are_named_and_collide(lantern: Lantern) -> None:
    line = await decoded(lantern, map_of([63, bit_of("fd6f")]))
    by_bit = {each["bit"]: each["services"] for each in line["candidates"]}
    names = {uuid_octets(service["uuid"]): service["name"] for services in by_bit.values() for service in services}
    assert {uuid_octets(FLOCKFINDER), uuid_octets(LED_SERVICE)} <= {
        uuid_octets(service["uuid"]) for service in by_bit[63]
    }, "two of our own collide"
    assert uuid_octets("fd6f") in names
    for bit, services in by_bit.items():
        assert all(bit_of(service["uuid"]) == bit and service["name"] for service in services)


WRONG = {
    "nothing": "",
    "no hex": "zz",
    "odd": "123",
    "fifteen": "00" * 15,
    "seventeen": "00" * 17,
    "truncated structure": structure(encode_v1(PAYLOAD, 0))[:-1].hex(),
    "truncated map": ("13ff4c0001" + "00" * 15),
    "another company": ("14ffc80901" + "00" * 16),
    "no map": (FLAGS + bytes.fromhex("0cff4c00") + NEARBY + bytes.fromhex("03094142")).hex(),
    "truncated before the map": ("08ff4c0010" + "07" + "0011"),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
async def test_what_cannot_be_decoded(text: str, lantern: Lantern) -> None:
    result = await lantern.run_offline("overflow", "decode", text, "--json")
    assert result.status in (FAILED, NOTHING_FOUND, WRONG_USAGE) and result.stdout == "", result
    assert result.stderr.strip()


@pytest.mark.parametrize(("text", "said"), [
    (WRONG["fifteen"], "A map has 16 octets, and these are 15."),
    ("00", "A map has 16 octets, and this is 1."),
    (WRONG["truncated map"], "The map is too short: 15 of its 16 octets are there."),
    ("ff4c00010203", "The map is too short: 2 of its 16 octets are there."),
    (WRONG["truncated structure"], "The map is too short: 15 of its 16 octets are there."),
])  # fmt: skip
async def test_a_map_that_is_too_short_says_so(text: str, said: str, lantern: Lantern) -> None:
    result = await lantern.run_offline("overflow", "decode", text)
    assert result.status == FAILED and said in result.stderr, result


async def test_the_picture(lantern: Lantern) -> None:
    """Without --json a map is 16 × 8 dots, of which the set ones look otherwise."""
    result = await lantern.run_offline("overflow", "decode", structure(encode_v1(PAYLOAD, 0), before=HANDOFF).hex())
    assert result.status == DONE and "01020304" in result.stdout.replace(" ", "")
