#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the engine of the pages costs in WebAssembly, held against the same engine as a program of this machine.

    Benchmarks/engine_bench.py [--rounds COUNT] [--no-browser]

Both do the same work through the functions that a page calls, in turns; a ratio is that of the medians. Needs the site
(`Scripts/build-web`), `lantern-engine` (`swift build -c release --product lantern-engine`; LANTERN_ENGINE names another one) and
node; the time until the first detection needs Chromium and Playwright. Prints a line of JSON for each figure.
"""

import argparse
import functools
import http.server
import json
import pathlib
import statistics
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/Web"))

from engine_pair import SITE, WALL, in_node, native  # noqa: E402

DEVICE = "01234567-89ab-cdef-0123-456789abcdef"
SERVICE = "4fafc201-1fb5-459e-8fcc-c5c9c331914b"
DETECTION = (ROOT / "Benchmarks/detection.json").read_text().strip()
FLOCKFINDER = {
    "uuid": SERVICE,
    "handle": 1,
    "characteristics": [
        {"uuid": "beb5483e-36e1-4688-b7f5-ea07361b26a8", "handle": 3, "properties": 16,
         "descriptors": [{"uuid": "2902", "handle": 4}]},
        {"uuid": "beb5483e-36e1-4688-b7f5-ea07361b26a9", "handle": 6, "properties": 8, "descriptors": []},
        {"uuid": "beb5483e-36e1-4688-b7f5-ea07361b26aa", "handle": 8, "properties": 16, "descriptors": []},
    ],
}  # fmt: skip
WEEK = {
    "name": "Bench",
    "groups": [
        {"days": [day], "periods": [{"on": f"19:{10 + at}", "off": f"07:{10 + at}", "color": "#ff8800"}]}
        for at, day in enumerate(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
    ],
}


def request(number, method, path, body):
    return "request " + json.dumps({"id": number, "method": method, "path": path, "body": body})


def radio(word, **rest):
    return "radio " + json.dumps({"radio": word, **rest})


def connect(program):
    """A FlockFinder on a browser's Bluetooth, up to its detections."""
    waiting = program.tell(f"browser 1 {WALL}") + program.tell(radio("state", state="ready"))
    waiting += program.tell(radio("chosen", device=DEVICE, name="FlockFinder", services=[SERVICE]))
    while waiting:
        one = json.loads(waiting.pop(0))
        if one.get("radio") == "connect":
            waiting += program.tell(radio("connected", link=one["link"]))
        elif one.get("radio") == "discover":
            waiting += program.tell(radio("found", link=one["link"], services=[FLOCKFINDER]))
        elif one.get("radio") in ("subscribe", "read", "write"):
            waiting += program.tell(radio("done", link=one["link"], id=one["id"], value=""))


# What is measured: its title, how often it is done in one turn, and the input.
ROWS = [
    ("advertisement of 31 octets into the list of devices", 4000,
     radio("heard", device=DEVICE, name="FlockFinder", services=[SERVICE], rssi=-61,
           manufacturer=[{"company": 76, "data": "1006031a2b3c"}])),
    (f"detection of {len(DETECTION)} octets, decoded, stored and told", 1000,
     radio("value", link=1, handle=3, value=(DETECTION + "\n").encode().hex())),
    ("what a week of seven nights shows on a day", 200,
     request(1, "POST", "/light-preview", {"week": WEEK, "date": "2026-11-24"})),
]  # fmt: skip


def prepared(make):
    """An engine with a device that detects; it must take what is measured."""
    program = make()
    connect(program)
    told = program.tell(f"repeat 10 {ROWS[1][2]}")
    assert sum('"event":"detection"' in one for one in told) == 10, told
    program.tell("quiet")
    return program


def measure(program, count, line):
    begun = float(program.tell("clock")[-1])
    program.tell(f"repeat {count} {line}")
    return (float(program.tell("clock")[-1]) - begun) * 1000 / count


def ratios(rounds):
    programs = [prepared(in_node), prepared(native)]
    for title, count, line in ROWS:
        for program in programs:
            measure(program, count, line)
        times = [[], []]
        for _ in range(rounds):
            for one, program in zip(times, programs):
                one.append(measure(program, count, line))
        ours, peer = map(statistics.median, times)
        yield {"row": title, "microseconds": round(ours, 2), "native": round(peer, 2), "ratio": round(ours / peer, 2)}
    for program in programs:
        program.close()


def memory():
    """An hour of the demo by the clock that the page gives the engine; the clock on the wall shows much less."""
    program = in_node()
    begun = float(program.tell("clock")[-1])
    program.tell(f"begin 7 {WALL}")
    start = float(program.tell("clock")[-1]) - begun
    program.tell("quiet")
    figures = {"row": "memory of the demo", "start_milliseconds": round(start)}
    for second in range(46, 46 + 3600):
        program.tell(f"advance {second * 1000} {WALL + second * 1000}")
        if second in (46 + 59, 46 + 3599):
            used, all_of_it = map(int, program.tell("memory")[-1].split())
            name = "minute" if second < 1000 else "hour"
            figures |= {f"{name}_used": used, f"{name}_octets": all_of_it}
    program.close()
    return figures


def first_detection(rounds):
    """From the address to the first detection that is seen, in a new browser each time, files from this machine."""
    from playwright.sync_api import sync_playwright

    class Quiet(http.server.SimpleHTTPRequestHandler):
        extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    times = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for _ in range(rounds):
            context = chromium.new_context()
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/", wait_until="commit")
            page.locator(".latest-row").first.wait_for(timeout=60000)
            times.append(page.evaluate("performance.now()"))
            context.close()
        chromium.close()
    server.shutdown()
    return {
        "row": "from the address to the first detection", "milliseconds": round(statistics.median(times)),
        "slowest": round(max(times)),
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--no-browser", action="store_true")
    chosen = parser.parse_args()
    for row in ratios(chosen.rounds):
        print(json.dumps(row), flush=True)
    print(json.dumps(memory()), flush=True)
    if not chosen.no_browser:
        print(json.dumps(first_detection(chosen.rounds)), flush=True)


main()
