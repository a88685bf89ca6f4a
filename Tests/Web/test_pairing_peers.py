# SPDX-License-Identifier: Apache-2.0
"""The real hub pairs with Bumble peers: each association model, both roles, a no, nobody there, keys forgotten on one side."""

import asyncio
import sqlite3

import pytest
from among_peers import hub  # noqa: F401
from bumble.core import AdvertisingData
from bumble.device import Connection
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from playwright.sync_api import expect
from explorer_strap import item, visible
from test_pairing import dialog, press

IO = PairingDelegate
ADDRESS = "C1:00:00:00:00:77"
SECRET = b"only for those who are paired"


class Person(PairingDelegate):
    """The person at the peer, who sees what it shows and types what the test says."""

    def __init__(self, capability: int) -> None:
        super().__init__(capability)
        self.shown: int | None = None
        self.typed: int | None = None
        self.same = True

    async def display_number(self, number: int, digits: int) -> None:
        self.shown = number

    async def get_number(self) -> int:
        while self.typed is None:
            await asyncio.sleep(0.05)
        return self.typed

    async def compare_numbers(self, number: int, digits: int) -> bool:
        self.shown = number
        return self.same


class Gadget:
    """A device with a value for those who are paired."""

    def __init__(self, bench, capability: int = IO.NO_OUTPUT_NO_INPUT) -> None:
        self.device = bench.add_device("Pairing gadget", ADDRESS)
        self.person = Person(capability)
        self.device.advertising_data = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"Pairing gadget")]))
        self.loop = asyncio.get_running_loop()
        self.device.keystore = MemoryKeyStore()
        self.link: Connection | None = None
        self.device.on("connection", self.connected)
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=True,
            mitm=capability != IO.NO_OUTPUT_NO_INPUT,
            bonding=True,
            delegate=self.person,
            identity_address_type=PairingConfig.AddressType.RANDOM,
        )
        value = Characteristic(
            "A0000001-0000-4000-8000-000000000001",
            Characteristic.Properties.READ,
            Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION,
            CharacteristicValue(read=lambda _: SECRET),
        )
        self.device.add_service(Service("A0000000-0000-4000-8000-000000000001", [value]))

    def connected(self, link: Connection) -> None:
        self.link = link

    async def start(self) -> "Gadget":
        await self.device.power_on()
        await self.device.start_advertising(auto_restart=True)
        return self


@pytest.fixture
def gadget(air):
    def make(capability: int = IO.NO_OUTPUT_NO_INPUT) -> Gadget:
        async def start() -> Gadget:
            return await Gadget(air.bench, capability).start()

        return air.do(start())

    return make


def found(hub) -> dict:
    def look():
        return [one for one in hub.get("/scan/devices")["items"] if one["address"] == ADDRESS]

    return hub.until(look)[0]


def explorer(hub) -> dict:
    [job] = [one for one in hub.get("/jobs")["items"] if one["kind"] == "explorer"]
    return hub.get(f"/explorers/{job['id']}")["explorer"]


def open_link(hub, page) -> None:
    number = found(hub)["id"]
    page.evaluate("number => { location.hash = `#/explorer/device/${number}` }", number)
    visible(page, "Connect").click()
    hub.until(lambda: hub.get("/jobs")["items"] and explorer(hub)["step"] == "ready", 30)
    # The page is told of it later than who asks the hub, and its menu is made for what it knows.
    expect(page.get_by_text("MTU").filter(visible=True).first).to_be_visible()
    expect(page.locator(".note[role=status]").filter(visible=True)).to_have_count(0)


def press_pair(page) -> None:
    visible(page, "More").click()
    dialog(page).get_by_role("button", name="Pair", exact=True).click()


def paired(hub, level: str) -> None:
    hub.until(lambda: explorer(hub)["security"] == level)
    assert explorer(hub)["bonded"] and explorer(hub)["key_size"] == 16
    hub.until(lambda: [one["address"] for one in hub.get("/bonds")["items"]] == [ADDRESS])


