# SPDX-License-Identifier: Apache-2.0
"""Proves credit-based channels with frames and credits by hand: limits, refusals, and what ends a channel.

Spec: Core v5.4, Vol 3, Part A, 3.4.3, 4.6, 4.7, 4.22 to 4.24, 10.1.
"""

from __future__ import annotations

import pytest

from lantern import DONE, FAILED, Lantern, Run
from peers.bench import Bench
from peers.central import Central
from peers.database import Database
from peers.databases import begun, octets
from peers.raw import RawBearer, find_information
from peers.signalling import (
    CONNECT,
    CONNECTED,
    CREDIT,
    DISCONNECT,
    DISCONNECTED,
    ENHANCED_CONNECT,
    INVALID_CID,
    INVALID_SOURCE,
    NO_RESOURCES,
    NOT_UNDERSTOOD,
    OPENED,
    SOURCE_TAKEN,
    UNACCEPTABLE,
    UNKNOWN_PSM,
    Answer,
    Pipe,
    Signalling,
    command,
    reject,
    words,
)
from peers.tree_gadget import TreeGadget

PSM = 0x80
MTU, MPS, CREDITS = 100, 50, 4
FIRST_CID, LAST_CID = 0x0040, 0x007F


@pytest.fixture
def database() -> Database:
    return begun()


class Listening:
    """Our `l2cap listen --echo`, and a link to it."""

    def __init__(self, run: Run, signalling: Signalling) -> None:
        self.run = run
        self.signalling = signalling

    def pipe(self, cid: int = 0x50) -> Pipe:
        return Pipe(self.signalling, cid)

    async def open(self, cid: int = 0x50, credits: int = 100) -> Pipe:
        pipe = self.pipe(cid)
        answer = await pipe.open(PSM, credits=credits)
        assert answer.result == OPENED, answer
        return pipe

    async def assert_echoes(self, pipe: Pipe, sdu: bytes = b"still here") -> None:
        pipe.send_sdu(sdu)
        assert await pipe.next_sdu() == sdu


@pytest.fixture
async def listening(bench: Bench, lantern: Lantern) -> Listening:
    limits = ["--mtu", str(MTU), "--mps", str(MPS), "--credits", str(CREDITS)]
    run = await lantern.start(
        "l2cap", "listen", hex(PSM), "--name", "Pipe", "--echo", "--json", "--hex", *limits
    )
    await run.wait_for("channel_listening")
    central = Central(bench)
    await central.start()
    connection = await central.device.connect((await central.find()).address, timeout=10)
    return Listening(run, Signalling(connection))


# Opening


async def test_what_is_agreed(listening: Listening) -> None:
    pipe = listening.pipe(FIRST_CID)
    answer = await pipe.open(PSM, mtu=23, mps=23, credits=65535)
    assert FIRST_CID <= answer.cid <= LAST_CID
    assert answer == Answer(answer.cid, MTU, MPS, CREDITS, OPENED)
    await listening.assert_echoes(pipe, b"23 octets at the most..")
    [opened] = await listening.run.wait_for("channel_open")
    assert (opened["mtu"], opened["mps"]) == (23, 23)


@pytest.mark.parametrize(
    ("psm", "cid", "mtu", "mps", "results"),
    [
        (0x0081, 0x50, MTU, MPS, {UNKNOWN_PSM}),
        (0x0000, 0x50, MTU, MPS, {UNKNOWN_PSM, UNACCEPTABLE}),
        (0xFFFF, 0x50, MTU, MPS, {UNKNOWN_PSM, UNACCEPTABLE}),
        (PSM, 0x0000, MTU, MPS, {INVALID_SOURCE}),
        (PSM, 0x003F, MTU, MPS, {INVALID_SOURCE}),
        (PSM, 0x0080, MTU, MPS, {INVALID_SOURCE}),
        (PSM, 0xFFFF, MTU, MPS, {INVALID_SOURCE}),
        (PSM, 0x50, 22, MPS, {UNACCEPTABLE}),
        (PSM, 0x50, 0, MPS, {UNACCEPTABLE}),
        (PSM, 0x50, MTU, 22, {UNACCEPTABLE}),
        (PSM, 0x50, MTU, 0, {UNACCEPTABLE}),
        (PSM, 0x50, MTU, 65534, {UNACCEPTABLE, OPENED}),
    ],
)
async def test_refusals(
    psm: int, cid: int, mtu: int, mps: int, results: set[int], listening: Listening
) -> None:
    answer = await listening.pipe(cid).open(psm, mtu=mtu, mps=mps)
    assert answer.result in results, answer
    await listening.assert_echoes(await listening.open(0x51))


