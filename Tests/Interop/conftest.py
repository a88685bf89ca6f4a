# SPDX-License-Identifier: Apache-2.0
"""Fixtures: a fresh bench with Bumble's controllers for every test, and the binary attached to it."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from lantern import DONE, Lantern, Run
from peers.air import Air, serve
from peers.bench import Bench
from peers.central import Central
from peers.database import Database
from peers.flockfinder_device import FlockFinderDevice
from peers.neighbourhood import NEIGHBOURHOOD, PASSWORD, WRONG, save
from peers.nightlight import Lamp, LampReader
from peers.raw import RawBearer
from peers.tree_gadget import TreeGadget
from peers.wifiset_client import WiFiSetClient

StartWiFiSet = Callable[..., Awaitable[Run]]

_DIFFERENCES = Path(__file__).with_name("known-differences.md")
_ROOT = Path(__file__).resolve().parents[2]
_BUILDS = [_ROOT / ".build/release/lantern", _ROOT / ".build/debug/lantern"]

# A shell starts what it puts into the background with SIGINT ignored, and the programs under test would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--controller",
        choices=["legacy", "stock"],
        default="legacy",
        help="legacy: a controller without extended advertising; stock: Bumble's own set of features",
    )


def known_differences() -> set[str]:
    """The ids in the file of known differences."""
    return set(re.findall(r"^### `([a-z0-9-]+)`$", _DIFFERENCES.read_text(), re.MULTILINE))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A known difference must be written down; where it is Bumble's, Bumble must still show it."""
    known = known_differences()
    for item in items:
        for marker in item.iter_markers("known_difference"):
            (name,) = marker.args
            if name not in known:
                raise pytest.UsageError(f"{item.nodeid}: {name} is not in {_DIFFERENCES.name}")
            if hasattr(item, "callspec") and "bumble" in item.callspec.params.values():
                item.add_marker(pytest.mark.xfail(strict=True, reason=f"known difference {name}"))


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
async def serving(binary: Path, tmp_path: Path) -> AsyncIterator[Lantern]:
    """The binary without a radio, for `radio serve`."""
    lantern = Lantern(binary, "none", tmp_path)
    yield lantern
    await lantern.close()


@pytest.fixture
async def air(serving: Lantern) -> AsyncIterator[Air]:
    """The virtual air of `radio serve`, which ends as it should."""
    air = await serve(serving)
    yield air
    assert (await air.run.interrupt()).status == DONE


@pytest.fixture
async def flockfinder(bench: Bench) -> FlockFinderDevice:
    """A FlockFinder device that advertises."""
    device = FlockFinderDevice(bench)
    await device.start()
    return device


@pytest.fixture
async def lamp(bench: Bench) -> Lamp:
    """A Smart Nightlight as it comes from the factory, which advertises."""
    lamp = Lamp(bench)
    await lamp.start()
    return lamp


@pytest.fixture
async def our_lamp(lantern: Lantern) -> AsyncIterator[Run]:
    """`lantern device run nightlight`, with its standard input open."""
    run = await lantern.start("device", "run", "nightlight", "--json", stdin=True)
    yield run
    assert (await run.interrupt()).status == DONE


@pytest.fixture
async def reader(our_lamp: Run, bench: Bench) -> LampReader:
    """A Bumble central that is connected to our lamp, and has made it a plain one."""
    reader = LampReader(bench)
    await reader.start()
    await reader.find_lamp()
    await reader.make_plain()
    return reader


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "detections.sqlite"


@pytest.fixture
async def raw_central(bench: Bench) -> Central:
    """The central that `bearer` belongs to."""
    central = Central(bench)
    await central.start()
    return central


@pytest.fixture(params=["lantern", "bumble"])
async def bearer(
    request: pytest.FixtureRequest, bench: Bench, lantern: Lantern, database: Database, raw_central: Central
) -> AsyncIterator[RawBearer]:
    """A raw ATT bearer to a server of `database`, ours or Bumble's."""
    if request.param == "lantern":
        run = await lantern.replay(database)
    else:
        await TreeGadget(bench, database).start()
    bearer = RawBearer(await raw_central.device.connect((await raw_central.find()).address, timeout=10))
    if request.param == "bumble" and request.node.get_closest_marker("known_difference"):
        bearer.patience = 1  # What is known not to come is not waited for.
    yield bearer
    if request.param == "lantern":
        assert (await run.interrupt()).status == DONE


@pytest.fixture
async def wifi_client(bench: Bench) -> WiFiSetClient:
    """A WiFiSet client, not connected yet."""
    client = WiFiSetClient(bench)
    await client.start()
    return client


@pytest.fixture
async def wifi_device(lantern: Lantern, tmp_path: Path) -> AsyncIterator[StartWiFiSet]:
    """Starts our device in a neighbourhood; at the end it ends well and has printed no password."""
    runs: list[Run] = []

    async def start(networks: list[dict[str, Any]] = NEIGHBOURHOOD, **members: Any) -> Run:
        file = save(tmp_path, networks, **members)
        run = await lantern.start("device", "run", "wifiset", "--networks", str(file), "--json")
        runs.append(run)
        await run.wait_for("device_advertising")
        return run

    yield start
    for run in runs:
        result = await run.interrupt()
        assert result.status == DONE
        for password in (PASSWORD, WRONG):
            assert password not in result.stdout + result.stderr
