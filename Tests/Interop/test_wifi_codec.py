# SPDX-License-Identifier: Apache-2.0
"""Proves the peers' own WiFiSet codec with the golden octets, so that the other WiFiSet tests can rest on it."""

from __future__ import annotations

import pytest

from peers.wifiset import (
    CONNECTED,
    CONNECTION_TIMEOUT,
    LONGEST_PAYLOAD,
    Ack,
    Assembler,
    Credentials,
    Error,
    ListEnd,
    ListStart,
    Malformed,
    Message,
    Network,
    SequenceTracker,
    Status,
    StatusRequest,
    cut_at,
    decode,
    frame,
    pieces_of,
)

SSID = b"MyNetwork2.4"
SSID_HEX = "4D794E6574776F726B322E34"

GOLDEN: list[tuple[Message, int, str]] = [
    (ListStart(), 4, "01 04 00 00"),
    (Network(SSID, -56, 2, 6), 5, f"02 05 10 00 0C {SSID_HEX} C8 02 06"),
    (ListEnd(1), 6, "03 06 01 00 01"),
    (
        Credentials(SSID, b"mypassword123"),
        1,
        f"10 01 1B 00 0C {SSID_HEX} 0D 6D7970617373776F7264313233",
    ),
    (Ack(0), 7, "11 07 01 00 00"),
    (StatusRequest(), 2, "20 02 00 00"),
    (Status(CONNECTED, -56, "192.168.1.100", SSID), 10, f"21 0A 13 00 03 C8 C0A80164 0C {SSID_HEX}"),
    (Error(CONNECTION_TIMEOUT, b"timeout"), 11, "FF 0B 09 00 05 07 74696D656F7574"),
]

FAULTY_EXAMPLES = {
    "network entry": ("02 05 28 00 0C 4D 79 4E 65 74 77 6F 72 6B 32 2E 34 C8 02 06", 40, 16),
    "credential write": (
        "10 01 20 00 0C 4D 79 4E 65 74 77 6F 72 6B 32 2E 34 0C 6D 79 70 61 73 73 77 6F 72 64 31 32 33",
        32,
        27,
    ),
    "status response": ("21 0A 16 00 03 C8 C0 A8 01 64 0C 4D 79 4E 65 74 77 6F 72 6B 32 2E 34", 22, 19),
}


@pytest.mark.parametrize(
    ("message", "sequence", "octets"), GOLDEN, ids=[type(row[0]).__name__ for row in GOLDEN]
)
def test_golden_octets(message: Message, sequence: int, octets: str) -> None:
    assert message.encode(sequence) == bytes.fromhex(octets)
    assert decode(bytes.fromhex(octets)) == (sequence, message)


@pytest.mark.parametrize(("octets", "announced", "following"), FAULTY_EXAMPLES.values(), ids=FAULTY_EXAMPLES)
def test_the_documents_examples_are_refused(octets: str, announced: int, following: int) -> None:
    with pytest.raises(Malformed, match=f"announces {announced} octets, {following} follow"):
        decode(bytes.fromhex(octets))


@pytest.mark.parametrize(
    ("message", "sequence", "octets"), GOLDEN, ids=[type(row[0]).__name__ for row in GOLDEN]
)
def test_one_octet_less_or_more_is_refused(message: Message, sequence: int, octets: str) -> None:
    whole = message.encode(sequence)
    for wrong in (whole[:-1], whole + b"\0", b""):
        with pytest.raises(Malformed):
            decode(wrong)
    payload = message.payload()
    for wrong in [payload + b"\0"] + ([payload[:-1]] if payload else []):
        with pytest.raises(Malformed):
            decode(frame(message.kind, sequence, wrong))


def test_messages_come_out_of_pieces_wherever_they_are_cut() -> None:
    messages = [message.encode(sequence) for message, sequence, _ in GOLDEN]
    stream = b"".join(messages)
    for size in range(1, len(stream) + 1):
        assembler = Assembler()
        found = [whole for piece in pieces_of(stream, size) for whole in assembler.feed(piece)]
        assert found == messages and assembler.held == b""
    for position in range(1, len(stream)):
        assembler = Assembler()
        assert [whole for piece in cut_at(stream, position) for whole in assembler.feed(piece)] == messages


def test_too_long_a_message_is_refused_by_its_header() -> None:
    longest = Error(1, b"x" * 255).encode(0)
    assert len(longest) == 4 + LONGEST_PAYLOAD
    assert Assembler().feed(longest) == [longest]
    with pytest.raises(Malformed):
        Assembler().feed(bytes([0xFF, 0, 0x02, 0x01]))


def test_sequence_numbers_are_tracked() -> None:
    tracker = SequenceTracker()
    tracker.note_all(ListEnd(count).encode(sequence) for count, sequence in enumerate([254, 255, 0, 1, 3]))
    assert (tracker.first, tracker.gaps, tracker.repeats) == (254, 1, 0)
    assert tracker.note(ListEnd(4).encode(3))
    assert not tracker.note(ListEnd(5).encode(3))
