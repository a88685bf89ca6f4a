# SPDX-License-Identifier: Apache-2.0
"""work_peers.py WORK TIMES [FILE]: what bench-work does, by the peers; prints one JSON object."""

import json
import pathlib
import sqlite3
import sys
import time

DETECTION = pathlib.Path(__file__).with_name("detection.json").read_bytes()


def per_time(work, inputs, times):
    rounds = times // len(inputs)
    start = time.process_time_ns()
    for _ in range(rounds):
        for octets in inputs:
            work(octets)
    return {"ns": (time.process_time_ns() - start) / (rounds * len(inputs))}


def advertising(times):
    from bluetooth_data_tools import parse_advertisement_data_bytes

    first = bytes([2, 1, 6, 3, 3, 0x0F, 0x18, 9, 9]) + b"Lantern1" + bytes([13, 0xFF, 0x4C, 0, 2, 0x15])
    inputs = [first + bytes([1, 2, 3, 4, 5, 6, n & 0xFF, n >> 8]) for n in range(2048)]
    assert len(inputs[0]) == 31
    return per_time(parse_advertisement_data_bytes, inputs, times)


def orjson(times):
    import orjson as library

    return per_time(library.loads, [DETECTION] * 100, times)


def python_json(times):
    return per_time(json.loads, [DETECTION] * 100, times)


def store(times, file, synchronous):
    """One table and index, one row a transaction."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute(
        "CREATE TABLE detection (id INTEGER PRIMARY KEY, received INTEGER, type TEXT, mac TEXT, ssid TEXT,"
        " rssi INTEGER, confidence REAL, latitude REAL, longitude REAL, raw BLOB)"
    )
    connection.execute("CREATE INDEX detection_received ON detection (received)")
    item = json.loads(DETECTION)
    start = time.perf_counter()
    for n in range(times):
        connection.execute(
            "INSERT INTO detection (received, type, mac, ssid, rssi, confidence, latitude, longitude, raw)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                1_790_000_000_000 + n, item["type"], item["mac"], item["ssid"], item["rssi"],
                item["confidence"], 52.5 + n % 1000 / 5000, 13.4 + n // 1000 % 1000 / 5000, DETECTION,
            ),
        )
    return {"per_second": times / (time.perf_counter() - start)}


def pairing(times, is_secure):
    from bumble_pairing import pair

    return pair(times, is_secure)


def main():
    work, times, *file = sys.argv[1:]
    results = {
        "advertising": advertising,
        "orjson": orjson,
        "python_json": python_json,
        "pairing_secure": lambda times: pairing(times, True),
        "pairing_legacy": lambda times: pairing(times, False),
        "store_full": lambda times: store(times, file[0], "FULL"),
        "store_normal": lambda times: store(times, file[0], "NORMAL"),
    }
    print(json.dumps(results[work](int(times))))


main()
