# SPDX-License-Identifier: Apache-2.0
"""Map files that a stranger has made: what has no end is given up, and what is large takes little memory."""

import http.client
import re
import sqlite3
import subprocess
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from conftest import NO_RADIO, AttackedHub
from patience import within
from real_hub import binary

ENDLESS = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"


@pytest.mark.parametrize("view", ["tiles", "metadata"])
def test_a_map_without_end_is_said(tmp_path, view):
    tiles = tmp_path / "map.mbtiles"
    with closing(sqlite3.connect(tiles)) as connection:
        connection.executescript(
            """
            CREATE TABLE metadata (name, value);
            CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
            INSERT INTO tiles VALUES (0, 0, 0, 'x');
            INSERT INTO metadata VALUES (x'FF', 7), (5, 'x'), ('name', NULL);
            """
        )
        columns = {"tiles": "n AS zoom_level, 0 AS tile_column, 0 AS tile_row, 'x' AS tile_data", "metadata": "'name' AS name, n AS value"}
        connection.executescript(
            f"DROP TABLE {view}; CREATE VIEW {view} AS WITH RECURSIVE r (n) AS (SELECT 0 UNION ALL SELECT n % 2 FROM r) "
            f"SELECT {columns[view]} FROM r{' WHERE n > 2' if view == 'metadata' else ''}"
        )
    done = subprocess.run(
        [binary(), "hub", *NO_RADIO, "--map-file", tiles, "--database", tmp_path / "hub.sqlite", "--listen", "127.0.0.1:0"],
        capture_output=True, text=True, timeout=60,
    )
    assert done.returncode == 1 and "takes too long" in done.stderr, done.stderr
    # What helps, and not what would help with a database of ours.
    assert "Choose another MBTiles file." in done.stderr and "folder" not in done.stderr, done.stderr


def endless_pictures(tiles: Path) -> Path:
    """A map whose description ends, and what stands behind each picture does not."""
    with closing(sqlite3.connect(tiles)) as connection:
        connection.executescript(
            f"""
            CREATE TABLE metadata (name, value);
            CREATE TABLE place (z, x, y);
            INSERT INTO place VALUES (0, 0, 0);
            CREATE VIEW tiles AS SELECT z AS zoom_level, x AS tile_column, y AS tile_row,
                ({ENDLESS} SELECT MAX(n) FROM r WHERE n <> z) AS tile_data FROM place;
            """
        )
    return tiles


def test_a_picture_without_end_is_given_up_and_holds_up_nobody(tmp_path):
    hub = AttackedHub(tmp_path, *NO_RADIO, "--map-file", str(endless_pictures(tmp_path / "map.mbtiles")))
    hub.start()
    answers = []
    asking = [threading.Thread(target=lambda: answers.append(hub.request("GET", "/api/v1/tiles/0/0/0"))) for _ in range(2)]
    begin = time.monotonic()
    for one in asking:
        one.start()
    time.sleep(0.2)
    hub.get("/detections")
    assert hub.bring(["meanwhile"])[0] == 200
    assert time.monotonic() - begin < within(3)
    for one in asking:
        one.join()
    assert time.monotonic() - begin < within(10)
    assert [status for status, _, _ in answers] == [503, 503]
    assert all("takes too long. Choose another MBTiles file." in problem["detail"] for _, problem, _ in answers), answers
    assert hub.stop() == 0, hub.log


def test_who_stops_the_hub_waits_for_no_picture_without_end(tmp_path):
    hub = AttackedHub(tmp_path, *NO_RADIO, "--map-file", str(endless_pictures(tmp_path / "map.mbtiles")))
    hub.start()

    def ask():
        # It may end without an answer.
        with suppress(OSError, http.client.HTTPException):
            hub.request("GET", "/api/v1/tiles/0/0/0")

    # More than are read at once.
    asking = [threading.Thread(target=ask) for _ in range(8)]
    for one in asking:
        one.start()
    time.sleep(0.5)
    begin = time.monotonic()
    assert hub.stop() == 0, hub.log
    assert time.monotonic() - begin < within(3)
    for one in asking:
        one.join()


def test_a_map_of_large_values_takes_little_memory(tmp_path):
    tiles = tmp_path / "map.mbtiles"
    with closing(sqlite3.connect(tiles)) as connection:
        connection.executescript(
            """
            CREATE VIEW metadata AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 100)
                SELECT CASE n % 2 WHEN 0 THEN 'name' ELSE 'k' || n END AS name, printf('%.*c', 4000000, 'a') AS value FROM r;
            CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
            INSERT INTO tiles VALUES (0, 0, 0, x'89504E470D0A1A0A00');
            """
        )
    peaks = []
    for options in ([], ["--map-file", str(tiles)]):
        hub = AttackedHub(tmp_path, *NO_RADIO, *options)
        hub.start()
        peaks.append(int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{hub.process.pid}/status").read_text())[1]) / 1024)
        if options:
            assert hub.request("GET", "/api/v1/tiles/0/0/0")[0] == 200
        assert hub.stop() == 0, hub.log
    assert peaks[1] < peaks[0] + 40, peaks
