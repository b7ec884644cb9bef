"""A number with its noun, in one or many: what answers and messages of the tools say."""

from __future__ import annotations


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun.

    Args:
        number: How many.
        noun: The noun for one.
        nouns: The noun for any other number; the noun with an "s" when empty.

    Returns:
        ``1 session``, ``0 sessions``, ``1,200 sessions``.
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
