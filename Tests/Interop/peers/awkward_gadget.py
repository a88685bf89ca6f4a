# SPDX-License-Identifier: Apache-2.0
"""A peripheral with an awkward GATT database, which can also say what its database looks like."""

from __future__ import annotations

from typing import Any

from bumble.att import ATT_Error, Attribute, AttributeValue
from bumble.core import UUID
from bumble.device import Connection
from bumble.gatt import (
    Characteristic,
    CharacteristicDeclaration,
    Descriptor,
    IncludedServiceDeclaration,
    Service,
)

import contract
from peers.bench import Bench
from peers.gadget import FLAGS, Gadget, ad_name

ADDRESS = "C2:00:00:00:00:02"
NAME = "Awkward"

BATTERY_LEVEL = "2a19"
MANUFACTURER_NAME = "2a29"
FIRMWARE_REVISION = "2a26"
LONG_VALUE = "5a000001-0000-4000-8000-00805f9b34fc"
EMPTY_VALUE = "5a000002-0000-4000-8000-00805f9b34fc"
BINARY_VALUE = "5a000003-0000-4000-8000-00805f9b34fc"
REFUSED = "5a000004-0000-4000-8000-00805f9b34fc"
APPLICATION_ERROR = "5a000005-0000-4000-8000-00805f9b34fc"
EVERY_PROPERTY = "5a000006-0000-4000-8000-00805f9b34fc"
TWICE = "5a000007-0000-4000-8000-00805f9b34fc"
WRITTEN = "5a000008-0000-4000-8000-00805f9b34fc"
NOTIFIED = "5a000009-0000-4000-8000-00805f9b34fc"
INDICATED = "5a00000a-0000-4000-8000-00805f9b34fc"
WRITE_REFUSED = "5a00000b-0000-4000-8000-00805f9b34fc"
REFUSED_DESCRIPTOR = "5a0000ff-0000-4000-8000-00805f9b34fc"
THIRTY_TWO_BITS = "5a0b0001"
AWKWARD_SERVICE = "5a000000-0000-4000-8000-00805f9b34fc"

INSUFFICIENT_AUTHENTICATION = 0x05
FIRST_APPLICATION_ERROR = 0x80

READABLE = Attribute.READABLE
BOTH = Attribute.READABLE | Attribute.WRITEABLE
Properties = Characteristic.Properties

MAKER = "Künstler & Söhne"
LONG = bytes(index * 7 % 256 for index in range(512))


class _Anything:
    """Stands for a value that differs from link to link, and equals all."""

    def __eq__(self, _other: object) -> bool:
        return True

    def __repr__(self) -> str:
        return "anything"


def _refuse(code: int) -> AttributeValue[bytes]:
    def refuse(*_arguments: Any) -> bytes:
        raise ATT_Error(code)

    return AttributeValue(read=refuse, write=refuse)


