# SPDX-License-Identifier: Apache-2.0
"""What the hub costs: a thousand detections a second with a browser attached, a hundred event streams, and how fast it starts.

    Scripts/bench --hub [--seconds N] [--rate N] [FILE]

Everything is real: `lantern hub`, FlockFinder devices of ours on the air of `lantern radio serve` (processes of their own, whose CPU is not
the hub's), Chromium with the Scanner. A detection's delay runs from the moment at which the hub has received it to the moment at which its
row stands in the page: before that it waits for its turn on the air, which at 1 Mbit/s carries hardly more than a thousand a second.
"""

from __future__ import annotations

import argparse
import atexit
import http.client
import json
import os
import platform
import re
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LANTERN = os.environ.get("LANTERN", str(ROOT / ".build/release/lantern"))
TICK = os.sysconf("SC_CLK_TCK")
NAME = re.compile(r"load-\d+-\d+")

WATCH = """() => {
  window.seen = {};
  window.frames = 0;
  const look = (text) => {
    const now = Date.now();
    for (const name of text.match(/load-\\d+-\\d+/g) ?? []) window.seen[name] ??= now;
  };
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "characterData") look(change.target.data);
      for (const node of change.addedNodes) look(node.textContent);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  const frame = () => { window.frames += 1; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
}"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def started(command: list[str], **files) -> subprocess.Popen:
    """A process that ends when this one does, whatever goes wrong."""
    process = subprocess.Popen(command, **files)
    atexit.register(process.kill)
    return process


def cpu(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(pid: int, name: str = "VmRSS") -> float:
    """Megabytes of a process."""
    return int(re.search(rf"{name}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def milliseconds(moment: str) -> float:
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() * 1000


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


class Air:
    """An air with FlockFinder devices that send so many detections a second in all."""

    def __init__(self, folder: Path, devices: int, rate: float, seconds: float) -> None:
        self.folder, self.devices = folder, devices
        self.count = int(rate * seconds)
        # Free one after the other: the controllers' ports follow each other.
        self.port = 20000 + os.getpid() % 20000
        self.processes: list[subprocess.Popen] = []
        log = open(folder / "air.txt", "w")
        self.processes.append(
            started(
                [LANTERN, "radio", "serve", "--port", str(self.port), "--controllers", str(devices + 1), "--devices", "none"],
                stdout=log, stderr=log))
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port + devices)).close()
                break
            except OSError:
                time.sleep(0.1)
        for device in range(devices):
            script = folder / f"script-{device}.jsonl"
            with open(script, "w") as lines:
                for number in range(self.count // devices):
                    # The hub is given ten seconds to find them all.
                    pause = 10_000 if number == 0 else 1000 * devices / rate
                    lines.write(json.dumps({
                        "after_ms": round(pause), "type": "Flock Safety", "rssi": -50 - number % 40, "confidence": 0.9,
                        "ssid": f"load-{device}-{number}", "mac": f"3C:71:BF:{device:02X}:{number % 200:02X}:01",
                    }) + "\n")
            self.processes.append(
                started(
                    [LANTERN, "device", "run", "flockfinder", "--json", "--script", str(script),
                     "--radio", f"tcp:127.0.0.1:{self.port + 1 + device}"],
                    stdout=open(folder / f"device-{device}.jsonl", "w"), stderr=log))

    def sent(self) -> dict[str, float]:
        """The names that were sent, and when."""
        found = {}
        for device in range(self.devices):
            for line in open(self.folder / f"device-{device}.jsonl"):
                if '"flock_object_sent"' in line and line.endswith("\n"):
                    event = json.loads(line)
                    if event["clients"]:
                        found[event["object"]["ssid"]] = milliseconds(event["time"])
        return found

    def end(self) -> None:
        for process in reversed(self.processes):
            process.send_signal(signal.SIGINT)
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()


class Hub:
    def __init__(self, folder: Path, radio: str) -> None:
        self.port = free_port()
        self.database = folder / "hub.sqlite"
        self.begin = time.monotonic()
        self.log = open(folder / "hub.txt", "w")
        self.process = started(
            [LANTERN, "hub", "--radio", radio, "--database", str(self.database), "--listen", f"127.0.0.1:{self.port}"],
            stdout=self.log, stderr=self.log)
        self.pid = self.process.pid

    def get(self, path: str) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path)
        answer = connection.getresponse().read()
        connection.close()
        return answer

    def ready(self) -> float:
        """Waits for the first page; seconds since the start."""
        while True:
            try:
                self.get("/")
                return time.monotonic() - self.begin
            except OSError:
                if self.process.poll() is not None:
                    sys.exit(f"the hub has ended: {Path(self.log.name).read_text()}")
                time.sleep(0.005)

    def total(self) -> int:
        return json.loads(self.get("/api/v1/detections?limit=1"))["total"]

    def received(self) -> dict[str, float]:
        """When the hub has received each."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as database:
            return dict(database.execute("SELECT ssid, received FROM detection"))

    def end(self) -> float:
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        return time.monotonic() - begin


