# SPDX-License-Identifier: Apache-2.0
"""Looks at a server as Bumble's client does, and attribute by attribute, to hold it against a database."""

from __future__ import annotations

from typing import Any

from bumble.device import Peer

from peers.database import (
    LAST_HANDLE,
    PRIMARY_SERVICE,
    SECONDARY_SERVICE,
    Database,
    property_bits,
    uuid_octets,
)
from peers.raw import RawBearer


def seen_by(peer: Peer) -> list[Any]:
    """Services, characteristics and descriptors as Bumble's client has found them, in the order of handles."""
    return [
        (
            service.handle,
            service.end_group_handle,
            service.uuid.to_pdu_bytes(),
            [
                (
                    entry.handle,
                    entry.uuid.to_pdu_bytes(),
                    int(entry.properties),
                    [(descriptor.handle, descriptor.type.to_pdu_bytes()) for descriptor in entry.descriptors],
                )
                for entry in service.characteristics
            ],
        )
        for service in peer.services
    ]


def primary_services(database: Database) -> list[Any]:
    """The same of the database."""
    return [
        (
            service["handle"],
            service["end_handle"],
            uuid_octets(service["uuid"]),
            [
                (
                    entry["value_handle"],
                    uuid_octets(entry["uuid"]),
                    property_bits(entry["properties"]),
                    [
                        (descriptor["handle"], uuid_octets(descriptor["uuid"]))
                        for descriptor in entry["descriptors"]
                    ],
                )
                for entry in service["characteristics"]
            ],
        )
        for service in database.services
        if service["primary"]
    ]


def assert_seen(peer: Peer, database: Database) -> None:
    """Bumble's client has found all that it can (known difference: last-handle-unseen)."""
    expected = [entry for entry in primary_services(database) if entry[0] != LAST_HANDLE]
    assert seen_by(peer) == expected


async def assert_serves(bearer: RawBearer, database: Database) -> None:
    """Every attribute, and nothing else, by Find Information, Read By Group Type, Read and Read Blob."""
    attributes = database.attributes()
    assert await bearer.types() == [(entry.handle, uuid_octets(entry.type)) for entry in attributes]
    for kind in (PRIMARY_SERVICE, SECONDARY_SERVICE):
        assert await bearer.groups(kind) == [
            (entry.handle, entry.end, entry.value) for entry in attributes if entry.type == f"{kind:04x}"
        ]
    for entry in attributes:
        if entry.is_readable:
            assert await bearer.read(entry.handle) == entry.value, hex(entry.handle)
