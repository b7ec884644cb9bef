"""What a query means, the same everywhere.

Words are alternatives, and hits with all of them come first. A word matches whole, as a part of
an identifier, or by stem, and inside longer words only if that finds nothing. Case and accents do
not matter; of a word with accents, those texts count more that have them. "Quoted" is a phrase.
Everything else is literal: ``c++``, ``100%_``. A row of Chinese, Japanese or Korean characters is
a word; when a long one, such as a question, stands nowhere as it is, its pairs of neighbours are
words (``looser`` in ``plan.py``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.exceptions import UsageError

# Typographic and full-width quotation marks are typed for the plain one.
_QUOTES = str.maketrans("“”„‟«»＂", '"""""""')
_TERM = re.compile(r'"([^"]*\S[^"]*)"|(\S+)')
# Marks that end a clause when a sentence is pasted; they say nothing about what is wanted.
_CLAUSE_END = re.compile(r"(?<=[^\W_])[,;:.!?…，。；：！？、]+$")
# A term without a letter, a digit or a symbol of its own cannot be looked up.
_ONLY_QUOTES = re.compile(r'^"+$')


@dataclass(frozen=True, slots=True)
class Term:
    """One word or one phrase of a query.

    Attributes:
        text: As it was typed, without the quotation marks.
        quoted: Whether it is a phrase.
    """

    text: str
    quoted: bool = False


def parse_query(query: str) -> tuple[Term, ...]:
    """Take a query apart.

    Args:
        query: What was typed.

    Returns:
        Its terms in order, each once.

    Raises:
        UsageError: Nothing is left to search for.
    """
    terms: dict[Term, None] = {}
    for match in _TERM.finditer(query.translate(_QUOTES)):
        phrase, word = match.groups()
        if phrase is not None:
            terms[Term(" ".join(phrase.split()), quoted=True)] = None
        elif not _ONLY_QUOTES.match(word):
            terms[Term(_CLAUSE_END.sub("", word))] = None
    if not terms:
        raise UsageError("The query is empty.", hint="Name at least one word to search for.")
    return tuple(terms)
