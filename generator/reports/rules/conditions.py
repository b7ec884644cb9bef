"""The conditions of a page (``:if``, ``:else-if``, ``:elif``) and what is wrong with each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.reports.page import Page

ATTRIBUTES = (":if", ":else-if", ":elif")
_COMPARISON = re.compile(r"===|!==|==|!=|>=|<=|>|<|=")
_PATH = re.compile(r"[^\W\d][\w$-]*(?:\.[\w$-]+)*\Z")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
_ORDER = frozenset({">", "<", ">=", "<="})
_WORD_OPERATOR = re.compile(r"\s(?:and|or|AND|OR)\s|^(?:not|NOT)\s")
_LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition.

    Attributes:
        attribute: The attribute it stands in.
        text: The condition, trimmed.
        offset: Where it stands.
        compound: Why it is more than one comparison, as the rest of a sentence; "" when it is not.
        operand: What is wrong with an operand and what to write, None when nothing is.
    """

    attribute: str
    text: str
    offset: int
    compound: str
    operand: tuple[str, str] | None

    @property
    def shown(self) -> str:
        """The condition, cut where it is very long."""
        cut = self.text[:_LONGEST_SHOWN]
        return cut + "..." if len(self.text) > _LONGEST_SHOWN else cut


def find_conditions(page: Page) -> Iterator[Condition]:
    """Yield every condition of a page, templates left out."""
    for element in page.document.elements:
        if element.inert:
            continue
        for name in ATTRIBUTES:
            if name in element.attributes:
                text = element.attributes[name].strip()
                yield Condition(
                    attribute=name,
                    text=text,
                    offset=page.document.attribute_offset(element, name),
                    compound=_compound(text),
                    operand=_operand(text),
                )


def _compound(text: str) -> str:
    if "{{" in text or "}}" in text:
        return ""
    bare = text.strip()
    if "&&" in bare or "||" in bare or "??" in bare:
        return "joins conditions; QuickUI reads only the first comparison"
    if len(_COMPARISON.findall(bare)) > 1:
        return "holds more than one comparison; QuickUI reads only the first"
    if _WORD_OPERATOR.search(bare):
        return "joins conditions with a word; QuickUI looks the whole text up as one name"
    if "(" in bare or ")" in bare:
        return "holds parentheses or a call, which QuickUI does not work out"
    if "?" in bare:
        return "holds a ternary, which QuickUI does not work out"
    if re.search(r"[+*/%]|\s-\s", _left(bare)) is not None:
        return "calculates, which QuickUI does not do"
    return ""


def _left(text: str) -> str:
    found = _COMPARISON.search(text)
    return text[: found.start()] if found else text


def _operand(text: str) -> tuple[str, str] | None:
    if not text:
        return "is empty, so the element is never shown", "Write a path, or leave :if out."
    if "{{" in text:
        return "holds braces, so it is never shown", "Write the bare path without braces."
    found = _COMPARISON.search(text)
    if found is None:
        return _lone(text)
    left, sign, right = text[: found.start()].strip(), found.group(), text[found.end() :].strip()
    return _sides(left, sign, right)


def _lone(text: str) -> tuple[str, str] | None:
    if text.startswith("!"):
        path = text.lstrip("! ")
        return (
            "negates with !, so it is never shown",
            f"Write {path} == false, or :else after an element with :if.",
        )
    if text[0] in "\"'`":
        return "holds quoted text, so it is never shown", "Write the bare path."
    if not _PATH.match(text):
        return "is no path of names joined by dots", "Write one path, such as order.paid."
    return None


def _sides(left: str, sign: str, right: str) -> tuple[str, str] | None:
    if sign == "=":
        return "assigns instead of comparing", f"Write {left} == {right}."
    if left.startswith("!") or not _PATH.match(left):
        return (
            "has no path on its left side, so it is never what is meant",
            "Write the path on the left and the literal on the right.",
        )
    if not right:
        return "compares with nothing", f"Write {left} == empty, or compare with a value."
    if right[0] in "\"'`":
        return (
            "compares with quoted text; QuickUI takes the quotes as part of it",
            f"Write the bare word: {left} {sign} {right.strip(chr(34) + chr(39) + '`')}.",
        )
    if sign in _ORDER:
        if not _NUMBER.match(right):
            return (
                f"compares with {right[:30]!r}, which is no number, so QuickUI compares with 0",
                "Compare with a literal number, or work the answer out in data.",
            )
        return None
    if _NUMBER.match(right) and float(right) == 0:
        return (
            "compares with 0, which QuickUI takes as empty, so it is always wrong",
            f"Write {left} < 1 or {left} > 0, or work the answer out in data.",
        )
    return None
