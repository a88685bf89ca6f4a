# SPDX-License-Identifier: Apache-2.0
"""LE signalling and credit-based channels by hand. Spec: Core v5.4, Vol 3, Part A, 3.4 and 4."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from bumble.device import Connection

from peers.raw import SIGNALLING_CID, RawChannel

NOT_UNDERSTOOD, MTU_EXCEEDED, INVALID_CID = 0x0000, 0x0001, 0x0002
REJECT, DISCONNECT, DISCONNECTED = 0x01, 0x06, 0x07
PARAMETER_UPDATE_REQUEST, PARAMETER_UPDATE_RESPONSE = 0x12, 0x13
CONNECT, CONNECTED, CREDIT, ENHANCED_CONNECT = 0x14, 0x15, 0x16, 0x17
UNKNOWN_CODE = 0xEE

OPENED, UNKNOWN_PSM, NO_RESOURCES = 0x0000, 0x0002, 0x0004
INVALID_SOURCE, SOURCE_TAKEN, UNACCEPTABLE = 0x0009, 0x000A, 0x000B


def command(code: int, identifier: int, data: bytes = b"") -> bytes:
    return struct.pack("<BBH", code, identifier, len(data)) + data


def reject(identifier: int, reason: int, data: bytes = b"") -> bytes:
    return command(REJECT, identifier, struct.pack("<H", reason) + data)


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}H", *values)


class Signalling(RawChannel):
    """The signalling channel of a connection."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, SIGNALLING_CID)

    async def is_silent_after(self, pdu: bytes) -> bool:
        """Whether nothing answers: the next that comes answers a command that is sent behind it."""
        self.send(pdu)
        return await self.ask(command(UNKNOWN_CODE, 0x7E)) == reject(0x7E, NOT_UNDERSTOOD)

    async def settle(self, *pdus: bytes) -> list[bytes]:
        """Sends PDUs, and returns whatever came before the answer to a command behind them."""
        for pdu in pdus:
            self.send(pdu)
        self.send(command(UNKNOWN_CODE, 0x7D))
        came: list[bytes] = []
        while (answer := await self.next()) != reject(0x7D, NOT_UNDERSTOOD):
            came.append(answer)
        return came


@dataclass
class Answer:
    """An LE Credit Based Connection Response. Spec: 4.23."""

    cid: int
    mtu: int
    mps: int
    credits: int
    result: int


class Pipe:
    """One credit-based channel, opened by us, of which we send every frame ourselves."""

    def __init__(self, signalling: Signalling, cid: int) -> None:
        self.signalling = signalling
        self.cid = cid
        self.data = RawChannel(signalling.connection, cid)
        self.answer = Answer(0, 0, 0, 0, 0xFFFF)

    def request(self, psm: int, mtu: int, mps: int, credits: int, identifier: int = 0x41) -> bytes:
        return command(CONNECT, identifier, words(psm, self.cid, mtu, mps, credits))

    async def open(
        self, psm: int, *, mtu: int = 100, mps: int = 50, credits: int = 100, identifier: int = 0x41
    ) -> Answer:
        """Asks for the channel, and returns what was answered."""
        answer = await self.signalling.ask(self.request(psm, mtu, mps, credits, identifier))
        assert answer[:4] == command(CONNECTED, identifier, bytes(10))[:4] and len(answer) == 14, answer.hex()
        self.answer = Answer(*struct.unpack("<5H", answer[4:]))
        return self.answer

    def send(self, frame: bytes) -> None:
        """Sends a K-frame, whether there is a credit for it or not."""
        self.signalling.connection.send_l2cap_pdu(self.answer.cid, frame)

    def send_sdu(self, sdu: bytes) -> None:
        """Sends an SDU that fits into one frame."""
        self.send(words(len(sdu)) + sdu)

    def give(self, credits: int) -> None:
        self.signalling.send(command(CREDIT, 0x42, words(self.cid, credits)))

    async def next_sdu(self) -> bytes:
        """The next SDU, of as many frames as it takes."""
        frame = await self.data.next()
        length, sdu = int.from_bytes(frame[:2], "little"), frame[2:]
        while len(sdu) < length:
            sdu += await self.data.next()
        assert len(sdu) == length, "an SDU ends with a frame"
        return sdu

    def disconnection(self, identifier: int = 0x43) -> bytes:
        return command(DISCONNECT, identifier, words(self.answer.cid, self.cid))

    async def wait_until_closed_by_peer(self) -> None:
        """Waits for its Disconnection Request, past credits that come before, and answers it."""
        while True:
            pdu = await self.signalling.next()
            if pdu[0] != CREDIT:
                break
        assert pdu == command(DISCONNECT, pdu[1], words(self.cid, self.answer.cid)), pdu.hex()
        self.signalling.send(command(DISCONNECTED, pdu[1], pdu[4:]))
