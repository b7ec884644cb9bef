"""The only place that prints.

Results go to standard output, everything else to standard error. Colours and tables appear on
a terminal only, and never under ``NO_COLOR``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from generator.echo import harmless

if TYPE_CHECKING:
    from rich.console import Console


def print_text(text: str) -> None:
    """Write text to standard output exactly, with one line end at the end."""
    write_raw(text if text.endswith("\n") else text + "\n")


def write_raw(text: str) -> None:
    """Write exactly these characters as UTF-8 to standard output."""
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # a test's stand-in for standard output
        sys.stdout.write(text)
    else:
        buffer.write(text.encode("utf-8", errors="surrogatepass"))
        buffer.flush()


def print_json(value: Any) -> None:
    """Write a value as JSON, two spaces deep, Unicode as it is."""
    print_text(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_json_line(value: Any) -> None:
    """Write a value as one line of JSON."""
    print_text(json.dumps(value, ensure_ascii=False, default=str))


def print_error(text: str) -> None:
    """Write one message to standard error under the command's name."""
    print(f"fieldguide: {harmless(text, None)}", file=sys.stderr)


def note(text: str) -> None:
    """Write a remark for people to standard error."""
    print(harmless(text, None), file=sys.stderr)


def console(*, stderr: bool = False) -> Console:
    """Return a rich console that follows ``NO_COLOR`` and pipes."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def on_terminal() -> bool:
    """Tell whether results are read by a person on a terminal."""
    return sys.stdout.isatty()


def asks() -> bool:
    """Tell whether a person can be asked: both ends of the talk are on a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table to a terminal; its cells are text, never markup.

    Args:
        headings: Names of the columns.
        rows: The cells, a sequence a row.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console().print(table)
