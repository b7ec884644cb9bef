"""One form for what readers take for the same: width, composition, case."""

from __future__ import annotations

import unicodedata


def fold_width(text: str) -> str:
    """Fold compatibility forms (full-width letters, half-width kana, ligatures); case stays.

    Lone surrogates, which JSON may hold, pass through.
    """
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def fold_case(text: str) -> str:
    """Fold case for comparison."""
    return text.lower() if text.isascii() else text.casefold()
