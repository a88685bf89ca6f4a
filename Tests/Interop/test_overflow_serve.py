# SPDX-License-Identifier: Apache-2.0
"""Proves overflow areas on our own air, where scan responses and extended advertising are real."""

from __future__ import annotations

import asyncio

import pytest
from bumble.device import AdvertisingEventProperties, AdvertisingParameters

from lantern import DONE, Lantern
from peers.air import Air, Host
from peers.overflow import FLAGS, HANDOFF, NEARBY, bit_of, encode_v2, map_of, structure

PHONE = "C1:00:00:00:00:01"
PAYLOAD = bytes([1, 2, 3, 4])
OVERFLOW = map_of([bit_of("4fafc201-1fb5-459e-8fcc-c5c9c331914b"), 3, 88])
ANOTHER = bytes.fromhex("07ff4c001002aabb")


def radio(air: Air, number: int) -> str:
    return f"tcp:127.0.0.1:{air.ports[number]}"


IN_RESPONSES = {
    "response alone": (FLAGS, structure(OVERFLOW)),
    "response after another structure": (FLAGS + ANOTHER, ANOTHER + structure(OVERFLOW)),
    "both": (FLAGS + structure(OVERFLOW), structure(OVERFLOW)),
}


@pytest.mark.parametrize(("data", "response"), IN_RESPONSES.values(), ids=IN_RESPONSES)
async def test_a_map_in_a_scan_response(data: bytes, response: bytes, air: Air, serving: Lantern) -> None:
    phone = await Host.attach(air.ports[0], "phone", PHONE)
    await phone.device.power_on()
    await phone.device.start_advertising(
        advertising_data=data, scan_response_data=response, advertising_interval_min=30, advertising_interval_max=30
    )
    run = await serving.start("overflow", "scan", "--json", radio=radio(air, 1))
    await run.wait_for("overflow_map")
    # In which it might be shown a second time.
    await asyncio.sleep(0.5)
    assert (await run.interrupt()).status == DONE
    [line] = run.events("overflow_map")
    assert (line["address"], line["address_kind"], line["octets"]) == (PHONE, "random", OVERFLOW.hex())
    assert line["rssi"] == -40
    phone.vanish()


EXTENDED = {
    "alone": structure(OVERFLOW),
    "after long TLVs": FLAGS + structure(OVERFLOW, before=HANDOFF + NEARBY),
    "after other structures": FLAGS + ANOTHER * 12 + structure(OVERFLOW),
    "among other companies": bytes.fromhex("14ffc80901" + "ff" * 16) + structure(OVERFLOW),
}


@pytest.mark.parametrize("data", EXTENDED.values(), ids=EXTENDED)
async def test_a_map_in_extended_advertising(data: bytes, air: Air, serving: Lantern) -> None:
    phone = await Host.attach(air.ports[0], "phone", PHONE)
    await phone.device.power_on()
    parameters = AdvertisingParameters(
        advertising_event_properties=AdvertisingEventProperties(is_connectable=False),
        primary_advertising_interval_min=100,
        primary_advertising_interval_max=100,
    )
    await phone.device.create_advertising_set(parameters, advertising_data=data)
    run = await serving.start("overflow", "scan", "--json", radio=radio(air, 1))
    [line] = await run.wait_for("overflow_map")
    assert (line["address"], line["octets"]) == (PHONE, OVERFLOW.hex())
    assert (await run.interrupt()).status == DONE
    phone.vanish()


async def test_a_duration_ends_a_scan(air: Air, serving: Lantern) -> None:
    phone = await Host.attach(air.ports[0], "phone", PHONE)
    await phone.device.power_on()
    await phone.device.start_advertising(advertising_data=FLAGS + structure(encode_v2(PAYLOAD)))
    arguments = ["overflow", "scan", "--duration", "2", "--json"]
    result = await serving.run(*arguments, radio=radio(air, 1))
    assert result.status == DONE
    assert {line["event"] for line in result.lines} <= {"overflow_map", "overflow_payload", "overflow_ignored"}
    [payload] = [line for line in result.lines if line["event"] == "overflow_payload"]
    assert (payload["codec"], payload["octets"]) == ("v2", PAYLOAD.hex())
    phone.vanish()


async def test_two_beacons_on_our_air(air: Air, serving: Lantern) -> None:
    payloads = [PAYLOAD, bytes.fromhex("deadbeef")]
    runs = [
        await serving.start("overflow", "beacon", payload.hex(), "--codec", "v2", "--json", radio=radio(air, number))
        for number, payload in enumerate(payloads)
    ]
    for run, other in zip(runs, reversed(payloads)):
        [heard, *_] = await run.wait_for("overflow_payload")
        assert heard["octets"] == other.hex()
    for run in runs:
        assert (await run.interrupt()).status == DONE
