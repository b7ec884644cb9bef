"""The canonical form: one JSON object a line, read and written here and nowhere else.

``handbook/pages/canonical-format.md`` explains each field and ``canonical.schema.json`` is its schema.
A file grows by appending. A line with a key that came before (the number of a message, the id
of anything else) replaces the earlier one; a ``head`` line replaces the earlier head.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from functools import cache
from typing import Any, get_args

from generator.exceptions import RecordError
from generator.model.session import (
    ActionRecord,
    Attachment,
    CallStatus,
    Document,
    Event,
    Head,
    Message,
    Role,
    Session,
    SubagentInfo,
    Thread,
    Tokens,
    ToolCall,
    Usage,
)

SCHEMA_VERSION = 1

Record = Head | Message | ActionRecord | Usage | Event | Document

# The word in a line's `type`, and the class behind it.
TYPES: dict[str, type[Record]] = {
    "head": Head,
    "message": Message,
    "action": ActionRecord,
    "usage": Usage,
    "event": Event,
    "document": Document,
}
_NAMES = {record: name for name, record in TYPES.items()}


def record_key(record: Record) -> tuple[str, ...]:
    """Return what identifies a record in its file; a later line with the same key replaces it."""
    if isinstance(record, Head):
        return ("head",)
    if isinstance(record, Message):
        return ("message", record.agent or "", str(record.n))
    return (_NAMES[type(record)], record.id)


def encode(record: Record) -> bytes:
    """Write a record as one line, line end included.

    Args:
        record: Any canonical record. A ``Session`` is written as its head alone.
    """
    kind = Head if isinstance(record, Session) else type(record)
    line: dict[str, Any] = {"type": _NAMES[kind]}
    if kind is Head:
        line["schema"] = SCHEMA_VERSION
    line.update(_plain(record, kind))
    try:
        text = _write(line)
    except ValueError:  # NaN and Infinity are no JSON
        text = json.dumps(_finite(line), ensure_ascii=False, separators=(",", ":"))
    # A lone surrogate cannot be UTF-8; importers replace them, this is for other callers.
    return text.encode("utf-8", errors="replace") + b"\n"


# json.dumps would make such a writer for each line.
_write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return value


def _plain(value: Any, kind: type | None = None) -> dict[str, Any]:
    """Turn a dataclass into JSON types, leaving out what stands at its default."""
    plain: dict[str, Any] = {}
    for name, default in _defaults(kind or type(value)):
        held = getattr(value, name)
        kind_held = type(held)
        if held == default and kind_held is type(default):
            continue
        if kind_held is str or kind_held is int:
            pass
        elif isinstance(held, datetime):
            held = held.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        elif isinstance(held, Tokens):
            held = _plain(held)
        elif isinstance(held, tuple):
            held = [item if isinstance(item, str) else _plain(item) for item in held]
        elif isinstance(held, Mapping):
            held = dict(held)
            if not held:
                continue
        plain[name] = held
    return plain


@cache
def _defaults(kind: type) -> tuple[tuple[str, Any], ...]:
    return tuple((item.name, item.default) for item in fields(kind))


def decode(line: bytes | str) -> Record:
    """Read one line.

    Args:
        line: The line, with or without its end.

    Returns:
        The record. Fields that this version does not know are left out.

    Raises:
        RecordError: The line is no JSON object, or a field of it is wrong.
    """
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON ({error})") from error
    if not isinstance(raw, dict):
        raise RecordError("not a JSON object")
    return from_plain(raw)


def from_plain(raw: Mapping[str, Any]) -> Record:
    """Turn the JSON object of a line into its record.

    Raises:
        RecordError: It is no record, or a field of it is wrong.
    """
    name = raw.get("type")
    kind = TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RecordError(f"unknown record type {raw.get('type')!r}")
    schema = raw.get("schema", SCHEMA_VERSION)
    if kind is Head and (not isinstance(schema, int) or schema > SCHEMA_VERSION):
        raise RecordError(f"schema {schema} is newer than this version reads ({SCHEMA_VERSION})")
    record: Record = _build(kind, raw)
    return record


def _build(kind: type, raw: Mapping[str, Any]) -> Any:
    if not isinstance(raw, Mapping):
        raise RecordError(f"{kind.__name__.lower()} must be an object")
    values: dict[str, Any] = {}
    for item in fields(kind):
        if item.name not in raw or (raw[item.name] is None and item.default is not MISSING):
            if item.default is MISSING and item.default_factory is MISSING:
                raise RecordError(f"{item.name!r} is missing")
            continue
        reader = _READERS.get((kind, item.name)) or _READERS_BY_TYPE.get(str(item.type))
        value = raw[item.name]
        values[item.name] = reader(value, item.name) if reader else value
    return kind(**values)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{name!r} must be text")
    return value


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RecordError(f"{name!r} must be a whole number")
    return value


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RecordError(f"{name!r} must be a number")
    return float(value)


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise RecordError(f"{name!r} must be true or false")
    return value


def _time(value: Any, name: str) -> datetime:
    try:
        moment = datetime.fromisoformat(_text(value, name))
    except ValueError as error:
        raise RecordError(f"{name!r} must be an ISO time with a zone") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _choice(*allowed: str) -> Callable[[Any, str], str]:
    def read(value: Any, name: str) -> str:
        if value not in allowed:
            raise RecordError(f"{name!r} must be one of {', '.join(allowed)}")
        return str(value)

    return read


def _many(kind: type) -> Callable[[Any, str], tuple[Any, ...]]:
    def read(value: Any, name: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise RecordError(f"{name!r} must be a list")
        if kind is str:
            return tuple(_text(item, name) for item in value)
        return tuple(_build(kind, item) for item in value)

    return read


def _object(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(f"{name!r} must be an object")
    return value


_READERS_BY_TYPE: dict[str, Callable[[Any, str], Any]] = {
    "str": _text,
    "str | None": _text,
    "int": _whole,
    "int | None": _whole,
    "float | None": _number,
    "bool": _flag,
    "datetime | None": _time,
    "Tokens": lambda value, _name: _build(Tokens, value),
    "Tokens | None": lambda value, _name: _build(Tokens, value),
    "Role": _choice(*get_args(Role)),
    "Thread": _choice(*get_args(Thread)),
    "CallStatus": _choice(*get_args(CallStatus)),
    "tuple[ToolCall, ...]": _many(ToolCall),
    "tuple[Attachment, ...]": _many(Attachment),
    "tuple[SubagentInfo, ...]": _many(SubagentInfo),
    "tuple[str, ...]": _many(str),
    "Mapping[str, Any]": _object,
}
_READERS: dict[tuple[type, str], Callable[[Any, str], Any]] = {
    (Head, "holds"): _choice("session", "documents"),
}
