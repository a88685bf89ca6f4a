# SPDX-License-Identifier: Apache-2.0
"""Proves that each known difference is written down once, and that something still depends on it."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import known_differences

_HERE = Path(__file__).parent
_MARKER = re.compile(r'known_difference\(\s*"([^"]+)"')
_COMMENT = re.compile(r"[Kk]nown differences?: ([a-z0-9-]+(?:, [a-z0-9-]+)*)")


def referred_to() -> set[str]:
    """The ids that tests and peers name."""
    found: set[str] = set()
    for path in [*_HERE.glob("*.py"), *_HERE.glob("peers/*.py")]:
        text = path.read_text()
        found |= set(_MARKER.findall(text))
        for listed in _COMMENT.findall(text):
            found |= set(listed.split(", "))
    return found


def test_each_is_referred_to_and_each_reference_is_one() -> None:
    assert referred_to() - known_differences() == set(), "not written down"
    assert known_differences() - referred_to() == set(), "nothing depends on it any more"


def test_each_is_said_once_and_has_a_reason() -> None:
    sections = re.split(r"^### ", (_HERE / "known-differences.md").read_text(), flags=re.MULTILINE)[1:]
    names = [section.split("\n")[0].strip("`") for section in sections]
    assert len(names) == len(set(names)) == len(known_differences())
    for name, section in zip(names, sections):
        reason = section.split("\n## ")[0].split("\n", 1)[1]
        assert len(reason.split()) >= 8, f"{name} has no reason"
