# SPDX-License-Identifier: Apache-2.0
"""A GATT database at chosen handles, as the JSON that `gatt tree --output` saves.

The same database is served by Bumble to our central, and by `device run replay` to Bumble's.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import contract

LAST_HANDLE = 0xFFFF
PRIMARY_SERVICE, SECONDARY_SERVICE, INCLUDE, CHARACTERISTIC = 0x2800, 0x2801, 0x2802, 0x2803
CCCD = "2902"
_DECLARATIONS = {f"{kind:04x}" for kind in (PRIMARY_SERVICE, SECONDARY_SERVICE, INCLUDE, CHARACTERISTIC)}

_BASE = "-0000-1000-8000-00805f9b34fb"


def uuid_octets(uuid: str) -> bytes:
    """A UUID of the contract as it stands in an ATT PDU: 2 octets, or 16.

    Spec: Core v5.4, Vol 3, Part F, 3.2.1.
    """
    if len(uuid) == 4:
        return struct.pack("<H", int(uuid, 16))
    whole = uuid + _BASE if len(uuid) == 8 else uuid
    return bytes.fromhex(whole.replace("-", ""))[::-1]


def uuid_text(octets: bytes) -> str:
    """A UUID of an ATT PDU as the contract spells it."""
    text = octets[::-1].hex()
    if len(octets) == 2:
        return text
    whole = "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
    if not whole.endswith(_BASE):
        return whole
    return whole[4:8] if whole.startswith("0000") else whole[:8]


def property_bits(names: list[str]) -> int:
    return sum(1 << contract.PROPERTIES.index(name) for name in names)


def property_names(bits: int) -> list[str]:
    return [name for position, name in enumerate(contract.PROPERTIES) if bits & 1 << position]


@dataclass
class Attribute:
    """One attribute: what is at a handle."""

    handle: int
    type: str
    value: bytes
    end: int = 0
    """The last handle of the group, of a service."""
    properties: list[str] = field(default_factory=list)
    """Of a value, those of its characteristic; of a descriptor, what may be done with it."""
    read_error: int = 0
    write_error: int = 0

    @property
    def is_declaration(self) -> bool:
        """Whether it may always be read and never be written. Spec: Core v5.4, Vol 3, Part G, 3.1 to 3.3.1."""
        return self.type in _DECLARATIONS

    @property
    def is_readable(self) -> bool:
        return self.is_declaration or "read" in self.properties


class Database:
    """A database that is put together in the order of its handles."""

    def __init__(self, name: str = "Awkward", address: str = "C2:00:00:00:00:02") -> None:
        self.name = name
        self.address = address
        self.services: list[dict[str, Any]] = []
        self.next = 1

    def _take(self, at: int | None) -> int:
        handle = self.next if at is None else at
        assert self.next <= handle <= LAST_HANDLE, f"0x{handle:04X} after 0x{self.next - 1:04X}"
        self.next = handle + 1
        if self.services:
            self.services[-1]["end_handle"] = max(handle, self.services[-1]["end_handle"])
        return handle

    def skip(self, count: int) -> None:
        """Leaves handles out."""
        self.next += count

    def service(
        self,
        uuid: str,
        *includes: dict[str, Any],
        later: int = 0,
        primary: bool = True,
        at: int | None = None,
    ) -> dict[str, Any]:
        """Begins a service that includes others; for so many `later` ones, which are to be appended to
        the `includes` of what is returned, the handles are kept free."""
        handle = self.next if at is None else at
        assert handle >= self.next
        service = {
            "uuid": uuid,
            "name": None,
            "handle": handle,
            "end_handle": handle + len(includes) + later,
            "primary": primary,
            "includes": list(includes),
            "characteristics": [],
        }
        self.services.append(service)
        self.next = service["end_handle"] + 1
        return service

    def characteristic(
        self,
        uuid: str,
        properties: str,
        value: bytes = b"",
        *,
        at: int | None = None,
        value_at: int | None = None,
        **more: Any,
    ) -> int:
        """Adds a characteristic with its properties separated by spaces; returns the handle of its value.

        One that notifies or indicates gets its configuration descriptor next. `more` is what `device run
        replay` takes beyond what is saved: `error_code`, `write_error`, `permissions`.
        """
        names = properties.split()
        entry: dict[str, Any] = {
            "uuid": uuid,
            "name": None,
            "handle": self._take(at),
            "value_handle": self._take(value_at),
            "properties": property_names(property_bits(names)),
            "octets": value.hex() if "read" in names else None,
            "text": None,
            "error": None,
            "descriptors": [],
            **more,
        }
        self.services[-1]["characteristics"].append(entry)
        if {"notify", "indicate"} & set(names):
            self.descriptor(CCCD, bytes(2))
        return entry["value_handle"]

    def descriptor(self, uuid: str, value: bytes, *, at: int | None = None) -> int:
        """Adds a descriptor to the last characteristic; returns its handle."""
        entry = {
            "uuid": uuid,
            "name": None,
            "handle": self._take(at),
            "octets": value.hex(),
            "error": None,
        }
        self.services[-1]["characteristics"][-1]["descriptors"].append(entry)
        return entry["handle"]

    def end(self, handle: int) -> None:
        """The last service ends here, whatever is in it."""
        self.services[-1]["end_handle"] = handle
        self.next = handle + 1

    # What it looks like

    def tree(self) -> dict[str, Any]:
        """The object that `gatt tree --output` saves."""
        services = [
            {
                **service,
                "includes": [
                    {key: included[key] for key in ("uuid", "handle", "end_handle")}
                    for included in service["includes"]
                ],
            }
            for service in self.services
        ]
        name = self.name.encode()
        return {
            "address": self.address,
            "address_kind": "random",
            "name": self.name,
            "advertisement": (bytes([2, 1, 6, len(name) + 1, 9]) + name).hex(),
            "mtu": 517,
            "services": services,
        }

    def save(self, path: Path) -> Path:
        path.write_text(json.dumps(self.tree()))
        return path

    def attributes(self) -> list[Attribute]:
        """Every attribute in the order of handles. Spec: Core v5.4, Vol 3, Part G, 3."""
        found: list[Attribute] = []
        for service in self.services:
            kind = PRIMARY_SERVICE if service["primary"] else SECONDARY_SERVICE
            found.append(
                Attribute(
                    service["handle"], f"{kind:04x}", uuid_octets(service["uuid"]), service["end_handle"]
                )
            )
            for position, included in enumerate(service["includes"], start=1):
                value = struct.pack("<HH", included["handle"], included["end_handle"])
                if len(included["uuid"]) == 4:
                    value += uuid_octets(included["uuid"])
                found.append(Attribute(service["handle"] + position, f"{INCLUDE:04x}", value))
            for entry in service["characteristics"]:
                properties = entry["properties"]
                value = struct.pack("<BH", property_bits(properties), entry["value_handle"])
                found.append(
                    Attribute(entry["handle"], f"{CHARACTERISTIC:04x}", value + uuid_octets(entry["uuid"]))
                )
                found.append(
                    Attribute(
                        entry["value_handle"],
                        entry["uuid"],
                        bytes.fromhex(entry["octets"] or ""),
                        properties=properties,
                        read_error=entry.get("error_code", 0),
                        write_error=entry.get("write_error", 0),
                    )
                )
                for descriptor in entry["descriptors"]:
                    allowed = ["read", "write"] if descriptor["uuid"] == CCCD else ["read"]
                    found.append(
                        Attribute(
                            descriptor["handle"],
                            descriptor["uuid"],
                            bytes.fromhex(descriptor["octets"]),
                            properties=allowed,
                        )
                    )
        return found

    def value(self, handle: int) -> bytes:
        """What an attribute holds."""
        return next(attribute.value for attribute in self.attributes() if attribute.handle == handle)


def bare(services: list[Any]) -> list[Any]:
    """Services without what is lantern's own: names, texts, errors. In the order of their handles."""
    return sorted(
        (
            {
                **{key: service[key] for key in ("uuid", "handle", "end_handle", "primary")},
            "includes": [
                {key: included[key] for key in ("uuid", "handle", "end_handle")}
                for included in service["includes"]
            ],
                "characteristics": [
                    {
                        **{
                            key: entry[key]
                            for key in ("uuid", "handle", "value_handle", "properties", "octets")
                        },
                        "descriptors": [
                            {key: descriptor[key] for key in ("uuid", "handle", "octets")}
                            for descriptor in entry["descriptors"]
                        ],
                    }
                    for entry in service["characteristics"]
                ],
            }
            for service in services
        ),
        key=lambda service: service["handle"],
    )
