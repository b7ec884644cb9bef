"""Reads a Vega-Lite spec strictly: what the drawing library would pass over in silence is named.

Vega-Lite draws an empty chart for a field that the data lacks, for data it may not load and for
data without rows. A reader cannot tell that from a finding, so each is a fault here.
https://vega.github.io/vega-lite/docs/spec.html
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from difflib import get_close_matches
from io import StringIO
from typing import Any

from generator.markup.figure import FigureError, Table

_MARKS = (
    "arc", "area", "bar", "boxplot", "circle", "errorband", "errorbar", "geoshape", "line",
    "point", "rect", "rule", "square", "text", "tick", "trail",
)  # fmt: skip
_COMPOSITIONS = ("mark", "layer", "facet", "hconcat", "vconcat", "concat", "repeat", "spec")
# Transforms whose new columns depend on the data.
_OPEN_TRANSFORMS = frozenset({"pivot", "lookup", "flatten", "impute", "window", "joinaggregate"})
_DEFAULT_NAMES = {
    "fold": ("key", "value"),
    "density": ("value", "density"),
    "quantile": ("prob", "value"),
    "regression": (),
    "loess": (),
}


def read_spec(source: str) -> dict[str, Any]:
    """Read a spec and name its first fault.

    Args:
        source: The text of the fence.

    Raises:
        FigureError: The spec is not JSON, is no chart, loads something, or would draw nothing.
    """
    spec = _load(source)
    if not any(key in spec for key in _COMPOSITIONS):
        raise FigureError(
            "the spec has no mark, layer or other view in it",
            fix='Add what to draw, such as "mark": "bar", with data and encoding.',
        )
    _drop_links(spec)
    _check_marks(spec, source)
    _check_addresses(spec, source)
    _check_data(spec, source)
    _check_fields(spec, source)
    return spec


def label_of(spec: dict[str, Any]) -> str:
    """Return what a chart shows, in its author's words: description, else title."""
    title = spec.get("title")
    if isinstance(title, dict):
        title = title.get("text")
    if isinstance(title, list):
        title = " ".join(str(part) for part in title)
    return str(spec.get("description") or title or "Chart")


def tables_of(spec: dict[str, Any]) -> tuple[Table, ...]:
    """Return the inline data of a spec, each once, in the order it stands."""
    return tuple(table for table in map(_table, _inline_data(spec)) if table is not None)