class AwkwardGadget(Gadget):
    """16-, 32- and 128-bit UUIDs, an include, duplicates, every descriptor, lengths 0 to 512, refusals."""

    def __init__(self, bench: Bench, *, address: str = ADDRESS) -> None:
        self.written = b"\x00"
        self.notified = Characteristic(NOTIFIED, Properties.NOTIFY, READABLE, b"")
        self.indicated = Characteristic(INDICATED, Properties.INDICATE, READABLE, b"")
        battery = Service("180f", [Characteristic(BATTERY_LEVEL, Properties.READ, READABLE, b"\x5f")])
        included = Service(
            "fff0", [Characteristic("fff1", Properties.READ, READABLE, b"inside")], primary=False
        )
        self.written_value = Characteristic(
            WRITTEN,
            Properties.READ | Properties.WRITE | Properties.WRITE_WITHOUT_RESPONSE,
            BOTH,
            AttributeValue(read=self._on_read, write=self._on_write),
        )
        awkward = Service(AWKWARD_SERVICE, self._characteristics(), included_services=[included])
        services = [
            battery,
            Service(
                "180a",
                [
                    Characteristic(MANUFACTURER_NAME, Properties.READ, READABLE, MAKER.encode()),
                    Characteristic(FIRMWARE_REVISION, Properties.READ, READABLE, b"1.2.3"),
                ],
            ),
            Service("5a0b0000", [Characteristic(THIRTY_TWO_BITS, Properties.READ, READABLE, b"\x01")]),
            included,  # Before the service that includes it: Bumble would put it into that one's range.
            awkward,
            Service("fff7", []),
            Service("fff8", [Characteristic(TWICE, Properties.READ, READABLE, b"second")]),
        ]
        super().__init__(bench, NAME, address, services, FLAGS + ad_name(NAME))
        self.watch_subscription("notified", self.notified)
        self.watch_subscription("indicated", self.indicated)

    def _characteristics(self) -> list[Characteristic[Any]]:
        described = [
            Descriptor("2900", READABLE, bytes([0x01, 0x00])),
            Descriptor("2901", READABLE, "Wärme".encode()),
            Descriptor("2904", READABLE, bytes([0x0E, 0xFE, 0x2F, 0x27, 0x01, 0x00, 0x00])),
            Descriptor("2908", READABLE, bytes([0x01, 0x02])),
            Descriptor(REFUSED_DESCRIPTOR, READABLE, _refuse(INSUFFICIENT_AUTHENTICATION)),
        ]
        every = Properties(0xFF)
        return [
            Characteristic(LONG_VALUE, Properties.READ, READABLE, LONG),
            Characteristic(EMPTY_VALUE, Properties.READ, READABLE, b""),
            Characteristic(BINARY_VALUE, Properties.READ, READABLE, b"\xff\xfe\x00\x80"),
            Characteristic(REFUSED, Properties.READ, READABLE, _refuse(INSUFFICIENT_AUTHENTICATION)),
            Characteristic(APPLICATION_ERROR, Properties.READ, READABLE, _refuse(FIRST_APPLICATION_ERROR)),
            Characteristic(EVERY_PROPERTY, every, BOTH, b"everything", described),
            Characteristic(TWICE, Properties.READ, READABLE, b"first"),
            self.written_value,
            self.notified,
            self.indicated,
            Characteristic(WRITE_REFUSED, Properties.WRITE, BOTH, _refuse(FIRST_APPLICATION_ERROR)),
        ]

    def _on_read(self, _connection: Connection) -> bytes:
        return self.written

    def _on_write(self, _connection: Connection, data: bytes) -> None:
        self.written = bytes(data)
        self.note_write("written", data)

    # The database as `gatt tree` shall show it, but for names and texts

    def tree(self) -> list[dict[str, Any]]:
        """All services with handles, properties and readable values, from Bumble's own attribute table."""
        services: list[dict[str, Any]] = []
        for attribute in self.device.gatt_server.attributes:
            if isinstance(attribute, Service):
                services.append(
                    {
                        "uuid": short(attribute.uuid),
                        "handle": attribute.handle,
                        "end_handle": attribute.end_group_handle,
                        "primary": attribute.primary,
                        "includes": [],
                        "characteristics": [],
                    }
                )
            elif isinstance(attribute, IncludedServiceDeclaration):
                services_by_handle(services, attribute.handle)["includes"].append(
                    {
                        "uuid": short(attribute.service.uuid),
                        "handle": attribute.service.handle,
                        "end_handle": attribute.service.end_group_handle,
                    }
                )
            elif isinstance(attribute, CharacteristicDeclaration):
                services_by_handle(services, attribute.handle)["characteristics"].append(
                    {
                        "uuid": short(attribute.characteristic.uuid),
                        "handle": attribute.handle,
                        "value_handle": attribute.value_handle,
                        "properties": properties(attribute.characteristic.properties),
                        "octets": self._value(attribute.characteristic),
                        "descriptors": [],
                    }
                )
            elif isinstance(attribute, Descriptor):
                service = services_by_handle(services, attribute.handle)
                service["characteristics"][-1]["descriptors"].append(
                    {"uuid": short(attribute.type), "handle": attribute.handle}
                )
        return services

    def _value(self, characteristic: Characteristic[Any]) -> str | None | _Anything:
        refused = short(characteristic.uuid) in (REFUSED, APPLICATION_ERROR)
        if refused or not characteristic.properties & Properties.READ:
            return None
        if characteristic is self.written_value:
            return self.written.hex()
        # The features and the hash of the GATT service are made when they are read.
        return characteristic.value.hex() if isinstance(characteristic.value, bytes) else _Anything()

    def value_handles(self, uuid: str) -> list[int]:
        """The value handles of all characteristics with this UUID."""
        return [
            characteristic["value_handle"]
            for service in self.tree()
            for characteristic in service["characteristics"]
            if characteristic["uuid"] == uuid
        ]


def services_by_handle(services: list[dict[str, Any]], handle: int) -> dict[str, Any]:
    """The service in whose range a handle lies."""
    return next(service for service in services if service["handle"] <= handle <= service["end_handle"])


def short(uuid: UUID) -> str:
    """A UUID as the contract spells it: 4 or 8 lower-case digits if it is on the Bluetooth base."""
    text = uuid.to_hex_str("-").lower()
    if not text.endswith("-0000-1000-8000-00805f9b34fb"):
        return text
    return text[4:8] if text.startswith("0000") else text[:8]


def properties(bits: Characteristic.Properties) -> list[str]:
    return [name for position, name in enumerate(contract.PROPERTIES) if int(bits) & 1 << position]
