"""Describes a tool of our own for the catalog, from the JSON Schema of its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.catalog.loader import OWN_PLATFORM
from generator.model.catalog import CatalogTool, Parameter


def describe_own(
    *,
    name: str,
    group: str,
    summary: str,
    notes: tuple[str, ...],
    schema: Mapping[str, Any],
    system: bool,
    mcp: bool,
) -> CatalogTool:
    """Describe one of our tools.

    Args:
        name: Its name.
        group: Its group.
        summary: What it does, in one line.
        notes: When to call it, and what must be done before.
        schema: JSON Schema of its arguments.
        system: A book-keeping tool.
        mcp: MCP exposes it.
    """
    required = set(schema.get("required", ()))
    parameters = tuple(
        _parameter(key, value, required=key in required)
        for key, value in schema.get("properties", {}).items()
    )
    modes = next((parameter.values for parameter in parameters if parameter.name == "mode"), ())
    return CatalogTool(
        name=name,
        platform=OWN_PLATFORM,
        group=group,
        summary=summary,
        notes=notes,
        modes=dict.fromkeys(modes, ""),
        parameters=parameters,
        full_schema=True,
        registered="always",
        system=system,
        mcp=mcp,
        schema=schema,
    )


def _parameter(name: str, schema: Mapping[str, Any], *, required: bool) -> Parameter:
    options = [schema, *schema.get("anyOf", ())]
    types = [option["type"] for option in options if option.get("type", "null") != "null"]
    values = next((option["enum"] for option in options if "enum" in option), ())
    maximum = next((option["maximum"] for option in options if "maximum" in option), None)
    return Parameter(
        name=name,
        summary=schema.get("description", ""),
        type=" or ".join(types) or None,
        required=required,
        values=tuple(str(value) for value in values),
        default=schema.get("default"),
        max=maximum,
    )
