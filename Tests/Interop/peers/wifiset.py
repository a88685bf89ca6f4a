# SPDX-License-Identifier: Apache-2.0
"""WiFiSet's messages, from its document: octets of a whole message, and messages out of pieces.

The prose of the specification is followed, not its three examples, whose length octets are wrong.
"""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

SERVICE = "4fafc201-1fb5-459e-8fcc-c5c9c331914b"
WIFI_LIST = "4fafc202-1fb5-459e-8fcc-c5c9c331914b"
CREDENTIAL_WRITE = "4fafc203-1fb5-459e-8fcc-c5c9c331914b"
STATUS = "4fafc204-1fb5-459e-8fcc-c5c9c331914b"

HEADER = 4
LONGEST_PAYLOAD = 257  # An Error with 255 octets of text.

OPEN, WEP, WPA2, ENTERPRISE, WPA3 = range(5)
SECURITY_NAMES = ["open", "wep", "wpa2", "wpa2_enterprise", "wpa3"]

STORED, INVALID_SSID, INVALID_PASSWORD, STORAGE_FAILURE = range(4)
ACK_NAMES = ["stored", "invalid_ssid_length", "invalid_password_length", "storage_failure"]

NOT_CONFIGURED, CONFIGURED, CONNECTING, CONNECTED, FAILED_TO_CONNECT = range(5)
STATE_NAMES = ["not_configured", "configured", "connecting", "connected", "failed"]

INVALID_MESSAGE, SCAN_FAILED, CREDENTIALS_FAILED, STORAGE_ERROR, CONNECTION_TIMEOUT, UNKNOWN_TYPE = range(
    1, 7
)
ERROR_NAMES = {
    INVALID_MESSAGE: "invalid_message",
    SCAN_FAILED: "scan_failed",
    CREDENTIALS_FAILED: "credential_write_failed",
    STORAGE_ERROR: "storage_error",
    CONNECTION_TIMEOUT: "connection_timeout",
    UNKNOWN_TYPE: "unknown_message_type",
}


class Malformed(Exception):
    """Octets that are no message."""


def frame(kind: int, sequence: int, payload: bytes = b"") -> bytes:
    """A header and its payload, whatever the type."""
    return struct.pack("<BBH", kind, sequence & 0xFF, len(payload)) + payload


@dataclass(frozen=True)
class Message:
    """What all messages have: a type, and a payload."""

    kind: ClassVar[int]

    def payload(self) -> bytes:
        return b""

    def encode(self, sequence: int) -> bytes:
        return frame(self.kind, sequence, self.payload())


class _Fields:
    """A payload taken field by field, to its end."""

    def __init__(self, payload: bytes) -> None:
        self.rest = payload

    def take(self, count: int) -> bytes:
        if count > len(self.rest):
            raise Malformed(f"a field of {count} octets, and {len(self.rest)} are left")
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def octet(self) -> int:
        return self.take(1)[0]

    def signed(self) -> int:
        return struct.unpack("<b", self.take(1))[0]

    def counted(self, least: int, most: int) -> bytes:
        """A length octet within bounds, and that many octets."""
        count = self.octet()
        if not least <= count <= most:
            raise Malformed(f"a length of {count}, where {least} to {most} is allowed")
        return self.take(count)

    def end(self) -> None:
        if self.rest:
            raise Malformed(f"{len(self.rest)} octets too many")


@dataclass(frozen=True)
class ListStart(Message):
    kind: ClassVar[int] = 0x01


@dataclass(frozen=True)
class Network(Message):
    """WiFi Network Entry."""

    kind: ClassVar[int] = 0x02
    ssid: bytes = b""
    rssi: int = -60
    security: int = WPA2
    channel: int = 6

    def payload(self) -> bytes:
        return (
            bytes([len(self.ssid)]) + self.ssid + struct.pack("<bBB", self.rssi, self.security, self.channel)
        )


@dataclass(frozen=True)
class ListEnd(Message):
    kind: ClassVar[int] = 0x03
    count: int = 0

    def payload(self) -> bytes:
        return bytes([self.count])


@dataclass(frozen=True)
class Credentials(Message):
    """Credential Write."""

    kind: ClassVar[int] = 0x10
    ssid: bytes = b""
    password: bytes = b""

    def payload(self) -> bytes:
        return bytes([len(self.ssid)]) + self.ssid + bytes([len(self.password)]) + self.password


