"""A file of the export: where it goes, what it depends on, how it is made."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple


class Output(NamedTuple):  # thousands are made on each build: it is made in half the time
    """One file of the export.

    Attributes:
        path: Where it goes, relative to the site, with slashes.
        key: Digest of everything its bytes depend on; while it stays the file is not made again.
        make: Makes the bytes.
    """

    path: str
    key: str
    make: Callable[[], bytes]


def digest(*parts: object) -> str:
    """Return a digest of values whose ``repr`` tells them apart: texts, numbers, tuples."""
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal, as manifests hold it."""
    return hashlib.sha256(data).hexdigest()
