# SPDX-License-Identifier: Apache-2.0
"""What `--oob-data` takes, and what it says about what is wrong; that it works with Bumble is in the matrix."""

from __future__ import annotations

import pytest

from bumble.smp import OobContext
from lantern import DONE, FAILED, WRONG_USAGE, Lantern, Result
from peers.air import Air, Host, serve
from peers.pairing import Case, PairingHost, values

CASE = Case(True, "no-input", "no-input", is_secure=True, is_bonding=True, ours_has_oob=True, bumble_has_oob=False)


async def pair(serving: Lantern, air: Air, address: str, *options: str) -> Result:
    return await serving.run("pair", f"{address}/R", "--json", *options, radio=f"tcp:127.0.0.1:{air.ports[1]}")


async def test_only_the_data_of_the_device_will_do(serving: Lantern) -> None:
    air = await serve(serving)
    host = await Host.attach(air.ports[0], "peer", "C0:00:00:00:00:01")
    await host.device.power_on()
    gadget = PairingHost(host.device, 1)

    # Those of another device: whoever holds them stands in the middle.
    await gadget.become_another()
    gadget.pair_as(CASE)
    await host.advertise()
    result = await pair(serving, air, gadget.address, "--oob-data", bytes(OobContext().share().to_ad()).hex())
    assert result.status == FAILED and "out-of-band data are wrong" in result.stderr, result
    await host.wait_for_disconnection()

    # As a file of octets, and with an address as an NFC tag has it; nothing less will do.
    await gadget.become_another()
    gadget.pair_as(CASE)
    await host.advertise()
    tag = serving.home / "tag.bin"
    tag.write_bytes(bytes([8, 0x1B, 1, 2, 3, 4, 5, 6, 1]) + gadget.data(True))
    result = await pair(serving, air, gadget.address, "--require-authentication", "--oob-data", str(tag))
    assert result.status == DONE, result
    [secured] = result.events("link_secured")
    assert secured["level"] == "secure_connections"
    host.vanish()
    assert (await air.run.interrupt()).status == DONE


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("no-such-file", "neither hex digits nor a file"),
        ("020106", "neither a confirmation and a random value"),
        ("1122" + "00" * 16, "belong together"),
        ("031000", "not structures of advertising data"),
        ("0310aabb", "2 octets instead of 16"),
    ],
)
async def test_what_is_no_data_is_told(serving: Lantern, data: str, words: str) -> None:
    for command in (["pair", "C0:00:00:00:00:01/R"], ["device", "run", "flockfinder", "--require-pairing"]):
        result = await serving.run(*command, "--oob-data", data, radio="sim")
        assert result.status == WRONG_USAGE and words in result.stderr, result


async def test_a_device_shows_what_clients_need(serving: Lantern) -> None:
    run = await serving.start(
        "device", "run", "flockfinder", "--json", "--require-pairing", "--show-oob-data", radio="sim"
    )
    [shown] = await run.wait_for("out_of_band_data")
    found = values(bytes.fromhex(shown["octets"]))
    assert {kind: len(value) for kind, value in found.items()} == {0x10: 16, 0x22: 16, 0x23: 16}
    assert (await run.interrupt()).status == DONE
    for wrong in (
        ["--show-oob-data"],
        ["--keyboard"],
        ["--require-pairing", "--require-authentication"],
        ["--require-pairing", "--passkey", "new", "--keyboard"],
    ):
        assert (await serving.run("device", "run", "flockfinder", *wrong, radio="sim")).status == WRONG_USAGE
    result = await serving.run("device", "run", "nightlight", "--require-pairing", "--keyboard", radio="sim")
    assert result.status == WRONG_USAGE and "--display" in result.stderr
