"""Whether a text really holds what was typed, mark by mark."""

from __future__ import annotations

from generator.search.folding import fold_accents, fold_case, fold_script


def holds(text: str, folded: str, *, inside: bool) -> bool:
    """Tell whether a text holds a term.

    Args:
        text: The text of an entry, as it stands.
        folded: The term in the form that texts are compared in (`fold`); a blank stands for any white space.
        inside: Whether the term may stand inside a longer word.
    """
    wide = fold_script(text)
    low = fold_case(fold_accents(wide))
    if " " in folded:
        wide, low = " ".join(wide.split()), " ".join(low.split())
    camel = wide if len(wide) == len(low) else low
    at = low.find(folded)
    while at >= 0:
        if inside or (_edge(camel, at, folded[0]) and _edge(camel, at + len(folded), folded[-1])):
            return True
        at = low.find(folded, at + 1)
    return False


def _edge(text: str, at: int, own: str) -> bool:
    """Tell whether a word may begin or end between ``at - 1`` and ``at``."""
    if not own.isalnum() or at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if not (before.isalnum() and after.isalnum()):
        return True
    if before.isascii() != after.isascii() or not before.isascii():
        return True  # the script changes, or words of this script are not told apart by spaces
    return after.isupper() and not before.isupper()
