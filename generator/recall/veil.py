"""Secrets stay hidden in whatever recall shows, also where a text is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.workspace import Workspace

if TYPE_CHECKING:
    from generator.masking import Secret

# A secret is recognised by what stands round it: a cut must not hide that.
MARGIN = 4096


class Veil:
    """Masks secrets in recalled text.

    Args:
        workspace: Its settings name the texts that look like secrets and are not.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._allow = workspace.settings.site.allow_secrets

    def _find(self, text: str) -> list[Secret]:
        # The patterns are costly to make ready, and an empty answer needs none.
        from generator.masking import find_secrets

        return find_secrets(text, allow=self._allow)

    def hide(self, text: str) -> str:
        """Return a text with every secret masked."""
        return self.window(text, 0, len(text))

    def window(self, text: str, start: int, end: int) -> str:
        """Return the characters from ``start`` to ``end`` with secrets masked.

        A secret that only reaches into the window is masked as well. Positions are those of the
        text as it is, so that reading on by offset neither skips nor repeats a character.
        """
        base = max(0, start - MARGIN)
        pieces: list[str] = []
        at = start
        for secret in self._find(text[base : end + MARGIN]):
            first, last = secret.start + base, secret.end + base
            if last <= at or first >= end:
                continue
            pieces += [text[at : max(first, at)], f"[masked:{secret.kind}]"]
            at = last
        if at < end:
            pieces.append(text[at:end])
        return "".join(pieces)

    def parts_of_secrets(self, piece: str, whole: str) -> list[tuple[int, int, str]]:
        """Find what a piece of a text shows of the text's secrets, cut ones included.

        Args:
            piece: A cut from the text, its white space maybe changed.
            whole: The whole text.

        Returns:
            Start, end and kind of each part to hide, disjoint and in order.
        """
        found = [(item.start, item.end, item.kind) for item in self._find(piece)]
        for secret in self._find(whole):
            for value in whole[secret.start : secret.end].split():
                found += [(start, end, secret.kind) for start, end in _seen(value, piece)]
        disjoint: list[tuple[int, int, str]] = []
        for start, end, kind in sorted(found):
            if disjoint and start < disjoint[-1][1]:
                first, last, held = disjoint[-1]
                disjoint[-1] = (first, max(last, end), held)
            else:
                disjoint.append((start, end, kind))
        return disjoint

    def excerpt(self, text: str, characters: int) -> tuple[str, bool]:
        """Keep head and tail of a long text.

        Args:
            text: The whole text.
            characters: How many to keep, the remark about the cut left aside.

        Returns:
            The text and whether it was cut; two thirds of what is kept come from the head.
        """
        if len(text) <= characters:
            return self.hide(text), False
        head = characters * 2 // 3
        tail = len(text) - (characters - head)
        remark = f"[... {tail - head} characters left out ...]"
        return f"{self.window(text, 0, head)}\n{remark}\n{self.window(text, tail, len(text))}", True


# Fewer characters of a secret than this give nothing away, and would hide common words.
_TELLING = 5


def _seen(value: str, piece: str) -> list[tuple[int, int]]:
    """Return where a piece shows a value, or at an edge the end or the beginning of it."""
    if len(value) < _TELLING:
        return []
    at = piece.find(value)
    if at >= 0:
        return [(at, at + len(value))]
    bare = piece.strip("…")
    lead = piece.find(bare)
    for size in range(min(len(value), len(bare)) - 1, _TELLING - 1, -1):
        if bare.startswith(value[-size:]):
            return [(lead, lead + size)]
        if bare.endswith(value[:size]):
            return [(lead + len(bare) - size, lead + len(bare))]
    return []
