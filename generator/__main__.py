"""Runs the command line: ``python -m generator`` and ``fieldguide`` are the same command."""

import sys


def entry() -> None:
    """Run the command line with the process's arguments and exit with its code."""
    from generator.cli.main import main

    sys.exit(main())


if __name__ == "__main__":
    entry()
