# SPDX-License-Identifier: Apache-2.0
"""Holds JSON to a JSON Schema: as much of draft 2020-12 as `lantern events --schema` uses, and no more.

Each line that any run prints is held to it, so a schema is read once, into functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

# What is wrong with a value, each with where it is below that value.
Found = list[tuple[str, str]]
Check = Callable[[Any], Found]

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
_KNOWN = {
    "description", "type", "properties", "required", "additionalProperties", "enum", "pattern", "items", "anyOf",
}  # fmt: skip
# The functions of a schema, and the schema itself, so that no other one comes to lie at its address.
_made: dict[int, tuple[dict[str, Any], Check]] = {}


def problems(value: Any, schema: dict[str, Any], path: str) -> list[str]:
    """What is wrong with a value, each with where it is."""
    if id(schema) not in _made:
        _made[id(schema)] = (schema, _check(schema))
    return [f"{path}{place} {what}" for place, what in _made[id(schema)][1](value)]


def _check(schema: dict[str, Any]) -> Check:
    unknown = schema.keys() - _KNOWN
    assert not unknown, f"the schema has {unknown}, which is not understood here"
    if "anyOf" in schema:
        return _any_of([_check(kind) for kind in schema["anyOf"]])
    enum, pattern = schema.get("enum"), re.compile(schema["pattern"]) if "pattern" in schema else None
    wanted = schema.get("type")
    names = wanted if isinstance(wanted, list) else [wanted] if wanted else []
    # JSON's true is no number, Python's is.
    no_boolean = "boolean" not in names
    types = tuple(kind for name in names for kind in _flat(_TYPES[name]))
    inside, elements = _members(schema), _check(schema["items"]) if "items" in schema else None

    def check(value: Any) -> Found:
        if enum is not None and value not in enum:
            return [("", f"is {value!r}, which is none of {enum}")]
        if types and (not isinstance(value, types) or no_boolean and value.__class__ is bool):
            return [("", f"is {value!r}, which is no {' or '.join(names)}")]
        if isinstance(value, str):
            fits = pattern is None or pattern.search(value)
            return [] if fits else [("", f"is {value!r}, which does not fit {schema['pattern']}")]
        if isinstance(value, dict):
            return inside(value)
        if isinstance(value, list) and elements:
            return [
                (f"[{index}]{place}", what) for index, one in enumerate(value) for place, what in elements(one)
            ]
        return []

    return check


def _flat(kind: type | tuple[type, ...]) -> tuple[type, ...]:
    return kind if isinstance(kind, tuple) else (kind,)


def _any_of(kinds: list[Check]) -> Check:
    def check(value: Any) -> Found:
        fewest: Found | None = None
        for kind in kinds:
            if not (found := kind(value)):
                return found
            if fewest is None or len(found) < len(fewest):
                fewest = found
        assert fewest is not None
        return fewest

    return check


def _members(schema: dict[str, Any]) -> Check:
    members = {key: _check(one) for key, one in schema.get("properties", {}).items()}
    required, is_closed = schema.get("required", []), schema.get("additionalProperties") is False

    def check(value: dict[str, Any]) -> Found:
        found: Found = [("", f"lacks {key}") for key in required if key not in value]
        for key, member in value.items():
            if kind := members.get(key):
                if wrong := kind(member):
                    found += [(f".{key}{place}", what) for place, what in wrong]
            elif is_closed:
                found.append(("", f"has {key}, which is not in the schema"))
        return found

    return check
