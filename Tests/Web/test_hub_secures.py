# SPDX-License-Identifier: Apache-2.0
"""The real hub without a browser: Bumble centrals pair with what it serves, and its links to a FlockFinder are encrypted."""

import asyncio

import pytest
from among_peers import hub  # noqa: F401
from bumble.core import PhysicalTransport, ProtocolError
from bumble.device import Peer
from bumble.hci import Address
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from test_pairing_peers import IO, Person

PHONE = "C2:00:00:00:00:78"
NAME = "Served strap"
SAVED = {"name": NAME, "services": [{"uuid": "180f", "characteristics": [{"uuid": "2a19", "properties": ["read"], "octets": "52"}]}]}


def config(delegate: PairingDelegate, is_authenticated: bool):
    return lambda _: PairingConfig(
        sc=True, mitm=is_authenticated, bonding=True, delegate=delegate, identity_address_type=PairingConfig.AddressType.RANDOM
    )  # fmt: skip


class Phone:
    """A central with a person who looks at it."""

    def __init__(self, air, capability: int) -> None:
        self.device = air.bench.add_device("phone", PHONE)
        self.device.keystore = MemoryKeyStore()
        self.person = Person(capability)
        self.device.pairing_config_factory = config(self.person, capability != IO.NO_OUTPUT_NO_INPUT)
        self.link = None

    async def connect(self) -> None:
        """Connects to whoever serves the saved device."""
        if not self.device.powered_on:
            await self.device.power_on()
        found = asyncio.get_running_loop().create_future()

        def heard(advertisement) -> None:
            # The name stands in the scan response, which Bumble's controllers do not deliver.
            if advertisement.address not in (self.device.random_address, Address("F0:F1:F2:F3:F4:F5")) and not found.done():
                found.set_result(advertisement.address)

        self.device.on("advertisement", heard)
        await self.device.start_scanning()
        address = await asyncio.wait_for(found, 15)
        await self.device.stop_scanning()
        self.device.remove_listener("advertisement", heard)
        self.link = await self.device.connect(address, PhysicalTransport.LE, timeout=15)

    async def level(self) -> bytes:
        peer = Peer(self.link)
        await peer.discover_all()
        [value] = peer.get_characteristics_by_uuid("2A19")
        return bytes(await peer.read_value(value))


def phone_of(air, capability: int = IO.NO_OUTPUT_NO_INPUT) -> Phone:
    async def make() -> Phone:
        # Bumble's objects belong to the loop that they are made in.
        return Phone(air, capability)

    return air.do(make())


def serve(hub) -> None:
    if not hub.get("/saves")["items"]:
        assert hub.request("POST", "/api/v1/saves", SAVED)[0] == 200
    hub.until(lambda: hub.get("/hub")["radio"]["state"] == "scanning")
    assert hub.request("POST", "/api/v1/saves/1/serve", {})[0] == 200
    hub.until(lambda: hub.get("/serving")["state"] == "on")


def asked(hub, kind: str) -> dict:
    """What a page shows, once it is a question of this kind."""

    def look():
        return [one for one in hub.get("/pairings")["items"] if (one["pairing"]["phase"], one["pairing"]["kind"]) == ("asking", kind)]

    return hub.until(look)[0]


def answer(hub, question: dict, accept: bool = True, **more) -> None:
    pairing = question["pairing"]
    status, problem, _ = hub.request(
        "POST", f"/api/v1/pairings/{pairing['id']}/answer", {"question": pairing["question"], "accept": accept} | more
    )
    assert status == 200, problem


def bonded(hub) -> list[str]:
    return [one["address"] for one in hub.get("/bonds")["items"]]


