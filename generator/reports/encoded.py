"""Places in decoded text, such as attribute values, against places in the source."""

from __future__ import annotations

import html
import re
from bisect import bisect_right


class Encoded:
    """Turns places in decoded text into places in the text as the source has it.

    Args:
        raw: The text as the source has it.
        encoded: Matches what decodes to something else; tags decode to nothing.
    """

    def __init__(self, raw: str, encoded: re.Pattern[str]) -> None:
        #: Decoded places at which the distance changes, and the raw places behind them.
        self._decoded = [0]
        self._raw = [0]
        if "&" not in raw and "<" not in raw:
            return
        decoded = at = 0
        for matched in encoded.finditer(raw):
            decoded += matched.start() - at
            at = matched.end()
            self._decoded.append(decoded)
            self._raw.append(matched.start())
            if matched.group()[0] != "<":
                decoded += len(html.unescape(matched.group()))
            self._decoded.append(decoded)
            self._raw.append(at)

    def index(self, decoded: int) -> int:
        """Return the raw place of a decoded one; inside an entity that is where it starts."""
        nearest = bisect_right(self._decoded, decoded) - 1
        raw = self._raw[nearest] + decoded - self._decoded[nearest]
        following = nearest + 1
        return min(raw, self._raw[following]) if following < len(self._raw) else raw
