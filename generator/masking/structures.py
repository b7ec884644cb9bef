"""Secrets known by what stands round them: private keys, headers, addresses with a password."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.masking.anchors import compile_anchors
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
_HEADER_ANCHOR = compile_anchors(("bearer", "basic", "token ", "apikey "))

_USERINFO = re.compile(r"://[^\s:/@\"'`<>\\]{0,128}:([^\s/\"'`<>\\]{1,256})@(?=[\w\[.$%{-])")
_CURL_USER = re.compile(
    r"curl\b[^\n]{0,300}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:([^\s\"']{1,128})"
)
# Programs that take a password as an argument of their own.
_COMMAND = compile_anchors(("sshpass", "mysql", "mariadb", "redis-cli"))
_COMMAND_PASSWORD = re.compile(
    r"(?:sshpass\s{1,4}-p[ ]?|(?:mysql|mariadb)\w{0,8}\b[^\n|;]{0,200}?\s-p|"
    r"redis-cli\b[^\n|;]{0,200}?\s-a[ ])[\"']?([^\s\"']{4,128})"
)
_COOKIE_ANCHOR = compile_anchors(("cookie:", 'cookie": "'))
_COOKIE_LINE = re.compile(r"[^\r\n\"]{1,4000}")
_COOKIE = re.compile(
    r"([\w.-]{0,40}(?:sess|sid|auth|token|jwt|login|remember)[\w.-]{0,40})=([^;\s\"']{16,2000})",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"[?&](?:sig|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature)=([A-Za-z0-9%+/=_-]{20,2000})"
)


_SIGNED = compile_anchors(("?sig=", "&sig=", "X-Amz-S", "X-Goog-S"))


def find_structures(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of private keys, credentials in headers and in addresses.

    Args:
        text: The text.
        lowered: The same in lower case, of the same length.
    """
    yield from _private_keys(text)
    yield from _headers(text, lowered)
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
    yield from _commands(text)
    yield from _cookies(text, lowered)
    if _SIGNED.search(text):
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


def _headers(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    anchor = _HEADER_ANCHOR.search(lowered)
    while anchor:
        start, after = anchor.span()
        match = _HEADER.match(text, start) if _starts_word(text, start) else None
        if match and _is_credential(match.group(1)):
            yield f"{anchor.group().strip()}-header", match.start(1), match.end(1)
            after = match.end()
        anchor = _HEADER_ANCHOR.search(lowered, after)


def _commands(text: str) -> Iterator[tuple[str, int, int]]:
    anchor = _COMMAND.search(text)
    while anchor:
        match = _COMMAND_PASSWORD.match(text, anchor.start())
        if match and not is_placeholder(match.group(1)):
            yield "password", match.start(1), match.end(1)
        anchor = _COMMAND.search(text, match.end() if match else anchor.end())


def _cookies(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    anchor = _COOKIE_ANCHOR.search(lowered)
    while anchor:
        line = _COOKIE_LINE.match(text, anchor.end())
        end = line.end() if line else anchor.end()
        for match in _COOKIE.finditer(text, anchor.end(), end):
            if _is_credential(match.group(2)):
                yield "cookie", match.start(2), match.end(2)
        anchor = _COOKIE_ANCHOR.search(lowered, end)


def _starts_word(text: str, at: int) -> bool:
    return at == 0 or not (text[at - 1].isalnum() or text[at - 1] in "-_")


def _is_credential(value: str) -> bool:
    return not is_placeholder(value) and looks_random(value)