@pytest.mark.parametrize(
    ("capability", "kind"),
    [
        (IO.DISPLAY_OUTPUT_AND_YES_NO_INPUT, "compare"),
        (IO.KEYBOARD_INPUT_ONLY, "show"),
        (IO.DISPLAY_OUTPUT_ONLY, "enter"),
        (IO.NO_OUTPUT_NO_INPUT, None),
    ],
    ids=["compared", "shown", "typed", "just-works"],
)
def test_a_central_pairs_with_what_the_hub_serves(hub, air, capability, kind):
    serve(hub)
    phone = phone_of(air, capability)
    air.do(phone.connect())
    pairing = asyncio.run_coroutine_threadsafe(phone.link.pair(), air.loop)
    question = asked(hub, "consent")
    assert (question["pairing"]["begun_by"], question["pairing"]["replaces_bond"], question["digits"]) == ("device", False, None)
    answer(hub, question)
    if kind == "compare":
        question = asked(hub, kind)
        hub.until(lambda: phone.person.shown is not None)
        assert question["digits"] == f"{phone.person.shown:06}"
        answer(hub, question)
    elif kind == "show":
        phone.person.typed = int(asked(hub, kind)["digits"])
    elif kind == "enter":
        question = asked(hub, kind)
        hub.until(lambda: phone.person.shown is not None)
        answer(hub, question, digits=f"{phone.person.shown:06}")
    pairing.result(30)
    hub.until(lambda: bonded(hub) == [PHONE])
    [bond] = hub.get("/bonds")["items"]
    assert (bond["level"], bond["key_size"]) == ("secure_connections" if kind else "encrypted", 16)
    assert hub.get("/pairings") == {"items": []}
    assert phone.link.is_encrypted and air.do(phone.level()) == b"\x52"

    # The hub is started anew, and still has the key.
    hub.stop()
    hub.start()
    serve(hub)
    air.do(phone.connect())
    air.do(phone.link.encrypt())
    assert phone.link.is_encrypted and air.do(phone.level()) == b"\x52"

    # The phone has forgotten: it takes nobody's place without a word from a person.
    air.do(phone.link.disconnect())
    phone.device.keystore = MemoryKeyStore()
    air.do(phone.connect())
    pairing = asyncio.run_coroutine_threadsafe(phone.link.pair(), air.loop)
    question = asked(hub, "consent")
    assert question["pairing"]["replaces_bond"]
    answer(hub, question, accept=False)
    with pytest.raises(ProtocolError):
        pairing.result(30)
    assert bonded(hub) == [PHONE] and not phone.link.is_encrypted


def test_a_central_is_refused_and_may_be_asked_about_again(hub, air):
    serve(hub)
    phone = phone_of(air)
    air.do(phone.connect())
    pairing = asyncio.run_coroutine_threadsafe(phone.link.pair(), air.loop)
    answer(hub, asked(hub, "consent"), accept=False)
    with pytest.raises(ProtocolError):
        pairing.result(30)
    # For a minute nobody is asked; what it may read without pairing it still reads.
    with pytest.raises(ProtocolError):
        air.do(phone.link.pair())
    assert hub.get("/pairings") == {"items": []} and bonded(hub) == []
    assert air.do(phone.level()) == b"\x52"


# Links to a FlockFinder


def encrypt(hub, how: str) -> None:
    assert hub.request("PATCH", "/api/v1/settings", {"encryption": {"flock": how}}, {"If-Match": "*"})[0] == 200


def flock(hub) -> dict:
    return next((one for one in hub.get("/devices")["items"] if one["kind"] == "flockfinder"), {"state": None, "reason": None})


def connected(hub, air, is_encrypted: bool) -> None:
    """The device is connected, and its link protected so."""

    def look() -> bool:
        links = list(air.device.device.connections.values())
        return flock(hub)["state"] == "connected" and [bool(link.is_encrypted) for link in links] == [is_encrypted]

    hub.until(look)


class Closed(PairingDelegate):
    """A device that does not pair."""

    async def accept(self) -> bool:
        return False


@pytest.mark.parametrize("how", ["preferred", "required"])
def test_links_to_a_device_that_can_are_encrypted(hub, air, how):
    air.device.device.keystore = MemoryKeyStore()
    air.device.device.pairing_config_factory = config(PairingDelegate(), False)
    connected(hub, air, False)
    # Whoever changes that has the link of now begun anew.
    encrypt(hub, how)
    connected(hub, air, True)
    hub.until(lambda: bonded(hub) == ["F0:F1:F2:F3:F4:F5"])
    air.ready(2)
    air.send({"type": "ring", "rssi": -50, "confidence": 0.9, "mac": "00:11:22:33:44:55"})
    hub.detections()

    # The device has forgotten the hub.
    air.device.device.keystore = MemoryKeyStore()
    air.do(air.device.drop())
    if how == "preferred":
        connected(hub, air, False)
    else:
        hub.until(lambda: "has forgotten this computer" in (flock(hub)["reason"] or ""))
        assert flock(hub)["state"] != "connected"
        writes = len(air.device.own_write_requests)
    assert hub.request("DELETE", "/api/v1/bonds?address=F0:F1:F2:F3:F4:F5")[0] == 204
    if how == "preferred":
        air.do(air.device.drop())
    else:
        # Nothing was said or switched on over a link that is not encrypted.
        assert len(air.device.own_write_requests) == writes
    # Forgotten on both sides they pair anew.
    connected(hub, air, True)


@pytest.mark.parametrize("how", ["preferred", "required"])
def test_links_to_a_device_that_cannot_are_encrypted(hub, air, how):
    air.device.device.pairing_config_factory = config(Closed(), False)
    connected(hub, air, False)
    count = len(air.device.entries("subscribe", "detection"))
    encrypt(hub, how)
    if how == "preferred":
        air.ready(count + 1)
        connected(hub, air, False)
    else:
        hub.until(lambda: "refused to pair" in (flock(hub)["reason"] or ""))
        assert len(air.device.entries("subscribe", "detection")) == count
        encrypt(hub, "off")
        connected(hub, air, False)
    assert bonded(hub) == []
