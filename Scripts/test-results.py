#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the results of a step's tests from the files that the test runners write.

test-results.py count STEP STATUS LOGS    prints passed, failed and skipped tests of a step
test-results.py slowest N LOGS            prints the N slowest tests of all steps
"""

import html
import re
import sys
from pathlib import Path

# swift test writes XCTest's results to one file and Swift Testing's to another.
REPORTS = {
    "unit": ["unit.xml", "unit-swift-testing.xml"],
    "fuzz": ["fuzz.xml", "fuzz-swift-testing.xml"],
    "interop": ["interop.xml"],
    "web": ["web.xml"],
}


def cases(logs: Path, step: str) -> list[str]:
    """The test cases of a step, each as text: a failure may quote control characters, which no XML parser takes."""
    texts = [(logs / report).read_text(errors="replace") for report in REPORTS[step] if (logs / report).exists()]
    return [case for text in texts for case in text.split("<testcase ")[1:]]


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
        if "<failure" in case or "<error" in case:
            failed += 1
        elif "<skipped" in case:
            skipped += 1
        else:
            passed += 1
    # A build error, a crash, or no test at all.
    if failed == 0 and (status != 0 or passed == 0):
        failed = 1
    return f"{passed} {failed} {skipped}"


def slowest(number: int, logs: Path) -> str:
    """A line for each of the slowest tests: seconds, step, name."""
    attributes = re.compile(r'classname="([^"]*)" name="([^"]*)" time="([^"]*)"')
    found = [
        (float(match[3]), step, html.unescape(f"{match[1]} {match[2]}"))
        for step in REPORTS
        for case in cases(logs, step)
        if (match := attributes.match(case))
    ]
    lines = [f"{time:7.1f} s  {step:<8} {name[:100]}" for time, step, name in sorted(found, reverse=True)[:number]]
    return "\n".join(lines)


match sys.argv[1:]:
    case ["count", step, status, logs]:
        print(count(step, int(status), Path(logs)))
    case ["slowest", number, logs]:
        print(slowest(int(number), Path(logs)))
    case _:
        sys.exit(__doc__)
