# SPDX-License-Identifier: Apache-2.0
"""The hub is killed while detections come: what it has told is kept. `LANTERN_KILLS` says how often."""

import json
import os
import random
import socket
import threading
import time

import pytest
from real_hub import RealHub
from test_real_hub import connect, detection

KILLS = int(os.environ.get("LANTERN_KILLS", "5"))


@pytest.fixture
def hub(air, tmp_path):
    one = RealHub(tmp_path, "--radio", air.radio)
    yield one
    one.stop()


def told(hub, begun: threading.Event, rows: dict[int, str]) -> None:
    """Follows the event stream to its end; each detection of it by its number."""
    with socket.create_connection(("127.0.0.1", hub.port), timeout=30) as stream:
        stream.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n\r\n".encode())
        begun.set()
        try:
            for line in stream.makefile("rb"):
                # A line that was cut off was not told.
                if line.startswith(b'data: {"event":"detection",') and line.endswith(b"}\n"):
                    row = json.loads(line[6:])
                    rows[row["id"]] = row["ssid"]
        except OSError:
            pass


def everything(hub) -> dict[int, str]:
    """All detections by their numbers; a fast device brings more than a page has."""
    kept: dict[int, str] = {}
    cursor = ""
    while True:
        page = hub.get(f"/detections?limit=1000{cursor}")
        kept |= {row["id"]: row["ssid"] for row in page["items"]}
        if page["next"] is None:
            return kept
        cursor = f"&cursor={page['next']}"


def test_what_a_stream_has_told_is_in_the_database(hub, air):
    chance = random.Random(1)
    count, last, most = 0, 0, 0
    rows: dict[int, str] = {}
    for turn in range(1, KILLS + 2):
        hub.start()
        if rows:
            kept = everything(hub)
            assert rows.items() <= kept.items(), (turn, set(rows.items()) - set(kept.items()))
            # Numbers go on where they were: nothing was made anew.
            assert last < min(rows) and len(rows) < 1000
            last, most = max(rows), max(most, len(rows))
            print(f"turn {turn - 1}: {len(rows)} told, {max(kept)} kept", flush=True)
        if turn > KILLS:
            break
        if turn == 1:
            connect(hub, air)
        else:
            hub.until(lambda: any(one["state"] == "connected" for one in hub.get("/devices")["items"]), 60)
            air.ready(turn)
        rows = {}
        begun = threading.Event()
        reader = threading.Thread(target=told, args=(hub, begun, rows))
        reader.start()
        begun.wait()
        end = None
        deadline = time.monotonic() + 30
        while end is None or time.monotonic() < end:
            count += 1
            air.send(detection(count))
            # In the first turn two, however slow the machine is.
            if len(rows) > (turn == 1) and end is None:
                end = time.monotonic() + chance.random() * 0.3
            assert time.monotonic() < deadline, f"turn {turn}: nothing is told\n{hub.log}"
        hub.kill()
        reader.join()
    assert most >= 2
    assert hub.stop() == 0, hub.log


def events(hub, after: int | None = None):
    """Opens the event stream as any program would; its events as (id, name, data)."""
    head = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n"
    if after is not None:
        head += f"Last-Event-ID: {after}\r\n"
    with socket.create_connection(("127.0.0.1", hub.port), timeout=30) as stream:
        stream.sendall((head + "\r\n").encode())
        one: dict[str, str] = {}
        for line in stream.makefile("r", encoding="utf-8", newline="\n"):
            name, _, value = line.rstrip("\n").partition(": ")
            if name in ("id", "event", "data"):
                one[name] = value
            elif not line.strip() and len(one) == 3:
                yield int(one["id"]), one["event"], json.loads(one["data"])
                one = {}


def until_detection(stream) -> tuple[int, dict]:
    return next((number, data) for number, name, data in stream if name == "detection")


def test_a_stream_that_comes_back_after_a_kill_is_told_of_the_gap(hub, air):
    hub.start()
    connect(hub, air)
    stream = events(hub, hub.get("/hub")["last_event_id"])
    air.send(detection(1))
    last, first = until_detection(stream)
    air.send(detection(2))
    hub.detections(count=2)
    hub.kill()
    hub.start()
    stream = events(hub, last)
    number, name, data = next(stream)
    assert name == "gap" and data["lost"] >= 1, (name, data)
    missed = hub.get("/detections")["items"]
    assert [row["ssid"] for row in missed][:2] == ["net-2", "net-1"] and missed[1]["id"] == first["id"]
    hub.until(lambda: any(one["state"] == "connected" for one in hub.get("/devices")["items"]), 60)
    air.ready(2)
    air.send(detection(3))
    later, third = until_detection(stream)
    assert later > number and third["ssid"] == "net-3"
    stream.close()
    assert hub.stop() == 0, hub.log