def _load(source: str) -> dict[str, Any]:
    def refuse(word: str) -> None:
        raise FigureError(
            f"{word} is not JSON",
            fix="Write null for a value that is missing.",
            line=_line_of(source, word),
        )

    try:
        spec = json.loads(source, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise FigureError(
            f"the spec is not JSON: {error.msg} at column {error.colno}",
            fix="Write one JSON object: double quotes, no comments, no comma after the last item.",
            line=error.lineno - 1,
        ) from error
    except RecursionError as error:
        raise FigureError("the spec is nested too deep", fix="Write a flatter spec.") from error
    if not isinstance(spec, dict):
        raise FigureError("the spec is no JSON object", fix="Write one object in braces.")
    return spec


def _walk(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every key with its value, at any depth, without going into data rows."""
    stack = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            for key, inner in here.items():
                yield key, inner
                if key not in ("values", "datasets"):
                    stack.append(inner)
        elif isinstance(here, list):
            stack.extend(reversed(here))


def _line_of(source: str, text: str) -> int:
    at = source.find(text)
    return source.count("\n", 0, at) if at >= 0 else 0


def _quoted_line(source: str, value: str) -> int:
    return _line_of(source, json.dumps(value, ensure_ascii=False))


def _drop_links(spec: dict[str, Any]) -> None:
    """Take the links of marks away: the library that draws follows none, and fails on them."""
    for key, value in list(_walk(spec)):
        if key in ("encoding", "mark") and isinstance(value, dict):
            value.pop("href", None)


def _check_marks(spec: dict[str, Any], source: str) -> None:
    for key, value in _walk(spec):
        if key != "mark":
            continue
        name = value.get("type") if isinstance(value, dict) else value
        if name == "image":
            raise FigureError(
                "an image mark loads pictures, and a report loads nothing",
                fix="Draw with another mark, or put the picture beside the chart.",
                line=_quoted_line(source, "image"),
            )
        if name not in _MARKS:
            close = get_close_matches(str(name), _MARKS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise FigureError(
                f"there is no mark {name!r}.{hint}".rstrip("."),
                fix=f"Use one of {', '.join(_MARKS)}.",
                line=_quoted_line(source, str(name)),
            )


def _check_addresses(spec: dict[str, Any], source: str) -> None:
    for key, value in _walk(spec):
        if key == "data" and isinstance(value, dict) and "url" in value:
            raise FigureError(
                "the data is loaded from an address, and a report loads nothing",
                fix='Put the rows into the spec: "data": {"values": [...]}.',
                line=_line_of(source, '"url"'),
            )


def _inline_data(spec: dict[str, Any]) -> list[dict[str, Any]]:
    found = [value for key, value in _walk(spec) if key == "data" and isinstance(value, dict)]
    inline = [data for data in found if "values" in data]
    datasets = spec.get("datasets")
    if isinstance(datasets, dict):
        inline += [{"values": rows} for rows in datasets.values()]
    return inline


def _generates(spec: dict[str, Any]) -> bool:
    return any(
        key == "data"
        and isinstance(value, dict)
        and not value.keys().isdisjoint({"sequence", "graticule", "sphere"})
        for key, value in _walk(spec)
    )


def _check_data(spec: dict[str, Any], source: str) -> None:
    inline = _inline_data(spec)
    if not inline and not _generates(spec):
        raise FigureError(
            "the spec has no data",
            fix='Put the rows into the spec: "data": {"values": [{"name": "a", "count": 1}]}.',
        )
    if inline and not any(data["values"] for data in inline):
        raise FigureError(
            "the data has no rows, so nothing would be drawn",
            fix="Give at least one row, or say in a sentence that there is no data.",
            line=_line_of(source, '"values"'),
        )


def _rows(data: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return inline rows as mappings, None when their form is not one that can be told."""
    values, form = data["values"], data.get("format")
    kind = form.get("type") if isinstance(form, dict) else None
    if isinstance(values, str) and kind in ("csv", "tsv"):
        return list(csv.DictReader(StringIO(values), delimiter="\t" if kind == "tsv" else ","))
    if not isinstance(values, list) or (isinstance(form, dict) and form.get("property")):
        return None
    return [row if isinstance(row, dict) else {"data": row} for row in values]


def _table(data: dict[str, Any]) -> Table | None:
    rows = _rows(data)
    if not rows:
        return None
    columns = tuple(dict.fromkeys(str(name) for row in rows for name in row))
    return Table(columns=columns, rows=[[row.get(name) for name in columns] for row in rows])


def _check_fields(spec: dict[str, Any], source: str) -> None:
    known = _known_fields(spec)
    if known is None:
        return
    for key, encoding in _walk(spec):
        if key != "encoding" or not isinstance(encoding, dict):
            continue
        for inner, field in _walk(encoding):
            if inner != "field" or not isinstance(field, str) or any(c in field for c in ".[\\"):
                continue
            if field not in known:
                close = get_close_matches(field, known, n=1, cutoff=0.5)
                hint = f"Write {close[0]!r}" if close else "Name a field of the data"
                raise FigureError(
                    f"the data has no field {field!r}, so nothing would be drawn for it",
                    fix=f"{hint}; the data has {', '.join(sorted(known))}.",
                    line=_quoted_line(source, field),
                )


def _known_fields(spec: dict[str, Any]) -> set[str] | None:
    """Return every name an encoding may use, None when that cannot be told."""
    known: set[str] = set()
    for data in _inline_data(spec):
        rows = _rows(data)
        if rows is None:
            return None
        known.update(str(name) for row in rows for name in row)
    if _generates(spec):
        return None
    for key, value in _walk(spec):
        if key in _OPEN_TRANSFORMS:
            return None
        known.update(_DEFAULT_NAMES.get(key, ()))
        if key == "as":
            known.update([value] if isinstance(value, str) else map(str, value or ()))
        if key in ("row", "column") and isinstance(value, list):  # fields that repeat fills in
            known.update(map(str, value))
    return known
