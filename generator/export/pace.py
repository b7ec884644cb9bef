"""When a change is worth a rebuild: an edit at once, what agents write once in a while."""

from __future__ import annotations

_PAUSE = 2.0  # seconds between rebuilds for what programs write
_SHARE = 4.0  # a pause is so many times as long as the rebuild before it


class Pace:
    """Decides when to rebuild.

    A guide is saved by somebody who waits for the page. History is written by agents at work,
    line by line for hours: rebuilding for each would never end, so rebuilds for it take at most
    a fifth of the time. Nothing is forgotten meanwhile.
    """

    def __init__(self) -> None:
        self._waiting = False
        self._ready = 0.0

    def wants(self, now: float, *, edited: bool, written: bool) -> bool:
        """Tell whether to rebuild now.

        Args:
            now: The time, in seconds.
            edited: Something that people edit has changed.
            written: Something that programs write has changed.
        """
        self._waiting = self._waiting or written
        if not edited and not (self._waiting and now >= self._ready):
            return False
        self._waiting = False
        return True

    def built(self, start: float, end: float) -> None:
        """Note when a rebuild started and ended, in seconds."""
        self._ready = end + max(_PAUSE, _SHARE * (end - start))
