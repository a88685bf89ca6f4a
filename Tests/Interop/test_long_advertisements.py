# SPDX-License-Identifier: Apache-2.0
"""`lantern scan` on our air, with advertisements that only extended advertising can carry."""

from __future__ import annotations

import pytest
from bumble.device import AdvertisingEventProperties, AdvertisingParameters
from bumble.hci import HCI_LE_Set_Extended_Advertising_Data_Command as SetData

from lantern import DONE, Lantern
from peers.air import Host, serve

GADGET = "C1:00:00:00:00:01"


def structures(length: int) -> bytes:
    """Manufacturer data, one AD structure after the other, as many octets as asked for."""
    data = b""
    while len(data) < length:
        count = min(200, length - len(data))
        data += bytes([count - 1, 0xFF, 0xC8, 0x09]) + bytes(range(count - 4))
    return data


@pytest.mark.parametrize("length", [31, 32, 251, 252, 600, 1650])
async def test_a_long_advertisement_arrives_whole(serving: Lantern, length: int) -> None:
    air = await serve(serving)
    gadget = await Host.attach(air.ports[0], "gadget", GADGET)
    await gadget.device.power_on()
    data = structures(length)
    parameters = AdvertisingParameters(
        advertising_event_properties=AdvertisingEventProperties(is_connectable=False),
        primary_advertising_interval_min=100,
        primary_advertising_interval_max=100,
    )
    advertising = await gadget.device.create_advertising_set(parameters, auto_start=False)
    parts = [data[start : start + 251] for start in range(0, length, 251)]
    for number, part in enumerate(parts):
        operation = SetData.Operation.INTERMEDIATE_FRAGMENT
        if len(parts) == 1:
            operation = SetData.Operation.COMPLETE_DATA
        elif number == 0:
            operation = SetData.Operation.FIRST_FRAGMENT
        elif number == len(parts) - 1:
            operation = SetData.Operation.LAST_FRAGMENT
        await gadget.device.send_sync_command(
            SetData(
                advertising_handle=advertising.advertising_handle,
                operation=operation,
                fragment_preference=0,
                advertising_data=part,
            )
        )
    await advertising.start()
    scan = await serving.run("scan", "--duration", "2", "--json", radio=f"tcp:127.0.0.1:{air.ports[1]}")
    assert scan.status == DONE
    [line] = [line for line in scan.lines if line["address"] == GADGET]
    assert line["octets"] == data.hex()
    assert (line["scan_response_octets"], line["connectable"], line["rssi"]) == (None, False, -40)
    assert len(line["manufacturer_data"]) == (length + 199) // 200
    gadget.vanish()
    assert (await air.run.interrupt()).status == DONE
