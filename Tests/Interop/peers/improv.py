# SPDX-License-Identifier: Apache-2.0
"""Improv Wi-Fi over BLE 2.2, typed from the standard (improv-wifi.com/ble) by somebody who had not seen Lantern's."""

from __future__ import annotations

SERVICE = "00467768-6228-2272-4663-277478268000"
STATE = "00467768-6228-2272-4663-277478268001"
ERROR = "00467768-6228-2272-4663-277478268002"
COMMAND = "00467768-6228-2272-4663-277478268003"
RESULT = "00467768-6228-2272-4663-277478268004"
CAPABILITIES = "00467768-6228-2272-4663-277478268005"
SERVICE_DATA = 0x4677

AUTHORIZATION_REQUIRED, AUTHORIZED, PROVISIONING, PROVISIONED = 1, 2, 3, 4
NO_ERROR, INVALID_PACKET, UNKNOWN_COMMAND, UNABLE_TO_CONNECT, NOT_AUTHORIZED, UNKNOWN = 0, 1, 2, 3, 4, 0xFF
WIFI_SETTINGS, IDENTIFY, DEVICE_INFO, SCAN = 1, 2, 3, 4
CAN_IDENTIFY, CAN_TELL_INFO, CAN_SCAN = 1, 2, 4

NAME, ADDRESS = "improv-peer", "C2:57:1F:15:E7:46"
INFO = ["ESPHome", "2026.11.0", "ESP32-C3", "Temperature Monitor"]
NETWORKS = ["Home", "-48", "WPA2", "Cafe", "-70", "NO"]
URL = "http://192.168.1.50/setup"


class Malformed(ValueError):
    """Octets that are no packet."""


def sealed(octets: bytes) -> bytes:
    """With the low octet of the sum of everything before."""
    return octets + bytes([sum(octets) & 0xFF])


def packet(identifier: int, data: bytes = b"") -> bytes:
    """A command or a result."""
    return sealed(bytes([identifier, len(data)]) + data)


def strings(*texts: str | bytes) -> bytes:
    """Each with its length before it."""
    octets = [text.encode() if isinstance(text, str) else text for text in texts]
    return b"".join(bytes([len(text)]) + text for text in octets)


def strings_in(data: bytes) -> list[bytes]:
    """What `strings` has put together."""
    found = []
    while data:
        length, data = data[0], data[1:]
        if len(data) < length:
            raise Malformed("a string that ends too early")
        found.append(data[:length])
        data = data[length:]
    return found


def wifi_settings(ssid: str | bytes, password: str | bytes) -> bytes:
    return packet(WIFI_SETTINGS, strings(ssid, password))


def result(identifier: int, *texts: str | bytes) -> bytes:
    return packet(identifier, strings(*texts))


def opened(octets: bytes) -> tuple[int, bytes]:
    """The identifier and data of one whole packet."""
    if len(octets) < 3 or len(octets) != octets[1] + 3:
        raise Malformed("the length does not fit")
    if sum(octets[:-1]) & 0xFF != octets[-1]:
        raise Malformed("the checksum does not fit")
    return octets[0], octets[2:-1]


class Assembler:
    """Puts packets together that come in pieces."""

    def __init__(self) -> None:
        self.held = b""

    def feed(self, piece: bytes) -> list[bytes]:
        self.held += piece
        packets = []
        while len(self.held) >= 2 and len(self.held) >= self.held[1] + 3:
            length = self.held[1] + 3
            packets.append(self.held[:length])
            self.held = self.held[length:]
        return packets


def pieces(octets: bytes, size: int) -> list[bytes]:
    return [octets[start : start + size] for start in range(0, len(octets), size)]


def service_data(state: int, capabilities: int) -> bytes:
    """The AD structure of the advertisement. Type 0x16, UUID with its low octet first."""
    return bytes([0x09, 0x16, 0x77, 0x46, state, capabilities, 0, 0, 0, 0])