@dataclass(frozen=True)
class Ack(Message):
    kind: ClassVar[int] = 0x11
    status: int = STORED

    def payload(self) -> bytes:
        return bytes([self.status])


@dataclass(frozen=True)
class StatusRequest(Message):
    kind: ClassVar[int] = 0x20


@dataclass(frozen=True)
class Status(Message):
    """Status Response."""

    kind: ClassVar[int] = 0x21
    state: int = NOT_CONFIGURED
    rssi: int = 0
    ip: str = "0.0.0.0"
    ssid: bytes = b""

    def payload(self) -> bytes:
        ip = ipaddress.IPv4Address(self.ip).packed
        return struct.pack("<Bb", self.state, self.rssi) + ip + bytes([len(self.ssid)]) + self.ssid


@dataclass(frozen=True)
class Error(Message):
    kind: ClassVar[int] = 0xFF
    code: int = INVALID_MESSAGE
    text: bytes = b""

    def payload(self) -> bytes:
        return bytes([self.code, len(self.text)]) + self.text


def _read(kind: int, fields: _Fields) -> Message:
    if kind == ListStart.kind:
        return ListStart()
    if kind == Network.kind:
        return Network(fields.counted(0, 32), fields.signed(), fields.octet(), fields.octet())
    if kind == ListEnd.kind:
        return ListEnd(fields.octet())
    if kind == Credentials.kind:
        return Credentials(fields.counted(1, 32), fields.counted(0, 63))
    if kind == Ack.kind:
        return Ack(fields.octet())
    if kind == StatusRequest.kind:
        return StatusRequest()
    if kind == Status.kind:
        state, rssi, ip = fields.octet(), fields.signed(), str(ipaddress.IPv4Address(fields.take(4)))
        return Status(state, rssi, ip, fields.counted(0, 32))
    if kind == Error.kind:
        return Error(fields.octet(), fields.counted(0, 255))
    raise Malformed(f"type 0x{kind:02X} is none of the specification's")


def decode(octets: bytes) -> tuple[int, Message]:
    """The sequence number and the message of exactly one message's octets."""
    if len(octets) < HEADER:
        raise Malformed(f"{len(octets)} of {HEADER} octets of a header")
    kind, sequence, length = struct.unpack_from("<BBH", octets)
    if length != len(octets) - HEADER:
        raise Malformed(f"the header announces {length} octets, {len(octets) - HEADER} follow")
    fields = _Fields(octets[HEADER:])
    message = _read(kind, fields)
    fields.end()
    return sequence, message


class Assembler:
    """Messages out of the pieces of one characteristic in one direction: concatenation, cut by the headers."""

    def __init__(self) -> None:
        self.held = b""

    def feed(self, piece: bytes) -> list[bytes]:
        """The octets of every message that the piece completes."""
        self.held += piece
        whole: list[bytes] = []
        while len(self.held) >= HEADER:
            length = int.from_bytes(self.held[2:4], "little")
            if length > LONGEST_PAYLOAD:
                raise Malformed(f"a header announces {length} octets")
            if len(self.held) < HEADER + length:
                break
            whole.append(self.held[: HEADER + length])
            self.held = self.held[HEADER + length :]
        return whole


def pieces_of(octets: bytes, size: int) -> list[bytes]:
    """Octets cut into pieces of a size."""
    return [octets[offset : offset + size] for offset in range(0, len(octets), size)]


def cut_at(octets: bytes, *positions: int) -> list[bytes]:
    """Octets cut at these positions."""
    edges = [0, *positions, len(octets)]
    return [octets[start:end] for start, end in zip(edges, edges[1:])]


class SequenceTracker:
    """Gaps and repeats in what one endpoint sends on one link, across characteristics."""

    def __init__(self) -> None:
        self.gaps = 0
        self.repeats = 0
        self.first: int | None = None
        self._before: bytes | None = None

    def note(self, whole: bytes) -> bool:
        """Takes the octets of a message; returns whether it repeats the one before."""
        before, self._before = self._before, whole
        if before is None:
            self.first = whole[1]
        elif before == whole:
            self.repeats += 1
            return True
        elif whole[1] != (before[1] + 1) & 0xFF:
            self.gaps += 1
        return False

    def note_all(self, messages: Iterable[bytes]) -> None:
        for whole in messages:
            self.note(whole)
