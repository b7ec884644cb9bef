"""Postings by token, in the order of JavaScript, cut into files at tokens that say so.

Whether a file starts at a token is decided by the digest of the token and the length of its
line: files are of about one size, the cut depends on nothing but the content, and a change of a
few lines changes the few files that hold them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from generator.export.finding.cuts import starts_file
from generator.export.outputs import digest

_SHARD_CHARACTERS = 60_000  # of a file, about
_START = ""  # stands for what comes before the first token that starts a file


def _order(token: str) -> bytes:
    return token.encode("utf-16-be", "replace")


def _starts(token: str, line: str) -> bool:
    return starts_file(token, len(token) + len(line) + 2, _SHARD_CHARACTERS)


@dataclass(frozen=True, slots=True)
class Shard:
    """One file of postings.

    Attributes:
        first: Its first token, or what sorts before it.
        name: Names its file.
        key: Digest of its lines.
    """

    first: str
    name: str
    key: str


@dataclass(slots=True)
class Shards:
    """Lines of postings, kept between builds."""

    _lines: dict[str, str] = field(default_factory=dict)
    _tokens: list[str] = field(default_factory=list)
    _firsts: list[str] = field(default_factory=list)
    _shards: dict[str, Shard] = field(default_factory=dict)

    def change(self, changes: Mapping[str, str]) -> None:
        """Take in lines.

        Args:
            changes: The new line of each token; empty where it stands nowhere any more.
        """
        changes = {
            token: line for token, line in changes.items() if self._lines.get(token, "") != line
        }
        if len(changes) > 100 + len(self._lines) // 20:
            stale = self._change_all(changes)
        else:
            stale = {first for token, line in changes.items() for first in self._put(token, line)}
        for first in stale:
            self._shards.pop(first, None)
        kept = {_START, *self._firsts}
        self._shards = {first: shard for first, shard in self._shards.items() if first in kept}

    def _change_all(self, changes: Mapping[str, str]) -> set[str]:
        lines = {**self._lines, **changes}
        self._lines = {token: line for token, line in lines.items() if line}
        self._tokens = sorted(self._lines, key=_order)
        self._firsts = [token for token in self._tokens if _starts(token, self._lines[token])]
        return set(self._shards)

    def _put(self, token: str, line: str) -> Iterator[str]:
        """Change one line; yield the first tokens of the files that it stood or stands in."""
        place = _order(token)
        yield self._holder(place)
        at = bisect_left(self._tokens, place, key=_order)
        if not line:
            del self._tokens[at], self._lines[token]
        else:
            if token not in self._lines:
                self._tokens.insert(at, token)
            self._lines[token] = line
        at = bisect_left(self._firsts, place, key=_order)
        was = at < len(self._firsts) and self._firsts[at] == token
        starts = bool(line) and _starts(token, line)
        if was and not starts:
            del self._firsts[at]
        elif starts and not was:
            self._firsts.insert(at, token)
        yield self._holder(place)

    def _holder(self, place: bytes) -> str:
        at = bisect_right(self._firsts, place, key=_order)
        return self._firsts[at - 1] if at else _START

    def files(self) -> list[Shard]:
        """Return the files in order."""
        found = []
        for first in (_START, *self._firsts):
            if first not in self._shards:
                name = digest(first)[:10] if first else "start"
                self._shards[first] = Shard(first, name, digest(self.text(first)))
            if self._first_line(first) < self._end(first):
                found.append(self._shards[first])
        return found

    def text(self, first: str) -> str:
        """Return the lines of one file."""
        tokens = self._tokens[self._first_line(first) : self._end(first)]
        return "\n".join(f"{token} {self._lines[token]}" for token in tokens)

    def _first_line(self, first: str) -> int:
        return bisect_left(self._tokens, _order(first), key=_order)

    def _end(self, first: str) -> int:
        at = bisect_right(self._firsts, _order(first), key=_order) if first else 0
        return self._first_line(self._firsts[at]) if at < len(self._firsts) else len(self._tokens)
