"""Serves an exported site on this machine only, and tells open pages when it was rebuilt.

Every path is judged before a file is opened: encoded steps upwards, links that lead out, hidden
files and host names other than this machine's are refused. Pages get a content policy under
which only the site's own files load.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Mapping
from email.utils import formatdate, parsedate_to_datetime
from functools import partial
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from generator.confine import is_inside
from generator.exceptions import StorageError
from generator.export.languages import english
from generator.export.report_pages import POLICY
from generator.export.requested import find_file

HOST = "127.0.0.1"
DEFAULT_PORT = 4747
_TRIES = 20
_OWN_NAME = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?", re.IGNORECASE)
_EVENTS = "/-/events"
_RELOAD = "/-/reload.js"
_RELOAD_SCRIPT = b"""new EventSource("/-/events").onmessage = () => location.reload();\n"""
_HEARTBEAT_SECONDS = 15.0
_IDLE_SECONDS = 60.0  # a connection that says nothing keeps no thread for longer
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; frame-src 'self'; media-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
# A report runs its own scripts, as an origin of its own that can reach nothing.
_REPORT_POLICY = f"{POLICY}; sandbox allow-scripts; frame-ancestors 'self'"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".jsonl": "application/jsonl; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
}


class Rebuilds:
    """Counts rebuilds; pages wait on it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._closed = False
        self.building = False
        """Whether the first build still runs, so that a page may be missing for now."""

    def announce(self) -> None:
        """Tell every waiting page that the site is new."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Let every waiting page go."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def wait(self, seen: int, timeout: float) -> tuple[int, bool]:
        """Wait for a rebuild after the one that was seen.

        Returns:
            The count now, and whether the server is closing.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._count != seen or self._closed, timeout)
            return self._count, self._closed

    @property
    def count(self) -> int:
        """How many rebuilds there were."""
        return self._count


