"""A line of an entry around what was found, made from the entry's own text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.search.analysis import chunks
from generator.search.folding import fold
from generator.search.plan import Plan
from generator.search.results import Snippet

WIDTH = 200
"""Characters of a snippet, the ellipses not counted."""

_LEAD = 60
_MARKS_PER_TERM = 64
_ELLIPSIS = "…"


def make_snippet(text: str, plans: Sequence[Plan], *, width: int = WIDTH) -> Snippet:
    """Cut the part of a text that shows most of a query.

    Args:
        text: The text of an entry.
        plans: The terms; without any, the text's beginning is cut.
        width: Characters to aim at.
    """
    marks = _marks(text, plans)
    if not marks:
        return _cut(text, 0, width, ())
    start = _best_window(marks, width)
    begin = max(0, start - _LEAD)
    inside = [(left, right) for left, right, _ in marks if left >= begin and right <= begin + width]
    return _cut(text, begin, begin + width, _joined(inside) or [marks[0][:2]])


def _joined(marks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Make one mark of those that touch: two words of a query may stand in one longer word."""
    joined: list[tuple[int, int]] = []
    for left, right in marks:
        if joined and joined[-1][1] == left:
            joined[-1] = (joined[-1][0], right)
        else:
            joined.append((left, right))
    return joined


def _marks(text: str, plans: Sequence[Plan]) -> list[tuple[int, int, int]]:
    """Return (start, end, number of the term) of what was found, in text order, disjoint."""
    low = _comparable(text)
    found: list[tuple[int, int, int]] = []
    for number, plan in enumerate(plans):
        for pattern in _patterns(plan):
            hits = []
            for match in pattern.finditer(low):
                hits.append((match.start(), match.end(), number))
                if len(hits) >= _MARKS_PER_TERM:
                    break
            if hits:
                found += hits
                break
    disjoint: list[tuple[int, int, int]] = []
    for mark in sorted(found, key=lambda item: (item[0], -item[1])):
        if not disjoint or mark[0] >= disjoint[-1][1]:
            disjoint.append(mark)
    return disjoint


def _comparable(text: str) -> str:
    """Fold a text without moving any character."""
    low = fold(text)
    if len(low) == len(text):
        return low
    folded = map(fold, text)
    return "".join(form if len(form) == 1 else form[:1] or "\0" for form in folded)


def _patterns(plan: Plan) -> list[re.Pattern[str]]:
    """Return what to look for in folded text, the most telling first."""
    blank = r"\s+"
    literal = blank.join(map(re.escape, plan.folded.split()))
    patterns = [re.compile(rf"(?<![^\W_]){literal}(?![^\W_])")]
    if len(plan.steps) == 1 and len(plan.steps[0].tokens) > 1:
        words = "|".join(map(re.escape, plan.steps[0].tokens))
        patterns = [re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])")]
    patterns.append(re.compile(literal))
    if plan.term.quoted:
        words_between = r"[\W_]+".join(re.escape(chunk) for chunk in chunks(fold(plan.term.text)))
        patterns.append(re.compile(words_between))
    return patterns


def _best_window(marks: Sequence[tuple[int, int, int]], width: int) -> int:
    """Return where the window starts that shows most terms, the earliest of the best."""
    room = width - _LEAD
    best, best_start, left = (0, 0), marks[0][0], 0
    for right, (_, end, _) in enumerate(marks):
        while left < right and end - marks[left][0] > room:
            left += 1
        shown = (len({mark[2] for mark in marks[left : right + 1]}), right - left + 1)
        if shown > best:
            best, best_start = shown, marks[left][0]
    return best_start


def _cut(text: str, begin: int, end: int, marks: Sequence[tuple[int, int]]) -> Snippet:
    """Cut a window, on words where it can, with white space as single blanks."""
    if marks:
        end = max(end, marks[-1][1])
    if begin > 0:
        blank = re.compile(r"\s").search(text, begin, marks[0][0] if marks else end)
        if blank and blank.start() - begin < _LEAD // 2:
            begin = blank.end()
    end = min(end, len(text))
    pieces: list[str] = [_ELLIPSIS] if begin > 0 else []
    size = len(_ELLIPSIS) if begin > 0 else 0
    new_marks: list[tuple[int, int]] = []
    at = begin
    for left, right in [*marks, (end, end)]:
        plain = re.sub(r"\s+", " ", text[at:left])
        found = re.sub(r"\s+", " ", text[left:right])
        pieces += [plain, found]
        size += len(plain)
        if found:
            new_marks.append((size, size + len(found)))
        size += len(found)
        at = right
    line = "".join(pieces).rstrip()
    if end < len(text):
        line += _ELLIPSIS
    return Snippet(text=line, marks=tuple(new_marks))
