"""Changes one key of config.json and leaves the others as they stand, known or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from generator.echo import quoted
from generator.exceptions import NotFoundError, UnknownNameError, UsageError
from generator.paths import Home
from generator.settings import Settings, known_keys, parse_settings, read_object, word_problem
from generator.storage import file_lock, write_atomic


def set_setting(home: Home, key: str, value: str) -> Settings:
    """Change one key of config.json, leaving the others as they stand.

    Args:
        home: The folder whose settings change.
        key: A dotted key, such as ``report.interpolation``.
        value: JSON, or plain text for keys that take text.

    Returns:
        The settings after the change.

    Raises:
        UnknownNameError: The key does not exist.
        UsageError: The value does not fit the key; nothing was written.
        SettingsError: The file is no JSON object, and nothing was written; or the key is set, and
            other keys are still wrong.
    """
    if key not in known_keys():
        raise UnknownNameError("setting", key, list(known_keys()))
    with file_lock(home.root / ".config.lock", timeout=10):
        raw = read_object(home.config)
        try:
            parsed: Any = json.loads(value)
        except (json.JSONDecodeError, RecursionError):
            parsed = value
        *parents, last = key.split(".")
        target = raw
        for parent in parents:
            inner = target.get(parent)
            target[parent] = inner if isinstance(inner, dict) else {}
            target = target[parent]
        target[last] = parsed
        try:
            Settings.model_validate(raw)
        except ValidationError as error:
            # Keys that were wrong before must not keep a person from mending this one.
            ours = [item for item in error.errors(include_url=False) if _concerns(item, key)]
            if ours:
                problems = "; ".join(word_problem(item) for item in ours)
                raise UsageError(f"Nothing was changed: {problems}.") from error
        _write_object(home.config, raw)
    return parse_settings(raw, home.config)


def unset_setting(home: Home, key: str) -> Settings:
    """Take one key out of config.json, known or not, leaving the others as they stand.

    Args:
        home: The folder whose settings change.
        key: A key as the file has it, or dotted, such as ``report.interpolation``.

    Returns:
        The settings after the change.

    Raises:
        NotFoundError: The file has no such key.
        SettingsError: The file is no JSON object, and nothing was written; or the key is out, and
            other keys are still wrong.
    """
    with file_lock(home.root / ".config.lock", timeout=10):
        raw = read_object(home.config)
        if not _take_out(raw, key):
            held = ", ".join(_keys_of(raw)) or "nothing"
            raise NotFoundError(
                f"{home.config} does not set {quoted(key)}.", hint=f"It sets: {held}."
            )
        _write_object(home.config, raw)
    return parse_settings(raw, home.config)


def _take_out(section: dict[str, Any], key: str) -> bool:
    """Remove a key; a section that it leaves empty goes as well."""
    if key in section:
        del section[key]
        return True
    # A name that nobody knows may hold dots itself: try every split.
    for at, character in enumerate(key):
        inner = section.get(key[:at]) if character == "." else None
        if isinstance(inner, dict) and _take_out(inner, key[at + 1 :]):
            if not inner:
                del section[key[:at]]
            return True
    return False


def _keys_of(section: dict[str, Any], prefix: str = "") -> list[str]:
    keys: list[str] = []
    for name, value in section.items():
        if isinstance(value, dict) and value:
            keys += _keys_of(value, f"{prefix}{name}.")
        else:
            keys.append(prefix + name)
    return keys


def _write_object(path: Path, raw: dict[str, Any]) -> None:
    write_atomic(path, json.dumps(raw, ensure_ascii=False, indent=2) + "\n")


def _concerns(item: Any, key: str) -> bool:
    """Tell whether a problem is about a dotted key, one of its parents or what is inside it."""
    return all(str(part) == asked for part, asked in zip(item["loc"], key.split("."), strict=False))
