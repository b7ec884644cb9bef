"""Token estimates with a stated method.

About 4 Latin characters or 1 CJK character make a token. No tokenizer is bundled: the common
ones download their tables, and an estimate that is the same everywhere is what budgets need.
"""

from __future__ import annotations

import re

METHOD = "about 4 Latin characters or 1 CJK character a token"

# Han, kana, Hangul, full-width forms and CJK punctuation.
_CJK = re.compile(
    "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff]"
)


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a text costs.

    Args:
        text: Any text.

    Returns:
        Whole tokens, rounded up; 0 only for an empty text.
    """
    return tokens_of_counts(*count_characters(text))


def count_characters(text: str) -> tuple[int, int]:
    """Count the characters of a text, and how many of them are CJK.

    Counts of joined texts add up, which estimates do not.
    """
    return len(text), 0 if text.isascii() else len(_CJK.findall(text))


def tokens_of_counts(characters: int, cjk: int) -> int:
    """Estimate tokens from the counts of :func:`count_characters`."""
    return cjk + -(-(characters - cjk) // 4)
