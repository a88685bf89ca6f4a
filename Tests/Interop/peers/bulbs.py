# SPDX-License-Identifier: Apache-2.0
"""LED bulbs, one for each dialect, that record what is written to them, and understand it.

Each is from its source in Documentation/Protocols/led-bulb.md, of what its maker's app sends.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

from bumble.att import Attribute, AttributeValue
from bumble.device import Connection
from bumble.gatt import Characteristic, Service

from peers.bench import Bench
from peers.gadget import FLAGS, Gadget, ad_name
from peers.nightlight import own_uuid

ADDRESS = "B0:1B:00:00:00:01"
COLORIFIC, TRIONES, MAGIC_BLUE, ELK_BLEDOM = "colorific", "triones", "magic_blue", "elk_bledom"
LED_LAMP, LEDNETWF, BJ_LED = "led_lamp", "lednetwf", "bj_led"
READ, WRITE, COMMAND, NOTIFY = (
    Characteristic.Properties[name] for name in ("READ", "WRITE", "WRITE_WITHOUT_RESPONSE", "NOTIFY")
)


@dataclass(frozen=True)
class Dialect:
    """Where a bulb listens and answers, and what it is told."""

    service: str
    written: str
    on: str
    off: str
    notify_service: str | None = None
    notified: str | None = None

    def color(self, rgb: str) -> str:
        """The octets for a colour."""
        if self is DIALECTS[LEDNETWF]:
            hue, saturation, value = colorsys.rgb_to_hsv(*(octet / 255 for octet in bytes.fromhex(rgb)))
            return net_wf(bytes([0x3B, 0xA1, round(hue * 180) % 180, round(saturation * 100), round(value * 100)]))
        return COLORS[self].format(rgb)

    def white(self, percent: int) -> set[str]:
        """The octets for white, with either rounding."""
        if self is DIALECTS[ELK_BLEDOM]:
            return {f"7e050501{percent:02x}ffff08ef"}
        if self is DIALECTS[LED_LAMP]:
            return {f"7eff0501{percent:02x}ffffffef"}
        if self is DIALECTS[LEDNETWF]:
            return {net_wf(bytes([0x3B, 0xB1, 0, 0, 0, 100, percent]))}
        levels = {percent * 255 // 100, -(-percent * 255 // 100)}
        if self in (DIALECTS[COLORIFIC], DIALECTS[BJ_LED]):
            return {self.color(f"{level:02x}" * 3) for level in levels}
        return {f"56000000{level:02x}0faa" for level in levels}


def net_wf(message: bytes) -> str:
    """A message of LEDnetWF: a head, 12 octets, and the sum of those."""
    body = message.ljust(12, b"\0")
    return (bytes.fromhex("00008000000d0e0b") + body + bytes([sum(body) & 0xFF])).hex()


DIALECTS = {
    COLORIFIC: Dialect("1802", "2a06", "58010301ff00ffffff", "58010301ff00000000"),
    TRIONES: Dialect("ffd5", "ffd9", "cc2333", "cc2433", "ffd0", "ffd4"),
    MAGIC_BLUE: Dialect("ffe5", "ffe9", "cc2333", "cc2433", "ffe0", "ffe4"),
    ELK_BLEDOM: Dialect("fff0", "fff3", "7e040401ffffff00ef", "7e040400ffffff00ef", "fff0", "fff4"),
    LED_LAMP: Dialect("ffe0", "ffe1", "7eff0401ffffffffef", "7eff0400ffffffffef"),
    LEDNETWF: Dialect(
        "ffff", "ff01", net_wf(bytes.fromhex("3b230000000000000032")), net_wf(bytes.fromhex("3b240000000000000032")),
        "ffff", "ff02",
    ),
    BJ_LED: Dialect("eea0", "ee01", "6996060101", "6996020100", "eea0", "ee02"),
}
COLORS = {
    DIALECTS[COLORIFIC]: "58010301ff00{}",
    DIALECTS[TRIONES]: "56{}00f0aa",
    DIALECTS[MAGIC_BLUE]: "56{}00f0aa",
    DIALECTS[ELK_BLEDOM]: "7e070503{}00ef",
    DIALECTS[LED_LAMP]: "7eff0503{}ffef",
    DIALECTS[BJ_LED]: "69960502{}",
}
STATE_REQUEST = "ef0177"


class Bulb(Gadget):
    """A bulb that speaks some dialects: one, as a rule."""

    def __init__(
        self, bench: Bench, *dialects: str, address: str = ADDRESS, name: str = "LED bulb",
        properties: Characteristic.Properties = WRITE | COMMAND,
    ) -> None:
        self.received: list[tuple[str, str]] = []
        """Characteristic and octets of everything that was written."""
        self.is_on = True
        self.rgb = "000000"
        self.white = 0
        self.mode = 0x41
        self.state_answer: str | None = None
        """What it says when it is asked for its state, in place of the truth."""
        services: dict[str, list[Characteristic[bytes]]] = {}
        self.answers: dict[str, Characteristic[bytes]] = {}
        for key in dialects:
            dialect = DIALECTS[key]
            services.setdefault(dialect.service, []).append(self._written(dialect, properties))
            if dialect.notified is not None and dialect.notify_service is not None:
                characteristic = Characteristic(own_uuid(dialect.notified), NOTIFY, Attribute.READABLE, b"")
                services.setdefault(dialect.notify_service, []).append(characteristic)
                self.answers[dialect.written] = characteristic
        found = [Service(own_uuid(uuid), each) for uuid, each in services.items()]
        super().__init__(bench, name, address, found, FLAGS + ad_name(name))
        for key, characteristic in self.answers.items():
            self.watch_subscription(key, characteristic)

    def _written(self, dialect: Dialect, properties: Characteristic.Properties) -> Characteristic[bytes]:
        def write(connection: Connection, data: bytes) -> None:
            self.received.append((dialect.written, bytes(data).hex()))
            self._act(dialect, bytes(data), connection)
            self.note_write(dialect.written, data)

        return Characteristic(
            own_uuid(dialect.written), properties, Attribute.WRITEABLE, AttributeValue(write=write)
        )

    def _act(self, dialect: Dialect, data: bytes, connection: Connection) -> None:
        text = data.hex()
        if text in (dialect.on, dialect.off):
            self.is_on = text == dialect.on
        elif text == STATE_REQUEST and dialect.written in self.answers:
            self.bench.spawn(self._tell_state(connection, self.answers[dialect.written]))
        if text.startswith("56") and text.endswith("00f0aa"):
            self.rgb, self.white = text[2:8], 0
        elif text.startswith("56000000") and text.endswith("0faa"):
            self.rgb, self.white = "000000", data[4]

    async def _tell_state(self, connection: Connection, characteristic: Characteristic[bytes]) -> None:
        power = "23" if self.is_on else "24"
        state = f"6615{power}{self.mode:02x}2001{self.rgb}{self.white:02x}0399"
        value = bytes.fromhex(self.state_answer if self.state_answer is not None else state)
        await self.device.gatt_server.notify_subscriber(connection, characteristic, value)

    @property
    def octets(self) -> list[str]:
        """What was written, without the question for the state."""
        return [text for _, text in self.received if text != STATE_REQUEST]

    async def wait_for_writes(self, count: int, timeout: float = 15) -> list[str]:
        await self.changes.wait_until(lambda: len(self.octets) >= count, timeout, f"{count} writes", lambda: str(self))
        return self.octets

    def opcodes_of(self, octets: str) -> set[int]:
        """The ATT opcodes of the requests and commands that these octets came in."""
        return {bytes(pdu)[0] for pdu in self.att_requests if bytes.fromhex(octets) in bytes(pdu)}


class NoBulb(Gadget):
    """A gadget with the services of bulbs, and none of their characteristics."""

    def __init__(self, bench: Bench, address: str = ADDRESS) -> None:
        services = [
            Service(own_uuid(uuid), [Characteristic(own_uuid("ff01"), READ, Attribute.READABLE, b"x")])
            for uuid in ("1802", "ffe5", "180f")
        ]
        super().__init__(bench, "Tag", address, services, FLAGS + ad_name("Tag"))
