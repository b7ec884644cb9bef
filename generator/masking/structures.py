"""Secrets known by what stands round them: private keys, headers, addresses with a password."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.masking.plausible import is_placeholder, looks_random

_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_BEGIN_SEARCH = "-----BEGIN "
_END = "-----END "
_END_LINE = re.compile(r"-----END [A-Z0-9 ]{3,40}-----")
# The body of a key: base64, its header lines, line ends real or written as \n.
_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s,:-]|\\[nr]){0,20000}")
_BODY_MIN = 40
_KEY_MAX = 20_000

_HEADER = re.compile(
    r"(?:Bearer|Basic|Token|ApiKey)(?:\s|%20){1,4}([A-Za-z0-9._~+/=-]{16,4000})", re.IGNORECASE
)
_HEADER_ANCHORS = ("bearer", "basic", "token ", "apikey ")

_USERINFO = re.compile(r"://[^\s:/@\"'`<>\\]{0,128}:([^\s/\"'`<>\\]{1,256})@(?=[\w\[.$%{-])")
_CURL_USER = re.compile(
    r"\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:([^\s\"']{1,128})"
)
_SIGNATURE = re.compile(
    r"[?&](?:sig|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature)=([A-Za-z0-9%+/=_-]{20,2000})"
)


def find_structures(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of private keys, credentials in headers and in addresses."""
    yield from _private_keys(text)
    yield from _headers(text)
    at = text.find("://")
    while at >= 0:
        match = _USERINFO.match(text, at)
        if match and not is_placeholder(match.group(1)):
            yield "url-password", match.start(1), match.end(1)
        at = text.find("://", at + 3)
    if "curl" in text:
        for match in _CURL_USER.finditer(text):
            if not is_placeholder(match.group(1)):
                yield "password", match.start(1), match.end(1)
    for match in _SIGNATURE.finditer(text):
        if not is_placeholder(match.group(1)):
            yield "signed-url", match.start(1), match.end(1)


def _private_keys(text: str) -> Iterator[tuple[str, int, int]]:
    at = text.find(_BEGIN_SEARCH)
    end_at = -2  # where the next end line stands; -1: there is none
    while at >= 0:
        after = at + len(_BEGIN_SEARCH)
        begin = _BEGIN.match(text, at)
        if begin:
            if end_at != -1 and end_at < begin.end():
                end_at = text.find(_END, begin.end())
            body = _BODY.match(text, begin.end())
            body_end = body.end() if body else begin.end()
            closing = _END_LINE.match(text, end_at) if end_at >= 0 else None
            if closing and end_at - begin.end() <= _KEY_MAX:
                body_end = end_at
            written = text[begin.end() : body_end]
            solid = sum(map(str.isalnum, written[:400]))
            if solid >= _BODY_MIN and not is_placeholder(written.strip()[:60]):
                # A key that was cut off is masked as far as it goes.
                after = closing.end() if closing and body_end == end_at else body_end
                yield "private-key", at, after
        at = text.find(_BEGIN_SEARCH, after)


def _headers(text: str) -> Iterator[tuple[str, int, int]]:
    lowered = ascii_lower(text)
    for anchor in _HEADER_ANCHORS:
        at = lowered.find(anchor)
        while at >= 0:
            match = _HEADER.match(text, at) if _starts_word(text, at) else None
            if match and _is_credential(match.group(1)):
                yield f"{anchor.strip()}-header", match.start(1), match.end(1)
                at = match.end() - len(anchor)
            at = lowered.find(anchor, at + len(anchor))


def _starts_word(text: str, at: int) -> bool:
    return at == 0 or not (text[at - 1].isalnum() or text[at - 1] in "-_")


def _is_credential(value: str) -> bool:
    return not is_placeholder(value) and looks_random(value)


def ascii_lower(text: str) -> str:
    """Lower a text without changing its length, so that places stay places."""
    # U+0130 is the one character whose lower case is two characters long.
    return text.replace("\u0130", "I").lower()
