"""Which names a note may have: those that every file system takes and no path hides in."""

from __future__ import annotations

import re
import unicodedata

from generator.exceptions import UsageError

_FORBIDDEN = re.compile(
    r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]'
)
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE
)

NAME_BYTES = 200
"""Most file systems take 255 bytes; the suffix and temporary names need the rest."""


def note_name(given: str) -> str:
    """Judge a name and return it in the form that is stored.

    Args:
        given: The name, with or without ``note:`` before it or ``.md`` after it.

    Raises:
        UsageError: The name cannot be that of a file everywhere.
    """
    name = unicodedata.normalize("NFC", given).strip()
    name = name.removeprefix("note:").removesuffix(".md").strip()
    problem = _problem(name)
    if problem:
        shown = (
            given[:60].encode("unicode_escape").decode() if _FORBIDDEN.search(given) else given[:60]
        )
        raise UsageError(
            f"A note cannot be named '{shown}': {problem}.",
            hint="Use letters of any script, digits, spaces, hyphens and dots inside.",
        )
    return name


def _problem(name: str) -> str | None:
    if not name:
        return "the name is empty"
    found = _FORBIDDEN.search(name)
    if found:
        character = found.group()
        return (
            f"{character!r} is not allowed"
            if character.isprintable()
            else "it holds a control character"
        )
    if name.startswith(".") or name.endswith("."):
        return "it begins or ends with a dot"
    if _RESERVED.fullmatch(name):
        return "Windows keeps this name for a device"
    if len(name.encode("utf-8", "replace")) > NAME_BYTES:
        return f"it is longer than {NAME_BYTES} bytes"
    return None
