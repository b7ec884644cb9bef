"""Markdown to a finished page: one file, nothing loaded, proved by the same rules as any other.

Every problem of the source is collected with its line before anything is given up; the bytes
depend on nothing but the source and the files beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from generator.counting import counted
from generator.exceptions import FrontMatterError, RenderError, UsageError
from generator.markup.charts import Plotter
from generator.markup.figures import figure_fences
from generator.markup.front_matter import FrontMatter, normalise, split_front_matter
from generator.markup.markdown import Heading, Options, Rendered, heading_blocks, render_markdown
from generator.masking import find_secrets
from generator.model.finding import Finding
from generator.paths import shipped
from generator.reports.checker import check_page
from generator.reports.images import Pictures
from generator.reports.inlining import runtime
from generator.reports.shield import shield_attribute, shield_html, shield_text
from generator.settings import ReportSettings
from generator.storage import read_text, write_atomic
from generator.templating import page_environment

GENERATOR_MARK = '<meta name="generator" content="Fieldguide">'
_MARK_WITHIN = 4096  # bytes at the start of a page
_CONTENTS_FROM = 3  # headings
_PARAGRAPH = re.compile(r"\A<p>(.*)</p>\s*\Z", re.DOTALL)
_FRONT_BLOCK = re.compile(
    r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedReport:
    """A finished page.

    Attributes:
        html: The whole file.
        title: Its title.
        findings: Warnings; lines are those of the Markdown.
    """

    html: str
    title: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    anchor: str
    text: str
    deeper: bool


def render_report(
    text: str, *, folder: Path, name: str = "Report", settings: ReportSettings | None = None
) -> RenderedReport:
    """Render a Markdown report.

    Args:
        text: The file.
        folder: The folder it stands in; images are read from there.
        name: Title when neither the front matter nor a heading gives one.
        settings: The report settings; the defaults when None.

    Returns:
        The page, with what its author should know.

    Raises:
        RenderError: Something in it is broken; it carries every problem with its line.
    """
    report = draft_report(text, folder=folder, name=name)
    errors = _errors(report.findings)
    if not errors:
        found = (*report.findings, *_page_findings(report.html, settings))
        report = replace(report, findings=_sorted(found))
        errors = _errors(report.findings)
    if errors:
        count = counted(errors, "error")
        raise RenderError(
            f"The report has {count}, so no page was made.", findings=list(report.findings)
        )
    return report


def draft_report(text: str, *, folder: Path, name: str = "Report") -> RenderedReport:
    """Render a Markdown report as far as it goes: what is broken in it shows as its source.

    Args:
        text: The file.
        folder: The folder it stands in; images are read from there.
        name: Title when neither the front matter nor a heading gives one.

    Returns:
        The page with everything that is wrong in its source. The page itself was not judged.
    """
    findings: list[Finding] = []
    front = _front_matter(text, findings)
    findings += _secrets(text)
    with Plotter() as plotter:
        options = Options(
            first_line=front.body_line,
            fences=figure_fences(plotter),
            image=Pictures(folder).address,
        )
        title_line, body = _take_title(front)
        rendered = render_markdown(body, options)
    findings += rendered.findings
    values = front.values
    title = _text(values.get("title")) or _plain_title(title_line) or name
    html = _page(title, title_line, rendered, values, front.body)
    return RenderedReport(html=html, title=title, findings=_sorted(findings))


def _errors(findings: Iterable[Finding]) -> int:
    return sum(found.severity == "error" for found in findings)


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda found: (found.line, found.column, found.rule)))


def save_page(report: RenderedReport, path: Path, *, force: bool = False) -> None:
    """Write a rendered page where its author wants it.

    Args:
        report: The page.
        path: The file. One that was rendered before is replaced.
        force: Replace any other file as well.

    Raises:
        UsageError: Something that was not rendered by this product stands there.
        StorageError: The file cannot be written; what was there is untouched.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", hint="Name the page to write with --output.")
    if path.exists() and not force:
        with path.open("rb") as handle:
            start = handle.read(_MARK_WITHIN)
        if GENERATOR_MARK.encode() not in start:
            raise UsageError(
                f"{path} exists and was not rendered by Fieldguide, so it was left as it is.",
                hint="Name another file with --output, or replace it with --force.",
            )
    write_atomic(path, report.html)


