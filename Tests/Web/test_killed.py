# SPDX-License-Identifier: Apache-2.0
"""The hub is killed while detections come: what it has told is kept. `LANTERN_KILLS` says how often."""

import json
import os
import random
import socket
import threading
import time

import pytest
from real_hub import Air, RealHub
from test_real_hub import connect, detection

KILLS = int(os.environ.get("LANTERN_KILLS", "5"))


@pytest.fixture
def air():
    one = Air()
    yield one
    one.close()


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


def test_what_a_stream_has_told_is_in_the_database(hub, air):
    chance = random.Random(1)
    count, last, most = 0, 0, 0
    rows: dict[int, str] = {}
    for turn in range(1, KILLS + 2):
        hub.start()
        if rows:
            kept = {row["id"]: row["ssid"] for row in hub.get("/detections?limit=1000")["items"]}
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
            if rows and end is None:
                end = time.monotonic() + chance.random() * 0.3
            assert time.monotonic() < deadline, f"turn {turn}: nothing is told\n{hub.log}"
        hub.kill()
        reader.join()
    assert most >= 2
    assert hub.stop() == 0, hub.log
