# SPDX-License-Identifier: Apache-2.0
"""Proves L2CAP credit-based channels with Bumble, as client and as server, through `lantern l2cap`."""

from __future__ import annotations

import asyncio
import random

import pytest
from bumble.core import ProtocolError
from bumble.device import Connection
from bumble.l2cap import L2CAP_LE_Flow_Control_Credit

from lantern import DONE, FAILED, NOTHING_FOUND, Lantern, Run
from peers.bench import Bench
from peers.central import Central
from peers.channels import PSM, ChannelServer, PeerChannel, open_channel

SIZES = [1, 2, 20, 21, 22, 23, 24, 45, 46, 245, 246, 247, 248, 249, 512, 2000, 2048]
LARGE = [1, 4096, 65533, 65534, 65535, 3]
# Largest packet of data, then what Bumble and what we take: MTU, MPS, credits.
SETUPS = {
    "usual": (251, (2048, 2048, 256), (2048, 1024, 16)),
    "small packets": (27, (2048, 247, 10), (2048, 247, 10)),
    "one credit": (251, (2048, 247, 1), (2048, 247, 1)),
    "small frames": (251, (2048, 23, 7), (2048, 23, 7)),
    "small everything": (27, (2048, 23, 1), (2048, 23, 1)),
}


def sdus_of(sizes: list[int], seed: int = 1) -> list[bytes]:
    source = random.Random(seed)
    return [source.randbytes(size) for size in sizes]


def lines(sdus: list[bytes]) -> bytes:
    return b"".join(sdu.hex().encode() + b"\n" for sdu in sdus)


def limits(mtu: int, mps: int, credits: int) -> list[str]:
    return ["--mtu", str(mtu), "--mps", str(mps), "--credits", str(credits)]


def values(run: Run, cid: int | None = None) -> list[bytes]:
    return [bytes.fromhex(line["octets"]) for line in run.events("channel_sdu") if cid in (None, line["cid"])]


def first_difference(came: list[bytes], sent: list[bytes]) -> str | None:
    """What is wrong, in few words: a whole list of differences would be megabytes."""
    if len(came) != len(sent):
        return f"{len(came)} SDUs came, {len(sent)} were sent"
    wrong = next((place for place, sdu in enumerate(came) if sdu != sent[place]), None)
    return None if wrong is None else f"number {wrong} differs"


async def connect(lantern: Lantern, server: ChannelServer, *arguments: str) -> Run:
    return await lantern.start(
        "l2cap", "connect", server.address, str(PSM), "--json", "--hex", *arguments, stdin=True
    )


async def listen(lantern: Lantern, *arguments: str) -> Run:
    run = await lantern.start(
        "l2cap", "listen", hex(PSM), "--name", "Pipe", "--json", "--hex", *arguments, stdin=True
    )
    await run.wait_for("channel_listening")
    return run


@pytest.fixture
async def central(bench: Bench) -> Central:
    central = Central(bench)
    await central.start()
    return central


async def link_to_us(central: Central) -> Connection:
    return await central.device.connect((await central.find()).address, timeout=10)


# As client


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS.keys())
async def test_as_client_every_size_both_ways(
    setup: tuple[int, tuple[int, int, int], tuple[int, int, int]], bench: Bench, lantern: Lantern
) -> None:
    bench.acl_data_length, theirs, ours = setup
    server = ChannelServer(bench, *theirs)
    await server.start()
    there, back = sdus_of(SIZES, 1), sdus_of(SIZES, 2)
    run = await connect(lantern, server, *limits(*ours), "--count", str(len(back)))
    channel = await server.channel()
    (opened,) = await run.wait_for("channel_open")
    assert (opened["psm"], opened["mtu"], opened["mps"]) == (PSM, theirs[0], theirs[1])
    assert (opened["cid"], opened["peer_cid"]) == (channel.channel.destination_cid, channel.channel.source_cid)
    assert (channel.channel.peer_mtu, channel.channel.peer_mps) == ours[:2]
    await run.feed(lines(there))
    assert first_difference(await channel.wait_for(len(there)), there) is None
    await channel.send(back)
    result = await run.finish()
    assert result.status == DONE, result
    assert first_difference(values(run), back) is None
    assert run.events("channel_closed")[0]["reason"] == "closed_by_us"
    await channel.wait_until_closed()


async def test_the_largest_sdus_both_ways(bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench, 65535, 65533, 3)
    await server.start()
    there, back = sdus_of(LARGE, 1), sdus_of(LARGE, 2)
    run = await connect(lantern, server, "--count", str(len(back)))
    channel = await server.channel()
    await run.feed(lines(there))
    assert first_difference(await channel.wait_for(len(there)), there) is None
    await channel.send(back)
    assert (await run.finish()).status == DONE
    assert first_difference(values(run), back) is None


