"""Sentences of messages: cut apart, weighed by how much they say of the whole, kept unlike.

A sentence is central when its words are those the other sentences share and the language does
not (the centroid method of Radev, Jing and Tam, 2000): no model is needed, and the same text
always gives the same choice. Chinese and Japanese are cut at their own marks and compared by
pairs of characters.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from generator.search.folding import fold_case, fold_script

Terms = frozenset[str]

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_FENCE = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1[`~]*\s*$|\Z)", re.MULTILINE | re.DOTALL)
_NO_PROSE = re.compile(r"^\s*(?:#{1,6}\s|\||[-=*_]{3,}\s*$|<[/!a-zA-Z])")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)、]|[（(]\d{1,2}[)）]|>+)\s*(?:\[[ xX]\]\s*)?")
_CLOSING = "\"'”’」』）)】》"
# After an East Asian mark a sentence ends wherever it stands, after a Latin one before a space.
_END = re.compile(rf"[。！？；…]+[{_CLOSING}]*|[.!?]+[{_CLOSING}]*(?=\s|[{_CJK}]|$)")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|cf|vs|etc|approx|no|nr|mr|mrs|ms|dr|st|fig|eq|sec|vol|p|pp|[A-Z])\.$",
    re.IGNORECASE,
)
_WORD = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_COMMON_WORDS = """
a an the and or but if then so of to in on at by for with from into as is are was were be been
it its this that these those i you we he she they me my your our their not no do does did done
have has had will would can could should there here what which who when how all any just also
now let ok okay please thanks
"""
_COMMON = frozenset(_COMMON_WORDS.split())

FEWEST_CHARACTERS = 8
"""A shorter sentence ("Done.", 好的。) says nothing alone."""

_SAME_SHARE = 0.6
_CONTAINED_SHARE = 0.8


def split_sentences(text: str) -> list[str]:
    """Cut a message into sentences, in order.

    Code blocks, headings and tables are passed over, marks of lists and quotes are dropped, and
    lines that a sentence runs over are joined.
    """
    sentences: list[str] = []
    for paragraph in _paragraphs(_FENCE.sub("\n\n", text)):
        start = 0
        for match in _END.finditer(paragraph):
            if match[0].startswith(".") and _ABBREVIATED.search(paragraph[start : match.end()]):
                continue
            sentences.append(paragraph[start : match.end()].strip())
            start = match.end()
        sentences.append(paragraph[start:].strip())
    return [sentence for sentence in sentences if len(sentence) >= FEWEST_CHARACTERS]


def _paragraphs(text: str) -> list[str]:
    """Join the lines that belong together."""
    paragraphs: list[str] = []
    open_line = False
    for line in text.splitlines():
        if not line.strip() or _NO_PROSE.match(line):
            open_line = False
            continue
        item = _ITEM.match(line)
        content = line[item.end() :] if item else line.strip()
        if open_line and not item and content[:1].islower():
            paragraphs[-1] += f" {content}"
        elif content:
            paragraphs.append(content)
        open_line = bool(content) and content[-1] not in ".!?。！？；：:"
    return paragraphs


def terms_of(text: str) -> Terms:
    """Return what a text is compared by: its words without the commonest, its CJK pairs."""
    terms: set[str] = set()
    for run in _WORD.findall(fold_case(fold_script(text))):
        if run[0] >= "\u3040":
            terms.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        elif run not in _COMMON:
            terms.add(run)
    return frozenset(terms)


def centrality(sentences: Sequence[Terms], focus: Terms = frozenset()) -> list[float]:
    """Weigh sentences by how much of what all of them speak of each one holds.

    Args:
        sentences: The terms of each sentence.
        focus: Terms that the reader asks for: a sentence counts up to three times as much, by
            the share of them it holds.

    Returns:
        A weight for each, from 0 to 1 without a focus.
    """
    held = Counter(term for terms in sentences for term in terms)
    count = len(sentences)
    weight = {term: math.log(1 + count / held[term]) for term in held}
    centre = {term: held[term] * weight[term] for term in held}
    length = math.sqrt(sum(value * value for value in centre.values())) or 1.0
    weights: list[float] = []
    for terms in sentences:
        own = math.sqrt(sum(weight[term] ** 2 for term in terms)) or 1.0
        shared = sum(weight[term] * centre[term] for term in sorted(terms))
        wanted = len(focus & terms) / len(focus) if focus else 0.0
        weights.append(shared / (own * length) * (1 + 2 * wanted))
    return weights


def say_the_same(left: Terms, right: Terms) -> bool:
    """Tell whether two sentences repeat each other: most words shared, or one within the other."""
    if not left or not right:
        return left == right
    shared = len(left & right)
    smaller = min(len(left), len(right))
    return shared / len(left | right) >= _SAME_SHARE or (
        smaller >= 3 and shared / smaller >= _CONTAINED_SHARE
    )
