# SPDX-License-Identifier: Apache-2.0
"""Proves that our device sends 10 000 notifications and indications with none lost, doubled or out of order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lantern import Lantern
from peers.bench import Bench
from peers.central import Central, Subscription
from peers.database import Database
from peers.databases import begun, custom

COUNT = 10_000
NOTIFIED, INDICATED = "fff1", custom(1)


def numbered(number: int, longest: int) -> bytes:
    """Octets of all lengths up to the longest, that begin with a number."""
    return number.to_bytes(4, "big") + bytes([number % 251]) * (number * 37 % (longest - 3))


def database() -> Database:
    database = begun()
    database.service("fff0")
    database.characteristic(NOTIFIED, "notify")
    database.characteristic(INDICATED, "indicate")
    return database


def record(path: Path, values: dict[tuple[str, str], list[bytes]]) -> Path:
    """A recording of values of characteristics and their kinds, one of each in turn, all at once."""
    columns = [[(uuid, kind, value) for value in column] for (uuid, kind), column in values.items()]
    lines = [
        json.dumps({"uuid": uuid, "kind": kind, "value": value.hex()})
        for row in zip(*columns)
        for uuid, kind, value in row
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


async def assert_came(subscription: Subscription, sent: list[bytes], timeout: float = 90) -> None:
    await subscription.changes.wait_until(
        lambda: len(subscription.notifications) >= len(sent),
        timeout,
        f"{len(sent)} values",
        lambda: f"came: {len(subscription.notifications)}",
    )
    came = [notification.value for notification in subscription.notifications]
    wrong = next((place for place, value in enumerate(came) if value != sent[place]), None)
    assert (len(came), wrong) == (len(sent), None), f"the first that differs is number {wrong}"


@pytest.mark.parametrize(("mtu", "acl", "longest"), [(23, 27, 20), (517, 251, 512)])
async def test_notifications_and_indications_at_once(
    mtu: int, acl: int, longest: int, bench: Bench, lantern: Lantern, tmp_path: Path
) -> None:
    """Each kind keeps its order; an indication waits for the confirmation of the one before."""
    bench.acl_data_length = acl
    count = COUNT if mtu == 23 else COUNT // 5
    sent = [numbered(number, longest) for number in range(count)]
    recording = record(tmp_path / "r.jsonl", {(NOTIFIED, "notify"): sent, (INDICATED, "indicate"): sent})
    await lantern.replay(database(), "--recording", str(recording))
    central = Central(bench)
    await central.start()
    await central.connect((await central.find()).address, mtu)
    indications = await central.subscribe(INDICATED)
    notifications = await central.subscribe(NOTIFIED)
    await assert_came(notifications, sent)
    await assert_came(indications, sent)


async def two_subscribers(
    bench: Bench, lantern: Lantern, recording: Path
) -> list[tuple[Central, Subscription]]:
    """Two centrals on a device with few and small buffers, which are reported free together."""
    bench.acl_data_length, bench.acl_data_packets, bench.completes_together = 27, 8, True
    await lantern.replay(database(), "--recording", str(recording))
    found = []
    for number, mtu in ((1, 23), (2, 517)):
        central = Central(bench, address=f"E0:00:00:00:00:{number:02X}")
        await central.start()
        await central.connect((await central.find()).address, mtu)
        found.append(central)
    return [(central, await central.subscribe(NOTIFIED)) for central in found]


async def test_two_centrals_at_once(bench: Bench, lantern: Lantern, tmp_path: Path) -> None:
    """Whoever subscribes gets all of it; neither link takes the buffers of the other."""
    sent = [numbered(number, 20) for number in range(COUNT // 4)]
    recording = record(tmp_path / "r.jsonl", {(NOTIFIED, "notify"): sent})
    for _, subscription in await two_subscribers(bench, lantern, recording):
        await assert_came(subscription, sent)


async def test_a_link_lost_in_a_burst_gives_its_buffers_back(
    bench: Bench, lantern: Lantern, tmp_path: Path
) -> None:
    """What was on its way to a link that is gone is never completed. Spec: Core v5.4, Vol 4, Part E, 7.7.19."""
    sent = [numbered(number, 20) for number in range(COUNT // 4)]
    recording = record(tmp_path / "r.jsonl", {(NOTIFIED, "notify"): sent})
    (lost, first), (_, second) = await two_subscribers(bench, lantern, recording)
    await first.changes.wait_until(lambda: len(first.notifications) >= 100, 30, "100 values")
    bench.lose_links(lost.device)
    await assert_came(second, sent)
    assert len(first.notifications) < len(sent)
