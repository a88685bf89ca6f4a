# SPDX-License-Identifier: Apache-2.0
"""Measures ours and the peers in turn and prints the tables of the performance targets; see Scripts/bench.

Everything is a ratio of medians of interleaved runs (peer, ours, peer, ours ...). Host alone: bench-controller
plays controller and peer, and reads the host's CPU clock. Numbers of one run are medians of its rounds. The bare
loop is a host with no stack at all: what the machine charges for a row before anything is done.
"""

import argparse
import datetime
import importlib.util
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
PROGRAMS = FOLDER / ".build" / "release"
PYTHON = sys.executable

# Row, what it is, unit, what is read of a run, operations a round, goals. The machines are shared and their speed
# drifts, so that a goal is a ratio to a peer and nothing else. A paced row lasts as long for each party: its pieces
# come one at a time, as from a real radio, and what waking up costs is in it.
HOST_ROWS = [
    ("send", "notification sent, 244 octets: CPU", "µs", "cpu_ns", 1e3, 1600, [("Bumble", 1 / 40)]),
    ("receive", "notification received, 244 octets: CPU", "µs", "cpu_ns", 1e3, 3200, [("Bumble", 1 / 100)]),
    ("paced-receive", "the same, 400 a second: CPU", "µs", "cpu_ns", 1e3, 200, []),
    ("read", "read served, 20 octets: CPU", "µs", "cpu_ns", 1e3, 640, [("Bumble", 1 / 21)]),
    ("connect", "connect until the MTU is agreed, wall clock", "ms", "duration_ns", 1e6, 32, [("Bumble", 1 / 3)]),
    ("connect", "connect and disconnect: CPU", "µs", "cpu_ns", 1e3, 32, [("Bumble", 1 / 30)]),
    ("reconnect", "connect to a bonded device until the link is encrypted, and disconnect: CPU", "µs", "cpu_ns", 1e3, 32, []),
    ("scan", "advertising report, HCI to AD structures: CPU", "µs", "cpu_ns", 1e3, 3200, [("Bumble", 1 / 200)]),
    ("paced-scan", "the same, 500 a second: CPU", "µs", "cpu_ns", 1e3, 250, []),
]
BARE = "bare loop"
# What the peers of the other rows are imported as.
MODULES = {"Bumble": "bumble", "bluetooth-data-tools": "bluetooth_data_tools", "orjson": "orjson"}
# Where the table of Documentation/Performance.md stands.
BEGIN, END = "<!-- begin of what Scripts/bench measured -->\n", "<!-- end of what Scripts/bench measured -->\n"


def run(command, **environment):
    process = subprocess.run(
        [str(part) for part in command],
        cwd=FOLDER, env=os.environ | environment, text=True, capture_output=True, timeout=600,
    )
    if process.returncode != 0:
        raise SystemExit(f"bench: {' '.join(map(str, command))} failed:\n{process.stdout}{process.stderr}")
    return json.loads(process.stdout.splitlines()[-1])


def host(row, program, rounds, operations, scratch, **environment):
    command = [PROGRAMS / "bench-controller", row, rounds + 1, operations, scratch / "page"]
    return run([*command, *program, row.removeprefix("paced-")], **environment)


def summary(samples, digits=3):
    """The median, and how far the middle half of the samples reaches."""
    if len(samples) < 2:
        return {"median": round(samples[0], digits), "runs": 1}
    low, middle, high = statistics.quantiles(samples, n=4, method="inclusive")
    names = {"median": middle, "lower_quartile": low, "upper_quartile": high}
    return {name: round(value, digits) for name, value in names.items()} | {"runs": len(samples)}


def interleaved(runs, parties):
    """Runs each party in turn, so many times; gives the samples of each."""
    samples = {name: [] for name in parties}
    for _ in range(runs):
        for name, measure in parties.items():
            samples[name].append(measure())
    return samples


