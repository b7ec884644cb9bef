"""Opens a report in a real Chromium and reports what its readers would see go wrong.

The page is opened at three widths, as it would be saved (with the runtimes that saving inlines).
Nothing of it runs outside Chromium. Needs the extra ``browser``.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from generator.exceptions import FieldguideError, MissingExtraError
from generator.masking import mask
from generator.model.finding import Finding
from generator.reports.browser_findings import LOAD_MS, Seen, report
from generator.reports.checker import read_page
from generator.reports.inlining import refer_to_runtime, runtime
from generator.reports.libraries import is_quickui, is_quickui_module
from generator.settings import ReportSettings
from generator.storage import read_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Route

WIDTHS = (480, 800, 1280)
_HEIGHT = 900
_SETTLE_MS = 400
_QUIET_MS = 5_000
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_BLOCKED = re.compile(r"net::ERR_|Failed to load resource")
# A page that comes from standard input has no address; this one belongs to nobody.
_NO_ADDRESS = "http://report.invalid/"
_RUNTIME = "http://report.invalid/t.js"


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
        seen: dict[int, Seen] = {}
        for width in WIDTHS:
            seen[width] = self._open(shown, address, width, ids)
            if seen[width].late:
                break  # a page that hangs at one width hangs at all
        findings = dict.fromkeys(report(seen, page.document, offline=self._offline))
        return [replace(found, message=mask(found.message).text) for found in findings]

    def _open(self, text: str, address: str, width: int, ids: list[str]) -> Seen:
        from playwright.sync_api import Error

        assert self._browser is not None
        seen = Seen()
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
                page.goto(address, timeout=LOAD_MS, wait_until="load")
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

    def _intercept(self, context: BrowserContext, text: str, address: str, seen: Seen) -> None:
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


def _listen(page: Page, seen: Seen, address: str) -> None:
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