async def test_a_source_channel_that_is_taken(listening: Listening) -> None:
    pipe = await listening.open(0x50)
    answer = await listening.pipe(0x50).open(PSM)
    assert answer.result == SOURCE_TAKEN
    pipe.data.received.clear()
    pipe = listening.pipe(0x51)
    assert (await pipe.open(PSM)).result == OPENED


async def test_every_channel_there_is(listening: Listening) -> None:
    """64 on a link, or as many as there is room for; none of them mixes with another."""
    pipes: list[Pipe] = []
    for cid in range(FIRST_CID, LAST_CID + 1):
        pipe = listening.pipe(cid)
        answer = await pipe.open(PSM, identifier=cid)
        if answer.result == NO_RESOURCES:
            break
        assert answer.result == OPENED
        pipes.append(pipe)
    assert len(pipes) >= 4 and len({pipe.answer.cid for pipe in pipes}) == len(pipes)
    for pipe in pipes:
        pipe.send_sdu(bytes([pipe.cid]))
    assert [await pipe.next_sdu() for pipe in pipes] == [bytes([pipe.cid]) for pipe in pipes]


async def test_requests_that_are_none(listening: Listening) -> None:
    for length in (0, 8, 9, 11):
        request = command(CONNECT, 0x44, words(PSM, 0x50, MTU, MPS, 10, 0)[:length])
        for answer in await listening.signalling.settle(request):
            assert answer == reject(0x44, NOT_UNDERSTOOD), (length, answer.hex())
    enhanced = command(ENHANCED_CONNECT, 0x45, words(PSM, 64, 64, 1, 0x50))
    answer = await listening.signalling.ask(enhanced)
    assert answer == reject(0x45, NOT_UNDERSTOOD) or answer[:2] == b"\x18\x45", answer.hex()
    await listening.assert_echoes(await listening.open())


# Credits


async def test_nothing_is_sent_without_a_credit(listening: Listening) -> None:
    """An SDU of three frames, a credit at a time. Spec: 10.1."""
    pipe = await listening.open(credits=0)
    sdu = octets(MTU)
    for offset in (0, 48, 98):
        pipe.send((words(MTU) if offset == 0 else b"") + sdu[offset : offset + (48 if offset == 0 else MPS)])
    [event] = await listening.run.wait_for("channel_sdu")
    assert bytes.fromhex(event["octets"]) == sdu
    came = b""
    for count in (1, 2, 3):
        assert {pdu[0] for pdu in await listening.signalling.settle()} <= {CREDIT}
        assert not pipe.data.received, f"{count} frames for {count - 1} credits"
        pipe.give(1)
        came += await pipe.data.next()
    assert came == words(MTU) + sdu


async def test_credits_come_back_as_frames_are_used(listening: Listening) -> None:
    """Never more than allowed are on their way: a sender that counts does not stop, and 200 frames get through."""
    pipe = await listening.open(credits=1000)
    credits, sent = pipe.answer.credits, 0
    while sent < 200:
        while credits and sent < 200:
            pipe.send_sdu(bytes([sent]))
            credits, sent = credits - 1, sent + 1
        if sent < 200:
            pdu = await pipe.signalling.next()
            assert pdu[0] == CREDIT and pdu[4:6] == words(pipe.answer.cid), pdu.hex()
            more = int.from_bytes(pdu[6:], "little")
            assert 1 <= more and credits + more <= CREDITS
            credits += more
    assert [await pipe.next_sdu() for _ in range(200)] == [bytes([number]) for number in range(200)]


