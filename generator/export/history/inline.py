"""Images whose data stands in a text: encoded anew there, or left out, before anything is shown."""

from __future__ import annotations

import binascii
import re

from generator.export.history.pictures import Unshown, picture_of

# Shorter ones are examples in code: no photo with its metadata fits. Mail and the command base64
# break lines after 76 characters, PEM after 64.
_ADDRESS = re.compile(
    r"data:image/[^,;\s]{1,40}(?:;[^,;\s]{1,40})*;base64,\s{0,2}"
    r"((?:[A-Za-z0-9+/]{76}\r?\n){2,}[A-Za-z0-9+/=]{0,76}|(?:[A-Za-z0-9+/]{64}\r?\n){3,}[A-Za-z0-9+/=]{0,64}"
    r"|[A-Za-z0-9+/=]{200,})",
    re.I,
)
CHARACTERS_MAX = 200_000
"""Characters of image data in a text; beyond, a page would be nothing else."""
_LEFT_OUT = "data:image/*;base64,[left out]"


class InlineImages:
    """Rewrites texts.

    Args:
        keep: Whether images are shown; else their data is left out.

    Attributes:
        shown: How many stay, encoded anew.
    """

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep
        self.shown = 0

    def __call__(self, text: str) -> str:
        """Return a text whose images hold nothing that a camera noted."""
        return _ADDRESS.sub(self._again, text) if ";base64," in text.lower() else text

    def _again(self, match: re.Match[str]) -> str:
        if not self._keep or len(match[1]) > CHARACTERS_MAX:
            return _LEFT_OUT
        try:
            made = picture_of(binascii.a2b_base64(match[1]))
        except binascii.Error:
            return _LEFT_OUT
        if isinstance(made, Unshown):
            return _LEFT_OUT
        self.shown += 1
        return (
            f"data:image/webp;base64,{binascii.b2a_base64(made.files[0], newline=False).decode()}"
        )
