"""Words what a browser showed of a report as findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from generator.model.finding import Finding
from generator.reports.document import Document

#: A page that loads longer than this does not finish, in milliseconds.
LOAD_MS = 20_000

_Probes = dict[int, dict[str, Any]]


@dataclass(slots=True)
class Seen:
    """What one opening of a page showed.

    Attributes:
        errors: What the console called an error, with its line, 0 when it came from elsewhere.
        failed: Addresses that could not be loaded.
        blocked: Addresses that were not asked for, since the check is offline.
        probe: What ``probe.js`` gave, None when the page could not be asked.
        late: The page did not finish loading.
    """

    errors: list[tuple[str, int]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    probe: dict[str, Any] | None = None
    late: bool = False


def report(seen: dict[int, Seen], document: Document, *, offline: bool) -> Iterator[Finding]:
    """Yield what is wrong with a page, in the order: errors, loads, charts, braces, scrolling.

    Args:
        seen: What each width in pixels showed.
        document: The parsed page, for the places.
        offline: What cannot be reached is a warning, and so is what may follow from it.
    """
    blocked = {url for one in seen.values() for url in one.blocked}
    excused = offline and bool(blocked)
    if any(one.late for one in seen.values()):
        yield _finding(
            "browser-load",
            f"The page did not finish loading in {LOAD_MS // 1000} s.",
            "Look for a script that never ends or a host that never answers.",
        )
    for text, line in _unique(one.errors for one in seen.values()):
        yield _finding(
            "browser-error",
            f"The console says: {text[:300].rstrip('.')}.",
            "It may come from what could not be loaded; check again with a network."
            if excused
            else "Correct the script.",
            place=(min(max(line, 1), document.line_column(len(document.source))[0]), 1),
            warning=excused,
        )
    for url in _unique(one.failed for one in seen.values()):
        yield _finding(
            "browser-load",
            f"{_shown(url)} could not be loaded.",
            "Correct the address, inline the file, or check with --offline.",
            place=_place_of(document, url),
        )
    for url in sorted(blocked):
        yield _finding(
            "browser-load",
            f"{_shown(url)} was not asked for: the check is offline.",
            "Check again with a network, or inline the file.",
            place=_place_of(document, url),
            warning=True,
        )
    probes = {width: one.probe for width, one in seen.items() if one.probe is not None}
    yield from _empty_charts(probes, document, excused=excused)
    yield from _braces(probes, document, excused=excused)
    yield from _sideways(probes)


def _empty_charts(probes: _Probes, document: Document, *, excused: bool) -> Iterator[Finding]:
    for where, name, why in _unique(
        [(chart["where"], chart["id"], chart["why"]) for chart in probe["charts"]]
        for probe in probes.values()
    ):
        elements = document.by_id.get(name, ())
        yield _finding(
            "browser-chart",
            f"The chart in {where} {why}.",
            "Give the container a height and the series data, and draw after the container stands.",
            place=document.line_column(elements[0].place) if elements else (1, 1),
            warning=excused,
        )


def _braces(probes: _Probes, document: Document, *, excused: bool) -> Iterator[Finding]:
    for text, where in _unique(
        [(item["text"], item["where"]) for item in probe["braces"]] for probe in probes.values()
    ):
        yield _finding(
            "browser-braces",
            f"{text} is visible as raw braces in {where}.",
            "Bind the path in the data of the mount around it, or write the value.",
            place=_place(document, text),
            warning=excused,
        )


def _sideways(probes: _Probes) -> Iterator[Finding]:
    wide = {width: probe for width, probe in probes.items() if probe["width"] > width + 1}
    if wide:
        sizes = ", ".join(f"{probe['width']} px at {width}" for width, probe in wide.items())
        widest = next((probe["widest"] for probe in wide.values() if probe["widest"]), None)
        cause = f"; {widest} sticks out" if widest else ""
        yield _finding(
            "browser-sideways",
            f"The page scrolls sideways: it is {sizes} px wide{cause}.",
            "Let wide tables and code scroll in a box of their own (overflow-x: auto), and give "
            "images max-width: 100%.",
        )


def _finding(
    rule: str,
    message: str,
    fix: str,
    *,
    place: tuple[int, int] = (1, 1),
    warning: bool = False,
) -> Finding:
    return Finding(
        rule=rule,
        severity="warning" if warning else "error",
        line=place[0],
        column=place[1],
        message=message,
        fix=fix,
    )


def _place(document: Document, text: str) -> tuple[int, int]:
    """Return where the page's source first says something, its start when it does not."""
    return document.line_column(max(0, document.source.find(text)))


def _place_of(document: Document, url: str) -> tuple[int, int]:
    """Return where a page names an address: whole, or by its file name when it is relative."""
    whole = url in document.source
    return _place(document, url if whole else url.rpartition("/")[2] or url)


def _unique(groups: Any) -> list[Any]:
    return list(dict.fromkeys(item for group in groups for item in group))


def _shown(url: str) -> str:
    return url if len(url) <= 120 else url[:117] + "..."