async def test_credits_up_to_the_limit_and_beyond(listening: Listening) -> None:
    pipe = await listening.open(credits=1)
    pipe.give(65534)
    await listening.assert_echoes(pipe)
    pipe.give(65535)
    await pipe.wait_until_closed_by_peer()
    [closed] = await listening.run.wait_for("channel_closed")
    assert closed["reason"] == "protocol_violation"


async def test_who_sends_without_credits_is_cut_off(listening: Listening) -> None:
    """What it echoes cannot leave, so it gives no more credits, whatever it has room for."""
    pipe = await listening.open(credits=0)
    came: list[bytes] = []
    for _ in range(400):
        for _ in range(50):
            pipe.send_sdu(bytes(MPS - 2))
        came += [pdu for pdu in await listening.signalling.settle() if pdu[0] != CREDIT]
        if came:
            break
    assert [pdu[0] for pdu in came] == [DISCONNECT], "20 000 frames were taken of a sender without credits"
    [closed] = await listening.run.wait_for("channel_closed")
    assert closed["reason"] == "protocol_violation"
    await listening.assert_echoes(await listening.open(0x51))


# Frames


@pytest.mark.parametrize(
    "frames",
    {
        "an SDU longer than the MTU": [words(MTU + 1) + bytes(MPS - 2)],
        "the longest SDU": [words(0xFFFF) + bytes(MPS - 2)],
        "a frame longer than the MPS": [words(MTU) + bytes(MPS - 1)],
        "a much longer frame": [words(MTU) + bytes(MTU)],
        "a frame without a length": [b""],
        "half a length": [b"\x01"],
        "more than the length says": [words(2) + b"abc"],
        "more in the next frame": [words(4) + b"ab", b"cde"],
    }.items(),
    ids=lambda item: item[0],
)
async def test_what_ends_a_channel(frames: tuple[str, list[bytes]], listening: Listening) -> None:
    """The channel, and not the link. Spec: 3.4.3."""
    pipe = await listening.open(0x50)
    other = await listening.open(0x51)
    for frame in frames[1]:
        pipe.send(frame)
    await pipe.wait_until_closed_by_peer()
    [closed] = await listening.run.wait_for("channel_closed")
    assert (closed["reason"], listening.run.events("channel_sdu")) == ("protocol_violation", [])
    await listening.assert_echoes(other)
    await listening.assert_echoes(await listening.open(0x50))


async def test_sdus_of_no_octets_and_of_the_mtu(listening: Listening) -> None:
    pipe = await listening.open()
    await listening.assert_echoes(pipe, b"")
    sdu = octets(MTU)
    for frame in (words(MTU) + sdu[:1], sdu[1:50], sdu[50:]):
        pipe.send(frame)
    assert await pipe.next_sdu() == sdu


# Closing


async def test_a_channel_is_closed_once(listening: Listening) -> None:
    pipe = await listening.open()
    wrong = command(DISCONNECT, 0x46, words(pipe.answer.cid, pipe.cid + 1))
    assert await listening.signalling.is_silent_after(wrong), "of another channel: dropped (4.6)"
    await listening.assert_echoes(pipe)
    await listening.signalling.settle()
    pair = words(pipe.answer.cid, pipe.cid)
    assert await listening.signalling.ask(pipe.disconnection()) == command(DISCONNECTED, 0x43, pair)
    again = await listening.signalling.ask(pipe.disconnection(0x47))
    assert again == reject(0x47, INVALID_CID, pair), again.hex()
    pipe.send_sdu(b"nobody hears this")
    pipe.give(1)
    assert {pdu[:2] for pdu in await listening.signalling.settle()} <= {b"\x01\x42"}
    [closed] = await listening.run.wait_for("channel_closed")
    assert closed["reason"] == "closed_by_peer" and len(listening.run.events("channel_sdu")) == 1
    await listening.assert_echoes(await listening.open())


