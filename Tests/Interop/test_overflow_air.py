# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern overflow scan|advertise|sequence|beacon` and `device run iphone` with Bumble on the other end."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from bumble.core import AdvertisingData
from bumble.device import Advertisement, Device
from bumble.hci import HCI_LE_Set_Advertising_Data_Command, HCI_LE_Set_Advertising_Parameters_Command

from lantern import DONE, NOTHING_FOUND, Lantern, Run
from peers.bench import Bench
from peers.central import Central
from peers.overflow import (
    FLAGS,
    NEARBY,
    bit_of,
    bits_of,
    encode_v1,
    encode_v2,
    map_of,
    on_air_bit,
    structure,
)

PAYLOAD = bytes([1, 2, 3, 4])
LATER = bytes.fromhex("deadbeef")
APPLE_ALONE = bytes.fromhex("0cff4c00") + NEARBY
UUIDS = ["4fafc201-1fb5-459e-8fcc-c5c9c331914b", "00467768-6228-2272-4663-277478268000"]


class Sender:
    """A Bumble advertiser whose data can change while it advertises."""

    def __init__(self, bench: Bench, number: int) -> None:
        self.address = f"C0:0F:10:00:00:{number:02X}"
        self.device: Device = bench.add_device(f"sender {number}", self.address)
        self._advertises = False

    async def send(self, data: bytes) -> None:
        if self._advertises:
            command = HCI_LE_Set_Advertising_Data_Command(advertising_data=data)
            await self.device.send_sync_command(command)
            return
        self._advertises = True
        await self.device.power_on()
        await self.device.start_advertising(
            advertising_data=data, advertising_interval_min=40, advertising_interval_max=40
        )

    async def send_map(self, overflow: bytes) -> None:
        await self.send(FLAGS + structure(overflow))

    async def stop(self) -> None:
        await self.device.stop_advertising()


async def scan(lantern: Lantern, *arguments: str) -> Run:
    return await lantern.start("overflow", "scan", "--json", *arguments)


def of(run: Run, kind: str, address: str) -> list[dict[str, object]]:
    return [line for line in run.events(kind) if line["address"] == address]


# Receiving

OVERFLOW = map_of([bit_of(found) for found in UUIDS])
HEARD = {
    "alone": structure(OVERFLOW),
    "after flags": FLAGS + structure(OVERFLOW),
    "after another TLV": FLAGS[:3] + structure(OVERFLOW, before=bytes.fromhex("1002aabb")),
    "after a long TLV": structure(OVERFLOW, before=bytes.fromhex("1007") + bytes(7)),
    "after another structure": bytes.fromhex("07ff4c001002aabb") + structure(OVERFLOW),
    "before a name": FLAGS + structure(OVERFLOW) + bytes.fromhex("03094142"),
}
UNHEARD = {
    "truncated map": FLAGS + structure(OVERFLOW)[:-1],
    "shorter map": FLAGS + bytes.fromhex("13ff4c0001") + OVERFLOW[:-1],
    "other company": FLAGS + structure(OVERFLOW).replace(bytes.fromhex("4c00"), bytes.fromhex("c809")),
    "other TLVs alone": FLAGS + APPLE_ALONE,
    "TLV beyond the end": bytes.fromhex("06ff4c00100801"),
}


async def test_maps_are_heard_wherever_they_stand(bench: Bench, lantern: Lantern) -> None:
    """All senders at once: those with a map are told, those without are not, and nobody upsets the others."""
    cases = {**HEARD, **UNHEARD}
    senders = {name: Sender(bench, number) for number, name in enumerate(cases, start=1)}
    for name, data in cases.items():
        assert len(data) <= 31, name
        await senders[name].send(data)
    run = await scan(lantern)
    for name in HEARD:
        await run.wait_until(lambda: of(run, "overflow_map", senders[name].address), name)
    result = await run.interrupt()
    assert result.status == DONE
    for name, sender in senders.items():
        heard = of(run, "overflow_map", sender.address)
        assert len(heard) == (name in HEARD), f"{name}: once, as it does not change: {heard}"
    for name in HEARD:
        [line] = of(run, "overflow_map", senders[name].address)
        assert (line["octets"], line["bits"]) == (OVERFLOW.hex(), bits_of(OVERFLOW))
        assert (line["address_kind"], line["rssi"]) == ("random", -50)


