# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: how much processor time a test and everything below it took.

The rest of a test's time is waiting. The figure goes into the JUnit file as the property `processor`, in seconds, which
`Scripts/test-results.py where` reads.
"""

import os
from contextlib import suppress
from pathlib import Path

import pytest

TICKS = os.sysconf("SC_CLK_TCK")


def processor_time() -> float:
    """Seconds that this process, its children and theirs have used, ended ones included."""
    parents, times = {}, {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        # A process may end between the two.
        with suppress(OSError):
            # The name in brackets may hold blanks.
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            number = int(folder.name)
            parents[number], times[number] = int(fields[1]), sum(map(int, fields[11:15]))
    children = {}
    for number, parent in parents.items():
        children.setdefault(parent, []).append(number)
    total, waiting = 0, [os.getpid()]
    while waiting:
        number = waiting.pop()
        total += times.get(number, 0)
        waiting += children.get(number, [])
    return total / TICKS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    # A server that outlives its test is counted with the test during which it works.
    before = processor_time()
    item.processor_time_before = before
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "teardown":
        used = max(0, processor_time() - item.processor_time_before)
        report.user_properties.append(("processor", f"{used:.2f}"))
    return report
