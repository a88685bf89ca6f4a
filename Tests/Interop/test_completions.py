# SPDX-License-Identifier: Apache-2.0
"""The Tab key in bash, zsh and fish: what is on the line when Enter is pressed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from terminal import Terminal

SEEN = [
    "F0:F1:F2:F3:F4:F5/R Lamp One",
    "AA:BB:CC:DD:EE:01/P Twin",
    "AA:BB:CC:DD:EE:02/P Twin",
    # Names come over the air; a shell must not act on them.
    "AA:BB:CC:DD:EE:03/P evil $(touch owned); `touch owned` 'x' \"y\" & > owned",
]
EVIL = SEEN[-1].split(" ", 1)[1]
START = {
    "bash": (["--norc", "--noprofile", "-i"], "source <(lantern completions bash)"),
    "zsh": (["-f", "-i"], "autoload -Uz compinit; compinit -u -D; source <(lantern completions zsh)"),
    "fish": (["--no-config", "-i"], "lantern completions fish | source"),
}
# What is typed before Tab, and the arguments that the program gets then.
CASES = {
    "verb": ("lantern nightl", ["nightlight"]),
    "subcommand": ("lantern gatt tr", ["gatt", "tree"]),
    "kind of device": ("lantern device run nig", ["device", "run", "nightlight"]),
    "help": ("lantern help nightlight we", ["help", "nightlight", "week"]),
    "option": ("lantern scan --cap", ["scan", "--capture"]),
    "option behind arguments": ("lantern gatt read x y --ca", ["gatt", "read", "x", "y", "--capture"]),
    "address": ("lantern gatt tree F0:F1:F", ["gatt", "tree", "F0:F1:F2:F3:F4:F5/R"]),
    "address in small letters": ("lantern gatt tree f", ["gatt", "tree", "F0:F1:F2:F3:F4:F5/R"]),
    "argument behind an address": (
        "lantern nightlight color F0:F1:F2:F3:F4:F5/R al", ["nightlight", "color", "F0:F1:F2:F3:F4:F5/R", "all"]),
    "name": ("lantern bulb show Lam", ["bulb", "show", "Lamp One"]),
    "name of two": ("lantern bulb show Twi", ["bulb", "show", "Twi"]),
    "quoted name": ("lantern bulb show 'Lam", ["bulb", "show", "Lamp One"]),
    "hostile name": ("lantern bulb show evi", ["bulb", "show", EVIL]),
    "radio": ("lantern scan --radio tcp-", ["scan", "--radio", "tcp-listen:"]),
    "radio behind an equals sign": ("lantern scan --radio=tcp-", ["scan", "--radio=tcp-listen:"]),
    "service": ("lantern scan --service heart-r", ["scan", "--service", "heart-rate"]),
    "characteristic": ("lantern gatt read x nightlight-week-s", ["gatt", "read", "x", "nightlight-week-schedule"]),
    "colour": ("lantern bulb color x rebe", ["bulb", "color", "x", "rebeccapurple"]),
    "file": ("lantern gatt diff sav", ["gatt", "diff", "saved tree.json"]),
    "file in a folder": ("lantern gatt diff ./sav", ["gatt", "diff", "./saved tree.json"]),
    "file behind an option": ("lantern scan --capture sav", ["scan", "--capture", "saved tree.json"]),
    "list": ("lantern radio serve --devices bulb,nig", ["radio", "serve", "--devices", "bulb,nightlight"]),
    "nothing": ("lantern nightlight name x sav", ["nightlight", "name", "x", "sav"]),
}


@pytest.mark.parametrize("shell", START)
async def test_tab(binary: Path, tmp_path: Path, shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    options, setup = START[shell]
    terminal = await Terminal.open(
        Path(str(shutil.which(shell))), options, environment(binary, tmp_path), tmp_path / "home", (24, 200)
    )
    got = {}
    try:
        terminal.type(f"{setup}\r")
        for number, (case, (typed, _)) in enumerate(CASES.items(), 1):
            terminal.type(f"{typed}\t\r")
            ran = tmp_path / f"ran-{number}"
            await terminal.wait_until(ran.exists, f"the command runs: {case}")
            got[case] = ran.read_text().split("\x1e")
    finally:
        await terminal.close()
    assert got == {case: expected for case, (_, expected) in CASES.items()}
    assert not (tmp_path / "home" / "owned").exists()


def environment(binary: Path, folder: Path) -> dict[str, str]:
    """A home where a program stands for `lantern` that answers the Tab key, and else keeps its arguments in ran-1, ran-2, …"""
    for name in ("bin", "home", "state/lantern"):
        (folder / name).mkdir(parents=True)
    program = folder / "bin" / "lantern"
    program.write_text(
        f"""#!/bin/sh
case $1 in ---complete | completions) exec '{binary}' "$@" ;; esac
number=1
while [ -e '{folder}'/ran-$number ]; do number=$((number + 1)); done
{{ printf %s "$1"; shift; [ $# = 0 ] || printf '\\036%s' "$@"; }} >'{folder}/part'
mv '{folder}/part' '{folder}'/ran-$number
"""
    )
    program.chmod(0o755)
    (folder / "state" / "lantern" / "devices-seen").write_text("".join(f"{line}\n" for line in SEEN))
    (folder / "home" / "saved tree.json").touch()
    return {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "HOME": str(folder / "home"),
        "XDG_STATE_HOME": str(folder / "state"),
        "LC_ALL": "C.UTF-8",
    }