@pytest.mark.known_difference("disconnection-of-nothing")
async def test_channels_that_are_not_open_cannot_be_closed(bearer: RawBearer) -> None:
    """The rejection has both channels. Spec: 4.6 and 4.1."""
    signalling = Signalling(bearer.connection)
    signalling.patience = bearer.patience
    pair = words(0x0041, 0x0042)
    assert await signalling.ask(command(DISCONNECT, 0x27, pair)) == reject(0x27, INVALID_CID, pair)


async def test_the_rest_of_the_link_goes_on(listening: Listening) -> None:
    bearer = RawBearer(listening.signalling.connection)
    pipe = await listening.open()
    for _ in range(3):
        pipe.send_sdu(b"x" * 40)
        assert (await bearer.ask(find_information(0, 0))).hex() == "0104000001"
        assert await pipe.next_sdu() == b"x" * 40


# As client


async def connecting(bench: Bench, lantern: Lantern) -> tuple[Run, TreeGadget, Signalling, bytes]:
    """Our `l2cap connect`, and the request that it has sent."""
    gadget = TreeGadget(bench, begun())
    await gadget.start()
    channels: list[Signalling] = []
    # At once: the request may come in the same turn as the connection.
    gadget.device.on("connection", lambda connection: channels.append(Signalling(connection)))
    run = await lantern.start("l2cap", "connect", gadget.address, hex(PSM), "--json", "--hex")
    await gadget.wait_for("connected")
    [signalling] = channels
    request = await signalling.next()
    assert request[:1] == bytes([CONNECT]) and request[4:6] == words(PSM) and len(request) == 14
    return run, gadget, signalling, request


@pytest.mark.parametrize(
    "answer",
    {
        "unknown PSM": words(0, 0, 0, 0, 0x0002),
        "no resources": words(0, 0, 0, 0, 0x0004),
        "authentication": words(0, 0, 0, 0, 0x0005),
        "encryption": words(0, 0, 0, 0, 0x0008),
        "reserved": words(0, 0, 0, 0, 0x00FF),
        "a fixed channel": words(0x0004, 64, 64, 1, 0),
        "a channel of BR/EDR": words(0x0080, 64, 64, 1, 0),
        "an MTU of 22": words(0x0050, 22, 64, 1, 0),
        "an MPS of 22": words(0x0050, 64, 22, 1, 0),
    }.items(),
    ids=lambda item: item[0],
)
async def test_answers_that_open_nothing(answer: tuple[str, bytes], bench: Bench, lantern: Lantern) -> None:
    run, _, signalling, request = await connecting(bench, lantern)
    signalling.send(command(CONNECTED, request[1], answer[1]))
    result = await run.finish()
    assert result.status == FAILED and result.stderr.count("\n") == 1, result
    assert run.events("channel_open") == []


async def test_a_rejected_request(bench: Bench, lantern: Lantern) -> None:
    """What a device without credit-based channels says."""
    run, _, signalling, request = await connecting(bench, lantern)
    signalling.send(reject(request[1], NOT_UNDERSTOOD))
    assert (await run.finish()).status == FAILED


async def test_only_its_own_answer_opens_a_channel(bench: Bench, lantern: Lantern) -> None:
    run, gadget, signalling, request = await connecting(bench, lantern)
    signalling.send(command(CONNECTED, request[1] ^ 0x10, words(0x0051, 64, 64, 1, 0)))
    signalling.send(command(CONNECTED, request[1], words(0x0050, 64, 64, 1, 0)))
    [opened] = await run.wait_for("channel_open")
    assert (opened["peer_cid"], opened["mtu"], opened["mps"]) == (0x50, 64, 64)
    gadget.connection.send_l2cap_pdu(opened["cid"], words(2) + b"hi")
    [came] = await run.wait_for("channel_sdu")
    assert came["octets"] == b"hi".hex()
    signalling.send(command(DISCONNECT, 0x48, words(opened["cid"], 0x50)))
    while (answer := await signalling.next())[0] == CREDIT:
        pass  # For the frame that it has got.
    assert answer == command(DISCONNECTED, 0x48, words(opened["cid"], 0x50))
    [closed] = await run.wait_for("channel_closed")
    assert (closed["reason"], closed["received"]) == ("closed_by_peer", 1)
    assert (await run.finish()).status in (DONE, FAILED)
