# SPDX-License-Identifier: Apache-2.0
"""The app's source as the compiler understands it, for scripts that hold it against something else."""
import json
import pathlib
import re
import subprocess
import sys

MODULE = "LanternApp"
# Options of the compiler that say what the source means; the others say what is to be made of it.
PAIRS = {"-module-name", "-I", "-target", "-swift-version", "-enable-upcoming-feature", "-package-name", "-module-cache-path", "-Xcc"}


def arguments(build):
    """What the build has given to the compiler, as far as the meaning of the source depends on it."""
    manifest = build / "debug.yaml"
    lines = manifest.read_text(encoding="utf-8").splitlines() if manifest.is_file() else []
    line = next((line for line in lines if line.strip().startswith("args: [") and f'"-module-name","{MODULE}"' in line), None)
    if not line:
        sys.exit(f"{manifest} tells of no {MODULE}: build first")
    given = iter(json.loads(line.split("args: ", 1)[1]))
    kept = []
    for argument in given:
        if argument in PAIRS:
            kept += [argument, next(given)]
        elif re.fullmatch(r"-D\w+", argument):
            kept.append(argument)
        elif argument.startswith("@"):
            files = pathlib.Path(argument[1:]).read_text(encoding="utf-8").splitlines()
            kept += [file.strip("'\"").replace("\\ ", " ") for file in files]
    return kept


def nodes(tree):
    """All nodes of the compiler's tree."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def trees(build):
    """What the compiler understands of each file of the app, after a build in a folder."""
    compiled = subprocess.run(
        ["swiftc", "-dump-ast", "-dump-ast-format", "json", "-parse-as-library", *arguments(build)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if compiled.returncode:
        sys.exit(f"the compiler cannot read the app's source:\n{compiled.stdout[-2000:]}")
    yield from objects(compiled.stdout)


def objects(text):
    """The JSON objects in a text, each of which begins where a line does or another one ends."""
    decoder = json.JSONDecoder()
    place = 0
    while (place := text.find('{"_kind":"source_file"', place)) >= 0:
        tree, place = decoder.raw_decode(text, place)
        yield tree
