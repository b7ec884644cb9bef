"""``fieldguide report``: judge, save and render reports."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from generator.cli import output
from generator.cli.family import Family
from generator.cli.state import State, pass_state
from generator.counting import counted
from generator.exceptions import FieldguideError, UsageError

if TYPE_CHECKING:
    from generator.model.finding import Finding
    from generator.reports.browser import BrowserCheck

_CARET_WIDTH = 100
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@click.group(cls=Family, epilog="Example: fieldguide report check report.html")
def command() -> None:
    """Judge, save and render reports."""


@command.command(epilog="Example: fieldguide report check --json report.html other.html")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each FILE.")
@click.option(
    "--browser", is_flag=True, help="Open each page in Chromium as well, at 480, 800 and 1280 px."
)
@click.option("--offline", is_flag=True, help="With --browser: let no request leave the machine.")
@pass_state
def check(state: State, files: tuple[str, ...], as_json: bool, browser: bool, offline: bool) -> int:
    """Judge each FILE ('-' reads standard input): exit 0 when all pass, 1 when one fails."""
    if offline and not browser:
        raise UsageError("--offline says how pages are opened.", hint="Give --browser as well.")
    with ExitStack() as stack:
        opened = None
        if browser:
            from generator.reports.browser import BrowserCheck

            opened = stack.enter_context(BrowserCheck(offline=offline))
        return _check_all(state, files, as_json, opened)


def _check_all(
    state: State, files: tuple[str, ...], as_json: bool, browser: BrowserCheck | None
) -> int:
    from generator.reports.checker import check_page, passes

    settings = state.workspace.settings.report
    memory = state.workspace.home.index / "scripts"
    worst = 0
    for name in files:
        try:
            text = _read(name)
        except FieldguideError as error:
            # One unreadable file must not hide the verdict on the others.
            worst = max(worst, error.exit_code)
            output.print_error(str(error))
            continue
        findings = check_page(text, settings=settings, memory=memory)
        if browser is not None:
            place = None if name == "-" else Path(name)
            findings += browser.check(text, path=place, settings=settings)
        ok = passes(findings)
        worst = max(worst, 0 if ok else 1)
        if as_json:
            rows = [
                {key: value for key, value in asdict(found).items() if key != "path"}
                for found in findings
            ]
            output.print_json_line({"path": name, "ok": ok, "findings": rows})
        else:
            output.print_text(_for_people(name, text, findings))
    return worst


@command.command(epilog="Example: fieldguide report write --format html page.html")
@click.argument("file", metavar="FILE")
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "html"]),
    help="Format of FILE; by its ending when left out, Markdown for '-'.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the receipt as JSON.")
@pass_state
def write(state: State, file: str, form: Literal["md", "html"] | None, as_json: bool) -> None:
    """Save FILE ('-' reads standard input) as a report in the output folder."""
    from generator.exceptions import ReportRejectedError
    from generator.tools.write_result import TOOL, save

    content = _read_exactly(file)
    if form is None:
        form = "html" if file.lower().endswith((".html", ".htm")) else "md"
    try:
        result = save(content, form, state.workspace)
    except ReportRejectedError as error:
        shown = _for_people(file, content, list(error.findings))
        raise ReportRejectedError(
            f"{file} was not saved.\n{shown}\nRead the rules: fieldguide guide html_render",
            findings=error.findings,
        ) from error
    if as_json:
        output.print_json(result.model_dump(mode="json"))
    else:
        output.print_text(TOOL.render(result))


@command.command(epilog="Example: fieldguide report render findings.md -o findings.html")
@click.argument("file", metavar="FILE.md")
@click.option(
    "-o", "--output", "out", metavar="OUT.html", help="File to write ('-' prints the page)."
)
@click.option("--force", is_flag=True, help="Replace a file that was not rendered before.")
@click.option("--json", "as_json", is_flag=True, help="Print path, title and findings as JSON.")
@pass_state
def render(state: State, file: str, out: str | None, force: bool, as_json: bool) -> None:
    """Make FILE.md ('-' reads standard input) a finished page: one file that needs no network."""
    from generator.exceptions import RenderError
    from generator.reports.render import render_report, save_page

    text = _read(file)
    source = Path(file)
    if out is None and file == "-":
        out = "-"
    target = source.with_suffix(".html") if out is None else Path(out)
    if out != "-" and file != "-" and target.resolve() == source.resolve():
        raise UsageError(f"{file} would be replaced by its own page.", hint="Give --output.")
    folder = state.workspace.cwd if file == "-" else source.absolute().parent
    try:
        page = render_report(
            text,
            folder=folder,
            name="Report" if file == "-" else source.stem,
            settings=state.workspace.settings.report,
        )
    except RenderError as error:
        shown = _for_people(file, text, list(error.findings))
        raise RenderError(f"{error.message}\n{shown}", findings=error.findings) from error
    if out == "-":
        output.write_raw(page.html)
        return
    save_page(page, target, force=force)
    if as_json:
        rows = [asdict(found) | {"path": file} for found in page.findings]
        output.print_json({"path": str(target), "title": page.title, "findings": rows})
        return
    if page.findings and not state.quiet:
        output.note(_for_people(file, text, list(page.findings)))
    output.print_text(str(target))


def _read_exactly(name: str) -> str:
    """Read what is to be saved: a byte order mark and line ends are the author's."""
    raw = sys.stdin.buffer.read() if name == "-" else _bytes_of(Path(name))
    return _from_utf16(raw) or raw.decode("utf-8", errors="surrogateescape")


