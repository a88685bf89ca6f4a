#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the results of a step's tests from the files that the test runners write.

test-results.py count STEP STATUS LOGS    prints passed, failed and skipped tests of a step
test-results.py slowest N LOGS            prints the N slowest tests of all steps
test-results.py failed STEP LOGS          prints what swift test --filter takes for the failed tests of a step, if they are few
test-results.py again LOGS                prints the tests that passed at their second try only, and how often each has needed it
test-results.py where N LOGS              prints where the time of the tests goes: the N files that take most, working and waiting
"""

import html
import json
import re
import sys
from pathlib import Path

# swift test writes XCTest's results to one file and Swift Testing's to another.
REPORTS = {
    "unit": ["unit.xml", "unit-swift-testing.xml"],
    "fuzz": ["fuzz.xml", "fuzz-swift-testing.xml"],
    "attacks": ["attacks.xml"],
    "interop": ["interop.xml"],
    "web": ["web.xml", "web-site.xml"],
}


# How many failed tests a busy machine may explain: each is tried once more, alone, and named in the summary.
TRIED_AGAIN = 8
NAME = re.compile(r'classname="([^"]*)" name="([^"]*)" time="([^"]*)"')


def cases(logs: Path, step: str, again: str = "") -> list[str]:
    """The test cases of a step, each as text: a failure may quote control characters, which no XML parser takes."""
    files = [logs / report.replace(step, step + again, 1) for report in REPORTS[step]]
    return [case for file in files if file.exists() for case in file.read_text(errors="replace").split("<testcase ")[1:]]


def has_failed(case: str) -> bool:
    return "<failure" in case or "<error" in case


def names(found: list[str]) -> list[str]:
    return [f"{match[1]} {match[2]}" for case in found if (match := NAME.match(case))]


def passed_again(logs: Path, step: str) -> list[str]:
    """The failed tests of a step that passed when they were tried once more."""
    good = names([case for case in cases(logs, step, "-again") if not has_failed(case)])
    return [name for name in names([case for case in cases(logs, step) if has_failed(case)]) if name in good]


def failed(step: str, logs: Path) -> str:
    """The failed tests of a step as a pattern."""
    found = names([case for case in cases(logs, step) if has_failed(case)])
    if not 0 < len(found) <= TRIED_AGAIN:
        sys.exit(1)
    # The names of suites are joined by a dot here, by a slash there: a dot of a pattern means either.
    return "|".join(f"^{name.partition('(')[0].replace(' ', '.')}\\(" for name in map(html.unescape, found))


def count(step: str, status: int, logs: Path) -> str:
    """The numbers of tests that passed, failed and were skipped."""
    if step == "radios":
        # Its own last line tells.
        said = re.findall(r"^(\d+) passed, (\d+) failed$", (logs / "radios.log").read_text(errors="replace"), re.MULTILINE)
        return f"{said[-1][0]} {max(int(said[-1][1]), status != 0)} 0" if said else "0 1 0"
    if step not in REPORTS:
        return "0 1 0" if status else "1 0 0"
    passed = failed = skipped = 0
    for case in cases(logs, step):
        if has_failed(case):
            failed += 1
        elif "<skipped" in case:
            skipped += 1
        else:
            passed += 1
    good = len(passed_again(logs, step))
    passed, failed = passed + good, failed - good
    # A build error, a crash, or no test at all.
    if failed == 0 and (status != 0 or passed == 0):
        failed = 1
    return f"{passed} {failed} {skipped}"


def remember(logs: Path, found: list[str]) -> dict[str, int]:
    """How often each test has needed a second try in the runs whose logs lie here, this one included."""
    file = logs / "second-tries.json"
    times = json.loads(file.read_text()) if file.exists() else {}
    for name in found:
        times[name] = times.get(name, 0) + 1
    if found:
        file.write_text(json.dumps(times, indent=1, sort_keys=True))
    return times


def where(number: int, logs: Path) -> str:
    """A line for each file of tests: how many, their seconds, and how much of them a processor worked or the test waited."""
    files: dict[tuple[str, str], list[float]] = {}
    for step in REPORTS:
        for case in cases(logs, step):
            if match := NAME.match(case):
                # Swift's names of suites begin with their target.
                file = re.split(r"[./]", html.unescape(match[1]))[0 if step in ("unit", "fuzz") else -1]
                used = re.search(r'name="processor" value="([^"]*)"', case)
                sums = files.setdefault((step, file), [0, 0, 0])
                for index, value in enumerate((1, float(match[3]), float(used[1]) if used else 0)):
                    sums[index] += value
    lines = [f"{'step':<8} {'file':<34} {'tests':>5} {'seconds':>8} {'working':>8} {'waiting':>8}"]
    order = sorted(files.items(), key=lambda one: max(one[1][1:]), reverse=True)
    for (step, file), (count, seconds, used) in order[:number]:
        work = (f"{used:8.0f}", f"{max(0, seconds - used):8.0f}") if used else (f"{'':8}", f"{'':8}")
        lines.append(f"{step:<8} {file[:34]:<34} {count:5.0f} {seconds:8.0f} {work[0]} {work[1]}")
    return "\n".join(lines) if files else ""


def slowest(number: int, logs: Path) -> str:
    """A line for each of the slowest tests: seconds, step, name."""
    found = [
        (float(match[3]), step, html.unescape(f"{match[1]} {match[2]}"))
        for step in REPORTS
        for case in cases(logs, step)
        if (match := NAME.match(case))
    ]
    lines = [f"{time:7.1f} s  {step:<8} {name[:100]}" for time, step, name in sorted(found, reverse=True)[:number]]
    return "\n".join(lines)


match sys.argv[1:]:
    case ["count", step, status, logs]:
        print(count(step, int(status), Path(logs)))
    case ["slowest", number, logs]:
        print(slowest(int(number), Path(logs)))
    case ["failed", step, logs]:
        print(failed(step, Path(logs)))
    case ["again", logs]:
        found = [f"{step:<8} {html.unescape(name)[:120]}" for step in REPORTS for name in passed_again(Path(logs), step)]
        times = remember(Path(logs), found)
        for name in found:
            print(f"{name} (in {times[name]} of the runs here)")
    case ["where", number, logs]:
        print(where(int(number), Path(logs)))
    case _:
        sys.exit(__doc__)