async def long_term_keys(peer: Gadget) -> list[bytes]:
    kept = [one for _, one in await peer.device.keystore.get_all()]
    return [key.value for one in kept for key in (one.ltk, one.irk) if key]


def test_wrong_digits_are_said(hub, open_page, gadget):
    peer = gadget(IO.DISPLAY_OUTPUT_ONLY)
    page = open_page("explorer")
    open_link(hub, page)
    press_pair(page)
    field = dialog(page).get_by_role("textbox", name="The six digits that the device shows")
    expect(field).to_be_visible(timeout=15000)
    hub.until(lambda: peer.person.shown is not None)
    field.fill(f"{(peer.person.shown + 1) % 1_000_000:06}")
    press(page, "Pair")
    expect(dialog(page).get_by_role("alert")).to_contain_text("Not paired.", timeout=15000)
    expect(dialog(page).get_by_role("alert")).to_contain_text("the six digits or the out-of-band data are wrong")
    press(page, "Leave it")
    hub.until(lambda: not explorer(hub)["pairing"])
    assert explorer(hub)["security"] == "none" and hub.get("/bonds")["items"] == []


def test_the_six_digits_of_the_device_are_typed(hub, open_page, air, gadget, size):
    peer = gadget(IO.DISPLAY_OUTPUT_ONLY)
    page = open_page("explorer", size)
    open_link(hub, page)
    press_pair(page)
    field = dialog(page).get_by_role("textbox", name="The six digits that the device shows")
    expect(field).to_be_visible(timeout=15000)
    hub.until(lambda: peer.person.shown is not None)
    digits = f"{peer.person.shown:06}"
    field.fill(digits)
    press(page, "Pair")
    expect(page.get_by_text("Paired with Pairing gadget. The link is encrypted, and nobody in between can listen.")).to_be_visible(timeout=15000)
    paired(hub, "authenticated")
    # Keys and digits stand nowhere in clear.
    assert digits not in hub.log and "passkey" not in hub.log
    keys = air.do(long_term_keys(peer))
    assert keys
    for file in hub.folder.iterdir():
        octets = file.read_bytes() if file.is_file() else b""
        assert not any(key in octets or key[::-1] in octets or key.hex().encode() in octets for key in keys), file
    rows = sqlite3.connect(f"file:{hub.database}?mode=ro", uri=True).execute("SELECT identity FROM bond").fetchall()
    assert rows == [("c10000000077/random",)]


def test_six_digits_are_shown_and_typed_on_the_device(hub, open_page, gadget):
    peer = gadget(IO.KEYBOARD_INPUT_ONLY)
    page = open_page("explorer", "phone")
    open_link(hub, page)
    press_pair(page)
    shown = dialog(page).locator(".pairing-digits .spoken")
    expect(shown).to_be_visible(timeout=15000)
    digits = shown.text_content().replace(" ", "")
    # In no event, whoever follows them.
    assert digits not in page.evaluate("async () => (await (await fetch('/api/v1/jobs')).text())")
    peer.person.typed = int(digits)
    expect(page.get_by_text("Paired with Pairing gadget.")).to_be_visible(timeout=15000)
    paired(hub, "authenticated")


@pytest.mark.parametrize("same", [True, False])
def test_six_digits_are_compared(hub, open_page, gadget, same):
    peer = gadget(IO.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT)
    first, second = open_page("explorer"), open_page("scanner", "phone")
    open_link(hub, first)
    press_pair(first)
    for page in (first, second):
        expect(dialog(page).locator(".pairing-digits")).to_be_visible(timeout=15000)
    hub.until(lambda: peer.person.shown is not None)
    assert dialog(first).locator(".pairing-digits .spoken").text_content().replace(" ", "") == f"{peer.person.shown:06}"
    if same:
        press(second, "They are the same")
        expect(second.get_by_text("Paired with Pairing gadget.")).to_be_visible(timeout=15000)
        paired(hub, "authenticated")
    else:
        press(second, "They differ")
        hub.until(lambda: not explorer(hub)["pairing"])
        assert explorer(hub)["security"] == "none" and hub.get("/bonds")["items"] == []
    for page in (first, second):
        expect(dialog(page)).to_have_count(0)


