# SPDX-License-Identifier: Apache-2.0
"""Proves `lantern device run bulb` with a Bumble central that drives every dialect."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from bumble.att import ATT_Error

from lantern import DONE, WRONG_USAGE, Lantern, Run
from peers.bench import Bench
from peers.bulbs import DIALECTS, ELK_BLEDOM, LEDNETWF, MAGIC_BLUE, TRIONES, COLORIFIC
from peers.central import Central
from test_bulb_client import EVERY, WITH_STATE, words_of


@dataclass
class OurBulb:
    """Our bulb of one dialect, with a Bumble central connected to it."""

    key: str
    run: Run
    central: Central

    def handle(self) -> int:
        return self.central.characteristic(DIALECTS[self.key].written).handle

    async def tell(self, octets: str, with_response: bool = False) -> None:
        characteristic = self.central.characteristic(DIALECTS[self.key].written)
        await characteristic.write_value(bytes.fromhex(octets), with_response=with_response)

    def writes(self) -> list[str]:
        return [line["octets"] for line in self.run.events("attribute_written")]

    def colors(self) -> list[str]:
        return [line["shown"] for line in self.run.events("bulb_shines")]

    async def shows(self, color: str, count: int) -> None:
        """Waits for the `count`th write and the colour after it."""
        await self.run.wait_until(
            lambda: len(self.writes()) >= count and self.colors()[-1:] == [color], f"{color} after {count} writes"
        )


# The hue, saturation and brightness of LEDnetWF are not as fine as the colours that these tests compare.
@pytest.fixture(params=[key for key in EVERY if key != LEDNETWF])
async def our_bulb(request: pytest.FixtureRequest, bench: Bench, lantern: Lantern) -> AsyncIterator[OurBulb]:
    word = (await words_of(lantern))[request.param]
    run = await lantern.start("device", "run", "bulb", "--dialect", word, "--json")
    central = Central(bench)
    await central.start()
    await central.connect((await central.find()).address)
    yield OurBulb(request.param, run, central)
    assert (await run.interrupt()).status == DONE


@pytest.mark.parametrize("key", [TRIONES, ELK_BLEDOM])
async def test_a_write_is_named_as_the_explorer_names_it(key: str, bench: Bench, lantern: Lantern) -> None:
    """By the same name at the same handle, on both sides of the link."""
    dialect = DIALECTS[key]
    run = await lantern.start("device", "run", "bulb", "--dialect", (await words_of(lantern))[key])
    central = Central(bench)
    await central.start()
    address = str((await central.find()).address).split("/")[0]
    port = await bench.add_port()
    octets = dialect.color("ff8800")
    told = await lantern.run("gatt", "write", address, dialect.written, octets, radio=port.radio)
    (place,) = re.findall(r"(?:written|sent) to (.+ at 0x[0-9a-f]{4})\.", told.stdout)
    await run.wait_until(lambda: f"{octets} written to {place}\n" in run.stdout, f"a write to {place}")
    assert (told.status, (await run.interrupt()).status) == (DONE, DONE)


async def test_what_it_serves(our_bulb: OurBulb) -> None:
    peer = our_bulb.central.peer
    assert peer is not None
    dialect = DIALECTS[our_bulb.key]
    characteristic = our_bulb.central.characteristic(dialect.written)
    assert int(characteristic.properties) & 0x04, "it takes writes without response"
    found = {str(each.uuid).lower() for each in peer.services}
    assert any(dialect.service in uuid for uuid in found), found
    if our_bulb.key in WITH_STATE:
        assert dialect.notified is not None
        assert int(our_bulb.central.characteristic(dialect.notified).properties) & 0x10


async def test_colours_and_writes_are_told(our_bulb: OurBulb) -> None:
    dialect = DIALECTS[our_bulb.key]
    written = [dialect.color(rgb) for rgb in ("ff8800", "0001fe", "000000", "ffffff")]
    for count, (octets, color) in enumerate(zip(written, ("#ff8800", "#0001fe", "#000000", "#ffffff")), start=1):
        await our_bulb.tell(octets)
        await our_bulb.shows(color, count)
    assert our_bulb.writes() == written
    assert {line["handle"] for line in our_bulb.run.events("attribute_written")} == {our_bulb.handle()}


async def test_off_is_dark_and_on_is_light(our_bulb: OurBulb) -> None:
    dialect = DIALECTS[our_bulb.key]
    await our_bulb.tell(dialect.color("ff8800"))
    await our_bulb.shows("#ff8800", 1)
    await our_bulb.tell(dialect.off)
    await our_bulb.shows("#000000", 2)
    await our_bulb.tell(dialect.on)
    await our_bulb.shows("#ffffff" if our_bulb.key == COLORIFIC else "#ff8800", 3)


async def test_octets_behind_a_message(our_bulb: OurBulb) -> None:
    """As apps send them."""
    dialect = DIALECTS[our_bulb.key]
    for count, (rgb, more) in enumerate((("ff8800", "00"), ("0001fe", "ff00"), ("102030", "aa3b00")), start=1):
        await our_bulb.tell(dialect.color(rgb) + more)
        await our_bulb.shows(f"#{rgb}", count)
    await our_bulb.tell(dialect.off + "00")
    await our_bulb.shows("#000000", 4)


JUNK = ["00", "58", "56", "cc", "7e", "ff" * 20, "58010301ff00ff", "56ff000000f0", "cc2533", "7e0705", "ef01"]


async def test_what_it_does_not_understand_changes_nothing(our_bulb: OurBulb) -> None:
    dialect = DIALECTS[our_bulb.key]
    await our_bulb.tell(dialect.color("102030"))
    await our_bulb.shows("#102030", 1)
    for octets in JUNK:
        await our_bulb.tell(octets)
    await our_bulb.run.wait_until(lambda: len(our_bulb.writes()) > len(JUNK), "all writes")
    assert our_bulb.writes()[1:] == JUNK
    assert set(our_bulb.colors()) <= {"#000000", "#ffffff", "#102030"} and our_bulb.colors()[-1] == "#102030"


async def test_a_write_with_response_too(our_bulb: OurBulb) -> None:
    octets = DIALECTS[our_bulb.key].color("0a0b0c")
    if int(our_bulb.central.characteristic(DIALECTS[our_bulb.key].written).properties) & 0x08:
        await our_bulb.tell(octets, with_response=True)
        await our_bulb.shows("#0a0b0c", 1)
    else:
        with pytest.raises(ATT_Error):
            await our_bulb.tell(octets, with_response=True)


@pytest.mark.parametrize("our_bulb", WITH_STATE, indirect=True)
async def test_it_tells_its_state(our_bulb: OurBulb) -> None:
    dialect = DIALECTS[our_bulb.key]
    assert dialect.notified is not None
    answers = await our_bulb.central.subscribe(dialect.notified)

    async def state() -> bytes:
        count = len(answers.notifications)
        await our_bulb.tell("ef0177")
        await answers.changes.wait_until(lambda: len(answers.notifications) > count, 10, "a state")
        return answers.notifications[-1].value

    await our_bulb.tell(dialect.color("ff8800"))
    found = await state()
    assert len(found) == 12 and (found[0], found[11]) == (0x66, 0x99), found.hex()
    assert (found[2], found[3], found[6:9].hex(), found[9]) == (0x23, 0x41, "ff8800", 0), found.hex()
    await our_bulb.tell(dialect.off)
    assert (await state())[2] == 0x24
    await our_bulb.tell(dialect.on)
    await our_bulb.tell("56000000800faa")
    found = await state()
    assert (found[2], found[9]) == (0x23, 0x80), found.hex()


async def test_white(our_bulb: OurBulb) -> None:
    dialect = DIALECTS[our_bulb.key]
    [octets] = dialect.white(100)
    await our_bulb.tell(octets)
    await our_bulb.run.wait_until(lambda: our_bulb.colors()[-1:] == ["#ffffff"], "white")


async def test_a_dialect_is_needed_or_has_a_default(lantern: Lantern) -> None:
    result = await lantern.run("device", "run", "bulb", "--dialect", "nobody")
    assert result.status == WRONG_USAGE
    assert any(word in result.stderr for word in (await words_of(lantern)).values())


async def test_our_client_and_our_bulb(bench: Bench, lantern: Lantern) -> None:
    """Both ends are ours, on two radios of one link."""
    words = await words_of(lantern)
    for key in (TRIONES, MAGIC_BLUE, ELK_BLEDOM):
        run = await lantern.start("device", "run", "bulb", "--dialect", words[key], "--json")
        central = Central(bench)
        await central.start()
        address = str((await central.find()).address).split("/")[0]
        port = await bench.add_port()
        result = await lantern.run("bulb", "color", address, "#ff8800", radio=port.radio)
        assert result.status == DONE, result
        await run.wait_until(lambda: [line["shown"] for line in run.events("bulb_shines")][-1:] == ["#ff8800"], key)
        assert (await run.interrupt()).status == DONE
        await bench.port.wait_until_free()