class SiteServer(ThreadingHTTPServer):
    """A server of one folder.

    Args:
        root: The exported site.
        port: The port on the loopback address; 0 takes any free one.
        words: What is said where there is no page: the table ``server`` of the texts.
    """

    daemon_threads = True
    request_queue_size = 128  # a page asks for its files at once, and so do several readers

    def __init__(self, root: Path, port: int, words: Mapping[str, str]) -> None:
        self.rebuilds = Rebuilds()
        super().__init__((HOST, port), partial(_Handler, root.resolve(), self.rebuilds, words))

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://{HOST}:{self.server_address[1]}/"

    def serve_forever(self, poll_interval: float = 0.05) -> None:
        """Serve until shut down, which is noticed within the interval, in seconds."""
        super().serve_forever(poll_interval)

    def shutdown(self) -> None:
        """Stop, letting waiting pages go first."""
        self.rebuilds.close()
        super().shutdown()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a browser that goes away is no fault."""


def open_server(root: Path, port: int | None, words: Mapping[str, str] | None = None) -> SiteServer:
    """Open a server on the port asked for, or on the first free one from the default on.

    Args:
        root: The exported site.
        port: The port; None for a free one.
        words: As :class:`SiteServer` takes them; English when left out.

    Raises:
        StorageError: No such port is free.
    """
    words = words or english()["server"]
    ports = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + _TRIES), 0]
    for candidate in ports:
        try:
            return SiteServer(root, candidate, words)
        except (OSError, OverflowError) as error:
            reason = error
    raise StorageError(
        f"Port {port} on {HOST} cannot be opened: {getattr(reason, 'strerror', None) or reason}.",
        hint="Name another with --port, or leave it out.",
    )


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Fieldguide"
    sys_version = ""
    timeout = _IDLE_SECONDS

    def __init__(
        self, root: Path, rebuilds: Rebuilds, words: Mapping[str, str], *rest: object
    ) -> None:
        self._root = root
        self._rebuilds = rebuilds
        self._words = words
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Answer with a file."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer with a file's headers."""
        self._answer(body=False)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer what cannot be read or is not allowed in plain text, under the same policy."""
        self.close_connection = True
        self.request_version = self.protocol_version  # what cannot be read has none of its own
        status = HTTPStatus(code)
        self._send(status, f"{status.phrase}.\n".encode(), self.command != "HEAD")

    def _answer(self, *, body: bool) -> None:
        if self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # what follows is not read, and is no second request
        if not self._from_here():
            self._say(HTTPStatus.FORBIDDEN, "elsewhere", body)
        elif self.path == _EVENTS:
            self._send_events()
        elif self.path == _RELOAD:
            self._send(HTTPStatus.OK, _RELOAD_SCRIPT, body, kind=_TYPES[".js"])
        else:
            self._send_file(body)

    def _from_here(self) -> bool:
        """Refuse a name that a stranger's page resolved to this machine."""
        hosts = self.headers.get_all("Host", [])
        return len(hosts) == 1 and _OWN_NAME.fullmatch(hosts[0].strip()) is not None

    def _send_file(self, body: bool) -> None:
        path = find_file(self._root, self.path)
        if path is None:
            self._send_missing(body)
        elif isinstance(path, str):
            self._send(HTTPStatus.MOVED_PERMANENTLY, b"", body, more={"Location": path})
        else:
            try:
                stat, data = path.stat(), path.read_bytes()
            except OSError:
                self._send_missing(body)
                return
            kind = _TYPES.get(path.suffix.lower(), "application/octet-stream")
            frame = path.parent == self._root / "reports" / "view"
            if path.suffix == ".html" and not frame:
                data = _reloading(data)
            # A file that was put in place at the same moment with the same length is the same.
            tag = f'"{stat.st_mtime_ns:x}-{len(data):x}"'
            more = {"ETag": tag, "Last-Modified": formatdate(stat.st_mtime, usegmt=True)}
            status = HTTPStatus.OK
            if self._has_already(tag, stat.st_mtime):
                status, data = HTTPStatus.NOT_MODIFIED, b""
            self._send(
                status,
                data,
                body,
                kind=kind,
                more=more,
                policy=_REPORT_POLICY if frame else _POLICY,
            )

    def _has_already(self, tag: str, modified: float) -> bool:
        """Tell whether the reader holds the file as it stands now (RFC 9110, section 13)."""
        held = self.headers.get("If-None-Match")
        if held is not None:
            tags = [item.strip().removeprefix("W/") for item in held.split(",")]
            return tag in tags or tags == ["*"]
        try:
            since = parsedate_to_datetime(self.headers.get("If-Modified-Since", ""))
            return int(modified) <= since.timestamp()
        except (TypeError, ValueError, OverflowError):
            return False

    def _send_missing(self, body: bool) -> None:
        """Answer with the site's own page for what is missing, as Markdown to who asked for text."""
        if self._rebuilds.building:
            self._send_building(body)
            return
        text = urlsplit(self.path).path.endswith((".md", ".txt", ".json", ".jsonl"))
        name = "404.md" if text else "404.html"
        path = self._root / name
        data = f"{self._words['missing']}\n".encode()
        kind = _TYPES[".txt"]
        if is_inside(path, [self._root]) and path.is_file():
            with contextlib.suppress(OSError):
                data = path.read_bytes() if text else _reloading(path.read_bytes())
                kind = _TYPES[path.suffix]
        self._send(HTTPStatus.NOT_FOUND, data, body, kind=kind)

    def _send_building(self, body: bool) -> None:
        """Ask for a moment, with a page that loads itself again when the site is there."""
        told = f"<title>Fieldguide</title></head><p>{escape(self._words['building'])}</p>"
        page = _reloading(f"<!doctype html><html><head><meta charset=utf-8>{told}".encode())
        kind, more = _TYPES[".html"], {"Retry-After": "1"}
        self._send(HTTPStatus.SERVICE_UNAVAILABLE, page, body, kind=kind, more=more)

    def _say(self, status: HTTPStatus, what: str, body: bool) -> None:
        self._send(status, f"{self._words[what]}\n".encode(), body)

    def _send(
        self,
        status: HTTPStatus,
        data: bytes,
        body: bool,
        *,
        kind: str = "text/plain; charset=utf-8",
        more: Mapping[str, str] = MappingProxyType({}),
        policy: str = _POLICY,
    ) -> None:
        self.send_response(status)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
        for name, value in more.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self._send_policy(policy)
        self.end_headers()
        if body:
            self.wfile.write(data)

    def _send_policy(self, policy: str = _POLICY) -> None:
        self.send_header("Content-Security-Policy", policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", "no-cache")

    def _send_events(self) -> None:
        seen, closed = self._rebuilds.count, False  # before the page can know that it is heard
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self._send_policy()
        self.end_headers()
        self.close_connection = True
        while not closed:
            count, closed = self._rebuilds.wait(seen, _HEARTBEAT_SECONDS)
            # A heartbeat finds out whether the page is still there.
            self.wfile.write(b"data: rebuilt\n\n" if count != seen else b":\n\n")
            self.wfile.flush()
            seen = count

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing: the terminal belongs to rebuilds."""


def _reloading(page: bytes) -> bytes:
    """Return a page that loads itself again when the site was rebuilt."""
    return page.replace(b"</head>", b'<script src="/-/reload.js" defer></script>\n</head>', 1)
