"""A page for each tool, from the table of tools and its recorded example."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.handbook.text import body, fence, table
from generator.model.reference import ReferencePage
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
        f"**Before it:** {tool.precondition}",
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
            ["", ""],
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
            "required" if name in required else f"`{json.dumps(part.get('default'))}`",
            part.get("description", ""),
        ]
        for name, part in schema.get("properties", {}).items()
    ]
    return table(["Argument", "Takes", "Default", "Meaning"], rows) if rows else "None."


def _answer(schema: Mapping[str, Any]) -> str:
    rows = [
        [f"`{name}`", type_words(part, schema), part.get("description", "")]
        for name, part in schema.get("properties", {}).items()
    ]
    return table(["Field", "Holds", "Meaning"], rows)


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
