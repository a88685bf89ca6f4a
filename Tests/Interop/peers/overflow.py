# SPDX-License-Identifier: Apache-2.0
"""The overflow area: which bit a service UUID sets, what two reference apps make of it, and how it is sent.

Written from the facts, in the plainest way: one bit after the other.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

BASE_TAIL = "00001000800000805f9b34fb"
MAP_LENGTH = 16
FLAGS = bytes([0x02, 0x01, 0x1A])
"""As an iPhone sends them before its overflow area."""
MATCH = 0xAA
POSITIONS = (0, 8)
"""The octets at which the two patterns of v1 begin."""
PLACES = 46
"""Of v2, without the last one, which is the OR of all."""
CHECKS = (1, 2, 4, 8, 16, 32)
REFERENCE_FAMILY = "00000000-0000-0000-0000-0000000000{:02x}"


# From a UUID to a bit


def uuid_octets(uuid: str) -> bytes:
    """The 16 octets in written order; short ones are put into the Bluetooth base first."""
    digits = uuid.replace("-", "").lower()
    if len(digits) <= 8:
        digits = digits.rjust(8, "0") + BASE_TAIL
    octets = bytes.fromhex(digits)
    assert len(octets) == 16, uuid
    return octets


def bit_of(uuid: str) -> int:
    """CRC-8, polynomial x^8 + x^3 + 1, from zero, not reflected; of its eight bits the lower seven."""
    remainder = 0
    for octet in uuid_octets(uuid):
        for position in range(7, -1, -1):
            incoming = octet >> position & 1
            outgoing = remainder >> 7
            remainder = remainder << 1 & 0xFF
            if incoming != outgoing:
                remainder ^= 0x09
    return remainder & 0x7F


def map_of(bits: Iterable[int]) -> bytes:
    octets = bytearray(MAP_LENGTH)
    for bit in bits:
        octets[bit >> 3] |= 1 << (bit & 7)
    return bytes(octets)


def bits_of(overflow: bytes) -> list[int]:
    return [bit for bit in range(128) if overflow[bit >> 3] >> (bit & 7) & 1]


def reference_uuid(bit: int) -> str:
    """The UUID of the reference's family that sets a bit."""
    [found] = [number for number in range(128) if bit_of(REFERENCE_FAMILY.format(number)) == bit]
    return REFERENCE_FAMILY.format(found)


# On air


def structure(overflow: bytes, before: bytes = b"") -> bytes:
    """The AD structure of Apple's, with other Apple TLVs before the map if wanted."""
    data = bytes.fromhex("4c00") + before + b"\x01" + overflow
    return bytes([len(data) + 1, 0xFF]) + data


NEARBY = bytes.fromhex("10070b1c0a1b2c3d4e")
HANDOFF = bytes.fromhex("0c0e" + "00" * 14)


# v1


def reversed_bits(octet: int) -> int:
    return int(f"{octet:08b}"[::-1], 2)


def encode_v1(payload: bytes, position: int) -> bytes:
    """AA and four octets, each with its bits turned round on air, from octet 0 or 8."""
    pattern = bytes(map(reversed_bits, bytes([MATCH]) + payload))
    octets = bytearray(MAP_LENGTH)
    octets[POSITIONS[position] : POSITIONS[position] + 5] = pattern
    return bytes(octets)


def decode_v1(overflow: bytes) -> tuple[int, bytes] | None:
    """The first position whose octet is AA, and the payload there."""
    for position, start in enumerate(POSITIONS):
        pattern = bytes(map(reversed_bits, overflow[start : start + 5]))
        if pattern[0] == MATCH:
            return position, pattern[1:]
    return None


@dataclass
class ReceiverV1:
    """One sender's history: a bank is judged whenever the pattern is not in it, and used if it was clean."""

    is_clean: dict[int, bool] = field(default_factory=dict)

    def take(self, overflow: bytes) -> str | bytes:
        """A payload, or why there is none."""
        found = decode_v1(overflow)
        banks = (overflow[:8], overflow[8:])
        for position, bank in enumerate(banks):
            if found is None or found[0] != position:
                self.is_clean[position] = bank == bytes(8)
        if found is None:
            return "no match"
        position, payload = found
        if position not in self.is_clean:
            return "unknown position"
        return payload if self.is_clean[position] else "polluted"


# v2


def on_air_bit(place: int) -> int:
    """Where a place of the Hamming block is: table index 64 and up, whose bits are counted from the top."""
    return (64 + place - 1) ^ 7


ALWAYS_SET = 0 ^ 7


def encode_v2(payload: bytes) -> bytes:
    data = [octet >> bit & 1 for octet in bytes([MATCH]) + payload for bit in range(8)]
    places = dict.fromkeys(range(1, PLACES + 1), 0)
    for place in places:
        if place not in CHECKS:
            places[place] = data.pop(0)
    assert not data
    for check in CHECKS:
        places[check] = sum(places[place] for place in places if place & check and place != check) % 2
    places[47] = int(any(places.values()))
    return map_of([ALWAYS_SET, *(on_air_bit(place) for place, value in places.items() if value)])


def decode_v2(overflow: bytes) -> tuple[bytes, int] | None:
    """The payload and the number of corrected bits; nothing where the match octet is not there."""
    bits = set(bits_of(overflow))
    places = {place: int(on_air_bit(place) in bits) for place in range(1, PLACES + 1)}
    wrong = 0
    for place, value in places.items():
        wrong ^= place * value
    if wrong > PLACES:
        return None
    if wrong:
        places[wrong] ^= 1
    data = [value for place, value in places.items() if place not in CHECKS]
    octets = bytes(sum(data[8 * number + bit] << bit for bit in range(8)) for number in range(5))
    return (octets[1:], int(wrong > 0)) if octets[0] == MATCH else None


# The table


def table() -> list[tuple[int, str]]:
    """The 128 rows that were measured on phones: the table's own index and a UUID."""
    path = Path(__file__).with_name("overflow-table.csv")
    with path.open() as file:
        return [(int(row["bit"]), row["uuid"]) for row in csv.DictReader(file)]
