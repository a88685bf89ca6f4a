# SPDX-License-Identifier: Apache-2.0
"""Each limit, listener and promise of SECURITY.md has its test, and the service of the package is as closed as it says."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "SECURITY.md").read_text()


@cache
def known() -> set[str]:
    """All names of tests and suites."""
    found = set()
    for path in (ROOT / "Tests").rglob("*"):
        if path.suffix == ".swift":
            text = path.read_text()
            # A function that is no test proves nothing.
            pattern = r"@Test\b(?:(?!@Test\b|\bfunc ).)*\bfunc (?:`([^`]+)`|(\w+))"
            found |= {first or second for first, second in re.findall(pattern, text, re.S)}
            found |= set(re.findall(r"struct (\w+Tests)\b", text))
        elif path.suffix == ".py":
            found |= set(re.findall(r"def (test_\w+)", path.read_text()))
    return found


def tables() -> list[tuple[str, str]]:
    """Each row of a table that has a column of tests: what it is about, and that column."""
    rows, has_tests = [], False
    for line in PAGE.splitlines():
        if not line.startswith("|"):
            has_tests = False
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[-1] == "test":
            has_tests = True
        elif has_tests and not set(line) <= set("|- "):
            rows.append((cells[0], cells[-1]))
    return rows


def test_every_table_of_limits_has_tests():
    assert len(re.findall(r"^\| what \|.*$", PAGE, re.M)) == len(re.findall(r"^\| what \|.*\| test \|$", PAGE, re.M))
    assert len(tables()) > 60


@pytest.mark.parametrize("what", tables(), ids=lambda row: row[0][:50])
def test_what_is_promised_has_a_test_that_is_there(what):
    names = re.findall(r"`([^`]+)`", what[1])
    assert names, f"{what[0]} has no test"
    assert [name for name in names if name not in known()] == []


def test_what_is_named_beside_the_tables_is_there_too():
    text = "\n".join(line for line in PAGE.splitlines() if not line.startswith("|"))
    names = re.findall(r"`((?:test_\w+)|(?:[a-z]+(?:[A-Z][a-z]*){3,})|(?:\w+Tests))`", text)
    assert len(names) > 15 and [name for name in names if name not in known()] == []


@pytest.fixture
def unit(tmp_path) -> Path:
    """The service under the name that it gets."""
    path = tmp_path / "lantern-hub.service"
    path.write_text((ROOT / "Packaging/debian/lantern.lantern-hub.service").read_text())
    return path


def test_the_service_is_exposed_no_further_than_bluetooth_needs(unit):
    text = unit.read_text()
    for line in ["LimitCORE=0", "MemorySwapMax=0", "NoNewPrivileges=yes", "ProtectSystem=strict", "UMask=0077"]:
        assert line in text.splitlines()
    # It overwrites what it frees; test_secrets.py tries that.
    assert re.search(r"^Environment=GLIBC_TUNABLES=glibc\.malloc\.tcache_count=0:glibc\.malloc\.perturb=[1-9]\d*$", text, re.M)
    for key in ["MemoryMax", "TasksMax"]:
        assert re.search(rf"^{key}=\d", text, re.M)
    analyze = shutil.which("systemd-analyze")
    if not analyze:
        pytest.skip("there is no systemd-analyze here")
    told = subprocess.run([analyze, "security", "--offline=true", "--no-pager", unit], capture_output=True, text=True)
    if "unrecognized option" in told.stderr:
        pytest.skip("this systemd-analyze reads no files")
    exposed = set(re.findall(r"^✗ (\S+)", told.stdout, re.M))
    assert exposed == {
        # Sockets, of which those of Bluetooth count as exotic; the drop-in of the guide lets others in.
        "RestrictAddressFamilies=~AF_UNIX", "RestrictAddressFamilies=~…", "RestrictAddressFamilies=~AF_(INET|INET6)",
        "PrivateNetwork=", "IPAddressDeny=",
        # An adapter of the kernel, and controllers on serial ports.
        "CapabilityBoundingSet=~CAP_NET_ADMIN", "AmbientCapabilities=", "PrivateUsers=", "PrivateDevices=", "DeviceAllow=",
        "SupplementaryGroups=",
        # Swift sets the priority of its threads.
        "SystemCallFilter=~@resources",
        # It reads the system's libraries and its own pages.
        "RootDirectory=/RootImage=",
    }  # fmt: skip


def test_the_attacks_are_run_with_all_other_tests_and_the_long_ones_by_hand():
    script = (ROOT / "Scripts/test").read_text()
    [step] = re.findall(r"^step_attacks\(\) \{\n(.*?)^\}$", script, re.M | re.S)
    assert "cd Tests/HubAttack" in step and "run_pytest attacks" in step
    # It is one of the steps, not only a function that is there.
    assert re.search(r"\battacks\b", script.replace(step, "").replace("step_attacks", "")), "no step is called attacks"
    settings = (ROOT / "Tests/HubAttack/pytest.ini").read_text()
    assert 'addopts = -m "not long"' in settings
    files = sorted((ROOT / "Tests/HubAttack").glob("test_*.py"))
    texts = [path.read_text() for path in files]
    assert len(files) > 12 and sum(text.count("@pytest.mark.long") for text in texts) > 5
    # Nothing is left out of it for good.
    assert not [path.name for path, text in zip(files, texts, strict=True) if re.search(r"mark\.(skip|xfail)\b", text)]
