# SPDX-License-Identifier: Apache-2.0
"""Holds JSON to a JSON Schema: as much of draft 2020-12 as `lantern events --schema` uses, and no more."""

from __future__ import annotations

import re
from typing import Any

_TYPES: dict[str, Any] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
_KNOWN = {
    "description", "type", "properties", "required", "additionalProperties", "enum", "pattern", "items", "anyOf",
}  # fmt: skip


def problems(value: Any, schema: dict[str, Any], path: str) -> list[str]:
    """What is wrong with a value, each with where it is."""
    unknown = schema.keys() - _KNOWN
    assert not unknown, f"the schema has {unknown}, which is not understood here"
    if "anyOf" in schema:
        kinds = [problems(value, kind, path) for kind in schema["anyOf"]]
        return [] if [] in kinds else min(kinds, key=len)
    if "enum" in schema and value not in schema["enum"]:
        return [f"{path} is {value!r}, which is none of {schema['enum']}"]
    if "type" in schema:
        wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(_TYPES[name](value) for name in wanted):
            return [f"{path} is {value!r}, which is no {' or '.join(wanted)}"]
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return [f"{path} is {value!r}, which does not fit {schema['pattern']}"]
    found: list[str] = []
    if isinstance(value, dict):
        members = schema.get("properties", {})
        found += [f"{path} lacks {key}" for key in schema.get("required", []) if key not in value]
        if schema.get("additionalProperties") is False:
            found += [f"{path} has {key}, which is not in the schema" for key in value.keys() - members.keys()]
        for key in value.keys() & members.keys():
            found += problems(value[key], members[key], f"{path}.{key}")
    if isinstance(value, list) and "items" in schema:
        for index, element in enumerate(value):
            found += problems(element, schema["items"], f"{path}[{index}]")
    return found
