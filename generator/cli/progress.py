"""Progress of long work: one line on standard error that redraws itself, on a terminal only."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TextIO

_REDRAW_SECONDS = 0.1


class TerminalProgress:
    """Draws what is being done; a workspace's ``progress``.

    Args:
        stream: Where to draw; nothing is drawn unless it is a terminal.
        quiet: Draw nothing.
    """

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self._stream = stream or sys.stderr
        self._active = not quiet and self._stream.isatty()
        self._drawn_at = 0.0
        self._drawn = False

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Redraw the line, at most ten times a second; take it away when all is done."""
        now = time.monotonic()
        if done == total:
            self.clear()
            return
        if not self._active or now - self._drawn_at < _REDRAW_SECONDS:
            return
        self._drawn_at = now
        self._drawn = True
        count = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        line = f"{what}: {count}"[: shutil.get_terminal_size().columns - 1]
        self._stream.write(f"\r\x1b[2K{line}")
        self._stream.flush()

    def clear(self) -> None:
        """Take the line away before results are printed."""
        if self._drawn:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
            self._drawn = False
