"""Runs the command line: ``python -m generator`` and ``fieldguide`` are the same command."""

import os
import sys


def entry() -> None:
    """Run the command line with the process's arguments and exit with its code."""
    # Streams that the caller closed (">&-") are None here; nothing else should have to know.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
    from generator.cli.main import main

    sys.exit(main())


if __name__ == "__main__":
    entry()
