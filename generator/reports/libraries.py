"""Which libraries a page loads, by address or inlined, and when they are there.

Builds of well-known libraries, and our own runtimes, are recognised by the sha256 of their text
(``known_builds.json``), so that a page with one inlined is judged for what its author wrote.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from generator.paths import shipped
from generator.storage import read_text

_QUICKUI_FILE = re.compile(r"quickui(\.esm)?(\.min)?\.js\Z", re.IGNORECASE)
_QUICKUI_PACKAGE = re.compile(r"@pardnchiu/quickui(@[^/]*)?(/\+esm)?/?\Z", re.IGNORECASE)
_ECHARTS_FILE = re.compile(r"echarts(\.(common|simple|esm))?(\.min)?\.m?js\Z", re.IGNORECASE)
_CHART_RUNTIME_FILE = re.compile(r"t(\.min)?\.js\Z", re.IGNORECASE)
#: Globals that our own runtimes define, by file name in ``templates/assets``.
_OWN = {"quickui.js": ("QUI",), "t.js": ("T",)}
#: Scripts shorter than this are no library build; hashing them would be for nothing.
_SHORTEST = 1_000


@dataclass(frozen=True, slots=True)
class Build:
    """One build of a library.

    Attributes:
        name: The library with its version.
        globals: The globals it defines.
    """

    name: str
    globals: tuple[str, ...]


def digest(text: str) -> str:
    r"""Return the sha256 of a script as builds are listed.

    White space at both ends does not count, line ends are ``\n``, and ``<\/script`` counts as
    ``</script``: these are what inlining changes.
    """
    plain = text.replace("\r\n", "\n").strip().replace("<\\/script", "</script")
    return hashlib.sha256(plain.encode("utf-8", errors="surrogatepass")).hexdigest()


def known_build(text: str) -> Build | None:
    """Return the listed build that a script is, None when it is none."""
    if len(text) < _SHORTEST:
        return None
    return _builds().get(digest(text))


@cache
def _builds() -> Mapping[str, Build]:
    listed = json.loads(read_text(Path(__file__).with_name("known_builds.json")))
    builds = {
        key: Build(row["name"], tuple(row["globals"])) for key, row in listed["builds"].items()
    }
    assets = shipped("templates") / "assets"
    for file, names in _OWN.items():
        if (assets / file).is_file():
            builds[digest(read_text(assets / file))] = Build(f"Fieldguide {file}", names)
    return builds


def file_name(address: str) -> str:
    """Return the last part of an address's path."""
    return unquote(_path(address).rpartition("/")[2])


def _path(address: str) -> str:
    try:
        return urlsplit(address.strip()).path
    except ValueError:
        return ""


def host(address: str) -> str | None:
    """Return the host an address leads to in lower case, None when it is relative."""
    squeezed = address.strip().replace("\\", "/")
    try:
        parts = urlsplit(squeezed)
        name = parts.hostname if parts.netloc else None
    except ValueError:
        return squeezed
    return name


def is_quickui(address: str) -> bool:
    """Tell whether an address is that of QuickUI, in either build."""
    return _whole(_QUICKUI_FILE, address)


def is_quickui_module(address: str) -> bool:
    """Tell whether an address is that of QuickUI's module build."""
    matched = _QUICKUI_FILE.match(file_name(address))
    if matched is not None:
        return bool(matched.group(1))
    return bool(_QUICKUI_PACKAGE.search(_path(address)))


def is_echarts(address: str) -> bool:
    """Tell whether an address is that of ECharts."""
    return _whole(_ECHARTS_FILE, address)


def is_chart_runtime(address: str) -> bool:
    """Tell whether an address is that of our own ``t.js``."""
    return _whole(_CHART_RUNTIME_FILE, address)


def _whole(pattern: re.Pattern[str], address: str) -> bool:
    return pattern.match(file_name(address)) is not None
