# SPDX-License-Identifier: Apache-2.0
"""Databases with every awkwardness that the specification allows, for both directions."""

from __future__ import annotations

import random

import contract
from peers.database import LAST_HANDLE, Database

MTUS = [23, 185, 247, 517]
LONGEST_VALUE = 512


def custom(number: int) -> str:
    """A UUID that is on no base."""
    return f"5b{number:06x}-0000-4000-8000-00805f9b34fc"


def octets(count: int, seed: int = 7) -> bytes:
    return bytes((index * seed + count) % 251 for index in range(count))


def begun(name: str = "Awkward") -> Database:
    """A database with the services that every device has."""
    database = Database(name)
    database.service("1800")
    database.characteristic("2a00", "read", name.encode())
    database.characteristic("2a01", "read", b"\x00\x02")
    database.service("1801")
    return database


def mixed_uuids() -> Database:
    """16-, 32- and 128-bit UUIDs in turn, everywhere, so that no list of a kind is long."""
    database = begun()
    for round_ in range(4):
        for uuid in (f"fe{round_:02x}", f"fe{round_:02x}0001", custom(round_ << 16)):
            database.service(uuid)
            for offset, value in enumerate(
                (f"ff{round_:02x}", f"ff{round_:02x}0001", custom(round_ << 16 | 1))
            ):
                database.characteristic(value, "read", octets(3 + offset))
                database.descriptor(custom(round_ << 16 | 2), octets(2))
                database.descriptor("2901", f"{round_} {offset}".encode())
                database.descriptor("ff000002", b"")
    # A UUID on the Bluetooth base one above what 16 bits can say, and the last one of 32 bits.
    database.service("00010000")
    database.characteristic("ffffffff", "read", b"\xff")
    return database


def duplicates() -> Database:
    """The same service, characteristic and descriptor UUIDs many times over."""
    database = begun()
    for service in range(5):
        for uuid in ("180f", custom(0xD0)):
            database.service(uuid)
            for value in range(3):
                database.characteristic("2a19", "read", bytes([service, value]))
                for number in range(2):
                    database.descriptor("2901", bytes([0x30 + number]))
                database.characteristic(custom(0xD1), "read", bytes([value, service]))
    return database


def includes() -> Database:
    """Includes of 16-, 32- and 128-bit services, ahead and back, of secondary services that include others."""
    database = begun()
    innermost = database.service(custom(0x10), primary=False)
    database.characteristic("fff1", "read", b"innermost")
    inner = database.service("fff0", innermost, primary=False)
    database.characteristic("fff1", "read", b"inner")
    wide = database.service("fff00002", primary=False)
    database.characteristic("fff1", "read", b"wide")
    outer = database.service(custom(0x11), inner, wide)  # It leads to the innermost by way of the inner one.
    database.characteristic("fff1", "read", b"outer")
    ahead = database.service("fff3", outer, later=1)  # A primary service may be included as well.
    last = database.service(custom(0x12), primary=False)
    ahead["includes"].append(last)
    database.service("fff4", *[inner, wide] * 4)
    database.characteristic("fff1", "read", b"many")
    return database


def circular_includes() -> Database:
    """Services that include each other and themselves: it should not be, and occurs."""
    database = begun()
    one = database.service("fff0", later=2)
    other = database.service(custom(0x20), one, later=1, primary=False)
    one["includes"] += [one, other]
    other["includes"].append(other)
    return database


def descriptors() -> Database:
    """Every descriptor that is assigned, with a value of its format, and some that are not."""
    database = begun()
    database.service(custom(0x30))
    database.characteristic(custom(0x31), "read write notify indicate extended_properties", b"described")
    for uuid, value in (
        ("2900", "0300"),  # Extended properties: reliable write, writable auxiliaries.
        ("2901", "Wärme".encode().hex()),  # User description.
        ("2903", "0000"),  # Server configuration.
        ("2904", "0efe2f27010000"),  # Presentation format.
        ("2904", "04002f27010000"),
        ("2905", "06000700"),  # Aggregate format: the handles of formats.
        ("2906", "00ff"),  # Valid range.
        ("2907", "192a"),  # External report reference.
        ("2908", "0102"),  # Report reference.
        ("2909", "08"),  # Number of digitals.
        ("290a", "00ff"),  # Value trigger.
        ("290b", "00"),  # Environmental sensing configuration.
        ("290c", "000001020304050607080a"),  # Environmental sensing measurement.
        ("290d", "0000"),  # Environmental sensing trigger.
        ("290e", "0001"),  # Time trigger.
        ("290f", "00"),  # Complete BR-EDR transport block.
        ("2910", "0102"),  # Observation schedule.
        ("2911", "0001ff"),  # Valid range and accuracy.
        ("29ff", "00"),
        ("fe010203", "00"),
        (custom(0x32), "00"),
        (custom(0x33), octets(300).hex()),
    ):
        database.descriptor(uuid, bytes.fromhex(value))
    database.characteristic(custom(0x34), "read", b"bare")
    return database