class Stream(threading.Thread):
    """A client of the event stream: counts detections and remembers when each came."""

    def __init__(self, hub: Hub, remembers: bool = False) -> None:
        super().__init__(daemon=True)
        self.seen: dict[str, float] = {}
        self.octets = 0
        self.remembers = remembers
        self.socket = socket.create_connection(("127.0.0.1", hub.port))
        self.socket.sendall(
            f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nAccept: text/event-stream\r\n\r\n".encode())

    def run(self) -> None:
        rest = b""
        while True:
            try:
                octets = self.socket.recv(1 << 20)
            except OSError:
                return
            if not octets:
                return
            self.octets += len(octets)
            if self.remembers:
                now = time.time() * 1000
                lines = (rest + octets).split(b"\n")
                rest = lines.pop()
                for line in lines:
                    if line.startswith(b"data:") and (name := re.search(rb'"ssid":"(load-\d+-\d+)"', line)):
                        self.seen.setdefault(name[1].decode(), now)


def delays(seen: dict[str, float], since: dict[str, float]) -> list[float]:
    return [moment - since[name] for name, moment in list(seen.items()) if name in since]


def wait_for_links(air: Air) -> None:
    end = time.monotonic() + 60
    files = [air.folder / f"device-{device}.jsonl" for device in range(air.devices)]
    while not all('"flock_object_sent"' in file.read_text() for file in files):
        if time.monotonic() > end:
            sys.exit("some device was not connected within a minute")
        time.sleep(0.2)


def load(folder: Path, rate: float, seconds: float, devices: int = 5, streams: int = 0, browser: bool = True) -> dict:
    """The hub under a steady rain of detections."""
    air = Air(folder, devices, rate, seconds)
    hub = Hub(folder, f"tcp:127.0.0.1:{air.port}")
    hub.ready()
    idle = memory(hub.pid)
    watcher = Stream(hub, remembers=True)
    watcher.start()
    others = [Stream(hub) for _ in range(streams)]
    for stream in others:
        stream.start()
    page = play = None
    if browser:
        from playwright.sync_api import sync_playwright

        play = sync_playwright().start()
        page = play.chromium.launch(
            executable_path=os.environ.get("LANTERN_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        ).new_page()
        page.goto(f"http://127.0.0.1:{hub.port}/#/scanner")
        page.wait_for_timeout(1500)
        page.evaluate(WATCH)
    wait_for_links(air)
    # The first seconds are not what lasts.
    time.sleep(3)
    used, begin = cpu(hub.pid), time.monotonic()
    most = 0.0
    while time.monotonic() - begin < seconds - 6:
        time.sleep(1)
        most = max(most, memory(hub.pid))
    share = (cpu(hub.pid) - used) / (time.monotonic() - begin)
    end = time.monotonic() + 90
    while len(air.sent()) < air.count // devices * devices and time.monotonic() < end:
        time.sleep(0.5)
    sent = air.sent()
    # What waits on the air is no loss.
    while hub.total() < len(sent) and time.monotonic() < end:
        time.sleep(0.5)
    time.sleep(1)
    stored, received = hub.total(), hub.received()
    result = {
        "rate": rate, "seconds": seconds, "devices": devices, "streams": streams, "sent": len(sent), "stored": stored,
        "cpu": share, "memory": most, "memory_idle": idle,
        "stream": delays(watcher.seen, received), "stream_seen": len(watcher.seen),
    }
    if page:
        result["page"] = delays(page.evaluate("window.seen"), received)
        result["frames"] = page.evaluate("window.frames")
        page.context.browser.close()
        play.stop()
    for stream in [watcher, *others]:
        stream.socket.close()
    result["stream_octets"] = min((stream.octets for stream in others), default=0)
    result["end"] = hub.end()
    air.end()
    return result


def start(folder: Path, rows: int, turns: int = 9) -> list[float]:
    """Milliseconds from the start of a hub with so many detections to its first page, warm."""
    table = folder / "rows.csv"
    with open(table, "w") as file:
        file.write("device_type,mac_address,ssid,rssi,confidence,timestamp\n")
        for number in range(rows):
            second = number % 86400
            file.write(
                f"Ring,3C:71:BF:{number >> 16 & 255:02X}:{number >> 8 & 255:02X}:{number & 255:02X},net-{number},-60,0.9,"
                f"2026-10-{1 + number // 86400:02d}T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}.000Z\n")
    imported = subprocess.run(
        [LANTERN, "detections", "import", str(table), "--database", str(folder / "hub.sqlite")], capture_output=True, text=True)
    if imported.returncode:
        sys.exit(f"the rows cannot be imported: {imported.stderr}")
    times = []
    for turn in range(turns + 1):
        hub = Hub(folder, "sim")
        times.append(hub.ready() * 1000)
        hub.end()
    return times[1:]


def row(name: str, value: float, unit: str, limit: float | None = None) -> str:
    said = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    met = "" if limit is None else f"  at most {limit:g}: {'met' if value < limit else 'not met'}"
    return f"  {name:<58} {said + ' ' + unit:>12}{met}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="Scripts/bench --hub", description=__doc__.splitlines()[0])
    parser.add_argument("--rate", type=float, default=1000, help="detections a second")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", choices=["load", "streams", "start"])
    parser.add_argument("--keep", help="a folder for what the processes say")
    parser.add_argument("file", nargs="?", help="figures as JSON")
    options = parser.parse_args()
    lines, figures = [], {}

    def part(name: str) -> Path | None:
        if options.only not in (None, name):
            return None
        folder = Path(options.keep or tempfile.mkdtemp(prefix="lantern-hub-")) / name
        folder.mkdir(parents=True, exist_ok=True)
        print(f"measuring: {name}", file=sys.stderr)
        return folder

    if folder := part("load"):
        one = figures["load"] = load(folder, options.rate, options.seconds)
        lines += [
            f"{options.rate:.0f} detections a second of {one['devices']} devices for {options.seconds:.0f} s, a browser attached",
            row("CPU of the hub, of one core", one["cpu"] * 100, "%", 15),
            row("memory of the hub at most", one["memory"], "MB", 120),
            row("memory before", one["memory_idle"], "MB"),
            row("detections sent", one["sent"], ""),
            row("of these not stored", one["sent"] - one["stored"], "", 1),
            row("of these not in the event stream", one["sent"] - one["stream_seen"], "", 1),
            row("from the radio to the event stream, p50", percentile(one["stream"], 0.5), "ms"),
            row("from the radio to the event stream, p99", percentile(one["stream"], 0.99), "ms"),
            row(f"from the radio to the page, p50 of {len(one['page'])} shown", percentile(one["page"], 0.5), "ms"),
            row("from the radio to the page, p99", percentile(one["page"], 0.99), "ms", 500),
            row("frames a second of the page", one["frames"] / options.seconds, ""),
            row("end after SIGTERM", one["end"] * 1000, "ms", 5000),
        ]
    if folder := part("streams"):
        one = figures["streams"] = load(folder, 100, min(options.seconds, 30), devices=2, streams=100, browser=False)
        lines += [
            "100 detections a second to 100 event streams",
            row("CPU of the hub, of one core", one["cpu"] * 100, "%"),
            row("memory of the hub at most", one["memory"], "MB", 120),
            row("of these not in the event stream", one["sent"] - one["stream_seen"], "", 1),
            row("from the radio to the event stream, p99", percentile(one["stream"], 0.99), "ms", 500),
        ]
    if folder := part("start"):
        times = figures["start"] = start(folder, 100_000)
        lines += [
            "start with 100 000 detections, warm",
            row("from the start to the first page, median", statistics.median(times), "ms", 300),
            row("the same, slowest of nine", max(times), "ms"),
        ]
    print(f"{platform.machine()}, {os.cpu_count()} cores, {datetime.now():%Y-%m-%d %H:%M}, load {os.getloadavg()[0]:.1f}")
    print("\n".join(lines))
    if options.file:
        Path(options.file).write_text(json.dumps(figures))


main()
