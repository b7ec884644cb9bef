"""Joins what the single finders see into one list of places, and masks them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from generator.masking.assignments import find_assigned
from generator.masking.makers import find_made
from generator.masking.personal import HOME_KIND, find_emails, find_homes
from generator.masking.structures import find_structures


@dataclass(frozen=True, slots=True)
class Secret:
    """One place in a text that must not be shown.

    Attributes:
        kind: What it is, in words with hyphens: ``github-token``, ``private-key``, ``password``.
        start: Index of its first character.
        end: Index after its last character.
    """

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets.

    Attributes:
        text: The text, each secret written as ``[masked:kind]`` and each home folder as ``~``.
        counts: How many places were masked, by kind.
    """

    text: str
    counts: Mapping[str, int]


def find_secrets(
    text: str, *, allow: Iterable[str] = (), emails: bool = False, homes: bool = False
) -> list[Secret]:
    r"""Find every secret in a text.

    Args:
        text: Any text, of any size.
        allow: Texts that look like secrets and are not; a find that stands whole inside one of
            them is left out.
        emails: Count e-mail addresses as well.
        homes: Count home folders (``/home/NAME``, ``/Users/NAME``, ``C:\Users\NAME``) as well.

    Returns:
        The places in text order; none overlaps another.
    """
    allowed = tuple(allow)
    kept: list[Secret] = []
    for kind, start, end in _join(_all_finds(text, emails=emails, homes=homes)):
        if allowed and any(text[start:end] in item for item in allowed):
            continue
        kept.append(Secret(kind, start, end))
    return kept


def mask(
    text: str, *, allow: Iterable[str] = (), emails: bool = False, homes: bool = False
) -> Masked:
    """Write every secret in a text as ``[masked:kind]``. Masking twice changes nothing more.

    Args:
        text: Any text, of any size.
        allow: As in `find_secrets`.
        emails: Mask e-mail addresses as well.
        homes: Write home folders as ``~`` as well.
    """
    found = find_secrets(text, allow=allow, emails=emails, homes=homes)
    if not found:
        return Masked(text, {})
    pieces: list[str] = []
    at = 0
    for secret in found:
        pieces.append(text[at : secret.start])
        pieces.append("~" if secret.kind == HOME_KIND else f"[masked:{secret.kind}]")
        at = secret.end
    pieces.append(text[at:])
    return Masked("".join(pieces), count_kinds(found))


def count_kinds(secrets: Iterable[Secret]) -> dict[str, int]:
    """Count finds by kind, most frequent first."""
    return dict(Counter(secret.kind for secret in secrets).most_common())


def _all_finds(text: str, *, emails: bool, homes: bool) -> Iterator[tuple[int, str, int, int]]:
    """Yield (rank, kind, start, end); a lower rank names an overlap better."""
    # U+0130 is the one character whose lower case is two characters long: places stay places.
    lowered = text.replace("\u0130", "I").lower()
    finds = [find_made(text), find_structures(text, lowered), find_assigned(text, lowered)]
    if emails:
        finds.append(find_emails(text))
    if homes:
        finds.append(find_homes(text))
    for rank, found in enumerate(finds):
        for kind, start, end in found:
            yield rank, kind, start, end


def _join(finds: Iterable[tuple[int, str, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Join finds that overlap; the better-ranked kind names the whole."""
    ordered = sorted(finds, key=lambda find: (find[2], find[0]))
    open_find: tuple[int, str, int, int] | None = None
    for find in ordered:
        if open_find is None:
            open_find = find
        elif find[2] < open_find[3]:
            rank, kind, start, end = open_find
            if find[0] < rank:
                rank, kind = find[0], find[1]
            open_find = (rank, kind, start, max(end, find[3]))
        else:
            yield open_find[1:]
            open_find = find
    if open_find is not None:
        yield open_find[1:]
