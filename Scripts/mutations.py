# SPDX-License-Identifier: Apache-2.0
"""The mistakes of Tests/Mutations, and files with them in them: what Scripts/mutate makes and tries.

A mistake is written so; in `text`, spaces and line ends stand for any:

    [its-name]
    file = Sources/Core/BLEWire/ByteReader.swift
    text = guard ⟦count <= remaining⟧ else
    to = count < remaining
    tests = BLEWireTests Web/test_text.py
    means = What goes wrong, in a sentence.

`text` stands in the file once, and what ⟦ ⟧ hold of it is changed, all of it where they are missing. `to` is the expression that
takes its place; or `do` the statements (`nothing` for none), or `first` statements before it. `tests` are those that should
notice: patterns of Swift tests; files of Tests/Web and Tests/Interop, or tests in them (`Web/test_text.py::test_name`). `harmless` says why nothing has to, where that is so.
"""
import configparser
import hashlib
import pathlib
import re
import sys
import zlib
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "Tests/Mutations"
PAGES, SITE = "Sources/Hub/HubWeb/Public/", "Sources/Web/Site/"
CHANGES = ("to", "do", "first")
KEYS = {"file", "text", "tests", "means", "harmless", *CHANGES}
# Where the switch is read; each file has its own, so that no module needs another one.
SWITCH = """
@_silgen_name("getenv")
private func mutationEnvironment{0}(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar>?
@usableFromInline let mutation{0}: UInt32 = {{
    guard var digit = mutationEnvironment{0}("LANTERN_MUTATION") else {{ return 0 }}
    var number: UInt32 = 0
    while digit.pointee != 0 {{
        number = number &* 10 &+ UInt32(truncatingIfNeeded: digit.pointee &- 48)
        digit += 1
    }}
    return number
}}()
"""


@dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    text: str
    kind: str
    change: str
    tests: tuple[str, ...]
    means: str
    harmless: str

    @property
    def is_swift(self) -> bool:
        return self.file.endswith(".swift")

    @property
    def number(self) -> int:
        """What LANTERN_MUTATION is for it: of its name, so that another mistake in the table makes no other build of this one."""
        return zlib.crc32(self.name.encode())

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr((self.file, self.text, self.kind, self.change, self.tests)).encode()).hexdigest()

    def places(self, content: str) -> list[tuple[int, int]]:
        """Where what is changed begins and ends in a file."""
        marked = self.text if "⟦" in self.text else f"⟦{self.text}⟧"
        signs = {"⟦": "(", "⟧": ")"}
        parts = [part for part in re.split(r"(\s+|[⟦⟧])", marked) if part]
        pattern = "".join(r"\s+" if part.isspace() else signs.get(part) or re.escape(part) for part in parts)
        return [match.span(1) for match in re.finditer(pattern, content)]

    def changed(self, old: str, switch: str) -> str:
        """What stands there with the mistake, which `switch` turns on; no switch for a page."""
        is_on = f"{switch} == {self.number}"
        new = "" if self.change == "nothing" else self.change
        if self.kind == "to":
            return f"({is_on} ? ({new}) : ({old}))" if switch else new
        if self.kind == "first":
            return f"if {is_on} {{ {new} }}; {old}" if switch else f"{new}; {old}"
        if not switch:
            return new
        return f"if {is_on} {{ {new} }} else {{ {old} }}" if new else f"if {switch} != {self.number} {{ {old} }}"

    @property
    def wide(self) -> list[tuple[str, ...]]:
        """What else might notice it."""
        if self.file.startswith((PAGES, SITE)):
            return [("Web/",)]
        if "/LanternEngine/" in self.file or "/HubWeb/" in self.file:
            return [(".",), ("Web/",)]
        if "/Core/" in self.file or re.match(r"Sources/Products/(\w+)/\1/", self.file) or "/Edges/" in self.file or "/Tools/" in self.file or "Commands/" in self.file:
            return [(".",), ("Interop/",)]
        return [(".",), ("Interop/",), ("Web/",)]


def read_tables() -> list[Mutation]:
    found = []
    for table in sorted(TABLES.glob("*.ini")):
        reader = configparser.ConfigParser(interpolation=None, delimiters=("=",))
        reader.read_string(table.read_text(), str(table))
        for name in reader.sections():
            row = dict(reader[name])
            kinds = [kind for kind in CHANGES if kind in row]
            missing = {"file", "text", "tests", "means"} - row.keys()
            if missing or row.keys() - KEYS or len(kinds) != 1:
                sys.exit(f"{table.name}: {name} needs file, text, tests, means and one of to, do and first")
            found.append(Mutation(name, row["file"], row["text"], kinds[0], row[kinds[0]], tuple(row["tests"].split()),
                                  row["means"], row.get("harmless", "")))
    if len({one.number for one in found}) < len(found):
        sys.exit("Two mistakes have the same name, or names with the same check sum: call one otherwise")
    return found


def check(mutations: list[Mutation]) -> None:
    """Ends when a text is not there once, or a file of tests is not there: somebody has changed that."""
    faults = []
    for one in mutations:
        path = ROOT / one.file
        count = len(one.places(path.read_text())) if path.is_file() else 0
        if count != 1:
            faults.append(f"{one.name}: its text stands {count} times in {one.file}")
        files = [test.partition("::")[0] for test in one.tests if ".py" in test]
        faults += [f"{one.name}: there is no Tests/{name}" for name in files if not (ROOT / "Tests" / name).is_file()]
    if faults:
        sys.exit("\n".join([*faults, "Say in Tests/Mutations what is there now, or take the mistake out"]))


def with_mutations(content: str, mutations: list[Mutation], switch: str) -> str:
    """A file with mistakes in it."""
    spans = sorted(((one.places(content)[0], one) for one in mutations), key=lambda found: found[0], reverse=True)
    behind = len(content)
    for (start, end), one in spans:
        if end > behind:
            sys.exit(f"{one.name} overlaps with another mistake in {one.file}")
        behind = start
        content = content[:start] + one.changed(content[start:end], switch) + content[end:]
    return content
