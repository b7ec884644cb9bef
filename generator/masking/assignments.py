"""Secrets known by their name: ``PASSWORD=...``, ``"api_key": "..."``, ``--token ...``, 密码：...

A name is not enough: ``password: str``, ``token = get_token()`` and ``"max_tokens": 4096`` are
code. What counts as a value depends on how it is written: quoted, after ``=`` without spaces
(environment files, connection strings), or bare after a colon (YAML).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.masking.anchors import compile_anchors
from generator.masking.plausible import entropy, is_placeholder

# What a person chooses; shorter and plainer values count.
_PASSWORD_WORDS = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "_pass",
    "密码",
    "密碼",
    "口令",
)
# What a machine makes; the value must look like it.
_KEY_WORDS = (
    "secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key",
    "private_key", "auth_key", "authkey", "account_key", "accountkey", "sharedaccesskey",
    "encryption_key", "signing_key", "master_key", "credential", "密钥", "金鑰", "令牌", "权杖",
)  # fmt: skip

_ANCHOR = compile_anchors((*_PASSWORD_WORDS, *_KEY_WORDS))

# After the word: the rest of the name, an optional closing quote, the sign, an optional type.
_REST = r"(?P<rest>[A-Za-z0-9_.-]{0,40})"
_ASSIGN = re.compile(
    _REST
    + r"(?P<close>\\?[\"'`\]]{0,2})(?P<sign>[ \t]{0,8}(?::=|=>|==?|[:：＝])[ \t]{0,8})"
    + r"(?:(?P<quote>\\?[\"'`])(?P<quoted>[^\"'`\r\n\\]{1,512}|(?:[^\"'`\r\n]){1,512})(?P=quote)"
    + r"|(?P<bare>[^\s\"'`,;<>(){}\[\]，。；]{1,512}))"
)
# <password>...</password>, and in a sentence: "the password is ...", 密码是 ...
_ELEMENT = re.compile(_REST + r">(?P<quoted>[^<>\s]{4,256})</")
_SENTENCE = re.compile(
    _REST + r"(?:[ \t]{1,4}(?:is|was|to)[ \t]{1,4}|[ \t]{0,4}[是為为][ \t:：]{0,4})[\"'`]?"
    r"(?P<bare>[^\s\"'`,;<>(){}\[\]，。；]{4,128})"
)
_MIXED = re.compile(r"^(?=[^\d]{0,120}\d)(?=[^A-Za-z]{0,120}[A-Za-z])[\x21-\x7e]{6,}")
_OPTION = re.compile(_REST + r"[ \t]{1,4}[\"']?(?P<bare>[^\s\"'`,;<>(){}\[\]]{4,256})")
_NAME_BEFORE = re.compile(r"[A-Za-z0-9_.-]{0,48}\Z")

# Names that hold a word of the lists and no secret.
_HARMLESS_REST = re.compile(
    r"s?[_-]?(?:count|limit|max|min|num|total|length|len|size|budget|id|ids|name|names|type|types|"
    r"url|uri|file|path|dir|env|field|label|hint|prompt|expir\w*|ttl|at|age|usage|used|price|cost|"
    r"policy|rules?|regex|pattern|input|output|estimate|index|status|error|required|valid\w*|"
    r"version|manager|provider|store|reset|strength|per\w*|kind|format|details?|s?_?in|s?_?out)",
    re.IGNORECASE,
)
_SIGNS = ("=", ":", "：", "＝")
_CODE_VALUE = re.compile(
    r"[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+|[A-Z][a-z]+(?:[A-Z][a-z]*)*|(?:[A-Z][a-z]+\d*){2,}|[a-z_]+|[A-Z_]+|-?\d+(?:\.\d+)?"
)
_PATH_VALUE = re.compile(r"(?:[a-z][a-z0-9+.-]*://|~?/|\./|\.\./|[A-Za-z]:\\)")


# A form or a query string goes on with the next field.
_NEXT_FIELD = re.compile(r"&(?=[\w.%-]{1,40}=)")


def find_assigned(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of the values of names that say password, secret, token or key.

    Args:
        text: The text.
        lowered: The same in lower case, of the same length.
    """
    anchor = _ANCHOR.search(lowered)
    while anchor:
        start, after = anchor.span()
        again = _ANCHOR.search(lowered, after)
        found = _match_value(text, start, after)
        # A value that names the next secret (a=1b=2 and the like) is judged there.
        if found and not (
            again and again.start() < found.end and text[again.end() : again.end() + 1] in _SIGNS
        ):
            is_password = anchor.group() in _PASSWORD_WORDS
            span = _judge(found, is_password=is_password)
            if span:
                yield "password" if is_password else "named-secret", *span
        anchor = again


