"""Secrets stay hidden in whatever recall shows, also where a text is cut."""

from __future__ import annotations

from generator.masking import find_secrets
from generator.workspace import Workspace

# A secret is recognised by what stands round it: a cut must not hide that.
_MARGIN = 4096


class Veil:
    """Masks secrets in recalled text.

    Args:
        workspace: Its settings name the texts that look like secrets and are not.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._allow = workspace.settings.site.allow_secrets

    def hide(self, text: str) -> str:
        """Return a text with every secret masked."""
        return self.window(text, 0, len(text))

    def window(self, text: str, start: int, end: int) -> str:
        """Return the characters from ``start`` to ``end`` with secrets masked.

        A secret that only reaches into the window is masked as well. Positions are those of the
        text as it is, so that reading on by offset neither skips nor repeats a character.
        """
        base = max(0, start - _MARGIN)
        pieces: list[str] = []
        at = start
        for secret in find_secrets(text[base : end + _MARGIN], allow=self._allow):
            first, last = secret.start + base, secret.end + base
            if last <= at or first >= end:
                continue
            pieces += [text[at : max(first, at)], f"[masked:{secret.kind}]"]
            at = last
        if at < end:
            pieces.append(text[at:end])
        return "".join(pieces)

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
        remark = f"[... {tail - head} characters left out, from offset {head} ...]"
        return f"{self.window(text, 0, head)}\n{remark}\n{self.window(text, tail, len(text))}", True
