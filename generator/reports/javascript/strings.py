"""String methods and functions of JavaScript on known text, as far as pages use them to hide names."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from generator.reports.javascript.values import UNDEFINED

#: Longer results are not worked out.
LONGEST = 100_000


def string_method(text: str, name: str, arguments: list[Any]) -> Any:
    """Return what ``text.name(...arguments)`` gives.

    Args:
        text: The string.
        name: The method.
        arguments: Known arguments as Python values.

    Returns:
        A string, number, bool or list of strings.

    Raises:
        LookupError: The method is not one of those worked out here, or the arguments do not fit.
    """
    method = _METHODS.get(name)
    if method is None:
        raise LookupError(name)
    try:
        result = method(text, *arguments)
    except (TypeError, ValueError, OverflowError, IndexError) as error:
        raise LookupError(name) from error
    if isinstance(result, str) and len(result) > LONGEST:
        raise LookupError(name)
    return result


def string_function(path: tuple[str, ...], arguments: list[Any]) -> str:
    """Return what a function that makes strings gives: ``String.fromCharCode``, ``atob``.

    Raises:
        LookupError: It is none of those worked out here, or the arguments do not fit.
    """
    try:
        if path in {("String", "fromCharCode"), ("String", "fromCodePoint")}:
            return "".join(chr(int(code)) for code in arguments)
        if path == ("atob",):
            return base64.b64decode(str(arguments[0]), validate=False).decode("latin-1")
        if path in {("decodeURIComponent",), ("decodeURI",), ("unescape",)}:
            return unquote(str(arguments[0]))
    except (TypeError, ValueError, OverflowError, IndexError, binascii.Error) as error:
        raise LookupError(path) from error
    raise LookupError(path)


def _slice(text: str, start: Any = 0, end: Any = UNDEFINED) -> str:
    return text[int(start) : None if end is UNDEFINED else int(end)]


def _substring(text: str, start: Any = 0, end: Any = UNDEFINED) -> str:
    first = max(0, int(start))
    last = len(text) if end is UNDEFINED else max(0, int(end))
    return text[min(first, last) : max(first, last)]


def _substr(text: str, start: Any = 0, length: Any = UNDEFINED) -> str:
    first = int(start)
    first = max(0, len(text) + first) if first < 0 else first
    return text[first:] if length is UNDEFINED else text[first : first + max(0, int(length))]


def _split(text: str, separator: Any = UNDEFINED) -> list[str]:
    if separator is UNDEFINED:
        return [text]
    return list(text) if separator == "" else text.split(str(separator))


def _repeat(text: str, count: Any) -> str:
    if len(text) * int(count) > LONGEST:
        raise ValueError(count)
    return text * int(count)


def _at(text: str, index: Any = 0) -> str:
    return text[int(index)]


def _char_at(text: str, index: Any = 0) -> str:
    at = int(index)
    return text[at] if 0 <= at < len(text) else ""


def _padding(text: str, width: Any, fill: str) -> str:
    if not fill or int(width) > LONGEST:
        raise ValueError(width)
    missing = max(0, int(width) - len(text))
    return (fill * (missing // len(fill) + 1))[:missing]


def _replace_all(text: str, old: str, new: str) -> str:
    if text.count(old) * len(new) > LONGEST:
        raise ValueError(old)
    return text.replace(old, new)


_METHODS: dict[str, Callable[..., Any]] = {
    "at": _at,
    "charAt": _char_at,
    "concat": lambda text, *rest: text + "".join(map(str, rest)),
    "endsWith": lambda text, end: text.endswith(end),
    "includes": lambda text, part: part in text,
    "indexOf": lambda text, part: text.find(part),
    "padEnd": lambda text, width, fill=" ": text + _padding(text, width, fill),
    "padStart": lambda text, width, fill=" ": _padding(text, width, fill) + text,
    "repeat": _repeat,
    "replace": lambda text, old, new: text.replace(old, new, 1),
    "replaceAll": _replace_all,
    "slice": _slice,
    "split": _split,
    "startsWith": lambda text, start: text.startswith(start),
    "substr": _substr,
    "substring": _substring,
    "toLocaleLowerCase": str.lower,
    "toLocaleUpperCase": str.upper,
    "toLowerCase": str.lower,
    "toString": lambda text: text,
    "toUpperCase": str.upper,
    "trim": str.strip,
    "trimEnd": str.rstrip,
    "trimStart": str.lstrip,
    "valueOf": lambda text: text,
}