def _front_matter(text: str, findings: list[Finding]) -> FrontMatter:
    try:
        return split_front_matter(text)
    except FrontMatterError as error:
        findings.append(
            Finding(
                rule="front-matter",
                severity="error",
                line=error.line,
                column=error.column,
                message=f"The front matter cannot be read: {error.reason}.",
                fix="Write 'key: value' lines between two lines of ---.",
            )
        )
        # The text below is judged all the same.
        plain = normalise(text)
        block = _FRONT_BLOCK.match(plain)
        end = block.end() if block else 0
        return FrontMatter({}, {}, plain[end:], plain.count("\n", 0, end) + 1, present=False)


def _secrets(text: str) -> Iterator[Finding]:
    plain = normalise(text)
    for found in find_secrets(plain):
        start = plain.rfind("\n", 0, found.start) + 1
        yield Finding(
            rule="secret",
            severity="error",
            line=plain.count("\n", 0, found.start) + 1,
            column=found.start - start + 1,
            message=f"A secret stands in the report: {found.kind}.",
            fix="Take it out and replace it where it was issued: it has been written down.",
        )


def _take_title(front: FrontMatter) -> tuple[str, str]:
    """Take the heading that is the title out of the body, leaving its lines empty."""
    blocks = heading_blocks(front.body)
    lines = front.body.split("\n")
    if not blocks or blocks[0].level != 1 or any(line.strip() for line in lines[: blocks[0].start]):
        return "", front.body
    first = blocks[0]
    given = _text(front.values.get("title"))
    if given and given != _plain_title(first.text):
        return "", front.body
    lines[first.start : first.end] = [""] * (first.end - first.start)
    return first.text, "\n".join(lines)


def _plain_title(markdown: str) -> str:
    return render_markdown(markdown).text.strip() if markdown else ""


def _page(
    title: str, title_line: str, rendered: Rendered, values: dict[str, Any], body: str
) -> str:
    environment = page_environment(shipped("templates"))
    template = environment.overlay()
    template.filters = {
        **environment.filters,
        "shielded": shield_text,
        "one_text": shield_attribute,
    }
    heading = shield_text(title)
    if title_line:
        inline = _PARAGRAPH.match(render_markdown(title_line).html)
        heading = Markup(shield_html(inline[1])) if inline else heading  # noqa: S704 - our own HTML
    return template.get_template("report.html.j2").render(
        lang=_text(values.get("lang")) or _language(body),
        title=title,
        heading=heading,
        summary=_first_text(values, "summary", "subtitle", "description"),
        meta=list(_meta(values)),
        contents=[] if values.get("toc") is False else _contents(rendered.headings),
        body=Markup(shield_html(rendered.html)),  # noqa: S704 - the renderer escapes raw HTML
        css=Markup(_style_sheet()),  # noqa: S704 - shipped
        quickui=Markup(runtime("quickui.js")),  # noqa: S704 - shipped
    )


def _style_sheet() -> str:
    templates = shipped("templates")
    colours = read_text(templates / "assets" / "code.css")
    # The colours' variables stand in the report's own sheet, for screen and paper.
    rules = [line for line in colours.splitlines() if line.startswith((":is(", ".g"))]
    return read_text(templates / "report.css") + "\n".join(rules) + "\n"


def _text(value: Any) -> str:
    if value is None or isinstance(value, bool | dict):
        return ""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value)))
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    return value.isoformat() if isinstance(value, date) else str(value).strip()


def _first_text(values: dict[str, Any], *names: str) -> str:
    return next((found for name in names if (found := _text(values.get(name)))), "")


def _meta(values: dict[str, Any]) -> Iterator[str]:
    for names in (("date",), ("author", "authors"), ("version",), ("status",)):
        found = _first_text(values, *names)
        if found:
            yield found


def _contents(headings: tuple[Heading, ...]) -> list[_Entry]:
    shown = [heading for heading in headings if heading.text]
    if len(shown) < _CONTENTS_FROM:
        return []
    top = min(heading.level for heading in shown)
    return [
        _Entry(heading.anchor, heading.text, heading.level > top)
        for heading in shown
        if heading.level <= top + 1
    ]


def _language(body: str) -> str:
    """Guess the language for hyphens, fonts and screen readers: by script, else English."""
    sample = body[:20_000]
    for code, letters in _SCRIPTS:
        if len(letters.findall(sample)) * 10 > len(sample):
            return code
    return "en"


def _page_findings(html: str, settings: ReportSettings | None) -> Iterator[Finding]:
    """Judge the finished page; what is left to find concerns the page, not a line of the source."""
    for found in check_page(html, settings=settings):
        yield Finding(
            rule=found.rule,
            severity=found.severity,
            line=1,
            column=1,
            message=f"In the finished page: {found.message}",
            fix=found.fix,
        )
