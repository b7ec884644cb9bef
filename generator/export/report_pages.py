"""Reports: a gallery, and each report in a frame that can load nothing and reach nothing."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

from generator.exceptions import FieldguideError, FrontMatterError
from generator.export.bundles import to_json
from generator.export.history.wording import clean
from generator.export.masker import MaskedPlace, Masker
from generator.export.outputs import Output, digest
from generator.export.site import Batch, Figure, Found, Listed, Section, Site
from generator.markup.front_matter import split_front_matter
from generator.markup.markdown import render_markdown
from generator.markup.page_text import page_text
from generator.reports.checker import read_page
from generator.reports.collection import ReportsCollection
from generator.reports.destination import output_folder
from generator.reports.inlining import inline_runtimes
from generator.reports.render import draft_report
from generator.reports.titles import markdown_title

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; media-src data: blob:; base-uri 'none'; "
    "form-action 'none'"
)
"""What a report may load in its preview: nothing but what stands in it."""

_OPENING = 240
_OPENING_READ = 4_000
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)
_DOCTYPE = re.compile(r"\s*(?:<!--.*?-->\s*)*<!doctype[^>]*>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """A saved report of this export."""

    path: Path
    key: str
    title: str
    opening: str
    size: int
    written: datetime
    masked: dict[str, int]

    @property
    def name(self) -> str:
        """Its name in the site: two reports may differ in their suffix alone."""
        return self.path.name.replace(".", "-")

    @property
    def kind(self) -> str:
        """``html`` or ``md``."""
        return self.path.suffix.removeprefix(".")


def _reports(site: Site) -> list[_Report]:
    def load() -> list[_Report]:
        zone = site.workspace.zone
        found = []
        for state in ReportsCollection(output_folder(site.workspace)).files():
            written = datetime.fromtimestamp(state.mtime_ns / 1e9, UTC).astimezone(zone)
            if site.choice.since and written < site.choice.since:
                continue
            key = digest(site.base, state.path.name, state.size, state.mtime_ns, _settings(site))
            facts = site.memo.get("report", key)
            if facts is None:
                text, masked = _text(site, state.path)
                title = _title(text, state.path)
                opening = _opening(text, state.path, title)
                facts = {"title": title, "opening": opening, "masked": masked}
                site.memo.put("report", key, facts)
            found.append(
                _Report(path=state.path, key=key, size=state.size, written=written, **facts)
            )
        return sorted(found, key=lambda item: (item.written, item.path.name), reverse=True)

    return site.once("reports", load)


def _settings(site: Site) -> str:
    return repr(site.workspace.settings.site)


def _text(site: Site, path: Path) -> tuple[str, dict[str, int]]:
    """Read a report without its secrets."""
    masker = Masker(site.workspace.settings.site)
    text = path.read_bytes().decode("utf-8-sig", errors="replace").replace("\0", "\ufffd")
    return masker.text(text), dict(masker.counts)


def _title(text: str, path: Path) -> str:
    if path.suffix == ".md":
        title = markdown_title(text) or ""
    else:
        found = _TITLE.search(text[:200_000])
        title = unescape(found[1]) if found else ""
    return " ".join(clean(title).split())[:160] or path.stem


def _opening(text: str, path: Path, title: str) -> str:
    """Return the first words of a report behind its title."""
    if path.suffix == ".md":
        with contextlib.suppress(FrontMatterError):
            text = split_front_matter(text, typed=False).body
        text = render_markdown(text).text
    else:
        text = page_text(text)
    words = " ".join(clean(text[:_OPENING_READ]).split())
    while words.startswith(title):  # the title of the page, then its heading
        words = words[len(title) :].lstrip(" .:#")
    return words if len(words) <= _OPENING else words[: _OPENING - 1].rsplit(" ", 1)[0] + "…"


def _outputs(site: Site) -> Iterator[Output]:
    reports = _reports(site)
    rows = digest("reports", site.shell_key, repr(reports))
    yield Output("reports/index.html", rows, lambda: _index_page(site))
    yield Output("reports/index.md", rows, lambda: _index_text(site))
    yield Output("reports/index.json", rows, lambda: _index_record(site))
    for report in reports:
        page = digest("report", site.shell_key, report.key)
        yield Output(f"reports/{report.name}.html", page, _maker(_page, site, report))
        yield Output(f"reports/{report.name}.md", page, _maker(_twin, site, report))
        yield Output(f"reports/{report.name}.json", report.key, _maker(_record, report))
        yield Output(f"reports/view/{report.name}.html", report.key, _maker(_view, site, report))


def _maker(make: Callable[..., bytes], *arguments: Any) -> Callable[[], bytes]:
    return lambda: make(*arguments)


def _index_page(site: Site) -> bytes:
    return site.page(
        "reports.html", "reports/index.html", twin="reports/index.md", reports=_reports(site)
    )


def _page(site: Site, report: _Report) -> bytes:
    return site.page(
        "report.html",
        f"reports/{report.name}.html",
        twin=f"reports/{report.name}.md",
        report=report,
    )


def _view(site: Site, report: _Report) -> bytes:
    """Return the page that the frame shows: the report, what it needs put into it."""
    text, _ = _text(site, report.path)
    if report.kind == "md":
        drafted = draft_report(text, folder=report.path.parent, name=report.title)
        return drafted.html.encode("utf-8", "replace")
    settings = site.workspace.settings.report.model_copy(update={"inline_runtime": True})
    with contextlib.suppress(FieldguideError):  # a page that cannot be read is shown as it is
        text, _ = inline_runtimes(text, read_page(text, settings=settings))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    start = _DOCTYPE.match(text)
    at = start.end() if start else 0
    # Before any tag a meta element opens the head by itself, so that nothing comes before it.
    return f"{text[:at]}{policy}{text[at:]}".encode("utf-8", "replace")


def _plain(site: Site, report: _Report) -> str:
    text, _ = _text(site, report.path)
    return clean(text if report.kind == "md" else page_text(text))


def _twin(site: Site, report: _Report) -> bytes:
    path, text = f"reports/{report.name}.md", _plain(site, report)
    if report.kind == "html":
        return site.twin(path, [f"# {report.title}", "", text])
    try:
        first = split_front_matter(text, typed=False).body_line
    except FrontMatterError:
        first = 1  # what is not closed is text like any other
    lines = text.split("\n")
    lines[first - 1 : first - 1] = ["", site.pointer(path), ""]
    return ("\n".join(lines).strip("\n") + "\n").encode("utf-8", "replace")


def _facts(report: _Report) -> dict[str, Any]:
    return {
        "name": report.path.name,
        "title": report.title,
        "kind": report.kind,
        "bytes": report.size,
        "written": report.written.isoformat(timespec="seconds"),
        "ref": f"report:{report.path.name}",
    }


def _record(report: _Report) -> bytes:
    return to_json(_facts(report))


def _index_record(site: Site) -> bytes:
    return to_json({"reports": [_facts(report) for report in _reports(site)]})


def _index_text(site: Site) -> bytes:
    words, reports = site.texts["reports"], _reports(site)
    lines = [f"# {words['title']}", "", words["lead" if reports else "empty"], ""]
    lines += [row.line(site, "reports/index.md") for row in _listed(site)]
    return site.twin("reports/index.md", lines)


def _batches(site: Site) -> Iterator[Batch]:
    for report in reversed(_reports(site)):
        yield Batch(
            name=f"report-{report.name}",
            key=report.key,
            make=lambda report=report: [  # type: ignore[misc]
                Found(
                    path=f"reports/{report.name}.html",
                    title=report.title,
                    text=f"{_plain(site, report)}\nreport:{report.path.name}",
                )
            ],
        )


def _figures(site: Site) -> list[Figure]:
    return [Figure(number=len(_reports(site)), noun="report", path="reports/index.html")]


def _listed(site: Site) -> list[Listed]:
    return [
        Listed(
            path=f"reports/{report.name}.md",
            title=report.title,
            text=f"{report.path.name}, {report.written:%Y-%m-%d}",
        )
        for report in _reports(site)
    ]


def _masked(site: Site) -> Iterator[MaskedPlace]:
    for report in _reports(site):
        if report.masked:
            yield MaskedPlace(
                section="reports",
                ref=f"report:{report.path.name}",
                page=f"reports/{report.name}.html",
                counts=report.masked,
            )


REPORTS = Section(
    name="reports",
    path="reports/index.html",
    outputs=_outputs,
    batches=_batches,
    figures=_figures,
    listed=_listed,
    masked=_masked,
)