@pytest.mark.parametrize(("acl", "count", "largest"), [(251, 4000, 1000), (27, 3000, 100)])
async def test_thousands_both_ways_at_once(
    acl: int, count: int, largest: int, bench: Bench, lantern: Lantern
) -> None:
    bench.acl_data_length = acl
    server = ChannelServer(bench, 1000, 247, 20)
    await server.start()
    source = random.Random(7)
    there = sdus_of([source.randint(1, largest) for _ in range(count)], 1)
    back = sdus_of([source.randint(1, largest) for _ in range(count)], 2)
    run = await connect(lantern, server, "--mtu", "1000", "--close")
    channel = await server.channel()
    await asyncio.gather(run.feed(lines(there)), channel.send(back))
    assert first_difference(await channel.wait_for(count, timeout=90), there) is None
    await run.wait_for("channel_sdu", count, timeout=90)
    run.end_input()
    assert (await run.finish()).status == DONE
    assert first_difference(values(run), back) is None


async def test_ten_megabytes_through_a_raw_pipe(bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench, 65535, 2048, 100)
    await server.start()
    data = random.Random(3).randbytes(10_000_000)
    run = await lantern.start("l2cap", "connect", server.address, str(PSM), "--close", stdin=True)
    channel = await server.channel()
    await run.feed(data)
    run.end_input()
    assert (await run.finish(timeout=120)).status == DONE
    await channel.wait_until_closed()
    assert b"".join(channel.sdus) == data
    assert run.stdout == ""


async def test_lines(bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench)
    await server.start()
    run = await lantern.start(
        "l2cap", "connect", server.address, str(PSM), "--lines", "--count", "2", stdin=True
    )
    channel = await server.channel()
    await run.feed("hello\n\nwörld\nno end".encode())
    run.end_input()
    assert await channel.wait_for(4) == [b"hello", b"", "wörld".encode(), b"no end"]
    await channel.send([b"one", b"two"])
    assert (await run.finish()).status == DONE
    assert run.stdout == "one\ntwo\n"


async def test_a_psm_that_is_not_offered(bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench)
    await server.start()
    result = await lantern.run("l2cap", "connect", server.address, "0x81", "--json")
    assert result.status == FAILED
    assert "PSM" in result.stderr and result.lines == []


async def test_the_peer_closes_in_the_middle(bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench)
    await server.start()
    run = await connect(lantern, server)
    channel = await server.channel()
    await channel.send([b"a", b"b"])
    channel.send_frame(bytes([10, 0, 1, 2, 3]))
    await channel.channel.disconnect()
    result = await run.finish()
    assert result.status == DONE
    assert values(run) == [b"a", b"b"]
    assert run.events("channel_closed")[0]["reason"] == "closed_by_peer"


async def test_fewer_than_were_wanted(bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench)
    await server.start()
    run = await connect(lantern, server, "--count", "2")
    channel = await server.channel()
    await channel.send([b"a"])
    await run.wait_for("channel_sdu")
    await channel.channel.disconnect()
    assert (await run.finish()).status == NOTHING_FOUND


async def test_the_link_is_lost(bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench)
    await server.start()
    run = await connect(lantern, server)
    await server.channel()
    await run.wait_for("channel_open")
    bench.lose_links(server.device)
    assert (await run.finish()).status == FAILED
    assert run.events("channel_closed")[0]["reason"] == "link_lost"


async def test_control_c(bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench)
    await server.start()
    run = await connect(lantern, server)
    await server.channel()
    await run.wait_for("channel_open")
    assert (await run.interrupt()).status == DONE


BROKEN: dict[str, list[bytes]] = {
    "a frame with no length": [b"\x05"],
    "an SDU longer than the MTU": [b"\xff\xff"],
    "more than the length says": [b"\x01\x00ab"],
    "more than the length says, later": [b"\x05\x00ab", b"cdef"],
    "a frame longer than the MPS": [bytes([200, 0]) + bytes(90)],
}


@pytest.mark.parametrize("frames", BROKEN.values(), ids=BROKEN.keys())
async def test_a_peer_that_breaks_the_rules(frames: list[bytes], bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench)
    await server.start()
    run = await connect(lantern, server, *limits(1000, 50, 10))
    channel = await server.channel()
    for frame in frames:
        channel.send_frame(frame)
    assert (await run.finish()).status == FAILED
    assert run.events("channel_closed")[0]["reason"] == "protocol_violation"
    await channel.wait_until_closed()


async def test_too_many_credits(bench: Bench, lantern: Lantern) -> None:
    server = ChannelServer(bench)
    await server.start()
    run = await connect(lantern, server)
    channel = await server.channel()
    channel.send_signal(
        L2CAP_LE_Flow_Control_Credit(identifier=77, cid=channel.channel.source_cid, credits=65535)
    )
    assert (await run.finish()).status == FAILED
    assert run.events("channel_closed")[0]["reason"] == "protocol_violation"


# As server


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS.keys())
async def test_as_server_an_echo_of_every_size(
    setup: tuple[int, tuple[int, int, int], tuple[int, int, int]],
    bench: Bench,
    central: Central,
    lantern: Lantern,
) -> None:
    bench.acl_data_length, theirs, ours = setup
    sent = sdus_of(SIZES)
    run = await listen(lantern, "--echo", *limits(*ours), "--count", str(len(sent)))
    channel = await open_channel(await link_to_us(central), PSM, *theirs)
    assert (channel.channel.peer_mtu, channel.channel.peer_mps) == ours[:2]
    await channel.send(sent)
    assert first_difference(await channel.wait_for(len(sent)), sent) is None
    assert (await run.finish()).status == DONE
    assert first_difference(values(run), sent) is None
    await channel.wait_until_closed()


