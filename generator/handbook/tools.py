"""A page for each tool, from the table of tools and its recorded example."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.handbook.text import body, fence, table
from generator.model.reference import ReferencePage
from generator.questions import first_for
from generator.tools import all_tools
from generator.tools.base import Tool

EXAMPLES = Path(__file__).parent / "examples"
LINES_MAX = 40

_SEEDS = {
    "agenvoy": "Agenvoy's tool of this name",
    "wolffish": "Wolffish's tool of this name",
    "memory": "the memory skill",
    "ours": "Fieldguide itself",
}


def tool_pages() -> Iterator[ReferencePage]:
    """Make a page for each tool, in table order."""
    for tool in all_tools():
        yield ReferencePage(
            kind="tools",
            name=tool.name,
            title=tool.name,
            summary=tool.what,
            markdown=_markdown(tool),
        )


def shorten(text: str) -> str:
    """Keep the first lines of a long answer and say how many follow."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) <= LINES_MAX:
        return "\n".join(lines)
    return "\n".join([*lines[:LINES_MAX], f"... {len(lines) - LINES_MAX} more lines"])


def _markdown(tool: Tool[Any, Any]) -> str:
    example = json.loads((EXAMPLES / f"{tool.name}.json").read_text(encoding="utf-8"))
    call = json.dumps(example["arguments"], ensure_ascii=False)
    return body(
        f"**When:** {tool.when}",
        f"**First for:** {first}." if (first := first_for(tool.name)) else "",
        f"**Precondition:** {tool.precondition}",
        "## Arguments",
        _arguments(tool.arguments.model_json_schema()),
        "## Answer",
        _answer(tool.result.model_json_schema(mode="serialization")),
        "## Example",
        fence("sh", f"fieldguide call {tool.name} '{_quoted(call)}'"),
        "What an agent reads (`--text`):",
        fence("text", example["text"]),
        "The structured answer:",
        fence("json" if example["whole"] else "text", example["answer"]),
        "## Facts",
        table(
            ["Property", "Value"],
            [
                ["Changes something", "no" if tool.read_only else "yes"],
                ["May remove or replace", "yes" if tool.destructive else "no"],
                ["Twice is the same as once", "yes" if tool.idempotent else "no"],
                ["Comes from", _SEEDS[tool.seed]],
            ],
        ),
    )


def _quoted(text: str) -> str:
    """Make a text safe inside single quotes of a shell."""
    return text.replace("'", "'\\''")


def _arguments(schema: Mapping[str, Any]) -> str:
    required = set(schema.get("required", ()))
    rows = [
        [
            f"`{name}`",
            type_words(part, schema),
            "required" if name in required else _default(part),
            part.get("description", ""),
        ]
        for name, part in schema.get("properties", {}).items()
    ]
    return table(["Argument", "Takes", "Default", "Meaning"], rows) if rows else "None."


def _default(part: Mapping[str, Any]) -> str:
    """Show a default; an argument that may simply be left out has none to show."""
    value = part.get("default")
    return "" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"


def _answer(schema: Mapping[str, Any]) -> str:
    rows = [
        [f"`{path}`", type_words(part, schema), part.get("description", "")]
        for path, part in _fields(schema, schema, "", ())
    ]
    return table(["Field", "Holds", "Meaning"], rows)


def _fields(
    part: Mapping[str, Any], root: Mapping[str, Any], prefix: str, above: tuple[str, ...]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Walk the fields of an answer, those of objects inside it by their path, such as ``hits[].ref``."""
    for name, field in part.get("properties", {}).items():
        yield prefix + name, field
        for kind, mark in _objects_in(field):
            if kind not in above:  # a shape that holds itself is shown once
                inner = root.get("$defs", {}).get(kind, {})
                yield from _fields(inner, root, f"{prefix}{name}{mark}.", (*above, kind))


def _objects_in(field: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name the definitions behind a field, each with ``[]`` when it holds a list of them."""
    found: dict[str, str] = {}
    for choice in field.get("anyOf", [field]):
        listed = choice.get("type") == "array"
        inner = choice.get("items", {}) if listed else choice
        if "$ref" in inner:
            found[str(inner["$ref"]).rpartition("/")[2]] = "[]" if listed else ""
    return list(found.items())


def type_words(part: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """Say in words what a JSON Schema takes.

    Args:
        part: The schema of one value.
        root: The whole schema, for references into its definitions.
    """
    if "$ref" in part:
        name = str(part["$ref"]).rpartition("/")[2]
        return type_words(root.get("$defs", {}).get(name, {}), root)
    if "enum" in part:
        return " or ".join(f"`{value}`" for value in part["enum"])
    if "const" in part:
        return f"`{part['const']}`"
    for key in ("anyOf", "oneOf"):
        if key in part:
            words = [type_words(inner, root) for inner in part[key] if inner.get("type") != "null"]
            return " or ".join(dict.fromkeys(words))
    if part.get("type") == "array":
        inner = type_words(part.get("items", {}), root)
        inner = "objects" if inner == "object" else inner
        return f"list of {inner}" if inner else "list"
    names = {"string": "text", "boolean": "true or false", "integer": "whole number"}
    kind = str(part.get("type", "any value"))
    return names.get(kind, kind) + _bounds(part)


def _bounds(part: Mapping[str, Any]) -> str:
    bounds = [
        f"{word} {part[key]}"
        for key, word in (("minimum", "from"), ("maximum", "to"))
        if key in part
    ]
    return f" {' '.join(bounds)}" if bounds else ""
