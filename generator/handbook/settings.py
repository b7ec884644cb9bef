"""The page of settings, from their model."""

from __future__ import annotations

import json
from collections.abc import Iterator

from generator.handbook.text import body, table
from generator.handbook.tools import type_words
from generator.model.reference import ReferencePage
from generator.settings import Settings, get_setting, known_keys


def settings_pages() -> Iterator[ReferencePage]:
    """Make the page that lists every key of config.json."""
    schema = Settings.model_json_schema()
    defaults = Settings()
    rows = [
        [
            f"`{key}`",
            type_words(_schema_of(key, schema), schema),
            f"`{json.dumps(get_setting(defaults, key), ensure_ascii=False)}`",
            field.description or "",
        ]
        for key, field in known_keys().items()
    ]
    yield ReferencePage(
        kind="settings",
        name="config",
        title="config.json",
        summary="Every setting with what it takes and its default.",
        markdown=body(
            "The file stands in the home (`fieldguide config path`). A key that is missing has its "
            "default; an unknown key or a wrong value is reported with its name.",
            table(["Key", "Takes", "Default", "Meaning"], rows),
        ),
    )


def _schema_of(key: str, schema: dict[str, object]) -> dict[str, object]:
    """Follow a dotted key down a JSON Schema."""
    part = schema
    for name in key.split("."):
        options = [part, *_options(part)]
        for option in options:
            target = _resolved(option, schema)
            properties = target.get("properties")
            if isinstance(properties, dict) and name in properties:
                part = properties[name]
                break
    return part


def _options(part: dict[str, object]) -> list[dict[str, object]]:
    found = part.get("anyOf") or part.get("allOf") or []
    assert isinstance(found, list)
    return found


def _resolved(part: dict[str, object], schema: dict[str, object]) -> dict[str, object]:
    reference = part.get("$ref")
    if not isinstance(reference, str):
        return part
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    target = definitions[reference.rpartition("/")[2]]
    assert isinstance(target, dict)
    return target
