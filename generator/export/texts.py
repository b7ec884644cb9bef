"""The words of the interface, from one file a language: ``templates/texts/<language>.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from generator.exceptions import UnknownNameError
from generator.paths import shipped

_BASE = "en"


@cache
def load_texts(language: str = _BASE) -> Mapping[str, Any]:
    """Return the words of a language by table and name; English where it says nothing.

    Args:
        language: Name of a file in ``templates/texts``.

    Raises:
        UnknownNameError: There is no such file.
    """
    folder = shipped("templates") / "texts"
    known = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    if language not in known:
        raise UnknownNameError("language", language, list(known))
    texts = tomllib.loads(known[_BASE].read_text(encoding="utf-8"))
    if language != _BASE:
        for table, words in tomllib.loads(known[language].read_text(encoding="utf-8")).items():
            texts.setdefault(table, {}).update(words)
    return texts


def counted(texts: Mapping[str, Any], number: int, noun: str) -> str:
    """Return a number with its noun, in one or many: ``1 session``, ``1 200 sessions``.

    Args:
        texts: The words of a language.
        number: How many.
        noun: A key of its ``count`` table.
    """
    one, many = texts["count"][noun]
    return f"{grouped(number)} {one if number == 1 else many}"


def grouped(number: float) -> str:
    """Write a whole number with thin separators."""
    return f"{number:,.0f}".replace(",", "\u202f")
