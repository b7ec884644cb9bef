"""A drawn figure and the HTML it stands in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

_WIDE = 560  # wider drawings keep a readable size on a phone and scroll by themselves
_ROWS_SHOWN = 500
_NUMERIC = ' class="align-right"'


class FigureError(ValueError):
    """A figure that cannot be drawn.

    Args:
        reason: What is wrong, as a clause.
        fix: What to write instead, as a sentence.
        line: Line of the figure's source it concerns, from 0.
    """

    def __init__(self, reason: str, *, fix: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fix = fix
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows that a figure was drawn from.

    Attributes:
        columns: Column names.
        rows: A value for each column, None where the row has none.
    """

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One drawn figure.

    Attributes:
        kind: ``chart`` or ``diagram``.
        svg: The drawing, clean and labelled.
        label: What it shows, for those who cannot see it.
        width: Its natural width in pixels.
        tables: The data behind it.
    """

    kind: Literal["chart", "diagram"]
    svg: str
    label: str
    width: float
    tables: tuple[Table, ...] = ()

    def to_html(self) -> str:
        """Return the figure with its data folded under it."""
        wide = " wide" if self.width > _WIDE else ""
        label = escape(self.label)
        parts = [
            f'<figure class="figure {self.kind}{wide}">',
            f'<div class="drawing" role="group" aria-label="{label}" tabindex="0">{self.svg}</div>',
        ]
        if self.tables:
            parts.append('<details class="figure-data"><summary>Data of this chart</summary>')
            parts += [_table_html(table, label) for table in self.tables]
            parts.append("</details>")
        parts.append("</figure>\n")
        return "\n".join(parts)


def _table_html(table: Table, label: str) -> str:
    head = "".join(
        f'<th scope="col"{_NUMERIC if _is_numeric(table, at) else ""}>{escape(name)}</th>'
        for at, name in enumerate(table.columns)
    )
    rows = [
        "<tr>" + "".join(_cell_html(value) for value in row) + "</tr>"
        for row in table.rows[:_ROWS_SHOWN]
    ]
    more = len(table.rows) - _ROWS_SHOWN
    note = f"<p>The first {_ROWS_SHOWN} of {len(table.rows)} rows.</p>" if more > 0 else ""
    return (
        f'<div class="table" role="region" aria-label="Data: {label}" tabindex="0"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>{note}"
    )


def _is_numeric(table: Table, column: int) -> bool:
    values = [row[column] for row in table.rows if row[column] is not None]
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _cell_html(value: Any) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return f"<td>{escape(json.dumps(value, ensure_ascii=False))}</td>"
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    return f"<td{_NUMERIC}>{escape(str(value))}</td>"
