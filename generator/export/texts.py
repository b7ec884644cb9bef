"""The words of the interface in one language, and how they are said.

Where they come from is the matter of :mod:`generator.export.languages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from generator.export.outputs import digest
from generator.templating import PLACEHOLDER, condition


@dataclass(frozen=True)
class Texts:
    """The words of one language.

    Attributes:
        language: Its BCP 47 tag, the name of its file.
        words: Words by table and name; a noun that is counted is a table of its forms.
        problems: What its files have that cannot be used, as sentences.
    """

    language: str
    words: Mapping[str, Mapping[str, Any]]
    problems: tuple[str, ...] = ()

    def __getitem__(self, table: str) -> Mapping[str, Any]:
        return self.words[table]

    @cached_property
    def key(self) -> str:
        """Digest of everything that pages show of it."""
        return digest(self.language, self.words)

    def say(self, table: str, name: str, /, **values: object) -> str:
        """Return a text with its placeholders filled in."""
        return fill(str(self.words[table][name]), **values)

    def count(self, number: int, noun: str) -> str:
        """Return a number with its noun: ``1 session``, ``1 200 sessions``.

        Args:
            number: How many.
            noun: A key of the table ``count``.
        """
        return fill(self.form(number, noun), n=self.number(number))

    def form(self, number: int, noun: str) -> str:
        """Return the form of a noun that stands beside a number, ``{n}`` for the number."""
        forms: Mapping[str, str] = self.words["count"][noun]
        for name, rule in self.words["plural"].items():
            if name in forms and condition(rule, number):
                return forms[name]
        return forms["other"]

    def number(self, value: float, digits: int | None = None) -> str:
        """Write a number with the separators of the language.

        Args:
            value: The number.
            digits: Digits behind the decimal sign; as many as it has when left out.
        """
        if digits is None:
            digits = len(f"{value:g}".partition(".")[2]) if value % 1 else 0
        signs = self.words["numbers"]
        told = {",": signs["group"], ".": signs["decimal"]}
        return "".join(told.get(sign, sign) for sign in f"{value:,.{digits}f}")

    def money(self, dollars: float, digits: int = 2) -> str:
        """Write an amount in USD; less than half of the last digit is not nothing."""
        least = 10**-digits
        if 0 < dollars < least / 2:
            return self.say("numbers", "below", least=self.money(least, digits))
        return self.say("numbers", "money", n=self.number(dollars, digits))

    def size(self, number: int) -> str:
        """Write a size given in bytes."""
        if number < 1024:
            return self.say("units", "bytes", n=number)
        if number < 1024**2:
            return self.say("units", "kilobytes", n=self.number(number / 1024, 0))
        return self.say("units", "megabytes", n=self.number(number / 1024**2, 1))

    def duration(self, seconds: float) -> str:
        """Write a stretch of time in its two largest units; empty when it is negative."""
        if seconds < 0:
            return ""
        if seconds < 60:
            return self.say("units", "seconds", s=self.number(seconds, int(seconds < 10)))
        minutes, rest = divmod(round(seconds), 60)
        if minutes < 60:
            return self._two("minutes", minutes, rest)
        hours, minutes = divmod(minutes, 60)
        if hours < 48:
            return self._two("hours", hours, minutes)
        return self.say("units", "days_and", n=hours // 24, rest=hours % 24)

    def _two(self, unit: str, number: int, rest: int) -> str:
        return self.say("units", f"{unit}_and" if rest else unit, n=number, rest=rest)

    def listed(self, names: Iterable[str]) -> str:
        """Write a list of names."""
        return str(self.words["site"]["comma"]).join(names)


def fill(text: str, /, **values: object) -> str:
    """Put values in the place of the names between braces."""
    return PLACEHOLDER.sub(lambda match: str(values[match[1]]), text)
