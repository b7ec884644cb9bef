"""``fieldguide serve``: browse the site, rebuilt and reloaded when what it shows changes."""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import click

from generator.cli import output
from generator.cli.reference import load_reference
from generator.cli.site_options import builder_options, site_options
from generator.cli.state import State, pass_state
from generator.counting import counted
from generator.exceptions import FieldguideError


@click.command(epilog="Example: fieldguide serve --port 8000")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; else a free one from 4747 on.")
@click.option("--out", help="Build into this folder; else into one that is removed at the end.")
@site_options
@pass_state
def command(state: State, /, port: int | None, out: str | None, **chosen: Any) -> None:
    """Serve the site on this machine; rebuild and reload when what it shows changes.

    Guides, templates and catalogs show at once. History, errors and reports follow within a few
    seconds, while an agent works as well.
    """
    from generator.export.build import Builder
    from generator.export.languages import load_texts
    from generator.export.server import open_server
    from generator.export.watch import changes

    # Being told to end is as good as Ctrl+C: the scratch folder goes with us.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="fieldguide-") as scratch:
        folder = Path(out).expanduser() if out else Path(scratch) / "site"
        words = load_texts(state.workspace.settings.site.language, state.workspace.home)["server"]
        server = open_server(folder, port, words)
        options = builder_options(state, **chosen)
        builder = Builder(
            state.workspace,
            folder,
            reference=load_reference(),
            private=out is None,
            # What is served and gone again links to itself, not to where it will be published.
            served=server.address if out is None else "",
            **options,
        )
        # A page that is open from before waits for the build; the address is told when it answers.
        server.rebuilds.building = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        if not state.quiet:
            output.note("Building the site.")
        try:
            _rebuild(state, builder)
            server.rebuilds.building = False
            server.rebuilds.announce()
            if not state.quiet:
                output.note(f"Browse {server.address} (Ctrl+C ends it).")
            for _ in changes(state.workspace, threading.Event(), options["sections"]):
                if _rebuild(state, builder):
                    server.rebuilds.announce()
        except KeyboardInterrupt:
            pass
        finally:
            server.shutdown()
            server.server_close()


def _rebuild(state: State, builder: object) -> bool:
    """Build and say how it went; a failure is told and the old site stays."""
    from generator.export.build import Builder

    assert isinstance(builder, Builder)
    start = time.monotonic()
    try:
        report = builder.build()
    except FieldguideError as error:
        output.print_error(str(error))
        return False
    took = (time.monotonic() - start) * 1000
    for problem in (*report.problems, *report.remarks):
        output.print_error(problem)
    if not state.quiet and report.written:
        output.note(f"{counted(len(report.written), 'file')} in {took:,.0f} ms.")
    return bool(report.written or report.removed)