async def test_as_server_the_largest_sdus(bench: Bench, central: Central, lantern: Lantern) -> None:
    sent = sdus_of(LARGE)
    run = await listen(lantern, "--echo", "--count", str(len(sent)))
    channel = await open_channel(await link_to_us(central), PSM, 65535, 65533, 2)
    await channel.send(sent)
    assert first_difference(await channel.wait_for(len(sent)), sent) is None
    assert (await run.finish()).status == DONE


async def test_as_server_thousands_echoed(bench: Bench, central: Central, lantern: Lantern) -> None:
    source = random.Random(5)
    sent = sdus_of([source.randint(1, 500) for _ in range(3000)])
    run = await listen(lantern, "--echo", "--count", str(len(sent)))
    channel = await open_channel(await link_to_us(central), PSM, 500, 247, 10)
    await channel.send(sent)
    assert first_difference(await channel.wait_for(len(sent), timeout=90), sent) is None
    assert (await run.finish(timeout=30)).status == DONE


async def test_as_server_stdin_goes_to_the_channel(
    bench: Bench, central: Central, lantern: Lantern
) -> None:
    run = await listen(lantern)
    connection = await link_to_us(central)
    first = await open_channel(connection)
    await run.feed(b"01\n0203\n")
    assert await first.wait_for(2) == [b"\x01", b"\x02\x03"]
    # The next channel waits until the first is closed.
    second = await open_channel(connection)
    await second.send([b"later"])
    await first.send([b"now"])
    await run.wait_for("channel_sdu")
    await first.channel.disconnect()
    await run.wait_for("channel_open", count=2)
    await run.wait_for("channel_sdu", count=2)
    assert values(run) == [b"now", b"later"]
    await run.feed(b"04\n")
    assert await second.wait_for(1) == [b"\x04"]
    assert (await run.interrupt()).status == DONE


async def test_as_server_several_channels_at_once(bench: Bench, central: Central, lantern: Lantern) -> None:
    run = await listen(lantern, "--echo")
    connection = await link_to_us(central)
    channels: list[PeerChannel] = [await open_channel(connection) for _ in range(5)]
    sent = [sdus_of([50] * 100, seed) for seed in range(5)]
    await asyncio.gather(*(channel.send(sdus) for channel, sdus in zip(channels, sent)))
    for channel, sdus in zip(channels, sent):
        assert first_difference(await channel.wait_for(100), sdus) is None
        assert first_difference(values(run, channel.channel.destination_cid), sdus) is None
    await channels[2].channel.disconnect()
    await channels[3].send([b"still"])
    assert (await channels[3].wait_for(101))[-1] == b"still"
    assert (await run.interrupt()).status == DONE


async def test_as_server_an_unknown_psm_is_refused(bench: Bench, central: Central, lantern: Lantern) -> None:
    await listen(lantern, "--echo")
    connection = await link_to_us(central)
    with pytest.raises(ProtocolError):
        await open_channel(connection, PSM + 1)
    channel = await open_channel(connection)
    await channel.send([b"x"])
    assert await channel.wait_for(1) == [b"x"]


async def test_as_server_one_broken_channel_harms_no_other(
    bench: Bench, central: Central, lantern: Lantern
) -> None:
    run = await listen(lantern, "--echo")
    connection = await link_to_us(central)
    good, bad = await open_channel(connection), await open_channel(connection)
    bad.send_frame(b"\x00")
    await bad.wait_until_closed()
    await run.wait_until(lambda: run.events("channel_closed"), "the end of the channel")
    assert run.events("channel_closed")[0]["reason"] == "protocol_violation"
    await good.send([b"x"])
    assert await good.wait_for(1) == [b"x"]
    assert (await run.interrupt()).status == DONE


# Between two of ours


async def test_both_ends_ours(bench: Bench, lantern: Lantern) -> None:
    other = await bench.add_port()
    server = await listen(lantern, "--echo", "--count", "2000")
    sent = sdus_of([random.Random(1).randint(0, 400) for _ in range(2000)])
    address = lantern_address(bench)
    run = await lantern.start(
        "l2cap", "connect", address, str(PSM), "--json", "--hex", "--count", "2000",
        radio=other.radio, stdin=True,
    )  # fmt: skip
    await run.wait_for("channel_open")
    await run.feed(lines(sent))
    assert (await run.finish(timeout=60)).status == DONE
    assert first_difference(values(run), sent) is None
    assert (await server.finish()).status == DONE
    assert first_difference(values(server), sent) is None


def lantern_address(bench: Bench) -> str:
    """The address at which our host advertises."""
    controller = bench.port.controller
    assert controller is not None
    return str(controller.random_address).split("/")[0] + "/R"
