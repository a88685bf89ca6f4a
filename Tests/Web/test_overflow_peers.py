# SPDX-License-Identifier: Apache-2.0
"""The page Overflow on Bumble's air: its beacon is heard by a second radio, and it hears senders that were written from the facts."""

import pytest
from bumble.core import AdvertisingData
from among_peers import hub  # noqa: F401
from playwright.sync_api import expect
from real_hub import RealHub

from peers.overflow import FLAGS, bit_of, bits_of, decode_v1, decode_v2, encode_v1, encode_v2, map_of, structure

SENT = bytes([0xDE, 0xAD, 0xBE, 0xEF])


class Ear:
    """A second radio, which keeps every map that it hears."""

    def __init__(self, air) -> None:
        self.maps: list[bytes] = []
        air.do(self._listen(air.bench))

    async def _listen(self, bench) -> None:
        self.device = bench.add_device("ear", "C0:0F:10:00:00:01")
        self.device.on("advertisement", self._hear)
        await self.device.power_on()
        await self.device.start_scanning(filter_duplicates=False)

    def _hear(self, advertisement) -> None:
        for company, data in advertisement.data.get_all(AdvertisingData.MANUFACTURER_SPECIFIC_DATA):
            if company == 0x004C and data[:1] == b"\x01" and len(data) == 17:
                self.maps.append(bytes(data[1:]))


class Sender:
    """A second radio that sends maps."""

    def __init__(self, air) -> None:
        self.air = air
        self.device = None

    def send(self, overflow: bytes) -> None:
        async def send() -> None:
            if self.device is None:
                self.device = self.air.bench.add_device("sender", "C0:0F:10:00:00:02")
                await self.device.power_on()
            else:
                await self.device.stop_advertising()
            await self.device.start_advertising(
                advertising_data=FLAGS + structure(overflow), advertising_interval_min=40, advertising_interval_max=40
            )

        self.air.do(send())


def payloads(ear: Ear, codec: str) -> set[bytes]:
    found = [decode_v1(one) if codec == "v1" else decode_v2(one) for one in list(ear.maps)]
    return {one[1] if codec == "v1" else one[0] for one in found if one}


def switch(page):
    return page.get_by_role("switch", name="Beacon of this hub")


@pytest.mark.parametrize("codec,word", [("v1", "v1, two banks"), ("v2", "v2, Hamming")])
def test_the_beacon_is_heard_by_a_second_radio(air, hub, open_page, codec, word):
    ear = Ear(air)
    page = open_page("overflow")
    page.get_by_role("textbox", name="Payload").fill("de ad be ef")
    page.get_by_role("button", name=word).click()
    switch(page).click()
    expect(page.get_by_text("on the air since")).to_be_visible(timeout=20000)
    hub.until(lambda: SENT in payloads(ear, codec))
    assert payloads(ear, codec) == {SENT}
    switch(page).click()
    hub.until(lambda: hub.get("/overflow")["beacon"]["on"] is False)
    # Off is off: nothing more is heard.
    count = len(ear.maps)
    page.wait_for_timeout(500)
    assert len(ear.maps) == count


def test_two_hubs_on_one_air_hear_each_other(air, hub, open_page, tmp_path):
    port = air.do(air.bench.add_port())
    folder = tmp_path / "second"
    folder.mkdir()
    second = RealHub(folder, "--radio", port.radio)
    second.start()
    try:
        page = open_page("overflow")
        page.get_by_role("textbox", name="Payload").fill("deadbeef")
        page.get_by_role("button", name="v2, Hamming").click()
        switch(page).click()
        heard = lambda: [one["payload"]["octets"] for one in second.get("/overflow")["sources"] if one["payload"]]
        second.until(lambda: heard() == ["deadbeef"])
    finally:
        second.stop()


def test_a_sender_is_shown_with_its_bits_and_its_payload(air, hub, open_page, size):
    sender = Sender(air)
    page = open_page("overflow", size)
    bits = sorted({bit_of("180f"), bit_of("180d")})
    sender.send(map_of(bits))
    expect(page.get_by_text(f"{len(bits)} bits are set").or_(page.get_by_text(f"{len(bits)} of 12")).first).to_be_visible(timeout=20000)
    [source] = hub.get("/overflow")["sources"]
    assert bits_of(bytes.fromhex(source["octets"])) == bits
    # From bank to bank, so that it is believed.
    sender.send(encode_v1(SENT, 0))
    hub.until(lambda: hub.get("/overflow")["sources"][0]["octets"] == encode_v1(SENT, 0).hex())
    sender.send(encode_v1(SENT, 1))
    expect(page.locator(".overflow-payload .value")).to_have_text("DE AD BE EF", timeout=20000)
    expect(page.get_by_text("Clean bank")).to_be_visible()
    sender.send(encode_v2(SENT))
    expect(page.locator(".overflow-payload")).to_contain_text("v2", timeout=20000)


def test_one_wrong_bit_is_corrected_and_said(air, hub, open_page):
    octets = bytearray(encode_v2(SENT))
    octets[9] ^= 0x10
    Sender(air).send(bytes(octets))
    page = open_page("overflow")
    expect(page.locator(".overflow-payload .value")).to_have_text("DE AD BE EF", timeout=20000)
    assert hub.get("/overflow")["sources"][0]["payload"]["corrected_bits"] == 1
