# SPDX-License-Identifier: Apache-2.0
"""A fixed channel of a Bumble connection without Bumble's protocols on it: octets out, octets in."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable, Sequence

from bumble.device import Connection

from peers.changes import Changes
from peers.database import uuid_octets

ATT_CID, SIGNALLING_CID, SMP_CID = 0x0004, 0x0005, 0x0006
PATIENCE = 10.0

ERROR = 0x01
INVALID_HANDLE, READ_NOT_PERMITTED, WRITE_NOT_PERMITTED, INVALID_PDU = 0x01, 0x02, 0x03, 0x04
NOT_SUPPORTED, INVALID_OFFSET, QUEUE_FULL, NOT_FOUND, NOT_LONG = 0x06, 0x07, 0x09, 0x0A, 0x0B
INVALID_LENGTH, UNSUPPORTED_GROUP = 0x0D, 0x10


class RawChannel:
    """The PDUs that arrive on one channel of one connection, in order, taken from Bumble; all, or some."""

    def __init__(
        self, connection: Connection, cid: int, takes: Callable[[bytes], bool] = lambda _pdu: True
    ) -> None:
        self.connection = connection
        self.cid = cid
        self.received: deque[bytes] = deque()
        self.changes = Changes()
        self.patience = PATIENCE
        manager = connection.device.l2cap_channel_manager
        pass_on = manager.on_pdu

        def on_pdu(of: Connection, cid: int, pdu: bytes) -> None:
            if of is connection and cid == self.cid and takes(pdu):
                self.received.append(bytes(pdu))
                self.changes.notify()
            else:
                pass_on(of, cid, pdu)

        manager.on_pdu = on_pdu

    def send(self, pdu: bytes) -> None:
        self.connection.send_l2cap_pdu(self.cid, pdu)

    async def next(self) -> bytes:
        what = f"a PDU on 0x{self.cid:04X}"
        await self.changes.wait_until(lambda: bool(self.received), self.patience, what)
        return self.received.popleft()

    async def ask(self, pdu: bytes) -> bytes:
        """Sends a PDU and returns the next that comes."""
        assert not self.received, f"came unasked: {list(self.received)}"
        self.send(pdu)
        return await self.next()


class RawBearer(RawChannel):
    """The ATT bearer, with PDUs put together from the specification. Spec: Core v5.4, Vol 3, Part F, 3.4."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, ATT_CID)
        self.mtu = 23

    async def exchange_mtu(self, mtu: int) -> int:
        """Asks for an MTU and returns the one that is now in force."""
        answer = await self.ask(struct.pack("<BH", 0x02, mtu))
        opcode, theirs = struct.unpack("<BH", answer)
        assert opcode == 0x03, answer.hex()
        self.mtu = max(23, min(mtu, theirs))
        return self.mtu

    async def is_silent_after(self, pdu: bytes) -> bool:
        """Whether nothing answers a PDU: the next that comes answers a request that is sent behind it."""
        self.send(pdu)
        return await self.ask(find_information(0, 0)) == error(0x04, 0, INVALID_HANDLE)

    async def read(self, handle: int) -> bytes:
        """A whole value, however long."""
        answer = await self.ask(handle_request(0x0A, handle))
        assert answer[0] == 0x0B, answer.hex()
        value = answer[1:]
        part = value
        while len(part) == self.mtu - 1:
            answer = await self.ask(read_blob(handle, len(value)))
            if answer[0] == ERROR and answer[4] in (NOT_LONG, INVALID_OFFSET):
                break
            assert answer[0] == 0x0D, answer.hex()
            part = answer[1:]
            value += part
        return value

    async def write(self, handle: int, value: bytes) -> None:
        answer = await self.ask(handle_request(0x12, handle, value))
        assert answer == b"\x13", answer.hex()

    async def types(self) -> list[tuple[int, bytes]]:
        """The handle and type of every attribute, by Find Information. Spec: 3.4.3.2."""
        found: list[tuple[int, bytes]] = []
        start = 1
        while start <= 0xFFFF:
            answer = await self.ask(find_information(start, 0xFFFF))
            if answer[0] == ERROR:
                assert answer == error(0x04, start, NOT_FOUND), answer.hex()
                break
            assert answer[0] == 0x05 and len(answer) <= self.mtu, answer.hex()
            size = {1: 2, 2: 16}[answer[1]] + 2
            entries = answer[2:]
            assert entries and len(entries) % size == 0, answer.hex()
            for offset in range(0, len(entries), size):
                entry = entries[offset : offset + size]
                handle = int.from_bytes(entry[:2], "little")
                assert handle >= start, "handles ascend"
                found.append((handle, entry[2:]))
                start = handle + 1
        return found

    async def groups(self, kind: int) -> list[tuple[int, int, bytes]]:
        """Handle, end and value of all services of a kind, by Read By Group Type. Spec: 3.4.4.10."""
        found: list[tuple[int, int, bytes]] = []
        start = 1
        while start <= 0xFFFF:
            answer = await self.ask(by_type(0x10, start, 0xFFFF, f"{kind:04x}"))
            if answer[0] == ERROR:
                assert answer == error(0x10, start, NOT_FOUND), answer.hex()
                break
            assert answer[0] == 0x11 and len(answer) <= self.mtu, answer.hex()
            size, entries = answer[1], answer[2:]
            assert entries and len(entries) % size == 0, answer.hex()
            for offset in range(0, len(entries), size):
                entry = entries[offset : offset + size]
                handle, end = struct.unpack_from("<HH", entry)
                assert start <= handle <= end, "handles ascend"
                found.append((handle, end, entry[4:]))
                start = end + 1
        return found


# PDUs


def error(request: int, handle: int, code: int) -> bytes:
    return struct.pack("<BBHB", ERROR, request, handle, code)


def find_information(start: int, end: int) -> bytes:
    return struct.pack("<BHH", 0x04, start, end)


def find_by_type_value(start: int, end: int, kind: int, value: bytes) -> bytes:
    return struct.pack("<BHHH", 0x06, start, end, kind) + value


def by_type(opcode: int, start: int, end: int, uuid: str) -> bytes:
    """Read By Type (0x08) or Read By Group Type (0x10)."""
    return struct.pack("<BHH", opcode, start, end) + uuid_octets(uuid)


def handle_request(opcode: int, handle: int, value: bytes = b"") -> bytes:
    """Read (0x0A), Write (0x12), Write Command (0x52)."""
    return struct.pack("<BH", opcode, handle) + value


def read_blob(handle: int, offset: int) -> bytes:
    return struct.pack("<BHH", 0x0C, handle, offset)


def read_multiple(opcode: int, handles: Sequence[int]) -> bytes:
    """Read Multiple (0x0E) or Read Multiple Variable (0x20)."""
    return bytes([opcode]) + b"".join(struct.pack("<H", handle) for handle in handles)


def prepare_write(handle: int, offset: int, value: bytes) -> bytes:
    return struct.pack("<BHH", 0x16, handle, offset) + value


def execute_write(flags: int) -> bytes:
    return bytes([0x18, flags])
