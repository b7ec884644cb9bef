"""What a caller gave, said back in a sentence: short, on one line, steering no terminal.

Errors name the value that did not fit. A value may be a whole file by mistake, hold escape
sequences, or line ends that forge a line of ours; each of these goes through here.
"""

from __future__ import annotations

import re

# Characters of one value: enough to know it again.
VALUE_MAX = 100
# Characters of a whole sentence, for what was put together elsewhere.
SENTENCE_MAX = 4_000

# Control characters but the line end and the tab, and what turns the direction of writing round.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def quoted(value: object, most: int = VALUE_MAX) -> str:
    """Return a value in quotes, cut, with everything unprintable escaped.

    Args:
        value: What was given; anything with a text.
        most: Characters of it that are kept.
    """
    return repr(_cut(str(value), most))


def shown(value: object, most: int = VALUE_MAX) -> str:
    """Return a value without quotes, cut, with everything unprintable escaped.

    Args:
        value: What was given; anything with a text.
        most: Characters of it that are kept.
    """
    return "".join(map(_escaped, _cut(str(value), most)))


def harmless(sentence: str, most: int | None = SENTENCE_MAX) -> str:
    """Return a sentence that steers no terminal and has an end.

    Args:
        sentence: A message with its line ends.
        most: Characters that are kept, from both ends; None keeps all.
    """
    if most is not None and len(sentence) > most:
        tail = most // 4
        sentence = f"{sentence[: most - tail]} … {sentence[-tail:]}"
    return _STEERING.sub(lambda found: _escaped(found.group()), sentence)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")
