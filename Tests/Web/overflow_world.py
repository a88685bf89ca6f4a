# SPDX-License-Identifier: Apache-2.0
"""Senders of overflow areas on a test's radio."""

from __future__ import annotations

import pytest
import scripted_radio  # noqa: F401  It says where the codecs are.
from kept_world import kept
from peers.overflow import encode_v2

FIRST, OWN = "5E:21:C7:90:3B:D4", {"uuid": "B41E0007-52A1-4C0E-9B2F-7A1D03EE20C1", "name": "Greenhouse logger"}
# The map of the first one without its message, and with it; a message of which one bit is wrong.
BARE, PLAIN = "00000000000000000000000200001000", "558040c0200000800000000200001000"
ONE_WRONG = bytearray(encode_v2(bytes.fromhex("deadbeef")))
ONE_WRONG[9] ^= 0x04
# Address, strength and map.
SENDERS = [
    (FIRST, -71, BARE), (FIRST, -71, PLAIN), ("4A:77:02:D1:9E:35", -74, "00000000000000800000400000200000"),
    ("61:F0:3C:28:84:0B", -78, ONE_WRONG.hex()), ("7B:19:E4:55:C2:60", -90, "00100000000000000000000000000000"),
]  # fmt: skip


def send(hub, *senders: tuple[str, int, str]) -> None:
    """Each is heard once: its address, how strong it is, and what is behind the type of its message, whole or not."""
    lines = []
    for address, rssi, octets in senders:
        message = bytes.fromhex("4c0001" + octets)
        lines.append(f"heard {address}/R {rssi} 02011a{bytes([len(message) + 1, 0xFF]).hex()}{message.hex()} closed")
    hub.radio.tell(*lines)


@pytest.fixture
def hub(engine):
    """An engine that hears four senders now, and heard another one before."""
    engine.begin(kept(settings={"overflow": {"services": [OWN]}}))
    send(engine, ("49:19:E4:55:C2:01", -92, "00000000000000000000100000000000"))
    engine.later(400, 20)
    send(engine, *SENDERS)
    return engine