def gaps() -> Database:
    """Empty services, holes between and inside services, and a last service that ends at 0xFFFF."""
    database = Database()
    database.skip(2)
    database.service("1800")
    database.characteristic("2a00", "read", b"Awkward", at=0x0010, value_at=0x0020)
    database.end(0x00FF)
    database.service("fff0", at=0x0100)  # Empty.
    database.service(custom(0x40))  # Empty, and next to it.
    database.service("fff0", at=0x0200)
    database.end(0x02FF)  # Empty, with handles that nothing has.
    database.service("fff1", at=0x1000)
    database.characteristic("fff2", "read notify", b"hole", at=0x1100, value_at=0x1200)
    database.descriptor("2901", b"far", at=0x1300)
    database.characteristic(custom(0x41), "read", b"next", at=0x1301)
    database.end(0x7FFF)
    database.service(custom(0x42), at=0x8000)
    database.characteristic("fff3", "read", b"highest bit")
    database.service("fff4", at=0xFF00)
    database.characteristic("fff5", "read", b"before the last", at=0xFFF0)
    database.characteristic("fff6", "read notify", b"the last but one", at=0xFFFC)
    database.descriptor("2901", b"last", at=LAST_HANDLE)
    return database


def value_at_the_end() -> Database:
    """A value at the last handle there is."""
    database = begun()
    database.service("fff4", at=0xFFFD)
    database.characteristic("fff5", "read write", b"the last")
    assert database.next == LAST_HANDLE + 1
    return database


def service_at_the_end() -> Database:
    """A service declared at the last handle there is."""
    database = begun()
    database.service(custom(0x50), at=0x8000)
    database.end(LAST_HANDLE - 1)
    database.service("fff4", at=LAST_HANDLE)
    return database


def sizes() -> Database:
    """Values of every length at which a procedure changes, for each MTU."""
    lengths = {0, 1, 2, 19, 20, 21, 22, 23, 24, 44, 45, 252, 253, 254, 255, 256, 511, LONGEST_VALUE}
    for mtu in MTUS:
        lengths |= {mtu - 5, mtu - 4, mtu - 3, mtu - 2, mtu - 1, mtu, 2 * mtu - 2, 2 * mtu - 1}
    database = begun()
    database.service(custom(0x60))
    for length in sorted(length for length in lengths if length <= LONGEST_VALUE):
        database.characteristic(custom(0x6000 + length), "read write", octets(length))
    return database


def many() -> Database:
    """Enough of everything that each list takes many responses, whatever the MTU."""
    database = begun()
    for service in range(60):
        database.service(custom(0x7000 + service) if service % 3 else f"fd{service:02x}")
        for value in range(service % 4):
            uuid = custom(value) if service % 2 else f"fc{value:02x}"
            database.characteristic(uuid, "read notify", bytes([service]))
            for _ in range(value):
                database.descriptor("2901", b"x")
    return database


def scattered(seed: int) -> Database:
    """A database made by chance: services, includes, values and holes anywhere."""
    chance = random.Random(seed)

    def uuid() -> str:
        number = chance.randrange(0x20)
        return chance.choice((f"fe{number:02x}", f"fe{number:02x}0001", custom(number)))

    database = begun() if seed % 2 else Database()
    for _ in range(chance.randrange(1, 24)):
        if chance.random() < 0.3:
            database.skip(chance.randrange(1, 0x600))
        known = [service for service in database.services if chance.random() < 0.15]
        database.service(uuid(), *known, primary=chance.random() < 0.8)
        for _ in range(chance.choice((0, 1, 2, 7))):
            allowed = " ".join(name for name in contract.PROPERTIES if chance.random() < 0.4)
            length = chance.choice((0, 1, 20, 21, 22, 23, 182, 184, 185, LONGEST_VALUE))
            value = octets(length, chance.randrange(99))
            at = database.next + chance.choice((0, 0, 0, 3))
            database.characteristic(uuid(), allowed, value, at=at, value_at=at + chance.choice((1, 1, 2)))
            for _ in range(chance.choice((0, 0, 1, 3))):
                kind = chance.choice(("2901", "2904", uuid()))
                database.descriptor(kind, octets(chance.choice((0, 7, 60))))
        if chance.random() < 0.3:
            database.end(database.next + chance.randrange(0x40))
    return database


AWKWARD = {
    function.__name__: function
    for function in (
        mixed_uuids,
        duplicates,
        includes,
        descriptors,
        gaps,
        value_at_the_end,
        service_at_the_end,
        sizes,
        many,
    )
}