@dataclass(frozen=True, slots=True)
class _Value:
    """A value as written: its match, the group that holds it, and whether a program reads it so."""

    match: re.Match[str]
    group: str
    env_like: bool

    @property
    def end(self) -> int:
        return self.match.end(self.group)


def _match_value(text: str, at: int, after: int) -> _Value | None:
    match = _ASSIGN.match(text, after)
    before = _NAME_BEFORE.search(text[max(0, at - 48) : at])
    head = before.group() if before else ""
    if match is None:
        return _match_without_sign(text, after, head)
    if match.group("quote"):
        return _Value(match, "quoted", env_like=True)
    sign = match.group("sign")
    name = head + text[at:after] + match.group("rest")
    # NAME=value without spaces is how environment files and connection strings write it; what
    # looks like code (password=password) is left out when it is judged.
    return _Value(match, "bare", env_like=sign == "=" or (sign.strip() == "=" and name.isupper()))


def _match_without_sign(text: str, after: int, head: str) -> _Value | None:
    if head.startswith("--"):
        match = _OPTION.match(text, after)
        if match is None or match.group("bare").startswith("-"):
            return None
        return _Value(match, "bare", env_like=True)
    if text[after - 1 : after + 60].find(">") > 0:
        match = _ELEMENT.match(text, after)
        if match:
            return _Value(match, "quoted", env_like=True)
    match = _SENTENCE.match(text, after)
    # In a sentence anything may follow: only what mixes letters and digits is taken.
    if match is None or not _MIXED.search(match.group("bare")):
        return None
    return _Value(match, "bare", env_like=False)


def _judge(found: _Value, *, is_password: bool) -> tuple[int, int] | None:
    match, group = found.match, found.group
    rest = match.group("rest")
    if rest and (_HARMLESS_REST.fullmatch(rest) or _HARMLESS_REST.fullmatch(rest.lstrip("_-."))):
        return None
    value = match.group(group)
    start, end = match.span(group)
    if group == "bare":
        value = value.rstrip(".:)")
        value = _NEXT_FIELD.split(value, maxsplit=1)[0]
        end = start + len(value)
        if match.string[end : end + 1] == "(" or match.string[end : end + 1] == "[":
            return None  # a call or a lookup
    if not value or is_placeholder(value) or _PATH_VALUE.match(value):
        return None
    secret = _is_password(value, group, found.env_like) if is_password else _is_key(value)
    return (start, end) if secret else None


def _is_password(value: str, group: str, env_like: bool) -> bool:
    if len(value) < 4 or " " in value:
        return False
    if group == "quoted":
        return not (value.isalpha() and value[:1].isupper() and value[1:].islower())
    if _CODE_VALUE.fullmatch(value) and not (env_like and len(value) >= 6 and value.isdigit()):
        return False
    return env_like or any(c.isdigit() or not c.isalnum() for c in value)


def _is_key(value: str) -> bool:
    if len(value) < 8 or " " in value or _CODE_VALUE.fullmatch(value):
        return False
    if not any(c.isdigit() for c in value):
        return len(value) >= 20 and entropy(value) >= 3.8 and any(c.isupper() for c in value)
    return entropy(value) >= (2.8 if len(value) >= 16 else 2.5)
