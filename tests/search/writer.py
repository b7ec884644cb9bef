"""Run by tests in a process of its own: brings an index up to date, and dies when told to.

python writer.py INDEX LINES [--die-at-flush N] [--file-limit BYTES] [--rounds N]
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from lines import LineCollection

from generator.exceptions import FieldguideError
from generator.search import SearchIndex


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("index", type=Path)
    parser.add_argument("lines", type=Path)
    parser.add_argument("--die-at-flush", type=int, default=0)
    parser.add_argument("--file-limit", type=int, default=0)
    parser.add_argument("--append", type=int, default=0)
    options = parser.parse_args()
    lines = LineCollection(options.lines)
    index = SearchIndex(options.index, [lines])
    if options.die_at_flush:
        flush, count = os.fsync, 0

        def dying(descriptor: int) -> None:
            nonlocal count
            count += 1
            if count == options.die_at_flush:
                os.kill(os.getpid(), signal.SIGKILL)
            flush(descriptor)

        os.fsync = dying
    if options.file_limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (options.file_limit, options.file_limit))
    try:
        for number in range(options.append):
            lines.say(f"own-{os.getpid()}.jsonl", f"appended {number}", mode="a")
            index.refresh()
        index.refresh()
        print(index.search("message", limit=1).total)
    except FieldguideError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
