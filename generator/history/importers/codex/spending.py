"""What a thread spent: the growth of its counter, which is cumulative and may restart."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from generator.history.importers.base import Audit, count_of
from generator.model.session import Tokens, Usage


class Spending:
    """The usage of one rollout.

    Args:
        audit: Where it is told how the numbers came about.

    Attributes:
        usage: What each count added.
        counter: What the counter said last.
        counts: How many counts there were.
    """

    def __init__(self, audit: Audit) -> None:
        self._audit = audit
        self.usage: list[Usage] = []
        self.counter: Tokens | None = None
        self.counts = 0
        self._turns: dict[str, tuple[Tokens, datetime | None, str | None]] = {}

    def take_count(
        self,
        info: dict[str, Any],
        ts: datetime | None,
        model: str | None,
        copied: str | None,
        *,
        parted: bool,
    ) -> str | None:
        """Take one count.

        Args:
            info: What it says.
            ts: Its time.
            model: The model in use.
            copied: Whose spending it repeats, as a ref.
            parted: The thread is a child: its counter goes on from its parent's.

        Returns:
            The id of what it added; None when it added nothing.
        """
        self.counts += 1
        total = tokens_of(info.get("total_token_usage"))
        last = tokens_of(info.get("last_token_usage"))
        if last is not None:
            self._audit.line(last)
        grown = self._growth(total, last, parted)
        if total is not None:
            self.counter = total
        if grown is None:
            self._audit.drop("the counter had not changed")
            return None
        key = f"count-{self.counts}"
        self.usage.append(Usage(id=key, tokens=grown, ts=ts, model=model, copy_of=copied))
        return key

    def _growth(self, total: Tokens | None, last: Tokens | None, parted: bool) -> Tokens | None:
        if total is None:
            return last
        if self.counter is None:
            return last if parted and last is not None else total
        if total == self.counter:
            return None
        # A counter that went down has restarted after a resume.
        return growth_of(total, self.counter) or last or total

    def take_turn(
        self, key: str, record: dict[str, Any], ts: datetime | None, model: str | None
    ) -> None:
        """Take what a turn has used so far; it counts where the thread has no counter."""
        tokens = tokens_of(record.get("turn_token_usage"))
        if tokens is not None and not self.counts:
            self._turns[key] = (tokens, ts, model)

    def close(self) -> bool:
        """Count the turns if there was no counter; return whether they are what counts."""
        for key, (said, ts, model) in self._turns.items():
            # It counted as long as the file showed no counter: that is taken back.
            tokens = Tokens() if self.counts else said
            if not self.counts:
                self._audit.line(said)
            self.usage.append(Usage(id=f"turn-{key}", tokens=tokens, ts=ts, model=model))
        return bool(self._turns) and not self.counts


def tokens_of(usage: Any) -> Tokens | None:
    """Read a usage object: its input includes what was cached, its output the reasoning."""
    if not isinstance(usage, dict):
        return None
    whole = count_of(usage.get("input_tokens"))
    cached = count_of(usage.get("cached_input_tokens"))
    fresh = None if whole is None else max(whole - (cached or 0), 0)
    return Tokens(input=fresh, output=count_of(usage.get("output_tokens")), cache_read=cached)


def growth_of(left: Tokens, right: Tokens) -> Tokens | None:
    """Return what the counter grew by; None when it went down."""
    if (left.total or 0) < (right.total or 0):
        return None

    def part(now: int | None, before: int | None) -> int | None:
        return now if now is None or before is None else now - before

    grown = Tokens(
        input=part(left.input, right.input),
        output=part(left.output, right.output),
        cache_read=part(left.cache_read, right.cache_read),
    )
    return None if (grown.output or 0) < 0 or (grown.cache_read or 0) < 0 else grown