@pytest.mark.parametrize("agrees", [True, False])
def test_a_device_asks_and_is_let_in_or_refused(hub, open_page, gadget, agrees):
    peer = gadget()
    page = open_page("explorer")
    open_link(hub, page)
    # What it refuses while everything is read is no reason to ask.
    expect(dialog(page)).to_have_count(0)
    peer.loop.call_soon_threadsafe(peer.link.request_pairing)
    expect(dialog(page)).to_contain_text("The device asks to be paired.", timeout=15000)
    press(page, "Pair" if agrees else "Don’t pair")
    if agrees:
        expect(page.get_by_text("Paired with Pairing gadget. The link is encrypted.")).to_be_visible(timeout=15000)
        paired(hub, "encrypted")
    else:
        hub.until(lambda: any("wants to be paired" in one["text"] for one in explorer(hub)["changes"]))
        assert explorer(hub)["security"] == "none" and hub.get("/bonds")["items"] == []
    expect(dialog(page)).to_have_count(0)


def test_a_value_that_is_refused_asks_and_is_read_once_paired(hub, open_page, gadget):
    gadget()
    page = open_page("explorer")
    open_link(hub, page)
    item(page, "…0001").last.click()
    page.get_by_role("button", name="Read", exact=True).filter(visible=True).first.click()
    expect(dialog(page)).to_contain_text("The device asks to be paired.", timeout=15000)
    press(page, "Pair")
    expect(page.get_by_text("Paired with Pairing gadget. The link is encrypted.")).to_be_visible(timeout=15000)
    hub.until(lambda: "only for those who are paired" in page.locator("body").inner_text())


def test_nobody_is_there(hub, open_page, gadget):
    gadget(IO.DISPLAY_OUTPUT_ONLY)
    page = open_page("explorer")
    open_link(hub, page)
    press_pair(page)
    expect(dialog(page).get_by_role("textbox")).to_be_visible(timeout=15000)
    # The page is closed; its job goes on for its lease, and its question does not.
    page.close()
    hub.until(lambda: not explorer(hub)["pairing"], 15)
    assert explorer(hub)["security"] == "none"
    assert hub.get("/pairings") == {"items": []}


def test_bonds_outlive_the_hub_and_are_forgotten(hub, open_page, gadget):
    gadget()
    page = open_page("explorer")
    open_link(hub, page)
    press_pair(page)
    paired(hub, "encrypted")
    hub.stop()
    hub.start()
    page.reload()
    open_link(hub, page)
    paired(hub, "encrypted")
    page.evaluate("location.hash = '#/settings/pairing'")
    page.get_by_role("button", name="Forget Pairing gadget").click()
    press(page, "Forget")
    expect(page.get_by_text("The keys of Pairing gadget are forgotten.")).to_be_visible()
    assert hub.get("/bonds")["items"] == []


def test_without_the_key_devices_pair_for_one_link(hub, open_page, gadget):
    gadget()
    page = open_page("explorer")
    open_link(hub, page)
    press_pair(page)
    paired(hub, "encrypted")
    hub.stop()
    key = hub.folder / "hub.sqlite-bond-key"
    assert key.stat().st_mode & 0o777 == 0o600
    kept = key.read_bytes()
    key.unlink()
    hub.start()
    page.reload()
    page.evaluate("location.hash = '#/settings/pairing'")
    expect(page.get_by_text("Keys are not kept.")).to_be_visible()
    expect(page.get_by_text("is missing, so the keys of bonded devices cannot be read")).to_be_visible()
    assert hub.get("/bonds")["unreadable"] == 1
    hub.stop()
    key.write_bytes(kept)
    key.chmod(0o600)
    hub.start()
    assert [one["address"] for one in hub.get("/bonds")["items"]] == [ADDRESS]
