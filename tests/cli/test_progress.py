"""Progress shows on a terminal and nowhere else."""

import io

from generator.cli.progress import TerminalProgress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_a_line_that_goes_away():
    stream = Terminal()
    progress = TerminalProgress(stream)
    progress("Indexing", 1200, 5000)
    assert stream.getvalue().endswith("Indexing: 1,200 of 5,000")
    progress("Indexing", 5000, 5000)
    assert stream.getvalue().endswith("\r\x1b[2K")


def test_lines_are_not_drawn_faster_than_people_read():
    stream = Terminal()
    progress = TerminalProgress(stream)
    for number in range(1000):
        progress("Indexing", number, None)
    assert stream.getvalue().count("Indexing") < 10


def test_a_pipe_and_quiet_see_nothing():
    pipe, quiet = io.StringIO(), Terminal()
    TerminalProgress(pipe)("Indexing", 1, 2)
    TerminalProgress(quiet, quiet=True)("Indexing", 1, 2)
    assert pipe.getvalue() == ""
    assert quiet.getvalue() == ""