def judged(goal, row):
    """A goal in words, and whether the row meets it; not known when the peer is missing.

    In reach it is when the bare loop meets it.
    """
    peer, limit = goal
    ratio = row["peers"].get(peer, {}).get("ratio")
    if row["lower_is_better"]:
        words = f"at most 1/{1 / limit:.0f} of {peer}" if limit < 1 else f"at most {peer}"
        result = {"goal": words, "is_met": None if ratio is None else ratio <= limit}
        if ratio is not None and BARE in row["peers"]:
            bare = row["peers"][BARE]["median"] / row["peers"][peer]["median"]
            result["is_in_reach"] = bare <= limit
        return result
    return {"goal": f"at least {peer}", "is_met": None if ratio is None else ratio >= limit}


def row_of(name, unit, goals, samples, lower_is_better=True):
    row = {"name": name, "unit": unit, "lower_is_better": lower_is_better}
    row |= {"ours": summary(samples.pop("ours")), "peers": {}}
    ours = row["ours"]["median"]
    for peer, values in samples.items():
        entry = summary(values)
        entry["ratio"] = round(ours / entry["median"], 4) if entry["median"] else None
        row["peers"][peer] = entry
    row["goals"] = [judged(goal, row) for goal in goals]
    return row


def present(parties):
    """Those parties that are ours or that can be imported."""
    missing = [name for name in parties if name in MODULES and not importlib.util.find_spec(MODULES[name])]
    for name in missing:
        note(f"{name} is not installed: a row without it")
    return {name: measure for name, measure in parties.items() if name not in missing}


def host_table(options, scratch):
    ours = [PROGRAMS / "bench-host"]
    bare = [PROGRAMS / "bench-bare"]
    bumble = [PYTHON, FOLDER / "bumble_host.py"]
    table = []
    for row, name, unit, field, scale, operations, goals in HOST_ROWS:
        if options.only and row not in options.only:
            continue
        note(name)

        def measure(program, times):
            result = host(row, program, options.rounds, operations * times, scratch)
            return statistics.median(result[field]) / scale

        # Ours gets more operations, so that what is measured lasts about as long.
        times = 1 if row in ("connect", "reconnect") or row.startswith("paced-") else options.scale
        parties = {
            "Bumble": lambda: measure(bumble, 1),
            BARE: lambda: measure(bare, times),
            "ours": lambda: measure(ours, times),
        }
        if row == "reconnect":
            del parties[BARE]
        table.append(row_of(name, unit, goals, interleaved(options.runs, present(parties))))
    return table


def work(name, times, *file):
    return run([PROGRAMS / "bench-work", name, times, *file])


def peer_work(name, times, *file):
    return run([PYTHON, FOLDER / "work_peers.py", name, times, *file])


def layers(radio, what, times):
    return run([PROGRAMS / "bench-layers", radio, what, times])["ns"]


