# SPDX-License-Identifier: Apache-2.0
"""A Bumble peripheral that serves a `Database` at exactly its handles, through Bumble's own GATT server."""

from __future__ import annotations

from typing import Any

from bumble import att
from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, Descriptor

from peers.bench import Bench
from peers.database import CCCD, Attribute, Database, property_bits, uuid_octets
from peers.gadget import FLAGS, Gadget, ad_name

READ_NOT_PERMITTED, WRITE_NOT_PERMITTED = 0x02, 0x03
_BOTH = att.Attribute.READABLE | att.Attribute.WRITEABLE


class TreeServer:
    """Puts a database into the GATT server of a Bumble device, in place of what Bumble put there itself.

    Known differences: readable-unchecked, include-declarations.
    """

    def __init__(self, device: Device, database: Database) -> None:
        self.database = database
        self.values: dict[int, bytes] = {}
        self.characteristics: dict[int, Characteristic[bytes]] = {}
        self.written: list[tuple[int, bytes]] = []
        self._server = device.gatt_server
        self._server.attributes.clear()
        self._server.attributes_by_handle.clear()
        self._server.services.clear()
        for attribute in database.attributes():
            self.values[attribute.handle] = attribute.value
            self._server.attributes.append(self._served(attribute))

    def _served(self, attribute: Attribute) -> att.Attribute[Any]:
        uuid = UUID.from_bytes(uuid_octets(attribute.type))
        value: Any = self._value(attribute)
        served: att.Attribute[Any]
        if attribute.type == CCCD:
            # Of the characteristic before it; Bumble keeps a subscription for each connection.
            described = self.characteristics[max(self.characteristics)]
            served = Descriptor(uuid, _BOTH, self._server.make_descriptor_value(described))
        elif {"notify", "indicate"} & set(attribute.properties):
            properties = Characteristic.Properties(property_bits(attribute.properties))
            served = Characteristic(uuid, properties, _BOTH, value)
            self.characteristics[attribute.handle] = served
        else:
            served = att.Attribute(uuid, _BOTH, value)
        served.handle = attribute.handle
        served.end_group_handle = attribute.end or attribute.handle
        return served

    def _value(self, attribute: Attribute) -> att.AttributeValue[bytes] | bytes:
        if attribute.is_declaration:
            return attribute.value
        handle, allowed = attribute.handle, attribute.properties

        def read(_connection: Any) -> bytes:
            code = attribute.read_error or (0 if attribute.is_readable else READ_NOT_PERMITTED)
            if code:
                raise att.ATT_Error(code)
            return self.values[handle]

        def write(_connection: Any, value: bytes) -> None:
            may = {"write", "write_without_response"} & set(allowed)
            code = attribute.write_error or (0 if may else WRITE_NOT_PERMITTED)
            if code:
                raise att.ATT_Error(code)
            self.values[handle] = bytes(value)
            self.written.append((handle, bytes(value)))

        return att.AttributeValue(read=read, write=write)


class TreeGadget(Gadget):
    """A `TreeServer` that advertises on the bench."""

    def __init__(self, bench: Bench, database: Database) -> None:
        super().__init__(bench, database.name, database.address, [], FLAGS + ad_name(database.name))
        self.database = database
        self.server = TreeServer(self.device, database)
        for handle, characteristic in self.server.characteristics.items():
            self.watch_subscription(f"0x{handle:04x}", characteristic)
