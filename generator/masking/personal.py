"""What names a person: e-mail addresses and home folders. Looked for by choice only."""

from __future__ import annotations

import re
from collections.abc import Iterator

EMAIL_KIND = "e-mail"
HOME_KIND = "home-folder"

_LOCAL = re.compile(r"[A-Za-z0-9._%+-]{1,64}\Z")
_DOMAIN = re.compile(r"@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9-])")
# Hosts that git and package managers write behind an @ without meaning a person.
_NO_PERSON = re.compile(r"git\Z|[0-9.]+\Z")

_HOMES = (
    ("/home/", re.compile(r"/home/[^\s/\"'`<>:;,|\\()\[\]{}*$]{1,64}")),
    ("/Users/", re.compile(r"/Users/(?!Shared\b)[^\s/\"'`<>:;,|\\()\[\]{}*$]{1,64}")),
    (":\\", re.compile(r":(?:\\{1,2})Users\\{1,2}(?!Public\b)[^\s/\"'`<>:;,|\\()\[\]{}*$]{1,64}")),
    (":/Users/", re.compile(r":/Users/(?!Public\b)[^\s/\"'`<>:;,|\\()\[\]{}*$]{1,64}")),
)


def find_emails(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of e-mail addresses."""
    at = text.find("@")
    while at >= 0:
        domain = _DOMAIN.match(text, at)
        local = _LOCAL.search(text[max(0, at - 64) : at]) if domain else None
        if domain and local and not _NO_PERSON.match(local.group()):
            yield EMAIL_KIND, at - len(local.group()), domain.end()
        at = text.find("@", at + 1)


def find_homes(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of home folders, the user's name included."""
    for anchor, pattern in _HOMES:
        at = text.find(anchor)
        while at >= 0:
            match = pattern.match(text, at)
            if match and (at == 0 or not (text[at - 1] in "._~-" or _inside(text, at, anchor))):
                drive = 1 if anchor[0] == ":" and at and text[at - 1].isalpha() else 0
                yield HOME_KIND, at - drive, match.end()
            at = text.find(anchor, at + len(anchor))


def _inside(text: str, at: int, anchor: str) -> bool:
    """Tell whether the folder only goes on a longer path: ``/data/home/x`` is no home folder."""
    return anchor[0] == "/" and text[at - 1].isalnum()
