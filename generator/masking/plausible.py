"""Is this value a secret, or a stand-in for one? What keeps the false alarms away."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

_STAND_IN_WORDS = re.compile(
    r"(?:^|[^a-z])(?:(?:your|my|some)(?=[-_ ])|insert|replace|change[_-]?(?:me|this|it)|example|sample|dummy|"
    r"placeholder|redacted|masked|hidden|removed|omitted|todo|fixme|fake|secret[_-]here|here)"
    r"(?:$|[^a-z])",
    re.IGNORECASE,
)
_STAND_IN_WHOLE = re.compile(
    r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|apikey|api[_-]?key|key|value|user(?:name)?|"
    r"none|null|nil|true|false|yes|no|undefined|empty|unset|required|optional|string|str|int|"
    r"bool(?:ean)?|number|object|any|bytes|text|xxx+|abc123|foo(?:bar)?|bar|test|testing|"
    r"changeme|change_me|basic|bearer|digest|login|env|default|auto|disabled|enabled)",
    re.IGNORECASE,
)
# Written by a program or a template: $VAR, ${VAR}, {{ x }}, <name>, %s, %VAR%, [masked:x], ***.
_EXPANSION = re.compile(
    r"^\$\w|\$[{(]|^[x*!]:\d+:\d+|\{\{|\}\}|\{[\w.]*\}|<[^<>]*>|%[sdrv(]|%\w+%|\[[a-z: -]+\]|\.\.\.|…|\*{3,}|•{3,}|"
    r"[xX]{6,}|[Xx*#_.-]{6,}$"
)


def is_placeholder(value: str) -> bool:
    """Tell whether a value only stands for a secret: ``<token>``, ``$TOKEN``, ``your-key-here``.

    Args:
        value: The text as found, without quotes; it is judged by its first 300 characters.
    """
    value = value[:300]
    if _EXPANSION.search(value) or _STAND_IN_WHOLE.fullmatch(value):
        return True
    if value.endswith("EXAMPLE") or len(set(value)) <= 2:
        return True
    return bool(_STAND_IN_WORDS.search(value)) or _is_sequence(value)


def _is_sequence(value: str) -> bool:
    """Tell whether a value only counts up: 1234567890, abcdefgh."""
    steps = {ord(right) - ord(left) for left, right in pairwise(value)}
    return len(value) >= 8 and steps <= {1, -9}


def entropy(value: str) -> float:
    """Return the Shannon entropy of a value, in bits a character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values()) if size else 0.0


def looks_random(value: str) -> bool:
    """Tell whether a value looks made by a machine: mixed kinds of characters, few repeats."""
    value = value[:300]
    letters = any(character.isalpha() for character in value)
    digits = sum(character.isdigit() for character in value)
    if not letters or not digits:
        return False
    if re.fullmatch(r"[a-z]+(?:[-_.][a-z0-9]+)*", value) and digits < len(value) / 8:
        return False  # words joined by hyphens with a number at the end
    return entropy(value) >= 3.0