async def test_v1_is_believed_when_the_other_bank_is_known(bench: Bench, lantern: Lantern) -> None:
    sender = Sender(bench, 1)
    await sender.send_map(encode_v1(PAYLOAD, 0))
    run = await scan(lantern)
    await run.wait_for("overflow_ignored")
    assert [line["reason"] for line in run.events("overflow_ignored")] == ["unknown position"]
    await sender.send_map(encode_v1(PAYLOAD, 1))
    [heard] = await run.wait_for("overflow_payload")
    assert (heard["codec"], heard["position"], heard["octets"]) == ("v1", 1, "01020304")
    assert (heard["address"], heard["rssi"]) == (sender.address, -50)
    for number, position in enumerate((0, 1, 0), 3):
        await sender.send_map(encode_v1(PAYLOAD, position))
        await run.wait_for("overflow_map", number)
    assert len(run.events("overflow_payload")) == 1, "told once, as it does not change"
    await sender.send_map(encode_v1(LATER, 0))
    await run.wait_until(lambda: run.events("overflow_payload")[-1]["octets"] == LATER.hex(), "the next payload")
    result = await run.interrupt()
    assert result.status == DONE
    maps = [line["octets"] for line in of(run, "overflow_map", sender.address)]
    wanted = [encode_v1(PAYLOAD, position).hex() for position in (0, 1, 0, 1, 0)] + [encode_v1(LATER, 0).hex()]
    assert maps == wanted, "each change of the map"


async def test_a_polluted_bank_is_not_believed(bench: Bench, lantern: Lantern) -> None:
    """A bit of some other app: in bank 0 while the pattern is in 1, and then below the pattern in 0."""
    dirty, clean = Sender(bench, 1), Sender(bench, 2)

    def with_bit(overflow: bytes, bit: int) -> bytes:
        return bytes(a | b for a, b in zip(overflow, map_of([bit])))

    await dirty.send_map(with_bit(encode_v1(PAYLOAD, 1), 60))
    await clean.send_map(encode_v1(PAYLOAD, 1))
    run = await scan(lantern)
    await run.wait_until(lambda: of(run, "overflow_ignored", dirty.address), "the first sighting")
    await run.wait_until(lambda: of(run, "overflow_ignored", clean.address), "the first sighting")
    await dirty.send_map(with_bit(encode_v1(PAYLOAD, 0), 60))
    await clean.send_map(encode_v1(PAYLOAD, 0))
    await run.wait_until(lambda: of(run, "overflow_payload", clean.address), "the clean one's payload")
    await run.wait_until(
        lambda: "polluted" in [line["reason"] for line in of(run, "overflow_ignored", dirty.address)], "the reason"
    )
    await run.interrupt()
    assert of(run, "overflow_payload", dirty.address) == []


async def test_with_the_apps_reading_the_rest_of_a_bank_may_be_dirty(bench: Bench, lantern: Lantern) -> None:
    sender = Sender(bench, 1)
    for position in (1, 0):
        overflow = bytes(a | b for a, b in zip(encode_v1(PAYLOAD, position), map_of([60])))
        await sender.send_map(overflow)
        if position == 1:
            run = await scan(lantern, "--pollution", "pattern")
            await run.wait_for("overflow_ignored")
    [heard] = await run.wait_for("overflow_payload")
    assert (heard["position"], heard["octets"]) == (0, PAYLOAD.hex())
    await run.interrupt()


async def test_nobody_to_hear(lantern: Lantern) -> None:
    result = await lantern.run("overflow", "scan", "--duration", "1", "--json")
    assert (result.status, result.stdout) == (NOTHING_FOUND, "")


async def test_v2_is_believed_at_once_and_mended(bench: Bench, lantern: Lantern) -> None:
    whole, hurt = Sender(bench, 1), Sender(bench, 2)
    await whole.send_map(encode_v2(PAYLOAD))
    await hurt.send_map(bytes(a ^ b for a, b in zip(encode_v2(LATER), map_of([on_air_bit(13)]))))
    run = await scan(lantern)
    await run.wait_for("overflow_payload", 2)
    await run.interrupt()
    found = {line["address"]: (line["codec"], line["octets"]) for line in run.events("overflow_payload")}
    assert found == {whole.address: ("v2", PAYLOAD.hex()), hurt.address: ("v2", LATER.hex())}


async def test_ten_senders(bench: Bench, lantern: Lantern) -> None:
    senders = [Sender(bench, number) for number in range(1, 11)]
    payloads = {sender.address: bytes([number] * 4) for number, sender in enumerate(senders)}
    for sender in senders:
        await sender.send_map(encode_v1(payloads[sender.address], 0))
    run = await scan(lantern)
    for sender in senders:
        await run.wait_until(lambda: of(run, "overflow_map", sender.address), sender.address)
        await sender.send_map(encode_v1(payloads[sender.address], 1))
    await run.wait_for("overflow_payload", 10)
    await run.interrupt()
    found = {str(line["address"]): bytes.fromhex(line["octets"]) for line in run.events("overflow_payload")}
    assert found == payloads