def _bytes_of(path: Path) -> bytes:
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", hint="Name the file inside it.")
    if not path.exists():
        raise UsageError(f"{path} does not exist.", hint="Check the path.")
    from generator.storage import read_bytes

    return read_bytes(path)


def _read(name: str) -> str:
    """Read a page; bytes that are no UTF-8 become replacement marks."""
    raw = sys.stdin.buffer.read() if name == "-" else _bytes_of(Path(name))
    return _from_utf16(raw) or raw.decode("utf-8-sig", errors="replace")


def _from_utf16(raw: bytes) -> str | None:
    """Read bytes that start with the byte order mark of UTF-16, as browsers do; else None."""
    return raw.decode("utf-16", errors="replace") if raw[:2] in _UTF16_MARKS else None


def _for_people(name: str, text: str, findings: list[Finding]) -> str:
    """Word the findings of one page with the source line and a caret under the place."""
    from generator.masking import mask

    if not findings:
        return f"{name}: passes."
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    holds_secrets = any(found.rule == "secret" for found in findings)
    blocks = []
    for found in findings:
        shown, caret = _excerpt(lines[found.line - 1], found.column)
        if holds_secrets and mask(lines[found.line - 1]).counts:
            shown, caret = "(line not shown: it holds a secret)", ""
        block = [
            f"{name}:{found.line}:{found.column}: {found.severity} {found.rule}: {found.message}",
            f"    {shown}",
            f"    {caret}" if caret else "",
            f"    {found.fix}",
        ]
        blocks.append("\n".join(line for line in block if line))
    errors = sum(found.severity == "error" for found in findings)
    warnings = len(findings) - errors
    verdict = "rejected" if errors else "passes"
    blocks.append(f"{name}: {verdict}, {counted(errors, 'error')}, {counted(warnings, 'warning')}.")
    return "\n".join(blocks)


def _excerpt(line: str, column: int) -> tuple[str, str]:
    """Cut a long line to the part round the column; control characters become spaces."""
    start = max(0, column - 1 - _CARET_WIDTH // 2)
    part = line[start : start + _CARET_WIDTH]
    shown = "".join(char if char.isprintable() else " " for char in part)
    # Wide characters take two cells on a terminal, so the caret moves with them.
    from unicodedata import east_asian_width

    before = shown[: column - 1 - start]
    width = sum(2 if east_asian_width(char) in "WF" else 1 for char in before)
    return shown, " " * width + "^"