def elsewhere_table(options, scratch):
    times = options.times
    table = []

    def add(name, unit, goals, parties, lower_is_better=True):
        note(name)
        samples = interleaved(options.runs, present(parties))
        table.append(row_of(name, unit, goals, samples, lower_is_better=lower_is_better))

    add("31-octet AD decode: name, services, data, power", "ns", [("bluetooth-data-tools", 1)], {
        "bluetooth-data-tools": lambda: peer_work("advertising", times)["ns"],
        "ours": lambda: work("advertising", times)["ns"],
    })
    add("detection JSON decode, 230 octets", "ns", [("orjson", 1)], {
        "orjson": lambda: peer_work("orjson", times)["ns"],
        "Python json": lambda: peer_work("python_json", times)["ns"],
        "ours": lambda: work("detection", times)["ns"],
    })
    for kind, name in [("secure", "LE Secure Connections"), ("legacy", "legacy")]:
        add(f"pairing, Just Works, {name}, both sides with no transport", "ns", [], {
            "Bumble": lambda: peer_work(f"pairing_{kind}", times // 400)["ns"],
            "ours": lambda: work(f"pairing-{kind}", times // 100)["ns"],
        })
    add("notification, 244 octets: the stack with no transport", "ns", [], {
        "ours": lambda: work("receive", times)["ns"],
    })
    add("advertising report: the stack with no transport", "ns", [], {
        "ours": lambda: work("scan", times)["ns"],
    })

    # Beside what two layers more cost, which are ours and not Apple's framework.
    for what, name in [("notifications", "notification received"), ("reads", "read by a central")]:
        add(f"{name}, 20 octets: both sides on one virtual air: CPU", "ns", [], {
            "BLECoreBluetooth over our CoreBluetooth for Linux": lambda: layers("corebluetooth", what, times // 100),
            "ours": lambda: layers("host", what, times // 100),
        })

    files = iter(range(1_000_000))
    ours = []

    def store():
        ours.append(work("store", options.rows, scratch / f"ours{next(files)}.sqlite"))
        return ours[-1]["derived_per_second"]

    def peer_store(mode):
        file = scratch / f"peer{next(files)}.sqlite"
        return peer_work(f"store_{mode}", options.rows, file)["per_second"]

    add("detections stored durably, everything derived included", "1/s", [("sqlite3 FULL", 1)], {
        "sqlite3 FULL": lambda: peer_store("full"),
        "sqlite3 NORMAL": lambda: peer_store("normal"),
        "ours": store,
    }, lower_is_better=False)
    for name, field, unit, lower in [
        ("detections acknowledged as durable, derived later", "acknowledged_per_second", "1/s", False),
        ("one detection alone acknowledged, p50 of 200", "single_p50_ms", "ms", True),
        ("one detection alone acknowledged, p99 of 200", "single_p99_ms", "ms", True),
    ]:
        samples = {"ours": [result[field] for result in ours]}
        table.append(row_of(name, unit, [], samples, lower_is_better=lower))
    return table


def allocation_table(options, scratch):
    shim = PROGRAMS / "libAllocationCount.so"
    table = []
    for row, name, operations in [
        ("receive", "allocations per notification received", 3200),
        ("scan", "allocations per advertising report", 3200),
        ("send", "allocations per notification sent", 3200),
        ("read", "allocations per read served", 640),
    ]:
        if options.only and row not in options.only:
            continue
        note(name)
        result = host(row, [PROGRAMS / "bench-host"], 3, operations, scratch, BENCH_PRELOAD=str(shim))
        table.append({"name": name, "unit": "allocations", "ours": summary(result["allocations"], 2)})
    return table


def machine():
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    swift = subprocess.run(["swift", "--version"], text=True, capture_output=True, check=False).stdout
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": model,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "swift": (swift.splitlines() or ["unknown"])[0],
        "load_before": round(os.getloadavg()[0], 1),
    }


def note(text):
    print(f"measuring: {text}", file=sys.stderr, flush=True)


def number(value):
    if value >= 1000:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def goal_words(row):
    """The goals of a row, and whether they are met."""
    words = {True: "met", False: "not met", None: "not known"}
    return "; ".join(
        f"{goal['goal']}: {words[goal['is_met']]}"
        + ("" if goal["is_met"] or goal.get("is_in_reach", True) else f", nor by the {BARE}")
        for goal in row.get("goals", []))


def print_table(title, rows):
    if not rows:
        return
    print(f"\n{title}")
    lines = []
    for row in rows:
        ours = f"{number(row['ours']['median'])} {row['unit']}"
        peers = ", ".join(
            f"{peer} {number(entry['median'])} {row['unit']} (×{number(entry['ratio'])})"
            for peer, entry in row.get("peers", {}).items()
        )
        lines.append((row["name"], ours, peers, goal_words(row)))
    name, ours, peers, _ = (max(map(len, column)) for column in zip(*lines))
    for line in lines:
        print(f"  {line[0]:<{name}}  {line[1]:>{ours}}   {line[2]:<{peers}}   {line[3]}".rstrip())


def print_text(result):
    where = result["machine"]
    print(f"{where['processor']}, {where['cores']} cores, {where['system']}, {where['date']}")
    print(f"{where['swift']}; Python {where['python']}; load {where['load_before']} to {where['load_after']}")
    if was_busy(result):
        print("The machine was busy with other things: the figures are high, the ratios still tell something.")
    print("Medians; in brackets ours divided by the peer's.")
    print_table("Host alone, ACL data length 251", result["host_alone"])
    print_table("Elsewhere", result["elsewhere"])
    print_table("Allocations", result["allocations"])


def was_busy(result):
    return max(result["machine"]["load_before"] - 1, 0) > result["machine"]["cores"] / 2


def markdown(result):
    """The tables as Documentation/Performance.md shows them."""
    where = result["machine"]
    swift = re.search(r"Swift version (\S+)", where["swift"])
    lines = [
        f"Measured on {where['date']} with `Scripts/bench{' --quick' if result['quick'] else ''}`: "
        f"{where['processor']}, {where['cores']} cores, {where['system']}, "
        f"Swift {swift[1] if swift else 'unknown'}, Python {where['python']}, "
        f"load {where['load_before']} to {where['load_after']}"
        + (": busy with other things, so the figures are high and only the ratios tell something." if
           was_busy(result) else "."),
        "",
        "| | ours | peer | ours / peer | target |",
        "|---|---|---|---|---|",
    ]
    for row in result["host_alone"] + result["elsewhere"]:
        peers = row["peers"].items()
        cells = [
            row["name"],
            f"{number(row['ours']['median'])} {row['unit']}",
            "<br>".join(f"{peer}: {number(entry['median'])} {row['unit']}" for peer, entry in peers),
            "<br>".join(number(entry["ratio"]) for _, entry in peers),
            goal_words(row).replace("; ", "<br>"),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    counts = [f"{number(row['ours']['median'])} {row['name'].split(' ', 1)[1]}" for row in result["allocations"]]
    if counts:
        lines += ["", "Allocations: " + ", ".join(counts) + "."]
    return "\n".join(lines) + "\n"


def write_page(result):
    page = FOLDER.parent / "Documentation" / "Performance.md"
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"bench: {page} has no place for the tables ({BEGIN.strip()})")
    page.write_text(before + begin + markdown(result) + end + after, encoding="utf-8")
    note("the tables stand in Documentation/Performance.md")


def measured(options):
    quick = options.quick
    options.runs, options.rounds, options.scale = (3, 4, 4) if quick else (9, 5, 8)
    options.times, options.rows = (40_960, 3000) if quick else (409_600, 20_000)
    with tempfile.TemporaryDirectory(prefix="lantern-bench-") as folder:
        scratch = pathlib.Path(folder)
        result = {"machine": machine(), "quick": quick}
        result["host_alone"] = host_table(options, scratch)
        result["elsewhere"] = [] if options.only else elsewhere_table(options, scratch)
        result["allocations"] = allocation_table(options, scratch)
    result["machine"]["load_after"] = round(os.getloadavg()[0], 1)
    return result


def main():
    parser = argparse.ArgumentParser(prog="Scripts/bench", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few and short runs: a look, not a measurement")
    parser.add_argument(
        "--only", metavar="ROW", action="append", choices=sorted({row[0] for row in HOST_ROWS}),
        help="this row of a host alone and nothing else; may be given several times")
    parser.add_argument("--json", action="store_true", help="JSON to standard output instead of the text")
    parser.add_argument("--markdown", action="store_true", help="Markdown instead of the text")
    parser.add_argument("--page", action="store_true", help="put the tables into Documentation/Performance.md as well")
    parser.add_argument(
        "--from", dest="source", type=pathlib.Path, metavar="FILE",
        help="measure nothing, take what an earlier run wrote")
    parser.add_argument("file", nargs="?", type=pathlib.Path, help="where to write the JSON, beside the text")
    options = parser.parse_args()
    if options.only and options.page:
        parser.error("--page needs all rows; leave --only out")
    if options.source:
        result = json.loads(options.source.read_text(encoding="utf-8"))
    else:
        result = measured(options)
    text = json.dumps(result, indent=2, ensure_ascii=False)
    if options.file:
        options.file.write_text(text + "\n", encoding="utf-8")
    if options.page:
        write_page(result)
    if options.json:
        print(text)
    elif options.markdown:
        print(markdown(result), end="")
    else:
        print_text(result)


main()
