"""From a term of a query to the tokens that must be looked up."""

from __future__ import annotations

from dataclasses import dataclass

from generator.search.analysis import LONGEST_WORD, chunks, pieces_of, required, width, words_of
from generator.search.folding import fold, fold_accents, fold_case, fold_script
from generator.search.inflections import forms
from generator.search.query import Term


@dataclass(frozen=True, slots=True)
class Step:
    """Tokens of which one must stand at a place.

    Attributes:
        tokens: The alternatives, the word itself first.
        offset: Distance of the place from that of the first step.
    """

    tokens: tuple[str, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Plan:
    """How one term is found.

    Attributes:
        term: The term.
        folded: Its text in the form that texts are compared in.
        steps: What must all hold; empty when the term has no letter, digit or symbol.
        proven: Whether the steps alone prove that the term is there; otherwise its text must be
            looked for in the entry.
        words: Its words in alphabets, to look for inside longer words.
    """

    term: Term
    folded: str
    steps: tuple[Step, ...]
    proven: bool
    words: tuple[str, ...]

    @property
    def word(self) -> str:
        """The term's text when it is one word and nothing else, else empty."""
        return self.folded if self.words == (self.folded,) else ""


# Shorter rows are words and names: that one stands nowhere is what the caller wants to know.
_SENTENCE = 5


def looser(term: Term) -> tuple[Term, ...]:
    """Return what to look for when a term with a sentence without spaces is found nowhere.

    Args:
        term: The term.

    Returns:
        Its pairs of neighbouring characters and its words; empty when the term is no sentence.
    """
    pieces = pieces_of(fold_script(term.text))
    if term.quoted or not any(len(run) >= _SENTENCE for run, _ in pieces):
        return ()
    found: dict[Term, None] = {}
    for run, word in pieces:
        for at in range(max(1, len(run) - 1) if run else 0):
            found[Term(run[at : at + 2])] = None
        if word:
            found[Term(word)] = None
    return tuple(found)


def plan_term(term: Term) -> Plan:
    """Plan one term."""
    wide = fold_script(term.text)
    found = chunks(wide)
    steps: list[Step] = []
    at = 0
    for chunk in found:
        steps += [Step((token,), at + offset) for token, offset in required(chunk)]
        at += width(chunk)
    single = len(found) == 1 and found[0] == wide
    if single and len(steps) == 1 and not term.quoted:
        exact = fold_case(found[0][:LONGEST_WORD])
        steps = [Step(tuple(dict.fromkeys((exact, *forms(steps[0].tokens[0])))), 0)]
    words = tuple(fold_case(fold_accents(word)) for chunk in found for word in words_of(chunk))
    proven = bool(steps) and (single or (term.quoted and " ".join(found) == wide))
    proven = proven and not any(len(token) > LONGEST_WORD for token in wide.split())
    return Plan(term, fold(term.text), tuple(steps), proven, words)
