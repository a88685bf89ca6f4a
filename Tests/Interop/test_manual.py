# SPDX-License-Identifier: Apache-2.0
"""The manual: a page for each command, which names all that the command takes and which groff shows without a warning."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "Scripts"


@pytest.fixture(scope="module")
def installed(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a package installs."""
    folder = tmp_path_factory.mktemp("package")
    subprocess.run([SCRIPTS / "package-files", folder, binary], check=True)
    return folder


def program(binary: Path) -> dict[str, Any]:
    dump = subprocess.run([binary, "--experimental-dump-help"], check=True, capture_output=True, text=True)
    return json.loads(dump.stdout)["command"]


def rendered(page: Path) -> str:
    """A page as a terminal shows it, without bold and the like."""
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-rLL=1000n", "-P-cbou"],
        input=gzip.decompress(page.read_bytes()), capture_output=True, check=True,
    )
    assert done.stderr == b"", page.name
    return done.stdout.decode()


def names(command: dict[str, Any]) -> set[str]:
    """The options that a command shows."""
    return {
        ("--" if name["kind"] == "long" else "-") + name["name"]
        for argument in command.get("arguments", [])
        if argument["shouldDisplay"] and argument["valueName"] not in ("help", "version")
        for name in argument.get("names", [])
    }


def check(command: dict[str, Any], path: str, text: str) -> None:
    below = [c for c in command.get("subcommands", []) if c["commandName"] != "help"]
    for subcommand in below:
        check(subcommand, f"{path} {subcommand['commandName']}", text)
    if not below:
        synopsis = text.split(f"{path}\n", 1)[1].split("\n\n", 1)[0]
        for name in names(command):
            assert f"{name} " in synopsis.replace("]", " "), f"{path}: {name}"
            assert f"\n       {name}" in text, f"{path}: {name}"
        assert command["abstract"].replace("`", "").rstrip(".") in text


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_each_command_has_a_page(binary: Path, installed: Path) -> None:
    manual = installed / "share/man/man1"
    root = program(binary)
    commands = [c for c in root["subcommands"] if c["commandName"] != "help"]
    assert {page.name for page in manual.iterdir()} == {
        "lantern.1.gz", *(f"lantern-{c['commandName']}.1.gz" for c in commands)
    }
    overview = rendered(manual / "lantern.1.gz")
    for command in commands:
        name = command["commandName"]
        assert f"lantern-{name}(1)" in overview
        check(command, f"lantern {name}", rendered(manual / f"lantern-{name}.1.gz"))


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        ("bash", "bash-completion/completions/lantern"),
        ("zsh", "zsh/site-functions/_lantern"),
        ("zsh", "zsh/vendor-completions/_lantern"),
        ("fish", "fish/vendor_completions.d/lantern.fish"),
    ],
)
def test_shells_can_read_what_is_installed(installed: Path, shell: str, file: str) -> None:
    script = installed / "share" / file
    assert script.stat().st_size > 0
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    assert subprocess.run([shell, "-n", script], capture_output=True).stderr == b""


@pytest.mark.parametrize("arguments", [["--help"], ["help", "scan"], ["--version"], ["scan", "--help"]])
def test_help_that_cannot_be_written_is_a_failure(binary: Path, arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([binary, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "lantern: The output could not be written: No space left on device.\n")


def test_help_on_help_is_help(binary: Path) -> None:
    asked = [subprocess.run([binary, *words], check=True, capture_output=True, text=True).stdout
             for words in (["help"], ["help", "help"])]
    assert asked[0] == asked[1] and "SUBCOMMANDS" in asked[0]
