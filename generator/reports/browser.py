"""Opens a report in a real Chromium and reports what its readers would see go wrong.

The page is opened at three widths, as it would be saved (with the runtimes that saving inlines).
Nothing of it runs outside Chromium. Needs the extra ``browser``.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from generator.exceptions import FieldguideError, MissingExtraError
from generator.masking import mask
from generator.model.finding import Finding
from generator.reports.checker import read_page
from generator.reports.document import Document
from generator.reports.inlining import refer_to_runtime, runtime
from generator.reports.libraries import is_quickui, is_quickui_module
from generator.settings import ReportSettings
from generator.storage import read_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Route

WIDTHS = (480, 800, 1280)
_HEIGHT = 900
_LOAD_MS = 20_000
_SETTLE_MS = 400
_QUIET_MS = 5_000
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_BLOCKED = re.compile(r"net::ERR_|Failed to load resource")
# A page that comes from standard input has no address; this one belongs to nobody.
_NO_ADDRESS = "http://report.invalid/"
_RUNTIME = "http://report.invalid/t.js"


_Probes = dict[int, dict[str, Any]]


@dataclass(slots=True)
class _Seen:
    """What one opening of the page showed."""

    errors: list[tuple[str, int]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    probe: dict[str, Any] | None = None
    late: bool = False


class BrowserCheck:
    """Opens reports in one Chromium, which ends with the block. Use it in a ``with`` statement.

    Args:
        offline: Keep every request from leaving the machine. QuickUI is then our own file;
            what else cannot be reached is a warning, and so is what may follow from it.

    Raises:
        MissingExtraError: The extra ``browser`` is not installed.
        FieldguideError: There is no Chromium, or it does not start.
    """

    def __init__(self, *, offline: bool = False) -> None:
        self._offline = offline
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    def __enter__(self) -> Self:
        try:
            from playwright.sync_api import Error, sync_playwright
        except ImportError as error:
            raise MissingExtraError(
                "Opening reports in a browser needs the extra 'browser'.",
                hint="Install it: pip install 'fieldguide[browser]'.",
            ) from error
        self._playwright = sync_playwright().start()
        try:
            self._browser = self._playwright.chromium.launch(
                executable_path=_chromium(), args=_arguments()
            )
        except Error as error:
            self._playwright.stop()
            raise FieldguideError(
                "Chromium could not be started: " + str(error).strip().splitlines()[0] + ".",
                hint="Install Chromium, or run 'playwright install chromium'.",
            ) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._browser is not None:
            with suppress(Exception):
                self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()

    def check(
        self, text: str, *, path: Path | None = None, settings: ReportSettings | None = None
    ) -> list[Finding]:
        """Open one page and return what is wrong with it.

        Args:
            text: The page.
            path: Where it stands, so that files beside it are found; None when it has no place.
            settings: The report settings; the defaults when None.

        Returns:
            Findings in the order: errors, loads, charts, braces, sideways scrolling.
        """
        page = read_page(text, settings=settings)
        shown = refer_to_runtime(text, page, _RUNTIME)
        ids = sorted(
            {
                target.element.id
                for chart in page.charts
                for target in chart.targets
                if target.element is not None and target.element.id
            }
        )
        address = path.absolute().as_uri() if path is not None else _NO_ADDRESS
        seen: dict[int, _Seen] = {}
        for width in WIDTHS:
            seen[width] = self._open(shown, address, width, ids)
            if seen[width].late:
                break  # a page that hangs at one width hangs at all
        findings = dict.fromkeys(_report(seen, page.document, offline=self._offline))
        return [replace(found, message=mask(found.message).text) for found in findings]

    def _open(self, text: str, address: str, width: int, ids: list[str]) -> _Seen:
        from playwright.sync_api import Error

        assert self._browser is not None
        seen = _Seen()
        context = self._browser.new_context(
            viewport={"width": width, "height": _HEIGHT},
            reduced_motion="reduce",
            service_workers="block",
            accept_downloads=False,
        )
        try:
            self._intercept(context, text, address, seen)
            page = context.new_page()
            _listen(page, seen, address)
            try:
                page.goto(address, timeout=_LOAD_MS, wait_until="load")
            except Error:
                seen.late = True
                return seen
            with suppress(Error):
                page.wait_for_load_state("networkidle", timeout=_QUIET_MS)
            page.wait_for_timeout(_SETTLE_MS)
            seen.probe = page.evaluate(_probe(), ids)
        except Error as error:
            seen.errors.append((f"the page could not be looked at: {_first_line(error)}", 0))
        finally:
            with suppress(Error):
                context.close()
        return seen

    def _intercept(self, context: BrowserContext, text: str, address: str, seen: _Seen) -> None:
        def answer(route: Route) -> None:
            url = route.request.url
            if url == address and route.request.is_navigation_request():
                body = text.encode("utf-8", errors="replace")
                route.fulfill(body=body, content_type="text/html; charset=utf-8")
            elif url == _RUNTIME:
                route.fulfill(body=runtime("t.js"), content_type="text/javascript")
            elif url.startswith(("data:", "blob:", "file:")) or not self._offline:
                route.continue_()
            elif is_quickui(url):
                module = "\nexport const QUI = globalThis.QUI;" if is_quickui_module(url) else ""
                route.fulfill(
                    body=runtime("quickui.js") + module,
                    content_type="text/javascript",
                    headers={"Access-Control-Allow-Origin": "*"},
                )
            else:
                seen.blocked.append(url)
                route.abort()

        context.route("**/*", answer)


def _listen(page: Page, seen: _Seen, address: str) -> None:
    def said(message: Any) -> None:
        # A failed load is reported by its address, not by the console's word for it.
        if message.type == "error" and not _BLOCKED.search(message.text):
            own = message.location.get("url") == address
            line = int(message.location.get("lineNumber", -1)) + 1 if own else 0
            seen.errors.append((message.text, line))

    def failed(request: Any) -> None:
        if request.url not in seen.blocked and not request.is_navigation_request():
            seen.failed.append(request.url)

    def answered(response: Any) -> None:
        if response.status >= 400:
            seen.failed.append(response.url)

    page.on("console", said)
    page.on(
        "pageerror",
        lambda error: seen.errors.append((_first_line(error), _line_of(error, address))),
    )
    page.on("requestfailed", failed)
    page.on("response", answered)
    page.on("dialog", lambda dialog: dialog.dismiss())


def _report(seen: dict[int, _Seen], document: Document, *, offline: bool) -> Iterator[Finding]:
    blocked = {url for one in seen.values() for url in one.blocked}
    excused = offline and bool(blocked)
    if any(one.late for one in seen.values()):
        yield _finding(
            "browser-load",
            f"The page did not finish loading in {_LOAD_MS // 1000} s.",
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


def _first_line(error: object) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else "an error without a message"


def _line_of(error: Any, address: str) -> int:
    """Return the line of the page an error came from, 0 when it came from elsewhere."""
    stack = str(getattr(error, "stack", "") or "")
    found = re.search(re.escape(address) + r":(\d+):\d+", stack)
    return int(found[1]) if found else 0


@cache
def _probe() -> str:
    return read_text(Path(__file__).with_name("probe.js"))


def _chromium() -> str | None:
    """Return the machine's own Chromium; None lets Playwright take the one it installed."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


def _arguments() -> list[str]:
    quiet = ["--disable-gpu", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--no-first-run"]  # fmt: skip
    # Chromium's sandbox refuses to start for root; nobody else goes without it.
    return [*quiet, "--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else quiet
