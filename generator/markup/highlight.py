"""Colours of code as CSS classes, so that a page needs no script and follows its theme."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.formatters import HtmlFormatter
    from pygments.lexer import Lexer

_MAX_CHARACTERS = 200_000  # colouring is for reading; past this it only costs


@cache
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def highlight(code: str, language: str) -> str:
    """Return code as HTML with Pygments' short classes.

    Args:
        code: The source.
        language: A name or alias Pygments knows; any other is escaped without colours.
    """
    lexer = _lexer(language.lower()) if language and len(code) <= _MAX_CHARACTERS else None
    if lexer is None:
        return escape(code, quote=False)
    from pygments import highlight as colour

    return str(colour(code, lexer, _formatter()))


@cache
def _formatter() -> HtmlFormatter[str]:
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(nowrap=True)
