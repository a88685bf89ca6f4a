# SPDX-License-Identifier: Apache-2.0
"""Cameras, sensors and what looks like them, as they advertise.

Written from what has been published of them: the lists of names, prefixes and services in VirtuallyScott/flock-you and in
colonelpanichacks/flock-you, `datasets`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bumble.hci import Address

from peers.bench import Bench
from peers.gadget import FLAGS, Gadget, ad_name, ad_structure, ad_uuid128

XUNTONG = 0x09C8
ACCESSORY = "e8ccbb38-9532-46a8-9fe5-1814df172e6f"
GPS, POWER, NETWORK, UPLOAD, ERRORS = 0x3100, 0x3200, 0x3300, 0x3400, 0x3500
DEVICE_INFORMATION, THERMOMETER, LOCATION, HEART_RATE, HID = 0x180A, 0x1809, 0x1819, 0x180D, 0x1812


@dataclass
class Camera:
    """Something that advertises, and what it is: a kind's word, or None for what is no camera."""

    kind: str | None
    address: str
    name: str | None = None
    services: list[int] = field(default_factory=list)
    long_service: str | None = None
    maker: int | None = None
    public: bool = False
    sure: float = 0.0

    @property
    def data(self) -> bytes:
        data = FLAGS
        if self.services:
            data += ad_structure(0x03, b"".join(service.to_bytes(2, "little") for service in self.services))
        if self.long_service:
            data += ad_uuid128(self.long_service)
        if self.maker is not None:
            data += ad_structure(0xFF, self.maker.to_bytes(2, "little") + b"\x01\x02\x03")
        return data + self.structure_of_name if len(data + self.structure_of_name) <= 31 else data

    @property
    def structure_of_name(self) -> bytes:
        return b"" if self.name is None else ad_name(self.name)

    async def start(self, bench: Bench) -> Gadget:
        """Advertises, with the name in the scan response where there is no room: Bumble's controller sends no scan
        response but the advertisement again."""
        gadget = Gadget(bench, self.name or "camera", self.address, [], self.data)
        gadget.scan_response_data = self.structure_of_name
        if self.public:
            # Another than the bench gives, so that the prefix is somebody's.
            gadget.device.controller.public_address = Address(f"{self.address}/P")
        await gadget.start(public=self.public)
        return gadget


CAMERAS = {
    "battery by its name": Camera("flock_safety", "C8:21:40:9B:02:11", "FS Ext Battery", sure=0.85),
    "accessory by its service": Camera("flock_safety", "D1:22:33:44:55:66", long_service=ACCESSORY, sure=0.85),
    "camera by its prefix": Camera("flock_safety", "B4:1E:52:01:02:03", public=True, sure=0.7),
    "camera by part of its name": Camera("flock_safety", "F3:35:EA:0A:0B:0C", "Flock-58A1C0", sure=0.4),
    "pack by its name": Camera("penguin", "CC:09:24:B6:00:1D", "Penguin-2231907001", sure=0.75),
    "pack by its maker and a number": Camera("penguin", "CC:09:24:B6:00:1F", "2231907003", maker=XUNTONG, sure=0.44),
    "traffic camera": Camera("pigvision", "D4:3A:2E:61:7C:05", "Pigvision-22", sure=0.7),
    "gunshot detector": Camera(
        "raven", "E7:00:12:34:56:78", services=[DEVICE_INFORMATION, GPS, POWER, NETWORK, UPLOAD, ERRORS], sure=0.93
    ),
    "gunshot detector of the first firmware": Camera(
        "raven", "E7:00:12:34:56:7B", services=[DEVICE_INFORMATION, THERMOMETER, LOCATION], sure=0.35
    ),
    "gunshot detector by its prefix": Camera("raven", "D4:11:D6:00:00:03", "sensor", public=True, sure=0.6),
}

LOOKALIKES = {
    "the prefix on a random address": Camera(None, "D4:11:D6:01:02:03"),
    "a chip's prefix": Camera(None, "58:8E:81:00:00:01", "Thermostat", public=True),
    "a FlockFinder": Camera(
        None, "C0:FF:EE:F1:0C:09", "FlockFinder-S3", long_service="4fafc201-1fb5-459e-8fcc-c5c9c331914b"
    ),
    "a thermometer": Camera(None, "C0:1B:DC:00:00:01", "Thermo", services=[THERMOMETER, DEVICE_INFORMATION]),
    "a watch": Camera(
        None, "C0:1B:DC:00:00:05", "Watch", services=[HEART_RATE, THERMOMETER, LOCATION, DEVICE_INFORMATION]
    ),
    "a mouse called penguin": Camera(None, "C0:1B:DC:00:00:09", "Penguin Mouse", services=[HID]),
    "a phone called flock": Camera(None, "C0:1B:DC:00:00:07", "Flock of Seagulls", maker=0x004C),
    "nine digits and the maker": Camera(None, "C0:1B:DC:00:00:0D", "223190700", maker=XUNTONG),
    "a number alone": Camera(None, "C0:1B:DC:00:00:0C", "0123456789"),
    "a service one off": Camera(None, "C0:1B:DC:00:00:0F", services=[0x3101]),
}
