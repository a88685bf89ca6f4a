# SPDX-License-Identifier: Apache-2.0
"""Fixtures: a fresh bench with Bumble's controllers for every test, and the binary attached to it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lantern import Lantern
from peers.bench import Bench
from peers.flockfinder_device import FlockFinderDevice

_ROOT = Path(__file__).resolve().parents[2]
_BUILDS = [_ROOT / ".build/release/lantern", _ROOT / ".build/debug/lantern"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--controller",
        choices=["legacy", "stock"],
        default="legacy",
        help="legacy: a controller without extended advertising; stock: Bumble's own set of features",
    )


@pytest.fixture(scope="session")
def binary() -> Path:
    """The binary under test: $LANTERN, else the release build, else the debug build. None is a failure."""
    if chosen := os.environ.get("LANTERN"):
        path = Path(chosen).resolve()
        assert os.access(path, os.X_OK), f"LANTERN={chosen} is not an executable"
        return path
    for path in _BUILDS:
        if os.access(path, os.X_OK):
            return path
    raise AssertionError("no lantern to test: build it with `swift build -c release`, or set LANTERN")


@pytest.fixture
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    bench = Bench(extended=request.config.getoption("--controller") == "stock")
    await bench.open()
    yield bench
    await bench.close()


@pytest.fixture
async def lantern(binary: Path, bench: Bench, tmp_path: Path) -> AsyncIterator[Lantern]:
    lantern = Lantern(binary, bench.radio, tmp_path)
    yield lantern
    await lantern.close()


@pytest.fixture
async def flockfinder(bench: Bench) -> FlockFinderDevice:
    """A FlockFinder device that advertises."""
    device = FlockFinderDevice(bench)
    await device.start()
    return device


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "detections.sqlite"
