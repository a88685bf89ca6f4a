# SPDX-License-Identifier: Apache-2.0
"""A WiFiSet device on a test's radio: it hears networks, takes credentials, and joins, or not, when a test wants it."""

from __future__ import annotations

import scripted_radio  # noqa: F401  It says where the messages of the devices are.
from peers.wifiset import (
    CONNECTED, CONNECTING, CREDENTIAL_WRITE, ENTERPRISE, FAILED_TO_CONNECT, OPEN, SERVICE, STATUS, WEP, WIFI_LIST, WPA2, WPA3,
    Ack, Assembler, Credentials, ListEnd, ListStart, Message, Network, Status, StatusRequest, decode,
)  # fmt: skip
from scripted_radio import Device

NETWORKS = [
    Network("Maple 12 upstairs".encode(), -48, WPA2, 6), Network("Maple 12 upstairs".encode(), -71, WPA2, 1),
    Network("Garten".encode(), -57, WPA3, 11), Network("Gästenetz Stadtbücherei Überl".encode(), -66, OPEN, 1),
    Network("Cellar\u202e71".encode(), -74, WEP, 3), Network(b"<script>alert(1)</script>", -79, WPA2, 13),
    Network(b"B\xe4ckerei", -81, WPA2, 4), Network(b"Campus staff", -63, ENTERPRISE, 9), Network(b"", -60, WPA2, 6),
]  # fmt: skip


class WiFiSet(Device):
    """What it says is in messages of the specification; in which network it is, a test says."""

    def __init__(self, networks: list[Network] = NETWORKS, address: str = "24:6F:28:11:C4:5B/P") -> None:
        layout = {SERVICE: {WIFI_LIST: ("read notify", ""), CREDENTIAL_WRITE: ("write", ""), STATUS: ("read notify", "")}}
        super().__init__("ESP32-WiFiSet", layout, -57, address=address)
        self.networks, self.state = networks, Status()
        self.tries: list[Credentials] = []
        """The credentials that it was given."""
        self.sequence, self.pieces = 0, Assembler()
        self.when_written, self.when_subscribed = self.do, self.list

    @property
    def passwords(self) -> list[str]:
        return [one.password.decode() for one in self.tries]

    def octets(self, message: Message) -> bytes:
        self.sequence += 1
        return message.encode(self.sequence - 1)

    def value(self, handle: int) -> str:
        return self.octets(self.state).hex() if handle == self.handles[STATUS] else ""

    def list(self, handle: int) -> list[tuple[int, str]]:
        if handle != self.handles[WIFI_LIST]:
            return []
        return [(handle, self.octets(one).hex()) for one in (ListStart(), *self.networks, ListEnd(len(self.networks)))]

    def do(self, handle: int, value: str) -> list[tuple[int, str]]:
        answers: list[Message] = []
        for octets in self.pieces.feed(bytes.fromhex(value)):
            message = decode(octets)[1]
            if isinstance(message, Credentials):
                self.tries.append(message)
                answers += [Ack(), Status(CONNECTING, 0, "0.0.0.0", message.ssid)]
            if isinstance(message, StatusRequest):
                answers.append(self.state)
        return [(self.handles[STATUS], self.octets(one).hex()) for one in answers]

    def say(self, *states: Status) -> None:
        """It tells how it is."""
        self.state = states[-1]
        self.radio.send(self, STATUS, *map(self.octets, states))

    def join(self, ip: str = "192.168.178.61") -> None:
        """It is in the network that it was given last."""
        self.say(Status(CONNECTED, -51, ip, self.tries[-1].ssid))

    def fail(self, back: str = "Garage") -> None:
        """It is not, and goes back to the one in which it was."""
        self.say(Status(FAILED_TO_CONNECT, 0, "0.0.0.0", self.tries[-1].ssid), Status(CONNECTED, -60, "192.168.178.61", back.encode()))
