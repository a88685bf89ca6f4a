# SPDX-License-Identifier: Apache-2.0
"""Every way in which two devices can pair, and what the specification has come of it; a Bumble host that pairs so."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from bumble.device import Device
from bumble.hci import Address, HCI_LE_Set_Random_Address_Command
from bumble.keys import MemoryKeyStore
from bumble.pairing import OobContext, OobLegacyContext, OobSharedData, PairingConfig, PairingDelegate

PASSKEY = 12345

# IO capabilities in the order of their codes. Spec: Core v5.4, Vol 3, Part H, 3.5.1, table 3.4.
CAPABILITIES = ["display", "yes-no", "keyboard", "no-input", "keyboard-display"]

# What becomes of two capabilities where one side wants protection against somebody in the middle: a row for each responder, a
# letter for each initiator. J Just Works, I the initiator shows six digits, R the responder shows them, B both enter them,
# N Numeric Comparison. Typed from Core v5.4, Vol 3, Part H, 2.3.5.1, table 2.8.
LEGACY = ["JJRJR", "JJRJR", "IIBJI", "JJJJJ", "IIRJI"]
SECURE = ["JJRJR", "JNRJN", "IIBJI", "JJJJJ", "INRJN"]


@dataclass(frozen=True)
class Case:
    """One way to pair; what is Bumble's says so, the other half is ours."""

    ours_begins: bool
    ours: str
    bumbles: str
    is_secure: bool
    is_bonding: bool
    ours_has_oob: bool
    bumble_has_oob: bool

    def __str__(self) -> str:
        words = [
            "we begin" if self.ours_begins else "Bumble begins",
            f"we {self.ours}",
            f"Bumble {self.bumbles}",
            "LE Secure Connections" if self.is_secure else "legacy",
            "bonding" if self.is_bonding else "not bonding",
            f"out-of-band data here: {self.ours_has_oob}, there: {self.bumble_has_oob}",
        ]
        return ", ".join(words)

    @property
    def method(self) -> str:
        """O for Out of Band, or a letter of the tables. Tables 2.6 and 2.7: one side's data is enough for Secure Connections."""
        has = self.ours_has_oob, self.bumble_has_oob
        if any(has) if self.is_secure else all(has):
            return "O"
        initiator, responder = (self.ours, self.bumbles) if self.ours_begins else (self.bumbles, self.ours)
        table = SECURE if self.is_secure else LEGACY
        return table[CAPABILITIES.index(responder)][CAPABILITIES.index(initiator)]

    @property
    def level(self) -> str:
        if self.method == "J":
            return "encrypted"
        return "secure_connections" if self.is_secure else "authenticated"

    @property
    def our_question(self) -> str | None:
        """What a person on our side sees."""
        shows, enters = ("I", "R") if self.ours_begins else ("R", "I")
        return {shows: "show", enters: "enter", "B": "enter", "N": "compare"}.get(self.method)


def cases(ours_begins: bool) -> Iterator[Case]:
    """The whole matrix of one role."""
    no_yes = [False, True]
    for ours, bumbles in itertools.product(CAPABILITIES, CAPABILITIES):
        for rest in itertools.product(no_yes, no_yes, no_yes, no_yes):
            yield Case(ours_begins, ours, bumbles, *rest)


class Person(PairingDelegate):
    """Whoever is at Bumble's device."""

    def __init__(self, capability: str) -> None:
        super().__init__(PairingDelegate.IoCapability(CAPABILITIES.index(capability)))
        self.did: str | None = None
        self.shown: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.typed: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def generate_passkey(self) -> int:
        return PASSKEY

    async def display_number(self, number: int, digits: int) -> None:
        self.did = "show"
        self.shown.set_result(number)

    async def get_number(self) -> int:
        self.did = "enter"
        return await self.typed

    async def compare_numbers(self, number: int, digits: int) -> bool:
        self.did = "compare"
        self.shown.set_result(number)
        return True


class PairingHost:
    """A Bumble device that is another one in each case, and pairs as the case has it."""

    def __init__(self, device: Device, number: int) -> None:
        self.device = device
        self.number = number
        self.count = 0
        self.context = OobContext()
        self.legacy = OobLegacyContext()

    @property
    def address(self) -> str:
        return f"C{self.number % 16:X}:00:00:00:{self.number:02X}:{self.count:02X}"

    def data(self, is_secure: bool) -> bytes:
        """What it hands over, as advertising data."""
        if is_secure:
            return bytes(self.context.share().to_ad())
        return bytes([17, 0x10]) + self.legacy.tk

    async def become_another(self) -> None:
        """Is a device from now on that nobody has met."""
        self.count += 1
        self.device.static_address = self.device.random_address = Address(self.address)
        await self.device.send_sync_command(
            HCI_LE_Set_Random_Address_Command(random_address=self.device.random_address)
        )
        self.device.keystore = MemoryKeyStore()

    def pair_as(self, case: Case, our_data: bytes | None = None) -> Person:
        """Pairs as a case has it, with what our side has handed over for LE Secure Connections."""
        person = Person(case.bumbles)
        oob = None
        if case.is_secure and (case.ours_has_oob or case.bumble_has_oob):
            ours = shared(our_data) if case.bumble_has_oob and our_data is not None else None
            oob = PairingConfig.OobConfig(our_context=self.context, peer_data=ours, legacy_context=None)
        elif not case.is_secure and case.bumble_has_oob:
            # A known difference: oob-key-for-just-works.
            legacy = self.legacy if case.ours_has_oob else OobLegacyContext(tk=bytes(16))
            oob = PairingConfig.OobConfig(our_context=None, peer_data=None, legacy_context=legacy)
        config = PairingConfig(
            sc=case.is_secure,
            mitm=True,
            bonding=case.is_bonding,
            delegate=person,
            identity_address_type=PairingConfig.AddressType.RANDOM,
            oob=oob,
        )
        self.device.pairing_config_factory = lambda _connection: config
        return person


def values(data: bytes) -> dict[int, bytes]:
    """The structures of advertising data by type."""
    found = {}
    while data:
        found[data[1]] = data[2 : data[0] + 1]
        data = data[data[0] + 1 :]
    return found


def shared(data: bytes) -> OobSharedData:
    found = values(data)
    return OobSharedData(c=found[0x22], r=found[0x23])