async def test_the_live_table(bench: Bench, lantern: Lantern) -> None:
    sender = Sender(bench, 1)
    await sender.send_map(encode_v2(PAYLOAD))
    output = await lantern.run_on_terminal("overflow", "scan", until=lambda text: b"01020304" in text)
    assert sender.address.encode() in output


# Sending


class Listener(Central):
    """A scanner that keeps the octets of every advertisement, when they change."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench, "E0:00:00:00:00:0F")
        self.heard: list[tuple[bytes, float]] = []
        self.count = 0
        self.device.on("advertisement", self._hear)

    def _hear(self, advertisement: Advertisement) -> None:
        data = bytes(advertisement.data_bytes)
        self.count += 1
        if not self.heard or self.heard[-1][0] != data:
            self.heard.append((data, time.monotonic()))

    async def listen(self) -> None:
        await self.start()
        await self.device.start_scanning(legacy=True)

    async def wait_for(self, condition: Callable[[list[bytes]], bool], what: str, timeout: float = 15) -> list[bytes]:
        """Waits until what was heard, in order and without repeats, satisfies a condition."""
        await self.changes.wait_until(
            lambda: condition(self.octets), timeout, what, lambda: str([octets.hex() for octets in self.octets])
        )
        return self.octets

    async def hear_more(self, count: int = 10) -> None:
        """Waits until so many more advertisements were heard, whatever they say."""
        wanted = self.count + count
        await self.changes.wait_until(lambda: self.count >= wanted, 15, f"{count} more advertisements")

    @property
    def octets(self) -> list[bytes]:
        return [data for data, _ in self.heard]


@pytest.fixture
async def listener(bench: Bench) -> Listener:
    listener = Listener(bench)
    await listener.listen()
    return listener


def as_a_phone(overflow: bytes) -> bytes:
    return FLAGS + structure(overflow)


def advertising_type(bench: Bench) -> int:
    assert bench.port.controller is not None
    return bench.port.controller.le_legacy_advertiser.advertising_type


async def test_advertise_uuids(bench: Bench, listener: Listener, lantern: Lantern) -> None:
    run = await lantern.start("overflow", "advertise", "--uuid", *UUIDS)
    await listener.wait_for(bool, "an advertisement")
    await listener.hear_more()
    assert listener.octets == [as_a_phone(OVERFLOW)]
    assert advertising_type(bench) == HCI_LE_Set_Advertising_Parameters_Command.AdvertisingType.ADV_IND
    assert (await run.interrupt()).status == DONE


async def test_advertise_v1_alternates(listener: Listener, lantern: Lantern) -> None:
    run = await lantern.start("overflow", "advertise", "01020304", "--codec", "v1", "--interval", "0.5")
    heard = await listener.wait_for(lambda octets: len(octets) >= 4, "four positions")
    assert (await run.interrupt()).status == DONE
    both = [as_a_phone(encode_v1(PAYLOAD, position)) for position in (0, 1)]
    first = both.index(heard[0])
    assert heard[:4] == [both[(first + number) % 2] for number in range(4)]
    times = [at for _, at in listener.heard]
    assert 0.4 < times[2] - times[1] < 1.5 and 0.4 < times[3] - times[2] < 1.5


@pytest.mark.slow
async def test_v1_alternates_every_five_seconds(listener: Listener, lantern: Lantern) -> None:
    run = await lantern.start("overflow", "advertise", "01020304")
    await listener.wait_for(lambda octets: len(octets) >= 3, "three positions", timeout=25)
    assert (await run.interrupt()).status == DONE
    times = [at for _, at in listener.heard]
    assert 4.5 < times[2] - times[1] < 6.5


async def test_advertise_v2(listener: Listener, lantern: Lantern) -> None:
    run = await lantern.start("overflow", "advertise", "01020304", "--codec", "v2", "--json")
    await listener.wait_for(bool, "an advertisement")
    await listener.hear_more()
    assert (await run.interrupt()).status == DONE
    [told] = run.lines
    assert (told["codec"], told["octets"], told["advertisement_octets"]) == (
        "v2", encode_v2(PAYLOAD).hex(), structure(encode_v2(PAYLOAD)).hex()
    )
    assert listener.octets == [as_a_phone(encode_v2(PAYLOAD))]


@pytest.mark.parametrize(
    "begin", [0, 0x7E, 0xFFFF, (1 << 64) - 2, 0x4FAFC2011FB5459E8FCCC5C9C331914B], ids=lambda value: f"{value:x}"
)
async def test_sequence_counts_through_all_uuids(begin: int, listener: Listener, lantern: Lantern) -> None:
    """A 128-bit counter; each value is one UUID, and sets one bit."""

    def uuid(number: int) -> str:
        digits = f"{number:032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    start = [] if begin == 0 else ["--from", uuid(begin)]
    run = await lantern.start("overflow", "sequence", "--interval", "0.25", "--json", *start)
    wanted = [as_a_phone(map_of([bit_of(uuid(begin + number))])) for number in range(5)]
    heard = await listener.wait_for(lambda octets: len(octets) >= 5, "five UUIDs")
    assert (await run.interrupt()).status == DONE
    assert heard[:5] == wanted
    assert [FLAGS + bytes.fromhex(line["advertisement_octets"]) for line in run.events("overflow_advertising")][:5] == wanted


# Both at once


async def test_a_beacon_and_a_bumble_beacon(bench: Bench, listener: Listener, lantern: Lantern) -> None:
    """The demo, with Bumble as the other phone."""
    phone = Sender(bench, 1)
    await phone.send_map(encode_v1(LATER, 0))
    run = await lantern.start("overflow", "beacon", "01020304", "--json")
    await run.wait_until(lambda: of(run, "overflow_map", phone.address), "the other phone")
    await phone.send_map(encode_v1(LATER, 1))
    await run.wait_until(lambda: of(run, "overflow_payload", phone.address), "its payload")
    ours = as_a_phone(encode_v1(PAYLOAD, 0)), as_a_phone(encode_v1(PAYLOAD, 1))
    await listener.wait_for(lambda octets: any(each in ours for each in octets), "our own pattern")
    assert (await run.interrupt()).status == DONE
    assert of(run, "overflow_payload", phone.address)[0]["octets"] == LATER.hex()


@pytest.mark.parametrize("codec", ["v1", "v2"])
async def test_two_beacons_hear_each_other(codec: str, bench: Bench, lantern: Lantern) -> None:
    """Within one rotation, as the demo has it; one of them is the listener of the other."""
    port = await bench.add_port()
    runs = [
        await lantern.start("overflow", "beacon", payload.hex(), "--codec", codec, "--json", radio=radio)
        for payload, radio in ((PAYLOAD, bench.radio), (LATER, port.radio))
    ]
    for run, other in zip(runs, (LATER, PAYLOAD)):
        [heard, *_] = await run.wait_for("overflow_payload")
        assert (heard["codec"], heard["octets"]) == (codec, other.hex())
    for run in runs:
        assert (await run.interrupt()).status == DONE


def service_lists(data: bytes) -> set[str]:
    """The 128-bit service UUIDs in an advertisement."""
    found = AdvertisingData.from_bytes(data)
    lists = [
        found.get(kind) or []
        for kind in (
            AdvertisingData.Type.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
            AdvertisingData.Type.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
        )
    ]
    return {str(uuid).lower() for each in lists for uuid in each}


async def test_an_iphone_that_moves_between_foreground_and_background(listener: Listener, lantern: Lantern) -> None:
    run = await lantern.start("device", "run", "iphone", "--uuid", UUIDS[0], "--foreground-every", "1", "--json")
    background = as_a_phone(map_of([bit_of(UUIDS[0])]))
    heard = await listener.wait_for(lambda octets: octets.count(background) >= 2, "two times in the background")
    assert (await run.interrupt()).status == DONE
    foreground = [data for data in heard if data != background]
    assert foreground and all(service_lists(data) == {UUIDS[0]} for data in foreground), heard
    assert all(b"\xff\x4c\x00\x01" not in data for data in foreground)
    assert {line["uuid"] for line in await run.wait_for("phone_foreground")} == {UUIDS[0]}
    assert {line["octets"] for line in await run.wait_for("phone_background")} == {map_of([bit_of(UUIDS[0])]).hex()}


async def test_an_iphone_with_a_payload(listener: Listener, lantern: Lantern) -> None:
    run = await lantern.start("device", "run", "iphone", "--payload", "01020304")
    maps = {as_a_phone(encode_v1(PAYLOAD, 0)), as_a_phone(encode_v1(PAYLOAD, 1)), as_a_phone(encode_v2(PAYLOAD))}
    await listener.wait_for(lambda octets: any(data in maps for data in octets), "the payload")
    assert (await run.interrupt()).status == DONE


